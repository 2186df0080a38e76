// SPDX-License-Identifier: GPL-2.0

//! Flags of something that isn't only an integer, or isn't the same one.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

#[derive(Clone, Copy, TraceEnum)]
#[repr(u8)]
pub enum Op {
    Read = 1,
}

#[derive(Clone, Copy)]
pub struct Flags(Op);

#[derive(TraceFlags)]
#[flags(Flags, "|")]
#[repr(u8)]
pub enum Flag {
    Read = 1,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Padded(u32, u8);

#[derive(TraceFlags)]
#[flags(Padded, "|")]
#[repr(u32)]
pub enum OfPadded {
    Read = 1,
}

#[derive(Clone, Copy)]
#[repr(align(8))]
pub struct Aligned(u32);

#[derive(TraceFlags)]
#[flags(Aligned, "|")]
#[repr(u32)]
pub enum OfAligned {
    Read = 1,
}

/// Like a struct with a number, only that it has padding.
#[derive(Clone, Copy)]
pub struct Deref {
    number: (u16,),
    _byte: u8,
}

impl core::ops::Deref for Deref {
    type Target = (u32,);

    fn deref(&self) -> &(u32,) {
        &(0,)
    }
}

#[allow(non_snake_case)]
fn Deref(_: u32) -> Deref {
    loop {}
}

#[derive(TraceFlags)]
#[flags(Deref, "|")]
#[repr(u32)]
pub enum OfDeref {
    Read = 1,
}

#[derive(Clone, Copy)]
#[repr(packed)]
pub struct Packed(u32);

#[derive(TraceFlags)]
#[flags(Packed, "|")]
#[repr(u32)]
pub enum OfPacked {
    Read = 1,
}
