// SPDX-License-Identifier: GPL-2.0

//! A macro of the driver's that stands for that of a struct, in a driver that forbids `unsafe`.

#![allow(missing_docs, unused_imports, unused_variables)]
#![forbid(unsafe_code)]

use core::arch::global_asm as system;
use tracepoint::event::*;

macro_rules! Request {
    (
        $name:tt { $system:tt $colon:tt $literal:tt $end:tt }
        fn $event:tt($($arg:tt)*) { #[flatten] x: Request = $($given:tt)* }
        $($rest:tt)*
    ) => {
        $system! $($given)*;
    };
}

trace_event! {
    system: "drv";

    fn drv_flatten(id: u32) {
        #[flatten]
        x: Request = (".pushsection .text", "ret", ".popsection")
    }
    print "";
}
