// SPDX-License-Identifier: GPL-2.0

//! Expressions that would leave the function, or wait.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_event! {
    system: "drv";

    pub fn drv_flow(n: u32) {
        a: u32 = break,
        b: u32 = n.checked_add(1)?,
        c: u32 = async { 1 }.await,
        d: u32 = 'label: { continue 'label },
    }
    print "";
}
