// SPDX-License-Identifier: GPL-2.0

//! Types whose names don't fit a number.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[derive(Clone, Copy, TraceEnum)]
#[repr(i16)]
enum Level {
    #[name = "LOW"]
    Low = -2,
    #[name = "HIGH"]
    High = 300,
}

kernel::impl_flags!(
    #[derive(Clone, Copy)]
    struct Flags(u8);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(Flags, "|")]
    enum Flag {
        A = 1,
    }
);

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
