// SPDX-License-Identifier: GPL-2.0

//! Spans, instants and counters that can't be declared.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    span fn drv_if(n: u32) if n > 0 {
        n: u32 = n,
    }
    print "{n}";

    faultable span fn drv_faultable(n: u32) {
        n: u32 = n,
    }
    print "{n}";

    span fn drv_field(n: u32) {
        duration: u32 = n,
    }
    print "{n}";

    span fn drv_value(n: u32) {
        n: u32 = n,
    }
    print "{result}", result = n + 1;

    counter fn drv_valueless(n: u32) {
        n: u32 = n,
    }
    print "{n}";

    counter fn drv_text(text: &CStr) {
        counter_value: Str = text,
    }
    print "{counter_value}";

    async span fn drv_scope(n: u32) {
        scope_tgid: u32 = n,
    }
    print "{scope_tgid}";

    instant fn drv_name(n: u32) {
        slice_name: u32 = n,
    }
    print "{slice_name}";

    instant fn drv_track(name: &CStr) {
        scope_name: Str = name,
    }
    print "{scope_name}";

    counter fn drv_scopes(n: u32) {
        counter_value: u32 = n,
        scope_cpu: u32 = n,
        scope_queue: u32 = n,
    }
    print "{counter_value}";

    async fn drv_async(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}
