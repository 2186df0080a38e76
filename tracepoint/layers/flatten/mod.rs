// SPDX-License-Identifier: GPL-2.0

//! Structs whose members become fields of an event.
//!
//! The macros do it: see `macros.rs`.

/// The type of the field that the `N`th member of a struct with `#[derive(TraceFields)]` becomes.
pub trait Member<const N: usize> {
    /// The type.
    type Type;
}

pub mod root {}

pub mod event {
    /// Makes a struct one whose members can become fields of an event, which filters and histograms can use:
    ///
    /// ```
    /// #[derive(Clone, Copy, TraceEnum)]
    /// #[repr(u8)]
    /// enum JobOp {
    ///     Read = 0,
    ///     Write = 1,
    /// }
    ///
    /// #[derive(TraceFields, TracepointArg)]
    /// struct Job<'a> {
    ///     op: JobOp,
    ///     sector: u64,
    ///     name: &'a CStr,
    ///     #[skip]
    ///     data: KVec<u8>,
    /// }
    ///
    /// trace_event! {
    ///     system: "drv";
    ///
    ///     fn drv_job_queued(job: &Job<'_>) {
    ///         #[flatten]
    ///         job: Job<'_> = job,
    ///         len: usize = job.data.len(),
    ///     }
    ///     print "{job_name}: {job_op} at {job_sector}, {len} bytes";
    /// }
    /// ```
    ///
    /// A member with a `&CStr` or a `&str` becomes a `Str`, and one with a slice a `DynArray<T>`; the others
    /// must be [types that a field can have]. `#[skip]` leaves one out. A member can have `#[flatten]`, too, if
    /// its type has the derive.
    ///
    /// The derive declares a macro with the name of the struct, which `use` imports together with it. C has no
    /// equivalent.
    ///
    /// [types that a field can have]: ../tracepoint/event/field/index.html
    pub use crate::macros::TraceFields;
}

pub mod private {
    pub use super::Member;
}
