// SPDX-License-Identifier: GPL-2.0

//! An enum and flags that lack `Copy`.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[derive(TraceEnum)]
#[repr(u8)]
enum Op {
    Read,
    Write,
}

struct Flags(u32);

#[derive(Clone, Copy, TraceFlags)]
#[flags(Flags, "|")]
#[repr(u32)]
enum Flag {
    One = 1,
}

trace_event! {
    system: "case";

    fn drv_op(op: Op, flags: Flags) {
        op: Op = op,
        flags: Flags = flags,
    }
    print "{op} {flags}";

    fn drv_ops(ops: &[Op], one: Op) {
        ops: DynArray<Op> = ops,
        array: [Op; 1] = [one],
    }
    print "{ops} {array}";
}

tracepoint! {
    fn drv_bare(op: Op);
}
define_trace!(drv_bare);

fn fire() {
    trace!(drv_op(Op::Read, Flags(1)));
    trace!(drv_bare(Op::Write));
}
