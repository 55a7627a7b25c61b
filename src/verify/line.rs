//! A line of output as words and numbers. Numbers that look like timings are marked; time stamps, addresses, paths and names of
//! devices are recognised, because they differ between machines whatever is computed.

use std::hash::{Hash as _, Hasher as _};

use rustc_hash::FxHasher;

use super::machine::{TIMING_WORDS, clock, names_device, starts_path, unit_follows};
use super::printed_number::{count, decimal, printed, special};

/// What stands at a place of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token {
    /// Letters and punctuation, as a hash that takes `CUDA` for `HIP`.
    Word(u64),
    Number(Number),
    /// A time of day, a date, an address or a path: never compared.
    Volatile(Volatile),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    pub(super) is_integer: bool,
    /// It has a unit of time or rate, or stands behind a word such as `elapsed`.
    pub(super) is_timing: bool,
    /// Significant digits that were printed.
    pub(super) digits: u32,
    /// What one step of the last printed digit is worth.
    pub(super) step: f64,
    /// Where it stands in the line, in bytes.
    pub(super) start: u32,
    pub(super) end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Volatile {
    Clock,
    Address,
    Path,
    Device,
}

/// A line and what it consists of.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) tokens: Vec<Token>,
    /// Equal for lines that differ in numbers only.
    pub(super) shape: u64,
}

impl Line {
    pub(super) fn new(text: String) -> Self {
        let tokens = if names_device(&text) {
            vec![Token::Volatile(Volatile::Device)]
        } else {
            tokens(&text)
        };
        let shape = shape(&tokens);
        Self {
            text,
            tokens,
            shape,
        }
    }

    /// The numbers with their position among the tokens.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (usize, Number)> {
        let number = |(at, token): (usize, &Token)| match token {
            Token::Number(number) => Some((at, *number)),
            _ => None,
        };
        self.tokens.iter().enumerate().filter_map(number)
    }
}

fn shape(tokens: &[Token]) -> u64 {
    let mut hasher = FxHasher::default();
    for token in tokens {
        match token {
            Token::Word(hash) => (0, *hash).hash(&mut hasher),
            Token::Number(_) => (1, 0).hash(&mut hasher),
            Token::Volatile(kind) => (2, *kind as u64).hash(&mut hasher),
        }
    }
    tokens.len().hash(&mut hasher);
    hasher.finish()
}

fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        found: Vec::new(),
        after_timing_word: false,
    };
    lexer.run();
    lexer.found
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    found: Vec<Token>,
    after_timing_word: bool,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if let Some((end, kind)) = self.volatile() {
                self.found.push(Token::Volatile(kind));
                self.at = end;
            } else if let Some(number) = self.number() {
                self.at = number.end as usize;
                self.found.push(Token::Number(number));
            } else {
                self.word();
            }
        }
    }

    fn starts_word(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.bytes[at]);
        before.is_none_or(|byte| byte.is_ascii_whitespace() || b"=('\"[,:".contains(&byte))
    }

    fn volatile(&self) -> Option<(usize, Volatile)> {
        let rest = &self.bytes[self.at..];
        if let Some(length) = clock(rest) {
            return Some((self.at + length, Volatile::Clock));
        }
        let hex = rest.strip_prefix(b"0x");
        let digits = hex.map_or(0, |hex| count(hex, |byte| byte.is_ascii_hexdigit()));
        if digits >= 8 {
            return Some((self.at + 2 + digits, Volatile::Address));
        }
        if self.starts_word() && starts_path(rest) {
            let length = count(rest, |byte| {
                !byte.is_ascii_whitespace() && !b",;'\")]".contains(&byte)
            });
            return Some((self.at + length, Volatile::Path));
        }
        None
    }

    fn number(&self) -> Option<Number> {
        let rest = &self.bytes[self.at..];
        let (length, value, is_integer) = special(rest).or_else(|| decimal(rest))?;
        let signed = matches!(rest[0], b'+' | b'-');
        // In `a-1` and `3-4` the dash is no sign.
        if signed && !self.starts_word() {
            return None;
        }
        let text = &self.text[self.at..self.at + length];
        let (digits, step) = printed(text);
        let is_timing = self.after_timing_word || unit_follows(&self.bytes[self.at + length..]);
        let end = self.at + length;
        Some(Number {
            value,
            is_integer,
            is_timing,
            digits,
            step,
            start: u32::try_from(self.at).ok()?,
            end: u32::try_from(end).ok()?,
        })
    }

    fn word(&mut self) {
        let rest = &self.bytes[self.at..];
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        let length = if is_letter(rest[0]) {
            count(rest, is_letter)
        } else {
            1
        };
        let word = String::from_utf8_lossy(&rest[..length]).to_ascii_lowercase();
        self.after_timing_word |= TIMING_WORDS.iter().any(|timing| word.starts_with(timing));
        let mut hasher = FxHasher::default();
        let exact = &rest[..length];
        if word.contains("cuda") {
            word.replace("cuda", "hip").as_bytes().hash(&mut hasher);
        } else if word.contains("hip") {
            word.as_bytes().hash(&mut hasher);
        } else {
            exact.hash(&mut hasher);
        }
        self.found.push(Token::Word(hasher.finish()));
        self.at += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<f64> {
        let line = Line::new(text.to_owned());
        line.numbers().map(|(_, number)| number.value).collect()
    }

    #[test]
    fn numbers_are_found_in_what_programs_print() {
        assert_eq!(values("x=1.5, y[3] = -2e-3 (4)."), [1.5, 3.0, -0.002, 4.0]);
        assert_eq!(values("float4 kernel_2 3D a-1 v2"), [3.0, 1.0]);
        assert!(values("err nan inf")[0].is_nan());
        assert_eq!(values("information nano"), Vec::<f64>::new());
        assert_eq!(values("energy .5e2 5."), [50.0, 5.0]);
    }

    #[test]
    fn what_differs_between_machines_is_recognised() {
        for text in [
            "2024-05-06 12:34:56",
            "/home/me/a.out",
            "p = 0x7ffe12345678",
            "C:\\x\\y.exe",
            "NVIDIA H200",
        ] {
            let line = Line::new(text.to_owned());
            let found = line.tokens.iter();
            assert!(
                found.clone().any(|t| matches!(t, Token::Volatile(_))),
                "{text}"
            );
            assert!(
                found.clone().all(|t| !matches!(t, Token::Number(_))),
                "{text}"
            );
        }
        let a = Line::new("CUDA kernel done".to_owned());
        assert_eq!(a.shape, Line::new("hip kernel done".to_owned()).shape);
        assert_ne!(
            Line::new("PASS".to_owned()).shape,
            Line::new("FAIL".to_owned()).shape
        );
    }

    #[test]
    fn timings_have_units_or_words() {
        let timing = |text: &str| {
            let line = Line::new(text.to_owned());
            let first = line.numbers().next().expect("it has a number");
            first.1.is_timing
        };
        assert!(timing("12.5ms") && timing("Elapsed: 3"));
        assert!(timing("bandwidth 3.4 (GB/s)") && timing("3.4 GB/s"));
        assert!(!timing("energy 3.4 J") && !timing("3 steps"));
    }
}
