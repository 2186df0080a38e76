// SPDX-License-Identifier: GPL-2.0

//! Events with fields whose types know how they are shown. Each line written to `/proc/types` is the
//! name of an event and the values for it.

use command::Command;
use core::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    num::NonZero,
    str::{FromStr, SplitAsciiWhitespace},
};
use fs::proc::ProcEntry;
use kernel::{
    alloc::{flags, Flags},
    error::to_result,
    prelude::*,
    sync::aref::ARef,
    task::Task,
    time::{Delta, Instant, Monotonic},
};
use tracepoint::{event::*, *};

mod command;
mod fs;

/// What a driver can do that forbids `unsafe`.
#[forbid(unsafe_code)]
mod events {
    use super::*;

    /// What a request does.
    #[derive(Clone, Copy, TraceEnum)]
    #[repr(u8)]
    pub(crate) enum Op {
        #[name = "READ"]
        Read = 0,
        #[name = "WRITE"]
        Write = 1,
        #[name = "LAST"]
        Last = 255,
    }

    /// Numbers with a sign.
    #[derive(Clone, Copy, TraceEnum)]
    #[repr(i16)]
    pub(crate) enum Level {
        #[name = "LOW"]
        Low = -2,
        #[name = "HIGH"]
        High = 300,
    }

    kernel::impl_flags!(
        /// Flags, and a name for none.
        #[derive(Clone, Copy)]
        pub(crate) struct Mode(u16);

        #[derive(Clone, Copy, TraceFlags)]
        #[flags(Mode, "+")]
        pub(crate) enum ModeFlag {
            #[name = "none"]
            None = 0,
            #[name = "SYNC"]
            Sync = 1,
            #[name = "META"]
            Meta = 0x8000,
        }
    );

    kernel::impl_flags!(
        /// Flags of the kernel crate's kind.
        #[derive(Clone, Copy)]
        pub(crate) struct Modes(u8);

        #[derive(Clone, Copy, TraceFlags)]
        #[flags(Modes, "|")]
        #[allow(dead_code)]
        pub(crate) enum OneMode {
            #[name = "READ|WRITE"]
            Both = 3,
            Read = 1 << 0,
            Write = 1 << 1,
            #[name = "LAST"]
            Seventh = 1 << 7,
        }
    );

    /// Structs whose types have no name where the events are.
    pub(crate) mod request {
        use tracepoint::event::*;

        /// What the event's module doesn't import.
        #[derive(Clone, Copy, TraceEnum)]
        #[repr(u8)]
        pub(crate) enum Kind {
            #[name = "DATA"]
            Data = 0,
            #[name = "META"]
            Meta = 1,
        }

        #[derive(Clone, Copy, TraceFields)]
        pub(crate) struct Place {
            pub(crate) sector: u64,
            pub(crate) kinds: [Kind; 2],
        }

