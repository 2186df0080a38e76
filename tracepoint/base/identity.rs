// SPDX-License-Identifier: GPL-2.0

//! The identity of tracepoints of the same name: the arguments with which each module has declared them.

use crate::base::{prototype::hash, text::bytes_start_with};
use core::ffi::CStr;

/// The prototype of a tracepoint. `register` compares it with that of the probe, and the symbol
/// `__prototype_NAME_HASH` belongs to whoever defines the tracepoint, so all of its functions take the C arguments of
/// this declaration.
///
/// # Safety
///
/// `PROTOTYPE` must be derived from the arguments of the declaration, and `HASH` must be its hash.
pub unsafe trait Identity: 'static {
    /// The arguments, as formatted by `prototype::text`.
    const PROTOTYPE: &'static CStr;

    /// The hash of the prototype and the interface's version, used in the symbol
    /// `__prototype_NAME_HASH`. The module that defines the tracepoint defines this symbol, and
    /// modules that fire it reference the symbol. Nobody can find another prototype that has the same
    /// hash: firing a tracepoint isn't checked otherwise.
    const HASH: u128 = hash(Self::PROTOTYPE.to_bytes());
}

/// Fails to compile for a tracepoint that could be a span's. In a probe, a driver has the span; if
/// it fired the tracepoint with it, the files would count an end or a beginning twice.
///
/// Another tracepoint with such an argument is none the worse for it.
#[inline(always)]
pub fn not_a_span<T: Identity>() {
    const {
        assert!(
            !bytes_start_with(T::PROTOTYPE.to_bytes(), b"fn(&tracepoint::Span"),
            "only a span itself can fire a tracepoint whose first argument is a `&Span`"
        )
    }
}
