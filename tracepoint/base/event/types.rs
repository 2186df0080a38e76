// SPDX-License-Identifier: GPL-2.0

//! Fields whose types know how to print themselves.
//!
//! In the source tree, `docs/field-types.md` has a table of these types.
//!
//! A field takes a value of its type; an address, a `Uuid` and a `Guid` also take a reference to one, and a
//! `Result` takes a reference to any `Result` with an [`Error`].

use super::{
    errno::ERRNO_TABLE,
    field::{
        int,
        macros::{assign, field, mark},
        AsIs, Assign, Field, NoPadding, Plain, Scalar, Value,
    },
    gfp,
    option::{optional, Optional},
    shape::Shape,
    show::Kind,
    symbols::{text, text_len},
};
use crate::base::types::{nanos, DevT, Guid, KernelSymbol, MacAddr, Uuid};
use core::{
    mem::offset_of,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6},
    num::NonZero,
    ptr::copy_nonoverlapping,
};
use kernel::{
    alloc::Flags,
    bindings::{AF_INET, AF_INET6, AF_UNSPEC},
    error::{Error, Result},
    time::{ClockSource, Delta, Instant},
};

const fn bytes(len: usize) -> Kind {
    int(1, false).elements(Some(len))
}

/// [`ERRNO_TABLE`] as a `print fmt` contains it, for a field of four bytes.
const ERRNO_TEXT: [u8; text_len(&ERRNO_TABLE, 4)] = text(&ERRNO_TABLE, 4);

// SAFETY: The slot is a number or bytes, as the kind says.
field! {
    unsafe [] DevT, Self, "dev_t", int(4, false), "dev_t";
    unsafe [] KernelSymbol, Self, "void *", Kind::Pointer, "pS";
    unsafe [] MacAddr, Self, "u8", bytes(6), "pM";
    unsafe [] Uuid, Self, "u8", bytes(16), "pUb";
    unsafe [] Guid, Self, "u8", bytes(16), "pUl";
    unsafe [] Ipv4Addr, [u8; 4], "u8", bytes(4), "pI4";
    unsafe [] Ipv6Addr, [u8; 16], "u8", bytes(16), "pI6c";
    unsafe [] SocketAddr, u32, "u8", Kind::SockAddr, "pISpc";
    unsafe [] SocketAddrV4, u32, "u8", Kind::SockAddr, "pISpc";
    unsafe [] SocketAddrV6, u32, "u8", Kind::SockAddr, "pISpc";
    unsafe [] IpAddr, u32, "u8", Kind::SockAddr, "pISc";
    unsafe [C: ClockSource] Instant<C>, Self, "s64", int(8, true), "";
    unsafe [] Delta, i64, "s64", int(8, true), "";
}

// SAFETY: The slot is a number of the size of `i32` or `u32`, whose shape this is.
field! {
    unsafe [] Error, i32 => i32::SHAPE.named(&ERRNO_TABLE, &ERRNO_TEXT, 0);
    unsafe [] Result, i32 => i32::SHAPE.named(&ERRNO_TABLE, &ERRNO_TEXT, 0);
    unsafe [] Flags, Self => Shape::new("gfp_t", int(4, false), "").named(&gfp::TABLE, &gfp::TEXT, 0);
}

// SAFETY: The types consist of a number or of bytes, without padding, and are written as they are.
mark! {
    unsafe AsIs: [] MacAddr, [] Uuid, [] Guid;
    unsafe Scalar: [] DevT, [] KernelSymbol, [] Flags, [C: ClockSource] Instant<C>;
    unsafe NoPadding: [] MacAddr, [] Uuid, [] Guid;
}

// SAFETY: The slot is a number or bytes of the right size.
assign! {
    unsafe [] Error, Error => Plain<i32>, |error| Plain(error.to_errno());
    unsafe [] Result, Result => Plain<i32>,
        |result| Plain(result.map_or_else(Error::to_errno, |()| 0));
    unsafe [T] Result, &Result<T> => Plain<i32>,
        |result| Plain(result.as_ref().map_or_else(|error| error.to_errno(), |_| 0));
    unsafe [] MacAddr, &MacAddr => Plain<MacAddr>, |addr| Plain(*addr);
    unsafe [] Uuid, &Uuid => Plain<Uuid>, |uuid| Plain(*uuid);
    unsafe [] Guid, &Guid => Plain<Guid>, |guid| Plain(*guid);
    unsafe [] Ipv4Addr, Ipv4Addr => Plain<[u8; 4]>, |addr| Plain(addr.octets());
    unsafe [] Ipv4Addr, &Ipv4Addr => Plain<[u8; 4]>, |addr| Plain(addr.octets());
    unsafe [] Ipv6Addr, Ipv6Addr => Plain<[u8; 16]>, |addr| Plain(addr.octets());
    unsafe [] Ipv6Addr, &Ipv6Addr => Plain<[u8; 16]>, |addr| Plain(addr.octets());
    unsafe [] Delta, Delta => Plain<i64>, |delta| Plain(delta.as_nanos());
}

