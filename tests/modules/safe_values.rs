// SPDX-License-Identifier: GPL-2.0

//! Events of a driver that tries to break the kernel. What is written to `/proc/safe-values` selects
//! one of them. `c_null.c` fires `safe_c`.

use command::Command;
use fs::proc::ProcEntry;
use kernel::prelude::*;
use tracepoint::*;

mod command;
mod fs;

/// What a driver can do that forbids `unsafe`.
#[allow(coherence_leak_check)]
#[forbid(unsafe_code)]
mod events {
    use core::{cell::Cell, iter::Take};
    use kernel::{ffi::c_char, prelude::*};
    use tracepoint::{event::*, *};

    /// Its methods are preferred to the library's methods that take `&self`.
    #[allow(dead_code)]
    trait Hijack: Sized {
        fn write(self, _to: *mut u8) {}
        fn enabled(self) -> bool {
            false
        }
        fn call(self) {}
        fn is_dynamic(self) -> bool {
            true
        }
    }

    impl<T> Hijack for T {}

    /// For what isn't a slice.
    #[allow(dead_code)]
    trait Slice {
        fn as_ptr(&self) -> *const u8 {
            core::ptr::without_provenance(1)
        }
        fn len(&self) -> usize {
            8
        }
    }

    impl<T> Slice for T {}

    /// Called like the function that the macro declares.
    #[traceable]
    fn safe_traced(__entry: &[u8]) {
        trace!(safe_inner(__entry.len() as u32));
    }

    #[derive(TracepointArg)]
    struct Counter(Cell<u32>);

    /// Named like functions of C's library, which LLVM recognises by their names.
    #[traceable]
    fn remove(counter: &Counter) -> Result {
        counter.0.set(counter.0.get() + 1);
        Ok(())
    }

    #[traceable]
    fn free(counter: &Counter) {
        trace!(safe_inner(counter.0.get()));
    }

    #[traceable]
    fn abs(n: i32) -> i32 {
        n.wrapping_add(100)
    }

    /// Equal to `abs()`.
    #[traceable]
    fn ffs(n: i32) -> i32 {
        n.wrapping_add(100)
    }

    fn named() {
        let removed = Counter(Cell::new(1));
        let _ = (remove(&removed), remove(&removed));
        trace!(safe_inner(removed.0.get()));
        free(&Counter(Cell::new(5)));
        trace!(safe_inner(abs(-3) as u32));
        trace!(safe_inner(ffs(8) as u32));
    }

