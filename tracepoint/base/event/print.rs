// SPDX-License-Identifier: GPL-2.0

//! Prints a record: runs the program that the event's print template was compiled to.
//!
//! This runs wherever the trace is read, also under a raw spinlock if the trace goes to `printk`. It
//! doesn't sleep, allocate or panic.

use super::{
    number,
    show::{op, truncate, Dump, Hex},
    symbols::{Symbol, Table, HIGHEST, SECOND_HIGHEST},
};
use crate::base::bindings::{self, generated};
use core::ptr::addr_of_mut;
use kernel::{
    ffi::{c_char, c_int, c_uint},
    str::CStrExt as _,
};

/// The program that prints the records of an event.
///
/// # Invariants
///
/// As [`Program::new`] requires. The pointers are those of slices: the code says how much of them
/// it uses.
pub struct Program {
    code: *const u8,
    tables: *const Option<&'static Table>,
}

// SAFETY: It's never written to.
unsafe impl Sync for Program {}

impl Program {
    /// Returns a program. `tables` are those it uses, in order; a `None` is skipped.
    ///
    /// # Safety
    ///
    /// `code` must consist of instructions with their operands, see [`op`], and end with
    /// [`op::END`]. Each offset must be that of a field of the event, and the field must be what
    /// the instruction shows. There must be as many tables as the code uses.
    pub const unsafe fn new(
        code: &'static [u8],
        tables: &'static [Option<&'static Table>],
    ) -> Self {
        // INVARIANT: By the caller's promise.
        Self {
            code: code.as_ptr(),
            tables: tables.as_ptr(),
        }
    }
}

/// The `trace_event_functions` of an event, followed by its program.
#[repr(C)]
pub struct Functions {
    functions: generated::trace_event_functions,
    program: Program,
}

impl Functions {
    /// Returns the functions of an event that `program` prints.
    pub const fn new(program: Program) -> Self {
        Self {
            functions: generated::trace_event_functions {
                trace: Some(TRACE_RAW_OUTPUT),
                raw: None,
                hex: None,
                binary: None,
            },
            program,
        }
    }
}

/// The function that prints.
#[cfg(not(CONFIG_CFI))]
const TRACE_RAW_OUTPUT: TraceRawOutput<bindings::print_line_t> = trace_raw_output;

/// The same, with the type that C calls it by.
#[cfg(CONFIG_CFI)]
const TRACE_RAW_OUTPUT: TraceRawOutput<bindings::print_line_t> = {
    /// C's enum. For bindgen it's an integer, which has another type hash.
    #[allow(non_camel_case_types)]
    #[repr(C)]
    struct print_line_t(bindings::print_line_t);

    /// # Safety
    ///
    /// As for `super::trace_raw_output`.
    unsafe extern "C" fn typed(
        iter: *mut bindings::trace_iterator,
        flags: c_int,
        event: *mut bindings::trace_event,
    ) -> print_line_t {
        // SAFETY: Guaranteed by the caller.
        print_line_t(unsafe { trace_raw_output(iter, flags, event) })
    }

    // SAFETY: A struct of one integer is returned like the integer.
    unsafe {
        core::mem::transmute::<TraceRawOutput<print_line_t>, TraceRawOutput<bindings::print_line_t>>(
            typed,
        )
    }
};

/// C: `trace_print_func`.
type TraceRawOutput<R> =
    unsafe extern "C" fn(*mut bindings::trace_iterator, c_int, *mut bindings::trace_event) -> R;

/// The `trace` function of every event.
///
/// C: `trace_raw_output_CLASS()`.
///
/// # Safety
///
/// Must be called as kernel/trace/trace_output.c does, for an event whose `funcs` is a
/// [`Functions`].
pub unsafe extern "C" fn trace_raw_output(
    iter: *mut bindings::trace_iterator,
    _flags: c_int,
    event: *mut bindings::trace_event,
) -> bindings::print_line_t {
    // SAFETY: As C does in stage 3 (include/trace/trace_events.h): the record is one of `event`, and
    // stays valid while the iterator is at it.
    unsafe {
        let result = bindings::trace_raw_output_prep(iter, event);
        if result != bindings::print_line_t_TRACE_TYPE_HANDLED as c_int {
            return result as bindings::print_line_t;
        }
        let functions = (*event).funcs.cast::<Functions>();
        let len = (*iter).seq.seq.len;
        run(iter, &(*functions).program);
        if (*iter).seq.full != 0 {
            // C prints the line with one call, which writes nothing if it doesn't fit. Without room,
            // the reader couldn't say that the line is too big.
            (*iter).seq.seq.len = len;
        }
        bindings::trace_handle_return(addr_of_mut!((*iter).seq))
    }
}

