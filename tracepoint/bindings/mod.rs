// SPDX-License-Identifier: GPL-2.0

//! C's declarations, made by bindgen from the headers that the module is built for.
//!
//! What the kernel crate's bindings have is theirs, so that one C struct is one Rust type.

#![allow(missing_docs)]

// The kernel crate's have no fields.
pub use generated::*;
pub use generated::{seq_buf, trace_event_call, trace_seq};
pub use kernel::bindings::__BindgenBitfieldUnit;
pub use kernel::bindings::*;

#[allow(
    clippy::all,
    clippy::cast_lossless,
    clippy::ptr_as_ptr,
    clippy::ref_as_ptr,
    clippy::undocumented_unsafe_blocks,
    improper_ctypes,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    unreachable_pub,
    unsafe_op_in_unsafe_fn
)]
pub mod generated {
    use kernel::{bindings::*, ffi};
    include!("generated.rs");
}

/// The prototypes of the kernel's tracepoints: `__traceiter_NAME` of each.
#[allow(
    clippy::all,
    clippy::cast_lossless,
    clippy::ptr_as_ptr,
    clippy::ref_as_ptr,
    clippy::undocumented_unsafe_blocks,
    improper_ctypes,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    unreachable_pub
)]
pub mod prototypes {
    pub use kernel::bindings::*;

    mod ffi {
        pub use super::super::super::args::Char as c_char;
        pub use kernel::ffi::*;
    }

    include!("generated_prototypes.rs");
}
