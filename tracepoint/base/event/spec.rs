// SPDX-License-Identifier: GPL-2.0

//! The layout of a number or a string: the part of `{field:spec}` after the colon.
//!
//! ```text
//! spec = [ "<" | ">" ] [ "+" ] [ "#" ] [ "0" ] [ width ] [ "." precision ]
//!        [ "x" | "X" | "o" | "c" ]
//! ```
//!
//! A `$` alone stands for the name of the field that has the precision.
//!
//! Both the crate and its procedural macros include this file, which doesn't need a kernel.

use crate::base::text::Text;

/// Returns an error, as `?` does outside of a `const fn`.
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
pub(super) use ok;

/// A layout.
#[derive(Clone, Copy)]
pub struct Spec {
    left: bool,
    right: bool,
    plus: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Precision,
    conversion: u8,
}

/// How much of a text is shown.
#[derive(Clone, Copy)]
enum Precision {
    All,
    Of(usize),
    /// As much as another field says.
    InField,
}

/// The kernel's `vsnprintf()` takes no larger precision (`PRECISION_MAX`, lib/vsprintf.c).
const WIDTH_MAX: usize = 32767;

const LIMIT: &str = "a width or a precision must be less than 32767";

/// Takes the next byte if it's one of `any`.
const fn next(rest: &mut &[u8], any: &[u8]) -> Option<u8> {
    let [first, tail @ ..] = *rest else {
        return None;
    };
    let mut i = 0;
    while i < any.len() {
        if any[i] == *first {
            *rest = tail;
            return Some(*first);
        }
        i += 1;
    }
    None
}

/// Takes a number, which can have no digits.
const fn number(rest: &mut &[u8]) -> usize {
    let mut n = 0usize;
    while let Some(digit) = next(rest, b"0123456789") {
        n = n.saturating_mul(10).saturating_add((digit - b'0') as usize);
    }
    n
}

/// Takes a precision, if there's one.
const fn precision(rest: &mut &[u8]) -> Precision {
    match *rest {
        [b'.', tail @ ..] if !tail.is_empty() => *rest = tail,
        _ => return Precision::All,
    }
    match next(rest, b"$") {
        Some(_) => Precision::InField,
        None => Precision::Of(number(rest)),
    }
}

impl Spec {
    /// Parses a layout in Rust's syntax.
    pub const fn parse(text: &str) -> Result<Self, &'static str> {
        let mut rest = text.as_bytes();
        let side = next(&mut rest, b"<>");
        let spec = Self {
            left: matches!(side, Some(b'<')),
            right: matches!(side, Some(b'>')),
            plus: next(&mut rest, b"+").is_some(),
            alternate: next(&mut rest, b"#").is_some(),
            zero: next(&mut rest, b"0").is_some(),
            width: number(&mut rest),
            precision: precision(&mut rest),
            conversion: match next(&mut rest, b"xXoc") {
                Some(conversion) => conversion,
                None => b'd',
            },
        };
        let error = match (rest, spec.precision) {
            ([b'?', ..], _) => "`?` isn't supported: the type determines how the field is shown",
            ([_, ..], _) => "there is no such layout",
            (_, Precision::Of(WIDTH_MAX..)) => LIMIT,
            _ if spec.width >= WIDTH_MAX => LIMIT,
            _ if spec.alternate && !matches!(spec.conversion, b'x' | b'X') => {
                "`#` is for hexadecimal numbers"
            }
            _ if spec.plus && spec.conversion != b'd' => "`+` is for decimal numbers",
            _ if spec.left && spec.zero => "a number on the left can't be padded with zeros",
            _ if spec.conversion == b'c' && (spec.zero || spec.has_precision()) => {
                "a character has only a width"
            }
            _ => return Ok(spec),
        };
        Err(error)
    }

    /// Checks the layout of an integer.
    pub(super) const fn check_integer(
        &self,
        size: usize,
        signed: bool,
    ) -> Result<(), &'static str> {
        Err(if self.conversion == b'c' && size == 8 {
            "a character has at most 32 bits"
        } else if self.has_precision() {
            "a number has no precision"
        } else if self.plus && !signed {
            "`+` is for signed numbers"
        } else if self.alternate && self.width > 0 && !self.zero && !self.left {
            // `printf` would put the spaces between the prefix and the number.
            "a number with a `0x` needs a `0` or a `<` before its width"
        } else {
            return Ok(());
        })
    }

    /// Checks the layout of a text, and returns it: as in Rust, text is on the left. `limited` is whether the
    /// kernel limits the text to the length of the field.
    pub(super) const fn of_text(mut self, limited: bool) -> Result<Self, &'static str> {
        if self.conversion != b'd' || self.zero || self.plus || self.alternate {
            return Err("a string has only a width and a precision");
        }
        self.left = !self.right;
        match self.precision {
            Precision::InField if limited => Err("only a `Str` can have its precision in a field"),
            // `test_event_printk()` (kernel/trace/trace_events.c) doesn't count the precision then.
            Precision::InField if self.left && self.width > 0 => {
                Err("a string with its precision in a field can't be padded on the right: use `>`")
            }
            _ => Ok(self),
        }
    }

    /// Parses the layout of a name or a computed text.
    pub const fn of_name(text: &str) -> Result<Self, &'static str> {
        ok!(Self::parse(text)).of_text(true)
    }

    /// Returns the layout of a text that has no more than `len` bytes.
    pub(super) const fn limited(mut self, len: usize) -> Self {
        self.precision = match self.precision {
            Precision::Of(precision) if precision < len => self.precision,
            _ => Precision::Of(len),
        };
        self
    }

    /// Whether a text is shown as it is.
    pub const fn is_plain(&self) -> bool {
        self.width == 0 && !self.has_precision()
    }

    const fn has_precision(&self) -> bool {
        !matches!(self.precision, Precision::All)
    }

    /// Writes a `printf` format up to its conversion.
    const fn write<const N: usize>(&self, mut text: Text<N>) -> Text<N> {
        // Tools omit the prefix of `%#x` for a zero, the kernel doesn't.
        let (start, width) = match self.alternate {
            true => ("0x%", self.width.saturating_sub(2)),
            false => ("%", self.width),
        };
        let minus = if self.left && self.width > 0 { "-" } else { "" };
        let plus = if self.plus { "+" } else { "" };
        let zero = if self.zero { "0" } else { "" };
        text = text.str(start).str(minus).str(plus).str(zero);
        if width > 0 {
            text = text.number(width);
        }
        match self.precision {
            Precision::All => text,
            Precision::Of(precision) => text.byte(b'.').number(precision),
            Precision::InField => text.str(".*"),
        }
    }

    /// Writes the `printf` format of a text.
    pub const fn of_string<const N: usize>(&self, text: Text<N>) -> Text<N> {
        self.write(text).byte(b's')
    }

    /// Writes the `printf` format of an integer.
    pub(super) const fn of_integer<const N: usize>(
        &self,
        text: Text<N>,
        (size, signed): (usize, bool),
    ) -> Text<N> {
        let length = match (self.conversion, size) {
            (b'c', _) | (_, 4) => "",
            (_, 1) => "hh",
            (_, 2) => "h",
            _ => "ll",
        };
        let conversion = match (self.conversion, signed) {
            (b'd', false) => b'u',
            (conversion, _) => conversion,
        };
        self.write(text).str(length).byte(conversion)
    }
}
