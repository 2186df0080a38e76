// SPDX-License-Identifier: GPL-2.0

//! Names that the kernel doesn't find, that C can't have, or that a span has itself.

#![allow(missing_docs, non_ascii_idents, unused_imports)]

use tracepoint::{event::*, *};

trace_event! {
    system: "case";

    fn drv_event(n: u32) {
        größe: [u8; 6] = [n as u8; 6],
    }
    print "{größe:pM}";

    fn drv_common(n: i32) {
        common_pid: i32 = n,
    }
    print "{common_pid}";

    fn drv_short(n: u16) {
        short: u16 = n,
    }
    print "{short}";

    fn drv_default(default: u16) {
        n: u16 = default,
    }
    print "{n}";

    fn drv_current(current: u16) {
        n: u16 = current,
    }
    print "{n}";

    fn drv_ent(n: u16) {
        ent: u16 = n,
    }
    print "{ent}";

    span fn drv_span(span: u16) {
        n: u16 = span,
    }
    print "{n}";
}

tracepoint_struct! {
    struct Request {
        r#struct: u32,
    }
}
