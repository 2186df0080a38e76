#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0

"""Checks the object code of the modules: sections, symbols, relocations and code."""

import glob
import os
import re
import subprocess

class Machine:
    """What differs between architectures."""

    def __init__(self, triplet, nop, mnemonic, ends, frame, pointer=4):
        self.triplet = triplet
        self.nop = bytes.fromhex(nop)  # a disabled site, as jump_label.c writes it
        self.mnemonic = mnemonic  # of that NOP
        self.ends = ends  # what leaves a function
        self.frame = frame  # what sets up and tears down a frame
        self.pointer = pointer  # the size of an entry in __tracepoints_ptrs


MACHINES = {
    "X86-64": Machine("x86_64-linux-gnu", "0f1f440000", "nopl", {"ret", "jmp"},
                      {"endbr64", "push", "pop", "add", "sub"}),
    "AArch64": Machine("aarch64-linux-gnu", "1f2003d5", "nop", {"ret", "b"},
                       {"paciasp", "autiasp", "bti", "stp", "ldp", "str", "ldr", "mov", "add", "sub"}),
    "LoongArch": Machine("loongarch64-linux-gnu", "00004003", "nop", {"ret", "b"},
                         {"addi.d", "st.d", "ld.d", "move"}, pointer=8),
}

# Sections that the kernel writes to, in place or after moving them.
WRITTEN = re.compile(
    r"__tracepoints|__jump_table|\.static_call_sites|\.data.*|\.bss.*|_ftrace_.*")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def machine(path):
    return MACHINES[re.search(r"Machine: .*?(\S+)$", output("readelf", "-hW", path), re.M)[1]]


