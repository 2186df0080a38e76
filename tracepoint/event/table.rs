// SPDX-License-Identifier: GPL-2.0

//! The structs that describe an event to the kernel.
//!
//! The kernel writes to all of them, so each is in a [`Shared`](crate::tracepoint::define::Shared).
//!
//! C header: [`include/trace/trace_events.h`](srctree/include/trace/trace_events.h)

use super::{
    super::{
        bindings::{self, generated},
        point::{Tracepoint, Words},
    },
    layout::Desc,
    print::{trace_raw_output, Program},
    template::Table,
};
use core::{
    mem::{offset_of, zeroed},
    ptr::null_mut,
};
use kernel::ffi::{c_char, c_int, c_void};

pub use bindings::generated::{trace_event_call, trace_event_class, trace_event_fields};

/// The `trace_event_functions` of an event, followed by its program.
#[repr(C)]
pub struct Functions {
    functions: generated::trace_event_functions,
    program: Program,
}

impl Functions {
    /// Returns the functions of an event that is printed by `program`.
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

/// The output of an event: its functions, followed by its `print fmt`.
#[repr(C)]
pub struct Output<const N: usize> {
    functions: Functions,
    print_fmt: [u8; N],
}

impl<const N: usize> Output<N> {
    /// Returns the output generated from a template.
    pub const fn new(print_fmt: [u8; N], code: &'static [u8], tables: &'static [Table]) -> Self {
        Self {
            functions: Functions::new(Program { code, tables }),
            print_fmt,
        }
    }

