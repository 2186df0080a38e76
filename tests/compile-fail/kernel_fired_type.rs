// SPDX-License-Identifier: GPL-2.0

//! A tracepoint of C is fired with an argument of another type.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

use tracepoint::linux::power::cpu_frequency;

pub fn fire() {
    // SAFETY: This is never called, since it must not compile.
    unsafe { trace!(cpu_frequency(1, c"two")) };
}
