// SPDX-License-Identifier: GPL-2.0

//! Types whose names don't fit a number.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_enum! {
    enum Level: i16 {
        Low = -2 => "LOW",
        High = 300 => "HIGH",
    }
}

trace_flags! {
    struct Flags: u8, "|" {
        A = 1 => "A",
    }
}

trace_event! {
    system: "case";

    fn drv_enum(n: u32) {
        n: u32 = n,
    }
    print "{x}", x = print_flags(n, Level);

    fn drv_flags(n: u32) {
        n: u32 = n,
    }
    print "{x}", x = print_symbolic(n, Flags);

    fn drv_size(n: u8) {
        n: u8 = n,
    }
    print "{x}", x = print_symbolic(n, Level);

    fn drv_names(n: u8) {
        n: u8 = n,
    }
    print "{x}", x = print_symbolic(n, u8);

    fn drv_delimiter(n: u8) {
        n: u8 = n,
    }
    print "{x}", x = print_flags(n, "|", Flags);
}
