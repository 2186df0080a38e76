// SPDX-License-Identifier: GPL-2.0

//! Properties of a task that are useful for tracing.
//!
//! C header: [`include/linux/sched.h`](srctree/include/linux/sched.h)

use kernel::{cpumask::Cpumask, task::Task};

/// Properties of a task that the kernel crate doesn't provide.
pub trait TaskExt {
    /// Returns the priority on the kernel's internal scale from -1 to 139, where lower numbers have
    /// priority. Any context.
    ///
    /// C: `task->prio`.
    fn prio(&self) -> i32;

    /// Returns the CPUs that the task may run on. The mask can change at any time. Any context.
    ///
    /// C: `task->cpus_ptr`.
    fn cpus(&self) -> &Cpumask;
}

impl TaskExt for Task {
    #[inline(always)]
    fn prio(&self) -> i32 {
        // SAFETY: The task is alive as long as the reference, and the scheduler writes `prio` as a
        // single word.
        unsafe { (&raw const (*self.as_ptr()).prio).read_volatile() }
    }

    #[inline(always)]
    fn cpus(&self) -> &Cpumask {
        // SAFETY: `cpus_ptr` points to the mask in the task or, during migrate_disable(), to the
        // mask of a single CPU, which is static (kernel/sched/core.c).
        unsafe { Cpumask::from_raw((&raw const (*self.as_ptr()).cpus_ptr).read_volatile()) }
    }
}
