// SPDX-License-Identifier: GPL-2.0

//! Tests of the tracepoint library within one module, which defines, fires and probes tracepoints.

use arguments::*;
use helpers::slot::Slot;
use kernel::{
    bindings,
    error::to_result,
    ffi::c_void,
    impl_has_work, new_mutex, new_work,
    prelude::*,
    sync::{
        atomic::{Atomic, Relaxed},
        Arc, Mutex,
    },
    task::Task,
    time::{delay::fsleep, Delta},
    workqueue::{self, Work, WorkItem},
};
use ktap::{check, check_eq, tests};
use tracepoint::*;

mod arguments;
mod helpers;
mod ktap;

tests![
    disabled,
    enabled,
    call_without_the_key,
    condition,
    grouped_expressions,
    hooks,
    hook_that_fails,
    faultable,
    priorities,
    same_function_twice,
    same_function_on_two_tracepoints,
    functions_with_equal_bodies,
    closure_with_data,
    closure_is_dropped_when_refused,
    closure_of_no_size_is_dropped,
    group,
    group_of_none,
    probe_outlives_nothing,
    probe_in_a_slot,
    no_definer,
    two_names_alike,
    integers,
    strings,
    slices,
    references,
    pointers,
    types_by_other_names,
    objects,
    twelve_c_arguments_to_many,
    fired_from_a_probe,
    fired_from_its_own_probe,
    registered_by_work_of_a_probe,
    unregistered_by_its_own_work,
    hundred_probes,
    sched_switch_of_the_kernel,
    kernel_tracepoint_twice,
    raw_interface,
];

tracepoint_struct! {
    /// This module's own struct.
    struct Request {
        sector: u64,
        len: u32,
    }
}

tracepoint! {
    fn tt_plain(n: u32);
    fn tt_other(n: u32);
    fn tt_condition(n: i32) if n % 10 == 0;
    fn tt_hooks();
    faultable fn tt_faultable(n: u32);
    faultable fn tt_faultable_hooks();

    fn tt_integers(
        a: u8, b: u16, c: u32, d: u64, e: usize,
        f: i8, g: i16, h: i32, i: i64, j: isize,
        k: bool, l: bool,
    );
    fn tt_strings(a: &CStr, b: Option<&CStr>, c: Option<&CStr>, d: &str, e: &str);
    fn tt_slices(a: &[u8], b: &[u64], c: &[&CStr], d: &[i16]);
    fn tt_references(a: &Request, b: Option<&Request>, c: Option<&Request>);
    fn tt_pointers(a: *const u8, b: *mut Request, c: *const Hidden);
    fn tt_objects(task: &Task, none: Option<&Task>, some: Option<&Task>);
    fn tt_names(
        a: u8, b: bool, c: *const u8, d: *mut u8, e: &CStr, f: &str, g: &[u32], h: &[u16; 2],
        i: Option<&CStr>,
    );

    /// No module defines this tracepoint.
    fn tt_nowhere(n: u32);
    /// A name that starts with another tracepoint's name.
    fn tt_plain2(n: u32);
}

define_trace!(
    tt_plain,
    tt_other,
    tt_condition,
    tt_hooks {
        reg: reg,
        unreg: unreg
    },
    tt_faultable,
    tt_faultable_hooks {
        reg: reg,
        unreg: unreg
    },
    tt_integers,
    tt_strings,
    tt_slices,
    tt_references,
    tt_pointers,
    tt_objects,
    tt_names,
);

/// A macro that puts an expression into others.
macro_rules! grouped {
    ($name:ident, $ty:ty, $value:expr) => {
        tracepoint! {
            fn $name(n: u32, more: $ty) if n == $value * 2 && $value as usize * 2 == 2 * more.len();
        }

        define_trace!($name);
    };
}

grouped!(tt_grouped, &[u8], 1 + 2);

