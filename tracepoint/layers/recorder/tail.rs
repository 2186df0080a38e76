// SPDX-License-Identifier: GPL-2.0

//! The last lines of a text that arrives in pieces, in a buffer of fixed size.

/// Keeps the end of a text. Lines that start with a `#` are left out.
///
/// # Invariants
///
/// `at` is less than the buffer's length, or both are 0.
pub struct Tail<'a> {
    buffer: &'a mut [u8],
    at: usize,
    /// The buffer has been full, and what it had first has been overwritten.
    wrapped: bool,
    /// The next byte is the first of a line.
    line_start: bool,
    comment: bool,
}

impl<'a> Tail<'a> {
    /// Starts with an empty text.
    pub fn new(buffer: &'a mut [u8]) -> Self {
        // INVARIANT: 0 is less, or equal.
        Self {
            buffer,
            at: 0,
            wrapped: false,
            line_start: true,
            comment: false,
        }
    }

    /// Adds a piece of the text.
    pub fn push(&mut self, piece: &[u8]) {
        for &byte in piece {
            if self.line_start {
                self.comment = byte == b'#';
            }
            self.line_start = byte == b'\n';
            if self.comment {
                continue;
            }
            if let Some(to) = self.buffer.get_mut(self.at) {
                *to = byte;
                self.at += 1;
            }
            // INVARIANT: It starts again at the end.
            if self.at == self.buffer.len() {
                self.at = 0;
                self.wrapped = true;
            }
        }
    }

    /// Returns the last `n` lines, or fewer if the buffer has no room for them.
    pub fn last(self, n: usize) -> &'a [u8] {
        let Self { buffer, at, .. } = self;
        let is_end = |byte: &u8| *byte == b'\n';
        let (start, end) = if self.wrapped {
            buffer.rotate_left(at);
            // The first line has lost its start.
            let first = buffer.split_inclusive(is_end).next();
            (first.map_or(0, <[u8]>::len), buffer.len())
        } else {
            (0, at)
        };
        let text = buffer.get(start..end).unwrap_or_default();
        let lines = text.split_inclusive(is_end).rev().take(n);
        let size: usize = lines.map(<[u8]>::len).sum();
        text.get(text.len() - size..).unwrap_or_default()
    }
}
