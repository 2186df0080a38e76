// SPDX-License-Identifier: GPL-2.0

//! A tracepoint that more than one module defines, none of which exports it.

use crate::tracepoint::{tracepoint, tracepoint_struct};

tracepoint_struct! {
    /// What the tracepoint passes.
    pub(crate) struct Record {
        pub(crate) n: u32,
    }
}

tracepoint! {
    /// Fired when a module that defines it is loaded, and when it is unloaded.
    pub(crate) fn twin(record: &Record);
}
