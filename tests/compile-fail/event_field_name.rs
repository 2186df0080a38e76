// SPDX-License-Identifier: GPL-2.0

//! A field whose name isn't ASCII, which the kernel doesn't find.

#![allow(missing_docs, non_ascii_idents, unused_imports)]

use tracepoint::event::*;

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
}
