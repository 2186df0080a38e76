// SPDX-License-Identifier: GPL-2.0

//! Shutting down what is still registered when its module is unloaded.
//!
//! Rust drops no statics, and safe code may forget a value ([`core::mem::forget`], `KBox::leak`).
//! A probe, a timer or a thread that is never dropped would run code that has been freed with its
//! module. In C, the driver has to prevent that; in Rust, safe code must not be able to cause it.
//!
//! So a type that passes pointers into its module to the kernel puts its values into a
//! [`Registered`]. The module keeps a list of them. When the module is unloaded, or when its init
//! function fails, whatever is still in the list is shut down, newest first. Then this waits for the
//! work items to which values have been left.
//!
//! - A module notifier of the highest priority does that at `MODULE_STATE_GOING`, before tracing and
//!   others release what belongs to the module. It's registered together with the first value.
//! - A notifier can't unregister itself, so it leaves that to a work item. The `free` function of a
//!   module parameter waits for the item: the kernel calls those functions before it frees the module
//!   (`module_destroy_params()`), also if it hasn't called the notifiers. That is too late for
//!   everything else: on x86, `module_arch_cleanup()` has already freed thunks that the module's
//!   indirect calls may need (`its_free_mod()`), and the modules that this one uses can already be
//!   gone (`module_unload_free()`).
//!
//! # Hooks
//!
//! A tracepoint's hooks may register a value, too, for example start a thread. But they run under
//! `tracepoints_mutex` and, if a probe waits for the module, in the module notifier chain. So they
//! can't register the notifier: that waits until nobody runs the chain, in which others wait for
//! the mutex.
//!
//! If nothing else has registered the notifier, whatever the hooks have registered is shut down when
//! the last `unreg` returns. The kernel calls that one before it frees the module, even if the
//! module couldn't be loaded, unless one of its events still has a trigger
//! (`__ftrace_event_enable_disable()`, kernel/trace/trace_events.c). Then nobody calls it, the kernel
//! warns, and the hidden parameter shuts down what is left, later than it should.
//!
//! Such a value can be left to its work item, too. The item keeps the module's kobject then, for which the kernel
//! waits before it starts to free the module (`mod_sysfs_teardown()`). Until there is one in sysfs, the hook itself
//! waits for the item before it returns.

pub use crate::modules::{node::ShutDown, registered::Registered};
