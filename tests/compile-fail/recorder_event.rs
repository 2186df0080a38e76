// SPDX-License-Identifier: GPL-2.0

//! A flight recorder for a tracepoint that isn't an event.

use kernel::prelude::*;
use tracepoint::*;

const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    fn drv_queue(sector: u64);
}

define_trace!(drv_queue);

/// Builds it.
pub fn record() -> Result<FlightRecorder> {
    trace!(drv_queue(1));
    FlightRecorder::builder(c"drv").event(drv_queue).build()
}
