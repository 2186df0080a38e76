/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Input of bindgen for bindings/generated.rs: C declarations that the kernel
 * crate's own bindings lack.
 */
#include <linux/kernel.h>
#include <linux/proc_fs.h>
#include <linux/ring_buffer.h>
#include <linux/seq_file.h>
#include <linux/trace.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>
#include <linux/tracepoint.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
#error "the tracepoint library requires Linux 7.2 or later"
#endif

/* bindgen doesn't recognise this macro as a constant. */
static const fmode_t TRACEPOINT_FMODE_OPENED = FMODE_OPENED;
