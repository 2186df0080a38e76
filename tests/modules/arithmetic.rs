// SPDX-License-Identifier: GPL-2.0

//! Events whose fields compute what overflows. Each write of `A B X Y N` to `/proc/arithmetic` fires
//! them with these numbers. `tests/vm/arithmetic.c` computes the same in C.

use command::Command;
use core::num::NonZero;
use fs::proc::ProcEntry;
use kernel::{
    prelude::*,
    time::{Delta, Instant, Monotonic},
};
use tracepoint::{event::*, *};

mod command;
mod fs;

type Count = u32;

const MINUS_ONE: i32 = -1;
const BLOCK: u32 = 8;
const N: usize = 4;

/// A number of elements that the macro can't see.
fn twice(n: u32) -> u32 {
    n.wrapping_mul(2)
}

kernel::impl_flags!(
    /// Their operators aren't those of integers.
    #[derive(Clone, Copy)]
    struct Flags(u32);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(Flags, "|")]
    enum Flag {
        A = 1,
        B = 2,
    }
);

/// For an array.
#[derive(Clone, Copy, TraceEnum)]
#[repr(u8)]
enum Op {
    #[name = "READ"]
    Read = 0,
    #[name = "WRITE"]
    Write = 1,
}

trace_event! {
    system: "arithmetic";

    /// The operators.
    fn arithmetic_operators(a: u32, b: u32, x: i32, y: i32, n: u32) {
        add: u32 = a + b,
        sub: u32 = a - b,
        mul: Count = a * b,
        wide: u64 = u64::from(a) - u64::from(b),
        narrow: u8 = a as u8 + b as u8,
        shl: u32 = 1 << n,
        shr: i32 = x >> n,
        shl_wide: u64 = 1 << n,
        sadd: i32 = x + y,
        ssub: i32 = x - y,
        smul: i32 = x * y,
        neg: i32 = -x,
        abs: i32 = x.wrapping_abs(),
        pow: i32 = x.wrapping_pow(3),
        quotient: i32 = x.wrapping_div(-1),
        rest: i32 = x.wrapping_rem(MINUS_ONE),
        block: u32 = a / BLOCK + a % (2 * BLOCK),
        len: usize = a as usize - b as usize,
    }
    print "{add} {sub} {mul} {wide} {narrow} {shl} {shr} {shl_wide} {sadd} {ssub} {smul} {neg} \
           {abs} {pow} {quotient} {rest} {block} {len}";

    /// Where an expression can be.
    fn arithmetic_places(a: u32, b: u32, x: i32, n: u32, list: &[u32], array: &[u32; 4]) if a - b > 5 {
        let sum = a + b;
        let one = NonZero::<u32>::MIN;
        let Wrapped(wrapped) = Wrapped(sum * 3);
        call: u32 = twice(a - b),
        method: u32 = a.max(b - a).min(b * a),
        closure: u32 = list.iter().fold(0, |sum, n| sum + n * 2),
        block: u32 = {
            let mut value = a;
            value *= b;
            value -= 1;
            value <<= n;
            value /= BLOCK;
            for n in list {
                value += *n;
            }
            value
        },
        branch: u32 = if a - b > b { a * b } else { b - a },
        matched: i32 = match x - 1 {
            n if n + 1 < 0 => -n,
            n => n * x,
        },
        macros: bool = matches!(a.wrapping_sub(b), 0..=9 if b.wrapping_sub(a) > 3),
        reference: u32 = *list.first().unwrap_or(&0) - &a,
        element: u32 = array[(n & 3) as usize] + array[1],
        remainder: u32 = array[n as usize % (N - 1)],
        local: u32 = {
            let mut table = [a; 3];
            table[2] -= b;
            table[N - 4] = table[2] - 1;
            table[0]
        },
        nonzero: u32 = a / one,
        shared: u32 = sum,
        again: u32 = sum + wrapped,
        elements: [u32; 2] = [a - b, b - a],
        data: DynArray<u32> = &[a - b, sum * sum],
        text: Formatted = format_args!("{} {rest}", a.wrapping_sub(b), rest = b.wrapping_sub(a)),
        flags: Flags = Flag::A | Flag::B,
        two: [Flags; 2] = [Flag::A.into(), Flag::B.into()],
        ops: DynArray<Op> = &[Op::Write, Op::Read],
        each: DynArray<u32> = &elements(list.iter().map(|n| n + 1).filter(|n| n % 2 == 1)),
        endless: DynArray<u16> = &elements(core::iter::repeat(7)),
        none: Rel<DynArray<u64>> = &elements([]),
    }
    print "{call} {method} {closure} {block} {branch} {matched} {macros} {reference} {element} \
           {remainder} {local} {nonzero} {shared} {again} {elements:print_array} \
           {data:print_array} {text} {flags} {two:print_array} {ops:print_array} \
           {each:print_array} {endless:len} {none:len}";

    /// The kernel's own types.
    fn arithmetic_time(nanos: i64) {
        let start = Instant::<Monotonic>::now();
        let delta = Delta::from_nanos(nanos);
        add: i64 = (delta + delta).as_nanos(),
        sub: i64 = (Delta::from_nanos(0) - delta).as_nanos(),
        mul: i64 = (delta * 3).as_nanos(),
        elapsed: bool = (Instant::now() - start).as_nanos() >= 0,
    }
    print "{add} {sub} {mul} {elapsed}";
}

/// A pattern that always matches.
struct Wrapped(u32);

fn fire(text: &str) -> Result {
    let mut numbers = [0u32; 5];
    let mut words = text.split_ascii_whitespace();
    for number in &mut numbers {
        let word = words.next().ok_or(EINVAL)?;
        *number = u32::from_str_radix(word, 16).map_err(|_| EINVAL)?;
    }
    let [a, b, x, y, n] = numbers;
    let (x, y) = (x as i32, y as i32);
    trace!(arithmetic_operators(a, b, x, y, n));
    trace!(arithmetic_places(a, b, x, n, &[a, b, n], &[a, b, n, 7]));
    trace!(arithmetic_time((u64::from(a) << 32 | u64::from(b)) as i64));
    Ok(())
}

struct Arithmetic {
    _entry: ProcEntry<Command>,
}

impl kernel::Module for Arithmetic {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _entry: ProcEntry::new(c"arithmetic", 0o200, None, Command(fire))?,
        })
    }
}

module! {
    type: Arithmetic,
    name: "arithmetic",
    authors: ["Linux kernel contributors"],
    description: "events whose fields compute what overflows",
    license: "GPL",
}
