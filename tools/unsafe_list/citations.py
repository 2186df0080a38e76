# SPDX-License-Identifier: GPL-2.0

"""What comments cite: the kernel's files, and functions in them."""

import fnmatch
import re

from . import kernel

DIRECTORIES = "arch|block|drivers|fs|include|init|io_uring|kernel|lib|mm|net|rust|samples|scripts|security|tools|Documentation"
FILE = rf"(?:{DIRECTORIES})/[\w/*.+-]+\.(?:c|h|S|rs|rst|txt|lds)\b"
# `name()` (FILE), `a()` and `b()` (FILE), (`name()`, FILE)
TOGETHER = re.compile(rf"((?:`\w+\(\)`(?:,? (?:and|or) |, ))*`[^`]+`),? \(?({FILE})")
# A function of C: no path, no method.
ALONE = re.compile(r"`(\w+)\((?:[^`()]|\([^`()]*\))*\)`")
NAME = re.compile(r"^(?:(?:struct|enum|union|static|const|void|int|bool) )*\*?(\w+)(?:\(.*\)|\[.*\])?$")


def paragraphs(file):
    """Yields the paragraphs of the comments of a file, each with its line."""
    text, line = "", 0
    for token in file.tokens:
        if token.kind == "comment":
            part = re.sub(r"^//[/!]?|^/\*+|\*/$", "", token.text).strip()
            if part and text:
                text += f" {part}"
                continue
            if text:
                yield line, text
            text, line = part, token.line
        elif text:
            yield line, text
            text = ""
    if text:
        yield line, text


class Citations:
    """Checks citations, and counts them."""

    def __init__(self, top, files):
        self.top = top
        self.archive, self.names = kernel.source()
        self.everywhere = {name for names in self.names.values() for name in names or ()}
        # Names that need not be the kernel's: what our code defines or calls, or has in a string.
        self.ours = {
            b.text.strip('"')
            for file in files
            for a, b in zip(file.tokens, file.tokens[1:])
            if b.kind == "string" or (b.kind == "ident" and a.text in ("fn", ".", ":"))
        }
        self.files, self.functions = set(), set()

    def paths(self, pattern):
        if "*" in pattern:
            return [path for path in self.names if fnmatch.fnmatch(path, pattern)]
        return [pattern] if pattern in self.names else []

    def wrong(self, file):
        """Yields the line and what's wrong with it, for each wrong citation."""
        for line, text in paragraphs(file):
            # Other sources: an old kernel's, and the tools' library.
            if "up to Linux" in text or "libtraceevent" in text:
                continue
            for path in re.findall(FILE, text):
                if (self.top / path).exists() or (self.top / file.path).parent.joinpath(path).exists():
                    continue
                self.files.add(path)
                if not self.paths(path):
                    yield line, f"the kernel has no file {path}"
            for named, path in TOGETHER.findall(text):
                names = [this for this in (self.names.get(at) for at in self.paths(path)) if this is not None]
                for name in re.findall("`([^`]+)`", named):
                    match = NAME.match(name)
                    if not match or not names:
                        continue
                    self.functions.add(match[1])
                    if not any(kernel.has(these, match[1]) for these in names):
                        yield line, f"{path} has no `{name}`"
            for name in ALONE.findall(text):
                if not name.islower():
                    continue
                if name in self.everywhere:
                    self.functions.add(name)
                elif name not in self.ours and not kernel.has(self.everywhere, name):
                    yield line, f"the kernel has no `{name}()`"
