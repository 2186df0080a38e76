// SPDX-License-Identifier: GPL-2.0

//! A struct with a field whose layout is unknown.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

pub struct Unknown(u8);

tracepoint_struct! {
    pub struct Request {
        unknown: Unknown,
    }
}
