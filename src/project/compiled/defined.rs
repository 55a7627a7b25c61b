//! The macros that a file defines, wherever it does.

use memchr::memchr_iter;

/// Directives that define a macro, those of templates that configuring fills in among them.
const DEFINING: &[&[u8]] = &[b"define", b"cmakedefine", b"cmakedefine01", b"mesondefine"];

/// The names behind `#define` and its like, in the order of the text; those in comments and branches that are not compiled too.
pub(crate) fn defined_macros(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    memchr_iter(b'#', bytes).filter_map(|at| defined_at(bytes, at))
}

fn defined_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let rest = bytes[at + 1..].trim_ascii_start();
    let (directive, rest) = rest.split_at(end_of_word(rest));
    let name = rest.trim_ascii_start();
    let name = &name[..end_of_word(name)];
    (DEFINING.contains(&directive) && !name.is_empty()).then_some(name)
}

fn end_of_word(text: &[u8]) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = text.iter().position(|byte| !is_part(byte));
    end.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_define_counts() {
        let text =
            b"#define A 1\n # define B(x) x\n#cmakedefine01 C\n#undef D\n#x #define\n#define";
        let names: Vec<_> = defined_macros(text).map(String::from_utf8_lossy).collect();
        assert_eq!(names, ["A", "B", "C"]);
    }
}
