// SPDX-License-Identifier: GPL-2.0

//! The names of `gfp_t`.
//!
//! C header: [`include/trace/events/mmflags.h`](srctree/include/trace/events/mmflags.h)

use super::symbols::{text, text_len, Range, Symbol, Table};

/// C: `show_gfp_flags()`, with `__def_gfpflag_names` made from the kernel's headers: the values depend on its
/// configuration.
pub(super) const TABLE: Table<'_> = Table {
    symbols: &include!(concat!(env!("TRACEPOINT_OUT"), "/gfp.rs")),
    delimiter: Some(c"|"),
    special: &[Range::one(0, c"none")],
    other: None,
};

/// The table as a `print fmt` contains it.
pub(super) const TEXT: [u8; text_len(&TABLE, 4)] = text(&TABLE, 4);
