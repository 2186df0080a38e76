// SPDX-License-Identifier: GPL-2.0

//! A probe takes an argument of another type than the header declares.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

use tracepoint::linux::power::cpu_frequency;

fn probe(_: u32, _: u64) {}

pub fn attach() -> Result<Probe> {
    cpu_frequency.register(probe)
}
