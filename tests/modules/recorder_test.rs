// SPDX-License-Identifier: GPL-2.0

//! A driver with a flight recorder, which does what is written to `/proc/recorder-test`.

use command::Command;
use core::borrow::Borrow;
use event::{trace_event, Str};
use fs::proc::ProcEntry;
use helpers::{KThread, ThisThread};
use kernel::{
    error::to_result,
    ffi::{c_char, c_int},
    prelude::*,
    str::CString,
    sync::{
        atomic::{Atomic, Relaxed},
        SetOnce,
    },
};
use tracepoint::{flight_recorder::Builder, lock::Lock, *};

mod command;
mod fs;
mod helpers;

trace_event! {
    system: "recorder_test";

    fn recorder_event(text: &CStr, n: u32) {
        text: Str = text,
        n: u32 = n,
    }
    print "{text} {n}";

    /// Its hook creates a recorder.
    fn recorder_hook(n: u32) {
        n: u32 = n,
    }
    print "{n}"
    with { reg: hook, unreg: no_hook };
}

fn hook() -> Result {
    let error = FlightRecorder::builder(c"recorder_hook").build().err();
    pr_info!("in a hook: {error:?}\n");
    Ok(())
}

fn no_hook() {}

static RECORDER: Lock<Option<FlightRecorder>> = Lock::new(None);

/// For contexts in which nothing can be locked. Never dropped.
static ONCE: SetOnce<FlightRecorder> = SetOnce::new();

/// Has it write to the log while a CPU goes offline. Never dropped.
static HOTPLUG: SetOnce<Probe> = SetOnce::new();

/// The value of a parameter. Before 7.3, the kernel crate returns a reference.
fn value<T: Copy>(value: impl Borrow<T>) -> T {
    *value.borrow()
}

fn describe<'a>() -> Builder<'a> {
    let builder = FlightRecorder::builder(c"recorder_test")
        .event(recorder_event)
        .event_by_name(c"sched", c"sched_process_exit")
        .system(c"oom")
        .keep(value::<u8>(module_parameters::keep.value()).into());
    match value::<u16>(module_parameters::size.value()) {
        0 => builder,
        size => builder.buffer_size_kb(size.into()),
    }
}

fn fire(n: u32) {
    trace!(recorder_event(c"fired", n));
}

const CONTEXTS: [&CStr; 5] = [c"task", c"irqs_off", c"softirq", c"hardirq", c"nmi"];

static CONTEXT: Atomic<usize> = Atomic::new(0);

extern "C" fn report() {
    if let (Some(recorder), Some(context)) = (ONCE.as_ref(), CONTEXTS.get(CONTEXT.load(Relaxed))) {
        recorder.stop();
        recorder.write(fmt!("lost in {}", *context));
        recorder.start();
        recorder.write(fmt!("written in {}", *context));
        recorder.dump(1);
    }
}

extern "C" {
    /// Calls `function` in the named context; may sleep. Defined in c_contexts.c.
    fn c_contexts_call(context: *const c_char, function: extern "C" fn()) -> c_int;
}

fn in_context(name: &str) -> Result {
    let context = CONTEXTS
        .iter()
        .position(|known| known.to_bytes() == name.as_bytes())
        .ok_or(EINVAL)?;
    CONTEXT.store(context, Relaxed);
    // SAFETY: The name is a C string, and the test writes one context at a time.
    to_result(unsafe { c_contexts_call(CONTEXTS[context].as_char_ptr(), report) })
}

fn number(text: &str) -> Result<u32> {
    text.parse().map_err(|_| EINVAL)
}

