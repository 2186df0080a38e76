// SPDX-License-Identifier: GPL-2.0

//! The errors that the macros report. A [`syn::Error`] can be several of them.

use syn::{Error, Result};

/// Returns all results, or the errors of all.
pub(crate) fn all<T>(results: impl Iterator<Item = Result<T>>) -> Result<Vec<T>> {
    let (mut good, mut errors) = (Vec::new(), None::<Error>);
    for result in results {
        match (result, &mut errors) {
            (Ok(one), _) => good.push(one),
            (Err(error), Some(errors)) => errors.combine(error),
            (Err(error), None) => errors = Some(error),
        }
    }
    errors.map_or(Ok(good), Err)
}
