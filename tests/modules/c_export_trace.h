/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM c_export

#if !defined(_C_EXPORT_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _C_EXPORT_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(c_exported,
	TP_PROTO(const char *name, int n, struct task_struct *task__nullable),
	TP_ARGS(name, n, task__nullable),
	TP_STRUCT__entry(
		__string(name, name)
		__field(int, n)
		__field(pid_t, pid)
	),
	TP_fast_assign(
		__assign_str(name);
		__entry->n = n;
		__entry->pid = task__nullable ? task__nullable->pid : -1;
	),
	TP_printk("%s %d %d", __get_str(name), __entry->n, __entry->pid)
);

/* Negative numbers become unsigned longs. */
TRACE_EVENT(c_signed,
	TP_PROTO(int mode, short state),
	TP_ARGS(mode, state),
	TP_STRUCT__entry(
		__field(int, mode)
		__field(short, state)
	),
	TP_fast_assign(
		__entry->mode = mode;
		__entry->state = state;
	),
	TP_printk("mode=%s state=%s",
		__print_flags(__entry->mode, "|", { 1, "R" }, { 2, "W" }),
		__print_symbolic(__entry->state, { -1, "NONE" }, { 0, "IDLE" }))
);

/* Bytes in all sizes. */
TRACE_EVENT(c_dump,
	TP_PROTO(const u8 *data),
	TP_ARGS(data),
	TP_STRUCT__entry(
		__array(u8, data, 40)
		__dynamic_array(u16, list, 7)
	),
	TP_fast_assign(
		memcpy(__entry->data, data, 40);
		memcpy(__get_dynamic_array(list), data, 14);
	),
	TP_printk("whole%s part%s list%s %s %s",
		__print_hex_dump("c: ", DUMP_PREFIX_OFFSET, 32, 4, __entry->data, 40, false),
		__print_hex_dump("", DUMP_PREFIX_NONE, 16, 2, __entry->data, 20, true),
		__print_hex_dump("l ", DUMP_PREFIX_OFFSET, 16, 8, __get_dynamic_array(list),
				 __get_dynamic_array_len(list), true),
		__print_array(__entry->data, 5, 8),
		__print_array(__get_dynamic_array(list), 3, 4))
);

DECLARE_TRACE_EVENT_CONDITION(c_conditional,
	TP_PROTO(int n),
	TP_ARGS(n),
	TP_CONDITION(n != 0));

/* define_trace.h doesn't define it. */
#ifndef TRACE_HEADER_MULTI_READ
DECLARE_TRACE_EVENT_SYSCALL(c_faultable,
	TP_PROTO(unsigned long n),
	TP_ARGS(n));
#endif

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE c_export_trace
#include <trace/define_trace.h>
