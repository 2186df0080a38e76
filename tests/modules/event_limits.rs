// SPDX-License-Identifier: GPL-2.0

//! Records at the limits of a buffer. A write to `/proc/event-limits` selects what to fire: `str N`
//! a string of N bytes, `list N` a list of N large numbers, `both N M` two strings, `dump N` a hex
//! dump of N bytes, and so on.

use command::Command;
use core::fmt;
use event::{elements, trace_event, DynArray, Formatted, Rel, Str};
use fs::proc::ProcEntry;
use kernel::{alloc::allocator::KVmalloc, prelude::*};
use tracepoint::*;

mod command;
mod fs;

trace_event! {
    system: "event-limits";

    pub(crate) fn l_str(text: Option<&CStr>) {
        text: Str = text,
    }
    print "[{text}] {text:len}";

    pub(crate) fn l_bytes(text: &[u8]) {
        text: Str = text,
    }
    print "[{text}] {text:len}";

    pub(crate) fn l_both(a: &[u8], b: &[u8]) {
        a: Rel<Str> = a,
        b: Str = b,
    }
    print "[{a:.8}] {a:len} [{b:.8}] {b:len}";

    pub(crate) fn l_list(list: &[u32]) {
        list: DynArray<u32> = list,
    }
    print "{list:len} {list}";

    pub(crate) fn l_formatted(text: &fmt::Arguments<'_>) {
        text: Formatted = text,
    }
    print "[{text}] {text:len}";

    fn l_endless(word: &str) {
        text: Formatted = format_args!("{} {}", word, Endless(word)),
    }
    print "[{text}] {text:len}";

    fn l_two(n: u32) {
        let list = elements((0..n).map(|n| n as u8));
        text: Formatted = format_args!("{}", Repeated("x", n)),
        list: DynArray<u8> = &list,
        last: u8 = list.last().copied().unwrap_or(0),
    }
    print "{text:len} {list:len} {last}";

    fn l_six(n: u32) {
        a: Formatted = format_args!("{}", Repeated("a", n)),
        b: Formatted = format_args!("{}", Repeated("b", n)),
        c: Rel<Formatted> = format_args!("{}", Repeated("c", n)),
        d: Formatted = format_args!("{} {n}", Repeated("d", n)),
        e: DynArray<u64> = &elements((0..n).map(u64::from)),
        f: DynArray<u8> = &elements((0..n).map(|n| n as u8)),
    }
    print "{a:.4} {a:len} {b:.4} {b:len} {c:.4} {c:len} {d:.8} {d:len} {e:len} {f:len}";

    pub(crate) fn l_dump(text: &[u8]) {
        head: [u8; 4] = *b"head",
        text: DynArray<u8> = text,
    }
    print "head{head:print_hex_dump}text{text:print_hex_dump}end";
}

/// A word that's repeated a number of times.
struct Repeated(&'static str, u32);

impl fmt::Display for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.1).try_for_each(|_| f.write_str(self.0))
    }
}

/// A word that's repeated without end, unless writing fails.
struct Endless<'a>(&'a str);

impl fmt::Display for Endless<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        while !self.0.is_empty() {
            f.write_str(self.0)?;
        }
        Ok(())
    }
}

/// Returns `len` letters and a NUL.
fn letters(len: usize) -> Result<KVVec<u8>> {
    let mut text = KVVec::with_capacity(len + 1, GFP_KERNEL)?;
    for i in 0..len {
        text.push(b'a' + (i % 26) as u8, GFP_KERNEL)?;
    }
    text.push(0, GFP_KERNEL)?;
    Ok(text)
}

fn fire(command: &str) -> Result {
    let mut words = command.split_ascii_whitespace();
    let what = words.next().ok_or(EINVAL)?;
    let mut number = || -> Result<usize> {
        let word = words.next().ok_or(EINVAL)?;
        word.parse().map_err(|_| EINVAL)
    };
    match what {
        "none" => trace!(l_str(None)),
        "str" => {
            let text = letters(number()?)?;
            let text = CStr::from_bytes_with_nul(&text).map_err(|_| EINVAL)?;
            trace!(l_str(Some(text)));
        }
        "both" => {
            let (a, b) = (letters(number()?)?, letters(number()?)?);
            trace!(l_both(&a[..a.len() - 1], &b[..b.len() - 1]));
        }
        "list" => {
            let mut list: Vec<u32, KVmalloc> = KVVec::new();
            for i in 0..number()? {
                list.push(u32::MAX - i as u32, GFP_KERNEL)?;
            }
            trace!(l_list(&list));
        }
        "formatted" => {
            let text = letters(number()?)?;
            let text = core::str::from_utf8(&text[..text.len() - 1]).map_err(|_| EINVAL)?;
            trace!(l_formatted(&format_args!("{text}")));
        }
        "width" => {
            let width = number()?;
            trace!(l_formatted(&format_args!("{:>width$}{}", 1, Endless(""))));
        }
        "two" => trace!(l_two(number()? as u32)),
        "six" => trace!(l_six(number()? as u32)),
        "endless" => trace!(l_endless("abc")),
        "dump" => trace!(l_dump(&letters(number()?)?)),
        // Invalid UTF-8, and an embedded NUL.
        "bytes" => trace!(l_bytes(b"\xff\xc0\x80z")),
        "nul" => trace!(l_bytes(b"one\0two")),
        _ => return Err(EINVAL),
    }
    Ok(())
}

struct EventLimits {
    _fire: ProcEntry<Command>,
}

impl kernel::Module for EventLimits {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _fire: ProcEntry::new(c"event-limits", 0o200, None, Command(fire))?,
        })
    }
}

module! {
    type: EventLimits,
    name: "event_limits",
    description: "Events at the size limits",
    license: "GPL",
}
