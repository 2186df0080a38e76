// SPDX-License-Identifier: GPL-2.0

//! Builds text at compile time.
//!
//! Both the crate and its procedural macros include this file. It doesn't need a kernel, so
//! `tests/host/` runs it on the build machine.

use core::ffi::CStr;

/// A text under construction. It counts the bytes that don't fit, so `Text::<0>` measures.
#[derive(Clone, Copy)]
pub struct Text<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

// `is_empty()` and `Default` would be of no use in constants.
#[allow(clippy::len_without_is_empty, clippy::new_without_default)]
impl<const N: usize> Text<N> {
    /// Returns an empty text.
    pub const fn new() -> Self {
        Self {
            bytes: [0; N],
            len: 0,
        }
    }

    /// Adds a byte.
    pub const fn byte(mut self, byte: u8) -> Self {
        if self.len < N {
            self.bytes[self.len] = byte;
        }
        self.len += 1;
        self
    }

    /// Adds all of `text`.
    pub const fn str(self, text: &str) -> Self {
        self.part(text.as_bytes(), 0, text.len())
    }

    /// Adds `text[from..to]`, with one copy: a loop over the bytes is slow at compile time.
    pub const fn part(mut self, text: &[u8], from: usize, to: usize) -> Self {
        assert!(from <= to && to <= text.len());
        let len = to - from;
        if self.len < N {
            let room = N - self.len;
            // SAFETY: `text` has `len` bytes from `from` on, and `bytes` has `room` from `self.len`
            // on. `self` owns `bytes`, so that `text` can't overlap it.
            unsafe {
                core::ptr::copy_nonoverlapping(
                    text.as_ptr().add(from),
                    self.bytes.as_mut_ptr().add(self.len),
                    if len < room { len } else { room },
                );
            }
        }
        self.len += len;
        self
    }

    /// Adds a number in decimal.
    pub const fn number(self, n: usize) -> Self {
        let more = if n >= 10 { self.number(n / 10) } else { self };
        more.byte(b'0' + (n % 10) as u8)
    }

    /// Adds a number in hexadecimal, without a prefix.
    pub const fn hex(self, n: u64) -> Self {
        let more = if n >= 16 { self.hex(n / 16) } else { self };
        more.byte(b"0123456789abcdef"[(n % 16) as usize])
    }

    /// Returns the length of the text, including the bytes that didn't fit.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes. The text must be exactly `N` bytes long.
    pub const fn bytes(self) -> [u8; N] {
        assert!(self.len == N);
        self.bytes
    }

    /// Returns the bytes so far.
    pub const fn as_bytes(&self) -> &[u8] {
        let (text, _) = self.bytes.split_at(if self.len < N { self.len } else { N });
        text
    }

    /// Returns the text so far.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.as_bytes()) {
            Ok(text) => text,
            Err(_) => "?",
        }
    }
}

/// Fails the build with a message.
#[track_caller]
pub(crate) const fn fail(parts: &[&str]) -> ! {
    let (mut text, mut i) = (Text::<300>::new(), 0);
    while i < parts.len() {
        text = text.str(parts[i]);
        i += 1;
    }
    panic!("{}", text.as_str());
}

/// Returns whether two texts are equal.
pub(crate) const fn equal(a: &str, b: &str) -> bool {
    a.len() == b.len() && bytes_start_with(a.as_bytes(), b.as_bytes())
}

/// Returns whether `a` starts with `b`.
pub(crate) const fn bytes_start_with(a: &[u8], b: &[u8]) -> bool {
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

/// Makes a C string from bytes that a `const` computed.
pub const fn c_str(bytes: &[u8]) -> &CStr {
    match CStr::from_bytes_with_nul(bytes) {
        Ok(text) => text,
        Err(_) => panic!("not a C string"),
    }
}
