// SPDX-License-Identifier: GPL-2.0

//! Threads, timers and per-CPU variables: what the samples need and the kernel crate has no
//! abstraction for yet.

// A module uses a part of this only.
#![allow(dead_code, unreachable_pub, unused_imports)]

pub mod kthread;
pub mod percpu;
pub mod slot;
pub mod task;
pub mod timer;

pub use kthread::{KThread, ThisThread};
pub use percpu::PerCpuCounter;
pub use slot::Slot;
pub use timer::{Timer, TimerCallback};
