// SPDX-License-Identifier: GPL-2.0

//! Fires an event and a tracepoint with a probe ten times each, in the context that is written to
//! `/proc/context-test`. `/proc/context-counts` shows how often they were fired and how often the
//! probe was called.

use command::Command;
use event::{trace_event, Str};
use fs::proc::{ProcEntry, ProcOps};
use kernel::{
    error::to_result,
    ffi::{c_char, c_int},
    prelude::*,
    seq_file::SeqFile,
    seq_print,
    sync::atomic::{Atomic, Relaxed},
};
use tracepoint::*;

mod command;
mod fs;

trace_event! {
    system: "context_test";

    fn context_event(context: &CStr, n: u32) {
        context: Str = context,
        n: u32 = n,
    }
    print "context={context} n={n}";
}

tracepoint! {
    fn context_probed(n: u32);
}

define_trace!(context_probed);

const CONTEXTS: [&CStr; 6] = [
    c"task",
    c"irqs_off",
    c"softirq",
    c"hardirq",
    c"nmi",
    c"offline",
];

/// The requested context, and the counts since it was written.
static CONTEXT: Atomic<usize> = Atomic::new(0);
static FIRED: Atomic<i32> = Atomic::new(0);
static CALLED: Atomic<i32> = Atomic::new(0);

extern "C" fn fire() {
    let Some(context) = CONTEXTS.get(CONTEXT.load(Relaxed)) else {
        return;
    };
    for n in 0..10 {
        FIRED.add(1, Relaxed);
        trace!(context_event(context, n));
        trace!(context_probed(n));
    }
}

extern "C" {
    /// Calls `function` in the named context; may sleep. Defined in c_contexts.c.
    fn c_contexts_call(context: *const c_char, function: extern "C" fn()) -> c_int;
}

fn fire_in(context: &str) -> Result {
    let context = CONTEXTS
        .iter()
        .position(|known| known.to_bytes() == context.trim().as_bytes())
        .ok_or(EINVAL)?;
    CONTEXT.store(context, Relaxed);
    FIRED.store(0, Relaxed);
    CALLED.store(0, Relaxed);
    // SAFETY: The name is a C string, and the test writes one context at a time.
    to_result(unsafe { c_contexts_call(CONTEXTS[context].as_char_ptr(), fire) })
}

struct Counts;

#[vtable]
impl ProcOps for Counts {
    fn show(&self, m: &SeqFile) -> Result {
        seq_print!(m, "{} {}\n", FIRED.load(Relaxed), CALLED.load(Relaxed));
        Ok(())
    }
}

struct ContextTest {
    _probe: Probe,
    _fire: ProcEntry<Command>,
    _counts: ProcEntry<Counts>,
}

impl kernel::Module for ContextTest {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _probe: context_probed.register(|_| CALLED.add(1, Relaxed))?,
            _fire: ProcEntry::new(c"context-test", 0o200, None, Command(fire_in))?,
            _counts: ProcEntry::new(c"context-counts", 0o400, None, Counts)?,
        })
    }
}

module! {
    type: ContextTest,
    name: "context_test",
    description: "Events in interrupt and other contexts",
    license: "GPL",
}
