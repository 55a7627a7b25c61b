//! How far an error reaches: one in a header stops every source that includes it.

use crate::project::ProjectIndex;
use crate::report::FileReport;

/// Says of each file with an error how many sources include it, and of the others whether they include one with an error. `prefix` is
/// what stands before the names of the tree.
pub(super) fn add_reach(files: &mut [FileReport], prefix: &str, project: &ProjectIndex) {
    let name = |file: &FileReport| {
        file.path
            .strip_prefix(prefix)
            .unwrap_or(&file.path)
            .to_owned()
    };
    let mut wrong = Vec::new();
    for file in files.iter_mut().filter(|file| file.has_error()) {
        let name = name(file);
        file.reached_by = project.sources_that_reach(&name);
        wrong.push(name);
    }
    if wrong.is_empty() {
        return;
    }
    let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
    let reached = project.files_that_reach(&wrong);
    for file in files.iter_mut().filter(|file| !file.has_error()) {
        file.includes_error = reached.contains(name(file).as_str());
    }
}
