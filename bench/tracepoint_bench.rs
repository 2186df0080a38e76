// SPDX-License-Identifier: GPL-2.0

//! Measures the cost of a tracepoint in Rust: the counterpart of `tracepoint_bench_c.c`. Loading
//! the module runs the benchmark.

use core::{
    ffi::c_void,
    hint::black_box,
    sync::atomic::{AtomicU32, AtomicU64, Ordering},
};
use kernel::{
    prelude::*,
    task::Task,
    time::{delay::fsleep, Delta, Instant, Monotonic},
};
use tracepoint::*;

tracepoint! {
    /// Fired in a loop.
    fn bench(n: u32, ptr: *mut c_void);
}
define_trace!(bench);

const ROUNDS: u32 = 1000;

/// Keeps the compiler from removing the empty loop.
static LOOP: AtomicU32 = AtomicU32::new(0);
static LAST: AtomicU64 = AtomicU64::new(0);

#[inline(never)]
fn empty() -> i64 {
    let start = Instant::<Monotonic>::now();
    for n in 0..ROUNDS {
        LOOP.store(black_box(n), Ordering::Relaxed);
    }
    start.elapsed().as_nanos()
}

#[inline(never)]
fn fire(ptr: *mut c_void) -> i64 {
    let start = Instant::<Monotonic>::now();
    for n in 0..ROUNDS {
        LOOP.store(black_box(n), Ordering::Relaxed);
        trace!(bench(n, ptr));
    }
    start.elapsed().as_nanos()
}

fn measure(what: &str) {
    let ptr = LAST.as_ptr().cast();
    // Interrupts disturb only some of the runs.
    let fire = (0..20).map(|_| fire(ptr)).min().unwrap_or(0);
    let empty = (0..20).map(|_| empty()).min().unwrap_or(0);
    let ns = (fire - empty) as u32;
    pr_info!(
        "Rust {} {}.{:03}\n",
        what,
        ns / ROUNDS,
        ns % ROUNDS * 1000 / ROUNDS
    );
    assert_eq!(LOOP.load(Ordering::Relaxed), ROUNDS - 1);
}

/// Returns how long this task has run, without the time it has waited.
fn runtime() -> u64 {
    // The runtime is updated when the task is switched out.
    fsleep(Delta::from_millis(1));
    // SAFETY: This is the current task's field, which nobody else writes to while the task runs.
    unsafe { (*Task::current_raw()).se.sum_exec_runtime }
}

/// Measures registering probes with `register`, and removing them.
fn registration<T>(count: u32, register: impl Fn() -> Result<T>) -> Result {
    let (mut nothing, mut add, mut remove) = (u64::MAX, u64::MAX, u64::MAX);
    for _ in 0..50 {
        let begin = runtime();
        let start = runtime();
        let probes = register()?;
        let registered = runtime();
        drop(probes);
        let removed = runtime();
        nothing = nothing.min(start - begin);
        add = add.min(registered - start);
        remove = remove.min(removed - registered);
    }
    let (add, remove) = (add - nothing, remove - nothing);
    pr_info!("Rust registering_{count}_by_name {add}\n");
    pr_info!("Rust removing_{count}_by_name {remove}\n");
    Ok(())
}

fn register(id: u64) -> Result<Probe> {
    bench.register(move |n, _| LAST.store(u64::from(n) ^ id, Ordering::Relaxed))
}

struct Bench;

impl kernel::Module for Bench {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        measure("disabled");
        let mut probes = ProbeGroup::new();
        for id in 0..8u64 {
            probes.push(register(id)?)?;
            match id + 1 {
                1 => measure("1"),
                2 => measure("2"),
                4 => measure("4"),
                8 => measure("8"),
                _ => {}
            }
        }
        drop(probes);
        registration(1, || register(0))?;
        registration(100, || {
            let mut probes = ProbeGroup::new();
            for id in 0..100 {
                probes.push(register(id)?)?;
            }
            Ok(probes)
        })?;
        Ok(Self)
    }
}

module! {
    type: Bench,
    name: "tracepoint_bench",
    authors: ["The tracepoint authors"],
    description: "Benchmark of a tracepoint in Rust",
    license: "GPL",
}
