// SPDX-License-Identifier: GPL-2.0

//! A generic traceable function.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[traceable]
pub fn drv_start<T>(x: T) {}

pub fn call() {
    drv_start(1);
}
