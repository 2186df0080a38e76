// SPDX-License-Identifier: GPL-2.0

//! A table with a value that the field cannot have.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

use tracepoint::event::*;

trace_event! {
    system: "drv";

    pub fn drv_state(state: u8) {
        state: u8 = state,
    }
    print "{name}", name = print_symbolic(state, { 256 => "DEAD", 0 => "IDLE" });
}
