# SPDX-License-Identifier: GPL-2.0

"""The patches of the series, in their order. NAME.txt has the message of each."""

from patch import Edit, Patch, Remove, after, files, text

BINDER = "drivers/android/binder"

ENTRIES = {
    "tracepoint": "Declares tracepoints. See [`kernel::trace`](../kernel/trace/index.html).",
    "define_trace": "Defines tracepoints that `tracepoint!` declares.",
    "export_tracepoint_symbol_gpl": "Exports tracepoints to modules with a GPL-compatible licence.",
    "trace_event": "Declares and defines trace events. See [`kernel::trace`](../kernel/trace/index.html).",
}

# A notifier for probes.
OWNERS = """/*
 * Called when a module is unloaded, before the other module notifiers, for
 * probes that belong to it. It has a list of its own so that probes can be
 * registered in module notifiers, where KUnit runs the tests of modules.
 */
static BLOCKING_NOTIFIER_HEAD(tracepoint_owner_notify_list);

int register_tracepoint_owner_notifier(struct notifier_block *nb)
{
	return blocking_notifier_chain_register(&tracepoint_owner_notify_list, nb);
}
EXPORT_SYMBOL_GPL(register_tracepoint_owner_notifier);

int unregister_tracepoint_owner_notifier(struct notifier_block *nb)
{
	return blocking_notifier_chain_unregister(&tracepoint_owner_notify_list, nb);
}
EXPORT_SYMBOL_GPL(unregister_tracepoint_owner_notifier);

static int tracepoint_owner_notify(struct notifier_block *self,
				   unsigned long val, void *data)
{
	if (val == MODULE_STATE_GOING)
		blocking_notifier_call_chain(&tracepoint_owner_notify_list, val, data);
	return NOTIFY_OK;
}

static struct notifier_block tracepoint_owner_nb = {
	.notifier_call = tracepoint_owner_notify,
	.priority = INT_MAX,
};

static __init int init_tracepoint_owners(void)
{
	return register_module_notifier(&tracepoint_owner_nb);
}
early_initcall(init_tracepoint_owners);

"""

SAMPLE = """config SAMPLE_RUST_TRACE_EVENTS
	tristate "Trace events"
	depends on EVENT_TRACING && RUST_TRACEPOINTS
	help
	  This option builds the Rust trace events sample.

	  To compile this as a module, choose M here:
	  the module will be called rust_trace_events.

	  If unsure, say N.

"""


TRACEPOINTS = """# Not compiled for other architectures yet.
config RUST_TRACEPOINTS
	def_bool RUST && TRACEPOINTS && (X86_64 && !UML || ARM64 || 64BIT && RISCV)
	depends on !CPU_BIG_ENDIAN

"""


BTF = """# pahole ignores what rustc says about types, so those of tracepoints are added in C.
ifdef CONFIG_DEBUG_INFO_BTF
rust_btf := $(srctree)/scripts/rust-btf.sh
cmd_rust_btf = ; $(CONFIG_SHELL) $(rust_btf) $@ $(CC) $(filter-out -Wp$(comma)% $(CFLAGS_GCOV),$(c_flags))
endif

"""


def entry(name, attribute="proc_macro", function=None):
    """Returns the entry point of a macro."""
    function = function or name
    return f"""
/// {ENTRIES.get(name, "Lets a reference to the type be an argument of a tracepoint.")}
#[{attribute}]
pub fn {function}(input: TokenStream) -> TokenStream {{
    trace::{function}(input.into()).into()
}}
"""


def layout(name):
    """Returns the removal of a table of offsets."""
    return Edit(f"{BINDER}/{name}.rs",
                r"(?:^use [\w:]*\b(?:offset_of|rb_\w+_layout);\n){2}^pub\(crate\) const \w+_LAYOUT.*?^};\n\n", "")


def fires(name, arguments):
    """Returns the new body of a function that fires an event of binder's."""
    return Edit(f"{BINDER}/trace.rs", rf"^(pub\(crate\) fn trace_{name}\([^{{]*\{{\n).*?^}}",
                rf"\1    trace!(binder_{name}({arguments}));\n}}")


def owned(names, *more):
    """Returns lines for MAINTAINERS."""
    paths = [f"rust/{name}" for name in names.split()]
    return "".join(f"F:\t{path}\n" for path in [*paths, *more])


