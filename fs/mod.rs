// SPDX-License-Identifier: GPL-2.0

//! Inodes, file names and `/proc` files, for which the kernel crate has no abstractions yet.

// A module typically uses only a part of this.
#![allow(dead_code, unreachable_pub, unused_imports)]

mod bindings;
pub mod inode;
pub mod name;
#[cfg(CONFIG_PROC_FS)]
pub mod proc;

pub use inode::Inode;
pub use name::FileName;
