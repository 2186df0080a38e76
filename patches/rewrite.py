# SPDX-License-Identifier: GPL-2.0

"""From the library's files to the kernel's: where they go, and what their paths become.

| Library                  | Kernel                         | Path            |
|--------------------------|--------------------------------|-----------------|
| tracepoint/base/X.rs     | rust/kernel/trace/X.rs         | crate::trace::X |
| tracepoint/macros/X.rs   | rust/macros/trace/X.rs         | crate::trace::X |
"""

import re

import command
from words import WORDS

# What only the macros need.
MOVED = {"base/integers.rs": "rust/macros/trace/integers.rs"}
FOLDERS = {"base": "rust/kernel/trace", "macros": "rust/macros/trace"}


def path(name):
    """Returns the path in the kernel of a file of the library. There, the root of a module x is x.rs."""
    folder, _, rest = name.partition("/")
    if name in MOVED:
        return MOVED[name]
    return f"{FOLDERS[folder]}/{rest.replace('/mod.rs', '.rs')}"


def unwrap(text, head):
    """Removes `head` from paths, and the braces that follow it."""
    while (at := text.find(head)) >= 0:
        rest = text[at + len(head):]
        if rest.startswith("{"):
            depth = 0
            for end, character in enumerate(rest):
                depth += (character == "{") - (character == "}")
                if depth == 0:
                    break
            rest = rest[1:end].strip().rstrip(",") + rest[end + 1:]
        text = text[:at] + rest
    return text


USE = re.compile(r"^ *(?:pub(?:\(\w+\))? )?use [^;]*;\n", re.MULTILINE)


# The kernel crate is linked, so a function that only constants call would be compiled for nothing.
CONST_FN = re.compile(r"^((?: *#\[.*\n)*)( *)((?:pub(?:\(\w+\))? )?const (?:unsafe )?fn )", re.MULTILINE)


def inline(match):
    """Adds the attribute to a function, unless it has it."""
    attributes, indent, function = match.groups()
    return match[0] if "#[inline" in attributes else f"{attributes}{indent}#[inline]\n{indent}{function}"


def library(text):
    """Returns what a file of base becomes."""

    def use(match):
        text = match[0].replace("use crate::{", "use crate::trace::{").replace("use kernel::", "use crate::")
        return unwrap(text, "base::")

    text = text.replace("$crate::", "$crate::trace::").replace("crate::base::", "crate::trace::")
    text = USE.sub(use, text)
    text = re.sub(r"(?<![\w$])crate::(arch|event|modules)\b", r"crate::trace::\1", text)
    text = text.replace("macro@crate::", "macro@crate::trace::")
    return CONST_FN.sub(inline, text)


def macros(text):
    """Returns what a file of macros becomes."""
    text = text.replace("::tracepoint::__private::macros::", "::kernel::macros::")
    text = text.replace("::tracepoint::", "::kernel::trace::")
    return re.sub(r"(?<![$\w])crate::", "crate::trace::", text)


def without_tests(text):
    """Removes the modules with tests, which are outside of the library."""
    return re.sub(r'^#\[cfg\(test\)\]\n#\[path = .*\nmod \w+;\n', "", text, flags=re.MULTILINE)


# Lines of the kernel have at most 100 columns.
WIDTH = 100
COMMENT = re.compile(r"( *//[/!]? )(?! )(.*)")


def wrapped(text):
    """Wraps comments. What doesn't fit goes to the next line, if that's one of the same paragraph."""
    lines = text.split("\n")
    is_code = False
    for n, line in enumerate(lines):
        match = COMMENT.fullmatch(line)
        if not match:
            continue
        start, words = match.groups()
        is_code ^= words.startswith("```")
        if len(line) <= WIDTH or is_code or words.startswith("|"):
            continue
        end = line.rfind(" ", len(start), WIDTH + 1)
        if end < 0:
            continue
        rest = line[end + 1:]
        lines[n] = line[:end]
        follows = COMMENT.fullmatch(lines[n + 1])
        if follows and follows[1] == start and not re.match(r"[-|*#] |```|\[.*\]:", follows[2]):
            lines[n + 1] = f"{start}{rest} {follows[2]}"
        else:
            lines.insert(n + 1, start + rest)
    return "\n".join(lines)


def vertical(text):
    """Gives each import in braces a line of its own, which rustfmt then keeps because of the comments."""
    return USE.sub(lambda match: re.sub(r",?\s*}", ", //\n}", match[0]), text)


def source(name, text):
    """Returns the text in the kernel of a file of the library."""
    text = without_tests(text)
    for old, new in WORDS.get(name, []):
        text, count = re.subn(old, new, text, flags=re.MULTILINE | re.DOTALL)
        if count != 1:
            raise command.Error(f"tracepoint/{name}: {count} places match {old!r}")
    text = wrapped(text)
    if name in MOVED:
        text = text.replace("use super::text", "use super::base::text")
    else:
        text = library(text) if name.startswith("base/") else macros(text)
    return vertical(text)


MODULE = re.compile(r"^(?:#\[.*\]\n)*(?:pub(?:\(\w+\))? )?mod (\w+);\n", re.MULTILINE)
IMPORT = re.compile(r"^ *(?:#\[.*\]\n *)*pub use (?:super|self)::(\w+)::[^;]*;\n", re.MULTILINE)


def present(path, text, files, later):
    """Leaves out the modules of a file that aren't among the files, or come later, and what is imported from them."""
    def keep(match):
        return match[0] if match[1] not in later and f"{path.removesuffix('.rs')}/{match[1]}.rs" in files else ""

    return IMPORT.sub(keep, MODULE.sub(keep, text))
