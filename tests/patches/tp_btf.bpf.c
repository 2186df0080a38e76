// SPDX-License-Identifier: GPL-2.0
/*
 * A program of the kind tp_btf for each event of the binder driver. It counts the calls, and adds up the
 * arguments, except for addresses and numbers that differ from boot to boot.
 */

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "GPL";

#define EVENT(name, added)							\
__u64 name##_calls, name##_sum;							\
SEC("tp_btf/binder_" #name)							\
int on_##name(__u64 *args)							\
{										\
	__sync_fetch_and_add(&name##_calls, 1);					\
	__sync_fetch_and_add(&name##_sum, (added));				\
	return 0;								\
}

EVENT(ioctl, args[0] + 3 * args[1])
EVENT(ioctl_done, args[0])
EVENT(read_done, args[0])
EVENT(write_done, args[0])
EVENT(wait_for_work, args[0] + 3 * args[1] + 5 * args[2])
EVENT(transaction, args[0] + 3 * !!args[1] + 5 * !!args[2])
EVENT(transaction_received, !!args[0])
EVENT(transaction_fd_send, args[1] + 3 * args[2])
EVENT(transaction_fd_recv, args[1] + 3 * args[2])
EVENT(command, args[0])
EVENT(return, args[0])
