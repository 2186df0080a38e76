# SPDX-License-Identifier: GPL-2.0

"""Edits that remove what the library's files say and do about features that the kernel doesn't have."""

# By file: expressions, each of which matches once, and replacements.
WORDS = {
    "base/point.rs": [
        (r"`\]\(macro@crate::tracepoint\) or\n/// \[`kernel_tracepoint!`\]\(crate::kernel_tracepoint!\)\.",
         "`](macro@crate::tracepoint)."),
        (r'    label = "is a span, or .*?\n    note = .*?\n', '    label = "is not declared with `tracepoint!` or `trace_event!`"\n'),
        (r", and spans are\n/// begun with \[`span!`\]\(crate::span\)\.", "."),
        (r" Spans are begun with\n.*?The value is", " The value is"),
        (r"\(crate::event::trace_event\)", "(macros::trace_event)"),
        (r"/// # tracepoint! \{ fn (.*?) }\n(/// # define_trace!\(drv_fired\);\n)",
         r"/// # mod drv {\n/// # use kernel::trace::*;\n/// # tracepoint! { pub fn \1 }\n\2/// # }\n"
         r"/// # use {drv::drv_fired, kernel::trace};\n"),
    ],
    "base/text.rs": [(r", so\n//! `tests/host/` runs it on the build machine\.", ".")],
    "base/event/show.rs": [("a `DevT` or a `u32`", "a `u32`")],
    "base/event/symbols.rs": [(": derive `TraceEnum` or `TraceFlags`", "")],
    "base/event/record.rs": [
        (r"// `arch` doesn't use the generated bindings, [^\n]*\n[^\n]*\n[^\n]*\n\n", ""),
        (r"arch::perf_fetch_regs\(.*?\n        \);\n",
         "generated::perf_trace_submit(record.cast(), size, rctx, call, count, regs, probe as usize);\n"),
    ],
    "base/event/field/mod.rs": [
        (r"//!\n//! In the source tree, .*?themselves\.\n", ""),
        ("^mod elements;\n", ""),
        (r"^pub use elements::\*;\n", ""),
    ],
    "base/event/field/fixed.rs": [
        (r"(pub unsafe trait AsIs: Field<Slot = Self>) {}", r"\1 + Copy {}"),
        (r"(pub unsafe trait Scalar: Field<Slot = Self>) {}", r"\1 + Copy {}"),
        (r" with \[`#\[derive\(TraceStruct\)\]`\]\(crate::event::TraceStruct\)\.", "."),
        (r"/// A type that can be a member of a struct in the record\..*?no_padding<.*?\n\n", ""),
    ],
    "base/event/field/traits.rs": [
        (r"`Struct<T>` if `T` is \\.*?`Option` of some of these", r"or `Struct<T>` if `T` is \\\n            `Copy` and `AsBytes`"),
        (r',\n    note = "for an enum of your own, [^\n]*', ""),
    ],
    "macros/grammar.rs": [
        (r"//! kernel_tracepoint![^\n]*\n", ""),
        (r' \[ "\{" "reg" [^\n]*? \] "," ', ' "," '),
        (r"^const HOOKS: [^\n]*\n", ""),
        (r"        let mut hooks = .*?Ok\(Self \{ path, hooks }\)", "        Ok(Self { path })"),
        (r"//! trace_custom_event![^\n]*\n", ""),
        (r' \| kind\] "fn"', '] "fn"'),
        (r"//! kind [^\n]*\n", ""),
        (r'print \[with\] ";"', 'print ";"'),
        (r'print \[with\] "events"', 'print "events"'),
        (r'\["print" print\] \[with\] ";"', '["print" print] ";"'),
        (r"//! with [^\n]*\n", ""),
    ],
    "base/event/class.rs": [
        (r" Layers can have their own\.", ""),
        (r"/// How probes are registered if a hook can refuse that\..*?\n}\n\n", ""),
    ],
    "macros/model.rs": [
        (r", of an event with hooks or without\.", "."),
        (r"registers: fn\(bool\)", "registers: fn()"),
        (r"\|has_hooks\| match has_hooks \{.*?\n    }", "|| quote!(())"),
        (r"    /// As in \[`With`\]\.\n    pub\(crate\) hooks: TokenStream,\n", ""),
        (r"    /// The items of its `Hooks`\.\n    pub\(crate\) hooks: TokenStream,\n", ""),
        (r"srctree/tracepoint/base/point\.rs", "srctree/rust/kernel/trace/point.rs"),
        (r", and how a layer changes it\.", "."),
        (r" Layers have kinds of their own: see \[`layers`\]\(crate::layers\)\.", ""),
    ],
    "macros/value.rs": [
        (r": tables, and whatever features add\.", "."),
        (r' or \\\n *`print_flags\(value, Type\)`"', '"'),
        (r' or \\\n *`print_symbolic\(value, Type\)`"', '"'),
    ],
    "base/event/shape.rs": [
        (r"    /// The number, in the description, of the type whose names it or its elements have, or 0\.",
         "    /// The number of the type whose names it or its elements have, or 0."),
        (r" is the number of the type in the description, or 0\.", " is the number of the type, or 0."),
    ],
    "macros/derive.rs": [
        (r"// SAFETY: Nothing but this module can fire or probe a tracepoint with the type\.",
         "// SAFETY: `At` is the type itself with another lifetime, which `__check` has proved to be a shorter one. C code "
         "that\n            // fires a tracepoint passes a pointer to such a struct."),
    ],
    "macros/event.rs": [(r"`base/event/record\.rs`", "`kernel/trace/event/record.rs`")],
    "macros/expand.rs": [
        (r"/// Refuses an event whose name another one in the crate has\..*?\n}\n\n", ""),
        (r"        let names = class\.events\.iter.*?;\n.*?declared\).*?;\n", ""),
        (r"use std::\{.*?\n};\n", ""),
        (r"\bdiag, ", ""),
    ],
    "macros/origin.rs": [
        (r" Layers have origins of their own\.", ""),
        (r"            hooks: with\.hooks\.clone\(\),\n", ""),
        (r"        let mut events = class\.events\.iter\(\);\n.*?;\n", ""),
        (r"registers\)\(has_hooks\)", "registers)()"),
        (r"(fn tracepoint\(&self, declaration: &Tracepoint, )with(: &With\) -> Result<Expansion> \{)", r"\1_\2"),
        (r" It's `static` in C and local here, but still takes the\n/// place of a function of the kernel with the same name\.",
         " It's `static` in C."),
    ],
    "macros/print.rs": [(r"such as `major = dev >> 20` or \\\n *`state", "such as \\\\\n                                `state")],
    "macros/record.rs": [
        (r"        // `elements\(\)` needs it,.*? as _;\n", ""),
        (r" or call `elements\(\)`", ""),
        (r", or as `Str` or `DynArray`", ", or as `Str`"),
        (r"`base/event/record\.rs`", "`kernel/trace/event/record.rs`"),
        (r"A span has to know whether its begin has been recorded, which", "Some kinds have to know whether it has been recorded, which"),
    ],
    "macros/template.rs": [
        (r'format!\(\n *"a placeholder can only contain a name: write `\{\{x\}\}`, and `x = \{name\}` after the \\\n *template"\n *\)',
         '"a placeholder can only contain the name of a field".to_owned()'),
    ],
    "macros/tracepoint.rs": [
        (r"    let is_checked = [^\n]*\n", ""),
        (r"            const CHECKED: [^\n]*\n", ""),
        (r" If\n        // `CHECKED`, that comes from the header in C, or the compiler has compared both\.", ""),
        (r" One that could panic, or call something of the driver's, is in\n/// a function of its own, whose name `check-events` looks for\.", ""),
        (r"Calls every probe: the target of the static call while there are several\.", "Calls every probe."),
    ],
}
