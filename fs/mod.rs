// SPDX-License-Identifier: GPL-2.0

//! Files: what the kernel crate has no abstraction for yet.

// A module uses a part of this only.
#![allow(dead_code, unreachable_pub, unused_imports)]

pub mod inode;
pub mod name;
pub mod proc;

pub use inode::Inode;
pub use name::FileName;
