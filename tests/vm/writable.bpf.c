// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that change the first argument of an event, built once for each macro of
 * tests/vm/perf.sh.
 */

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "GPL";

#ifdef LIMIT
SEC("raw_tp.w/perf_limit")
int limit(struct bpf_raw_tracepoint_args *ctx)
{
	unsigned int *limit = (void *)ctx->args[0];

	if ((unsigned int)ctx->args[1] == 1 && *limit > 5)
		*limit = 5;
	return 0;
}
#endif

#ifdef BYTES
SEC("raw_tp.w/perf_bytes")
int bytes(struct bpf_raw_tracepoint_args *ctx)
{
	char *bytes = (void *)ctx->args[0];

	bytes[0] = bytes[7];
	bytes[7] = '!';
	return 0;
}
#endif

/* More than there is. */
#ifdef TOO_FAR
SEC("raw_tp.w/perf_limit")
int too_far(struct bpf_raw_tracepoint_args *ctx)
{
	unsigned int *limit = (void *)ctx->args[0];

	limit[1] = 0;
	return 0;
}
#endif

/* The first argument isn't a pointer. */
#ifdef NUMBER
SEC("raw_tp.w/perf_counted")
int number(struct bpf_raw_tracepoint_args *ctx)
{
	*(char *)ctx->args[0] = 0;
	return 0;
}
#endif

/* This event has two arguments. */
#ifdef ARGUMENT
SEC("raw_tp/perf_limit")
int argument(struct bpf_raw_tracepoint_args *ctx)
{
	return ctx->args[2] & 1;
}
#endif

/* This event's first argument can only be read. */
#ifdef READ_ONLY
SEC("raw_tp.w/perf_fixed")
int read_only(struct bpf_raw_tracepoint_args *ctx)
{
	*(char *)ctx->args[0] = 0;
	return 0;
}
#endif
