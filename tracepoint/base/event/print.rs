// SPDX-License-Identifier: GPL-2.0

//! Prints a record: what the print functions call that the macros make of templates.
//!
//! As in C, such a function is `trace_raw_output_CLASS()`, with one call of `trace_output_call()`. It
//! runs wherever the trace is read, also under a raw spinlock if the trace goes to `printk`. It doesn't
//! sleep, allocate or panic.
//!
//! Each argument of `trace_output_call()` is a word of 64 bits: on all supported architectures, C's `va_arg()`
//! takes a shorter number from the lower half of one.
//!
//! C header: [`include/trace/stages/stage3_trace_output.h`](srctree/include/trace/stages/stage3_trace_output.h)

use super::{
    field::Packed,
    show::{Kind, Pass},
    symbols::{truncate, Symbol, Table},
    template::Shown,
};
use crate::base::bindings::{self, generated, trace_seq};
use core::{ffi::CStr, mem::offset_of, ptr::addr_of_mut};
use kernel::{
    bindings::{AF_INET, AF_INET6},
    container_of,
    prelude::*,
};

pub use bindings::{trace_event, trace_iterator, trace_output_call};

/// The result of a print function. For bindgen C's enum is an integer, which has another type hash.
#[allow(non_camel_case_types)]
#[repr(C)]
pub struct print_line_t(bindings::print_line_t);

/// A print function. C: `trace_print_func`.
pub(crate) type TraceRawOutput =
    unsafe extern "C" fn(*mut trace_iterator, c_int, *mut trace_event) -> print_line_t;

/// Returns the record that's printed. Its type is the event's: `print_trace_fmt()` (kernel/trace/trace.c) and
/// `print_graph_comment()` (kernel/trace/trace_functions_graph.c) find the print function by it, and `output_printk()`
/// calls it where the record is made. So there's no need for the check in `trace_raw_output_prep()`
/// (kernel/trace/trace_output.c), which only warns.
///
/// # Safety
///
/// `iter` must be what an event's print function is called with.
#[inline(always)]
pub unsafe fn record_of(iter: *mut trace_iterator) -> *mut u8 {
    // SAFETY: The caller passes a valid `trace_iterator`.
    unsafe { (*iter).ent.cast() }
}

/// Initialises the `trace_seq` for arguments that are texts. From then on, the iterator is *at a record*.
///
/// C: `trace_seq_init()`.
///
/// # Safety
///
/// `iter` must be what an event's print function is called with.
#[inline(never)]
pub unsafe fn init_texts(iter: *mut trace_iterator) {
    // SAFETY: The caller passes a valid `trace_iterator`, whose `tmp_seq` is for its print function
    // (`print_trace_fmt()`, kernel/trace/trace.c).
    unsafe {
        let s = addr_of_mut!((*iter).tmp_seq);
        (*s).seq.buffer = addr_of_mut!((*s).buffer).cast();
        (*s).seq.size = size_of_val(&(*s).buffer);
        (*s).seq.len = 0;
        (*s).full = 0;
        (*s).readpos = 0;
    }
}

/// Returns the name of an event. C: `trace_event_name()`.
///
/// # Safety
///
/// It must be the `event` of a `struct trace_event_call` with a tracepoint.
#[inline(always)]
pub unsafe fn name_of_event(event: *mut trace_event) -> *mut c_char {
    // SAFETY: The caller promises that `event` is that of a `trace_event_call`, and that this has a
    // tracepoint.
    unsafe {
        let call = container_of!(event, generated::trace_event_call, event);
        (*(*call).__bindgen_anon_1.tp).name.cast_mut()
    }
}

/// Returns what the print function returns at its end, given what `trace_output_call()` returns.
pub fn handled(result: c_int) -> print_line_t {
    print_line_t(result as bindings::print_line_t)
}

/// Returns the argument for a number of so many bytes.
///
/// # Safety
///
/// The record must have one there, aligned to 4 bytes or to its size.
// Each print function contains this many times, so it calls no more than it has to.
#[allow(clippy::cast_lossless, clippy::ptr_as_ptr)]
#[inline(always)]
pub unsafe fn number(record: *mut u8, offset: usize, size: usize) -> u64 {
    // SAFETY: The caller promises that the record has a number of this size and its alignment there.
    unsafe {
        let at = record.add(offset);
        match size {
            1 => *at as u64,
            2 => (*(at as *mut Packed<u16>)).0 as u64,
            4 => (*(at as *mut Packed<u32>)).0 as u64,
            _ => (*(at as *mut Packed<u64>)).0,
        }
    }
}

