// SPDX-License-Identifier: GPL-2.0

//! Spans: how long something took, what it was part of, and how it ended. This is a small request
//! queue: one thread submits requests, another one serves them, and a timer plays the device that
//! completes them. To see the spans: `echo 1 > /sys/kernel/tracing/events/sample_spans/enable`. A
//! flight recorder keeps the latest of them, and explains the first failure in the log.
//!
//! There is no C version of this sample. Trace viewers such as Perfetto show the spans as slices on
//! tracks.

use helpers::{KThread, Slot, ThisThread, Timer, TimerCallback, TimerList};
use kernel::{
    new_mutex,
    prelude::*,
    sync::{Arc, Mutex},
    time::Msecs,
};
use tracepoint::{event::*, *};

mod helpers;

/// The number of sectors that the device has.
const SECTORS: u64 = 800;

// A span is declared like an event. It's fired twice, when it begins and when it ends, with the same
// fields. The record of the end also has the duration and the result.
trace_event! {
    system: "sample_spans";

    /// Serving a request, in the thread that does so. `span!` begins it. It ends with the block, no
    /// matter how the block is left, so the spans of a thread are nested.
    span fn sample_serve(id: TraceId, sector: u64) {
        request: TraceId = id,
        sector: u64 = sector,
    }
    print "request {request} sector {sector}";

    /// One step of that.
    span fn sample_check(sector: u64) {
        sector: u64 = sector,
    }
    print "sector {sector}";

    /// A whole request. `async_span!` returns a value that can be sent to where the span ends, in
    /// another thread or in an interrupt.
    async span fn sample_request(id: TraceId) {
        request: TraceId = id,
    }
    print "request {request}";

    /// The device's work, which interrupts the other spans.
    span fn sample_interrupt(device: u32) {
        device: u32 = device,
    }
    print "device {device}";

    /// Something that takes no time is an instant. It's fired with `trace!`, like an event.
    instant fn sample_bad_sector(id: TraceId, sector: u64) {
        request: TraceId = id,
        sector: u64 = sector,
    }
    print "request {request} sector {sector}";

    /// A number that changes is a counter. Its value is the field `counter_value`.
    counter fn sample_queued(requests: usize) {
        counter_value: u64 = requests as u64,
    }
    print "{counter_value} requests";
}

/// A request to read a sector.
struct Request {
    /// Links all events of the request.
    id: TraceId,
    sector: u64,
    /// Ends when the request is dropped, wherever that is.
    span: AsyncSpan<'static, sample_request>,
}

impl Request {
    fn new(sector: u64) -> Self {
        let id = TraceId::next();
        let span = async_span!(sample_request(id));
        Self { id, sector, span }
    }
}

/// The requests waiting for the thread that serves them.
#[pin_data]
struct Queue {
    #[pin]
    requests: Mutex<KVec<Request>>,
}

impl Queue {
    fn new() -> Result<Arc<Self>> {
        let queue = pin_init!(Self {
            requests <- new_mutex!(KVec::new()),
        });
        Arc::pin_init(queue, GFP_KERNEL)
    }

    fn push(&self, request: Request) -> Result {
        let mut requests = self.requests.lock();
        requests.push(request, GFP_KERNEL)?;
        trace!(sample_queued(requests.len()));
        Ok(())
    }

    fn pop(&self) -> Option<Request> {
        let mut requests = self.requests.lock();
        let request = requests.remove(0).ok()?;
        trace!(sample_queued(requests.len()));
        Some(request)
    }
}

/// Submits two requests at a time. Every ninth is for a sector that the device doesn't have.
fn submit(thread: &ThisThread, queue: &Queue) {
    let mut sector = 0;
    while !thread.should_stop() {
        KThread::sleep(200);
        for _ in 0..2 {
            sector = (sector + 100) % (SECTORS + 100);
            if let Err(error) = queue.push(Request::new(sector)) {
                pr_err!("cannot queue a request: {error:?}\n");
            }
        }
    }
}

/// Checks that the device has the sector, which takes it a while.
///
/// The attribute turns the whole function into a span. The function's result, whether returned here
/// or by `?`, is the span's.
#[instrument(sample_check(sector))]
fn check(id: TraceId, sector: u64) -> Result {
    KThread::sleep(4);
    if sector >= SECTORS {
        trace!(sample_bad_sector(id, sector));
        return Err(EIO);
    }
    Ok(())
}

/// Hands a request to the device, or ends it with an error.
#[instrument(sample_serve(request.id, request.sector))]
fn serve(request: Request) -> Result {
    let checked = check(request.id, request.sector);
    request.span.result(&checked);
    checked?;
    ACTIVE.put(request)
}

fn work(thread: &ThisThread, queue: &Queue, recorder: &FlightRecorder) {
    let mut explained = false;
    while !thread.should_stop() {
        let Some(request) = queue.pop() else {
            KThread::sleep(20);
            continue;
        };
        let id = request.id;
        if let Err(error) = serve(request) {
            pr_err!("request {id} failed: {error:?}\n");
            // Shows what led to it. Once is enough for a sample.
            if !explained {
                recorder.dump(10);
                explained = true;
            }
        }
    }
}

/// The request that the device is working on. If there's already one, it's completed first.
static ACTIVE: Slot<Request> = Slot::new();

/// The timer that plays the device.
struct Device(TimerList);

const DEVICE_PERIOD: Msecs = 30;

impl TimerCallback for Device {
    fn timer(&self) -> &TimerList {
        &self.0
    }

    fn expired(&self) {
        let _span = span!(sample_interrupt(0));
        // Dropping the request ends its span.
        ACTIVE.clear();
        self.0.arm(DEVICE_PERIOD);
    }
}

/// Dropping this stops the threads and the timer.
struct TraceSpansSample {
    _submitter: KThread,
    _worker: KThread,
    _device: Timer<Device>,
}

impl kernel::Module for TraceSpansSample {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let queue = Queue::new()?;
        let served = queue.clone();
        // Records these events from now on, in its own buffer, whether or not anybody else does.
        let recorder = FlightRecorder::builder(c"sample_spans")
            .system(c"sample_spans")
            .buffer_size_kb(64)
            .build()?;
        Ok(Self {
            _device: Timer::start(DEVICE_PERIOD, Device(TimerList::new()))?,
            _worker: KThread::run(c"spans-worker", move |thread| {
                work(thread, &served, &recorder)
            })?,
            _submitter: KThread::run(c"spans-submit", move |thread| submit(thread, &queue))?,
        })
    }
}

impl Drop for TraceSpansSample {
    fn drop(&mut self) {
        ACTIVE.clear();
    }
}

module! {
    type: TraceSpansSample,
    name: "trace_spans_sample",
    description: "trace-spans-sample",
    license: "GPL",
}
