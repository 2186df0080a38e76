// SPDX-License-Identifier: GPL-2.0

//! A tracepoint that several modules define. None of them exports it.

use tracepoint::{tracepoint, tracepoint_struct};

tracepoint_struct! {
    /// The tracepoint's argument.
    pub(crate) struct Record {
        pub(crate) n: u32,
    }
}

tracepoint! {
    /// Fired when a module that defines it is loaded, and when it is unloaded.
    pub(crate) fn twin(record: &Record);
}
