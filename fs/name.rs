// SPDX-License-Identifier: GPL-2.0

//! The name of an open file.
//!
//! C header: [`include/linux/fs.h`](srctree/include/linux/fs.h)

use super::bindings;
use kernel::{
    fmt,
    fs::LocalFile,
    prelude::*,
    str::CStrExt as _,
    sync::atomic::{Acquire, Atomic},
};

/// The last component of an open file's path at the time it is printed; the file can be renamed at
/// any time. Prints `(null)` for a file whose open has failed.
///
/// C: `%pD`. Any context.
pub struct FileName<'a>(pub &'a LocalFile);

impl FileName<'_> {
    /// Returns whether the path is stable, or already gone for good.
    ///
    /// `do_dentry_open()` (fs/open.c) keeps the path for a file that is open. If the open fails, it
    /// drops its reference to the path before it clears the pointer in the file. Until the pointer
    /// is cleared, the opening task holds a reference to the file; another task with a reference of
    /// its own could follow a dentry that is being freed.
    #[inline]
    fn is_settled(&self) -> bool {
        let file = self.0.as_ptr();
        // SAFETY: The file is alive. `f_mode` is a single word, and the counter is atomic and read
        // as in `file_ref_read()` (include/linux/file_ref.h), for which 0 means one reference.
        unsafe {
            (&raw const (*file).f_mode).read_volatile() & bindings::FS_FMODE_OPENED != 0
                || Atomic::from_ptr(&raw mut (*file).f_ref.refcnt.counter).load(Acquire) == 0
        }
    }
}

impl fmt::Display for FileName<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = [0; bindings::NAME_MAX as usize + 1];
        let file = if self.is_settled() {
            self.0.as_ptr()
        } else {
            core::ptr::null_mut()
        };
        // SAFETY: `%pD` (lib/vsprintf.c) takes a file whose dentry is alive or NULL, or a NULL
        // file. The name is truncated if it doesn't fit, and NUL-terminated.
        let name = unsafe {
            bindings::scnprintf(name.as_mut_ptr(), name.len(), c"%pD".as_char_ptr(), file);
            CStr::from_char_ptr(name.as_ptr())
        };
        fmt::Display::fmt(name, f)
    }
}
