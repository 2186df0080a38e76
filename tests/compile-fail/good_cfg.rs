// SPDX-License-Identifier: GPL-2.0

//! Compiles: `#[cfg]` on everything that accepts it.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_enum! {
    enum Op: u8 {
        #[cfg(any())]
        Never = 0 => "NEVER",
        Read = 1 => "READ",
    }
}

trace_flags! {
    struct Flags: u32, "|" {
        #[cfg(all())]
        SYNC = 1 => "SYNC",
        #[cfg(any())]
        NEVER = 2 => "NEVER",
    }
}

tracepoint_struct! {
    pub struct Request {
        #[cfg(any())]
        never: Never,
        #[cfg(all())]
        sector: u64,
    }
}

// The one of each that isn't there would have the name of the other.
trace_enum! {
    #[cfg(any())]
    enum Op: u8 {
        Never = 0 => "NEVER",
    }
}

trace_flags! {
    #[cfg(any())]
    struct Flags: u32, "|" {
        NEVER = 1 => "NEVER",
    }
}

tracepoint_struct! {
    #[cfg(any())]
    pub struct Request {
        #[cfg(all())]
        never: Never,
    }
}

tracepoint! {
    #[cfg(any())]
    pub fn drv_queue(sector: u32);
    #[cfg(all())]
    pub fn drv_queue(sector: u64, #[cfg(any())] never: Never);
}

trace_event! {
    system: "case";

    #[cfg(all())]
    fn drv_done(sector: u64, #[cfg(any())] never: Never, op: Op, flags: Flags) {
        #[cfg(any())]
        sector: Never = never,
        #[cfg(all())]
        sector: u64 = sector,
        op: Op = op,
        flags: Flags = flags,
    }
    print "{sector} {op} {flags}";

    #[cfg(any())]
    fn drv_done(never: Never) {
        never: Never = never,
    }
    print "{never}";
}

pub fn fire(request: &Request) {
    trace!(drv_queue(request.sector));
    trace!(drv_done(request.sector, Op::Read, Flags::SYNC));
}