kernel_tracepoint! {
    fn sched_switch(preempt: bool, prev: &Task, next: &Task, prev_state: u32);
}

/// Can be passed only by pointer.
struct Hidden;

/// How often something happened.
struct Count(Atomic<i32>);

impl Count {
    const fn new() -> Self {
        Self(Atomic::new(0))
    }

    fn one(&self) {
        self.0.add(1, Relaxed);
    }

    fn get(&self) -> i32 {
        self.0.load(Relaxed)
    }

    /// Returns and resets the count.
    fn take(&self) -> i32 {
        self.0.xchg(0, Relaxed)
    }
}

/// Counts how often it is dropped.
struct Dropped(&'static Count);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.one();
    }
}

fn disabled() -> Result {
    static EVALUATED: Count = Count::new();
    let argument = || {
        EVALUATED.one();
        1
    };

    check!(!tt_plain::enabled());
    trace!(tt_plain(argument()));
    check_eq!(EVALUATED.take(), 0);
    Ok(())
}

fn enabled() -> Result {
    static EVALUATED: Count = Count::new();
    static SUM: Atomic<i32> = Atomic::new(0);
    let argument = |n| {
        EVALUATED.one();
        n
    };

    let probe = tt_plain.register(|n| SUM.add(n as i32, Relaxed))?;
    check!(probe.is_attached());
    check!(tt_plain::enabled());
    check!(!tt_other::enabled());
    trace!(tt_plain(argument(3)));
    trace!(tt_plain(argument(40)));
    check_eq!(EVALUATED.take(), 2);
    check_eq!(SUM.load(Relaxed), 43);

    drop(probe);
    check!(!tt_plain::enabled());
    trace!(tt_plain(argument(500)));
    check_eq!(EVALUATED.take(), 0);
    check_eq!(SUM.load(Relaxed), 43);
    Ok(())
}

fn call_without_the_key() -> Result {
    static CALLS: Count = Count::new();

    tt_plain::call(1);
    let _probe = tt_plain.register(|_| CALLS.one())?;
    tt_plain::call(1);
    check_eq!(CALLS.take(), 1);
    Ok(())
}

fn condition() -> Result {
    static CALLS: Count = Count::new();

    let _probe = tt_condition.register(|_| CALLS.one())?;
    for n in -20..20 {
        trace!(tt_condition(n));
    }
    check_eq!(CALLS.take(), 4);
    tt_condition::call(5);
    check_eq!(CALLS.take(), 0);
    tt_condition::call(50);
    check_eq!(CALLS.take(), 1);
    Ok(())
}

fn grouped_expressions() -> Result {
    static CALLS: Count = Count::new();

    let _probe = tt_grouped.register(|_, _| CALLS.one())?;
    for n in 0..10 {
        trace!(tt_grouped(n, b"abc"));
        trace!(tt_grouped(n, b"ab"));
    }
    check_eq!(CALLS.take(), 1);
    Ok(())
}

static REG: Count = Count::new();
static UNREG: Count = Count::new();
static REG_FAILS: Atomic<bool> = Atomic::new(false);

fn reg() -> Result {
    if REG_FAILS.load(Relaxed) {
        return Err(EBUSY);
    }
    REG.one();
    Ok(())
}

fn unreg() {
    UNREG.one();
}

fn hooks() -> Result {
    let first = tt_hooks.register(|| ())?;
    check_eq!((REG.take(), UNREG.take()), (1, 0));
    let second = tt_hooks.register(|| ())?;
    drop(first);
    check_eq!((REG.take(), UNREG.take()), (0, 0));
    drop(second);
    check_eq!((REG.take(), UNREG.take()), (0, 1));

    drop(tt_faultable_hooks.register(|| ())?);
    check_eq!((REG.take(), UNREG.take()), (1, 1));
    Ok(())
}

