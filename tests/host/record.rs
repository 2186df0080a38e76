// SPDX-License-Identifier: GPL-2.0

//! Fields are laid out and written as in C, and nothing else is written.
//!
//! `tests/memory.sh` runs this with AddressSanitizer and valgrind, too.

#![allow(dead_code, unused_imports, unused_unsafe)]

// What the library's files use of the kernel.
extern crate self as kernel;

mod ffi {
    #![allow(non_camel_case_types)]
    pub type c_char = u8;
    pub use core::ffi::{c_int, c_void};
}

mod cpu {
    pub fn nr_cpu_ids() -> u32 {
        70
    }
}

mod cpumask {
    /// Sixteen CPUs.
    #[repr(C)]
    pub struct Cpumask(pub [usize; 4]);
}

mod transmute {
    /// As in the kernel crate.
    ///
    /// # Safety
    ///
    /// Values must have no padding.
    pub unsafe trait AsBytes {}
}

mod bindings {
    #![allow(non_camel_case_types, non_upper_case_globals)]
    pub static __num_possible_cpus: u32 = 2;

    #[repr(C)]
    pub struct trace_entry {
        pub type_: u16,
        pub flags: u8,
        pub preempt_count: u8,
        pub pid: i32,
    }

    pub enum pt_regs {}

    pub mod generated {
        use crate::ffi::{c_int, c_void};

        pub const EVENT_FILE_FL_TRIGGER_MODE: u32 = 1;
        pub const EVENT_FILE_FL_SOFT_DISABLED: u32 = 2;
        pub const EVENT_FILE_FL_PID_FILTER: u32 = 4;
        pub const EVENT_FILE_FL_TRIGGER_COND: u32 = 8;
        pub const PERF_MAX_TRACE_SIZE: u32 = 8192;
        pub const __KERNEL_CS: u32 = 16;

        /// Instead of the kernel's: where the next record is written, and its size.
        #[derive(Clone, Copy)]
        pub struct trace_event_buffer {
            pub record: *mut u8,
            pub size: usize,
        }
        pub struct trace_event_file {
            pub flags: u64,
        }
        pub struct trace_event_call {
            pub prog_array: *mut c_void,
            pub perf_events: *mut hlist_head,
        }
        pub struct hlist_head {
            pub first: *mut c_void,
        }

        pub fn __trace_trigger_soft_disabled(_: *mut trace_event_file) -> bool {
            false
        }
        pub fn trace_event_buffer_reserve(
            buffer: *mut trace_event_buffer,
            _: *mut trace_event_file,
            size: usize,
        ) -> *mut c_void {
            // SAFETY: `record::reserve` passes the buffer that it got, and the tests below give it
            // one that is valid.
            unsafe {
                (*buffer).size = size;
                (*buffer).record.cast()
            }
        }
        pub fn trace_event_buffer_commit(_: *mut trace_event_buffer) {}
        pub fn perf_trace_buf_alloc(
            _: c_int,
            _: *mut *mut super::pt_regs,
            _: *mut c_int,
        ) -> *mut c_void {
            unreachable!()
        }
        #[allow(clippy::too_many_arguments)]
        pub fn perf_trace_run_bpf_submit(
            _: *mut c_void,
            _: c_int,
            _: c_int,
            _: *mut trace_event_call,
            _: u64,
            _: *mut super::pt_regs,
            _: *mut hlist_head,
            _: *mut c_void,
        ) {
            unreachable!()
        }
    }
}

mod arch {
    pub fn preempt_disable_notrace() {}
    pub fn preempt_enable_notrace() {}
    pub fn this_cpu_ptr<T>(of: *mut T) -> *mut T {
        of
    }
    pub fn perf_fetch_regs(_: *mut crate::bindings::pt_regs, _: *const crate::ffi::c_void) {}
}

mod args {
    pub fn string<'a>(c: *const core::ffi::c_char) -> &'a core::ffi::CStr {
        // SAFETY: Only `c_str_at` calls this, whose callers promise that `c` is a C string.
        unsafe { core::ffi::CStr::from_ptr(c) }
    }
}

