// SPDX-License-Identifier: GPL-2.0

//! A module with structs that another module has with other fields.

#![allow(missing_docs, dead_code)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

tracepoint_struct! {
    #[c_name = "btf_outer"]
    pub struct Outer {
        pub twin: u64,
    }
}

trace_event! {
    system: "btf_twin";

    fn btf_twin(outer: &Outer) {
        twin: u64 = outer.twin,
    }
    print "{twin}";
}

struct Twin;

impl kernel::Module for Twin {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        trace!(btf_twin(&Outer { twin: 1 }));
        Ok(Self)
    }
}

module! {
    type: Twin,
    name: "btf_twin",
    authors: ["Tests"],
    description: "Structs of the same names",
    license: "GPL",
}
