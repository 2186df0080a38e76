// SPDX-License-Identifier: GPL-2.0

//! Defining and exporting tracepoints: emits what C's `DEFINE_TRACE()` does, in the sections where
//! the kernel looks for it.
//!
//! C headers: [`include/linux/tracepoint.h`](srctree/include/linux/tracepoint.h),
//! [`include/linux/tracepoint-defs.h`](srctree/include/linux/tracepoint-defs.h),
//! [`include/linux/static_call_types.h`](srctree/include/linux/static_call_types.h)

use super::{bindings, guard::Guard, point::Tracepoint};
use core::{cell::UnsafeCell, ffi::CStr, mem::size_of, ptr::null_mut};
use kernel::{
    error::Result,
    ffi::{c_char, c_int, c_void},
    str::CStrExt as _,
};

/// A static that the kernel writes to.
///
/// The cell puts it in a writable section. A module's rodata is already read-only when the kernel
/// processes its tracepoints.
#[repr(transparent)]
pub struct Shared<T>(UnsafeCell<T>);

// SAFETY: Rust code only takes the address, and the kernel's C code does its own locking
// (`tracepoints_mutex`, `jump_label_mutex`, `static_call_mutex`).
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// Wraps a value.
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Returns the address, to be passed to C.
    pub const fn get(&self) -> *mut T {
        self.0.get()
    }
}

/// Marks a `tracepoint_ext` that is the first field of an [`Ext`].
const MAGIC: [u8; 4] = *b"Rust";

/// The `tracepoint_ext` of a tracepoint defined in Rust, followed by its prototype.
///
/// C leaves the padding at the end of a `tracepoint_ext` zeroed. [`MAGIC`] in that padding tells
/// the two apart before anything past the end of C's struct is read.
#[repr(C)]
pub struct Ext {
    ext: bindings::tracepoint_ext,
    prototype: *const c_char,
}

/// A registration hook, in the form that C calls.
pub type Reg = unsafe extern "C" fn() -> c_int;

/// An unregistration hook, in the form that C calls.
pub type Unreg = unsafe extern "C" fn();

impl Ext {
    /// The size of C's struct, which ends with padding.
    const SIZE: usize = size_of::<bindings::tracepoint_ext>();

    /// Returns the `ext` of a tracepoint.
    pub const fn new<T: Tracepoint + Hooks>() -> Self {
        // The fields come from the target kernel's headers: if a kernel starts using the padding,
        // this fails to build.
        Self {
            ext: bindings::tracepoint_ext {
                regfunc: T::REG,
                unregfunc: T::UNREG,
                _bitfield_align_1: [],
                _bitfield_1: bindings::__BindgenBitfieldUnit::new([T::Guard::FAULTABLE as u8]),
                __bindgen_padding_0: [0, 0, 0, MAGIC[0], MAGIC[1], MAGIC[2], MAGIC[3]],
            },
            prototype: T::PROTOTYPE.to_bytes_with_nul().as_ptr(),
        }
    }

    /// Returns a tracepoint's prototype, or `None` if the tracepoint is defined in C.
    ///
    /// # Safety
    ///
    /// `tracepoint` must be valid for `'a`, and so must its module.
    #[inline]
    pub unsafe fn prototype<'a>(tracepoint: *const bindings::tracepoint) -> Option<&'a CStr> {
        // SAFETY: `ext` is set when the tracepoint is defined and never changes.
        let ext = unsafe { (*tracepoint).ext };
        if ext.is_null() {
            return None;
        }
        // SAFETY: These are the last bytes of a valid `tracepoint_ext`. They are initialised
        // because it is static.
        let magic = unsafe { ext.cast::<[u8; 4]>().byte_add(Self::SIZE - 4).read() };
        if magic != MAGIC {
            return None;
        }
        // SAFETY: The magic identifies an `Ext` made by `new`.
        Some(unsafe { CStr::from_char_ptr((*ext.cast::<Ext>()).prototype) })
    }
}

