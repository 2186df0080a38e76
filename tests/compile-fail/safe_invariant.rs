// SPDX-License-Identifier: GPL-2.0

//! A lifetime that can't be shortened for a probe.

#![allow(missing_docs, unused_imports, unused_variables)]

use core::cell::Cell;
use kernel::prelude::*;
use tracepoint::*;

tracepoint_struct! {
    pub struct Request<'a> {
        pub name: Cell<&'a CStr>,
    }
}