/// The position in a program.
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

/// The position among a program's tables.
struct Tables(*const Option<&'static Table>);

impl Tables {
    /// # Safety
    ///
    /// There must be another table.
    unsafe fn next(&mut self) -> &'static Table {
        loop {
            // SAFETY: By the caller's promise.
            let table = unsafe {
                let table = *self.0;
                self.0 = self.0.add(1);
                table
            };
            if let Some(table) = table {
                return table;
            }
        }
    }
}

/// What an expression of the program computes with.
///
/// # Invariants
///
/// `code` is at the code of an expression, and `record` is a record that it was made for.
struct Computed<'a> {
    code: &'a mut Code,
    record: *mut u8,
}

impl number::Source for Computed<'_> {
    fn byte(&mut self) -> u8 {
        // SAFETY: By the type's invariants, the code goes on: it's read up to its end.
        unsafe { self.code.byte() }
    }

    fn load(&self, offset: usize, size: u8) -> u64 {
        // SAFETY: By the type's invariants, there's a field of this size, or one of its elements.
        unsafe { unsigned(self.record.add(offset), size) }
    }
}

/// The branches of the program around an instruction.
#[derive(Default)]
struct Branches {
    /// How many there are.
    depth: u32,
    /// The outermost one whose condition says that it isn't shown, counted from 1.
    hidden: u32,
}

impl Branches {
    /// Returns whether the instruction is run.
    fn shown(&self) -> bool {
        self.hidden == 0
    }

    /// Enters a branch that is shown only if the condition holds.
    fn enter(&mut self, holds: bool) {
        self.depth = self.depth.wrapping_add(1);
        if self.shown() && !holds {
            self.hidden = self.depth;
        }
    }

    /// Switches to the other branch.
    fn other(&mut self) {
        if self.shown() {
            self.hidden = self.depth;
        } else if self.hidden == self.depth {
            self.hidden = 0;
        }
    }

    /// Leaves both branches.
    fn leave(&mut self) {
        if self.hidden == self.depth {
            self.hidden = 0;
        }
        self.depth = self.depth.wrapping_sub(1);
    }
}

/// Passes over the operands of an instruction that shows something.
///
/// # Safety
///
/// The operands of `op` must be at `code`.
unsafe fn skip(code: &mut Code, op: u8) {
    // SAFETY: By the caller's promise.
    unsafe {
        match op & !op::REL {
            op::TEXT | op::COMPUTED_NUMBER | op::COMPUTED_TABLE | op::COMPUTED_NAME => {}
            _ => _ = code.word(),
        }
        match op & !op::REL {
            op::TEXT | op::CHARS | op::STR => _ = code.str(),
            op::NUMBER | op::COMPUTED_NUMBER | op::COMPUTED_NAME => {
                code.byte();
                code.str();
            }
            op::ARRAY | op::HEX | op::SOCKADDR_ARRAY => {
                code.word();
                code.byte();
            }
            op::SOCKADDR
            | op::DYN_ARRAY
            | op::DYN_HEX
            | op::TABLE
            | op::COMPUTED_TABLE
            | op::WIDTH => {
                code.byte();
            }
            _ => {}
        }
    }
}

/// Returns the pointer to the data at a location, and its length.
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