fn hook_that_fails() -> Result {
    static CALLS: Count = Count::new();

    REG_FAILS.store(true, Relaxed);
    let refused = tt_hooks.register(|| CALLS.one());
    REG_FAILS.store(false, Relaxed);
    check_eq!(refused.err(), Some(EBUSY));
    check!(!tt_hooks::enabled());
    trace!(tt_hooks());
    check_eq!((CALLS.take(), REG.take(), UNREG.take()), (0, 0, 0));

    let _probe = tt_hooks.register(|| CALLS.one())?;
    trace!(tt_hooks());
    check_eq!(CALLS.take(), 1);
    REG.take();
    Ok(())
}

fn faultable() -> Result {
    static SUM: Atomic<i32> = Atomic::new(0);

    trace!(tt_faultable(1));
    let probe = tt_faultable.register(|n| {
        fsleep(Delta::from_millis(1));
        SUM.add(n as i32, Relaxed);
    })?;
    let nested = tt_faultable.register(|n| {
        if n > 10 {
            trace!(tt_faultable(n / 10));
        }
    })?;
    check!(tt_faultable::enabled());
    trace!(tt_faultable(432));
    check_eq!(SUM.load(Relaxed), 432 + 43 + 4);
    drop(nested);
    trace!(tt_faultable(20));
    check_eq!(SUM.load(Relaxed), 479 + 20);
    drop(probe);
    trace!(tt_faultable(1));
    check_eq!(SUM.load(Relaxed), 479 + 20);
    Ok(())
}

fn priorities() -> Result {
    static ORDER: Atomic<u64> = Atomic::new(0);

    fn digit(n: u64) {
        ORDER.store(ORDER.load(Relaxed) * 10 + n, Relaxed);
    }

    fn order() -> u64 {
        trace!(tt_plain(0));
        ORDER.xchg(0, Relaxed)
    }

    let _a = tt_plain.register_prio(|_| digit(1), 0)?;
    let b = tt_plain.register_prio(|_| digit(2), 20)?;
    let _c = tt_plain.register(|_| digit(3))?;
    check_eq!(order(), 231);
    let d = tt_plain.register_prio(|_| digit(4), i32::MAX)?;
    let _e = tt_plain.register_prio(|_| digit(5), i32::MIN)?;
    let _f = tt_plain.register(|_| digit(6))?;
    check_eq!(order(), 423615);
    drop(b);
    check_eq!(order(), 43615);
    drop(d);
    check_eq!(order(), 3615);

    // The default is C's `TRACEPOINT_DEFAULT_PRIO`.
    let _ten = tt_plain.register_prio(|_| digit(7), 10)?;
    let _default = tt_plain.register(|_| digit(8))?;
    let _nine = tt_plain.register_prio(|_| digit(9), 9)?;
    check_eq!(order(), 3_678_915);
    Ok(())
}

fn same_function_twice() -> Result {
    static CALLS: Count = Count::new();

    fn probe(_: u32) {
        CALLS.one();
    }

    let first = tt_plain.register(probe)?;
    check_eq!(tt_plain.register(probe).err(), Some(EEXIST));
    check_eq!(tt_plain.register_prio(probe, 1).err(), Some(EEXIST));
    trace!(tt_plain(0));
    check_eq!(CALLS.take(), 1);
    drop(first);
    drop(tt_plain.register(probe)?);
    Ok(())
}

fn same_function_on_two_tracepoints() -> Result {
    static SUM: Atomic<i32> = Atomic::new(0);

    fn probe(n: u32) {
        SUM.add(n as i32, Relaxed);
    }

    let _plain = tt_plain.register(probe)?;
    let _other = tt_other.register(probe)?;
    trace!(tt_plain(1));
    trace!(tt_other(10));
    check_eq!(SUM.load(Relaxed), 11);
    Ok(())
}

