// SPDX-License-Identifier: GPL-2.0
/*
 * Fires a tracepoint defined in Rust, as any C module would.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/module.h>

#include "generated_tracepoint_sample.h"

static char *path = "/etc/hostname";
module_param(path, charp, 0444);
MODULE_PARM_DESC(path, "the file to pass to the tracepoint");

static int __init c_fire_init(void)
{
	struct file *file = filp_open(path, O_RDONLY, 0);

	if (IS_ERR(file))
		return PTR_ERR(file);
	pr_info("enabled: %d\n", trace_subsys_event_enabled());
	trace_subsys_event(file_inode(file), file);
	filp_close(file, NULL);
	return 0;
}

static void __exit c_fire_exit(void)
{
}

module_init(c_fire_init);
module_exit(c_fire_exit);
MODULE_DESCRIPTION("Fires a Rust tracepoint from C");
MODULE_LICENSE("GPL");
