// SPDX-License-Identifier: GPL-2.0

//! Attaches a BPF program to the sample's event `foo_bar` and prints what the first events have
//! recorded: `foo_bar OBJECT COUNT`.

use libbpf_rs::{MapCore as _, ObjectBuilder, RingBufferBuilder};
use std::{cell::Cell, env, error::Error, time::Duration};
use trace_events_sample_records::FooBar;

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
    builder.add(&events, |bytes| {
        match FooBar::new(bytes) {
            Some(event) => println!(
                "foo={} bar={} lst={:?} cpus={:x?}",
                event.foo().escape_ascii(),
                event.bar(),
                event.list(),
                event.cpus(),
            ),
            None => eprintln!("a record was cut off"),
        }
        left.set(left.get().saturating_sub(1));
        0
    })?;
    let ring = builder.build()?;
    while left.get() > 0 {
        ring.poll(Duration::from_secs(1))?;
    }
    Ok(())
}
