#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0

"""Compares the types of the kernel's tracepoints in Rust with those in C, by the hashes that CONFIG_CFI has of them.

usage: tests/c_types.py write DIRECTORY EXACT_PROTOTYPES | compare DIRECTORY

"write" writes rust_types.rs and c_types.c, with a function of each type, and a Kbuild for their objects.
"""

import pathlib
import re
import subprocess
import sys

command, directory, *prototypes = sys.argv[1:]
top, directory = pathlib.Path(__file__).resolve().parent.parent, pathlib.Path(directory)


def write():
    names = []

    def define(block):
        def function(declaration):
            names.append(declaration[1])
            # An argument must not be called like a static or a struct.
            args = re.sub(r"\b(\w+) ?: (?!:)", r"arg_\1: ", declaration[2])
            return f'#[no_mangle] pub unsafe extern "C" fn rust_{declaration[1]}({args}) -> ffi::c_int {{ 0 }}'

        return re.sub(r"pub fn __traceiter_(\w+) ?\((.*?)\)\s*-> *ffi ?:: ?c_int *;", function, block[1], flags=re.S)

    text = pathlib.Path(prototypes[0]).read_text()
    text = re.sub(r'unsafe extern "C" *\{((?:\s*pub fn __traceiter_[^;]*;)*)\s*\}', define, text)
    directory.mkdir()
    (directory / "types.rs").write_text(text)
    (directory / "rust_types.rs").write_text(
        "//! Functions with the types of C's tracepoints.\n"
        "#![allow(clippy::all, warnings)]\n"
        "use kernel::{bindings::*, ffi};\n"
        f'include!("{directory}/types.rs");\n')
    (directory / "c_types.c").write_text(
        f'#include "{top}/tracepoint/layers/linux/prototypes.h"\n'
        f"void *const c_types[] = {{ {', '.join(f'__traceiter_{name}' for name in names)} }};\n")
    (directory / "Kbuild").write_text(
        "obj-m := rust_types.o c_types.o\n"
        f"include {top}/tracepoint/Kbuild.include\n"
        "CFLAGS_c_types.o := -w $(addprefix -include ,$(tracepoint-headers))\n")


def symbols(object_file, pattern):
    output = subprocess.run(["nm", directory / object_file], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {name: int(value, 16) for value, name in re.findall(rf"^(\w+) \w {pattern}(\w+)$", output, re.M)}


def compare():
    subprocess.run(["objcopy", "-O", "binary", "-j", ".text", directory / "rust_types.o", directory / "text"],
                   check=True)
    text = (directory / "text").read_bytes()
    c, rust = symbols("c_types.o", "__kcfi_typeid___traceiter_"), symbols("rust_types.o", "rust_")
    # The hash is before the function and what patches it.
    wrong = [name for name in c if c[name].to_bytes(4, "little") not in text[max(rust[name] - 32, 0):rust[name]]]
    print(f"{len(c)} types; these are different: {', '.join(wrong) or 'none'}")
    return len(c) < 500 or bool(wrong)


sys.exit(write() if command == "write" else compare())
