# SPDX-License-Identifier: GPL-2.0

"""What a patch can consist of."""

import dataclasses
import pathlib
import re

import command
import rewrite


@dataclasses.dataclass
class Edit:
    """An edit of one of the kernel's files: `new` replaces what the expression `old` matches, in one place."""

    path: str
    old: str
    new: str

    def apply(self, tree):
        text, count = re.subn(self.old, lambda match: match.expand(self.new), tree.read(self.path),
                              flags=re.MULTILINE | re.DOTALL)
        if count != 1:
            raise command.Error(f"{self.path}: {count} places match {self.old!r}: the kernel's source has changed")
        tree.write(self.path, text)


@dataclasses.dataclass
class Remove:
    """The removal of one of the kernel's files."""

    path: str

    def apply(self, tree):
        tree.write(self.path, None)


@dataclasses.dataclass
class Patch:
    """A patch: `library` names files of the library, `own` those of patches/tree, and `edits` come last.

    `later` names the modules that a later patch is the first to use.
    """

    name: str
    library: list = dataclasses.field(default_factory=list)
    own: list = dataclasses.field(default_factory=list)
    later: list = dataclasses.field(default_factory=list)
    edits: list = dataclasses.field(default_factory=list)


def after(path, line, new):
    """Adds text after a line."""
    return Edit(path, f"^{re.escape(line)}\n", f"\\g<0>{new}")


def text(name):
    """Returns the text of a file in this folder, without the licence, as an edit's replacement."""
    text = pathlib.Path(__file__).with_name(name).read_text().split("\n\n", 1)[1]
    return rewrite.wrapped(text).replace("\\", r"\\")


def files(folder, names):
    """Returns the paths of Rust files in a folder."""
    return [f"{folder}/{name}.rs" for name in names.split()]
