// SPDX-License-Identifier: GPL-2.0

//! Measures the cost of a span in Rust: the counterpart of `span_bench_c.c`. Loading the module runs
//! the benchmark.

use core::{
    hint::black_box,
    sync::atomic::{AtomicU32, Ordering},
};
use kernel::{
    prelude::*,
    time::{Instant, Monotonic},
};
use tracepoint::{event::*, *};

trace_event! {
    system: "span_bench";

    /// Begun in a loop.
    span fn span_bench(n: u32) {
        n: u32 = n,
    }
    print "n={n}";
}

const ROUNDS: u32 = 1000;

/// Keeps the compiler from removing the empty loop.
static LOOP: AtomicU32 = AtomicU32::new(0);

#[inline(never)]
fn empty() -> i64 {
    let start = Instant::<Monotonic>::now();
    for n in 0..ROUNDS {
        LOOP.store(black_box(n), Ordering::Relaxed);
    }
    start.elapsed().as_nanos()
}

#[inline(never)]
fn fire() -> i64 {
    let start = Instant::<Monotonic>::now();
    for n in 0..ROUNDS {
        let _span = span!(span_bench(n));
        LOOP.store(black_box(n), Ordering::Relaxed);
    }
    start.elapsed().as_nanos()
}

struct Bench;

impl kernel::Module for Bench {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        // Interrupts disturb only some of the runs.
        let fire = (0..20).map(|_| fire()).min().unwrap_or(0);
        let empty = (0..20).map(|_| empty()).min().unwrap_or(0);
        let ns = (fire - empty) as u32;
        let what = if span_bench::enabled() {
            "a_span_into_the_ring_buffer"
        } else {
            "a_disabled_span"
        };
        let fraction = ns % ROUNDS * 1000 / ROUNDS;
        pr_info!("Rust {} {}.{:03}\n", what, ns / ROUNDS, fraction);
        Ok(Self)
    }
}

module! {
    type: Bench,
    name: "span_bench",
    authors: ["The tracepoint authors"],
    description: "Benchmark of a span in Rust",
    license: "GPL",
}
