//! Types of arithmetic expressions, as far as the tokens of one file show them.

use std::ops::Range;

use crate::cpp::declarations::{self, end_of_template};
use crate::cpp::functions::declared_with;
use crate::syntax::{Document, TokenIndex, TokenKind, flags};
use crate::text::keywords::is_qualifier;
use crate::text::number::Integer;

/// An arithmetic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    /// `float` and `double`.
    pub is_float: bool,
    /// Size in bits.
    pub bits: u8,
    /// Whether it has negative values.
    pub is_signed: bool,
    /// `long long`, which is another type than a `long` of as many bits.
    pub is_long_long: bool,
}

/// The type of an expression, and whether a variable has part in it: then it is certainly no constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// Its type.
    pub ty: Number,
    /// A variable that is not `const` has part in it.
    pub varies: bool,
}

const INT: Number = integer(32, true);
const SIZE: Number = integer(64, false);
const FLOAT: Number = floating(32);

const fn integer(bits: u8, is_signed: bool) -> Number {
    Number {
        is_float: false,
        bits,
        is_signed,
        is_long_long: false,
    }
}

const fn floating(bits: u8) -> Number {
    Number {
        is_float: true,
        bits,
        is_signed: true,
        is_long_long: false,
    }
}

impl Number {
    /// The type that these words name: `const unsigned int`, `size_t`.
    pub(crate) fn of_words(words: &[&[u8]]) -> Option<Self> {
        let mut longs = 0;
        let (mut sign, mut base): (Option<bool>, Option<Self>) = (None, None);
        for word in words.iter().filter(|word| !leaves_type(word)) {
            match *word {
                b"unsigned" => sign = Some(false),
                b"signed" => sign = Some(true),
                b"long" => longs += 1,
                b"int" if base.is_some() => {}
                word if base.is_none() || base == Some(INT) => base = Some(named(word)?),
                _ => return None,
            }
        }
        if longs > 0 {
            // `long double` is another matter; `long` has 64 bits on Linux.
            return base.is_none_or(|base| base == INT).then(|| Self {
                is_long_long: longs > 1,
                ..integer(64, sign != Some(false))
            });
        }
        let base = base.or(sign.map(|_| INT))?;
        Some(Self {
            is_signed: sign.unwrap_or(base.is_signed),
            ..base
        })
    }

    /// Whether a list in braces may not hold a variable of type `from` for this type, by `[dcl.init.list]`.
    pub(crate) fn is_narrower_than(self, from: Self) -> bool {
        match (from.is_float, self.is_float) {
            (true, true) => from.bits > self.bits,
            (false, false) => match (from.is_signed, self.is_signed) {
                (true, false) => true,
                (false, true) => from.bits >= self.bits,
                _ => from.bits > self.bits,
            },
            _ => true,
        }
    }

    /// The type of a sum of both.
    fn with(self, other: Self) -> Self {
        let (one, other) = (self.promoted(), other.promoted());
        match (one.is_float, other.is_float) {
            (true, false) => one,
            (false, true) => other,
            _ if one.bits != other.bits => {
                if one.bits > other.bits {
                    one
                } else {
                    other
                }
            }
            // Of a `long long` and an `unsigned long` of 64 bits neither holds the other: the sum is an `unsigned long long`.
            _ => Self {
                is_signed: one.is_signed && other.is_signed,
                is_long_long: one.is_long_long || other.is_long_long,
                ..one
            },
        }
    }

    /// The type as C++ spells it.
    pub(crate) fn name(self) -> &'static str {
        match (self.is_float, self.bits, self.is_signed) {
            (true, 32, _) => "float",
            (true, _, _) => "double",
            (_, 1, _) => "bool",
            (_, 8, true) => "char",
            (_, 8, false) => "unsigned char",
            (_, 16, true) => "short",
            (_, 16, false) => "unsigned short",
            (_, 32, true) => "int",
            (_, 32, false) => "unsigned int",
            (_, _, true) if self.is_long_long => "long long",
            (_, _, true) => "long",
            (_, _, false) if self.is_long_long => "unsigned long long",
            (_, _, false) => "unsigned long",
        }
    }

    /// What arithmetic makes of the type: an `int` of all that is narrower.
    pub(super) fn promoted(self) -> Self {
        if !self.is_float && self.bits < 32 {
            INT
        } else {
            self
        }
    }
}

/// Whether a word in front of a type's name leaves the type what it is.
pub(super) fn leaves_type(word: &[u8]) -> bool {
    is_qualifier(word) || word == b"std"
}

