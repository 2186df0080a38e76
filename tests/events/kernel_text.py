# SPDX-License-Identifier: GPL-2.0
#
# Compares what the kernel prints for C's events and for ours.

from records import bounded_records
from reference import DIFFERENT, UNDEFINED, Reference

# The system whose events have functions of their own that print. Their `print fmt` is only a hint.
OWN_TEXT = "syscalls"


def compare(event, case, c, rust, prefix):
    """
    Returns why the texts of an event's records differ, or "". Texts that C doesn't define, or that
    it has crashed on, don't count.
    """
    if case.system == OWN_TEXT:
        return "not compared: C doesn't print it with its `print fmt`"
    reference = Reference(event)
    compared = crashed = 0
    excuse = ""
    for data, theirs, ours in zip(bounded_records(case), c, rust):
        if isinstance(theirs, dict) or isinstance(ours, dict):
            return "not compared: it can't be printed"
        if theirs is None:
            crashed += 1
            continue
        theirs = theirs.removeprefix(f"{case.name}: ")
        ours = ours.removeprefix(f"{prefix}{case.name}: ")
        if theirs != ours:
            # Both are right about what C defines.
            pattern = reference.pattern(data)
            is_right = all(pattern.fullmatch(text.removesuffix("\n").encode("latin-1")) for text in (theirs, ours))
            if not is_right or not reference.problems & {DIFFERENT, UNDEFINED}:
                return f"other text: {ours!r} instead of {theirs!r}"
            if DIFFERENT in reference.problems:
                excuse = "as in tools: the kernel shows something else for C's event"
            else:
                continue
        compared += 1
    if not compared:
        return "not compared: C's function crashes" if crashed else "not compared: C doesn't define it"
    return excuse
