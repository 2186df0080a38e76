// SPDX-License-Identifier: GPL-2.0

//! Runs tests when a module is loaded and writes the results to the log as KTAP.

// Modules use only parts of this.
#![allow(unused_imports, unused_macros)]

use kernel::prelude::*;

/// A test and its name.
pub(crate) type Test = (&'static str, fn() -> Result);

/// Runs the tests in order. If one fails, this is logged and the others still run.
pub(crate) fn run(tests: &[Test]) {
    pr_info!("KTAP version 1\n");
    pr_info!("1..{}\n", tests.len());
    for (i, (name, test)) in tests.iter().enumerate() {
        match test() {
            Ok(()) => pr_info!("ok {} {}\n", i + 1, name),
            Err(error) => {
                pr_info!("# {}: {:?}\n", name, error);
                pr_info!("not ok {} {}\n", i + 1, name);
            }
        }
    }
}

/// Lists the test functions.
macro_rules! tests {
    ($($name:ident),* $(,)?) => {
        const TESTS: &[crate::ktap::Test] = &[$((stringify!($name), $name)),*];
    };
}
pub(crate) use tests;

/// Fails the test unless the two are equal.
macro_rules! check_eq {
    ($left:expr, $right:expr) => {
        match (&$left, &$right) {
            (left, right) => {
                if left != right {
                    pr_info!(
                        "# line {}: {} is {:?}, not {:?}\n",
                        line!(),
                        stringify!($left),
                        left,
                        right
                    );
                    return Err(EINVAL);
                }
            }
        }
    };
}
pub(crate) use check_eq;

/// Fails the test unless the condition holds.
macro_rules! check {
    ($condition:expr) => {
        if !$condition {
            pr_info!("# line {}: not {}\n", line!(), stringify!($condition));
            return Err(EINVAL);
        }
    };
}
pub(crate) use check;
