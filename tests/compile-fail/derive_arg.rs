// SPDX-License-Identifier: GPL-2.0

//! Types that can't be arguments.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

/// A lifetime that can't be shortened.
#[derive(TracepointArg)]
struct Invariant<'a> {
    cell: core::cell::Cell<&'a u32>,
}

#[derive(TracepointArg)]
struct Generic<T> {
    value: T,
}
