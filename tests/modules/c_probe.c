// SPDX-License-Identifier: GPL-2.0
/*
 * Probes a tracepoint defined in Rust, as any C module would.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/module.h>

#include "generated_tracepoint_sample.h"

static int data;

static void probe(void *probe_data, struct inode *inode, struct file *file)
{
	pr_info("inode %llu file %pD data %s\n", (u64)inode->i_ino, file,
		probe_data == &data ? "right" : "wrong");
}

static int events_b;

static void probe_b(void *probe_data)
{
	(*(int *)probe_data)++;
}

static int __init c_probe_init(void)
{
	int ret;

	pr_info("enabled before: %d\n", trace_subsys_event_enabled());
	ret = register_trace_subsys_event(probe, &data);
	if (ret)
		return ret;
	ret = register_trace_subsys_eventb(probe_b, &events_b);
	if (ret) {
		unregister_trace_subsys_event(probe, &data);
		return ret;
	}
	pr_info("enabled after: %d\n", trace_subsys_event_enabled());
	pr_info("again: %d\n",
		tracepoint_probe_register_may_exist(&__tracepoint_subsys_event,
						    probe, &data));
	return 0;
}

static void __exit c_probe_exit(void)
{
	pr_info("unregister: %d\n", unregister_trace_subsys_event(probe, &data));
	unregister_trace_subsys_eventb(probe_b, &events_b);
	tracepoint_synchronize_unregister();
	pr_info("events without arguments: %d\n", events_b);
}

module_init(c_probe_init);
module_exit(c_probe_exit);
MODULE_DESCRIPTION("C probe of a Rust tracepoint");
MODULE_LICENSE("GPL");
