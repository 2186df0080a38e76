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
    fmt,
    prelude::*,
    str::{BStr, CStrExt as _},
    sync::aref::ARef,
    task::Task,
    time::{msecs_to_jiffies, Msecs},
};
use tracepoint::unload::{Registered, ShutDown};

/// A kernel thread. Dropping it stops the thread and waits until it has ended, unless the thread itself
/// drops it: then it's told to stop, and goes on until it does.
///
/// If it's never dropped, because it's in a static or was forgotten, the thread is stopped when the
/// module is unloaded.
pub struct KThread {
    _thread: Registered<Thread>,
}

/// The thread of a [`KThread`], created where it stays.
struct Thread {
    created: Created,
}

/// A thread that has been created.
///
/// # Invariants
///
/// `data` is the box of the thread's function. The thread takes ownership of it, unless it is
/// stopped before it has run.
struct Created {
    task: ARef<Task>,
    data: NonNull<c_void>,
    free: unsafe fn(NonNull<c_void>),
}

// SAFETY: `kthread_stop()` can be called from any thread, and the function is `Send`.
unsafe impl Send for Created {}

// SAFETY: `kthread_stop()` can be called from any thread. The function, which is `Send`, is used by
// its thread or, if that has never called it, dropped by the only call of `shut_down`.
unsafe impl Sync for Created {}

impl KThread {
    /// Starts a thread. C: `kthread_run()`. May sleep.
    ///
    /// # Errors
    ///
    /// - `ENOMEM`, `EAGAIN` or `EINTR`, as returned by `kthread_create_on_node()`.
    /// - `ENODEV`: the module is being unloaded.
    /// - `EDEADLK`: see [`Registered::prepare`].
    pub fn run<F: FnOnce(&ThisThread) + Send + 'static>(name: &CStr, function: F) -> Result<Self> {
        /// # Safety
        ///
        /// `data` must come from `KBox::<F>::into_raw`, and must be passed only once, to this
        /// function or to `free`.
        unsafe extern "C" fn thread<F: FnOnce(&ThisThread)>(data: *mut c_void) -> c_int {
            // SAFETY: By the safety contract, `data` comes from `KBox::<F>::into_raw` and isn't
            // passed to anything else.
            let function = unsafe { KBox::<F>::from_raw(data.cast()) };
            // INVARIANT: `kthread()` (kernel/kthread.c) calls this, in the thread.
            KBox::into_inner(function)(&ThisThread(PhantomData));
            0
        }

        /// # Safety
        ///
        /// `data` must come from `KBox::<F>::into_raw`, and must be passed only once, to this
        /// function or to `thread`.
        unsafe fn free<F>(data: NonNull<c_void>) {
            // SAFETY: By the safety contract, `data` comes from `KBox::<F>::into_raw` and isn't
            // passed to anything else.
            drop(unsafe { KBox::<F>::from_raw(data.as_ptr().cast()) });
        }

        Registered::<Thread>::prepare()?;
        let function = KBox::new(function, GFP_KERNEL)?;
        let create = init!(Thread {
            created: {
                // SAFETY: The pointer comes from a box, so it is not NULL.
                let data = unsafe { NonNull::new_unchecked(KBox::into_raw(function).cast()) };
                // SAFETY: `kthread_create_on_node()` (kernel/kthread.c) takes a function, its data,
                // and a format with its argument.
                let task = from_err_ptr(unsafe {
                    bindings::kthread_create_on_node(
                        Some(thread::<F>),
                        data.as_ptr(),
                        bindings::NUMA_NO_NODE,
                        c"%s".as_char_ptr(),
                        name.as_char_ptr(),
                    )
                })
                // SAFETY: `kthread_create_on_node()` has failed, so the function is never called,
                // and the box that was made above is still owned here.
                .inspect_err(|_| unsafe { free::<F>(data) })?;
                // INVARIANT: `data` has been passed to the thread.
                Created {
                    // SAFETY: The task has not run yet, so it is alive. The reference keeps it alive
                    // after the thread has ended, as `kthread_stop()` requires.
                    task: unsafe { ARef::<Task>::from(&*task.cast::<Task>()) },
                    data,
                    free: free::<F>,
                }
            },
        }? Error);
        let thread = Registered::new::<Error>(create)?;
        thread.created.task.wake_up();
        Ok(Self { _thread: thread })
    }

    /// Sleeps, but wakes up early when the thread is asked to stop.
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

/// The current thread.
///
/// # Invariants
///
/// It exists only while the function of a [`KThread`] runs, and never leaves that thread.
pub struct ThisThread(PhantomData<*const ()>);

impl ThisThread {
    /// Returns whether the thread has been asked to stop. C: `kthread_should_stop()`.
    pub fn should_stop(&self) -> bool {
        // SAFETY: `kthread_should_stop()` (kernel/kthread.c) must be called in a kernel thread, and
        // this is one by the type's invariant.
        unsafe { bindings::kthread_should_stop() }
    }
}

impl ShutDown for Thread {
    fn allowed_in_hooks() -> bool {
        true
    }

    fn shut_down(&self) {
        let created = &self.created;
        // SAFETY: The task is a kernel thread, and `created` holds a reference to it.
        let result = to_result(unsafe { bindings::kthread_stop(created.task.as_ptr()) });
        if result == Err(EINTR) {
            // SAFETY: `kthread()` (kernel/kthread.c) returns `EINTR` if it hasn't called the
            // function, which returns 0. So by the type's invariant, `data` is still owned here.
            // This is called once.
            unsafe { (created.free)(created.data) };
        }
    }

    fn is_running(&self) -> bool {
        self.created.task.as_ptr() == Task::current_raw()
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: A task's name always ends with a NUL, and this one's never changes.
        let name =
            unsafe { CStr::from_char_ptr((&raw const (*self.created.task.as_ptr()).comm).cast()) };
        f.write_fmt(fmt!("thread {}", BStr::from_bytes(name.to_bytes())))
    }
}