/// Appends the record at `iter`.
///
/// # Safety
///
/// `iter` must be at a record of the event that `program` was made for, prepared by
/// `trace_raw_output_prep()`.
unsafe fn run(iter: *mut bindings::trace_iterator, program: &Program) {
    // SAFETY: By the invariants of `Program`, the program ends with `op::END`, its operands are
    // those of its instructions, and each offset is that of a field. The event's own probes filled
    // the record, so its locations point into it. `trace_seq_printf()` and the helpers
    // (kernel/trace/trace_seq.c, trace_output.c) write to a buffer whose size they know; `%d` and
    // the like get an integer of the right type.
    unsafe {
        let s = addr_of_mut!((*iter).seq);
        let record = (*iter).ent.cast::<u8>();
        let mut tables = Tables(program.tables);
        let mut code = Code(program.code);
        let mut branches = Branches::default();
        let (mut n, mut width, mut limit) = (0, None, usize::MAX);
        let mut dump = core::ptr::null();
        loop {
            let op = code.byte();
            match op {
                op::END => return,
                op::COMPUTE => {
                    // INVARIANT: The code of an expression follows, and ends with its own end.
                    n = number::run(&mut Computed {
                        code: &mut code,
                        record,
                    });
                    continue;
                }
                op::LIMIT => {
                    limit = n as usize;
                    continue;
                }
                op::DUMP => {
                    dump = code.0;
                    code.byte();
                    code.str();
                    continue;
                }
                op::IF => {
                    branches.enter(n != 0);
                    continue;
                }
                op::ELSE => {
                    branches.other();
                    continue;
                }
                op::END_IF => {
                    branches.leave();
                    continue;
                }
                _ if !branches.shown() => {
                    skip(&mut code, op);
                    if matches!(op, op::TABLE | op::COMPUTED_TABLE | op::COMPUTED_NAME) {
                        tables.next();
                    }
                    continue;
                }
                op::TEXT => {
                    bindings::trace_seq_puts(s, code.str());
                    continue;
                }
                op::COMPUTED_NUMBER => {
                    let size = code.byte();
                    print_number(iter, width.take(), size, code.str(), n);
                    continue;
                }
                op::COMPUTED_TABLE => {
                    let size = code.byte();
                    let table = tables.next();
                    named(s, n, size, table, None);
                    continue;
                }
                op::COMPUTED_NAME => {
                    let size = code.byte();
                    let table = tables.next();
                    named(s, n, size, table, Some(code.str()));
                    continue;
                }
                _ => {}
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
                | op::DEV
                | op::TABLE
                | op::SOCKADDR_ARRAY
                | op::WIDTH => (slot, 0),
                _ => locate(record, slot, rel),
            };
            match op & !op::REL {
                op::NUMBER => {
                    let size = code.byte();
                    let n = unsigned(slot, size & 15);
                    print_number(iter, width.take(), size, code.str(), n);
                }
                op::CHARS | op::STR => match width.take() {
                    Some(width) => bindings::trace_seq_printf(s, code.str(), width, data),
                    None => bindings::trace_seq_printf(s, code.str(), data),
                },
                // More is a warning (`set_precision()`, lib/vsprintf.c).
                op::WIDTH => width = Some((unsigned(slot, code.byte()) as c_int).min(32767)),
                op::ARRAY => {
                    let size = code.byte();
                    array(s, data, code.word().min(limit), size);
                    limit = usize::MAX;
                }
                op::DYN_ARRAY => {
                    let size = code.byte();
                    let len = len.wrapping_shr(size.trailing_zeros());
                    array(s, data, len.min(limit), size);
                    limit = usize::MAX;
                }
                op::HEX => {
                    let len = code.word().min(limit);
                    hex(s, data, len, Hex::from_operand(code.byte()), dump);
                    (limit, dump) = (usize::MAX, core::ptr::null());
                }
                op::DYN_HEX => {
                    hex(
                        s,
                        data,
                        len.min(limit),
                        Hex::from_operand(code.byte()),
                        dump,
                    );
                    (limit, dump) = (usize::MAX, core::ptr::null());
                }
                op::GROUPS => {
                    let bits = (len as c_int).wrapping_mul(8);
                    bindings::trace_seq_printf(s, c"%*pb".as_char_ptr(), bits, data);
                }
                op::LIST => {
                    let bits = (len as c_int).wrapping_mul(8);
                    bindings::trace_seq_printf(s, c"%*pbl".as_char_ptr(), bits, data);
                }
                op::SOCKADDR => sockaddr(s, data, len, code.byte()),
                op::SOCKADDR_ARRAY => {
                    let len = code.word();
                    sockaddr(s, data, len, code.byte());
                }
                op::LEN => {
                    bindings::trace_seq_printf(s, c"%d".as_char_ptr(), len as c_int);
                }
                op::SECS => {
                    let n = unsigned(slot, 8) / 1_000_000_000;
                    bindings::trace_seq_printf(s, c"%llu".as_char_ptr(), n);
                }
                op::NANOSECONDS => {
                    let n = unsigned(slot, 8) % 1_000_000_000;
                    bindings::trace_seq_printf(s, c"%09llu".as_char_ptr(), n);
                }
                op::DEV => {
                    let dev = unsigned(slot, 4) as c_uint;
                    let (major, minor) = (dev >> 20, dev & 0xfffff);
                    bindings::trace_seq_printf(s, c"%u:%u".as_char_ptr(), major, minor);
                }
                op::TABLE => {
                    let size = code.byte();
                    let table = tables.next();
                    named(s, unsigned(slot, size), size, table, None);
                }
                _ => return,
            }
        }
    }
}

