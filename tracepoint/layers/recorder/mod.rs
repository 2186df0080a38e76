// SPDX-License-Identifier: GPL-2.0

//! A driver's own trace instance, as a flight recorder.
//!
//! A trace instance is a separate trace buffer, `/sys/kernel/tracing/instances/NAME`, with its own
//! settings. A [`FlightRecorder`] owns one. It records selected events from the moment the driver
//! creates it, and nobody has to turn tracing on. When the buffer is full, the oldest records are
//! overwritten. When something goes wrong, the driver writes the latest ones to the log.
//!
//! ```
//! # trace_event! {
//! #     system: "drv";
//! #     fn drv_recorded(id: u32) { id: u32 = id } print "{id}";
//! # }
//! let recorder = FlightRecorder::builder(c"drv")
//!     .event(drv_recorded)
//!     .event_by_name(c"sched", c"sched_switch")
//!     .buffer_size_kb(64)
//!     .build()?;
//!
//! recorder.write(fmt!("request {id} is late"));
//!
//! recorder.dump(20);
//! ```
//!
//! C header: [`include/linux/trace.h`](srctree/include/linux/trace.h). The kernel's sample in C is
//! `samples/ftrace/sample-trace-array.c`.
//!
//! # How it works
//!
//! The kernel exports functions to create and remove an instance, to enable and disable events, and
//! to write text. For the rest:
//!
//! - The size of the buffer: only user space can write to the files of an instance, since they use
//!   `copy_from_user()`. So this resizes the ring buffer directly. `buffer_size_kb` still shows the
//!   size that the kernel gives all instances, until user space sets another one.
//! - The text of the records: only the file `trace` has it. A kernel thread reads it, through its
//!   own mount of tracefs. So it doesn't matter whether and where tracefs is mounted elsewhere, or
//!   who the current user is. Recording goes on meanwhile.

mod tail;
mod tracefs;

use self::{tail::Tail, tracefs::TraceFile};
use crate::{
    base::{
        bindings::{self, generated},
        event::TraceEvent,
        guard::{in_faultable_probe, tracepoint_synchronize_unregister, Srcu},
        point::UseTraceMacro,
    },
    modules::{
        lock::{Lock, LockGuard},
        log::{err, info},
        module::Module,
        module_static::module_static,
        unload::{Registered, ShutDown},
        window::window,
        work::Work,
    },
};
use core::{
    arch::asm,
    ffi::CStr,
    hint::black_box,
    mem::{transmute, zeroed},
    ptr::{null, null_mut},
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering},
};
use kernel::{
    container_of,
    error::to_result,
    fmt::{self, Write as _},
    prelude::*,
    str::{BStr, CString, Formatter},
    time::{Delta, Instant, Monotonic},
    types::Opaque,
};

/// The longest text of [`FlightRecorder::write`].
const TEXT_MAX: usize = 256;

/// How much is read at a time, and the smallest buffer for the last lines.
const PIECE: usize = 4096;

/// The room for each line of the trace, and for all.
const LINE_SIZE: usize = 160;
const TAIL_MAX: usize = 256 << 10;

/// The longest time to spend reading the trace.
const READ_SECONDS: i64 = 5;

/// C's `RING_BUFFER_ALL_CPUS` (include/linux/ring_buffer.h).
const ALL_CPUS: c_int = -1;

