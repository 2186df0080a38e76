// SPDX-License-Identifier: GPL-2.0

//! Files below `/proc/tracepoint-test`: reading `text` returns what was written to it, `dir/long`
//! is longer than a page, `dir/refused` can't be opened, and `dir/bare` has no operations.

use fs::{
    proc::{ProcDir, ProcEntry, ProcOps},
    FileName, Inode,
};
use kernel::{
    fs::File,
    new_mutex,
    prelude::*,
    seq_file::SeqFile,
    seq_print,
    str::CStr,
    sync::{aref::ARef, Arc, Mutex},
    uaccess::UserSliceReader,
};
use ktap::{check_eq, tests};

mod fs;
mod ktap;

tests![names, taken];

#[pin_data]
struct Text {
    #[pin]
    text: Mutex<KVec<u8>>,
}

impl Text {
    fn new() -> impl PinInit<Self> {
        pin_init!(Self {
            text <- new_mutex!(KVec::new()),
        })
    }
}

#[vtable]
impl ProcOps for Text {
    fn show(&self, m: &SeqFile) -> Result {
        let text = self.text.lock();
        seq_print!(m, "{}", core::str::from_utf8(&text).map_err(|_| EINVAL)?);
        Ok(())
    }

    fn write(&self, data: UserSliceReader, offset: i64) -> Result<usize> {
        let len = data.len();
        let mut text = self.text.lock();
        if offset == 0 {
            text.clear();
        }
        data.read_all(&mut text, GFP_KERNEL)?;
        Ok(len)
    }
}

struct Long;

#[vtable]
impl ProcOps for Long {
    fn show(&self, m: &SeqFile) -> Result {
        for n in 1..=5000 {
            seq_print!(m, "{}\n", n);
        }
        Ok(())
    }
}

/// Refuses to open files and keeps a reference to the last one.
#[pin_data(PinnedDrop)]
struct Refused {
    #[pin]
    last: Mutex<Option<ARef<File>>>,
}

impl Refused {
    fn new() -> impl PinInit<Self> {
        pin_init!(Self {
            last <- new_mutex!(None),
        })
    }
}

#[vtable]
impl ProcOps for Refused {
    fn open(&self, _inode: &Inode, file: &File) -> Result {
        pr_info!("the file is {}\n", FileName(file));
        let last = self.last.lock().replace(file.into());
        pr_info!("kept, it is {}\n", FileName(file));
        if let Some(last) = last {
            pr_info!("the last was {}\n", FileName(&last));
        }
        Err(EBUSY)
    }

    fn show(&self, _m: &SeqFile) -> Result {
        Ok(())
    }
}

#[pinned_drop]
impl PinnedDrop for Refused {
    fn drop(self: Pin<&mut Self>) {
        pr_info!("refused is dropped\n");
    }
}

struct Bare;

#[vtable]
impl ProcOps for Bare {}

/// Names that the kernel would warn about.
fn names() -> Result {
    let dir = ProcDir::new(c"tracepoint-names", None)?;
    for name in [c"", c".", c"..", c"a/b", c"/", c"a/"] {
        check_eq!(ProcDir::new(name, None).err(), Some(EINVAL));
        check_eq!(ProcDir::new(name, Some(&dir)).err(), Some(EINVAL));
        let entry = ProcEntry::new(name, 0o444, Some(&dir), Bare);
        check_eq!(entry.err(), Some(EINVAL));
    }
    check_eq!(ProcDir::new(c"123", None).err(), Some(EINVAL));
    drop(ProcDir::new(c"123", Some(&dir))?);

    let mut long = [b'x'; 257];
    long[256] = 0;
    let name = CStr::from_bytes_with_nul(&long).map_err(|_| EINVAL)?;
    check_eq!(ProcDir::new(name, Some(&dir)).err(), Some(EINVAL));
    let name = CStr::from_bytes_with_nul(&long[1..]).map_err(|_| EINVAL)?;
    drop(ProcDir::new(name, Some(&dir))?);
    Ok(())
}

/// Names that are in use, which the kernel would warn about.
fn taken() -> Result {
    for name in [c"version", c"mounts", c"self", c"tty"] {
        check_eq!(ProcDir::new(name, None).err(), Some(EEXIST));
        check_eq!(ProcEntry::new(name, 0, None, Bare).err(), Some(EEXIST));
    }
    let dir = ProcDir::new(c"tracepoint-names", None)?;
    check_eq!(ProcDir::new(c"tracepoint-names", None).err(), Some(EEXIST));
    let inner = ProcDir::new(c"version", Some(&dir))?;
    let entry = ProcEntry::new(c"n", 0, Some(&inner), Bare)?;
    for name in [c"n", c"n"] {
        check_eq!(ProcDir::new(name, Some(&inner)).err(), Some(EEXIST));
        let again = ProcEntry::new(name, 0, Some(&inner), Bare);
        check_eq!(again.err(), Some(EEXIST));
    }
    drop(entry);
    drop(ProcDir::new(c"n", Some(&inner))?);
    // Any byte but a slash and NUL.
    let name = CStr::from_bytes_with_nul(b"\x01 \xff\\\0").map_err(|_| EINVAL)?;
    let odd = ProcDir::new(name, Some(&inner))?;
    let again = ProcDir::new(name, Some(&inner));
    check_eq!(again.err(), Some(EEXIST));
    drop(odd);
    drop((dir, inner));
    drop(ProcDir::new(c"tracepoint-names", None)?);
    Ok(())
}

struct ProcTest {
    _text: ProcEntry<Text>,
    _long: ProcEntry<Long>,
    _refused: ProcEntry<Refused>,
    _bare: ProcEntry<Bare>,
}

impl kernel::Module for ProcTest {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        if module_parameters::test.value().is_positive() {
            ktap::run(TESTS);
        }
        // Both directories are removed after their entries.
        let top: Arc<ProcDir> = ProcDir::new(c"tracepoint-test", None)?;
        let dir = ProcDir::new(c"dir", Some(&top))?;
        Ok(Self {
            _text: ProcEntry::new(c"text", 0o600, Some(&top), Text::new())?,
            _long: ProcEntry::new(c"long", 0o444, Some(&dir), Long)?,
            _refused: ProcEntry::new(c"refused", 0o444, Some(&dir), Refused::new())?,
            _bare: ProcEntry::new(c"bare", 0o444, Some(&dir), Bare)?,
        })
    }
}

module! {
    type: ProcTest,
    name: "proc_test",
    description: "Tests of files in /proc",
    license: "GPL",
    params: {
        test: i8 {
            default: 0,
            description: "Run the tests",
        },
    },
}
