//! What a byte can begin or go on with.

pub(super) const IDENT_START: u8 = 1;
pub(super) const IDENT: u8 = 2;
pub(super) const BLANK: u8 = 4;
pub(super) const DIGIT: u8 = 8;
/// Punctuation that is a token of one byte, whatever comes behind.
pub(super) const ALONE: u8 = 16;

pub(super) static OF: [u8; 256] = table();

const fn table() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = of(byte as u8);
        byte += 1;
    }
    table
}

const fn of(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => IDENT | DIGIT,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => IDENT_START | IDENT,
        b' ' | b'\t' | 0x0b | 0x0c => BLANK,
        b'(' | b')' | b'[' | b']' | b'{' | b'}' | b';' | b',' | b'?' | b'~' => ALONE,
        _ => 0,
    }
}

/// Whether a byte is of one of the classes.
#[inline]
pub(super) fn is(byte: u8, classes: u8) -> bool {
    OF[usize::from(byte)] & classes != 0
}