/// Returns the argument for a field whose address is passed.
///
/// # Safety
///
/// The record must have one there.
#[inline(always)]
pub unsafe fn address(record: *mut u8, offset: usize) -> u64 {
    // SAFETY: The caller promises that the record has the field there, so the address is in the
    // record.
    unsafe { record.add(offset) as u64 }
}

/// Returns the argument for a string.
///
/// # Safety
///
/// The record must have its location there.
#[inline(always)]
pub unsafe fn string(record: *mut u8, offset: usize, rel: bool) -> u64 {
    // SAFETY: The caller promises that the record has the string's location at this offset.
    unsafe { locate(record, offset, rel).0 as u64 }
}

/// Returns the argument for how many bits a mask has.
///
/// # Safety
///
/// The record must have its location there.
#[inline(always)]
pub unsafe fn bits(record: *mut u8, offset: usize) -> u64 {
    // SAFETY: The caller promises that the record has the mask's location at this offset.
    unsafe { locate(record, offset, false).1 as u64 * 8 }
}

/// Returns a precision in a field of so many bytes.
///
/// # Safety
///
/// The record must have one there.
#[inline(always)]
pub unsafe fn precision(record: *mut u8, offset: usize, size: usize) -> u64 {
    // SAFETY: The caller promises that the record has a number of this size and its alignment there.
    let precision = unsafe { number(record, offset, size) };
    // More is a warning (`set_precision()`, lib/vsprintf.c).
    precision.min(32767)
}

/// Where data is, and how many elements or bytes it has.
type Data = (*mut u8, usize);

/// Returns where the data at a location is, and its length.
///
/// # Safety
///
/// The record must have a location there.
#[inline(always)]
unsafe fn locate(record: *mut u8, offset: usize, rel: bool) -> Data {
    // SAFETY: The caller promises that the record has a location there, which has four bytes.
    let location = unsafe { number(record, offset, 4) } as usize;
    let base = if rel { offset.wrapping_add(4) } else { 0 };
    let data = record.wrapping_add(base).wrapping_add(location & 0xffff);
    (data, location >> 16)
}

/// Returns where the data of a field is, and how many bytes it has.
///
/// # Safety
///
/// The record must have the field there.
#[inline(always)]
pub(super) unsafe fn contents(record: *mut u8, offset: usize, kind: Kind, rel: bool) -> Data {
    // SAFETY: The caller promises that the record has the field, and so, if it's dynamic, its
    // location.
    unsafe {
        match kind.is_dynamic() {
            true => locate(record, offset, rel),
            false => (record.add(offset), kind.layout().0),
        }
    }
}

/// Returns where the data of a field is, and how many elements or bytes it has, of which `limit` are shown.
///
/// # Safety
///
/// The record must have the field there.
#[inline(always)]
pub unsafe fn data(
    record: *mut u8,
    offset: usize,
    shown: &'static Shown<'static>,
    limit: u64,
) -> Data {
    let show = &shown.show;
    // SAFETY: The caller promises that the record has the field there.
    let (data, size) = unsafe { contents(record, offset, show.kind, shown.rel()) };
    // Not a division, which could panic.
    let len = size.wrapping_shr(show.unit().trailing_zeros());
    (data, len.min(limit as usize))
}

/// Returns the argument for a field. `limit` is how much of an array is shown at most.
///
/// # Safety
///
/// `iter` must be at a record of an event that has the field there. Its own probes have filled the
/// record, so its locations point into it. Only CONFIG_TRACE_EVENT_INJECT's file
/// `inject` can write other locations, which C trusts, too.
// Inlined because what's shown is a constant: one call is left, of what shows this kind of field.
#[inline(always)]
pub unsafe fn show(
    iter: *mut trace_iterator,
    offset: usize,
    shown: &'static Shown<'static>,
    limit: u64,
) -> u64 {
    // SAFETY: The caller promises that `iter` is at a record with the field, and that the record's
    // locations point into it.
    unsafe {
        let record = record_of(iter);
        let (size, pass) = (shown.show.kind.number_size(), shown.show.pass);
        // Once each, because LLVM inlines each call before it removes the branches that aren't taken.
        let data = data(record, offset, shown, limit);
        let number = match pass {
            Pass::Number | Pass::Name | Pass::Secs | Pass::Nanoseconds | Pass::Dev => {
                number(record, offset, size)
            }
            _ => 0,
        };
        // `trace_print_bitmask_seq()` obeys the option `bitmask-list`, of which tools know nothing.
        let mask = |format| printf(iter, format, data.1 as u64 * 8, data.0 as u64);
        match pass {
            Pass::Number => number,
            Pass::Name => match shown.table {
                Some(table) => name(iter, number, size, table),
                None => number,
            },
            Pass::Secs => number / 1_000_000_000,
            Pass::Nanoseconds => number % 1_000_000_000,
            Pass::Len => data.1 as u64,
            Pass::Data => data.0 as u64,
            Pass::Dev => printf(iter, c"%u:%u", number >> 20, number & 0xfffff),
            Pass::Array => print_array(iter, data, size),
            Pass::Hex => print_hex(iter, data, false),
            Pass::HexStr => print_hex(iter, data, true),
            Pass::HexDump => dump(iter, data, c"", [2, 16, 1, 1]),
            Pass::Colons => print_bytes(iter, data, c":%02x"),
            Pass::Dashes => print_bytes(iter, data, c"-%02x"),
            Pass::Mask => mask(c"%*pb"),
            Pass::MaskList => mask(c"%*pbl"),
            Pass::SockAddr => print_sockaddr(iter, data, shown.show.format),
        }
    }
}

