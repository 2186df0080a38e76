// SPDX-License-Identifier: GPL-2.0

//! Events with every kind of field and every way to print one. A write of `SEED ROUNDS` to
//! `/proc/event-values` fires each event once per round with generated values.
//!
//! No template starts with a space, so that the output of tools that pad event names can be parsed.

use command::Command;
use core::fmt;
use event::{
    num_possible_cpus, trace_event, Bitmask, Bits, DynArray, Formatted, Rel, SockAddr, Str, Struct,
    TraceEnum, TraceFlags,
};
use fs::proc::ProcEntry;
use kernel::{
    cpu::CpuId,
    cpumask::{Cpumask, CpumaskVar},
    ffi::{c_char, c_int, c_long, c_uint, c_ulong},
    prelude::*,
    transmute::AsBytes,
};
use tracepoint::*;
use values::{fire, Random};

mod command;
mod fs;
mod values;

/// One byte.
#[derive(Clone, Copy, TraceEnum)]
#[repr(u8)]
pub(crate) enum Colour {
    #[name = "red"]
    Red = 0,
    #[name = "green"]
    Green = 1,
    #[name = "blue"]
    Blue = 0xff,
}

/// Signed.
#[derive(Clone, Copy, TraceEnum)]
#[repr(i32)]
pub(crate) enum Level {
    #[name = "low"]
    Low = -1,
    #[name = "the lowest"]
    Lowest = i32::MIN,
    #[name = "zero"]
    Zero = 0,
    #[name = "high"]
    High = 70000,
}

const HIGHEST: u64 = 1 << 63;

kernel::impl_flags!(
    /// Beside others.
    #[derive(Clone, Copy)]
    pub(crate) struct Highest(u64);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(Highest, "|")]
    pub(crate) enum HighestFlag {
        #[name = "none"]
        None = 0,
        #[name = "top"]
        Top = 1 << 63,
        #[name = "low"]
        Low = 1,
        #[name = "two"]
        Two = 6,
        #[name = "last"]
        Last = 0x100,
    }
);

kernel::impl_flags!(
    /// The sign, also among others.
    #[derive(Clone, Copy)]
    pub(crate) struct SignedHighest(i64);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(SignedHighest, ", ")]
    pub(crate) enum SignedHighestFlag {
        #[name = "top"]
        Top = i64::MIN,
        #[name = "b"]
        B = 1 << 62,
        #[name = "a"]
        A = 1,
    }
);

kernel::impl_flags!(
    /// Without any other.
    #[derive(Clone, Copy)]
    pub(crate) struct OnlyHighest(u64);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(OnlyHighest, "|")]
    pub(crate) enum OnlyHighestFlag {
        #[name = "top"]
        Top = HIGHEST,
    }
);

kernel::impl_flags!(
    /// Beside one of several bits.
    #[derive(Clone, Copy)]
    pub(crate) struct MixedHighest(usize);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(MixedHighest, "+")]
    pub(crate) enum MixedHighestFlag {
        #[name = "high"]
        High = 1 << 63,
        #[name = "low"]
        Low = 1 << 62,
        #[name = "x"]
        X = 7,
    }
);

kernel::impl_flags!(
    /// 32 bits.
    #[derive(Clone, Copy)]
    pub(crate) struct Mode(u32);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(Mode, "|")]
    pub(crate) enum ModeFlag {
        #[name = "READ"]
        Read = 1,
        #[name = "WRITE"]
        Write = 2,
        #[name = "BOTH"]
        Both = 3,
        #[name = "TOP"]
        Top = 1 << 31,
    }
);

kernel::impl_flags!(
    /// 64 bits.
    #[derive(Clone, Copy)]
    pub(crate) struct Wide(u64);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(Wide, ", ")]
    pub(crate) enum WideFlag {
        #[name = "low"]
        Low = 1,
        #[name = "middle"]
        Middle = 0xff00,
        #[name = "high"]
        High = 1 << 62,
    }
);

kernel::impl_flags!(
    /// Signed, and with an empty separator.
    #[derive(Clone, Copy)]
    pub(crate) struct Small(i16);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(Small, "")]
    pub(crate) enum SmallFlag {
        #[name = "a"]
        A = 1,
        #[name = "b"]
        B = 2,
        #[name = "sign"]
        Sign = i16::MIN,
    }
);

