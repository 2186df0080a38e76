// SPDX-License-Identifier: GPL-2.0

//! Flags of something that isn't an integer.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_enum! {
    pub enum Op: u8 {
        Read = 1 => "READ",
    }
}

trace_flags! {
    pub struct Flags: Op, "|" {
        READ = Op::Read => "READ",
    }
}

#[derive(Clone, Copy, TraceFlags)]
#[repr(transparent)]
#[flags("|")]
pub struct Derived(Op);