/// Appends a number of so many bytes, plus 16 if it is signed, plus 32 if it is an address that may
/// have to be hashed.
///
/// # Safety
///
/// `iter` must be at a record. `format` must be for the number, and have a `*` if there's a width.
unsafe fn print_number(
    iter: *mut bindings::trace_iterator,
    width: Option<c_int>,
    size: u8,
    format: *const c_char,
    n: u64,
) {
    // SAFETY: By the caller's promise.
    unsafe {
        let s = addr_of_mut!((*iter).seq);
        let small = match size {
            17 => c_int::from(n as i8),
            18 => c_int::from(n as i16),
            _ => n as c_int,
        };
        match (size & 15, width) {
            // Looks at the option `hash-ptr`.
            _ if size & 32 != 0 => bindings::trace_event_printf(iter, format, n),
            (8, Some(width)) => bindings::trace_seq_printf(s, format, width, n),
            (8, None) => bindings::trace_seq_printf(s, format, n),
            (_, Some(width)) => bindings::trace_seq_printf(s, format, width, small),
            (_, None) => bindings::trace_seq_printf(s, format, small),
        }
    }
}

/// Appends a number's name, with a `printf` format if there is one, or its names.
///
/// # Safety
///
/// `s` must be valid. The format must be for a string.
unsafe fn named(
    s: *mut bindings::trace_seq,
    n: u64,
    size: u8,
    table: &Table,
    format: Option<*const c_char>,
) {
    let n = truncate(n, size.into());
    // SAFETY: By the caller's promise.
    unsafe {
        if let Some(special) = &table.special {
            if special.value(size.into()) == n {
                bindings::trace_seq_puts(s, special.name().cast());
                return;
            }
        }
        match table.delimiter {
            Some(delimiter) => flags(s, n, size, delimiter, table.symbols),
            None => symbolic(s, n, size, table.symbols, format),
        }
    }
}

/// Appends text.
///
/// # Safety
///
/// `s` must be valid. If the text doesn't fit, the line is too big.
unsafe fn put(s: *mut bindings::trace_seq, text: &str) {
    // SAFETY: By the caller's promise; `trace_seq_putmem()` copies that much.
    unsafe { bindings::trace_seq_putmem(s, text.as_ptr().cast(), text.len() as c_uint) };
}

/// Appends integers. C: `trace_print_array_seq()`, which needs a scratch buffer that is too small
/// for a long array.
///
/// # Safety
///
/// `data` must point to `count` integers of `size` bytes.
unsafe fn array(s: *mut bindings::trace_seq, data: *mut u8, count: usize, size: u8) {
    // SAFETY: By the caller's promise.
    unsafe {
        put(s, "{");
        for i in 0..count {
            let n = unsigned(data.add(i.wrapping_mul(size.into())), size);
            let comma = if i > 0 { c"," } else { c"" };
            bindings::trace_seq_printf(s, c"%s0x%llx".as_char_ptr(), comma.as_char_ptr(), n);
        }
        put(s, "}");
    }
}

