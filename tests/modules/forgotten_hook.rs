// SPDX-License-Identifier: GPL-2.0

//! The hooks of its tracepoints start a thread and a timer each time, and forget them. They have to
//! end before the module is freed, even if it couldn't be loaded, as with `fail=1`.

use core::{
    mem::replace,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use fs::proc::ProcDir;
use helpers::{KThread, ThisThread, Timer, TimerCallback, TimerList};
use kernel::{fmt, prelude::*};
use tracepoint::{
    event::*,
    lock::Lock,
    unload::{Registered, ShutDown},
    *,
};

mod fs;
mod helpers;

trace_event! {
    system: "forgotten";

    /// Fired by the threads and timers.
    fn forgotten_one(n: i32) {
        n: i32 = n,
    }
    print "{n}"
    with { reg: reg, unreg: unreg };

    /// Has the same hooks.
    fn forgotten_two(n: i32) {
        n: i32 = n,
    }
    print "{n}"
    with { reg: reg, unreg: unreg };

    /// Can't be enabled.
    fn forgotten_refused(n: i32) {
        n: i32 = n,
    }
    print "{n}"
    with { reg: refuse, unreg: unreg };

    /// Can't be enabled the first time.
    fn forgotten_once(n: i32) {
        n: i32 = n,
    }
    print "{n}"
    with { reg: refuse_once, unreg: nothing };

    /// Stops its thread itself.
    fn forgotten_waits(n: i32) {
        n: i32 = n,
    }
    print "{n}"
    with { reg: reg_and_wait, unreg: unreg };
}

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
        trace!(forgotten_one(1));
        self.0.arm(1);
    }
}

/// A value that always says that this task uses it. It takes long to drop.
struct Slow;

impl ShutDown for Slow {
    fn allowed_in_hooks() -> bool {
        true
    }

    fn shut_down(&self) {}

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a slow value")
    }

    fn is_running(&self) -> bool {
        true
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        KThread::sleep(200);
        pr_info!("the value is dropped\n");
    }
}

static REFUSED: AtomicBool = AtomicBool::new(false);

static SLOW: Lock<Option<Registered<Slow>>> = Lock::new(None);

fn thread(thread: &ThisThread) {
    if module_parameters::timer.value().is_positive() {
        pr_info!(
            "a timer in a thread: {:?}\n",
            Timer::start(1, Tick::new()).err()
        );
    }
    while !thread.should_stop() {
        trace!(forgotten_one(2));
        KThread::sleep(1);
    }
    pr_info!("a thread stops\n");
}

fn reg() -> Result {
    let slow = Some(Registered::new(Slow)?);
    drop(replace(&mut *SLOW.lock(), slow));
    core::mem::forget(KThread::run(c"fhook-reg", thread)?);
    core::mem::forget(Timer::start(1, Tick::new())?);
    let probe = forgotten_two.register(|_| ());
    pr_info!("a probe in a hook: {:?}\n", probe.err());
    let dir = ProcDir::new(c"tracepoint-hook", None);
    pr_info!("a directory in a hook: {:?}\n", dir.err());
    Ok(())
}

fn unreg() {
    pr_info!("unreg\n");
    if module_parameters::late.value().is_positive() {
        return;
    }
    let slow = SLOW.lock().take();
    if slow.is_some() {
        drop(slow);
        pr_info!("the hook goes on\n");
    }
    if let Ok(thread) = KThread::run(c"fhook-unreg", thread) {
        core::mem::forget(thread);
    }
}

fn refuse() -> Result {
    reg()?;
    Err(EBUSY)
}

fn refuse_once() -> Result {
    match REFUSED.swap(true, Relaxed) {
        true => Ok(()),
        false => Err(EBUSY),
    }
}

fn nothing() {}

fn reg_and_wait() -> Result {
    let thread = KThread::run(c"fhook-wait", thread)?;
    KThread::sleep(100);
    drop(thread);
    pr_info!("reg has waited\n");
    Ok(())
}

struct ForgottenHook {
    _thread: Option<KThread>,
}

impl kernel::Module for ForgottenHook {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        if module_parameters::fail.value().is_positive() {
            return Err(EBUSY);
        }
        let mut thread = None;
        if module_parameters::own.value().is_positive() {
            thread = Some(KThread::run(c"fhook-own", thread_of_init)?);
        }
        Ok(Self { _thread: thread })
    }
}

impl Drop for ForgottenHook {
    fn drop(&mut self) {
        if module_parameters::late.value().is_positive() {
            let slow = SLOW.lock().take();
            drop(slow);
        }
    }
}

fn thread_of_init(thread: &ThisThread) {
    while !thread.should_stop() {
        trace!(forgotten_one(3));
        trace!(forgotten_two(3));
        trace!(forgotten_refused(3));
        trace!(forgotten_once(3));
        trace!(forgotten_waits(3));
        KThread::sleep(1);
    }
}

module! {
    type: ForgottenHook,
    name: "forgotten_hook",
    description: "Forgets what its hooks start",
    license: "GPL",
    params: {
        fail: i8 {
            default: 0,
            description: "Fail to load",
        },
        own: i8 {
            default: 0,
            description: "Start a thread outside of the hooks, too",
        },
        late: i8 {
            default: 0,
            description: "Drop the slow value when the module is unloaded",
        },
        timer: i8 {
            default: 0,
            description: "Start a timer in the hooks' threads",
        },
    },
}
