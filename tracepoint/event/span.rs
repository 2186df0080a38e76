// SPDX-License-Identifier: GPL-2.0

//! Spans: events that have a beginning and an end.
//!
//! A span is one event with one tracepoint, which is fired at both ends. So both ends are enabled
//! and disabled together, and their records have the same fields.
//!
//! # Pairing
//!
//! Every end in a trace has its begin and, within limits, every begin has its end:
//!
//! - A [`Span`] remembers, in a bit for each [`File`], where its begin has been recorded. Its end is
//!   recorded there and nowhere else.
//! - Before an event is disabled, new spans are no longer recorded, but for up to [`PATIENCE`],
//!   open ones can still record their end. See [`wait_for_ends`]. Not in perf: the kernel has already
//!   deactivated its event by then.
//!
//! That's why the class of a span has its own [`reg`], and its probes get a [`File`] as data where
//! others get the kernel's `trace_event_file`.

#[cfg(CONFIG_PERF_EVENTS)]
use super::record::{self, PERF};
use super::{
    class::{trace_event_call, trace_event_class, Class, Reg},
    id::TraceId,
};
use crate::{
    args::Pointee,
    bindings::{self, generated},
    guard::synchronize_srcu,
    module_static::module_static,
    point::Tracepoint,
    prototype::Type,
    text::bytes_start_with,
    unload::is_alive,
    window::window,
};
use core::{
    cell::Cell,
    mem::{offset_of, transmute, MaybeUninit},
    ptr::null_mut,
    sync::atomic::{AtomicI32, AtomicU32, Ordering},
};
use kernel::{
    error::{code::ENOSPC, Error, Result},
    ffi::{c_int, c_void},
    time::{delay::fsleep, Delta},
    types::NotThreadSafe,
};

/// Which end of a span is being recorded, in Perfetto's terms.
const BEGIN: u8 = b'B';
const END: u8 = b'E';

/// A span that begins or ends, as seen by its probes. Its functions can be called in any context.
///
/// It's a probe's first argument, followed by the declared ones:
///
/// ```
/// # trace_event! {
/// #     system: "drv";
/// #     span fn drv_probed_span(queue: u32) { queue: u32 = queue } print "{queue}";
/// # }
/// let probe = drv_probed_span.register(|span: &Span, queue| {
///     if span.is_end() && span.duration() > 1_000_000 {
///         pr_info!("queue {queue}: {} ns\n", span.duration());
///     }
/// })?;
/// ```
#[repr(C)]
pub struct Span {
    id: u64,
    duration: Cell<u64>,
    result: AtomicI32,
    track_event_type: Cell<u8>,
    /// The files in which the begin has been recorded: their `File::bit`s.
    recorded: Cell<u16>,
    start: Cell<u64>,
}

// SAFETY: The cells change only while the span begins or ends. Meanwhile, only the probes have it,
// and they're called one after another.
unsafe impl Sync for Span {}

// SAFETY: The type is the library's own, and is known by its name.
unsafe impl Pointee for Span {
    type C = c_void;
    type At<'a> = Self;
    const TYPE: Type = Type::Name("tracepoint::Span");
}

impl Span {
    /// Returns the id, which is the same at both ends.
    #[inline]
    pub fn id(&self) -> TraceId {
        TraceId::from_raw(self.id)
    }

    /// Whether the span ends. Otherwise, it begins.
    #[inline]
    pub fn is_end(&self) -> bool {
        self.track_event_type.get() == END
    }

    /// Returns the duration in nanoseconds: 0 at the beginning, and at least 1 at the end.
    #[inline(always)]
    pub fn duration(&self) -> u64 {
        self.duration.get()
    }

    /// Returns the result: 0, or a negative errno.
    #[inline(always)]
    pub fn errno(&self) -> c_int {
        self.result.load(Ordering::Relaxed)
    }

    #[doc(hidden)]
    #[inline(always)]
    pub fn raw_id(&self) -> u64 {
        self.id
    }

