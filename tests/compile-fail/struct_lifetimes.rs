// SPDX-License-Identifier: GPL-2.0

//! A field with lifetimes of its own, which would be another type in the identity of the struct.

#![allow(missing_docs, coherence_leak_check)]

use tracepoint::*;

pub trait Pick<'a> {
    type T;
}

impl<'a> Pick<'a> for fn(&'static u8) {
    type T = u64;
}

impl<'a> Pick<'a> for fn(&u8) {
    type T = &'a [u8; 64];
}

tracepoint_struct! {
    pub struct Request<'a> {
        pub x: <fn(&u8) as Pick<'a>>::T,
    }
}
