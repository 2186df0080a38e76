// SPDX-License-Identifier: GPL-2.0

//! Drops what it has registered where that would have to wait for itself. What is written to
//! `/proc/drops` says what is dropped. Each value that has been dropped says so in the log.

use command::Command;
use fs::proc::{ProcEntry, ProcOps};
use helpers::{KThread, Slot, Timer, TimerCallback, TimerList};
use kernel::{
    error::to_result,
    ffi::{c_char, c_int},
    fmt,
    prelude::*,
    sync::atomic::{Atomic, Full, Relaxed},
    task::Task,
    uaccess::UserSliceReader,
};
use tracepoint::{
    event::*,
    linux::{sched::sched_switch, workqueue::workqueue_execute_end},
    lock::Lock,
    unload::{Registered, ShutDown},
    *,
};

mod command;
mod fs;
mod helpers;

tracepoint! {
    fn drops_probe();
    fn drops_pair();
    fn drops_group();
    fn drops_recorder();
    fn drops_register();
    fn drops_lock();
    fn drops_switch();
    faultable fn drops_faultable();
    fn drops_unused();
}
define_trace!(
    drops_probe,
    drops_pair,
    drops_group,
    drops_recorder,
    drops_register,
    drops_lock,
    drops_switch,
    drops_faultable,
    drops_unused,
);