    #[doc(hidden)]
    #[inline(always)]
    pub fn track_event_type(&self) -> u8 {
        self.track_event_type.get()
    }

    /// A span that hasn't begun yet.
    #[inline]
    fn new() -> Self {
        Self {
            id: TraceId::next().get(),
            duration: Cell::new(0),
            result: AtomicI32::new(0),
            track_event_type: Cell::new(BEGIN),
            recorded: Cell::new(0),
            start: Cell::new(now()),
        }
    }

    /// Fills in what's known only at the end.
    #[inline]
    fn finish(&self) {
        let duration = now().wrapping_sub(self.start.get());
        // The clock may stand still, and in an NMI it may even go back.
        self.duration.set((duration as i64).max(1) as u64);
        self.track_event_type.set(END);
    }
}

/// Returns the monotonic time in nanoseconds. Any context.
#[inline]
fn now() -> u64 {
    // SAFETY: `ktime_get_mono_fast_ns()` (kernel/time/timekeeping.c) can be called from anywhere.
    unsafe { bindings::ktime_get_mono_fast_ns() }
}

/// A tracepoint that's declared as a span.
///
/// # Safety
///
/// `fire` must call the probes of this tracepoint only.
pub unsafe trait Spanned: Tracepoint + Sized {
    /// The arguments of the declaration.
    type Args<'a>: Copy;

    /// `NAME::enabled`.
    fn is_enabled() -> bool;

    /// `NAME::enabled`, with the checks of `trace!`.
    #[inline(always)]
    #[track_caller]
    fn enabled() -> bool {
        Self::is_enabled()
    }

    /// A function with the arguments of the declaration.
    type Begin: Copy;

    /// Begins a span.
    const BEGIN: Self::Begin;

    /// `NAME::call`.
    ///
    /// # Safety
    ///
    /// Must be called twice, when the span begins and when it ends. A file counts its open spans.
    unsafe fn fire(span: &Span, args: Self::Args<'_>);
}

/// Fails to compile for a tracepoint that could be a span's. In a probe, a driver has the [`Span`]; if
/// it fired the tracepoint with it, the files would count an end or a beginning twice.
///
/// Another tracepoint with such an argument is none the worse for it.
#[inline(always)]
pub fn not_a_span<T: Tracepoint>() {
    const {
        assert!(
            !bytes_start_with(T::PROTOTYPE.to_bytes(), b"fn(&tracepoint::Span"),
            "only a span itself can fire a tracepoint whose first argument is a `&Span`"
        )
    }
}

/// A span that [`span!`](crate::span) begins.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be begun with `span!`",
    label = "is not declared with `span fn`"
)]
pub trait Begins: Spanned {
    /// `SpanSite<Self>`.
    type Site;

    /// What `span!` starts with.
    const SITE: Self::Site;
}

/// A span that [`async_span!`](crate::async_span) begins.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be begun with `async_span!`",
    label = "is not declared with `async span fn`"
)]
pub trait BeginsAsync: Spanned {
    /// `SpanSite<Self>`.
    type Site;

    /// What `async_span!` starts with.
    const SITE: Self::Site;
}

/// A place where a span begins.
pub struct SpanSite<T>(core::marker::PhantomData<T>);

impl<T> SpanSite<T> {
    /// The only value.
    pub const NEW: Self = Self(core::marker::PhantomData);
}

impl<T: Spanned> SpanSite<T> {
    /// [`Spanned::enabled`].
    #[inline(always)]
    #[track_caller]
    pub fn enabled(&self) -> bool {
        T::enabled()
    }

    /// [`Spanned::BEGIN`].
    #[inline(always)]
    pub fn begin(&self) -> T::Begin {
        T::BEGIN
    }
}

/// A span that's traced, or not, and what its end needs.
///
/// # Invariants
///
/// `open` is initialised if `is_traced` is set.
struct Guarded<'a, T: Spanned> {
    is_traced: bool,
    open: MaybeUninit<Open<'a, T>>,
}

