// SPDX-License-Identifier: GPL-2.0

//! Running BPF programs on raw tracepoints.
//!
//! C header: [`include/trace/bpf_probe.h`](srctree/include/trace/bpf_probe.h)

use crate::{
    bindings::{self, generated},
    guard::Guard,
    point::might_fault_under,
};
use kernel::ffi::c_void;

/// The probe of a BPF program. C: `__bpf_trace_CLASS()`.
///
/// # Safety
///
/// `link` must be the `bpf_raw_tp_link` that the probe was registered with as its data.
#[inline(always)]
pub unsafe fn bpf<G: Guard, W: BpfTraceRun>(link: *mut c_void, words: W) {
    might_fault_under::<G>();
    // SAFETY: Guaranteed by the caller.
    unsafe { words.run(link.cast()) };
}

/// The words of a tracepoint, in the form that BPF expects.
pub trait BpfTraceRun {
    /// Runs the BPF program of a link. C: `bpf_trace_runN()`.
    ///
    /// # Safety
    ///
    /// `link` must be the link that the probe was registered with.
    unsafe fn run(self, link: *mut bindings::bpf_raw_tp_link);
}

// C has no events without arguments: it would pass nothing where `bpf_trace_run1()` expects a word.
impl BpfTraceRun for [u64; 0] {
    #[inline(always)]
    unsafe fn run(self, link: *mut bindings::bpf_raw_tp_link) {
        // SAFETY: Guaranteed by the caller.
        unsafe { generated::bpf_trace_run1(link, 0) };
    }
}

macro_rules! bpf_trace_run {
    ($($len:literal $run:ident [$($word:ident)*];)*) => {$(
        impl BpfTraceRun for [u64; $len] {
            #[inline(always)]
            unsafe fn run(self, link: *mut bindings::bpf_raw_tp_link) {
                let [$($word),*] = self;
                // SAFETY: Guaranteed by the caller.
                unsafe { generated::$run(link, $($word),*) };
            }
        }
    )*};
}

bpf_trace_run! {
    1 bpf_trace_run1 [a];
    2 bpf_trace_run2 [a b];
    3 bpf_trace_run3 [a b c];
    4 bpf_trace_run4 [a b c d];
    5 bpf_trace_run5 [a b c d e];
    6 bpf_trace_run6 [a b c d e f];
    7 bpf_trace_run7 [a b c d e f g];
    8 bpf_trace_run8 [a b c d e f g h];
    9 bpf_trace_run9 [a b c d e f g h i];
    10 bpf_trace_run10 [a b c d e f g h i j];
    11 bpf_trace_run11 [a b c d e f g h i j k];
    12 bpf_trace_run12 [a b c d e f g h i j k l];
}
