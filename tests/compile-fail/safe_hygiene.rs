// SPDX-License-Identifier: GPL-2.0

//! Names of the driver's that are the library's in an expansion.

#![forbid(unsafe_code)]
#![allow(missing_docs, non_camel_case_types, dead_code)]

use tracepoint::event::*;

/// With padding, unlike the library's.
mod __p {
    #[derive(Clone, Copy)]
    #[repr(C)]
    pub struct u64 {
        a: u8,
        b: u32,
    }
}

macro_rules! from_macro {
    () => {
        #[derive(Clone, Copy, TraceStruct)]
        #[repr(C)]
        pub struct AlsoLeaky(__p::u64);
    };
}

#[derive(Clone, Copy, TraceStruct)]
#[repr(C)]
pub struct Leaky {
    x: [__p::u64; 32],
}

from_macro!();

static TABLE: [u32; 4] = [1, 2, 3, 4];
const N: usize = 4;

trace_event! {
    system: "case";

    fn drv_shadow(i: usize, N: usize) {
        n: u32 = TABLE[i % N],
    }
    print "{n}";
}
