// SPDX-License-Identifier: GPL-2.0

//! Compiles: `#[cfg]` on everything that accepts it.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[derive(Clone, Copy, TraceEnum)]
#[repr(u8)]
enum Op {
    #[cfg(any())]
    #[name = "NEVER"]
    Never = 0,
    #[name = "READ"]
    Read = 1,
}

kernel::impl_flags!(
    #[derive(Clone, Copy)]
    struct Flags(u32);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(Flags, "|")]
    enum Flag {
        #[cfg(all())]
        #[name = "SYNC"]
        Sync = 1,
        #[cfg(any())]
        #[name = "NEVER"]
        Never = 2,
    }
);

tracepoint_struct! {
    pub struct Request {
        sector: u64,
    }
}

// The one of each that isn't there would have the name of the other.
#[cfg(any())]
#[derive(Clone, Copy, TraceEnum)]
#[repr(u8)]
enum Op {
    #[name = "NEVER"]
    Never = 0,
}

#[cfg(any())]
tracepoint_struct! {
    pub struct Request {
        never: Never,
    }
}

tracepoint! {
    #[cfg(any())]
    pub fn drv_queue(sector: u32);
    #[cfg(all())]
    #[cfg(not(any()))]
    pub fn drv_queue(sector: u64);
}

trace_event! {
    system: "case";

    #[cfg(all())]
    fn drv_done(sector: u64, op: Op, flags: Flags) {
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

    #[cfg(any())]
    class drv_class(never: Never) {
        never: Never = never,
    }
    print "{never}"
    events {
        fn drv_first;
    }

    class drv_class(sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}"
    events {
        #[cfg(any())]
        fn drv_first if never;
        fn drv_first;
        #[cfg(all())]
        fn drv_second;
        #[cfg(any())]
        fn drv_second if never;
    }

    #[cfg(all())]
    class drv_alone(sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}"
    events {
        #[cfg(any())]
        fn drv_third;
    }
}

#[cfg(any())]
trace_custom_event! {
    system: "custom";
    fn never() {}
    print "";
}

trace_custom_event! {
    system: "custom";

    /// The kernel has no such tracepoint.
    #[cfg(any())]
    fn never() {}
    print "";
}

pub fn fire(request: &Request) {
    trace!(drv_queue(request.sector));
    trace!(drv_done(request.sector, Op::Read, Flag::Sync.into()));
    trace!(drv_first(1));
    trace!(drv_second(2));
}
