// SPDX-License-Identifier: GPL-2.0

//! Compiles: a driver that has names of the library's own.

#![allow(
    missing_docs,
    unused_imports,
    unused_variables,
    unused_macros,
    dead_code
)]

use ::core::ffi::CStr as Name;
use ::kernel::error::Result as Res;
use ::tracepoint::event::Str as Text;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

mod core {}
mod kernel {}
mod std {}
struct Option;
struct Some;
struct None;
struct Ok;
struct Err;
struct Result;
struct Fn;
struct Send;
struct CStr;
struct Arg;
struct Field;
struct Tracepoint;
struct Copy;
struct Clone;
trait Sized {}

macro_rules! concat {
    () => {};
}
macro_rules! stringify {
    () => {};
}
macro_rules! trace {
    () => {};
}
macro_rules! panic {
    () => {};
}

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

fn op_count(data: &[u8]) -> u32 {
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

    fn drv_done(op: Op, flags: Flags, name: &Name, request: &Request<'_>, data: &[u8], pair: &[u32; 2]) if pair[0] - pair[1] > 0 {
        let less = op_count(data) - 1;
        op: Op = op,
        flags: Flags = flags,
        sum: u32 = {
            let mut sum = less - pair[1] / 2 + pair[less as usize % 2] % LIMIT;
            sum += -1_i32 as u32;
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
        &[1, 2]
    ));
}
