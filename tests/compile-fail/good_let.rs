// SPDX-License-Identifier: GPL-2.0

//! Compiles: variables with the names of events, fields and of what the macros use.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn request(request: u32, value: u32, size: u32, data: &[u8], sink: &str) if request > 0 {
        request: u32 = request,
        value: u32 = value,
        size: u32 = size,
        data: DynArray<u8> = data,
        sink: Str = sink,
        func: u32 = {
            let request = value + size;
            request
        },
    }
    print "{request} {value} {size} {data:len} {sink} {func}";

    fn r#type(r#fn: u32) {
        r#fn: u32 = r#fn,
    }
    print "{fn}";
}

pub fn fire() {
    let request = 1;
    let value = 2;
    trace!(request(request, value, 3, &[4], "5"));
    if request::enabled() {
        request::call(request, value, 3, &[4], "5");
    }
    let r#type = 6;
    trace!(r#type(r#type));
}
