// SPDX-License-Identifier: GPL-2.0

//! What only the library uses isn't reachable.

#![allow(missing_docs, unused_imports, unused_variables)]

use tracepoint::__private::preempt_disable_notrace as again;
use tracepoint::arch::preempt_disable_notrace;
use tracepoint::base::guard::Srcu;
use tracepoint::base::lookup::Lookup;
use tracepoint::base::point::Tracepoint;
use tracepoint::base::shared::Shared;
use tracepoint::event::record::begin;
