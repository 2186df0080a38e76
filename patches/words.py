# SPDX-License-Identifier: GPL-2.0

"""What the library says of features that the kernel doesn't have, and what it says there instead."""

# By file: expressions, each of which matches once, and replacements.
WORDS = {
    "base/point.rs": [
        (r"`\]\(macro@crate::tracepoint\) or\n/// \[`kernel_tracepoint!`\]\(crate::kernel_tracepoint!\)\.",
         "`](macro@crate::tracepoint)."),
        (r'    label = "is a span, or .*?\n    note = .*?\n', '    label = "is not declared with `tracepoint!` or `trace_event!`"\n'),
        (r", and spans are\n/// begun with \[`span!`\]\(crate::span\)\.", "."),
        (r" Spans are begun with\n.*?The value is", " The value is"),
    ],
    "base/text.rs": [(r", so\n//! `tests/host/` runs it on the build machine\.", ".")],
    "base/event/symbols.rs": [(": derive `TraceEnum` or `TraceFlags`", "")],
    "base/event/field/mod.rs": [(r"//!\n//! In the source tree, .*?themselves\.\n", "")],
    "base/event/field/fixed.rs": [
        (r" with \[`#\[derive\(TraceStruct\)\]`\]\(crate::event::TraceStruct\)\.", "."),
        (r"/// A type that can be a member of a struct in the record\..*?no_padding<.*?\n\n", ""),
    ],
    "base/event/field/traits.rs": [
        (r"`Struct<T>` if `T` is \\.*?`Option` of some of these", r"or `Struct<T>` if `T` is \\\n            `Copy` and `AsBytes`"),
        (r',\n    note = "for an enum of your own, [^\n]*', ""),
    ],
    "macros/grammar.rs": [
        (r"//! kernel_tracepoint![^\n]*\n", ""),
        (r"//! trace_custom_event![^\n]*\n", ""),
        (r' \| kind\] "fn"', '] "fn"'),
        (r"//! kind [^\n]*\n", ""),
        (r'print \[with\] ";"', 'print ";"'),
        (r'print \[with\] "events"', 'print "events"'),
        (r'\["print" print\] \[with\] ";"', '["print" print] ";"'),
        (r"//! with [^\n]*\n", ""),
    ],
    "macros/model.rs": [
        (r", and how a layer changes it\.", "."),
        (r" Layers have kinds of their own: see \[`layers`\]\(crate::layers\)\.", ""),
    ],
    "macros/value.rs": [(r": tables, and whatever features add\.", ".")],
}
