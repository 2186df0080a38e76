// SPDX-License-Identifier: GPL-2.0

//! Numbers that a template computes from fields, as C has them.
//!
//! The kernel computes such a number in Rust when it prints a record. For tools, it's an argument of the
//! `print fmt`, which these functions write at compile time. That the types are right is left to the compiler, which
//! sees the same expression in Rust.
//!
//! Tools (libtraceevent 1.8.4) don't know C's types. They read all fields as unsigned, compute with unsigned 64-bit
//! numbers, and treat a cast as a mask: even `(s32)x` is `x & 0xffffffff`. So each operand is the bits of its value,
//! without a sign, and has a cast unless it's a field or a literal. To compare signed values, the text flips their
//! highest bits. Tools don't support `^`, so it adds and subtracts instead. And they parse `a * (b + c)` as
//! `a * b + c`, unless there is a cast before the parenthesis.
//!
//! It doesn't need a kernel.

use crate::base::{
    event::{
        shape::Shape,
        show::{self, Kind},
        template::Of,
    },
    text::Text,
};

/// The longest argument of the `print fmt`.
pub(crate) const TEXT_MAX: usize = 4096;

/// The type of a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Type {
    /// How many bits it has. A `bool` has one, and a pointer, which can only be cast, has none.
    pub bits: u32,
    /// Whether it is signed.
    pub signed: bool,
}

impl Type {
    const BOOL: Self = Self::new(1, false);
    const USIZE: Self = Self::new(64, false);
    const I32: Self = Self::new(32, true);

    pub(super) const fn new(bits: u32, signed: bool) -> Self {
        Self { bits, signed }
    }

    /// Returns the type of a field, or of its elements.
    const fn of(shape: &Shape) -> Self {
        match shape.kind {
            _ if shape.is_bool() => Self::BOOL,
            Kind::Pointer => Self::new(0, false),
            kind => {
                let (size, signed) = kind.number();
                Self::new(8 * size as u32, signed)
            }
        }
    }

    const fn size(self) -> usize {
        self.bits.div_ceil(8) as usize
    }

    /// All bits.
    const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// The highest bit.
    const fn sign(self) -> u64 {
        1 << (self.bits - 1)
    }

    /// Returns whether it has a value.
    const fn has(self, value: i128) -> bool {
        let low = -(self.signed as i128) << (self.bits - 1);
        low <= value && value <= low + self.mask() as i128
    }
}

/// Returns a number that stands for the type of an operand, in [`Code`](super::operand::Code).
pub const fn code(shape: Shape) -> u8 {
    let Type { bits, signed } = Type::of(&shape);
    bits as u8 | (signed as u8) << 7
}

/// A number, as C has it.
#[derive(Clone, Copy)]
pub struct Value {
    /// Its type. Constants can take that of what they're combined with.
    ty: Option<Type>,
    /// The least and the largest value, if it's a constant or a choice of some.
    constants: Option<(i128, i128)>,
    /// Whether the text is an operand as it is.
    is_operand: bool,
    text: Text<TEXT_MAX>,
}

impl Value {
    #[track_caller]
    const fn new(ty: Type, is_operand: bool, text: Text<TEXT_MAX>) -> Self {
        assert!(text.len() <= TEXT_MAX, "the expression is too long");
        Self {
            ty: Some(ty),
            constants: None,
            is_operand,
            text,
        }
    }

    /// Returns a constant that takes the type of what it's combined with.
    pub const fn constant(n: i128) -> Self {
        Self {
            ty: None,
            constants: Some((n, n)),
            is_operand: true,
            text: literal(Text::new(), n as u64),
        }
    }

    /// Returns `true` or `false`.
    pub const fn boolean(is: bool) -> Self {
        Self::new(Type::BOOL, true, Text::new().number(is as usize))
    }

    /// Returns the number in a field.
    #[track_caller]
    pub const fn field(name: &str, shape: Shape) -> Self {
        let (ty, text) = (Type::of(&shape), Text::new());
        assert!(shape.kind.is_number(), "the field isn't a number");
        // C would extend the sign of a short number.
        let is_extended = ty.signed && ty.bits < 32;
        let text = if is_extended { cast(text, ty) } else { text };
        Self::new(ty, true, text.str("REC->").str(name))
    }

    /// Returns an element of an array.
    #[track_caller]
    pub const fn item(name: &str, shape: Shape, index: usize) -> Self {
        let (Kind::Array { len, .. } | Kind::Chars { len, .. }) = shape.kind else {
            panic!("not an array of a fixed length: record the element in a field of its own");
        };
        assert!(index < len, "the field doesn't have that many elements");
        let text = Text::new().str("REC->").str(name);
        let text = text.byte(b'[').number(index).byte(b']');
        // Tools know no order of `[`, and complain about it in an operand.
        Self::new(Type::of(&shape), false, text)
    }