fn command(text: &str) -> Result {
    let (command, argument) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let mut recorder = RECORDER.lock();
    match command {
        "new" => {
            // A second one of the same name before the first goes.
            let new = describe().build()?;
            *recorder = Some(new);
            return Ok(());
        }
        "once" => {
            if !ONCE.populate(describe().build()?) {
                return Err(EBUSY);
            }
            return Ok(());
        }
        "hotplug" => {
            let probe = linux::cpuhp::cpuhp_exit.register(|_, _, _, _| {
                if let Some(recorder) = ONCE.as_ref() {
                    recorder.dump(1);
                }
            })?;
            return HOTPLUG.populate(probe).then_some(()).ok_or(EBUSY);
        }
        "context" => return in_context(argument),
        "named" => {
            let name = CString::try_from_fmt(fmt!("{argument}"))?;
            drop(FlightRecorder::builder(&name).build()?);
            return Ok(());
        }
        "missing" => {
            let builder = FlightRecorder::builder(c"recorder_missing").keep(1);
            let result = builder.event_by_name(c"recorder_test", c"missing").build();
            return result.map(drop);
        }
        "empty" => {
            let builder = FlightRecorder::builder(c"recorder_empty").buffer_size_kb(0);
            return builder.build().map(drop);
        }
        "huge" => {
            let builder = FlightRecorder::builder(c"recorder_huge").buffer_size_kb(u32::MAX);
            return builder.build().map(drop);
        }
        "fire" => {
            (0..number(argument)?).for_each(fire);
            return Ok(());
        }
        "drop" => {
            *recorder = None;
            return Ok(());
        }
        _ => (),
    }
    let recorder = recorder.as_ref().ok_or(ENOENT)?;
    match command {
        "write" => recorder.write(fmt!("{argument}")),
        "nul" => recorder.write(fmt!("one\0two")),
        "long" => recorder.write(fmt!("{:0>300}", 1)),
        "endless" => recorder.write(format_args!("{}", Endless)),
        "stop" => recorder.stop(),
        "start" => recorder.start(),
        "dump" => recorder.dump(number(argument)?),
        _ => return Err(EINVAL),
    }
    Ok(())
}

/// Text that never ends, unless writing fails.
struct Endless;

impl core::fmt::Display for Endless {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        loop {
            f.write_str("endless ")?;
        }
    }
}

/// Uses the recorder all the time.
fn user(thread: &ThisThread) {
    while !thread.should_stop() {
        for n in 0..100 {
            fire(n);
            if let Some(recorder) = ONCE.as_ref() {
                recorder.write(fmt!("busy {n}"));
                recorder.stop();
                recorder.start();
                recorder.dump(n % 2);
            }
        }
        KThread::sleep(1);
    }
}

struct RecorderTest {
    _file: ProcEntry<Command>,
}

impl kernel::Module for RecorderTest {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        // First: if it failed later, the static would keep the recorder's memory.
        let _file = ProcEntry::new(c"recorder-test", 0o222, None, Command(command))?;
        if module_parameters::busy.value().is_positive() {
            // Older than the recorder, so it uses that while it's shut down, and afterwards.
            core::mem::forget(KThread::run(c"recorder-user", user)?);
            core::mem::forget(KThread::run(c"recorder-user", user)?);
            ONCE.populate(describe().build()?);
        } else {
            let recorder = describe().build()?;
            fire(1);
            recorder.write(fmt!("the driver is loaded"));
            if module_parameters::fail.value().is_positive() {
                recorder.write(fmt!("the driver fails"));
                recorder.dump(2);
                return Err(EIO);
            }
            *RECORDER.lock() = Some(recorder);
        }
        Ok(Self { _file })
    }
}

impl Drop for RecorderTest {
    fn drop(&mut self) {
        if !module_parameters::forget.value().is_positive() {
            *RECORDER.lock() = None;
        }
    }
}

module! {
    type: RecorderTest,
    name: "recorder_test",
    description: "A driver with a flight recorder",
    license: "GPL",
    params: {
        size: u16 {
            default: 0,
            description: "The size of the buffer, in KiB",
        },
        keep: u8 {
            default: 0,
            description: "How many lines are kept",
        },
        fail: i8 {
            default: 0,
            description: "Fail to load",
        },
        forget: i8 {
            default: 0,
            description: "Leave the recorder in a static",
        },
        busy: i8 {
            default: 0,
            description: "Use the recorder all the time",
        },
    },
}
