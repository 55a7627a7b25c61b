//! Headers of a tree that stand in the place of CUDA's.

use rustc_hash::FxHashSet;

use crate::project::index::ProjectIndex;

impl ProjectIndex {
    /// Whether a file stands in for CUDA's headers: everybody includes it in their place.
    #[expect(
        clippy::iter_over_hash_type,
        reason = "a set is made of what the files include, in whatever order"
    )]
    pub(crate) fn is_stand_in(&self, path: &str) -> bool {
        let all = self.stand_ins.get_or_init(|| {
            let (mut stubs, mut others) = (FxHashSet::default(), FxHashSet::default());
            for (from, file) in self
                .files
                .iter()
                .filter(|(_, file)| !file.in_place.is_empty())
            {
                let meant = |include: &String| self.resolve_surely(from, include);
                stubs.extend(file.in_place.iter().filter_map(meant).map(str::to_owned));
            }
            if stubs.is_empty() {
                return stubs;
            }
            for (from, file) in &self.files {
                let rest = file
                    .includes
                    .iter()
                    .filter(|it| !file.in_place.contains(it));
                let meant = |include: &String| self.resolve(from, include);
                others.extend(rest.filter_map(meant).map(str::to_owned));
            }
            stubs.retain(|path| !others.contains(path));
            stubs
        });
        all.contains(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::file::FileIndex;

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
        let project = ProjectIndex::new(files, paths.clone());
        let stubs: Vec<&String> = paths
            .iter()
            .filter(|path| project.is_stand_in(path))
            .collect();
        assert_eq!(stubs, ["stub.h"]);
    }
}
