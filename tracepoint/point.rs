// SPDX-License-Identifier: GPL-2.0

//! Declaring and firing tracepoints.
//!
//! C header: [`include/linux/tracepoint.h`](srctree/include/linux/tracepoint.h)

use super::{
    guard::Guard,
    prototype::{hash, Type},
};
use core::ffi::CStr;
use kernel::ffi::{c_int, c_void};

/// A tracepoint declared with [`tracepoint!`] or [`kernel_tracepoint!`](super::kernel_tracepoint).
///
/// # Safety
///
/// `Func` and `PROTOTYPE` must both be derived from the arguments of the declaration, and `NAME`
/// must be the tracepoint's name.
pub unsafe trait Tracepoint: 'static {
    /// The name, as used in C code and tracefs.
    const NAME: &'static CStr;

    /// The types of the arguments.
    const TYPES: &'static [Type];

    /// The arguments, as formatted by `prototype::text`.
    const PROTOTYPE: &'static CStr;

    /// The hash of the prototype, used in the symbol `__prototype_NAME_HASH`. The module that
    /// defines the tracepoint defines this symbol, and modules that fire it reference the symbol.
    const HASH: u64 = hash(Self::PROTOTYPE.to_bytes());

    /// The read-side guard that a call holds while it runs the probes.
    type Guard: Guard;

    /// The C type of its probes.
    type Func: Words;
}

/// The types of a tracepoint's words, extracted from the type of its probes.
#[diagnostic::on_unimplemented(
    message = "a tracepoint can pass at most twelve words; a slice or a `&str` takes two"
)]
pub trait Words: Copy {
    /// The number of words.
    const LEN: usize;

