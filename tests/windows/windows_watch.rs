// SPDX-License-Identifier: GPL-2.0

//! Is told that the module `windows` goes, after that module's own notifier, and gives its threads time to
//! end.

use core::ptr::null_mut;
use kernel::{
    bindings,
    error::to_result,
    ffi::{c_int, c_ulong, c_void, CStr},
    prelude::*,
    time::{delay::fsleep, Delta},
    types::Opaque,
};

struct Notifier(Opaque<bindings::notifier_block>);

// SAFETY: Only the notifier chain accesses the block, with its lock held
// (`blocking_notifier_chain_register()`, kernel/notifier.c).
unsafe impl Sync for Notifier {}

static NOTIFIER: Notifier = Notifier(Opaque::new(bindings::notifier_block {
    notifier_call: Some(notify),
    next: null_mut(),
    priority: c_int::MAX - 1,
}));

/// # Safety
///
/// Only the module notifier chain may call this.
unsafe extern "C" fn notify(
    _: *mut bindings::notifier_block,
    state: c_ulong,
    module: *mut c_void,
) -> c_int {
    // SAFETY: By the safety contract, the chain of `register_module_notifier()`
    // (kernel/module/main.c) calls this. It passes a valid module, whose name is a C string.
    let name = unsafe {
        CStr::from_char_ptr((&raw const (*module.cast::<bindings::module>()).name).cast())
    };
    if state == bindings::module_state_MODULE_STATE_GOING as c_ulong
        && name.to_bytes() == b"windows"
    {
        pr_info!("others are told\n");
        fsleep(Delta::from_millis(8_000));
    }
    bindings::NOTIFY_OK as c_int
}

struct Watch;

impl kernel::Module for Watch {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        // SAFETY: `register_module_notifier()` (kernel/module/main.c) keeps the pointer to the
        // block, which is static, and `drop` unregisters it.
        to_result(unsafe { bindings::register_module_notifier(NOTIFIER.0.get()) })?;
        Ok(Self)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // SAFETY: `init` has registered the block, and only this unregisters it.
        let _ = unsafe { bindings::unregister_module_notifier(NOTIFIER.0.get()) };
    }
}

module! {
    type: Watch,
    name: "windows_watch",
    description: "Watches a module go",
    license: "GPL",
}
