// SPDX-License-Identifier: GPL-2.0

//! The events of C's sample, in the same order. A thread and a timer fire them once a second, and
//! so does a second thread, which runs only while one of its two events is enabled. To enable all:
//! `echo 1 > /sys/kernel/tracing/events/sample-trace/enable`.
//!
//! C version of this sample: `samples/trace_events/trace-events-sample.c` and `.h`.

// Keep the names of the C version.
#![allow(clippy::disallowed_names)]

use core::fmt::Arguments;
use helpers::{
    task::TaskExt, KThread, PerCpuCounter, Slot, ThisThread, Timer, TimerCallback, TimerList,
};
use kernel::{
    cpumask::Cpumask,
    ffi::{c_char, c_int},
    prelude::*,
    sync::atomic::{Atomic, Relaxed},
    task::Task,
    time::Msecs,
};
use tracepoint::{event::*, *};

mod helpers;

const TRACE_SAMPLE_FOO: c_int = 2;
const TRACE_SAMPLE_BAR: c_int = 4;
const TRACE_SAMPLE_ZOO: c_int = 8;

tracepoint_struct! {
    /// The timer, and the data of its callback.
    #[c_name = "foo_timer_data"]
    struct FooTimerData<'a> {
        name: &'a CStr,
        timer: TimerList,
        counter: PerCpuCounter,
    }
}

/// Returns the first `len` bytes of a string, or all of it if it is shorter.
fn prefix(text: &CStr, len: i32) -> &[u8] {
    let text = text.to_bytes();
    text.get(..len as usize).unwrap_or(text)
}

// An event is declared like a function, but without a body; `trace!` fires it. Probes receive its
// arguments, which `trace!` evaluates only while the event is enabled or a probe is attached.
//
// The braces list the recorded fields: a name, a type, and an expression for the value. `print`
// gives the output format. Records are formatted only when the trace is read.
trace_event! {
    system: "sample-trace";

    /// Has a field of nearly every kind. A `[c_char; N]` truncates its string, and a `Formatted` its
    /// text after 511 bytes. The others are as long as needed.
    fn foo_bar(
        foo: &CStr,
        bar: i32,
        lst: &[c_int],
        string: &CStr,
        mask: &Cpumask,
        text: &Arguments<'_>,
    ) {
        foo: [c_char; 10] = foo,
        bar: c_int = bar,
        list: DynArray<c_int> = lst,
        str: Str = string,
        cpus: Bitmask = Bits::of_cpumask(mask, num_possible_cpus()),
        cpum: Cpumask = mask,
        vstr: Formatted = text,
        lstr: Str = prefix(foo, bar / 2),
    }
    print "foo {foo} {bar} {number} {bits} {list} {list:print_array} {str} {lstr} \
           ({cpus}) ({cpum}) {vstr} [{cpus:len}] {cpus:list}",
        number = print_symbolic(bar, {
            0 => "zero",
            TRACE_SAMPLE_FOO => "TWO",
            TRACE_SAMPLE_BAR => "FOUR",
            TRACE_SAMPLE_ZOO => "EIGHT",
            10 => "TEN",
        }),
        bits = print_flags(bar, "|", { 1 => "BIT1", 2 => "BIT2", 4 => "BIT3", 8 => "BIT4" });

    /// Fires only if the condition is true. The condition is evaluated only while the event is
    /// enabled or a probe is attached, and must have no side effects.
    fn foo_bar_with_cond(foo: &CStr, bar: i32) if bar % 10 == 0 {
        foo: Str = foo,
        bar: c_int = bar,
    }
    print "foo {foo} {bar}";

    /// Calls one function when the event is enabled or the first probe attached, and another when
    /// the last user is gone. Here, they start and stop the thread that fires the event.
    fn foo_bar_with_fn(foo: &CStr, bar: i32) {
        foo: Str = foo,
        bar: c_int = bar,
    }
    print "foo {foo} {bar}"
    with { reg: foo_bar_reg, unreg: foo_bar_unreg };

    /// Events that record the same fields can share everything except their names.
    class foo_template(foo: &CStr, bar: i32) {
        foo: Str = foo,
        bar: c_int = bar,
    }
    print "foo {foo} {bar}"
    events {
        /// An event of the class.
        fn foo_with_template_simple;

        /// With its own condition.
        fn foo_with_template_cond if bar % 8 == 0;

        /// With its own functions.
        fn foo_with_template_fn with { reg: foo_bar_reg, unreg: foo_bar_unreg };

        /// With its own output format.
        fn foo_with_template_print print "bar {foo} {bar}";
    }

    /// Fields with `__rel_loc` locations, whose offsets count from the end of the location.
    fn foo_rel_loc(foo: &CStr, bar: i32, mask: &[usize; 1], cpus: &Cpumask) {
        foo: Rel<Str> = foo,
        bar: c_int = bar,
        bitmask: Rel<Bitmask> = Bits::new(mask, usize::BITS as usize),
        cpumask: Rel<Cpumask> = cpus,
    }
    print "foo_rel_loc {foo}, {bar}, {bitmask}, {cpumask}";

    /// Records data that an argument points to.
    fn foo_timer_fn(data: &FooTimerData<'_>) {
        name: Str = data.name,
        count: c_int = data.counter.get(),
    }
    print "name={name} count={count}";
}