    type Any = for<'a> fn(&'a u8);
    type One = fn(&'static u8);

    /// Its `take` lets everything through: `Many<Any>` is also a `Many<One>`.
    struct Many<F>(u64, F);

    impl Iterator for Many<Any> {
        type Item = u64;
        fn next(&mut self) -> Option<u64> {
            self.0 = self.0.checked_sub(1)?;
            Some(self.0)
        }
    }

    impl Iterator for Many<One> {
        type Item = u64;
        fn next(&mut self) -> Option<u64> {
            self.0 = self.0.checked_sub(1)?;
            Some(self.0)
        }
        fn take(self, _: usize) -> Take<Self> {
            let taken: Take<Many<Any>> =
                <Many<Any> as Iterator>::take(Many(self.0, |_| ()), usize::MAX);
            taken
        }
    }

    #[derive(Clone, Copy, TraceEnum)]
    #[repr(u8)]
    pub(crate) enum Op {
        #[name = "READ"]
        Read = 1,
        #[name = "WRITE"]
        Write = 2,
    }

    /// The macro refuses it under its name.
    type Chars = DynArray<c_char>;

    type Bytes<const N: usize> = [u8; N];

    tracepoint_struct! {
        pub(crate) struct Number {
            pub(crate) n: u32,
        }
    }

    #[track_caller]
    const fn line() -> u32 {
        core::panic::Location::caller().line()
    }

    const LINE: u32 = line();

    trace_event! {
        system: "safe_values";

        // Its type depends on where that is, and its value is elsewhere.
        pub(crate) fn safe_hijacked(text: &CStr, n: u32) {
            text: Str = text,
            bytes: Bytes<{ (line() - LINE) as usize }> =
                [0xab; 8],
            n: u32 = n,
        }
        print "{text} {n} {bytes}";

        pub(crate) fn safe_nested(n: u32) {
            n: u32 = {
                trace!(safe_inner(n));
                n + 1
            },
        }
        print "{n}";

        #[doc = "Not a line of its own:\x1efunction\x1fsafe_doc\x1fvoid x(void) {} int\x1f"]
        fn safe_inner(n: u32) {
            n: u32 = n,
        }
        print "{n}";

        pub(crate) fn safe_taken(n: u64) {
            list: DynArray<u64> = &elements(Many::<One>(n, |_| ())),
        }
        print "{list:print_array}";

        pub(crate) fn safe_return(n: u32) {
            n: u32 = if n % 2 == 1 { return } else { n },
        }
        print "{n}";

        pub(crate) fn safe_text(list: &[c_char]) {
            chars: Chars = list,
            bytes: Rel<Chars> = list,
            fixed: [c_char; 4] = [b'x'; 4],
            n: u32 = 1,
        }
        print "{n}";

        pub(crate) fn safe_pointer(address: u64) {
            pointer: *const c_char as "const char *" = address as *const c_char,
            number: u64 as "char *" = address,
            #[filter(PTR_STRING)]
            filtered: *const u32 = address as *const u32,
            #[filter(CPU)]
            cpu: u64 = address,
            #[filter(TRACE_FN)]
            function: u64 = address,
        }
        print "{cpu:x}";

        pub(crate) fn safe_c(
            text: &CStr,
            list: &[u32],
            number: &Number,
            maybe: Option<&CStr>,
            op: Op,
            flag: bool,
        ) {
            text: Str = text,
            list: DynArray<u32> = list,
            n: u32 = number.n,
            maybe: Str = maybe,
            op: Op = op,
            flag: bool = flag,
        }
        print "{text} {list} {n} {maybe} {op} {flag}";
    }

    export_tracepoint_symbol_gpl!(safe_c);

    mod shadowed {
        #[allow(dead_code, non_camel_case_types)]
        type u8 = u64;

        // Nothing compares the value's type with the name's.
        super::trace_event! {
            system: "safe_values";

            pub(crate) fn safe_shadowed() {
                n: u8 = 0x80,
            }
            print "{others:#x}", others = !n;
        }
    }

    pub(crate) fn fire(what: &str) -> Result {
        match what.trim() {
            "c" => {
                let number = Number { n: 9 };
                trace!(safe_c(c"rust", &[3, 4, 5], &number, None, Op::Write, true));
                trace!(safe_c(c"", &[], &number, Some(c"some"), Op::Read, false));
            }
            "shadowed" => trace!(shadowed::safe_shadowed()),
            "hijacked" => {
                trace!(safe_hijacked(c"first", 1));
                trace!(safe_hijacked(c"second", 2));
            }
            "nested" => trace!(safe_nested(3)),
            "traced" => safe_traced(&[1, 2, 3]),
            "named" => named(),
            "taken" => trace!(safe_taken(200)),
            "return" => (0..6).for_each(|n| trace!(safe_return(n))),
            "text" => trace!(safe_text(&[b'a'; 300])),
            "pointer" => {
                trace!(safe_pointer(!0));
                trace!(safe_pointer(1));
                trace!(safe_pointer(0x8000_0000_0000_0000));
            }
            _ => return Err(EINVAL),
        }
        Ok(())
    }
}

tracepoint! {
    faultable fn safe_faultable(n: u32);
}

tracepoint_struct! {
    /// Two numbers.
    pub struct Pair {
        /// The first.
        pub n: u32,
        /// The second.
        pub more: u32,
    }
}

tracepoint! {
    fn safe_pair(pair: &Pair);
    fn safe_flags(flags: &[Flags]);
}

kernel::impl_flags!(
    #[derive(Clone, Copy)]
    pub(crate) struct Flags(u32);

    #[derive(Clone, Copy, event::TraceFlags)]
    #[flags(Flags, "|")]
    pub(crate) enum Flag {
        One = 1,
    }
);

/// A type with the name of one of the library's, and one of this module only.
mod own {
    use tracepoint::*;

    tracepoint_struct! {
        pub struct Writable { value: u32 }
    }

    #[allow(dead_code)]
    #[derive(TracepointArg)]
    pub(crate) struct Own(u32);

