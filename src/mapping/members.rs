//! Members of the namespaces that AMD's libraries share with NVIDIA's: `members.txt`, which `tests/rocm/members.py` writes
//! from the headers of ROCm 6.4.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Version;

static MEMBERS: LazyLock<FxHashMap<&str, FxHashSet<&str>>> =
    LazyLock::new(|| parsed(include_str!("members.txt")));

/// The namespaces whose members are known, by NVIDIA's names.
pub(crate) const LISTED: &[&str] = &["cooperative_groups", "cub", "thrust"];

/// The release that the list is of.
pub(crate) const LISTED_FOR: Version = Version::new(6, 4);

/// Whether AMD's library has a member of one of [`LISTED`].
pub(crate) fn has_member(namespace: &str, member: &[u8]) -> bool {
    let members = MEMBERS.get(namespace);
    std::str::from_utf8(member).is_ok_and(|member| members.is_some_and(|it| it.contains(member)))
}

/// The members of a namespace.
pub(crate) fn members(namespace: &str) -> impl Iterator<Item = &'static str> {
    MEMBERS.get(namespace).into_iter().flatten().copied()
}

fn parsed(text: &'static str) -> FxHashMap<&'static str, FxHashSet<&'static str>> {
    let sections = text
        .split('[')
        .filter_map(|section| section.split_once(']'));
    sections
        .map(|(namespace, words)| (namespace, words.split_whitespace().collect()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_namespace_has_members() {
        for namespace in LISTED {
            assert!(members(namespace).count() > 20, "{namespace}");
        }
        assert!(has_member("cub", b"DeviceReduce") && has_member("thrust", b"sort"));
        assert!(!has_member("cub", b"DeviceFor") && !has_member("thrust", b"DeviceReduce"));
    }
}
