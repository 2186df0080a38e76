// SPDX-License-Identifier: GPL-2.0

//! Writes what [`Show`] decides: conversions, and arguments of the `print fmt`.

use super::{truncate, Hex, Kind, Show, Spec, Star, SOCKADDRS};
use crate::base::text::Text;

/// Writes a `printf` format up to its conversion.
const fn layout<const N: usize>(mut text: Text<N>, spec: &Spec, width: usize) -> Text<N> {
    text = text.byte(b'%');
    if spec.left && spec.has_width() {
        text = text.byte(b'-');
    }
    if spec.plus {
        text = text.byte(b'+');
    }
    if spec.zero {
        text = text.byte(b'0');
    }
    if let Some(Star::Width) = spec.star {
        text = text.byte(b'*');
    } else if width > 0 {
        text = text.number(width);
    }
    if let Some(Star::Precision) = spec.star {
        text = text.str(".*");
    } else if let Some(precision) = spec.precision {
        text = text.byte(b'.').number(precision);
    }
    text
}

/// Writes the `printf` format of a number.
const fn number<const N: usize>(mut text: Text<N>, kind: &Kind, spec: &Spec) -> Text<N> {
    let (size, signed) = match *kind {
        Kind::Int { size, signed } => (size, signed),
        _ => (8, false),
    };
    let mut conversion = spec.conversion;
    let mut width = spec.width;
    if conversion == b'c' {
        return layout(text, spec, width).byte(b'c');
    }
    // Tools omit the prefix of `%#x` for a zero, the kernel doesn't.
    if spec.alternate {
        text = text.str("0x");
        width = width.saturating_sub(2);
    }
    if conversion == b'd' && !signed {
        conversion = b'u';
    }
    layout(text, spec, width)
        .str(match size {
            1 => "hh",
            2 => "h",
            4 => "",
            _ => "ll",
        })
        .byte(conversion)
}

/// Writes the `printf` format of an address, or of an array that's given by its address.
const fn pointer<const N: usize>(text: Text<N>, show: &Show) -> Text<N> {
    match show {
        // As `%px`, which tools don't know.
        Show::Address => text.str("%016llx"),
        Show::Symbol(true) => text.str("%pS"),
        Show::Symbol(false) => text.str("%ps"),
        Show::Conversion(name) => text.byte(b'%').str(name),
        _ => text.str("%p"),
    }
}

/// Writes the conversion of a field in the text of the `print fmt`.
pub const fn format<const N: usize>(text: Text<N>, kind: &Kind, show: &Show) -> Text<N> {
    match show {
        Show::Number(spec) => number(text, kind, spec),
        Show::Chars(spec) | Show::Str(spec) => layout(text, spec, spec.width).byte(b's'),
        Show::Hex(Hex::Colons) => text.str("%*phC"),
        Show::Hex(Hex::Dashes) => text.str("%*phD"),
        Show::Array | Show::Hex(_) | Show::Groups | Show::List | Show::Table => text.str("%s"),
        Show::Hashed | Show::Address | Show::Symbol(_) | Show::Conversion(_) => pointer(text, show),
        Show::SockAddr(style) => text.byte(b'%').str(SOCKADDRS[*style as usize]),
        Show::Len => text.str("%d"),
        Show::Secs => text.str("%llu"),
        Show::Nanoseconds => text.str("%09llu"),
        Show::Dev => text.str("%u:%u"),
    }
}

/// Writes `__get_HELPER(field)`, or its form for a location that is relative to its own end.
const fn get<const N: usize>(text: Text<N>, helper: &str, name: &str, rel: bool) -> Text<N> {
    text.str(if rel { "__get_rel_" } else { "__get_" })
        .str(helper)
        .byte(b'(')
        .str(name)
        .byte(b')')
}

/// Writes the number of elements of `size` bytes at a location.
pub const fn len<const N: usize>(text: Text<N>, name: &str, rel: bool, size: usize) -> Text<N> {
    if rel {
        // Tools crash on `__get_rel_dynamic_array_len()` (libtraceevent 1.8.4). To them the field
        // is the location, which has the length in its upper half.
        return text
            .str("REC->")
            .str(name)
            .str(" >> ")
            .number(16 + size.trailing_zeros() as usize);
    }
    let text = get(text, "dynamic_array_len", name, rel);
    if size == 1 {
        text
    } else {
        text.str(" / ").number(size)
    }
}

/// Writes the address of a field with a fixed length.
///
/// The kernel warns if what a conversion such as `%pU` shows is neither an array nor has an `&`
/// (`process_pointer()`, kernel/trace/trace_events.c). Tools only know it without the `&`.
const fn address<const N: usize>(text: Text<N>, name: &str, kind: &Kind) -> Text<N> {
    let text = match kind {
        Kind::Bytes { .. } => text.byte(b'&'),
        _ => text,
    };
    text.str("REC->").str(name)
}