/// A trace instance that records for this driver. See the [module](self).
///
/// Dropping it disables the events that it has enabled, and removes the instance, unless
/// [`keep`](Builder::keep) was called. That may sleep, so it needs process context. A recorder must not
/// be dropped in a probe, in a hook (the `reg` and `unreg` functions of
/// [`define_trace!`](crate::define_trace)) or in an event's `perf_perm` function: that's logged, and
/// the recorder ends [later](Registered). If it's never dropped, because it's in a static or has been
/// forgotten, it ends when the module is unloaded.
///
/// # Sharing
///
/// If an instance of that name already exists, whoever created it, the recorder uses it. Two
/// drivers that choose the same name share the instance: its buffer, whose size is set by the last
/// one, and [`stop`](Self::stop). The last of them removes it. An event that both recorders have
/// enabled is disabled when one of them is dropped. In one driver, a recorder can replace another one of
/// the same name: all events stay enabled until the last one is dropped.
///
/// User space can use the instance like any other: read it, change its settings, enable and disable
/// events. While the recorder exists, user space can't remove the instance: `rmdir` fails with
/// `EBUSY`. If the instance is in use when the recorder is dropped, for example because somebody is
/// reading `trace_pipe`, it stays, without the recorder's events. Then, the next recorder of the
/// same name uses it, or `rmdir` removes it.
///
/// When a module is unloaded, the kernel erases the buffer of every instance in which an event of that
/// module has ever been enabled. This includes the module of this recorder.
#[must_use = "the instance is removed when the recorder is dropped"]
pub struct FlightRecorder {
    instance: Registered<Instance>,
}

impl FlightRecorder {
    /// Starts the builder of a recorder. The name is that of the directory in
    /// `/sys/kernel/tracing/instances`. It's usually the driver's name, followed by the device's
    /// name if each device has a recorder.
    pub fn builder(name: &CStr) -> Builder<'_> {
        Builder {
            name,
            events: Ok(KVec::new()),
            buffer_size: None,
            keep: 0,
        }
    }

    /// Records text, as in `recorder.write(fmt!("queue {queue} is full"))`. In the trace, the text
    /// follows `flight_recorder:` and ends with a newline. It's cut off after 256 bytes. A NUL becomes a space, since
    /// the kernel would take it for the end of the text, and show no newline.
    ///
    /// Any context in which RCU is watching. As with `pr_info!`, formatting the arguments must be allowed in it.
    ///
    /// C: `trace_array_printk()`.
    pub fn write(&self, text: fmt::Arguments<'_>) {
        let mut line = [0; TEXT_MAX];
        let mut formatter = Formatter::new(&mut line);
        // If it fails, what has been written is recorded.
        let _ = formatter.write_fmt(text);
        let len = formatter.bytes_written();
        line.iter_mut()
            .take(len)
            .filter(|byte| **byte == 0)
            .for_each(|byte| *byte = b' ');
        self.instance.with(|array| {
            // SAFETY: The closure's instance is valid.
            unsafe { puts(array, here::<0>(), line.get(..len).unwrap_or(&line)) };
        });
    }

    /// Stops recording events and text. What has been recorded stays. Any context in which RCU is watching.
    ///
    /// Like `echo 0 > tracing_on`. To keep what led to a failure from being overwritten, call this
    /// before [`dump`](Self::dump).
    pub fn stop(&self) {
        self.instance.with(|array| {
            // SAFETY: `ring_buffer_record_off()` (kernel/trace/ring_buffer.c) takes a valid buffer,
            // in any context.
            unsafe { generated::ring_buffer_record_off(buffer(array)) };
        });
    }

    /// Starts recording again. Any context in which RCU is watching.
    ///
    /// Like `echo 1 > tracing_on`.
    pub fn start(&self) {
        self.instance.with(|array| {
            // SAFETY: `ring_buffer_record_on()` (kernel/trace/ring_buffer.c) takes a valid buffer,
            // in any context.
            unsafe { generated::ring_buffer_record_on(buffer(array)) };
        });
    }

    /// Writes the last `n` lines of the trace to the log, with the level of `pr_info!`. An event is a
    /// line, unless it prints several, or user space has chosen other options for the instance.
    ///
    /// Any context in which RCU is watching, including NMI: a work item does it soon after. It doesn't
    /// wait for any of the driver's locks. If it hasn't begun when this is called again, it writes the larger number of
    /// lines, once. Dropping the recorder waits for it.
    ///
    /// It allocates 160 bytes for each line, at most 256 KiB in total: if lines are longer, fewer
    /// of them fit. It reads the whole buffer, so a small buffer makes it fast. If the buffer is
    /// written faster than it's read, it gives up after five seconds and writes what it has.
    ///
    /// If it can't read the trace, it logs the error: `ENOMEM`, or `EPERM` if the kernel is locked
    /// down.
    pub fn dump(&self, n: u32) {
        self.instance.with(|_| {
            self.instance.requested.fetch_max(n, Ordering::SeqCst);
            self.instance.work.queue();
        });
    }
}

