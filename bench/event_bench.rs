// SPDX-License-Identifier: GPL-2.0

//! Measures the cost of the events of `trace_events_sample`: the counterpart of `event_bench_c.c`.
//! Opening `/proc/event-bench` runs the benchmark.

#![allow(clippy::disallowed_names)]

use core::{
    fmt::Arguments,
    sync::atomic::{AtomicI32, Ordering::Relaxed},
};
use fs::{
    proc::{ProcEntry, ProcOps},
    Inode,
};
use helpers::{task::TaskExt, PerCpuCounter, TimerList};
use kernel::{
    cpumask::Cpumask,
    ffi::{c_char, c_int},
    fs::File,
    prelude::*,
    task::Task,
    time::{Instant, Monotonic},
};
use tracepoint::{event::*, *};

#[path = "../fs/mod.rs"]
mod fs;
#[path = "../helpers/mod.rs"]
mod helpers;

// The definitions of the sample's events.
include!("generated_events.rs");

fn foo_bar_reg() -> Result {
    Ok(())
}

fn foo_bar_unreg() {}

/// Satisfies the conditions of all events. Read for every call.
static CNT: AtomicI32 = AtomicI32::new(80);

/// Returns the shortest time of many runs. Interrupts and page crossings in the buffer disturb only
/// some of them.
macro_rules! best {
    ($($call:expr),*) => {
        (0..50)
            .map(|_| {
                let start = Instant::<Monotonic>::now();
                $($call;)*
                start.elapsed().as_nanos()
            })
            .min()
            .unwrap_or(0) as u32
    };
}

/// Measures ten unrolled calls, without the cost of a loop counter. The difference between twenty
/// and ten calls cancels the overhead before the first call and after the last.
macro_rules! measure {
    ($what:literal, $call:expr) => {
        let ten = best!($call, $call, $call, $call, $call, $call, $call, $call, $call, $call);
        let twenty = best!(
            $call, $call, $call, $call, $call, $call, $call, $call, $call, $call, $call, $call,
            $call, $call, $call, $call, $call, $call, $call, $call
        );
        let n = twenty - ten;
        pr_info!("Rust {} {}.{}\n", $what, n / 10, n % 10);
    };
}

struct Bench {
    data: FooTimerData<'static>,
}

#[vtable]
impl ProcOps for Bench {
    fn open(&self, _inode: &Inode, _file: &File) -> Result {
        // Prepared once, like the va_list in C.
        self.fire(&format_args!("iter={}", CNT.load(Relaxed)));
        Err(EPERM)
    }
}

impl Bench {
    fn fire(&self, text: &Arguments<'_>) {
        let current: &Task = kernel::current!();
        let cpus = current.cpus();
        let mask = [0xdeadbeef];
        let list = [1, 2, 3];
        measure!(
            "foo_bar",
            trace!(foo_bar(
                c"hello",
                CNT.load(Relaxed),
                &list,
                c"Frodo",
                cpus,
                text,
            ))
        );
        measure!(
            "foo_bar_with_cond",
            trace!(foo_bar_with_cond(c"Some times print", CNT.load(Relaxed)))
        );
        measure!(
            "foo_bar_with_fn",
            trace!(foo_bar_with_fn(c"Look at me", CNT.load(Relaxed)))
        );
        measure!(
            "foo_with_template_simple",
            trace!(foo_with_template_simple(c"HELLO", CNT.load(Relaxed)))
        );
        measure!(
            "foo_with_template_cond",
            trace!(foo_with_template_cond(
                c"prints other times",
                CNT.load(Relaxed)
            ))
        );
        measure!(
            "foo_with_template_fn",
            trace!(foo_with_template_fn(c"Look at me too", CNT.load(Relaxed)))
        );
        measure!(
            "foo_with_template_print",
            trace!(foo_with_template_print(
                c"I have to be different",
                CNT.load(Relaxed)
            ))
        );
        measure!(
            "foo_rel_loc",
            trace!(foo_rel_loc(
                c"Hello __rel_loc",
                CNT.load(Relaxed),
                &mask,
                cpus
            ))
        );
        measure!("foo_timer_fn", trace!(foo_timer_fn(&self.data)));
    }
}

struct Module {
    _proc: ProcEntry<Bench>,
}

impl kernel::Module for Module {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let bench = Bench {
            data: FooTimerData {
                name: c"sample_timer_counter",
                timer: TimerList::new(),
                counter: PerCpuCounter::new()?,
            },
        };
        Ok(Self {
            _proc: ProcEntry::new(c"event-bench", 0o444, None, bench)?,
        })
    }
}

module! {
    type: Module,
    name: "event_bench",
    authors: ["The tracepoint authors"],
    description: "Benchmark of the sample's events in Rust",
    license: "GPL",
}
