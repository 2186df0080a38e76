// SPDX-License-Identifier: GPL-2.0

//! The procedural macros of the tracepoint library.
//!
//! `grammar.rs` parses; `tracepoint.rs`, `event.rs`, `structs.rs`, `symbols.rs` and others expand. What they
//! expand to refers to `tracepoint::__private`.
//!
//! The library re-exports the macros, and their documentation is rendered there. So their links are
//! relative to one of its pages.
//!
//! An expansion is unsafe code in a driver that may forbid it, hence `allow_internal_unsafe`; and
//! what's `static` in C has internal linkage.

// The attributes are internal to the compiler, as in the kernel crate's own macros.
#![allow(internal_features)]
#![deny(missing_docs)]
#![feature(
    allow_internal_unsafe,
    allow_internal_unstable,
    proc_macro_def_site,
    proc_macro_span
)]

use base::{
    event::{errno, number, show},
    hash, prototype, text,
};
use diag::DiagCtxt;
use model::{Definition, Origin};
use proc_macro::TokenStream as Tokens;
use proc_macro2::TokenStream;
use syn::{Error, Path};

mod arch;
mod args;
// Shared with the library, which uses more of it.
#[allow(dead_code, unreachable_pub)]
#[path = "../base"]
mod base {
    pub(crate) mod hash;
    pub(crate) mod prototype;
    pub(crate) mod text;

    pub(crate) mod event {
        pub(crate) mod errno;
        pub(crate) mod number;
        pub(crate) mod show;
    }
}
mod cfg;
mod compiler;
mod computed;
mod derive;
mod diag;
mod event;
mod expand;
#[cfg(test)]
#[path = "../../tests/macros/expansions.rs"]
mod expansions;
mod expression;
mod field;
mod flatten;
#[cfg(test)]
#[path = "../../tests/macros/fuzz.rs"]
mod fuzz;
mod grammar;
mod headers;
mod hygiene;
mod instrument;
mod kernel_symbols;
mod kernel_tracepoint;
mod layers;
mod lower;
mod model;
mod print;
mod recorder;
mod schema;
mod span;
mod structs;
mod symbols;
mod tables;
mod template;
#[cfg(test)]
#[path = "../../tests/macros/declarations.rs"]
mod tests;
mod tokens;
mod traceable;
mod tracepoint;
mod types;
mod value;

/// Declares tracepoints, for the module that defines them and for those that probe or fire them.
///
/// C: `DECLARE_TRACE_EVENT()`, and with `if` or `faultable` its `_CONDITION` and `_SYSCALL` forms.
/// The name gets no `_tp` suffix.
///
/// ```
/// tracepoint! {
///     /// A request has been queued.
///     pub fn drv_queue(name: &CStr, sector: u64, data: &[u8]);
///
///     /// Called only for every tenth request.
///     pub fn drv_tenth(n: u32) if n % 10 == 0;
///
///     /// Probes may read user memory.
///     pub faultable fn drv_ioctl(cmd: u32, arg: usize);
/// }
/// ```
///
/// # Grammar
///
/// ```text
/// { attributes [visibility] ["faultable"] "fn" name "(" arguments ")"
///   ["if" condition] ";" }
/// ```
///
/// - The tracepoint and its arguments can have documentation, the tracepoint also `#[cfg(…)]`.
/// - The arguments have the types in [`tracepoint::args`] and pass at most twelve words, two for a slice or a
///   `&str`. The name and the arguments can't be generic.
/// - The probes of a `faultable` tracepoint may fault and sleep. It must be fired in process context that may
///   sleep, and can't have a condition.
/// - A condition is evaluated only if a probe is registered, and must not have side effects. Its arithmetic
///   wraps, and anything in it that could panic is a build error.
///
/// # The tracepoint
///
/// Each declaration becomes a type with the tracepoint's name. [`trace!`] fires it. The type has these
/// functions:
///
/// - `NAME::enabled()` returns whether a probe is registered. C: `trace_NAME_enabled()`. Any
///   context where RCU is watching.
/// - `NAME::call(…)` calls the probes without testing the static key, for use after
///   `NAME::enabled()`. C: `trace_call__NAME()`. Same context as for [`trace!`].
///
/// The name is also a value, with the functions of the trait [`Register`]:
///
/// - `NAME.register(probe)`, `NAME.register_prio(probe, prio)` attach a [`Probe`]. C:
///   `register_trace_NAME()`, `register_trace_prio_NAME()`.
/// - `NAME.register_unchecked(probe, prio)` attaches one to a tracepoint that's defined in C. This is unsafe.
///
/// # Errors
///
/// Other arguments, a name that the kernel exports as a symbol, and a name declared twice are build errors. The
/// prototypes of all modules are compared:
///
/// - A module that fires a tracepoint needs the same declaration as the module that defines it. Otherwise, or
///   if the tracepoint is defined in C, the build fails, and the module loader reports the missing symbol
///   `__prototype_NAME_HASH`.
/// - A probe with another declaration isn't attached: see [`Probe`].
///
/// [`tracepoint::args`]: ../tracepoint/args/index.html
/// [`trace!`]: ../tracepoint/macro.trace.html
/// [`Register`]: ../tracepoint/trait.Register.html
/// [`Probe`]: ../tracepoint/struct.Probe.html
#[proc_macro]
#[allow_internal_unsafe]
#[allow_internal_unstable(linkage)]
pub fn tracepoint(input: Tokens) -> Tokens {
    hygiene::expand(input, expand::tracepoints)
}