/// A span that has begun, and the arguments of both ends.
struct Open<'a, T: Spanned> {
    span: Span,
    args: T::Args<'a>,
}

impl<'a, T: Spanned> Guarded<'a, T> {
    /// A span that isn't traced. As a constant, all of it would be initialised.
    #[inline(always)]
    fn none() -> Self {
        // INVARIANT: Nothing is initialised, and nothing has to be.
        Self {
            is_traced: false,
            open: MaybeUninit::uninit(),
        }
    }

    /// Begins a span. Inlined, so that it needn't be copied to its final place.
    #[inline(always)]
    fn begin(args: T::Args<'a>) -> Self {
        let span = Span::new();
        // SAFETY: It begins.
        unsafe { T::fire(&span, args) };
        // INVARIANT: Everything is initialised.
        Self {
            is_traced: true,
            open: MaybeUninit::new(Open { span, args }),
        }
    }

    /// Returns the span, if it's traced.
    #[inline(always)]
    fn span(&self) -> Option<&Span> {
        if !self.is_traced {
            return None;
        }
        // SAFETY: By the type's invariant.
        let open = unsafe { self.open.assume_init_ref() };
        Some(&open.span)
    }

    #[inline(always)]
    fn set_errno(&self, errno: c_int) {
        if let Some(span) = self.span() {
            span.result.store(errno, Ordering::Relaxed);
        }
    }

    /// Ends the span. If the tracepoint is disabled by now, there's nobody to tell.
    #[inline(always)]
    fn end(&mut self) {
        if self.is_traced {
            // SAFETY: By the type's invariant.
            let open = unsafe { self.open.assume_init_ref() };
            open.span.finish();
            // SAFETY: It ends: this is called once, by `drop`.
            unsafe { T::fire(&open.span, open.args) };
        }
    }
}

impl<T: Spanned> Drop for Guarded<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        if T::is_enabled() {
            self.end();
        }
    }
}

/// Returns the result as a span records it.
#[inline(always)]
fn errno_of<T, E: Copy + Into<Error>>(result: &Result<T, E>) -> c_int {
    match result {
        Ok(_) => 0,
        Err(error) => (*error).into().to_errno(),
    }
}

/// A span of a thread, or of what has interrupted it: see [`span!`](crate::span).
///
/// [`span!`](crate::span) returns only a reference to it, so it can't be moved or forgotten. It
/// ends with the block in which it begins, after all spans that began later in that block.
///
/// Its functions can be called in any context. They do nothing if the span isn't traced.
#[must_use = "the span ends with the statement; write `let _span = span!(…);`"]
pub struct SpanGuard<'a, T: Spanned> {
    guarded: Guarded<'a, T>,
    _not_send: NotThreadSafe,
}

impl<'a, T: Spanned> SpanGuard<'a, T> {
    #[doc(hidden)]
    #[inline(always)]
    pub fn begin(args: T::Args<'a>) -> Self {
        Self {
            guarded: Guarded::begin(args),
            _not_send: NotThreadSafe,
        }
    }

    /// Sets the result of the span: 0, or the errno of an error. The last one counts.
    ///
    /// ```
    /// # trace_event! {
    /// #     system: "drv";
    /// #     span fn drv_step(queue: u32) { queue: u32 = queue } print "{queue}";
    /// # }
    /// # fn step(queue: u32) -> Result {
    /// #     Ok(())
    /// # }
    /// fn serve(queue: u32) -> Result {
    ///     let span = span!(drv_step(queue));
    ///     let result = step(queue);
    ///     span.result(&result);
    ///     result
    /// }
    /// ```
    #[inline(always)]
    pub fn result<R, E: Copy + Into<Error>>(&self, result: &Result<R, E>) {
        self.guarded.set_errno(errno_of(result));
    }

