// SPDX-License-Identifier: GPL-2.0

//! The procedural macros of the tracepoint library.
//!
//! [`grammar`] parses, [`tracepoint`], [`event`], [`structs`], [`symbols`] and [`traceable`] expand. What they expand to refers to
//! `tracepoint::__private`.
//!
//! An expansion is unsafe code in a driver that may forbid it, hence `allow_internal_unsafe`; and
//! what's `static` in C has internal linkage.

// The attributes are internal to the compiler, as in the kernel crate's own macros.
#![allow(internal_features)]
#![feature(allow_internal_unsafe, allow_internal_unstable, proc_macro_span)]

use cfg::Deferred;
use event::Origin;
use grammar::{Definition, Events, Tracepoints};
use proc_macro::TokenStream as Tokens;
use proc_macro2::TokenStream;
use structs::Struct;
use syn::{ext::IdentExt, Error, Path};

mod args;
mod argument;
mod btf;
// Shared with the library.
#[path = "../c_types.rs"]
#[allow(dead_code, unreachable_pub)]
mod c_types;
mod cfg;
mod derive;
mod dwarf;
#[allow(unreachable_pub)]
#[path = "../event/errno.rs"]
mod errno;
mod event;
mod expression;
mod field;
mod flatten;
#[cfg(test)]
mod fuzz;
mod grammar;
mod headers;
mod instrument;
mod kernel_symbols;
#[allow(dead_code, unreachable_pub)]
#[path = "../event/number.rs"]
mod number;
// Shared with the library, which uses more of it.
#[allow(dead_code, unreachable_pub)]
#[path = "../prototype.rs"]
mod prototype;
mod recorder;
#[allow(dead_code, unreachable_pub)]
#[path = "../event/show.rs"]
mod show;
mod span;
mod structs;
mod symbols;
mod template;
#[cfg(test)]
mod tests;
#[allow(dead_code, unreachable_pub)]
#[path = "../text.rs"]
mod text;
mod traceable;
mod tracepoint;

/// Turns errors into tokens.
fn or_error(result: syn::Result<TokenStream>) -> TokenStream {
    result.unwrap_or_else(Error::into_compile_error)
}

/// The names that a macro's input declares.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn add(&mut self, name: &syn::Ident) -> syn::Result<()> {
        let text = name.unraw().to_string();
        if self.0.contains(&text) {
            return Err(Error::new(
                name.span(),
                format!("`{name}` is declared twice"),
            ));
        }
        self.0.push(text);
        Ok(())
    }
}

