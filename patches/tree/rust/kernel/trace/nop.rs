// SPDX-License-Identifier: GPL-2.0

//! Tracepoints and trace events that compile to nothing, without CONFIG_RUST_TRACEPOINTS.

use crate::error::{code::ENOSYS, Result};

pub use macros::{define_trace, export_tracepoint_symbol_gpl, tracepoint, TracepointArg};

pub mod event {
    //! Trace events.

    use core::{convert::Infallible, marker::PhantomData};

    pub use macros::trace_event;

    /// The kinds of fields, of which none has a value.
    macro_rules! fields {
        ($($name:ident $(<$ty:ident>)?)*) => {$(
            /// A kind of field.
            pub struct $name $(<$ty>)? (Infallible $(, PhantomData<$ty>)?);
        )*};
    }

    fields!(Bitmask DynArray<T> Formatted Rel<T> SockAddr Str Struct<T>);

    pub mod field {
        //! Values of fields.

        use crate::cpumask::Cpumask;

        /// The bits of a [`Bitmask`](super::Bitmask) field.
        pub struct Bits(());

        impl Bits {
            /// Takes nothing.
            pub fn new(_words: &[usize], _bits: usize) -> Self {
                Self(())
            }

            /// Takes nothing.
            pub fn of_cpumask(_mask: &Cpumask, _bits: usize) -> Self {
                Self(())
            }
        }

        /// Returns 0.
        pub fn nr_cpumask_bits() -> usize {
            0
        }

        /// Returns 0.
        pub fn num_possible_cpus() -> usize {
            0
        }
    }
}

/// As a value, a tracepoint's name is a function that takes this type. There's no value of the type, so the function
/// can't be called: a tracepoint is fired by [`trace!`](crate::trace!).
pub enum UseTraceMacro {}

/// Calls the probes of a tracepoint, of which there are none. The arguments aren't evaluated.
#[macro_export]
macro_rules! trace {
    ($($tracepoint:ident)::+ ($($arg:expr),* $(,)?)) => {
        if false {
            $($tracepoint)::+::call($($arg),*);
        }
    };
}

/// The priority of a probe that is registered without one.
pub const DEFAULT_PRIO: i32 = 10;

/// A registered probe, of which there are none.
pub enum Probe {}

/// A tracepoint that accepts an `F` as a probe.
pub trait Accepts<F> {}

/// The functions of a declared tracepoint that register a probe.
pub trait Register<T>: Sized {
    /// Returns `ENOSYS`.
    ///
    /// C: `register_trace_NAME()`.
    fn register<F: Send + Sync + 'static>(self, probe: F) -> Result<Probe>
    where
        T: Accepts<F>,
    {
        self.register_prio(probe, DEFAULT_PRIO)
    }

    /// Returns `ENOSYS`.
    fn register_prio<F: Send + Sync + 'static>(self, _probe: F, _prio: i32) -> Result<Probe>
    where
        T: Accepts<F>,
    {
        Err(ENOSYS)
    }
}

impl<N: FnOnce(UseTraceMacro) -> T, T> Register<T> for N {}

/// Does nothing: no probe is ever called.
pub fn tracepoint_synchronize_unregister() {}
