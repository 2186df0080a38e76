# SPDX-License-Identifier: GPL-2.0
#
# Prints an event as a trace_event!, or a whole module.

import collections
import os
import re
from dataclasses import dataclass

from event_format.c import Untranslatable
from event_format.record import layout, rust_name
from event_format.show import Printer, plain_spec, quote

# A tracepoint passes at most so many C arguments.
C_ARGS_MAX = 12
LINE_MAX = 100


# What no format file tells.
UNKNOWN = """\
// Format files don't have all of C's code. Add by hand what the C code has of this:
// - the prototype, TP_PROTO(): here, each field is an argument
// - a condition, TP_CONDITION(): `if …` behind the arguments
// - the functions of a TRACE_EVENT_FN(): `with { reg: …, unreg: … }`
// - the names of enums and flags behind integers: #[derive(TraceEnum)], #[derive(TraceFlags)]
"""


@dataclass
class Translated:
    """An event in Rust, or several that differ only in their names."""

    system: str
    # Items that go before the trace_event!.
    items: str
    text: str
    # What couldn't be translated.
    problems: list


def comment(text, indent):
    """Lines of a comment."""
    return "".join(f"{indent}// {line}\n" for line in text.replace("\t", " ").split("\n"))


def wrapped(head, parts, tail, indent):
    """A list in one line, or with a line for each part if that's too long."""
    line = head + ", ".join(parts) + tail
    if len(line) <= LINE_MAX:
        return line
    return head + "\n" + "".join(f"{indent}    {part},\n" for part in parts) + indent + tail


def camel(name):
    return "".join(word.capitalize() for word in name.split("_")) or "_"


def fallback(fields):
    """A template that shows all fields by their names."""
    shown = []
    for this in fields[:63]:
        spec = plain_spec(this)
        shown.append(f"{this.name}={{{this.name}{':' if spec else ''}{spec}}}")
    return " ".join(shown)


def arguments(name, fields):
    """Returns the arguments, the items that they need, and how a field gets its value."""
    args = [f"{rust_name(this.name)}: {this.argument}" for this in fields]
    if sum(this.c_args for this in fields) <= C_ARGS_MAX:
        return args, "", {}
    # Too many: all but the slices in a struct.
    inner = [this for this in fields if this.c_args == 1]
    is_borrowed = any("&" in this.argument for this in inner)
    lifetime = "<'a>" if is_borrowed else ""
    struct = camel(name)
    items = f"tracepoint_struct! {{\n    /// The arguments of `{name}`.\n    struct {struct}{lifetime} {{\n"
    for this in inner:
        argument = this.argument.replace("&", "&'a ")
        items += f"        {rust_name(this.name)}: {argument},\n"
    items += "    }\n}\n"
    outer = [f"{rust_name(this.name)}: {this.argument}" for this in fields if this.c_args > 1]
    if 1 + 2 * len(outer) > C_ARGS_MAX:
        raise Untranslatable("too many lists for the arguments of a tracepoint")
    argument = next(name for name in ("args", "values", "fields_of_event") if name not in {f.name for f in fields})
    access = {this.name: f"{argument}.{rust_name(this.name)}" for this in inner}
    lifetime = "<'_>" if is_borrowed else ""
    return [f"{argument}: &{struct}{lifetime}", *outer], items, access


def class_name(names, taken):
    """A name for the class of some events: what their names have in common."""
    start = os.path.commonprefix(names)
    if start not in names:
        start = start.rpartition("_")[0]
    start = start.strip("_") or names[0]
    name, n = f"{start}_class", 2
    while name in taken:
        name, n = f"{start}_class_{n}", n + 1
    return name


def template_of(event):
    """Returns a template, its named arguments, the lines above it, and what's wrong with it."""
    try:
        printer = Printer(event)
        template, named = printer.run()
        lines = "".join(comment(f"TODO: {reason}. C has:\n{source}", "    ") for reason, source in printer.problems)
        return template, named, lines, [f"{reason}: {shortened(source)}" for reason, source in printer.problems]
    except Untranslatable as error:
        fields = [this for this in event.fields if not this.error]
        return fallback(fields), {}, comment(f"TODO: {error}. C's text:\n{event.print_fmt}", "    "), [str(error)]


def shortened(source):
    return source if len(source) <= 60 else source[:60] + "…"


