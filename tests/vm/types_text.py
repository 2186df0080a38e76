#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: types_text.py DIRECTORY
#
# Fires the events of tests/modules/types.rs with chosen values, and compares the texts of the kernel
# and of trace-cmd with those that Python expects.

import ipaddress
import os
import re
import subprocess
import sys
import time
import uuid

TRACING = "/sys/kernel/tracing"
HEAD = re.compile(r"^.{16,40}\[\d\d\d\] +(?:\S{5} +)?\d+\.\d+: types_(\w+): ?(.*)$")
ERRORS = {
    1: "EPERM", 5: "EIO", 12: "ENOMEM", 133: "0xffffff7b", 512: "ERESTARTSYS",
    517: "EPROBE_DEFER", 524: "ENOTSUPP", 4095: "0xfffff001",
}
# Bits as tests/modules/types.rs numbers them.
GFP = {
    0: "none", 1: "GFP_KERNEL", 2: "__GFP_ZERO", 3: "GFP_KERNEL|__GFP_ZERO", 4: "GFP_ATOMIC",
    8: "__GFP_HIGHMEM", 16: "GFP_KERNEL_ACCOUNT", 32: "GFP_NOWAIT", 64: "__GFP_NOWARN",
    127: "GFP_KERNEL_ACCOUNT|__GFP_HIGHMEM|__GFP_HIGH|__GFP_ZERO|__GFP_NOWARN",
}
DEVICES = (0, 1, 0x800010, 0xfffff, 0x100000, 0x7fffffff, 0x80000000, 0xffffffff)
MACS = ("000000000000", "001122aabbcc", "ffffffffffff", "0123456789ab")
IP4 = ("0.0.0.0", "127.0.0.1", "10.0.0.1", "255.255.255.255", "1.20.255.0")
IP6 = ("::", "::1", "2001:db8::1", "fe80::1:0:0:2", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4",
       "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "1:0:0:2::")
PORTS = (0, 1, 80, 65535)
UUIDS = ("00000000000000000000000000000000", "00112233445566778899aabbccddeeff", "ff" * 16)
FLAGS = {
    0: "none", 1: "SYNC", 0x8000: "META", 0x8001: "SYNC+META", 0x10: "0x10", 0xffff: "SYNC+META+0x7ffe",
}
OPS = {0: "READ", 1: "WRITE", 255: "LAST"}
LEVELS = {-2: "LOW", 300: "HIGH"}


# gfp_t in C's order, up to the bits that depend on the configuration.
GFP_BITS = [("GFP_TRANSHUGE", 0x1c24ca), ("GFP_TRANSHUGE_LIGHT", 0x1c20ca),
            ("GFP_HIGHUSER_MOVABLE", 0x100cca), ("GFP_HIGHUSER", 0x100cc2), ("GFP_USER", 0x100cc0),
            ("GFP_KERNEL_ACCOUNT", 0x400cc0), ("GFP_KERNEL", 0xcc0), ("GFP_NOFS", 0xc40),
            ("GFP_ATOMIC", 0x820), ("GFP_NOIO", 0xc00), ("GFP_NOWAIT", 0x2800), ("GFP_DMA", 1),
            ("GFP_DMA32", 4), ("__GFP_RECLAIM", 0xc00)]
GFP_BITS += [(f"__GFP_{name}", 1 << bit) for bit, name in enumerate(
    "DMA HIGHMEM DMA32 MOVABLE RECLAIMABLE HIGH IO FS ZERO UNUSED DIRECT_RECLAIM KSWAPD_RECLAIM WRITE "
    "NOWARN RETRY_MAYFAIL NOFAIL NORETRY MEMALLOC COMP NOMEMALLOC HARDWALL THISNODE ACCOUNT "
    "ZEROTAGS".split()) if name != "UNUSED"]


def flags(number, names, delimiter):
    """Returns __print_flags(), with a name for 0."""
    shown = []
    for name, bits in names:
        if number & bits == bits:
            shown.append(name)
            number &= ~bits
    if number:
        shown.append(f"{number:#x}")
    return delimiter.join(shown) or "none"


def symbol(number, names):
    """Returns __print_symbolic() of a number with 64 bits."""
    return names.get(number, f"{number % 2**64:#x}")


def ip6(addr):
    """Returns %pI6c. Python's own text for an embedded IPv4 address depends on its version."""
    mapped = ipaddress.IPv6Address(addr).ipv4_mapped
    return f"::ffff:{mapped}" if mapped else ipaddress.IPv6Address(addr).compressed


def full(addr):
    """Returns %pI6."""
    digits = f"{int(ipaddress.IPv6Address(addr)):032x}"
    return ":".join(re.findall("....", digits))


def cases():
    """Returns lines for /proc/types, each with the event's name and the texts that it produces."""
    for number, name in ERRORS.items():
        yield f"error -{number}", "error", [f"{name} {name}", f"{name} 0"]
        yield f"result -{number}", "result", [f"{name} {name}"]
    for number in (0, 1, 2**31 - 1):
        yield f"result {number}", "result", ["0 0"]
    for bits, names in GFP.items():
        yield f"gfp {bits}", "gfp", [names]
    for raw in DEVICES:
        dev = f"{raw >> 20}:{raw & 0xfffff}"
        yield f"dev {raw}", "dev", [f"{dev} {dev} {dev} {raw:#x}"]
    for mac in MACS:
        pairs = re.findall("..", mac)
        yield f"mac {mac}", "mac", [f"{':'.join(pairs)} {'-'.join(pairs)} 1"]
    for addr in IP4:
        padded = ".".join(f"{int(part):03}" for part in addr.split("."))
        yield f"ip4 {addr}", "ip4", [f"{addr} {padded} {addr}"]
    for addr in IP6:
        yield f"ip6 {addr}", "ip6", [f"{ip6(addr)} {full(addr)} {ip6(addr)}"]
    for port in PORTS:
        for addr in IP4:
            text = f"{addr}:{port}"
            yield f"sock {text}", "sock", [f"{text} {text}  {addr} {addr}"]
        for addr in IP6:
            text = f"[{ip6(addr)}]:{port}"
            yield f"sock [{addr}]:{port}", "sock", [f"{text} {text}  {ip6(addr)} {full(addr)}"]
    for text in UUIDS:
        big = str(uuid.UUID(text))
        little = str(uuid.UUID(bytes_le=bytes.fromhex(text)))
        nil = str(uuid.UUID(int=0))
        yield f"uuid {text}", "uuid", [f"{big} {little} {nil} {little} {big.upper()}"]
    for n in (0, 1, 2, 255, 2**32 - 1):
        for level in (-2, 0, 300):
            op, name = OPS.get(n, "-"), LEVELS.get(level, "-")
            yield f"option {n} {level}", "option", [f"{n} {n or 1} {op} {name}"]
    for n in (0, 1, 255, 0xcc0, 0xdc0, 0x8001, 0x1c24ca, 0x400cc0 << 8, 2**40, 2**63 + 0x820):
        for level in (-2, -1, 0, 300, 2**63 - 1, -2**63):
            gfp = flags(n, GFP_BITS, "|")
            mode = flags(n & 0xffff, [("SYNC", 1), ("META", 0x8000)], "+")
            name = symbol(level, LEVELS)
            chosen = name if level < 0 else flags(n >> 8, GFP_BITS, "|") if level == 0 else "positive"
            op = OPS.get(n & 0xff, f"{n & 0xff:#x}")
            yield f"tables {n} {level}", "tables", [f"{gfp} {mode} {op} {name} {chosen}"]
    for n in (0, 1, 2**64 - 1):
        after = (n + 1) % 2**64
        text = f"7 META 0 a name 4 {after} {{0x0,0x1}} {n} {after}"
        yield f"flatten {n}", "flatten", [text]
    for number, names in FLAGS.items():
        modes = [("READ|WRITE", 3), ("Read", 1), ("Write", 2), ("LAST", 0x80)]
        modes = flags(number & 0xff, modes, "|") if number & 0xff else ""
        yield f"flags {number}", "flags", [f"{names} <{modes}>"]


def write(file, text):
    with open(file, "w") as file:
        file.write(text)


def record(directory, lines):
    """Fires the events and returns both forms of the trace: the name and the text of each record."""
    write(f"{TRACING}/trace", "")
    write(f"{TRACING}/events/types/enable", "1")
    write("/proc/types", "".join(f"{line}\n" for line in lines))
    write(f"{TRACING}/events/types/enable", "0")
    kernel = open(f"{TRACING}/trace").read()
    subprocess.run(["trace-cmd", "extract"], cwd=directory, check=True, capture_output=True)
    tools = subprocess.run(["trace-cmd", "report"], cwd=directory, check=True, capture_output=True)
    found = []
    for text in (kernel, tools.stdout.decode()):
        heads = (HEAD.match(line) for line in text.split("\n"))
        found.append([(head[1], head[2].strip()) for head in heads if head])
    return found


def result(case, wrong):
    print(f"not ok {case}" if wrong else f"ok {case}")
    for line in wrong[:8]:
        print("#", line)


directory = sys.argv[1]
every = list(cases())
forms = record(directory, [line for line, _, _ in every])
for what, found in zip(("the kernel", "trace-cmd"), forms):
    for event in dict.fromkeys(event for _, event, _ in every):
        expected = [text for _, name, texts in every if name == event for text in texts]
        got = [text for name, text in found if name == event]
        wrong = [f"{a!r} instead of {b!r}" for a, b in zip(got, expected) if a != b]
        if len(got) != len(expected):
            wrong.append(f"{len(got)} records instead of {len(expected)}")
        result(f"types: {event}: the text of {what}", wrong)

# The time of the record isn't chosen, but it lies between two that are known.
deltas = (0, 1, -1, 2**63 - 1, -2**63)
before = time.monotonic_ns()
forms = record(directory, [f"time {delta}" for delta in deltas])
after = time.monotonic_ns()
for what, found in zip(("the kernel", "trace-cmd"), forms):
    wrong = [] if len(found) == len(deltas) else [f"{len(found)} records"]
    for delta, (_, text) in zip(deltas, found):
        at, given, some, none, secs = text.split(" ")
        if not before <= int(at) <= after or (given, some, none) != (str(delta), at, "-1"):
            wrong.append(text)
        if secs != f"{int(at) // 10**9}.{int(at) % 10**9:09}":
            wrong.append(text)
    result(f"types: time: the text of {what}", wrong)

# A driver's own structs as arguments and as fields.
before = time.monotonic_ns()
forms = record(directory, ["work abc"])
after = time.monotonic_ns()
for what, found in zip(("the kernel", "trace-cmd"), forms):
    texts = [text for _, text in found]
    match = re.fullmatch(rf"{os.getpid()} 616263 a name (\d+) EIO 2", texts[0] if texts else "")
    wrong = [] if match and before <= int(match[1]) <= after else texts[:1] or ["nothing"]
    little = "05000000" + "01010203" + "040506070809" + "0100"
    if texts[1:] != [f"{little} 01010203"]:
        wrong += texts[1:] or ["nothing"]
    result(f"types: structs: the text of {what}", wrong)

# Tools know the names of functions, but not their sizes.
functions = ("schedule", "vprintk", "kfree")
lines = [line.split() for line in open("/proc/kallsyms")]
address = {name: int(value, 16) for value, kind, name, *_ in lines if kind in "tT"}
forms = record(directory, [f"symbol {address[name] + 1}" for name in functions] + ["symbol 0"])
for what, found in zip(("the kernel", "trace-cmd"), forms):
    wrong = [] if len(found) == len(functions) + 1 else [f"{len(found)} records"]
    size = r"/0x[0-9a-f]+" if what == "the kernel" else ""
    for name, (_, text) in zip(functions, found):
        if not re.fullmatch(rf"({name}\+0x1{size}) \1 0x0", text):
            wrong.append(text)
    wrong += [text for _, text in found[len(functions):] if text != "0x0 0x0 0x0"]
    result(f"types: symbol: the text of {what}", wrong)
