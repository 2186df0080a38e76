// SPDX-License-Identifier: GPL-2.0

//! A faultable tracepoint with a condition.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub faultable fn drv_ioctl(cmd: u32) if cmd > 0;
}