/// Builds a [`FlightRecorder`]. Its functions may sleep; process context. They report no
/// errors; [`build`](Builder::build) does.
#[must_use = "`build` creates the recorder"]
pub struct Builder<'a> {
    name: &'a CStr,
    events: Result<KVec<EventName>>,
    buffer_size: Option<u32>,
    keep: u32,
}

/// The name of an event, or of all events of a system.
struct EventName {
    system: &'static CStr,
    event: Option<&'static CStr>,
}

impl Builder<'_> {
    /// Records an event that's declared with `trace_event!`: `.event(my_driver_request)`.
    pub fn event<T: TraceEvent>(self, _event: fn(UseTraceMacro) -> T) -> Self {
        self.add(T::SYSTEM, Some(T::NAME))
    }

    /// Records an event of any system: `.event_by_name(c"sched", c"sched_switch")`. If a module defines
    /// it, that module must be loaded before this one.
    pub fn event_by_name(self, system: &'static CStr, event: &'static CStr) -> Self {
        self.add(system, Some(event))
    }

    /// Records all events of a system, such as the driver's own: `.system(c"my_driver")`. If
    /// modules define them, only modules that are already loaded count.
    pub fn system(self, system: &'static CStr) -> Self {
        self.add(system, None)
    }

    /// Sets the size of the buffer of each CPU, in KiB. Without this, it's the kernel's default of about
    /// 1.4 MiB.
    ///
    /// The kernel first allocates a buffer of its default size. If the instance already exists and
    /// user space is reading it, its size stays. With CONFIG_RING_BUFFER_ALLOW_SWAP, it always
    /// stays: there, snapshots of a single CPU rely on the size that `buffer_size_kb` shows.
    ///
    /// If user space takes a snapshot there, and is then killed while it writes another size to
    /// `buffer_size_kb`, the kernel can warn and turn off all tracing: it can't restore the size that
    /// the file has shown (`__tracing_resize_ring_buffer()`).
    pub fn buffer_size_kb(mut self, size: u32) -> Self {
        self.buffer_size = Some(size);
        self
    }

    /// Keeps the instance when the recorder is dropped, with the last `n` lines of the trace as
    /// text. They can be read in `trace` after the driver has been unloaded or has failed to load.
    /// The memory for them is limited as for [`FlightRecorder::dump`].
    ///
    /// The records themselves don't survive when the module that defines their events is unloaded.
    /// If the instance is in use, the text can't be kept.
    ///
    /// The next recorder of this name uses the instance. `rmdir` removes it.
    pub fn keep(mut self, n: u32) -> Self {
        self.keep = n;
        self
    }

    fn add(mut self, system: &'static CStr, event: Option<&'static CStr>) -> Self {
        self.events = self.events.and_then(|mut events| {
            Registered::<Instance>::prepare()?;
            events.push(EventName { system, event }, GFP_KERNEL)?;
            Ok(events)
        });
        self
    }

    /// Creates the recorder, enables its events and starts recording, even if the instance was
    /// stopped. May sleep; process context. Not in a probe.
    ///
    /// If this fails, it removes the instance that it has created, unless somebody else uses it. One
    /// that existed before stays, unless user space has created it while this was running.
    ///
    /// C: `trace_array_get_by_name()`, `trace_array_set_clr_event()`.
    ///
    /// # Errors
    ///
    /// - `EINVAL`: the name can't be that of a directory, the size is 0, or there's no such event
    ///   (logged). An instance that already exists may lack the event's system.
    /// - `EACCES`: an instance of that name has the previous boot's trace, and is read-only.
    /// - `ENODEV`: the module is being unloaded.
    /// - `EDEADLK`: it's called by a tracepoint's hook, by an event's `perf_perm` function, by a task for
    ///   which a hook waits, or by a probe, or in a context in which nothing may sleep.
    /// - `ENOMEM`: there's not enough memory, or the instance can't be created for some other
    ///   reason, which the kernel doesn't report.
    /// - `ENOSPC`: an event is a span that's enabled in 15 instances already.
    /// - Any error of an event's `reg` hook.
    pub fn build(self) -> Result<FlightRecorder> {
        let name = self.name.to_bytes();
        if matches!(name, b"" | b"." | b"..")
            || name.len() > bindings::NAME_MAX as usize
            || name.contains(&b'/')
            || self.buffer_size == Some(0)
        {
            return Err(EINVAL);
        }
        let events = self.events?;
        let instance = pin_init!(Instance {
            // INVARIANT: NULL.
            array: AtomicPtr::new(null_mut()),
            name: CString::try_from(self.name)?,
            systems: systems(&events)?,
            events,
            buffer_size: self.buffer_size,
            keep: self.keep,
            existed: AtomicBool::new(true),
            is_built: AtomicBool::new(false),
            requested: AtomicU32::new(0),
            // INVARIANT: NULL.
            ending: AtomicPtr::new(null_mut()),
            // INVARIANT: Nothing is pending.
            // SAFETY: `work` is a function for the item of an instance, which this is. The queue is a
            // static that's set at boot.
            work <- unsafe { Work::new(work, bindings::system_dfl_wq) },
        }? Error);
        let instance = Registered::new(instance)?;
        instance.is_built.store(true, Ordering::Relaxed);
        Ok(FlightRecorder { instance })
    }
}

