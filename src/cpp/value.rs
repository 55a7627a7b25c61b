//! What constant integer expressions are worth, as far as they can be told from their words.

use std::ops::Range;

use crate::cpp::arithmetic;
use crate::cpp::short_floats::short_float;
use crate::syntax::{Document, TokenIndex};
use crate::text::number;

/// What a name stands for; `None` where nobody knows.
pub type Names<'n> = dyn Fn(&[u8]) -> Option<u64> + 'n;

/// Words of the longest expression that is worked out.
const LONGEST: usize = 256;

/// Brackets and signs in brackets and signs: more are no constant of a program.
const DEEPEST: u8 = 64;

/// The value of an integer expression: literals, names, `sizeof`, casts between integers, brackets and the operators of C++ on
/// integers. `None` for everything else, where something is divided by zero, and where 64 bits with a sign do not hold a value.
pub fn value(words: &[&[u8]], names: &Names<'_>) -> Option<i64> {
    if words.len() > LONGEST {
        return None;
    }
    let mut reader = Reader {
        words,
        names,
        at: 0,
        depth: 0,
    };
    let value = reader.conditional()?;
    (reader.at == words.len()).then_some(value)
}

/// The words of an expression in a file.
pub fn words<'d>(doc: &Document<'d>, tokens: Range<TokenIndex>) -> Vec<&'d [u8]> {
    tokens.map(|at| doc.bytes(at)).collect()
}

/// The same for a number of things: no negative value.
pub fn count(words: &[&[u8]], names: &Names<'_>) -> Option<u64> {
    u64::try_from(value(words, names)?).ok()
}

/// Bytes of the type that these words name: `const unsigned int`, `std::uint32_t`, `float4`.
pub(crate) fn size_of(words: &[&[u8]]) -> Option<u64> {
    let words: Vec<&[u8]> = words
        .iter()
        .copied()
        .filter(|word| *word != b"::")
        .collect();
    if let Some(number) = arithmetic::Number::of_words(&words) {
        return Some(u64::from(number.bits) / 8);
    }
    let mut named = words.iter().filter(|word| !arithmetic::leaves_type(word));
    let (Some(name), None) = (named.next(), named.next()) else {
        return None;
    };
    if let Some(ty) = short_float(name) {
        return Some(2 * u64::from(ty.lanes));
    }
    match *name {
        b"bool" | b"__nv_fp8_e4m3" | b"__nv_fp8_e5m2" => Some(1),
        b"longlong" | b"ulonglong" => Some(8),
        b"dim3" => Some(12),
        [.., lanes @ b'1'..=b'4'] => {
            let (element, _) = arithmetic::element(name)?;
            Some(u64::from(element.bits) / 8 * u64::from(lanes - b'0'))
        }
        _ => None,
    }
}

struct Reader<'r> {
    words: &'r [&'r [u8]],
    names: &'r Names<'r>,
    at: usize,
    depth: u8,
}

/// Binary operators from the loosest to the tightest. Angle brackets are words of their own, so that `<<` is two.
const LEVELS: &[&[&[u8]]] = &[
    &[b"||"],
    &[b"&&"],
    &[b"|"],
    &[b"^"],
    &[b"&"],
    &[b"==", b"!="],
    &[b"<", b">", b"<=", b">="],
    &[b"<<", b">>"],
    &[b"+", b"-"],
    &[b"*", b"/", b"%"],
];

