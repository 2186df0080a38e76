// SPDX-License-Identifier: GPL-2.0

//! Tests of `hygiene.rs`.

use super::*;

#[test]
fn names_are_sorted() {
    assert!(HIDDEN.is_sorted());
    assert!(HIDDEN.iter().all(|name| is_hidden(name)));
    assert!(!is_hidden("__private") && !is_hidden("p"));
}
