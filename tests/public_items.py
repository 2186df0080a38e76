#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0

"""Compares the public items of the library with those that docs/public-items lists, so that no change goes unseen.

usage: public_items.py [--update] HTML

HTML is the directory that rustdoc has written for the crate. --update writes the list. The kernel's tracepoints,
which come from its headers, aren't in it.
"""

import difflib
import html
import pathlib
import re
import sys
import urllib.parse

LIST = pathlib.Path(__file__).resolve().parent.parent / "docs/public-items"
MEMBER = r'id="(variant|method|tymethod|associatedconstant|associatedtype|structfield)\.([^"]+)"'


def items(directory):
    page = (directory / "all.html").read_text()
    for path, name in sorted(re.findall(r'<li><a href="([^"]+)">([^<]+)</a>', page)):
        if name.startswith("linux::") and name.count("::") > 1:
            continue
        kind = path.rpartition("/")[2].partition(".")[0]
        yield f"{kind} {html.unescape(name)}"
        # What follows are implementations of traits, most of them the compiler's.
        own = re.split('id="(?:trait-implementations|synthetic-implementations|foreign-impls|implementors)"',
                       (directory / path).read_text())[0]
        for member, of in re.findall(MEMBER, own):
            yield f"{kind} {html.unescape(name)}::{urllib.parse.unquote(of)}{'()' if 'method' in member else ''}"


def main():
    *update, directory = sys.argv[1:]
    found = "".join(f"{item}\n" for item in sorted(set(items(pathlib.Path(directory)))))
    if update == ["--update"]:
        LIST.write_text(found)
        return
    changes = list(difflib.unified_diff(LIST.read_text().splitlines(), found.splitlines(), "docs/public-items",
                                        "the library", n=0, lineterm=""))
    if changes:
        print(*changes, "If that's meant, run \"make rustdoc\", tests/public_items.py --update docs/rustdoc/html/tracepoint,",
              "and say in CHANGELOG.md what users have to change.", sep="\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
