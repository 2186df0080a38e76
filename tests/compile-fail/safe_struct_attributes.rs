// SPDX-License-Identifier: GPL-2.0

//! Attributes that change a struct's layout without the macro's knowledge.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

tracepoint_struct! {
    pub struct Request {
        #[cfg_attr(all(), cfg(any()))]
        pub sector: u64,
        pub name: u64,
    }
}

tracepoint_struct! {
    #[cfg_attr(all(), repr(packed))]
    pub struct Packed {
        pub sector: u64,
    }
}

tracepoint_struct! {
    #[r#cfg_attr(all(), repr(packed))]
    pub struct Raw {
        pub sector: u64,
    }
}

tracepoint_struct! {
    #[c_name = "Raw__safe_trusted_or_null"]
    pub struct Trusted {
        pub sector: u64,
    }
}

tracepoint_struct! {
    #[c_name = "linux_binprm"]
    pub struct Kernels {
        pub sector: u64,
    }
}