/// Writes the text of an argument. Returns the argument: the address of the text.
///
/// # Safety
///
/// `iter` must be at a record. `write` must append to the `trace_seq`, and not change what's before.
#[inline(always)]
unsafe fn text<T>(iter: *mut trace_iterator, write: impl FnOnce(*mut trace_seq) -> T) -> u64 {
    // SAFETY: The caller promises that `iter` is at a record, so `init_texts()` has initialised the
    // `trace_seq`, and that `write` appends to it.
    unsafe {
        let start = (*iter).tmp_seq.seq.len;
        write(addr_of_mut!((*iter).tmp_seq));
        end_text(iter, start)
    }
}

/// Ends a text with a NUL even if it doesn't fit, in which case C's helpers leave it out. Returns the address of the
/// text.
///
/// # Safety
///
/// `iter` must be at a record. The text must begin at `start` in the `trace_seq`.
#[inline(never)]
unsafe fn end_text(iter: *mut trace_iterator, start: usize) -> u64 {
    // SAFETY: The caller promises that the `trace_seq` is initialised. After each text, its length is less than its
    // size, and so was `start`.
    unsafe {
        let s = addr_of_mut!((*iter).tmp_seq);
        let buffer = addr_of_mut!((*s).buffer).cast::<u8>();
        let last = size_of_val(&(*s).buffer) - 1;
        let end = (*s).seq.len.min(last);
        buffer.add(end).write(0);
        (*s).seq.len = (end + 1).min(last);
        buffer.add(start) as u64
    }
}

/// Returns the argument for a text with at most two values, whose format is C's.
///
/// # Safety
///
/// `iter` must be at a record. The values must be what the format is for.
#[inline(never)]
pub unsafe fn printf(iter: *mut trace_iterator, format: &CStr, a: u64, b: u64) -> u64 {
    // SAFETY: The caller promises that `iter` is at a record, and that the values are what the
    // format is for. `trace_seq_printf()` (kernel/trace/trace_seq.c) appends to the `trace_seq`.
    unsafe {
        text(iter, |s| {
            bindings::trace_seq_printf(s, format.as_char_ptr(), a, b)
        })
    }
}

/// # Safety
///
/// `iter` must be at a record. There must be that many integers of `size` bytes.
#[inline(never)]
unsafe fn print_array(iter: *mut trace_iterator, (data, len): Data, size: usize) -> u64 {
    // SAFETY: The caller promises that `iter` is at a record, and that there are `len` integers of
    // this size. `trace_print_array_seq()` (kernel/trace/trace_output.c) appends to the
    // `trace_seq`.
    unsafe {
        text(iter, |s| {
            generated::trace_print_array_seq(s, data.cast(), len as c_int, size)
        })
    }
}

/// # Safety
///
/// `iter` must be at a record. There must be that many bytes.
#[inline(never)]
unsafe fn print_hex(iter: *mut trace_iterator, (data, len): Data, concatenate: bool) -> u64 {
    // SAFETY: The caller promises that `iter` is at a record, and that there are `len` bytes.
    // `trace_print_hex_seq()` (kernel/trace/trace_output.c) appends to the `trace_seq`.
    unsafe {
        text(iter, |s| {
            generated::trace_print_hex_seq(s, data, len as c_int, concatenate)
        })
    }
}

/// Prints bytes with a format that begins with what's between two of them. C's `%*phC` shows no more
/// than 64 bytes, unlike tools.
///
/// # Safety
///
/// `iter` must be at a record. There must be that many bytes. The format must be for a byte.
#[inline(never)]
unsafe fn print_bytes(iter: *mut trace_iterator, (data, len): Data, format: &CStr) -> u64 {
    // SAFETY: The caller promises that `iter` is at a record, that there are `len` bytes, and that
    // the format is for one. `trace_seq_printf()` (kernel/trace/trace_seq.c) appends to the
    // `trace_seq`.
    unsafe {
        text(iter, |s| {
            for i in 0..len {
                let format = format.as_char_ptr().add((i == 0).into());
                bindings::trace_seq_printf(s, format, c_uint::from(*data.add(i)));
            }
        })
    }
}

