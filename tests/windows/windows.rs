// SPDX-License-Identifier: GPL-2.0

//! Races that a test decides. What is written to `/proc/windows` says what is done:
//!
//! - `arm NAME N`: the task that comes to a window of the library for the Nth time stops there;
//! - `inside`: waits until it has come there;
//! - `release`: lets it go on;
//! - `span`: a thread begins and ends a span;
//! - `write`: a thread writes to the recorder and dumps it;
//! - `dump N`: dumps it here;
//! - `leave`: drops a value that takes three seconds to shut down, but not here;
//! - `late`: a thread that nobody waits for registers a value.
//!
//! While it's unloaded, a thread drops a value that's being shut down, or stops in the window `unlink`.

use command::Command;
use fs::proc::ProcEntry;
use helpers::{KThread, Slot};
use kernel::{
    bindings,
    error::from_err_ptr,
    ffi::{c_int, c_void},
    fmt,
    prelude::*,
    sync::{
        atomic::{Atomic, Full, Relaxed},
        rcu, SetOnce,
    },
    time::{
        delay::{fsleep, udelay},
        Delta, Instant, Monotonic,
    },
};
use tracepoint::{
    event::*,
    unload::{Registered, ShutDown},
    *,
};

mod command;
mod fs;
mod helpers;

trace_event! {
    system: "windows";

    span fn win_span(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}

const WINDOWS: [&str; 7] = [
    "span", "recorder", "work", "logged", "link", "unlink", "done",
];

/// The window that's armed, and how often somebody has to come there.
static ARMED: Atomic<usize> = Atomic::new(usize::MAX);
static LEFT: Atomic<i32> = Atomic::new(0);
static INSIDE: Atomic<bool> = Atomic::new(false);

fn is_armed(name: &str) -> bool {
    WINDOWS.get(ARMED.load(Relaxed)) == Some(&name)
}

/// Called by the library.
#[no_mangle]
fn tracepoint_window(name: &str) {
    if !is_armed(name) || LEFT.fetch_add(-1, Relaxed) != 1 {
        return;
    }
    INSIDE.store(true, Relaxed);
    // At most nine seconds, and three after the module has begun to go.
    let mut start = Instant::<Monotonic>::now();
    let mut seconds = 9;
    while INSIDE.load(Relaxed) && start.elapsed() < Delta::from_secs(seconds) {
        if is_going() && seconds != 3 {
            (start, seconds) = (Instant::now(), 3);
        }
        udelay(Delta::from_millis(1));
    }
    pr_info!("{name} goes on\n");
}

static MODULE: Atomic<*mut bindings::module> = Atomic::new(core::ptr::null_mut());

fn is_going() -> bool {
    // SAFETY: `init` stores the module in `MODULE` before a window can be armed, and the module is
    // valid while its code runs.
    let state = unsafe { (&raw const (*MODULE.load(Relaxed)).state).read_volatile() };
    state == bindings::module_state_MODULE_STATE_GOING
}

static RECORDER: SetOnce<FlightRecorder> = SetOnce::new();
static WRITE: Atomic<bool> = Atomic::new(false);
static THREAD: Slot<KThread> = Slot::new();
static SLOW: Slot<Registered<Value>> = Slot::new();
static SHUTTING: Atomic<bool> = Atomic::new(false);

/// A value that takes time to shut down, if it has any.
struct Value(&'static str, i64);

impl ShutDown for Value {
    fn shut_down(&self) {
        if self.1 != 0 {
            SHUTTING.store(true, Relaxed);
            fsleep(Delta::from_millis(self.1));
        }
        pr_info!("shut down: {}\n", self.0);
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

fn value(name: &'static str, time: i64) -> Result<Registered<Value>> {
    Registered::new(Ok::<_, Error>(Value(name, time)))
}

/// The module is unloaded while this runs. windows_watch.rs keeps it from being freed.
fn late() -> Result {
    /// # Safety
    ///
    /// There are no requirements, because it doesn't use its argument.
    unsafe extern "C" fn run(_: *mut c_void) -> c_int {
        let late = value("late", 0);
        pr_info!("late: {:?}\n", late.as_ref().err());
        core::mem::forget(late);
        0
    }

    // SAFETY: `kthread_create_on_node()` (kernel/kthread.c) takes a function and a format. The thread has
    // just been created.
    unsafe {
        bindings::wake_up_process(from_err_ptr(bindings::kthread_create_on_node(
            Some(run),
            core::ptr::null_mut(),
            bindings::NUMA_NO_NODE,
            c"windows-late".as_char_ptr(),
        ))?);
    }
    Ok(())
}

fn command(text: &str) -> Result {
    let mut words = text.split_ascii_whitespace();
    let command = words.next().ok_or(EINVAL)?;
    let argument = words.next().unwrap_or_default();
    let number = |text: &str| text.parse::<u32>().map_err(|_| EINVAL);
    match command {
        "arm" => {
            let window = WINDOWS.iter().position(|known| *known == argument);
            LEFT.store(number(words.next().unwrap_or("1"))? as i32, Relaxed);
            ARMED.store(window.ok_or(EINVAL)?, Relaxed);
        }
        "inside" => {
            while !INSIDE.load(Relaxed) {
                KThread::sleep(1);
            }
        }
        "release" => {
            ARMED.store(usize::MAX, Relaxed);
            INSIDE.store(false, Relaxed);
        }
        "span" => THREAD.put(KThread::run(c"windows-span", |_| {
            let _span = span!(win_span(1));
        })?)?,
        "write" => WRITE.store(true, Relaxed),
        "dump" => RECORDER.as_ref().ok_or(ENOENT)?.dump(number(argument)?),
        "leave" => {
            let value = value("left", 3_000)?;
            let _guard = rcu::read_lock();
            drop(value);
        }
        "late" => late()?,
        _ => return Err(EINVAL),
    }
    Ok(())
}

struct Windows {
    _command: ProcEntry<Command>,
}

impl kernel::Module for Windows {
    fn init(module: &'static ThisModule) -> Result<Self> {
        MODULE.store(module.as_ptr(), Relaxed);
        // Older than what they use, so they're stopped later.
        core::mem::forget(KThread::run(c"windows-write", |thread| {
            while !thread.should_stop() {
                if WRITE.xchg(false, Full) {
                    if let Some(recorder) = RECORDER.as_ref() {
                        recorder.write(fmt!("written"));
                        recorder.dump(3);
                    }
                }
                KThread::sleep(1);
            }
        })?);
        core::mem::forget(KThread::run(c"windows-owner", |thread| {
            let inside = || is_armed("unlink") && INSIDE.load(Relaxed);
            while !thread.should_stop() && !SHUTTING.load(Relaxed) && !inside() {
                KThread::sleep(1);
            }
            SLOW.clear();
            pr_info!("its owner has dropped it\n");
        })?);
        SLOW.put(value("slow", 500)?)?;
        core::mem::forget(value("older", 0)?);
        RECORDER.populate(FlightRecorder::builder(c"windows").build()?);
        Ok(Self {
            _command: ProcEntry::new(c"windows", 0o200, None, Command(command))?,
        })
    }
}

module! {
    type: Windows,
    name: "windows",
    description: "Races that a test decides",
    license: "GPL",
}
