// SPDX-License-Identifier: GPL-2.0

//! Structs without the derive, and members that can't be fields.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

struct Plain {
    a: u32,
}

#[derive(TraceFields)]
struct Other<'a> {
    a: u32,
    task: &'a kernel::task::Task,
}

#[derive(TraceFields)]
struct Generic<const N: usize> {
    a: [u32; N],
}

trace_event! {
    system: "case";

    fn drv_plain(a: u32) {
        #[flatten]
        x: Plain = Plain { a },
    }
    print "{x_a}";
}

trace_event! {
    system: "case";

    fn drv_other(task: &kernel::task::Task) {
        #[flatten]
        x: Other<'_> = Other { a: 1, task },
    }
    print "{x_a}";
}

trace_event! {
    system: "case";

    fn drv_tuple(a: u32) {
        #[flatten]
        x: (u32, u32) = (a, a),
    }
    print "";
}