/// Declares tracepoints of the kernel, so that a module can probe them, and fire those that are exported.
///
/// [`tracepoint::linux`] already declares all of them. Use this macro for arguments of other types, such as
/// `Option<&Task>` instead of `&Task`.
///
/// C: `#include <trace/events/….h>`.
///
/// ```
/// kernel_tracepoint! {
///     /// A CPU goes from one task to another.
///     pub fn sched_switch(preempt: bool, prev: &Task, next: Option<&Task>, prev_state: u32);
/// }
///
/// let probe = sched_switch.register(|_preempt, prev, _next, _state| {
///     pr_info!("from {}\n", prev.pid());
/// })?;
/// ```
///
/// # Grammar
///
/// ```text
/// { attributes [visibility] "fn" name "(" arguments ")" ";" }
/// ```
///
/// The declaration is C's `TP_PROTO()` in Rust types. The compiler checks it against the kernel's
/// headers in `include/trace/events/`, and accepts no type that promises more than C's: see
/// [`FromKernel`]. The default headers are listed in `tracepoint/layers/linux/prototypes.h`. To use other
/// headers, name them in `tracepoint-headers` in the Kbuild file. By naming a header you vouch that
/// each `const char *` in its tracepoints is a string.
///
/// # The tracepoint
///
/// Each declaration becomes a type whose name is also a value with the functions of the trait [`Register`],
/// which attach a [`Probe`]. The probe isn't called if C passes NULL for a reference; use
/// `Option<&T>` to receive such calls.
///
/// The tracepoint is found by its name. A foreign module is as wrong to define a tracepoint of that
/// name with other arguments as to export another function under the name of one of the kernel's.
///
/// A tracepoint that the kernel or a module exports (`EXPORT_TRACEPOINT_SYMBOL()`) also has the functions
/// of [`tracepoint!`], and [`trace!`] fires it. `call` and `trace!` are
/// unsafe: C's probes may rely on more than the types guarantee.
///
/// # Errors
///
/// It's a build error if none of the headers declares the tracepoint, or if it's declared with other arguments.
/// Firing a tracepoint that isn't exported, or that has a condition in C, is also a build error: the condition
/// is part of an inline function in the header.
///
/// [`tracepoint::linux`]: ../tracepoint/linux/index.html
/// [`FromKernel`]: ../tracepoint/linux/trait.FromKernel.html
/// [`Register`]: ../tracepoint/trait.Register.html
/// [`Probe`]: ../tracepoint/struct.Probe.html
/// [`tracepoint!`]: ../tracepoint/macro.tracepoint.html
/// [`trace!`]: ../tracepoint/macro.trace.html
#[proc_macro]
#[allow_internal_unsafe]
#[allow_internal_unstable(linkage)]
pub fn kernel_tracepoint(input: Tokens) -> Tokens {
    hygiene::expand(input, expand::kernel_tracepoints)
}

/// Declares the tracepoints of all headers that the build uses, in a module for each system.
#[doc(hidden)]
#[proc_macro]
#[allow_internal_unsafe]
pub fn header_tracepoints(_: Tokens) -> Tokens {
    kernel_tracepoint::modules().into()
}

