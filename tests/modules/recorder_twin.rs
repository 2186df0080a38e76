// SPDX-License-Identifier: GPL-2.0

//! A driver that chooses the name of another one's flight recorder.

use event::trace_event;
use kernel::prelude::*;
use tracepoint::*;

trace_event! {
    system: "recorder_twin";

    fn recorder_twin_event(n: u32) {
        n: u32 = n,
    }
    print "twin {n}";
}

struct RecorderTwin {
    _recorder: FlightRecorder,
}

impl kernel::Module for RecorderTwin {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let recorder = FlightRecorder::builder(c"recorder_test").build()?;
        recorder.write(fmt!("the twin is loaded"));
        trace!(recorder_twin_event(1));
        Ok(Self {
            _recorder: recorder,
        })
    }
}

module! {
    type: RecorderTwin,
    name: "recorder_twin",
    description: "A driver with the same flight recorder as another one",
    license: "GPL",
}
