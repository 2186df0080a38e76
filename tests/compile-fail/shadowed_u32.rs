// SPDX-License-Identifier: GPL-2.0

//! A driver with its own `u32`.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[allow(non_camel_case_types)]
#[derive(Clone, Copy)]
pub struct u32;

tracepoint! {
    pub fn drv_queue(x: u32);
}
