// SPDX-License-Identifier: GPL-2.0

//! Aliases that hide `'static`: a probe could keep what belongs to the definer's module.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

type Name = &'static CStr;
type Names = [&'static CStr; 2];

tracepoint_struct! {
    pub struct Inner<'a> {
        pub name: &'a CStr,
    }
}

type Forever = Inner<'static>;

tracepoint_struct! {
    pub struct Plain<'a> {
        pub name: Name,
        pub fine: Option<&'a Inner<'a>>,
    }
}

tracepoint_struct! {
    pub struct Maybe<'a> {
        pub name: Option<Name>,
        pub fine: &'a CStr,
    }
}

tracepoint_struct! {
    pub struct Several<'a> {
        pub names: &'a Names,
    }
}

tracepoint_struct! {
    pub struct Nested<'a> {
        pub inner: &'a Forever,
    }
}

tracepoint! {
    pub fn drv_names(names: &[Name]);
    pub fn drv_inner(inner: &Forever);
}

trace_event! {
    system: "drv";

    pub fn drv_event(names: &[Name]) {
        n: usize = names.len(),
    }
    print "{n}";
}
