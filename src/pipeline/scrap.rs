//! How the temporary files of this program are called: they are no files of a tree.

use std::ffi::OsStr;

/// What the names of temporary files begin with; the number of the process and six random characters follow.
pub(crate) const SCRAP_PREFIX: &str = ".cass-";

/// The process that a temporary file belongs to, by its name: `.cass-4711-a1B2c3`. `None` for files of a tree.
pub(crate) fn scrap_owner(name: &OsStr) -> Option<u32> {
    let (owner, random) = name.to_str()?.strip_prefix(SCRAP_PREFIX)?.split_once('-')?;
    let is_random = random.len() == 6 && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
    owner.parse().ok().filter(|_| is_random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_scrap() {
        for name in [".cass-1-a1B2c3", ".cass-4711-000000"] {
            assert!(scrap_owner(OsStr::new(name)).is_some(), "{name}");
        }
        for name in [
            ".cass-a1B2c3",
            ".cass-1-a1B2c",
            ".cass-x-a1B2c3",
            "cass-1-a1B2c3",
            ".cass.toml",
        ] {
            assert!(scrap_owner(OsStr::new(name)).is_none(), "{name}");
        }
    }
}
