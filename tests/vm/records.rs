// SPDX-License-Identifier: GPL-2.0

//! usage: records NAME=ID... <PAGES
//!
//! Prints the records of events as the crates from `tools/schema --rust` decode them. PAGES are the pages
//! of a trace_pipe_raw, see `include/linux/ring_buffer.h`.

use safe_values_records::{Common, SafeC};
use std::{collections::HashMap, io::Read};
use trace_events_sample_records::{FooBar, FooRelLoc, FooTemplate};

/// The size of a page: those of the machines in the tests.
const PAGE: usize = 4096;

fn word(page: &[u8], at: usize) -> usize {
    page.get(at..at + 4)
        .and_then(|bytes| bytes.try_into().ok())
        .map_or(0, u32::from_ne_bytes) as usize
}

/// Returns the records in a page.
fn records(page: &[u8]) -> Vec<&[u8]> {
    let mut records = Vec::new();
    let (mut at, end) = (16, 16 + (word(page, 8) & 0xf_ffff));
    while at < end.min(page.len()) {
        let (head, len) = (word(page, at), word(page, at + 4));
        match (head & 31, head >> 5) {
            (29, 0) => break,
            (30 | 31, _) => at += 8,
            (0, _) => {
                records.extend(page.get(at + 8..at + 4 + len));
                at += 4 + len;
            }
            (29, _) => at += 4 + len,
            (words, _) => {
                records.extend(page.get(at + 4..at + 4 + 4 * words));
                at += 4 + 4 * words;
            }
        }
    }
    records
}

fn main() {
    let names: HashMap<u16, String> = std::env::args()
        .skip(1)
        .filter_map(|arg| {
            let (name, id) = arg.split_once('=')?;
            Some((id.parse().ok()?, name.to_owned()))
        })
        .collect();
    let mut pages = Vec::new();
    std::io::stdin().read_to_end(&mut pages).expect("pages");
    for record in pages.chunks(PAGE).flat_map(records) {
        let name = Common::new(record).and_then(|common| names.get(&common.id));
        match name.map(String::as_str) {
            Some("safe_c") => println!("{:?}", SafeC::new(record)),
            Some("foo_bar") => println!("{:?}", FooBar::new(record)),
            Some("foo_rel_loc") => println!("{:?}", FooRelLoc::new(record)),
            Some("foo_with_template_simple") => println!("{:?}", FooTemplate::new(record)),
            _ => {}
        }
        // What's cut off is never read.
        for len in 0..record.len() {
            let part = &record[..len];
            let _ = format!("{:?} {:?}", FooBar::new(part), SafeC::new(part));
        }
    }
}
