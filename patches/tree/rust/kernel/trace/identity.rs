// SPDX-License-Identifier: GPL-2.0

//! How a probe finds its tracepoint.

use crate::bindings;

/// A tracepoint that has been defined.
///
/// # Safety
///
/// The same crate must define `__tracepoint_NAME`, with the arguments of the type's declaration.
pub unsafe trait Defined: 'static {}

/// A tracepoint that a probe can find.
///
/// # Safety
///
/// `tracepoint` must return the `struct tracepoint` of the declaration.
pub unsafe trait Identity: Defined {
    /// Returns the address of the tracepoint. C: `__tracepoint_NAME`.
    fn tracepoint() -> *mut bindings::tracepoint;

    /// The type of [`Self::ARGS`].
    type Args;

    /// The names of the arguments' C types.
    const ARGS: Self::Args;
}
