// SPDX-License-Identifier: GPL-2.0

//! The assembly that the macros expand to.
//!
//! It's text in the expansion, and no macro of the library's, which a driver could call: `asm!` and
//! `global_asm!` are safe for a driver only where this crate writes them.
//!
//! # Adding an architecture
//!
//! Besides `tracepoint/arch/`, it needs a file here with these functions:
//!
//! | Item | C | |
//! |---|---|---|
//! | `NOP`, `ANNOTATION` | `arch_static_branch()`, `JUMP_TABLE_ENTRY()` | a NOP, and what precedes its entry in `__jump_table` |
//! | `PADDING`, `start` | what the compiler emits with `$(CC_FLAGS_FTRACE)` | before the label of a function that ftrace can trace, and after it |
//! | `RET`, `JUMP` | | return, and jump to a function of the same object |
//! | `do_trace_call` | `__DO_TRACE_CALL()` | `None` leaves it to the compiler |
//! | `static_call_tramp` | `ARCH_DEFINE_STATIC_CALL_TRAMP()` | empty if it can't select CONFIG_HAVE_STATIC_CALL |
//! | `ftrace_nothing` | | lets ftrace trace a function compiled by rustc; empty if it can't select CONFIG_CFI |
//!
//! `syntax` is an option for the syntax that they are written in.

use crate::{args::CArgs, tokens::local};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::Path;

// The host's tests have no configuration.
#[cfg(any(CONFIG_ARM64, CONFIG_LOONGARCH))]
mod generic;
#[cfg_attr(CONFIG_ARM64, path = "arm64.rs")]
#[cfg_attr(CONFIG_LOONGARCH, path = "loongarch64.rs")]
#[cfg_attr(not(any(CONFIG_ARM64, CONFIG_LOONGARCH)), path = "x86_64.rs")]
mod target;

pub(crate) use target::ftrace_nothing;

/// Returns what makes a function or a static a local symbol, as `static` does in C.
pub(crate) fn local_symbol(symbol: &str) -> TokenStream {
    quote! {
        #[export_name = #symbol]
        #[linkage = "internal"]
    }
}

/// Returns the same for a static to which assembly refers.
pub(crate) fn static_symbol(symbol: &str) -> TokenStream {
    local_symbol(symbol)
}

/// Returns the body of a probe stub, unless [`define_trace`] has one: with CONFIG_CFI, it needs the hash of its
/// type.
pub(crate) fn probestub() -> Option<TokenStream> {
    cfg!(CONFIG_CFI).then(ftrace_nothing)
}

