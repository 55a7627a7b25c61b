//! A file that is given by itself: the headers beside it tell what it means.

use std::borrow::Cow;
use std::path::Path;

use crate::nvcc::{Search, absolute, closure};
use crate::pipeline::{Entry, EntryKind, PlannedFile};

/// The files that a session is to know: those of the plan and, where that is one file alone, the headers below its folder that it
/// includes by `"name"`. They are read and not translated.
pub(super) fn with_headers(files: &[PlannedFile]) -> Cow<'_, [PlannedFile]> {
    let [file] = files else {
        return Cow::Borrowed(files);
    };
    let unit = absolute(&file.entry.path);
    // A file that cannot be read is named when its turn comes.
    let Ok(reached) = closure(&unit, &Search::default()) else {
        return Cow::Borrowed(files);
    };
    let folder = unit.parent().unwrap_or(Path::new("/"));
    let headers = reached.keys().filter(|path| **path != unit);
    let headers = headers.filter_map(|path| {
        let relative = path.strip_prefix(folder).ok()?.to_path_buf();
        Some(PlannedFile {
            entry: Entry {
                path: path.clone(),
                relative: relative.clone(),
                kind: EntryKind::File,
            },
            output: relative,
        })
    });
    Cow::Owned([file.clone()].into_iter().chain(headers).collect())
}
