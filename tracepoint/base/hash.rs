// SPDX-License-Identifier: GPL-2.0

//! A cryptographic hash that's computed at compile time.
//!
//! It doesn't need a kernel, so `tests/host/` runs it on the build machine.

/// The permutation Ascon-p\[12\].
const fn permute(state: [u64; 5]) -> [u64; 5] {
    let [mut a, mut b, mut c, mut d, mut e] = state;
    let mut constant = 0xf0;
    while constant >= 0x4b {
        c ^= constant;
        constant -= 0x0f;
        // The substitution of five bits, for 64 of them at a time.
        (a, c, e) = (a ^ e, c ^ b, e ^ d);
        (a, b, c, d, e) = (a ^ !b & c, b ^ !c & d, c ^ !d & e, d ^ !e & a, e ^ !a & b);
        (a, b, c, d) = (a ^ e, b ^ a, !c, d ^ c);
        // The diffusion in each word.
        a ^= a.rotate_right(19) ^ a.rotate_right(28);
        b ^= b.rotate_right(61) ^ b.rotate_right(39);
        c ^= c.rotate_right(1) ^ c.rotate_right(6);
        d ^= d.rotate_right(10) ^ d.rotate_right(17);
        e ^= e.rotate_right(7) ^ e.rotate_right(41);
    }
    [a, b, c, d, e]
}

/// Returns the first half of the Ascon-Hash256 (NIST SP 800-232) of a text. Unlike SHA-256, it works on words
/// of 64 bits and has no tables, so the compiler evaluates it in less time.
pub const fn ascon_128(text: &[u8]) -> u128 {
    let mut state = permute([0x0000_0801_00cc_0002, 0, 0, 0, 0]);
    let mut i = 0;
    // A 1 follows the text.
    while i <= text.len() {
        let byte = if i < text.len() { text[i] } else { 1 };
        state[0] ^= (byte as u64) << (i % 8 * 8);
        if i % 8 == 7 || i == text.len() {
            state = permute(state);
        }
        i += 1;
    }
    let (first, second) = (state[0], permute(state)[0]);
    (first.swap_bytes() as u128) << 64 | second.swap_bytes() as u128
}
