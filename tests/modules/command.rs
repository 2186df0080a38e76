// SPDX-License-Identifier: GPL-2.0

//! A file in `/proc`. What is written to it selects what a module fires.

use crate::fs::proc::ProcOps;
use kernel::{prelude::*, uaccess::UserSliceReader};

/// Calls a function with the text of each write. The write fails with the function's error, or with
/// `EINVAL` if the text isn't UTF-8.
pub(crate) struct Command(pub(crate) fn(&str) -> Result);

#[vtable]
impl ProcOps for Command {
    fn write(&self, data: UserSliceReader, _offset: i64) -> Result<usize> {
        let len = data.len();
        let mut text = KVec::new();
        data.read_all(&mut text, GFP_KERNEL)?;
        self.0(core::str::from_utf8(&text).map_err(|_| EINVAL)?)?;
        Ok(len)
    }
}
