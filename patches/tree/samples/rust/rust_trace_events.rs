// SPDX-License-Identifier: GPL-2.0

//! Rust trace events and probes.
//!
//! Opening `/dev/rust-trace-events` fires the events in `events/rust_sample_trace` of tracefs.

use kernel::{
    fs::File,
    miscdevice::{MiscDevice, MiscDeviceOptions, MiscDeviceRegistration},
    prelude::*,
    sync::atomic::{ordering::Relaxed, Atomic},
    trace,
    trace::{event::*, *},
};

module! {
    type: TraceEvents,
    name: "rust_trace_events",
    authors: ["Rust for Linux Contributors"],
    description: "Rust trace events sample",
    license: "GPL",
}

trace_event! {
    system: "rust_sample_trace";

    /// The device has been opened.
    fn rust_sample_opened(pid: i32, name: &CStr, numbers: &[u16]) {
        pid: i32 = pid,
        name: Str = name,
        numbers: DynArray<u16> = numbers,
    }
    print "{name} by {pid}: {numbers:print_array}";

    /// Every third time.
    fn rust_sample_third(n: u32) if n % 3 == 0 {
        n: u32 = n,
    }
    print "the {nth} time ({n})", nth = print_symbolic(n, { 3 => "third", 6 => "sixth", _ => "nth" });
}

static OPENED: Atomic<u32> = Atomic::new(0);

#[pin_data]
struct TraceEvents {
    #[pin]
    device: MiscDeviceRegistration<Device>,
    _probe: Probe,
}

impl kernel::InPlaceModule for TraceEvents {
    fn init(_module: &'static ThisModule) -> impl PinInit<Self, Error> {
        let options = MiscDeviceOptions {
            name: c"rust-trace-events",
        };
        try_pin_init!(Self {
            device <- MiscDeviceRegistration::register(options),
            _probe: rust_sample_third.register(|n| pr_info!("probe: opened {n} times\n"))?,
        })
    }
}

struct Device;

#[vtable]
impl MiscDevice for Device {
    type Ptr = KBox<Self>;

    fn open(_file: &File, _device: &MiscDeviceRegistration<Self>) -> Result<KBox<Self>> {
        let n = OPENED.fetch_add(1, Relaxed) + 1;
        trace!(rust_sample_opened(
            current!().pid(),
            c"rust-trace-events",
            &[1, 2, 0xabcd]
        ));
        trace!(rust_sample_third(n));
        Ok(KBox::new(Self, GFP_KERNEL)?)
    }
}

/// An argument that isn't known in C.
#[cfg(CONFIG_KUNIT = "y")]
#[derive(TracepointArg)]
struct Pair {
    first: u32,
    second: KVec<u8>,
}

#[cfg(CONFIG_KUNIT = "y")]
tracepoint! {
    /// For the tests.
    fn rust_kunit_called(n: i32, name: &CStr, bytes: &[u8]);
}

#[cfg(CONFIG_KUNIT = "y")]
define_trace!(rust_kunit_called);

#[cfg(CONFIG_KUNIT = "y")]
trace_event! {
    system: "rust_kunit";

    /// For the tests.
    fn rust_kunit_recorded(n: i32, pair: Option<&Pair>) if n >= 0 {
        n: i32 = n,
        first: u32 = pair.map_or(0, |pair| pair.first),
        bytes: DynArray<u8> = pair.map_or(&[][..], |pair| &pair.second[..]),
    }
    print "{n}: {first:#x} {bytes:print_hex}";
}

#[kunit_tests(rust_trace_events)]
mod tests {
    use super::*;

    /// Counts the calls of a probe with the argument that only a test passes.
    static CALLS: Atomic<i32> = Atomic::new(0);
    static EVALUATED: Atomic<i32> = Atomic::new(0);

    fn evaluate(n: i32) -> i32 {
        EVALUATED.add(1, Relaxed);
        n
    }

    #[test]
    fn a_probe_is_called_until_it_is_dropped() -> Result {
        assert!(!rust_kunit_called::enabled());
        trace!(rust_kunit_called(evaluate(1), c"off", &[]));
        assert_eq!(EVALUATED.load(Relaxed), 0);

        let text = KVec::from_elem(7u8, 3, GFP_KERNEL)?;
        // A failed assertion ends the thread, which mustn't happen within a probe.
        let probe = rust_kunit_called.register(move |n, name, bytes| {
            if (name, bytes) == (c"on", &text[..]) {
                CALLS.add(n, Relaxed);
            }
        })?;
        assert!(rust_kunit_called::enabled());
        trace!(rust_kunit_called(evaluate(5), c"on", &[7; 3]));
        assert_eq!(CALLS.load(Relaxed), 5);
        assert_eq!(EVALUATED.load(Relaxed), 1);

        drop(probe);
        assert!(!rust_kunit_called::enabled());
        trace!(rust_kunit_called(evaluate(5), c"on", &[7; 3]));
        assert_eq!(CALLS.load(Relaxed), 5);
        Ok(())
    }

    #[test]
    fn an_event_can_be_probed() -> Result {
        static SUM: Atomic<i32> = Atomic::new(0);
        let pair = Pair {
            first: 3,
            second: KVec::new(),
        };
        let add = |n: i32, pair: Option<&Pair>| {
            SUM.add(n + pair.map_or(100, |pair| pair.first as i32), Relaxed);
        };
        let probe = rust_kunit_recorded.register(add)?;
        trace!(rust_kunit_recorded(1, Some(&pair)));
        trace!(rust_kunit_recorded(1, None));
        // The condition isn't met.
        trace!(rust_kunit_recorded(-1, None));
        drop(probe);
        assert_eq!(SUM.load(Relaxed), 4 + 101);
        Ok(())
    }

    #[test]
    fn probes_are_called_in_the_order_of_their_priorities() -> Result {
        static ORDER: Atomic<i32> = Atomic::new(0);
        let first = rust_kunit_recorded.register_prio(
            |_: i32, _: Option<&Pair>| ORDER.store(10 * ORDER.load(Relaxed) + 1, Relaxed),
            20,
        )?;
        let second = rust_kunit_recorded.register_prio(
            |_: i32, _: Option<&Pair>| ORDER.store(10 * ORDER.load(Relaxed) + 2, Relaxed),
            1,
        )?;
        trace!(rust_kunit_recorded(0, None));
        drop((first, second));
        assert_eq!(ORDER.load(Relaxed), 12);
        Ok(())
    }
}
