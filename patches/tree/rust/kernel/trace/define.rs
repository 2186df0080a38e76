// SPDX-License-Identifier: GPL-2.0

//! The values of the statics that a tracepoint consists of: what C's `DEFINE_TRACE()` initialises.
//!
//! C headers: [`include/linux/tracepoint.h`](srctree/include/linux/tracepoint.h),
//! [`include/linux/tracepoint-defs.h`](srctree/include/linux/tracepoint-defs.h)

use super::{
    identity::Defined,
    point::{Guard, Tracepoint},
};
use crate::{
    bindings,
    ffi::{c_uint, c_void},
};
use core::{ffi::CStr, ptr::null_mut};

/// Returns the `ext` of a tracepoint: NULL unless it's faultable, as in C without `regfunc`.
pub const fn ext<T: Tracepoint>() -> *mut bindings::tracepoint_ext {
    const EXT: &bindings::tracepoint_ext = &{
        // SAFETY: All zeroes is valid, since C zeroes what an initialiser omits.
        let mut ext: bindings::tracepoint_ext = unsafe { core::mem::zeroed() };
        // The first bit, since big-endian kernels aren't supported.
        ext._bitfield_1 = bindings::__BindgenBitfieldUnit::new([1]);
        ext
    };
    if T::Guard::FAULTABLE {
        // C only reads it.
        core::ptr::from_ref(EXT).cast_mut()
    } else {
        null_mut()
    }
}

// bindgen's setters of bitfields aren't const, but this fails if there's no such bitfield.
const _: fn(&bindings::tracepoint_ext) -> c_uint = bindings::tracepoint_ext::faultable;

/// Fails to compile unless `name` is the one that the tracepoint is declared with. The names of symbols are derived
/// from it, so an alias of the type would refer to the symbols of another tracepoint.
pub const fn check_name<T: Tracepoint + Defined>(name: &CStr) {
    let (declared, name) = (T::NAME.to_bytes(), name.to_bytes());
    let mut i = 0;
    while i < declared.len() && i < name.len() && declared[i] == name[i] {
        i += 1;
    }
    assert!(
        i == declared.len() && i == name.len(),
        "this is not the name that the tracepoint is declared with"
    );
}

/// Returns the key of the static call through which C fires a tracepoint, as `DEFINE_STATIC_CALL()`
/// initialises it.
pub const fn static_call_key(iterator: *mut c_void) -> bindings::static_call_key {
    // SAFETY: All zeroes is valid, since C zeroes what an initialiser omits.
    let mut key: bindings::static_call_key = unsafe { core::mem::zeroed() };
    key.func = iterator;
    #[cfg(CONFIG_HAVE_STATIC_CALL_INLINE)]
    {
        // No list of modules yet, and no call sites.
        key.__bindgen_anon_1.type_ = 1;
    }
    key
}

/// Returns a `struct tracepoint`, initialised as in `__DEFINE_TRACE_EXT()`, except that `static_call_key` is
/// NULL. Therefore `tracepoint_update_call()` (kernel/tracepoint.c) never changes the static call, so its
/// trampoline can be an alias of the iterator.
pub const fn tracepoint(
    name: &'static CStr,
    iterator: *mut c_void,
    probestub: *mut c_void,
    ext: *mut bindings::tracepoint_ext,
) -> bindings::tracepoint {
    bindings::tracepoint {
        name: name.to_bytes_with_nul().as_ptr(),
        // SAFETY: STATIC_KEY_FALSE_INIT (include/linux/jump_label.h) is all zeroes.
        key: unsafe { core::mem::zeroed() },
        static_call_key: null_mut::<bindings::static_call_key>(),
        static_call_tramp: null_mut::<c_void>(),
        iterator,
        probestub,
        funcs: null_mut::<bindings::tracepoint_func>(),
        ext,
    }
}

/// The type of a tracepoint's probes in C, for scripts/rust-btf.sh: `BTF_TRACE(NAME, ARGS)`.
#[repr(C)]
pub struct Btf<const N: usize, A> {
    name: [u8; N],
    args: A,
    end: [u8; 2],
}

impl<const N: usize, A> Btf<N, A> {
    /// Returns the text. `name` is the beginning, with the parenthesis.
    pub const fn new(name: [u8; N], args: A) -> Self {
        let end = *b")\n";
        Self { name, args, end }
    }
}
