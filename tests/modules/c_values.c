// SPDX-License-Identifier: GPL-2.0
/*
 * Probes an event defined in Rust, and shows what its arguments are in C.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

#include "generated_safe_values.h"

static const char *op_name(u8 op)
{
	switch ((enum safe_values_op)op) {
	case SAFE_VALUES_OP_READ:
		return "read";
	case SAFE_VALUES_OP_WRITE:
		return "write";
	}
	return "unknown";
}

static void probe(void *data, const char *text, const u32 *list, size_t list_len,
		  struct Number *number, const char *maybe, u8 op, u8 flag)
{
	u32 sum = 0;
	size_t i;

	/* From C: an empty slice, and what Rust would refuse. */
	if (!list)
		list_len = 0;
	for (i = 0; i < list_len; i++)
		sum += list[i];
	pr_info("text \"%s\" len %zu sum %u number %u maybe %s op %s flag %u\n",
		text ? text : "(null)", list_len, sum, number ? number->n : 0,
		maybe ? maybe : "none", op_name(op), flag);
}

static int __init c_values_init(void)
{
	return register_trace_safe_c(probe, NULL);
}

static void __exit c_values_exit(void)
{
	unregister_trace_safe_c(probe, NULL);
	tracepoint_synchronize_unregister();
}

module_init(c_values_init);
module_exit(c_values_exit);
MODULE_DESCRIPTION("Shows in C what an event defined in Rust passes");
MODULE_LICENSE("GPL");
