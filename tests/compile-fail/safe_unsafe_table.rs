// SPDX-License-Identifier: GPL-2.0

//! An unsafe function in a table, without `unsafe`.

#![allow(missing_docs, unsafe_op_in_unsafe_fn, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

/// # Safety
///
/// None.
const unsafe fn danger() -> u32 {
    1
}

trace_event! {
    system: "drv";

    pub fn drv_event(n: u32) {
        n: u32 = n,
    }
    print "{name}", name = print_symbolic(n, { danger() => "DANGER" });
}

kernel::impl_flags!(
    #[derive(Clone, Copy)]
    pub struct Flags(u32);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(Flags, "|")]
    pub enum Flag {
        #[name = "ONE"]
        One = danger(),
    }
);
