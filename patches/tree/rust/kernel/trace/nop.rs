// SPDX-License-Identifier: GPL-2.0

//! Tracepoints and trace events in a kernel without CONFIG_TRACEPOINTS: they compile to nothing.

pub use macros::{tracepoint, TracepointArg};

pub mod event {
    //! Trace events.

    pub use macros::trace_event;
}

/// The argument of the function that a tracepoint's name is as a value. It has no value, so the function
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
