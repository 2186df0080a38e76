// SPDX-License-Identifier: GPL-2.0

//! The symbols that the kernel and other modules export: a module can use them, but a function of the
//! driver can't have such a name.
//!
//! A function of a module that has the name of one that the kernel exports would take its place for
//! all calls in the module's object. In C the compiler refuses it, since the header declares the
//! kernel's function.

use crate::layers::Layer;
use proc_macro2::Span;
use std::{collections::HashSet, env, fs, sync::OnceLock};
use syn::{Error, Result};

pub(crate) static LAYER: Layer = Layer {
    symbol: check,
    ..Layer::NONE
};

/// The exported symbols: of the kernel and of the modules that this one depends on.
///
/// `Kbuild.include` names the files that list them. Without it, there's the kernel's own, whose build
/// directory Kbuild names in `OBJTREE`.
fn exported() -> &'static HashSet<&'static str> {
    static EXPORTED: OnceLock<HashSet<&'static str>> = OnceLock::new();
    EXPORTED.get_or_init(|| {
        let kernel = |_| env::var("OBJTREE").map(|dir| dir + "/Module.symvers");
        let files = env::var("TRACEPOINT_SYMVERS")
            .or_else(kernel)
            .unwrap_or_default();
        files
            .split_whitespace()
            .filter_map(|file| fs::read_to_string(file).ok())
            .flat_map(|text| {
                let lines = String::leak(text).lines();
                lines.filter_map(|line| line.split('\t').nth(1))
            })
            .collect()
    })
}

/// Returns whether the kernel, a module, or C in this directory exports a symbol.
pub(crate) fn is_exported(symbol: &str) -> bool {
    exported().contains(symbol)
        || symbol.strip_prefix("__tracepoint_").is_some_and(|name| {
            let here = env::var("TRACEPOINT_EXPORTS").unwrap_or_default();
            here.split_whitespace().any(|other| other == name)
        })
}

/// Refuses a symbol that the kernel exports, or of a tracepoint that it has. `what` would have it.
fn check(symbol: &str, span: Span, what: &str) -> Result<()> {
    if let Some(name) = symbol.strip_prefix("__tracepoint_") {
        return check_tracepoint(name, span);
    }
    if exported().contains(symbol) {
        return Err(Error::new(
            span,
            format!(
                "the kernel or a module exports a symbol `{symbol}`, so {what} can't have it: use \
                 another name"
            ),
        ));
    }
    Ok(())
}

/// Refuses to define a tracepoint that the kernel itself has: whoever looks for it by its name would find
/// the kernel's.
///
/// `Kbuild.include` makes the list of the kernel's. There's none if a tool runs the macros outside of a
/// build.
fn check_tracepoint(name: &str, span: Span) -> Result<()> {
    static KERNEL: OnceLock<String> = OnceLock::new();
    let kernel = KERNEL.get_or_init(|| {
        let path = env::var("TRACEPOINT_OUT").map(|out| out + "/kernel_tracepoints");
        path.ok()
            .and_then(|path| fs::read_to_string(path).ok())
            .unwrap_or_default()
    });
    if kernel.lines().any(|other| other == name) {
        return Err(Error::new(
            span,
            format!("the kernel itself defines a tracepoint `{name}`: use another name"),
        ));
    }
    Ok(())
}

/// Refuses the name of a function that would be the function's symbol, as [`check`] and because of the
/// symbols that the build and this library define in a module, such as `__this_module`.
pub(crate) fn check_function(name: &str, span: Span, what: &str) -> Result<()> {
    if name.starts_with("__") || matches!(name, "init_module" | "cleanup_module") {
        return Err(Error::new(
            span,
            format!("`{name}` is a reserved symbol, so {what} can't have it: use another name"),
        ));
    }
    check(name, span, what)
}
