// SPDX-License-Identifier: GPL-2.0

//! Tracepoints, probes and trace events.
//!
//! Nothing here imports a layer.

pub mod args;
pub mod arithmetic;
pub(crate) mod bindings;
pub(crate) mod c_name;
pub(crate) mod declare;
pub(crate) mod define;
pub mod event;
pub(crate) mod guard;
pub(crate) mod hash;
pub(crate) mod identity;
pub(crate) mod integers;
pub(crate) mod lookup;
pub(crate) mod point;
pub(crate) mod probe;
pub(crate) mod prototype;
pub(crate) mod shared;
pub(crate) mod text;
pub(crate) mod types;

/// The items that the expansions of the macros refer to.
pub(crate) mod private {
    #[cfg(CONFIG_LOCKDEP)]
    pub use super::guard::rcu_is_not_watching;
    pub use super::{
        args::{bpf_arg, is_copy, str, Arg, ArgIf, CArg, Element, Pointee, TYPE_OF_STR},
        arithmetic,
        bindings::{static_call_key, tracepoint},
        c_name::CType,
        define::{errno, tracepoint, Expect, Hooks},
        event::private::*,
        guard::{Srcu, TasksTrace},
        identity::{not_a_span, Identity},
        point::{enabled, might_fault, Declared, Enabled, Fired, Tracepoint},
        probe::Accepts,
        prototype::{len as prototype_len, text as prototype, Type},
        shared::Shared,
        text::c_str,
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
    pub use kernel::{
        error::Result,
        ffi::{c_char, c_int, c_void},
        transmute::AsBytes,
    };
}
