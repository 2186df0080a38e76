// SPDX-License-Identifier: GPL-2.0

//! The last lines of a text that arrives in pieces, in a buffer of fixed size.

/// Keeps the end of a text. Lines that start with a `#` are left out.
///
/// # Invariants
///
/// - `at` is less than the buffer's length, or both are 0.
/// - What hasn't been written yet ends with a newline, as if it were the end of a line.
pub struct Tail<'a> {
    buffer: &'a mut [u8],
    at: usize,
    /// Whether this line is left out, once it has begun.
    is_comment: Option<bool>,
}

impl<'a> Tail<'a> {
    /// Starts with an empty text.
    pub fn new(buffer: &'a mut [u8]) -> Self {
        buffer.fill(0);
        if let Some(last) = buffer.last_mut() {
            *last = b'\n';
        }
        // INVARIANT: 0 is less, or equal, and there's the newline.
        Self {
            buffer,
            at: 0,
            is_comment: None,
        }
    }

    /// Adds a piece of the text.
    pub fn push(&mut self, piece: &[u8]) {
        for &byte in piece {
            let is_comment = *self.is_comment.get_or_insert(byte == b'#');
            if byte == b'\n' {
                self.is_comment = None;
            }
            if is_comment {
                continue;
            }
            if let Some(to) = self.buffer.get_mut(self.at) {
                *to = byte;
                self.at += 1;
            }
            // INVARIANT: It starts again at the end.
            if self.at == self.buffer.len() {
                self.at = 0;
            }
        }
    }

    /// Returns the last `n` lines, or fewer if the buffer has no room for them.
    pub fn last(self, n: usize) -> &'a [u8] {
        let Self { buffer, at, .. } = self;
        buffer.rotate_left(at);
        let mut lines = buffer.split_inclusive(|byte| *byte == b'\n');
        // It hasn't been written, or has lost its start.
        let _ = lines.next();
        let size: usize = lines.rev().take(n).map(<[u8]>::len).sum();
        buffer.get(buffer.len() - size..).unwrap_or_default()
    }
}
