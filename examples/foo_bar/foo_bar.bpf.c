// SPDX-License-Identifier: GPL-2.0
/*
 * Sends each record of the event foo_bar to user space.
 */

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "GPL";

/* A longer record is cut off. */
#define SIZE 256

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

SEC("tp/sample-trace/foo_bar")
int foo_bar(void *record)
{
	void *copy = bpf_ringbuf_reserve(&events, SIZE, 0);

	if (!copy)
		return 0;
	bpf_probe_read_kernel(copy, SIZE, record);
	bpf_ringbuf_submit(copy, 0);
	return 0;
}
