// SPDX-License-Identifier: GPL-2.0

//! Names of field types that stand for something else.

#![allow(
    missing_docs,
    unused_imports,
    unused_parens,
    unused_variables,
    non_camel_case_types
)]

use kernel::prelude::*;
use tracepoint::*;

type Str = u32;

event::trace_event! {
    system: "drv";

    pub fn drv_text(x: u32) {
        text: Str = !x,
    }
    print "{text}";
}

mod masks {
    use tracepoint::event::*;

    type Cpumask = Bitmask;

    trace_event! {
        system: "drv";

        pub fn drv_mask(x: u32) {
            mask: Cpumask = Bits::new(&[], 0),
        }
        print "{mask}";
    }
}

mod numbers {
    type u32 = u8;

    super::event::trace_event! {
        system: "drv";

        pub fn drv_number(x: u8) {
            number: u32 = x,
        }
        print "{number}";
    }
}

mod elements {
    type i32 = u32;

    super::event::trace_event! {
        system: "drv";

        pub fn drv_elements(x: &[u32; 2]) {
            elements: [i32; 2] = *x,
        }
        print "{elements}";
    }
}

mod bytes {
    type u8 = i8;

    super::event::trace_event! {
        system: "drv";

        pub fn drv_bytes(x: &[i8; 2]) {
            bytes: [u8; 2] = *x,
        }
        print "{bytes}";
    }
}

mod booleans {
    type bool = u8;

    super::event::trace_event! {
        system: "drv";

        pub fn drv_booleans(x: &[u8; 2]) {
            booleans: [bool; 2] = *x,
        }
        print "{booleans}";
    }
}

mod boolean {
    type bool = u8;

    super::event::trace_event! {
        system: "drv";

        pub fn drv_boolean(x: u8) {
            boolean: (bool) = x,
        }
        print "{boolean}";
    }
}

/// In the record, it's no larger than the name says.
mod larger {
    use tracepoint::{event::*, *};

    type c_uint = Option<DevT>;

    trace_event! {
        system: "drv";

        pub fn drv_larger(dev: DevT) {
            dev: c_uint = Some(dev),
        }
        print "{dev}";
    }
}

mod larger_with_path {
    use tracepoint::event::*;

    mod ffi {
        pub(super) type c_long = Option<kernel::time::Instant<kernel::time::Monotonic>>;
    }

    trace_event! {
        system: "drv";

        pub fn drv_path(x: u32) {
            time: ffi::c_long = None,
        }
        print "{time}";
    }
}

mod members {
    type u64 = u8;

    super::tracepoint_struct! {
        /// BTF has the offsets, which BPF trusts.
        pub struct Members {
            first: u64,
            second: super::ffi::c_ulong,
        }
    }
}

mod ffi {
    pub(crate) type c_ulong = u8;
}
