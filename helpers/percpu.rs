// SPDX-License-Identifier: GPL-2.0

//! A counter with a copy on each CPU.
//!
//! C header: [`include/linux/percpu.h`](srctree/include/linux/percpu.h)

use core::ptr::NonNull;
use kernel::{
    bindings,
    error::{code::ENOMEM, Result},
    sync::atomic::{Atomic, Relaxed},
};
use tracepoint::{
    args::{CType, Element, Type},
    this_cpu_ptr,
};

/// A counter with a copy on each CPU. C: `int __percpu *`, from `alloc_percpu(int)`.
///
/// # Invariants
///
/// `counters` was allocated by `alloc_percpu()` and has not been freed.
pub struct PerCpuCounter {
    counters: NonNull<Atomic<i32>>,
}

// SAFETY: The copies are atomic, and `free_percpu()` (mm/percpu.c) can be called from any thread.
unsafe impl Send for PerCpuCounter {}

// SAFETY: Shared references give access only to the copies, which are atomic.
unsafe impl Sync for PerCpuCounter {}

impl PerCpuCounter {
    /// Creates a counter that is 0 on every CPU. C: `alloc_percpu()`. May sleep.
    ///
    /// # Errors
    ///
    /// - `ENOMEM`.
    pub fn new() -> Result<Self> {
        // SAFETY: `pcpu_alloc_noprof()` (mm/percpu.c) takes a size and an alignment, and returns
        // NULL or zeroed memory for each CPU.
        let counters = unsafe {
            bindings::pcpu_alloc_noprof(
                size_of::<i32>(),
                align_of::<i32>(),
                false,
                bindings::GFP_KERNEL,
            )
        };
        // INVARIANT: Allocated above.
        Ok(Self {
            counters: NonNull::new(counters.cast()).ok_or(ENOMEM)?,
        })
    }

    fn this(&self) -> &Atomic<i32> {
        // SAFETY: By the type's invariant, each CPU has a copy that hasn't been freed. If the task
        // migrates in the meantime, this is the copy of another CPU, which is equally valid.
        unsafe { &*this_cpu_ptr(self.counters.as_ptr()) }
    }

    /// Returns the value of the current CPU's copy. Any context. C: `*this_cpu_ptr()`.
    pub fn get(&self) -> i32 {
        self.this().load(Relaxed)
    }

    /// Increments the current CPU's copy. Any context.
    pub fn inc(&self) {
        self.this().fetch_add(1, Relaxed);
    }
}

// SAFETY: The type is a single pointer, and its layout is part of the prototype.
unsafe impl Element for PerCpuCounter {
    type At<'a> = Self;
    const TYPE: Type = Type::Struct {
        name: "PerCpuCounter",
        fields: &[("counters", &Type::Name("i32 __percpu *"))],
        size: size_of::<Self>(),
        align: align_of::<Self>(),
    };
    const C_TYPE: CType = CType::PointerTo("i32");
}

impl Drop for PerCpuCounter {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: By the type's invariant, `alloc_percpu()` has allocated the counters and they
        // haven't been freed. Nobody uses them after `drop`.
        unsafe { bindings::free_percpu(self.counters.as_ptr().cast()) };
    }
}