#[path = "../../tracepoint/base"]
mod base {
    pub(crate) use super::{args, bindings};

    pub mod text;

    pub mod event {
        pub mod errno;
        pub mod field;
        pub mod record;
        pub mod shape;
        pub mod show;
        pub mod spec;
        pub mod symbols;
        pub mod template;
    }
}

use base::event::{
    field::{
        elements, place, room_size, Assign, Bitmask, Bits, Computed, DynArray, Field, Formatted,
        Rel, Room, SockAddr, Str, Value,
    },
    record,
};
use cpumask::Cpumask;

/// More than any of the records needs.
const SIZE: usize = 640;

/// What the bytes of the buffer are before the record is written. The fields must overwrite it.
const OLD: u8 = 0xa5;

/// A record. Only 4-byte aligned, as in a trace buffer.
#[repr(C, align(4))]
struct Record([u8; SIZE]);

/// Writes a field of the type `F` at `offset`, with its data at `data`, and checks it and its
/// data. `expected` has no data if the slot is all there is.
#[track_caller]
fn write<F: Field + Assign<V>, V>(value: V, offset: usize, data: usize, expected: &[u8]) {
    let mut record = Record([OLD; SIZE]);
    let value = <F as Assign<V>>::value(value);
    let len = value.len();
    let slot = size_of::<F::Slot>();
    let is_dynamic = F::SHAPE.kind.is_dynamic();
    let to = record.0.as_mut_ptr();
    // SAFETY: The tests below leave room in the `SIZE` bytes of `record` for the field and for its
    // data, and `write` gets what `place` returned.
    unsafe { value.write(place(to, offset, is_dynamic, F::SHAPE.rel, len, data)) };

    let (mut start, mut end) = (offset, offset + slot);
    if is_dynamic {
        let base = if F::SHAPE.rel { offset + 4 } else { 0 };
        let location = ((len << 16) | (data - base)) as u32;
        same(&record.0[start..end], &location.to_ne_bytes());
        untouched(&record.0[..start]);
        untouched(&record.0[end..data]);
        (start, end) = (data, data + len);
    } else {
        untouched(&record.0[..start]);
    }
    same(&record.0[start..end], expected);
    untouched(&record.0[end..]);
}

#[track_caller]
fn same(a: &[u8], b: &[u8]) {
    assert!(a.len() == b.len());
    let mut i = 0;
    while i < a.len() {
        assert!(a[i] == b[i]);
        i += 1;
    }
}

#[track_caller]
fn untouched(bytes: &[u8]) {
    let mut i = 0;
    while i < bytes.len() {
        assert!(bytes[i] == OLD);
        i += 1;
    }
}

#[test]
fn numbers() {
    write::<u8, _>(0x81u8, 8, 0, &[0x81]);
    write::<i16, _>(-2i16, 9, 0, &(-2i16).to_ne_bytes());
    write::<u32, _>(0x1234_5678u32, 8, 0, &0x1234_5678u32.to_ne_bytes());
    // Wider than the record's alignment.
    write::<u64, _>(u64::MAX - 1, 12, 0, &(u64::MAX - 1).to_ne_bytes());
    write::<usize, _>(7usize, 20, 0, &7usize.to_ne_bytes());
    write::<bool, _>(true, 11, 0, &[1]);
}

#[test]
fn arrays() {
    write::<[u8; 3], _>([1u8, 2, 3], 9, 0, &[1, 2, 3]);
    write::<[u8; 3], _>(&[1u8, 2, 3], 9, 0, &[1, 2, 3]);
    write::<[u16; 2], _>(&[0x101u16, 0x202], 10, 0, &[1, 1, 2, 2]);
}

#[test]
fn truncated_text() {
    write::<[u8; 4], _>("ab", 8, 0, b"ab\0\0");
    write::<[u8; 4], _>("abc", 8, 0, b"abc\0");
    write::<[u8; 4], _>("abcdef", 8, 0, b"abc\0");
    write::<[u8; 4], _>(c"abcdef", 8, 0, b"abc\0");
    write::<[u8; 4], _>("", 8, 0, b"\0\0\0\0");
    write::<[u8; 1], _>("a", 8, 0, b"\0");
}

