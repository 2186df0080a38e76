// SPDX-License-Identifier: GPL-2.0
/*
 * A program for each event of the sample, with the arguments as BTF describes them,
 * and programs that enter and leave a function.
 */

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define CO_RE __attribute__((preserve_access_index))

typedef int s32;
typedef unsigned int u32;

/* Only what's used, and not at its place: libbpf finds it. */
struct foo_timer_data {
	int *counter;
	const char *name;
} CO_RE;

struct cpumask {
	unsigned long bits[1];
} CO_RE;


enum BtfOp { Back = 0 };

struct btf_outer {
	int type;
	enum BtfOp op;
	const char *name;
} CO_RE;

struct trace_event_raw_foo_bar_with_cond {
	int bar;
} CO_RE;

char _license[] SEC("license") = "GPL";

#define SIMPLE(event)						\
SEC("tp_btf/" #event)						\
int BPF_PROG(event, const char *foo, int bar)			\
{								\
	char text[24];						\
	bpf_probe_read_kernel_str(text, sizeof(text), foo);	\
	bpf_printk(#event " %s %d", text, bar);			\
	return 0;						\
}
SIMPLE(foo_bar_with_cond)
SIMPLE(foo_bar_with_fn)
SIMPLE(foo_with_template_simple)
SIMPLE(foo_with_template_cond)
SIMPLE(foo_with_template_fn)
SIMPLE(foo_with_template_print)

SEC("tp_btf/foo_bar")
int BPF_PROG(foo_bar, const char *foo, int bar, const int *lst, unsigned long lst_len,
	     const char *string, struct cpumask *mask)
{
	/* In a module's tracepoint, any pointer may be NULL. */
	if (mask)
		bpf_printk("foo_bar %d %lu %lx", bar, lst_len, mask->bits[0]);
	return 0;
}

SEC("tp_btf/foo_rel_loc")
int BPF_PROG(foo_rel_loc, const char *foo, int bar, unsigned long *mask, struct cpumask *cpus)
{
	unsigned long bits = 0;

	bpf_probe_read_kernel(&bits, sizeof(bits), mask);
	if (cpus)
		bpf_printk("foo_rel_loc %d %lx %lx", bar, bits, cpus->bits[0]);
	return 0;
}

SEC("tp_btf/foo_timer_fn")
int BPF_PROG(foo_timer_fn, struct foo_timer_data *data)
{
	char name[32];

	if (!data)
		return 0;
	bpf_probe_read_kernel_str(name, sizeof(name), data->name);
	bpf_printk("foo_timer_fn %s", name);
	return 0;
}

SEC("fentry/btf_add")
int BPF_PROG(enter_add, int a, __u8 b, struct btf_outer *type)
{
	char name[8];

	bpf_probe_read_kernel_str(name, sizeof(name), type->name);
	bpf_printk("enter_add %d %d %s", a, b, name);
	bpf_printk("enter_add %d %d", type->type, bpf_core_enum_value(enum BtfOp, Back));
	return 0;
}

SEC("fexit/btf_add")
int BPF_PROG(exit_add, int a, __u8 b, struct btf_outer *type, long long result)
{
	bpf_printk("exit_add %d %d: %lld", a, b, result);
	return 0;
}

SEC("tp/sample-trace/foo_bar_with_cond")
int record(struct trace_event_raw_foo_bar_with_cond *record)
{
	bpf_printk("record %d", record->bar);
	return 0;
}
