// SPDX-License-Identifier: GPL-2.0

//! The structs by which the kernel knows an event.
//!
//! The kernel writes to all of them, so each of them is in a [`Shared`](crate::base::shared::Shared).
//!
//! C header: [`include/trace/trace_events.h`](srctree/include/trace/trace_events.h)

use super::{print::TraceRawOutput, shape::Shape, show::Kind};
use crate::base::{
    bindings::{self, generated},
    text::{equal, Text},
};
use core::{
    ffi::CStr,
    mem::{offset_of, transmute, zeroed},
};
use kernel::prelude::*;

pub use bindings::bpf_raw_event_map;
pub use generated::trace_event_call;
pub(crate) use generated::{trace_event_class, trace_event_fields};

/// The result of a template: the function that prints, followed by the `print fmt`.
#[repr(C)]
pub struct Output<P> {
    functions: generated::trace_event_functions,
    print_fmt: P,
}

impl<P: Copy> Output<P> {
    /// Returns what prints with `print`.
    pub const fn new(print: TraceRawOutput, print_fmt: P) -> Self {
        // SAFETY: A struct of one integer is returned like the integer, and a function isn't NULL.
        let trace = unsafe { transmute::<TraceRawOutput, generated::trace_print_func>(print) };
        Self {
            functions: generated::trace_event_functions {
                trace,
                raw: None,
                hex: None,
                binary: None,
            },
            print_fmt,
        }
    }
}

/// The function that initialises an event.
pub(crate) type RawInit = unsafe extern "C" fn(*mut trace_event_call) -> c_int;

/// The function that registers and unregisters the probes of an event.
pub(crate) type Reg =
    unsafe extern "C" fn(*mut trace_event_call, generated::trace_reg, *mut c_void) -> c_int;

/// How the events of a class are initialised and their probes registered, and data for that, directly after the
/// kernel's struct. Layers can have their own.
///
/// # Safety
///
/// `RAW_INIT` must initialise an event as `trace_event_raw_init()` does, and `reg` must register no other probes than
/// `trace_event_reg()`, each with the data that it takes.
pub unsafe trait Registers: Sized + Sync + 'static {
    /// C: `class->raw_init`.
    const RAW_INIT: RawInit = generated::trace_event_raw_init;

    /// C: `class->reg`.
    const REG: Reg = {
        // SAFETY: The struct of one integer is passed as the integer is.
        unsafe { transmute::<unsafe extern "C" fn(_, trace_reg, _) -> _, Reg>(reg::<Self>) }
    };

    /// The initial contents.
    const NEW: Self;

    /// Registers and unregisters the probes of an event. Returns 0 or an errno.
    ///
    /// C: `trace_event_reg()`.
    ///
    /// # Safety
    ///
    /// Only the kernel may call this, for a class with `self`: for all but `TRACE_REG_PERF_ADD` and
    /// `TRACE_REG_PERF_DEL`, under `event_mutex` (kernel/trace/trace_events.c, kernel/trace/trace_event_perf.c).
    unsafe fn reg(
        &'static self,
        call: *mut trace_event_call,
        action: generated::trace_reg,
        data: *mut c_void,
    ) -> c_int {
        // SAFETY: By the safety contract.
        unsafe { generated::trace_event_reg(call, action, data) }
    }
}

/// C's `enum trace_reg`. Its name is part of the type of [`reg`], which CONFIG_CFI compares.
#[allow(non_camel_case_types)]
#[repr(C)]
struct trace_reg(generated::trace_reg);

/// Calls [`Registers::reg`].
///
/// # Safety
///
/// As for that function.
unsafe extern "C" fn reg<R: Registers>(
    call: *mut trace_event_call,
    trace_reg(action): trace_reg,
    data: *mut c_void,
) -> c_int {
    // SAFETY: `__ftrace_event_enable_disable()` (kernel/trace/trace_events.c) passes a valid file.
    if action == generated::trace_reg_TRACE_REG_REGISTER && unsafe { is_stuck(data.cast()) } {
        return EBUSY.to_errno();
    }
    // SAFETY: `call` is valid. Its class is in a static, in which an `R` follows it.
    unsafe { (*(*call).class.add(1).cast::<R>()).reg(call, action, data) }
}

/// Returns whether the kernel would never unregister the probe of a file, not even before it frees the file.
///
/// If [`Registers::reg`] fails while a trigger is set, `register_trigger()` (kernel/trace/trace_events_trigger.c) and
/// others leave `sm_ref` as it is, so the kernel believes that a trigger needs the probe. When an event is enabled for
/// a trigger, but not otherwise, `EVENT_FILE_FL_SOFT_DISABLED` is set before.
///
/// # Safety
///
/// `file` must be valid, and the caller must hold `event_mutex`.
unsafe fn is_stuck(file: *const generated::trace_event_file) -> bool {
    let for_trigger = generated::EVENT_FILE_FL_SOFT_DISABLED as c_ulong;
    // SAFETY: By the safety contract. `sm_ref` changes under `event_mutex`; of `flags`, this bit does.
    unsafe {
        (*file).sm_ref.counter != 0 && (&raw const (*file).flags).read_volatile() & for_trigger == 0
    }
}

