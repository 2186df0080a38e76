# SPDX-License-Identifier: GPL-2.0

"""A C header for modules that probe or fire tracepoints in Rust, or read their records."""

import re

from .model import unique

INTEGERS = {
    "bool": 1, "char": 1, "signed char": 1, "unsigned char": 1, "u8": 1, "s8": 1,
    "short": 2, "unsigned short": 2, "u16": 2, "s16": 2,
    "int": 4, "unsigned int": 4, "unsigned": 4, "u32": 4, "s32": 4, "pid_t": 4, "dev_t": 4, "gfp_t": 4,
    "long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, "u64": 8, "s64": 8,
    "size_t": 8, "ssize_t": 8, "loff_t": 8, "ktime_t": 8, "dma_addr_t": 8, "sector_t": 8,
}

RULES = """\
/*
 * This file is generated: don't edit it.
 *
 * DECLARE_TRACE_EVENT(name, ...) declares a tracepoint that is written in Rust.
 * A module in C can probe it with register_trace_name() and, where the comment
 * doesn't say otherwise, fire it with trace_name(). Both need the module that
 * defines it to export it: export_tracepoint_symbol_gpl!(name).
 *
 * The types are exactly those of the tracepoint. With CONFIG_CFI, a probe must
 * have them too, "const" included.
 *
 * What the comments say of arguments:
 *
 *   a string      ends with a NUL. Rust never passes NULL. If C does, Rust sees
 *                 "(null)".
 *   a slice       is a pointer and the number of elements, not of bytes. If the
 *                 number is 0, the pointer must not be followed. Rust never
 *                 passes NULL. If C does, Rust sees an empty slice, whatever the
 *                 number.
 *   text          is a pointer and the number of bytes. They must be UTF-8, and
 *                 there's no NUL at the end. NULL is as for a slice.
 *   never NULL    Rust never passes NULL. If C does, probes in Rust aren't
 *                 called, and an event records nothing.
 *   may be NULL   NULL stands for Rust's None.
 *   a value of an enum
 *                 is passed as the integer. Rust passes no other number. If C
 *                 does, probes in Rust aren't called, and an event records
 *                 nothing.
 *   true or false is passed as a byte. Rust passes 0 or 1. From C, any byte but
 *                 0 is true.
 *   unchecked     can be any address.
 *   only for Rust is the address of something that C has no type for.
 *
 * A probe in C gets what the caller passes, unchecked. If C fires the
 * tracepoint, too, a probe has to expect NULL and any number.
 *
 * A pointer is valid until the probe returns. A probe must not sleep, unless
 * the tracepoint is faultable.
 *
 * A struct trace_event_raw_name is a record as it is in the trace buffer. A
 * member __data_loc_name is the location of data that follows the members: its
 * length in bytes in the upper 16 bits, and in the lower 16 bits where it
 * starts, counted from the start of the record. For a __rel_loc_name, the start
 * is counted from the end of that member.
 */
"""


def snake(name):
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name).lower()


def c_name(name):
    return re.sub(r"\W", "_", name)


