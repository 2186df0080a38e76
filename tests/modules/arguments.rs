// SPDX-License-Identifier: GPL-2.0

//! Tests of the arguments that a tracepoint can have: part of tracepoint_test.

use crate::{ktap::check_eq, *};

pub(crate) fn integers() -> Result {
    static CALLS: Count = Count::new();

    let _low = tt_integers.register(|a, b, c, d, e, f, g, h, i, j, k, l| {
        if (a, b, c, d, e) == (u8::MIN, u16::MIN, u32::MIN, u64::MIN, usize::MIN)
            && (f, g, h, i, j) == (i8::MIN, i16::MIN, i32::MIN, i64::MIN, isize::MIN)
            && (k, l) == (false, true)
        {
            CALLS.one();
        }
    })?;
    let fire_low = || {
        trace!(tt_integers(
            u8::MIN,
            u16::MIN,
            u32::MIN,
            u64::MIN,
            usize::MIN,
            i8::MIN,
            i16::MIN,
            i32::MIN,
            i64::MIN,
            isize::MIN,
            false,
            true
        ))
    };
    fire_low();
    check_eq!(CALLS.take(), 1);

    // With two probes, calls go through the iterator.
    let _high = tt_integers.register(|a, b, c, d, e, f, g, h, i, j, k, l| {
        if (a, b, c, d, e) == (u8::MAX, u16::MAX, u32::MAX, u64::MAX, usize::MAX)
            && (f, g, h, i, j) == (i8::MAX, i16::MAX, i32::MAX, i64::MAX, isize::MAX)
            && (k, l) == (true, false)
        {
            CALLS.one();
        }
    })?;
    fire_low();
    check_eq!(CALLS.take(), 1);
    trace!(tt_integers(
        u8::MAX,
        u16::MAX,
        u32::MAX,
        u64::MAX,
        usize::MAX,
        i8::MAX,
        i16::MAX,
        i32::MAX,
        i64::MAX,
        isize::MAX,
        true,
        false
    ));
    check_eq!(CALLS.take(), 1);
    Ok(())
}

pub(crate) fn strings() -> Result {
    static CALLS: Count = Count::new();

    let _probe = tt_strings.register(|a, b, c, d, e| {
        if a.to_bytes() == b"plain"
            && b.map(CStr::to_bytes) == Some(b"".as_slice())
            && c.is_none()
            && d == "f\u{fc}nf\0"
            && e.is_empty()
        {
            CALLS.one();
        }
    })?;
    trace!(tt_strings(c"plain", Some(c""), None, "f\u{fc}nf\0", ""));
    check_eq!(CALLS.take(), 1);
    Ok(())
}

pub(crate) fn slices() -> Result {
    static CALLS: Count = Count::new();

    let _probe = tt_slices.register(|a, b, c, d| {
        if a == b"bytes\0\xff"
            && b.len() == 1000
            && b.iter().enumerate().all(|(i, n)| *n == i as u64 * 3)
            && c.iter().map(|s| s.to_bytes().len()).sum::<usize>() == 3
            && d.is_empty()
        {
            CALLS.one();
        }
    })?;
    let mut long = KVec::new();
    for n in 0..1000 {
        long.push(n * 3, GFP_KERNEL)?;
    }
    trace!(tt_slices(b"bytes\0\xff", &long, &[c"a", c"bc"], &[]));
    check_eq!(CALLS.take(), 1);
    Ok(())
}

pub(crate) fn references() -> Result {
    static CALLS: Count = Count::new();

    let a = Request { sector: 1, len: 2 };
    let b = Request { sector: 3, len: 4 };
    let address = &raw const a as usize;
    let _probe = tt_references.register(move |a, b, c| {
        if core::ptr::from_ref(a) as usize == address
            && (a.sector, a.len) == (1, 2)
            && b.map(|b| (b.sector, b.len)) == Some((3, 4))
            && c.is_none()
        {
            CALLS.one();
        }
    })?;
    trace!(tt_references(&a, Some(&b), None));
    check_eq!(CALLS.take(), 1);
    Ok(())
}

pub(crate) fn pointers() -> Result {
    static CALLS: Count = Count::new();

    let _probe = tt_pointers.register(|a, b, c| {
        if a.is_null() && b as usize == 0xdead && c as usize == usize::MAX {
            CALLS.one();
        }
    })?;
    trace!(tt_pointers(
        core::ptr::null(),
        0xdead as *mut Request,
        usize::MAX as *const Hidden
    ));
    check_eq!(CALLS.take(), 1);
    Ok(())
}

/// A tracepoint of this module once more. Only the compiler knows these types.
mod again {
    type Byte = u8;
    type Truth = bool;
    type Shared = *const u8;
    type Exclusive = *mut u8;
    type Text = core::ffi::CStr;
    type Number = u32;
    type Pair = [u16; 2];
    type Perhaps<'a> = Option<&'a Text>;

    tracepoint::tracepoint! {
        pub(crate) fn tt_names(
            a: Byte, b: Truth, c: Shared, d: Exclusive, e: &Text, f: &str, g: &[Number], h: &Pair,
            i: Perhaps<'_>,
        );
    }
}

pub(crate) fn types_by_other_names() -> Result {
    static CALLS: Count = Count::new();

    let (mut one, mut two) = (1_u8, 2_u8);
    let (c, d) = (&raw mut one, &raw mut two);
    // Both declarations are probed and fired alike.
    macro_rules! probe {
        ($($name:ident)::+) => {
            $($name)::+.register(|a, b, _, _, e, f, g, h, i| {
                if a == 200 && b && e == c"e" && f == "f" && g == [7] && *h == [8, 9] && i == Some(c"i") {
                    CALLS.one();
                }
            })?
        };
    }
    macro_rules! fire {
        ($($name:ident)::+) => {
            trace!($($name)::+(200, true, c, d, c"e", "f", &[7], &[8, 9], Some(c"i")))
        };
    }
    let _probe = probe!(tt_names);
    let _again = probe!(again::tt_names);
    fire!(tt_names);
    fire!(again::tt_names);
    check_eq!(CALLS.take(), 4);
    Ok(())
}

pub(crate) fn objects() -> Result {
    static CALLS: Count = Count::new();

    let pid = current!().pid();
    let _probe = tt_objects.register(move |task, none, some| {
        if task.pid() == pid && none.is_none() && some.map(Task::pid) == Some(pid) {
            CALLS.one();
        }
    })?;
    trace!(tt_objects(current!(), None, Some(current!())));
    check_eq!(CALLS.take(), 1);
    Ok(())
}

pub(crate) fn twelve_c_arguments_to_many() -> Result {
    static CALLS: Count = Count::new();

    let mut probes = ProbeGroup::new();
    for prio in 0..4 {
        probes.push(tt_integers.register_prio(
            move |a, b, c, d, e, f, g, h, i, j, k, l| {
                if (a, b, c, d, e) == (1, 2, 3, 4, 5)
                    && (f, g, h, i, j) == (-6, -7, -8, -9, -10)
                    && k
                    && !l
                    && prio < 4
                {
                    CALLS.one();
                }
            },
            prio,
        )?)?;
    }
    trace!(tt_integers(1, 2, 3, 4, 5, -6, -7, -8, -9, -10, true, false));
    check_eq!(CALLS.take(), 4);
    Ok(())
}