/// Expands a macro whose input can have `#[cfg]` in it, or the rest of such an input.
fn configurable(macro_name: &str, input: TokenStream, deferred: Option<&Deferred>) -> TokenStream {
    dwarf::start();

    if macro_name.ends_with("_event") && deferred.is_none() {
        if let Some(call) = flatten::defer(macro_name, &input) {
            return call;
        }
    }

    fn expand<T: syn::parse::Parse + grammar::Attributed>(
        macro_name: &str,
        input: TokenStream,
        deferred: Option<&Deferred>,
        expand: impl FnOnce(T) -> TokenStream,
    ) -> TokenStream {
        let mut parsed: T = match syn::parse2(input.clone()) {
            Ok(parsed) => parsed,
            Err(error) if matches!(macro_name, "trace_enum" | "trace_flags") => {
                return symbols::broken(macro_name, input, &error);
            }
            Err(error) => return error.into_compile_error(),
        };
        match deferred {
            Some(deferred) => {
                if !deferred.apply(&mut parsed) {
                    return TokenStream::new();
                }
            }
            None => {
                if let Some(struct_) = cfg::defer(macro_name, &input, &mut parsed) {
                    return struct_;
                }
            }
        }
        expand(parsed)
    }

    fn tracepoints(
        parsed: Tracepoints,
        declare: fn(&grammar::Tracepoint) -> syn::Result<tracepoint::Expansion>,
    ) -> TokenStream {
        let mut names = Names::default();
        let items = parsed.0.into_iter();
        items
            .map(|item| match item {
                Ok(item) => match names.add(&item.name) {
                    Err(error) => error.into_compile_error(),
                    Ok(()) => match item.args.check(&item.name) {
                        Err(error) => tracepoint::stubs(error, &[item.stub(None)], declare),
                        Ok(()) => or_error(declare(&item).map(tracepoint::Expansion::items)),
                    },
                },
                Err(broken) => tracepoint::stubs(broken.error, &broken.stubs, declare),
            })
            .collect()
    }

    fn events(parsed: Events, origin: Origin) -> TokenStream {
        let mut tokens = TokenStream::new();
        // An event needs a system, but it has no other error without one.
        let missing = match &parsed.system {
            Ok(_) => None,
            Err(error) => Some(error.to_compile_error()),
        };
        tokens.extend(missing);
        let system = parsed.system.ok();
        let mut names = Names::default();
        for class in parsed.classes {
            let (error, stubs) = match class {
                Ok(mut class) => {
                    class.events.retain(|event| match names.add(&event.name) {
                        Ok(()) => true,
                        Err(error) => {
                            tokens.extend(error.into_compile_error());
                            false
                        }
                    });
                    match class.args.check(&class.name) {
                        Ok(()) => {
                            tokens.extend(event::expand(system.as_ref(), &class, origin));
                            continue;
                        }
                        Err(error) => (error, class.stubs()),
                    }
                }
                Err(broken) => (broken.error, broken.stubs),
            };
            tokens.extend(tracepoint::stubs(error, &stubs, |stub| {
                event::stub(stub, origin)
            }));
        }
        tokens
    }

    match macro_name {
        "tracepoint" => expand(macro_name, input, deferred, |parsed| {
            tracepoints(parsed, |tracepoint| {
                let mut expansion = tracepoint::declare(tracepoint)?;
                expansion.outside.extend(btf::tracepoint(tracepoint));
                Ok(expansion)
            })
        }),
        "kernel_tracepoint" => expand(macro_name, input, deferred, |parsed: Tracepoints| {
            tracepoints(parsed, tracepoint::declare_kernel)
        }),
        "trace_event" => expand(macro_name, input, deferred, |parsed| {
            events(parsed, Origin::Own)
        }),
        "trace_custom_event" => expand(macro_name, input, deferred, |parsed| {
            events(parsed, Origin::Kernel)
        }),
        "tracepoint_struct" => expand(macro_name, input, deferred, |parsed: Struct| {
            structs::expand(&parsed)
        }),
        "trace_enum" => expand(macro_name, input, deferred, symbols::trace_enum),
        "trace_flags" => expand(macro_name, input, deferred, symbols::trace_flags),
        _ => TokenStream::new(),
    }
}

/// Declares tracepoints, for the module that defines them and for those that probe or fire them.
///
/// C: `DECLARE_TRACE_EVENT()`, and with `if` or `faultable` its `_CONDITION` and `_SYSCALL` forms.
/// The name gets no `_tp` suffix.
///
/// A module that fires a tracepoint needs the same prototype as the module that defines it. With
/// another prototype, or if the tracepoint is defined in C, modpost and the module loader report the
/// missing symbol `__prototype_NAME_HASH`.
///
/// Each declaration becomes a type with the tracepoint's name. The tracepoint is called with
/// [`trace!`](macro@trace). The type has these functions:
///
/// - `NAME::enabled()`: returns whether a probe is registered. C: `trace_NAME_enabled()`. Any
///   context where RCU is watching.
/// - `NAME::call(…)`: calls the probes without testing the static key, for use after
///   `NAME::enabled()`. C: `trace_call__NAME()`. Same context as for [`trace!`](macro@trace).
///
/// and its name is also a value with these, of the trait `Register`:
///
/// - `NAME.register(probe)`, `NAME.register_prio(probe, prio)`: see `Probe`. C:
///   `register_trace_NAME()`, `register_trace_prio_NAME()`.
/// - `NAME.register_unchecked(probe, prio)`: the same for a tracepoint defined in C; unsafe.
///
/// See `tracepoint::args` for the types of the arguments.
///
/// ```ignore
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
/// A condition is evaluated only if a probe is registered, and must not have side effects. Its
/// arithmetic wraps, and anything in it that could panic is a build error.
///
/// A declaration and its arguments can have `#[cfg(…)]`.
#[proc_macro]
#[allow_internal_unsafe]
#[allow_internal_unstable(linkage)]
pub fn tracepoint(input: Tokens) -> Tokens {
    configurable("tracepoint", input.into(), None).into()
}

