// SPDX-License-Identifier: GPL-2.0

//! Ids that link events.

use crate::{
    base::{
        args::Arg,
        c_name::Name,
        event::{
            field::{AsIs, Field, Scalar},
            show::Kind,
        },
        prototype::Type,
    },
    modules::module_static::module_static,
};
use core::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

/// An id that links events. It's never used twice in the same module.
///
/// It's a number that can be printed, used in filters, and used as the key of a histogram. For
/// example, each request can get one and carry it along.
///
/// # Examples
///
/// ```
/// trace_event! {
///     system: "drv";
///
///     /// A request has been accepted.
///     fn drv_accepted(id: TraceId) {
///         id: TraceId = id,
///     }
///     print "request {id}";
/// }
///
/// let id = TraceId::next();
/// trace!(drv_accepted(id));
/// ```
///
/// C has no equivalent; in C, it's a `u64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct TraceId(u64);

impl TraceId {
    /// Returns a new id. Any context, including NMI. The first one is 1.
    #[inline]
    pub fn next() -> Self {
        let next = module_static!("tracepoint.next_id": AtomicU64 = ".quad 1");
        // SAFETY: It's a static of that type.
        Self(unsafe { (*next).fetch_add(1, Ordering::Relaxed) })
    }

    /// Returns the number.
    #[inline(always)]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Returns the id with this number.
    #[inline(always)]
    pub(super) const fn from_raw(id: u64) -> Self {
        Self(id)
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

// What the kernel's own macros, such as `pr_info!`, use.
impl kernel::fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: The conversion is the identity, and the name is the type's own.
unsafe impl Arg for TraceId {
    type C = u64;
    type At<'a> = Self;
    const TYPE: Type = Type::Name("tracepoint::event::TraceId");
    #[doc(hidden)]
    const C_NAME: Name = <u64 as Arg>::C_NAME;

    #[inline(always)]
    fn into_c(self) -> u64 {
        self.0
    }

    #[inline(always)]
    unsafe fn from_c(c: &u64) -> Self {
        Self(*c)
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: It's transparent, and an integer.
unsafe impl Field for TraceId {
    type Slot = Self;
    type This = Self;
    const NAME: &'static str = <u64 as Field>::NAME;
    const KIND: Kind = <u64 as Field>::KIND;
}

// SAFETY: The value is the slot.
unsafe impl AsIs for TraceId {}

// SAFETY: An integer has no padding.
unsafe impl Scalar for TraceId {}
