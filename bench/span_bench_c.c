// SPDX-License-Identifier: GPL-2.0
/*
 * Measures the cost of a span in C, where it's an event that is fired twice: the
 * counterpart of span_bench.rs. Loading the module runs the benchmark.
 */
#include <linux/ktime.h>
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "span_bench_c.h"

#define ROUNDS 1000

static unsigned int loop;
static atomic64_t last_id;

static noinline u64 empty(void)
{
	u64 start = ktime_get_ns();

	for (unsigned int n = 0; n < ROUNDS; n++)
		WRITE_ONCE(loop, n);
	return ktime_get_ns() - start;
}

static noinline u64 fire(void)
{
	u64 start = ktime_get_ns();

	for (unsigned int n = 0; n < ROUNDS; n++) {
		u64 id = 0, begin = 0;

		if (trace_span_bench_c_enabled()) {
			id = atomic64_inc_return(&last_id);
			begin = ktime_get_mono_fast_ns();
			trace_span_bench_c('B', id, 0, 0, n);
		}
		WRITE_ONCE(loop, n);
		if (id) {
			u64 duration = ktime_get_mono_fast_ns() - begin;

			trace_span_bench_c('E', id, max(duration, 1), 0, n);
		}
	}
	return ktime_get_ns() - start;
}

static int __init bench_init(void)
{
	u64 base = U64_MAX, ns = U64_MAX;

	/* Interrupts disturb only some of the runs. */
	for (int i = 0; i < 20; i++) {
		ns = min(ns, fire());
		base = min(base, empty());
	}
	ns -= base;
	pr_info("span_bench_c: C %s %llu.%03llu\n",
		trace_span_bench_c_enabled() ? "a_span_into_the_ring_buffer" : "a_disabled_span",
		ns / ROUNDS, ns % ROUNDS * 1000 / ROUNDS);
	return 0;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
}
module_exit(bench_exit);

MODULE_DESCRIPTION("Benchmark of a span in C");
MODULE_LICENSE("GPL");
