// SPDX-License-Identifier: GPL-2.0
/*
 * Probes a tracepoint that reloads.rs defines, and fires it. The parameter "calls" is the number of calls with the
 * arguments that are expected.
 */
#include <linux/module.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

DECLARE_TRACE_EVENT(reloads_opening, TP_PROTO(u32 n, const char *name), TP_ARGS(n, name));

static unsigned int calls;
module_param(calls, uint, 0444);
MODULE_PARM_DESC(calls, "number of calls with the expected arguments");

static void probe(void *data, u32 n, const char *name)
{
	calls += n == 7 && !strcmp(name, "reloads");
}

static int __init c_probe_init(void)
{
	int error = register_trace_reloads_opening(probe, NULL);

	if (!error)
		trace_reloads_opening(7, "reloads");
	return error;
}

static void __exit c_probe_exit(void)
{
	unregister_trace_reloads_opening(probe, NULL);
	/* Unlike that of the init function, this call stays in the module. */
	trace_reloads_opening(8, "reloads");
	tracepoint_synchronize_unregister();
}

module_init(c_probe_init);
module_exit(c_probe_exit);
MODULE_DESCRIPTION("Probes a tracepoint of a module in Rust");
MODULE_LICENSE("GPL");
