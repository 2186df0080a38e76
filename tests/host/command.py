#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/host/command.py
#
# Tests how the tools in Python end if a file is missing or contains something else, or if
# nobody reads their output, and which BTF tools/event-from-format reads.

import os
import pathlib
import random
import re
import signal
import struct
import subprocess
import tempfile
import traceback

top = pathlib.Path(__file__).resolve().parents[2]
directory = tempfile.TemporaryDirectory()
tmp = pathlib.Path(directory.name)
(tmp / "empty directory").mkdir()

FORMAT = """\
name: {name}
ID: 1
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;

\tfield:u32 state;\toffset:8;\tsize:4;\tsigned:0;

print fmt: "%s", __print_symbolic(REC->state, {{ {value}, "shown" }})
"""


def write(name, data):
    path = tmp / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


GOOD = write("good.format", FORMAT.format(name="good", value=1))
ELF = tmp / "object.o"
subprocess.run(["gcc", "-c", "-x", "c", "-o", ELF, "/dev/null"], check=True)
FROM_FORMAT = [top / "tools/event-from-format"]


def case(function):
    name = function.__name__.replace("_", " ")
    try:
        function()
        print(f"ok host: command: {name}")
    except Exception:
        print(f"not ok host: command: {name}")
        print(re.sub("^", "# ", traceback.format_exc().rstrip(), flags=re.MULTILINE))


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=tmp, timeout=60, **options)


def refused(*command, **options):
    """The tool fails with one line, which is returned."""
    result = run(*command, **options)
    about = f"{command} ends with {result.returncode} and prints {result.stderr!r}"
    assert result.returncode == 1, about
    assert re.fullmatch("error: .+\n", result.stderr), about
    return result.stderr


# BTF of a kernel with an integer and an enum, and of a module that continues it.
KERNEL_STRINGS = b"\0int\0KERNEL_A\0"


def blob(types, strings):
    return struct.pack("<HBBIIIII", 0xEB9F, 1, 0, 24, 0, len(types), len(types), len(strings)) + types + strings


def enum(*members):
    return struct.pack("<III", 0, 6 << 24 | len(members), 4) + b"".join(struct.pack("<Ii", *member) for member in members)


def btf(value=3):
    return blob(struct.pack("<IIII", 1, 1 << 24, 4, 1 << 24 | 32) + enum((5, value)), KERNEL_STRINGS)


def split_btf(base=KERNEL_STRINGS, ids=3):
    """An enum, and a typedef of the kernel's integer, which is type 1."""
    at = len(base)
    return blob(enum((at, 7)) + struct.pack("<III", at + 9, 8 << 24, 1), b"DRIVER_B\0driver_t\0")


@case
def wrong_files():
    # Commands that read FILE.
    commands = [
        [*FROM_FORMAT, "FILE"],
        [*FROM_FORMAT, GOOD, "FILE"],
        [*FROM_FORMAT, "--btf", "FILE", GOOD],
        [*FROM_FORMAT, "--base", "FILE", "--btf", write("split", split_btf()), GOOD],
        [top / "tools/schema", "FILE"],
        [top / "tools/schema", "--rust", tmp / "crate", "FILE"],
        [top / "tools/timeline", "FILE"],
        [top / "tracepoint/layers/schema/formats.py", "check", tmp / "events.formats", tmp, "driver.rs", "FILE"],
    ]
    files = {
        "missing": tmp / "no such file",
        "a directory": tmp / "empty directory",
        "below a file": GOOD / "file",
        "empty": write("empty", ""),
        "random": write("random", random.Random(1).randbytes(5000)),
        "zeros": write("zeros", bytes(5000)),
        "ELF": write("header", b"\x7fELF" + bytes(100)),
        "a cut object": write("cut.o", ELF.read_bytes()[:300]),
        "an object": ELF,
        "compressed": write("module.ko.xz", b"\xfd7zXZ\0" + bytes(20)),
        "text": write("text", "Hello\nname\n"),
        "a name": write("name", "name: \n"),
        "a cut format": write("cut.format", GOOD.read_bytes()[:100]),
        "a wrong line": write("line.format", GOOD.read_text().replace("size:4", "size:four")),
        "cut BTF": write("cut", btf()[:60]),
    }
    for command in commands:
        for about, file in files.items():
            if about == "an object" and "check" in command:
                continue  # One without events.
            said = refused(*(file if word == "FILE" else word for word in command))
            if about == "missing":
                assert said == f"error: {file}: No such file or directory\n", said
            if about in ("empty", "compressed"):
                assert about in said or "timeline" in str(command), said
    for project in "", "{", "{}", "[]", '{"crates": 1}', '{"crates": [1]}':
        write("rust-project.json", project)
        refused("python3", top / "tracepoint/rust-analyzer", tmp)
    (tmp / "rust-project.json").unlink()
    refused("python3", top / "tracepoint/rust-analyzer", tmp)
    refused(top / "tools/unsafe", files["missing"])
    refused(top / "tools/unsafe", files["random"])