/// Declares and defines trace events, which ftrace, perf and BPF can record.
///
/// C: `TRACE_EVENT()`, `_CONDITION`, `_FN`, `_FN_COND`, `_SYSCALL`; with `class`
/// `DECLARE_EVENT_CLASS()`, `DEFINE_EVENT()`, `_CONDITION`, `_FN`, `_PRINT`.
///
/// An event is a tracepoint as declared by [`tracepoint!`]. [`trace!`] fires it, and it can be probed and
/// exported; another module that does so declares it with [`tracepoint!`]. ftrace shows it as
/// `events/SYSTEM/NAME`.
///
/// ```
/// trace_event! {
///     system: "drv";
///
///     /// A request has been queued.
///     pub fn drv_queued(name: &CStr, sector: u64, flags: u32) if flags != 0 {
///         name: Str = name,
///         sector: u64 = sector,
///         flags: u32 as "unsigned int" = flags,
///     }
///     print "{name} at {sector:#x}: {bits}",
///         bits = print_flags(flags, "|", { 1 => "SYNC", 2 => "META" });
/// }
///
/// trace!(drv_queued(c"sda", 0x800, 3));
/// ```
///
/// # Grammar
///
/// ```text
/// "system" ":" string ";" { event | class }
///
/// event  = attributes [visibility] ["faultable" | kind] "fn" name "(" arguments ")"
///          ["if" condition] fields "print" print ["with" with] ";"
/// kind   = ["async"] "span" | "instant" | "counter"
/// class  = attributes ["faultable"] "class" name "(" arguments ")"
///          fields "print" print ["with" with] "events" "{" { member } "}"
/// member = attributes [visibility] "fn" name ["if" condition]
///          ["print" print] ["with" with] ";"
/// fields = "{" { "let" pattern "=" expression ";" }
///              { attributes name ":" type ["as" string] "=" expression "," } "}"
/// print  = string { "," name "=" value }
/// with   = "{" { option ":" value "," } "}"
/// ```
///
/// - The name of a system consists of ASCII letters, digits, `_`, `-` and `.`.
/// - The arguments, `faultable` and the condition are those of [`tracepoint!`].
/// - Events, classes, fields and arguments can have documentation, events and classes also `#[cfg(…)]`.
///
/// # Fields
///
/// A field is a name, a [type], and the expression that computes its value, which can use the event's
/// arguments. A `let` statement before the first field is evaluated once, for all fields.
///
/// The expressions run once for each trace buffer and once for perf, with preemption disabled and before space
/// is reserved in the buffer. They must not sleep, nor lock a `SpinLock` or a `Mutex`, not even in the `Display`
/// implementation of what they format. Their arithmetic wraps, and anything that could panic is a build error.
///
/// | | Meaning |
/// |---|---|
/// | `flags: u32 as "unsigned int" = flags` | the C type in the `format` file, if it should differ from the default for the Rust type |
/// | `#[filter(CPU)]` | the filter type, as in C: `CPU` for a number, `TRACE_FN` for an address, `PTR_STRING` for a pointer to a string |
/// | `#[shown]` | makes it an error if the template doesn't show the field |
/// | `#[flatten]` | makes a field of each member of a struct with [`#[derive(TraceFields)]`][TraceFields] |
///
/// # The template
///
/// The kernel prints a record with this template, and tools such as trace-cmd decode it with the `print fmt`
/// that's made from it. It consists of text and placeholders: `{name}` or `{name:spec}`. In the text, `{{`,
/// `}}` and `%%` stand for `{`, `}` and `%`. Without a spec, the type determines how a value is shown.
///
/// | `spec` | C | For |
/// |---|---|---|
/// | `x`, `#x`, `08x`, `X`, `o`, `5`, `<5`, `+`, `c` | `%x`, `%#x`, `%08x`, `%X`, `%o`, `%5d`, `%-5d`, `%+d`, `%c` | numbers |
/// | `10`, `>10`, `.5` | `%-10s`, `%10s`, `%.5s` | strings |
/// | `width$`, `.len$` | `%*d`, `%.*s` | the number is in another field |
/// | `p`, `px`, `pS`, `ps` | the same | pointers, numbers of 64 bits |
/// | `pM`, `pMF`, `pMR`, `pm`, `pmR` | the same | `[u8; 6]` |
/// | `pI4`, `pi4` | the same | `[u8; 4]` |
/// | `pI6`, `pi6`, `pI6c`, `pU`, `pUb`, `pUB`, `pUl`, `pUL` | the same | `[u8; 16]` |
/// | `pIS`, `pISp`, `pISc`, `pISpc` | the same | `SockAddr`, `DynArray<u8>` |
/// | `pad`, `pap` | the same | `u64` |
/// | `ph`, `phN`, `phC`, `phD` | `%*ph`, … | arrays; the last two only for `DynArray` |
/// | `errno` | `%pe` | signed numbers |
/// | `dev_t` | `MAJOR()`, `MINOR()` | `u32` |
/// | `print_hex`, `print_hex_str`, `print_hex_dump`, `print_array` | `__print_hex()`, … | arrays, structs |
/// | `print_ns_to_secs`, `print_ns_without_secs` | `__print_ns_to_secs()`, … | numbers |
/// | `len` | `__get_dynamic_array_len()` | arrays |
/// | `list` | `%*pbl` | `Bitmask`, `Cpumask` |
///
/// A value that isn't a field is defined after the template and computed when someone reads the trace:
///
/// ```
/// trace_event! {
///     system: "drv";
///
///     /// A transfer has ended.
///     fn drv_transfer(dev: u32, sector: u64, error: i32, data: &[u8]) {
///         dev: u32 = dev,
///         sector: u64 = sector,
///         error: i32 = error,
///         data: DynArray<u8> = data,
///     }
///     print "{major}:{minor} at {offset:#x}: {state}, {result}, {data:print_hex}",
///         major = dev >> 20,
///         minor = dev & 0xfffff,
///         offset = sector << 9,
///         state = if error < 0 { "failed" } else { "ok" },
///         result = print_symbolic(error, { 0 => "ok", -20..=-1 => "old", _ => "other" });
/// }
/// ```
///
/// Such a value is an expression of fields, literals and constants, with the operators and `as` of Rust, `if`
/// and `match`; a string; or one of these:
///
/// | | C |
/// |---|---|
/// | `print_symbolic(number, { value => "text", … })` or `(number, Type)` | `__print_symbolic()` |
/// | `print_flags(number, "delimiter", { value => "text", … })` or `(number, Type)` | `__print_flags()` |
/// | `print_hex(data, len)`, `print_hex_str`, `print_array`, `phC`, `phD` | `__print_hex()`, … |
/// | `print_hex_dump(prefix, DUMP_PREFIX_OFFSET, row, group, data, len, ascii)` | `__print_hex_dump()` |
///
/// `Type` has [`TraceEnum`], or is a type of flags with [`TraceFlags`].
///
/// # Options
///
/// `with { … }` accepts, in any order:
///
/// - `reg: function, unreg: function`: the hooks of [`define_trace!`];
/// - `flags: CAP_ANY`: any user may count the event with perf. C: `TRACE_EVENT_FLAGS()`;
/// - `perf_perm: function`: a `fn(&`[`PerfEvent`]`) -> Result` that decides who may use the event with perf. It
///   runs in process context, under `event_mutex`; its error is that of `perf_event_open()`.
///   C: `TRACE_EVENT_PERF_PERM()`;
/// - `perf_count: expression`: a `u64`, how often perf counts the event. C: `__perf_count()`.
///
/// # Classes
///
/// Events with the same arguments and fields can share them, and the code that records them. An event of a class
/// can have its own condition, template and hooks; `perf_count` belongs to the class:
///
/// ```
/// trace_event! {
///     system: "drv";
///
///     /// What the events below have in common.
///     class drv_end(sector: u64, error: i32) {
///         sector: u64 = sector,
///         error: i32 = error,
///     }
///     print "{sector}: {error:errno}"
///     events {
///         /// A request has ended.
///         pub fn drv_end;
///         /// It has failed.
///         pub fn drv_failed if error < 0;
///         /// Shown in another way.
///         pub fn drv_retried print "{sector} again";
///     }
/// }
/// ```
///
/// # Kinds
///
/// | | | begun or fired with |
/// |---|---|---|
/// | `span fn` | has a begin and an end | [`span!`], [`#[instrument]`][instrument] |
/// | `async span fn` | can end elsewhere | [`async_span!`] |
/// | `instant fn` | a moment on the track of the spans | [`trace!`] |
/// | `counter fn` | a number that changes, in the field `counter_value` | [`trace!`] |
///
/// The record of a span starts with the fields `track_event_type`, `slice_name`, `id`, `duration` and `result`,
/// by Perfetto's convention. A span has no condition and isn't `faultable`. `docs/spans.md` has the details.
///
/// # Errors
///
/// All errors are found when the module is built, at the place in question: a placeholder that isn't a field, a
/// spec that doesn't suit its type, a value that could panic, a field with padding, fields that take more than a
/// page of the trace buffer (some 4 KiB). After compilation, the build also checks the object code: it fails if a
/// field or a condition calls a function that can panic.
///
/// When the event fires, a record of more than 65535 bytes, or one that doesn't fit into the buffer, is dropped.
/// Nothing is recorded if C passes NULL for a reference.
///
/// [type]: ../tracepoint/event/field/index.html
/// [TraceFields]: ../tracepoint/event/derive.TraceFields.html
/// [instrument]: ../tracepoint/attr.instrument.html
/// [`PerfEvent`]: ../tracepoint/event/struct.PerfEvent.html
/// [`TraceEnum`]: ../tracepoint/event/derive.TraceEnum.html
/// [`TraceFlags`]: ../tracepoint/event/derive.TraceFlags.html
/// [`define_trace!`]: ../tracepoint/macro.define_trace.html
/// [`tracepoint!`]: ../tracepoint/macro.tracepoint.html
/// [`trace!`]: ../tracepoint/macro.trace.html
/// [`span!`]: ../tracepoint/macro.span.html
/// [`async_span!`]: ../tracepoint/macro.async_span.html
#[proc_macro]
#[allow_internal_unsafe]
#[allow_internal_unstable(linkage)]
pub fn trace_event(input: Tokens) -> Tokens {
    hygiene::expand(input, |input| expand::events(input, Origin::Own))
}

