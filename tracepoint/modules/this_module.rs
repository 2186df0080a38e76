// SPDX-License-Identifier: GPL-2.0

//! The module that this code is in.

use kernel::bindings;

/// Returns whether this module isn't being unloaded.
pub(crate) fn is_alive() -> bool {
    matches!(
        state(),
        bindings::module_state_MODULE_STATE_LIVE | bindings::module_state_MODULE_STATE_COMING
    )
}

/// Returns whether this module has been loaded, init function included, and isn't being unloaded.
pub(crate) fn is_live() -> bool {
    state() == bindings::module_state_MODULE_STATE_LIVE
}

/// Keeps this module from being unloaded. It's still freed if it can't be loaded.
///
/// C: `try_module_get()`, `module_put()`.
pub(super) struct ModuleRef(());

impl ModuleRef {
    /// Returns `None` if the module is being unloaded.
    pub(super) fn new() -> Option<Self> {
        #[cfg(CONFIG_MODULE_UNLOAD)]
        // SAFETY: `try_module_get()` (kernel/module/main.c) takes a valid module.
        let is_kept = unsafe { bindings::try_module_get(this_module()) };
        #[cfg(not(CONFIG_MODULE_UNLOAD))]
        let is_kept = is_alive();
        is_kept.then_some(Self(()))
    }
}

impl Drop for ModuleRef {
    fn drop(&mut self) {
        #[cfg(CONFIG_MODULE_UNLOAD)]
        // SAFETY: `try_module_get()` has succeeded, and `module_put()` (kernel/module/main.c) is called once.
        unsafe {
            bindings::module_put(this_module())
        };
    }
}

/// Has the kernel wait in `mod_sysfs_teardown()` (kernel/module/sysfs.c), before it starts to free this module, even
/// if it couldn't be loaded. Without CONFIG_SYSFS, it doesn't.
///
/// C: `kobject_get()`, `kobject_put()`.
pub(super) struct KobjectRef(());

impl KobjectRef {
    /// Returns `None` if the module isn't in sysfs. Until it is, `load_module()` (kernel/module/main.c) may free
    /// it without calling it (`bug_cleanup`).
    pub(super) fn new() -> Option<Self> {
        #[cfg(CONFIG_SYSFS)]
        // SAFETY: `kobject_get_unless_zero()` (lib/kobject.c) takes an object that has been initialised, as one in
        // sysfs is. Nobody uses it any more if the module couldn't be loaded.
        unsafe {
            let kobject = &raw mut (*this_module()).mkobj.kobj;
            if (*kobject).state_in_sysfs() == 0
                || bindings::kobject_get_unless_zero(kobject).is_null()
            {
                return None;
            }
        }
        Some(Self(()))
    }
}

impl Drop for KobjectRef {
    fn drop(&mut self) {
        #[cfg(CONFIG_SYSFS)]
        // SAFETY: `kobject_put()` (lib/kobject.c) puts the reference that `new` has taken.
        unsafe {
            bindings::kobject_put(&raw mut (*this_module()).mkobj.kobj)
        };
    }
}

fn state() -> bindings::module_state {
    // SAFETY: The module is valid as long as its code runs.
    unsafe { state_of(this_module()) }
}

/// Returns the state of a module.
///
/// # Safety
///
/// `module` must be valid.
pub(crate) unsafe fn state_of(module: *const bindings::module) -> bindings::module_state {
    // SAFETY: By the safety contract. `try_stop_module()` and `do_init_module()` (kernel/module/main.c) set
    // the state before the notifiers are called.
    unsafe { (&raw const (*module).state).read_volatile() }
}

/// Returns this module. C: `THIS_MODULE`.
pub(crate) fn this_module() -> *mut bindings::module {
    extern "C" {
        static mut __this_module: u8;
    }
    (&raw mut __this_module).cast()
}
