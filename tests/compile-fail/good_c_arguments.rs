// SPDX-License-Identifier: GPL-2.0

//! Compiles: twelve C arguments.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_many(
        a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8,
        h: u8, i: u8, j: u8, k: u8, l: u8,
    );
    pub fn drv_slices(a: &[u8], b: &[u8], c: &str, d: &str, e: &[u8], f: &str);
}

define_trace!(drv_many, drv_slices);

// What ends the declaration of a class is no keyword anywhere else.
tracepoint! {
    pub fn events(id: u32);
    pub fn drv_poll(events: u32, mask: u32) if mask == events;
}

define_trace!(events, drv_poll);

trace_event! {
    system: "case";

    fn drv_first(events: &[u32; 2]) if events[0] != 0 {
        events: [u32; 2] = events,
    }
    print "{first} {events}", first = events[0];

    class drv_class(events: u32, mask: u32) {
        events: u32 = events,
        mask: u32 = mask,
    }
    print "{other}", other = if mask == events { "same" } else { "other" }
    events {
        fn drv_member;
    }
}

pub fn fire_events() {
    trace!(events(1));
    trace!(drv_first(&[1, 2]));
    trace!(drv_member(1, 2));
}
