// SPDX-License-Identifier: GPL-2.0

//! Events with known values: each line `ID SMALL WIDE NAME` written to `/proc/event-fields` fires
//! `f_begin` and `f_end` once.

use command::Command;
use event::{trace_event, DynArray, Str};
use fs::proc::ProcEntry;
use kernel::{
    cpu::CpuId,
    cpumask::{Cpumask, CpumaskVar},
    ffi::c_char,
    prelude::*,
    str::CString,
};
use tracepoint::*;

mod command;
mod fs;

trace_event! {
    // bpftrace can't read the fields of a system with a hyphen in its name.
    system: "event_fields";

    pub(crate) fn f_begin(id: u32, small: i8, wide: u64, name: &CStr, list: &[u32], cpus: &Cpumask) {
        id: u32 = id,
        small: i8 = small,
        wide: u64 = wide,
        name: Str = name,
        fixed: [c_char; 12] = name,
        list: DynArray<u32> = list,
        cpus: Cpumask = cpus,
        #[filter(PTR_STRING)]
        pointer: *const c_char as "const char *" = name.as_char_ptr(),
        who: [c_char; 16] = name,
        #[filter(CPU)]
        cpu: u32 as "unsigned int" = id % 2,
        odd: bool = id % 2 == 1,
    }
    print "id={id} small={small} wide={wide} name={name} fixed={fixed} list={list} cpus={cpus:list} odd={odd}";

    pub(crate) fn f_end(id: u32) {
        id: u32 = id,
    }
    print "id={id}";
}

export_tracepoint_symbol_gpl!(f_end);

fn fire(text: &str) -> Result {
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        let mut word = || words.next().ok_or(EINVAL);
        let id: u32 = word()?.parse().map_err(|_| EINVAL)?;
        let small = word()?.parse().map_err(|_| EINVAL)?;
        let wide = word()?.parse().map_err(|_| EINVAL)?;
        let name = CString::try_from_fmt(fmt!("{}", word()?))?;
        let mut cpus = CpumaskVar::new_zero(GFP_KERNEL)?;
        cpus.set(CpuId::from_u32(id % 2).ok_or(EINVAL)?);
        trace!(f_begin(id, small, wide, &name, &[id, id + 1], &cpus));
        trace!(f_end(id));
    }
    Ok(())
}

struct EventFields {
    _fire: ProcEntry<Command>,
}

impl kernel::Module for EventFields {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _fire: ProcEntry::new(c"event-fields", 0o200, None, Command(fire))?,
        })
    }
}

module! {
    type: EventFields,
    name: "event_fields",
    description: "Events with known values",
    license: "GPL",
}
