/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What bindgen reads for bindings/generated.rs: C declarations that the kernel
 * crate's own bindings lack.
 */
#include <linux/kernel.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/tracepoint.h>
