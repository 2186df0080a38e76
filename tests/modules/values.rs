// SPDX-License-Identifier: GPL-2.0

//! Fires the events of event_values with generated values.

use crate::*;

/// A generator of random values, many of them edge cases.
pub(crate) struct Random(u64);

impl Random {
    /// Returns one that starts with these bits, which aren't all 0.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns 64 random bits, from xorshift64*.
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number less than `n`.
    fn below(&mut self, n: usize) -> usize {
        ((self.bits() >> 32) as usize) % n.max(1)
    }

    /// Returns an integer that the caller truncates to its type.
    fn int(&mut self) -> u64 {
        const EDGES: [u64; 16] = [
            0,
            1,
            2,
            3,
            u64::MAX,
            u64::MAX - 1,
            0x7f,
            0x80,
            0x7fff,
            0x8000,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0x7fff_ffff_ffff_ffff,
            0x8000_0000_0000_0000,
            999_999_999,
        ];
        match self.below(3) {
            0 => EDGES[self.below(EDGES.len())],
            1 => self.bits(),
            _ => self.bits() >> self.below(64),
        }
    }

    /// Fills an array.
    fn array<T: Copy + Default, const N: usize>(&mut self, cast: fn(u64) -> T) -> [T; N] {
        let mut array = [T::default(); N];
        for element in &mut array {
            *element = cast(self.int());
        }
        array
    }

    /// Returns a length of at most `max`.
    fn len(&mut self, max: usize) -> usize {
        match self.below(6) {
            0 => 0,
            1 => 1,
            2 => max,
            _ => self.below(max + 1),
        }
    }

    /// Fills a part of `to` with printable characters and returns that part.
    fn text<'a>(&mut self, to: &'a mut [u8]) -> &'a str {
        let len = self.len(to.len());
        for byte in &mut to[..len] {
            *byte = b' ' + self.below(95) as u8;
        }
        core::str::from_utf8(&to[..len]).unwrap_or("?")
    }

    /// The same, with any bytes except newlines and, unless `nul` is set, NULs.
    fn bytes<'a>(&mut self, to: &'a mut [u8], nul: bool) -> &'a [u8] {
        let len = self.len(to.len());
        for byte in &mut to[..len] {
            *byte = match self.bits() as u8 {
                0 if !nul => 1,
                b'\n' => b' ',
                byte => byte,
            };
        }
        &to[..len]
    }

    /// The same, as a NUL-terminated string.
    fn c_str<'a>(&mut self, to: &'a mut [u8]) -> &'a CStr {
        let last = to.len() - 1;
        let len = self.bytes(&mut to[..last], false).len();
        to[len] = 0;
        CStr::from_bytes_with_nul(&to[..=len]).unwrap_or(c"?")
    }

    /// Generates a socket address.
    fn address<'a>(&mut self, to: &'a mut [u8; 28]) -> &'a [u8] {
        for byte in to.iter_mut() {
            // Runs of zeroes, which are compressed in an IPv6 address.
            *byte = if self.below(3) == 0 {
                self.bits() as u8
            } else {
                0
            };
        }
        let (family, mut len) = match self.below(8) {
            0..=2 => (2, 16),
            3..=6 => (10, 28),
            _ => (self.below(12) as u16, 28),
        };
        to[..2].copy_from_slice(&u16::to_ne_bytes(family));
        match self.below(4) {
            // IPv4-mapped addresses, and ISATAP.
            0 if family == 10 => {
                to[8..18].fill(0);
                to[18..20].fill(0xff);
            }
            1 if family == 10 => to[16..20].copy_from_slice(&[0, 0, 0x5e, 0xfe]),
            _ => {}
        }
        if self.below(16) == 0 {
            len = self.below(29);
        }
        &to[..len]
    }

    /// Generates a bit mask.
    fn mask(&mut self) -> [usize; 4] {
        let mut mask = [0; 4];
        for word in &mut mask {
            *word = match self.below(5) {
                0 => 0,
                1 => usize::MAX,
                2 => self.bits() as usize & self.bits() as usize & self.bits() as usize,
                _ => self.int() as usize,
            };
        }
        mask
    }
}

