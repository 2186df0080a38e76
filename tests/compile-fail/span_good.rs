// SPDX-License-Identifier: GPL-2.0

//! Spans as they're meant to be used.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    span fn drv_serve(sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}";

    async span fn drv_request(sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}";

    fn drv_event(sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}";
}

/// Every way to hold one.
pub fn serve(fails: bool) -> Result<u32> {
    let _span = span!(drv_serve(1));
    let _ = span!(drv_serve(2));
    let span = span!(drv_serve(3));
    if fails {
        span.error(EIO);
        return Err(EIO);
    }
    let request = async_span!(drv_request(4));
    let later = move || drop(request);
    later();
    Ok(3)
}

#[allow(dead_code)]
struct Queue {
    request: AsyncSpan<'static, drv_request>,
}

fn is_send<T: Send>() {}

#[instrument(drv_serve(sector))]
pub fn read(sector: u64) -> Result {
    is_send::<Queue>();
    serve(true)?;
    Ok(())
}

impl Queue {
    #[instrument(drv_serve(8))]
    #[allow(dead_code)]
    fn request(&mut self) -> Result<&mut AsyncSpan<'static, drv_request>> {
        serve(true)?;
        Ok(&mut self.request)
    }
}

#[instrument(drv_serve(9))]
pub fn name(text: &str) -> &str {
    text
}

#[instrument(drv_serve(10))]
#[rustfmt::skip]
pub fn twice(n: u64) -> u64 { 2 * n }