impl<'r> Reader<'r> {
    fn word(&self, ahead: usize) -> &'r [u8] {
        self.words.get(self.at + ahead).copied().unwrap_or_default()
    }

    fn takes(&mut self, word: &[u8]) -> Option<()> {
        (self.word(0) == word).then(|| self.at += 1)
    }

    /// `a ? b : c`
    fn conditional(&mut self) -> Option<i64> {
        let condition = self.binary(0)?;
        if self.takes(b"?").is_none() {
            return Some(condition);
        }
        let yes = self.conditional()?;
        self.takes(b":")?;
        let no = self.conditional()?;
        Some(if condition != 0 { yes } else { no })
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(operators) {
            let right = self.binary(level + 1)?;
            left = apply(left, operator, right)?;
        }
        Some(left)
    }

    /// Takes one of some operators.
    fn operator<'o>(&mut self, operators: &[&'o [u8]]) -> Option<&'o [u8]> {
        let first = self.word(0);
        let is_shift = matches!(first, b"<" | b">") && self.word(1) == first;
        let taken = operators.iter().copied().find(|operator| match *operator {
            b"<<" | b">>" => {
                operator[0] == first.first().copied().unwrap_or(0)
                    && (is_shift || *operator == first)
            }
            _ => *operator == first && !is_shift,
        })?;
        self.at += if is_shift { 2 } else { 1 };
        Some(taken)
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        let is_too_deep = self.depth > DEEPEST;
        let value = if is_too_deep { None } else { self.operand() };
        self.depth -= 1;
        value
    }

    fn operand(&mut self) -> Option<i64> {
        let word = self.words.get(self.at).copied()?;
        self.at += 1;
        match word {
            b"-" => self.unary()?.checked_neg(),
            b"+" => self.unary(),
            b"!" => Some(i64::from(self.unary()? == 0)),
            b"~" => Some(!self.unary()?),
            b"(" => self.in_brackets(),
            b"sizeof" => self.size(),
            b"true" => Some(1),
            b"false" => Some(0),
            b"static_cast" => {
                self.takes(b"<")?;
                let ty = self.until(b">");
                self.takes(b"(")?;
                converted(self.in_brackets()?, ty)
            }
            _ if word[0].is_ascii_digit() => i64::try_from(number::integer(word)?).ok(),
            // `size_t(4)`
            _ if self.word(0) == b"(" => {
                self.at += 1;
                let ty = [word];
                converted(self.in_brackets()?, &ty)
            }
            _ => i64::try_from((self.names)(word)?).ok(),
        }
    }

    /// What stands behind a `(`: a type, and this is a cast, or an expression.
    fn in_brackets(&mut self) -> Option<i64> {
        let start = self.at;
        let words = self.words;
        let end = start + words[start..].iter().position(|word| *word == b")")?;
        let ty = &words[start..end];
        if is_integer_type(ty) {
            self.at = end + 1;
            return converted(self.unary()?, ty);
        }
        let value = self.conditional()?;
        self.takes(b")")?;
        Some(value)
    }

    /// `sizeof(float)`
    fn size(&mut self) -> Option<i64> {
        self.takes(b"(")?;
        let ty = self.until(b")");
        i64::try_from(size_of(ty)?).ok()
    }

    /// The words in front of the next `end`, which is taken too.
    fn until(&mut self, end: &[u8]) -> &'r [&'r [u8]] {
        let start = self.at;
        let words = self.words;
        let len = words[start..].iter().position(|word| *word == end);
        let len = len.unwrap_or(words.len() - start);
        self.at = (start + len + 1).min(words.len());
        &words[start..start + len]
    }
}

fn is_integer_type(words: &[&[u8]]) -> bool {
    let words: Vec<&[u8]> = words
        .iter()
        .copied()
        .filter(|word| *word != b"::")
        .collect();
    arithmetic::Number::of_words(&words).is_some_and(|number| !number.is_float)
}

/// The value as one of that integer type, if it has it.
fn converted(value: i64, ty: &[&[u8]]) -> Option<i64> {
    let words: Vec<&[u8]> = ty.iter().copied().filter(|word| *word != b"::").collect();
    let number = arithmetic::Number::of_words(&words).filter(|number| !number.is_float)?;
    let bits = u32::from(number.bits) - u32::from(number.is_signed);
    let fits = match number.is_signed {
        true => (-(1i128 << bits)..1i128 << bits).contains(&i128::from(value)),
        false => (0..1i128 << bits).contains(&i128::from(value)),
    };
    fits.then_some(value)
}

fn apply(left: i64, operator: &[u8], right: i64) -> Option<i64> {
    let shift = || u32::try_from(right).ok().filter(|&by| by < 63);
    match operator {
        b"+" => left.checked_add(right),
        b"-" => left.checked_sub(right),
        b"*" => left.checked_mul(right),
        b"/" => left.checked_div(right),
        b"%" => left.checked_rem(right),
        b"<<" => left.checked_mul(1i64 << shift()?),
        b">>" => Some(left >> shift()?),
        b"&" => Some(left & right),
        b"^" => Some(left ^ right),
        b"|" => Some(left | right),
        _ => Some(i64::from(holds(left, operator, right))),
    }
}