/// Appends bytes. C: `trace_print_hex_seq()`, `trace_print_hex_dump_seq()`.
///
/// # Safety
///
/// `data` must point to `len` bytes. `dump` must be NULL or point to the operands of an [`op::DUMP`].
unsafe fn hex(s: *mut bindings::trace_seq, data: *mut u8, len: usize, hex: Hex, dump: *const u8) {
    // SAFETY: By the caller's promise.
    unsafe {
        if let Hex::Dump = hex {
            const DEFAULT: &[u8] = &[Dump::DEFAULT.operand(), 0];
            let mut code = Code(if dump.is_null() {
                DEFAULT.as_ptr()
            } else {
                dump
            });
            let dump = Dump::from_operand(code.byte());
            put(s, "\n");
            bindings::trace_seq_hex_dump(
                s,
                code.str(),
                dump.prefix.into(),
                dump.row.into(),
                dump.group.into(),
                data.cast(),
                len,
                dump.ascii,
            );
            return;
        }
        for i in 0..len {
            if i > 0 {
                put(s, hex.between());
            }
            bindings::trace_seq_printf(s, c"%02x".as_char_ptr(), c_uint::from(*data.add(i)));
        }
    }
}

/// Appends a socket address as tools do: nothing for other families, and nothing beyond its end.
///
/// # Safety
///
/// `data` must point to `len` bytes.
unsafe fn sockaddr(s: *mut bindings::trace_seq, data: *mut u8, len: usize, style: u8) {
    let format = match style {
        0 => c"%pIS",
        1 => c"%pISp",
        2 => c"%pISc",
        _ => c"%pISpc",
    };
    // SAFETY: By the caller's promise, and `%pIS` reads a `struct sockaddr_in` or a `struct
    // sockaddr_in6`.
    unsafe {
        let family = if len < 2 { 0 } else { unsigned(data, 2) };
        match (family as u32, len) {
            (kernel::bindings::AF_INET, ..16) => put(s, "INVALIDIPv4"),
            (kernel::bindings::AF_INET6, ..28) => put(s, "INVALIDIPv6"),
            (kernel::bindings::AF_INET | kernel::bindings::AF_INET6, _) => {
                bindings::trace_seq_printf(s, format.as_char_ptr(), data);
            }
            _ => {}
        }
    }
}

/// Appends a value's name. C: `trace_print_symbols_seq()`. As with tools, a format isn't for a value
/// without a name.
///
/// # Safety
///
/// `s` must be valid. The format must be for a string.
unsafe fn symbolic(
    s: *mut bindings::trace_seq,
    n: u64,
    size: u8,
    symbols: &[Symbol],
    format: Option<*const c_char>,
) {
    for symbol in symbols {
        if symbol.value(size.into()) == n {
            let name = symbol.name();
            // SAFETY: By the caller's promise.
            unsafe {
                match format {
                    Some(format) => bindings::trace_seq_printf(s, format, name),
                    None => bindings::trace_seq_puts(s, name.cast()),
                }
            }
            return;
        }
    }
    // SAFETY: By the caller's promise.
    unsafe { bindings::trace_seq_printf(s, c"0x%llx".as_char_ptr(), n) };
}

/// Appends the names of a value's bits. C: `trace_print_flags_seq()`.
///
/// # Safety
///
/// `s` must be valid.
unsafe fn flags(
    s: *mut bindings::trace_seq,
    mut n: u64,
    size: u8,
    delimiter: &str,
    symbols: &[Symbol],
) {
    let mut between = "";
    for symbol in symbols {
        let mask = symbol.value(size.into());
        // As for tools: see `SECOND_HIGHEST`.
        let is_hidden = mask == HIGHEST && symbols.len() == 1 && n & SECOND_HIGHEST != 0;
        if n & mask == mask && !is_hidden {
            n &= !mask;
            // SAFETY: By the caller's promise.
            unsafe {
                put(s, between);
                bindings::trace_seq_puts(s, symbol.name().cast());
            }
            between = delimiter;
        }
    }
    if n != 0 {
        // SAFETY: By the caller's promise.
        unsafe {
            put(s, between);
            bindings::trace_seq_printf(s, c"0x%llx".as_char_ptr(), n);
        }
    }
}
