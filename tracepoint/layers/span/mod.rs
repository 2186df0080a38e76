// SPDX-License-Identifier: GPL-2.0

//! Spans: events that have a beginning and an end.
//!
//! A span is one event with one tracepoint, which is fired at both ends. So both ends are enabled
//! and disabled together, and their records have the same fields.
//!
//! [`slot`] pairs the ends in a trace.

mod id;
mod slot;

pub use id::TraceId;

use crate::base::{
    args::{pointee, CType, Pointee},
    bindings,
    point::{enabled, Enabled},
    prototype::Type,
};
use core::{
    cell::Cell,
    marker::PhantomData,
    sync::atomic::{AtomicI32, Ordering},
};
use kernel::{prelude::*, types::NotThreadSafe};

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
    id: TraceId,
    duration: Cell<u64>,
    track_event_type: Cell<u8>,
    /// Without padding, all up to `result` is initialised by one instruction.
    _zero: u8,
    /// The slots in which the begin has been recorded: their `Slot::bit`s.
    recorded: Cell<u16>,
    result: AtomicI32,
    start: u64,
}

// SAFETY: The cells change only while the span begins or ends. Meanwhile, only the probes have it,
// and they're called one after another.
unsafe impl Sync for Span {}

// SAFETY: The type is the library's own, and is known by its name.
pointee!("tracepoint::Span", Span, c_void, CType::Unknown;);

impl Span {
    /// Returns the id, which is the same at both ends.
    #[inline(always)]
    pub fn id(&self) -> TraceId {
        self.id
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
    pub fn track_event_type(&self) -> u8 {
        self.track_event_type.get()
    }

    /// A span that hasn't begun yet.
    #[inline]
    fn new() -> Self {
        Self {
            id: TraceId::next(),
            duration: Cell::new(0),
            track_event_type: Cell::new(BEGIN),
            _zero: 0,
            recorded: Cell::new(0),
            result: AtomicI32::new(0),
            start: now(),
        }
    }

    /// Fills in what's known only at the end.
    #[inline]
    fn finish(&self) {
        let duration = now().wrapping_sub(self.start);
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

/// Says that a span ends in the thread in which it begins.
pub struct InThread(NotThreadSafe);

/// Says that a span can end in another thread or in an interrupt.
pub struct Anywhere;

/// A tracepoint that's declared as a span, which ends as `E` says: [`InThread`] or [`Anywhere`].
///
/// # Safety
///
/// `fire` must call the probes of this tracepoint only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be begun with this macro",
    label = "`span!` begins what is declared with `span fn`, `async_span!` with `async span fn`"
)]
pub unsafe trait Spanned<E>: Enabled + Sized {
    /// The arguments of the declaration.
    type Args<'a>: Copy;

    /// `SpanSite<Self, E>`. If there's none, the compiler reports that, and nothing about what uses it.
    type Site;

    /// The start of `span!` and `async_span!`.
    const SITE: Self::Site;

    /// `NAME::call`.
    ///
    /// # Safety
    ///
    /// Must be called when the span begins, and then at most once more, when it ends. A slot counts its
    /// open spans.
    unsafe fn fire(span: &Span, args: Self::Args<'_>);
}

/// A place where a span begins.
pub struct SpanSite<T, E>(PhantomData<(T, E)>);

impl<T: Spanned<E>, E> SpanSite<T, E> {
    /// The only value.
    pub const NEW: Self = Self(PhantomData);

    /// [`enabled`].
    #[inline(always)]
    #[track_caller]
    pub fn enabled(&self) -> bool {
        enabled(PhantomData::<T>)
    }

    /// Begins a span. Inlined, so that it needn't be copied to its final place.
    #[inline(always)]
    pub fn begin<'a>(&self, args: T::Args<'a>) -> SpanGuard<'a, T, E> {
        let span = Span::new();
        // SAFETY: The span begins here, and ends when the guard is dropped. If it never ends, it's
        // only counted as open, which `Slot::wait_for_ends` allows for.
        unsafe { T::fire(&span, args) };
        SpanGuard {
            open: Some((span, args)),
            _ends: PhantomData,
        }
    }

    /// A span that isn't traced.
    #[inline(always)]
    pub fn none<'a>(&self) -> SpanGuard<'a, T, E> {
        SpanGuard {
            open: None,
            _ends: PhantomData,
        }
    }
}

