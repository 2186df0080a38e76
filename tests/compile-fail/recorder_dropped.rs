// SPDX-License-Identifier: GPL-2.0

//! A flight recorder that nobody keeps.

use kernel::prelude::*;
use tracepoint::*;

const __LOG_PREFIX: &[u8] = b"case\0";

/// Builds it.
pub fn record() -> Result {
    FlightRecorder::builder(c"drv").build()?;
    Ok(())
}
