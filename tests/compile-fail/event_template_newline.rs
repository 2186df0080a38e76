// SPDX-License-Identifier: GPL-2.0

//! Templates that end with a newline.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(sector: u64) {
        sector: u64 = sector,
    }
    print "sector {sector}\n";

    fn drv_raw(sector: u64) {
        sector: u64 = sector,
    }
    print r"sector {sector}
";

    span fn drv_serve(queue: u32) {
        queue: u32 = queue,
    }
    print "queue {queue}\n";

    class drv_class(n: u32) {
        n: u32 = n,
    }
    print "two\nlines {n}"
    events {
        fn drv_a;
        fn drv_b print "{n}\n\n";
    }
}
