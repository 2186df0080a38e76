#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/readme.py FILE... >readme.rs
#
# Prints a kernel module with the Rust examples of Markdown pages, and of the doc comments
# in Rust files. Each example becomes a module of the crate, and its statements become a
# function, which is called when the kernel module is loaded: in a page, the indented lines.
# Blocks marked "rust,ignore" aren't complete code and are left out.

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
use helpers::task::TaskExt;
use tracepoint::{event::*, *};

mod helpers;

static SWITCHES: AtomicU32 = AtomicU32::new(0);
"""

EXAMPLE = """
// %s
mod example_%d {
    use super::*;

%s

    pub(crate) fn example(
        id: u32,
        data: &[u8],
        text: &[u8],
        urgent: bool,
        error: i32,
        pid: i32,
        khz: u32,
        cpu: u32,
    ) -> Result {
%s
        Ok(())
    }
}
"""

TAIL = """
struct Examples;

impl kernel::Module for Examples {
    fn init(_module: &'static ThisModule) -> Result<Self> {
%s
        Ok(Self)
    }
}

module! {
    type: Examples,
    name: "readme",
    authors: ["You"],
    description: "The examples of the documentation",
    license: "GPL",
}
"""

CALL = """\
        let result = example_%d::example(7, b"hello", b"hello!", true, -5, 1, 1000, 0);
        pr_info!("%s, example %d: {result:?}\\n");"""

# Stands in for the file that two modules include.
TRACE = """\
mod postbox_trace {
    use super::*;
    tracepoint! { pub fn postbox_posted(text: &[u8], urgent: bool); }
}
"""

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


def parts(example):
    """Splits an example at empty lines, except inside of braces and parentheses."""
    part = ""
    for block in example.split("\n\n"):
        part += "\n\n" * bool(part) + block
        if len(re.findall("[({]", part)) == len(re.findall("[)}]", part)):
            yield part
            part = ""


def examples_of_page(text):
    """Returns the items and the statements of each example in a Markdown page."""
    for example in re.findall(r"^```rust\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        example = DEFINITION.sub(only_once, example)
        example = example.replace("mod postbox_trace;", TRACE)
        items, statements = [], []
        for part in parts(example):
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
calls = []
fired = []
for file in sys.argv[1:]:
    examples = examples_of_source if file.endswith(".rs") else examples_of_page
    for items, statements in examples(open(file).read()):
        print(EXAMPLE % (file, number, items, statements))
        if statements.strip():
            calls.append(CALL % (number, file, number))
            fired += re.findall(r"\btrace!\((postbox_\w+)", statements)
        number += 1
print(TAIL % "\n".join(calls))
# For tests/vm/readme.sh.
print("// fired:", *fired)