/// Returns a `struct tracepoint`, initialised as in `__DEFINE_TRACE_EXT()`.
pub const fn tracepoint(
    name: *const u8,
    key: *mut bindings::static_call_key,
    tramp: *mut c_void,
    iterator: *mut c_void,
    probestub: *mut c_void,
    ext: *mut Ext,
) -> bindings::tracepoint {
    bindings::tracepoint {
        name: name.cast(),
        // SAFETY: STATIC_KEY_FALSE_INIT (include/linux/jump_label.h) is all zeroes.
        key: unsafe { core::mem::zeroed() },
        static_call_key: key,
        static_call_tramp: tramp,
        iterator,
        probestub,
        funcs: null_mut(),
        ext: ext.cast(),
    }
}

/// Returns the key of a static call, initialised as in `DEFINE_STATIC_CALL()`.
pub const fn static_call_key(func: *mut c_void) -> bindings::static_call_key {
    bindings::static_call_key {
        func,
        // Bit 0 set: no `static_call_mod` list yet, and no call sites.
        #[cfg(CONFIG_HAVE_STATIC_CALL_INLINE)]
        __bindgen_anon_1: bindings::static_call_key__bindgen_ty_1 { type_: 1 },
    }
}

/// Calls every probe of a tracepoint. Returns zero, the iterator's return value.
///
/// C: the body of `__traceiter_NAME()`.
///
/// # Safety
///
/// `tp` must be the tracepoint of `T`, and the caller must hold its guard. `call` must only call
/// the function it is given, with the given data and the tracepoint's words.
#[inline(always)]
pub unsafe fn for_each_probe<T: Tracepoint>(
    tp: *mut bindings::tracepoint,
    call: impl Fn(T::Func, *mut c_void),
) -> c_int {
    const { assert!(size_of::<T::Func>() == size_of::<*mut c_void>()) };
    // SAFETY: `__DEFINE_TRACE_EXT()` (include/linux/tracepoint.h): the array ends with a NULL
    // function, the caller's guard keeps it alive, and its functions take the words of the
    // tracepoint. The first function is not NULL.
    unsafe {
        let mut entry = (&raw const (*tp).funcs).read_volatile();
        if !entry.is_null() {
            loop {
                let func = (&raw const (*entry).func).read_volatile();
                call(core::mem::transmute_copy(&func), (*entry).data);
                entry = entry.add(1);
                if (*entry).func.is_null() {
                    break;
                }
            }
        }
    }
    0
}

/// The hooks of a tracepoint, if it has any.
pub trait Hooks {
    /// `reg`, in the form that C calls.
    const REG: Option<Reg> = None;

    /// `unreg`, in the form that C calls.
    const UNREG: Option<Unreg> = None;

    /// Called before the first probe is registered.
    fn reg() -> Result {
        Ok(())
    }

    /// Called when the last probe is unregistered.
    fn unreg() {}
}

/// # Safety
///
/// None; called from C.
pub unsafe extern "C" fn reg<T: Hooks>() -> c_int {
    match T::reg() {
        Ok(()) => 0,
        Err(error) => error.to_errno(),
    }
}

/// # Safety
///
/// None; called from C.
pub unsafe extern "C" fn unreg<T: Hooks>() {
    T::unreg();
}

/// The building blocks of a definition. Public for the macros, which import this module as `__p`.
#[doc(hidden)]
pub mod parts {
    pub use super::{
        super::{
            bindings::{static_call_key, tracepoint},
            point::words::*,
            prototype::c_name,
        },
        for_each_probe, static_call_key, tracepoint, Ext, Shared,
    };
    pub use kernel::ffi::{c_int, c_void};
}

/// Defines tracepoints declared with [`tracepoint!`](super::tracepoint). Each must be defined
/// exactly once, in one module.
///
/// C: `DEFINE_TRACE()`; with hooks, `DEFINE_TRACE_FN()`; for a `faultable` tracepoint,
/// `DEFINE_TRACE_SYSCALL()`.
///
/// The hooks run when the first probe is registered and when the last one is unregistered. They run
/// under `tracepoints_mutex`, so they may sleep but must not register or unregister a probe. As in
/// C, a probe may still be called during `unreg` and after it. `reg` returns a `Result`; if it is
/// an error, the registration fails with it. A probe that was registered before the module was
/// loaded is attached before the module's `init`, so the hooks can run before `init` and after the
/// module's drop.
///
/// ```ignore
/// define_trace!(drv_queue, events::drv_tenth);
/// define_trace!(drv_ioctl { reg: start_counting, unreg: stop_counting });
/// ```
macro_rules! define_trace {
    ($($($tracepoint:ident)::+ $({ reg: $reg:path, unreg: $unreg:path $(,)? })?),* $(,)?) => {$(
        $($tracepoint)::+! {
            $crate::tracepoint::define::define_one,
            [$($tracepoint)::+] [$($reg, $unreg)?]
        }
    )*};
    ($($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "define_trace!: expected `name` or `name { reg: function, unreg: function }`, found `",
            ::core::stringify!($($other)*),
            "`",
        ));
    };
}
pub(crate) use define_trace;