/// The compiler and the linker may merge identical functions.
fn functions_with_equal_bodies() -> Result {
    static CALLS: Count = Count::new();

    fn one(_: u32) {
        CALLS.one();
    }

    fn two(_: u32) {
        CALLS.one();
    }

    let _one = tt_plain.register(one)?;
    let _two = tt_plain.register(two)?;
    let _three = tt_plain.register(|_| CALLS.one())?;
    let _four = tt_plain.register(|_| CALLS.one())?;
    trace!(tt_plain(0));
    check_eq!(CALLS.take(), 4);
    Ok(())
}

fn closure_with_data() -> Result {
    static DROPS: Count = Count::new();

    let sum = Arc::new(Atomic::<i32>::new(0), GFP_KERNEL)?;
    let adder = |times: i32| {
        let sum = sum.clone();
        let dropped = Dropped(&DROPS);
        move |n: u32| {
            let _ = &dropped;
            sum.add(n as i32 * times, Relaxed);
        }
    };
    let first = tt_plain.register(adder(1))?;
    let second = tt_plain.register(adder(100))?;
    trace!(tt_plain(7));
    check_eq!(sum.load(Relaxed), 707);
    check_eq!(DROPS.take(), 0);
    drop(first);
    check_eq!(DROPS.take(), 1);
    trace!(tt_plain(1));
    check_eq!(sum.load(Relaxed), 807);
    check_eq!(second.unregister(), Ok(()));
    check_eq!(DROPS.take(), 1);
    Ok(())
}

fn closure_is_dropped_when_refused() -> Result {
    static DROPS: Count = Count::new();

    let dropped = Dropped(&DROPS);
    REG_FAILS.store(true, Relaxed);
    let refused = tt_hooks.register(move || _ = &dropped);
    REG_FAILS.store(false, Relaxed);
    check_eq!(refused.err(), Some(EBUSY));
    check_eq!(DROPS.take(), 1);
    Ok(())
}

fn closure_of_no_size_is_dropped() -> Result {
    static DROPS: Count = Count::new();

    struct Token;

    impl Drop for Token {
        fn drop(&mut self) {
            DROPS.one();
        }
    }

    fn probe(token: Token) -> impl Fn(u32) + Send + Sync {
        move |_| _ = &token
    }

    let first = tt_plain.register(probe(Token))?;
    let second = tt_plain.register(probe(Token))?;
    check_eq!(DROPS.take(), 0);
    drop(first);
    check_eq!(DROPS.take(), 1);
    drop(second);
    check_eq!(DROPS.take(), 1);
    Ok(())
}

fn group() -> Result {
    static CALLS: Count = Count::new();
    static DROPS: Count = Count::new();

    let mut probes = ProbeGroup::new();
    for _ in 0..10 {
        let dropped = Dropped(&DROPS);
        probes.push(tt_plain.register(move |_| {
            let _ = &dropped;
            CALLS.one()
        })?)?;
    }
    probes.push(tt_other.register(|_| CALLS.one())?)?;
    check_eq!(probes.probes().len(), 11);
    trace!(tt_plain(0));
    trace!(tt_other(0));
    check_eq!(CALLS.take(), 11);
    drop(probes);
    check_eq!(DROPS.take(), 10);
    trace!(tt_plain(0));
    trace!(tt_other(0));
    check_eq!(CALLS.take(), 0);
    Ok(())
}

fn group_of_none() -> Result {
    drop(ProbeGroup::new());
    check_eq!(ProbeGroup::default().probes().len(), 0);
    Ok(())
}

/// A dropped probe is never called, no matter how often the tracepoint was fired before.
fn probe_outlives_nothing() -> Result {
    static CALLS: Count = Count::new();

    for n in 0..5 {
        let probe = tt_plain.register(|_| CALLS.one())?;
        for _ in 0..=n {
            trace!(tt_plain(n));
        }
        drop(probe);
        trace!(tt_plain(n));
        check_eq!(CALLS.take(), n as i32 + 1);
    }
    Ok(())
}

