// SPDX-License-Identifier: GPL-2.0

//! Files in `/proc`.
//!
//! C header: [`include/linux/proc_fs.h`](srctree/include/linux/proc_fs.h)
//!
//! Not supported: seeking and iterating over records (the whole content is generated in one go),
//! `ioctl`, `mmap`, `poll`, network namespaces.

use super::{bindings, Inode};
use core::{
    ptr::{null_mut, NonNull},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};
use kernel::{
    alloc::{flags::GFP_KERNEL, KVec},
    error::{code::*, from_err_ptr, from_result, to_result, Result, VTABLE_DEFAULT_ERROR},
    ffi::{c_char, c_int, c_void},
    fmt,
    fs::File,
    prelude::*,
    seq_file::SeqFile,
    str::{BStr, CStrExt as _},
    sync::Arc,
    uaccess::{UserPtr, UserSlice, UserSliceReader},
};
use tracepoint::{
    lock::{Lock, LockGuard},
    unload::{Registered, ShutDown},
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
/// If it's never dropped, because it's in a static or was forgotten, it's removed when the module is
/// unloaded.
pub struct ProcDir {
    dir: Registered<Dir>,
}

/// An entry in `/proc`, which has been created and is counted by its parent.
struct Place {
    entry: NonNull<bindings::proc_dir_entry>,
    parent: Option<Arc<ProcDir>>,
    /// The path below `/proc`, without a NUL.
    path: KVec<u8>,
}

impl Place {
    /// Has `create` create an entry, unless there is one.
    fn new(
        name: &CStr,
        parent: Option<&Arc<ProcDir>>,
        create: impl FnOnce() -> *mut bindings::proc_dir_entry,
    ) -> Result<Self> {
        let tree = TreeLock::new();
        let path = tree.new_path(name, parent)?;
        let entry = NonNull::new(create()).ok_or(ENOMEM)?;
        if let Some(parent) = parent {
            parent.dir.children.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Self {
            entry,
            parent: parent.cloned(),
            path,
        })
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(fmt!("/proc/{}", BStr::from_bytes(&self.path)))
    }
}

/// The directory of a [`ProcDir`].
///
/// # Invariants
///
/// - `place` has been created, and is removed once `removed` is set and `children` is 0.
/// - `children` is the number of [`Entry`] and [`Dir`] values that have this one as their parent and
///   haven't been removed.
/// - `removed` and `children` change under [`TreeLock`].
struct Dir {
    place: Place,
    removed: AtomicBool,
    children: AtomicUsize,
}

// SAFETY: `proc_create_data()` and `proc_remove()` do their own locking and can be called from any
// thread.
unsafe impl Send for Place {}

// SAFETY: A shared `Place` never changes, and the functions of C that take its entry do their own
// locking, as for `Send`.
unsafe impl Sync for Place {}

impl ProcDir {
    /// Creates a directory, in `parent` or in `/proc` itself.
    ///
    /// C: `proc_mkdir()`. May sleep.
    ///
    /// The kernel warns about a name that is already in use, so this looks the name up before it
    /// creates the directory. Within an object of a module nobody can take the name in the meantime. In `/proc`
    /// itself another module can: then the kernel warns, and this returns `ENOMEM`.
    ///
    /// # Errors
    ///
    /// - `EINVAL`: the name is empty, `.` or `..`, is longer than 255 bytes, contains a `/`, or is
    ///   a number, since numbers in `/proc` are processes.
    /// - `EEXIST`: the name is in use.
    /// - `ENODEV`: the module is being unloaded.
    /// - `EDEADLK`: called in a tracepoint's hook. See [`Registered::prepare`].
    /// - `ENOMEM`.
    /// - Any error of the lookup: `ENAMETOOLONG` if the whole path is too long, `EACCES` if a
    ///   security module denies it.
    pub fn new(name: &CStr, parent: Option<&Arc<ProcDir>>) -> Result<Arc<Self>> {
        let dir = Registered::new(Dir::new(name, parent))?;
        Ok(Arc::new(Self { dir }, GFP_KERNEL)?)
    }
}

impl Dir {
    /// Returns an initialiser that creates the directory.
    fn new<'a>(name: &'a CStr, parent: Option<&'a Arc<ProcDir>>) -> impl PinInit<Self, Error> + 'a {
        // INVARIANT: Created here, and has no children yet.
        init!(Self {
            // SAFETY: `proc_mkdir_data()` (fs/proc/generic.c) copies the name, and the parent has been
            // checked under the lock.
            place: Place::new(name, parent, || unsafe {
                bindings::proc_mkdir_data(name.as_char_ptr(), 0o555, raw(parent), null_mut())
            })?,
            removed: AtomicBool::new(false),
            children: AtomicUsize::new(0),
        }? Error)
    }

    /// Removes the directory if nothing is in it any more and nothing can be created in it.
    fn remove(&self, tree: &TreeLock) {
        if self.removed.load(Ordering::Relaxed) && self.children.load(Ordering::Relaxed) == 0 {
            // SAFETY: By the type's invariant, the directory has been created. This comes here
            // once, since nothing can be created in it after `removed` has been set.
            unsafe { bindings::proc_remove(self.place.entry.as_ptr()) };
            tree.remove_child(self.place.parent.as_ref());
        }
    }
}

impl ShutDown for Dir {
    fn shut_down(&self) {
        let tree = TreeLock::new();
        self.removed.store(true, Ordering::Relaxed);
        self.remove(&tree);
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.describe(f)
    }
}

/// A file in `/proc`. Dropping it removes the file and waits until all running operations have
/// returned.
///
/// If it's never dropped, because it's in a static or was forgotten, that happens when the module is
/// unloaded. If an operation of the file drops it, that's logged, and the file is removed once all have
/// returned.
pub struct ProcEntry<T: ProcOps> {
    _entry: Registered<Entry<T>>,
}

/// The file of a [`ProcEntry`].
///
/// # Invariants
///
/// `place` has been created with a pointer to `ops`, which is pinned, and is removed by `shut_down`.
#[pin_data]
struct Entry<T> {
    place: Place,
    #[pin]
    ops: T,
}

impl<T: ProcOps> ShutDown for Entry<T> {
    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.describe(f)
    }

    fn shut_down(&self) {
        // Not under the lock, which the operations that this waits for may need.
        // SAFETY: By the type's invariant, the file has been created. Only this removes it, and
        // `shut_down` is called once.
        unsafe { bindings::proc_remove(self.place.entry.as_ptr()) };
        TreeLock::new().remove_child(self.place.parent.as_ref());
    }
}

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
        // INVARIANT: Created here, where it stays.
        let create = pin_init!(&this in Entry::<T> {
            ops <- ops,
            // SAFETY: `proc_create_data()` (fs/proc/generic.c) copies the name, keeps the pointer to the
            // static table, and passes the last argument, which has been initialised, to the operations.
            // They're not called after `proc_remove()`. The parent has been checked under the lock.
            place: Place::new(name, parent, || unsafe {
                bindings::proc_create_data(
                    name.as_char_ptr(),
                    mode & 0o777,
                    raw(parent),
                    Self::TABLE,
                    (&raw mut (*this.as_ptr()).ops).cast(),
                )
            })?,
        }? Error);
        Ok(Self {
            _entry: Registered::new::<Error>(create)?,
        })
    }

    const TABLE: &'static bindings::proc_ops = &{
        // SAFETY: `proc_ops` (include/linux/proc_fs.h) has only integers and optional functions,
        // for which zeroes are valid: this is a table without operations.
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
    /// Only fs/proc/inode.c may call this.
    unsafe extern "C" fn open(inode: *mut bindings::inode, file: *mut bindings::file) -> c_int {
        // SAFETY: By the safety contract, `proc_reg_open()` (fs/proc/inode.c) calls this as an
        // operation of an entry with `TABLE`, and `inode` belongs to that entry.
        let ops = unsafe { Self::ops(inode) };
        from_result(|| {
            if T::HAS_OPEN {
                // SAFETY: Both are valid during the call. The file is not yet in any file
                // descriptor table, so nobody else can be using its position.
                unsafe { ops.open(Inode::from_raw(inode), File::from_raw_file(file)) }?;
            }
            if T::HAS_SHOW {
                let ops = core::ptr::from_ref(ops).cast_mut().cast();
                // SAFETY: `single_open()` (fs/seq_file.c) takes a file that is being opened, which
                // this one is, a function, and the pointer that `show` expects.
                to_result(unsafe { bindings::single_open(file, Some(Self::show), ops) })?;
            }
            Ok(0)
        })
    }

    /// # Safety
    ///
    /// Only fs/seq_file.c may call this, with what `open` gave it.
    unsafe extern "C" fn show(m: *mut bindings::seq_file, _: *mut c_void) -> c_int {
        // SAFETY: `open` passed the operations to `single_open()` (fs/seq_file.c). `proc_remove()`
        // waits for reads and seeks that call this, and there are none after it.
        let ops = unsafe { &*(*m).private.cast::<T>() };
        // SAFETY: `seq_read_iter()` and `seq_lseek()` (fs/seq_file.c) pass their `seq_file`, and
        // hold its lock during the call.
        from_result(|| ops.show(unsafe { SeqFile::from_raw(m) }).map(|()| 0))
    }

    /// # Safety
    ///
    /// Only fs/proc/inode.c may call this.
    unsafe extern "C" fn write(
        file: *mut bindings::file,
        data: *const c_char,
        len: usize,
        offset: *mut bindings::loff_t,
    ) -> isize {
        // SAFETY: By the safety contract, `proc_reg_write()` (fs/proc/inode.c) calls this as an
        // operation of an entry with `TABLE`. `f_inode` is set when a file is opened.
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

/// Returns the parent as C wants it: NULL is `/proc`.
fn raw(parent: Option<&Arc<ProcDir>>) -> *mut bindings::proc_dir_entry {
    parent.map_or(null_mut(), |parent| parent.dir.place.entry.as_ptr())
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

/// Held while this module creates an entry, and while directories change.
struct TreeLock(LockGuard<'static, ()>);

static TREE: Lock<()> = Lock::new(());

impl TreeLock {
    /// May sleep.
    fn new() -> Self {
        Self(TREE.lock())
    }

    /// Checks whether an entry can be created, and returns its path below `/proc`.
    fn new_path(&self, name: &CStr, parent: Option<&Arc<ProcDir>>) -> Result<KVec<u8>> {
        check_name(name, parent.is_none())?;
        let mut path = KVec::new();
        if let Some(parent) = parent {
            if parent.dir.removed.load(Ordering::Relaxed) {
                return Err(ENODEV);
            }
            path.extend_from_slice(&parent.dir.place.path, GFP_KERNEL)?;
            path.push(b'/', GFP_KERNEL)?;
        }
        path.extend_from_slice(name.to_bytes_with_nul(), GFP_KERNEL)?;
        let c_path = CStr::from_bytes_with_nul(&path).map_err(|_| EINVAL)?;
        match look_up(c_path) {
            Ok(()) => Err(EEXIST),
            Err(ENOENT) => {
                path.pop();
                Ok(path)
            }
            Err(error) => Err(error),
        }
    }

    /// Counts a child that has been removed.
    fn remove_child(&self, parent: Option<&Arc<ProcDir>>) {
        if let Some(parent) = parent {
            parent.dir.children.fetch_sub(1, Ordering::Relaxed);
            parent.dir.remove(self);
        }
    }
}

/// Looks up a path below `/proc`. Returns `ENOENT` if it doesn't exist.
///
/// The kernel exports nothing that finds an entry, and `/proc` can be mounted anywhere, or nowhere.
/// So this mounts a procfs of its own, which isn't visible to anybody else.
fn look_up(path: &CStr) -> Result {
    // SAFETY: `get_fs_type()` (fs/filesystems.c) takes a C string. procfs isn't a module, so there is
    // no reference to drop.
    let procfs = NonNull::new(unsafe { bindings::get_fs_type(c"proc".as_char_ptr()) });
    let procfs = procfs.ok_or(ENODEV)?;
    // SAFETY: `kern_mount()` (fs/namespace.c) takes a file system type, and `get_fs_type()` has
    // returned one.
    let mount = from_err_ptr(unsafe { bindings::kern_mount(procfs.as_ptr()) })?;
    let mut found = bindings::path::default();
    // SAFETY: `vfs_path_lookup()` (fs/namei.c) takes a mount, its root, a C string, and the path to
    // fill in, which are all valid during the call.
    let result = to_result(unsafe {
        bindings::vfs_path_lookup((*mount).mnt_root, mount, path.as_char_ptr(), 0, &mut found)
    });
    if result.is_ok() {
        // SAFETY: `path_put()` (fs/namei.c) drops the references that `found` holds, since the
        // lookup has succeeded.
        unsafe { bindings::path_put(&found) };
    }
    // SAFETY: `kern_unmount()` (fs/namespace.c) takes what `kern_mount()` returned above. There is
    // no other reference to it, since that in `found` has been dropped.
    unsafe { bindings::kern_unmount(mount) };
    result
}
