#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/readme.py FILE... >readme.rs
#
# Prints a crate with the Rust examples of Markdown pages, and of the doc comments in
# Rust files. Each example becomes a module, and its statements become a function:
# in a page, the indented lines. Blocks marked "rust,ignore" aren't complete code and
# are left out.

import re
import sys

HEAD = """\
#![allow(dead_code, missing_docs, unreachable_pub, unused_imports, unused_variables)]

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use kernel::{
    ffi::{c_int, c_ushort},
    prelude::*,
    str::CStr,
    task::Task,
};
use kit::task::TaskExt;
use tracepoint::{event::*, *};

mod kit;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"readme\\0";

static SWITCHES: AtomicU32 = AtomicU32::new(0);
"""

EXAMPLE = """
// %s
mod example_%d {
    use super::*;

%s

    fn example(id: u32, data: &[u8], error: i32, pid: i32, khz: u32, cpu: u32) -> Result {
%s
        Ok(())
    }
}
"""

# Stands in for the file that two modules include.
TRACE = """\
mod my_driver_trace {
    use super::*;
    tracepoint! { pub fn my_driver_request(id: u32, data: &[u8]); }
}
"""

# Splits an example at empty lines, except inside the braces of an item.
PART = re.compile(r"\n\n(?=\S|    (?:let|if|trace!|// SAFETY))")

# In a doc comment, what a reader would put into a function comes last.
STATEMENTS = re.compile(r"^(?:let |trace!)", re.MULTILINE)

# Several examples repeat these definitions, but a crate can have each only once.
DEFINITION = re.compile(r"^(?:define_trace|export_tracepoint_symbol_gpl)!\(.*\);$", re.MULTILINE)

defined = set()


def only_once(found):
    if found[0] in defined:
        return ""
    defined.add(found[0])
    return found[0]


def examples_of_page(text):
    """Returns the items and the statements of each example in a Markdown page."""
    for example in re.findall(r"^```rust\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        example = DEFINITION.sub(only_once, example)
        example = example.replace("mod my_driver_trace;", TRACE)
        items, statements = [], []
        for part in PART.split(example):
            (statements if re.match("let |    ", part) else items).append(part)
        yield "\n".join(items), "\n".join(statements)


def examples_of_source(text):
    """Returns the same for the doc comments in Rust code."""
    for comment in re.findall(r"(?:^ *//[/!](?!/).*\n)+", text, re.MULTILINE):
        comment = re.sub(r"^ *//[/!] ?", "", comment, flags=re.MULTILINE)
        for kind, example in re.findall(r"^```(.*)\n((?:.*\n)*?)```$", comment, re.MULTILINE):
            # Without a language, a block is Rust. rustdoc doesn't show lines after a "#".
            if kind == "":
                example = re.sub(r"^# ", "", example, flags=re.MULTILINE)
                start = STATEMENTS.search(example)
                end = start.start() if start else len(example)
                yield example[:end], example[end:]


print(HEAD)
number = 0
for file in sys.argv[1:]:
    examples = examples_of_source if file.endswith(".rs") else examples_of_page
    for items, statements in examples(open(file).read()):
        print(EXAMPLE % (file, number, items, statements))
        number += 1