    /// Returns how many elements a field has.
    #[track_caller]
    pub const fn len(name: &str, shape: Shape) -> Self {
        match shape.kind {
            Kind::Array { len, .. } | Kind::Chars { len, .. } => {
                Self::constant(len as i128).typed(Type::USIZE)
            }
            Kind::DynArray { size, .. } => Self::elements(name, shape.rel, size),
            _ => panic!("the field isn't an array"),
        }
    }

    /// Returns how many elements of this size a field has whose length varies.
    pub const fn elements(name: &str, rel: bool, size: usize) -> Self {
        let text = show::len(Text::new(), name, rel, size);
        Self::new(Type::USIZE, !rel && size == 1, text)
    }

    /// Returns the whole of an expression. `exact` is whether its text is an operand.
    #[track_caller]
    pub const fn whole(self, exact: bool) -> Self {
        let (this, ty) = self.settled(&self);
        match exact && !this.is_operand {
            true => this.alone("a", ty, ty).as_operand(),
            false => this,
        }
    }

    /// Returns what a template shows of the whole.
    pub const fn of(&self) -> Of<'_> {
        let ty = self.ty.expect("not the whole");
        let (size, signed) = (ty.size(), ty.signed);
        Of::Computed(Kind::Int { size, signed }, self.text())
    }

    /// Returns the argument.
    pub const fn text(&self) -> &str {
        self.text.as_str()
    }

    const fn as_operand(mut self) -> Self {
        self.is_operand = true;
        self
    }

    /// Returns the value of a constant.
    const fn value(&self) -> Option<i128> {
        match self.constants {
            Some((low, high)) if low == high => Some(low),
            _ => None,
        }
    }

    /// Gives constants a type.
    #[track_caller]
    const fn typed(mut self, ty: Type) -> Self {
        if let (None, Some((low, high))) = (self.ty, self.constants) {
            let fits = ty.has(low) && ty.has(high);
            assert!(fits, "a constant doesn't fit into the type");
            self.ty = Some(ty);
            if let Some(n) = self.value() {
                self.text = literal(Text::new(), n as u64 & ty.mask());
                self.is_operand = true;
            }
        }
        self
    }

    /// Gives constants the type of another number, or `i32` if that has none. Returns the type, too.
    #[track_caller]
    const fn settled(self, other: &Self) -> (Self, Type) {
        let ty = match (self.ty, other.ty) {
            (Some(ty), _) | (None, Some(ty)) => ty,
            (None, None) => Type::I32,
        };
        let is_number = ty.bits > 0;
        assert!(is_number, "a pointer is a number only after `as usize`");
        (self.typed(ty), ty)
    }

    /// Writes an expression with this number and another one as operands. In `pattern`, these stand for something:
    ///
    /// | | |
    /// | --- | --- |
    /// | `a`, `b` | this number, the other one |
    /// | `~` | the operator |
    /// | `T` | a cast to the type `of` |
    /// | `M` | all bits of that type |
    /// | `S` | its highest bit |
    #[track_caller]
    const fn written(self, pattern: &str, ty: Type, of: Type, other: &Self, op: &str) -> Self {
        let (pattern, mut text, mut i) = (pattern.as_bytes(), Text::new(), 0);
        while i < pattern.len() {
            text = match pattern[i] {
                b'a' => self.add_to(text),
                b'b' => other.add_to(text),
                b'~' => text.str(op),
                b'T' => cast(text, of),
                b'M' => literal(text, of.mask()),
                b'S' => literal(text, of.sign()),
                byte => text.byte(byte),
            };
            i += 1;
        }
        Self::new(ty, false, text)
    }

    /// Writes an expression without another number.
    #[track_caller]
    const fn alone(self, pattern: &str, ty: Type, of: Type) -> Self {
        self.written(pattern, ty, of, &self, "")
    }

    /// Adds it to a text as an operand.
    const fn add_to(&self, text: Text<TEXT_MAX>) -> Text<TEXT_MAX> {
        if self.is_operand {
            return text.str(self.text());
        }
        let ty = match self.ty {
            Some(ty) => ty,
            None => Type::USIZE,
        };
        cast(text, ty).byte(b'(').str(self.text()).byte(b')')
    }

    /// Returns it with its highest bit flipped. Adding does that.
    #[track_caller]
    const fn flipped(self, ty: Type) -> Self {
        match self.value() {
            Some(n) => {
                let text = literal(Text::new(), (n as u64 ^ ty.sign()) & ty.mask());
                Self { text, ..self }
            }
            None => self.alone("T(a + S)", ty, ty).as_operand(),
        }
    }

    /// Returns `-a`.
    #[track_caller]
    pub const fn neg(self) -> Self {
        let (this, ty) = self.settled(&self);
        this.alone("0 - a", ty, ty)
    }

    /// Returns `!a`.
    #[track_caller]
    pub const fn not(self) -> Self {
        let (this, ty) = self.settled(&self);
        this.alone("M - a", ty, ty)
    }

    /// Returns `a as ty`.
    #[track_caller]
    pub const fn cast(self, ty: Type) -> Self {
        match (self.ty, self.value()) {
            (None, Some(_)) => self.typed(ty),
            (None, None) => self.typed(Type::I32).cast(ty),
            // Extends the sign.
            (Some(from), _) if from.signed && from.bits < ty.bits => {
                self.flipped(from).alone("(u64)a - S", ty, from)
            }
            _ => self.alone("Ta", ty, ty).as_operand(),
        }
    }

    /// Returns `if condition { a } else { b }`.
    #[track_caller]
    pub const fn choice(condition: Self, a: Self, b: Self) -> Self {
        let pattern = "(~) ? a : b";
        match (a.ty, a.constants, b.ty, b.constants) {
            (None, Some((low, high)), None, Some((least, most))) => {
                let ty = Type::USIZE;
                let mut choice = a.written(pattern, ty, ty, &b, condition.text());
                choice.ty = None;
                choice.constants = Some((
                    if low < least { low } else { least },
                    if high > most { high } else { most },
                ));
                choice
            }
            _ => {
                let ((a, ty), (b, _)) = (a.settled(&b), b.settled(&a));
                a.written(pattern, ty, ty, &b, condition.text())
            }
        }
    }

    /// Returns `self.min(most)`, as a `usize`.
    #[track_caller]
    pub const fn at_most(self, most: Self) -> Self {
        let n = self.cast(Type::USIZE);
        Self::choice(n.binary("<", most), n, most)
    }

    /// Returns `a + b` and the like.
    #[track_caller]
    pub const fn binary(self, op: &str, other: Self) -> Self {
        if let b"<<" | b">>" = op.as_bytes() {
            return self.shifted(op, other);
        }
        let ((mut a, ty), (mut b, _)) = (self.settled(&other), other.settled(&self));
        let (mut pattern, mut result) = ("a ~ b", ty);
        match op.as_bytes() {
            b"==" | b"!=" | b"<" | b">" | b"<=" | b">=" | b"&&" | b"||" => result = Type::BOOL,
            b"^" => pattern = "(a | b) - T(a & b)",
            b"/" | b"%" => {
                let Some(n) = b.value() else {
                    panic!("a divisor must be a constant: compute this in a field's expression");
                };
                assert!(n != 0, "a division by zero");
                if ty.signed {
                    b.text = literal(Text::new(), n.unsigned_abs() as u64);
                    pattern = match (op.as_bytes(), n < 0) {
                        (b"/", true) => "(a >= S) ? (T(0 - a) / b) : (0 - (a / b))",
                        _ => "(a >= S) ? (0 - (T(0 - a) ~ b)) : (a ~ b)",
                    };
                }
            }
            _ => {}
        }
        if let (b"<" | b">" | b"<=" | b">=", true) = (op.as_bytes(), ty.signed) {
            (a, b) = (a.flipped(ty), b.flipped(ty));
        }
        a.written(pattern, result, ty, &b, op)
    }

    /// Returns a number that's shifted.
    #[track_caller]
    const fn shifted(self, op: &str, by: Self) -> Self {
        let (a, ty) = self.settled(&self);
        let by = match (by.ty, by.value()) {
            (None, Some(n)) => {
                let fits = 0 <= n && n < ty.bits as i128;
                assert!(fits, "the shift amount is too large");
                by
            }
            _ => {
                let (by, bits) = (by.settled(&by).0, ty.bits.trailing_zeros());
                by.alone("(u8)(a & M)", ty, Type::new(bits, false))
                    .as_operand()
            }
        };
        let pattern = match (op.as_bytes(), ty.signed) {
            (b">>", true) => "(T(a + S) >> b) - T(S >> b)",
            _ => "a ~ b",
        };
        a.written(pattern, ty, ty, &by, op)
    }
}

/// Writes a number.
const fn literal(text: Text<TEXT_MAX>, n: u64) -> Text<TEXT_MAX> {
    if n < 10_000 || n % 1000 == 0 && n <= 1_000_000_000_000 {
        text.number(n as usize)
    } else {
        text.str("0x").hex(n)
    }
}

/// Writes a cast to the bits of a type.
const fn cast(text: Text<TEXT_MAX>, ty: Type) -> Text<TEXT_MAX> {
    text.str("(u").number(8 * ty.size()).byte(b')')
}
