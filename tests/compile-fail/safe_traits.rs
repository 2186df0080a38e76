// SPDX-License-Identifier: GPL-2.0

//! Traits that unsafe code relies on are unsafe.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

use core::ffi::c_void;
use tracepoint::{
    __private as p,
    args::{CArg, Element, Pointee, Type},
    event::field::{AsIs, Assign, Dynamic, Field, Scalar},
    linux::FromKernel,
};

#[derive(Clone, Copy)]
struct Mine;

impl CArg for Mine {}
impl Pointee for Mine {}
impl Element for Mine {}
impl p::Arg for Mine {}
impl Field for Mine {}
impl AsIs for Mine {}
impl Scalar for Mine {}
impl Dynamic for Mine {}
impl Assign<Mine> for Mine {}
impl FromKernel for Mine {}
impl p::SameInC<Mine> for u32 {}
impl p::Tracepoint for Mine {}
impl p::Declared for Mine {}
impl p::Hooks for Mine {}
impl p::Return for Mine {}
impl p::Value for Mine {}
impl Accepts<Mine> for Mine {}
