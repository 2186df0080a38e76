// SPDX-License-Identifier: GPL-2.0

//! Field types that the kernel's filters and histograms would trust.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_event! {
    system: "drv";

    pub fn drv_types(x: u32, list: &[u8], text: &CStr) {
        #[filter(DYN_STRING)]
        a: u32 = !x,
        #[filter(CPUMASK)]
        b: u32 = !x,
        #[filter(STACKTRACE)]
        c: u32 = !x,
        #[filter(COMM)]
        d: u64 = !0,
        e: u32 as "__data_loc char[]" = !x,
        f: u32 as "__rel_loc char" = !x,
        g: DynArray<usize> as "cpumask_t" = &[1],
        h: DynArray<u8> as "unsigned char" = list,
        i: SockAddr as "char" = list,
        j: u32 as "char *" = !x,
        k: Bitmask as "char" = Bits::new(&[1], 1),
    }
    print "";
}
