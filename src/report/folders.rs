//! Findings by folder, each with everything below it.

use std::collections::BTreeMap;

use super::figures::{effort, open_of};
use super::model::{FileReport, Report};

/// A folder, or the files that lie beside folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Folder {
    /// Its path with `/` at its end.
    pub(super) path: String,
    /// Files with CUDA in and below it.
    pub(super) files: usize,
    /// Those of them that have something open.
    pub(super) to_do: usize,
    /// Open errors and warnings.
    pub(super) open: (usize, usize),
}

/// The folders of the first level at which the tree has more than one, those with most work first. Empty where there is no such level.
pub(super) fn folders(report: &Report) -> Vec<Folder> {
    let paths: Vec<&str> = report.files.iter().map(|file| file.path.as_str()).collect();
    let level = common(&paths).len();
    let mut folders = BTreeMap::<&str, Folder>::new();
    for file in &report.files {
        let end = file.path[level..]
            .find('/')
            .map_or(level, |at| level + at + 1);
        let path = &file.path[..end];
        folders.entry(path).or_default().add(report, file);
    }
    if folders.len() < 2 {
        return Vec::new();
    }
    let named = |(path, folder): (&str, Folder)| Folder {
        path: if path.is_empty() { "./" } else { path }.to_owned(),
        ..folder
    };
    let mut list: Vec<Folder> = folders.into_iter().map(named).collect();
    list.sort_by_key(|folder| std::cmp::Reverse(effort(folder.open)));
    list
}

impl Folder {
    fn add(&mut self, report: &Report, file: &FileReport) {
        let (errors, warnings) = open_of(report, file);
        self.files += usize::from(file.is_cuda);
        self.to_do += usize::from(errors + warnings > 0);
        self.open.0 += errors;
        self.open.1 += warnings;
    }
}

/// The longest folder that all paths lie in, with `/` at its end; empty where there is none.
fn common<'p>(paths: &[&'p str]) -> &'p str {
    let folder = |path: &'p str| &path[..path.rfind('/').map_or(0, |at| at + 1)];
    let mut paths = paths.iter();
    let first = paths.next().map_or("", |path| folder(path));
    paths.fold(first, |common, path| {
        let mut common = common;
        while !path.starts_with(common) {
            common = folder(&common[..common.len() - 1]);
        }
        common
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(files: &[(&str, usize)]) -> Report {
        let file = |(path, errors): &(&str, usize)| {
            let mut file = FileReport {
                path: (*path).to_owned(),
                is_cuda: true,
                ..FileReport::default()
            };
            file.counts.errors = *errors;
            file
        };
        Report {
            files: files.iter().map(file).collect(),
            ..Report::default()
        }
    }

    fn shown(files: &[(&str, usize)]) -> Vec<(String, usize, usize)> {
        let folders = folders(&report(files)).into_iter();
        folders
            .map(|folder| (folder.path, folder.files, folder.open.0))
            .collect()
    }

    #[test]
    fn the_first_level_with_a_choice_is_shown_with_all_below() {
        let files = [
            ("lib/src/a/k.cu", 1),
            ("lib/src/a/deep/er/k.cu", 2),
            ("lib/src/b/k.cu", 9),
            ("lib/src/main.cu", 0),
        ];
        let expected = [
            ("lib/src/b/", 1, 9),
            ("lib/src/a/", 2, 3),
            ("lib/src/", 1, 0),
        ];
        assert_eq!(
            shown(&files),
            expected.map(|(path, files, errors)| (path.to_owned(), files, errors))
        );
    }

    #[test]
    fn a_tree_of_one_folder_has_no_list() {
        assert!(shown(&[("src/a.cu", 1), ("src/b.cu", 1)]).is_empty());
        assert!(shown(&[]).is_empty());
        assert_eq!(shown(&[("ab/x.cu", 1), ("abc/x.cu", 1)]).len(), 2);
        assert_eq!(shown(&[("x.cu", 1), ("abc/x.cu", 2)])[1].0, "./");
    }
}