trace_event! {
    system: "drops";

    /// Its hook stops a thread that registers and drops what it can.
    fn drops_hook(n: u32) {
        n: u32 = n,
    }
    print "{n}"
    with { reg: reg, unreg: unreg };

    fn drops_event(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}

/// Part of a value, to see when it's dropped.
struct Witness(&'static str);

impl Witness {
    fn look(&self) {}
}

impl Drop for Witness {
    fn drop(&mut self) {
        pr_info!("dropped: {}\n", self.0);
    }
}

/// Dropped by a probe.
static VICTIM: Slot<Probe> = Slot::new();
static PAIR: Slot<Probe> = Slot::new();
static GROUP: Slot<ProbeGroup> = Slot::new();
static RECORDER: Slot<FlightRecorder> = Slot::new();
static ATOMIC: Slot<Probe> = Slot::new();
static IRQS_OFF: Slot<Probe> = Slot::new();
static FAULTABLE: Slot<Probe> = Slot::new();
static TWICE: Slot<Probe> = Slot::new();
static HOOKED: Slot<Probe> = Slot::new();

/// Has the probe of `sched_switch` do it.
static NOW: Atomic<bool> = Atomic::new(false);

/// Dropped with a lock held that it takes.
static LOCKED: Slot<Probe> = Slot::new();
static LOCK: Lock<()> = Lock::new(());
static INSIDE: Atomic<bool> = Atomic::new(false);
/// Not in `THREAD`, which others drop: a thread that's stopped before it has run never gets inside.
static LOCKER: Slot<KThread> = Slot::new();

/// The worker in which an `Ending` has been started. After the work item, it waits for a lock.
static WORKER: Atomic<usize> = Atomic::new(0);
static ENDING: Lock<()> = Lock::new(());

/// Dropped by themselves.
static THREAD: Slot<KThread> = Slot::new();
static TIMER: Slot<Timer<Once>> = Slot::new();
static FILE: Slot<ProcEntry<File>> = Slot::new();
static HOOK: Slot<KThread> = Slot::new();
static SHUT: Slot<Registered<Shut>> = Slot::new();

struct Once(TimerList, Witness);

impl TimerCallback for Once {
    fn timer(&self) -> &TimerList {
        &self.0
    }

    fn expired(&self) {
        TIMER.clear();
        self.1.look();
        pr_info!("the timer goes on\n");
        self.0.arm(1);
    }
}

struct File(Witness);

#[vtable]
impl ProcOps for File {
    fn write(&self, _data: UserSliceReader, _offset: i64) -> Result<usize> {
        FILE.clear();
        self.0.look();
        pr_info!("the file goes on\n");
        Ok(usize::MAX)
    }
}

/// Drops itself while it's shut down.
struct Shut(Witness);

impl ShutDown for Shut {
    fn shut_down(&self) {
        SHUT.clear();
        let another = Registered::<Other>::new(Ok::<_, Error>(Other));
        pr_info!("another one: {:?}\n", another.err());
        self.0.look();
        pr_info!("the value goes on\n");
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
}

struct Other;

impl ShutDown for Other {
    fn shut_down(&self) {}

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another value")
    }
}

struct Ending(Witness);

impl ShutDown for Ending {
    fn start(&self) -> Result {
        self.0.look();
        WORKER.store(Task::current_raw() as usize, Relaxed);
        Ok(())
    }

    fn shut_down(&self) {}

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an ending")
    }
}

fn reg() -> Result {
    HOOK.put(KThread::run(c"drops-hook", |thread| {
        let probe = drops_unused.register(|| ());
        pr_info!("hook: the thread runs: {:?}\n", probe.as_ref().err());
        while !thread.should_stop() {
            KThread::sleep(100);
        }
        pr_info!("hook: a probe: {:?}\n", drops_unused.register(|| ()).err());
        pr_info!(
            "hook: a recorder: {:?}\n",
            FlightRecorder::builder(c"drops_hook")
                .event(drops_event)
                .build()
                .err()
        );
        drop(probe);
        pr_info!("hook: the thread stops\n");
    })?)
}

fn unreg() {
    HOOKED.clear();
    HOOK.clear();
    pr_info!("hook: unreg returns\n");
}

/// Returns a probe that says when it's dropped.
fn victim(name: &'static str) -> impl Fn() + Send + Sync + 'static {
    let witness = Witness(name);
    move || witness.look()
}

extern "C" {
    /// Calls `function` in the named context. Defined in c_contexts.c.
    fn c_contexts_call(context: *const c_char, function: extern "C" fn()) -> c_int;
}

fn hold_the_lock() -> Result {
    let locked = LOCK.lock();
    LOCKER.put(KThread::run(c"drops-lock", |_| trace!(drops_lock()))?)?;
    while !INSIDE.load(Relaxed) {
        KThread::sleep(1);
    }
    LOCKED.clear();
    pr_info!("the lock is released\n");
    drop(locked);
    Ok(())
}

fn command(text: &str) -> Result {
    match text.trim() {
        "probe" => trace!(drops_probe()),
        "pair" => trace!(drops_pair()),
        "group" => trace!(drops_group()),
        "recorder" => trace!(drops_recorder()),
        "register" => trace!(drops_register()),
        "faultable" => trace!(drops_faultable()),
        "switch" => NOW.store(true, Relaxed),
        "lock" => hold_the_lock()?,
        "ending" => {
            let locked = ENDING.lock();
            let ending = Registered::<Ending>::new(Ok::<_, Error>(Ending(Witness("ending"))));
            pr_info!("ending: {:?}\n", ending.err());
            drop(locked);
        }
        "irqs_off" => {
            extern "C" fn clear() {
                IRQS_OFF.clear();
            }
            // SAFETY: The context and the function are what tests/modules/c_contexts.c expects.
            to_result(unsafe { c_contexts_call(c"irqs_off".as_char_ptr(), clear) })?;
        }
        "timer" => TIMER.put(Timer::start(1, Once(TimerList::new(), Witness("timer")))?)?,
        "thread" => {
            let witness = Witness("thread");
            THREAD.put(KThread::run(c"drops-thread", move |thread| {
                KThread::sleep(50);
                THREAD.clear();
                while !thread.should_stop() {
                    KThread::sleep(1);
                }
                witness.look();
                pr_info!("the thread goes on\n");
            })?)?;
        }
        _ => return Err(EINVAL),
    }
    Ok(())
}

struct Drops {
    _probes: ProbeGroup,
    _command: ProcEntry<Command>,
}

impl kernel::Module for Drops {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let mut probes = ProbeGroup::new();

        VICTIM.put(drops_unused.register(victim("probe"))?)?;
        probes.push(drops_probe.register(|| {
            VICTIM.clear();
            pr_info!("the probe goes on\n");
        })?)?;

        // The kernel waits before one probe is left, whose data is another's.
        PAIR.put(drops_pair.register_prio(victim("pair"), 20)?)?;
        probes.push(drops_pair.register(|| {
            PAIR.clear();
            pr_info!("the pair goes on\n");
        })?)?;

        let mut group = ProbeGroup::new();
        group.push(drops_unused.register(victim("group"))?)?;
        let witness = Witness("group");
        group.push(drops_group.register(move || {
            GROUP.clear();
            witness.look();
            pr_info!("the group goes on\n");
        })?)?;
        GROUP.put(group)?;

        RECORDER.put(
            FlightRecorder::builder(c"drops")
                .event(drops_event)
                .build()?,
        )?;
        probes.push(drops_recorder.register(|| {
            RECORDER.clear();
            pr_info!("the recorder goes on\n");
        })?)?;

        // The kernel waits before it calls the first probe again.
        TWICE.put(drops_switch.register(victim("twice"))?)?;
        probes.push(drops_register.register(|| {
            TWICE.clear();
            pr_info!(
                "register: {:?}\n",
                drops_switch.register(victim("again")).err()
            );
        })?)?;

        LOCKED.put(drops_lock.register({
            let witness = Witness("locked");
            move || {
                INSIDE.store(true, Relaxed);
                drop(LOCK.lock());
                witness.look();
            }
        })?)?;

        ATOMIC.put(drops_unused.register(victim("atomic"))?)?;
        probes.push(sched_switch.register(|_, _, _, _| {
            if NOW.xchg(false, Full) {
                ATOMIC.clear();
            }
        })?)?;

        probes.push(workqueue_execute_end.register(|_, _| {
            if WORKER.load(Relaxed) == Task::current_raw() as usize {
                WORKER.store(0, Relaxed);
                drop(ENDING.lock());
            }
        })?)?;

        IRQS_OFF.put(drops_unused.register(victim("irqs_off"))?)?;

        HOOKED.put(drops_unused.register(victim("hooked"))?)?;

        FAULTABLE.put(drops_unused.register(victim("faultable"))?)?;
        probes.push(drops_faultable.register(|| {
            FAULTABLE.clear();
            pr_info!("the faultable probe goes on\n");
        })?)?;

        FILE.put(ProcEntry::new(
            c"drops-file",
            0o200,
            None,
            File(Witness("file")),
        )?)?;
        SHUT.put(Registered::new(Ok::<_, Error>(Shut(Witness("shut"))))?)?;

        Ok(Self {
            _probes: probes,
            _command: ProcEntry::new(c"drops", 0o200, None, Command(command))?,
        })
    }
}

module! {
    type: Drops,
    name: "drops",
    description: "Drops what it has registered where it can't wait",
    license: "GPL",
}
