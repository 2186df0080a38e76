// SPDX-License-Identifier: GPL-2.0

//! The symbols that the kernel and other modules export: a module can use them, but a function of the
//! driver can't have such a name.
//!
//! A function of a module that has the name of one that the kernel exports would take its place for
//! all calls in the module's object. In C the compiler refuses it, since the header declares the
//! kernel's function.

use proc_macro2::Span;
use std::{cmp::Ordering, env, fs, sync::LazyLock};
use syn::{Error, Result};

/// Looks for a line in one of the sorted lists. There can be 30,000 lines, of which a module needs a few, and
/// procedural macros aren't optimised, so a set would take longer than an event.
fn contains(mut lines: &[u8], name: &str) -> bool {
    while !lines.is_empty() {
        let (before, after) = lines.split_at(lines.len() / 2);
        let is_end = |byte: &u8| *byte == b'\n';
        let start = before.iter().rposition(is_end).map_or(0, |at| at + 1);
        let end = before.len() + after.iter().position(is_end).unwrap_or(after.len());
        match name.as_bytes().cmp(&lines[start..end]) {
            Ordering::Less => lines = &lines[..start],
            Ordering::Equal => return true,
            Ordering::Greater => lines = lines.get(end + 1..).unwrap_or_default(),
        }
    }
    false
}

/// Reads one of the sorted lists that `Kbuild.include` makes. Outside of a build, it's empty.
fn read(name: &str) -> Vec<u8> {
    let dir = env::var("TRACEPOINT_OUT").unwrap_or_default();
    fs::read(format!("{dir}/{name}")).unwrap_or_default()
}

/// The exported symbols: of the kernel and of the modules that this one depends on.
static EXPORTED: LazyLock<Vec<u8>> = LazyLock::new(|| read("exported_symbols"));

/// The kernel's own tracepoints.
static KERNEL_TRACEPOINTS: LazyLock<Vec<u8>> = LazyLock::new(|| read("kernel_tracepoints"));

/// Returns whether the kernel, a module, or C in this directory exports a tracepoint.
pub(crate) fn is_exported(tracepoint: &str) -> bool {
    let here = env::var("TRACEPOINT_EXPORTS").unwrap_or_default();
    contains(&EXPORTED, &format!("__tracepoint_{tracepoint}"))
        || here.split_whitespace().any(|other| other == tracepoint)
}

/// Refuses a symbol that the kernel exports, or of a tracepoint that it has: whoever looks for this by its name
/// would find the kernel's. `what` would have the symbol.
pub(crate) fn symbol(symbol: &str, span: Span, what: &str) -> Result<()> {
    let is_taken = match symbol.strip_prefix("__tracepoint_") {
        Some(name) => contains(&KERNEL_TRACEPOINTS, name),
        None => contains(&EXPORTED, symbol),
    };
    refused_if(is_taken, symbol, span, what)
}

/// What the names of this library's and of Rust's functions start with, by which `check-events` knows them, and of
/// those for which BPF has its own rules (`bpf_check_attach_target()`, kernel/bpf/verifier.c).
const RESERVED: [&str; 8] = [
    "__",
    "_R",
    "bpf_iter_",
    "security_",
    "trace_custom_event_raw_event_",
    "trace_custom_raw_output_",
    "trace_event_raw_event_",
    "trace_raw_output_",
];

/// What LLVM calls for operations of `f32` and `f64` that core has, besides functions whose names start with `__`.
const FLOATS: [&str; 6] = ["fmax", "fmaxf", "fmin", "fminf", "fmod", "fmodf"];

/// Refuses the name of a function that would be the function's symbol, as [`symbol`] and because of the
/// symbols that the build and this library define in a module, such as `__this_module`.
pub(crate) fn function(name: &str, span: Span, what: &str) -> Result<()> {
    let is_reserved = RESERVED.iter().any(|start| name.starts_with(start))
        || FLOATS.contains(&name)
        || matches!(name, "init_module" | "cleanup_module" | "rust_build_error");
    refused_if(is_reserved || contains(&EXPORTED, name), name, span, what)
}

fn refused_if(is_taken: bool, symbol: &str, span: Span, what: &str) -> Result<()> {
    if is_taken {
        let error = format!(
            "the kernel, a module or the compiler has a symbol `{symbol}`, so {what} can't have it: use another name"
        );
        return Err(Error::new(span, error));
    }
    Ok(())
}