/// Expands to a comment in the assembly, which keeps the compiler from merging a function with an equal one.
pub(crate) fn distinct(comment: &str, operand: &TokenStream) -> TokenStream {
    let text = format!("/* {comment} */");
    quote! {
        // SAFETY: This emits a comment and no instruction.
        unsafe {
            ::core::arch::asm!(#text, #operand options(nomem, nostack, preserves_flags))
        };
    }
}

/// The offset of the static key in a `struct tracepoint`, which `base/bindings/mod.rs` compares with the kernel's.
const KEY: usize = 8;

/// Expands assembly outside of functions. In a function, the compiler's error has the name of the macro.
pub(crate) fn global_asm(text: &str, operands: &TokenStream) -> TokenStream {
    let text = Literal::string(&format!("{}{text}", version()));
    let syntax = target::syntax();
    quote! {
        ::tracepoint::__private::only_outside_of_functions!(#text, #operands options(#syntax));
    }
}

/// Returns the entry for modinfo, once for each object. `Module::this()` has it, too, for modules that only probe.
fn version() -> String {
    let version = std::env::var("TRACEPOINT_VERSION").unwrap_or_default();
    let entry = section(
        ".modinfo, \"a\"",
        &format!("tracepoint.version: .asciz \"rust_tracepoint={version}\""),
    );
    format!(".ifndef tracepoint.version\n{entry}.endif\n")
}

/// Returns the text, or nothing if there's no need for it.
const fn text_if(is_needed: bool, text: &str) -> &str {
    match is_needed {
        true => text,
        false => "",
    }
}

/// Returns text for a section, whose name is followed by its flags.
pub(crate) fn section(section: &str, text: &str) -> String {
    format!(".pushsection {section}\n{text}\n.popsection\n")
}

/// Defines a symbol: a function or an object.
fn symbol(symbol: &str, kind: &str, text: &str) -> String {
    format!(".type {symbol}, %{kind}\n{symbol}:\n{text}\n.size {symbol}, . - {symbol}")
}

/// Defines a global symbol with this alignment.
fn global(symbol: &str, kind: &str, align: usize, text: &str) -> String {
    let definition = self::symbol(symbol, kind, text);
    format!(".balign {align}\n.globl {symbol}\n{definition}")
}

/// Expands a branch on the static key of a tracepoint, which is false by default.
///
/// C: `static_branch_unlikely()`.
pub(crate) fn static_branch_unlikely(name: &str) -> TokenStream {
    let (nop, annotation, syntax) = (target::NOP, target::ANNOTATION, target::syntax());
    // JUMP_TABLE_ENTRY() in arch/*/include/asm/jump_label.h
    let entry = format!(
        ".balign 8\n\
         {annotation}\
         .long 771b - ., {{enabled}} - .\n\
         .quad __tracepoint_{name} + {KEY} - ."
    );
    let text = format!("771: {nop}\n{}", section("__jump_table, \"aw\"", &entry));
    quote! {
        'enabled: {
            ::core::arch::asm!(
                #text,
                enabled = label { break 'enabled true },
                options(#syntax nomem, nostack, preserves_flags),
            );
            false
        }
    }
}

/// A function that ftrace can trace and that ends with `tail`.
///
/// C: what gcc generates with `$(CC_FLAGS_FTRACE)`.
fn ftrace_entry(entry: &str, tail: &str) -> String {
    let text = format!("{}\n{tail}", target::start(entry));
    let function = symbol(entry, "function", &text);
    section(".text", &format!("{}\n{function}", target::PADDING))
}

/// Expands a function that ftrace can trace and that jumps to another one of the same object. `alias` is a second
/// name of `entry`, which other objects don't see.
pub(crate) fn ftrace_jump(entry: &str, alias: &str, to: &str) -> TokenStream {
    let jump = format!("{} {to}\n.set {alias}, {entry}", target::JUMP);
    global_asm(&ftrace_entry(entry, &jump), &TokenStream::new())
}

/// Marks a function that calls a tracepoint. Takes no instruction.
///
/// The name in `__tracepoint_check` tells the build that the tracepoint is used
/// (`TRACEPOINT_CHECK()`).
///
/// `reference` is a reference to `__prototype_NAME_HASH`, which makes the linker and the module loader
/// refuse a module that would fire the tracepoint with other arguments than those it's defined with. For
/// a tracepoint that C defines it's empty.
fn call_site(name: &str, reference: &str) -> String {
    // objtool turns a call of `__SCT__NAME` into a static-call site, and needs `__SCK__NAME` among the
    // object's symbols for it. C: `__STATIC_CALL_ADDRESSABLE()`.
    let addressable = format!(".quad __SCK__tp_func_{name}\n");
    let addressable = text_if(cfg!(CONFIG_HAVE_STATIC_CALL_INLINE), &addressable);
    let references = format!(".balign 8\n{addressable}{reference}");
    section(".discard.addressable, \"aw\"", &references)
        + &section("__tracepoint_check, \"a\"", &format!(".asciz \"{name}\""))
}

/// Expands a call of the probes of a tracepoint, if it has any: the static call is patched to call the only
/// probe, or the iterator.
///
/// C: `__DO_TRACE_CALL()`. `operand` is the operand in `reference`, if there's one.
///
/// Kernels without static calls, and faultable tracepoints, call the iterator. When a probe takes the place
/// of another one, `tp_rcu_cond_sync()` (kernel/tracepoint.c) waits for the readers of
/// `tracepoint_srcu` only before it switches the static call. A call under the other guard could reach
/// the new function with the old one's data. The iterator takes both from one entry of the array, which
/// `release_probes()` frees after a grace period of the right kind.
pub(crate) fn do_trace_call(
    name: &str,
    reference: &str,
    operand: &TokenStream,
    c_args: &CArgs,
    faultable: bool,
) -> TokenStream {
    let site = call_site(name, reference);
    let is_static = cfg!(CONFIG_HAVE_STATIC_CALL) && !faultable;
    let assembly = is_static.then(|| target::do_trace_call(name, &site, operand, &c_args.names));
    if let Some(assembly) = assembly.flatten() {
        return assembly;
    }
    let (c_arg, c_type) = (&c_args.names, &c_args.c_types);
    let (function, call) = if is_static {
        let tracepoint = format!("__tracepoint_{name}");
        let funcs = local("funcs");
        let call = quote! {
            extern "C" {
                #[link_name = #tracepoint]
                static mut __TRACEPOINT: __p::tracepoint;
            }
            let #funcs = __p::read_volatile(&raw const __TRACEPOINT.funcs);
            if !#funcs.is_null() {
                __trampoline((&raw const (*#funcs).data).read() #(, #c_arg)*);
            }
        };
        (format!("__SCT__tp_func_{name}"), call)
    } else {
        let call = quote!(__trampoline(::core::ptr::null_mut() #(, #c_arg)*););
        (format!("__traceiter_{name}"), call)
    };
    quote! {
        extern "C" {
            #[link_name = #function]
            fn __trampoline(data: *mut __p::c_void #(, #c_arg: #c_type)*) -> __p::c_int;
        }

        ::core::arch::asm!(#site, #operand options(nomem, nostack, preserves_flags));
        #call
    }
}

/// Expands what a tracepoint has besides its statics: the entry by which the kernel finds it, the
/// trampoline of its static call, and its probe stub, which ftrace can trace.
///
/// `__prototype_NAME_HASH` is the tracepoint under a name that contains its prototype: see [`call_site`]. `hash` is
/// the operand in that.
pub(crate) fn define_trace(name: &str, hash: TokenStream, path: &Path) -> TokenStream {
    let tracepoint = format!("__tracepoint_{name}");
    let iterator = format!("__traceiter_{name}");
    let prototype = format!("__prototype_{name}_{{hash}}");
    let stub = format!("__probestub_{name}");
    // C: `__TRACEPOINT_ENTRY()`. There's nothing between two of the entries through which the kernel finds
    // tracepoints: the section's size is their number.
    let entry = if cfg!(CONFIG_HAVE_ARCH_PREL32_RELOCATIONS) {
        format!(".balign 4\n.long {tracepoint} - .")
    } else {
        format!(".balign 8\n.quad {tracepoint}")
    };
    // C: `DEFINE_STATIC_CALL()`. Without static calls, the kernel has the key too, but no trampoline. What
    // follows the function has bit 0 set, which means no `static_call_mod` list yet, and no call sites.
    let key = format!("__SCK__tp_func_{name}");
    let key_type = text_if(cfg!(CONFIG_HAVE_STATIC_CALL_INLINE), "\n.quad 1");
    let object = global(&key, "object", 8, &format!(".quad {iterator}{key_type}"));
    let mut text = [
        section(
            "__tracepoints_strings, \"a\"",
            &format!("__tpstrtab_{name}: .asciz \"{name}\""),
        ),
        section("__tracepoints_ptrs, \"a\"", &entry),
        format!(".globl {prototype}\n.set {prototype}, {tracepoint}\n"),
        format!(".globl {iterator}\n.set {iterator}, {{iterator}}\n"),
        section(".data, \"aw\"", &object),
    ]
    .concat();
    if cfg!(CONFIG_HAVE_STATIC_CALL) {
        text += &target::static_call_tramp(&format!("__SCT__tp_func_{name}"), &iterator);
    }
    // With CONFIG_CFI, the caller compares the hash of the stub's type. Only the compiler knows that, so it
    // compiles the stub. As a local symbol, C's name comes first, so kallsyms shows that.
    let stub_operand = cfg!(CONFIG_CFI).then(|| quote!(probestub = sym <#path>::__probestub,));
    text += &if cfg!(CONFIG_CFI) {
        format!(".set {stub}, {{probestub}}\n")
    } else {
        format!(".globl {stub}\n{}", ftrace_entry(&stub, target::RET))
    };
    // Keeps objtool from removing the `endbr64` of the stub, whose only pointer is in `__tracepoints`, a
    // section that objtool doesn't scan. C: `CFI_NOSEAL()`, which is for x86.
    if cfg!(CONFIG_X86_KERNEL_IBT) {
        text += &section(
            ".discard.ibt_endbr_noseal",
            &format!(".balign 8\n.quad {stub}"),
        );
    }
    global_asm(
        &text,
        &quote!(#hash #stub_operand iterator = sym <#path>::__iterator,),
    )
}

/// Expands the exports of what one tracepoint consists of.
pub(crate) fn export_tracepoint(name: &str, hash: TokenStream, license: &str) -> TokenStream {
    let mut symbols = vec![
        format!("__tracepoint_{name}"),
        format!("__traceiter_{name}"),
        format!("__SCK__tp_func_{name}"),
        format!("__prototype_{name}_{{hash}}"),
    ];
    // C: `EXPORT_STATIC_CALL()`.
    if cfg!(CONFIG_HAVE_STATIC_CALL) {
        symbols.push(format!("__SCT__tp_func_{name}"));
    }
    // C: `___EXPORT_SYMBOL()` (include/linux/export.h). modpost reads the entries and writes the symbol
    // tables.
    let entry = |symbol| {
        let entry = format!(
            "__export_symbol_{symbol}:\n\
             .asciz \"{license}\"\n\
             .asciz \"\"\n\
             .balign 8\n\
             .quad {symbol}"
        );
        section(".export_symbol, \"a\"", &entry)
    };
    let text: String = symbols.into_iter().map(entry).collect();
    global_asm(&text, &hash)
}
