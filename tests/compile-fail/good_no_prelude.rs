// SPDX-License-Identifier: GPL-2.0

//! Compiles: a driver without a prelude.

#![no_implicit_prelude]
#![allow(missing_docs, unused_imports, unused_variables, dead_code)]

use ::core::{ffi::CStr as Name, primitive::*};
use ::kernel::error::Result as Res;
use ::tracepoint;
use ::tracepoint::event::Str as Text;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint::tracepoint! {
    pub fn drv_queue(sector: u64, name: &Name, data: &[u8], text: &str) if sector > 0;
}

tracepoint::define_trace!(drv_queue {
    reg: start,
    unreg: stop
});
tracepoint::export_tracepoint_symbol_gpl!(drv_queue);

fn start() -> Res {
    Res::Ok(())
}

fn stop() {}

const LIMIT: u32 = 3;

fn sector(data: &[u8]) -> u32 {
    data.len() as u32
}

#[derive(::core::clone::Clone, ::core::marker::Copy, tracepoint::event::TraceEnum)]
#[repr(u8)]
enum Op {
    #[name = "READ"]
    Read = 0,
}

#[derive(::core::clone::Clone, ::core::marker::Copy)]
struct Flags(u32);

#[derive(::core::clone::Clone, ::core::marker::Copy, tracepoint::event::TraceFlags)]
#[flags(Flags, "|")]
#[repr(u32)]
enum Flag {
    #[name = "SYNC"]
    Sync = 1,
}

tracepoint::tracepoint_struct! {
    pub struct Request<'a> {
        name: &'a Name,
        op: Op,
    }
}

tracepoint::event::trace_event! {
    system: "case";

    fn drv_done(op: Op, flags: Flags, name: &Name, request: &Request<'_>, data: &[u8]) if sector(data) - 1 > 0 {
        let less = sector(data) - 1;
        op: Op = op,
        flags: Flags = flags,
        sum: u32 = {
            let mut sum = less / 2 * 5 + less % LIMIT;
            sum += -1_i32 as u32;
            sum /= ::core::num::NonZero::<u32>::MIN;
            sum += [1, 2, 3][0];
            sum
        },
        name: Text = name,
        pair: [u8; 2] = [1, 2],
    }
    print "{op} {flags} {name} {pair}";
}

#[tracepoint::traceable]
pub fn drv_start(x: u64) -> Res {
    Res::Ok(())
}

pub fn fire() {
    let request = Request {
        name: c"a",
        op: Op::Read,
    };
    tracepoint::trace!(drv_queue(1, c"a", &[1], "a"));
    tracepoint::trace!(drv_done(
        Op::Read,
        Flags(Flag::Sync as _),
        c"a",
        &request,
        &[1],
    ));
}

#[derive(::core::clone::Clone, ::core::marker::Copy, tracepoint::event::TraceStruct)]
#[repr(C)]
struct Pair {
    a: u32,
    b: [u8; 4],
}

#[derive(tracepoint::event::TraceFields, tracepoint::TracepointArg)]
struct Item<'a> {
    dev: tracepoint::DevT,
    name: &'a ::core::ffi::CStr,
}

#[derive(::core::clone::Clone, ::core::marker::Copy)]
#[repr(transparent)]
struct Modes(u8);

#[derive(::core::clone::Clone, ::core::marker::Copy, tracepoint::event::TraceFlags)]
#[flags(Modes, "|")]
#[repr(u8)]
enum Mode {
    Sync = 1,
}

#[derive(::core::clone::Clone, ::core::marker::Copy, tracepoint::event::TraceEnum)]
#[repr(u8)]
enum Kind {
    #[name = "ONE"]
    One = 1,
}

tracepoint::event::trace_event! {
    system: "case";

    fn drv_types(item: &Item<'_>, modes: Modes, n: u32) {
        pair: tracepoint::event::Struct<Pair> = Pair { a: 1, b: [2; 4] },
        kind: ::core::option::Option<Kind> = ::core::option::Option::None,
        modes: Modes = modes,
        n: u32 = n,
        #[flatten]
        item: Item<'_> = item,
    }
    print "{kind} {modes} {item_dev} {item_name} {x}",
        x = print_flags(n, Modes);
}
