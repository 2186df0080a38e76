// SPDX-License-Identifier: GPL-2.0

//! Printing a record: runs the program that [`template`](super::template) made.
//!
//! Runs wherever the trace is read, and under a raw spinlock where the trace goes to `printk`. It
//! neither sleeps nor allocates nor panics.

use super::{
    super::bindings,
    table::Functions,
    template::{op, Symbol, Table},
};
use core::ptr::addr_of_mut;
use kernel::{
    ffi::{c_char, c_int, c_void},
    str::CStrExt as _,
};

/// What prints the records of an event.
pub struct Program {
    /// The instructions.
    pub code: &'static [u8],
    /// The tables that it uses, in order.
    pub tables: &'static [Table],
}

/// The `trace` function of every event.
///
/// C: `trace_raw_output_CLASS()`.
///
/// # Safety
///
/// Called by kernel/trace/trace_output.c for an event whose `funcs` is a [`Functions`].
pub unsafe extern "C" fn trace_raw_output(
    iter: *mut bindings::trace_iterator,
    _flags: c_int,
    event: *mut bindings::trace_event,
) -> bindings::print_line_t {
    // SAFETY: As C does in stage 3 (include/trace/trace_events.h): the record is that of `event`,
    // and stays while the iterator is at it.
    unsafe {
        let result = bindings::trace_raw_output_prep(iter, event);
        if result != bindings::print_line_t_TRACE_TYPE_HANDLED as c_int {
            return result as bindings::print_line_t;
        }
        let functions = (*event).funcs.cast::<Functions>();
        run(iter, (*functions).program());
        bindings::trace_handle_return(addr_of_mut!((*iter).seq))
    }
}

/// Where the program is.
struct Code(*const u8);

impl Code {
    /// # Safety
    ///
    /// The program must have another byte.
    unsafe fn byte(&mut self) -> u8 {
        // SAFETY: By the caller's promise.
        unsafe {
            let byte = *self.0;
            self.0 = self.0.add(1);
            byte
        }
    }

    /// # Safety
    ///
    /// The program must have two more bytes.
    unsafe fn word(&mut self) -> usize {
        // SAFETY: By the caller's promise.
        unsafe { usize::from(self.byte()) | usize::from(self.byte()) << 8 }
    }

    /// # Safety
    ///
    /// The program must have a string here.
    unsafe fn str(&mut self) -> *const c_char {
        let str = self.0;
        // SAFETY: By the caller's promise.
        while unsafe { self.byte() } != 0 {}
        str.cast()
    }
}

/// Finds what a location points to: pointer and length.
///
/// # Safety
///
/// `slot` must point to a location in `record`.
unsafe fn locate(record: *mut u8, slot: *mut u8, rel: bool) -> (*mut u8, usize) {
    // SAFETY: By the caller's promise.
    let location = unsafe { slot.cast::<u32>().read_unaligned() } as usize;
    let from = if rel { slot.wrapping_add(4) } else { record };
    (from.wrapping_add(location & 0xffff), location >> 16)
}

/// # Safety
///
/// `slot` must point to an integer of this size.
unsafe fn unsigned(slot: *mut u8, size: u8) -> u64 {
    // SAFETY: By the caller's promise.
    unsafe {
        match size {
            1 => slot.read().into(),
            2 => slot.cast::<u16>().read_unaligned().into(),
            4 => slot.cast::<u32>().read_unaligned().into(),
            _ => slot.cast::<u64>().read_unaligned(),
        }
    }
}

