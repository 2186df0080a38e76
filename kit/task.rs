// SPDX-License-Identifier: GPL-2.0

//! What tracing wants to know of a task.
//!
//! C header: [`include/linux/sched.h`](srctree/include/linux/sched.h)

use kernel::{cpumask::Cpumask, task::Task};

/// More of a task than the kernel crate shows.
pub trait TaskExt {
    /// Returns the priority in the kernel's scale: -1 to 139, lower is sooner. Any context.
    ///
    /// C: `task->prio`.
    fn prio(&self) -> i32;

    /// Returns the CPUs that the task may run on. It can change at any time. Any context.
    ///
    /// C: `task->cpus_ptr`.
    fn cpus(&self) -> &Cpumask;
}

impl TaskExt for Task {
    #[inline(always)]
    fn prio(&self) -> i32 {
        // SAFETY: The task is alive as long as the reference; the scheduler writes one word.
        unsafe { (&raw const (*self.as_ptr()).prio).read_volatile() }
    }

    #[inline(always)]
    fn cpus(&self) -> &Cpumask {
        // SAFETY: Points to the mask in the task, or for the time of a migrate_disable() to that of
        // a CPU, which is static (kernel/sched/core.c).
        unsafe { Cpumask::from_raw((&raw const (*self.as_ptr()).cpus_ptr).read_volatile()) }
    }
}
