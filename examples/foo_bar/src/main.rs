// SPDX-License-Identifier: GPL-2.0

//! Attaches a BPF program to the sample's event `foo_bar` and prints the arguments of the first
//! events: `foo_bar OBJECT COUNT`.

use libbpf_rs::{MapCore as _, ObjectBuilder, RingBufferBuilder};
use std::{cell::Cell, env, error::Error, time::Duration};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let (Some(object), Some(count)) = (args.next(), args.next()) else {
        return Err("usage: foo_bar OBJECT COUNT".into());
    };
    let left = Cell::new(count.parse::<u32>()?);

    let object = ObjectBuilder::default().open_file(object)?.load()?;
    let mut links = Vec::new();
    for program in object.progs_mut() {
        links.push(program.attach()?);
    }

    let events = object.maps().find(|map| map.name() == "events");
    let events = events.ok_or("the object has no map of events")?;
    let mut builder = RingBufferBuilder::new();
    builder.add(&events, |event| {
        // As `struct event` in foo_bar.bpf.c.
        let (cpus, event) = event.split_at(8);
        let (bar, foo) = event.split_at(4);
        let cpus = u64::from_ne_bytes(cpus.try_into().unwrap_or_default());
        let bar = i32::from_ne_bytes(bar.try_into().unwrap_or_default());
        let foo = foo.split(|byte| *byte == 0).next().unwrap_or_default();
        println!(
            "foo={} bar={bar} cpus={cpus:x}",
            String::from_utf8_lossy(foo)
        );
        left.set(left.get().saturating_sub(1));
        0
    })?;
    let ring = builder.build()?;
    while left.get() > 0 {
        ring.poll(Duration::from_secs(1))?;
    }
    Ok(())
}