/// Appends the record that `iter` is at.
///
/// # Safety
///
/// `iter` must be at a record of the event that `program` was made for, prepared by
/// `trace_raw_output_prep()`.
unsafe fn run(iter: *mut bindings::trace_iterator, program: &Program) {
    // SAFETY: By the caller's promise: the program ends with `op::END`, its operands are as
    // `template` wrote them, and each offset is that of a field. The record was filled by
    // `record`, so that its locations point into it. `trace_seq_printf()` and the helpers
    // (kernel/trace/trace_seq.c, trace_output.c) write to a buffer whose size they know; `%d` and
    // the like are given the integer that they take.
    unsafe {
        let s = addr_of_mut!((*iter).seq);
        // A scratch buffer, which `trace_raw_output_prep()` emptied. Each helper appends to it.
        let p = addr_of_mut!((*iter).tmp_seq);
        let record = (*iter).ent.cast::<u8>();
        let mut tables = program.tables.iter();
        let mut code = Code(program.code.as_ptr());
        loop {
            let op = code.byte();
            if op == op::END {
                return;
            }
            if op == op::TEXT {
                bindings::trace_seq_puts(s, code.str());
                continue;
            }
            let rel = op & op::REL != 0;
            let slot = record.add(code.word());
            let (data, len) = match op & !op::REL {
                op::NUMBER
                | op::CHARS
                | op::ARRAY
                | op::HEX
                | op::SECS
                | op::NANOSECONDS
                | op::TABLE => (slot, 0),
                _ => locate(record, slot, rel),
            };
            let helped = match op & !op::REL {
                op::NUMBER => {
                    let size = code.byte();
                    let format = code.str();
                    let n = unsigned(slot, size & 15);
                    match size {
                        1 => bindings::trace_seq_printf(s, format, n as u32),
                        2 => bindings::trace_seq_printf(s, format, n as u32),
                        4 => bindings::trace_seq_printf(s, format, n as u32),
                        17 => bindings::trace_seq_printf(s, format, c_int::from(n as i8)),
                        18 => bindings::trace_seq_printf(s, format, c_int::from(n as i16)),
                        20 => bindings::trace_seq_printf(s, format, n as i32),
                        _ => bindings::trace_seq_printf(s, format, n),
                    }
                    continue;
                }
                op::CHARS | op::STR => {
                    bindings::trace_seq_printf(s, code.str(), data);
                    continue;
                }
                op::ARRAY => {
                    let size = code.byte();
                    let count = code.word();
                    bindings::trace_print_array_seq(
                        p,
                        data.cast::<c_void>(),
                        count as c_int,
                        size.into(),
                    )
                }
                op::DYN_ARRAY => {
                    let size = code.byte();
                    bindings::trace_print_array_seq(
                        p,
                        data.cast::<c_void>(),
                        (len >> size.trailing_zeros()) as c_int,
                        size.into(),
                    )
                }
                op::HEX => {
                    let len = code.word();
                    bindings::trace_print_hex_seq(p, data, len as c_int, code.byte() != 0)
                }
                op::DYN_HEX => {
                    bindings::trace_print_hex_seq(p, data, len as c_int, code.byte() != 0)
                }
                op::GROUPS => {
                    bindings::trace_seq_printf(s, c"%*pb".as_char_ptr(), len as c_int * 8, data);
                    continue;
                }
                op::LIST => {
                    bindings::trace_seq_printf(s, c"%*pbl".as_char_ptr(), len as c_int * 8, data);
                    continue;
                }
                op::SOCKADDR => {
                    bindings::trace_seq_printf(s, c"%pISpc".as_char_ptr(), data);
                    continue;
                }
                op::LEN => {
                    bindings::trace_seq_printf(s, c"%d".as_char_ptr(), len as c_int);
                    continue;
                }
                op::SECS => {
                    let n = unsigned(slot, 8) / 1_000_000_000;
                    bindings::trace_seq_printf(s, c"%llu".as_char_ptr(), n);
                    continue;
                }
                op::NANOSECONDS => {
                    let n = unsigned(slot, 8) % 1_000_000_000;
                    bindings::trace_seq_printf(s, c"%09llu".as_char_ptr(), n);
                    continue;
                }
                op::TABLE => {
                    let n = unsigned(slot, code.byte()) as usize;
                    let Some(table) = tables.next() else {
                        return;
                    };
                    let symbols: *const Symbol = table.symbols.as_ptr();
                    let count = table.symbols.len();
                    if table.delimiter.is_empty() {
                        bindings::trace_print_symbols_seq(p, n, symbols.cast(), count)
                    } else {
                        let delimiter = table.delimiter.as_ptr().cast();
                        bindings::trace_print_flags_seq(p, delimiter, n, symbols.cast(), count)
                    }
                }
                _ => return,
            };
            bindings::trace_seq_puts(s, helped);
        }
    }
}