/// Fires each event once.
pub(crate) fn fire(r: &mut Random, cpus: &mut Cpumask) {
    trace!(v_unsigned(
        r.int() as u8,
        r.int() as u16,
        r.int() as u32,
        r.int(),
        r.int() as usize,
        r.int() & 1 == 1
    ));
    trace!(v_signed(
        r.int() as i8,
        r.int() as i16,
        r.int() as i32,
        r.int() as i64,
        r.int() as isize
    ));
    trace!(v_aliases(
        r.int() as c_int,
        r.int() as c_uint,
        r.int() as c_long,
        r.int() as c_ulong
    ));
    let (a, b, c, d) = (r.int() as u8, r.int() as u16, r.int() as u32, r.int());
    let (e, f, g, h) = (
        r.int() as i8,
        r.int() as i16,
        r.int() as i32,
        r.int() as i64,
    );
    // The text that Rust formats with the same template.
    trace!(v_hex(
        a,
        b,
        c,
        d,
        e,
        f,
        g,
        h,
        &format_args!(
            "{a:x} {b:x} {c:x} {d:x} {e:x} {f:x} {g:x} {h:x} {a:#x} {b:#X} {c:#010x} {d:#018x} \
             {e:#x} {f:#06x} {g:#x} {h:#X} {a:o} {g:o} {h:o} {c:X} {d:016X} {c:#01x} {c:<#12x}"
        )
    ));
    let (b, d) = (r.int() as i16, r.int() as i64);
    trace!(v_layout(
        a,
        b,
        c,
        d,
        e,
        &format_args!(
            "{a:5}|{b:8}|{c:12}|{d:24}|{a:<5}|{b:<8}|{c:<12}|{d:<24}|{a:>5}|{b:>8}|{c:>12}|{d:>24}|\
             {a:05}|{b:08}|{c:012}|{d:024}|{b:+}|{d:+}|{e:+05}|{b:<+8}|{d:>+24}|{c:<12x}|{d:>20x}|{e:08x}"
        )
    ));
    trace!(v_pointers(r.int() as usize, r.int() as usize));
    trace!(p_addresses(r.int() as usize, init as *const () as u64));
    fire_computed(r);
    trace!(v_errors(-(r.below(140) as i32), -(r.below(600) as i64)));
    trace!(v_constants(r.int() as u8, r.int() as u32, r.int() >> 1));
    let mut address = [0; 28];
    r.address(&mut address);
    let data: [u8; 90] = r.array(|n| n as u8);
    trace!(v_conversions(
        &r.array(|n| n as u8),
        &r.array(|n| n as u8),
        &r.array(|n| n as u8),
        &address,
        &data[..r.len(90)],
        r.int() as u8,
        r.int() as u32
    ));
    trace!(v_arrays(
        &r.array(|n| n as u8),
        &r.array(|n| n as u16),
        &r.array(|n| n as u32),
        &r.array(|n| n),
        &r.array(|n| n as i8),
        &r.array(|n| n as i32),
        &r.array(|n| n as usize),
        &r.array(|n| n & 1 == 1),
        &r.array(|n| n as i64)
    ));

    let (mut a, mut b, mut c, mut d) = ([0; 40], [0; 40], [0; 300], [0; 40]);
    let (a, b, c) = (r.c_str(&mut a), r.text(&mut b), r.bytes(&mut c, true));
    let d = if r.below(4) > 0 {
        Some(r.c_str(&mut d))
    } else {
        None
    };
    let mut e = [0; 8];
    r.bytes(&mut e, true);
    trace!(v_chars(a, b, &e));
    trace!(v_strings(a, b, c, d));
    trace!(v_rel_strings(a, b, c, d));

    trace!(v_struct(
        r.int() as u32,
        r.int() as u16,
        &r.array(|n| n as u8)
    ));
    trace!(v_enums(r.int() as u8, r.int() as i32));
    // Also with few bits.
    for n in [
        r.int(),
        r.int() & 0xc000_0000_0000_0107,
        r.int() & 0x8000_0000_0000_0003,
    ] {
        trace!(v_highest(n));
        trace!(v_highest(n | HIGHEST));
    }
    trace!(v_flags(r.int() as u32, r.int(), r.int() as i16));
    trace!(v_tables(
        r.int() as u8,
        r.int() as i16,
        r.int(),
        r.int() as i32,
        r.int() as u32
    ));

    let a: [u8; 20] = r.array(|n| n as u8);
    let b: [u16; 9] = r.array(|n| n as u16);
    let c: [u32; 7] = r.array(|n| n as u32);
    let d: [u64; 5] = r.array(|n| n);
    let e: [bool; 6] = r.array(|n| n & 1 == 1);
    let f: [i32; 6] = r.array(|n| n as i32);
    let g: [i64; 6] = r.array(|n| n as i64);
    trace!(v_c_types(5, &[6, 7]));
    trace!(v_dynamic(
        &a[..r.len(20)],
        &b[..r.len(9)],
        &c[..r.len(7)],
        &d[..r.len(5)],
        &f[..r.len(6)],
        &g[..r.len(6)]
    ));
    trace!(v_rel_dynamic(
        &a[..r.len(20)],
        &b[..r.len(9)],
        &c[..r.len(7)],
        &d[..r.len(5)],
        &e[..r.len(6)]
    ));

    for cpu in 0..num_possible_cpus() as u32 {
        if let Some(cpu) = CpuId::from_u32(cpu) {
            if r.below(2) == 0 {
                cpus.set(cpu);
            } else {
                cpus.clear(cpu);
            }
        }
    }
    let mask = r.mask();
    trace!(v_masks(&mask, r.below(300), cpus));
    trace!(v_rel_masks(&mask, r.below(300), cpus));

    let (mut a, mut b) = ([0; 28], [0; 28]);
    trace!(v_addresses(r.address(&mut a), r.address(&mut b)));

    let mut text = [0; 200];
    let (n, text) = (r.int(), r.text(&mut text));
    trace!(v_formatted(
        &format_args!("{n:#x} {text}"),
        &format_args!("{text:?}{text}{text} {n}{text}")
    ));
    let (mut a, mut b) = ([0; 14], [0; 14]);
    let (a, b) = (r.text(&mut a), r.text(&mut b));
    trace!(v_padded(
        a,
        b,
        &format_args!(
            "{a}|{a:9}|{a:<9}|{a:>9}|{a:.3}|{a:9.2}|{a:>9.2}|{b}|{b:9}|{b:<9}|{b:>9}|{b:.3}|{b:9.2}"
        )
    ));
    trace!(v_times(r.int(), r.int()));
    trace!(v_text(r.int() as u8));
    trace!(v_lines(r.int() as u8));
    trace!(v_nothing());
    trace!(v_one(r.int() as u8, text));
    trace!(v_two(r.int() as u8, text));
    trace!(v_three(r.int() as u8, text));
}

