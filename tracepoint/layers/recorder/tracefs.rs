// SPDX-License-Identifier: GPL-2.0

//! Reading a file of tracefs in a kernel thread.

use crate::base::bindings;
use core::{ffi::CStr, mem::zeroed};
use kernel::{error::from_err_ptr, prelude::*};

/// C's `ITER_DEST` (include/linux/uio.h).
const ITER_DEST: c_uint = 0;

/// An open file of an instance.
///
/// # Invariants
///
/// `mount` has been returned by `kern_mount()`, and `file` was opened in it.
pub(super) struct TraceFile {
    /// A mount of tracefs that nobody else sees. Mounting it resets the options that every mount of tracefs shows.
    mount: *mut bindings::vfsmount,
    file: *mut bindings::file,
    position: bindings::loff_t,
}

impl TraceFile {
    /// Opens the file `trace`.
    pub(super) fn open(name: &CStr) -> Result<Self> {
        let flags = bindings::O_RDONLY | bindings::O_LARGEFILE;
        Self::open_path(name, b"/trace\0", flags)
    }

    /// Returns whether there's an instance of this name. If that can't be told, there might be.
    pub(super) fn exists(name: &CStr) -> bool {
        !matches!(Self::open_path(name, b"\0", bindings::O_PATH), Err(ENOENT))
    }

    fn open_path(name: &CStr, file: &[u8], flags: c_uint) -> Result<Self> {
        let mut path = KVec::new();
        for part in [b"instances/", name.to_bytes(), file] {
            path.extend_from_slice(part, GFP_KERNEL)?;
        }
        // SAFETY: `get_fs_type()` (fs/filesystems.c) takes a C string.
        let tracefs = unsafe { bindings::get_fs_type(c"tracefs".as_char_ptr()) };
        if tracefs.is_null() {
            return Err(ENODEV);
        }
        // SAFETY: `kern_mount()` (fs/namespace.c) takes a valid type. tracefs isn't a module, so the
        // reference to it needn't be put.
        let mount = from_err_ptr(unsafe { bindings::kern_mount(tracefs) })?;
        let root = bindings::path {
            mnt: mount,
            // SAFETY: `kern_mount()` has returned it, so it's valid.
            dentry: unsafe { (*mount).mnt_root },
        };
        // SAFETY: `file_open_root()` (fs/open.c) takes a valid path, and a C string.
        let file = unsafe { bindings::file_open_root(&root, path.as_ptr(), flags as c_int, 0) };
        // SAFETY: `kern_mount()` has returned it, and nothing uses it afterwards.
        let file = from_err_ptr(file).inspect_err(|_| unsafe { bindings::kern_unmount(mount) })?;
        // INVARIANT: Returned by it, and opened in it.
        Ok(Self {
            mount,
            file,
            position: 0,
        })
    }

    /// Reads the next part. Returns 0 at the end.
    pub(super) fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        let part = bindings::kvec {
            iov_base: to.as_mut_ptr().cast(),
            iov_len: to.len(),
        };
        // Not `kernel_read()`, which refuses files that have `read` as well as `read_iter`.
        // SAFETY: `iov_iter_kvec()` (lib/iov_iter.c) initialises `iter`, and `vfs_iter_read()`
        // (fs/read_write.c) writes to the slice.
        let result = unsafe {
            let mut iter = zeroed();
            bindings::iov_iter_kvec(&mut iter, ITER_DEST, &part, 1, to.len());
            bindings::vfs_iter_read(self.file, &mut iter, &mut self.position, 0)
        };
        usize::try_from(result).map_err(|_| Error::from_errno(result as c_int))
    }
}

impl Drop for TraceFile {
    fn drop(&mut self) {
        // SAFETY: By the type's invariant, the file has been opened, `kern_mount()` has returned the mount, and
        // nothing uses either afterwards. `__fput_sync()` (fs/file_table.c) is for kernel threads; `fput()`
        // would release the instance later.
        unsafe {
            bindings::__fput_sync(self.file);
            bindings::kern_unmount(self.mount);
        }
    }
}
