// SPDX-License-Identifier: GPL-2.0

//! Defines and exports a tracepoint by another name, so that it would be the kernel's own, with other arguments.

use kernel::trace::*;

tracepoint! {
    fn kfree_skb(sector: u64);

    fn drv_queue(sector: u64);
}

#[allow(non_camel_case_types)]
type drv_skb = kfree_skb;
#[allow(non_camel_case_types)]
type kmalloc = drv_queue;

define_trace!(drv_skb, drv_queue);
export_tracepoint_symbol_gpl!(kmalloc);
