// SPDX-License-Identifier: GPL-2.0

//! The values of the statics that a tracepoint consists of: what C's `DEFINE_TRACE()` initialises.
//!
//! C headers: [`include/linux/tracepoint.h`](srctree/include/linux/tracepoint.h),
//! [`include/linux/tracepoint-defs.h`](srctree/include/linux/tracepoint-defs.h)

use super::{
    hooks::{errno, Hooks},
    point::{Guard, Tracepoint},
};
use crate::{
    bindings,
    ffi::{c_int, c_uint, c_void},
};
use core::{ffi::CStr, ptr::null_mut};

/// The `tracepoint_ext` of a tracepoint.
#[repr(transparent)]
pub struct Ext(bindings::tracepoint_ext);

// SAFETY: C only reads the struct, and Rust code doesn't change it.
unsafe impl Sync for Ext {}

/// Returns the `ext` of a tracepoint.
pub const fn ext<T: Tracepoint + Hooks>() -> &'static Ext {
    const {
        // SAFETY: All zeroes is valid, since C zeroes what an initialiser omits.
        let mut ext: bindings::tracepoint_ext = unsafe { core::mem::zeroed() };
        ext.regfunc = if T::EXIST { Some(reg::<T>) } else { None };
        ext.unregfunc = if T::EXIST { Some(unreg::<T>) } else { None };
        ext._bitfield_1 = bindings::__BindgenBitfieldUnit::new([first_bit(T::Guard::FAULTABLE)]);
        &Ext(ext)
    }
}

// bindgen's setters of bitfields can't be called in constants, but this fails if there's no such bitfield.
const _: fn(&bindings::tracepoint_ext) -> c_uint = bindings::tracepoint_ext::faultable;

/// Returns the byte of C's bitfields in which the first one has this value.
const fn first_bit(value: bool) -> u8 {
    (value as u8) << if cfg!(target_endian = "big") { 7 } else { 0 }
}

/// Fails to compile unless `name` is the one that the tracepoint is declared with. The names of symbols are derived
/// from it, so an alias of the type would refer to the symbols of another tracepoint.
pub const fn check_name<T: Tracepoint + Hooks>(name: &CStr) {
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
    ext: &'static Ext,
) -> bindings::tracepoint {
    bindings::tracepoint {
        name: name.to_bytes_with_nul().as_ptr(),
        // SAFETY: STATIC_KEY_FALSE_INIT (include/linux/jump_label.h) is all zeroes.
        key: unsafe { core::mem::zeroed() },
        static_call_key: null_mut(),
        static_call_tramp: null_mut(),
        iterator,
        probestub,
        funcs: null_mut(),
        ext: core::ptr::from_ref(ext).cast_mut().cast(),
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

/// # Safety
///
/// Only `tracepoint_add_func()` (kernel/tracepoint.c) may call this, under `tracepoints_mutex`.
unsafe extern "C" fn reg<T: Hooks>() -> c_int {
    errno(T::reg())
}

/// # Safety
///
/// Only `tracepoint_remove_func()` may call this or, if that fails after `reg`,
/// `tracepoint_add_func()` (kernel/tracepoint.c), under `tracepoints_mutex`.
unsafe extern "C" fn unreg<T: Hooks>() {
    T::unreg();
}
