// SPDX-License-Identifier: GPL-2.0

//! A span's tracepoint that's declared like any other, and fired.

#![allow(missing_docs)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    fn drv_probed(span: &Span, sector: u64);
    fn drv_fired(span: &Span, sector: u64);
    fn drv_called(span: &Alias, sector: u64);
}

type Alias = Span;

pub fn probe() -> Result {
    let _probe = drv_probed.register(|span, _| {
        trace!(drv_fired(span, 1));
        drv_called::call(span, 1);
    })?;
    Ok(())
}
