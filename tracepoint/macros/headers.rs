// SPDX-License-Identifier: GPL-2.0

//! The tracepoints that the kernel's headers declare, as bindgen translates them.
//!
//! For each tracepoint, its output has the function `__traceiter_NAME` and the string
//! `__traceinfo_NAME`: see `layers/linux/declare_trace.h`.

use crate::{
    args::{Arg, Args},
    kernel_symbols,
    model::{Tracepoint, PLAIN},
    tokens::c_name,
};
use proc_macro2::Ident;
use std::{collections::HashMap, env, fs, sync::OnceLock};
use syn::{Error, Result, Visibility};

/// The declaration of a tracepoint in a header.
#[derive(Debug, PartialEq)]
pub(crate) struct Header<'a> {
    /// C's `TRACE_SYSTEM`.
    pub(crate) system: &'a str,
    /// Whether C evaluates a condition before it fires the tracepoint.
    conditional: bool,
    /// Whether its probes may fault.
    pub(crate) faultable: bool,
    /// The arguments and their types in Rust.
    args: Vec<(&'a str, String)>,
}

/// Finds the tracepoints in bindgen's output. Without rustfmt, all of it is on one line.
pub(crate) fn parse(text: &str) -> HashMap<&str, Header<'_>> {
    let mut infos = HashMap::new();
    for part in text.split("const __traceinfo_").skip(1) {
        let info = part.split_once("b\"").and_then(|(name, rest)| {
            let (name, _) = name.split_once(':')?;
            let (system, condition) = rest.split_once("\\0\"")?.0.split_once(": ")?;
            Some((name.trim(), (system, condition)))
        });
        infos.extend(info);
    }
    let mut headers = HashMap::new();
    for part in text.split("fn __traceiter_").skip(1) {
        let Some((name, rest)) = part.split_once('(') else {
            continue;
        };
        let name = name.trim();
        let Some((system, condition)) = infos.get(name) else {
            continue;
        };
        let header = Header {
            system,
            conditional: condition.contains("&&"),
            faultable: *condition == "faultable",
            // The first one is the probe's data.
            args: arguments(rest).skip(1).collect(),
        };
        headers.insert(name, header);
    }
    headers
}

/// Returns the arguments of a function, given what follows its `(`.
fn arguments(text: &str) -> impl Iterator<Item = (&str, String)> {
    let mut depth = 0;
    let mut end = 0;
    let mut parts = vec![];
    let mut previous = b' ';
    for (i, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'<' => depth += 1,
            b')' | b']' if depth > 0 => depth -= 1,
            b'>' if previous != b'-' => depth -= 1,
            b')' => {
                parts.push(&text[end..i]);
                break;
            }
            b',' if depth == 0 => {
                parts.push(&text[end..i]);
                end = i + 1;
            }
            _ => {}
        }
        previous = byte;
    }
    parts.into_iter().filter_map(|part| {
        let (name, ty) = part.split_once(':')?;
        let name = name.trim();
        let ty = rust_type(ty);
        Some(if name.ends_with("__nullable") {
            (name, optional(ty))
        } else {
            (name, ty)
        })
    })
}

/// Returns the type of an argument that C may pass as NULL.
fn optional(ty: String) -> String {
    match ty.starts_with('&') {
        true => format!("Option<{ty}>"),
        false => ty,
    }
}

/// Returns the type of an argument in Rust. It's a reference or a string if C guarantees that; other
/// types of the header are in the module `c`.
fn rust_type(ty: &str) -> String {
    if ty.contains("Option") && ty.contains("fn") {
        // A pointer to a function.
        return "*const c_void".into();
    }
    let ty: String = ty.split_whitespace().collect();
    let ty = ty.as_str();
    let (pointer, to) = match (ty.strip_prefix("*mut"), ty.strip_prefix("*const")) {
        (Some(to), _) => ("*mut ", to),
        (_, Some(to)) => ("*const ", to),
        _ => return scalar(ty),
    };
    match to {
        "task_struct" => "&Task".into(),
        "file" => "&View<LocalFile>".into(),
        "device" => "&View<Device>".into(),
        "cred" => "&View<Credential>".into(),
        "cpumask" => "&Cpumask".into(),
        "ffi::c_char" if pointer == "*const " => "&CStr".into(),
        _ => format!("{pointer}{}", rust_type_behind(to)),
    }
}

/// Returns the type that a pointer points to.
fn rust_type_behind(ty: &str) -> String {
    match (ty.strip_prefix("*mut"), ty.strip_prefix("*const")) {
        (Some(to), _) => format!("*mut {}", rust_type_behind(to)),
        (_, Some(to)) => format!("*const {}", rust_type_behind(to)),
        _ => scalar(ty),
    }
}

