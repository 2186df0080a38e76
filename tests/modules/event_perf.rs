// SPDX-License-Identifier: GPL-2.0

//! Events that tell perf how often they have happened, and events whose first argument BPF
//! programs can change. What is written to `/proc/event-perf` is a number to fire them with.

use command::Command;
use fs::proc::ProcEntry;
use kernel::prelude::*;
use tracepoint::{event::*, *};

mod command;
mod fs;

trace_event! {
    system: "event-perf";

    /// Happens `n` times at once.
    fn perf_counted(n: u64) {
        n: u64 = n,
    }
    print "{n}"
    with { perf_count: n };

    /// Has its count computed.
    class perf_class(n: u32, scale: u32) {
        let product = n * scale;
        n: u32 = product,
    }
    print "{n}"
    with { perf_count: product as u64 + 1 }
    events {
        fn perf_one;
        fn perf_two with { flags: CAP_ANY };
    }

    /// A limit that programs can change.
    fn perf_limit(limit: &Writable<u32>, op: u32) {
        limit: u32 = limit.get(),
        op: u32 = op,
    }
    print "{limit} {op}";

    /// A value that programs can't change.
    fn perf_fixed(n: &[u32; 1]) {
        n: u32 = n[0],
    }
    print "{n}";

    /// Bytes that programs can change.
    fn perf_bytes(bytes: &Writable<[u8; 8]>) {
        bytes: [u8; 8] = &bytes.get(),
    }
    print "{bytes}";
}

fn fire(text: &str) -> Result {
    let n: u32 = text.trim().parse().map_err(|_| EINVAL)?;
    trace!(perf_counted(n.into()));
    trace!(perf_one(n, 10));
    trace!(perf_two(n, 100));
    trace!(perf_fixed(&[n]));
    let limit = Writable::new(n);
    trace!(perf_limit(&limit, 1));
    let bytes = Writable::new(*b"12345678");
    trace!(perf_bytes(&bytes));
    pr_info!(
        "limit {} bytes {:?}\n",
        limit.get(),
        core::str::from_utf8(&bytes.get())
    );
    Ok(())
}

struct EventPerf {
    _fire: ProcEntry<Command>,
    _limit: Probe,
}

impl kernel::Module for EventPerf {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _fire: ProcEntry::new(c"event-perf", 0o200, None, Command(fire))?,
            // A probe can change it, too.
            _limit: perf_limit.register(|limit, _| limit.set(limit.get().wrapping_add(1000)))?,
        })
    }
}

module! {
    type: EventPerf,
    name: "event_perf",
    description: "Events with counts for perf, and with arguments that BPF can change",
    license: "GPL",
}
