#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/links.py PAGE...
#
# Prints the links in the pages that lead to no file or to no heading.

import os
import re
import sys


def text_of(page):
    """The text without code."""
    text = re.sub(r"^```.*?^```$", "", open(page).read(), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"``.+?``|`[^`]+`", lambda found: "x" * len(found[0]), text, flags=re.DOTALL)


def anchors(page):
    """What GitHub makes of the headings."""
    text = re.sub(r"^```.*?^```$", "", open(page).read(), flags=re.DOTALL | re.MULTILINE)
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        heading = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading)
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


for page in sys.argv[1:]:
    for link in re.findall(r"\]\(([^)\s]*)\)", text_of(page)):
        path, _, anchor = link.partition("#")
        if ":" in path:
            continue
        target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(target):
            print(f"{page}: {link}: no such file")
        elif anchor and anchor not in anchors(target):
            print(f"{page}: {link}: no such heading")
