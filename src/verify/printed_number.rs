//! Numbers as programs print them.

/// NaN and infinity as the C libraries print them.
pub(super) fn special(rest: &[u8]) -> Option<(usize, f64, bool)> {
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
pub(super) fn decimal(rest: &[u8]) -> Option<(usize, f64, bool)> {
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
pub(super) fn printed(text: &str) -> (u32, f64) {
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

/// How many bytes at the front are part of it.
pub(super) fn count(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is_part(**byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_that_say_something() {
        assert_eq!(printed("0.00125"), (3, 1e-5));
        assert_eq!(printed("1.50e3"), (3, 10.0));
        assert_eq!(printed("120"), (3, 1.0));
    }

    #[test]
    fn numbers_end_where_their_digits_do() {
        assert_eq!(decimal(b"-1.5e3x"), Some((6, -1500.0, false)));
        assert_eq!(decimal(b"4."), Some((1, 4.0, true)));
        assert_eq!(decimal(b"2e"), Some((1, 2.0, true)));
        assert_eq!(decimal(b"."), None);
        assert_eq!(special(b"-inf,"), Some((4, f64::NEG_INFINITY, false)));
        assert_eq!(special(b"info"), None);
    }
}
