// SPDX-License-Identifier: GPL-2.0

//! What layers add to the macros.

use crate::{
    model::{Kind, PLAIN},
    span::KINDS,
};
use syn::{parse::ParseStream, Result};

/// Parses the kind of an event.
pub(crate) fn kind(input: ParseStream<'_>) -> Result<&'static dyn Kind> {
    for kind in KINDS {
        if kind.parse(input)? {
            return Ok(*kind);
        }
    }
    Ok(PLAIN)
}
