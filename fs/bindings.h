/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Input of bindgen for bindings.rs: C declarations that the kernel crate's own
 * bindings lack.
 */
#include <linux/fs.h>
#include <linux/namei.h>
#include <linux/proc_fs.h>

/* bindgen doesn't recognise this macro as a constant. */
static const fmode_t FS_FMODE_OPENED = FMODE_OPENED;
