// SPDX-License-Identifier: GPL-2.0

//! Inodes.
//!
//! C header: [`include/linux/fs.h`](srctree/include/linux/fs.h)

use kernel::{bindings, types::Opaque};
use tracepoint::args::{CType, Pointee, Type};

/// An inode. C: `struct inode`.
///
/// # Invariants
///
/// The inode is alive as long as the reference to it.
#[repr(transparent)]
pub struct Inode(Opaque<bindings::inode>);

// SAFETY: Only data that never changes while the inode is alive can be read.
unsafe impl Sync for Inode {}

impl Inode {
    /// Converts a C pointer to a reference.
    ///
    /// # Safety
    ///
    /// `inode` must be valid for `'a`.
    pub unsafe fn from_raw<'a>(inode: *mut bindings::inode) -> &'a Self {
        // SAFETY: The caller promises that `inode` is valid for `'a`, and `Inode` is transparent.
        unsafe { &*inode.cast() }
    }

    /// Returns the inode number. Any context. C: `inode->i_ino`.
    pub fn ino(&self) -> u64 {
        // SAFETY: The inode is alive by the type's invariant, and its number is set before it
        // becomes visible to others.
        unsafe { (*self.0.get()).i_ino }
    }
}

// SAFETY: `Inode` is transparent, so a pointer to one is a valid pointer to C's `struct inode`, and
// the other way round. No other type has its name.
unsafe impl Pointee for Inode {
    type C = bindings::inode;
    type At<'a> = Self;
    const TYPE: Type = Type::Name("fs::Inode");
    const C_TYPE: CType = CType::Struct("inode");
}