macro_rules! nonzero {
    ($($ty:ident)*) => {$(
        // SAFETY: A `NonZero` has the layout of the number, whose shape this is.
        field!(unsafe [] NonZero<$ty>, Self => <$ty>::SHAPE;);
        // SAFETY: A `NonZero` is written as it is, and has the layout of the number, so there's no
        // padding.
        mark!(unsafe Scalar: [] NonZero<$ty>;);
        // SAFETY: With `None`, a `NonZero` still has the layout of the number.
        optional!(unsafe [] NonZero<$ty>, Option<Self>, |n| Some(n), None;);
    )*};
}

nonzero!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

// SAFETY: What is recorded is a number or bytes of the right size.
optional! {
    unsafe [] Error, i32, |error| error.to_errno(), 0;
    unsafe [] DevT, Self, |dev| dev, DevT::from_raw(0);
    unsafe [] KernelSymbol, Self, |symbol| symbol, KernelSymbol::new(0);
    unsafe [] Uuid, Self, |uuid| uuid, Uuid::NIL;
    unsafe [] Guid, Self, |guid| guid, Guid::NIL;
    unsafe [C: ClockSource + 'static] Instant<C>, i64, |instant| nanos(instant), -1;
}

/// A socket address for the record: the first `len` bytes of C's `struct sockaddr_in6`, or of `struct sockaddr_in`,
/// which ends with the IPv4 address.
///
/// # Invariants
///
/// `len` is at most 28.
#[doc(hidden)]
#[repr(C)]
pub struct Address {
    family: [u8; 2],
    port: [u8; 2],
    /// The IPv4 address, or IPv6's flow information.
    addr4: [u8; 4],
    addr6: [u8; 16],
    scope: [u8; 4],
    len: usize,
}

const _: () = assert!(
    offset_of!(Address, addr6) == 8
        && offset_of!(Address, scope) + 4 == size_of::<kernel::bindings::sockaddr_in6>()
);

impl Address {
    #[inline(always)]
    fn new(
        (family, len): (u32, usize),
        port: u16,
        addr4: [u8; 4],
        addr6: [u8; 16],
        scope: u32,
    ) -> Self {
        // INVARIANT: The functions below pass 28 at most.
        Self {
            family: (family as u16).to_ne_bytes(),
            port: port.to_be_bytes(),
            addr4,
            addr6,
            scope: scope.to_ne_bytes(),
            len,
        }
    }

    #[inline(always)]
    fn unspecified() -> Self {
        Self::new((AF_UNSPEC, 2), 0, [0; 4], [0; 16], 0)
    }

    #[inline(always)]
    fn v4(addr: &Ipv4Addr, port: u16) -> Self {
        Self::new((AF_INET, 16), port, addr.octets(), [0; 16], 0)
    }

    #[inline(always)]
    fn v6(addr: &Ipv6Addr, port: u16, flow: u32, scope: u32) -> Self {
        let flow = flow.to_ne_bytes();
        Self::new((AF_INET6, 28), port, flow, addr.octets(), scope)
    }
}

// SAFETY: As many bytes are copied as `len` returns.
unsafe impl Value for Address {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    unsafe fn write(&self, to: *mut u8) {
        // SAFETY: The caller promises room for as many bytes as `len` returns. By the type's
        // invariant, the struct has as many before `len`.
        unsafe { copy_nonoverlapping(core::ptr::from_ref(self).cast(), to, self.len) };
    }
}

macro_rules! address {
    ($($ty:ty, |$addr:ident| $address:expr;)*) => {$(
        impl From<&$ty> for Address {
            #[inline(always)]
            fn from($addr: &$ty) -> Self {
                $address
            }
        }

        // SAFETY: The slot is a `u32`, as the shape of the address type requires, and `place`
        // writes the location to it.
        field!(unsafe [] Option<$ty>, u32 => <$ty>::SHAPE;);

        // SAFETY: The data is the address, of which `Address` writes as many bytes as its `len`
        // returns.
        assign! {
            unsafe [] $ty, $ty => Address, |value| (&value).into();
            unsafe [] $ty, &$ty => Address, |value| value.into();
            unsafe [] Option<$ty>, Option<$ty> => Address,
                |value| value.as_ref().map_or_else(Address::unspecified, Into::into);
        }
    )*};
}

address! {
    IpAddr, |addr| match addr {
        IpAddr::V4(addr) => Self::v4(addr, 0),
        IpAddr::V6(addr) => Self::v6(addr, 0, 0, 0),
    };
    SocketAddr, |addr| match addr {
        SocketAddr::V4(addr) => addr.into(),
        SocketAddr::V6(addr) => addr.into(),
    };
    SocketAddrV4, |addr| Self::v4(addr.ip(), addr.port());
    SocketAddrV6, |addr| Self::v6(addr.ip(), addr.port(), addr.flowinfo(), addr.scope_id());
}
