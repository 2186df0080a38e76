// SPDX-License-Identifier: GPL-2.0

//! A probe on the sample's first tracepoint that returns only when its module is being unloaded.

use fs::Inode;
use kernel::{
    fs::File,
    prelude::*,
    sync::atomic::{Atomic, Relaxed},
    time::{delay::udelay, Delta},
};
use tracepoint::*;

mod fs;

tracepoint! {
    fn subsys_event(inode: &Inode, file: &File);
}

static UNLOADING: Atomic<bool> = Atomic::new(false);

fn wait_for_the_unload() {
    pr_info!("inside\n");
    let ms = Delta::from_millis(1);
    while !UNLOADING.load(Relaxed) {
        udelay(ms);
    }
    // If unloading didn't wait, the module would be gone by the end of this.
    for _ in 0..200 {
        udelay(ms);
    }
    pr_info!("outside\n");
}

struct SlowProbe {
    _probe: Probe,
}

impl kernel::Module for SlowProbe {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _probe: subsys_event.register(|_, _| wait_for_the_unload())?,
        })
    }
}

impl Drop for SlowProbe {
    fn drop(&mut self) {
        UNLOADING.store(true, Relaxed);
    }
}

module! {
    type: SlowProbe,
    name: "slow_probe",
    description: "A slow probe",
    license: "GPL",
}
