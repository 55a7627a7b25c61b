//! What was measured of device functions: `mappings/measured.toml` and, for `--strict-math`, `measured_strict.toml`, which
//! `emulator/tools/surface.py` writes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

static TABLE: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../mappings/measured.toml")).expect("a test reads the table")
});

static STRICT: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../mappings/measured_strict.toml"))
        .expect("a test reads the table")
});

/// The same with `--strict-math`, where that is another verdict.
pub(crate) fn strict_verdict(cuda: &str) -> Option<&'static str> {
    STRICT.get(cuda).map(String::as_str)
}

/// How the translation of a function or an operator computes on AMD, held against CUDA's on a card: `bit-equal`, `within 2 ulp`, `differs
/// for NaN`.
pub(crate) fn verdict(cuda: &str) -> Option<&'static str> {
    TABLE.get(cuda).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_verdicts() {
        assert_eq!(verdict("__brev"), Some("bit-equal"));
        assert!(verdict("__sinf").is_some_and(|text| text.contains("differs")));
        assert_eq!(verdict("cudaMalloc"), None);
        assert_eq!(strict_verdict("__float2ll_rn"), Some("bit-equal"));
        assert_eq!(strict_verdict("__brev"), None);
    }
}
