// SPDX-License-Identifier: GPL-2.0

//! Files in `/proc`.
//!
//! C header: [`include/linux/proc_fs.h`](srctree/include/linux/proc_fs.h)
//!
//! Not supported: seeking and iterating over records (the whole content is generated in one go),
//! `ioctl`, `mmap`, `poll`, network namespaces.

use super::Inode;
use crate::tracepoint::bindings;
use core::ptr::NonNull;
use kernel::{
    alloc::{flags::GFP_KERNEL, KBox},
    error::{code::*, from_result, to_result, Result, VTABLE_DEFAULT_ERROR},
    ffi::{c_char, c_int, c_void},
    fs::File,
    prelude::*,
    seq_file::SeqFile,
    sync::Arc,
    uaccess::{UserPtr, UserSlice, UserSliceReader},
};

/// The operations of a file in `/proc`. They run in process context, may sleep, and can run on
/// several CPUs concurrently. C: `struct proc_ops`.
#[vtable]
pub trait ProcOps: Send + Sync + Sized + 'static {
    /// Called when the file is opened. If this returns an error, `open()` fails with it.
    ///
    /// C: `proc_open`.
    fn open(&self, _inode: &Inode, _file: &File) -> Result {
        Ok(())
    }

    /// Writes the content of the file, with [`seq_print!`](kernel::seq_print). Called again with a
    /// larger buffer if the content didn't fit.
    ///
    /// C: `single_open()` and its `show`.
    fn show(&self, _m: &SeqFile) -> Result {
        build_error!(VTABLE_DEFAULT_ERROR)
    }

    /// Handles a write to the file at `offset`. Returns the number of bytes consumed.
    ///
    /// C: `proc_write`.
    fn write(&self, _data: UserSliceReader, _offset: i64) -> Result<usize> {
        build_error!(VTABLE_DEFAULT_ERROR)
    }
}

/// A directory in `/proc`. It is removed when its owner has dropped it and everything in it has
/// been dropped.
///
/// # Invariants
///
/// `entry` has been created and has not been removed.
pub struct ProcDir {
    entry: NonNull<bindings::proc_dir_entry>,
    _parent: Option<Arc<ProcDir>>,
}

// SAFETY: `proc_create_data()` and `proc_remove()` do their own locking and can be called from any
// thread.
unsafe impl Send for ProcDir {}

// SAFETY: As above.
unsafe impl Sync for ProcDir {}

impl ProcDir {
    /// Creates a directory, in `parent` or in `/proc` itself.
    ///
    /// C: `proc_mkdir()`. May sleep.
    ///
    /// # Errors
    ///
    /// - `EINVAL`: the name is empty, `.` or `..`, is longer than 255 bytes, contains a `/`, or is
    ///   a number, since numbers in `/proc` are processes.
    /// - `ENOMEM`. Also returned if the name is already in use, in which case the kernel warns.
    pub fn new(name: &CStr, parent: Option<&Arc<ProcDir>>) -> Result<Arc<Self>> {
        check_name(name, parent.is_none())?;
        // SAFETY: `proc_mkdir_data()` (fs/proc/generic.c) copies the name, and the parent is alive.
        let entry = unsafe {
            bindings::proc_mkdir_data(
                name.as_char_ptr(),
                0o555,
                parent.map_or(core::ptr::null_mut(), |parent| parent.entry.as_ptr()),
                core::ptr::null_mut(),
            )
        };
        let dir = Self {
            // INVARIANT: Created above.
            entry: NonNull::new(entry).ok_or(ENOMEM)?,
            _parent: parent.cloned(),
        };
        Ok(Arc::new(dir, GFP_KERNEL)?)
    }
}

impl Drop for ProcDir {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: By the type's invariant.
        unsafe { bindings::proc_remove(self.entry.as_ptr()) };
    }
}

/// A file in `/proc`. Dropping it removes the file and waits until all running operations have
/// returned.
///
/// # Invariants
///
/// `entry` has been created with a pointer to `ops`, which does not move, and has not been removed.
pub struct ProcEntry<T: ProcOps> {
    entry: NonNull<bindings::proc_dir_entry>,
    _ops: Pin<KBox<T>>,
    _parent: Option<Arc<ProcDir>>,
}

// SAFETY: As for `ProcDir`, and the trait requires `T` to be `Send` and `Sync`.
unsafe impl<T: ProcOps> Send for ProcEntry<T> {}

// SAFETY: As above.
unsafe impl<T: ProcOps> Sync for ProcEntry<T> {}

