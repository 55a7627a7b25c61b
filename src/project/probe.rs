//! Trees of texts, for the table tests of what files tell of each other.

use crate::mapping::ApiTable;
use crate::project::build_facts::BuildFacts;
use crate::project::{BuildIndex, FileIndex, ProjectIndex};
use crate::syntax::Document;
use crate::text::{SourceFile, is_cpp};

/// The tree that some files are: path and text of each.
pub(super) fn tree(files: &[(&str, &str)]) -> ProjectIndex {
    let table = ApiTable::builtin();
    let (mut sources, mut builds) = (Vec::new(), Vec::new());
    for (path, text) in files {
        if let Some(facts) = BuildFacts::new(path, text.as_bytes()) {
            builds.push(((*path).to_owned(), facts));
        }
        if is_cpp(path) {
            let index = match table.may_occur_in(text.as_bytes()) {
                true => index(path, text, &table),
                false => FileIndex::of_plain(text.as_bytes()),
            };
            sources.push(((*path).to_owned(), index));
        }
    }
    let paths = files.iter().map(|(path, _)| (*path).to_owned());
    ProjectIndex::new(sources, paths).with_builds(BuildIndex {
        facts: builds.into_iter().collect(),
        ..BuildIndex::default()
    })
}

/// What a file tells.
pub(super) fn index(path: &str, text: &str, table: &ApiTable) -> FileIndex {
    let source = SourceFile::new(path, text.as_bytes().to_vec());
    FileIndex::new(&Document::new(&source), table, &|_| false)
}