/// Declares events on tracepoints of the kernel that record something other than the kernel's own
/// events do.
///
/// C: `TRACE_CUSTOM_EVENT()`, and with `class` `DECLARE_CUSTOM_EVENT_CLASS()`, `DEFINE_CUSTOM_EVENT()`.
///
/// ```
/// trace_custom_event! {
///     system: "drv_sched";
///
///     /// A task moves to another CPU.
///     pub fn sched_migrate_task(task: &Task, dest_cpu: i32) {
///         pid: i32 as "pid_t" = task.pid(),
///         cpu: i32 = dest_cpu,
///     }
///     print "pid={pid} cpu={cpu}";
/// }
/// ```
///
/// The grammar is that of [`trace_event!`], without `faultable`, kinds and `with`. The name and the arguments
/// are those of the tracepoint, which the compiler checks: see [`kernel_tracepoint!`], also for calls with NULL.
/// There is no perf event, as in C.
///
/// The event finds its tracepoint by itself, before it can be enabled. In C, the module has to call
/// `trace_custom_event_NAME_update()` for each tracepoint of the kernel. If there is no such tracepoint, the
/// event isn't created and a message is logged.
///
/// [`trace_event!`]: ../tracepoint/event/macro.trace_event.html
/// [`kernel_tracepoint!`]: ../tracepoint/macro.kernel_tracepoint.html
#[proc_macro]
#[allow_internal_unsafe]
#[allow_internal_unstable(linkage)]
pub fn trace_custom_event(input: Tokens) -> Tokens {
    hygiene::expand(input, |input| expand::events(input, Origin::Kernel))
}