/// Returns the systems of some events as a C string, each followed by a comma. The instance has only the events of
/// these.
///
/// Sorted by length: `event_in_systems()` (kernel/trace/trace_events.c) looks only at the first place
/// where the list contains the name. That must not be inside a longer name.
fn systems(events: &[EventName]) -> Result<KVec<u8>> {
    let mut list = KVec::new();
    let systems = || events.iter().map(|event| event.system.to_bytes());
    for length in 1..=systems().map(<[u8]>::len).max().unwrap_or(0) {
        for name in systems().filter(|name| name.len() == length) {
            list.extend_from_slice(name, GFP_KERNEL)?;
            list.push(b',', GFP_KERNEL)?;
        }
    }
    list.push(0, GFP_KERNEL)?;
    Ok(list)
}

/// The addresses of the instances that recorders use, once for each recorder.
type Used = Option<KBox<KVec<usize>>>;

// All zeroes is none.
const _: () = {
    // SAFETY: It's a pointer or NULL, which is as large as a `usize`.
    let none = unsafe { transmute::<Used, usize>(None) };
    assert!(none == 0);
};

/// Locks those of this module.
fn used() -> LockGuard<'static, Used> {
    let used = module_static!("tracepoint.recorders": Lock<Used>);
    // SAFETY: `used` points to a static of that type, for which all zeroes is valid.
    unsafe { &*used }.lock()
}

/// The instance of a [`FlightRecorder`].
///
/// # Invariants
///
/// - `array` and `ending` have been returned by `trace_array_get_by_name()`, and haven't been put; or they're NULL.
/// - After `shut_down`, `work` isn't pending.
#[pin_data]
struct Instance {
    /// Used in a read-side critical section of `tracepoint_srcu`, except by `start` and `shut_down`.
    array: AtomicPtr<bindings::trace_array>,
    name: CString,
    systems: KVec<u8>,
    events: KVec<EventName>,
    buffer_size: Option<u32>,
    keep: u32,
    /// It may have existed before `start`, which then doesn't remove it on an error.
    existed: AtomicBool,
    /// The driver has got it.
    is_built: AtomicBool,
    /// How many lines are to be written to the log.
    requested: AtomicU32,
    /// The work item is to end the recording there instead.
    ending: AtomicPtr<bindings::trace_array>,
    #[pin]
    work: Work,
}

