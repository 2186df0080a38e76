// SPDX-License-Identifier: GPL-2.0

//! Has tracepoints call functions of another type. For kernels with CONFIG_CFI.

use command::Command;
use core::ptr::null_mut;
use fs::proc::ProcEntry;
use kernel::{
    bindings,
    error::to_result,
    ffi::{c_char, c_void},
    prelude::*,
    task::Task,
};
use tracepoint::*;

mod command;
mod fs;

tracepoint! {
    /// Called by an iterator written in Rust, once there are two probes.
    fn cfi_own(p: *const u32, n: i32);

    /// As c_define.c declares it, except for `const`.
    fn c_event(n: i32, text: *mut c_char);
}

define_trace!(cfi_own);

mod other {
    ::tracepoint::tracepoint! {
        /// The same prototype, but C has another type.
        pub(crate) fn cfi_own(p: *const u64, n: i32);
    }
}

kernel_tracepoint! {
    /// Called by C's iterator, once there are two probes.
    fn oom_score_adj_update(task: &Task);

    /// Two of the arguments are enums.
    fn hrtimer_start(hrtimer: *mut bindings::hrtimer, mode: u32, was_armed: bool);
}

extern "C" {
    static mut __tracepoint_cfi_own: c_void;
}

/// # Safety
///
/// There are no requirements, because this is never called if CFI works.
unsafe extern "C" fn wrong_own(_: *mut c_void, _: *const u32, _: u64) {
    pr_info!("called by Rust\n");
}

/// # Safety
///
/// There are no requirements, because this is never called if CFI works.
unsafe extern "C" fn wrong_kernel(_: *mut c_void, _: *const bindings::task_struct) {
    pr_info!("called by C\n");
}

/// # Safety
///
/// `found` must point to a pointer, and `tp` must be valid.
unsafe extern "C" fn find(tp: *mut bindings::tracepoint, found: *mut c_void) {
    // SAFETY: The caller promises that `found` points to a pointer and that `tp` is valid, and so
    // the name of the tracepoint is a C string.
    unsafe {
        if CStr::from_char_ptr((*tp).name) == c"oom_score_adj_update" {
            found.cast::<*mut bindings::tracepoint>().write(tp);
        }
    }
}

fn command(text: &str) -> Result {
    let number = 7_u32;
    match text.trim() {
        "fire" => trace!(cfi_own(&number, -1)),
        "own" => {
            // SAFETY: The type is wrong on purpose. CFI keeps the kernel from calling
            // `wrong_own`, which ignores its arguments in any case.
            to_result(unsafe {
                bindings::tracepoint_probe_register_prio_may_exist(
                    (&raw mut __tracepoint_cfi_own).cast(),
                    wrong_own as *mut c_void,
                    null_mut(),
                    1,
                )
            })?;
        }
        "kernel" => {
            let mut tp: *mut bindings::tracepoint = null_mut();
            // SAFETY: `find` takes these arguments, and the kernel has the tracepoint.
            unsafe {
                bindings::for_each_kernel_tracepoint(Some(find), (&raw mut tp).cast());
            }
            // SAFETY: The type is wrong on purpose. CFI keeps the kernel from calling
            // `wrong_kernel`, which ignores its arguments in any case.
            to_result(unsafe {
                bindings::tracepoint_probe_register_prio_may_exist(
                    tp,
                    wrong_kernel as *mut c_void,
                    null_mut(),
                    1,
                )
            })?;
        }
        "refused" => {
            // SAFETY: c_define.c declares these arguments, except for a `const` that changes no
            // values.
            let probe = unsafe { c_event.register_unchecked(|_, _| {}, DEFAULT_PRIO) };
            pr_info!("refused: {:?}\n", probe.err());
            let probe = other::cfi_own.register(|_, _| {});
            pr_info!("refused, too: {:?}\n", probe.err());
        }
        _ => return Err(EINVAL),
    }
    Ok(())
}

struct CfiTest {
    _probes: ProbeGroup,
    _command: ProcEntry<Command>,
}

impl kernel::Module for CfiTest {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let mut probes = ProbeGroup::new();
        // Two each: a single probe isn't called through a pointer.
        probes.push(cfi_own.register_prio(|_, n| pr_info!("first {}\n", n), 20)?)?;
        probes.push(cfi_own.register(|_, n| pr_info!("second {}\n", n))?)?;
        probes.push(oom_score_adj_update.register_prio(|_| pr_info!("third\n"), 20)?)?;
        probes.push(oom_score_adj_update.register(|_| pr_info!("fourth\n"))?)?;
        probes.push(hrtimer_start.register(|_, _, _| {})?)?;
        probes.push(hrtimer_start.register_prio(|_, _, _| {}, 20)?)?;
        Ok(Self {
            _probes: probes,
            _command: ProcEntry::new(c"cfi-test", 0o200, None, Command(command))?,
        })
    }
}

module! {
    type: CfiTest,
    name: "cfi_test",
    description: "Has tracepoints call functions of another type",
    license: "GPL",
}
