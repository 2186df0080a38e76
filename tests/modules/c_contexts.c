// SPDX-License-Identifier: GPL-2.0
/*
 * Calls a function in contexts that the kernel crate gives no access to.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#ifdef CONFIG_X86
#include <asm/apic.h>
#include <asm/nmi.h>
#endif

static void (*call)(void);

static void in_tasklet(struct tasklet_struct *unused)
{
	call();
}
static DECLARE_TASKLET(tasklet, in_tasklet);

static void in_irq_work(struct irq_work *unused)
{
	call();
}
static struct irq_work work = IRQ_WORK_INIT_HARD(in_irq_work);

#ifdef CONFIG_X86
static bool called;

static int in_nmi_handler(unsigned int type, struct pt_regs *regs)
{
	if (called)
		return NMI_DONE;
	call();
	WRITE_ONCE(called, true);
	return NMI_HANDLED;
}

static int send_nmi(void)
{
	int error;

	WRITE_ONCE(called, false);
	error = register_nmi_handler(NMI_LOCAL, in_nmi_handler, 0, "c_contexts");
	if (error)
		return error;
	preempt_disable();
	__apic_send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
	while (!READ_ONCE(called))
		cpu_relax();
	preempt_enable();
	unregister_nmi_handler(NMI_LOCAL, "c_contexts");
	return 0;
}
#else
static int send_nmi(void)
{
	return -EOPNOTSUPP;
}
#endif

/* Runs on a CPU that is coming up or going down and isn't marked online. */
static int in_hotplug(unsigned int cpu)
{
	call();
	return 0;
}

static int unplug_and_plug(void)
{
	/* A state that is unused without Xen. */
	const enum cpuhp_state state = CPUHP_AP_ARM_XEN_STARTING;
	int error;

	error = cpuhp_setup_state_nocalls(state, "c_contexts", in_hotplug, in_hotplug);
	if (error)
		return error;
	error = remove_cpu(1);
	if (!error)
		error = add_cpu(1);
	cpuhp_remove_state_nocalls(state);
	return error;
}

/* Not reentrant: one caller at a time. */
int c_contexts_call(const char *context, void (*function)(void));
int c_contexts_call(const char *context, void (*function)(void))
{
	unsigned long flags;

	call = function;
	if (!strcmp(context, "task")) {
		call();
	} else if (!strcmp(context, "irqs_off")) {
		local_irq_save(flags);
		call();
		local_irq_restore(flags);
	} else if (!strcmp(context, "softirq")) {
		tasklet_schedule(&tasklet);
		tasklet_kill(&tasklet);
	} else if (!strcmp(context, "hardirq")) {
		irq_work_queue(&work);
		irq_work_sync(&work);
	} else if (!strcmp(context, "nmi")) {
		return send_nmi();
	} else if (!strcmp(context, "offline")) {
		return unplug_and_plug();
	} else {
		return -EINVAL;
	}
	return 0;
}
EXPORT_SYMBOL_GPL(c_contexts_call);

MODULE_DESCRIPTION("Calls a function in interrupt and other contexts");
MODULE_LICENSE("GPL");
