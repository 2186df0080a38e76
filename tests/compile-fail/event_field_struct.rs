// SPDX-License-Identifier: GPL-2.0

//! A struct whose bytes may not be initialised.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

struct Mine(u32);

trace_event! {
    system: "drv";

    pub fn drv_event(n: u32) {
        mine: Struct<Mine> as "struct mine" = Mine(n),
    }
    print "";
}
