// SPDX-License-Identifier: GPL-2.0

//! The parts that build on tracepoints and events. `list.rs` lists the layers.

/// Declares the layers. Each has three modules: `root` with what it adds to the crate, `event` with what
/// it adds to the module of that name, and `private` with what the macros expand to.
macro_rules! layers {
    ($($name:ident $(
        $macros:ident $(#[$attribute:ident])* $($function:ident!)*
        $([$derive:ident($($known:ident),*) = $expand:ident])*
    )?;)*) => {
        $(pub mod $name;)*

        #[allow(unused_imports)]
        pub mod root {
            $(pub use super::$name::root::*;)*
        }

        #[allow(unused_imports)]
        pub mod event {
            $(pub use super::$name::event::*;)*
        }

        #[allow(unused_imports)]
        pub mod private {
            $(pub use super::$name::private::*;)*
        }
    };
}

include!("list.rs");
