// SPDX-License-Identifier: GPL-2.0

//! A struct that refers to itself, so that its prototype would never end.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint_struct! {
    pub struct Node<'a> {
        pub n: u32,
        pub next: Option<&'a Node<'a>>,
    }
}