@case
def a_missing_disassembler():
    for name, package in [
        ("objdump", "binutils"),
        ("x86_64-linux-gnu-objdump", "binutils-x86-64-linux-gnu"),
        ("llvm-objdump-19", "llvm-19"),
    ]:
        tool = tmp / name
        error = refused(top / "tracepoint/check-events", ELF, env={**os.environ, "OBJDUMP": str(tool)})
        assert error == f"error: {tool} is missing: apt install {package}\n", error


@case
def the_language_of_the_disassembler():
    write("objdump", f'#!/bin/sh\necho "$LC_ALL" >{tmp}/language\nexec objdump "$@"\n').chmod(0o755)
    done = run(top / "tracepoint/check-events", ELF, "2048",
               env={**os.environ, "OBJDUMP": f"{tmp}/objdump", "LC_ALL": "fr_FR.UTF-8"})
    assert done.returncode == 0, done
    assert (tmp / "language").read_text() == "C\n"


@case
def a_search_path_of_cd():
    done = subprocess.run(["tools/kernel-rust", "--help"], cwd=top, env={**os.environ, "CDPATH": f".:{tmp}"},
                          capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("usage: "), done


@case
def another_module_of_the_same_name():
    module = write("command.py", "raise ImportError")
    for tool in "event-from-format", "schema", "timeline", "unsafe":
        done = run(top / "tools" / tool, "--version",
                   env={**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": str(tmp)})
        assert done.returncode == 0, done
    module.unlink()


@case
def standard_input():
    for text in "", "garbage\n", "\0\xff", GOOD.read_text()[20:]:
        said = refused(*FROM_FORMAT, input=text)
        assert said.startswith("error: standard input: not the format file of an event"), said
    assert run(*FROM_FORMAT, input=GOOD.read_text()).returncode == 0


@case
def a_file_that_cannot_be_read():
    if subprocess.run(["setpriv", "--reuid=65534", "test", "-x", top / "tools/schema"], stderr=subprocess.DEVNULL).returncode:
        # The checkout is where only root can go.
        return
    tmp.chmod(0o755)
    secret = write("secret", "")
    secret.chmod(0)
    for tool in "event-from-format", "schema", "timeline":
        said = refused("setpriv", "--reuid=65534", top / "tools" / tool, secret)
        assert said == f"error: {secret}: Permission denied\n", said


@case
def output_that_nobody_reads():
    many = write("many.format", "".join(FORMAT.format(name=f"event_{n}", value=n) for n in range(3000)))
    reads = [[*FROM_FORMAT, many], [*FROM_FORMAT, "--module", "m", many], [top / "tools/unsafe"]]
    for command in reads:
        for end in "| head -n 1", "| true", "| head -c 100000":
            result = run("sh", "-c", f'"$@" {end}', "sh", *command)
            assert result.stderr == "", f"{command} {end}: {result.stderr}"
        result = run("sh", "-c", '"$@" >/dev/full', "sh", *command)
        assert result.stderr == "error: No space left on device\n", f"{command}: {result.stderr}"
        assert result.returncode == 1


@case
def an_interrupt():
    process = subprocess.Popen(FROM_FORMAT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # More than a pipe holds, so this waits until the tool reads, which it doesn't do while Python is starting.
    process.stdin.write(bytes(1 << 17))
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (-signal.SIGINT, b""), said


@case
def the_version():
    version = (top / "tracepoint/version").read_text().strip()
    for tool in "schema", "timeline", "event-from-format", "new-driver":
        assert run(top / "tools" / tool, "--version").stdout == f"{tool} of the tracepoint library {version}\n"
    assert (top / "debian/changelog").read_text().startswith(f"tracepoint-rust ({version}) ")
    assert f"\n## {version} " in (top / "CHANGELOG.md").read_text()


@case
def the_help():
    for option in "--help", "-h":
        said = run(*FROM_FORMAT, option).stdout
        for word in "--module NAME", "--system NAME", "--prefix TEXT", "--btf FILE", "--base FILE", "FORMAT ":
            (line,) = re.findall(rf"^  {word}.*(?:\n +.*)*", said, re.MULTILINE)
            assert len(line.split()) > 6, line
        assert "tools/event-from-format /sys/kernel/tracing/events/my_driver/*/format\n" in said
    for name in "--module", "--system", "--prefix":
        result = run(*FROM_FORMAT, name, "a b", GOOD)
        assert result.returncode == 2 and f"{name}: \"a b\" isn't a name" in result.stderr, result.stderr


def translated(value, *options, fails=False):
    path = write("enum.format", FORMAT.format(name="enum", value=value))
    result = run(*FROM_FORMAT, *options, path)
    assert result.returncode == fails, result.stderr
    return result.stdout


@case
def the_values_of_modules():
    (tmp / "btf").mkdir()
    kernel, module = write("btf/vmlinux", btf()), write("btf/driver", split_btf())
    assert '3 => "shown"' in translated("KERNEL_A", "--btf", kernel)
    for options in (
        ["--btf", module],
        ["--btf", kernel, "--btf", module],
        ["--btf", module, "--btf", kernel],
        ["--btf", write("elsewhere", split_btf()), "--base", kernel],
    ):
        assert '7 => "shown"' in translated("DRIVER_B", *options), options
        assert '3 => "shown"' in translated("KERNEL_A", *options), options
    # A module's enumerator can have the name of one in the kernel.
    same = write("btf/same", blob(enum((5, 8)), b"OTHER\0"))
    assert '8 => "shown"' in translated("KERNEL_A", "--btf", same)
    assert "the value of `OTHER`" in translated("OTHER", "--btf", module, fails=True)
    # It continues another one.
    wrong = write("btf/wrong", split_btf(KERNEL_STRINGS * 9))
    said = refused(*FROM_FORMAT, "--btf", wrong, GOOD)
    assert f"{wrong}: this doesn't continue the BTF of {kernel}: " in said, said
    said = refused(*FROM_FORMAT, "--btf", module, "--base", module, GOOD)
    assert "a module" in said, said


@case
def the_values_in_objects():
    # Out-of-tree modules have what they need of the kernel's, in which the numbers differ.
    def module(name, **sections):
        path = tmp / name
        options = []
        for section, data in sections.items():
            file = write(section, data)
            options.append(f"--add-section={section}={file}")
        subprocess.run(["objcopy", *options, ELF, path], check=True)
        return path

    own = module("own.ko", **{".BTF": split_btf(), ".BTF.base": btf(9)})
    assert '7 => "shown"' in translated("DRIVER_B", "--btf", own)
    alone = module("alone.ko", **{".BTF": split_btf()})
    assert '7 => "shown"' in translated("DRIVER_B", "--btf", alone, "--base", tmp / "btf/vmlinux")
    vmlinux = module("kernel", **{".BTF": btf()})
    assert '3 => "shown"' in translated("KERNEL_A", "--btf", vmlinux)
    assert "has no BTF" in refused(*FROM_FORMAT, "--btf", ELF, GOOD)
