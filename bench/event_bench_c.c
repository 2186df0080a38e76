// SPDX-License-Identifier: GPL-2.0
/*
 * Measures the cost of the events of the kernel's own trace-events-sample.h: the
 * counterpart of event_bench.rs. Opening /proc/event-bench runs the benchmark.
 */
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/proc_fs.h>

#define CREATE_TRACE_POINTS
#include "trace-events-sample.h"

/* Satisfies the conditions of all events. Read for every call. */
static int cnt = 80;

int foo_bar_reg(void)
{
	return 0;
}

void foo_bar_unreg(void)
{
}

/*
 * The shortest time of many runs. Interrupts and page crossings in the buffer
 * disturb only some of them.
 */
#define best(calls)							\
({									\
	u64 __best = U64_MAX;						\
									\
	for (int __i = 0; __i < 50; __i++) {				\
		u64 __start = ktime_get_ns();				\
									\
		calls;							\
		__best = min(__best, ktime_get_ns() - __start);		\
	}								\
	__best;								\
})

#define five(call)	call; call; call; call; call
#define ten(call)	five(call); five(call)

/*
 * Measures ten unrolled calls, without the cost of a loop counter. The difference
 * between twenty and ten calls cancels the overhead before the first call and after
 * the last.
 */
#define measure(name, call)						\
do {									\
	u64 __ten = best(ten(call));					\
	u64 __ns = best(ten(call); ten(call)) - __ten;			\
									\
	pr_info("event_bench_c: C " name " %llu.%llu\n", __ns / 10, __ns % 10);	\
} while (0)

#ifdef FOO_TIMER
static struct foo_timer_data data;
#endif

static void fire(const char *fmt, ...)
{
	unsigned long mask[1] = { 0xdeadbeefUL };
	int list[] = { 1, 2, 3, 0 };
	va_list va;

	va_start(va, fmt);
	measure("foo_bar", trace_foo_bar("hello", READ_ONCE(cnt), list, "Frodo", current->cpus_ptr, fmt, &va));
	va_end(va);
	measure("foo_bar_with_cond", trace_foo_bar_with_cond("Some times print", READ_ONCE(cnt)));
	measure("foo_bar_with_fn", trace_foo_bar_with_fn("Look at me", READ_ONCE(cnt)));
	measure("foo_with_template_simple", trace_foo_with_template_simple("HELLO", READ_ONCE(cnt)));
	measure("foo_with_template_cond", trace_foo_with_template_cond("prints other times", READ_ONCE(cnt)));
	measure("foo_with_template_fn", trace_foo_with_template_fn("Look at me too", READ_ONCE(cnt)));
	measure("foo_with_template_print",
		trace_foo_with_template_print("I have to be different", READ_ONCE(cnt)));
	measure("foo_rel_loc", trace_foo_rel_loc("Hello __rel_loc", READ_ONCE(cnt), mask, current->cpus_ptr));
#ifdef FOO_TIMER
	measure("foo_timer_fn", trace_foo_timer_fn(&data));
#endif
}

static int bench_open(struct inode *inode, struct file *file)
{
	fire("iter=%d", 80);
	return -EPERM;
}

static const struct proc_ops bench_ops = {
	.proc_open = bench_open,
	.proc_lseek = noop_llseek,
};

static int __init bench_init(void)
{
#ifdef FOO_TIMER
	data.name = "sample_timer_counter";
	data.counter = alloc_percpu(int);
	if (!data.counter)
		return -ENOMEM;
#endif
	return proc_create("event-bench", 0444, NULL, &bench_ops) ? 0 : -ENOMEM;
}

static void __exit bench_exit(void)
{
	remove_proc_entry("event-bench", NULL);
#ifdef FOO_TIMER
	free_percpu(data.counter);
#endif
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("Benchmark of the sample's events in C");
MODULE_LICENSE("GPL");