/// Declares a struct that a tracepoint can pass a reference to, also to other modules and to BPF.
///
/// A probe can outlive the module that fires the tracepoint, so `'static` isn't allowed in it. A
/// struct with references has a lifetime:
///
/// ```
/// tracepoint_struct! {
///     /// One request, as the driver sees it.
///     pub struct Request<'a> {
///         pub name: &'a CStr,
///         pub sector: u64,
///         pub len: u32,
///     }
/// }
///
/// tracepoint! {
///     /// A request has been merged.
///     pub fn drv_merge(request: &Request<'_>);
/// }
/// ```
///
/// The struct gets C's layout. Its name, fields, their types and privacy, its attributes, size and
/// alignment are part of the prototype, so that a probe built with another version of it is refused with
/// `EINVAL`.
///
/// The grammar is that of a struct with named fields and at most one lifetime. Its fields have the types in
/// [`tracepoint::args`], or are arrays of these.
///
/// For a type that no other module uses, [`#[derive(TracepointArg)]`][TracepointArg] is enough.
///
/// C: a struct in the header that declares the tracepoint.
///
/// [`tracepoint::args`]: ../tracepoint/args/index.html
/// [TracepointArg]: ../tracepoint/derive.TracepointArg.html
#[proc_macro]
#[allow_internal_unsafe]
pub fn tracepoint_struct(input: Tokens) -> Tokens {
    hygiene::expand(input, expand::tracepoint_struct)
}

/// Expands a list of paths or definitions.
fn each<T: syn::parse::Parse>(
    input: Tokens,
    expand: impl Fn(&T) -> syn::Result<TokenStream>,
) -> Tokens {
    hygiene::expand(input, |input| {
        DiagCtxt::with(|dcx| {
            let list = dcx.check(grammar::list::<T>(input))?;
            let expanded = list.iter().flat_map(|item| dcx.check(expand(item)));
            Ok(expanded.collect())
        })
    })
}

