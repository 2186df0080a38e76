// SPDX-License-Identifier: GPL-2.0

//! The tracepoints of the samples, included by the module that defines them and by those that probe
//! them. The C version has `tp-samples-trace.h` for this.

use crate::fs::Inode;
use kernel::fs::File;
use tracepoint::tracepoint;

tracepoint! {
    /// `/proc/tracepoint-sample` is being opened.
    pub fn subsys_event(inode: &Inode, file: &File);

    /// Fired ten times for each open.
    pub fn subsys_eventb();
}
