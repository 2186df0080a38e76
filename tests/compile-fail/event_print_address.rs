// SPDX-License-Identifier: GPL-2.0

//! A letter after an address, which in C makes it another conversion.

#![allow(missing_docs, unused_imports, unused_variables)]

use tracepoint::event::*;

type Address = *const u8;
type Number = u32;

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

    fn drv_number(address: usize, number: u32) {
        address: Address = address as Address,
        number: Number = number,
    }
    print "{address}{number:#x}";
}