/// Returns the argument for bytes that are dumped, with C's arguments.
///
/// # Safety
///
/// `iter` must be at a record. There must be that many bytes.
pub unsafe fn dump(
    iter: *mut trace_iterator,
    (data, len): Data,
    prefix: &'static CStr,
    [prefix_type, row, group, ascii]: [u8; 4],
) -> u64 {
    // SAFETY: The caller promises that `iter` is at a record, and that there are `len` bytes.
    // `trace_print_hex_dump_seq()` (kernel/trace/trace_output.c) appends to the `trace_seq`.
    unsafe {
        text(iter, |s| {
            generated::trace_print_hex_dump_seq(
                s,
                prefix.as_char_ptr(),
                prefix_type.into(),
                row.into(),
                group.into(),
                data.cast(),
                len,
                ascii != 0,
            )
        })
    }
}

/// Shows a socket address as tools do: nothing for other families, and nothing beyond its end.
///
/// # Safety
///
/// `iter` must be at a record. There must be that many bytes. The format must be a `%pIS`.
#[inline(never)]
unsafe fn print_sockaddr(iter: *mut trace_iterator, (data, len): Data, format: &CStr) -> u64 {
    // SAFETY: The caller promises that there are `len` bytes. `%pIS` reads a `struct sockaddr_in`
    // or a `struct sockaddr_in6`, for which they are enough here.
    unsafe {
        // Data can be at an odd address.
        let family = match len {
            ..2 => 0,
            _ => data.cast::<u16>().read_unaligned(),
        };
        let constant = match (u32::from(family), len) {
            (AF_INET, ..16) => c"INVALIDIPv4",
            (AF_INET6, ..28) => c"INVALIDIPv6",
            (AF_INET | AF_INET6, _) => return printf(iter, format, data as u64, 0),
            _ => c"",
        };
        constant.as_char_ptr() as u64
    }
}

/// Returns the argument for a number of `size` bytes that's shown with a table, and with a format for the name. As
/// with tools, that isn't for a value without a name.
///
/// # Safety
///
/// As for [`name`] and [`printf`].
pub unsafe fn name_with(
    iter: *mut trace_iterator,
    n: u64,
    size: usize,
    table: &'static Table<'static>,
    format: &'static CStr,
) -> u64 {
    // SAFETY: The caller promises that `iter` is at a record, and that the format is for a string,
    // which a symbol's name is.
    unsafe {
        match name_of(truncate(n, size), size, table) {
            Some(name) => printf(iter, format, name as u64, 0),
            None => name(iter, n, size, table),
        }
    }
}

/// Returns the name of a whole value.
fn name_of(n: u64, size: usize, table: &Table<'_>) -> Option<*const u8> {
    let special = table.special.iter().find(|range| range.contains(n, size));
    let mut symbols = match table.delimiter {
        Some(_) => [].iter(),
        None => table.symbols.iter(),
    };
    special
        .map(|range| &range.first)
        .or_else(|| symbols.find(|symbol| symbol.value(size) == n))
        .map(Symbol::name)
        .or(table.other.map(|name| name.as_char_ptr().cast()))
}

// A `Symbol` is passed as one of these.
const _: () = {
    use bindings::trace_print_flags;
    let _: fn(&trace_print_flags) -> (&c_ulong, &*const c_char) =
        |flags| (&flags.mask, &flags.name);
    assert!(size_of::<Symbol<'_>>() == size_of::<trace_print_flags>());
    assert!(offset_of!(trace_print_flags, name) == size_of::<c_ulong>());
};

/// Returns the argument for a number of `size` bytes that's shown with a table.
///
/// # Safety
///
/// `iter` must be at a record.
#[inline(never)]
pub unsafe fn name(
    iter: *mut trace_iterator,
    n: u64,
    size: usize,
    table: &'static Table<'static>,
) -> u64 {
    let n = truncate(n, size);
    if let Some(name) = name_of(n, size, table) {
        return name as u64;
    }
    // SAFETY: The caller promises that `iter` is at a record. The functions called here
    // (kernel/trace/trace_output.c) append to the `trace_seq`, and a `Symbol` is a `struct
    // trace_print_flags`.
    unsafe {
        let (n, symbols) = (n as c_ulong, table.symbols.as_ptr().cast());
        text(iter, |s| match table.delimiter {
            Some(delimiter) => {
                let len = table.symbols.len();
                generated::trace_print_flags_seq(s, delimiter.as_char_ptr(), n, symbols, len)
            }
            None => generated::trace_print_symbols_seq(s, n, symbols, 0),
        })
    }
}
