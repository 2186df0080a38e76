// SPDX-License-Identifier: GPL-2.0

//! A traceable function whose argument isn't only a name.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, linux::raw_syscalls, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[traceable]
pub fn peek(ref data: &[u8]) {
    pr_info!("{:?}\n", data);
}