#[test]
fn strings() {
    write::<Str, _>(c"foo", 8, 12, b"foo\0");
    write::<Str, _>("foo", 8, 13, b"foo\0");
    write::<Str, _>(&b"\xff\0x"[..], 8, 12, b"\xff\0x\0");
    write::<Str, _>("", 8, 12, b"\0");
    write::<Str, _>(None::<&str>, 8, 12, b"(null)\0");
    write::<Str, _>(None::<&core::ffi::CStr>, 8, 12, b"(null)\0");
    write::<Str, _>(Some(c"x"), 8, 12, b"x\0");
    write::<Rel<Str>, _>("foo", 8, 12, b"foo\0");
    write::<Rel<Str>, _>("foo", 8, 20, b"foo\0");
}

/// Text that gets longer after it was measured still ends with a NUL.
fn changed<F: Field + for<'a> Assign<&'a core::ffi::CStr>>() {
    let mut text = *b"ab\0\0\0";
    let shared = text.as_mut_ptr();
    let mut record = Record([OLD; SIZE]);
    // SAFETY: There's a NUL. As in the kernel, the text that C passes is only assumed not to change.
    let c = unsafe { core::ffi::CStr::from_ptr(shared.cast()) };
    let value = F::value(c);
    let len = value.len();
    // SAFETY: `text` has room for 4 bytes and keeps a NUL after them. `record` has room for the
    // location at 8 and for the data at 16.
    unsafe {
        core::ptr::copy_nonoverlapping(b"xyzv".as_ptr(), shared, 4);
        value.write(place(record.0.as_mut_ptr(), 8, true, F::SHAPE.rel, len, 16));
    }
    same(&record.0[16..20], b"xy\0\xa5");
}

#[test]
fn text_that_changes() {
    changed::<Str>();
    changed::<Rel<Str>>();
}

#[test]
fn dynamic_arrays() {
    write::<DynArray<u8>, _>(&[1u8, 2, 3][..], 8, 12, &[1, 2, 3]);
    write::<DynArray<u16>, _>(&[0x101u16][..], 8, 13, &[1, 1]);
    write::<DynArray<u64>, _>(&[][..], 8, 12, &[]);
    write::<Rel<DynArray<u8>>, _>(&[9u8][..], 8, 16, &[9]);
    write::<SockAddr, _>(&[2u8, 0, 1, 2][..], 8, 12, &[2, 0, 1, 2]);
    write::<SockAddr, _>(&[2u8][..], 8, 12, &[0, 0]);
}

#[test]
fn computed_elements() {
    let room = Room::<{ room_size(1) }>::new(1);
    let full = elements([7u16; 300]).__computed(&room);
    assert!(full.len() == 256 && full[0] == 7 && full[255] == 7);
    let list = &full[..2];
    write::<DynArray<u16>, _>(list, 8, 12, &[7, 0, 7, 0]);

    // They share the room, aligned. Those that use less leave the rest to the others.
    let room = Room::<{ room_size(4) }>::new(4);
    let some = elements([1u8, 2, 3]).__computed(&room);
    let none = elements([0u32; 0]).__computed(&room);
    let half = elements([5u64; 300]).__computed(&room);
    let rest = elements((0..300).map(|n| n as u32)).__computed(&room);
    assert!(some == [1, 2, 3] && none.is_empty() && half == [5; 63] && rest.len() == 128);
    assert!(rest.iter().enumerate().all(|(i, n)| i as u32 == *n));
    // More than have been counted, as in a loop.
    assert!(elements([1u8; 100]).__computed(&room).is_empty());

    // One that's computed while another one is.
    let room = Room::<{ room_size(2) }>::new(2);
    let outer =
        elements((0..4u64).map(|n| elements([n]).__computed(&room)[0] + 1)).__computed(&room);
    assert!(outer == [1, 2, 3, 4]);
    // A function of the driver's with the same name.
    assert!(Computed::__computed(5, &room) == 5);
}

