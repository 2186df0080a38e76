#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/readme.py <README.md >readme.rs
#
# Makes a crate of what README.md shows in Rust: each example is a module, and what
# is indented there is in a function.

import re
import sys

HEAD = """\
#![allow(dead_code, missing_docs, unused_imports, unused_variables)]

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use kernel::{ffi::c_ushort, prelude::*, str::CStr, task::Task};
use kit::task::TaskExt;
use tracepoint::{event::*, *};

mod kit;
mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"readme\\0";

static SWITCHES: AtomicU32 = AtomicU32::new(0);
"""

EXAMPLE = """
mod example_%d {
    use super::*;

%s

    fn example(id: u32, data: &[u8], error: i32, pid: i32) -> Result {
%s
        Ok(())
    }
}
"""

# The file that two modules take in.
TRACE = """\
mod my_driver_trace {
    use super::*;
    tracepoint! { pub fn my_driver_request(id: u32, data: &[u8]); }
}
"""

# Behind an empty line; not the lines in the braces of an item.
PART = re.compile(r"\n\n(?=\S|    (?:let|trace!))")

print(HEAD)
# It is shown twice, and a crate can have it once.
readme = sys.stdin.read().replace("define_trace!(my_driver_request);", "", 1)
examples = re.findall(r"^```rust\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
for number, example in enumerate(examples):
    example = example.replace("mod tracepoint;", "").replace("mod my_driver_trace;", TRACE)
    items, statements = [], []
    for part in PART.split(example):
        (statements if re.match("let |    ", part) else items).append(part)
    print(EXAMPLE % (number, "\n".join(items), "\n".join(statements)))
