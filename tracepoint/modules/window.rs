// SPDX-License-Identifier: GPL-2.0

//! Points at which a test can stop the library, to force a race.

/// Calls `tracepoint_window()` of the test's module with a name, if the library has been built for such
/// a test: with `--cfg tracepoint_windows`. Otherwise it expands to nothing.
macro_rules! window {
    ($name:literal) => {
        #[cfg(tracepoint_windows)]
        {
            extern "Rust" {
                fn tracepoint_window(name: &str);
            }
            // SAFETY: The test's module defines it like this.
            unsafe { tracepoint_window($name) }
        }
    };
}
pub(crate) use window;
