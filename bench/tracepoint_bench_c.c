// SPDX-License-Identifier: GPL-2.0
/*
 * What a tracepoint costs in C: the peer of tracepoint_bench.rs. Loading it
 * measures.
 */
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/tracepoint.h>

DECLARE_TRACE_EVENT(bench_c,
	TP_PROTO(unsigned int n, void *ptr),
	TP_ARGS(n, ptr));
DEFINE_TRACE(bench_c, TP_PROTO(unsigned int n, void *ptr), TP_ARGS(n, ptr));

#define ROUNDS 1000

static unsigned int loop;
static u64 last, ids[8];

static void probe(void *id, unsigned int n, void *ptr)
{
	WRITE_ONCE(last, n ^ *(u64 *)id);
}

static noinline u64 empty(void *ptr)
{
	u64 start = ktime_get_ns();

	for (unsigned int n = 0; n < ROUNDS; n++)
		WRITE_ONCE(loop, n);
	return ktime_get_ns() - start;
}

static noinline u64 fire(void *ptr)
{
	u64 start = ktime_get_ns();

	for (unsigned int n = 0; n < ROUNDS; n++) {
		WRITE_ONCE(loop, n);
		trace_bench_c(n, ptr);
	}
	return ktime_get_ns() - start;
}

static void measure(const char *what, void *ptr)
{
	u64 base = U64_MAX, ns = U64_MAX;

	/* An interrupt can come in between, but not always. */
	for (int i = 0; i < 20; i++) {
		ns = min(ns, fire(ptr));
		base = min(base, empty(ptr));
	}
	ns -= base;

	pr_info("tracepoint_bench_c: C %s %llu.%03llu\n", what, ns / ROUNDS, ns % ROUNDS * 1000 / ROUNDS);
}

static int __init bench_init(void)
{
	static const char *const names[] = { "1", "2", "3", "4", "5", "6", "7", "8" };
	unsigned int i;

	measure("disabled", &last);
	for (i = 0; i < 8; i++) {
		register_trace_bench_c(probe, &ids[i]);
		if (i == 0 || i == 1 || i == 3 || i == 7)
			measure(names[i], &last);
	}
	for (i = 0; i < 8; i++)
		unregister_trace_bench_c(probe, &ids[i]);
	tracepoint_synchronize_unregister();
	return 0;
}

static void __exit bench_exit(void)
{
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("What a tracepoint costs in C");
MODULE_LICENSE("GPL");
