// SPDX-License-Identifier: GPL-2.0

//! Places in the source that only an unstable feature of the compiler tells.

use proc_macro2::Span;

/// Returns the span from the first one to the last one.
pub(crate) fn join(first: Span, last: Span) -> Span {
    // Outside of the compiler, as in tests, there are no places.
    if !proc_macro::is_available() {
        return first;
    }
    first.unwrap().join(last.unwrap()).map_or(first, Span::from)
}
