// SPDX-License-Identifier: GPL-2.0

//! Forgets threads, timers and a file in `/proc`, and leaves some in statics. They have to end when
//! the module is unloaded, or when its init function fails, as it does with `fail=1`.

use fs::proc::{ProcDir, ProcEntry, ProcOps};
use helpers::{KThread, Slot, ThisThread, Timer, TimerCallback, TimerList};
use kernel::{
    prelude::*,
    seq_file::SeqFile,
    seq_print,
    sync::atomic::{Atomic, Relaxed},
    time::{delay::fsleep, Delta},
};

mod fs;
mod helpers;

static THREAD: Slot<KThread> = Slot::new();
static FILE: Slot<ProcEntry<Ticks>> = Slot::new();
static SLOW: Slot<KThread> = Slot::new();
static TIMER: Slot<Timer<Tick>> = Slot::new();

/// Set when the slow thread is told to stop.
static STOPPING: Atomic<bool> = Atomic::new(false);
static TICKS: Atomic<i32> = Atomic::new(0);

/// A timer that runs again at once.
struct Tick(TimerList);

impl Tick {
    fn new() -> Self {
        Self(TimerList::new())
    }
}

impl TimerCallback for Tick {
    fn timer(&self) -> &TimerList {
        &self.0
    }

    fn expired(&self) {
        TICKS.fetch_add(1, Relaxed);
        self.0.arm(1);
    }
}

/// Waits until the thread is told to stop.
fn wait(thread: &ThisThread) {
    while !thread.should_stop() {
        KThread::sleep(10);
    }
}

/// Doesn't stop before another has had the time to drop its `KThread`.
fn slow(thread: &ThisThread) {
    wait(thread);
    STOPPING.store(true, Relaxed);
    // Not a `KThread::sleep`, which returns at once when the thread is told to stop.
    fsleep(Delta::from_millis(300));
    pr_info!("the slow thread stops\n");
}

/// Drops the slow thread while it's being stopped.
fn owner(thread: &ThisThread) {
    while !STOPPING.load(Relaxed) && !thread.should_stop() {
        KThread::sleep(1);
    }
    SLOW.clear();
    pr_info!("its owner has dropped it\n");
    wait(thread);
}

/// Starts timers all the time, drops some and forgets others.
fn churn(thread: &ThisThread) {
    let mut refused = None;
    for n in 0.. {
        if thread.should_stop() {
            break;
        }
        match Timer::start(n % 3, Tick::new()) {
            Ok(timer) if n % 10 == 0 => core::mem::forget(timer),
            Ok(timer) => drop(timer),
            Err(error) => refused = Some(error),
        }
        KThread::sleep(1);
    }
    pr_info!("the last timer: {:?}\n", refused);
}

/// A file that shows the ticks.
struct Ticks;

#[vtable]
impl ProcOps for Ticks {
    fn show(&self, m: &SeqFile) -> Result {
        seq_print!(m, "{}\n", TICKS.load(Relaxed));
        Ok(())
    }
}

struct Forgotten;

impl kernel::Module for Forgotten {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let ends = |thread: &ThisThread| {
            wait(thread);
            pr_info!("the first thread stops\n");
        };
        core::mem::forget(KThread::run(c"forgotten", ends)?);
        THREAD.put(KThread::run(c"forgotten-static", |thread| {
            wait(thread);
            pr_info!("the static's thread stops\n");
        })?)?;
        core::mem::forget(KThread::run(c"forgotten-churn", churn)?);
        core::mem::forget(Timer::start(1, Tick::new())?);
        TIMER.put(Timer::start(1, Tick::new())?)?;

        // The slow thread is newer, so it's stopped first.
        core::mem::forget(KThread::run(c"forgotten-owner", owner)?);
        SLOW.put(KThread::run(c"forgotten-slow", slow)?)?;

        let thread = KThread::run(c"forgotten-last", |thread| {
            wait(thread);
            pr_info!(
                "the last thread stops after {} ticks\n",
                TICKS.load(Relaxed).min(1)
            );
        })?;
        KBox::leak(KBox::new(thread, GFP_KERNEL)?);

        let dir = ProcDir::new(c"tracepoint-forgotten", None)?;
        FILE.put(ProcEntry::new(c"static", 0o444, Some(&dir), Ticks)?)?;
        core::mem::forget(ProcEntry::new(c"ticks", 0o444, Some(&dir), Ticks)?);

        if module_parameters::fail.value().is_positive() {
            return Err(EBUSY);
        }
        Ok(Self)
    }
}

module! {
    type: Forgotten,
    name: "forgotten",
    description: "Forgets threads, timers and files",
    license: "GPL",
    params: {
        fail: i8 {
            default: 0,
            description: "Fail to load",
        },
    },
}
