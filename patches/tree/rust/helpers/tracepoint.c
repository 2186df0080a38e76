// SPDX-License-Identifier: GPL-2.0

#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/rcupdate_trace.h>
#include <linux/smp.h>
#include <linux/srcu.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#ifdef CONFIG_TRACEPOINTS
__rust_helper notrace void __percpu *rust_helper_tracepoint_srcu_read_lock(void)
{
	return (void __percpu *)srcu_read_lock_fast_notrace(&tracepoint_srcu);
}

__rust_helper notrace void rust_helper_tracepoint_srcu_read_unlock(void __percpu *scp)
{
	srcu_read_unlock_fast_notrace(&tracepoint_srcu, (struct srcu_ctr __percpu *)scp);
}

__rust_helper notrace void rust_helper_rcu_read_lock_trace(void)
{
	rcu_read_lock_trace();
}

__rust_helper notrace void rust_helper_rcu_read_unlock_trace(void)
{
	rcu_read_unlock_trace();
}

__rust_helper void rust_helper_tracepoint_synchronize_unregister(void)
{
	tracepoint_synchronize_unregister();
}

/* The caller runs code of the module, so it stays loaded. */
__rust_helper struct module *rust_helper_module_of_address(void *address)
{
	guard(rcu)();
	return __module_address((unsigned long)address);
}

#ifndef CONFIG_MODULES
__rust_helper int rust_helper_register_tracepoint_owner_notifier(struct notifier_block *nb)
{
	return 0;
}

__rust_helper int rust_helper_unregister_tracepoint_owner_notifier(struct notifier_block *nb)
{
	return 0;
}
#endif

#ifdef CONFIG_TINY_RCU
__rust_helper notrace bool rust_helper_rcu_is_watching(void)
{
	return rcu_is_watching();
}
#endif

__rust_helper notrace bool rust_helper_this_cpu_online(void)
{
	return cpu_online(raw_smp_processor_id());
}

__rust_helper notrace void rust_helper_preempt_disable_notrace(void)
{
	preempt_disable_notrace();
}

__rust_helper notrace void rust_helper_preempt_enable_notrace(void)
{
	preempt_enable_notrace();
}

#ifdef CONFIG_PERF_EVENTS
__rust_helper notrace struct hlist_head *
rust_helper_this_cpu_perf_events(struct hlist_head __percpu *events)
{
	return raw_cpu_ptr(events);
}

/* The stack is unwound from this function's frame, so it mustn't end with a tail call. */
__rust_helper notrace void
rust_helper_perf_trace_submit(void *record, int size, int rctx, struct trace_event_call *call,
			      u64 count, struct pt_regs *regs, unsigned long ip)
{
	perf_arch_fetch_caller_regs(regs, ip);
	perf_trace_run_bpf_submit(record, size, rctx, call, count, regs,
				  raw_cpu_ptr(call->perf_events), NULL);
	barrier();
}
#endif
#endif
