//! What a project took from others: packages in folders such as `third_party`. Each speaks for itself alone.

/// Folders in which projects keep what they took from others. Elsewhere the library may be the project.
const TAKEN: &[&str] = &[
    "3rd",
    "3rd_party",
    "3rdparty",
    "contrib",
    "dependencies",
    "deps",
    "ext",
    "extern",
    "external",
    "externals",
    "submodules",
    "third-party",
    "third_party",
    "thirdparty",
    "vendor",
    "vendored",
    "vendors",
];

/// What a folder for parts by vendor of a GPU is called like those for packages: `vendor/amd`.
const VENDORS: &[&str] = &["amd", "cuda", "hip", "nvidia", "rocm"];

/// Whether a folder of this name, in small letters, is one in which projects keep what they took from others.
pub(super) fn is_for_taken(name: &str) -> bool {
    TAKEN.contains(&name)
}

/// The folder, with `/` at its end, of the package that a file belongs to: `third_party/eigen/` for `third_party/eigen/test/a.cu`. What
/// lies beside packages is the project's own: how it gets them.
pub(super) fn package(path: &str) -> Option<&str> {
    let mut is_inside = false;
    for (at, _) in path.match_indices('/') {
        let name = path[..at].rsplit('/').next()?.to_ascii_lowercase();
        if is_inside && !VENDORS.contains(&&*name) {
            return Some(&path[..=at]);
        }
        is_inside = is_for_taken(&name);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_lie_in_folders_for_what_was_taken() {
        for (path, expected) in [
            ("third_party/eigen/test/a.cu", Some("third_party/eigen/")),
            ("a/External/b/c/d.h", Some("a/External/b/")),
            ("a/vendor/amd/b.h", None),
            ("cmake/external/rocm.cmake", None),
            ("third/eigen/a.h", None),
            ("deps", None),
        ] {
            assert_eq!(package(path), expected, "{path}");
        }
    }
}
