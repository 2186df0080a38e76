// SPDX-License-Identifier: GPL-2.0

//! Probes and fires tracepoints that C defines. What is written to `/proc/kernel-points` is the number
//! to fire them with.

use command::Command;
use core::{
    array,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};
use fs::proc::ProcEntry;
use kernel::{ffi::c_short, prelude::*, task::Task};
use tracepoint::{
    event::*,
    linux::{
        c::irqaction,
        c_export::{c_dump, c_exported, c_faultable, c_signed},
        capability::cap_capable,
        irq::irq_handler_entry,
        power::cpu_frequency,
        printk::console,
        raw_syscalls::sys_enter,
        sched::{sched_pi_setprio, sched_switch},
        timer::timer_expire_entry,
    },
    *,
};

mod command;
mod fs;

mod declared {
    use tracepoint::*;

    kernel_tracepoint! {
        /// The same as the one from the header.
        pub(crate) fn cpu_idle(state: u32, cpu_id: u32);

        /// It's faultable in C.
        pub(crate) fn c_faultable(n: usize);
    }
}

const _: () = {
    /// Compiles if both have the same guard.
    const fn same_guard<T: __private::Tracepoint<Guard = U::Guard>, U: __private::Tracepoint>() {}
    same_guard::<declared::c_faultable, c_faultable>();
};

// What tools/event-from-format makes of C's events.
trace_event! {
    system: "kernel-points";

    /// `c_export:c_signed`.
    fn rs_c_signed(mode: i32, state: c_short) {
        mode: i32 = mode,
        state: c_short = state,
    }
    print "mode={mode} state={state}",
        mode = print_flags(mode as i64, "|", { 1 => "R", 2 => "W" }),
        state = print_symbolic(state as i64, { -1 => "NONE", 0 => "IDLE" });

    /// `c_export:c_dump`.
    fn rs_c_dump(data: &[u8; 40], list: &[u16]) {
        data: [u8; 40] = data,
        list: DynArray<u16> = list,
    }
    print "whole{data} part{part} list{list} {data_2} {list_2}",
        data = print_hex_dump("c: ", DUMP_PREFIX_OFFSET, 32, 4, data, false),
        part = print_hex_dump("", DUMP_PREFIX_NONE, 16, 2, data, 20, true),
        list = print_hex_dump("l ", DUMP_PREFIX_OFFSET, 16, 8, list, true),
        data_2 = print_array(data, 5, 8),
        list_2 = print_array(list, 3, 4);
}

static SWITCHES: AtomicU32 = AtomicU32::new(0);
static INTERRUPTS: AtomicU32 = AtomicU32::new(0);
static TIMERS: AtomicU32 = AtomicU32::new(0);
static CHECKS: AtomicU32 = AtomicU32::new(0);
static SYSCALLS: AtomicU32 = AtomicU32::new(0);
/// The last number that a probe got from here.
static FIRED: AtomicU32 = AtomicU32::new(0);

fn on_interrupt(irq: i32, action: *mut irqaction) {
    if irq >= 0 && !action.is_null() {
        INTERRUPTS.fetch_add(1, Relaxed);
    }
}

fn fire(text: &str) -> Result {
    let n: u32 = text.trim().parse().map_err(|_| EINVAL)?;
    // SAFETY: C's event `cpu_frequency` (include/trace/events/power.h) records any numbers.
    unsafe { trace!(cpu_frequency(n, 0)) };
    // SAFETY: C's event `cpu_idle` (include/trace/events/power.h) records any numbers.
    unsafe { trace!(declared::cpu_idle(n, 1)) };
    // SAFETY: C's event `console` (include/trace/events/printk.h) reads 9 bytes, and the string has
    // as many.
    unsafe { trace!(console(c"from Rust", 9)) };
    if c_exported::enabled() {
        // SAFETY: C's event `c_exported` (c_export_trace.h) takes any string and number, and a NULL
        // task.
        unsafe { c_exported::call(c"direct", 0, None) };
    }
    let task = kernel::current!();
    // SAFETY: C's event `c_exported` (c_export_trace.h) takes any string, number and task that's
    // alive.
    unsafe { trace!(c_exported(c"some", n as i32, Some(task))) };
    let (mode, state) = (n as i32, n as c_short);
    // SAFETY: C's event `c_signed` (c_export_trace.h) records any numbers.
    unsafe { trace!(c_signed(mode, state)) };
    trace!(rs_c_signed(mode, state));
    let data = array::from_fn(|i| (i as u32).wrapping_mul(n) as u8);
    let list = array::from_fn::<_, 7, _>(|i| u16::from_ne_bytes([data[2 * i], data[2 * i + 1]]));
    // SAFETY: C's event `c_dump` (c_export_trace.h) reads 40 bytes, and the array has as many.
    unsafe { trace!(c_dump(data.as_ptr())) };
    trace!(rs_c_dump(&data, &list));
    // SAFETY: `c_faultable` (c_export_trace.h) passes any number to its probes, which may sleep.
    // This is process context.
    unsafe { trace!(c_faultable(n as usize)) };
    pr_info!("fired {}\n", FIRED.swap(0, Relaxed));
    Ok(())
}

struct KernelPoints {
    _fire: ProcEntry<Command>,
    _probes: ProbeGroup,
}

impl kernel::Module for KernelPoints {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let mut probes = ProbeGroup::new();
        probes.push(sched_switch.register(|_preempt, prev, next, _state| {
            if !core::ptr::eq(prev, next) {
                SWITCHES.fetch_add(1, Relaxed);
            }
        })?)?;
        probes.push(irq_handler_entry.register(on_interrupt)?)?;
        probes.push(timer_expire_entry.register(|_timer, _base| {
            TIMERS.fetch_add(1, Relaxed);
        })?)?;
        let count = |_, _| {
            SYSCALLS.fetch_add(1, Relaxed);
        };
        // SAFETY: The arguments are those of the header. The test doesn't enable the events of system calls.
        probes.push(unsafe { sys_enter.register_unchecked(count, DEFAULT_PRIO)? })?;
        // C's capability checks of root.
        probes.push(cap_capable.register(|cred, _, _, _, _| {
            if cred.euid().into_uid_in_current_ns() == 0 {
                CHECKS.fetch_add(1, Relaxed);
            }
        })?)?;
        probes.push(sched_pi_setprio.register(|_: &Task, _: Option<&Task>| ())?)?;
        let fired = |n: usize| FIRED.store(n as u32, Relaxed);
        // SAFETY: The argument is that of the header. It has no other probe.
        probes.push(unsafe { c_faultable.register_unchecked(fired, DEFAULT_PRIO)? })?;
        Ok(Self {
            _fire: ProcEntry::new(c"kernel-points", 0o200, None, Command(fire))?,
            _probes: probes,
        })
    }
}

impl Drop for KernelPoints {
    fn drop(&mut self) {
        let seen = |count: &AtomicU32| count.load(Relaxed) > 0;
        pr_info!(
            "switches {} interrupts {} timers {} checks {} system calls {}\n",
            seen(&SWITCHES),
            seen(&INTERRUPTS),
            seen(&TIMERS),
            seen(&CHECKS),
            seen(&SYSCALLS),
        );
    }
}

module! {
    type: KernelPoints,
    name: "kernel_points",
    description: "Probes and fires C's tracepoints",
    license: "GPL",
}
