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

/*
 * C's names of gfp_t, in the order of __def_gfpflag_names, which has braces that
 * an enum can't have. Those of single bits depend on the configuration.
 */
#include <trace/events/mmflags.h>
#undef gfpflag_string
#define gfpflag_string(flag) tracepoint_gfp_##flag = (__force unsigned int)(flag)
enum tracepoint_gfp {
	gfpflag_string(GFP_TRANSHUGE),
	gfpflag_string(GFP_TRANSHUGE_LIGHT),
	gfpflag_string(GFP_HIGHUSER_MOVABLE),
	gfpflag_string(GFP_HIGHUSER),
	gfpflag_string(GFP_USER),
	gfpflag_string(GFP_KERNEL_ACCOUNT),
	gfpflag_string(GFP_KERNEL),
	gfpflag_string(GFP_NOFS),
	gfpflag_string(GFP_ATOMIC),
	gfpflag_string(GFP_NOIO),
	gfpflag_string(GFP_NOWAIT),
	gfpflag_string(GFP_DMA),
	gfpflag_string(GFP_DMA32),
	gfpflag_string(__GFP_RECLAIM),
	TRACE_GFP_FLAGS
};

/* bindgen doesn't recognise this macro as a constant. */
static const fmode_t TRACEPOINT_FMODE_OPENED = FMODE_OPENED;
