// SPDX-License-Identifier: GPL-2.0

//! Kernel threads.
//!
//! C header: [`include/linux/kthread.h`](srctree/include/linux/kthread.h)

use core::{marker::PhantomData, ptr::NonNull};
use kernel::{
    alloc::{flags::GFP_KERNEL, KBox},
    bindings,
    error::{code::EINTR, from_err_ptr, to_result, Result},
    ffi::{c_int, c_void},
    prelude::*,
    str::CStrExt as _,
    sync::aref::ARef,
    task::Task,
    time::{msecs_to_jiffies, Msecs},
};

/// A thread of the kernel. Dropping it stops the thread and waits for its end.
///
/// Rust drops no statics: one that is in a [`Slot`](super::Slot) has to be taken out before the
/// module goes.
///
/// # Invariants
///
/// `data` is what the thread's function was made of. The thread has taken it, unless it was stopped
/// before it ran.
pub struct KThread {
    task: ARef<Task>,
    data: NonNull<c_void>,
    free: unsafe fn(NonNull<c_void>),
}

// SAFETY: `kthread_stop()` can be called from any thread; the function is `Send`.
unsafe impl Send for KThread {}

// SAFETY: As above; `&KThread` gives no access to the function.
unsafe impl Sync for KThread {}

impl KThread {
    /// Starts a thread. C: `kthread_run()`. May sleep.
    ///
    /// # Errors
    ///
    /// - `ENOMEM`, `EAGAIN`, `EINTR`: what `kthread_create_on_node()` returns.
    pub fn run<F: FnOnce(&ThisThread) + Send + 'static>(name: &CStr, function: F) -> Result<Self> {
        /// # Safety
        ///
        /// `data` must come from `KBox::<F>::into_raw`, and be taken once.
        unsafe extern "C" fn thread<F: FnOnce(&ThisThread)>(data: *mut c_void) -> c_int {
            // SAFETY: By the contract.
            let function = unsafe { KBox::<F>::from_raw(data.cast()) };
            // INVARIANT: `kthread()` (kernel/kthread.c) calls this, in the thread.
            KBox::into_inner(function)(&ThisThread(PhantomData));
            0
        }

        /// # Safety
        ///
        /// As above.
        unsafe fn free<F>(data: NonNull<c_void>) {
            // SAFETY: By the contract.
            drop(unsafe { KBox::<F>::from_raw(data.as_ptr().cast()) });
        }

        let data = KBox::into_raw(KBox::new(function, GFP_KERNEL)?);
        // SAFETY: `kthread_create_on_node()` (kernel/kthread.c) takes a function, its data, and a
        // format with its argument.
        let task = from_err_ptr(unsafe {
            bindings::kthread_create_on_node(
                Some(thread::<F>),
                data.cast(),
                bindings::NUMA_NO_NODE,
                c"%s".as_char_ptr(),
                name.as_char_ptr(),
            )
        });
        let task = match task {
            Ok(task) => task,
            Err(error) => {
                // SAFETY: Made above, and not taken: there is no thread.
                drop(unsafe { KBox::<F>::from_raw(data) });
                return Err(error);
            }
        };
        // SAFETY: The task has not run yet, so it is alive. The reference keeps it after its end,
        // as `kthread_stop()` asks for.
        let task = unsafe { ARef::<Task>::from(&*task.cast::<Task>()) };
        task.wake_up();
        // INVARIANT: `data` is that of the thread. A box is not NULL.
        Ok(Self {
            task,
            // SAFETY: From a box.
            data: unsafe { NonNull::new_unchecked(data.cast()) },
            free: free::<F>,
        })
    }

    /// Sleeps, but not longer than until the thread is to end.
    ///
    /// C: `schedule_timeout_interruptible()`. May sleep.
    pub fn sleep(milliseconds: Msecs) {
        // SAFETY: `schedule_timeout_interruptible()` (kernel/time/sleep_timeout.c) can be called
        // by any task that may sleep.
        unsafe {
            bindings::schedule_timeout_interruptible(msecs_to_jiffies(milliseconds) as isize)
        };
    }
}

/// The thread that runs this.
///
/// # Invariants
///
/// It exists in the function of a [`KThread`] only, and does not leave its thread.
pub struct ThisThread(PhantomData<*const ()>);

impl ThisThread {
    /// Returns whether the thread is to end. C: `kthread_should_stop()`.
    pub fn should_stop(&self) -> bool {
        // SAFETY: `kthread_should_stop()` (kernel/kthread.c), in a kernel thread by the type's
        // invariant.
        unsafe { bindings::kthread_should_stop() }
    }
}

impl Drop for KThread {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: A kernel thread, of which there is a reference.
        let result = to_result(unsafe { bindings::kthread_stop(self.task.as_ptr()) });
        if result == Err(EINTR) {
            // SAFETY: By the type's invariant: `kthread()` (kernel/kthread.c) returns this where
            // the function was not called.
            unsafe { (self.free)(self.data) };
        }
    }
}
