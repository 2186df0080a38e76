// SPDX-License-Identifier: GPL-2.0

//! How a probe finds its tracepoint.

use super::hooks::Hooks;
use crate::bindings;

/// A tracepoint that has been defined, by the crate that declares it: [`Hooks`] is implemented where it's
/// defined, and only for a type of the same crate. So no two declarations are of one tracepoint.
///
/// # Safety
///
/// `tracepoint` must return the `struct tracepoint` of the declaration.
pub unsafe trait Identity: Hooks + 'static {
    /// Returns the address of the tracepoint. C: `__tracepoint_NAME`.
    fn tracepoint() -> *mut bindings::tracepoint;

    /// The type of [`Self::ARGS`].
    type Args;

    /// The names of the arguments' C types.
    const ARGS: Self::Args;
}
