// SPDX-License-Identifier: GPL-2.0

//! An argument that changes before the span ends.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    span fn drv_serve(sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}";

    async span fn drv_request(sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}";

    fn drv_event(sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}";
}

trace_event! {
    system: "case";

    span fn drv_text(text: &CStr, of: &[u8]) {
        text: Str = text,
        of: DynArray<u8> = of,
    }
    print "{text}";
}

pub fn serve(of: &mut [u8]) {
    let _span = span!(drv_text(c"text", of));
    of[0] = 1;
}
