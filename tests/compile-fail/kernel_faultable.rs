// SPDX-License-Identifier: GPL-2.0

//! A probe of a faultable tracepoint that C fires.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, linux::raw_syscalls, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

pub fn attach() -> Result<Probe> {
    raw_syscalls::sys_enter.register(|_, _| ())
}
