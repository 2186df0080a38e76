// SPDX-License-Identifier: GPL-2.0
/*
 * Fires an event defined in Rust with everything that C can pass for its arguments.
 */
#include <linux/module.h>
#include <linux/tracepoint.h>

struct number {
	u32 n;
};

DECLARE_TRACE_EVENT(safe_c,
	TP_PROTO(const char *text, const u32 *list, size_t len, struct number *number,
		 const char *maybe, u8 op, u8 flag),
	TP_ARGS(text, list, len, number, maybe, op, flag));

static int __init c_null_init(void)
{
	static const u32 list[] = { 1, 2 };
	struct number number = { 7 };

	trace_safe_c("text", list, 2, &number, "maybe", 1, true);
	/* NULL is "(null)", an empty list, or None. */
	trace_safe_c(NULL, NULL, 0, &number, NULL, 2, false);
	trace_safe_c("length", NULL, 5, &number, NULL, 2, false);
	trace_safe_c("empty", list, 0, &number, "", 2, false);
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