    /// The types of the first word, the second, and so on.
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

/// The types of a tracepoint's words, by letter.
pub mod words {
    macro_rules! word {
        ($($word:ident)*) => {$(
            /// The type of this word.
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

/// Declares tracepoints, both for the module that defines them and for modules that only probe or
/// fire them.
///
/// C: `DECLARE_TRACE_EVENT()`, or with `if` or `faultable` its `_CONDITION` and `_SYSCALL`
/// variants. The name gets no `_tp` suffix.
///
/// A module that fires a tracepoint must declare exactly the prototype that the defining module
/// does. If the prototype differs, or if the tracepoint is defined in C, modpost and the module
/// loader report that the symbol `__prototype_NAME_HASH` is missing.
///
/// Each declaration becomes a unit struct with the tracepoint's name. [`trace!`] fires the
/// tracepoint, and the struct has these methods:
///
/// - `enabled()`: returns whether a probe is registered. C: `trace_NAME_enabled()`. Any context
///   where RCU is watching.
/// - `call(…)`: calls the probes without checking the static key, for code that has already checked
///   `enabled()`. C: `trace_call__NAME()`. Same context as [`trace!`].
/// - `register(probe)`, `register_prio(probe, prio)`: see [`Probe`](super::Probe). C:
///   `register_trace_NAME()`, `register_trace_prio_NAME()`.
/// - `register_unchecked(probe, prio)`: the same for a tracepoint defined in C; unsafe.
///
/// [`args`](super::args) lists the possible argument types.
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
/// A condition is evaluated only while a probe is registered, and must have no side effects.
macro_rules! tracepoint {
    ($($declarations:tt)*) => {
        $crate::tracepoint::point::tracepoint_each! { [$] $($declarations)* }
    };
}
pub(crate) use tracepoint;

/// Processes the declarations of [`tracepoint!`] one by one.
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

        // `improper_ctypes`: some structs are empty in C in some configurations.
        #[allow(dead_code, improper_ctypes, unreachable_pub, clippy::too_many_arguments)]
        const _: () = {
            // Only names starting with `__` and absolute paths are used: the user's types and
            // expressions are resolved in this scope.
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
                /// Returns whether a probe is registered. C: `trace_NAME_enabled()`.
                #[inline(always)]
                pub fn enabled(self) -> bool {
                    __p::assert_rcu_is_watching();
                    // SAFETY: This is the key of a `struct tracepoint`, defined by `define_trace!`
                    // or in C.
                    unsafe {
                        $crate::tracepoint::arch::static_branch_unlikely!(
                            __TRACEPOINT,
                            __p::KEY_OFFSET
                        )
                    }
                }

                /// Calls the probes without checking the static key. C: `trace_call__NAME()`.
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
                    // once under the guard, which keeps the array alive. If it is not NULL, the
                    // static call goes to the iterator or to the only probe, whose data is in the
                    // first entry. Both take the words of the declaration as arguments: `register`
                    // has compared the prototypes, and the symbol `__prototype_NAME_HASH` exists
                    // only if the definition's prototype is the same.
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
            // Gives `define_trace!` and the export macros the declaration's name and the names of
            // its words. It has the same name as the struct, so it is imported along with it.
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
        // SAFETY: Everything is derived from the same name and arguments.
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

/// The implicit part of C's `cond`: probes are called only on online CPUs, since RCU doesn't wait
/// for offline ones. As in C, a faultable tracepoint has no such check.
macro_rules! gate {
    (Srcu) => {
        if !__p::this_cpu_online() {
            return;
        }
    };
    (TasksTrace) => {};
}
pub(crate) use gate;

/// The building blocks of a tracepoint's expansion. Public for the macros, which import this
/// module as `__p`.
#[doc(hidden)]
pub mod parts {
    /// The offset of the static key.
    pub const KEY_OFFSET: usize = offset_of!(tracepoint, key);
    /// The offset of the pointer to the probes.
    pub const FUNCS_OFFSET: usize = offset_of!(tracepoint, funcs);
    /// The offset of a probe's data.
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

/// The checks that a call makes before the static branch.
#[inline(always)]
#[track_caller]
pub fn before<T: Tracepoint>(_tracepoint: T) {
    might_fault_with::<T::Guard>();
}

/// Marks a function that contains a static call.
///
/// objtool turns a call of `__SCT__NAME` into a static-call site, for which it needs `__SCK__NAME`
/// among the object's symbols; C references that symbol with `__STATIC_CALL_ADDRESSABLE()`. The
/// name in `__tracepoint_check` tells the build that the tracepoint is used (`TRACEPOINT_CHECK()`).
///
/// Because of the reference to `__prototype_NAME_HASH`, modpost and the module loader refuse a
/// module that would fire the tracepoint with other arguments than it was defined with.
macro_rules! static_call_site {
    ($name:ident, $key:path) => {
        // SAFETY: This emits no instructions, only entries in sections that are discarded or unused
        // in the module.
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

/// Warns once if RCU isn't watching, even while no probe is registered.
///
/// C: the `WARN_ONCE()` of `trace_NAME()` under CONFIG_LOCKDEP. In C it comes after the condition,
/// here before it.
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

/// Annotates that this point may fault and sleep, if the guard permits it.
///
/// C: `might_fault()`.
#[inline(always)]
#[track_caller]
pub fn might_fault_with<G: Guard>() {
    #[cfg(any(CONFIG_PROVE_LOCKING, CONFIG_DEBUG_ATOMIC_SLEEP))]
    if G::FAULTABLE {
        let caller = core::panic::Location::caller();
        // SAFETY: `__might_fault()` (mm/memory.c) takes a file name and a line number for its
        // message.
        unsafe {
            kernel::bindings::__might_fault(
                kernel::str::CStrExt::as_char_ptr(kernel::file_from_location(caller)),
                caller.line() as c_int,
            )
        }
    }
}

/// Converts bytes computed in a `const` to a C string.
#[inline]
pub const fn c_str(bytes: &[u8]) -> &CStr {
    match CStr::from_bytes_with_nul(bytes) {
        Ok(text) => text,
        Err(_) => panic!("not a C string"),
    }
}

/// Calls the probes of a tracepoint.
///
/// C: `trace_NAME()`. While no probe is registered, this is one 5-byte NOP, and the arguments are
/// not evaluated.
///
/// Can be used in any context where RCU is watching, including NMI. A `faultable` tracepoint needs
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