SERIES = [
    Patch(
        "owners",
        edits=[
            Edit("include/linux/tracepoint.h", r"^extern int unregister_tracepoint_module_notifier[^\n]*\n",
                 r"\g<0>int register_tracepoint_owner_notifier(struct notifier_block *nb);\n"
                 r"int unregister_tracepoint_owner_notifier(struct notifier_block *nb);\n"),
            Edit("kernel/tracepoint.c", r"^static struct notifier_block tracepoint_module_nb", OWNERS + r"\g<0>"),
        ],
    ),
    Patch(
        "helpers",
        own=["rust/helpers/tracepoint.c"],
        edits=[
            after("rust/helpers/helpers.c", '#include "time.c"', '#include "tracepoint.c"\n'),
            Edit("rust/bindings/bindings_helper.h", "^#include <linux/tracepoint.h>\n",
                 "#include <linux/trace_events.h>\n#include <linux/trace_seq.h>\n\\g<0>"),
        ],
    ),
    Patch("text", library=files("base", "text event/shape event/spec event/show")),
    Patch("tables", library=files("base", "event/errno event/symbols event/template")),
    Patch(
        "macros-arguments",
        library=files("base", "integers") + files("macros", "args derive diag tokens types"),
        own=files("rust/macros/trace", "place"),
    ),
    Patch("macros-grammar", library=files("macros", "grammar model print"), own=files("rust/macros/trace", "layers")),
    Patch("macros-fields", library=files("macros", "field record tables value")),
    Patch("macros-templates", library=files("macros", "compiler origin template")),
    Patch(
        "macros",
        library=files("macros", "event expand tracepoint"),
        own=["rust/macros/trace.rs", *files("rust/macros/trace", "arch define nop")],
        edits=[
            Edit("init/Kconfig", r"(^config TRACEPOINTS\n(?:\t[^\n]*\n)*\n)", r"\1" + TRACEPOINTS),
            after("rust/macros/lib.rs", "mod paste;", "mod trace;\n"),
            Edit("rust/macros/lib.rs", r"\Z", "".join(map(entry, ENTRIES))
                 + entry("", "proc_macro_derive(TracepointArg)", "derive_tracepoint_arg")),
        ],
    ),
    Patch(
        "tracepoints",
        library=files("base", "point shared"),
        own=["rust/kernel/trace.rs", *files("rust/kernel/trace", "arch args bindings define guard identity probe")],
        later=["text"],
        edits=[
            Edit("rust/kernel/lib.rs", "^pub mod tracepoint;\n",
                 "#[cfg(CONFIG_RUST_TRACEPOINTS)]\npub mod trace;\n\\g<0>"),
        ],
    ),
    Patch(
        "nop",
        own=files("rust/kernel/trace", "nop"),
        edits=[
            after("rust/kernel/lib.rs", "pub mod trace;",
                  "#[cfg(not(CONFIG_RUST_TRACEPOINTS))]\n#[path = \"trace/nop.rs\"]\npub mod trace;\n"),
        ],
    ),
    Patch("fields", library=files("base", "event/field/mod event/field/dynamic event/field/fixed event/field/macros "
                                  "event/field/room event/field/traits")),
    Patch(
        "events",
        library=files("base", "event/class event/print event/record"),
        own=["rust/kernel/trace.rs", *files("rust/kernel/trace", "event")],
        edits=[Edit("rust/kernel/trace/arch.rs", r"\Z", "\n" + text("arch.rs"))],
    ),
    Patch(
        "btf",
        own=["scripts/rust-btf.sh"],
        edits=[
            Edit("scripts/Makefile.build", r"^quiet_cmd_rustc_o_rs ", BTF + r"\g<0>"),
            Edit("scripts/Makefile.build", r"(cmd_ld_single\)\)) \\\n\t\$\(cmd_objtool\)\n\ndefine rule_rustc_o_rs",
                 r"\1 \\\n\t$(cmd_rust_btf) $(cmd_objtool)\n\ndefine rule_rustc_o_rs"),
            Edit("scripts/Makefile.build", r"(\.rs) (FORCE\n\t\+\$\(call if_changed_rule,rustc_o_rs\))",
                 r"\1 $(if $(KBUILD_EXTMOD),,$(rust_btf)) \2"),
            after("tools/objtool/klp-diff.c", '\t\t".discard.addressable",', '\t\t".discard.btf_trace",\n'),
        ],
    ),
    Patch(
        "samples",
        own=["samples/rust/rust_trace_events.rs"],
        edits=[
            Edit("samples/rust/Kconfig", "^config SAMPLE_RUST_PRINT\n", SAMPLE + "\\g<0>"),
            after("samples/rust/Makefile", "obj-$(CONFIG_SAMPLE_RUST_SOC)\t\t\t+= rust_soc.o",
                  "obj-$(CONFIG_SAMPLE_RUST_TRACE_EVENTS)\t+= rust_trace_events.o\n"),
        ],
    ),
    Patch(
        "documentation",
        own=["Documentation/trace/tracepoints-rust.rst"],
        edits=[
            after("Documentation/trace/index.rst", "   tracepoint-analysis", "   tracepoints-rust\n"),
            Edit("Documentation/rust/index.rst", "^You can also find",
                 "To trace a driver, see :doc:`../trace/tracepoints-rust`.\n\n\\g<0>"),
            Edit("MAINTAINERS", "^F:\trust/kernel/tracepoint.rs\n", owned("helpers/tracepoint.c kernel/trace.rs kernel/trace/")
                 + r"\g<0>" + owned("macros/trace.rs macros/trace/", "samples/rust/rust_trace_events.rs", "scripts/rust-btf.sh")),
        ],
    ),
    Patch(
        "binder",
        edits=[
            Edit(f"{BINDER}/trace.rs", r"^use crate::transaction.*?^}\n\n(?=#\[inline\]\nfn to_errno)", text("binder.rs") + "\n"),
            fires("ioctl", "cmd, arg"),
            *[fires(name, "to_errno(ret)") for name in ("ioctl_done", "read_done", "write_done")],
            fires("wait_for_work", "proc_work, transaction_stack, thread_todo"),
            fires("transaction", "reply, t, thread"),
            fires("transaction_received", "t"),
            *[fires(name, "t_debug_id as i32, fd as i32, offset") for name in ("transaction_fd_send", "transaction_fd_recv")],
            fires("command", "cmd"),
            fires("return", "ret"),
            Edit(f"{BINDER}/Makefile", r"^ccflags-y[^\n]*\n\n", ""),
            Edit(f"{BINDER}/Makefile", r"(rust_binderfs\.o)\t\t\\\n\trust_binder_events\.o", r"\1"),
            layout("node"),
            layout("process"),
            layout("transaction"),
            Edit(f"{BINDER}/rust_binder_main.rs", r"^use kernel::bindings::rust_binder_layout;\n#\[no_mangle\]\n.*?^};\n\n", ""),
            Edit(f"{BINDER}/rust_binder.h", r"^/\*\n \* The internal data types in.*?(?=^#endif)", ""),
            Edit("rust/bindings/bindings_helper.h", r'^#include "[^"]*/rust_binder_events.h"\n', ""),
            Edit(f"{BINDER}/transaction.rs", r"^pub\(crate\) struct Transaction \{\n", r"#[derive(kernel::trace::TracepointArg)]\n\g<0>"),
            Edit(f"{BINDER}/transaction.rs", r"^    (target_node: Option<DArc<Node>>,\n    pub\(crate\) from_parent)", r"    pub(crate) \1"),
            Edit(f"{BINDER}/transaction.rs", r"^    (code: u32,\n    pub\(crate\) flags)", r"    pub(crate) \1"),
            Edit(f"{BINDER}/stats.rs", r"\nmod strings \{.*?^\}\nuse strings::[^;]*;\n", ""),
            Edit(f"{BINDER}/stats.rs", r"^use crate::defs::\*;", "use crate::defs::*;\nuse crate::trace::{BC_NAMES, BR_NAMES};"),
            Edit(f"{BINDER}/stats.rs", r"command_string\(i\)", "BC_NAMES[i]"),
            Edit(f"{BINDER}/stats.rs", r"return_string\(i\)", "BR_NAMES[i]"),
            *[after(f"{BINDER}/defs.rs", f"    {last},", "".join(f"    {name},\n" for name in names.split()))
              for last, names in (("BR_CLEAR_FREEZE_NOTIFICATION_DONE", "BR_ACQUIRE_RESULT BR_ATTEMPT_ACQUIRE BR_FINISHED"),
                                  ("BC_FREEZE_NOTIFICATION_DONE", "BC_ACQUIRE_RESULT BC_ATTEMPT_ACQUIRE"))],
            Edit(f"{BINDER}/stats.rs", "^const BC_COUNT", "pub(crate) const BC_COUNT"),
            Edit(f"{BINDER}/stats.rs", "^const BR_COUNT", "pub(crate) const BR_COUNT"),
            Remove(f"{BINDER}/rust_binder_events.c"),
            Remove(f"{BINDER}/rust_binder_events.h"),
        ],
    ),
]
