// SPDX-License-Identifier: GPL-2.0

//! Building text at compile time.
//!
//! This file doesn't depend on the kernel; `tests/host/` runs it on the build machine.

/// A byte buffer under construction. Bytes that don't fit are only counted, so `Text::<0>` computes
/// a length.
#[derive(Clone, Copy)]
pub struct Text<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Text<N> {
    /// Returns an empty text.
    pub const fn new() -> Self {
        Self {
            bytes: [0; N],
            len: 0,
        }
    }

    /// Appends a byte.
    pub const fn byte(mut self, byte: u8) -> Self {
        if self.len < N {
            self.bytes[self.len] = byte;
        }
        self.len += 1;
        self
    }

    /// Appends all of `text`.
    pub const fn str(self, text: &str) -> Self {
        self.part(text.as_bytes(), 0, text.len())
    }

    /// Appends `text[from..to]`. It doesn't call [`Self::byte`] for each byte, since that would be
    /// slow to compile.
    pub const fn part(mut self, text: &[u8], mut from: usize, to: usize) -> Self {
        let mut at = self.len;
        self.len += to - from;
        while from < to && at < N {
            self.bytes[at] = text[from];
            at += 1;
            from += 1;
        }
        self
    }

    /// Appends a number in decimal.
    pub const fn number(self, n: usize) -> Self {
        let more = if n >= 10 { self.number(n / 10) } else { self };
        more.byte(b'0' + (n % 10) as u8)
    }

    /// Returns the length of the text.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes. Their number must be exactly `N`.
    pub const fn bytes(self) -> [u8; N] {
        assert!(self.len == N);
        self.bytes
    }

    /// Returns the text built so far.
    pub const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(if self.len < N { self.len } else { N });
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "?",
        }
    }
}

/// Returns whether two texts are equal.
pub const fn equal(a: &str, b: &str) -> bool {
    a.len() == b.len() && starts_with(a, b)
}

/// Returns whether `a` starts with `b`.
pub const fn starts_with(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() < b.len() {
        return false;
    }
    let mut i = 0;
    while i < b.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns an identifier without its raw prefix, as C sees it: `type` for `r#type`.
pub const fn unraw(name: &str) -> &str {
    if starts_with(name, "r#") {
        slice(name, 2, name.len())
    } else {
        name
    }
}

/// Returns `text[from..to]`, which must start and end on character boundaries.
pub const fn slice(text: &str, from: usize, to: usize) -> &str {
    let (text, _) = text.as_bytes().split_at(to);
    let (_, text) = text.split_at(from);
    match core::str::from_utf8(text) {
        Ok(text) => text,
        Err(_) => panic!("not on a character boundary"),
    }
}