        #[derive(TraceFields)]
        pub(crate) struct Request<'a> {
            pub(crate) kind: Kind,
            pub(crate) error: Option<kernel::error::Error>,
            #[skip]
            #[allow(dead_code)]
            pub(crate) callback: &'a dyn Fn(),
            pub(crate) name: &'a core::ffi::CStr,
            pub(crate) data: &'a [u16],
            #[flatten]
            pub(crate) place: Place,
        }
    }
    use request::{Place, Request};

    /// A struct in the record.
    #[derive(Clone, Copy, TraceStruct)]
    #[repr(C)]
    pub(crate) struct Inner {
        pub(crate) op: Op,
        pub(crate) bytes: [u8; 3],
    }

    /// One with another in it.
    #[derive(Clone, Copy, TraceStruct)]
    #[repr(C)]
    pub(crate) struct Outer {
        pub(crate) n: u32,
        pub(crate) inner: Inner,
        pub(crate) mac: MacAddr,
        pub(crate) mode: Mode,
    }

    /// What can't be described to other modules.
    #[derive(TracepointArg)]
    pub(crate) struct Work<'a> {
        pub(crate) owner: ARef<Task>,
        pub(crate) data: KVec<u8>,
        pub(crate) name: &'a CStr,
        pub(crate) start: Instant<Monotonic>,
        pub(crate) state: State,
    }

    /// An enum as an argument, too.
    #[derive(TracepointArg)]
    pub(crate) enum State {
        Queued(KVec<u32>),
        Done(Result),
    }

    trace_event! {
        system: "types";

        pub(crate) fn types_struct(n: u32, outer: &Work<'_>) {
            let value = Outer {
                n,
                inner: Inner { op: Op::Write, bytes: [1, 2, 3] },
                mac: MacAddr([4, 5, 6, 7, 8, 9]),
                mode: ModeFlag::Sync.into(),
            };
            value: Struct<Outer> as "struct outer" = value,
            inner: Struct<Inner> = &value.inner,
            pid: i32 = outer.owner.pid(),
        }
        print "{value:print_hex_str} {inner:phN}";

        pub(crate) fn types_work(work: &Work<'_>, state: &State) {
            comm_pid: i32 = work.owner.pid(),
            data: DynArray<u8> = &work.data,
            name: Str = work.name,
            start: Instant<Monotonic> = work.start,
            result: Result = match state {
                State::Queued(_) => Ok(()),
                State::Done(result) => *result,
            },
            queued: usize = match &work.state {
                State::Queued(list) => list.len(),
                State::Done(_) => 0,
            },
        }
        print "{comm_pid} {data:phN} {name} {start} {result} {queued}";

        /// Members that become fields.
        pub(crate) fn types_flatten(sector: u64, name: &CStr) {
            let kinds = [request::Kind::Data, request::Kind::Meta];
            first: u32 = 7,
            #[shown]
            #[flatten]
            request: Request<'_> = Request {
                kind: kinds[1],
                error: None,
                callback: &|| (),
                name,
                data: &[1, 2],
                place: Place { sector: sector + 1, kinds },
            },
            #[flatten]
            other: request::Place = Place { sector, kinds },
        }
        print "{first} {request_kind} {request_error} {request_name} {request_data:len} \
               {request_place_sector} {request_place_kinds} {other_sector} {next}",
            next = other_sector + 1;

        pub(crate) fn types_error(error: Error, some: Option<Error>) {
            error: Error = error,
            some: Option<Error> = some,
        }
        print "{error} {some}";

        pub(crate) fn types_result(result: Result) {
            result: Result = result,
            count: Result = &result.map(|()| 5u32),
        }
        print "{result} {count}";

        pub(crate) fn types_gfp(flags: Flags) {
            flags: Flags = flags,
        }
        print "{flags}";

        pub(crate) fn types_dev(dev: DevT, raw: u32) {
            dev: DevT = dev,
            some: Option<DevT> = (raw != 0).then_some(dev),
            raw: u32 = raw,
        }
        print "{dev} {some} {raw:dev_t} {dev:#x}";

        pub(crate) fn types_mac(mac: &MacAddr) {
            n: u8 = 1,
            mac: MacAddr = mac,
        }
        print "{mac} {mac:pMF} {n}";

        pub(crate) fn types_ip4(addr: Ipv4Addr) {
            addr: Ipv4Addr = addr,
            any: IpAddr = IpAddr::V4(addr),
        }
        print "{addr} {addr:pi4} {any}";

        pub(crate) fn types_ip6(addr: &Ipv6Addr) {
            addr: Ipv6Addr = addr,
            any: IpAddr = IpAddr::V6(*addr),
        }
        print "{addr} {addr:pI6} {any}";

        pub(crate) fn types_sock(addr: &SocketAddr) {
            addr: SocketAddr = addr,
            some: Option<SocketAddr> = Some(*addr),
            none: Option<SocketAddr> = None,
            ip: Option<IpAddr> = Some(addr.ip()),
        }
        print "{addr} {some} {none} {ip} {addr:pIS}";

        pub(crate) fn types_uuid(uuid: &Uuid, guid: &Guid) {
            uuid: Uuid = uuid,
            guid: Guid = *guid,
            none: Option<Uuid> = None,
            some: Option<Guid> = Some(*guid),
        }
        print "{uuid} {guid} {none} {some} {uuid:pUB}";

        pub(crate) fn types_time(at: Instant<Monotonic>, delta: Delta) {
            at: Instant<Monotonic> = at,
            delta: Delta = delta,
            some: Option<Instant<Monotonic>> = Some(at),
            none: Option<Instant<Monotonic>> = None,
        }
        print "{at} {delta} {some} {none} {at:print_ns_to_secs}.{at:print_ns_without_secs}";

        pub(crate) fn types_symbol(symbol: KernelSymbol) {
            symbol: KernelSymbol = symbol,
            function: *const u8 = symbol.address() as *const u8,
            none: Option<KernelSymbol> = None,
        }
        print "{symbol} {function:pS} {none}";

        pub(crate) fn types_option(n: u32, level: i16) {
            n: Option<NonZero<u32>> = NonZero::new(n),
            some: NonZero<u32> = NonZero::new(n).unwrap_or(NonZero::<u32>::MIN),
            op: Option<Op> = match n {
                0 => Some(Op::Read),
                1 => Some(Op::Write),
                255 => Some(Op::Last),
                _ => None,
            },
            level: Option<Level> = match level {
                -2 => Some(Level::Low),
                300 => Some(Level::High),
                _ => None,
            },
        }
        print "{n} {some} {op} {level}";

        pub(crate) fn types_flags(mode: Mode, modes: Modes) {
            mode: Mode = mode,
            modes: Modes = modes,
        }
        print "{mode} <{modes}>";

        /// Names of a type for other numbers than its own.
        pub(crate) fn types_tables(n: u64, level: i64) {
            n: u64 = n,
            level: i64 = level,
            byte: u8 = n as u8,
        }
        print "{gfp} {low} {op} {level} {chosen}",
            gfp = print_flags(n, Flags),
            low = print_flags(n as u32 & 0xffff, Mode),
            op = print_symbolic(byte, Op),
            level = print_symbolic(level, Level),
            chosen = if level < 0 {
                print_symbolic(level, Level)
            } else if level == 0 {
                print_flags(n >> 8, Flags)
            } else {
                "positive"
            };
    }

    impl Mode {
        pub(crate) fn of(n: u16) -> Self {
            Self(n)
        }
    }

    impl Modes {
        pub(crate) fn of(n: u8) -> Self {
            Self(n)
        }
    }
}

