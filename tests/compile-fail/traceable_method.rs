// SPDX-License-Identifier: GPL-2.0

//! A traceable method.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

pub struct Queue;

impl Queue {
    #[traceable]
    pub fn start(&self, x: u32) {}
}
