// SPDX-License-Identifier: GPL-2.0

//! The tracepoints that the kernel's headers declare, as bindgen translates them.
//!
//! For each tracepoint, its output has the function `__traceiter_NAME` and the string
//! `__traceinfo_NAME`: see `declare_trace.h`.

use crate::{features::kernel_symbols, tokens::c_name, types::name_of};
use proc_macro2::Ident;
use quote::ToTokens;
use std::{collections::BTreeMap, env, fs, sync::OnceLock};
use syn::{Error, FnArg, Result, Signature, Type};

/// The declaration of a tracepoint in a header.
pub(crate) struct Header<'a> {
    /// C's `TRACE_SYSTEM`.
    pub(crate) system: &'a str,
    /// Whether C evaluates a condition before it fires the tracepoint.
    pub(crate) conditional: bool,
    /// Whether its probes may fault.
    pub(crate) faultable: bool,
    /// The text after the name in the declaration of `__traceiter_NAME`.
    signature: &'a str,
}

/// Finds the tracepoints in bindgen's output. Without rustfmt, all of it is on one line.
///
/// It's large, and `syn` would take long for all of it.
pub(crate) fn parse(text: &str) -> BTreeMap<&str, Header<'_>> {
    let mut infos = BTreeMap::new();
    for part in text.split("const __traceinfo_").skip(1) {
        let info = part.split_once("b\"").and_then(|(name, rest)| {
            let (name, _) = name.split_once(':')?;
            let (system, condition) = rest.split_once("\\0\"")?.0.split_once(": ")?;
            Some((name.trim(), (system, condition)))
        });
        infos.extend(info);
    }
    let parts = text.split("fn __traceiter_").skip(1);
    let headers = parts.filter_map(|part| {
        let (signature, _) = part.split_once(';')?;
        let (name, signature) = signature.split_at(signature.find('(')?);
        let (system, condition) = infos.get(name.trim())?;
        let header = Header {
            system,
            conditional: condition.contains("&&"),
            faultable: *condition == "faultable",
            signature,
        };
        Some((name.trim(), header))
    });
    headers.collect()
}

/// The types of C's objects in Rust, as a prototype names them. These are references, since C guarantees that.
const OBJECTS: [(&str, &str); 5] = [
    ("task_struct", "kernel::task::Task"),
    ("file", "tracepoint::View<kernel::fs::LocalFile>"),
    ("device", "tracepoint::View<kernel::device::Device>"),
    ("cred", "tracepoint::View<kernel::cred::Credential>"),
    ("cpumask", "kernel::cpumask::Cpumask"),
];

/// Returns the type of an argument in Rust.
fn rust_type(ty: &Type) -> String {
    let Type::Ptr(pointer) = ty else {
        return raw_type(ty);
    };
    let (to, _) = name_of(&pointer.elem).unwrap_or_default();
    match OBJECTS.iter().find(|(c, _)| *c == to) {
        Some((_, object)) => format!("&{object}"),
        None if to == "c_char" && pointer.mutability.is_none() => "&CStr".into(),
        None => raw_type(ty),
    }
}

/// Returns a type that guarantees nothing. Those of the header are in the module `c`.
fn raw_type(ty: &Type) -> String {
    match ty {
        Type::Ptr(pointer) => {
            let mutability = pointer.mutability.map_or("const", |_| "mut");
            format!("*{mutability} {}", raw_type(&pointer.elem))
        }
        Type::Path(_) => match name_of(ty).unwrap_or_default().0.as_str() {
            "bool_" | "bool" => "bool",
            "c_schar" | "s8" | "__s8" | "i8" => "i8",
            "c_char" | "c_uchar" | "u8_" | "__u8" | "u8" => "u8",
            "c_short" | "s16" | "__s16" | "i16" => "i16",
            "c_ushort" | "u16_" | "__u16" | "u16" => "u16",
            "c_int" | "s32" | "__s32" | "i32" => "i32",
            "c_uint" | "u32_" | "__u32" | "u32" => "u32",
            "c_longlong" | "s64" | "__s64" | "i64" => "i64",
            "c_ulonglong" | "u64_" | "__u64" | "u64" => "u64",
            "c_long" | "isize" => "isize",
            "c_ulong" | "usize" => "usize",
            "c_void" => "c_void",
            // A pointer to a function.
            "Option" => "*const c_void",
            _ => return format!("c::{}", ty.to_token_stream()),
        }
        .into(),
        // An array.
        _ => ty.to_token_stream().to_string(),
    }
}

