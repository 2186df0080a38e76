// SPDX-License-Identifier: GPL-2.0

//! The stack has no room for so many fields that are formatted or computed when the event fires.

#![allow(missing_docs, unused_imports)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_event! {
    system: "test";

    fn too_many(n: u32) {
        a: Formatted = format_args!("{n}"),
        b: Formatted = format_args!("{n}"),
        c: Rel<Formatted> = format_args!("{n}"),
        d: Formatted = format_args!("{n}"),
        e: Formatted = format_args!("{n}"),
        f: DynArray<u32> = &elements([n]),
        g: DynArray<u32> = &elements([n]),
        h: DynArray<u32> = &elements([n]),
        i: DynArray<u32> = &tracepoint::event::elements([n]),
    }
    print "{a} {b} {c} {d} {e}";

    fn just_enough(n: u32) {
        a: Formatted = format_args!("{n}"),
        b: Formatted = format_args!("{n}"),
        c: Rel<Formatted> = format_args!("{n}"),
        d: Formatted = format_args!("{n}"),
        e: Formatted = format_args!("{n}"),
        f: DynArray<u32> = &elements([n]),
        g: DynArray<u32> = &elements([n]),
        h: DynArray<u32> = &elements([n]),
    }
    print "{a} {b} {c} {d} {e}";
}