def expand(event, prefix, others=(), taken=()):
    """Translates an event, or a class if there are others with the same fields and text."""
    names = [prefix + this.name for this in (event, *others)]
    name = class_name(names, taken) if others else names[0]
    idents = [rust_name(name) for name in names]
    counts = collections.Counter(this.name for this in event.fields)
    for this in event.fields:
        if counts[this.name] > 1:
            this.error = f"there are two fields `{this.name}`"
    layout(event.fields)
    template, named, lines, wrong = template_of(event)
    problems = [f"the text: {text}" for text in wrong]
    problems += [f"the field `{this.name}`: {this.error}" for this in event.fields if this.error]
    problems += [f"the field `{this.name}`: {this.note}" for this in event.fields if this.note]
    fields = [this for this in event.fields if not this.error]
    args, items, access = arguments(name, fields)

    docs = [f"`{event.system}:{this.name}`" if prefix else f"`{this.name}`" for this in (event, *others)]
    if others:
        text = "    /// Events with the same fields and text.\n"
        text += wrapped(f"    class {rust_name(name)}(", args, ") {", "    ") + "\n"
    else:
        text = f"    /// {docs[0]}.\n" + wrapped(f"    fn {idents[0]}(", args, ") {", "    ") + "\n"
    for this in event.fields:
        if this.error:
            text += comment(f"TODO: {this.error}: {this.declaration}", " " * 8)
            continue
        if this.note:
            text += comment(f"NOTE: {this.note}", " " * 8)
        ident = rust_name(this.name)
        ctype = f' as "{this.given}"' if this.given else ""
        value = this.value.format(access.get(this.name, ident))
        text += f"        {ident}: {this.rust}{ctype} = {value},\n"
    text += f"    }}\n{lines}    print {quote(template)}"
    for argument, expression in named.items():
        text += f",\n        {rust_name(argument)} = {expression}"
    if others:
        text += "\n    events {\n"
        text += "".join(f"        /// {doc}.\n        fn {ident};\n" for doc, ident in zip(docs, idents))
        text += "    }\n"
    else:
        text += ";\n"
    return Translated(event.system, items, text, problems)


def translate(events, prefix):
    """Translates events. Those with the same fields and text become a class. Returns also what's wrong."""
    groups, seen, problems, translated = {}, {}, [], []
    for event in events:
        same = (event.system, tuple(event.lines), event.print_fmt)
        if event.name not in seen:
            seen[event.name] = same
            groups.setdefault(same, []).append(event)
        elif seen[event.name] != same:
            problems.append(f"{event.system}:{event.name}: left out, since there is another event of this name")
    taken = {prefix + name for name in seen}
    for event, *others in groups.values():
        try:
            found = expand(event, prefix, others, taken)
        except Untranslatable as error:
            source = "\n".join([*event.lines, f"print fmt: {event.print_fmt}"])
            names = ", ".join(f"`{this.name}`" for this in (event, *others))
            found = Translated(event.system, comment(f"TODO: {names}: {error}. C has:\n{source}", ""), "", [str(error)])
        taken.update(re.findall(r"^    class (\w+)", found.text, re.MULTILINE))
        translated.append(found)
        problems += [f"{event.system}:{event.name}: {problem}" for problem in found.problems]
    return translated, problems


def events_of(translated):
    """The macro calls for some events, one for each system."""
    text, systems = UNKNOWN, {}
    for this in translated:
        systems.setdefault(this.system, []).append(this)
    for system, events in systems.items():
        for this in events:
            text += "\n" + this.items if this.items else ""
        if any(this.text for this in events):
            text += f'\ntrace_event! {{\n    system: "{system}";\n'
            text += "".join("\n" + this.text for this in events if this.text) + "}\n"
    return text


def uses(text):
    """The `use` declarations for what the text refers to."""
    ffi = sorted(set(re.findall(r"\bc_(?:void|char|uchar|u?short|u?int|u?long|u?longlong)\b", text)))
    lines = ["use kernel::prelude::*;"]
    if "&Cpumask" in text or "&'a Cpumask" in text:
        lines.append("use kernel::cpumask::Cpumask;")
    if ffi:
        lines.append(f"use kernel::ffi::{{{', '.join(ffi)}}};")
    names = ["trace_event"]
    for name in "Bits Bitmask DynArray Rel SockAddr Str Struct".split():
        if re.search(rf"\b{name}\b", text):
            names.append(name)
    lines.append(f"use tracepoint::event::{{{', '.join(sorted(names))}}};")
    lines.append("use tracepoint::*;")
    return "\n".join(sorted(lines)) + "\n"


def module(name, translated):
    """A complete module."""
    events = events_of(translated)
    struct = camel(name)
    return f"""// SPDX-License-Identifier: GPL-2.0

//! Trace events, made by tools/event-from-format.

#![allow(non_snake_case)]
// Until the events are fired.
#![allow(dead_code)]

{uses(events)}
{events}
struct {struct};

impl kernel::Module for {struct} {{
    fn init(_module: &'static ThisModule) -> Result<Self> {{
        Ok(Self)
    }}
}}

module! {{
    type: {struct},
    name: "{name}",
    description: "Trace events",
    license: "GPL",
}}
"""
