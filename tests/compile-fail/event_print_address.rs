// SPDX-License-Identifier: GPL-2.0

//! A letter after an address, which in C makes it another conversion.

#![allow(missing_docs, unused_imports, unused_variables)]

use tracepoint::event::*;

type Address = *const u8;

trace_event! {
    system: "case";

    fn drv_known(address: usize) {
        address: *const u8 = address as *const u8,
    }
    print "{address}A";

    fn drv_alias(address: usize) {
        address: Address = address as Address,
    }
    print "{address}A";
}
