//! Files that are no part of a plan and decide something all the same: the headers beside a file that is given by itself, and those that
//! have the helper header's name.

use std::borrow::Cow;
use std::path::Path;

use crate::compat;
use crate::nvcc::{Search, absolute, closure};
use crate::pipeline::{Entry, EntryKind, PlannedFile, read_regular};

/// Bytes that the helper header may have: with all helpers it has 250 KB.
const LARGEST: u64 = 1 << 20;

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
            has_made: false,
        })
    });
    Cow::Owned([file.clone()].into_iter().chain(headers).collect())
}

/// Files of the helper header's name that are the project's own, relative to the root: the header goes elsewhere then.
pub(super) fn taken_headers(files: &[PlannedFile]) -> Vec<String> {
    let is_own = |path: &Path| {
        // What cannot be read is not ours to replace either; a folder in its place is told of when it is written.
        let there = path.symlink_metadata();
        let is_file = there.is_ok_and(|there| !there.is_dir());
        is_file && !read_regular(path, LARGEST).is_ok_and(|text| compat::is_header(&text))
    };
    let is_named = |file: &&PlannedFile| {
        let name = file.entry.relative.file_name();
        name.is_some_and(|name| name == compat::HEADER_NAME)
    };
    let named = files.iter().filter(is_named);
    let named = named.filter(|file| is_own(&file.entry.path));
    let mut taken: Vec<String> = named.map(|file| file.entry.name()).collect();
    if let [file] = files {
        let beside = file.entry.path.with_file_name(compat::HEADER_NAME);
        taken.extend(is_own(&beside).then(|| compat::HEADER_NAME.to_owned()));
    }
    taken
}
