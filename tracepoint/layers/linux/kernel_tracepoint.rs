// SPDX-License-Identifier: GPL-2.0

//! The tracepoints of the kernel: comparing a declaration with the kernel's headers.

use crate::{
    base::{
        args::{Arg, Bool},
        bindings::Char,
        event::field::macros::mark,
        point::Guard,
    },
    View,
};
use core::ffi::CStr;
use kernel::{
    cpumask::Cpumask, cred::Credential, device::Device, ffi::c_char, fs::LocalFile, task::Task,
};

/// A type that an argument of a tracepoint in C can have.
///
/// Its guarantees must follow from the C type, since C has no prototype to compare: a string, a live
/// object, a number. A C pointer carries no length, so a slice or an array doesn't qualify. A C integer
/// doesn't tell which values are valid, so an enum doesn't qualify either.
///
/// # Safety
///
/// Any value that C passes with the type [`Arg::C`] must be valid for `Self`, unless
/// [`Arg::is_valid`] rejects it.
#[diagnostic::on_unimplemented(
    message = "the C type of this argument does not guarantee a `{Self}`",
    label = "promises more than C does",
    note = "use what C passes: a pointer, and perhaps a `usize`, for a slice, an array or a \
            `&str`; an integer for an enum; a `&View<Device>` for a `&Device`, which can't be kept, \
            also for `Credential` and `LocalFile`; for a reference to your own type, implement the \
            unsafe trait `FromKernel`"
)]
pub unsafe trait FromKernel {
    /// An error in a constant is at its type.
    #[doc(hidden)]
    const OK: () = ();
}

// SAFETY: Any value that C passes is valid for an integer or a pointer, and as a byte for a `bool`.
mark! {
    unsafe FromKernel:
        [] bool, [] u8, [] u16, [] u32, [] u64, [] usize, [] i8, [] i16, [] i32, [] i64, [] isize,
        [T] *const T, [T] *mut T;
}

// An object with a reference count can be kept by a probe, so the count must not be zero wherever C passes
// one. In the headers that `prototypes.h` includes:
//
// - `Task`: it isn't. What a task's `usage` counts includes one for the time in which it can be found or run,
//   which `delayed_put_task_struct()` (kernel/exit.c) drops a grace period later, after
//   `sched_process_free`. Tasks are found under RCU (`oom_score_adj_update`, `sched_process_hang`),
//   run or queued under a lock of the scheduler (most of `sched`), or counted by the caller
//   (`cgroup_attach_task`, `mark_victim`, `sched_kthread_stop`, `sched_stick_numa`); for
//   `signal_generate`, `siglock` keeps it hashed. `copy_process()` (kernel/fork.c) fires nothing with a child
//   that it may still free without a count.
// - `Credential`: it can be. `ptracer_capable()` (kernel/capability.c) passes one to `cap_capable`
//   that only RCU keeps, whose `put_cred_rcu()` may be pending.
// - `Device`: it can be. `device_release()` (drivers/base/core.c) runs after the last `put_device()`
//   and frees what devres manages, such as memory in `dmam_release()` (kernel/dma/mapping.c): `dma_free`.
// - `LocalFile`: it can be. `__fput()` (fs/file_table.c) calls `release`, and that of AFS
//   `vfs_fsync()`: `file_check_and_advance_wb_err`. Not `File` either, since its position may be
//   used only under its lock: C's `fdget_pos()` doesn't take the lock for a file that isn't shared.
// - `Cpumask` has no count, and belongs to the caller.
//
// Whoever adds another header in the Kbuild file asserts it for the tasks there.
//
// SAFETY: C tracepoints pass objects that are alive for the duration of the call, and the type guarantees no more
// than that.
mark! {
    unsafe FromKernel: [] &View<LocalFile>, [] &Task, [] &View<Credential>, [] &View<Device>, [] &Cpumask;
}

// SAFETY: A `const char *` is a string in the headers that `prototypes.h` includes, even
// if its length is passed along, as in `console` (include/trace/events/printk.h), where old bytes can follow the
// text before the NUL. Nobody changes it during the call, unless it's `Unsteady`. For other headers, their users
// assert that by adding them in the Kbuild file.
mark!(unsafe FromKernel: [] &CStr;);

/// A type of an argument that promises nothing of its target, which can change while a probe runs.
#[diagnostic::on_unimplemented(
    message = "the kernel can change this string while a probe reads it",
    label = "has to be a `*const c_char`"
)]
pub trait Unsteady {
    /// An error in a constant is at its type.
    const OK: () = ();
}

impl<T> Unsteady for *const T {}

// SAFETY: `None` is NULL, and any other value that C passes is valid for `T`, as the trait says.
mark!(unsafe FromKernel: [T: FromKernel] Option<T>;);

/// A type that corresponds to C's `T`, regardless of `const`, and of Rust using `u8` for `char`.
///
/// `kernel_tracepoint!` uses this to check a declared prototype against the kernel's headers.
#[diagnostic::on_unimplemented(
    message = "the kernel's headers declare this argument with another type: `{T}`",
    label = "is passed as `{Self}`"
)]
///
/// # Safety
///
/// Both must be passed alike, and every value of C's must be valid.
pub unsafe trait SameInC<T>: Sized {
    /// Converts the type of `self` to the type that C passes. Never called.
    fn in_c(self) -> T {
        unreachable!()
    }
}

/// So that the compiler doesn't conclude from a single implementation which type C has. With two of
/// them, it doesn't suggest one.
pub struct Undecided<const N: usize>(());

macro_rules! undecided {
    ($($ty:ty)*) => {
        // SAFETY: Nothing in C has these types.
        mark! {
            unsafe SameInC<Undecided<0>>: $([] $ty),*;
            unsafe SameInC<Undecided<1>>: $([] $ty),*;
        }
    };
}

undecided!(Bool u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

// SAFETY: Both are the same type, or a `bool` and its byte, or differ only in `const` or in the
// kind of `char`. C passes them alike, and any value of C's is valid.
mark! {
    unsafe SameInC<T>: [T] T;
    unsafe SameInC<bool>: [] Bool;
    unsafe SameInC<*const T>: [T] *mut T;
    unsafe SameInC<*mut T>: [T] *const T;
    unsafe SameInC<Char>: [] c_char;
    unsafe SameInC<*const Char>: [] *const c_char, [] *mut c_char;
    unsafe SameInC<*mut Char>: [] *const c_char, [] *mut c_char;
}

/// The guard of a faultable tracepoint that C fires by a static call. While `tracepoint_add_func()` and
/// `tracepoint_remove_func()` (kernel/tracepoint.c) switch it, they don't wait for RCU Tasks Trace. So C may
/// have read one probe's data and call another one. For those in Rust, see `do_trace_call()` of the macros.
pub struct TasksTraceInC(());

impl Guard for TasksTraceInC {
    const FAULTABLE: bool = true;
}

/// Returns a C argument of a tracepoint as the type that the library has for it.
///
/// # Safety
///
/// The type of the C argument must be `W`, except for `const`, for enums that are integers here, and for
/// pointers to functions.
#[cfg(CONFIG_CFI)]
#[inline(always)]
pub unsafe fn same_c_arg<C: Copy, W>(c_arg: C) -> W {
    const { assert!(size_of::<C>() == size_of::<W>()) };
    // SAFETY: The caller promises that the C argument has the type `W`, except for `const`, for enums
    // that are integers here, and for pointers to functions. The sizes are the same.
    unsafe { core::mem::transmute_copy(&c_arg) }
}
