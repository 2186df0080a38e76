// SPDX-License-Identifier: GPL-2.0

//! The values of the statics that a tracepoint consists of: what C's `DEFINE_TRACE()` initialises.
//!
//! C headers: [`include/linux/tracepoint.h`](srctree/include/linux/tracepoint.h),
//! [`include/linux/tracepoint-defs.h`](srctree/include/linux/tracepoint-defs.h),
//! [`include/linux/static_call_types.h`](srctree/include/linux/static_call_types.h)

use crate::{
    base::{
        bindings,
        point::{Guard, Tracepoint},
        prototype::VERSION,
        text::bytes_start_with,
    },
    modules::module,
};
use core::{ffi::CStr, mem::size_of, ptr::null_mut};
use kernel::prelude::*;

/// A function of the driver's or the kernel's that must be an `F`.
// A field of a struct gives the shortest error if it isn't.
pub struct Expect<F> {
    /// The function.
    pub function: F,
}

/// The hooks of a tracepoint, if it has any.
///
/// # Safety
///
/// Only the definition of the tracepoint may implement this.
pub unsafe trait Hooks {
    /// Whether it has.
    const EXIST: bool = false;

    /// Called before the first probe is registered.
    fn reg() -> Result {
        Ok(())
    }

    /// Called when the last probe is unregistered.
    fn unreg() {}
}

/// Returns a result as C does.
pub fn errno(result: Result) -> c_int {
    result.map_or_else(Error::to_errno, |()| 0)
}

/// Marks a `tracepoint_ext` that is the first field of an [`Ext`]. The last byte is the [`VERSION`].
const MAGIC: [u8; 7] = [0, 0, 0, b'R', b's', 0, VERSION];

/// The `tracepoint_ext` of a tracepoint defined in Rust, followed by its prototype.
///
/// C leaves the padding at the end of a `tracepoint_ext` zeroed. [`MAGIC`] in that padding tells
/// the two apart before anything past the end of C's struct is read.
#[repr(C)]
pub struct Ext {
    ext: bindings::tracepoint_ext,
    prototype: *const c_char,
}

/// The data about a tracepoint's prototype.
pub enum Prototype<'a> {
    /// It's defined in C.
    C,
    /// It's defined in Rust, and this is the text of its prototype.
    Rust(&'a CStr),
    /// It's defined in Rust with another version of the interface.
    OtherVersion(u8),
}

impl Ext {
    /// Returns the `ext` of a tracepoint.
    pub const fn new<T: Tracepoint + Hooks>() -> Self {
        // The fields come from the target kernel's headers: if a kernel starts using the padding,
        // this fails to build.
        Self {
            ext: bindings::tracepoint_ext {
                regfunc: if T::EXIST { Some(reg::<T>) } else { None },
                unregfunc: if T::EXIST { Some(unreg::<T>) } else { None },
                _bitfield_align_1: [],
                _bitfield_1: bindings::__BindgenBitfieldUnit::new([T::Guard::FAULTABLE as u8]),
                __bindgen_padding_0: MAGIC,
            },
            prototype: T::PROTOTYPE.to_bytes_with_nul().as_ptr(),
        }
    }

    /// Returns what a tracepoint says about its prototype.
    ///
    /// # Safety
    ///
    /// `tracepoint` must be valid for `'a`, and so must its module.
    pub unsafe fn prototype<'a>(tracepoint: *const bindings::tracepoint) -> Prototype<'a> {
        // SAFETY: `ext` is set when the tracepoint is defined and never changes.
        let ext = unsafe { (*tracepoint).ext };
        if ext.is_null() {
            return Prototype::C;
        }
        // SAFETY: These are the last bytes of a valid `tracepoint_ext`. They are initialised
        // because it is static.
        match unsafe { (*ext).__bindgen_padding_0 } {
            MAGIC => {
                // SAFETY: The magic identifies an `Ext` made by `new`, of this version.
                let text = unsafe { CStr::from_char_ptr((*ext.cast::<Ext>()).prototype) };
                Prototype::Rust(text)
            }
            [_, _, _, b'R', b's', 0, version] => Prototype::OtherVersion(version),
            _ => Prototype::C,
        }
    }
}

/// Returns a `struct tracepoint` that's defined under `defined`, initialised as in `__DEFINE_TRACE_EXT()`. An
/// alias of the type could have another name.
pub const fn tracepoint<T: Tracepoint + Hooks>(
    defined: &CStr,
    name: *const c_char,
    key: *mut bindings::static_call_key,
    tramp: *mut c_void,
    iterator: *mut c_void,
    probestub: *mut c_void,
) -> bindings::tracepoint {
    assert!(
        bytes_start_with(defined.to_bytes_with_nul(), T::NAME.to_bytes_with_nul()),
        "a tracepoint is defined by its own name, not by an alias of its type"
    );
    // C only reads it.
    let ext: &'static Ext = const { &Ext::new::<T>() };
    bindings::tracepoint {
        name,
        // SAFETY: STATIC_KEY_FALSE_INIT (include/linux/jump_label.h) is all zeroes.
        key: unsafe { core::mem::zeroed() },
        // Without the key, the kernel leaves the static call alone, so that C also calls the iterator of a
        // faultable tracepoint: `tracepoint_update_call()` (kernel/tracepoint.c).
        static_call_key: if T::Guard::FAULTABLE { null_mut() } else { key },
        // C: `STATIC_CALL_TRAMP_ADDR()`.
        static_call_tramp: if cfg!(CONFIG_HAVE_STATIC_CALL) {
            tramp
        } else {
            null_mut()
        },
        iterator,
        probestub,
        funcs: null_mut(),
        ext: core::ptr::from_ref(ext).cast_mut().cast(),
    }
}

/// # Safety
///
/// Only `tracepoint_add_func()` (kernel/tracepoint.c) may call this, under `tracepoints_mutex`.
unsafe extern "C" fn reg<T: Hooks>() -> c_int {
    // SAFETY: `tracepoint_add_func()` (kernel/tracepoint.c) calls this under `tracepoints_mutex`,
    // and if this succeeds, the kernel calls `unreg` later.
    errno(unsafe { module::reg(T::reg) })
}

/// # Safety
///
/// Only `tracepoint_remove_func()` may call this or, if that fails after `reg`,
/// `tracepoint_add_func()` (kernel/tracepoint.c), under `tracepoints_mutex`.
unsafe extern "C" fn unreg<T: Hooks>() {
    // SAFETY: kernel/tracepoint.c calls this under `tracepoints_mutex`, and only after `reg` has
    // succeeded.
    unsafe { module::unreg(T::unreg) };
}

// The key in the assembly of `macros/arch/`.
const _: () = {
    let words = 1 + cfg!(CONFIG_HAVE_STATIC_CALL_INLINE) as usize;
    assert!(size_of::<bindings::static_call_key>() == words * 8);
};