/// Assigns the words their types.
macro_rules! define_one {
    ($name:ident [$($word:ident)*] [$tracepoint:path] $hooks:tt) => {
        $crate::tracepoint::define::define_one! {
            @words $name [$tracepoint] $hooks [] [$($word)*] A B C D E F G H I J K L
        }
    };

    (
        @words $name:ident [$tracepoint:path] $hooks:tt
        [$($words:tt)*] [$word:ident $($rest:ident)*] $letter:ident $($letters:ident)*
    ) => {
        $crate::tracepoint::define::define_one! {
            @words $name [$tracepoint] $hooks
            [$($words)* $word: __p::$letter<$tracepoint>,]
            [$($rest)*] $($letters)*
        }
    };

    (
        @words $name:ident [$tracepoint:path] [$($reg:path, $unreg:path)?]
        [$($word:ident: $c:ty,)*] [] $($letters:ident)*
    ) => {
        // Outside the block below, where an item could shadow a hook's name.
        impl $crate::tracepoint::define::Hooks for $tracepoint {
            $(
                const REG: ::core::option::Option<$crate::tracepoint::define::Reg> =
                    ::core::option::Option::Some($crate::tracepoint::define::reg::<Self>);
                const UNREG: ::core::option::Option<$crate::tracepoint::define::Unreg> =
                    ::core::option::Option::Some($crate::tracepoint::define::unreg::<Self>);

                fn reg() -> ::kernel::error::Result {
                    $reg()
                }

                fn unreg() {
                    $unreg()
                }
            )?
        }

        const _: () = {
            use $crate::tracepoint::define::parts as __p;

            #[link_section = "__tracepoints_strings"]
            static __NAME: [u8; ::core::stringify!($name).len() + 1] =
                __p::c_name(::core::stringify!($name));

            static __EXT: __p::Shared<__p::Ext> =
                __p::Shared::new(__p::Ext::new::<$tracepoint>());

            /// Calls every probe. Invoked through the static call, under the tracepoint's guard.
            #[allow(clippy::missing_safety_doc)]
            #[export_name = ::core::concat!("__traceiter_", ::core::stringify!($name))]
            unsafe extern "C" fn __iterator(_: *mut __p::c_void $(, $word: $c)*) -> __p::c_int {
                // SAFETY: The caller holds the guard, and the probes take the same words as this
                // function.
                unsafe {
                    __p::for_each_probe::<$tracepoint>(__TRACEPOINT.get(), |func, data| {
                        func(data $(, $word)*)
                    })
                }
            }

            #[export_name = ::core::concat!("__SCK__tp_func_", ::core::stringify!($name))]
            static __STATIC_CALL_KEY: __p::Shared<__p::static_call_key> =
                __p::Shared::new(__p::static_call_key(__iterator as *mut __p::c_void));

            // Only their addresses are used; the declaration has the static call with its
            // arguments.
            #[allow(clashing_extern_declarations)]
            extern "C" {
                #[link_name = ::core::concat!("__SCT__tp_func_", ::core::stringify!($name))]
                fn __trampoline();
                #[link_name = ::core::concat!("__probestub_", ::core::stringify!($name))]
                fn __probestub();
            }

            #[export_name = ::core::concat!("__tracepoint_", ::core::stringify!($name))]
            #[link_section = "__tracepoints"]
            #[used(compiler)]
            static __TRACEPOINT: __p::Shared<__p::tracepoint> =
                __p::Shared::new(__p::tracepoint(
                    __NAME.as_ptr(),
                    __STATIC_CALL_KEY.get(),
                    __trampoline as *mut __p::c_void,
                    __iterator as *mut __p::c_void,
                    __probestub as *mut __p::c_void,
                    __EXT.get(),
                ));
        };

        // __TRACEPOINT_ENTRY(): four bytes each, since the kernel derives the count from the
        // section's size.
        ::core::arch::global_asm!(
            ".pushsection __tracepoints_ptrs, \"a\"",
            ".balign 4",
            ::core::concat!(".long __tracepoint_", ::core::stringify!($name), " - ."),
            ".popsection",
        );

        // An alias of the tracepoint whose name contains the hash of the prototype: see
        // `point::static_call_site!`.
        ::core::arch::global_asm!(
            ::core::concat!(".globl __prototype_", ::core::stringify!($name), "_{hash}"),
            ::core::concat!(
                ".set __prototype_", ::core::stringify!($name), "_{hash}, ",
                "__tracepoint_", ::core::stringify!($name),
            ),
            hash = const <$tracepoint as $crate::tracepoint::point::Tracepoint>::HASH,
        );

        $crate::tracepoint::arch::static_call_tramp!(
            ::core::concat!("__SCT__tp_func_", ::core::stringify!($name)),
            ::core::concat!("__traceiter_", ::core::stringify!($name))
        );

        $crate::tracepoint::arch::fentry!(
            ::core::concat!("__probestub_", ::core::stringify!($name)),
            $crate::tracepoint::arch::ret!()
        );
        $crate::tracepoint::arch::noseal!(
            ::core::concat!("__probestub_", ::core::stringify!($name))
        );
    };
}
pub(crate) use define_one;

