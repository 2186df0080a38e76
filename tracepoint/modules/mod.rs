// SPDX-License-Identifier: GPL-2.0

//! The parts that a module needs, and code of the kernel itself doesn't: unloading it safely, and statics of its own.

pub mod lock;
pub(crate) mod log;
pub(crate) mod module;
pub(crate) mod module_static;
mod node;
mod registered;
pub(crate) mod this_module;
pub mod unload;
pub(crate) mod window;
pub(crate) mod work;
