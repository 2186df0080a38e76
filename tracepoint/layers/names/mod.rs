// SPDX-License-Identifier: GPL-2.0

//! Enums and flags whose values have names.
//!
//! The macros do it: see `macros.rs`.

pub mod root {}

pub mod event {
    /// Shows the values of an enum by name wherever a field has its type.
    ///
    /// C: `TRACE_DEFINE_ENUM()` for each value, and `__print_symbolic()` in each event.
    ///
    /// The enum must be `Copy`, its variants have no fields, and it has a `#[repr(u8)]` or that of another integer,
    /// which it is in C. It can be an argument, a field, an element of an array and an `Option`. A variant is shown
    /// by its own name, or by that which `#[name = "text"]` gives it.
    ///
    /// ```
    /// /// The direction of a transfer.
    /// #[derive(Clone, Copy, TraceEnum)]
    /// #[repr(u8)]
    /// enum Direction {
    ///     Read = 0,
    ///     #[name = "WR"]
    ///     Write = 1,
    /// }
    /// ```
    pub use crate::macros::TraceEnum;

    /// Shows flags by name wherever a field has their type.
    ///
    /// C: `__print_flags()` in each event.
    ///
    /// It's derived for an enum of the single flags. `#[flags(Type, "|")]` names the type of their combinations, which
    /// is a struct around an integer, and the text that separates two names. The kernel crate's [`impl_flags!`] declares
    /// both types:
    ///
    /// ```
    /// kernel::impl_flags!(
    ///     /// How a request is handled.
    ///     #[derive(Clone, Copy)]
    ///     pub struct RequestFlags(u32);
    ///
    ///     /// One of them.
    ///     #[derive(Clone, Copy, TraceFlags)]
    ///     #[flags(RequestFlags, "|")]
    ///     pub enum RequestFlag {
    ///         #[name = "none"]
    ///         None = 0,
    ///         #[name = "SYNC"]
    ///         Sync = 1 << 0,
    ///         #[name = "META"]
    ///         Meta = 1 << 1,
    ///     }
    /// );
    ///
    /// let flags = RequestFlag::Sync | RequestFlag::Meta;
    /// ```
    ///
    /// A flag can consist of several bits. The literal `0` names a value without flags. Otherwise, the variants are like
    /// those of an enum with [`TraceEnum`]. Without `impl_flags!`, the enum needs a `#[repr(u32)]`, or that of another
    /// integer, and the struct a member of the same type; then its flags can also be constants that exist:
    ///
    /// ```
    /// #[derive(Clone, Copy)]
    /// struct Mask(u32);
    ///
    /// impl Mask {
    ///     const SYNC: Self = Self(1);
    ///     const META: Self = Self(2);
    /// }
    ///
    /// #[derive(TraceFlags)]
    /// #[flags(Mask, "|")]
    /// #[repr(u32)]
    /// enum MaskNames {
    ///     Sync = Mask::SYNC.0,
    ///     Meta = Mask::META.0,
    /// }
    /// ```
    ///
    /// The type must be `Copy`. It can be an argument, a field and an element of an array. In C, it's the integer.
    ///
    /// [`TraceEnum`]: ../tracepoint/event/derive.TraceEnum.html
    /// [`impl_flags!`]: https://rust.docs.kernel.org/kernel/macro.impl_flags.html
    pub use crate::macros::TraceFlags;
}

pub mod private {}
