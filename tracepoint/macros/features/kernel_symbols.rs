// SPDX-License-Identifier: GPL-2.0

//! The symbols that the kernel and other modules export: a module can use them, but a function of the
//! driver can't have such a name.
//!
//! A function of a module that has the name of one that the kernel exports would take its place for
//! all calls in the module's object. In C the compiler refuses it, since the header declares the
//! kernel's function.

use proc_macro2::Span;
use std::{collections::HashSet, env, fs, sync::LazyLock};
use syn::{Error, Result};

/// Returns a column of files, as far as they can be read: outside of a build, there are none.
fn column(files: &str, n: usize) -> HashSet<&'static str> {
    files
        .split_whitespace()
        .filter_map(|file| fs::read_to_string(file).ok())
        .flat_map(|text| {
            let lines = String::leak(text).lines();
            lines.filter_map(move |line| line.split('\t').nth(n))
        })
        .collect()
}

/// The exported symbols: of the kernel and of the modules that this one depends on.
///
/// `Kbuild.include` names the files that list them. Without it, there's the kernel's own, whose build
/// directory Kbuild names in `OBJTREE`.
static EXPORTED: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let kernel = |_| env::var("OBJTREE").map(|dir| dir + "/Module.symvers");
    let files = env::var("TRACEPOINT_SYMVERS").or_else(kernel);
    column(&files.unwrap_or_default(), 1)
});

/// The names of the kernel's own tracepoints, of which `Kbuild.include` makes a list.
static KERNEL_TRACEPOINTS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let files = env::var("TRACEPOINT_OUT").map(|out| out + "/kernel_tracepoints");
    column(&files.unwrap_or_default(), 0)
});

/// Returns whether the kernel, a module, or C in this directory exports a tracepoint.
pub(crate) fn is_exported(tracepoint: &str) -> bool {
    let here = env::var("TRACEPOINT_EXPORTS").unwrap_or_default();
    EXPORTED.contains(&*format!("__tracepoint_{tracepoint}"))
        || here.split_whitespace().any(|other| other == tracepoint)
}

/// Refuses a symbol that the kernel exports, or of a tracepoint that it has: whoever looks for this by its name
/// would find the kernel's. `what` would have the symbol.
pub(crate) fn symbol(symbol: &str, span: Span, what: &str) -> Result<()> {
    let is_taken = match symbol.strip_prefix("__tracepoint_") {
        Some(name) => KERNEL_TRACEPOINTS.contains(name),
        None => EXPORTED.contains(symbol),
    };
    refused_if(is_taken, symbol, span, what)
}

/// Refuses the name of a function that would be the function's symbol, as [`symbol`] and because of the
/// symbols that the build and this library define in a module, such as `__this_module`.
pub(crate) fn function(name: &str, span: Span, what: &str) -> Result<()> {
    let is_reserved = name.starts_with("__")
        || matches!(name, "init_module" | "cleanup_module" | "rust_build_error");
    refused_if(is_reserved || EXPORTED.contains(name), name, span, what)
}

fn refused_if(is_taken: bool, symbol: &str, span: Span, what: &str) -> Result<()> {
    if is_taken {
        let error = format!(
            "the kernel or a module has a symbol `{symbol}`, so {what} can't have it: use another name"
        );
        return Err(Error::new(span, error));
    }
    Ok(())
}