    /// Sets the result of the span to an error.
    #[inline(always)]
    pub fn error(&self, error: Error) {
        self.guarded.set_errno(error.to_errno());
    }

    /// Returns the id of the span, if it's traced.
    #[inline(always)]
    pub fn id(&self) -> Option<TraceId> {
        self.guarded.span().map(Span::id)
    }
}

impl<T: Begins> SpanSite<T> {
    /// A span that isn't traced.
    #[inline(always)]
    pub fn none<'a>(&self) -> SpanGuard<'a, T> {
        SpanGuard {
            guarded: Guarded::none(),
            _not_send: NotThreadSafe,
        }
    }
}

/// A span that can end somewhere other than where it began: see [`async_span!`](crate::async_span).
///
/// It's a value that can be kept in a struct or sent to another thread or to an interrupt handler.
/// It ends when it's dropped. If it's forgotten ([`core::mem::forget`]), its end is missing from
/// the trace, but no other span is affected: in Perfetto and in a timeline, each has its own track.
///
/// Its functions can be called, and it can be dropped, in any context. They do nothing if the span isn't
/// traced.
#[must_use = "the span ends when it's dropped"]
pub struct AsyncSpan<'a, T: Spanned>(Guarded<'a, T>);

impl<'a, T: Spanned> AsyncSpan<'a, T> {
    #[doc(hidden)]
    #[inline(always)]
    pub fn begin(args: T::Args<'a>) -> Self {
        Self(Guarded::begin(args))
    }

    /// Sets the result of the span: 0, or the errno of an error. The last one counts.
    #[inline(always)]
    pub fn result<R, E: Copy + Into<Error>>(&self, result: &Result<R, E>) {
        self.0.set_errno(errno_of(result));
    }

    /// Sets the result of the span to an error.
    #[inline(always)]
    pub fn error(&self, error: Error) {
        self.0.set_errno(error.to_errno());
    }

    /// Returns the id of the span, if it's traced.
    #[inline(always)]
    pub fn id(&self) -> Option<TraceId> {
        self.0.span().map(Span::id)
    }

    /// Ends the span with this result.
    #[inline(always)]
    pub fn end<R, E: Copy + Into<Error>>(self, result: &Result<R, E>) {
        self.result(result);
    }
}

impl<T: BeginsAsync> SpanSite<T> {
    /// A span that isn't traced.
    #[inline(always)]
    pub fn none_async<'a>(&self) -> AsyncSpan<'a, T> {
        AsyncSpan(Guarded::none())
    }
}

/// The number of places where a span's event can be recorded at the same time: 15 trace instances, and
/// perf.
const SLOTS: usize = 16;

/// The slot for perf.
const PERF_SLOT: usize = 0;

/// How long disabling an event waits for open spans, in milliseconds. While the module is being
/// unloaded, it's how long disabling all of them waits.
const PATIENCE: u32 = 100;

/// A place where a span's event is recorded: the file of an event in a trace instance, or perf.
///
/// # Invariants
///
/// - `target` and `start` change only while no probe that has the file as its data is running.
/// - From the first use on, `target` is what [`record::begin`] takes: a `trace_event_file`, or in the
///   [`PERF_SLOT`] the tagged `trace_event_call`. A probe that's still running when the file is no longer
///   in use can use it, as in C.
#[repr(C)]
pub struct File {
    target: *mut c_void,
    /// A span with a smaller id began before this file was in use.
    start: u64,
    /// The number of spans whose begin has been recorded but whose end hasn't; and [`CLOSED`].
    open: AtomicU32,
    /// Its bit in `Span::recorded`.
    bit: u16,
    /// Whether a probe is registered. For [`reg`] only.
    in_use: bool,
}

/// The bit that says that no span may begin.
const CLOSED: u32 = 1 << 31;

impl File {
    const fn new(bit: u16) -> Self {
        Self {
            target: null_mut(),
            start: 0,
            open: AtomicU32::new(0),
            bit,
            in_use: false,
        }
    }

