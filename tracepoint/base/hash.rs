// SPDX-License-Identifier: GPL-2.0

//! A cryptographic hash that's computed at compile time.
//!
//! It doesn't need a kernel, so `tests/host/` runs it on the build machine.

/// The permutation Ascon-p\[12\]. The compiler interprets it, for which a call, as of `rotate_right()`, takes longer
/// than two shifts, and a tuple longer than a variable.
#[allow(clippy::manual_rotate)]
const fn permute(state: [u64; 5]) -> [u64; 5] {
    let [mut a, mut b, mut c, mut d, mut e] = state;
    let mut constant = 0xf0;
    while constant >= 0x4b {
        // The substitution of five bits, for 64 of them at a time.
        a ^= e;
        c ^= b ^ constant;
        e ^= d;
        let (first, last) = (a, !a & b);
        a ^= !b & c;
        b ^= !c & d;
        c ^= !d & e;
        d ^= !e & first;
        e ^= last;
        b ^= a;
        a ^= e;
        d ^= c;
        c = !c;
        // The diffusion in each word: two rotations.
        a ^= (a >> 19 | a << 45) ^ (a >> 28 | a << 36);
        b ^= (b >> 61 | b << 3) ^ (b >> 39 | b << 25);
        c ^= (c >> 1 | c << 63) ^ (c >> 6 | c << 58);
        d ^= (d >> 10 | d << 54) ^ (d >> 17 | d << 47);
        e ^= (e >> 7 | e << 57) ^ (e >> 41 | e << 23);
        constant -= 0x0f;
    }
    [a, b, c, d, e]
}

/// The state before the text, computed only once.
const START: [u64; 5] = permute([0x0000_0801_00cc_0002, 0, 0, 0, 0]);

/// Returns the first half of the Ascon-Hash256 (NIST SP 800-232) of a text. Unlike SHA-256, it works on words
/// of 64 bits and has no tables, so the compiler evaluates it in less time.
pub const fn ascon_128(mut text: &[u8]) -> u128 {
    let mut state = START;
    while let Some((word, rest)) = text.split_first_chunk() {
        state[0] ^= u64::from_le_bytes(*word);
        state = permute(state);
        text = rest;
    }
    // A 1 follows the text.
    let (mut last, mut i) = (1, text.len());
    while i > 0 {
        i -= 1;
        last = last << 8 | text[i] as u64;
    }
    state[0] ^= last;
    state = permute(state);
    let (first, second) = (state[0], permute(state)[0]);
    (first.swap_bytes() as u128) << 64 | second.swap_bytes() as u128
}
