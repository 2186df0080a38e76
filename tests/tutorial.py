#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/tutorial.py PAGE
#        tests/tutorial.py --source PAGE
#
# Does what the page says: types the commands of its console blocks into a terminal,
# writes its source files (```rust,file=NAME), and compares what appears with what the page shows.
# Prints a case for each command. Runs in the Debian root, in the checkout.
#
# "[...]" stands for any lines. What differs from run to run, such as times and PIDs,
# isn't compared: see VARIES.
#
# With --source, only prints the source file.

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

# The start of a line in a trace, numbers with units, and so on.
VARIES = [
    r"\S+-\d+ +\[\d{3}\] [.\w]{5} +\d+\.\d+:",
    r"\d+ \[\d{3}\] +\d+\.\d+:",
    r"\[ *\d+\.\d+\]",
    r"\d+ ns\b",
    r"\d+ s$",
    r"\d+\.\d+ +seconds",
    r"#\d+",
    r"2\^\d+",
    r"ID: \d+",
    r"^\[[\dKM]+, [\dKM]+\) .*",
]
SKIPPED = ["make root"]
PROMPT = re.compile(r"(?:^|\n)(?:root@vm:[^\n]*|PAGE)# $")


class Terminal:
    """A shell in a terminal."""

    def __init__(self):
        pid, self.fd = pty.fork()
        if pid == 0:
            os.environ.update(TERM="dumb", PS1="PAGE# ", HISTFILE="")
            os.execvp("bash", ["bash", "--norc", "--noprofile"])
        # Wide enough for the longest command.
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 500, 0, 0))
        self.read()

    def read(self, limit=600):
        """Returns what appears until the next prompt."""
        text, end = "", time.time() + limit
        while not PROMPT.search(text):
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.time()))
            if not ready:
                raise TimeoutError(text)
            text += os.read(self.fd, 65536).decode(errors="replace").replace("\r", "")
        return PROMPT.sub("", text)

    def run(self, command):
        """Types a command and returns its output."""
        os.write(self.fd, command.encode() + b"\n")
        return self.read().removeprefix(command).removeprefix("\n")


def pattern(line):
    """Returns the regular expression for a line of the page."""
    parts, at = [], 0
    line = line.strip()
    for found in re.finditer("|".join(VARIES), line):
        rule = next(rule for rule in VARIES if re.fullmatch(rule, found[0]))
        parts += [(line[at : found.start()], False), (rule.strip("^$"), True)]
        at = found.end()
    parts.append((line[at:], False))
    return "".join(part if rule else re.sub(r"(?:\\?\s)+", r"\\s+", re.escape(part)) for part, rule in parts)


def missing(shown, lines):
    """Returns the first line of `shown` that isn't where it should be in `lines`."""
    lines = [line.strip() for line in lines]
    at, anywhere = 0, False
    for line in shown:
        if line.strip() == "[...]":
            anywhere = True
            continue
        expected = re.compile(pattern(line))
        while anywhere and at < len(lines) and not expected.fullmatch(lines[at]):
            at += 1
        if at == len(lines) or not expected.fullmatch(lines[at]):
            return line
        at, anywhere = at + 1, False
    if not anywhere and at < len(lines):
        return f"nothing after this, but there is: {lines[at]}"
    return None


def steps(text):
    """Yields the steps of the page: (file, source) or (command, lines shown)."""
    for kind, file, block in re.findall(r"^```(\w+)(?:,file=(\S+))?\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        if file:
            yield file, block
        elif kind == "console":
            command, shown = None, []
            for line in block.splitlines():
                if re.match(r"# \S", line):
                    if command:
                        yield command, shown
                    command, shown = line[2:], []
                else:
                    shown.append(line)
            yield command, shown


page = open(sys.argv[-1]).read()
if sys.argv[1] == "--source":
    for _, content in steps(page):
        if isinstance(content, str):
            print(content, end="")
    sys.exit()

terminal = Terminal()
for step, content in steps(page):
    if isinstance(content, str):
        open(step, "w").write(content)
        continue
    if step in SKIPPED:
        continue
    output = terminal.run(step).splitlines()
    wrong = missing(content, output)
    # tests/run prints it with echo, which interprets backslashes.
    name = step.replace("\\", "\\\\")
    print(f"{'not ok' if wrong else 'ok'} tutorial: {name}", flush=True)
    if wrong:
        print(f"# expected: {wrong}")
        for line in output:
            print(f"# {line}")
