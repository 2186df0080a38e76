#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0

"""The tables in README.md, docs/ and tests/mutations.md that tools write, each between <!-- NAME --> and <!-- /NAME -->.

usage: tables.py stamp
       tables.py check

stamp prints the line that belongs below such a table: the commit, the date and the machine. check prints a
line for each table, as tests do. A table that's older than AGE_MAX commits that touch tracepoint/ is a failure,
unless the line says why it isn't generated again.
"""

import datetime
import os
import pathlib
import platform
import re
import subprocess
import sys

top = pathlib.Path(__file__).resolve().parent.parent
AGE_MAX = 50
STAMP = re.compile(r"at commit ([0-9a-f]{7,40}).*?, (\d{4}-\d\d-\d\d), on [^.:\n]*(?:\.\s+Not\s+since: ([^.]+?)(?:\.\n|\n\n))?")


def git(*arguments):
    command = ["git", "-c", f"safe.directory={top}", "-C", str(top), *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def machine():
    try:
        cpu = re.search(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        cpu = None
    n = os.cpu_count()
    return f"{cpu[1].strip() if cpu else platform.machine()} with {n} CPU{'s' if n != 1 else ''}"


def stamp():
    """Returns the commit, the date and the machine."""
    commit = git("rev-parse", "--short", "HEAD").stdout.strip() or "unknown"
    changed = git("status", "--porcelain", "--untracked-files=no", "--", "tracepoint").stdout
    return f"at commit {commit}{' with changes' if changed else ''}, {datetime.date.today()}, on {machine()}"


def line():
    return f"Generated {stamp()}."


def split(path, name):
    """Returns the page before the table of this name, the table and the page after it, with its comments."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
    before, _, rest = path.read_text().partition(begin)
    table, _, after = rest.partition(end)
    return before, begin, table, end, after


def read(path, name):
    """Returns the lines of the table of this name."""
    return split(path, name)[2].splitlines()


def replace(path, name, lines):
    """Replaces the table of this name."""
    before, begin, _, end, after = split(path, name)
    path.write_text(before + begin + "".join(f"{this}\n" for this in lines) + end + after)


def age(commit):
    """Returns how many commits that touch tracepoint/ came after this one, or None if git doesn't know."""
    counted = git("rev-list", "--count", f"{commit}..HEAD", "--", "tracepoint")
    return int(counted.stdout) if counted.returncode == 0 else None


def verdict(text, why_not):
    """Returns why a table isn't as it has to be, or None, and why it isn't checked, or None."""
    stamps = STAMP.findall(text)
    if not stamps:
        return "nothing says at which commit and on which machine it was generated", None
    for commit, date, reason in stamps:
        if reason:
            return None, f"of {date}: {' '.join(reason.split())}"
        if why_not:
            return None, why_not
        commits = age(commit)
        if commits is None:
            return f"there's no commit {commit}", None
        if commits > AGE_MAX:
            return f"{commits} commits to tracepoint/ are newer than {commit}", None
    return None, None


def check():
    why_not = None
    if git("rev-parse").returncode:
        why_not = "not a git repository"
    elif git("rev-parse", "--is-shallow-repository").stdout.strip() == "true":
        why_not = "the clone is shallow"
    for path in [top / "README.md", *sorted((top / "docs").glob("*.md")), top / "tests/mutations.md"]:
        for name, text in re.findall(r"^<!-- ([\w-]+) -->\n(.*?)^<!-- /\1 -->$", path.read_text(), re.MULTILINE | re.DOTALL):
            failure, skipped = verdict(text, why_not)
            if failure:
                print(f"# {failure}")
            result = "not ok" if failure else "ok"
            print(f"{result} source: the table \"{name}\" in {path.name} isn't old{f' # SKIP {skipped}' if skipped else ''}")


if __name__ == "__main__":
    if sys.argv[1:] == ["stamp"]:
        print(line())
    elif sys.argv[1:] == ["check"]:
        check()
    else:
        sys.exit(__doc__)