    /// Returns the file that a probe has as its data.
    ///
    /// # Safety
    ///
    /// `data` must be that of a probe which is running.
    #[inline(always)]
    unsafe fn of_probe<'a>(data: *mut c_void) -> &'a Self {
        // SAFETY: `register` registers nothing else, and the file is in a static.
        unsafe { &*data.cast() }
    }
}

/// The class of a span's event, and the files in which the event is recorded.
#[repr(C)]
pub struct SpanClass<const N: usize, P> {
    files: [File; SLOTS],
    class: Class<N, P>,
}

impl<const N: usize, P: Copy> SpanClass<N, P> {
    /// Adds what the class of a span has in addition.
    pub const fn new(class: Class<N, P>) -> Self {
        const { assert!(offset_of!(Self, class) == size_of::<[File; SLOTS]>()) };
        let mut files = [const { File::new(0) }; SLOTS];
        let mut i = 0;
        while i < SLOTS {
            files[i].bit = 1 << i;
            i += 1;
        }
        Self {
            files,
            // SAFETY: The struct of one integer is passed as the integer is.
            class: class.with_reg(unsafe { transmute::<RegOfSpan, Reg>(reg) }),
        }
    }

    /// Returns where the class is in the one at `this`.
    pub const fn class(this: *mut Self) -> *mut Class<N, P> {
        this.cast::<u8>()
            .wrapping_add(offset_of!(Self, class))
            .cast()
    }
}

/// C's `enum trace_reg`. Its name is part of the type of [`reg`], which CONFIG_CFI compares.
#[allow(non_camel_case_types)]
#[repr(C)]
struct trace_reg(generated::trace_reg);

/// The type of [`reg`] as in C.
type RegOfSpan = unsafe extern "C" fn(*mut trace_event_call, trace_reg, *mut c_void) -> c_int;

/// Registers and unregisters the probes of a span's event.
///
/// C: `trace_event_reg()`.
///
/// # Safety
///
/// Called as `class->reg` of the class in a [`SpanClass`], under `event_mutex`
/// (kernel/trace/trace_events.c, kernel/trace/trace_event_perf.c).
unsafe extern "C" fn reg(
    call: *mut trace_event_call,
    trace_reg(action): trace_reg,
    data: *mut c_void,
) -> c_int {
    // SAFETY: The files precede the class. Only this function uses all of them, and `event_mutex` is
    // held. `call` is valid.
    let (class, files) = unsafe {
        let class: *mut trace_event_class = (*call).class;
        (class, class.cast::<[File; SLOTS]>().sub(1).cast::<File>())
    };
    // SAFETY: As above. The class doesn't change.
    unsafe {
        match action {
            generated::trace_reg_TRACE_REG_REGISTER => register(call, (*class).probe, data, || {
                (PERF_SLOT + 1..SLOTS)
                    .map(|slot| files.add(slot))
                    .find(|file| !(**file).in_use)
            }),
            generated::trace_reg_TRACE_REG_UNREGISTER => {
                let used = (PERF_SLOT + 1..SLOTS)
                    .map(|slot| files.add(slot))
                    .find(|file| (**file).in_use && (**file).target == data);
                if let Some(file) = used {
                    wait_for_ends(&(*file).open);
                    unregister(call, (*class).probe, file);
                }
                0
            }
            #[cfg(CONFIG_PERF_EVENTS)]
            generated::trace_reg_TRACE_REG_PERF_REGISTER => {
                let target = call.cast::<c_void>().wrapping_byte_add(PERF);
                register(call, (*class).perf_probe, target, || {
                    Some(files.add(PERF_SLOT))
                })
            }
            // The caller waits for the probes, but it has already closed what they write to.
            #[cfg(CONFIG_PERF_EVENTS)]
            generated::trace_reg_TRACE_REG_PERF_UNREGISTER => {
                unregister(call, (*class).perf_probe, files.add(PERF_SLOT));
                0
            }
            _ => generated::trace_event_reg(call, action, data),
        }
    }
}