/// Declares tracepoints of the kernel, so that a module can probe them, and fire those that are exported.
///
/// `tracepoint::linux` already declares all of them. Use this macro for arguments of other types.
///
/// The declaration is C's `TP_PROTO` in Rust types. The compiler checks it against the kernel's
/// headers in `include/trace/events/`, and accepts no type that promises more than C's: see
/// `FromKernel`. The default headers are listed in `tracepoint/bindings/prototypes.h`. To use other
/// headers, name them in `tracepoint-headers` in the Kbuild file; by naming a header you vouch that
/// each `const char *` in its tracepoints is a string.
///
/// The tracepoint is found by its name. A foreign module is as wrong to define a tracepoint of that
/// name with other arguments as to export another function under the name of one of the kernel's.
///
/// Each declaration becomes a type whose name is also a value with the functions `register` and
/// `register_prio`, see `Probe`. The probe isn't called if C passes NULL for a reference; use
/// `Option<&T>` to receive such calls.
///
/// A tracepoint that the kernel or a module exports (`EXPORT_TRACEPOINT_SYMBOL()`) also has the functions
/// of [`tracepoint!`](macro@tracepoint), and [`trace!`](macro@trace) fires it. `call` and `trace!` are
/// unsafe: C's probes may rely on more than the types guarantee. One with a condition can't be fired.
///
/// ```ignore
/// kernel_tracepoint! {
///     pub fn sched_switch(preempt: bool, prev: &Task, next: &Task, prev_state: u32);
/// }
///
/// let probe = sched_switch.register(|_, prev, next, _| count(prev, next))?;
/// ```
#[proc_macro]
#[allow_internal_unsafe]
#[allow_internal_unstable(linkage)]
pub fn kernel_tracepoint(input: Tokens) -> Tokens {
    configurable("kernel_tracepoint", input.into(), None).into()
}

/// Declares the tracepoints of all headers that the build uses, in a module for each system.
#[doc(hidden)]
#[proc_macro]
#[allow_internal_unsafe]
pub fn header_tracepoints(_: Tokens) -> Tokens {
    headers::modules().into()
}

/// Declares and defines trace events.
///
/// C: `TRACE_EVENT()`, `_CONDITION`, `_FN`, `_FN_COND`, `_SYSCALL`; with `class`
/// `DECLARE_EVENT_CLASS()`, `DEFINE_EVENT()`, `_CONDITION`, `_FN`, `_PRINT`.
///
/// An event is a tracepoint as declared by [`tracepoint!`](macro@tracepoint): it's fired with
/// [`trace!`](macro@trace) and can be probed and exported; another module that does so declares it
/// with [`tracepoint!`](macro@tracepoint). ftrace shows it as `events/SYSTEM/NAME`.
///
/// ```ignore
/// trace_event! {
///     system: "drv";
///
///     /// A request has been queued.
///     pub fn drv_queue(name: &CStr, sector: u64, flags: u32) if flags != 0 {
///         name: Str = name,
///         sector: u64 = sector,
///         flags: u32 as "unsigned int" = flags,
///     }
///     print "{name} at {sector}: {bits}",
///         bits = print_flags(flags, "|", { 1 => "SYNC", 2 => "META" });
///
///     /// What the events below have in common.
///     class drv_done(sector: u64, error: i32) {
///         sector: u64 = sector,
///         error: i32 = error,
///     }
///     print "{sector}: {error}"
///     events {
///         /// A request has been done.
///         pub fn drv_done;
///         /// It has failed.
///         pub fn drv_failed if error < 0;
///         /// Shown in another way, and counted while it is enabled.
///         pub fn drv_retried print "{sector} again" with { reg: begin, unreg: end };
///     }
/// }
/// ```
///
/// A field is a name, a type, and the expression that computes its value, which can use the event's
/// arguments: see `tracepoint::event::field`. The expression is evaluated once for each trace buffer
/// and for perf, with preemption disabled and before space is reserved in the buffer. It must not
/// sleep, nor lock a `SpinLock` or a `Mutex`, not even in the `Display` implementation of what it
/// formats. Its arithmetic wraps, and anything that could panic is a build error. A `let` statement
/// before the first field is evaluated once, for all fields.
///
/// `as` gives the C type shown in the `format` file, if it should differ from the default for the Rust
/// type. `#[filter(CPU)]` before a field gives the C filter type: `CPU` for a number, `TRACE_FN` for
/// an address, or `PTR_STRING` for a pointer. `#[shown]` requires that the template shows the field.
///
/// See `tracepoint::event::show` for the template.
///
/// `with` accepts, in any order:
///
/// - `reg: function, unreg: function`: see [`define_trace!`](macro@define_trace);
/// - `flags: CAP_ANY`: any user may count the event with perf. C: `TRACE_EVENT_FLAGS()`;
/// - `perf_perm: function`: a `fn(&PerfEvent) -> Result` that decides who may use the event with
///   perf; see `PerfEvent`. C: `TRACE_EVENT_PERF_PERM()`.
///
/// An event can be of another kind, see `docs/spans.md`:
///
/// - `span fn`: has a begin and an end. `span!` begins it;
/// - `async span fn`: can end elsewhere. `async_span!` begins it;
/// - `instant fn`: a moment on the track of the spans. `trace!` fires it;
/// - `counter fn`: a number that changes, in the field `counter_value`. `trace!` fires it.
///
/// Events, fields and arguments can have `#[cfg(…)]`.
#[proc_macro]
#[allow_internal_unsafe]
#[allow_internal_unstable(linkage)]
pub fn trace_event(input: Tokens) -> Tokens {
    configurable("trace_event", input.into(), None).into()
}