    tracepoint! {
        pub(crate) fn safe_writable(writable: &Writable);
        pub(crate) fn safe_own(own: &Own);
        pub(crate) fn safe_time(time: ::kernel::time::Instant<::kernel::time::Monotonic>);
    }
}

define_trace!(
    safe_faultable,
    safe_pair,
    safe_flags,
    own::safe_writable,
    own::safe_own,
    own::safe_time
);

/// Another module's declarations, right and wrong.
macro_rules! others {
    ($($name:ident: $tracepoint:ident($($ty:tt)*) { $($declaration:tt)* })*) => {
        $(mod $name {
            #[allow(unused_imports)]
            use tracepoint::{*, event::*};

            $($declaration)*

            tracepoint! {
                pub(crate) fn $tracepoint(argument: $($ty)*);
            }
        })*

        fn others() {
            $(match $name::$tracepoint.register(|_| ()) {
                Ok(_) => pr_info!("{}: accepted\n", stringify!($name)),
                Err(error) => pr_info!("{}: {:?}\n", stringify!($name), error),
            })*
        }
    };
}

others! {
    same: safe_pair(&Pair) {
        tracepoint_struct! {
            pub struct Pair {
                pub n: u32,
                pub more: u32,
            }
        }
    }
    private: safe_pair(&Pair) {
        tracepoint_struct! {
            pub struct Pair { pub n: u32, more: u32 }
        }
    }
    order: safe_pair(&Pair) {
        tracepoint_struct! {
            pub struct Pair { pub more: u32, pub n: u32 }
        }
    }
    types: safe_pair(&Pair) {
        tracepoint_struct! {
            pub struct Pair { pub n: u32, pub more: i32 }
        }
    }
    packed: safe_pair(&Pair) {
        tracepoint_struct! {
            #[repr(packed)]
            pub struct Pair { pub n: u32, pub more: u32 }
        }
    }
    aligned: safe_pair(&Pair) {
        tracepoint_struct! {
            #[repr(align(8))]
            pub struct Pair { pub n: u32, pub more: u32 }
        }
    }
    more: safe_pair(&Pair) {
        tracepoint_struct! {
            pub struct Pair {
                pub n: u32,
                pub more: u32,
                pub always: u32,
            }
        }
    }
    flags: safe_flags(&[Flags]) {
        type Alias = u32;

        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct Flags(Alias);

        #[derive(TraceFlags)]
        #[flags(Flags, "|")]
        #[repr(u32)]
        pub(crate) enum Flag {
            One = 1,
        }
    }
    small_flags: safe_flags(&[Flags]) {
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct Flags(Alias);

        #[derive(TraceFlags)]
        #[flags(Flags, "|")]
        #[repr(u8)]
        pub(crate) enum Flag {
            One = 1,
        }

        type Alias = u8;
    }
    enumeration: safe_flags(&[Flags]) {
        #[derive(Clone, Copy, TraceEnum)]
        #[repr(u32)]
        pub(crate) enum Flags {
            One = 1,
        }
    }
    atomic: safe_faultable(u32) {}
    writable: safe_writable(&::tracepoint::Writable<u32>) {}
    own_type: safe_own(&Own) {
        #[allow(dead_code)]
        #[derive(TracepointArg)]
        pub(crate) struct Own(&'static str);
    }
    time: safe_time(::kernel::time::Instant<::kernel::time::Monotonic>) {}
    other_clock: safe_time(::kernel::time::Instant<::kernel::time::RealTime>) {}
}

struct SafeValues {
    _fire: ProcEntry<Command>,
    _probe: Probe,
}

impl kernel::Module for SafeValues {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        others();
        Ok(Self {
            _probe: events::safe_c.register(|text, list, number, maybe, op, flag| {
                let op = match op {
                    events::Op::Read => "read",
                    events::Op::Write => "write",
                };
                let flag = if flag { "set" } else { "clear" };
                pr_info!("{text:?} {list:?} {} {maybe:?} {op} {flag}\n", number.n);
            })?,
            _fire: ProcEntry::new(c"safe-values", 0o200, None, Command(events::fire))?,
        })
    }
}

module! {
    type: SafeValues,
    name: "safe_values",
    description: "Tries to break the kernel",
    license: "GPL",
}
