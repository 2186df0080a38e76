// SPDX-License-Identifier: GPL-2.0

//! Events that could crash the machine, and some that couldn't. The build refuses the former:
//! `refused.expected` has the messages.

#![allow(const_item_mutation)]

use core::{
    fmt::{self, Write},
    hint::black_box,
    mem::MaybeUninit,
    num::NonZero,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};
use kernel::prelude::*;
use tracepoint::{event::*, *};

trait Backend: Sync {
    fn level(&self) -> u32;
}

struct Disk(AtomicU32);

impl Backend for Disk {
    fn level(&self) -> u32 {
        1000 / self.0.load(Relaxed)
    }
}

/// A device whose functions can be anything.
#[derive(TracepointArg)]
struct Dev<'a> {
    backend: &'a dyn Backend,
    average: fn(u32) -> u32,
    notify: Option<fn(u32) -> u32>,
    text: &'a dyn fmt::Display,
    id: u32,
}

impl PartialEq<u32> for Dev<'_> {
    fn eq(&self, n: &u32) -> bool {
        1000 / n == self.id
    }
}

const PAIR: (u32, u32) = (100, 1);

fn third(n: u32) -> u32 {
    1000 / (n - 3)
}

fn half(n: u32) -> u32 {
    1000 / (n - 2)
}

static CALLS: [fn(u32) -> u32; 2] = [half, third];

#[inline(always)]
fn inlined(a: u32, b: u32) -> u32 {
    a - b
}

#[inline(never)]
fn indexed(list: &[u8], n: usize) -> u8 {
    list[n]
}

#[inline(never)]
fn called(list: &[u8], n: usize) -> u8 {
    indexed(list, n) | 1
}

#[inline(never)]
fn generic<T: Copy + Into<u64>>(list: &[T]) -> u64 {
    (*list.first().unwrap()).into()
}

#[inline(never)]
fn apply(f: fn(u32) -> u32, n: u32) -> u32 {
    f(n) | 1
}

/// Structs within each other.
macro_rules! nested {
    ($last:ident) => {
        #[derive(Debug)]
        struct $last(u32);

        impl $last {
            const NEW: Self = Self(1);
        }
    };
    ($first:ident $second:ident $($more:ident)*) => {
        #[derive(Debug)]
        struct $first($second);

        impl $first {
            const NEW: Self = Self($second::NEW);
        }

        nested!($second $($more)*);
    };
}

nested!(A B C D E F G H I J K L M N O P Q R S T U V W X);

static NESTED: A = A::NEW;

#[inline(never)]
fn huge(n: u32) -> u32 {
    let mut buffer = [const { MaybeUninit::<u32>::uninit() }; 3 << 28];
    buffer[0].write(n);
    black_box(&buffer);
    n
}

#[inline(never)]
fn from_table(n: u32) -> u32 {
    CALLS[n as usize & 1](n)
}

#[inline(never)]
fn tail(f: &dyn Fn(u32) -> u32, n: u32) -> u32 {
    f(n)
}

#[inline(never)]
fn walk(n: u32) -> u32 {
    if n % 7 == 0 {
        n
    } else {
        black_box(walk(n / 2)).wrapping_add(1)
    }
}

#[inline(never)]
fn buffered(n: u32) -> u32 {
    let mut list = [n; 3000];
    black_box(&mut list);
    list.iter().fold(0, |sum, n| sum ^ n)
}

#[inline(never)]
fn first_of_three(n: u32) -> u32 {
    black_box(&mut [n; 400]);
    second_of_three(n)
}

#[inline(never)]
fn second_of_three(n: u32) -> u32 {
    black_box(&mut [n; 400]);
    third_of_three(n)
}

#[inline(never)]
fn third_of_three(n: u32) -> u32 {
    black_box(&mut [n; 400])[0]
}

/// Can be shown, but panics.
struct Panics(u32);

impl fmt::Display for Panics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", 10 / self.0)
    }
}

/// Shows itself by a function that could be anything.
struct Calls(fn(u32) -> u32);

impl fmt::Display for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (self.0)(1))
    }
}

/// A list that shows its tail.
struct List<'a>(Option<&'a List<'a>>);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(tail) => write!(f, "+{tail}"),
            None => Ok(()),
        }
    }
}

/// A writer that panics.
struct Writer([u8; 4], usize);

impl Write for Writer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0[self.1] = text.len() as u8;
        self.1 += 1;
        Ok(())
    }
}

#[inline(never)]
fn written(n: u32) -> u32 {
    let mut writer = Writer([0; 4], 0);
    _ = write!(writer, "{n} {n}");
    writer.1 as u32
}

/// Panics when it's dropped.
struct Guard<'a>(&'a [u8], usize);

impl Drop for Guard<'_> {
    #[inline(never)]
    fn drop(&mut self) {
        black_box(self.0[self.1]);
    }
}

