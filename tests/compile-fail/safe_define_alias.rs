// SPDX-License-Identifier: GPL-2.0

//! A tracepoint under the name of another.

#![allow(missing_docs, unused_imports, unused_variables, non_camel_case_types)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

tracepoint! {
    pub fn drv_queue(sector: u64);
}

type drv_done = drv_queue;

define_trace!(drv_done);