/// A span of a thread, or of what has interrupted it: see [`span!`](crate::span).
///
/// [`span!`](crate::span) returns only a reference to it, so it can't be moved or forgotten. It
/// ends with the block in which it begins, after all spans that began later in that block. The block of a future is an
/// exception: it can move to another thread, or never end, so use [`async_span!`](crate::async_span) there.
///
/// Its functions can be called in any context. They do nothing if the span isn't traced.
#[must_use = "the span ends when this is dropped"]
pub struct SpanGuard<'a, T: Spanned<E>, E = InThread> {
    /// The span, if it's traced, and the arguments of both ends.
    open: Option<(Span, T::Args<'a>)>,
    _ends: PhantomData<E>,
}

/// A span that can end somewhere other than where it began: see [`async_span!`](crate::async_span).
///
/// It's a value that can be kept in a struct or sent to another thread or to an interrupt handler.
/// It ends when it's dropped. If it's forgotten ([`core::mem::forget`]), its end is missing from
/// the trace, but no other span is affected: in Perfetto and in a timeline, each has its own track.
///
/// Its functions can be called, and it can be dropped, in any context in which RCU is watching. They do nothing if
/// the span isn't traced.
pub type AsyncSpan<'a, T> = SpanGuard<'a, T, Anywhere>;

impl<T: Spanned<E>, E> SpanGuard<'_, T, E> {
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
    pub fn result<R, F: Copy + Into<Error>>(&self, result: &Result<R, F>) {
        if let Some((span, _)) = &self.open {
            let errno = match result {
                Ok(_) => 0,
                Err(error) => (*error).into().to_errno(),
            };
            span.result.store(errno, Ordering::Relaxed);
        }
    }

    /// Sets the result of the span to an error.
    #[inline(always)]
    pub fn error(&self, error: Error) {
        self.result(&Err::<(), _>(error));
    }

    /// Returns the id of the span, if it's traced.
    #[inline(always)]
    pub fn id(&self) -> Option<TraceId> {
        Some(self.open.as_ref()?.0.id())
    }
}

impl<T: Spanned<Anywhere>> AsyncSpan<'_, T> {
    /// Ends the span with this result.
    #[inline(always)]
    pub fn end<R, F: Copy + Into<Error>>(self, result: &Result<R, F>) {
        self.result(result);
    }
}

impl<T: Spanned<E>, E> Drop for SpanGuard<'_, T, E> {
    /// Ends the span. If the tracepoint is disabled by now, there's nobody to tell.
    #[inline(always)]
    fn drop(&mut self) {
        if !T::is_enabled() {
            return;
        }
        if let Some((span, args)) = &self.open {
            span.finish();
            // SAFETY: The span ends here, and only once, since this is where the guard is dropped.
            unsafe { T::fire(span, *args) };
        }
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
        &match <$($span)::+ as $crate::__private::Spanned<$crate::__private::InThread>>::SITE {
            site => if site.enabled() {
                site.begin(($($arg,)*))
            } else {
                site.none()
            }
        }
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
        match <$($span)::+ as $crate::__private::Spanned<$crate::__private::Anywhere>>::SITE {
            site => if site.enabled() {
                site.begin(($($arg,)*))
            } else {
                site.none()
            }
        }
    };
}

/// Calls the body of a function with `#[instrument]`. A closure that isn't passed to such a function couldn't return
/// what it borrows.
#[inline(always)]
pub fn result_of<R>(body: impl FnOnce() -> R) -> R {
    body()
}

pub mod root {
    /// Makes a function a span: it begins with the function and ends when the function returns, by whatever
    /// way. If the return type is called `Result`, what the function returns is the span's result.
    ///
    /// The attribute's argument is that of [`span!`]: the span, and its arguments, which can use those of the
    /// function. C has no equivalent.
    ///
    /// ```
    /// trace_event! {
    ///     system: "drv";
    ///
    ///     /// Copying a request's data.
    ///     span fn drv_copy(queue: u32, sector: u64) {
    ///         queue: u32 = queue,
    ///         sector: u64 = sector,
    ///     }
    ///     print "queue {queue} sector {sector}";
    /// }
    ///
    /// #[instrument(drv_copy(queue, sector))]
    /// fn copy(queue: u32, sector: u64) -> Result {
    ///     if sector > 1000 {
    ///         return Err(EIO);
    ///     }
    ///     Ok(())
    /// }
    /// ```
    ///
    /// The same contexts as for [`span!`].
    ///
    /// [`span!`]: ../tracepoint/macro.span.html
    pub use crate::macros::instrument;
}

pub mod event {
    pub use super::{AsyncSpan, Span, SpanGuard, TraceId};
}

pub mod private {
    #[cfg(CONFIG_PERF_EVENTS)]
    pub use super::slot::span_for_perf;
    pub use super::{
        result_of,
        slot::{record_span, Slots},
        Anywhere, InThread, Span, SpanSite, Spanned,
    };
}
