/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM span_bench_c

#if !defined(_SPAN_BENCH_C_H) || defined(TRACE_HEADER_MULTI_READ)
#define _SPAN_BENCH_C_H

#include <linux/tracepoint.h>

/* The fields that a span in Rust records. */
TRACE_EVENT(span_bench_c,
	TP_PROTO(char type, u64 id, u64 duration, int result, unsigned int n),
	TP_ARGS(type, id, duration, result, n),
	TP_STRUCT__entry(
		__field(	char,		track_event_type	)
		__string(	slice_name,	"span_bench_c"		)
		__field(	u64,		id			)
		__field(	u64,		duration		)
		__field(	int,		result			)
		__field(	unsigned int,	n			)
	),
	TP_fast_assign(
		__entry->track_event_type	= type;
		__assign_str(slice_name);
		__entry->id			= id;
		__entry->duration		= duration;
		__entry->result			= result;
		__entry->n			= n;
	),
	TP_printk("%c #%llu n=%u [%llu ns, %d]", __entry->track_event_type, __entry->id,
		  __entry->n, __entry->duration, __entry->result)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE span_bench_c
#include <trace/define_trace.h>
