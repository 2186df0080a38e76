// SPDX-License-Identifier: GPL-2.0
/*
 * Fires an event defined in Rust with everything that C can pass for its arguments.
 */
#include <linux/module.h>

#include "generated_safe_values.h"

static int __init c_null_init(void)
{
	static const u32 list[] = { 1, 2 };
	struct Number number = { 7 };

	trace_safe_c("text", list, 2, &number, "maybe", SAFE_VALUES_OP_READ, true);
	/* NULL is "(null)", an empty list, or None. */
	trace_safe_c(NULL, NULL, 0, &number, NULL, SAFE_VALUES_OP_WRITE, false);
	trace_safe_c("length", NULL, 5, &number, NULL, SAFE_VALUES_OP_WRITE, false);
	trace_safe_c("empty", list, 0, &number, "", SAFE_VALUES_OP_WRITE, false);
	/* Any other bool than 0 is true. */
	trace_safe_c("two", list, 1, &number, "maybe", 1, 2);
	/* Not called: no object, and no such variant. */
	trace_safe_c("object", list, 2, NULL, "maybe", 1, true);
	trace_safe_c("variant", list, 2, &number, "maybe", 0, true);
	trace_safe_c("variant", list, 2, &number, "maybe", 255, true);
	return 0;
}

static void __exit c_null_exit(void)
{
}

module_init(c_null_init);
module_exit(c_null_exit);
MODULE_DESCRIPTION("Fires an event defined in Rust with NULL and the like");
MODULE_LICENSE("GPL");