/// Defines tracepoints that [`tracepoint!`] declares. Only once, in one module.
///
/// C: `DEFINE_TRACE()`, with hooks `DEFINE_TRACE_FN()`, for a `faultable` tracepoint
/// `DEFINE_TRACE_SYSCALL()`.
///
/// ```
/// tracepoint! {
///     fn drv_start(queue: u32);
///     fn drv_stop(queue: u32);
/// }
///
/// define_trace!(drv_start);
/// define_trace!(drv_stop { reg: start_counting, unreg: stop_counting });
///
/// /// Runs before the first probe is registered.
/// fn start_counting() -> Result {
///     Ok(())
/// }
///
/// /// Runs after the last probe has been unregistered.
/// fn stop_counting() {}
/// ```
///
/// # Grammar
///
/// ```text
/// { path [ "{" "reg" ":" function "," "unreg" ":" function "}" ] "," }
/// ```
///
/// # Hooks
///
/// `reg` is a `fn() -> Result`. If it returns an error, the registration fails with it. `unreg` is a `fn()`.
///
/// They run in process context, under `tracepoints_mutex`: they may sleep, but must not register or unregister
/// a probe, nor wait for a module to be loaded or unloaded. The probe can still be called during `unreg` and
/// after it, as in C. A probe that waits for the module attaches before the module's `init`, so the hooks can
/// run before and after the module's lifetime.
///
/// What hooks leave registered, such as a thread that has been forgotten, is shut down when the
/// module is unloaded. If the module has registered nothing outside of its hooks, that happens as
/// soon as the last of its tracepoints with hooks is disabled.
///
/// # Errors
///
/// Defining a tracepoint of the kernel, one that isn't declared, or one twice is a build error.
///
/// [`tracepoint!`]: ../tracepoint/macro.tracepoint.html
#[proc_macro]
#[allow_internal_unsafe]
#[allow_internal_unstable(linkage)]
pub fn define_trace(input: Tokens) -> Tokens {
    each::<Definition>(input, |definition| {
        tracepoint::define(definition, None).map(tracepoint::Expansion::items)
    })
}

/// Exports tracepoints that this module defines to modules with a GPL-compatible licence, in C too,
/// so that they can fire and probe them.
///
/// C: `EXPORT_TRACEPOINT_SYMBOL_GPL()`.
///
/// ```
/// tracepoint! { pub fn drv_reset(); }
///
/// define_trace!(drv_reset);
/// export_tracepoint_symbol_gpl!(drv_reset);
/// ```
///
/// It takes one path, or several that are separated by commas. A probe in Rust finds a tracepoint by its name,
/// exported or not.
#[proc_macro]
#[allow_internal_unsafe]
pub fn export_tracepoint_symbol_gpl(input: Tokens) -> Tokens {
    each::<Path>(input, |path| tracepoint::export(path, "GPL"))
}

/// Exports tracepoints that this module defines to every module.
///
/// C: `EXPORT_TRACEPOINT_SYMBOL()`. Otherwise like [`export_tracepoint_symbol_gpl!`].
///
/// [`export_tracepoint_symbol_gpl!`]: ../tracepoint/macro.export_tracepoint_symbol_gpl.html
#[proc_macro]
#[allow_internal_unsafe]
pub fn export_tracepoint_symbol(input: Tokens) -> Tokens {
    each::<Path>(input, |path| tracepoint::export(path, ""))
}