/// An alias.
type Sectors = u64;

const MINORBITS: u32 = 20;
const LIMIT: u32 = 0x8000_0000 >> MINORBITS;
const MANY: i32 = 70000;

/// A struct without padding.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Pair {
    a: u32,
    b: u16,
    c: [u8; 2],
}

// SAFETY: The fields of `Pair` fill its 8 bytes without padding, and none has interior mutability.
unsafe impl AsBytes for Pair {}

trace_event! {
    system: "event-values";

    pub(crate) fn v_unsigned(a: u8, b: u16, c: u32, d: u64, e: usize, f: bool) {
        f: bool = f,
        a: u8 = a,
        b: u16 = b,
        c: u32 = c,
        d: u64 = d,
        e: usize = e,
    }
    print "[{a} {b} {c} {d} {e} {f}]";

    pub(crate) fn v_signed(a: i8, b: i16, c: i32, d: i64, e: isize) {
        a: i8 = a,
        d: i64 = d,
        b: i16 = b,
        c: i32 = c,
        e: isize = e,
    }
    print "[{a} {b} {c} {d} {e}]";

    pub(crate) fn v_aliases(a: c_int, b: c_uint, c: c_long, d: c_ulong) {
        a: c_int = a,
        b: c_uint = b,
        c: c_long = c,
        d: c_ulong = d,
        e: u32 as "gfp_t" = b,
    }
    print "[{a} {b} {c} {d} {e}]";

    pub(crate) fn v_hex(a: u8, b: u16, c: u32, d: u64, e: i8, f: i16, g: i32, h: i64, rust: &fmt::Arguments<'_>) {
        a: u8 = a,
        b: u16 = b,
        c: u32 = c,
        d: u64 = d,
        e: i8 = e,
        f: i16 = f,
        g: i32 = g,
        h: i64 = h,
        rust: Formatted = rust,
    }
    print "[{a:x} {b:x} {c:x} {d:x} {e:x} {f:x} {g:x} {h:x} {a:#x} {b:#X} {c:#010x} {d:#018x} \
           {e:#x} {f:#06x} {g:#x} {h:#X} {a:o} {g:o} {h:o} {c:X} {d:016X} {c:#01x} {c:<#12x}][{rust}]";

    pub(crate) fn v_layout(a: u8, b: i16, c: u32, d: i64, e: i8, rust: &fmt::Arguments<'_>) {
        a: u8 = a,
        b: i16 = b,
        c: u32 = c,
        d: i64 = d,
        e: i8 = e,
        rust: Formatted = rust,
    }
    print "[{a:5}|{b:8}|{c:12}|{d:24}|{a:<5}|{b:<8}|{c:<12}|{d:<24}|{a:>5}|{b:>8}|{c:>12}|{d:>24}|\
           {a:05}|{b:08}|{c:012}|{d:024}|{b:+}|{d:+}|{e:+05}|{b:<+8}|{d:>+24}|{c:<12x}|{d:>20x}|{e:08x}][{rust}]";

    pub(crate) fn v_pointers(a: usize, b: usize) {
        a: *const c_void = a as *const c_void,
        b: *mut u8 = b as *mut u8,
    }
    print "[{a:px} {b:px} {number:#x} {page}]", number = a as usize, page = b as u64 >> 12;

    // Tools don't hash an address, and have other symbols.
    pub(crate) fn p_addresses(a: usize, b: u64) {
        a: *const c_void = a as *const c_void,
        b: u64 = b,
    }
    print "[{a} {a:p} {b:p} {a:px} {b:pS} {b:ps}]";

    // Numbers, and what Rust computes.
    pub(crate) fn v_computed(
        a: u8,
        b: i8,
        c: u16,
        d: i16,
        e: u32,
        f: i32,
        g: u64,
        h: i64,
        flag: bool,
        rust: &fmt::Arguments<'_>,
    ) {
        a: u8 = a,
        b: i8 = b,
        c: u16 = c,
        d: i16 = d,
        e: u32 = e,
        f: i32 = f,
        g: u64 = g,
        h: i64 = h,
        flag: bool = flag,
        rust: Formatted = rust,
    }
    print "[{x0} {x1} {x2} {x3} {x4} {x5} {x6} {x7} {x8} {x9} {x10} {x11} {x12} {x13} {x14} {x15} {x16} \
           {x17} {x18} {x19} {x20} {x21} {x22} {x23} {x24} {x25} {x26} {x27:#x} {x28:08x} {x29:<5}|][{rust}]",
        x0 = a + 200,
        x1 = -b,
        x2 = c * c,
        x3 = d - 30000,
        x4 = e + e * 3,
        x5 = f - 1,
        x6 = g * (g + 1),
        x7 = -h,
        x8 = b / 3,
        x9 = d % -7,
        x10 = f / -1,
        x11 = h / 1_000_000,
        x12 = b >> 2,
        x13 = f >> (a & 63),
        x14 = h >> c,
        x15 = e << (a % 40),
        x16 = a as i8 as i64,
        x17 = b as u32,
        x18 = d as u64,
        x19 = f as u64 / 1000,
        x20 = e as i32,
        x21 = h as u8,
        x22 = !a ^ 0x0f,
        x23 = f ^ (d as i32) | !f & 0xff,
        x24 = b < -5 && d > 100 || h >= 0,
        x25 = if f > d as i32 { f } else { d as i32 },
        x26 = match c { 0 => 1, 1..=100 => 2, 101 | 103 => 3, _ => 4 },
        x27 = e >> 20,
        x28 = e & 0xfffff,
        x29 = !flag as u8;

    // Texts, and what Rust chooses.
    pub(crate) fn v_choices(
        n: i32,
        m: u16,
        name: &CStr,
        words: &[u32; 4],
        list: &[u64],
        rust: &fmt::Arguments<'_>,
    ) {
        n: i32 = n,
        m: u16 = m,
        name: Str = name,
        comm: [c_char; 16] = name,
        words: [u32; 4] = words,
        list: Rel<DynArray<u64>> = list,
        rust: Formatted = rust,
    }
    print "[{sign} {sign:5}|{sign:>9}|{size} {which}|{which:.3}|{first} {count} {room} {op} {op:6}|{bits} {other} {nested}][{rust}]",
        sign = if n < 0 { "minus" } else if n == 0 { "none" } else { "plus" },
        size = match m { 0 => "zero", 1..=255 => "byte", _ => "word" },
        which = if m % 3 == 0 { name } else if m % 3 == 1 { comm } else { "neither" },
        first = words[0] ^ words[3],
        count = list.len(),
        room = words.len() - 1,
        op = print_symbolic(m & 3, { 0 => "READ", 1 => "WRITE" }),
        bits = print_flags(n as u32 >> 30, "|", { 0 => "none", 1 => "LOW", 2 => "HIGH" }),
        other = print_symbolic(n, { 0 => "zero", -20..=-1 => "few", MANY => "many", _ => "any" }),
        nested = if list.len() > 2 {
            print_flags(m, ",", { 1 => "a", 2 => "b" })
        } else {
            print_symbolic(m, { 0 => "zero", MANY as u16 => "many" })
        };

    pub(crate) fn v_errors(a: i32, b: i64) {
        a: i32 = a,
        b: i64 = b,
    }
    print "[{a:errno} {b:errno} {c:errno}]", c = -a - 1;

    // Types and constants that the macro doesn't know.
    pub(crate) fn v_constants(colour: u8, n: u32, wide: u64) {
        colour: Colour = if colour % 2 == 0 { Colour::Red } else { Colour::Blue },
        sectors: Sectors = wide,
        parts: [Sectors; 2] = [wide, wide + 1],
        n: u32 = n,
    }
    print "[{major}:{minor} {is_red} {shifted} {second} {state} {known} {op}]",
        major = n >> MINORBITS,
        minor = n & const { (1 << MINORBITS) - 1 },
        is_red = if colour == Colour::Red { 1 } else { 2 },
        shifted = sectors << 9,
        second = parts[1] / 2,
        state = if n > LIMIT { "over" } else { "within" },
        known = if n == const { i32::MIN as u32 } { "edge" } else { "inside" },
        op = print_symbolic(n >> MINORBITS, { 0 => "zero", LIMIT => "limit", u8::MAX => "byte" });

    pub(crate) fn v_conversions(
        mac: &[u8; 6],
        four: &[u8; 4],
        six: &[u8; 16],
        address: &[u8; 28],
        data: &[u8],
        width: u8,
        n: u32,
    ) {
        mac: [u8; 6] = mac,
        four: [u8; 4] = four,
        six: [u8; 16] = six,
        address: [u8; 28] = address,
        data: DynArray<u8> = data,
        rel: Rel<DynArray<u8>> = data,
        name: Str = c"some text",
        letter: u8 = b'a' + n as u8 % 26,
        width: u8 = width % 20,
        n: u32 = n,
        bus: u64 = u64::from(n) << 20,
    }
    print "[{mac:pM} {mac:pMF} {mac:pMR} {mac:pm} {four:pI4} {four:pi4} {six:pI6} {six:pi6} {six:pI6c} \
           {six:pU} {six:pUB} {six:pUl} {six:pUL} {address:pISpc} {address:pIS} {address:pISp} {address:pISc} {mac:ph} {mac:phN} {data:ph} {data:phC} \
           {rel:phD} {data:phN} {letter:c} {letter:5c}| {bus:pad} {list} {part} {some} {rest} {shorts} {longs} {bytes} {colons} {dashes} {name:.width$} {name:>30.width$}|{name:.n$}|]",
        list = print_array(six),
        part = print_hex(data, width),
        some = print_array(address, width),
        rest = print_hex_str(rel, n),
        shorts = print_array(data, width, 2),
        longs = print_array(address, 3, 8),
        bytes = print_array(rel, n, 1),
        colons = phC(data, width),
        dashes = phD(rel, n);

    pub(crate) fn v_arrays(
        a: &[u8; 3],
        b: &[u16; 4],
        c: &[u32; 1],
        d: &[u64; 2],
        e: &[i8; 5],
        f: &[i32; 2],
        g: &[usize; 2],
        h: &[bool; 4],
        i: &[i64; 3],
    ) {
        a: [u8; 3] = a,
        b: [u16; 4] = *b,
        c: [u32; 1] = c,
        d: [u64; 2] = d,
        e: [i8; 5] = e,
        f: [i32; 2] = f,
        g: [usize; 2] = g,
        h: [bool; 4] = h,
        i: [i64; 3] = i,
    }
    print "[{a} {b} {c} {d} {e} {f} {g} {h} {i} {a:print_array} {a:print_hex} {b:print_hex} \
           {c:print_hex_str} {d:print_hex_str} {h:print_hex}]";

    pub(crate) fn v_chars(a: &CStr, b: &str, c: &[u8; 8]) {
        a: [c_char; 16] = a,
        b: [c_char; 1] = b,
        c: [c_char; 8] = c,
        d: [c_char; 5] = b,
        e: [u8; 3] as "char" = a,
    }
    print "[{a}|{b}|{c}|{d}|{e}|{a:>20}|{a:<20}|{a:20}|{a:.3}|{c:.20}|{c:>10.4}|{c:.0}|{c:print_hex}]";

    pub(crate) fn v_struct(a: u32, b: u16, c: &[u8; 2]) {
        pair: Struct<Pair> as "struct pair" = Pair { a, b, c: *c },
        a: u32 = a,
    }
    print "[{pair:print_hex} {pair:print_hex_str} {a}]";

    pub(crate) fn v_enums(colour: u8, level: i32) {
        colour: Colour = match colour % 3 {
            0 => Colour::Red,
            1 => Colour::Green,
            _ => Colour::Blue,
        },
        level: Level = match level & 3 {
            0 => Level::Low,
            1 => Level::Lowest,
            2 => Level::Zero,
            _ => Level::High,
        },
    }
    print "[{colour} {level} {colour:x} {level:#x}]";

    pub(crate) fn v_highest(n: u64) {
        both: Highest = Highest(n),
        highest: SignedHighest = SignedHighest(n as i64),
        alone: OnlyHighest = OnlyHighest(n),
        mixed: MixedHighest = MixedHighest(n as usize),
        n: u64 = n,
        i: i64 = n as i64,
    }
    print "{both} {highest} {alone} {mixed} {table} {named} {computed}",
        table = print_flags(n, "|", { (1 << 63) => "top", 1 << 62 => "next", 1 => "one", 7 => "many" }),
        named = print_flags(i, "|", { 0 => "zero", HIGHEST => "top", 1 => "one" }),
        computed = print_flags(n ^ 1, "|", { 0x8000_0000_0000_0000 => "top", 1 => "one", 2 => "two" });

    pub(crate) fn v_flags(mode: u32, wide: u64, small: i16) {
        mode: Mode = Mode(mode),
        wide: Wide = Wide(wide),
        small: Small = Small(small),
    }
    print "[{mode}/{wide}/{small}/{mode:x}/{wide:#x}/{small}]";

    pub(crate) fn v_tables(a: u8, b: i16, c: u64, d: i32, e: u32) {
        a: u8 = a,
        b: i16 = b,
        c: u64 = c,
        d: i32 = d,
        e: u32 = e,
    }
    print "[{a_name} {b_name} {c_name} {d_bits} {e_bits} {c_bits} {a}]",
        a_name = print_symbolic(a, {
            0 => "none",
            1 => "one",
            0xff => "all of it",
            255 => "again",
        }),
        b_name = print_symbolic(b, {
            -1 => "minus one",
            0 => "0 (zero)",
            -0x8000 => "least",
            3 => "",
        }),
        c_name = print_symbolic(c, {
            0 => "none",
            0x8000_0000_0000_0000 => "top",
            usize::MAX => "%s",
        }),
        d_bits = print_flags(d, "", { 1 => "a", 2 => "b", 4 => "c, d", i32::MIN => "sign" }),
        e_bits = print_flags(e, " | ", {
            3 => "two",
            1 => "one",
            0x8000_0000u32 => "{top}",
            0xf0 => "'f'",
        }),
        c_bits = print_flags(c, "|", { 1 => "one", 0x4000_0000_0000_0000 => "high" });

    pub(crate) fn v_strings(a: &CStr, b: &str, c: &[u8], d: Option<&CStr>) {
        a: Str = a,
        b: Str = b,
        c: Str = c,
        d: Str = d,
        e: Str = Some(b),
        f: Str = (b.len() % 2 == 0).then_some(c),
        n: u8 = 7,
    }
    print "[{a}|{b}|{c}|{d}|{e}|{f}|{a:>20}|{a:<20}|{b:20}|{c:.5}|{d:>9.3}|{b:.0}|\
           {a:len}|{c:len}|{d:len}|{n}]";

    pub(crate) fn v_rel_strings(a: &CStr, b: &str, c: &[u8], d: Option<&CStr>) {
        x: u8 = 1,
        a: Rel<Str> = a,
        b: Rel<Str> = b,
        c: Rel<Str> = c,
        y: u16 = 2,
        d: Rel<Str> = d,
        e: Str = a,
    }
    print "[{a}|{b}|{c}|{d}|{e}|{a:>20}|{b:.3}|{a:len}|{c:len}|{d:len}|{x}|{y}]";

    pub(crate) fn v_dynamic(a: &[u8], b: &[u16], c: &[u32], d: &[u64], e: &[i32], f: &[i64]) {
        a: DynArray<u8> = a,
        b: DynArray<u16> = b,
        c: DynArray<u32> = c,
        d: DynArray<u64> = d,
        e: DynArray<c_int> = e,
        f: DynArray<i64> = f,
    }
    print "[{a} {b} {c} {d} {e} {f} {a:print_hex} {b:print_hex_str} {c:print_array} \
           {a:len} {b:len} {d:len}]";

    /// C types that are longer than most, and characters that have a sign on x86, unlike the kernel's.
    pub(crate) fn v_c_types(n: u32, list: &[u8]) {
        n: u32 as "the_name_of_a_type_in_c_that_is_longer_than_what_fits_in_sixty_four_bytes" = n,
        list: DynArray<u8> as "the_name_of_a_type_in_c_that_is_almost_as_long_as_that" = list,
        chars: [core::ffi::c_char; 2] = [!0, 0],
    }
    print "{n} {list}";

    pub(crate) fn v_rel_dynamic(a: &[u8], b: &[u16], c: &[u32], d: &[u64], e: &[bool]) {
        a: Rel<DynArray<u8>> = a,
        x: u64 = 1,
        b: Rel<DynArray<u16>> = b,
        c: Rel<DynArray<u32>> = c,
        d: Rel<DynArray<u64>> = d,
        e: Rel<DynArray<bool>> = e,
    }
    print "[{a} {b} {c} {d} {e} {a:print_hex} {b:print_hex_str} {c:print_array} \
           {a:len} {b:len} {d:len} {x}]";

    pub(crate) fn v_masks(a: &[usize], bits: usize, cpus: &Cpumask) {
        a: Bitmask = Bits::new(a, bits),
        b: Bitmask = Bits::of_cpumask(cpus, num_possible_cpus()),
        c: Cpumask = cpus,
    }
    print "[{a} {a:list} {a:len} {b} {b:list} {c} {c:list} {c:len}]";

    pub(crate) fn v_rel_masks(a: &[usize], bits: usize, cpus: &Cpumask) {
        a: Rel<Bitmask> = Bits::new(a, bits),
        c: Rel<Cpumask> = cpus,
    }
    print "[{a} {a:list} {a:len} {c} {c:list} {c:len}]";

    pub(crate) fn v_addresses(a: &[u8], b: &[u8]) {
        a: SockAddr = a,
        b: Rel<SockAddr> = b,
    }
    print "[{a} {b} {a:len} {b:len}]";

    pub(crate) fn v_formatted(a: &fmt::Arguments<'_>, b: &fmt::Arguments<'_>) {
        a: Formatted = a,
        b: Rel<Formatted> = b,
    }
    print "[{a}|{b}|{a:.9}|{b:>30}|{a:len}|{b:len}]";

    pub(crate) fn v_times(a: u64, b: u64) {
        a: u64 = a,
        b: u64 = b,
    }
    print "[{a:print_ns_to_secs}.{a:print_ns_without_secs} \
           {b:print_ns_to_secs}.{b:print_ns_without_secs}]";

    pub(crate) fn v_text(a: u8) {
        a: u8 = a,
    }
    print "{{{a}}} 100% \"quoted\" 'single' \\n \\ \\\\\" %%d %%s %%%%{a}%\ttab, (a) [b] {{}} }} {{ REC->a]";

    pub(crate) fn v_lines(a: u8) {
        a: u8 = a,
    }
    print "[one\ntwo {a}\nthree]";

    pub(crate) fn v_nothing() {}
    print "[nothing]";

    pub(crate) fn v_padded(a: &str, b: &str, rust: &fmt::Arguments<'_>) {
        a: Str = a,
        b: [c_char; 201] = b,
        rust: Formatted = rust,
    }
    print "[{a}|{a:9}|{a:<9}|{a:>9}|{a:.3}|{a:9.2}|{a:>9.2}|{b}|{b:9}|{b:<9}|{b:>9}|{b:.3}|{b:9.2}][{rust}]";

    class v_class(a: u8, name: &str) {
        name: Str = name,
        a: u8 = a,
    }
    print "[{name} {a}]"
    events {
        pub(crate) fn v_one;
        pub(crate) fn v_two if a % 2 == 0;
        pub(crate) fn v_three print "[{a:#x} of {name:>12}: {kind}]",
            kind = print_symbolic(a, { 0 => "zero", 1 => "one" });
    }
}

/// A function with a symbol.
extern "C" fn init() {}

fn run(text: &str) -> Result {
    let mut words = text.split_ascii_whitespace();
    let mut number = || -> Result<u64> {
        let word = words.next().ok_or(EINVAL)?;
        word.parse().map_err(|_| EINVAL)
    };
    let mut random = Random::new(number()? | 1);
    let rounds = number()?;
    let mut cpus = CpumaskVar::new_zero(GFP_KERNEL)?;
    for _ in 0..rounds {
        fire(&mut random, &mut cpus);
    }
    Ok(())
}

struct EventValues {
    _fire: ProcEntry<Command>,
}

impl kernel::Module for EventValues {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _fire: ProcEntry::new(c"event-values", 0o200, None, Command(run))?,
        })
    }
}

module! {
    type: EventValues,
    name: "event_values",
    description: "Events with every kind of field",
    license: "GPL",
}
