// SPDX-License-Identifier: GPL-2.0

//! Operators of a type of the driver.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[derive(Clone, Copy)]
struct Size(u32);

impl core::ops::Sub for Size {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

trace_event! {
    system: "case";

    fn drv_done(a: u32) {
        n: u32 = (Size(a) - Size(1)).0,
    }
    print "{n}";
}