/// Fires the events whose template computes something.
fn fire_computed(r: &mut Random) {
    let (a, b, c, d) = (r.int() as u8, r.int() as i8, r.int() as u16, r.int() as i16);
    let (e, f, g, h) = (r.int() as u32, r.int() as i32, r.int(), r.int() as i64);
    let flag = r.int() & 1 == 1;
    trace!(v_computed(
        a,
        b,
        c,
        d,
        e,
        f,
        g,
        h,
        flag,
        &format_args!(
            "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {:#x} {:08x} {:<5}|",
            a.wrapping_add(200),
            b.wrapping_neg(),
            c.wrapping_mul(c),
            d.wrapping_sub(30000),
            e.wrapping_add(e.wrapping_mul(3)),
            f.wrapping_sub(1),
            g.wrapping_mul(g.wrapping_add(1)),
            h.wrapping_neg(),
            b / 3,
            d % -7,
            f.wrapping_div(-1),
            h / 1_000_000,
            b >> 2,
            f.wrapping_shr(u32::from(a & 63)),
            h.wrapping_shr(c.into()),
            e.wrapping_shl(u32::from(a % 40)),
            a as i8 as i64,
            b as u32,
            d as u64,
            f as u64 / 1000,
            e as i32,
            h as u8,
            !a ^ 0x0f,
            f ^ (d as i32) | !f & 0xff,
            (b < -5 && d > 100 || h >= 0) as u8,
            if f > d as i32 { f } else { d as i32 },
            match c {
                0 => 1,
                1..=100 => 2,
                101 | 103 => 3,
                _ => 4,
            },
            e >> 20,
            e & 0xfffff,
            !flag as u8
        )
    ));

    let mut name = [0; 30];
    let name = r.text(&mut name[..20]);
    let len = name.len();
    let mut c_name = [0; 30];
    c_name[..len].copy_from_slice(name.as_bytes());
    let c_name = CStr::from_bytes_with_nul(&c_name[..=len]).unwrap_or(c"?");
    let comm = &name[..len.min(15)];
    let n = match r.below(4) {
        0 => MANY,
        1 => -(r.below(30) as i32),
        _ => r.int() as i32,
    };
    let m = r.int() as u16;
    let words: [u32; 4] = r.array(|n| n as u32);
    let list: [u64; 5] = r.array(|n| n);
    let list = &list[..r.len(5)];
    let sign = match n {
        ..0 => "minus",
        0 => "none",
        _ => "plus",
    };
    let op = ["READ", "WRITE", "0x2", "0x3"][usize::from(m & 3)];
    // As in tools, a number isn't padded.
    let padded = ["READ  ", "WRITE ", "0x2", "0x3"][usize::from(m & 3)];
    let which = match m % 3 {
        0 => name,
        1 => comm,
        _ => "neither",
    };
    trace!(v_choices(
        n,
        m,
        c_name,
        &words,
        list,
        &format_args!(
            "{sign} {sign:5}|{sign:>9}|{} {which}|{which:.3}|{} {} 3 {op} {padded}|{} {} {}",
            match m {
                0 => "zero",
                1..=255 => "byte",
                _ => "word",
            },
            words[0] ^ words[3],
            list.len(),
            ["none", "LOW", "HIGH", "LOW|HIGH"][(n as u32 >> 30) as usize],
            match n {
                0 => "zero",
                -20..=-1 => "few",
                MANY => "many",
                _ => "any",
            },
            Nested(m, list.len())
        )
    ));
}

/// The last text of `v_choices`.
struct Nested(u16, usize);

impl fmt::Display for Nested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(m, len) = *self;
        if len <= 2 {
            return match m {
                0 => f.write_str("zero"),
                4464 => f.write_str("many"),
                _ => write!(f, "{m:#x}"),
            };
        }
        f.write_str(["", "a", "b", "a,b"][usize::from(m & 3)])?;
        match (m & 3, m & !3) {
            (_, 0) => Ok(()),
            (0, rest) => write!(f, "{rest:#x}"),
            (_, rest) => write!(f, ",{rest:#x}"),
        }
    }
}
