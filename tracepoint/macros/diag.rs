// SPDX-License-Identifier: GPL-2.0

//! The errors that the macros report.
//!
//! Parsers and checks that stop at the first error return a [`syn::Error`]. What goes on after an error,
//! with the next field or the next declaration, reports it to a [`DiagCtxt`].

use proc_macro2::TokenStream;
use syn::Error;

/// Says that an error has been reported.
pub(crate) struct ErrorGuaranteed(());

pub(crate) type Result<T> = std::result::Result<T, ErrorGuaranteed>;

/// The errors of an expansion.
pub(crate) struct DiagCtxt(TokenStream);

impl DiagCtxt {
    /// Returns the result of a function, or the errors that it reports.
    pub(crate) fn with(expand: impl FnOnce(&mut Self) -> Result<TokenStream>) -> TokenStream {
        let mut dcx = Self(TokenStream::new());
        let expanded = expand(&mut dcx);
        dcx.0.extend(expanded);
        dcx.0
    }

    pub(crate) fn report(&mut self, error: Error) -> ErrorGuaranteed {
        self.0.extend(error.into_compile_error());
        ErrorGuaranteed(())
    }

    /// Reports the error, if the result is one.
    pub(crate) fn check<T>(&mut self, result: syn::Result<T>) -> Result<T> {
        result.map_err(|error| self.report(error))
    }
}

/// Returns a result for all, once each has reported its errors.
pub(crate) fn all<T>(results: impl Iterator<Item = Result<T>>) -> Result<Vec<T>> {
    results.collect::<Vec<_>>().into_iter().collect()
}
