# SPDX-License-Identifier: GPL-2.0

"""How the tools in Python end: an error that their user can mend is one line, never a traceback."""

import contextlib
import os
import signal
import sys

# Of the library. debian/changelog repeats it.
with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "version")) as _file:
    VERSION = _file.read().strip()

# As in C: a closed pipe and Ctrl-C end a tool without a word.
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.SIG_DFL)


class Error(Exception):
    """Says what's wrong, and what to do."""


# What a compressed file starts with, and what decompresses it.
COMPRESSED = {b"\x1f\x8b": "gunzip", b"\xfd7zXZ": "unxz", b"\x28\xb5\x2f\xfd": "unzstd"}


def read(path, what):
    """Returns the bytes of a file, which should be `what`."""
    with open(path, "rb") as file:
        data = file.read()
    if not data:
        raise Error(f"{path}: the file is empty instead of {what}")
    for magic, command in COMPRESSED.items():
        if data.startswith(magic):
            raise Error(f"{path}: the file is compressed: decompress it with {command} first")
    return data


@contextlib.contextmanager
def reading(path, what):
    """Around code that reads a file whose contents may be anything."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise Error(f"{path}: not {what}, or damaged") from error


def text_of(error):
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return str(error)


def run(main):
    """Runs a tool, unless --version is all that's wanted, and exits with the status that `main` returns."""
    if sys.argv[1:] == ["--version"]:
        print(f"{os.path.basename(sys.argv[0])} of the tracepoint library {VERSION}")
        sys.exit(0)
    # A name or a text can have any character, whatever the locale.
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = main()
        sys.stdout.flush()
    except (Error, OSError) as error:
        print(f"error: {text_of(error)}", file=sys.stderr)
        status = 1
        try:
            sys.stdout.flush()
        except OSError:
            # Nothing can be written, also not when Python exits.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)
