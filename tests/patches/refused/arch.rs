// SPDX-License-Identifier: GPL-2.0

//! A module that isn't public.

use kernel::trace::arch;
