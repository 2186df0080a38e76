// SPDX-License-Identifier: GPL-2.0

//! What BTF can say about a module. One of three objects of the module `btf_parts`.

#![allow(missing_docs)]

use helpers::{KThread, ThisThread};
use kernel::{
    ffi::{c_char, c_int},
    prelude::*,
    task::Task,
};
use tracepoint::{event::*, *};

mod helpers;

#[derive(Clone, Copy, TraceEnum)]
#[repr(i8)]
pub enum BtfOp {
    #[name = "back"]
    Back = -1,
    #[name = "stay"]
    Stay = 0,
}

const HIGH: u64 = 1 << 40;

kernel::impl_flags!(
    #[derive(Clone, Copy)]
    pub struct BtfFlags(u64);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(BtfFlags, "|")]
    pub enum BtfFlag {
        #[name = "low"]
        Low = 1,
        #[name = "high"]
        High = HIGH,
    }
);

#[derive(Clone, Copy, TraceEnum)]
#[repr(u16)]
pub enum BtfDerived {
    First = 7,
    Second,
}

tracepoint_struct! {
    pub struct BtfInner {
        pub small: u8,
        pub large: u64,
        pub empty: [u16; 0],
    }
}

const LEN: usize = 2;

tracepoint_struct! {
    #[c_name = "btf_outer"]
    pub struct BtfOuter<'a> {
        pub inner: &'a BtfInner,
        pub none: Option<&'a BtfInner>,
        pub name: &'a CStr,
        pub table: [[u16; 3]; LEN],
        pub op: BtfOp,
        pub flags: BtfFlags,
        pub task: &'a Task,
        pub r#type: c_int,
    }
}

type Alias<'a> = &'a BtfInner;
type Number = u32;

/// A field that only the compiler knows.
type Chars = [u8; 5];

trace_event! {
    system: "btf";

    fn btf_names(r#type: u32, len: u64, data: &[u8], data_len: u8, __data: bool) {
        r#type: u32 = r#type,
        len: u64 = len,
    }
    print "{type} {len}";

    fn btf_nothing() {}
    print "nothing";

    fn btf_twelve(a: u8, b: i8, c: u16, d: i16, e: u32, f: i32, g: u64, h: i64, i: usize, j: isize, k: bool,
        l: &CStr) {
        a: u8 = a,
    }
    print "{a}";

    fn btf_types(
        alias: Alias<'_>,
        number: Number,
        op: BtfOp,
        flags: BtfFlags,
        derived: BtfDerived,
        raw: *const u32,
        any: *mut Task,
        task: Option<&Task>,
    ) {
        op: BtfOp = op,
        flags: BtfFlags = flags,
        chars: Chars = [0; 5],
        comm: [c_char; 16] = c"",
        words: [i64; 2] = [0; 2],
        raw: *const u32 = raw,
    }
    print "{op} {flags}";

    fn btf_slices(outer: &BtfOuter<'_>, inners: &[&BtfInner], ops: &[BtfOp], text: &str) {
        n: u32 = inners.len() as u32,
    }
    print "{n}";
}

tracepoint! {
    fn btf_no_event(outer: &BtfOuter<'_>, array: &[u32; 4]);
}
define_trace!(btf_no_event);

#[traceable]
fn btf_add(a: i32, b: u8, r#type: &BtfOuter<'_>) -> i64 {
    i64::from(a) + i64::from(b) + i64::from(r#type.r#type)
}

#[traceable]
fn btf_check(task: &Task) -> Result {
    (task.pid() >= 0).then_some(()).ok_or(EINVAL)
}

/// Nothing calls it.
#[traceable]
fn btf_uncalled(n: u32) -> u32 {
    n
}

#[traceable]
fn btf_number() -> Number {
    4_000_000_000
}

/// Calls everything again and again.
fn run(thread: &ThisThread) {
    while !thread.should_stop() {
        let task: &Task = kernel::current!();
        let inner = BtfInner {
            small: 1,
            large: 2,
            empty: [],
        };
        let outer = BtfOuter {
            inner: &inner,
            none: None,
            name: c"outer",
            table: [[1, 2, 3], [4, 5, 6]],
            op: BtfOp::Back,
            flags: BtfFlag::High.into(),
            task,
            r#type: 3,
        };
        trace!(btf_names(1, 2, b"data", 4, true));
        trace!(btf_nothing());
        trace!(btf_twelve(
            1, -2, 3, -4, 5, -6, 7, -8, 9, -10, true, c"twelve"
        ));
        trace!(btf_types(
            &inner,
            1,
            BtfOp::Back,
            BtfFlag::Low | BtfFlag::High,
            BtfDerived::Second,
            core::ptr::null(),
            core::ptr::null_mut(),
            None,
        ));
        trace!(btf_slices(&outer, &[&inner], &[BtfOp::Back], "text"));
        trace!(btf_no_event(&outer, &[1, 2, 3, 4]));
        btf_add(-5, 200, &outer);
        let _ = btf_check(task);
        btf_number();
        KThread::sleep(100);
    }
}

struct Btf {
    _thread: KThread,
}

impl kernel::Module for Btf {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _thread: KThread::run(c"btf", run)?,
        })
    }
}

module! {
    type: Btf,
    name: "btf_parts",
    authors: ["Tests"],
    description: "Everything that BTF can describe",
    license: "GPL",
}
