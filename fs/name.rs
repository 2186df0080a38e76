// SPDX-License-Identifier: GPL-2.0

//! The name of an open file.
//!
//! C header: [`include/linux/dcache.h`](srctree/include/linux/dcache.h)

use core::mem::MaybeUninit;
use kernel::{bindings, fmt, fs::LocalFile, prelude::*, str::CStrExt as _};

/// The last component of an open file's path, which can be renamed at any time: it is looked up
/// when it is printed.
///
/// Any context in which a spinlock may be taken.
pub struct FileName<'a>(pub &'a LocalFile);

impl FileName<'_> {
    /// Calls `f` with the name as it is now.
    ///
    /// C: `take_dentry_name_snapshot()`, `release_dentry_name_snapshot()`.
    pub fn with<R>(&self, f: impl FnOnce(&CStr) -> R) -> R {
        let mut snapshot = MaybeUninit::<bindings::name_snapshot>::uninit();
        // SAFETY: An open file holds a reference to its dentry (`do_dentry_open()`, fs/open.c), and
        // `take_dentry_name_snapshot()` (fs/dcache.c) writes the whole snapshot. A short name lies
        // in it and is pointed to from it: it is not moved before it is released.
        unsafe {
            let dentry = (*self.0.as_ptr()).__bindgen_anon_1.f_path.dentry;
            bindings::take_dentry_name_snapshot(snapshot.as_mut_ptr(), dentry);
            let result = f(CStr::from_char_ptr((*snapshot.as_ptr()).name.name.cast()));
            bindings::release_dentry_name_snapshot(snapshot.as_mut_ptr());
            result
        }
    }
}

impl fmt::Display for FileName<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with(|name| fmt::Display::fmt(name, f))
    }
}
