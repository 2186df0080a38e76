// SPDX-License-Identifier: GPL-2.0

//! Values that a BPF program must not change.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    fn drv_bool(x: &Writable<bool>);
    fn drv_text(x: &Writable<&CStr>);
    fn drv_good(x: &Writable<[u16; 2]>);
}
