// SPDX-License-Identifier: GPL-2.0

// In a prototype, the names of Rust's types are theirs alone.
mod number {
    #[allow(non_camel_case_types)]
    type u16 = u64;

    tracepoint::tracepoint! {
        fn own_number(n: u16);
    }
}

mod string {
    #[derive(tracepoint::TracepointArg)]
    struct CStr;

    tracepoint::tracepoint! {
        fn own_string(text: &CStr);
    }
}

mod slice {
    #[allow(non_camel_case_types)]
    type i32 = i8;

    tracepoint::tracepoint! {
        fn own_slice(list: &[i32]);
    }
}

mod text {
    #[allow(non_camel_case_types)]
    struct str;

    impl str {
        fn as_ptr(&self) -> *const u8 {
            core::ptr::null()
        }

        fn len(&self) -> usize {
            usize::MAX
        }
    }

    tracepoint::tracepoint! {
        fn own_str(text: &str);
    }
}

mod array {
    #[allow(non_camel_case_types)]
    type u8 = u64;

    tracepoint::tracepoint! {
        fn own_array(data: &[u8; 4]);
    }
}

mod optional {
    use core::ffi::CStr;

    type Option<T> = core::result::Result<T, ()>;

    tracepoint::tracepoint! {
        fn own_optional(text: Option<&CStr>);
    }
}
