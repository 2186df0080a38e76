// SPDX-License-Identifier: GPL-2.0

//! Many events with spans that never end. Each write to `/proc/spans-forgotten` begins and forgets one of
//! each event.

use command::Command;
use fs::proc::ProcEntry;
use kernel::prelude::*;
use tracepoint::{event::*, *};

mod command;
mod fs;

macro_rules! spans {
    ($($name:ident)*) => {
        trace_event! {
            system: "spans_forgotten";

            $(
                async span fn $name(n: u32) {
                    n: u32 = n,
                }
                print "{n}";
            )*
        }

        fn forget(_: &str) -> Result {
            $(core::mem::forget(async_span!($name(0)));)*
            Ok(())
        }
    };
}

spans!(
    sf_0 sf_1 sf_2 sf_3 sf_4 sf_5 sf_6 sf_7 sf_8 sf_9 sf_10 sf_11 sf_12 sf_13 sf_14 sf_15
);

struct SpansForgotten {
    _command: ProcEntry<Command>,
}

impl kernel::Module for SpansForgotten {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _command: ProcEntry::new(c"spans-forgotten", 0o200, None, Command(forget))?,
        })
    }
}

module! {
    type: SpansForgotten,
    name: "spans_forgotten",
    description: "Spans that never end",
    license: "GPL",
}
