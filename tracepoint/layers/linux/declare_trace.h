/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included before the headers in prototypes.h and tracepoint-headers: what is left
 * of a tracepoint for Rust. That is its prototype, as the declaration of
 * `__traceiter_NAME`, and in `__traceinfo_NAME` its system and the condition to fire
 * it. The inline functions are for other inline functions that call them.
 */
#include <linux/stringify.h>
#include <linux/tracepoint.h>

#undef __DECLARE_TRACE
#define __DECLARE_TRACE(name, proto, args, cond, data_proto)			\
	extern int __traceiter_##name(data_proto);				\
	static const char __traceinfo_##name[] =				\
		__stringify(TRACE_SYSTEM) ": " #cond;				\
	static inline void trace_##name(proto) {}				\
	static inline void trace_call__##name(proto) {}				\
	static inline bool trace_##name##_enabled(void) { return false; }

#undef __DECLARE_TRACE_SYSCALL
#define __DECLARE_TRACE_SYSCALL(name, proto, args, data_proto)			\
	__DECLARE_TRACE(name, PARAMS(proto), PARAMS(args), faultable, PARAMS(data_proto))
