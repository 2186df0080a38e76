#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/links.py FILE...
#
# Checks the links to local files, and to places in them, in Markdown pages and in the
# HTML that rustdoc has rendered. Prints each one that doesn't resolve. Links to other
# sites are not followed.

import functools
import html
import os
import re
import sys
from urllib.parse import unquote, urlsplit

# What rustdoc leaves if it finds no item of that name.
UNRESOLVED = re.compile(r"\[<code>[^<]*</code>\]")


def slug(heading):
    """Returns the anchor of a heading, as GitHub makes it."""
    heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def without_code(page):
    """Returns a Markdown page without blocks of code and code in the text."""
    page = re.sub(r"^```.*?^```", "", page, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", page)


@functools.lru_cache(maxsize=None)
def read(file):
    with open(file) as stream:
        return stream.read()


@functools.lru_cache(maxsize=None)
def anchors(file):
    """Returns the places in a file that a link can name."""
    text = read(file)
    if file.endswith(".html"):
        return set(map(html.unescape, re.findall(r'\sid="([^"]*)"', text)))
    found = set()
    page = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    for heading in re.findall(r"^#+ +(.*?) *$", page, re.MULTILINE):
        anchor = name = slug(heading)
        n = 0
        while anchor in found:
            n += 1
            anchor = f"{name}-{n}"
        found.add(anchor)
    return found


def links(file):
    """Returns the targets of the links in a file."""
    if file.endswith(".html"):
        return map(html.unescape, re.findall(r'<a\s[^>]*?href="([^"]*)"', read(file)))
    page = without_code(read(file))
    return re.findall(r"\]\(([^)\s]+)\)|^\[[^]]+\]: *(\S+)", page, re.MULTILINE)


def problem(file, link):
    """Returns what's wrong with a link, or None."""
    if isinstance(link, tuple):
        link = "".join(link)
    url = urlsplit(link)
    if url.scheme in ("http", "https"):
        return None
    # "javascript:", and names of items that rustdoc hasn't replaced.
    if url.scheme or url.netloc:
        return None if url.scheme == "javascript" else "is no URL"
    target = file
    if url.path:
        target = os.path.normpath(os.path.join(os.path.dirname(file), unquote(url.path)))
    if os.path.isdir(target) and file.endswith(".html"):
        target = os.path.join(target, "index.html")
    if not os.path.exists(target):
        return "does not exist"
    place = url.fragment
    if not place or not target.endswith((".html", ".md")):
        return None
    # A line, or several, of a source file.
    if re.fullmatch(r"\d+(-\d+)?", place):
        place = place.split("-")[0]
    return None if place in anchors(target) else "has no such place"


found = 0
failed = False
for file in sys.argv[1:]:
    for link in links(file):
        found += 1
        wrong = problem(file, link)
        if wrong:
            print(f"{file}: {''.join(link)} {wrong}")
            failed = True
    if file.endswith(".html"):
        text = re.sub(r"<pre.*?</pre>", "", read(file), flags=re.DOTALL)
        for link in UNRESOLVED.findall(text):
            print(f"{file}: {link} is not resolved")
            failed = True
    else:
        # A page of the documentation that's only named.
        for name in re.findall(r"\bdocs/[\w-]+\.md", read(file)):
            if not os.path.exists(name):
                print(f"{file}: {name} does not exist")
                failed = True
if not found:
    print("no links")
sys.exit(failed or not found)
