// SPDX-License-Identifier: GPL-2.0

//! Tracepoints and trace events.

pub(crate) mod arch;
pub mod args;
pub(crate) mod bindings;
pub(crate) mod define;
pub mod event;
pub(crate) mod guard;
pub(crate) mod identity;
pub(crate) mod point;
pub(crate) mod probe;
pub(crate) mod shared;
pub(crate) mod text;

pub use self::guard::tracepoint_synchronize_unregister;
pub use self::point::UseTraceMacro;
pub use self::probe::{Accepts, Probe, Register, DEFAULT_PRIO};
pub use macros::{define_trace, export_tracepoint_symbol_gpl, tracepoint, TracepointArg};

/// The items that the expansions of the macros refer to.
#[doc(hidden)]
pub mod __private {
    pub use super::args::{bpf_arg, str, Arg, ArgIf, CTypes, Element, Pointee, TYPE_OF_STR};
    pub use super::bindings::{static_call_key, tracepoint};
    pub use super::define::{check_name, ext, static_call_key, tracepoint, Btf};
    pub use super::event::private::*;
    #[cfg(CONFIG_LOCKDEP)]
    pub use super::guard::rcu_is_not_watching;
    pub use super::guard::{Srcu, TasksTrace};
    pub use super::identity::{Defined, Identity};
    pub use super::point::{enabled, might_fault, Declared, Enabled, Fired, Guard, Tracepoint};
    pub use super::probe::Accepts;
    pub use super::shared::Shared;
    pub use super::text::c_str;
    pub use crate::{
        error::Result,
        ffi::{c_char, c_int, c_void},
        transmute::AsBytes,
    };
    pub use core::{
        arch::global_asm as only_outside_of_functions,
        ffi::CStr,
        marker::{Copy, PhantomData},
        num::Wrapping,
        ops::Fn,
        option::Option::{self, Some},
        primitive::{bool, i16, i32, i64, i8, isize, u16, u32, u64, u8, usize},
        ptr::read_volatile,
    };
}
