// SPDX-License-Identifier: GPL-2.0

//! Numbers of what has no name of its own.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Returns how often this has been called in this crate: a number that tells apart what has the same tokens.
pub(crate) fn next_number() -> usize {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    COUNT.fetch_add(1, Relaxed)
}