trace_event! {
    system: "refused";

    fn my_inlined(a: u32, b: u32) {
        n: u32 = inlined(a, b)
    }
    print "{n}";

    fn my_called(list: &[u8], n: usize) {
        len: usize = list.len(),
        n: u8 = called(list, n),
    }
    print "{len} {n}";

    fn my_divisor(a: u32, b: u32) if a % b == 0 {
        n: u32 = a / b,
        m: i32 = a as i32 % (b as i32 + 1),
    }
    print "{n} {m}";

    fn my_index(data: &[u8; 4], i: usize) {
        n: u8 = data[i],
    }
    print "{n}";

    fn my_slice(data: &[u8], n: usize) {
        first: u8 = data[0],
        data: DynArray<u8> = &data[..n],
    }
    print "{first} {data:print_hex}";

    fn my_unwrap(data: &[u8]) {
        n: u8 = *data.first().unwrap(),
    }
    print "{n}";

    fn my_macro(a: u32) {
        n: u32 = if a > 5 { todo!() } else { a },
        m: u32 = { assert!(a < 3); a },
    }
    print "{n} {m}";

    fn my_generic(list: &[u32]) {
        n: u64 = generic(list),
    }
    print "{n}";

    fn my_condition(list: &[u8], n: usize) if called(list, n) > 1 {
        n: usize = n,
    }
    print "{n}";

    fn my_dyn(dev: &Dev<'_>) {
        id: u32 = dev.id,
        level: u32 = dev.backend.level(),
    }
    print "{id} {level}";

    fn my_pointer(dev: &Dev<'_>) {
        average: u32 = (dev.average)(0),
    }
    print "{average}";

    fn my_option(dev: &Dev<'_>) {
        notified: u32 = dev
            .notify
            .map_or(0, |notify| notify(1)),
    }
    print "{notified}";

    fn my_table(n: u32) {
        n: u32 = CALLS.get(n as usize & 1).map_or(0, |f| f(n)),
    }
    print "{n}";

    fn my_apply(dev: &Dev<'_>) {
        n: u32 = apply(dev.average, dev.id),
    }
    print "{n}";

    fn my_tail(dev: &Dev<'_>) {
        n: u32 = tail(&dev.average, dev.id),
    }
    print "{n}";

    fn my_tail_table(n: u32) {
        n: u32 = from_table(n),
    }
    print "{n}";

    fn my_nested(n: u32) {
        n: u32 = n,
        text: Formatted = format_args!("{NESTED:?}"),
    }
    print "{text}";

    fn my_huge(n: u32) {
        n: u32 = huge(n),
    }
    print "{n}";

    fn my_equal(dev: &Dev<'_>, n: u32) if *dev == n {
        n: u32 = n,
    }
    print "{n}";

    fn my_assigned(n: u32) if (PAIR.0 /= n) == (PAIR.1 += n) {
        n: u32 = n,
    }
    print "{n}";

    fn my_pointer_if(dev: &Dev<'_>) if (dev.average)(1) > 1 {
        id: u32 = dev.id,
    }
    print "{id}";

    fn my_value(dev: &Dev<'_>) {
        let level = dev.backend.level();
        id: u32 = dev.id,
        level: u64 = level.into(),
    }
    print "{id} {level}";

    fn my_count(dev: &Dev<'_>) {
        id: u32 = dev.id,
    }
    print "{id}"
    with { perf_count: dev.backend.level().into() };

    class my_class(dev: &Dev<'_>) {
        level: u32 = dev.backend.level(),
    }
    print "{level}"
    events {
        fn my_class_one;
        fn my_class_two;
    }

    fn my_text(dev: &Dev<'_>) {
        text: Formatted = format_args!("{}", dev.text),
    }
    print "{text}";

    fn my_panics(n: u32) {
        text: Formatted = format_args!("{}", Panics(n)),
    }
    print "{text}";

    fn my_calls(dev: &Dev<'_>) {
        text: Formatted = format_args!("{}", Calls(dev.average)),
    }
    print "{text}";

    fn my_writer(n: u32) {
        n: u32 = written(n),
    }
    print "{n}";

    fn my_drop(list: &[u8], n: usize) {
        n: usize = Guard(list, n).1,
    }
    print "{n}";

    fn my_recursive(n: u32) {
        n: u32 = walk(n),
    }
    print "{n}";

    fn my_list(list: &Chain<'_>) {
        text: Formatted = format_args!("{}", list.0),
    }
    print "{text}";

    fn my_own(n: u32) {
        n: u32 = {
            if n > 0 {
                trace!(my_own(n - 1));
            }
            n
        },
    }
    print "{n}";

    fn my_buffer(n: u32) {
        n: u32 = buffered(n),
    }
    print "{n}";

    fn my_array(n: u32) {
        n: u32 = black_box([n; 1000])[3],
    }
    print "{n}";

    fn my_three(n: u32) {
        n: u32 = first_of_three(n),
    }
    print "{n}";
}

tracepoint! { fn my_tracepoint(list: &[u8]) if called(list, 0) > 1; }
define_trace!(my_tracepoint);

/// What a list is passed in.
#[derive(TracepointArg)]
struct Chain<'a>(List<'a>);

#[derive(Debug)]
#[allow(dead_code)]
struct Point {
    x: u32,
    y: Option<u32>,
}