fn named(word: &[u8]) -> Option<Number> {
    Some(match word {
        b"int" | b"int32_t" => INT,
        b"bool" => integer(1, false),
        b"char" | b"int8_t" => integer(8, true),
        b"uchar" | b"uint8_t" => integer(8, false),
        b"short" | b"int16_t" => integer(16, true),
        b"ushort" | b"uint16_t" => integer(16, false),
        b"uint" | b"uint32_t" => integer(32, false),
        b"int64_t" | b"ptrdiff_t" | b"ssize_t" | b"intptr_t" => integer(64, true),
        b"size_t" | b"uint64_t" | b"ulong" | b"size_type" | b"uintptr_t" => SIZE,
        b"float" => FLOAT,
        b"double" => floating(64),
        _ => return None,
    })
}

/// The elements of one of CUDA's vector types: `uint3` and `dim3` have those of `unsigned`.
pub(crate) fn element(vector: &[u8]) -> Option<(Number, &'static str)> {
    const NAMES: &[(&[u8], &str)] = &[
        (b"char", "signed char"),
        (b"uchar", "unsigned char"),
        (b"short", "short"),
        (b"ushort", "unsigned short"),
        (b"int", "int"),
        (b"uint", "unsigned"),
        (b"long", "long"),
        (b"ulong", "unsigned long"),
        (b"longlong", "long long"),
        (b"ulonglong", "unsigned long long"),
        (b"float", "float"),
        (b"double", "double"),
    ];
    let stem = match vector {
        b"dim3" => b"uint",
        [stem @ .., b'1'..=b'4'] => stem,
        _ => return None,
    };
    let (_, name) = NAMES.iter().find(|(known, _)| *known == stem)?;
    let words: Vec<&[u8]> = name.split(' ').map(str::as_bytes).collect();
    Some((Number::of_words(&words)?, name))
}

/// Whether a word is one of CUDA's vector types, `uint3`; `dim3` is a structure with a constructor.
pub(crate) fn is_vector(word: &[u8]) -> bool {
    word != b"dim3" && element(word).is_some()
}

/// The type of an expression whose parts are all in sight: numbers, declared variables and their elements, casts, the operators of
/// arithmetic.
pub(crate) fn value(doc: &Document<'_>, tokens: Range<TokenIndex>) -> Option<Value> {
    let (mut at, mut result) = (tokens.start, None::<Value>);
    let mut is_amount = false;
    while at < tokens.end {
        let first = at;
        while matches!(doc.bytes(at), b"-" | b"+" | b"~") {
            at += 1;
        }
        let (operand, next) = operand(doc, at, tokens.end)?;
        let is_alone = first == at && result.is_none() && next == tokens.end;
        let ty = match result {
            None if is_alone => operand.ty,
            None => operand.ty.promoted(),
            // What is shifted decides alone.
            Some(sum) if is_amount => sum.ty,
            Some(sum) => sum.ty.with(operand.ty),
        };
        let varies = operand.varies || result.is_some_and(|sum| sum.varies);
        result = Some(Value { ty, varies });
        if next == tokens.end {
            return result;
        }
        at = match doc.bytes(next) {
            b"+" | b"-" | b"*" | b"/" | b"%" => next + 1,
            b"&" | b"|" | b"^" => {
                is_amount = false;
                next + 1
            }
            b"<" | b">" if doc.bytes(next + 1) == doc.bytes(next) => {
                is_amount = true;
                next + 2
            }
            _ => return None,
        };
    }
    None
}

/// One operand and the token behind it.
pub(crate) fn operand(
    doc: &Document<'_>,
    at: TokenIndex,
    end: TokenIndex,
) -> Option<(Value, TokenIndex)> {
    let close = doc.matching_bracket(at).filter(|&close| close < end);
    let constant = |ty| Value { ty, varies: false };
    let variable = |ty| Value { ty, varies: true };
    match doc.bytes(at) {
        b"(" => {
            let close = close.filter(|&close| close > at)?;
            let words: Vec<&[u8]> = (at + 1..close).map(|word| doc.bytes(word)).collect();
            if let Some(ty) = Number::of_words(&words) {
                let (inner, next) = operand(doc, close + 1, end)?;
                return Some((Value { ty, ..inner }, next));
            }
            Some((value(doc, at + 1..close)?, close + 1))
        }
        b"static_cast" => {
            let angle = doc.template_close(at + 1)?;
            let words: Vec<&[u8]> = (at + 2..angle).map(|word| doc.bytes(word)).collect();
            let ty = Number::of_words(&words)?;
            let close = doc.matching_bracket(angle + 1)?;
            let inner = value(doc, angle + 2..close)?;
            Some((Value { ty, ..inner }, close + 1))
        }
        b"sizeof" => Some((constant(SIZE), doc.matching_bracket(at + 1)? + 1)),
        b"threadIdx" | b"blockIdx" | b"blockDim" | b"gridDim" if doc.is(at + 1, ".") => {
            Some((variable(integer(32, false)), at + 3))
        }
        word if doc.tokens.get(at)?.kind == TokenKind::Number => {
            Some((constant(literal(word)?), at + 1))
        }
        word if doc.is(at + 1, "(") => {
            let close = doc.matching_bracket(at + 1)?;
            let ty = Number::of_words(&[word]);
            if let Some(ty) = ty {
                let inner = value(doc, at + 2..close)?;
                return Some((Value { ty, ..inner }, close + 1));
            }
            let ty = is_float_function(word).then_some(FLOAT);
            let ty = ty.or_else(|| returned(doc, word))?;
            Some((variable(ty), close + 1))
        }
        word if doc.is_ident(at) => match macro_number(doc, word) {
            Some(ty) => Some((constant(ty), at + 1)),
            None => named_value(doc, at).or_else(|| {
                let is_whole = !matches!(doc.bytes(at + 1), b"(" | b"::" | b"." | b"<" | b"[");
                let ty = number_parameter(doc, at).filter(|_| is_whole)?;
                Some((constant(ty), at + 1))
            }),
        },
        _ => None,
    }
}