/// Declares events on tracepoints of the kernel that record something other than the kernel's own
/// events do.
///
/// C: `TRACE_CUSTOM_EVENT()`, and the call of `trace_custom_event_NAME_update()` for each tracepoint
/// of the kernel: here the event finds its tracepoint by itself, before it can be enabled. If there
/// is none, the event isn't created and a message is logged.
///
/// The name and the arguments are those of the tracepoint, which the compiler checks: see
/// [`kernel_tracepoint!`](macro@kernel_tracepoint), also for calls with NULL. The rest is as in
/// [`trace_event!`](macro@trace_event). There is no perf event, as in C.
///
/// ```ignore
/// trace_custom_event! {
///     system: "my_sched";
///
///     /// The task that's switched to.
///     pub fn sched_switch(preempt: bool, prev: &Task, next: &Task, prev_state: u32) {
///         next_pid: i32 as "pid_t" = next.pid(),
///     }
///     print "next_pid={next_pid}";
/// }
/// ```
#[proc_macro]
#[allow_internal_unsafe]
#[allow_internal_unstable(linkage)]
pub fn trace_custom_event(input: Tokens) -> Tokens {
    configurable("trace_custom_event", input.into(), None).into()
}

/// Declares a struct that a tracepoint can pass a reference to.
///
/// The struct gets C's layout. Its name, fields, their types and privacy, its attributes, size and
/// alignment are part of the prototype, so that a probe built with another version of it is refused.
///
/// A probe can outlive the module that fires the tracepoint, so `'static` isn't allowed in it. A
/// struct with references has a lifetime:
///
/// ```ignore
/// tracepoint_struct! {
///     /// One request, as the driver sees it.
///     pub struct Request<'a> {
///         pub name: &'a CStr,
///         pub sector: u64,
///         pub len: u32,
///     }
/// }
/// ```
#[proc_macro]
#[allow_internal_unsafe]
pub fn tracepoint_struct(input: Tokens) -> Tokens {
    configurable("tracepoint_struct", input.into(), None).into()
}

/// The second half of a macro with `#[cfg]` in its input.
#[doc(hidden)]
#[proc_macro_derive(Configured, attributes(tracepoint_input))]
#[allow_internal_unsafe]
#[allow_internal_unstable(linkage)]
pub fn configured(input: Tokens) -> Tokens {
    let deferred: Deferred = match syn::parse(input) {
        Ok(deferred) => deferred,
        Err(error) => return error.into_compile_error().into(),
    };
    let macro_name = deferred.macro_name.to_string();
    configurable(&macro_name, deferred.input.clone(), Some(&deferred)).into()
}

/// Expands a list of paths or definitions.
fn each<T: syn::parse::Parse>(
    input: Tokens,
    expand: impl Fn(&T) -> syn::Result<TokenStream>,
) -> Tokens {
    match grammar::list::<T>(input.into()) {
        Ok(list) => list
            .iter()
            .map(|item| or_error(expand(item)))
            .collect::<TokenStream>()
            .into(),
        Err(error) => error.into_compile_error().into(),
    }
}

