// SPDX-License-Identifier: GPL-2.0

//! Flags without a delimiter.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

kernel::impl_flags!(
    #[derive(Clone, Copy)]
    struct Flags(u32);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(Flags)]
    enum Flag {
        Sync = 1,
    }
);