    /// Returns the address that the `print fmt` of the output at `this` will have.
    const fn print_fmt(this: *mut Self) -> *mut c_char {
        this.cast::<u8>()
            .wrapping_add(offset_of!(Self, print_fmt))
            .cast()
    }
}

/// The function that initialises an event.
pub type RawInit = unsafe extern "C" fn(*mut trace_event_call) -> c_int;

/// The class of an event, followed by the table of its fields.
#[repr(C)]
pub struct Class<const N: usize> {
    class: trace_event_class,
    fields: [trace_event_fields; N],
}

impl<const N: usize> Class<N> {
    /// Returns the class of an event. `this` is the address that it will have. `N` is the number of
    /// fields plus one. `types` are the C types of the fields, from
    /// [`types`](super::layout::types).
    ///
    /// C: stages 4 and 7, `trace_event_fields_CLASS` and `event_class_CLASS`.
    pub const fn new(
        this: *mut Self,
        system: &'static str,
        descs: &'static [Desc],
        types: &'static [u8],
        probe: *mut c_void,
        perf_probe: *mut c_void,
        raw_init: RawInit,
    ) -> Self {
        assert!(!system.is_empty() && system.as_bytes()[system.len() - 1] == 0);
        let at = this.cast::<u8>();
        let list = at
            .wrapping_add(offset_of!(trace_event_class, fields))
            .cast();
        // SAFETY: All zeroes is valid, since C zeroes what an initialiser omits, including fields
        // that later kernels add.
        let mut class: trace_event_class = unsafe { zeroed() };
        class.system = system.as_ptr();
        class.probe = probe;
        #[cfg(CONFIG_PERF_EVENTS)]
        {
            class.perf_probe = perf_probe;
        }
        class.reg = Some(generated::trace_event_reg);
        class.fields_array = at.wrapping_add(offset_of!(Self, fields)).cast();
        class.fields = bindings::list_head {
            next: list,
            prev: list,
        };
        class.raw_init = Some(raw_init);
        Self {
            class,
            fields: fields(descs, types.as_ptr()),
        }
    }
}

/// Returns the table of fields. `ctype` points to their C types.
const fn fields<const N: usize>(
    descs: &'static [Desc],
    mut ctype: *const u8,
) -> [trace_event_fields; N] {
    assert!(descs.len() + 1 == N);
    // SAFETY: All zeroes is valid, and marks the end of the table.
    let mut table: [trace_event_fields; N] = unsafe { zeroed() };
    let mut i = 0;
    while i < descs.len() {
        let desc = &descs[i];
        table[i] = trace_event_fields {
            type_: ctype,
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
        ctype = ctype.wrapping_add(desc.ctype.len());
        i += 1;
    }
    table
}

/// The function that decides who may use an event with perf.
pub type PerfPerm =
    unsafe extern "C" fn(*mut trace_event_call, *mut generated::perf_event) -> c_int;

/// Returns an event.
///
/// C: stage 7, `event_NAME`.
pub const fn call<const N: usize, const P: usize>(
    class: *mut Class<N>,
    tp: *mut bindings::tracepoint,
    output: *mut Output<P>,
    more_flags: c_int,
    perf_perm: Option<PerfPerm>,
) -> trace_event_call {
    // SAFETY: All zeroes is valid, since C zeroes what an initialiser omits.
    let mut call: trace_event_call = unsafe { zeroed() };
    call.class = class.cast();
    call.__bindgen_anon_1 = generated::trace_event_call__bindgen_ty_1 { tp };
    call.event.funcs = output.cast();
    call.print_fmt = Output::print_fmt(output);
    call.flags = flags::TRACEPOINT | more_flags;
    #[cfg(CONFIG_PERF_EVENTS)]
    {
        call.perf_perm = perf_perm;
    }
    call
}

/// Returns an event on a tracepoint of the kernel. The tracepoint is looked up when the event is
/// initialised.
///
/// C: `custom_event_NAME` (include/trace/trace_custom_events.h).
pub const fn custom_call<const N: usize, const P: usize>(
    class: *mut Class<N>,
    name: &'static str,
    output: *mut Output<P>,
) -> trace_event_call {
    assert!(!name.is_empty() && name.as_bytes()[name.len() - 1] == 0);
    // SAFETY: All zeroes is valid, since C zeroes what an initialiser omits.
    let mut call: trace_event_call = unsafe { zeroed() };
    call.class = class.cast();
    call.__bindgen_anon_1 = generated::trace_event_call__bindgen_ty_1 {
        name: name.as_ptr(),
    };
    call.event.funcs = output.cast();
    call.print_fmt = Output::print_fmt(output);
    call.flags = flags::CUSTOM;
    call
}

/// `TRACE_EVENT_FL_*`.
pub mod flags {
    use super::{c_int, generated};

    /// Any user may count the event with perf. C: `TRACE_EVENT_FL_CAP_ANY`.
    pub const CAP_ANY: c_int = generated::TRACE_EVENT_FL_CAP_ANY as c_int;
    /// The event has a tracepoint.
    pub const TRACEPOINT: c_int = generated::TRACE_EVENT_FL_TRACEPOINT as c_int;
    /// The event has the name of its tracepoint, to be looked up.
    pub const CUSTOM: c_int = generated::TRACE_EVENT_FL_CUSTOM as c_int;
}

/// An entry in `__bpf_raw_tp_map`.
///
/// C: `struct bpf_raw_event_map` (include/trace/bpf_probe.h).
#[repr(C, align(32))]
pub struct BpfRawEventMap(bindings::bpf_raw_event_map);

impl BpfRawEventMap {
    /// Returns the entry of a tracepoint.
    pub const fn new<T: Tracepoint>(tp: *mut bindings::tracepoint, func: *mut c_void) -> Self {
        // SAFETY: All zeroes is valid, since C zeroes what an initialiser omits.
        let mut map: bindings::bpf_raw_event_map = unsafe { zeroed() };
        map.tp = tp;
        map.bpf_func = func;
        map.num_args = <T::Func as Words>::LEN as u32;
        Self(map)
    }
}

const _: () = assert!(size_of::<BpfRawEventMap>() == size_of::<bindings::bpf_raw_event_map>());
