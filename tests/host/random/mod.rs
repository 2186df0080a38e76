// SPDX-License-Identifier: GPL-2.0

//! Random numbers and records that can be repeated.

use super::{size, wrap, FIELDS, SIZE, TYPES};
use crate::base::event::values::number::Type;

pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16) as usize % n
    }

    /// A value of a type, often one at a boundary.
    pub fn value(&mut self, ty: Type) -> i128 {
        let raw = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => u64::MAX,
            3 => 1 << (8 * size(ty) - 1),
            4 => (1 << (8 * size(ty) - 1)) - 1,
            5 => self.below(100) as u64,
            _ => self.next(),
        };
        wrap(raw as i128, ty)
    }

    pub fn record(&mut self) -> [u8; SIZE] {
        let mut record = [0; SIZE];
        for (ty, (_, _, at)) in TYPES.iter().zip(FIELDS) {
            let bytes = self.value(*ty).to_le_bytes();
            record[at..at + size(*ty)].copy_from_slice(&bytes[..size(*ty)]);
        }
        record[40] = self.below(2) as u8;
        for at in 42..64 {
            record[at] = self.next() as u8;
        }
        record[64..68].copy_from_slice(&(72u32 | 20 << 16).to_le_bytes());
        record[68..72].copy_from_slice(&(0u32 | 12 << 16).to_le_bytes());
        record
    }
}