#[test]
fn masks() {
    let words = [1usize, 2, 3];
    let bytes = |n: usize| {
        let mut bytes = [0; 24];
        let mut i = 0;
        while i < n {
            bytes[8 * i] = i as u8 + 1;
            i += 1;
        }
        bytes
    };
    write::<Bitmask, _>(Bits::new(&words, 0), 8, 12, &[]);
    write::<Bitmask, _>(Bits::new(&words, 1), 8, 12, &bytes(1)[..8]);
    write::<Bitmask, _>(Bits::new(&words, 64), 8, 12, &bytes(1)[..8]);
    write::<Bitmask, _>(Bits::new(&words, 65), 8, 12, &bytes(2)[..16]);
    write::<Bitmask, _>(Bits::new(&words, 1000), 8, 12, &bytes(3));
    // 70 CPUs take two words.
    let mask = Cpumask([1, 2, 3, 4]);
    write::<Cpumask, _>(&mask, 8, 12, &bytes(2)[..16]);
    write::<Bitmask, _>(Bits::of_cpumask(&mask, 3), 8, 12, &bytes(1)[..8]);
}

#[test]
fn formatted() {
    let check = |text: core::fmt::Arguments<'_>, expected: &[u8]| {
        let room = Room::<{ room_size(1) }>::new(1);
        write::<Formatted, _>(room.format(text), 8, 12, expected);
        let room = Room::<{ room_size(1) }>::new(1);
        write::<Rel<Formatted>, _>(room.format(&text), 8, 12, expected);
    };
    check(format_args!("foo"), b"foo\0");
    check(format_args!(""), b"\0");
    check(format_args!("{}-{:?}", 12, "x"), b"12-\"x\"\0");
    let long = "x".repeat(1000);
    let expected = [long[..511].as_bytes(), b"\0"].concat();
    check(format_args!("{long}"), &expected);
    check(format_args!("{}{}", &long[..511], 'y'), &expected);
}

#[test]
fn sizes() {
    record::check_size(4072);
}

#[test]
#[should_panic(expected = "a trace buffer has room for no more than 4072 bytes")]
fn too_large() {
    record::check_size(4073);
}

#[test]
fn gaps() {
    let mut record = Record([OLD; SIZE]);
    // SAFETY: `record` is valid for writes of `SIZE` bytes, and none of the ranges ends after that.
    unsafe {
        record::zero(record.0.as_mut_ptr(), 9, 16);
        record::zero(record.0.as_mut_ptr(), 20, 20);
        record::zero(record.0.as_mut_ptr(), 22, 21);
    }
    untouched(&record.0[..9]);
    same(&record.0[9..16], &[0; 7]);
    untouched(&record.0[16..]);
}

/// The bytes that round up the size are zeroed, and records that are too large refused.
#[test]
fn reserved() {
    // SAFETY: The kernel's functions that would follow the pointer are replaced.
    let to = unsafe { record::Destination::new(core::ptr::null_mut()) };
    let mut i = 4;
    while i < 13 {
        let mut record = Record([OLD; SIZE]);
        let mut buffer = bindings::generated::trace_event_buffer {
            record: record.0.as_mut_ptr(),
            size: 0,
        };
        let size = 8 + i;
        let rounded = (size + 3) / 4 * 4;
        // SAFETY: The kernel's function is replaced by one that returns `record`, where `reserve`
        // writes only the last 4 of `rounded` bytes. Those are in `record`.
        let got = unsafe { record::reserve((&raw mut buffer).cast(), to, size) };
        assert!(!got.is_null() && buffer.size == rounded);
        untouched(&record.0[..rounded - 4]);
        same(&record.0[rounded - 4..rounded], &[0; 4]);
        untouched(&record.0[rounded..]);
        i += 1;
    }
    let mut buffer = bindings::generated::trace_event_buffer {
        record: core::ptr::null_mut(),
        size: 0,
    };
    let scratch = (&raw mut buffer).cast();
    // SAFETY: The kernel's function is replaced by one that returns NULL here, or isn't called
    // because the size is too large. So nothing is written.
    unsafe {
        assert!(record::reserve(scratch, to, 0xfffc).is_null() && buffer.size == 0xfffc);
        assert!(record::reserve(scratch, to, 0xfffd).is_null() && buffer.size == 0xfffc);
    }
}
