// SPDX-License-Identifier: GPL-2.0

//! The tracepoints of the samples, for the module that defines them and those that probe them: the
//! role of `tp-samples-trace.h` in C.

use crate::{fs::Inode, tracepoint::tracepoint};
use kernel::fs::File;

tracepoint! {
    /// Somebody opens `/proc/tracepoint-sample`.
    pub fn subsys_event(inode: &Inode, file: &File);

    /// Fired ten times for each open.
    pub fn subsys_eventb();
}
