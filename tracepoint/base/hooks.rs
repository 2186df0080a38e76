// SPDX-License-Identifier: GPL-2.0

//! The hooks of a tracepoint.

use kernel::{error::Result, ffi::c_int};

/// A function of the driver's or the kernel's that must be an `F`.
// A field of a struct gives the shortest error if it isn't.
pub struct Expect<F> {
    /// The function.
    pub function: F,
}

/// The hooks of a tracepoint, if it has any.
///
/// # Safety
///
/// Only the definition of the tracepoint may implement this.
pub unsafe trait Hooks {
    /// Whether it has.
    const EXIST: bool = false;

    /// Called before the first probe is registered.
    fn reg() -> Result {
        Ok(())
    }

    /// Called when the last probe is unregistered.
    fn unreg() {}
}

/// Returns a result as C does.
pub fn errno(result: Result) -> c_int {
    match result {
        Ok(()) => 0,
        Err(error) => error.to_errno(),
    }
}
