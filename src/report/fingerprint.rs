//! What a finding is known by while its file changes around it: a hash of rule and line, not of the line's number.

use std::collections::BTreeMap;

/// Gives out the fingerprints of one file's findings, in the order of their positions.
#[derive(Debug, Default)]
pub(super) struct Fingerprints {
    seen: BTreeMap<u64, u32>,
    /// The hashes of the last line by rule: a line of generated code may have thousands of findings.
    line: u32,
    of_line: BTreeMap<String, u64>,
}

impl Fingerprints {
    /// The fingerprint of a finding of a rule on a line with its number: `hash:occurrence`, as GitHub writes its own. Blanks do not count, so that
    /// a formatter or another indentation changes nothing.
    pub(super) fn of(&mut self, code: &str, number: u32, line: &[u8]) -> String {
        if self.line != number {
            self.of_line.clear();
            self.line = number;
        }
        let hash = match self.of_line.get(code) {
            Some(hash) => *hash,
            None => {
                let text = line.iter().filter(|byte| !byte.is_ascii_whitespace());
                let hash = fnv(code.as_bytes().iter().chain(&[0]).chain(text));
                self.of_line.insert(code.to_owned(), hash);
                hash
            }
        };
        let count = self.seen.entry(hash).or_default();
        *count += 1;
        format!("{hash:016x}:{count}")
    }
}

/// Identifies a finding among those of all files.
pub(super) fn across_files(path: &str, fingerprint: &str) -> String {
    let bytes = path.as_bytes().iter().chain(&[0]);
    format!("{:016x}", fnv(bytes.chain(fingerprint.as_bytes())))
}

/// FNV-1a, 64 bits: written out here because fingerprints are stored and must not change with a library.
fn fnv<'b>(bytes: impl Iterator<Item = &'b u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_is_the_published_function() {
        // The first two test vectors of the FNV authors for FNV-1a with 64 bits.
        assert_eq!(fnv(b"".iter()), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"a".iter()), 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn blanks_do_not_count_and_repeats_are_numbered() {
        let mut prints = Fingerprints::default();
        let first = prints.of("CASS003", 1, b"  f(a, b);");
        let second = prints.of("CASS003", 2, b"\tf(a,b);\r");
        assert_eq!(first.replace(":1", ":2"), second);
        assert_ne!(prints.of("CASS004", 2, b"f(a,b);")[..16], first[..16]);
    }
}
