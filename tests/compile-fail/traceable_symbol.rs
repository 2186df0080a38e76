// SPDX-License-Identifier: GPL-2.0

//! A traceable function with the name of one of the kernel's.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[traceable]
pub fn kfree(x: u32) {}

pub fn call() {
    kfree(1);
}

// The kernel's build_assert! relies on a symbol that nobody defines.
#[traceable]
pub fn rust_build_error() {}

// The build would take it for the function that records an event.
#[traceable]
pub fn trace_event_raw_event_case(x: u32) {}