// SAFETY: The kernel's own functions do both.
unsafe impl Registers for () {
    const REG: Reg = generated::trace_event_reg;
    const NEW: Self = ();
}

/// How probes are registered if a hook can refuse that.
pub struct Refusable;

// SAFETY: The kernel's own functions do both.
unsafe impl Registers for Refusable {
    const NEW: Self = Self;
}

/// The class of an event, followed by what [`Registers`] keeps, its output and the table of its fields.
#[repr(C)]
pub struct Class<const N: usize, P, R = ()> {
    class: trace_event_class,
    kept: R,
    output: Output<P>,
    fields: [trace_event_fields; N],
}

impl<const N: usize, P: Copy, R: Registers> Class<N, P, R> {
    /// Returns the class of an event. `this` is the address that it will have. `fields` ends with
    /// [`END_OF_FIELDS`].
    ///
    /// C: stages 4 and 7, `trace_event_fields_CLASS` and `event_class_CLASS`.
    #[cfg_attr(not(CONFIG_PERF_EVENTS), allow(unused_variables))]
    pub const fn new(
        this: *mut Self,
        system: &'static CStr,
        fields: [trace_event_fields; N],
        (probe, perf_probe): (*mut c_void, *mut c_void),
        output: Output<P>,
    ) -> Self {
        const { assert!(offset_of!(Self, kept) == size_of::<trace_event_class>()) };
        let list = this
            .wrapping_byte_add(offset_of!(trace_event_class, fields))
            .cast();
        // SAFETY: All zeroes is valid, since C zeroes what an initialiser omits, including fields
        // that are added to it later.
        let mut class: trace_event_class = unsafe { zeroed() };
        class.system = system.to_bytes_with_nul().as_ptr();
        class.probe = probe;
        #[cfg(CONFIG_PERF_EVENTS)]
        {
            class.perf_probe = perf_probe;
        }
        class.reg = Some(R::REG);
        class.fields_array = this
            .wrapping_byte_add(offset_of!(Self, fields))
            .cast::<trace_event_fields>();
        class.fields = bindings::list_head {
            next: list,
            prev: list,
        };
        class.raw_init = Some(R::RAW_INIT);
        Self {
            class,
            kept: R::NEW,
            output,
            fields,
        }
    }

    /// Returns where the class at `this` is for the kernel.
    pub const fn class(this: *mut Self) -> *mut trace_event_class {
        this.cast()
    }

    /// Returns where it has what prints its events.
    pub const fn output(this: *mut Self) -> *mut Output<P> {
        this.wrapping_byte_add(offset_of!(Self, output)).cast()
    }
}

/// The end of the table of fields.
// SAFETY: All zeroes is valid, and C's end of the table.
pub const END_OF_FIELDS: trace_event_fields = unsafe { zeroed() };

/// Returns an entry of the table of fields, for an integer or a `bool` of `size` bytes.
///
/// C: stage 4.
pub const fn trace_event_integer(
    name: &'static CStr,
    c_type: &'static CStr,
    filter: c_int,
    size: usize,
    is_signed: bool,
) -> trace_event_fields {
    trace_event_fields {
        type_: c_type.to_bytes_with_nul().as_ptr(),
        __bindgen_anon_1: generated::trace_event_fields__bindgen_ty_1 {
            __bindgen_anon_1: generated::trace_event_fields__bindgen_ty_1__bindgen_ty_1 {
                name: name.to_bytes_with_nul().as_ptr(),
                size: size as c_int,
                align: size as c_int,
                _bitfield_align_1: [],
                // is_signed, needs_test
                _bitfield_1: generated::__BindgenBitfieldUnit::new([is_signed as u8]),
                filter_type: filter,
                len: 0,
            },
        },
    }
}

// bindgen's setters of bitfields can't be called in constants, but this fails if there's no such bitfield.
const _: fn(&generated::trace_event_fields__bindgen_ty_1__bindgen_ty_1) -> c_uint =
    generated::trace_event_fields__bindgen_ty_1__bindgen_ty_1::is_signed;

