// SPDX-License-Identifier: GPL-2.0

//! Declaring a tracepoint and calling it.
//!
//! C header: [`include/linux/tracepoint.h`](srctree/include/linux/tracepoint.h)

use super::{
    guard::Guard,
    prototype::{hash, Type},
};
use core::ffi::CStr;
use kernel::ffi::{c_int, c_void};

/// A tracepoint that [`tracepoint!`] or
/// [`kernel_tracepoint!`](super::kernel_tracepoint) declares.
///
/// # Safety
///
/// `Func` and `PROTOTYPE` must both follow from the arguments of the declaration, and `NAME` and
/// `TRACEPOINT` must be the tracepoint's.
pub unsafe trait Tracepoint: 'static {
    /// The name, as C code and tracefs know it.
    const NAME: &'static CStr;

    /// The types of the arguments.
    const TYPES: &'static [Type];

    /// The arguments, as `prototype::text` writes them.
    const PROTOTYPE: &'static CStr;

    /// What stands for it in `__prototype_NAME_HASH`. Whoever defines the tracepoint has that
    /// symbol, and whoever fires it refers to it.
    const HASH: u64 = hash(Self::PROTOTYPE.to_bytes());

    /// What a call holds on to its probes with.
    type Guard: Guard;

    /// The type of its probes, in C.
    type Func: Words;
}

/// The words of a tracepoint, taken from the type of its probes.
#[diagnostic::on_unimplemented(
    message = "a tracepoint has at most twelve words; a slice or a `&str` takes two"
)]
pub trait Words: Copy {
    /// How many there are.
    const LEN: usize;

    /// The first word, the second, and so on.
    type A;
    type B;
    type C;
    type D;
    type E;
    type F;
    type G;
    type H;
    type I;
    type J;
    type K;
    type L;
}

/// The words of a tracepoint.
pub mod words {
    macro_rules! word {
        ($($word:ident)*) => {$(
            /// The word of this letter.
            pub type $word<T> =
                <<T as super::Tracepoint>::Func as super::Words>::$word;
        )*};
    }

    word!(A B C D E F G H I J K L);
}

macro_rules! words {
    ($($word:ident)*, $($none:ident)*) => {
        impl<$($word: Copy),*> Words for unsafe extern "C" fn(*mut c_void $(, $word)*) {
            const LEN: usize = 0 $(+ { _ = stringify!($word); 1 })*;
            $(type $word = $word;)*
            $(type $none = ();)*
        }
    };
}

words!(, A B C D E F G H I J K L);
words!(A, B C D E F G H I J K L);
words!(A B, C D E F G H I J K L);
words!(A B C, D E F G H I J K L);
words!(A B C D, E F G H I J K L);
words!(A B C D E, F G H I J K L);
words!(A B C D E F, G H I J K L);
words!(A B C D E F G, H I J K L);
words!(A B C D E F G H, I J K L);
words!(A B C D E F G H I, J K L);
words!(A B C D E F G H I J, K L);
words!(A B C D E F G H I J K, L);
words!(A B C D E F G H I J K L,);

/// Declares tracepoints, for the module that defines them and for those that only probe or fire
/// them.
///
/// C: `DECLARE_TRACE_EVENT()`, and with `if` or `faultable` its `_CONDITION` and `_SYSCALL` forms.
/// The name gets no `_tp` suffix.
///
/// A module that fires needs the very prototype of the definer: with another, or where C defines the
/// tracepoint, modpost and the module loader miss the symbol `__prototype_NAME_HASH`.
///
/// Each declaration becomes a unit struct of the tracepoint's name. It is called with [`trace!`],
/// and has these functions:
///
/// - `enabled()`: whether a probe is registered. C: `trace_NAME_enabled()`. Any context where RCU is
///   watching.
/// - `call(…)`: calls the probes without asking the static key, behind an `enabled()` of one's own.
///   C: `trace_call__NAME()`. The context that [`trace!`] needs.
/// - `register(probe)`, `register_prio(probe, prio)`: see [`Probe`](super::Probe). C:
///   `register_trace_NAME()`, `register_trace_prio_NAME()`.
/// - `register_unchecked(probe, prio)`: the same for a definer in C; unsafe.
///
/// What the arguments can be stands in [`args`](super::args).
///
/// ```ignore
/// tracepoint! {
///     /// A request has been queued.
///     pub fn drv_queue(name: &CStr, sector: u64, data: &[u8]);
///
///     /// Called for every tenth request only.
///     pub fn drv_tenth(n: u32) if n % 10 == 0;
///
///     /// Probes may read user memory.
///     pub faultable fn drv_ioctl(cmd: u32, arg: usize);
/// }
/// ```
///
/// A condition is evaluated only where a probe is registered, and must have no side effects.
macro_rules! tracepoint {
    ($($declarations:tt)*) => {
        $crate::tracepoint::point::tracepoint_each! { [$] $($declarations)* }
    };
}
pub(crate) use tracepoint;

