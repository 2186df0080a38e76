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
        let newline = |byte: &u8| *byte == b'\n';
        let mut text = if self.wrapped {
            self.buffer.rotate_left(self.at);
            let whole: &[u8] = self.buffer;
            // The first line has lost its start.
            let first = whole
                .iter()
                .position(newline)
                .map_or(whole.len(), |at| at + 1);
            whole.get(first..).unwrap_or_default()
        } else {
            let whole: &[u8] = self.buffer;
            whole.get(..self.at).unwrap_or_default()
        };
        let ends = text.iter().rev().skip(1);
        let ends = ends.enumerate().filter(|(_, byte)| newline(byte));
        if n == 0 {
            text = &[];
        } else if let Some((before, _)) = { ends }.nth(n - 1) {
            text = text.get(text.len() - 1 - before..).unwrap_or_default();
        }
        text
    }
}
