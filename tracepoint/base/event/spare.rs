// SPDX-License-Identifier: GPL-2.0

//! Values that an enum has to spare. This file doesn't need a kernel.

use super::symbols::{truncate, Symbol};
use crate::base::text::fail;

/// Returns a value that an enum of `size` bytes doesn't have, for `None`.
#[track_caller]
pub(crate) const fn none_of(about: &str, symbols: &[Symbol<'_>], size: usize) -> u64 {
    let mut none = truncate(u64::MAX, size);
    loop {
        let mut i = 0;
        while i < symbols.len() && symbols[i].value(size) != none {
            i += 1;
        }
        if i == symbols.len() {
            return none;
        }
        if none == 0 {
            fail(&[
                about,
                " has all values of its integer: none is left for `None`",
            ]);
        }
        none -= 1;
    }
}
