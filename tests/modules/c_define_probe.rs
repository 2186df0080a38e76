// SPDX-License-Identifier: GPL-2.0

//! Probes a tracepoint defined in C: with a prototype check, which fails, and without.

use kernel::prelude::*;
use tracepoint::*;

tracepoint! {
    /// As c_define.c declares it.
    fn c_event(n: i32, text: Option<&CStr>);
}

struct CDefineProbe {
    _checked: Option<Probe>,
    _unchecked: Probe,
}

impl kernel::Module for CDefineProbe {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let checked = match c_event.register(|_, _| pr_info!("checked probe called\n")) {
            Ok(probe) => Some(probe),
            Err(error) => {
                pr_info!("checked: {:?}\n", error);
                None
            }
        };
        let probe = |n, text: Option<&CStr>| {
            pr_info!(
                "{} {}\n",
                n,
                text.map_or("nothing", |text| text.to_str().unwrap_or("?"))
            )
        };
        // SAFETY: c_define.c declares these arguments and passes a string or NULL.
        let unchecked = unsafe { c_event.register_unchecked(probe, DEFAULT_PRIO) }?;
        Ok(Self {
            _checked: checked,
            _unchecked: unchecked,
        })
    }
}

module! {
    type: CDefineProbe,
    name: "c_define_probe",
    description: "Rust probe of a C tracepoint",
    license: "GPL",
}
