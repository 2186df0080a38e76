# SPDX-License-Identifier: GPL-2.0

"""A reference page of events and tracepoints, in Markdown."""

import re

from .c import declare

NULL = {
    "empty": "NULL: empty",
    "none": "may be NULL",
    "(null)": "NULL: `(null)`",
    "ignored": "never NULL",
    "passed": "unchecked",
}


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def code(text):
    """Returns text as code in a cell."""
    quote = "`" if "`" not in text else "``"
    space = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return cell(f"{quote}{space}{text}{space}{quote}")


def table(head, rows):
    yield "| " + " | ".join(head) + " |\n" + "|" + "---|" * len(head) + "\n"
    for row in rows:
        yield "| " + " | ".join(row) + " |\n"
    yield "\n"


def arguments(item):
    if not item["arguments"]:
        return
    yield from table(("Argument", "Rust", "C", ""), (
        (code(a["name"]), code(a["rust_type"]),
         ", ".join(code(declare(c_arg["c_type"], c_arg["name"])) for c_arg in a["c_args"]),
         ", ".join(filter(None, [a["enum"] and f"[{cell(a['enum'])}](#{anchor(a['enum'])})",
                                 NULL.get(a["null"]), cell(a["doc"] or "")])))
        for a in item["arguments"]))


def anchor(heading):
    return re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")


def notes(item):
    if item["condition"]:
        yield f"Fired only if {code(item['condition'])}.\n\n"
    if item["faultable"]:
        yield "Faultable: probes may sleep and read user memory.\n\n"


def event(item):
    yield f"### {item['name']}\n\n"
    if item["doc"]:
        yield item["doc"] + "\n\n"
    kind = {"event": "", "custom": "A custom event on the kernel's tracepoint. ", "span": "A span. ",
            "async span": "An asynchronous span. ", "instant": "An instant. ", "counter": "A counter. "}
    stable = {None: "", "fixed": "Its format is stable. ",
              "append": "Its format is stable; fields may be added at the end. "}
    text = (kind[item["kind"]] + stable[item["stable"]]).strip()
    if text:
        yield text + "\n\n"
    yield from notes(item)
    yield from arguments(item)
    if item["fields"]:
        yield from table(("Field", "Rust", "C", "Offset", "Size", ""), (
            (code(f["name"]), code(f["rust_type"]), code(f["c_type"]), str(f["offset"]),
             f"{f['size']}{', signed' if f['signed'] else ''}",
             ", ".join(filter(None, [f["enum"] and f"[{cell(f['enum'])}](#{anchor(f['enum'])})",
                                     cell(f["doc"] or "")])))
            for f in item["fields"]))
    shown = item["print"]
    fence = "```" if "```" not in shown["template"] else "````"
    more = f"\n{shown['arguments']}" if shown["arguments"] else ""
    yield f"Shown as:\n\n{fence}text\n{shown['template']}{more}\n{fence}\n\n"


def page(schema):
    def text():
        yield "# Events and tracepoints of " + ", ".join(schema["modules"]) + "\n\n"
        systems = {}
        for item in schema["events"]:
            systems.setdefault(item["system"], []).append(item)
        for system, items in systems.items():
            yield f"## Events of {system}\n\n"
            for item in items:
                yield from event(item)
        if schema["tracepoints"]:
            yield "## Tracepoints\n\n"
        for item in schema["tracepoints"]:
            yield f"### {item['name']}\n\n"
            if item["doc"]:
                yield item["doc"] + "\n\n"
            if not item["defined"]:
                yield "Another module defines it.\n\n"
            yield from notes(item)
            yield from arguments(item)
        if schema["enums"]:
            yield "## Enums and flags\n\n"
        for enum in schema["enums"]:
            what = f"Flags, {code(enum['rust_type'])}." if enum["flags"] else f"An enum, {code(enum['rust_type'])}."
            yield f"### {enum['name']}\n\n"
            if enum["doc"]:
                yield enum["doc"] + "\n\n"
            yield f"{what}\n\n"
            yield from table(("Name", "Value", "Text", ""), (
                (code(v["name"]), f"{v['value']:#x}" if enum["flags"] else str(v["value"]),
                 code(v["text"] or " "), cell(v["doc"] or ""))
                for v in enum["values"]))
        if schema["structs"]:
            yield "## Structs\n\n"
        for struct in schema["structs"]:
            yield f"### {struct['name']}\n\n"
            if struct["doc"]:
                yield struct["doc"] + "\n\n"
            yield f"In C: `struct {struct['c_name']}`, {struct['size']} bytes.\n\n"
            yield from table(("Member", "Rust", "C", "Offset"), (
                (code(m["name"]), code(m["rust_type"]), code(declare(m["c_type"], m["name"])), str(m["offset"]))
                for m in struct["members"]))

    return "".join(text()).rstrip("\n") + "\n"