class Module:
    """A .ko file: its sections, symbols, relocations and bytes."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)[:-3]
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.machine = machine(path)
        self.sections = {}
        self.numbers = {}
        section = re.compile(
            r" *\[ *(\d+)\] (\S+) +(\S+) +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) [0-9a-f]+ +([A-Zlop]*) ")
        for line in output("readelf", "-SW", path).splitlines():
            m = section.match(line)
            if m:
                number, name, kind, offset, size, flags = m.groups()
                self.sections[name] = (kind, int(offset, 16), int(size, 16), flags)
                self.numbers[number] = name
        # Maps each symbol to its section, and to its offset there.
        self.symbols = {}
        self.values = {}
        self.functions = {"LOCAL": set(), "GLOBAL": set(), "WEAK": set()}
        for line in output("readelf", "-sW", path).splitlines():
            fields = line.split()
            if len(fields) == 8 and fields[3] != "SECTION" and fields[6] in self.numbers:
                self.symbols[fields[7]] = self.numbers[fields[6]]
                self.values[fields[7]] = int(fields[1], 16)
                if fields[3] == "FUNC":
                    self.functions[fields[4]].add(fields[7])

    def relocations(self, section):
        """Yields offset, symbol and addend."""
        here = False
        for line in output("readelf", "-rW", self.path).splitlines():
            if line.startswith("Relocation section"):
                here = f"'.rela{section}'" in line
            m = re.match(r"([0-9a-f]{16}) +[0-9a-f]+ R_\S+ +[0-9a-f]+ +(\S+) ([+-]) ([0-9a-f]+)$", line)
            if here and m:
                yield int(m[1], 16), m[2], int(m[3] + m[4], 16)

    def at(self, section, offset, size):
        start = self.sections[section][1] + offset
        return self.bytes[start:start + size]

    def disassembly(self, function):
        """Returns the instructions of a function, without their operands."""
        text = output(f"{self.machine.triplet}-objdump", "-d", "--no-show-raw-insn", f"--disassemble={function}", self.path)
        return [line.split("\t")[1].split()[0] for line in text.splitlines() if "\t" in line]


def check(name, wrong):
    print(("not ok" if wrong else "ok"), f"objects: {name}")
    for line in wrong:
        print("#", line)


def written_is_writable(module):
    for name, (_, _, _, flags) in module.sections.items():
        if WRITTEN.fullmatch(name) and flags != "WA":
            yield f"section {name} has the flags {flags}"
    for symbol, section in module.symbols.items():
        if re.match("__tracepoint_|__SCK__", symbol) and "W" not in module.sections[section][3]:
            yield f"{symbol} is in {section}"


def ext_is_read_only(module):
    """The last field of each tracepoint points to its struct tracepoint_ext, which has no symbol."""
    tracepoints = module.sections["__tracepoints_ptrs"][2] // module.machine.pointer
    size = module.sections["__tracepoints"][2] // tracepoints
    exts = [module.symbols.get(target, target) for offset, target, _ in module.relocations("__tracepoints")
            if offset % size == size - 8]
    if len(exts) != tracepoints or any(module.sections.get(target, "----")[3] != "A" for target in exts):
        yield f"the structs of {tracepoints} tracepoints are in {exts}"


# What the macros make as static functions in C.
STATIC = re.compile(r"(trace_event_raw_event|perf_trace|__bpf_trace|__traceable)_")


def static_is_local(module):
    for binding in "GLOBAL", "WEAK":
        for name in module.functions[binding]:
            # A function that ftrace can trace is under its own name, too.
            if STATIC.match(name) or "__traceable_" + name in module.functions["LOCAL"]:
                yield f"{name} is {binding}"


def functions_of_each_event(module):
    for prefix in "trace_event_raw_event_", "perf_trace_", "__bpf_trace_":
        if not any(name.startswith(prefix) for name in module.functions["LOCAL"]):
            yield f"{prefix}*: there are none"


def sites(module):
    """Yields section, offset and key of each patchable site of a module's tracepoints."""
    entries = {}
    for offset, symbol, addend in module.relocations("__jump_table"):
        entries.setdefault(offset // 16, {})[offset % 16] = (symbol, addend)
    for entry in entries.values():
        if entry[8][0].startswith("__tracepoint_"):
            # On loong64, code is relocated relative to local labels, not to its section.
            place, addend = entry[0]
            if place not in module.sections:
                place, addend = module.symbols[place], module.values[place] + addend
            yield place, addend, entry[8][0]


def sites_are_nops(module):
    found = list(sites(module))
    if not found:
        yield "there are none"
    for section, offset, key in found:
        code = module.at(section, offset, len(module.machine.nop))
        if code != module.machine.nop:
            yield f"{section}+{offset:#x} of {key} is {code.hex(' ')}"


def arguments_are_out_of_line(module):
    """Up to its return, a disabled site makes no calls and loads no data."""
    path = []
    for instruction in module.disassembly("site"):
        path.append(instruction)
        if instruction in module.machine.ends:
            break
    nop = module.machine.mnemonic
    if path.count(nop) != 1 or not set(path) <= module.machine.frame | module.machine.ends | {nop}:
        yield " ".join(path)


def same_as_in_c(rust, c):
    for name in ("__tracepoints", "__tracepoints_ptrs", "__tracepoints_strings",
                 ".static_call.text", ".static_call_sites", "__jump_table", "__tracepoint_check"):
        ours, theirs = rust.sections.get(name), c.sections.get(name)
        # Without static calls, C has no sections for them.
        if not ours and not theirs and ".static_call" in name:
            continue
        if not ours or not theirs or (ours[0], ours[3]) != (theirs[0], theirs[3]):
            yield f"{name}: {ours} in Rust, {theirs} in C"
        elif name in ("__tracepoints", "__tracepoints_ptrs", ".static_call.text") and ours[2] != theirs[2]:
            yield f"{name} has {ours[2]} bytes in Rust, {theirs[2]} in C"
    for prefix in "__tracepoint_", "__traceiter_", "__probestub_", "__SCK__tp_func_", "__SCT__tp_func_":
        # Where entries of __tracepoints_ptrs are pointers, C names them.
        places = [{m.symbols[s] for s in m.symbols
                   if s.startswith(prefix) and not s.startswith("__tracepoint_ptr_")} for m in (rust, c)]
        if places[0] != places[1]:
            yield f"{prefix}*: in {places[0]} in Rust, in {places[1]} in C"


def discarded(module):
    for name in module.sections:
        if ".discard" in name or ".export_symbol" in name:
            yield name


def library_code(module, *needed):
    """Yields the library's functions that are not from the modules of the library in needed."""
    for symbol, section in module.symbols.items():
        if section.startswith(".text") and "10tracepoint" in symbol and \
                not any("10tracepoint" + part in symbol for part in needed):
            yield symbol


modules = [Module(path) for path in sorted(glob.glob("*.ko") + glob.glob("tests/modules/*.ko") + glob.glob("template/*.ko"))]
by_name = {module.name: module for module in modules}
rust = [m for m in modules if "__tracepoints" in m.sections and not m.name.startswith("c_")]

check("there are modules that define tracepoints", [] if len(rust) > 4 else [m.name for m in modules])
for module in rust:
    check(f"{module.name}: sections that the kernel writes to are writable", list(written_is_writable(module)))
    check(f"{module.name}: each struct tracepoint_ext is read-only", list(ext_is_read_only(module)))
    check(f"{module.name}: no build-only sections are left", list(discarded(module)))
for module in rust:
    check(f"{module.name}: a disabled site is one NOP", list(sites_are_nops(module)))
check("a disabled site does not evaluate the arguments", list(arguments_are_out_of_line(by_name["site"])))
for module in modules:
    check(f"{module.name}: functions that are static in C are local", list(static_is_local(module)))
check("an event has the functions that C would make", list(functions_of_each_event(by_name["event_fields"])))
check("a traceable function is under its own name", [
    name for name in ("foo_bar_reg", "foo_bar_unreg", "sample_timer_cb")
    if name not in by_name["trace_events_sample"].functions["LOCAL"]])
# All that site needs is inlined. /proc files are removed when the module is unloaded.
check("site contains no library code", list(library_code(by_name["site"])))
check("tracepoint_sample contains no unused library code",
      list(library_code(by_name["tracepoint_sample"], "7modules")))
check("sections and symbols match C", list(same_as_in_c(by_name["site"], by_name["c_define"])))