impl Instance {
    /// Gets the instance, which the caller has to put. Its buffer has at least so many KiB.
    fn get(&self, size_min: u32) -> Result<*mut bindings::trace_array> {
        // SAFETY: `trace_array_get_by_name()` (kernel/trace/trace.c) copies both C strings.
        let array = unsafe {
            generated::trace_array_get_by_name(self.name.as_char_ptr(), self.systems.as_ptr())
        };
        if array.is_null() {
            return Err(ENOMEM);
        }
        // With snapshots of a single CPU, `update_max_tr_single()` (kernel/trace/trace_snapshot.c) warns if
        // the size isn't the one that the instance has in `array_buffer.data`.
        if let (Some(size), false) = (self.buffer_size, cfg!(CONFIG_RING_BUFFER_ALLOW_SWAP)) {
            let size = (size.max(size_min) as c_ulong) << 10;
            // SAFETY: `ring_buffer_resize()` (kernel/trace/ring_buffer.c) takes a valid buffer, also while
            // it's written, as `trace_array_get_by_name()` doesn't tell whether it is.
            let error = unsafe { generated::ring_buffer_resize(buffer(array), size, ALL_CPUS) };
            if let Some(error) = to_result(error).err().filter(|error| *error != EBUSY) {
                // SAFETY: `trace_array_get_by_name()` has returned the instance above, and nobody uses it
                // afterwards.
                unsafe { self.release(array) };
                return Err(error);
            }
        }
        Ok(array)
    }

    /// Puts the instance and removes it, unless it stays or somebody else uses it. Returns whether it
    /// has been removed.
    ///
    /// # Safety
    ///
    /// It must be the one that `get` has returned, and nobody may use it afterwards.
    unsafe fn release(&self, array: *mut bindings::trace_array) -> bool {
        // SAFETY: `trace_array_put()` (kernel/trace/trace.c) takes a valid instance;
        // `trace_array_destroy()` any address, which it looks up.
        unsafe {
            generated::trace_array_put(array);
            let can_go = self.is_built() || !self.existed.load(Ordering::Relaxed);
            can_go && generated::trace_array_destroy(array) == 0
        }
    }

    fn is_built(&self) -> bool {
        self.is_built.load(Ordering::Relaxed)
    }

    /// Runs `f` with the instance, unless it's gone. Any context in which RCU is watching.
    #[inline]
    fn with(&self, f: impl FnOnce(*mut bindings::trace_array)) {
        // SAFETY: The guard is dropped at the end of this function.
        let _guard = unsafe { Srcu::new() };
        let array = self.array.load(Ordering::Acquire);
        if !array.is_null() {
            window!("recorder");
            f(array);
        }
    }

    /// Does what has been requested. In a work item.
    fn work(&self) {
        window!("work");
        // INVARIANT: `end` puts it.
        let ending = self.ending.swap(null_mut(), Ordering::Acquire);
        if !ending.is_null() {
            // SAFETY: By the type's invariant, `get` has returned the instance, which hasn't been
            // put. Nobody else uses it any more.
            unsafe { self.end(ending) };
        } else if let n @ 1.. = self.requested.swap(0, Ordering::SeqCst) {
            if let Err(error) = self.log_lines(n) {
                err(fmt!("{self}: cannot read the trace: {error:?}\n"));
            }
        }
        window!("logged");
    }

    fn log_lines(&self, n: u32) -> Result {
        let mut buffer = KVVec::new();
        let lines = self.read(n, &mut buffer)?;
        info(fmt!("{self}: the last {n} lines or fewer:\n"));
        for line in lines.split(|byte| *byte == b'\n') {
            if !line.is_empty() {
                info(fmt!("{}\n", BStr::from_bytes(line)));
            }
        }
        Ok(())
    }

