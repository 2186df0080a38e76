// SPDX-License-Identifier: GPL-2.0

//! Compiles: what the macros expand to calls no macro of the crate `tracepoint`, which can be the driver
//! itself.

#![forbid(unsafe_code)]
#![allow(missing_docs, unused_imports)]

use kernel::prelude::*;

extern crate self as tracepoint;
extern crate tracepoint as real;

pub mod event {
    pub use real::event::*;
}

pub mod __private {
    pub use real::__private::*;
}

pub use real::UseTraceMacro;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[macro_export]
macro_rules! __arch_asm {
    ($($t:tt)*) => {
        *(0xdead_0000 as *mut u8) = 1
    };
}

#[macro_export]
macro_rules! __define_trace {
    ($($t:tt)*) => {
        *(0xdead_0000 as *mut u8) = 1
    };
}

#[macro_export]
macro_rules! __static_branch_unlikely {
    ($($t:tt)*) => {
        *(0xdead_0000 as *mut u8) = 1
    };
}

#[macro_export]
macro_rules! __do_trace_call {
    ($($t:tt)*) => {
        *(0xdead_0000 as *mut u8) = 1
    };
}

#[macro_export]
macro_rules! __do_trace_call_static {
    ($($t:tt)*) => {
        *(0xdead_0000 as *mut u8) = 1
    };
}

#[macro_export]
macro_rules! __do_trace_call_iterator {
    ($($t:tt)*) => {
        *(0xdead_0000 as *mut u8) = 1
    };
}

#[macro_export]
macro_rules! __call_site {
    ($($t:tt)*) => {
        *(0xdead_0000 as *mut u8) = 1
    };
}

#[macro_export]
macro_rules! __export_tracepoint {
    ($($t:tt)*) => {
        *(0xdead_0000 as *mut u8) = 1
    };
}

#[macro_export]
macro_rules! __export_symbol {
    ($($t:tt)*) => {
        *(0xdead_0000 as *mut u8) = 1
    };
}

#[macro_export]
macro_rules! __ftrace_entry {
    ($($t:tt)*) => {
        *(0xdead_0000 as *mut u8) = 1
    };
}

#[macro_export]
macro_rules! __ftrace_nothing {
    ($($t:tt)*) => {
        *(0xdead_0000 as *mut u8) = 1
    };
}

real::tracepoint! {
    pub fn drv_queue(sector: u64);
}

real::define_trace!(drv_queue);
real::export_tracepoint_symbol_gpl!(drv_queue);

real::event::trace_event! {
    system: "case";

    fn drv_done(id: u32) {
        id: u32 = id,
    }
    print "{id}";
}

#[real::traceable]
pub fn fire(id: u32) {
    real::trace!(drv_queue(1));
    real::trace!(drv_done(id));
}
