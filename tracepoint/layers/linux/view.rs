// SPDX-License-Identifier: GPL-2.0

//! Objects of the kernel that a probe can look at, but not keep.

use crate::base::{
    args::{CType, Pointee},
    prototype::Type,
};
use kernel::{cred::Credential, fs::LocalFile, task::Kuid};

/// A reference-counted object that C passes to the probes of a tracepoint.
///
/// A `&T` of the kernel crate can be kept, as an `ARef<T>`. C doesn't promise that: the object is alive while the
/// probe runs, but its count may be zero already, so another reference wouldn't keep it alive. The list in the source
/// of [`FromKernel`](crate::linux::FromKernel) says where. A `&T` becomes a `&View<T>` with `into()`.
///
/// ```
/// use tracepoint::linux::capability::cap_capable;
///
/// let probe = cap_capable.register(|cred, _target, _capable, cap, _ret| {
///     pr_info!("{} needs capability {cap}\n", cred.euid().into_uid_in_current_ns());
/// })?;
/// ```
#[repr(transparent)]
pub struct View<T>(T);

impl<'a, T> From<&'a T> for &'a View<T> {
    #[inline(always)]
    fn from(object: &'a T) -> Self {
        // SAFETY: `View` is transparent, so a reference to the object is one to a `View` of it.
        unsafe { &*core::ptr::from_ref(object).cast() }
    }
}

// SAFETY: `View` is transparent, and its text in a prototype contains that of `T`.
unsafe impl<T: Pointee<At<'static> = T> + 'static> Pointee for View<T> {
    type C = T::C;
    type At<'a> = Self;
    const TYPE: Type = Type::Generic("tracepoint::View", &T::TYPE);
    const C_TYPE: CType = T::C_TYPE;
}

impl View<Credential> {
    /// Returns the effective user. Any context. C: `euid`.
    pub fn euid(&self) -> Kuid {
        self.0.euid()
    }

    /// Returns the security ID. Any context. C: `security_cred_getsecid()`.
    pub fn get_secid(&self) -> u32 {
        self.0.get_secid()
    }
}

impl View<LocalFile> {
    /// Returns the flags: C's `f_flags`. Any context.
    pub fn flags(&self) -> u32 {
        self.0.flags()
    }

    /// Returns the credentials with which the file was opened: C's `f_cred`. Any context. They can be kept: the file
    /// holds a reference to them as long as it exists (`init_file()`, `file_free()` in fs/file_table.c).
    pub fn cred(&self) -> &Credential {
        self.0.cred()
    }
}
