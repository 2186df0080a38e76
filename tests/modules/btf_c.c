// SPDX-License-Identifier: GPL-2.0
/* The part of the module btf_parts that is written in C. */

#include <linux/module.h>

struct btf_in_c {
	u16 member;
};

noinline int btf_c_function(struct btf_in_c *arg);
noinline int btf_c_function(struct btf_in_c *arg)
{
	return arg->member;
}