/// Defines tracepoints that [`tracepoint!`](macro@tracepoint) declares. Only once, in one module.
///
/// C: `DEFINE_TRACE()`, with hooks `DEFINE_TRACE_FN()`, for a `faultable` tracepoint
/// `DEFINE_TRACE_SYSCALL()`.
///
/// Hooks run before the first probe is registered and after the last one is unregistered, under
/// `tracepoints_mutex`: they may sleep, but must not register or unregister a probe, nor wait for a
/// module to be loaded or unloaded. The probe can still be called during `unreg` and after it, as in
/// C. `reg` returns a `Result`; if it returns an error, the registration fails with it. A probe that
/// waits for the module attaches before the module's `init`, so the hooks can run before and after
/// the module's lifetime.
///
/// What hooks leave registered, such as a thread that has been forgotten, is shut down when the
/// module is unloaded. If the module has registered nothing outside of its hooks, that happens as
/// soon as the last of its tracepoints with hooks is disabled.
///
/// ```ignore
/// define_trace!(drv_queue, events::drv_tenth);
/// define_trace!(drv_ioctl { reg: start_counting, unreg: stop_counting });
/// ```
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
#[proc_macro]
#[allow_internal_unsafe]
pub fn export_tracepoint_symbol_gpl(input: Tokens) -> Tokens {
    each::<Path>(input, |path| tracepoint::export(path, "GPL"))
}

/// Exports tracepoints that this module defines to every module.
///
/// C: `EXPORT_TRACEPOINT_SYMBOL()`.
#[proc_macro]
#[allow_internal_unsafe]
pub fn export_tracepoint_symbol(input: Tokens) -> Tokens {
    each::<Path>(input, |path| tracepoint::export(path, ""))
}

/// Makes a function visible to ftrace, under its name.
///
/// The arguments are those that a tracepoint can have, and are passed as C would pass them. The
/// result can be nothing, an integer, or a `Result`, which becomes an errno.
///
/// C: any function without `notrace`.
///
/// ```ignore
/// /// Starts the queue.
/// #[traceable]
/// fn drv_start(queue: u32) -> Result {
///     …
/// }
/// ```
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
    dwarf::start();
    let function = match syn::parse(input) {
        Ok(function) => function,
        Err(error) => return error.into_compile_error().into(),
    };
    traceable::expand(&function)
        .unwrap_or_else(|error| {
            // What calls the function has no error.
            let error = error.into_compile_error();
            quote::quote!(#function #error)
        })
        .into()
}

/// Makes a function a span: it begins with the function and ends when the function returns, by whatever
/// way. If the function returns a `Result`, it's the span's.
///
/// The attribute's argument is that of [`span!`]: the span, and its arguments, which can use those of the
/// function.
///
/// ```ignore
/// #[instrument(my_driver_serve(queue, request.sector))]
/// fn serve(queue: u32, request: &mut Request) -> Result {
///     …
/// }
/// ```
#[proc_macro_attribute]
pub fn instrument(attr: Tokens, input: Tokens) -> Tokens {
    instrument::expand(attr.into(), input.into()).into()
}

/// Declares an enum whose values are shown by name wherever a field has its type.
///
/// C: `TRACE_DEFINE_ENUM()` for each value, and `__print_symbolic()` in each event.
///
/// ```ignore
/// trace_enum! {
///     /// What a request does.
///     pub enum Direction: u32 {
///         Read = 0 => "READ",
///         Write = 1 => "WRITE",
///     }
/// }
/// ```
///
/// A value can have `#[cfg(…)]`.
///
/// For an enum that exists, there's `#[derive(TraceEnum)]`.
#[proc_macro]
#[allow_internal_unsafe]
pub fn trace_enum(input: Tokens) -> Tokens {
    configurable("trace_enum", input.into(), None).into()
}

/// Declares a type of flags that are shown by name wherever a field has the type.
///
/// C: `__print_flags()` in each event.
///
/// ```ignore
/// trace_flags! {
///     /// How a request is handled.
///     pub struct RequestFlags: u32, "|" {
///         SYNC = 1 => "SYNC",
///         META = 2 => "META",
///     }
/// }
/// ```
///
/// A value can have `#[cfg(…)]`.
///
/// For a type that exists, there's `#[derive(TraceFlags)]`.
#[proc_macro]
#[allow_internal_unsafe]
pub fn trace_flags(input: Tokens) -> Tokens {
    configurable("trace_flags", input.into(), None).into()
}