/// Writes the argument of a field after the text of the `print fmt`. [`symbols`] writes that of a
/// field shown with a table.
pub const fn argument<const N: usize>(
    text: Text<N>,
    name: &str,
    kind: &Kind,
    rel: bool,
    show: &Show,
) -> Text<N> {
    match show {
        Show::Str(_) => get(text, "str", name, rel),
        Show::Groups => get(text, "bitmask", name, rel),
        // Tools print a list for this, whatever the kernel does with it in C.
        Show::List => get(text, "cpumask", name, rel),
        // Tools know `__get_rel_sockaddr()` by a wrong name.
        Show::SockAddr(_) if kind.fixed_len().is_some() => address(text, name, kind),
        Show::SockAddr(_) if rel || matches!(kind, Kind::DynArray { .. }) => {
            get(text, "dynamic_array", name, rel)
        }
        Show::SockAddr(_) => get(text, "sockaddr", name, rel),
        Show::Len => len(text, name, rel, 1),
        Show::Secs => text.str("REC->").str(name).str(" / 1000000000"),
        Show::Nanoseconds => text.str("REC->").str(name).str(" % 1000000000"),
        Show::Dev => text
            .str("REC->")
            .str(name)
            .str(" >> 20, REC->")
            .str(name)
            .str(" & 0xfffff"),
        Show::Number(_) | Show::Chars(_) | Show::Table => text.str("REC->").str(name),
        Show::Hashed | Show::Address | Show::Symbol(_) => text.str("REC->").str(name),
        Show::Conversion(_) => address(text, name, kind),
        Show::Array => match *kind {
            Kind::Array { size, len } => text
                .str("__print_array(REC->")
                .str(name)
                .str(", ")
                .number(len)
                .str(", ")
                .number(size),
            _ => {
                let size = match *kind {
                    Kind::DynArray { size } => size,
                    _ => 1,
                };
                let text = text.str("__print_array(");
                let text = get(text, "dynamic_array", name, rel).str(", ");
                len(text, name, rel, size).str(", ").number(size)
            }
        }
        .byte(b')'),
        Show::Hex(Hex::Colons | Hex::Dashes) => {
            let text = len(text, name, rel, 1).str(", ");
            get(text, "dynamic_array", name, rel)
        }
        Show::Hex(hex) => {
            let text = text.str(match hex {
                Hex::Spaced => "__print_hex(",
                Hex::Colons | Hex::Dashes | Hex::Concatenated => "__print_hex_str(",
                // No prefix, DUMP_PREFIX_OFFSET, the bytes in a row and in a group.
                Hex::Dump => "__print_hex_dump(\"\", 2, 16, 1, ",
            });
            let text = match kind.fixed_len() {
                Some(len) => text.str("REC->").str(name).str(", ").number(len),
                None => {
                    let text = get(text, "dynamic_array", name, rel).str(", ");
                    len(text, name, rel, 1)
                }
            };
            text.str(if matches!(hex, Hex::Dump) {
                ", 1)"
            } else {
                ")"
            })
        }
    }
}

/// Writes the helper that shows a number with a table, up to the number. The table's
/// [`delimiter`] and [`symbol`]s and a `)` follow the number.
pub const fn helper_of_table<const N: usize>(text: Text<N>, flags: bool) -> Text<N> {
    text.str(if flags {
        "__print_flags("
    } else {
        "__print_symbolic("
    })
}

/// Writes the delimiter of a table of flags.
pub const fn delimiter<const N: usize>(text: Text<N>, delimiter: Option<&str>) -> Text<N> {
    match delimiter {
        Some(delimiter) => text.str(", \"").str(delimiter).byte(b'"'),
        None => text,
    }
}

/// Writes a name in a table.
pub const fn symbol<const N: usize>(
    text: Text<N>,
    value: u64,
    size: usize,
    name: &[u8],
) -> Text<N> {
    text.str(", { 0x")
        .hex(truncate(value, size))
        .str(", \"")
        .part(name, 0, name.len())
        .str("\" }")
}

/// Writes the conversion of a field in the format that the kernel prints with. What it prints as a text
/// of its own is a `%s` there.
pub const fn kernel_format<const N: usize>(text: Text<N>, kind: &Kind, show: &Show) -> Text<N> {
    match show {
        Show::Chars(spec) => {
            // The text must end with the field, whatever the record contains.
            let mut spec = *spec;
            if let Some(len) = kind.fixed_len() {
                spec.precision = match spec.precision {
                    Some(precision) if precision < len => Some(precision),
                    _ => Some(len),
                };
            }
            layout(text, &spec, spec.width).byte(b's')
        }
        Show::Hex(_) | Show::SockAddr(_) | Show::Dev => text.str("%s"),
        _ => format(text, kind, show),
    }
}