/// The type of numbers that all functions of a name return which the file declares.
fn returned<'s>(doc: &Document<'s>, name: &'s [u8]) -> Option<Number> {
    let is_declared = |at: TokenIndex| {
        let open = doc.next(at).filter(|&open| doc.is(open, "("));
        open.is_some_and(|open| declared_with(doc, open + 1) == Some(at))
    };
    let places = doc.noted("functions", name, is_declared);
    let mut types = places.iter().map(|&at| type_in_front(doc, at));
    let first = types.next()??;
    types.all(|ty| ty == Some(first)).then_some(first)
}

/// The type of numbers in front of a function's name: `static inline int`.
fn type_in_front(doc: &Document<'_>, name: TokenIndex) -> Option<Number> {
    // More words nobody writes in front of a name.
    const LONGEST: usize = 8;
    let front = (name.saturating_sub(LONGEST)..name).rev();
    let words: Vec<&[u8]> = front
        .take_while(|&at| doc.is_ident(at) && !doc.tokens[at].has(flags::DIRECTIVE))
        .map(|at| doc.bytes(at))
        .collect();
    let before = name.checked_sub(words.len() + 1);
    let is_whole = before.is_none_or(|at| {
        doc.tokens[at].has(flags::DIRECTIVE) || matches!(doc.bytes(at), b";" | b"}" | b"{" | b">")
    });
    let words: Vec<&[u8]> = words.into_iter().rev().collect();
    is_whole.then(|| Number::of_words(&words))?
}

/// A declared variable, an element of an array, a component of a vector, or the size of a container.
fn named_value(doc: &Document<'_>, at: TokenIndex) -> Option<(Value, TokenIndex)> {
    let mut last = at;
    while matches!(doc.bytes(last + 1), b"." | b"->") && doc.is_ident(last + 2) {
        last += 2;
    }
    if last > at && doc.is(last, "size") && doc.is(last + 1, "(") && doc.is(last + 2, ")") {
        let size = Value {
            ty: SIZE,
            varies: true,
        };
        return Some((size, last + 3));
    }
    let found = declarations::declared(doc, at)?;
    let is_parameter = doc
        .next(found.name)
        .is_some_and(|next| matches!(doc.bytes(next), b"," | b")"));
    let is_fixed = found.is_any(&["constexpr"]) || found.pointers == 0 && found.is_any(&["const"]);
    let varies = is_parameter || !is_fixed;
    let (pointers, next) = match doc.bytes(at + 1) {
        b"[" => (1, doc.matching_bracket(at + 1)? + 1),
        _ => (0, at + 1),
    };
    if found.pointers != pointers || matches!(doc.bytes(next), b"[" | b"(" | b"::" | b"->") {
        return None;
    }
    let is_component = doc.is(next, ".");
    let ty = if is_component {
        let vector = found.words.iter().find_map(|word| element(word));
        let letter = matches!(doc.bytes(next + 1), b"x" | b"y" | b"z" | b"w");
        vector.filter(|_| letter && !doc.is(next + 2, "("))?.0
    } else {
        Number::of_words(&found.words)?
    };
    Some((Value { ty, varies }, next + 2 * usize::from(is_component)))
}

/// The type of a number that is a parameter of a template around: `template <int N>`.
fn number_parameter(doc: &Document<'_>, at: TokenIndex) -> Option<Number> {
    let declares = |at: TokenIndex| {
        matches!(doc.bytes(at + 1), b"," | b">" | b"=") && parameter_type(doc, at).is_some()
    };
    let parameters = doc.noted("numbers of templates", doc.bytes(at), declares);
    let before = parameters.partition_point(|&it| it < at);
    let last = parameters[before.checked_sub(1)?];
    (at < end_of_template(doc, last)).then(|| parameter_type(doc, last))?
}

