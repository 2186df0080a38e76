// SPDX-License-Identifier: GPL-2.0

//! Messages in the kernel's log, with the name of this module.

use crate::modules::this_module::this_module;
use core::ffi::CStr;
use kernel::{
    fmt,
    print::{self, format_strings},
    str::CStrExt as _,
};

/// Logs an error. C: `pr_err()`.
pub(crate) fn err(args: fmt::Arguments<'_>) {
    log(&format_strings::ERR, args);
}

/// Logs information. C: `pr_info()`.
pub(crate) fn info(args: fmt::Arguments<'_>) {
    log(&format_strings::INFO, args);
}

fn log(level: &[u8; format_strings::LENGTH], args: fmt::Arguments<'_>) {
    // SAFETY: `call_printk()` takes one of the kernel crate's format strings, and a NUL-terminated
    // name, as `pr_err!` does. The module is valid while its code runs.
    unsafe {
        let name = CStr::from_char_ptr((&raw const (*this_module()).name).cast());
        print::call_printk(level, name.to_bytes_with_nul(), args);
    }
}
