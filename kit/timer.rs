// SPDX-License-Identifier: GPL-2.0

//! Timer-wheel timers.
//!
//! C header: [`include/linux/timer.h`](srctree/include/linux/timer.h)

use kernel::{
    alloc::{flags::GFP_KERNEL, KBox},
    bindings, container_of,
    error::Result,
    prelude::*,
    static_lock_class,
    str::CStrExt as _,
    time::{msecs_to_jiffies, Msecs},
    types::Opaque,
};
use tracepoint::unload::{Registered, ShutDown};

/// The callback of a timer.
pub trait TimerCallback: Send + Sync + 'static {
    /// Called when the timer expires. Runs in softirq context and must not sleep. Returns the delay
    /// in milliseconds after which to run again, or `None`.
    fn expired(&self) -> Option<Msecs>;
}

/// A timer. Dropping it stops the timer and waits until its callback has returned.
///
/// If it's never dropped, because it's in a static or was forgotten, it's stopped when the module is
/// unloaded.
#[pin_data]
pub struct Timer<T: TimerCallback> {
    #[pin]
    timer: Registered<TimerList<T>>,
}

/// The timer of a [`Timer`].
///
/// # Invariants
///
/// `timer` has been set up, and is embedded in a `TimerList`, as its callback expects.
#[pin_data]
struct TimerList<T: TimerCallback> {
    #[pin]
    timer: Opaque<bindings::timer_list>,
    callback: T,
}

// SAFETY: The timer wheel does its own locking, and the trait requires the callback to be `Send`
// and `Sync`.
unsafe impl<T: TimerCallback> Send for TimerList<T> {}

// SAFETY: As above.
unsafe impl<T: TimerCallback> Sync for TimerList<T> {}

impl<T: TimerCallback> Timer<T> {
    /// Starts a timer that expires for the first time after `delay` milliseconds. May sleep.
    ///
    /// C: `timer_setup()`, `mod_timer()`.
    ///
    /// # Errors
    ///
    /// - `ENOMEM`.
    /// - `ENODEV`: the module is being unloaded.
    /// - `EDEADLK`: see [`Registered::prepare`].
    pub fn start(delay: Msecs, callback: T) -> Result<Pin<KBox<Self>>> {
        let timer = KBox::pin_init(
            pin_init!(Self {
                timer <- Registered::new(TimerList::new(callback)),
            }? Error),
            GFP_KERNEL,
        )?;
        timer.timer.arm(delay);
        Ok(timer)
    }
}

impl<T: TimerCallback> TimerList<T> {
    fn new(callback: T) -> impl PinInit<Self> {
        // INVARIANT: Set up in its final, pinned location.
        pin_init!(Self {
            // SAFETY: `timer_init_key()` (kernel/time/timer.c) initialises the timer.
            timer <- Opaque::ffi_init(|timer| unsafe {
                bindings::timer_init_key(
                    timer,
                    Some(Self::run),
                    0,
                    c"Timer".as_char_ptr(),
                    static_lock_class!().as_ptr(),
                )
            }),
            callback,
        })
    }

    fn arm(&self, delay: Msecs) {
        // SAFETY: `jiffies` is volatile (include/linux/jiffies.h). `mod_timer()`
        // (kernel/time/timer.c) takes a timer that has been set up, and does nothing after
        // `timer_shutdown_sync()`.
        unsafe {
            let now = (&raw const bindings::jiffies).read_volatile();
            let expires = now.wrapping_add(msecs_to_jiffies(delay));
            bindings::mod_timer(self.timer.get(), expires);
        }
    }

    /// # Safety
    ///
    /// Called by kernel/time/timer.c with the timer of a `TimerList`.
    unsafe extern "C" fn run(timer: *mut bindings::timer_list) {
        let timer: *mut Opaque<bindings::timer_list> = timer.cast();
        // SAFETY: By the safety contract, and `shut_down` waits for this function.
        let this = unsafe { &*container_of!(timer, Self, timer) };
        if let Some(delay) = this.callback.expired() {
            this.arm(delay);
        }
    }
}

impl<T: TimerCallback> ShutDown for TimerList<T> {
    fn allowed_in_hooks() -> bool {
        true
    }

    fn shut_down(&self) {
        // SAFETY: `timer_shutdown_sync()` (kernel/time/timer.c) waits for the callback and keeps
        // the timer from being armed again.
        unsafe { bindings::timer_shutdown_sync(self.timer.get()) };
    }
}
