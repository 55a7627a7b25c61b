//! Which files see `using namespace std;`, and globals of the tree that are called like something of `std`.

use crate::project::file::FileIndex;
use crate::project::graph::Number;
use crate::project::index::ProjectIndex;

impl ProjectIndex {
    /// Whether a file lets in all of `std`, or includes one that does.
    pub(crate) fn sees_std(&self, path: &str) -> bool {
        self.reaches(path, "using namespace std", |file| file.opens_std)
    }

    /// Whether a file includes one that declares a global of this name, or does itself.
    pub(crate) fn sees_global(&self, path: &str, name: &[u8]) -> bool {
        let key = format!("::{}", String::from_utf8_lossy(name));
        self.reaches(path, &key, |file| file.std_names.contains(name))
    }

    /// Whether a file is one of some, or comes to one by its includes; the answer for all files is kept by `key`.
    pub(super) fn reaches(
        &self,
        path: &str,
        key: &str,
        is_one: impl Fn(&FileIndex) -> bool,
    ) -> bool {
        let graph = self.graph();
        let ends = || {
            let all = graph.paths().iter().zip(0..);
            let ends = all.filter(|(path, _)| is_one(&self.files[*path]));
            ends.map(|(_, number)| number).collect::<Vec<Number>>()
        };
        let reach = graph.files_that_reach(key, ends);
        graph.number(path).is_some_and(|it| reach.contains(&it))
    }
}
