// SPDX-License-Identifier: GPL-2.0

//! What only the library uses isn't reachable.

#![allow(missing_docs, unused_imports, unused_variables)]

use tracepoint::__private::preempt_disable_notrace as again;
use tracepoint::arch::preempt_disable_notrace;
use tracepoint::define::Shared;
use tracepoint::event::record::begin;
use tracepoint::guard::Srcu;
use tracepoint::lookup::Lookup;
use tracepoint::point::Tracepoint;