/// The words in front of the name of a parameter of a template, if they are a type of numbers.
fn parameter_type(doc: &Document<'_>, name: TokenIndex) -> Option<Number> {
    // More parameters nobody writes.
    const LONGEST: usize = 100;
    let words: Vec<&[u8]> = (name.saturating_sub(4)..name)
        .rev()
        .map(|it| doc.bytes(it))
        .take_while(|word| !matches!(*word, b"," | b"<"))
        .filter(|word| *word != b"const")
        .collect();
    let words: Vec<&[u8]> = words.into_iter().rev().collect();
    let ty = Number::of_words(&words)?;
    let mut before = (name.saturating_sub(LONGEST)..name).rev();
    let head = before.find(|&it| {
        matches!(
            doc.bytes(it),
            b"template" | b"(" | b")" | b";" | b"{" | b"}"
        )
    });
    head.filter(|&it| doc.is(it, "template")).map(|_| ty)
}

fn literal(text: &[u8]) -> Option<Number> {
    let text = std::str::from_utf8(text).ok()?.to_ascii_lowercase();
    let is_hex = text.starts_with("0x");
    if !is_hex && text.contains(['.', 'e']) {
        return Some(if text.ends_with('f') {
            FLOAT
        } else {
            floating(64)
        });
    }
    let literal = Integer::parse(text.as_bytes())?;
    let is_long = literal.longs > 0 || literal.value > u64::from(u32::MAX);
    Some(Number {
        is_long_long: literal.longs > 1,
        ..integer(if is_long { 64 } else { 32 }, !literal.is_unsigned)
    })
}

/// The type of a macro of the file that is one number.
fn macro_number(doc: &Document<'_>, name: &[u8]) -> Option<Number> {
    let mut defines = doc.macros_called(name);
    let (Some(define), None) = (defines.next(), defines.next()) else {
        return None;
    };
    let value = define.operands().skip(1);
    let mut value = value.filter(|&at| !matches!(doc.bytes(at), b"(" | b")"));
    match (value.next(), value.next()) {
        (Some(at), None) if doc.tokens[at].kind == TokenKind::Number => literal(doc.bytes(at)),
        _ => None,
    }
}

/// Functions of C with a `float` for their result.
fn is_float_function(word: &[u8]) -> bool {
    const NAMES: &[&[u8]] = &[
        b"sqrtf", b"sinf", b"cosf", b"tanf", b"expf", b"logf", b"powf", b"fabsf", b"floorf",
        b"ceilf", b"roundf", b"fminf", b"fmaxf", b"fmodf", b"atan2f", b"rsqrtf",
    ];
    NAMES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Number> {
        let words: Vec<&[u8]> = text.split(' ').map(str::as_bytes).collect();
        Number::of_words(&words)
    }

    #[test]
    fn words_name_the_types_of_cpp() {
        for (text, bits, is_signed) in [
            ("int", 32, true),
            ("unsigned", 32, false),
            ("const unsigned int", 32, false),
            ("long", 64, true),
            ("long unsigned int", 64, false),
            ("size_t", 64, false),
            ("char", 8, true),
            ("unsigned char", 8, false),
            ("short", 16, true),
        ] {
            assert_eq!(of(text), Some(integer(bits, is_signed)), "{text}");
        }
        for text in ["long", "long long", "unsigned long long", "bool", "short"] {
            assert_eq!(of(text).map(Number::name), Some(text));
        }
        assert_eq!(of("float"), Some(floating(32)));
        assert_eq!(of("const double"), Some(floating(64)));
        for text in ["long double", "Mine", "int Mine"] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    /// `[dcl.init.list]` of C++17.
    #[test]
    fn narrowing_is_what_the_standard_calls_so() {
        for (to, from, expected) in [
            ("float", "double", true),
            ("double", "float", false),
            ("int", "float", true),
            ("float", "int", true),
            ("int", "unsigned", true),
            ("unsigned", "int", true),
            ("long", "unsigned", false),
            ("unsigned long", "unsigned", false),
            ("int", "long", true),
            ("short", "int", true),
            ("int", "short", false),
        ] {
            let [to_type, from_type] = [to, from].map(|text| of(text).expect("it is a type"));
            assert_eq!(
                to_type.is_narrower_than(from_type),
                expected,
                "{to} from {from}"
            );
        }
    }

    #[test]
    fn vectors_have_elements() {
        for (vector, expected) in [
            ("float4", Some((floating(32), "float"))),
            ("double2", Some((floating(64), "double"))),
            ("int3", Some((integer(32, true), "int"))),
            ("uint2", Some((integer(32, false), "unsigned"))),
            ("float5", None),
            ("mine", None),
        ] {
            assert_eq!(element(vector.as_bytes()), expected, "{vector}");
        }
    }
}