    /// Reads the last `n` lines of the trace. In a kernel thread: only root can read the files.
    fn read<'a>(&self, n: u32, buffer: &'a mut KVVec<u8>) -> Result<&'a [u8]> {
        let mut file = TraceFile::open(&self.name)?;
        let mut piece = KVec::from_elem(0, PIECE, GFP_KERNEL)?;
        let n = n as usize;
        let size = n.saturating_mul(LINE_SIZE).clamp(PIECE, TAIL_MAX);
        *buffer = KVVec::from_elem(0, size, GFP_KERNEL)?;
        let mut tail = Tail::new(buffer);
        let start = Instant::<Monotonic>::now();
        loop {
            let len = file.read(&mut piece)?;
            if len == 0 || start.elapsed() > Delta::from_secs(READ_SECONDS) {
                break;
            }
            tail.push(piece.get(..len).unwrap_or_default());
        }
        Ok(tail.last(n))
    }

    /// Disables the events in the instance and puts it. If the last lines are to be kept, it's created again,
    /// with only these as text: the module that prints the records will be gone, so the kernel would erase them.
    ///
    /// # Safety
    ///
    /// As for [`Self::release`].
    unsafe fn end(&self, array: *mut bindings::trace_array) {
        let mut buffer = KVVec::new();
        let kept = match self.keep {
            // If there's no memory, nothing is kept.
            n @ 1.. if self.is_built() => self.read(n, &mut buffer).ok(),
            _ => None,
        };
        let mut used = used();
        let is_shared = used.as_mut().is_some_and(|list| {
            if let Some(index) = list.iter().position(|other| *other == array.addr()) {
                let _ = list.remove(index);
            }
            list.contains(&array.addr())
        });
        // A recorder that has replaced this one may have the same events.
        if !is_shared {
            for event in &self.events {
                // If it has been removed in the meantime, it's not enabled, either.
                // SAFETY: The instance is valid, since it hasn't been put yet.
                let _ = unsafe { event.set(array, false) };
            }
        }
        // SAFETY: The caller promises that `get` has returned the instance, and that nobody uses it
        // afterwards.
        let is_removed = unsafe { self.release(array) };
        let Some(lines) = kept.filter(|_| is_removed) else {
            return;
        };
        // A line takes less than its length again, and this task may write all of them on one CPU.
        let size = (lines.len() >> 9) as u32;
        let Ok(array) = self.get(size) else { return };
        // The function shown as the writer must still exist when the trace is read.
        let ip = generated::__trace_array_puts as *const () as c_ulong;
        // None is longer than a page of the buffer.
        let lines = lines.split_inclusive(|byte| *byte == b'\n');
        for line in lines.flat_map(|line| line.chunks(PIECE / 2)) {
            // SAFETY: The instance is valid, since `get` has returned it above and it's put below.
            unsafe { puts(array, ip, line) };
        }
        // SAFETY: `trace_array_put()` (kernel/trace/trace.c) takes an instance that `get` has
        // returned, and that isn't used afterwards.
        unsafe { generated::trace_array_put(array) };
    }
}

impl ShutDown for Instance {
    fn start(&self) -> Result {
        // When another recorder of this module with the same name ends, it removes the instance under this lock.
        let mut used = used();
        // `trace_array_get_by_name()` doesn't tell whether it creates the instance.
        let existed = TraceFile::exists(&self.name);
        self.existed.store(existed, Ordering::Relaxed);
        let list = match &mut *used {
            Some(list) => list,
            none => none.insert(KBox::new(KVec::new(), GFP_KERNEL)?),
        };
        list.reserve(1, GFP_KERNEL)?;
        // INVARIANT: Has been got.
        let array = self.get(0)?;
        list.push(array.addr(), GFP_KERNEL)?;
        drop(used);
        // A recorder before this one may have left it stopped.
        // SAFETY: `ring_buffer_record_on()` (kernel/trace/ring_buffer.c) takes a valid buffer. The
        // instance that has it is valid, since `get` has returned it.
        unsafe { generated::ring_buffer_record_on(buffer(array)) };
        self.array.store(array, Ordering::Release);
        for event in &self.events {
            // SAFETY: The instance is valid, since `get` has returned it above and it hasn't been
            // put.
            unsafe { event.set(array, true) }.inspect_err(|error| {
                let (system, event) = (event.system, event.event.unwrap_or(c"*"));
                err(fmt!("{self}: cannot enable {system}:{event}: {error:?}\n"));
            })?;
        }
        Ok(())
    }

    fn shut_down(&self) {
        // INVARIANT: `ending` has it below.
        let array = self.array.swap(null_mut(), Ordering::AcqRel);
        if !array.is_null() {
            // After this, nothing uses it or requests anything.
            tracepoint_synchronize_unregister();
            self.work.flush();
            // INVARIANT: Not put yet.
            self.ending.store(array, Ordering::Release);
            self.work.queue();
            self.work.flush();
        }
        // A static isn't dropped. `start` may have failed after it had made the list.
        used().take_if(|list| list.is_empty());
    }

