// SPDX-License-Identifier: GPL-2.0

//! Hashes that are computed at compile time.
//!
//! Both the library and its procedural macros include this file. It doesn't need a kernel, so
//! `tests/host/` runs it on the build machine.

/// An FNV-1a hash: a number for what one module contains. A collision can be made on purpose.
#[derive(Clone, Copy)]
pub struct Fnv(pub u64);

// There's no `Default` in constants.
#[allow(clippy::new_without_default)]
impl Fnv {
    /// Returns the hash of nothing.
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a number, which is a byte in the algorithm.
    pub const fn number(self, number: u64) -> Self {
        Self((self.0 ^ number).wrapping_mul(0x100_0000_01b3))
    }

    /// Adds a text.
    pub const fn bytes(mut self, text: &[u8]) -> Self {
        let mut i = 0;
        while i < text.len() {
            self = self.number(text[i] as u64);
            i += 1;
        }
        self
    }
}

/// The words of SHA-256 are in 64 bits: their sums can't overflow there, and a call such as
/// `wrapping_add()` takes the compiler much longer than an operator.
type Word = u64;

/// The bits of a word.
const MASK: Word = 0xffff_ffff;

/// What SHA-256 starts with.
const INITIAL: [Word; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// What its rounds add.
const ROUNDS: [Word; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// Adds a block to the state of SHA-256.
const fn compress(state: [Word; 8], mut block: [Word; 16]) -> [Word; 8] {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
    let mut i = 0;
    while i < 64 {
        if i >= 16 {
            // Twice in a row, a word can be rotated with a shift.
            let (x, y) = (block[(i + 1) % 16], block[(i + 14) % 16]);
            let (x2, y2) = (x | x << 32, y | y << 32);
            let x = (x2 >> 7 ^ x2 >> 18 ^ x >> 3) & MASK;
            let y = (y2 >> 17 ^ y2 >> 19 ^ y >> 10) & MASK;
            block[i % 16] = (block[i % 16] + x + block[(i + 9) % 16] + y) & MASK;
        }
        let (a2, e2) = (a | a << 32, e | e << 32);
        let new = h
            + ((e2 >> 6 ^ e2 >> 11 ^ e2 >> 25) & MASK)
            + (e & f ^ (e ^ MASK) & g)
            + ROUNDS[i]
            + block[i % 16];
        let sum = ((a2 >> 2 ^ a2 >> 13 ^ a2 >> 22) & MASK) + (a & b ^ a & c ^ b & c);
        (h, g, f, e) = (g, f, e, (d + new) & MASK);
        (d, c, b, a) = (c, b, a, (new + sum) & MASK);
        i += 1;
    }
    let add = [a, b, c, d, e, f, g, h];
    let mut sum = state;
    let mut i = 0;
    while i < 8 {
        sum[i] = (sum[i] + add[i]) & MASK;
        i += 1;
    }
    sum
}

/// Returns the first half of the SHA-256 hash of a text and one more byte.
pub const fn sha256_128(text: &[u8], last: Option<u8>) -> u128 {
    let len = text.len() + last.is_some() as usize;
    let (mut state, mut block) = (INITIAL, [0; 16]);
    let mut i = 0;
    // The byte after the text, zeros, and the length in bits at the end of a block.
    while i < len + 9 || i % 64 != 0 {
        let byte = match last {
            _ if i < text.len() => text[i],
            Some(last) if i < len => last,
            _ if i == len => 0x80,
            _ => 0,
        };
        block[i / 4 % 16] |= (byte as Word) << (24 - i % 4 * 8);
        i += 1;
        if i % 64 == 0 {
            if i >= len + 9 {
                block[15] = (len as Word * 8) & MASK;
                block[14] = (len as Word * 8) >> 32;
            }
            state = compress(state, block);
            block = [0; 16];
        }
    }
    let [a, b, c, d, ..] = state;
    ((a << 32 | b) as u128) << 64 | (c << 32 | d) as u128
}