use events::*;

fn next<'a>(words: &mut SplitAsciiWhitespace<'a>) -> Result<&'a str> {
    words.next().ok_or(EINVAL)
}

fn parse<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Result<T> {
    next(words)?.parse().map_err(|_| EINVAL)
}

/// Takes so many bytes in hexadecimal.
fn bytes<const N: usize>(words: &mut SplitAsciiWhitespace<'_>) -> Result<[u8; N]> {
    let text = next(words)?;
    let mut bytes = [0; N];
    for (i, byte) in bytes.iter_mut().enumerate() {
        let digits = text.get(2 * i..2 * i + 2).ok_or(EINVAL)?;
        *byte = u8::from_str_radix(digits, 16).map_err(|_| EINVAL)?;
    }
    Ok(bytes)
}

/// The flags that the kernel crate has, one for each bit.
fn gfp(mask: u32) -> Flags {
    let all = [
        flags::GFP_KERNEL,
        flags::__GFP_ZERO,
        flags::GFP_ATOMIC,
        flags::__GFP_HIGHMEM,
        flags::GFP_KERNEL_ACCOUNT,
        flags::GFP_NOWAIT,
        flags::__GFP_NOWARN,
    ];
    let mut sum = flags::__GFP_ZERO & !flags::__GFP_ZERO;
    for (i, flag) in all.into_iter().enumerate() {
        if mask >> i & 1 != 0 {
            sum = sum | flag;
        }
    }
    sum
}

fn fire_line(line: &str) -> Result {
    let mut words = line.split_ascii_whitespace();
    let words = &mut words;
    match next(words)? {
        "error" => {
            let error = Error::from_errno(parse(words)?);
            trace!(types_error(error, Some(error)));
            trace!(types_error(error, None));
        }
        "result" => {
            let result = to_result(parse(words)?);
            trace!(types_result(result));
        }
        "gfp" => trace!(types_gfp(gfp(parse(words)?))),
        "dev" => {
            let raw = parse(words)?;
            trace!(types_dev(DevT::from_raw(raw), raw));
        }
        "mac" => trace!(types_mac(&MacAddr(bytes(words)?))),
        "ip4" => trace!(types_ip4(parse(words)?)),
        "ip6" => trace!(types_ip6(&parse(words)?)),
        "sock" => trace!(types_sock(&parse(words)?)),
        "uuid" => {
            let bytes = bytes(words)?;
            trace!(types_uuid(&Uuid(bytes), &Guid(bytes)));
        }
        "time" => {
            let delta = Delta::from_nanos(parse(words)?);
            trace!(types_time(Instant::now(), delta));
        }
        "symbol" => {
            let address: usize = parse(words)?;
            trace!(types_symbol(KernelSymbol::new(address)));
        }
        "option" => {
            let (n, level) = (parse(words)?, parse(words)?);
            trace!(types_option(n, level));
        }
        "flatten" => trace!(types_flatten(parse(words)?, c"a name")),
        "work" => {
            let mut data = KVec::new();
            data.extend_from_slice(next(words)?.as_bytes(), GFP_KERNEL)?;
            let mut list = KVec::new();
            list.extend_from_slice(&[7, 8], GFP_KERNEL)?;
            let work = Work {
                owner: ARef::from(&**kernel::current!()),
                data,
                name: c"a name",
                start: Instant::now(),
                state: State::Queued(list),
            };
            let probed = types_work.register(|work, state| {
                if let (State::Queued(list), State::Done(_)) = (&work.state, state) {
                    pr_info!("probe: {} {}\n", work.data.len(), list.len());
                }
            })?;
            trace!(types_work(&work, &State::Done(Err(EIO))));
            drop(probed);
            trace!(types_struct(5, &work));
        }
        "tables" => {
            let (n, level) = (parse(words)?, parse(words)?);
            trace!(types_tables(n, level));
        }
        "flags" => {
            let n = parse(words)?;
            trace!(types_flags(Mode::of(n), Modes::of(n as u8)));
        }
        _ => return Err(EINVAL),
    }
    Ok(())
}

fn fire(text: &str) -> Result {
    text.lines().try_for_each(fire_line)
}

struct Types {
    _entry: ProcEntry<Command>,
}

impl kernel::Module for Types {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _entry: ProcEntry::new(c"types", 0o200, None, Command(fire))?,
        })
    }
}

module! {
    type: Types,
    name: "types",
    authors: ["Linux kernel contributors"],
    description: "events with fields whose types know how they are shown",
    license: "GPL",
}
