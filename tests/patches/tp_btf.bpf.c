// SPDX-License-Identifier: GPL-2.0
/*
 * A program of the kind tp_btf for each event of the binder driver. It counts the calls, and adds up the
 * first argument, unless that's an address or a number that differs from boot to boot.
 */

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char _license[] SEC("license") = "GPL";

#define EVENT(name, type, added)						\
__u64 name##_calls, name##_sum;							\
SEC("tp_btf/binder_" #name)							\
int BPF_PROG(on_##name, type first)						\
{										\
	__sync_fetch_and_add(&name##_calls, 1);					\
	__sync_fetch_and_add(&name##_sum, (added));				\
	return 0;								\
}

EVENT(ioctl, __u32, first)
EVENT(ioctl_done, int, first)
EVENT(read_done, int, first)
EVENT(write_done, int, first)
EVENT(wait_for_work, _Bool, first)
EVENT(transaction, _Bool, first)
EVENT(transaction_received, void *, !!first)
EVENT(transaction_fd_send, int, 1)
EVENT(transaction_fd_recv, int, 1)
EVENT(command, __u32, first)
EVENT(return, __u32, first)