/// Registers a probe with one of the files.
///
/// # Safety
///
/// As for [`reg`]. `probe` must take the words of the tracepoint, and a file that isn't in use.
unsafe fn register(
    call: *mut trace_event_call,
    probe: *mut c_void,
    target: *mut c_void,
    find: impl FnOnce() -> Option<*mut File>,
) -> c_int {
    let Some(file) = find() else {
        return ENOSPC.to_errno();
    };
    // SAFETY: Guaranteed by the caller. `tracepoint_probe_register()` (kernel/tracepoint.c) publishes
    // the file.
    unsafe {
        if !(*file).target.is_null() {
            // The probe that had the file before may still be running.
            synchronize_srcu();
        }
        // A span that has used the slot before has a smaller id.
        (*file).start = TraceId::next().get();
        (*file).open = AtomicU32::new(CLOSED);
        (*file).target = target;
        let tp = (*call).__bindgen_anon_1.tp;
        let error = bindings::tracepoint_probe_register(tp, probe, file.cast());
        if error == 0 {
            // Not earlier, since the places where spans begin and end aren't all enabled at once.
            (*file).open.fetch_and(!CLOSED, Ordering::SeqCst);
            (*file).in_use = true;
        }
        error
    }
}

/// Unregisters the probe of a file. Doesn't wait until it no longer runs: as in C, those who free
/// what it uses do (`event_trace_del_tracer()`, `perf_trace_event_unreg()`).
///
/// # Safety
///
/// As for [`reg`].
unsafe fn unregister(call: *mut trace_event_call, probe: *mut c_void, file: *mut File) {
    // SAFETY: Guaranteed by the caller. `tracepoint_probe_unregister()` (kernel/tracepoint.c) fails
    // only if there's no such probe.
    unsafe {
        let tp = (*call).__bindgen_anon_1.tp;
        bindings::tracepoint_probe_unregister(tp, probe, file.cast());
        (*file).in_use = false;
    }
}

/// Lets no more spans begin, and waits for open ones to end. For [`reg`] only.
///
/// Spans that have been forgotten never end, and a module can have many. That's why there's a limit,
/// and why a module that's being unloaded has only one for all its events: when the kernel disables
/// them, no thread runs the module's code any more, so whatever is open has been forgotten. But while
/// its exit function runs, which may disable an event, as may a user, threads can still end their spans.
fn wait_for_ends(open: &AtomicU32) {
    let waited = module_static!("tracepoint.span_waited": AtomicU32);
    // SAFETY: It's a static of that type, and all zeroes is valid.
    let waited = unsafe { &*waited };
    if is_alive() {
        waited.store(0, Ordering::Relaxed);
    }
    // Both this and the counting in `span_begin` are full barriers: either this sees that the span is
    // open, or that sees the bit.
    let mut spans = open.fetch_or(CLOSED, Ordering::SeqCst);
    while spans & !CLOSED != 0 && waited.fetch_add(1, Ordering::Relaxed) < PATIENCE {
        fsleep(Delta::from_millis(1));
        spans = open.load(Ordering::SeqCst);
    }
}

/// Returns whether perf has anything to record.
///
/// # Safety
///
/// `data` must be that of perf's probe, which is running.
#[cfg(CONFIG_PERF_EVENTS)]
#[inline(always)]
pub unsafe fn span_for_perf(data: *mut c_void) -> bool {
    // SAFETY: Guaranteed by the caller. In the slot of perf, the target is the tagged event.
    unsafe {
        let call = File::of_probe(data).target.wrapping_byte_sub(PERF);
        !record::for_perf(call).is_null()
    }
}