fn probe_in_a_slot() -> Result {
    static CALLS: Count = Count::new();

    let slot = Slot::new();
    slot.put(tt_plain.register(|_| CALLS.one())?)?;
    trace!(tt_plain(1));
    drop(slot);
    trace!(tt_plain(1));
    check_eq!(CALLS.take(), 1);
    check!(!tt_plain::enabled());
    Ok(())
}

fn no_definer() -> Result {
    static DROPS: Count = Count::new();

    let dropped = Dropped(&DROPS);
    let probe = tt_nowhere.register(move |_| _ = &dropped)?;
    check!(!probe.is_attached());
    check_eq!(probe.unregister(), Err(ENOENT));
    check_eq!(DROPS.take(), 1);
    Ok(())
}

fn two_names_alike() -> Result {
    let probe = tt_plain2.register(|_| ())?;
    check!(!probe.is_attached());
    check!(!tt_plain::enabled());
    Ok(())
}

fn fired_from_a_probe() -> Result {
    static INNER: Count = Count::new();

    let _outer = tt_plain.register(|n| trace!(tt_other(n)))?;
    trace!(tt_plain(1));
    check_eq!(INNER.take(), 0);
    let _inner = tt_other.register(|_| INNER.one())?;
    trace!(tt_plain(1));
    check_eq!(INNER.take(), 1);
    Ok(())
}

fn fired_from_its_own_probe() -> Result {
    static CALLS: Count = Count::new();

    let _probe = tt_plain.register(|n| {
        CALLS.one();
        if n > 0 {
            trace!(tt_plain(n - 1));
        }
    })?;
    trace!(tt_plain(9));
    check_eq!(CALLS.take(), 10);
    Ok(())
}

/// Does work that sleeps, which a probe may not do itself: drops its probe, or registers one if
/// there is none.
#[pin_data]
struct Later {
    #[pin]
    work: Work<Later>,
    #[pin]
    probe: Mutex<Option<Probe>>,
    done: Count,
}

impl_has_work! {
    impl HasWork<Self> for Later { self.work }
}

static LATER_CALLS: Count = Count::new();

impl Later {
    fn new() -> Result<Arc<Self>> {
        Arc::pin_init(
            pin_init!(Self {
                work <- new_work!("Later::work"),
                probe <- new_mutex!(None),
                done: Count::new(),
            }),
            GFP_KERNEL,
        )
    }

    /// Registers a probe that queues the work.
    fn probe(this: &Arc<Self>) -> Result<Probe> {
        let this = this.clone();
        tt_plain.register(move |_| {
            // Fails if the work is already queued.
            let _ = workqueue::system().enqueue(this.clone());
        })
    }

    fn wait(&self) {
        while self.done.take() == 0 {
            fsleep(Delta::from_millis(1));
        }
    }
}

impl WorkItem for Later {
    type Pointer = Arc<Self>;

    fn run(this: Arc<Self>) {
        let old = this.probe.lock().take();
        if old.is_none() {
            *this.probe.lock() = tt_other.register(|_| LATER_CALLS.one()).ok();
        }
        drop(old);
        this.done.one();
    }
}

fn registered_by_work_of_a_probe() -> Result {
    let later = Later::new()?;
    let probe = Later::probe(&later)?;
    trace!(tt_plain(1));
    later.wait();
    drop(probe);
    trace!(tt_other(1));
    check_eq!(LATER_CALLS.take(), 1);
    drop(later.probe.lock().take());
    check!(!tt_other::enabled());
    Ok(())
}

fn unregistered_by_its_own_work() -> Result {
    let later = Later::new()?;
    let probe = Later::probe(&later)?;
    *later.probe.lock() = Some(probe);
    trace!(tt_plain(1));
    later.wait();
    check!(!tt_plain::enabled());
    check!(later.probe.lock().is_none());
    Ok(())
}

