// SPDX-License-Identifier: GPL-2.0
/*
 * Defines a tracepoint in C and fires it on a write to the parameter "fire".
 */
#include <linux/module.h>
#include <linux/tracepoint.h>

DECLARE_TRACE_EVENT(c_event,
	TP_PROTO(int n, const char *text),
	TP_ARGS(n, text));
DEFINE_TRACE(c_event,
	TP_PROTO(int n, const char *text),
	TP_ARGS(n, text));

static int fire(const char *text, const struct kernel_param *param)
{
	trace_c_event(-5, text);
	trace_c_event(-6, NULL);
	return 0;
}

static const struct kernel_param_ops fire_ops = {
	.set = fire,
};
module_param_cb(fire, &fire_ops, NULL, 0200);
MODULE_PARM_DESC(fire, "the text to pass to the tracepoint");
MODULE_DESCRIPTION("Tracepoint in C");
MODULE_LICENSE("GPL");
