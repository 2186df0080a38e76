// SPDX-License-Identifier: GPL-2.0

//! Functions that ftrace can trace, for the function tracers, fprobe events and ftrace-based
//! kprobes.
//!
//! In C, every function is traceable unless it is marked `notrace`. Functions compiled by rustc are
//! not, so each function chosen here gets an entry point in assembly.

use crate::base::{args::Arg, c_name::Name};
use kernel::error::Result;

/// A type that a traceable function can return.
///
/// # Safety
///
/// `from_c(into_c(x))` must be `x`, and C must return `C` like an integer, or nothing.
#[diagnostic::on_unimplemented(
    message = "a traceable function cannot return a `{Self}`",
    label = "has no corresponding C type",
    note = "return nothing, an integer, a `bool` or a `Result`"
)]
pub unsafe trait Return {
    /// The C type.
    type C;

    /// The same as text.
    const C_NAME: Name;

    /// Converts the value to the C type.
    fn into_c(self) -> Self::C;

    /// Converts the value back from the C type.
    ///
    /// # Safety
    ///
    /// `c` must come from [`Return::into_c`].
    unsafe fn from_c(c: Self::C) -> Self;
}

#[diagnostic::do_not_recommend]
// SAFETY: There's nothing to convert, and C returns nothing.
unsafe impl Return for () {
    type C = ();
    const C_NAME: Name = Name::void();

    fn into_c(self) {}

    unsafe fn from_c((): ()) {}
}

macro_rules! return_as_argument {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: The conversions are those of `Arg`, which guarantees the same, and the C type is
        // an integer.
        unsafe impl Return for $ty {
            type C = <$ty as Arg>::C;
            const C_NAME: Name = <$ty as Arg>::C_NAME;

            fn into_c(self) -> Self::C {
                Arg::into_c(self)
            }

            unsafe fn from_c(c: Self::C) -> Self {
                // SAFETY: The caller promises that `c` comes from `into_c`, which is that of `Arg`.
                unsafe { <$ty as Arg>::from_c(&c) }
            }
        }
    )*};
}

return_as_argument!(Result bool u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

pub mod root {
    /// Makes a function visible to ftrace, under its name.
    ///
    /// C: any function without `notrace`. By default, functions that rustc compiles are invisible to ftrace.
    ///
    /// ```
    /// /// Starts the queue.
    /// #[traceable]
    /// fn drv_start_queue(queue: u32) -> Result {
    ///     pr_info!("queue {queue}\n");
    ///     Ok(())
    /// }
    /// ```
    ///
    /// The arguments are those that a tracepoint can have ([`tracepoint::args`]), and are passed as C would pass
    /// them. The result can be nothing, an integer, a `bool`, or a `Result`, which becomes an errno. BTF describes
    /// both, for fprobe events and BPF.
    ///
    /// The function must be safe. It's a build error if it's generic, `async` or a method, or if the kernel exports
    /// its name. The attribute takes no arguments.
    ///
    /// [`tracepoint::args`]: ../tracepoint/args/index.html
    pub use crate::macros::traceable;
}

pub mod event {}

pub mod private {
    pub use super::Return;
}