fn hundred_probes() -> Result {
    static CALLS: Count = Count::new();

    let mut probes = ProbeGroup::new();
    for n in 0..100 {
        probes.push(tt_plain.register(move |m| {
            if m == n {
                CALLS.one();
            }
        })?)?;
    }
    for n in 0..100 {
        trace!(tt_plain(n));
    }
    check_eq!(CALLS.take(), 100);
    drop(probes);
    check!(!tt_plain::enabled());
    Ok(())
}

fn sched_switch_of_the_kernel() -> Result {
    static FROM_US: Count = Count::new();
    static TO_US: Count = Count::new();
    static INSANE: Count = Count::new();

    let us = current!().pid();
    let probe = sched_switch.register(move |_preempt, prev, next, prev_state| {
        if prev.pid() == us {
            FROM_US.one();
        }
        if next.pid() == us {
            TO_US.one();
        }
        // The idle tasks of all CPUs have PID 0. TASK_STATE_MAX is 0x10000.
        if (prev.pid() == next.pid() && prev.pid() != 0)
            || prev.pid() < 0
            || next.pid() < 0
            || prev_state >= 0x20000
        {
            INSANE.one();
        }
    })?;
    check!(probe.is_attached());
    // On a busy machine, the time of a sleep can be over before the task is switched out.
    for _ in 0..1000 {
        fsleep(Delta::from_millis(2));
        if FROM_US.get() >= 10 && TO_US.get() >= 10 {
            break;
        }
    }
    check_eq!(probe.unregister(), Ok(()));
    check!(FROM_US.take() >= 10);
    check!(TO_US.take() >= 10);
    check_eq!(INSANE.take(), 0);
    fsleep(Delta::from_millis(2));
    check_eq!(FROM_US.take(), 0);
    Ok(())
}

fn kernel_tracepoint_twice() -> Result {
    fn probe(_: bool, _: &Task, _: &Task, _: u32) {}

    let _first = sched_switch.register(probe)?;
    check_eq!(sched_switch.register(probe).err(), Some(EEXIST));
    Ok(())
}

/// The kernel's own functions, with a C function as the probe.
fn raw_interface() -> Result {
    static CALLS: Count = Count::new();

    /// # Safety
    ///
    /// Only the tracepoint may call this.
    unsafe extern "C" fn func(_data: *mut c_void, n: u32) {
        CALLS.0.add(n as i32, Relaxed);
    }

    #[allow(improper_ctypes)]
    extern "C" {
        #[link_name = "__tracepoint_tt_other"]
        static mut TP: bindings::tracepoint;
    }

    let tp = &raw mut TP;
    let func = func as *mut c_void;
    let (one, two) = (1 as *mut c_void, 2 as *mut c_void);
    let register = |data| {
        // SAFETY: The tracepoint belongs to this module. `func` matches its prototype and ignores
        // its data. It's unregistered below.
        to_result(unsafe { bindings::tracepoint_probe_register_prio_may_exist(tp, func, data, 10) })
    };
    let unregister = |data| {
        // SAFETY: The tracepoint belongs to this module, and the test unregisters only pairs of
        // `func` and `data` that it has registered.
        to_result(unsafe { bindings::tracepoint_probe_unregister(tp, func, data) })
    };
    register(one)?;
    check_eq!(register(one), Err(EEXIST));
    register(two)?;
    trace!(tt_other(5));
    check_eq!(unregister(one), Ok(()));
    trace!(tt_other(100));
    check_eq!(unregister(two), Ok(()));
    trace!(tt_other(1000));
    tracepoint_synchronize_unregister();
    check_eq!(CALLS.take(), 5 + 5 + 100);
    Ok(())
}

struct TracepointTest;

impl kernel::Module for TracepointTest {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        ktap::run(TESTS);
        Ok(Self)
    }
}

module! {
    type: TracepointTest,
    name: "tracepoint_test",
    description: "Tests of the tracepoint library",
    license: "GPL",
}