/// Makes a function visible to ftrace, under its name.
///
/// C: any function without `notrace`. Functions that rustc compiles are invisible to ftrace on x86-64.
///
/// ```
/// /// Starts the queue.
/// #[traceable]
/// fn drv_start_queue(queue: u32) -> Result {
///     pr_info!("queue {queue}\n");
///     Ok(())
/// }
/// ```
///
/// The arguments are those that a tracepoint can have ([`tracepoint::args`]), and are passed as C would pass
/// them. The result can be nothing, an integer, a `bool`, or a `Result`, which becomes an errno. BTF describes
/// both, for fprobe events and BPF.
///
/// The function must be safe. It's a build error if it's generic, `async` or a method, or if the kernel exports
/// its name. The attribute takes no arguments.
///
/// [`tracepoint::args`]: ../tracepoint/args/index.html
#[proc_macro_attribute]
#[allow_internal_unsafe]
#[allow_internal_unstable(linkage)]
pub fn traceable(attr: Tokens, input: Tokens) -> Tokens {
    if !attr.is_empty() {
        let attr = TokenStream::from(attr);
        return Error::new_spanned(attr, "`#[traceable]` takes no arguments")
            .into_compile_error()
            .into();
    }
    hygiene::expand(input, |input| {
        let function = match syn::parse2(input) {
            Ok(function) => function,
            Err(error) => return error.into_compile_error(),
        };
        traceable::expand(&function).unwrap_or_else(|error| {
            // What calls the function has no error.
            let error = error.into_compile_error();
            quote::quote!(#function #error)
        })
    })
}

/// Makes a function a span: it begins with the function and ends when the function returns, by whatever
/// way. If the return type is called `Result`, what the function returns is the span's result.
///
/// The attribute's argument is that of [`span!`]: the span, and its arguments, which can use those of the
/// function. C has no equivalent.
///
/// ```
/// trace_event! {
///     system: "drv";
///
///     /// Copying a request's data.
///     span fn drv_copy(queue: u32, sector: u64) {
///         queue: u32 = queue,
///         sector: u64 = sector,
///     }
///     print "queue {queue} sector {sector}";
/// }
///
/// #[instrument(drv_copy(queue, sector))]
/// fn copy(queue: u32, sector: u64) -> Result {
///     if sector > 1000 {
///         return Err(EIO);
///     }
///     Ok(())
/// }
/// ```
///
/// The same contexts as for [`span!`].
///
/// [`span!`]: ../tracepoint/macro.span.html
#[proc_macro_attribute]
pub fn instrument(attr: Tokens, input: Tokens) -> Tokens {
    instrument::expand(attr.into(), input.into()).into()
}

/// Lets a [`Struct<T>`] field have this type, without `unsafe`.
///
/// The struct must be `Copy` and have a `#[repr(C)]`. Its members must be numbers, enums, flags, arrays or
/// other structs with the derive, and there must be no padding, which would show old memory contents to
/// the reader. The compiler checks this.
///
/// ```
/// #[derive(Clone, Copy, TraceStruct)]
/// #[repr(C)]
/// struct Pair {
///     first: u32,
///     second: u32,
/// }
///
/// trace_event! {
///     system: "drv";
///
///     fn drv_pair(first: u32) {
///         pair: Struct<Pair> as "struct pair" = Pair { first, second: 2 },
///     }
///     print "{pair:print_hex}";
/// }
/// ```
///
/// C: `__field_struct()`. Filters can't use its members: see [`TraceFields`].
///
/// [`Struct<T>`]: ../tracepoint/event/field/struct.Struct.html
/// [`TraceFields`]: ../tracepoint/event/derive.TraceFields.html
#[proc_macro_derive(TraceStruct)]
#[allow_internal_unsafe]
pub fn derive_trace_struct(input: Tokens) -> Tokens {
    hygiene::expand(input, derive::trace_struct)
}

/// Lets a reference to any struct or enum of the driver be an argument of its tracepoints and events.
///
/// The type may contain anything, such as a `KVec<T>`, an `ARef<T>` or an `Instant`, and it can have
/// lifetimes, but no other generics. Only the module that declares it can fire and probe these tracepoints: for
/// others, use [`tracepoint_struct!`], whose fields are known to them and to BPF.
///
/// ```
/// use kernel::{
///     sync::aref::ARef,
///     time::{Instant, Monotonic},
/// };
///
/// #[derive(TracepointArg)]
/// struct Job<'a> {
///     owner: ARef<Task>,
///     data: KVec<u8>,
///     name: &'a CStr,
///     start: Instant<Monotonic>,
/// }
///
/// trace_event! {
///     system: "drv";
///
///     fn drv_job(job: &Job<'_>) {
///         name: Str = job.name,
///         data: DynArray<u8> = &job.data,
///         start: Instant<Monotonic> = job.start,
///     }
///     print "{name}: {data:print_hex} at {start}";
/// }
/// ```
///
/// C: a pointer to a struct of the driver.
///
/// [`tracepoint_struct!`]: ../tracepoint/macro.tracepoint_struct.html
#[proc_macro_derive(TracepointArg)]
#[allow_internal_unsafe]
pub fn derive_tracepoint_arg(input: Tokens) -> Tokens {
    hygiene::expand(input, derive::tracepoint_arg)
}

/// Makes a struct one whose members can become fields of an event, which filters and histograms can use:
///
/// ```
/// #[derive(Clone, Copy, TraceEnum)]
/// #[repr(u8)]
/// enum JobOp {
///     Read = 0,
///     Write = 1,
/// }
///
/// #[derive(TraceFields, TracepointArg)]
/// struct Job<'a> {
///     op: JobOp,
///     sector: u64,
///     name: &'a CStr,
///     #[skip]
///     data: KVec<u8>,
/// }
///
/// trace_event! {
///     system: "drv";
///
///     fn drv_job_queued(job: &Job<'_>) {
///         #[flatten]
///         job: Job<'_> = job,
///         len: usize = job.data.len(),
///     }
///     print "{job_name}: {job_op} at {job_sector}, {len} bytes";
/// }
/// ```
///
/// A member with a `&CStr` or a `&str` becomes a `Str`, and one with a slice a `DynArray<T>`; the others
/// must be [types that a field can have]. `#[skip]` leaves one out. A member can have `#[flatten]`, too, if
/// its type has the derive.
///
/// The derive declares a macro with the name of the struct, which `use` imports together with it. C has no
/// equivalent.
///
/// [types that a field can have]: ../tracepoint/event/field/index.html
#[proc_macro_derive(TraceFields, attributes(skip, flatten))]
pub fn derive_trace_fields(input: Tokens) -> Tokens {
    flatten::derive(input.into()).into()
}

/// The second half of a macro with `#[flatten]` in its input.
#[doc(hidden)]
#[proc_macro]
#[allow_internal_unsafe]
#[allow_internal_unstable(linkage)]
pub fn flattened(input: Tokens) -> Tokens {
    let expanded = DiagCtxt::with(|dcx| {
        let (origin, input) = dcx.check(flatten::flattened(input.into()))?;
        Ok(expand::events(input, origin))
    });
    expanded.into()
}

/// Shows the values of an enum by name wherever a field has its type.
///
/// C: `TRACE_DEFINE_ENUM()` for each value, and `__print_symbolic()` in each event.
///
/// The enum must be `Copy`, its variants have no fields, and it has a `#[repr(u8)]` or that of another integer,
/// which it is in C. It can be an argument, a field, an element of an array and an `Option`. A variant is shown
/// by its own name, or by that which `#[name = "text"]` gives it.
///
/// ```
/// /// What a request does.
/// #[derive(Clone, Copy, TraceEnum)]
/// #[repr(u8)]
/// enum Direction {
///     Read = 0,
///     #[name = "WR"]
///     Write = 1,
/// }
/// ```
#[proc_macro_derive(TraceEnum, attributes(name))]
#[allow_internal_unsafe]
pub fn derive_trace_enum(input: Tokens) -> Tokens {
    hygiene::expand(input, symbols::derive_trace_enum)
}

/// Shows flags by name wherever a field has their type.
///
/// C: `__print_flags()` in each event.
///
/// It's derived for an enum of the flags. `#[flags(Type, "|")]` has the type that combines them, a struct around
/// an integer, and what is shown between two of them. The kernel crate's [`impl_flags!`] declares such types:
///
/// ```
/// kernel::impl_flags!(
///     /// How a request is handled.
///     #[derive(Clone, Copy)]
///     pub struct RequestFlags(u32);
///
///     /// One of them.
///     #[derive(Clone, Copy, TraceFlags)]
///     #[flags(RequestFlags, "|")]
///     pub enum RequestFlag {
///         #[name = "none"]
///         None = 0,
///         #[name = "SYNC"]
///         Sync = 1 << 0,
///         #[name = "META"]
///         Meta = 1 << 1,
///     }
/// );
///
/// let flags = RequestFlag::Sync | RequestFlag::Meta;
/// ```
///
/// A flag can consist of several bits. The name of 0 is that of a value without flags. Otherwise, the variants are like
/// those of an enum with [`TraceEnum`]. Without `impl_flags!`, the enum needs a `#[repr(u32)]`, or that of another
/// integer, and the struct a member of the same type; then its flags can also be constants that exist:
///
/// ```
/// #[derive(Clone, Copy)]
/// struct Mask(u32);
///
/// impl Mask {
///     const SYNC: Self = Self(1);
///     const META: Self = Self(2);
/// }
///
/// #[derive(TraceFlags)]
/// #[flags(Mask, "|")]
/// #[repr(u32)]
/// enum MaskNames {
///     Sync = Mask::SYNC.0,
///     Meta = Mask::META.0,
/// }
/// ```
///
/// The type must be `Copy`. It can be an argument, a field and an element of an array. In C, it's the integer.
///
/// [`TraceEnum`]: ../tracepoint/event/derive.TraceEnum.html
/// [`impl_flags!`]: https://rust.docs.kernel.org/kernel/macro.impl_flags.html
#[proc_macro_derive(TraceFlags, attributes(flags, name))]
#[allow_internal_unsafe]
pub fn derive_trace_flags(input: Tokens) -> Tokens {
    hygiene::expand(input, symbols::derive_trace_flags)
}
