// SPDX-License-Identifier: GPL-2.0

//! Structs that can't be in a record.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[derive(Clone, Copy, TraceStruct)]
#[repr(C)]
struct Padded {
    a: u32,
    b: u8,
}

macro_rules! padded {
    ($n:expr) => {
        #[derive(Clone, Copy, TraceStruct)]
        #[repr(C)]
        struct Grouped {
            a: [u8; $n / 2],
            b: u32,
        }
    };
}

padded!(4 - 1);

#[derive(Clone, Copy, TraceStruct)]
#[repr(C)]
struct Other {
    a: Option<u64>,
}

#[derive(Clone, Copy, TraceStruct)]
struct Rust {
    a: u32,
}

#[derive(Clone, Copy, TraceStruct)]
#[repr(C, align(16))]
struct Wide {
    a: [u64; 2],
}

type T = u64;

#[derive(Clone, Copy, TraceStruct)]
#[repr(C)]
struct Generic<T = Padded> {
    a: T,
}
