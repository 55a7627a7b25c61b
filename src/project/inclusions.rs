//! In what way the files of a tree are included: inside a namespace or class, or in the place of CUDA's headers.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::file::FileIndex;
use crate::project::paths::Paths;

/// In what way the files of a tree are included.
#[derive(Debug, Default)]
pub(crate) struct Inclusions {
    fragments: FxHashSet<String>,
    stand_ins: FxHashSet<String>,
}

impl Inclusions {
    /// Goes through the includes of some files.
    pub(super) fn new(files: &FxHashMap<String, FileIndex>, paths: &Paths) -> Self {
        let braced = files.iter();
        let braced = braced.flat_map(|(from, file)| file.braced.iter().map(move |it| (from, it)));
        let fragments = braced.filter_map(|(from, include)| paths.resolve_surely(from, include));
        Self {
            fragments: fragments.map(str::to_owned).collect(),
            stand_ins: stand_ins(files, paths),
        }
    }

    /// Whether a file of the tree includes this one inside a namespace, class or function, where no header of HIP may come.
    pub(crate) fn is_fragment(&self, path: &str) -> bool {
        self.fragments.contains(path)
    }

    /// Whether a file stands in for CUDA's headers: everybody includes it in their place.
    pub(crate) fn is_stand_in(&self, path: &str) -> bool {
        self.stand_ins.contains(path)
    }
}

#[expect(
    clippy::iter_over_hash_type,
    reason = "a set is made of what the files include, in whatever order"
)]
fn stand_ins(files: &FxHashMap<String, FileIndex>, paths: &Paths) -> FxHashSet<String> {
    let (mut stubs, mut others) = (FxHashSet::default(), FxHashSet::default());
    for (from, file) in files.iter().filter(|(_, file)| !file.in_place.is_empty()) {
        let meant = |include: &String| paths.resolve_surely(from, include);
        stubs.extend(file.in_place.iter().filter_map(meant).map(str::to_owned));
    }
    if stubs.is_empty() {
        return stubs;
    }
    for (from, file) in files {
        let includes = file.includes.iter();
        let rest = includes.filter(|it| !file.in_place.contains(it));
        let meant = |include: &String| paths.resolve(from, include);
        others.extend(rest.filter_map(meant).map(str::to_owned));
    }
    stubs.retain(|path| !others.contains(path));
    stubs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_that_all_include_in_the_place_of_cudas_is_a_stub() {
        let file = |includes: &[&str], in_place: &[&str]| FileIndex {
            includes: includes.iter().map(|it| (*it).to_owned()).collect(),
            in_place: in_place.iter().map(|it| (*it).to_owned()).collect(),
            ..FileIndex::default()
        };
        let files = [
            ("a.h", file(&["stub.h", "both.h"], &["stub.h", "both.h"])),
            ("b.h", file(&["both.h", "plain.h"], &[])),
            ("stub.h", file(&[], &[])),
            ("both.h", file(&[], &[])),
            ("plain.h", file(&[], &[])),
        ];
        let paths: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
        let files = files.map(|(path, file)| (path.to_owned(), file));
        let tree = Paths::new(paths.clone());
        let inclusions = Inclusions::new(&files.into_iter().collect(), &tree);
        let stubs: Vec<&String> = paths
            .iter()
            .filter(|path| inclusions.is_stand_in(path))
            .collect();
        assert_eq!(stubs, ["stub.h"]);
    }

    #[test]
    fn what_a_file_includes_within_a_class_is_a_fragment() {
        let file = FileIndex {
            braced: vec!["members.inc".to_owned(), "twice.inc".to_owned()],
            ..FileIndex::default()
        };
        let tree = ["a.h", "members.inc", "x/twice.inc", "y/twice.inc"].map(str::to_owned);
        let files = FxHashMap::from_iter([("a.h".to_owned(), file)]);
        let inclusions = Inclusions::new(&files, &Paths::new(tree.clone()));
        let found = tree.map(|path| inclusions.is_fragment(&path));
        assert_eq!(found, [false, true, false, false]);
    }
}
