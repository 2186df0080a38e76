// SPDX-License-Identifier: GPL-2.0

// What of the library only features of the macros need, each in a module with the feature's name. To leave one
// out, remove its module and its line.
features! {
    values;
}
