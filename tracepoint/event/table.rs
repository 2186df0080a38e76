// SPDX-License-Identifier: GPL-2.0

//! The structs by which the kernel knows an event.
//!
//! The kernel writes to all of them, so each lies in a [`Shared`](crate::tracepoint::define::Shared).
//!
//! C header: [`include/trace/trace_events.h`](srctree/include/trace/trace_events.h)

use super::{
    super::bindings::{self, generated},
    print::{trace_raw_output, Program},
};
use core::{
    mem::{offset_of, zeroed},
    ptr::null_mut,
};
use kernel::ffi::{c_char, c_int, c_void};

pub use bindings::generated::{trace_event_call, trace_event_class, trace_event_fields};

/// A field, as `struct trace_event_fields` has it.
#[derive(Clone, Copy)]
pub struct Desc {
    /// The name, with a NUL.
    pub name: &'static str,
    /// The C type, with a NUL.
    pub ctype: &'static [u8],
    /// The size in bytes.
    pub size: usize,
    /// The alignment.
    pub align: usize,
    /// Whether it has a sign, for filters and histograms.
    pub signed: bool,
    /// How filters take it: a `FILTER_*` of C.
    pub filter: c_int,
    /// The number of elements of an array.
    pub len: usize,
    /// Where it is in the record.
    pub offset: usize,
}

/// Returns the table of fields. `N` is one more than there are.
///
/// C: stage 4.
pub const fn fields<const N: usize>(descs: &[Desc]) -> [trace_event_fields; N] {
    assert!(descs.len() + 1 == N);
    // SAFETY: All zeroes is the end of the table.
    let mut table: [trace_event_fields; N] = unsafe { zeroed() };
    let mut i = 0;
    let mut offset = size_of::<bindings::trace_entry>();
    while i < descs.len() {
        let desc = descs[i];
        // `trace_event_define_fields()` (kernel/trace/trace_events.c) counts like this.
        offset = offset.next_multiple_of(desc.align);
        assert!(
            offset == desc.offset,
            "a field is not where the kernel will look for it"
        );
        offset += desc.size;
        table[i] = trace_event_fields {
            type_: desc.ctype.as_ptr(),
            __bindgen_anon_1: generated::trace_event_fields__bindgen_ty_1 {
                __bindgen_anon_1: generated::trace_event_fields__bindgen_ty_1__bindgen_ty_1 {
                    name: desc.name.as_ptr(),
                    size: desc.size as c_int,
                    align: desc.align as c_int,
                    _bitfield_align_1: [],
                    // is_signed, needs_test
                    _bitfield_1: generated::__BindgenBitfieldUnit::new([desc.signed as u8]),
                    filter_type: desc.filter,
                    len: desc.len as c_int,
                },
            },
        };
        i += 1;
    }
    table
}

/// The `trace_event_functions` of an event, and behind them its program.
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
                trace: Some(trace_raw_output),
                raw: None,
                hex: None,
                binary: None,
            },
            program,
        }
    }

    /// Returns the program.
    pub fn program(&self) -> &Program {
        &self.program
    }
}

/// What makes an event ready.
pub type RawInit = unsafe extern "C" fn(*mut trace_event_call) -> c_int;

/// Returns the class of an event. `this` is where it will be.
///
/// C: stage 7, `event_class_CLASS`.
pub const fn class(
    this: *mut trace_event_class,
    system: &'static str,
    fields: *mut trace_event_fields,
    probe: *mut c_void,
    perf_probe: *mut c_void,
    raw_init: RawInit,
) -> trace_event_class {
    assert!(!system.is_empty() && system.as_bytes()[system.len() - 1] == 0);
    let list = this
        .cast::<u8>()
        .wrapping_add(offset_of!(trace_event_class, fields))
        .cast();
    // SAFETY: What a later kernel adds is zero where C leaves it out.
    let mut class: trace_event_class = unsafe { zeroed() };
    class.system = system.as_ptr();
    class.probe = probe;
    #[cfg(CONFIG_PERF_EVENTS)]
    {
        class.perf_probe = perf_probe;
    }
    class.reg = Some(generated::trace_event_reg);
    class.fields_array = fields;
    class.fields = bindings::list_head {
        next: list,
        prev: list,
    };
    class.raw_init = Some(raw_init);
    class
}

/// What decides who may use an event with perf.
pub type PerfPerm =
    unsafe extern "C" fn(*mut trace_event_call, *mut generated::perf_event) -> c_int;

/// Returns an event.
///
/// C: stage 7, `event_NAME`.
pub const fn call(
    class: *mut trace_event_class,
    tp: *mut bindings::tracepoint,
    functions: *mut Functions,
    print_fmt: *mut c_char,
    more_flags: c_int,
    perf_perm: Option<PerfPerm>,
) -> trace_event_call {
    // SAFETY: As C does with what an initialiser leaves out.
    let mut call: trace_event_call = unsafe { zeroed() };
    call.class = class;
    call.__bindgen_anon_1 = generated::trace_event_call__bindgen_ty_1 { tp };
    call.event.funcs = functions.cast();
    call.print_fmt = print_fmt;
    call.flags = flags::TRACEPOINT | more_flags;
    #[cfg(CONFIG_PERF_EVENTS)]
    {
        call.perf_perm = perf_perm;
    }
    call
}

/// Returns an event on a tracepoint of the kernel's, which is looked for when the event is made
/// ready.
///
/// C: `custom_event_NAME` (include/trace/trace_custom_events.h).
pub const fn custom_call(
    class: *mut trace_event_class,
    name: &'static str,
    functions: *mut Functions,
    print_fmt: *mut c_char,
) -> trace_event_call {
    assert!(!name.is_empty() && name.as_bytes()[name.len() - 1] == 0);
    // SAFETY: As C does with what an initialiser leaves out.
    let mut call: trace_event_call = unsafe { zeroed() };
    call.class = class;
    call.__bindgen_anon_1 = generated::trace_event_call__bindgen_ty_1 {
        name: name.as_ptr(),
    };
    call.event.funcs = functions.cast();
    call.print_fmt = print_fmt;
    call.flags = flags::CUSTOM;
    call
}

/// `TRACE_EVENT_FL_*`.
pub mod flags {
    use super::{c_int, generated};

    /// Any user may have perf count it. C: `TRACE_EVENT_FL_CAP_ANY`.
    pub const CAP_ANY: c_int = generated::TRACE_EVENT_FL_CAP_ANY as c_int;
    /// The event has a tracepoint.
    pub const TRACEPOINT: c_int = generated::TRACE_EVENT_FL_TRACEPOINT as c_int;
    /// The event waits for its tracepoint.
    pub const CUSTOM: c_int = generated::TRACE_EVENT_FL_CUSTOM as c_int;
}

/// An entry in `__bpf_raw_tp_map`.
///
/// C: `struct bpf_raw_event_map` (include/trace/bpf_probe.h).
#[repr(C, align(32))]
pub struct BpfRawEventMap(bindings::bpf_raw_event_map);

impl BpfRawEventMap {
    /// Returns the entry of a tracepoint.
    pub const fn new(tp: *mut bindings::tracepoint, func: *mut c_void, words: usize) -> Self {
        // SAFETY: As C does with what an initialiser leaves out.
        let mut map: bindings::bpf_raw_event_map = unsafe { zeroed() };
        map.tp = tp;
        map.bpf_func = func;
        map.num_args = words as u32;
        Self(map)
    }
}

const _: () = assert!(size_of::<BpfRawEventMap>() == size_of::<bindings::bpf_raw_event_map>());
