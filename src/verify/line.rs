//! A line of output as words and numbers. Numbers that look like timings are marked; time stamps, addresses, paths and names of
//! devices are recognised, because they differ between machines whatever is computed.

use std::hash::{Hash as _, Hasher as _};

use rustc_hash::FxHasher;

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

/// Words that only stand in lines about the machine.
const DEVICES: &[&str] = &[
    "nvidia", "geforce", "quadro", "tesla ", "radeon", "instinct", "gfx9", "gfx10", "gfx11",
    "gfx12", "amd ",
];

fn names_device(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    DEVICES.iter().any(|word| lower.contains(word))
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

fn count(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is_part(**byte)).count()
}

/// `12:34:56.7` or `2024-05-06`, with what belongs to it.
fn clock(rest: &[u8]) -> Option<usize> {
    let part = |byte: u8| byte.is_ascii_digit() || b":.-TZ".contains(&byte);
    let length = count(rest, part);
    let text = std::str::from_utf8(&rest[..length]).ok()?;
    let text = text.trim_end_matches(['.', ':', '-', 'T']);
    let is_digits =
        |text: &str, count: usize| text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    let starts_time = |text: &str| {
        let mut parts = text.split(':');
        let hours = parts.next().is_some_and(|part| is_digits(part, 2));
        let minutes = parts.next().is_some_and(|part| is_digits(part, 2));
        let seconds = parts.next().is_some_and(|part| part.len() >= 2);
        hours && minutes && seconds
    };
    let starts_date = |text: &str| {
        let mut parts = text.split('-');
        let year = parts.next().is_some_and(|part| is_digits(part, 4));
        let month = parts.next().is_some_and(|part| is_digits(part, 2));
        let day = parts.next().and_then(|part| part.get(..2));
        year && month && day.is_some_and(|day| is_digits(day, 2))
    };
    (starts_date(text) || starts_time(text)).then_some(text.len())
}

fn starts_path(rest: &[u8]) -> bool {
    let named = |at: usize| {
        rest.get(at)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"._".contains(byte))
    };
    let drive = rest.len() > 2 && rest[0].is_ascii_alphabetic() && rest[1] == b':';
    (rest[0] == b'/' && named(1))
        || (rest.starts_with(b"./") && named(2))
        || (rest.starts_with(b"../") && named(3))
        || (drive && matches!(rest[2], b'\\' | b'/'))
}

/// NaN and infinity as the C libraries print them.
fn special(rest: &[u8]) -> Option<(usize, f64, bool)> {
    const SPECIAL: &[(&str, f64)] = &[
        ("-nan(ind)", f64::NAN),
        ("-nan", f64::NAN),
        ("nan", f64::NAN),
        ("-infinity", f64::NEG_INFINITY),
        ("infinity", f64::INFINITY),
        ("-inf", f64::NEG_INFINITY),
        ("inf", f64::INFINITY),
    ];
    let is = |name: &str| {
        let there = rest.get(..name.len())?;
        let ends = rest
            .get(name.len())
            .is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        (there.eq_ignore_ascii_case(name.as_bytes()) && ends).then_some(name.len())
    };
    SPECIAL
        .iter()
        .find_map(|(name, value)| Some((is(name)?, *value, false)))
}

/// Length, value, whether it is an integer.
fn decimal(rest: &[u8]) -> Option<(usize, f64, bool)> {
    let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
    let whole = count(&rest[sign..], |byte| byte.is_ascii_digit());
    let mut end = sign + whole;
    let mut fraction = 0;
    let mut is_integer = true;
    if rest.get(end) == Some(&b'.') {
        fraction = count(&rest[end + 1..], |byte| byte.is_ascii_digit());
        // The full stop of a sentence is none of the number.
        if fraction > 0 {
            end += 1 + fraction;
            is_integer = false;
        }
    }
    if whole + fraction == 0 {
        return None;
    }
    if matches!(rest.get(end), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
        let digits = count(&rest[(end + 1 + signed).min(rest.len())..], |byte| {
            byte.is_ascii_digit()
        });
        if digits > 0 {
            end += 1 + signed + digits;
            is_integer = false;
        }
    }
    let text = std::str::from_utf8(&rest[..end]).ok()?;
    Some((end, text.parse().ok()?, is_integer))
}

/// Significant digits of a number as printed, and the worth of its last one.
fn printed(text: &str) -> (u32, f64) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let decimals = mantissa
        .split_once('.')
        .map_or(0, |(_, after)| after.len() as i32);
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).count();
    let zeros = mantissa
        .bytes()
        .filter(|byte| byte.is_ascii_digit() || *byte == b'.')
        .take_while(|byte| matches!(byte, b'0' | b'.'))
        .filter(u8::is_ascii_digit)
        .count();
    let digits = u32::try_from(digits - zeros).unwrap_or(u32::MAX);
    (digits, 10_f64.powi(exponent - decimals))
}

const TIMING_WORDS: &[&str] = &[
    "time",
    "timing",
    "elapsed",
    "took",
    "takes",
    "duration",
    "latency",
    "bandwidth",
    "throughput",
    "speedup",
    "performance",
    "gflop",
    "tflop",
    "mflop",
    "fps",
    "runtime",
    "timer",
    "seed",
];

/// Units of time and rate, as they stand behind numbers.
const UNITS: &[&str] = &[
    "s",
    "sec",
    "secs",
    "second",
    "seconds",
    "ms",
    "msec",
    "msecs",
    "millisecond",
    "milliseconds",
    "us",
    "usec",
    "usecs",
    "microsecond",
    "microseconds",
    "ns",
    "nsec",
    "nanoseconds",
    "gb/s",
    "mb/s",
    "gib/s",
    "mib/s",
    "tb/s",
    "gb/sec",
    "mb/sec",
    "gbps",
    "gflops",
    "gflop/s",
    "tflops",
    "tflop/s",
    "mflops",
    "fps",
    "mhz",
    "ghz",
    "cycles",
];

fn unit_follows(rest: &[u8]) -> bool {
    let skipped = count(rest, |byte| b" \t([".contains(&byte));
    let rest = &rest[skipped..];
    let length = count(rest, |byte| byte.is_ascii_alphabetic() || byte == b'/');
    let word = String::from_utf8_lossy(&rest[..length]).to_ascii_lowercase();
    UNITS.contains(&word.trim_end_matches('/'))
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

    #[test]
    fn digits_are_those_that_say_something() {
        assert_eq!(printed("0.00125"), (3, 1e-5));
        assert_eq!(printed("1.50e3"), (3, 10.0));
        assert_eq!(printed("120"), (3, 1.0));
    }
}
