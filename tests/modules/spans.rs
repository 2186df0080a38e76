// SPDX-License-Identifier: GPL-2.0

//! Spans with known ends. What is written to `/proc/spans` says what is to be done:
//!
//! - `exits`: leaves spans in all ways in which a block can be left;
//! - `async`: begins spans here and ends them in another thread, in a timer, and never;
//! - `events`: fires an instant and a counter;
//! - `hold`, `release`: begins a span in a thread, which ends it when it's told to;
//! - `disable`: disables that span's event, and has the thread end the span while this waits for it;
//! - `run`, `stop`: four threads and a timer begin and end spans all the time.

use command::Command;
use fs::proc::ProcEntry;
use helpers::{KThread, Slot, ThisThread, Timer, TimerCallback, TimerList};
use kernel::{
    error::to_result,
    ffi::{c_char, c_int},
    prelude::*,
    sync::atomic::{Atomic, Relaxed},
};
use tracepoint::{event::*, linux::sched::sched_switch, *};

mod command;
mod fs;
mod helpers;

tracepoint_struct! {
    /// An argument that's borrowed.
    struct Work {
        key: u32,
        weight: u64,
    }
}

trace_event! {
    system: "spans";

    /// A piece of work.
    span fn sp_work(key: u32, work: &Work) {
        key: u32 = key,
        weight: u64 = work.weight,
    }
    print "key={key} weight={weight}";

    /// A part of it.
    span fn sp_part(key: u32, name: &CStr) {
        key: u32 = key,
        name: Str = name,
        slice_name: Str = name,
    }
    print "key={key} name={name}";

    /// What the timer does.
    span fn sp_timer() {
        cpu: u8 = 0,
    }
    print "";

    /// A request.
    pub async span fn sp_request(n: u32) {
        n: u32 = n,
        track_name: Str = c"requests",
    }
    print "n={n}";

    /// A moment.
    instant fn sp_moment(id: TraceId) {
        id: TraceId = id,
    }
    print "id={id}";

    /// A number.
    counter fn sp_depth(depth: i32) {
        counter_value: i32 = depth,
    }
    print "depth={counter_value}";
}

/// An argument that outlives the function.
static WORK: Work = Work { key: 0, weight: 8 };

fn fails(key: u32) -> Result<u32> {
    let work = Work { key, weight: 7 };
    let span = span!(sp_work(work.key, &work));
    let result = if key == 1 { Err(EIO) } else { Ok(key) };
    span.result(&result);
    result
}

#[instrument(sp_work(key, &WORK))]
fn by_attribute(key: u32) -> Result<u32> {
    if key == 20 {
        return Err(ENOMEM);
    }
    let value = fails(key)?;
    Ok(value + 1)
}

/// A method, a mutable borrow, and an early return.
struct Machine {
    state: u32,
}

impl Machine {
    #[instrument(sp_part(self.state, c"step"))]
    fn look(&self) -> u32 {
        if self.state > 30 {
            return 1;
        }
        2
    }

    fn step(&mut self) -> Result {
        let key = self.state;
        let _span = span!(sp_part(key, c"mutable"));
        self.state += self.look();
        Err(EINVAL)?
    }
}

fn recurse(depth: u32) {
    let _span = span!(sp_part(depth, c"recurse"));
    if depth > 0 {
        recurse(depth - 1);
    }
}

fn exits() {
    let _ = fails(1);
    let _ = fails(2);
    let _ = by_attribute(1);
    let _ = by_attribute(20);
    let _ = by_attribute(3);
    let mut machine = Machine { state: 30 };
    let _ = machine.step();
    let _ = machine.step();
    recurse(3);
    for key in 40..50 {
        let _span = span!(sp_part(key, c"loop"));
        if key == 41 {
            continue;
        }
        let span = span!(sp_part(key, c"break"));
        if key == 42 {
            span.error(EBUSY);
            break;
        }
    }
    // It lives as long as the block.
    let _ = span!(sp_part(51, c"underscore"));
    let (_a, _b) = (span!(sp_part(52, c"first")), span!(sp_part(52, c"second")));
}

