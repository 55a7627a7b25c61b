//! A folder that nobody else writes to: what lies in it is believed or compiled, so whoever can write there decides what that is.

use std::path::Path;

/// Makes a folder for this user alone, or looks whether the one that is there may be trusted.
///
/// # Errors
/// When it cannot be made, or another user can write to it or put another in its place; says so.
#[cfg(unix)]
pub(crate) fn private_folder(folder: &Path) -> Result<(), String> {
    use std::fs::DirBuilder;
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};

    // The group may write, all may, and of what is in it only to their own.
    let [group, all, sticky] = [0o020, 0o002, 0o1000];
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut builder = DirBuilder::new();
    builder
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(failed)?;
    let resolved = folder.canonicalize().map_err(failed)?;
    let me = rustix::process::geteuid().as_raw();
    for above in resolved.ancestors() {
        let metadata = above.metadata().map_err(failed)?;
        let (owner, mode) = (metadata.uid(), metadata.mode());
        let is_it = above == resolved;
        if owner != me && (is_it || owner != 0) {
            return Err(format!("{}: belongs to another user", above.display()));
        }
        let is_open = match is_it {
            true => mode & (group | all) != 0,
            // Of the group of a home folder its owner is the only member, mostly.
            false => mode & all != 0 && mode & sticky == 0,
        };
        if is_open {
            return Err(format!("{}: others can write to it", above.display()));
        }
    }
    Ok(())
}

/// Makes a folder: whose it is, is not asked here.
///
/// # Errors
/// When it cannot be made.
#[cfg(not(unix))]
pub(crate) fn private_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// The name of this user in a folder that all share.
#[cfg(unix)]
pub(crate) fn user() -> String {
    format!("-{}", rustix::process::geteuid().as_raw())
}

/// Folders for temporary files are each user's own.
#[cfg(not(unix))]
pub(crate) fn user() -> String {
    String::new()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn only_a_folder_that_others_cannot_write_to_is_private() {
        let top = tempfile::tempdir().unwrap();
        let (above, folder) = (top.path().join("a"), top.path().join("a/b"));
        assert_eq!(private_folder(&folder), Ok(()));
        assert_eq!(
            folder.metadata().unwrap().permissions().mode() & 0o777,
            0o700
        );
        let after = |path: &Path, mode| {
            set_permissions(path, Permissions::from_mode(mode)).unwrap();
            private_folder(&folder).map_err(|why| why.contains("others can write to it"))
        };
        for mode in [0o770, 0o707, 0o1777] {
            assert_eq!(after(&folder, mode), Err(true), "{mode:o}");
        }
        assert_eq!(after(&folder, 0o755), Ok(()));
        assert_eq!(after(&above, 0o777), Err(true));
        assert_eq!(after(&above, 0o1777), Ok(()));
        assert_eq!(after(&above, 0o775), Ok(()));
    }
}
