// SPDX-License-Identifier: GPL-2.0

//! Forgets probes of the sample's first tracepoint and of one that forgotten_hook.rs defines. They
//! must not be called any more when the module has been unloaded, or when its init function has
//! failed, as it does with `fail=1`.

use fs::Inode;
use helpers::{KThread, Slot, ThisThread};
use kernel::{
    fs::File,
    prelude::*,
    sync::atomic::{Atomic, Relaxed},
};
use tracepoint::*;

mod fs;
mod helpers;

tracepoint! {
    fn subsys_event(inode: &Inode, file: &File);
    fn forgotten_one(n: i32);
}

static PROBE: Slot<Probe> = Slot::new();
static CALLS: Atomic<i32> = Atomic::new(0);

fn count(_: &Inode, _: &File) {
    CALLS.fetch_add(1, Relaxed);
}

/// Registers probes all the time, drops some and forgets others.
fn churn(thread: &ThisThread) {
    let mut refused = None;
    for n in 0.. {
        if thread.should_stop() {
            break;
        }
        match subsys_event.register(move |_, _| {
            CALLS.fetch_add(n, Relaxed);
        }) {
            Ok(probe) if n % 4 == 0 => core::mem::forget(probe),
            Ok(probe) => drop(probe),
            Err(error) => refused = Some(error),
        }
    }
    pr_info!("the last probe: {:?}\n", refused);
}

struct ForgottenProbe;

impl kernel::Module for ForgottenProbe {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        core::mem::forget(subsys_event.register(count)?);
        let n = 1;
        PROBE.put(subsys_event.register(move |_, _| {
            CALLS.fetch_add(n, Relaxed);
        })?)?;
        core::mem::forget(forgotten_one.register(move |_| {
            CALLS.fetch_add(n, Relaxed);
        })?);
        core::mem::forget(KThread::run(c"forgotten-probe", churn)?);
        if module_parameters::fail.value().is_positive() {
            return Err(EBUSY);
        }
        Ok(Self)
    }
}

module! {
    type: ForgottenProbe,
    name: "forgotten_probe",
    description: "Forgets probes",
    license: "GPL",
    params: {
        fail: i8 {
            default: 0,
            description: "Fail to load",
        },
    },
}
