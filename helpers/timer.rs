// SPDX-License-Identifier: GPL-2.0

//! Timer-wheel timers.
//!
//! C header: [`include/linux/timer.h`](srctree/include/linux/timer.h)

use core::{cell::Cell, ptr::null};
use kernel::{
    bindings,
    error::{code::EBUSY, Result},
    fmt,
    prelude::*,
    static_lock_class,
    str::CStrExt as _,
    sync::atomic::{Acquire, Atomic, Relaxed, Release},
    time::{msecs_to_jiffies, Msecs},
    types::Opaque,
};
use tracepoint::{
    args::{CType, Element, Pointee, Type},
    unload::{Registered, ShutDown},
};

/// The data of a timer, with the timer in it.
pub trait TimerCallback: Send + Sync + 'static {
    /// Returns the timer.
    fn timer(&self) -> &TimerList;

    /// Called when the timer expires. Runs in softirq context and must not sleep.
    fn expired(&self);
}

/// A timer among the data that its callback uses. C: `struct timer_list`.
///
/// # Invariants
///
/// If `data` is more than [`CLAIMED`], `timer` has been set up, and until it's shut down, `data` is the
/// address of what its callback expects.
#[repr(C)]
pub struct TimerList {
    timer: Opaque<bindings::timer_list>,
    data: Atomic<usize>,
}

/// The timer is being set up.
const CLAIMED: usize = 1;

// SAFETY: `mod_timer()` and `timer_shutdown_sync()` (kernel/time/timer.c) can be called from any
// thread, since they lock the timer's base.
unsafe impl Send for TimerList {}

// SAFETY: A shared `TimerList` gives access to the timer only for `mod_timer()`, which locks its
// base, and `data` is atomic.
unsafe impl Sync for TimerList {}

impl TimerList {
    /// Creates a timer that [`Timer::start`] can start.
    pub const fn new() -> Self {
        // INVARIANT: It hasn't been set up.
        Self {
            timer: Opaque::uninit(),
            data: Atomic::new(0),
        }
    }

    /// Lets the timer expire after `delay` milliseconds, if it has been started. Any context. C:
    /// `mod_timer()`.
    pub fn arm(&self, delay: Msecs) {
        if self.data.load(Acquire) <= CLAIMED {
            return;
        }
        // SAFETY: `jiffies` is volatile (include/linux/jiffies.h). `mod_timer()`
        // (kernel/time/timer.c) takes a timer that has been set up, and does nothing after
        // `timer_shutdown_sync()`.
        unsafe {
            let now = (&raw const bindings::jiffies).read_volatile();
            let expires = now.wrapping_add(msecs_to_jiffies(delay));
            bindings::mod_timer(self.timer.get(), expires);
        }
    }

    /// Sets up the timer.
    ///
    /// # Safety
    ///
    /// The timer must stay where it is, and `data` must be valid, until the timer is shut down.
    unsafe fn set_up<T: TimerCallback>(&self, data: *const T) -> Result {
        self.data.cmpxchg(0, CLAIMED, Relaxed).map_err(|_| EBUSY)?;
        // SAFETY: `timer_init_key()` (kernel/time/timer.c) initialises the timer, which nothing else
        // uses yet.
        unsafe {
            bindings::timer_init_key(
                self.timer.get(),
                Some(Self::run::<T>),
                0,
                c"Timer".as_char_ptr(),
                static_lock_class!().as_ptr(),
            )
        };
        // INVARIANT: It has been set up.
        self.data.store(data as usize, Release);
        Ok(())
    }

    /// # Safety
    ///
    /// Only kernel/time/timer.c may call this, with a timer that `set_up` has set up for a `T`.
    unsafe extern "C" fn run<T: TimerCallback>(timer: *mut bindings::timer_list) {
        // SAFETY: The timer is the first field of a `TimerList`, which is valid until the timer has
        // been shut down, and so is the data. That waits for this function.
        let data = unsafe { &*((*timer.cast::<Self>()).data.load(Relaxed) as *const T) };
        data.expired();
    }
}

// SAFETY: The size is part of the prototype, and all values are valid. It starts with C's timer.
unsafe impl Element for TimerList {
    type At<'a> = Self;
    const TYPE: Type = Type::Struct {
        name: "TimerList",
        fields: &[
            ("timer", &Type::Name("struct timer_list")),
            ("data", &Type::Name("usize")),
        ],
        size: size_of::<Self>(),
        align: align_of::<Self>(),
    };
    const C_TYPE: CType = CType::Struct("timer_list");
}

// SAFETY: The type starts with C's timer, so a pointer to it is also one to that. As an element,
// the type has its name, fields and size in the prototype.
unsafe impl Pointee for TimerList {
    type C = bindings::timer_list;
    type At<'a> = Self;
    const TYPE: Type = <Self as Element>::TYPE;
    const C_TYPE: CType = CType::Struct("timer_list");
}

/// A running timer. Dropping it stops the timer and waits until its callback has returned. A callback
/// must not drop it, nor anybody else where nothing may sleep: that's logged, and the timer stops soon.
///
/// If it's never dropped, because it's in a static or was forgotten, it's stopped when the module is
/// unloaded.
pub struct Timer<T: TimerCallback> {
    _data: Registered<Data<T>>,
}

/// The data of a [`Timer`].
///
/// # Invariants
///
/// `timer` has been set up for `data`. It's borrowed from `data`, so it's valid as long as `data`
/// is.
#[pin_data]
struct Data<T: TimerCallback> {
    data: T,
    timer: Cell<*const TimerList>,
}

// SAFETY: The trait requires the data to be `Send` and `Sync`; `timer` changes only at the start.
unsafe impl<T: TimerCallback> Send for Data<T> {}

// SAFETY: The trait requires the data to be `Sync`, and `timer` changes only in `new`, before
// anybody else has access to it.
unsafe impl<T: TimerCallback> Sync for Data<T> {}

impl<T: TimerCallback> Data<T> {
    fn new(data: T) -> impl PinInit<Self, Error> {
        let data = pin_init!(Self {
            data,
            timer: Cell::new(null()),
        }? Error);
        data.pin_chain(|this| {
            let this = this.into_ref().get_ref();
            let timer = this.data.timer();
            // SAFETY: The data is pinned, and is lent only until it's dropped, after `shut_down`.
            unsafe { timer.set_up(&raw const this.data)? };
            // INVARIANT: It has been set up.
            this.timer.set(timer);
            Ok(())
        })
    }
}

impl<T: TimerCallback> ShutDown for Data<T> {
    fn allowed_in_hooks() -> bool {
        true
    }

    fn shut_down(&self) {
        // SAFETY: By the type's invariant, `timer` has been set up and is valid.
        // `timer_shutdown_sync()` (kernel/time/timer.c) waits for the callback and keeps the timer
        // from being armed again.
        unsafe { bindings::timer_shutdown_sync((*self.timer.get()).timer.get()) };
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(fmt!("timer of {}", core::any::type_name::<T>()))
    }
}

impl<T: TimerCallback> Timer<T> {
    /// Starts a timer that expires for the first time after `delay` milliseconds. May sleep.
    ///
    /// C: `timer_setup()`, `mod_timer()`.
    ///
    /// # Errors
    ///
    /// - `ENOMEM`.
    /// - `EBUSY`: the timer has been started before.
    /// - `ENODEV`: the module is being unloaded.
    /// - `EDEADLK`: see [`Registered::prepare`].
    pub fn start(delay: Msecs, data: T) -> Result<Self> {
        let data = Registered::new(Data::new(data))?;
        data.data.timer().arm(delay);
        Ok(Self { _data: data })
    }
}
