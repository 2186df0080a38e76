// SPDX-License-Identifier: GPL-2.0

//! A driver's structs, as one field of an event and as an argument that other modules know.
//!
//! The macros do it: see `macros.rs`.

pub mod root {
    /// Declares a struct that a tracepoint can pass a reference to, also to other modules and to BPF.
    ///
    /// A probe can outlive the module that fires the tracepoint, so `'static` isn't allowed in it. A
    /// struct with references has a lifetime:
    ///
    /// ```
    /// tracepoint_struct! {
    ///     /// One request, as the driver sees it.
    ///     pub struct Request<'a> {
    ///         pub name: &'a CStr,
    ///         pub sector: u64,
    ///         pub len: u32,
    ///     }
    /// }
    ///
    /// tracepoint! {
    ///     /// A request has been merged.
    ///     pub fn drv_merge(request: &Request<'_>);
    /// }
    /// ```
    ///
    /// The struct gets C's layout. Its name, fields, their types and privacy, its attributes, size and
    /// alignment are part of the prototype, so that a probe built with another version of it is refused with
    /// `EINVAL`.
    ///
    /// A module that repeats the declaration can make values of the struct, with anything in its private
    /// fields. So unsafe code that gets one mustn't rely on what only one module could have written there.
    ///
    /// The grammar is that of a struct with named fields and at most one lifetime. Its fields have the types in
    /// [`tracepoint::args`], or are arrays of these. `#[c_name = "…"]` gives the struct another name in C and BTF.
    /// It's a build error if the struct contains a `#[cfg]`, or if the BPF verifier trusts pointers to structs of its
    /// name in C.
    ///
    /// For a type that no other module uses, [`#[derive(TracepointArg)]`][TracepointArg] is enough.
    ///
    /// C: a struct in the header that declares the tracepoint.
    ///
    /// [`tracepoint::args`]: ../tracepoint/args/index.html
    /// [TracepointArg]: ../tracepoint/derive.TracepointArg.html
    pub use crate::macros::tracepoint_struct;
}

pub mod event {
    /// Lets a [`Struct<T>`] field have this type, without `unsafe`.
    ///
    /// The struct must be `Copy` and have a `#[repr(C)]`. Its members must be numbers, enums, flags, arrays or
    /// other structs with the derive, and there must be no padding, which would show old memory contents to
    /// the reader. The compiler checks this.
    ///
    /// ```
    /// #[derive(Clone, Copy, TraceStruct)]
    /// #[repr(C)]
    /// struct Pair {
    ///     first: u32,
    ///     second: u32,
    /// }
    ///
    /// trace_event! {
    ///     system: "drv";
    ///
    ///     fn drv_pair(first: u32) {
    ///         pair: Struct<Pair> as "struct pair" = Pair { first, second: 2 },
    ///     }
    ///     print "{pair:print_hex}";
    /// }
    /// ```
    ///
    /// C: `__field_struct()`. Filters can't use its members: see [`TraceFields`].
    ///
    /// [`Struct<T>`]: ../tracepoint/event/field/struct.Struct.html
    /// [`TraceFields`]: ../tracepoint/event/derive.TraceFields.html
    pub use crate::macros::TraceStruct;
}

pub mod private {}
