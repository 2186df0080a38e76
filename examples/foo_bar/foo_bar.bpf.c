// SPDX-License-Identifier: GPL-2.0
/*
 * Sends the arguments of the event foo_bar to user space. The kernel's verifier knows
 * their types from the BTF of the module.
 */

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char _license[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

struct cpumask {
	unsigned long bits[1];
} __attribute__((preserve_access_index));

struct event {
	unsigned long cpus;
	int bar;
	char foo[20];
};

SEC("tp_btf/foo_bar")
int BPF_PROG(foo_bar, const char *foo, int bar, const int *lst, unsigned long lst_len,
	     const char *string, struct cpumask *mask)
{
	struct event *event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);

	if (!event)
		return 0;
	bpf_probe_read_kernel_str(event->foo, sizeof(event->foo), foo);
	event->bar = bar;
	/* In a module's event, any pointer may be NULL. */
	event->cpus = mask ? mask->bits[0] : 0;
	bpf_ringbuf_submit(event, 0);
	return 0;
}