    fn is_running(&self) -> bool {
        in_faultable_probe() || Module::this().is_in_hook()
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(fmt!("{self}"))
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(fmt!("flight recorder {}", &*self.name))
    }
}

impl EventName {
    /// Enables or disables the event in an instance. May sleep.
    ///
    /// # Safety
    ///
    /// The instance must be valid.
    unsafe fn set(&self, array: *mut bindings::trace_array, enable: bool) -> Result {
        let event = self.event.map_or(null(), |event| event.as_char_ptr());
        // SAFETY: The caller promises that the instance is valid. `trace_array_set_clr_event()`
        // (kernel/trace/trace_events.c) takes C strings, and NULL for all events of the system.
        to_result(unsafe {
            generated::trace_array_set_clr_event(array, self.system.as_char_ptr(), event, enable)
        })
    }
}

/// Returns the ring buffer of an instance. After a snapshot it's another one, but none is freed before
/// the instance is. Any context.
///
/// No function returns it directly. But the one that reserves room for an event stores it first,
/// and then fails if the event is too large.
///
/// # Safety
///
/// The instance must be valid.
unsafe fn buffer(array: *mut bindings::trace_array) -> *mut bindings::trace_buffer {
    let (mut buffer, too_large) = (null_mut(), isize::MAX as c_ulong);
    // SAFETY: `trace_event_buffer_lock_reserve()` (kernel/trace/trace.c) uses the file's instance
    // and its flags, none of which is set. `ring_buffer_lock_reserve()` (kernel/trace/ring_buffer.c)
    // returns NULL for what's larger than a page.
    unsafe {
        let mut file: generated::trace_event_file = zeroed();
        file.tr = array;
        generated::trace_event_buffer_lock_reserve(&mut buffer, &mut file, 0, too_large, 0);
    }
    buffer
}

/// Writes text, which is shown as coming from the function at `ip`. Any context.
///
/// # Safety
///
/// The instance must be valid.
unsafe fn puts(array: *mut bindings::trace_array, ip: c_ulong, text: &[u8]) {
    // It looks at the last byte.
    if !text.is_empty() {
        // SAFETY: The caller promises that the instance is valid. `__trace_array_puts()`
        // (kernel/trace/trace_printk.c) copies the text.
        unsafe { generated::__trace_array_puts(array, ip, text.as_ptr(), text.len() as c_int) };
    }
}

/// Returns an address in this module that the kernel shows as `flight_recorder`. The symbol of a Rust
/// function isn't readable.
// Generic, so that a module without a recorder doesn't contain it. The label must be in the function
// that refers to it: for objtool, it's an address that nobody jumps to.
#[allow(named_asm_labels)]
#[inline(never)]
fn here<const N: usize>() -> c_ulong {
    extern "C" {
        #[link_name = "flight_recorder"]
        static HERE: u8;
    }

    // SAFETY: This emits a label and no instructions. Because of `.ifndef`, it does so once, even
    // if the compiler copies the function.
    unsafe {
        asm!(
            ".ifndef flight_recorder",
            "flight_recorder:",
            ".endif",
            options(nomem, nostack, preserves_flags),
        )
    };
    // Or the compiler would have the callers refer to it.
    black_box(&raw const HERE) as c_ulong
}

/// # Safety
///
/// Only kernel/workqueue.c may call this, for the `work` of an [`Instance`].
unsafe extern "C" fn work(work: *mut bindings::work_struct) {
    // SAFETY: The instance is valid until it has waited for this.
    unsafe { (*container_of!(work.cast::<Opaque<_>>(), Instance, work.work)).work() };
}

#[doc(hidden)]
pub mod root {
    pub use super::FlightRecorder;
    pub use crate::layers::recorder as flight_recorder;
}

#[doc(hidden)]
pub mod event {}

#[doc(hidden)]
pub mod private {}
