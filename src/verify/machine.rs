//! What a line of output says of the machine and not of the result: names of devices, times of day, paths, timings.

use super::printed_number::count;

/// Words that only stand in lines about the machine.
const DEVICES: &[&str] = &[
    "nvidia", "geforce", "quadro", "tesla ", "radeon", "instinct", "gfx9", "gfx10", "gfx11",
    "gfx12", "amd ",
];

pub(super) fn names_device(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    DEVICES.iter().any(|word| lower.contains(word))
}

/// `12:34:56.7` or `2024-05-06`, with what belongs to it.
pub(super) fn clock(rest: &[u8]) -> Option<usize> {
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

pub(super) fn starts_path(rest: &[u8]) -> bool {
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

/// Words that numbers about speed stand behind.
pub(super) const TIMING_WORDS: &[&str] = &[
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

pub(super) fn unit_follows(rest: &[u8]) -> bool {
    let skipped = count(rest, |byte| b" \t([".contains(&byte));
    let rest = &rest[skipped..];
    let length = count(rest, |byte| byte.is_ascii_alphabetic() || byte == b'/');
    let word = String::from_utf8_lossy(&rest[..length]).to_ascii_lowercase();
    UNITS.contains(&word.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_day_or_a_date_is_read_to_its_end() {
        let cases = [
            ("12:34:56.7 x", Some(10)),
            ("12:34:56.", Some(8)),
            ("2024-05-06T12:34:56Z", Some(20)),
            ("12:34", None),
            ("1:2:3", None),
            ("2024-5-06", None),
        ];
        for (text, expected) in cases {
            assert_eq!(clock(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn paths_begin_with_a_root_a_dot_or_a_drive() {
        for text in ["/a", "./a", "../a", "C:\\a", "d:/a"] {
            assert!(starts_path(text.as_bytes()), "{text}");
        }
        for text in ["/ 2", ". a", "a/b", "x: 3"] {
            assert!(!starts_path(text.as_bytes()), "{text}");
        }
    }
}
