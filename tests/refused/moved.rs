// SPDX-License-Identifier: GPL-2.0

//! Functions in sections of the kernel's, or with names of the kernel's, which the compiler's lint overlooks.

#![forbid(unsafe_code)]

use core::hint::black_box;
use kernel::prelude::*;
use tracepoint::{event::*, *};

struct Moved;

impl Moved {
    #[inline(never)]
    #[link_section = ".tdata"]
    fn to_data(list: &[u8], n: usize) -> u8 {
        list[n]
    }
}

impl Drop for Moved {
    #[link_section = ".init.text"]
    fn drop(&mut self) {
        pr_info!("not in .text\n");
    }
}

trait Fill {
    // rustc 1.85 refuses this.
    #[cfg_attr(CONFIG_RUSTC_HAS_SPAN_FILE, export_name = "memset")]
    #[inline(never)]
    fn fill(&self, list: &mut [u8], n: u8) {
        list.fill(black_box(n));
    }
}

impl Fill for Moved {}

trace_event! {
    system: "moved";

    fn my_moved(list: &[u8], n: usize) {
        n: u8 = Moved::to_data(list, n),
    }
    print "{n}";
}

impl kernel::Module for Moved {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let mut list = [1; 3];
        Moved.fill(&mut list, 2);
        trace!(my_moved(&list, 4));
        Ok(Self)
    }
}

module! {
    type: Moved,
    name: "moved",
    description: "Functions that the build refuses",
    license: "GPL",
}