static SPAN: Slot<AsyncSpan<'static, sp_request>> = Slot::new();
static THREAD: Slot<KThread> = Slot::new();
static TIMER: Slot<Timer<Ticks>> = Slot::new();
static HELD: Atomic<bool> = Atomic::new(false);

fn async_spans() -> Result {
    // Ended by another thread.
    let span = async_span!(sp_request(1));
    THREAD.put(KThread::run(c"spans-end", move |_| {
        span.end(&Err::<(), _>(ETIMEDOUT));
    })?)?;
    // Overlap, ended here.
    let first = async_span!(sp_request(2));
    let second = async_span!(sp_request(3));
    drop(first);
    drop(second);
    core::mem::forget(async_span!(sp_request(4)));
    SPAN.put(async_span!(sp_request(5)))?;
    SPAN.clear();
    Ok(())
}

/// Fires a span in interrupts.
struct Ticks(TimerList);

impl TimerCallback for Ticks {
    fn timer(&self) -> &TimerList {
        &self.0
    }

    fn expired(&self) {
        {
            let _span = span!(sp_timer());
            let _span = span!(sp_part(0, c"in the timer"));
        }
        self.0.arm(1);
    }
}

static RUNNING: [Slot<KThread>; 4] = [Slot::new(), Slot::new(), Slot::new(), Slot::new()];

fn run(thread: &ThisThread) {
    let mut key = 0;
    while !thread.should_stop() {
        key = (key + 1) % 8;
        let _ = by_attribute(key);
        recurse(key % 3);
        {
            let _span = span!(sp_part(key, c"sleeps"));
            KThread::sleep(3);
        }
    }
}

extern "C" {
    /// Enables or disables an event; may sleep. C: kernel/trace/trace_events.c.
    fn trace_set_clr_event(system: *const c_char, event: *const c_char, set: c_int) -> c_int;
}

/// How often a task sleeps before it certainly waits for the span, and not only for a lock.
const SLEEPS: u32 = 5;

fn disable() -> Result {
    let pid = current!().pid();
    let slept = Atomic::new(0);
    let probe = sched_switch.register(move |_preempt, prev, _next, state| {
        if prev.pid() == pid && state != 0 && slept.fetch_add(1, Relaxed) == SLEEPS {
            HELD.store(false, Relaxed);
        }
    })?;
    // SAFETY: Both are C strings.
    let result =
        unsafe { trace_set_clr_event(c"spans".as_char_ptr(), c"sp_part".as_char_ptr(), 0) };
    drop(probe);
    to_result(result)
}

fn command(text: &str) -> Result {
    match text.trim() {
        "exits" => exits(),
        "async" => async_spans()?,
        "events" => {
            let id = TraceId::next();
            trace!(sp_moment(id));
            trace!(sp_depth(3));
            trace!(sp_depth(-1));
        }
        "hold" => {
            HELD.store(true, Relaxed);
            THREAD.put(KThread::run(c"spans-hold", |thread| {
                let _span = span!(sp_part(60, c"held"));
                while HELD.load(Relaxed) && !thread.should_stop() {
                    KThread::sleep(1);
                }
            })?)?;
        }
        "disable" => disable()?,
        "release" => HELD.store(false, Relaxed),
        "run" => {
            TIMER.put(Timer::start(1, Ticks(TimerList::new()))?)?;
            for slot in &RUNNING {
                slot.put(KThread::run(c"spans-run", run)?)?;
            }
        }
        "stop" => {
            for slot in &RUNNING {
                slot.clear();
            }
            TIMER.clear();
            THREAD.clear();
        }
        _ => return Err(EINVAL),
    }
    Ok(())
}

struct Spans {
    _command: ProcEntry<Command>,
}

impl kernel::Module for Spans {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _command: ProcEntry::new(c"spans", 0o200, None, Command(command))?,
        })
    }
}

module! {
    type: Spans,
    name: "spans",
    description: "Spans with known ends",
    license: "GPL",
}
