// SPDX-License-Identifier: GPL-2.0

//! Types that no tracepoint can pass: one error for each declaration.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_float(x: f32);
    pub fn drv_wide(x: i128);
    pub fn drv_string(x: String);
    pub fn drv_option(x: Option<u32>);
    pub fn drv_array(x: [u8; 4]);
    pub fn drv_tuple(x: (u8, u8));
    pub fn drv_good(x: u8);
}

pub fn fire() {
    trace!(drv_float(1.0));
    trace!(drv_good(1));
}
