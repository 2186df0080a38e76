// SPDX-License-Identifier: GPL-2.0

//! Ids that link events.

use crate::{
    base::{
        args::{arg, Arg},
        c_name::Name,
        event::{
            field::{
                macros::{field, mark},
                Field, Scalar,
            },
            shape::Shape,
            show::Kind,
        },
        prototype::Type,
    },
    modules::module_static::module_static,
};
use core::sync::atomic::{AtomicU64, Ordering};
use kernel::fmt;

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
        // SAFETY: `next` points to a static of that type.
        Self(unsafe { (*next).fetch_add(1, Ordering::Relaxed) })
    }

    /// Returns the number.
    #[inline(always)]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

arg! {
    [] TraceId, Type::Name("tracepoint::event::TraceId"), u64, Name::of("u64"), |id| id.0, |c| TraceId(c);
}

// SAFETY: The slot is the `TraceId` itself, a transparent integer, as the kind says.
field! {
    unsafe [] TraceId, Self, "u64", Kind::Int { size: 8, signed: false }, "";
}

// SAFETY: The value is the slot, and has no padding.
mark!(unsafe Scalar: [] TraceId;);
