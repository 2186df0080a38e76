// SPDX-License-Identifier: GPL-2.0

//! Traceable functions of one name in two modules of a driver.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

mod first {
    use super::*;

    #[traceable]
    pub fn drv_start() {}
}

mod second {
    use super::*;

    #[traceable]
    pub fn drv_start() {}
}

pub fn all() {
    first::drv_start();
    second::drv_start();
}
