// SPDX-License-Identifier: GPL-2.0

//! Probing the kernel's own tracepoints.

/// Declares tracepoints from the kernel's headers, so that they can be probed.
///
/// The declaration is C's `TP_PROTO` with Rust types. The compiler checks it against
/// `include/trace/events/` of the kernel that the module is built for, and rejects any type that
/// promises more than the C type: see [`FromKernel`](super::args::FromKernel).
/// `tracepoint/bindings/prototypes.h` lists the headers available by default; add others to
/// `tracepoint-headers` in the Kbuild file. By adding a header, you assert that every
/// `const char *` in its tracepoints is a string.
///
/// The tracepoint is looked up by name. An unrelated module that defines a tracepoint with this
/// name but other arguments than the header's is a bug, as is a module that exports a different
/// function under the name of a kernel function.
///
/// Each declaration becomes a unit struct with the methods `register` and `register_prio`; see
/// [`Probe`](super::Probe). The probe is not called if C passes NULL for a reference; declare the
/// argument as `Option<&T>` to receive NULL as well.
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

                /// Compiles only if the arguments are what C passes. Never called.
                fn __check($($arg: $ty),*) {
                    // Comes before the comparison with the C types, so that the error points at the
                    // argument.
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