/// Lets a [`Struct<T>`](../event/field/struct.Struct.html) field have this type, without `unsafe`.
///
/// The struct must be `Copy` and have a `#[repr(C)]`. Its members must be numbers, enums, flags, arrays or
/// other structs with the derive, and there must be no padding, which would show old memory contents to
/// the reader. The compiler checks this.
///
/// ```ignore
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
///     fn drv_pair(pair: &Pair) {
///         pair: Struct<Pair> as "struct pair" = pair,
///     }
///     print "{pair:print_hex}";
/// }
/// ```
///
/// C: `__field_struct()`. Filters can't use its members: see [`TraceFields`](macro@TraceFields).
#[proc_macro_derive(TraceStruct)]
#[allow_internal_unsafe]
pub fn derive_trace_struct(input: Tokens) -> Tokens {
    derive::trace_struct(input.into()).into()
}

/// Lets a reference to any struct or enum of the driver be an argument of its tracepoints and events.
///
/// The type may contain anything, such as a `KVec<T>`, an `ARef<T>` or an `Instant`, and it can have
/// lifetimes. Only the module that declares it can fire and probe these tracepoints: for others, use
/// [`tracepoint_struct!`](macro@tracepoint_struct), whose fields are known to them and to BPF.
///
/// ```ignore
/// #[derive(TracepointArg)]
/// struct Request<'a> {
///     owner: ARef<Task>,
///     data: KVec<u8>,
///     name: &'a CStr,
///     start: Instant<Monotonic>,
/// }
///
/// trace_event! {
///     system: "drv";
///
///     fn drv_queue(request: &Request<'_>) {
///         name: Str = request.name,
///         data: DynArray<u8> = &request.data,
///         start: Instant<Monotonic> = request.start,
///     }
///     print "{name}: {data:print_hex} at {start}";
/// }
/// ```
#[proc_macro_derive(TracepointArg)]
#[allow_internal_unsafe]
pub fn derive_tracepoint_arg(input: Tokens) -> Tokens {
    derive::tracepoint_arg(input.into()).into()
}

/// Makes a struct one whose members can become fields of an event:
///
/// ```ignore
/// #[derive(TraceFields)]
/// struct Request {
///     op: Op,
///     sector: u64,
///     #[skip]
///     owner: ARef<Task>,
/// }
///
/// trace_event! {
///     system: "drv";
///
///     fn drv_queue(request: &Request) {
///         #[flatten]
///         request: Request = request,
///     }
///     print "{request_op} at {request_sector}";
/// }
/// ```
///
/// A member with a `&CStr` or a `&str` becomes a `Str`, and one with a slice a `DynArray<T>`; the others
/// must be types that a field can have. `#[skip]` leaves one out. A member can have `#[flatten]`, too, if
/// its type has the derive.
///
/// The derive declares a macro with the name of the struct, which `use` imports together with it.
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
    let expanded = flatten::flattened(input.into())
        .map(|(macro_name, input)| configurable(&macro_name, input, None));
    or_error(expanded).into()
}

/// Makes an enum with a `#[repr(u8)]`, or that of another integer, what [`trace_enum!`] declares.
///
/// A variant is shown by its own name, or by that which `#[name = "text"]` gives it.
#[proc_macro_derive(TraceEnum, attributes(name))]
#[allow_internal_unsafe]
pub fn derive_trace_enum(input: Tokens) -> Tokens {
    dwarf::start();
    symbols::derive_trace_enum(input.into()).into()
}

/// Makes a `#[repr(transparent)]` struct with an integer what [`trace_flags!`] declares.
///
/// `#[flags("|", SYNC => "SYNC")]` names constants of the type and says how they are shown.
///
/// For the kernel crate's `impl_flags!`, it's derived for the enum, with the name of the struct:
///
/// ```ignore
/// impl_flags!(
///     /// How a request is done.
///     #[derive(Clone, Copy)]
///     pub struct Modes(u32);
///
///     /// One of them.
///     #[derive(Clone, Copy, TraceFlags)]
///     #[flags(Modes, "|")]
///     pub enum Mode {
///         #[name = "SYNC"]
///         Sync = 1 << 0,
///         Meta = 1 << 1,
///     }
/// );
/// ```
#[proc_macro_derive(TraceFlags, attributes(flags, name))]
#[allow_internal_unsafe]
pub fn derive_trace_flags(input: Tokens) -> Tokens {
    dwarf::start();
    symbols::derive_trace_flags(input.into()).into()
}
