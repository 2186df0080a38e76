# SPDX-License-Identifier: GPL-2.0
#
# Prints an event as a trace_event!, or a whole module.

import re
from dataclasses import dataclass

from event_format.c import Untranslatable
from event_format.record import layout, rust_name
from event_format.show import Printer, quote

# A tracepoint passes at most so many words.
WORDS_MAX = 12
LINE_MAX = 100


@dataclass
class Translated:
    """An event in Rust."""

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
        spec = ":print_hex" if this.kind == "struct" else ""
        shown.append(f"{this.name}={{{this.name}{spec}}}")
    return " ".join(shown)


def arguments(name, fields):
    """Returns the arguments, the items that they need, and how a field gets its value."""
    args = [f"{rust_name(this.name)}: {this.argument}" for this in fields]
    if sum(this.words for this in fields) <= WORDS_MAX:
        return args, "", {}
    # Too many: all but the slices in a struct.
    inner = [this for this in fields if this.words == 1]
    is_borrowed = any("&" in this.argument for this in inner)
    lifetime = "<'a>" if is_borrowed else ""
    struct = camel(name)
    items = f"tracepoint_struct! {{\n    /// The arguments of `{name}`.\n    struct {struct}{lifetime} {{\n"
    for this in inner:
        argument = this.argument.replace("&", "&'a ")
        items += f"        {rust_name(this.name)}: {argument},\n"
    items += "    }\n}\n"
    outer = [f"{rust_name(this.name)}: {this.argument}" for this in fields if this.words > 1]
    if 1 + 2 * len(outer) > WORDS_MAX:
        raise Untranslatable("too many lists for the arguments of a tracepoint")
    argument = next(name for name in ("args", "values", "fields_of_event") if name not in {f.name for f in fields})
    access = {this.name: f"{argument}.{rust_name(this.name)}" for this in inner}
    lifetime = "<'_>" if is_borrowed else ""
    return [f"{argument}: &{struct}{lifetime}", *outer], items, access


def expand(event, prefix):
    """Translates an event."""
    problems = []
    name = prefix + event.name
    names = [this.name for this in event.fields]
    for this in names:
        if names.count(this) > 1:
            raise Untranslatable(f"there are two fields `{this}`")
    try:
        template, named = Printer(event).run()
        unshown = ""
    except Untranslatable as error:
        problems.append(f"the text: {error}")
        unshown = f"TODO: {error}. C's text:\n{event.print_fmt}"
        template = None
    layout(event.fields)
    fields = [this for this in event.fields if not this.error]
    problems += [f"the field `{this.name}`: {this.error}" for this in event.fields if this.error]
    if template is None or any(this.error for this in event.fields):
        if template is not None:
            unshown = f"TODO: C's text:\n{event.print_fmt}"
        template, named = fallback(fields), {}
    args, items, access = arguments(name, fields)

    text = f"    /// `{event.system}:{event.name}`.\n" if prefix else f"    /// `{event.name}`.\n"
    text += wrapped(f"    fn {rust_name(name)}(", args, ") {", "    ") + "\n"
    for this in event.fields:
        if this.error:
            text += comment(f"TODO: {this.error}: {this.declaration}", " " * 8)
            continue
        ident = rust_name(this.name)
        ctype = f' as "{this.given}"' if this.given else ""
        value = this.value.format(access.get(this.name, ident))
        text += f"        {ident}: {this.rust}{ctype} = {value},\n"
    text += "    }\n"
    if unshown:
        text += comment(unshown, "    ")
    text += f"    print {quote(template)}"
    for argument, expression in named.items():
        text += f",\n        {rust_name(argument)} = {expression}"
    return Translated(event.system, items, text + ";\n", problems)


def events_of(translated):
    """The macro calls for some events, one for each system."""
    text, systems = "", {}
    for this in translated:
        systems.setdefault(this.system, []).append(this)
    for system, events in systems.items():
        for this in events:
            text += this.items + "\n" if this.items else ""
        text += f'trace_event! {{\n    system: "{system}";\n'
        text += "".join("\n" + this.text for this in events) + "}\n\n"
    return text.rstrip("\n") + "\n"


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
