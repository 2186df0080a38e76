// SPDX-License-Identifier: GPL-2.0

//! C's inline functions on which tracepoints depend, by way of `rust/helpers/tracepoint.c`.

use crate::bindings;

/// C: `cpu_online(raw_smp_processor_id())`. Any context.
#[inline(always)]
pub(crate) fn this_cpu_online() -> bool {
    // SAFETY: The function can be called in any context.
    unsafe { bindings::this_cpu_online() }
}
