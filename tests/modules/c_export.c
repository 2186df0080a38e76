// SPDX-License-Identifier: GPL-2.0
/*
 * Defines tracepoints in C and exports them.
 */
#include <linux/module.h>
#include <linux/sched.h>

#define CREATE_TRACE_POINTS
#include "c_export_trace.h"

DEFINE_TRACE_SYSCALL(c_faultable, NULL, NULL,
	TP_PROTO(unsigned long n),
	TP_ARGS(n));
EXPORT_TRACEPOINT_SYMBOL_GPL(c_exported);
EXPORT_TRACEPOINT_SYMBOL(c_faultable);
EXPORT_TRACEPOINT_SYMBOL_GPL(c_conditional);
EXPORT_TRACEPOINT_SYMBOL_GPL(c_signed);
EXPORT_TRACEPOINT_SYMBOL_GPL(c_dump);

MODULE_DESCRIPTION("Exported tracepoints in C");
MODULE_LICENSE("GPL");
