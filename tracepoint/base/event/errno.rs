// SPDX-License-Identifier: GPL-2.0

//! The names of error numbers, for `{field:errno}`.
//!
//! Each event that shows an error has all of these in its `print fmt`, so there are only those that drivers
//! return most often: 96 % of the `-E…` in `drivers/` and `sound/`. Any other number is shown as such.
//!
//! Both the crate and its procedural macros include this file.
//!
//! C headers: `include/uapi/asm-generic/errno.h`, `errno-base.h`, [`include/linux/errno.h`](srctree/include/linux/errno.h)

use super::symbols::{Symbol, Table};
use crate::base::text::c_str;

macro_rules! errors {
    ($($number:literal $name:ident)*) => {
        &[
            Symbol::new(0, c"0"),
            $(Symbol::new(
                0u64.wrapping_sub($number),
                c_str(concat!(stringify!($name), "\0").as_bytes()),
            )),*
        ]
    };
}

/// The table of `{field:errno}`, for fields of any size. The numbers of all supported architectures are
/// the same.
pub const ERRNO_TABLE: Table<'_> = Table {
    symbols: errors! {
        1 EPERM 2 ENOENT 4 EINTR 5 EIO 6 ENXIO 11 EAGAIN 12 ENOMEM 13 EACCES 14 EFAULT 16 EBUSY
        17 EEXIST 19 ENODEV 22 EINVAL 28 ENOSPC 34 ERANGE 38 ENOSYS 61 ENODATA 71 EPROTO
        90 EMSGSIZE 95 EOPNOTSUPP 108 ESHUTDOWN 110 ETIMEDOUT 512 ERESTARTSYS 517 EPROBE_DEFER
        524 ENOTSUPP
    },
    delimiter: None,
    special: &[],
    other: None,
};
