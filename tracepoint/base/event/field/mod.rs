// SPDX-License-Identifier: GPL-2.0

//! The types that an event's field can have, and how values are written to the record.
//!
//! | Field | Value | C |
//! |---|---|---|
//! | `bool`, `u8` … `i64`, `usize`, `isize` | the same | `__field()` |
//! | `*const T`, `*mut T` | the same | `__field()` |
//! | an enum with [`TraceEnum`](macro@crate::event::TraceEnum), flags with [`TraceFlags`](macro@crate::event::TraceFlags) | the same | `__field()`, `TRACE_DEFINE_ENUM()` |
//! | `Option` of an enum, an `Error`, a `NonZero` and others: see [`option`](super::option) | the same | `__field()` |
//! | `Error`, `Result`, [`MacAddr`](crate::MacAddr), `Ipv4Addr` and others: see [`types`](super::types) | the same | |
//! | [`Struct<T>`] | `T` | `__field_struct()` |
//! | `[T; N]` | the same, or `&[T; N]` | `__array()` |
//! | `[c_char; N]` | `&CStr`, `&str`: truncated to N - 1 bytes | `__array(char, …)`, `strscpy()` |
//! | [`Str`] | `&CStr`, `&str`, `&[u8]`, or an `Option` of these | `__string()`, `__string_len()` |
//! | [`DynArray<T>`] | `&[T]`, such as `&elements(iterator)` | `__dynamic_array()` |
//! | [`Formatted`] | `fmt::Arguments` | `__vstring()` |
//! | [`Bitmask`] | [`Bits`] | `__bitmask()` |
//! | `Cpumask` | `&Cpumask` | `__cpumask()` |
//! | [`SockAddr`] | `&[u8]` | `__sockaddr()` |
//! | `Rel<…>` of the last six | the same | `__rel_…()` |

mod dynamic;
mod fixed;
pub(crate) mod macros;
mod room;
mod traits;

pub use dynamic::*;
pub use fixed::*;
#[doc(hidden)]
pub use room::{room_size, Room};
pub use traits::*;
