// SPDX-License-Identifier: GPL-2.0

//! Compiles: a driver with the names that are the library's in an expansion, each of another meaning.

#![allow(missing_docs, non_camel_case_types, non_upper_case_globals, dead_code)]

use tracepoint::{event::*, *};

mod __p {
    #[derive(Clone, Copy, tracepoint::event::TraceStruct)]
    #[repr(C)]
    pub(crate) struct Type(pub(crate) u64);
    pub(crate) const LEN: usize = 2;
}

type __Raw = u64;
const __RECORD_SIZE: u32 = 1;
const __LEN: usize = 4;
const __TABLE: u8 = 1;
const __TYPES: usize = 3;
const DIVISOR: u32 = 3;
type __F = u32;
type __T = u16;
struct __Required;

#[derive(Clone, Copy, TraceStruct)]
#[repr(C)]
struct Parts([__p::Type; __p::LEN]);

#[derive(TracepointArg)]
struct Own<'__a, '__at>(&'__a u32, &'__at __p::Type);

#[derive(Clone, Copy, TraceEnum)]
#[repr(u8)]
enum Layout {
    One = __TABLE,
    Two,
}

fn __record(n: u32) -> u32 {
    n
}

mod own {
    pub(crate) fn elements(n: u32) -> u8 {
        n as u8
    }
}

fn __check(n: u32) -> bool {
    n > 1
}

tracepoint_struct! {
    struct __CLASS<'__a> {
        text: &'__a [u8; __p::LEN],
        n: __F,
    }
}

trace_event! {
    system: "case";

    fn drv_all(
        n: __F,
        class: &__CLASS<'_>,
        own: &Own<'_, '_>,
        list: &[u8; __TYPES],
        function: u32,
        layout: Layout,
    ) if __check(n) {
        n: __F = __record(n) % DIVISOR + __RECORD_SIZE,
        part: __T = list[n as usize % __TYPES] as u16,
        __ent: u8 = 1,
        __data: __Raw = 2,
        own_elements: [u8; 9] = [
            own::elements(1),
            own::elements(2),
            own::elements(3),
            own::elements(4),
            own::elements(5),
            own::elements(6),
            own::elements(7),
            own::elements(8),
            own::elements(9),
        ],
        own: u32 = *own.0 + class.n,
        layout: Layout = layout,
        parts: Struct<Parts> as "struct parts" = &Parts([*own.1; 2]),
        length: u64 = __LEN as u64,
    }
    print "{n} {part} {own} {layout} {parts:print_hex} {length} {f}",
        f = print_symbolic(n, { __RECORD_SIZE => "one", 2 => "two" });
}

pub fn fire() {
    let part = __p::Type(1);
    let class = __CLASS { text: b"ab", n: 1 };
    trace!(drv_all(
        1,
        &class,
        &Own(&1, &part),
        &[1, 2, 3],
        1,
        Layout::One
    ));
}