struct Shown<'a>(&'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        for (i, byte) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{byte:#04x}")?;
        }
        f.debug_list().entries(self.0).finish()
    }
}

#[inline(never)]
fn fires(n: u32) -> u32 {
    trace!(my_good(n, &[1, 2, 3]));
    match n {
        0 => black_box(2),
        1 => black_box(3),
        2 => black_box(5),
        3 => black_box(7),
        4 => black_box(11),
        5 => black_box(13),
        6 => black_box(17),
        7 => black_box(19),
        8 => black_box(23),
        _ => 0,
    }
}

#[inline(never)]
fn with_closure(n: u32, f: impl Fn(u32) -> u32) -> u32 {
    black_box(f(n)) | 1
}

fn string(text: &[usize; 1]) -> &CStr {
    // SAFETY: The only caller passes the address of a C string that is static and never changes.
    unsafe { c_str_at(text[0] as *const _) }
}

// None of these is refused.
trace_event! {
    system: "refused";

    fn my_good(n: u32, list: &[u8]) {
        n: u32 = with_closure(n, |n| n + 1),
        list: Formatted = format_args!("{} {:?} {n:>5}", Shown(list), Point { x: n, y: Some(n) }),
        all: DynArray<u16> = &elements(list.iter().map(|n| u16::from(*n))),
        none: Str = "none",
    }
    print "{n} {list} {all} {none}";

    fn my_bounds(data: &[u8; 4], n: u32, size: u32) if n % (size | 1) != 3 {
        last: u8 = data[3],
        nth: u8 = data[n as usize % 4],
        masked: u8 = data[n as usize & 3],
        ratio: u32 = NonZero::new(size).map_or(0, |size| n / size),
        shifted: i32 = -(n as i32 - 1) << n,
    }
    print "{last} {nth} {masked} {ratio} {shifted}";

    fn my_string(text: &[usize; 1]) if !text.is_empty() {
        text: Str = string(text),
    }
    print "{text}";

    fn my_fires(n: u32) {
        n: u32 = fires(n),
    }
    print "{n}";

    fn my_deep(n: u32) {
        n: u32 = deep(n),
    }
    print "{n}";

    fn my_utf8(n: u32) {
        n: u8 = first_of_utf8(n),
    }
    print "{n}";
}

/// Writes to a writer of the same type.
struct Deep(u32);

impl Write for Deep {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match self.0.checked_sub(1) {
            Some(less) => Deep(less).write_fmt(format_args!("{text}")),
            None => Ok(()),
        }
    }
}

#[inline(never)]
fn deep(n: u32) -> u32 {
    let _ = Deep(n).write_str("x");
    n
}

#[inline(never)]
fn first_of_utf8(n: u32) -> u8 {
    let mut bytes = [0; 1];
    char::from_u32(n).unwrap_or('a').encode_utf8(&mut bytes);
    bytes[0]
}

/// Walks a tree by a function that the trait provides.
trait Tree {
    #[inline(never)]
    fn depth(&self, n: u32) -> u32 {
        match n.checked_sub(1) {
            Some(less) => black_box(Tree::depth(self, less)) | 1,
            None => 1,
        }
    }
}

struct Leaf;

impl Tree for Leaf {}

/// A map that has a value without a key.
struct Keyless;

impl fmt::Display for Keyless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().value(&1).finish()
    }
}

// These are refused.
trace_event! {
    system: "refused";

    fn my_tree(n: u32) {
        n: u32 = Tree::depth(&Leaf, n),
    }
    print "{n}";

    fn my_map(n: u32) {
        text: Formatted = format_args!("{}", Keyless),
    }
    print "{text}";
}

struct Refused;

impl kernel::Module for Refused {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let list = List(None);
        let dev = Dev {
            backend: &Disk(AtomicU32::new(0)),
            average: black_box(third),
            notify: black_box(Some(half)),
            text: &Panics(0),
            id: 1,
        };
        let dev = black_box(&dev);
        trace!(my_tail_table(1));
        trace!(my_nested(1));
        trace!(my_huge(1));
        trace!(my_equal(dev, 1));
        trace!(my_assigned(1));
        trace!(my_pointer_if(dev));
        trace!(my_class_one(dev));
        trace!(my_class_two(dev));
        trace!(my_list(&Chain(List(Some(&list)))));
        trace!(my_condition(b"12", 1));
        trace!(my_tracepoint(b"12"));
        trace!(my_string(&[c"".as_ptr() as usize]));
        trace!(my_fires(1));
        trace!(my_divisor(1, 2));
        trace!(my_bounds(&[1; 4], 1, 2));
        Ok(Self)
    }
}

trace_event! {
    system: "refused";

    fn my_block(list: &[u8]) {
        n: u8 = {
            let m: u8 = 3;
            list[0] ^ m
        },
    }
    print "{n}";

    fn my_trim(text: &str) {
        text: Str = text.trim(),
    }
    print "{text}";
}

module! {
    type: Refused,
    name: "refused",
    description: "Events that the build refuses",
    license: "GPL",
}