/// The tracepoints for which C's promise isn't in the header: `raw_tp_null_args` (kernel/bpf/btf.c)
/// names those whose argument with this number may be NULL.
const NULLABLE: [(&str, usize); 3] = [
    ("sched_pi_setprio", 1),
    ("sched_stick_numa", 2),
    ("sched_swap_numa", 2),
];

/// The tracepoints whose string with this number can change during the call: `begin_new_exec()` (fs/exec.c) passes
/// the name of a file, which `copy_name()` and `swap_names()` (fs/dcache.c) overwrite if it's renamed.
const UNSTEADY: [(&str, usize); 1] = [("task_rename", 1)];

/// Whether the target of a tracepoint's argument can change while a probe runs.
pub(crate) fn is_unsteady(name: &str, arg: usize) -> bool {
    UNSTEADY.contains(&(name, arg))
}

/// The tracepoints of this build's headers, or `None` if a tool runs the macros outside of a build.
pub(crate) fn headers() -> Option<&'static BTreeMap<&'static str, Header<'static>>> {
    static HEADERS: OnceLock<Option<BTreeMap<&str, Header<'_>>>> = OnceLock::new();
    let read = || {
        let path = env::var("TRACEPOINT_OUT").ok()? + "/declarations.rs";
        Some(parse(fs::read_to_string(path).ok()?.leak()))
    };
    HEADERS.get_or_init(read).as_ref()
}

/// Returns the header's declaration of a tracepoint of the kernel.
pub(crate) fn find(name: &Ident) -> Result<Option<&'static Header<'static>>> {
    let Some(headers) = headers() else {
        return Ok(None);
    };
    let header = headers.get(c_name(name).as_str());
    if header.is_none() {
        let error = format!(
            "none of the included headers declares a tracepoint `{name}`\nhelp: add its header in the \
             Kbuild, before the `include`: `tracepoint-headers := trace/events/…`"
        );
        return Err(Error::new(name.span(), error));
    }
    Ok(header)
}

impl Header<'_> {
    /// Whether C can call a probe with another one's data: see `TasksTraceInC`.
    pub(crate) fn mixes_probes(&self) -> bool {
        self.faultable && cfg!(CONFIG_HAVE_STATIC_CALL)
    }

    /// Whether a module can fire the tracepoint called `name`.
    pub(crate) fn can_be_fired(&self, name: &str) -> bool {
        !self.conditional && kernel_symbols::is_exported(name)
    }

    /// Returns the declaration of the tracepoint called `name`, as `kernel_tracepoint!` takes it.
    pub(crate) fn declaration(&self, name: &str) -> Result<String> {
        let signature: Signature = syn::parse_str(&format!("fn f{}", self.signature))?;
        // The first one is the probe's data.
        let args = signature.inputs.iter().skip(1).enumerate();
        let args = args.filter_map(|(i, arg)| {
            let FnArg::Typed(arg) = arg else { return None };
            let (arg, c) = (arg.pat.to_token_stream().to_string(), &arg.ty);
            let mut ty = match is_unsteady(name, i) {
                true => raw_type(c),
                false => rust_type(c),
            };
            let nullable = arg.ends_with("__nullable") || NULLABLE.contains(&(name, i));
            if nullable && ty.starts_with('&') {
                ty = format!("Option<{ty}>");
            }
            Some(format!("{arg}: {ty}"))
        });
        let args = args.collect::<Vec<_>>().join(", ");
        let doc = format!("`fn {name}({})`", short(&args));
        Ok(format!("#[doc = {doc:?}] pub fn r#{name}({args});"))
    }
}

/// Returns types without the paths in them.
pub(crate) fn short(ty: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut parts = ty.rsplit("::");
    let last = parts.next().unwrap_or_default();
    parts.fold(last.into(), |after, part| {
        part.trim_end_matches(is_name).to_owned() + &after
    })
}
