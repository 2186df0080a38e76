// SPDX-License-Identifier: GPL-2.0

// What of the core can be left out. To do so, remove its file in `features/` and its line.
features! {
    cfg;
    expression;
    helpers;
    hygiene;
    kernel_symbols;
    options;
    places;
    values;
}
