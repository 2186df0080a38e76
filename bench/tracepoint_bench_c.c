// SPDX-License-Identifier: GPL-2.0
/*
 * Measures the cost of a tracepoint in C: the counterpart of tracepoint_bench.rs.
 * Loading the module runs the benchmark.
 */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>

DECLARE_TRACE_EVENT(bench_c,
	TP_PROTO(unsigned int n, void *ptr),
	TP_ARGS(n, ptr));
DEFINE_TRACE(bench_c, TP_PROTO(unsigned int n, void *ptr), TP_ARGS(n, ptr));

#define ROUNDS 1000

static unsigned int loop;
static u64 last, ids[100];

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

	/* Interrupts disturb only some of the runs. */
	for (int i = 0; i < 20; i++) {
		ns = min(ns, fire(ptr));
		base = min(base, empty(ptr));
	}
	ns -= base;

	pr_info("tracepoint_bench_c: C %s %llu.%03llu\n", what, ns / ROUNDS, ns % ROUNDS * 1000 / ROUNDS);
}

/*
 * A probe that finds its tracepoint by name, which is necessary if the defining
 * module may be loaded later or unloaded.
 */
struct lookup {
	const char *name;
	struct tracepoint *tp;
	void *func;
	u64 id;
	struct notifier_block nb;
};

static void look(struct tracepoint *tp, void *data)
{
	struct lookup *l = data;

	if (!strcmp(tp->name, l->name))
		l->tp = tp;
}

static int notify(struct notifier_block *nb, unsigned long state, void *data)
{
	struct lookup *l = container_of(nb, struct lookup, nb);
	struct module *mod = ((struct tp_module *)data)->mod;

	for (unsigned int i = 0; i < mod->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]);

		if (state == MODULE_STATE_COMING) {
			if (!l->tp && !strcmp(tp->name, l->name) &&
			    !tracepoint_probe_register(tp, l->func, &l->id))
				l->tp = tp;
		} else if (l->tp == tp) {
			tracepoint_probe_unregister(tp, l->func, &l->id);
			l->tp = NULL;
		}
	}
	return NOTIFY_OK;
}

static struct lookup *lookups[100];

static void register_by_name(unsigned int i)
{
	struct lookup *l = kzalloc(sizeof(*l), GFP_KERNEL);

	lookups[i] = l;
	if (!l)
		return;
	l->name = "bench_c";
	l->func = probe;
	l->id = i;
	l->nb.notifier_call = notify;
	for_each_kernel_tracepoint(look, l);
	if (l->tp)
		tracepoint_probe_register(l->tp, l->func, &l->id);
	else
		register_tracepoint_module_notifier(&l->nb);
}

static void remove_by_name(unsigned int i)
{
	if (lookups[i])
		unregister_tracepoint_module_notifier(&lookups[i]->nb);
}

static void free_by_name(unsigned int i)
{
	kfree(lookups[i]);
}

/* The same for a definer that is always loaded before the probe. */
static void register_by_pointer(unsigned int i)
{
	register_trace_bench_c(probe, &ids[i]);
}

static void remove_by_pointer(unsigned int i)
{
	unregister_trace_bench_c(probe, &ids[i]);
}

static void free_nothing(unsigned int i)
{
}

/* Returns how long this task has run, without the time it has waited. */
static u64 runtime(void)
{
	/* The runtime is updated when the task is switched out. */
	fsleep(1000);
	return current->se.sum_exec_runtime;
}

/* Measures registering probes, and removing them as a group. */
static __always_inline void registration(const char *how, unsigned int count,
					 void (*add)(unsigned int i), void (*del)(unsigned int i),
					 void (*release)(unsigned int i))
{
	u64 nothing = U64_MAX, adding = U64_MAX, removing = U64_MAX;

	for (int round = 0; round < 50; round++) {
		u64 begin = runtime(), start = runtime(), registered, removed;

		for (unsigned int i = 0; i < count; i++)
			add(i);
		registered = runtime();
		for (unsigned int i = 0; i < count; i++)
			del(i);
		tracepoint_synchronize_unregister();
		for (unsigned int i = 0; i < count; i++)
			release(i);
		removed = runtime();
		nothing = min(nothing, start - begin);
		adding = min(adding, registered - start);
		removing = min(removing, removed - registered);
	}
	pr_info("tracepoint_bench_c: C registering_%u_%s %llu\n", count, how, adding - nothing);
	pr_info("tracepoint_bench_c: C removing_%u_%s %llu\n", count, how, removing - nothing);
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
	for (i = 1; i <= 100; i += 99) {
		registration("by_pointer", i, register_by_pointer, remove_by_pointer, free_nothing);
		registration("by_name", i, register_by_name, remove_by_name, free_by_name);
	}
	return 0;
}

static void __exit bench_exit(void)
{
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("Benchmark of a tracepoint in C");
MODULE_LICENSE("GPL");
