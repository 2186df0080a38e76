// SPDX-License-Identifier: GPL-2.0

//! The layout of an event's fields in its record.

use super::{
    super::{
        bindings,
        text::{equal, slice, unraw, Text},
    },
    ctype::{CType, Form},
    field::Field,
    template::{self, Kind},
};
use kernel::ffi::c_int;

/// A field of an event.
#[derive(Clone, Copy)]
pub struct Desc {
    /// The name, with a NUL.
    pub name: &'static str,
    /// The C type.
    pub ctype: CType,
    /// The size in bytes.
    pub size: usize,
    /// The alignment.
    pub align: usize,
    /// Whether the field is signed, for filters and histograms.
    pub signed: bool,
    /// The filter type: one of C's `FILTER_*`.
    pub filter: c_int,
    /// The number of elements of an array.
    pub len: usize,
    /// The field as the print template sees it, and its offset in the record.
    pub field: template::Field,
}

impl Desc {
    /// Returns the offset of the field's end in the record.
    const fn end(&self) -> usize {
        self.field.offset + self.size
    }

    /// Returns whether the field's data is stored after the fields.
    const fn is_dynamic(&self) -> bool {
        matches!(self.ctype.form(), Form::Dynamic { .. })
    }
}

/// Describes a field that has no offset yet. `tokens` is the type as written in the source.
pub const fn desc<T: Field>(
    name: &'static str,
    ctype: Option<&'static str>,
    tokens: &'static str,
    filter: Option<c_int>,
    shown: bool,
) -> Desc {
    let ctype = CType::new(ctype, tokens, T::NAME, T::FORM);
    let name = unraw(name);
    Desc {
        name,
        size: size_of::<T::Slot>(),
        align: align_of::<T::Slot>(),
        signed: T::SIGNED,
        filter: match filter {
            Some(filter) => filter,
            None => T::FILTER,
        },
        len: T::LEN,
        field: template::Field {
            name: slice(name, 0, name.len() - 1),
            kind: match T::KIND {
                // In the kernel crate, `c_char` is `u8`.
                Kind::Array { size: 1, len } if ctype.is_char() => Kind::Chars { len },
                kind => kind,
            },
            offset: 0,
            rel: matches!(ctype.form(), Form::Dynamic { rel: true, .. }),
            table: T::TABLE,
            shown,
        },
        ctype,
    }
}

/// Assigns offsets to the fields, the same as `trace_event_define_fields()`
/// (kernel/trace/trace_events.c) computes.
pub const fn layout<const N: usize>(mut fields: [Desc; N]) -> [Desc; N] {
    let mut end = size_of::<bindings::trace_entry>();
    let mut i = 0;
    while i < N {
        fields[i].field.offset = end.next_multiple_of(fields[i].align);
        end = fields[i].end();
        i += 1;
    }
    fields
}

/// Returns the offset of a field.
pub const fn offset(fields: &[Desc], name: &str) -> usize {
    let name = unraw(name);
    let mut i = 0;
    while i < fields.len() {
        if equal(fields[i].field.name, name) {
            return fields[i].field.offset;
        }
        i += 1;
    }
    panic!("no such field")
}

/// Returns whether any data is stored after the fields.
const fn is_dynamic(fields: &[Desc]) -> bool {
    let mut i = 0;
    while i < fields.len() {
        if fields[i].is_dynamic() {
            return true;
        }
        i += 1;
    }
    false
}

/// Returns the offset of the last field's end.
const fn end(fields: &[Desc]) -> usize {
    match fields.last() {
        Some(last) => last.end(),
        None => size_of::<bindings::trace_entry>(),
    }
}

/// Returns the size of a record: the size of the C struct, or if data is stored after the fields,
/// the offset where this data starts.
pub const fn size(fields: &[Desc]) -> usize {
    if is_dynamic(fields) {
        return end(fields);
    }
    let mut align = align_of::<bindings::trace_entry>();
    let mut i = 0;
    while i < fields.len() {
        if fields[i].align > align {
            align = fields[i].align;
        }
        i += 1;
    }
    end(fields).next_multiple_of(align)
}

/// Bytes of a record that belong to no field.
#[derive(Clone, Copy)]
struct Gap {
    from: usize,
    to: usize,
}

/// Returns the gap between field `i` and the one before it. If `i` is the number of fields, this is
/// the gap at the end of the record.
const fn gap(fields: &[Desc], i: usize) -> Gap {
    let (before, _) = fields.split_at(i);
    Gap {
        from: end(before),
        to: if i < fields.len() {
            fields[i].field.offset
        } else {
            size(fields)
        },
    }
}

/// Returns the number of gaps in a record, and the first `N` of them.
const fn gaps<const N: usize>(fields: &[Desc]) -> (usize, [Gap; N]) {
    let mut gaps = [Gap { from: 0, to: 0 }; N];
    let mut n = 0;
    let mut i = 0;
    while i <= fields.len() {
        let gap = gap(fields, i);
        if gap.from < gap.to {
            if n < N {
                gaps[n] = gap;
            }
            n += 1;
        }
        i += 1;
    }
    (n, gaps)
}

/// Returns the number of gaps in a record.
pub const fn gaps_len(fields: &[Desc]) -> usize {
    gaps::<0>(fields).0
}

/// The bytes of a record other than the fields and the data after them. They must be zeroed.
#[derive(Clone, Copy)]
pub struct Rest<const N: usize> {
    gaps: [Gap; N],
    is_dynamic: bool,
}

/// Returns the rest of a record. `N` must be [`gaps_len`].
pub const fn rest<const N: usize>(fields: &[Desc]) -> Rest<N> {
    Rest {
        gaps: gaps(fields).1,
        is_dynamic: is_dynamic(fields),
    }
}

/// Zeroes the rest of a record. `rest` must be a constant.
///
/// # Safety
///
/// `record` must be valid for writes of `size` bytes, rounded up to a multiple of four.
#[inline(always)]
pub unsafe fn zero<const N: usize>(record: *mut u8, size: usize, rest: Rest<N>) {
    // SAFETY: Guaranteed by the caller. A record contains at least the header of the entry.
    unsafe {
        for gap in rest.gaps {
            core::ptr::write_bytes(record.add(gap.from), 0, gap.to.wrapping_sub(gap.from));
        }
        if rest.is_dynamic {
            // The bytes that round the size up to a multiple of four.
            let last = (size.wrapping_add(3) & !3).wrapping_sub(4);
            record.add(last).cast::<u32>().write_unaligned(0);
        }
    }
}

/// Returns the fields as the print template sees them. `N` must be their number.
pub const fn template_fields<const N: usize>(fields: &[Desc]) -> [template::Field; N] {
    let mut result = [template::Field {
        name: "",
        kind: Kind::Pointer,
        offset: 0,
        rel: false,
        table: None,
        shown: false,
    }; N];
    let mut i = 0;
    while i < N {
        result[i] = fields[i].field;
        i += 1;
    }
    result
}

const fn write_types<const N: usize>(fields: &[Desc]) -> Text<N> {
    let mut text = Text::new();
    let mut i = 0;
    while i < fields.len() {
        text = fields[i].ctype.write(text);
        i += 1;
    }
    text
}

/// Returns the length of [`types`].
pub const fn types_len(fields: &[Desc]) -> usize {
    write_types::<0>(fields).len()
}

/// Returns the C types of the fields, each terminated by a NUL.
pub const fn types<const N: usize>(fields: &[Desc]) -> [u8; N] {
    write_types(fields).bytes()
}
