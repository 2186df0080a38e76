// SPDX-License-Identifier: GPL-2.0

//! Threads, timers and per-CPU variables, which the samples need and for which the kernel crate has
//! no abstractions yet.

// A module typically uses only a part of this.
#![allow(dead_code, unreachable_pub, unused_imports)]

pub mod kthread;
pub mod percpu;
pub mod slot;
pub mod task;
pub mod timer;

pub use kthread::{KThread, ThisThread};
pub use percpu::PerCpuCounter;
pub use slot::Slot;
pub use timer::{Timer, TimerCallback, TimerList};
