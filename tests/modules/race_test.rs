// SPDX-License-Identifier: GPL-2.0

//! Concurrency tests: some threads fire while others register and unregister probes.

use core::cell::UnsafeCell;
use kernel::{
    bindings,
    error::from_err_ptr,
    ffi::{c_int, c_void},
    prelude::*,
    sync::atomic::{Atomic, Relaxed},
    time::{delay::fsleep, Delta},
};
use ktap::{check, check_eq, tests};
use tracepoint::*;

mod ktap;

tests![
    register_while_firing,
    register_from_two_threads,
    drop_waits_for_the_probe,
    drop_waits_for_a_sleeping_probe,
    group_waits_for_the_probe,
];

tracepoint! {
    fn race_plain(n: u32);
    faultable fn race_faultable(n: u32);
}

define_trace!(race_plain, race_faultable);

/// A thread that calls `body` repeatedly until this is dropped.
struct Thread(*mut bindings::task_struct);

impl Thread {
    fn new(body: fn()) -> Result<Self> {
        /// # Safety
        ///
        /// `body` must be a `fn()`.
        unsafe extern "C" fn run(body: *mut c_void) -> c_int {
            // SAFETY: By the safety contract, `body` is a `fn()`, which has the size of a pointer.
            let body = unsafe { core::mem::transmute::<*mut c_void, fn()>(body) };
            // SAFETY: `kthread_should_stop()` (kernel/kthread.c) must be called in a kernel thread,
            // and only `kthread()` calls this function, in one.
            while !unsafe { bindings::kthread_should_stop() } {
                body();
            }
            0
        }

        // SAFETY: `run` is passed a `fn()`, as required. It returns when `drop` stops the thread.
        let task = from_err_ptr(unsafe {
            bindings::kthread_create_on_node(
                Some(run),
                body as *mut c_void,
                -1,
                c"race_test".as_char_ptr(),
            )
        })?;
        // SAFETY: `kthread_create_on_node()` has returned `task`, which waits for this and can't
        // have ended.
        unsafe { bindings::wake_up_process(task) };
        Ok(Self(task))
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // SAFETY: `kthread_stop()` (kernel/kthread.c) takes a thread that hasn't ended: it runs
        // until it's stopped, which happens only here.
        unsafe { bindings::kthread_stop(self.0) };
    }
}

/// Probe data that detects use after drop.
struct Canary(UnsafeCell<u64>);

// SAFETY: Only `drop` writes to the value, with exclusive access. `look` only reads it.
unsafe impl Sync for Canary {}

static DEAD: Atomic<i32> = Atomic::new(0);
static CALLS: Atomic<i32> = Atomic::new(0);

impl Canary {
    const ALIVE: u64 = 0x0123_4567_89ab_cdef;

    fn new() -> Self {
        Self(UnsafeCell::new(Self::ALIVE))
    }

    fn look(&self) {
        CALLS.add(1, Relaxed);
        // SAFETY: The pointer is valid unless the tested code is broken.
        if unsafe { self.0.get().read_volatile() } != Self::ALIVE {
            DEAD.add(1, Relaxed);
        }
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        // SAFETY: The value is ours, and `&mut self` shows that nobody else is using it any more,
        // unless the tested code is broken.
        unsafe { self.0.get().write_volatile(0) };
    }
}

fn fire() {
    for n in 0..100 {
        trace!(race_plain(n));
    }
    fsleep(Delta::from_micros(100));
}

fn register_while_firing() -> Result {
    let _threads = [Thread::new(fire)?, Thread::new(fire)?];
    CALLS.store(0, Relaxed);
    for round in 0..40 {
        let mut probes = KVec::new();
        for prio in 0..round % 4 + 1 {
            let canary = Canary::new();
            let probe = race_plain.register_prio(move |_| canary.look(), prio)?;
            probes.push(probe, GFP_KERNEL)?;
        }
        // Drop probes at both ends in turn, so that the probe array shrinks in every way.
        while let Some(last) = probes.pop() {
            drop(last);
            if !probes.is_empty() {
                drop(probes.remove(0));
            }
        }
    }
    check!(CALLS.load(Relaxed) > 0);
    check_eq!(DEAD.load(Relaxed), 0);
    check!(!race_plain::enabled());
    Ok(())
}

