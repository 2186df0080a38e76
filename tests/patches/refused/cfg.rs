// SPDX-License-Identifier: GPL-2.0

//! Conditions of declarations, which a procedural macro can't evaluate.

use kernel::trace::{event::*, *};

tracepoint! {
    #[cfg(CONFIG_SMP)]
    fn refused_tracepoint();
}

trace_event! {
    system: "refused";

    #[cfg(CONFIG_SMP)]
    fn refused_event(n: u32) {
        n: u32 = n,
    }
    print "{n}";

    class refused_class(n: u32) {
        n: u32 = n,
    }
    print "{n}"
    events {
        #[cfg(CONFIG_SMP)]
        fn refused_member;
    }
}