impl<T: ProcOps> ProcEntry<T> {
    /// Creates a file with permission bits `mode`, in `parent` or in `/proc` itself. As in C, 0
    /// means 0444.
    ///
    /// C: `proc_create_data()`. May sleep.
    ///
    /// # Errors
    ///
    /// As for [`ProcDir::new`], and any error that `ops` returns.
    pub fn new<E>(
        name: &CStr,
        mode: u16,
        parent: Option<&Arc<ProcDir>>,
        ops: impl PinInit<T, E>,
    ) -> Result<Self>
    where
        Error: From<E>,
    {
        check_name(name, parent.is_none())?;
        let ops = KBox::pin_init(ops, GFP_KERNEL)?;
        // SAFETY: `proc_create_data()` (fs/proc/generic.c) copies the name, keeps the pointer to
        // the static table, and passes the last argument to the operations, which are not called
        // after `proc_remove()`.
        let entry = unsafe {
            bindings::proc_create_data(
                name.as_char_ptr(),
                mode & 0o777,
                parent.map_or(core::ptr::null_mut(), |parent| parent.entry.as_ptr()),
                Self::TABLE,
                core::ptr::from_ref(&*ops).cast_mut().cast(),
            )
        };
        Ok(Self {
            // INVARIANT: Created above.
            entry: NonNull::new(entry).ok_or(ENOMEM)?,
            _ops: ops,
            _parent: parent.cloned(),
        })
    }

    const TABLE: &'static bindings::proc_ops = &{
        // SAFETY: All zeroes is a table without operations.
        let mut table: bindings::proc_ops = unsafe { core::mem::zeroed() };
        table.proc_open = Some(Self::open);
        table.proc_lseek = Some(bindings::noop_llseek);
        if T::HAS_SHOW {
            table.proc_read_iter = Some(bindings::seq_read_iter);
            table.proc_lseek = Some(bindings::seq_lseek);
            table.proc_release = Some(bindings::single_release);
        }
        if T::HAS_WRITE {
            table.proc_write = Some(Self::write);
        }
        table
    };

    /// Returns the operations of an inode.
    ///
    /// # Safety
    ///
    /// `inode` must belong to an entry of this type, and the caller must be one of the entry's
    /// operations.
    unsafe fn ops<'b>(inode: *const bindings::inode) -> &'b T {
        // SAFETY: Like `pde_data()` (include/linux/proc_fs.h), this returns the pointer that `new`
        // passed. `proc_remove()` waits for the operations (`proc_entry_rundown()`,
        // fs/proc/inode.c).
        unsafe { &*(*inode).i_private.cast() }
    }

    /// # Safety
    ///
    /// Called by fs/proc/inode.c.
    unsafe extern "C" fn open(inode: *mut bindings::inode, file: *mut bindings::file) -> c_int {
        // SAFETY: By the safety contract.
        let ops = unsafe { Self::ops(inode) };
        from_result(|| {
            if T::HAS_OPEN {
                // SAFETY: Both are valid during the call. The file is not yet in any file
                // descriptor table, so nobody else can be using its position.
                unsafe { ops.open(Inode::from_raw(inode), File::from_raw_file(file)) }?;
            }
            if T::HAS_SHOW {
                let ops = core::ptr::from_ref(ops).cast_mut().cast();
                // SAFETY: `single_open()` (fs/seq_file.c) takes a file that is being opened.
                to_result(unsafe { bindings::single_open(file, Some(Self::show), ops) })?;
            }
            Ok(0)
        })
    }

    /// # Safety
    ///
    /// Called by fs/seq_file.c with what `open` gave it.
    unsafe extern "C" fn show(m: *mut bindings::seq_file, _: *mut c_void) -> c_int {
        // SAFETY: `open` passed the operations to `single_open()`, and there are no reads after
        // `proc_remove()`.
        let ops = unsafe { &*(*m).private.cast::<T>() };
        // SAFETY: `seq_read_iter()` holds the file's lock during the call.
        from_result(|| ops.show(unsafe { SeqFile::from_raw(m) }).map(|()| 0))
    }

    /// # Safety
    ///
    /// Called by fs/proc/inode.c.
    unsafe extern "C" fn write(
        file: *mut bindings::file,
        data: *const c_char,
        len: usize,
        offset: *mut bindings::loff_t,
    ) -> isize {
        // SAFETY: By the safety contract. `f_inode` is set when a file is opened.
        let ops = unsafe { Self::ops((*file).f_inode) };
        let data = UserSlice::new(UserPtr::from_ptr(data.cast_mut().cast()), len).reader();
        // SAFETY: The pointer is the caller's and exclusive for the duration of the call.
        let offset = unsafe { &mut *offset };
        from_result(|| {
            let taken = ops.write(data, *offset)?.min(len);
            *offset += taken as i64;
            Ok(taken as isize)
        })
    }
}

impl<T: ProcOps> Drop for ProcEntry<T> {
    fn drop(&mut self) {
        // SAFETY: By the type's invariant. The operations are dropped after this.
        unsafe { bindings::proc_remove(self.entry.as_ptr()) };
    }
}

/// Rejects names that `__proc_create()` (fs/proc/generic.c) would warn about.
fn check_name(name: &CStr, in_root: bool) -> Result {
    let name = name.to_bytes();
    let is_number = in_root && name.iter().all(u8::is_ascii_digit);
    if matches!(name, b"" | b"." | b"..") || name.len() > 255 || name.contains(&b'/') || is_number {
        return Err(EINVAL);
    }
    Ok(())
}
