// SPDX-License-Identifier: GPL-2.0

//! A driver with its own tracepoint and trace event, as a starting point for new drivers.

#![forbid(unsafe_code)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

tracepoint! {
    /// A request has arrived.
    fn my_driver_request(id: u32, data: &[u8]);
}

define_trace!(my_driver_request);
export_tracepoint_symbol_gpl!(my_driver_request);

trace_event! {
    system: "my_driver";

    /// A request has been served.
    fn my_driver_done(id: u32, data: &[u8]) {
        id: u32 = id,
        data: DynArray<u8> = data,
    }
    print "request {id} of {data:len} bytes: {data:print_hex}";
}

/// Serves a request.
fn serve(id: u32, data: &[u8]) {
    trace!(my_driver_request(id, data));
    trace!(my_driver_done(id, data));
}

/// Holds the probe, which is attached until this is dropped. A probe can also be in another module.
struct MyDriverModule {
    _probe: Probe,
}

impl kernel::Module for MyDriverModule {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let probe = my_driver_request.register(|id, data| {
            pr_info!("request {id} of {} bytes\n", data.len());
        })?;
        serve(1, b"hello");
        Ok(Self { _probe: probe })
    }
}

module! {
    type: MyDriverModule,
    name: "my_driver",
    authors: ["You"],
    description: "A driver with a tracepoint and a trace event",
    license: "GPL",
}
