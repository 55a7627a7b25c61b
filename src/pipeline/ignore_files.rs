//! The files that say what is ignored: the walk reads them by itself, in each folder and in those above. One that is a device, a pipe or
//! beyond all measure is left alone and named; what it would have left out takes part.

use std::path::{Path, PathBuf};

use super::regular::unfit;

/// Bytes that one may have: the largest that people keep have some 10 KB, all templates of GitHub's collection together 0.2 MB, and each
/// line becomes a part of an automaton.
const LARGEST: u64 = 1 << 20;

/// The kinds of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds {
    /// `.ignore`.
    pub(super) plain: bool,
    /// `.gitignore`.
    pub(super) git: bool,
    /// `.git/info/exclude`.
    pub(super) exclude: bool,
}

impl Kinds {
    /// All.
    pub(super) const ALL: Self = Self {
        plain: true,
        git: true,
        exclude: true,
    };

    /// None.
    pub(super) const NONE: Self = Self {
        plain: false,
        git: false,
        exclude: false,
    };

    /// Those that both have.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            plain: self.plain && other.plain,
            git: self.git && other.git,
            exclude: self.exclude && other.exclude,
        }
    }
}

/// Of some kinds those that can be read in a folder; says of the others why not.
pub(super) fn readable(folder: &Path, wanted: Kinds, problems: &mut Vec<String>) -> Kinds {
    let mut may = |is_wanted: bool, name: &str| {
        let path = folder.join(name);
        let why = is_wanted.then(|| unfit(&path, LARGEST)).flatten();
        if let Some(why) = &why {
            problems.push(format!(
                "{}: is not read: {why}; what it would leave out takes part",
                path.display()
            ));
        }
        is_wanted && why.is_none()
    };
    Kinds {
        plain: may(wanted.plain, ".ignore"),
        git: may(wanted.git, ".gitignore"),
        exclude: may(wanted.exclude, ".git/info/exclude"),
    }
}

/// Those that can be read in a folder and in all above it.
pub(super) fn readable_above(folder: &Path, wanted: Kinds, problems: &mut Vec<String>) -> Kinds {
    let resolved: PathBuf = folder
        .canonicalize()
        .unwrap_or_else(|_| folder.to_path_buf());
    let above = resolved.ancestors();
    above.fold(wanted, |kinds, folder| readable(folder, kinds, problems))
}