/// Takes the declarations of [`tracepoint!`] one by one.
macro_rules! tracepoint_each {
    ([$_:tt]) => {};

    (
        [$d:tt] $(#[$meta:meta])* $vis:vis faultable fn $name:ident($($args:tt)*);
        $($rest:tt)*
    ) => {
        $crate::tracepoint::args::args_each! {
            [$crate::tracepoint::point::tracepoint_one]
            { [$d] [$(#[$meta])* $vis] $name TasksTrace [] }
            $($args)*
        }
        $crate::tracepoint::point::tracepoint_each! { [$d] $($rest)* }
    };

    (
        [$d:tt] $(#[$meta:meta])* $vis:vis fn $name:ident($($args:tt)*) $(if $condition:expr)?;
        $($rest:tt)*
    ) => {
        $crate::tracepoint::args::args_each! {
            [$crate::tracepoint::point::tracepoint_one]
            { [$d] [$(#[$meta])* $vis] $name Srcu [$($condition)?] }
            $($args)*
        }
        $crate::tracepoint::point::tracepoint_each! { [$d] $($rest)* }
    };

    ([$_:tt] $($other:tt)+) => {
        ::core::compile_error!(::core::concat!(
            "tracepoint!: expected `pub fn name(argument: Type, …);`, \
             `pub fn name(…) if condition;` or `pub faultable fn name(…);`, found `",
            ::core::stringify!($($other)+),
            "`",
        ));
    };
}
pub(crate) use tracepoint_each;

/// Expands one declaration of [`tracepoint!`].
macro_rules! tracepoint_one {
    (
        { [$d:tt] [$(#[$meta:meta])* $vis:vis] $name:ident $guard:ident [$($condition:expr)?] }
        args [$($arg:ident: $ty:ty,)*]
        words [$($word:ident: $c:ty = $lower:expr,)*]
        from [$($from:expr,)*]
        valid [$($valid:expr,)*]
        types [$($type:expr,)*]
    ) => {
        $(#[$meta])*
        #[allow(non_camel_case_types, unreachable_pub)]
        $vis struct $name;

        // `improper_ctypes`: the structs that C leaves empty in some configurations.
        #[allow(dead_code, improper_ctypes, unreachable_pub, clippy::too_many_arguments)]
        const _: () = {
            // Names that begin so, and paths from the root: what the user wrote is resolved here.
            use $crate::tracepoint::point::parts as __p;

            extern "C" {
                #[link_name = ::core::concat!("__tracepoint_", ::core::stringify!($name))]
                static mut __TRACEPOINT: __p::tracepoint;
                #[link_name = ::core::concat!("__SCK__tp_func_", ::core::stringify!($name))]
                static mut __STATIC_CALL_KEY: __p::static_call_key;
                #[link_name = ::core::concat!("__SCT__tp_func_", ::core::stringify!($name))]
                fn __static_call(data: *mut __p::c_void $(, $word: $c)*) -> __p::c_int;
            }

            impl $name {
                /// Whether a probe is registered. C: `trace_NAME_enabled()`.
                #[inline(always)]
                pub fn enabled(self) -> bool {
                    __p::assert_rcu_is_watching();
                    // SAFETY: The key of a `struct tracepoint`, which `define_trace!` or C defines.
                    unsafe {
                        $crate::tracepoint::arch::static_branch_unlikely!(
                            __TRACEPOINT,
                            __p::KEY_OFFSET
                        )
                    }
                }

                /// Calls the probes, whatever the static key says. C: `trace_call__NAME()`.
                #[inline(always)]
                pub fn call(self, $($arg: $ty),*) {
                    $crate::tracepoint::point::before(self);
                    $crate::tracepoint::point::gate!($guard);
                    $(if !$condition {
                        return;
                    })?
                    let _guard = __p::$guard::new();
                    #[allow(clippy::let_unit_value)]
                    let ($($word,)*): ($($c,)*) = ($($lower,)*);
                    $crate::tracepoint::point::static_call_site!($name, __STATIC_CALL_KEY);
                    // SAFETY: `__DO_TRACE_CALL()` (include/linux/tracepoint.h): `funcs` is read
                    // once under the guard, which keeps the array. When it is not NULL, the static
                    // call goes to the iterator or to the only probe, whose data is that of the
                    // first entry. Both have the words of the declaration as arguments: `register`
                    // has compared the prototype, and `__prototype_NAME_HASH` is the definer's.
                    unsafe {
                        $crate::tracepoint::arch::do_trace_call!(
                            __TRACEPOINT,
                            __static_call,
                            $($word),*
                        );
                    }
                }
            }

            $crate::tracepoint::point::impl_tracepoint! { $name $guard [$($c,)*] [$($type,)*] }
            $crate::tracepoint::probe::impl_accepts! {
                $name [$($ty,)*] [$($word: $c,)*] [$($from,)*] [] [false]
            }
        };

        ::kernel::macros::paste! {
            // What `define_trace!` and the exports need of the declaration: its name and the names
            // of its words. It goes where the struct goes, since it has the same name.
            #[allow(unused_macros)]
            #[doc(hidden)]
            macro_rules! [<__tracepoint_ $name>] {
                ($d callback:path, $d($d state:tt)*) => {
                    $d callback! { $name [$($word)*] $d($d state)* }
                };
            }
            #[allow(unused_imports)]
            #[doc(hidden)]
            pub(crate) use [<__tracepoint_ $name>] as $name;
        }
    };
}
pub(crate) use tracepoint_one;

/// Implements [`Tracepoint`] for a declaration.
macro_rules! impl_tracepoint {
    ($name:ident $guard:ident [$($c:ty,)*] [$($type:expr,)*]) => {
        // SAFETY: All follow from the same arguments.
        unsafe impl __p::Tracepoint for $name {
            const NAME: &'static __p::CStr =
                __p::c_str(::core::concat!(::core::stringify!($name), "\0").as_bytes());
            const TYPES: &'static [__p::Type] = &[$($type),*];
            const PROTOTYPE: &'static __p::CStr =
                __p::c_str(&__p::text::<{ __p::len(Self::TYPES) }>(Self::TYPES));
            type Guard = __p::$guard;
            type Func = unsafe extern "C" fn(*mut __p::c_void $(, $c)*);
        }
    };
}
pub(crate) use impl_tracepoint;

/// What `cond` holds besides the condition: probes are called on online CPUs only, since RCU does
/// not wait for the others. A faultable tracepoint has no such gate in C either.
macro_rules! gate {
    (Srcu) => {
        if !__p::this_cpu_online() {
            return;
        }
    };
    (TasksTrace) => {};
}
pub(crate) use gate;

/// What the expansion of a tracepoint is made of. Public for the macros, which take it in as `__p`.
#[doc(hidden)]
pub mod parts {
    /// Where the static key is.
    pub const KEY_OFFSET: usize = offset_of!(tracepoint, key);
    /// Where the probes are.
    pub const FUNCS_OFFSET: usize = offset_of!(tracepoint, funcs);
    /// Where the data of a probe is.
    pub const DATA_OFFSET: usize = offset_of!(tracepoint_func, data);

    pub use super::super::args::parts::*;
    pub use super::{
        super::{
            arch::this_cpu_online,
            bindings::{static_call_key, tracepoint, tracepoint_func},
            guard::{Srcu, TasksTrace},
            prototype::{len, text},
        },
        assert_rcu_is_watching, c_str, Tracepoint,
    };
    pub use core::ffi::CStr;
    use core::mem::offset_of;
    pub use kernel::ffi::{c_int, c_void};
}

/// What a call does before the static branch.
#[inline(always)]
#[track_caller]
pub fn before<T: Tracepoint>(_tracepoint: T) {
    might_fault_with::<T::Guard>();
}

/// Marks a function that contains a static call.
///
/// objtool makes a call of `__SCT__NAME` a static-call site, and needs `__SCK__NAME` among the
/// object's symbols for it; C refers to that with `__STATIC_CALL_ADDRESSABLE()`. The name in
/// `__tracepoint_check` tells the build that the tracepoint is used (`TRACEPOINT_CHECK()`).
///
/// The reference to `__prototype_NAME_HASH` is all that the linker and the module loader need to
/// refuse a module that would fire with other arguments than the definer's.
macro_rules! static_call_site {
    ($name:ident, $key:path) => {
        // SAFETY: No instruction, only entries in sections that are gone or unused in the module.
        unsafe {
            ::core::arch::asm!(
                ".pushsection .discard.addressable, \"aw\"",
                ".balign 8",
                ".quad {key}",
                ::core::concat!(".quad __prototype_", ::core::stringify!($name), "_{hash}"),
                ".popsection",
                ".pushsection __tracepoint_check, \"a\"",
                ::core::concat!(".asciz \"", ::core::stringify!($name), "\""),
                ".popsection",
                key = sym $key,
                hash = const <$name as __p::Tracepoint>::HASH,
                options(att_syntax, nomem, nostack, preserves_flags),
            )
        }
    };
}
pub(crate) use static_call_site;

/// Warns once where RCU would not see a probe, even while there is none.
///
/// C: the `WARN_ONCE()` of `trace_NAME()` under CONFIG_LOCKDEP, though before the condition.
#[inline(always)]
pub fn assert_rcu_is_watching() {
    #[cfg(CONFIG_LOCKDEP)]
    {
        use kernel::sync::atomic::{Atomic, Relaxed};

        static WARNED: Atomic<i32> = Atomic::new(0);
        // SAFETY: `rcu_is_watching()` (kernel/rcu/tree.c) can be called from anywhere.
        let watching = unsafe { kernel::bindings::rcu_is_watching() };
        kernel::warn_on!(!watching && WARNED.xchg(1, Relaxed) == 0);
    }
}

/// Says that this point may fault and sleep, where that is so under the guard.
///
/// C: `might_fault()`.
#[inline(always)]
#[track_caller]
pub fn might_fault_with<G: Guard>() {
    #[cfg(any(CONFIG_PROVE_LOCKING, CONFIG_DEBUG_ATOMIC_SLEEP))]
    if G::FAULTABLE {
        let caller = core::panic::Location::caller();
        // SAFETY: `__might_fault()` (mm/memory.c) takes a string and a line number for its message.
        unsafe {
            kernel::bindings::__might_fault(
                kernel::str::CStrExt::as_char_ptr(kernel::file_from_location(caller)),
                caller.line() as c_int,
            )
        }
    }
}

/// Makes a C string of bytes that a `const` computed.
#[inline]
pub const fn c_str(bytes: &[u8]) -> &CStr {
    match CStr::from_bytes_with_nul(bytes) {
        Ok(text) => text,
        Err(_) => panic!("not a C string"),
    }
}

/// Calls the probes of a tracepoint.
///
/// C: `trace_NAME()`. While no probe is registered this is one 5-byte NOP; the arguments are
/// evaluated only when there is one.
///
/// Any context where RCU is watching, NMI included, unless the tracepoint is `faultable`: then
/// process context that may sleep. Probes run in the caller's context.
///
/// ```ignore
/// trace!(subsys_event(inode, file));
/// ```
macro_rules! trace {
    ($($tracepoint:ident)::+ ($($arg:expr),* $(,)?)) => {
        if {
            $crate::tracepoint::point::before($($tracepoint)::+);
            $($tracepoint)::+.enabled()
        } {
            $($tracepoint)::+.call($($arg),*);
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "trace!: expected `name(argument, …)`, found `",
            ::core::stringify!($($other)*),
            "`",
        ))
    };
}
pub(crate) use trace;
