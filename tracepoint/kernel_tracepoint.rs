// SPDX-License-Identifier: GPL-2.0

//! Probing the kernel's own tracepoints.

/// Names tracepoints that the kernel's headers declare, so that they can be probed.
///
/// The declaration is C's `TP_PROTO` in Rust's types. The compiler holds it against
/// `include/trace/events/` of the kernel that the module is built for, and takes no type that
/// promises more than C's: see [`FromKernel`](super::args::FromKernel). What is there by default
/// stands in `tracepoint/bindings/prototypes.h`; other headers are named in
/// `tracepoint-headers` in the Kbuild file. Who names one says that its `const char *` are strings.
///
/// The tracepoint is found by its name. A foreign module that defines the name with arguments other
/// than the header's is as wrong as one that exports another function under a name of the kernel's.
///
/// Each declaration becomes a unit struct with the functions `register` and `register_prio`, see
/// [`Probe`](super::Probe). A call in which C passes NULL for a reference is not for the probe; an
/// `Option<&T>` receives it.
///
/// ```ignore
/// kernel_tracepoint! {
///     pub fn sched_switch(preempt: bool, prev: &Task, next: &Task, prev_state: u32);
/// }
///
/// let probe = sched_switch.register(|_, prev, next, _| count(prev, next))?;
/// ```
macro_rules! kernel_tracepoint {
    ($( $(#[$meta:meta])* $vis:vis fn $name:ident($($args:tt)*); )*) => {$(
        $crate::tracepoint::args::args_each! {
            [$crate::tracepoint::kernel_tracepoint::kernel_tracepoint_one]
            { [$(#[$meta])* $vis] $name }
            $($args)*
        }
    )*};
    ($($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "kernel_tracepoint!: expected `pub fn name(argument: Type, …);`, found `",
            ::core::stringify!($($other)*),
            "`",
        ));
    };
}
pub(crate) use kernel_tracepoint;

/// Expands one declaration of [`kernel_tracepoint!`].
macro_rules! kernel_tracepoint_one {
    (
        { [$(#[$meta:meta])* $vis:vis] $name:ident }
        args [$($arg:ident: $ty:ty,)*]
        words [$($word:ident: $c:ty = $lower:expr,)*]
        from [$($from:expr,)*]
        valid [$($valid:expr,)*]
        types [$($type:expr,)*]
    ) => {
        $(#[$meta])*
        #[allow(non_camel_case_types, unreachable_pub)]
        $vis struct $name;

        ::kernel::macros::paste! {
            #[allow(dead_code, unreachable_pub, clippy::too_many_arguments)]
            const _: () = {
                use $crate::tracepoint::point::parts as __p;

                /// Compiles if the arguments are what C passes. Never called.
                fn __check($($arg: $ty),*) {
                    // Before the types are held against C's, and with an error at the argument.
                    $($crate::tracepoint::args::vouched_for::<$ty>();)*
                    // SAFETY: Never called.
                    unsafe {
                        $crate::tracepoint::bindings::prototypes::[<__traceiter_ $name>](
                            ::core::ptr::null_mut(),
                            $($crate::tracepoint::args::in_c::<$ty, _>($arg)),*
                        );
                    }
                }

                $crate::tracepoint::point::impl_tracepoint! {
                    $name Srcu [$($c,)*] [$($type,)*]
                }
                $crate::tracepoint::probe::impl_accepts! {
                    $name [$($ty,)*] [$($word: $c,)*] [$($from,)*] [true $(&& $valid)*] [true]
                }
            };
        }
    };
}
pub(crate) use kernel_tracepoint_one;
