#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/messages.py PAGE
#
# Prints the messages in the first column of the page's tables that aren't in the
# sources, or in what the tests expect of the compiler. Leaves out the section about
# messages that come from elsewhere.

import pathlib
import re
import sys


def sources():
    for name in ["tracepoint", "tools", "Makefile", "tests/compile-fail", "tests/build.sh", "tests/vm"]:
        path = pathlib.Path(name)
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and ".tracepoint" not in file.parts:
                yield file.read_text(errors="ignore")


def plain(text):
    """Removes what a source needs to quote a message, and all blanks."""
    text = re.sub(r"\\\n\s*", "", text)
    return re.sub(r"[\\`\s]", "", text)


page = open(sys.argv[1]).read()
page = re.sub(r"^## Messages of the kernel and of tools$.*?(?=^## )", "", page, flags=re.DOTALL | re.MULTILINE)
corpus = plain("\n".join(sources()))
count = 0
for table in re.findall(r"^\| Message \|.*?\n\n", page, re.DOTALL | re.MULTILINE):
    for row in table.splitlines()[2:]:
        if not row:
            continue
        for message in re.findall(r"``\s?(.+?)\s?``|`([^`]+)`", row.split(" | ")[0]):
            message = "".join(message)
            count += 1
            for part in message.split("…"):
                if plain(part) not in corpus:
                    print(f"{sys.argv[1]}: not in the sources: {message}")
                    break
if count < 40:
    sys.exit(f"found only {count} messages")