/// Returns the entry of any field. `assumed` is what the macro took the type for because of its name, as
/// [`Shape::code`], and whether that name is `c_char`.
#[track_caller]
pub const fn trace_event_field(
    name: &'static CStr,
    c_type: &'static CStr,
    filter: c_int,
    shape: Shape,
    assumed: Option<(u64, bool)>,
) -> trace_event_fields {
    if let Some((code, is_char)) = assumed {
        // The kernel reads as many bits of a `cpumask_t` as there are CPUs.
        let is_cpumask = matches!(c_type.to_bytes(), [.., b'_', b't']);
        let is_mask = matches!(shape.kind, Kind::Mask);
        assert!(
            shape.code(is_char) == code
                && (!is_mask || is_cpumask == equal(shape.name, "cpumask_t")),
            "the macro takes this for another type: a name such as `u32` or `Str` is shadowed"
        );
    }
    let (size, align) = shape.kind.layout();
    let mut entry = trace_event_integer(name, c_type, filter, size, shape.kind.number().1);
    entry.__bindgen_anon_1.__bindgen_anon_1.align = align as c_int;
    if let Kind::Array { len, .. } = shape.kind {
        entry.__bindgen_anon_1.__bindgen_anon_1.len = len as c_int;
    }
    entry
}

/// The usual filter type: it follows from the C type.
pub const FILTER_OTHER: c_int = generated::FILTER_OTHER as c_int;

/// Returns the filter type that a field is given, once it's clear that the field has what the kernel reads:
/// for `TRACE_FN` eight bytes (kernel/trace/trace_output.c), for `PTR_STRING` the address of a string, with
/// `test_string()` (kernel/trace/trace_events_filter.c).
#[track_caller]
pub const fn filter_type(filter: u32, Shape { kind, .. }: Shape) -> c_int {
    match filter {
        generated::FILTER_PTR_STRING => assert!(
            matches!(kind, Kind::Pointer),
            "the filter type `PTR_STRING` is for pointers"
        ),
        generated::FILTER_TRACE_FN => assert!(
            kind.is_number() && kind.number_size() == 8,
            "the filter type `TRACE_FN` is for pointers and numbers of 64 bits"
        ),
        _ => assert!(kind.is_number(), "the filter type `CPU` is for numbers"),
    }
    filter as c_int
}

/// Returns the C type of a field, with its NUL. Its name is `given` if the event has one.
///
/// For types that the macro doesn't know by their name; it writes the others.
#[track_caller]
pub const fn c_type<const N: usize>(shape: Shape, given: Option<&str>) -> Text<N> {
    assert!(
        given.is_none() || !shape.kind.is_dynamic(),
        "the C type of a field is given, but its location follows from the Rust type: write that \
         without an alias"
    );
    shape.write_c_type(given).byte(0)
}

/// The function that decides who may use an event with perf.
pub(crate) type PerfPerm =
    unsafe extern "C" fn(*mut trace_event_call, *mut generated::perf_event) -> c_int;

/// Returns an event.
///
/// C: stage 7, `event_NAME`.
#[cfg_attr(not(CONFIG_PERF_EVENTS), allow(unused_variables))]
pub const fn call<P>(
    class: *mut trace_event_class,
    tp: *mut bindings::tracepoint,
    output: *mut Output<P>,
    more_flags: c_int,
    perf_perm: Option<PerfPerm>,
) -> trace_event_call {
    // SAFETY: All zeroes is valid, since C zeroes what an initialiser omits.
    let mut call: trace_event_call = unsafe { zeroed() };
    call.class = class;
    call.__bindgen_anon_1 = generated::trace_event_call__bindgen_ty_1 { tp };
    call.event.funcs = output.cast::<generated::trace_event_functions>();
    call.print_fmt = output
        .wrapping_byte_add(offset_of!(Output<P>, print_fmt))
        .cast::<c_char>();
    call.flags = TRACEPOINT | more_flags;
    #[cfg(CONFIG_PERF_EVENTS)]
    {
        call.perf_perm = perf_perm;
    }
    call
}

/// Any user may record the event in tasks of their own with perf. C: `TRACE_EVENT_FL_CAP_ANY`.
pub const CAP_ANY: c_int = generated::TRACE_EVENT_FL_CAP_ANY as c_int;

/// The event has a tracepoint. C: `TRACE_EVENT_FL_TRACEPOINT`.
pub(crate) const TRACEPOINT: c_int = generated::TRACE_EVENT_FL_TRACEPOINT as c_int;

/// Returns the entry in `__bpf_raw_tp_map` of a tracepoint with this many C arguments, whose first one points to as
/// many bytes that a program may change.
///
/// C: `struct bpf_raw_event_map` (include/linux/tracepoint-defs.h).
pub const fn bpf_raw_event_map(
    tp: *mut bindings::tracepoint,
    func: *mut c_void,
    c_args: usize,
    writable: usize,
) -> bpf_raw_event_map {
    // SAFETY: All zeroes is valid, since C zeroes what an initialiser omits.
    let mut map: bpf_raw_event_map = unsafe { zeroed() };
    map.tp = tp;
    map.bpf_func = func;
    map.num_args = c_args as u32;
    map.writable_size = writable as u32;
    map
}

// The linker puts the entries of several objects next to each other.
const _: () = assert!(align_of::<bpf_raw_event_map>() == 32);
