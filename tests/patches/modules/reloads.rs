// SPDX-License-Identifier: GPL-2.0

//! A module that forgets a probe, and is unloaded with its event enabled. Opening `/dev/reloads` fires both tracepoints.

use kernel::{
    fs::File,
    miscdevice::{MiscDevice, MiscDeviceOptions, MiscDeviceRegistration},
    prelude::*,
    sync::atomic::{ordering::Relaxed, Atomic},
    task::Task,
    trace,
    trace::{event::*, *},
};

module! {
    type: Reloads,
    name: "reloads",
    authors: ["Rust for Linux Contributors"],
    description: "Forgets a probe",
    license: "GPL",
}

tracepoint! {
    /// The device is opened.
    fn reloads_opening(n: u32, name: &CStr);

    /// Only here for BTF.
    fn reloads_other(task: &Task, file: Option<&File>, text: &str);
}

define_trace!(reloads_opening, reloads_other);
export_tracepoint_symbol_gpl!(reloads_opening);

trace_event! {
    system: "reloads";

    /// The device has been opened.
    fn reloads_opened(n: u32, calls: u32) {
        n: u32 = n,
        calls: u32 = calls,
    }
    print "n={n} calls={calls}";
}

#[pin_data]
struct Reloads {
    #[pin]
    device: MiscDeviceRegistration<Device>,
    _probe: Probe,
}

/// How often probes have been called.
static CALLS: Atomic<u32> = Atomic::new(0);

impl kernel::InPlaceModule for Reloads {
    fn init(_module: &'static ThisModule) -> impl PinInit<Self, Error> {
        let options = MiscDeviceOptions { name: c"reloads" };
        try_pin_init!(Self {
            device <- MiscDeviceRegistration::register(options),
            _probe: {
                let captured = KVec::from_elem(1u32, 8, GFP_KERNEL)?;
                let forgotten = reloads_opening.register(move |_, _| {
                    CALLS.add(captured[0], Relaxed);
                })?;
                core::mem::forget(forgotten);
                reloads_opening.register(|_, _| {
                    CALLS.add(1, Relaxed);
                })?
            },
        })
    }
}

struct Device;

#[vtable]
impl MiscDevice for Device {
    type Ptr = KBox<Self>;

    fn open(_file: &File, _device: &MiscDeviceRegistration<Self>) -> Result<KBox<Self>> {
        trace!(reloads_opening(7, c"reloads"));
        trace!(reloads_opened(7, CALLS.load(Relaxed)));
        Ok(KBox::new(Self, GFP_KERNEL)?)
    }
}

#[kunit_tests(reloads)]
mod tests {
    use super::*;

    /// KUnit runs this in a module notifier.
    #[test]
    fn a_probe_of_a_module() -> Result {
        static SUM: Atomic<u32> = Atomic::new(0);
        let probe = reloads_opened.register(|n, calls| SUM.add(n + calls, Relaxed))?;
        trace!(reloads_opened(3, 4));
        drop(probe);
        assert_eq!(SUM.load(Relaxed), 7);
        Ok(())
    }
}