/// Returns the name of a type that isn't a pointer.
fn scalar(ty: &str) -> String {
    match ty {
        "bool_" | "bool" => "bool",
        "ffi::c_schar" | "s8" | "__s8" | "i8" => "i8",
        "ffi::c_char" | "ffi::c_uchar" | "u8_" | "__u8" | "u8" => "u8",
        "ffi::c_short" | "s16" | "__s16" | "i16" => "i16",
        "ffi::c_ushort" | "u16_" | "__u16" | "u16" => "u16",
        "ffi::c_int" | "s32" | "__s32" | "i32" => "i32",
        "ffi::c_uint" | "u32_" | "__u32" | "u32" => "u32",
        "ffi::c_longlong" | "s64" | "__s64" | "i64" => "i64",
        "ffi::c_ulonglong" | "u64_" | "__u64" | "u64" => "u64",
        "ffi::c_long" | "isize" => "isize",
        "ffi::c_ulong" | "usize" => "usize",
        "ffi::c_void" => "c_void",
        // An array.
        _ if ty.starts_with('[') => ty,
        _ => return format!("c::{ty}"),
    }
    .into()
}

/// The tracepoints for which C's promise isn't in the header: `raw_tp_null_args` (kernel/bpf/btf.c)
/// names those whose argument with this number may be NULL.
const NULLABLE: [(&str, usize); 3] = [
    ("sched_pi_setprio", 1),
    ("sched_stick_numa", 2),
    ("sched_swap_numa", 2),
];

/// Returns bindgen's output for the headers of the tracepoints.
fn prototypes() -> Option<&'static str> {
    static TEXT: OnceLock<Option<String>> = OnceLock::new();
    let text = TEXT.get_or_init(|| {
        let path = env::var("TRACEPOINT_OUT").ok()? + "/declarations.rs";
        fs::read_to_string(path).ok()
    });
    text.as_deref()
}

/// The tracepoints of this build's headers, or `None` if a tool runs the macros outside of a build.
pub(crate) fn headers() -> Option<&'static HashMap<&'static str, Header<'static>>> {
    static HEADERS: OnceLock<Option<HashMap<&str, Header<'_>>>> = OnceLock::new();
    HEADERS.get_or_init(|| prototypes().map(parse)).as_ref()
}

/// Returns the header's declaration of a tracepoint of the kernel.
pub(crate) fn find(name: &Ident) -> Result<Option<&'static Header<'static>>> {
    let Some(headers) = headers() else {
        return Ok(None);
    };
    let header = headers.get(c_name(name)?.as_str());
    header.map(Some).ok_or_else(|| {
        Error::new(
            name.span(),
            format!(
                "none of the included headers declares a tracepoint `{name}`\nhelp: add its header in the \
                 Kbuild, before the `include`: `tracepoint-headers := trace/events/…`"
            ),
        )
    })
}

impl Header<'_> {
    /// Whether a module can fire the tracepoint called `name`.
    pub(crate) fn can_be_fired(&self, name: &str) -> bool {
        !self.conditional && kernel_symbols::is_exported(&format!("__tracepoint_{name}"))
    }

    /// Returns the arguments of the tracepoint called `name`.
    pub(crate) fn args(&self, name: &str) -> Vec<(&str, String)> {
        let args = self.args.iter().enumerate();
        args.map(|(i, (arg, ty))| match NULLABLE.contains(&(name, i)) {
            true => (*arg, optional(ty.clone())),
            false => (*arg, ty.clone()),
        })
        .collect()
    }

    /// Returns the tracepoint's declaration.
    pub(crate) fn declaration(&self, name: &str) -> Result<Tracepoint> {
        let args = self.args(name).into_iter().map(|(arg, ty)| {
            Ok(Arg {
                attrs: vec![],
                name: syn::parse_str(arg)?,
                ty: syn::parse_str(&ty)?,
            })
        });
        let args = Args(args.collect::<Result<_>>()?);
        let name = syn::parse_str(name)?;
        args.check(&name)?;
        Ok(Tracepoint {
            attrs: vec![],
            vis: Visibility::Inherited,
            faultable: self.faultable,
            kind: PLAIN,
            name,
            args,
            condition: None,
        })
    }
}

/// Returns the text of a type of ours in a prototype.
pub(crate) fn text_of(ty: &str) -> String {
    // Without what a raw pointer points to.
    let text = ty.split_once(' ').map_or(ty, |(pointer, _)| pointer);
    [
        ("View<", "tracepoint::View<"),
        ("LocalFile", "kernel::fs::LocalFile"),
        ("Device", "kernel::device::Device"),
        ("Credential", "kernel::cred::Credential"),
        ("Task", "kernel::task::Task"),
        ("Cpumask", "kernel::cpumask::Cpumask"),
    ]
    .iter()
    .fold(text.into(), |text: String, (name, path)| {
        text.replace(name, path)
    })
}
