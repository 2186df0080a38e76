// SPDX-License-Identifier: GPL-2.0

//! Values after a template whose types the macro knows, and others.

#![allow(missing_docs)]

use kernel::prelude::*;
use tracepoint::event::*;

const __LOG_PREFIX: &[u8] = b"case\0";

const BITS: u32 = 4;
const MASK: u64 = 0xff00;
const LOW: i8 = -3;

const fn bit(n: u32) -> u32 {
    1 << n
}

type Sectors = u64;
type Pair = [u32; 2];

trace_event! {
    system: "events";

    class drv_words(events: u32, with: u32) {
        events: u32 = events,
        with: u32 = with,
    }
    print "{a} {b}",
        a = if events != 0 { "ready" } else { "idle" },
        b = match events { 1 => 2, _ => 3 } + if with > 1 { 1 } else { 2 }
    events {
        pub fn drv_class_words;
    }

    pub fn drv_event_words(events: u32, with: u32) {
        events: u32 = events,
        with: u32 = with,
    }
    print "{a} {b}",
        a = match events { 1 => 2, _ => 3 },
        b = if with > 1 { 1 } else { 2 };
}

trace_event! {
    system: "drv";

    pub fn drv_known(a: u8, b: i8, c: u32, d: i64, on: bool, at: *const u8, name: &CStr) {
        a: u8 = a,
        b: i8 = b,
        c: u32 = c,
        d: i64 = d,
        on: bool = on,
        at: *const u8 = at,
        name: Str = name,
        words: [i16; 4] = [1, 2, 3, 4],
        list: DynArray<u32> = &[c, 2],
        r#type: u16 = 1,
    }
    print "{v1} {v2} {v3} {v4} {v5} {v6} {v7} {v8} {v9} {w1} {w2} {w3} {w4} {w5} {w6} {w7} {w8} {w9} {x1:8} {x2} {x3} {x4}",
        v1 = -128i8,
        v2 = BITS,
        v3 = 1 << a,
        v4 = if on { BITS } else { 7 },
        v5 = if on { 1 } else { 2 } + c,
        v6 = (c as u64) << 12 | MASK,
        v7 = !on & (a == 3 || b < LOW),
        v8 = (1 << 40) + d,
        v9 = at as usize & 0xfff,
        w1 = words[3] - 1,
        w2 = list.len() * 4 + words.len(),
        w3 = r#type + 1u16,
        w4 = match c { 1 | 2 => 5, 4..=6 => 7, BITS => 8, _ => a },
        w5 = -d % 7 / -3,
        w6 = c ^ 0xffff_ffff,
        w7 = b as i32 >> (d & 3),
        w8 = (on as u8) << BITS,
        w9 = if d < 0 { -d as u64 } else { 18446744073709551615 },
        x1 = match c { 0 => "none", BITS => name, _ => "other" },
        x2 = print_symbolic(c >> BITS, { 1 => "one", 3..=5 => "some", _ => "more" }),
        x3 = print_flags(c, "|", { bit(0) => "A", bit(1) => "B" }),
        x4 = c & const { bit(3) - 1 };

    pub fn drv_unknown(n: Sectors) {
        n: Sectors = n,
        parts: [Sectors; 2] = [n, 1],
        pair: Pair = [1, 2],
    }
    print "{v1} {v2} {v3} {v4} {v5} {v6} {v7} {v8}",
        v1 = n + 1,
        v2 = parts[1] >> BITS,
        v3 = if n == MASK { "mask" } else { "other" },
        v4 = print_flags(n & 0xff, "|", { 0 => "none", 1 << 0 => "A", MASK => "B" }),
        v5 = n as u8,
        v6 = match n { 1..=9 => 1u32, MASK => 2, _ => 0 },
        v7 = pair.len() * 2,
        v8 = pair[1] == 2;
}