fn register_from_two_threads() -> Result {
    static ROUNDS: Atomic<i32> = Atomic::new(0);
    static ERRORS: Atomic<i32> = Atomic::new(0);

    fn one_round() {
        let canary = Canary::new();
        if race_plain.register(move |_| canary.look()).is_err() {
            ERRORS.add(1, Relaxed);
        }
        let canary = Canary::new();
        if race_faultable.register(move |_| canary.look()).is_err() {
            ERRORS.add(1, Relaxed);
        }
        trace!(race_faultable(1));
        ROUNDS.add(1, Relaxed);
    }

    let threads = [
        Thread::new(one_round)?,
        Thread::new(one_round)?,
        Thread::new(fire)?,
    ];
    while ROUNDS.load(Relaxed) < 30 {
        fsleep(Delta::from_millis(1));
    }
    drop(threads);
    check_eq!(ERRORS.load(Relaxed), 0);
    check_eq!(DEAD.load(Relaxed), 0);
    check!(!race_plain::enabled() && !race_faultable::enabled());
    Ok(())
}

static INSIDE: Atomic<i32> = Atomic::new(0);
static FINISHED: Atomic<i32> = Atomic::new(0);

/// A slow probe. Counts its start and its end.
fn slow(sleeps: bool) {
    INSIDE.add(1, Relaxed);
    if sleeps {
        fsleep(Delta::from_millis(50));
    } else {
        for _ in 0..20 {
            kernel::time::delay::udelay(Delta::from_millis(1));
        }
    }
    FINISHED.add(1, Relaxed);
}

/// Waits until a probe is running.
fn wait_for_it() {
    INSIDE.store(0, Relaxed);
    FINISHED.store(0, Relaxed);
    while INSIDE.load(Relaxed) == 0 {
        fsleep(Delta::from_micros(100));
    }
}

/// Checks that no probe is running and none is called later.
fn all_is_quiet() -> Result {
    let (inside, finished) = (INSIDE.load(Relaxed), FINISHED.load(Relaxed));
    // The first probe may have started before the counts were reset.
    check!(finished >= inside);
    fsleep(Delta::from_millis(5));
    check_eq!(INSIDE.load(Relaxed), inside);
    check_eq!(FINISHED.load(Relaxed), finished);
    Ok(())
}

fn fire_faultable() {
    trace!(race_faultable(1));
    fsleep(Delta::from_millis(1));
}

fn drop_waits_for_the_probe() -> Result {
    let _thread = Thread::new(fire)?;
    for _ in 0..5 {
        let probe = race_plain.register(|_| slow(false))?;
        wait_for_it();
        drop(probe);
        all_is_quiet()?;
    }
    Ok(())
}

fn drop_waits_for_a_sleeping_probe() -> Result {
    let _thread = Thread::new(fire_faultable)?;
    for _ in 0..5 {
        let probe = race_faultable.register(|_| slow(true))?;
        wait_for_it();
        drop(probe);
        all_is_quiet()?;
    }
    Ok(())
}

fn group_waits_for_the_probe() -> Result {
    let _threads = [Thread::new(fire)?, Thread::new(fire_faultable)?];
    for _ in 0..5 {
        let mut probes = ProbeGroup::new();
        probes.push(race_faultable.register(|_| slow(true))?)?;
        probes.push(race_plain.register(|_| slow(false))?)?;
        wait_for_it();
        drop(probes);
        all_is_quiet()?;
    }
    Ok(())
}

struct RaceTest;

impl kernel::Module for RaceTest {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        ktap::run(TESTS);
        Ok(Self)
    }
}

module! {
    type: RaceTest,
    name: "race_test",
    description: "Concurrency tests of probes",
    license: "GPL",
}
