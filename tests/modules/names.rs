// SPDX-License-Identifier: GPL-2.0

//! A driver that uses the macros' internal names for its own items. They must not clash.

#![allow(dead_code, non_camel_case_types, unused_macros)]

use kernel::{prelude::*, task::Task};
use tracepoint::{
    define_trace, export_tracepoint_symbol_gpl, kernel_tracepoint, trace, tracepoint, Register as _,
};

mod args {}
mod arch {}
mod bindings {
    pub(crate) struct tracepoint;
}
mod define {}
mod guard {}
mod lookup {}
mod point {}
mod probe {}
mod data {
    tracepoint::tracepoint_struct! {
        /// The events' argument.
        pub(crate) struct Data {
            pub(crate) n: u32,
        }
    }
}
mod prototypes {}

struct c_int;
struct c_void;
struct CStr;
struct Shared;
struct Srcu;
struct Tracepoint;

static NAME: u32 = 0;
static EXT: u32 = 1;
static TRACEPOINT: u32 = 2;
static STATIC_CALL_KEY: u32 = 3;
const FAULTABLE: u32 = 4;

// With lockdep, the expansions use the kernel crate's `warn_on!`, which uses this one.
#[cfg(not(CONFIG_LOCKDEP))]
macro_rules! concat {
    ($($any:tt)*) => {
        compile_error!("the driver's own")
    };
}
macro_rules! stringify {
    ($($any:tt)*) => {
        compile_error!("the driver's own")
    };
}
macro_rules! assert {
    ($($any:tt)*) => {
        compile_error!("the driver's own")
    };
}

tracepoint! {
    fn names_event(data: &data::Data, len: u32, text: &str, bytes: &[u8], funcs: u64);
    fn names_condition(func: u32) if func > NAME + EXT;
    faultable fn names_faultable(tp: u32, name: u32, entry: u32);
}

kernel_tracepoint! {
    fn sched_switch(probe: bool, data: &Task, func: &Task, prio: u32);
}

fn reg() -> Result {
    Ok(())
}

fn unreg() {}

define_trace!(
    names_event,
    names_condition {
        reg: reg,
        unreg: unreg
    },
    names_faultable
);
export_tracepoint_symbol_gpl!(names_event);

struct Names;

impl kernel::Module for Names {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let probe = names_event.register(|data, len, text, bytes, funcs| {
            pr_info!("{} {len} {text} {} {funcs}\n", data.n, bytes.len());
        })?;
        trace!(names_event(
            &data::Data { n: NAME },
            EXT,
            "text",
            b"bytes",
            FAULTABLE.into()
        ));
        trace!(names_condition(TRACEPOINT));
        trace!(names_faultable(1, 2, 3));
        drop(probe);
        drop(sched_switch.register(|_, _, _, _| ())?);
        Ok(Self)
    }
}

module! {
    type: Names,
    name: "names",
    description: "A driver with the macros' internal names",
    license: "GPL",
}