/// Returns what [`record::begin`] takes if this end of the span is to be recorded, or NULL. The caller
/// must call [`span_end`] if it isn't NULL.
///
/// # Safety
///
/// `data` must be that of a probe which is running.
#[inline(always)]
pub unsafe fn span_begin(data: *mut c_void, span: &Span) -> *mut c_void {
    // SAFETY: Guaranteed by the caller.
    let file = unsafe { File::of_probe(data) };
    // A span may get its id before the file is in use, and begin afterwards. And another file may have
    // had the slot when the span began.
    if span.id < file.start {
        return null_mut();
    }
    if span.is_end() {
        if span.recorded.get() & file.bit == 0 {
            return null_mut();
        }
    } else if file.open.fetch_add(1, Ordering::SeqCst) & CLOSED != 0 {
        file.open.fetch_sub(1, Ordering::SeqCst);
        return null_mut();
    }
    window!("span");
    let target = file.target;
    // SAFETY: By the type's invariant, since the file is a probe's data.
    unsafe { core::hint::assert_unchecked(!target.is_null()) };
    target
}

/// Notes whether this end of the span has been recorded.
///
/// # Safety
///
/// As for [`span_begin`].
#[inline(always)]
pub unsafe fn span_end(data: *mut c_void, span: &Span, recorded: bool) {
    // SAFETY: Guaranteed by the caller.
    let file = unsafe { File::of_probe(data) };
    if recorded && !span.is_end() {
        span.recorded.set(span.recorded.get() | file.bit);
    } else {
        file.open.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Begins a span of this thread, which lasts until the end of the block.
///
/// The tracepoint is fired now, and again when the span ends, no matter how: at the end of the
/// block, or by `?`, `break` or `return`. The value is a reference to a
/// [`SpanGuard`](crate::event::SpanGuard). While nothing is attached to the tracepoint, the
/// arguments aren't evaluated, and the span costs a NOP at each end and the initialisation of a
/// flag.
///
/// The arguments are evaluated once, and stay borrowed until the span ends.
///
/// Any context where RCU is watching, including NMI.
///
/// ```
/// trace_event! {
///     system: "drv";
///
///     /// Serving a request.
///     span fn drv_serve(queue: u32) {
///         queue: u32 = queue,
///     }
///     print "queue {queue}";
/// }
///
/// fn serve(queue: u32) {
///     let _span = span!(drv_serve(queue));
///     // …
/// }
/// ```
///
/// C has no equivalent.
#[macro_export]
macro_rules! span {
    ($($span:ident)::+ ($($arg:expr),* $(,)?)) => {
        // A reference: what it refers to lives until the end of the block, and can't be moved.
        &match <$($span)::+ as $crate::__private::Begins>::SITE {
            site => if site.enabled() {
                (site.begin())($($arg),*)
            } else {
                site.none()
            }
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "span!: expected `name(argument, …)`, found `",
            ::core::stringify!($($other)*),
            "`",
        ))
    };
}

/// Begins a span that another context can end. The value is an
/// [`AsyncSpan`](crate::event::AsyncSpan), which ends when it's dropped.
///
/// Same contexts as for [`span!`].
///
/// ```
/// trace_event! {
///     system: "drv";
///
///     /// A request, from its submission to its completion.
///     async span fn drv_request(sector: u64) {
///         sector: u64 = sector,
///     }
///     print "sector {sector}";
/// }
///
/// struct Request {
///     sector: u64,
///     span: AsyncSpan<'static, drv_request>,
/// }
///
/// fn submit(sector: u64) -> Request {
///     Request { sector, span: async_span!(drv_request(sector)) }
/// }
///
/// fn complete(request: Request, result: Result) {
///     request.span.end(&result);
/// }
/// ```
///
/// C has no equivalent.
#[macro_export]
macro_rules! async_span {
    ($($span:ident)::+ ($($arg:expr),* $(,)?)) => {
        match <$($span)::+ as $crate::__private::BeginsAsync>::SITE {
            site => if site.enabled() {
                (site.begin())($($arg),*)
            } else {
                site.none_async()
            }
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "async_span!: expected `name(argument, …)`, found `",
            ::core::stringify!($($other)*),
            "`",
        ))
    };
}