fn holds(left: i64, operator: &[u8], right: i64) -> bool {
    match operator {
        b"==" => left == right,
        b"!=" => left != right,
        b"<" => left < right,
        b"<=" => left <= right,
        b">" => left > right,
        b">=" => left >= right,
        b"&&" => left != 0 && right != 0,
        _ => left != 0 || right != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::lex;

    fn words(text: &str) -> Vec<&[u8]> {
        let tokens = lex(text.as_bytes()).filter(|token| token.is_significant());
        tokens
            .map(|token| &text.as_bytes()[token.range().as_usize()])
            .collect()
    }

    fn of(text: &str) -> Option<i64> {
        let names = |name: &[u8]| match name {
            b"TILE" => Some(32),
            b"STAGES" => Some(4),
            b"HUGE" => Some(u64::MAX),
            _ => None,
        };
        value(&words(text), &names)
    }

    #[test]
    fn constants_are_worth_what_cpp_says() {
        for (text, wanted) in [
            ("131072", Some(131_072)),
            ("0x8000", Some(32_768)),
            ("128 * 1024", Some(131_072)),
            ("2 + 3 * 4", Some(14)),
            ("(2 + 3) * 4", Some(20)),
            ("10 - 4 - 3", Some(3)),
            ("100 / 7 % 4", Some(2)),
            ("1 << 17", Some(131_072)),
            ("1u << 5 | 1", Some(33)),
            ("131072 >> 1", Some(65_536)),
            ("7 & 3 ^ 1", Some(2)),
            ("~0", Some(-1)),
            ("-TILE", Some(-32)),
            ("- -3", Some(3)),
            ("+3", Some(3)),
            ("!0", Some(1)),
            ("!TILE", Some(0)),
            ("TILE", Some(32)),
            ("TILE * TILE * STAGES", Some(4096)),
            ("STAGES * (TILE + 1)", Some(132)),
            ("TILE > 16 ? 64 : 128", Some(64)),
            ("TILE < 16 ? 64 : STAGES ? 1 : 2", Some(1)),
            ("TILE == 32 && STAGES != 4", Some(0)),
            ("TILE <= 32 || UNKNOWN", None),
            ("TILE >= 33", Some(0)),
            ("sizeof(float)", Some(4)),
            ("sizeof(float4) * 2", Some(32)),
            ("sizeof(unsigned long long)", Some(8)),
            ("sizeof(std::uint16_t)", Some(2)),
            ("sizeof(half2)", Some(4)),
            ("sizeof(T)", None),
            ("(int)TILE", Some(32)),
            ("(unsigned)-1", None),
            ("(size_t)64 * 1024", Some(65_536)),
            ("(std::size_t) (64 * 1024)", Some(65_536)),
            ("static_cast<int>(TILE) + 1", Some(33)),
            ("size_t(4) * 4", Some(16)),
            ("int(-3)", Some(-3)),
            ("(char)300", None),
            ("true + 1", Some(2)),
            ("1 / 0", None),
            ("1 % 0", None),
            ("1 << 64", None),
            ("1 << -1", None),
            ("9223372036854775807 + 1", None),
            ("HUGE", None),
            ("1.5", None),
            ("UNKNOWN * 2", None),
            ("max(1, 2)", None),
            ("2 3", None),
            ("(2", None),
            ("2)", None),
            ("2 +", None),
            ("", None),
        ] {
            assert_eq!(of(text), wanted, "{text}");
        }
    }

    #[test]
    fn deep_brackets_end_somewhere() {
        let deep = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(of(&deep(60)), Some(1));
        assert_eq!(of(&deep(100_000)), None);
    }

    #[test]
    fn types_have_sizes() {
        for (text, size) in [
            ("char", Some(1)),
            ("const volatile unsigned", Some(4)),
            ("unsigned short int", Some(2)),
            ("std::uint32_t", Some(4)),
            ("::std::int64_t", Some(8)),
            ("double2", Some(16)),
            ("uchar4", Some(4)),
            ("longlong2", Some(16)),
            ("__nv_bfloat16", Some(2)),
            ("dim3", Some(12)),
            ("Pair", None),
            ("float *", None),
            ("", None),
        ] {
            assert_eq!(size_of(&words(text)), size, "{text}");
        }
    }
}
