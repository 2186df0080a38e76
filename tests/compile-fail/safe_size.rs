// SPDX-License-Identifier: GPL-2.0

//! A record that a trace buffer has no room for.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_event! {
    system: "drv";

    pub fn drv_fits(n: u8) {
        bytes: [u8; 4064] = [n; 4064],
    }
    print "";

    pub fn drv_large(n: u8) {
        bytes: [u8; 4065] = [n; 4065],
    }
    print "";
}
