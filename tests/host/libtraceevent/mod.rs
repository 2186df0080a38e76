// SPDX-License-Identifier: GPL-2.0

//! What libtraceevent makes of a `print fmt`.

use super::*;

/// The fields: their names, their types in C, and where they are.
pub const FIELDS: [(&str, &str, usize); 9] = [
    ("a", "u8", 8),
    ("b", "s8", 9),
    ("c", "u16", 10),
    ("d", "s16", 12),
    ("e", "u32", 16),
    ("f", "int", 20),
    ("g", "u64", 24),
    ("h", "s64", 32),
    ("i", "bool", 40),
];

/// The rest of the format file after [`FIELDS`].
const ARRAYS: &str = "\tfield:u16 j[4];\toffset:42;\tsize:8;\tsigned:0;\n\
                      \tfield:int k[3];\toffset:52;\tsize:12;\tsigned:1;\n\
                      \tfield:__data_loc u32[] l;\toffset:64;\tsize:4;\tsigned:0;\n\
                      \tfield:__rel_loc u16[] m;\toffset:68;\tsize:4;\tsigned:0;\n";

/// libtraceevent, as trace-cmd and perf use it. There's no `libtraceevent.so` without its headers,
/// so it's loaded at run time.
pub struct Tools {
    functions: HashMap<&'static str, *mut c_void>,
}

#[repr(C)]
struct Record {
    ts: u64,
    offset: u64,
    missed_events: i64,
    record_size: c_int,
    size: c_int,
    data: *const u8,
    cpu: c_int,
    ref_count: c_int,
    locked: c_int,
    private: *mut c_void,
}

#[repr(C)]
struct Seq {
    buffer: *mut c_char,
    size: u32,
    len: u32,
    read: u32,
    state: c_int,
}

extern "C" {
    pub fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    pub fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

impl Tools {
    pub fn new() -> Self {
        // SAFETY: The library has no constructors that could do harm.
        let library = unsafe { dlopen(c"libtraceevent.so.1".as_ptr(), 2) };
        assert!(!library.is_null(), "libtraceevent isn't installed");
        let names = [
            "tep_alloc",
            "tep_parse_event",
            "tep_find_event",
            "tep_print_event",
            "tep_unref",
            "trace_seq_init",
            "trace_seq_terminate",
            "trace_seq_destroy",
        ];
        let functions = names.map(|name| {
            let c_name = CString::new(name).unwrap();
            // SAFETY: `library` has been opened above and is never closed, and `c_name` is a C
            // string.
            let function = unsafe { dlsym(library, c_name.as_ptr()) };
            assert!(!function.is_null(), "{name}");
            (name, function)
        });
        Self {
            functions: functions.into(),
        }
    }

    /// Returns how libtraceevent shows each of the records.
    pub fn show(&self, print_fmt: &str, records: &[[u8; SIZE]]) -> Vec<String> {
        let mut format = String::from("name: event\nID: 1\nformat:\n");
        for (name, ty, at, size, signed) in [
            ("common_type", "unsigned short", 0, 2, 0),
            ("common_flags", "unsigned char", 2, 1, 0),
            ("common_preempt_count", "unsigned char", 3, 1, 0),
            ("common_pid", "int", 4, 4, 1),
        ] {
            format +=
                &format!("\tfield:{ty} {name};\toffset:{at};\tsize:{size};\tsigned:{signed};\n");
        }
        format += "\n";
        for ((name, c_type, at), ty) in FIELDS.iter().zip(TYPES.iter().chain([&BOOL])) {
            let (size, signed) = (size(*ty), u8::from(ty.signed));
            format += &format!(
                "\tfield:{c_type} {name};\toffset:{at};\tsize:{size};\tsigned:{signed};\n"
            );
        }
        format += ARRAYS;
        format += &format!("\nprint fmt: {print_fmt}\n");
        macro_rules! call {
            ($name:literal, ($($ty:ty),*) $(-> $result:ty)?, $($arg:expr),*) => {
                std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($ty),*) $(-> $result)?>(
                    self.functions[$name],
                )($($arg),*)
            };
        }
        // SAFETY: The types are those of event-parse.h and trace-seq.h.
        unsafe {
            let tep = call!("tep_alloc", () -> *mut c_void,);
            let system = c"test";
            let error = call!(
                "tep_parse_event",
                (*mut c_void, *const u8, u64, *const c_char) -> c_int,
                tep, format.as_ptr(), format.len() as u64, system.as_ptr()
            );
            assert_eq!(error, 0, "{print_fmt}");
            let print = self.functions["tep_print_event"];
            let print: unsafe extern "C" fn(
                *mut c_void,
                *mut Seq,
                *mut Record,
                *const c_char,
                ...
            ) = std::mem::transmute(print);
            let mut texts = Vec::new();
            for bytes in records {
                let mut bytes = *bytes;
                bytes[0] = 1;
                let mut record = Record {
                    ts: 0,
                    offset: 0,
                    missed_events: 0,
                    record_size: SIZE as c_int,
                    size: SIZE as c_int,
                    data: bytes.as_ptr(),
                    cpu: 0,
                    ref_count: 1,
                    locked: 0,
                    private: std::ptr::null_mut(),
                };
                let mut seq: Seq = std::mem::zeroed();
                call!("trace_seq_init", (*mut Seq), &mut seq);
                print(tep, &mut seq, &mut record, c"%s".as_ptr(), c"INFO".as_ptr());
                call!("trace_seq_terminate", (*mut Seq) -> c_int, &mut seq);
                texts.push(CStr::from_ptr(seq.buffer).to_str().unwrap().to_owned());
                call!("trace_seq_destroy", (*mut Seq), &mut seq);
            }
            call!("tep_unref", (*mut c_void), tep);
            texts
        }
    }
}
