// SPDX-License-Identifier: GPL-2.0

//! Types in which another macro could expand to something else each time they're repeated.

#![allow(missing_docs, unused_macros, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{args::Pointee, event::*, *};

const fn count(ty: args::Type) -> usize {
    let args::Type::Own(text) = ty else { return 0 };
    text.len()
}

const fn fill<const N: usize>() -> [u8; N] {
    [0; N]
}

macro_rules! bytes {
    () => {
        [u8; 4]
    };
}

trace_event! {
    system: "repeated";

    fn derived(id: u8) {
        id: u8 = id,
        x: [u8; {
            #[derive(TracepointArg)]
            struct X;
            count(<X as Pointee>::TYPE)
        }] = fill(),
    }
    print "{id}";
}

trace_event! {
    system: "repeated";

    fn called(id: u8) {
        x: bytes!() = fill(),
    }
    print "";
}

tracepoint! {
    fn argument(data: &[u8; { #[derive(Clone)] struct X; 4 }]);
}

tracepoint_struct! {
    pub struct Member {
        pub n: [u8; size_of::<bytes!()>()],
    }
}

#[derive(TraceStruct)]
#[repr(C)]
struct Derived {
    n: [u8; {
        #[derive(Clone)]
        struct X;
        4
    }],
}

/// The entry of this function is in assembly, so the compiler doesn't compare what it returns.
#[traceable]
fn returned() -> [u8; {
       #[derive(Clone)]
       struct X;
       4
   }] {
    [0; 4]
}

trace_event! {
    system: "repeated";

    fn divided(id: u8) {
        id: u8 = id,
    }
    print "{x}",
        x = id / const { #[derive(Clone)] struct X; 1 };
}

// This is no macro call.
tracepoint! {
    fn good(data: &[u8; (4 != 5) as usize]);
}
