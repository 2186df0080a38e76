// SPDX-License-Identifier: GPL-2.0

//! A driver with its own tracepoint, as a starting point for new drivers.

use kernel::prelude::*;
use tracepoint::*;

tracepoint! {
    /// A request has been served.
    pub fn my_driver_request(id: u32, data: &[u8]);
}

define_trace!(my_driver_request);
export_tracepoint_symbol_gpl!(my_driver_request);

/// Serves a request and fires the tracepoint.
fn serve(id: u32, data: &[u8]) {
    trace!(my_driver_request(id, data));
}

/// Holds the probe, which is attached until this is dropped. A probe can also be in another module.
struct MyDriver {
    _probe: Probe,
}

impl kernel::Module for MyDriver {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let probe = my_driver_request.register(|id, data| {
            pr_info!("request {id} of {} bytes\n", data.len());
        })?;
        serve(1, b"hello");
        Ok(Self { _probe: probe })
    }
}

module! {
    type: MyDriver,
    name: "my_driver",
    authors: ["You"],
    description: "A driver with a tracepoint",
    license: "GPL",
}
