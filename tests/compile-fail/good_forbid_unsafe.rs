// SPDX-License-Identifier: GPL-2.0

//! Compiles: a driver without `unsafe`.

#![forbid(unsafe_code)]
#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[derive(Clone, Copy, TraceEnum)]
#[repr(u8)]
enum Op {
    #[name = "READ"]
    Read = 0,
}

kernel::impl_flags!(
    #[derive(Clone, Copy)]
    struct Flags(u32);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(Flags, "|")]
    enum Flag {
        #[name = "SYNC"]
        Sync = 1,
    }
);

tracepoint_struct! {
    pub struct Request<'a> {
        name: &'a CStr,
        op: Op,
    }
}

tracepoint! {
    pub fn drv_queue(request: &Request<'_>, data: &[u8], text: &str) if !data.is_empty();
    pub faultable fn drv_ioctl(cmd: u32);
}

define_trace!(
    drv_queue {
        reg: start,
        unreg: stop
    },
    drv_ioctl
);
export_tracepoint_symbol_gpl!(drv_queue);

fn start() -> Result {
    Ok(())
}

fn stop() {}

fn may_use(_event: &PerfEvent) -> Result {
    Ok(())
}

trace_event! {
    system: "case";

    fn drv_done(op: Op, flags: Flags, name: &CStr) {
        op: Op = op,
        flags: Flags = flags,
        name: Str = name,
    }
    print "{op} {flags} {name}" with { reg: start, unreg: stop, perf_perm: may_use };
}

trace_custom_event! {
    system: "case_custom";

    fn sched_switch(
        preempt: bool,
        prev: &kernel::task::Task,
        next: &kernel::task::Task,
        prev_state: u32,
    ) {
        pid: i32 = next.pid(),
    }
    print "{pid}";
}

#[traceable]
pub fn drv_start(x: u32) -> Result {
    Ok(())
}

pub fn fire() -> Result<Probe> {
    let request = Request {
        name: c"a",
        op: Op::Read,
    };
    trace!(drv_queue(&request, &[1], "a"));
    trace!(drv_ioctl(1));
    trace!(drv_done(Op::Read, Flag::Sync.into(), c"a"));
    drv_start(1)?;
    drv_queue.register(|_, _, _| ())
}