const SECOND: Msecs = 1000;

const RANDOM_STRINGS: [&CStr; 5] = [
    c"Mother Goose",
    c"Snoopy",
    c"Gandalf",
    c"Frodo",
    c"One ring to rule them all",
];

fn simple_thread_func(cnt: i32) {
    let bitmask = [0xdeadbeef];
    let current: &Task = kernel::current!();

    KThread::sleep(SECOND);

    let array = [1, 2, 3, 4];
    let len = (cnt % 5) as usize;
    if let (Some(list), Some(string)) = (array.get(..len), RANDOM_STRINGS.get(len)) {
        // Silly tracepoints
        trace!(foo_bar(
            c"hello",
            cnt,
            list,
            string,
            current.cpus(),
            &format_args!("iter={cnt}")
        ));
    }

    trace!(foo_with_template_simple(c"HELLO", cnt));
    trace!(foo_bar_with_cond(c"Some times print", cnt));
    trace!(foo_with_template_cond(c"prints other times", cnt));
    trace!(foo_with_template_print(c"I have to be different", cnt));
    trace!(foo_rel_loc(
        c"Hello __rel_loc",
        cnt,
        &bitmask,
        current.cpus()
    ));
}

fn simple_thread(thread: &ThisThread) {
    let mut cnt = 0;
    while !thread.should_stop() {
        simple_thread_func(cnt);
        cnt += 1;
    }
}

fn simple_thread_func_fn(cnt: i32) {
    KThread::sleep(SECOND);

    // More silly tracepoints
    trace!(foo_bar_with_fn(c"Look at me", cnt));
    trace!(foo_with_template_fn(c"Look at me too", cnt));
}

fn simple_thread_fn(thread: &ThisThread) {
    let mut cnt = 0;
    while !thread.should_stop() {
        simple_thread_func_fn(cnt);
        cnt += 1;
    }
}

/// The number of enabled events that need the thread, and the thread itself. The functions below
/// never run concurrently, because the kernel calls them under a lock of all tracepoints.
static SIMPLE_THREAD_CNT: Atomic<i32> = Atomic::new(0);
static SIMPLE_THREAD_FN: Slot<KThread> = Slot::new();

// With `#[traceable]`, ftrace can trace the functions below, as it can any C function.
/// Starts the thread when the first event is enabled.
#[traceable]
fn foo_bar_reg() -> Result {
    if SIMPLE_THREAD_CNT.fetch_add(1, Relaxed) == 0 {
        pr_info!("Starting thread for foo_bar_fn\n");
        let thread = KThread::run(c"event-sample-fn", simple_thread_fn);
        if thread
            .and_then(|thread| SIMPLE_THREAD_FN.put(thread))
            .is_err()
        {
            pr_err!("Failed to create simple_thread_fn\n");
        }
    }
    Ok(())
}

/// Stops the thread when the last event is disabled.
#[traceable]
fn foo_bar_unreg() {
    if SIMPLE_THREAD_CNT.fetch_sub(1, Relaxed) == 1 {
        pr_info!("Killing thread for foo_bar_fn\n");
        SIMPLE_THREAD_FN.clear();
    }
}

/// Called when the timer expires.
#[traceable]
fn sample_timer_cb(t: &TimerList, data: &FooTimerData<'_>) {
    trace!(foo_timer_fn(data));
    data.counter.inc();

    t.arm(SECOND);
}

impl TimerCallback for FooTimerData<'static> {
    fn timer(&self) -> &TimerList {
        &self.timer
    }

    fn expired(&self) {
        sample_timer_cb(&self.timer, self);
    }
}

/// Dropping this stops the thread and the timer.
struct TraceEventsSample {
    _simple_tsk: KThread,
    _foo_timer: Timer<FooTimerData<'static>>,
}

impl kernel::Module for TraceEventsSample {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let data = FooTimerData {
            name: c"sample_timer_counter",
            timer: TimerList::new(),
            counter: PerCpuCounter::new()?,
        };
        Ok(Self {
            _foo_timer: Timer::start(SECOND, data)?,
            _simple_tsk: KThread::run(c"event-sample", simple_thread)?,
        })
    }
}

impl Drop for TraceEventsSample {
    fn drop(&mut self) {
        SIMPLE_THREAD_FN.clear();
    }
}

module! {
    type: TraceEventsSample,
    name: "trace_events_sample",
    authors: ["Steven Rostedt"],
    description: "trace-events-sample",
    license: "GPL",
}