def in_comment(text):
    """Returns text that neither ends a comment nor seems to begin one."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def comment(text, indent=""):
    """Returns lines as a comment."""
    lines = in_comment(text).split("\n")
    return "".join([f"{indent}/*\n", *(f"{indent} * {line}".rstrip() + "\n" for line in lines), f"{indent} */\n"])


def declare(c_type, name):
    """Returns the declaration of a variable."""
    c_type, _, lengths = c_type.partition("[")
    space = "" if c_type.endswith("*") else " "
    return f"{c_type}{space}{name}{'[' + lengths if lengths else ''}"


class Header:
    def __init__(self, schema):
        self.schema = schema
        self.prefix = c_name(schema["modules"][0])
        self.enums = {enum["name"]: self.enum_name(enum["name"]) for enum in schema["enums"]}
        self.constants = set()

    def enum_name(self, name):
        name = snake(c_name(name))
        return name if name.startswith(self.prefix) else f"{self.prefix}_{name}"

    def enum(self, enum):
        name = self.enums[enum["name"]]
        values = [(unique(f"{name}_{snake(c_name(v['name']))}".upper(), self.constants), v["value"], in_comment(v["text"]))
                  for v in enum["values"]]
        width = max(len(value[0]) for value in values)
        what = "Flags" if enum["flags"] else "An enum"
        yield comment((enum["doc"] + "\n\n" if enum["doc"] else "")
                      + f"{what} in Rust: {enum['name']}, passed and recorded as {enum['rust_type']}.")
        if not enum["flags"] and all(-2**31 <= value < 2**31 for _, value, _ in values):
            yield f"enum {name} {{\n"
            for constant, value, text in values:
                yield f"\t{constant.ljust(width)} = {value},\t/* {text} */\n"
            yield "};\n\n"
            return
        for constant, value, text in values:
            number = f"{value:#x}ULL" if value >= 2**32 else f"{value:#x}U"
            if value < 0:
                # C has no negative literals, so there's none for the smallest number.
                number = f"({value + 1}LL - 1)"
            yield f"#define {constant.ljust(width)} {number}\t/* {text} */\n"
        yield "\n"

    def members(self, struct, start, members, size):
        """Yields members and assertions. A member is its declaration, name, offset, size and alignment."""
        checks, at = [], start
        for declaration, name, offset, member_size, align in members:
            if -(-at // align) * align != offset:
                yield f"\tu8 __pad_{at}[{offset - at}];\n"
            yield f"\t{declaration};\n"
            at = offset + member_size
            checks.append(f"static_assert(offsetof(struct {struct}, {name}) == {offset});\n")
        if size is not None:
            align = max([m[4] for m in members], default=1)
            if -(-at // align) * align != size:
                yield f"\tu8 __pad_{at}[{size - at}];\n"
            checks.append(f"static_assert(sizeof(struct {struct}) == {size});\n")
        self.checks = checks

    def struct(self, struct):
        name, members = struct["c_name"], []
        ordered = sorted(struct["members"], key=lambda member: member["offset"])
        ends = [member["offset"] for member in ordered[1:]] + [struct["size"]]
        for member, end in zip(ordered, ends):
            c_type, offset = member["c_type"], member["offset"]
            base, *lengths = re.split(r"[\[\]]+", c_type.rstrip("]"))
            align = INTEGERS.get(base, 8 if base.endswith("*") else None)
            if align is None:
                # C may not know the struct.
                size = end - offset
                members.append((f"u8 {member['name']}[{size}]", member["name"], offset, size, 1))
                continue
            size = align
            for length in lengths:
                size *= int(length or 0)
            members.append((declare(c_type, member["name"]), member["name"], offset, size, align))
        yield comment((struct["doc"] or "A struct in Rust.") + f"\n\nIn Rust: {struct['name']}.")
        yield f"struct {name} {{\n"
        yield from self.members(name, 0, members, struct["size"])
        yield "};\n"
        yield from self.checks
        yield "\n"

    def record(self, event, name):
        prefix = "trace_custom_event" if event["kind"] == "custom" else "trace_event"
        name, members = f"{prefix}_raw_{name}", []
        for field in event["fields"]:
            size, c_type, member = field["size"], field["c_type"], c_name(field["name"])
            if field["dynamic"]:
                member = f"{'__rel_loc' if field['relative'] else '__data_loc'}_{member}"
                members.append((f"u32 {member}", member, field["offset"], 4, 4))
                continue
            signed = "s" if field["signed"] else "u"
            if field["kind"] == "array":
                element = field["element_size"]
                base = c_type.partition("[")[0]
                base = base if INTEGERS.get(base) == element else f"{signed}{8 * element}"
                members.append((f"{base} {member}[{field['count']}]", member, field["offset"], size, element))
            elif field["kind"] == "pointer":
                c_type = c_type if re.fullmatch(r"(const )?(void|char) \*", c_type) else "const void *"
                members.append((declare(c_type, member), member, field["offset"], 8, 8))
            elif field["kind"] == "integer":
                known = INTEGERS.get(c_type) == size
                members.append((f"{c_type if known else f'{signed}{8 * size}'} {member}", member,
                                field["offset"], size, size))
            else:
                members.append((f"u8 {member}[{size}]", member, field["offset"], size, 1))
        yield f"struct {name} {{\n\tstruct trace_entry ent;\n"
        yield from self.members(name, 8, members, None)
        yield "\tchar __data[];\n};\n"
        yield from self.checks
        yield "\n"

    def rule(self, argument):
        """Returns what the header says about an argument."""
        names = " and ".join(c_arg["name"] for c_arg in argument["c_args"])
        ty = argument["rust_type"]
        c_type = argument["c_args"][0]["c_type"]
        if argument["null"] == "empty":
            return names, "text" if ty.endswith("str") else "a slice"
        if argument["null"] == "(null)":
            return names, "a string"
        if argument["null"] == "none":
            return names, "a string, may be NULL" if "CStr" in ty else "may be NULL"
        if argument["null"] == "passed":
            return names, "unchecked"
        if argument["null"] == "ignored":
            opaque = c_type in ("void *", "const void *")
            return names, "never NULL" + (f", only for Rust: {ty}" if opaque else "")
        if argument["enum"]:
            enum = next(e for e in self.schema["enums"] if e["name"] == argument["enum"])
            name = self.enums[argument["enum"]]
            return names, f"flags, {name.upper()}_…" if enum["flags"] else f"a value of enum {name}"
        if ty == "bool":
            return names, "true or false"
        return names, f"Rust's {ty}" if not re.fullmatch(r"[ui](\d+|size)|c_\w+", ty) else None

    def tracepoint(self, tracepoint):
        name, kind = tracepoint["name"], tracepoint.get("kind", "event")
        text = [tracepoint["doc"] or name]
        rules = [self.rule(argument) for argument in tracepoint["arguments"]]
        width = max([len(names) for names, rule in rules if rule], default=0)
        if width:
            text += ["", *(f"{names.ljust(width)}  {rule}" for names, rule in rules if rule)]
        if kind in ("span", "async span"):
            text += ["", "A span: called at its begin and at its end. C can't fire it."]
        if tracepoint["condition"]:
            text += ["", f"Rust fires it only if {tracepoint['condition']}. C has to check that itself."]
        if tracepoint["faultable"]:
            text += ["", "Faultable: a probe may sleep and read user memory."]
        c_args = [c_arg for argument in tracepoint["arguments"] for c_arg in argument["c_args"]]
        if not c_args:
            yield comment("\n".join([*text, "", "It has no arguments, for which C has no macro. C can't fire it."]))
            yield (f"extern struct tracepoint __tracepoint_{name};\n\n"
                   f"static inline int register_trace_{name}(void (*probe)(void *__data), void *data)\n"
                   f"{{\n\treturn tracepoint_probe_register(&__tracepoint_{name}, (void *)probe, data);\n}}\n\n"
                   f"static inline int unregister_trace_{name}(void (*probe)(void *__data), void *data)\n"
                   f"{{\n\treturn tracepoint_probe_unregister(&__tracepoint_{name}, (void *)probe, data);\n}}\n\n")
            return
        # Rust takes any number for a `bool`. With CONFIG_CFI, both types have the same hash.
        types = ["u8" if c_arg["c_type"] == "bool" else c_arg["c_type"] for c_arg in c_args]
        # Parameters of the kernel's macro.
        proto = ", ".join(declare(c_type, c_name(c_arg["name"])) for c_type, c_arg in zip(types, c_args))
        args = ", ".join(c_name(c_arg["name"]) for c_arg in c_args)
        macro = "DECLARE_TRACE_EVENT_SYSCALL" if tracepoint["faultable"] else "DECLARE_TRACE_EVENT"
        yield comment("\n".join(text))
        yield f"{macro}({name},\n\tTP_PROTO({proto}),\n\tTP_ARGS({args}));\n\n"

    def text(self):
        schema, guard = self.schema, f"_{self.prefix.upper()}_TRACE_H"
        yield "/* SPDX-License-Identifier: GPL-2.0 */\n"
        yield comment("The tracepoints and events of " + ", ".join(schema["modules"]) + ", for C.")
        yield f"#ifndef {guard}\n#define {guard}\n\n"
        yield RULES + "\n"
        for header in ("build_bug", "stddef", "trace_events", "tracepoint", "types"):
            yield f"#include <linux/{header}.h>\n"
        yield "\n"
        fired = [event for event in schema["events"] if event["kind"] != "custom"] + schema["tracepoints"]
        types = [c_arg["c_type"] for item in fired for argument in item["arguments"] for c_arg in argument["c_args"]]
        types += [member["c_type"] for struct in schema["structs"] for member in struct["members"]]
        own = {struct["c_name"] for struct in schema["structs"]}
        found = {name for text in types for name in re.findall(r"struct (\w+) (?:const )?\*", text)}
        for name in sorted(found - own):
            yield f"struct {name};\n"
        if found - own:
            yield "\n"
        for enum in schema["enums"]:
            yield from self.enum(enum)
        for struct in schema["structs"]:
            yield from self.struct(struct)
        classes = set()
        for event in schema["events"]:
            key = (event["module"], event["kind"] == "custom", event["class"])
            if key not in classes:
                classes.add(key)
                yield comment(f"A record of {event['system']}:{event['class']}"
                              + (", of which there are several events." if event["class"] != event["name"] else "."))
                yield from self.record(event, event["class"])
        names = set()
        for item in fired:
            if item["name"] not in names:
                names.add(item["name"])
                yield from self.tracepoint(item)
        yield f"#endif /* {guard} */\n"


def header(schema):
    return "".join(Header(schema).text())
