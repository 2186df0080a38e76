// SPDX-License-Identifier: GPL-2.0

//! Statics of the modules that use the library.
//!
//! A driver links with nothing of the library: its functions are inlined, or compiled into the driver's
//! objects. So they can't refer to statics of the library, and define what they need there instead.

/// Returns a pointer to a static of this module, which is zeroed, or has a value that the assembler
/// understands: `module_static!("tracepoint.next_id": AtomicU64 = ".quad 1")`.
///
/// No function of the driver's can have a symbol with a dot. A module of several objects has one static
/// (`.weak`), in whatever object refers to it.
macro_rules! module_static {
    ($name:literal: $ty:ty) => {
        $crate::modules::module_static::module_static!(@define $name, $ty, ".bss, \"aw\", @nobits", ".skip {size}")
    };
    ($name:literal: $ty:ty = $value:literal) => {
        $crate::modules::module_static::module_static!(@define $name, $ty, ".data, \"aw\"", $value)
    };
    (@define $name:literal, $ty:ty, $section:literal, $value:expr) => {{
        extern "C" {
            #[link_name = $name]
            static STATIC: u8;
        }

        // The function around it can be inlined several times. `.ifndef` leaves one definition.
        #[allow(named_asm_labels)]
        // SAFETY: This emits data and no instructions.
        unsafe {
            ::core::arch::asm!(
                ::core::concat!(".ifndef ", $name),
                ::core::concat!(".pushsection ", $section),
                ".balign {align}",
                ::core::concat!(".weak ", $name),
                ::core::concat!(".type ", $name, ", @object"),
                ::core::concat!(".size ", $name, ", {size}"),
                ::core::concat!($name, ": ", $value),
                ".popsection",
                ".endif",
                align = const ::core::mem::align_of::<$ty>(),
                size = const ::core::mem::size_of::<$ty>(),
                options(nomem, nostack, preserves_flags),
            )
        };
        (&raw const STATIC).cast::<$ty>()
    }};
}
pub(crate) use module_static;
