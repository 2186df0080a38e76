// SPDX-License-Identifier: GPL-2.0

//! Inodes.
//!
//! C header: [`include/linux/fs.h`](srctree/include/linux/fs.h)

use crate::tracepoint::{
    args::{FromKernel, Pointee},
    prototype::Type,
};
use kernel::{bindings, types::Opaque};

/// An inode. C: `struct inode`.
///
/// # Invariants
///
/// The inode is alive as long as the reference to it.
#[repr(transparent)]
pub struct Inode(Opaque<bindings::inode>);

// SAFETY: Only what never changes while the inode is alive can be read.
unsafe impl Sync for Inode {}

impl Inode {
    /// Makes a reference of C's pointer.
    ///
    /// # Safety
    ///
    /// `inode` must be valid for `'a`.
    pub unsafe fn from_raw<'a>(inode: *mut bindings::inode) -> &'a Self {
        // SAFETY: By the caller's promise; the type is transparent.
        unsafe { &*inode.cast() }
    }

    /// Returns the inode number. Any context. C: `inode->i_ino`.
    pub fn ino(&self) -> u64 {
        // SAFETY: Alive by the type's invariant; the number is set before anybody sees the inode.
        unsafe { (*self.0.get()).i_ino }
    }
}

// SAFETY: Transparent.
unsafe impl Pointee for Inode {
    type C = bindings::inode;
    const TYPE: Type = Type::Name("Inode");
}

// SAFETY: C's tracepoints pass inodes that are alive for the call.
unsafe impl FromKernel for &Inode {}