#[cfg(not(CONFIG_HAVE_ARCH_PREL32_RELOCATIONS))]
compile_error!("tracepoint: CONFIG_HAVE_ARCH_PREL32_RELOCATIONS is required");

/// Exports tracepoints that this module defines to modules with a GPL-compatible licence, in Rust
/// or in C, so that these can fire and probe them.
///
/// C: `EXPORT_TRACEPOINT_SYMBOL_GPL()`.
macro_rules! export_tracepoint_symbol_gpl {
    ($($($tracepoint:ident)::+),* $(,)?) => {$(
        $($tracepoint)::+! { $crate::tracepoint::define::export_one, [$($tracepoint)::+] "GPL" }
    )*};
}
pub(crate) use export_tracepoint_symbol_gpl;

/// Exports tracepoints that this module defines to every module.
///
/// C: `EXPORT_TRACEPOINT_SYMBOL()`.
macro_rules! export_tracepoint_symbol {
    ($($($tracepoint:ident)::+),* $(,)?) => {$(
        $($tracepoint)::+! { $crate::tracepoint::define::export_one, [$($tracepoint)::+] "" }
    )*};
}
pub(crate) use export_tracepoint_symbol;

/// Exports the symbols of one tracepoint.
macro_rules! export_one {
    ($name:ident $words:tt [$tracepoint:path] $license:literal) => {
        $crate::tracepoint::define::export_symbol! {
            $license ::core::concat!("__tracepoint_", ::core::stringify!($name))
        }
        $crate::tracepoint::define::export_symbol! {
            $license ::core::concat!("__traceiter_", ::core::stringify!($name))
        }
        $crate::tracepoint::define::export_symbol! {
            $license ::core::concat!("__SCK__tp_func_", ::core::stringify!($name))
        }
        $crate::tracepoint::define::export_symbol! {
            $license ::core::concat!("__SCT__tp_func_", ::core::stringify!($name))
        }
        $crate::tracepoint::define::export_symbol! {
            $license ::core::concat!("__prototype_", ::core::stringify!($name), "_{hash}"),
            hash = const <$tracepoint as $crate::tracepoint::point::Tracepoint>::HASH
        }
    };
}
pub(crate) use export_one;

/// Exports a symbol. modpost reads the entry and generates the export tables.
///
/// C: `___EXPORT_SYMBOL()` in `include/linux/export.h`.
macro_rules! export_symbol {
    ($license:literal $symbol:expr $(, $hash:ident = const $value:expr)?) => {
        ::core::arch::global_asm!(
            ".pushsection .export_symbol, \"a\"",
            ::core::concat!("__export_symbol_", $symbol, ":"),
            ::core::concat!(".asciz \"", $license, "\""),
            ".asciz \"\"",
            ".balign 8",
            ::core::concat!(".quad ", $symbol),
            ".popsection",
            $($hash = const $value,)?
        );
    };
}
pub(crate) use export_symbol;
