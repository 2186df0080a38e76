// SPDX-License-Identifier: GPL-2.0

//! Types that are just numbers or bytes in C, but of which an event shows more.
//!
//! They can be arguments of tracepoints, like some types of the kernel crate and of `core::net`:
//! [`args`](crate::args) lists them. [`event::types`](crate::event::types) describes how they're recorded
//! and shown as fields.

use super::{
    args::{arg, pointee, Arg, Element, Pointee},
    c_name::{CType, Name},
    prototype::Type,
};
use core::{
    mem::transmute,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6},
};
use kernel::{
    alloc::Flags,
    bindings,
    error::{to_result, Error, Result},
    ffi::c_void,
    time::{self, ClockSource, Delta, Instant},
};

/// A device number.
///
/// C: the kernel's `dev_t`; user space's has another layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct DevT(u32);

impl DevT {
    /// Returns the device with these numbers. Only the lowest 12 and 20 bits count. Any context. C: `MKDEV()`.
    #[inline(always)]
    pub const fn new(major: u32, minor: u32) -> Self {
        Self(major << 20 | minor & 0xfffff)
    }

    /// Returns the device that has this number in C. Any context.
    #[inline(always)]
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// Returns the number in C. Any context.
    #[inline(always)]
    pub const fn as_raw(self) -> u32 {
        self.0
    }

    /// Returns the major number. Any context. C: `MAJOR()`.
    #[inline(always)]
    pub const fn major(self) -> u32 {
        self.0 >> 20
    }

    /// Returns the minor number. Any context. C: `MINOR()`.
    #[inline(always)]
    pub const fn minor(self) -> u32 {
        self.0 & 0xfffff
    }
}

/// An address in the kernel, shown as the name of the function or variable there, as with `%pS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct KernelSymbol(usize);

impl KernelSymbol {
    /// Takes an address: that of a function, or an instruction pointer. Any context.
    #[inline(always)]
    pub const fn new(address: usize) -> Self {
        Self(address)
    }

    /// Returns the address. Any context.
    #[inline(always)]
    pub const fn address(self) -> usize {
        self.0
    }
}

impl<T> From<*const T> for KernelSymbol {
    #[inline(always)]
    fn from(pointer: *const T) -> Self {
        Self(pointer as usize)
    }
}

macro_rules! bytes {
    ($($(#[$doc:meta])* $name:ident, $len:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(pub [u8; $len]);

        impl From<[u8; $len]> for $name {
            #[inline(always)]
            fn from(bytes: [u8; $len]) -> Self {
                Self(bytes)
            }
        }
    )*};
}

bytes! {
    /// A MAC address. C: an array of `ETH_ALEN` bytes, shown with `%pM`.
    MacAddr, 6;

    /// A UUID in network byte order. C: `uuid_t`.
    Uuid, 16;

    /// A UUID in the byte order of Microsoft and EFI. C: `guid_t`.
    Guid, 16;
}

impl Uuid {
    /// The nil UUID: no UUID.
    pub const NIL: Self = Self([0; 16]);
}

impl Guid {
    /// The nil UUID: no UUID.
    pub const NIL: Self = Self([0; 16]);
}

macro_rules! element {
    ($($path:literal, $ty:ty;)*) => {$(
        // SAFETY: The compiler chooses the layout, and all modules of a kernel are built with the
        // same one.
        pointee!($path, $ty, c_void, CType::Unknown;);

        #[diagnostic::do_not_recommend]
        // SAFETY: The compiler chooses the layout, and all modules of a kernel are built with the
        // same one.
        unsafe impl Element for $ty {
            type At<'a> = Self;
            const TYPE: Type = Type::Name($path);
        }
    )*};
}

// It's an argument by value, too.
// SAFETY: The compiler chooses the layout, and all modules of a kernel are built with the same one.
pointee!("core::net::Ipv4Addr", Ipv4Addr, c_void, CType::Unknown;);

element! {
    "tracepoint::MacAddr", MacAddr;
    "tracepoint::Uuid", Uuid;
    "tracepoint::Guid", Guid;
    "core::net::Ipv6Addr", Ipv6Addr;
    "core::net::IpAddr", IpAddr;
    "core::net::SocketAddr", SocketAddr;
    "core::net::SocketAddrV4", SocketAddrV4;
    "core::net::SocketAddrV6", SocketAddrV6;
}

/// Returns whether the number from C is an error.
#[inline(always)]
fn is_error(c: i32) -> bool {
    c < 0 && c >= -(bindings::MAX_ERRNO as i32)
}

arg! {
    [] Error, Type::Name("kernel::error::Error"), i32, Name::of("i32"),
        |error| error.to_errno(),
        // `is_valid` has rejected what isn't an error.
        |c| to_result(c).err().unwrap_or(kernel::error::code::EINVAL),
        |c| is_error(c);
    [] Result, Type::Name("kernel::error::Result"), i32, Name::of("i32"),
        |result| result.map_or_else(Error::to_errno, |()| 0),
        |c| to_result(c),
        |c| c >= 0 || is_error(c);
    [] Option<Error>, Type::Optional(&Type::Name("kernel::error::Error")), i32, Name::of("i32"),
        |error| error.map_or(0, Error::to_errno),
        |c| to_result(c).err(),
        |c| c == 0 || is_error(c);
    [] Flags, Type::Name("kernel::alloc::Flags"), u32, Name::of("u32"),
        // SAFETY: `Flags` (rust/kernel/alloc.rs) consists of this number.
        |flags| unsafe { transmute::<Flags, u32>(flags) },
        // SAFETY: `Flags` (rust/kernel/alloc.rs) consists of this number, of which any value is
        // valid.
        |c| unsafe { transmute::<u32, Flags>(c) };
    [] Delta, Type::Name("kernel::time::Delta"), i64, Name::of("i64"),
        |delta| delta.as_nanos(), |c| Delta::from_nanos(c);
    [] DevT, Type::Name("tracepoint::DevT"), u32, Name::of("u32"), |dev| dev.0, |c| DevT(c);
    [] KernelSymbol, Type::Name("tracepoint::KernelSymbol"), usize, Name::of("usize"),
        |symbol| symbol.0, |c| KernelSymbol(c);
    [] Ipv4Addr, Type::Name("core::net::Ipv4Addr"), u32, Name::of("u32"),
        |addr| u32::from_ne_bytes(addr.octets()),
        |c| Ipv4Addr::from(c.to_ne_bytes());
    [C: Clock] Instant<C>, Type::Generic("kernel::time::Instant", &C::TYPE), i64, Name::of("i64"),
        |instant| nanos(instant),
        // SAFETY: It's a transparent wrapper of the number of nanoseconds, which isn't negative:
        // `is_valid` has rejected the others.
        |c| unsafe { core::ptr::from_ref(&c).cast::<Self>().read() },
        |c| c >= 0;
}

/// Returns the time of a clock in nanoseconds.
#[inline(always)]
pub fn nanos<C: ClockSource>(instant: Instant<C>) -> i64 {
    // SAFETY: It's a transparent wrapper of the number of nanoseconds.
    unsafe { core::ptr::from_ref(&instant).cast::<i64>().read() }
}

/// A clock that has the same name in all modules.
pub trait Clock: ClockSource + 'static {
    /// Its path.
    const TYPE: Type;
}

macro_rules! clock {
    ($($name:ident)*) => {$(
        impl Clock for time::$name {
            const TYPE: Type = Type::Name(concat!("kernel::time::", stringify!($name)));
        }
    )*};
}

clock!(Monotonic RealTime BootTime Tai);
