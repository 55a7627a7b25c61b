//! The files that a unit reads: itself and the project's headers that its includes reach, found as clang finds them.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use memchr::{memchr, memchr_iter};

/// Where headers are looked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    /// Folders in order.
    pub folders: Vec<PathBuf>,
    /// Files that are included first.
    pub first: Vec<String>,
    /// Folders whose headers are not the project's: ROCm, the system.
    pub foreign: Vec<PathBuf>,
}

/// A file of the project by the path under which clang opens it, absolute and without `.` and `..`.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A header that is included.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Include {
    /// As it is written.
    pub(crate) path: String,
    /// In angle brackets.
    pub(crate) is_angled: bool,
}

/// The unit and the project's headers that it reaches. Includes under conditions count: a file too many costs nothing but time.
///
/// # Errors
/// When the unit itself cannot be read.
pub(crate) fn closure(unit: &Path, search: &Search) -> std::io::Result<Files> {
    let unit = absolute(unit);
    let bytes = std::fs::read(&unit)?;
    let mut files = Files::new();
    let mut open: Vec<PathBuf> = search
        .first
        .iter()
        .filter_map(|path| beside_or_in(Path::new("."), path, false, search))
        .collect();
    open.extend(reached(&unit, &bytes, search));
    files.insert(unit, bytes);
    while let Some(path) = open.pop() {
        if files.contains_key(&path) {
            continue;
        }
        // A header that cannot be read is clang's to complain of.
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        open.extend(reached(&path, &bytes, search));
        files.insert(path, bytes);
    }
    Ok(files)
}

fn reached(from: &Path, bytes: &[u8], search: &Search) -> Vec<PathBuf> {
    let folder = from.parent().unwrap_or(Path::new("/"));
    let found = includes(bytes)
        .into_iter()
        .filter_map(|include| beside_or_in(folder, &include.path, include.is_angled, search));
    found.collect()
}

/// The file of the project that an include means.
fn beside_or_in(folder: &Path, path: &str, is_angled: bool, search: &Search) -> Option<PathBuf> {
    let beside = (!is_angled).then_some(folder);
    let folders = search.folders.iter().map(PathBuf::as_path);
    let found = beside
        .into_iter()
        .chain(folders)
        .map(|folder| absolute(&folder.join(path)))
        .find(|path| path.is_file())?;
    let is_foreign = search
        .foreign
        .iter()
        .any(|folder| found.starts_with(folder));
    (!is_foreign).then_some(found)
}

/// An absolute path without `.` and `..`, as clang's overlay compares paths: by their text, links not followed.
pub fn absolute(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut clean = PathBuf::new();
    for component in whole.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(clean.pop()),
            other => clean.push(other),
        }
    }
    clean
}

/// The headers that a text includes, those in comments and dead branches too.
pub(crate) fn includes(bytes: &[u8]) -> Vec<Include> {
    memchr_iter(b'#', bytes)
        .filter_map(|at| include_at(bytes, at))
        .collect()
}

fn include_at(bytes: &[u8], at: usize) -> Option<Include> {
    let before = bytes[..at].iter().rev();
    let starts_line = before
        .take_while(|byte| **byte != b'\n')
        .all(u8::is_ascii_whitespace);
    let rest = bytes[at + 1..].trim_ascii_start();
    let rest = starts_line
        .then(|| rest.strip_prefix(b"include"))
        .flatten()?;
    let rest = rest
        .strip_prefix(b"_next")
        .unwrap_or(rest)
        .trim_ascii_start();
    let (is_angled, close) = match rest.first()? {
        b'"' => (false, b'"'),
        b'<' => (true, b'>'),
        _ => return None,
    };
    let end = memchr(close, &rest[1..])?;
    let path = std::str::from_utf8(&rest[1..1 + end]).ok()?;
    (!path.contains('\n') && !path.is_empty()).then(|| Include {
        path: path.to_owned(),
        is_angled,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_beside_the_includer_and_in_folders_but_not_in_foreign_ones() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            "src/main.cu",
            "#include \"../src/a.h\"\n#  include <b.h>\nint x; // #include \"no.h\"\n",
        );
        write("src/a.h", "#include \"main.cu\"\n#include \"missing.h\"\n");
        write("inc/b.h", "#include <sys.h>\n");
        write("rocm/sys.h", "");
        let search = Search {
            folders: vec![root.join("src/../inc"), root.join("rocm")],
            first: Vec::new(),
            foreign: vec![root.join("rocm")],
        };
        let files = closure(&root.join("src/./main.cu"), &search).unwrap();
        let names: Vec<_> = files
            .keys()
            .map(|path| path.strip_prefix(&root).unwrap())
            .collect();
        assert_eq!(names, ["inc/b.h", "src/a.h", "src/main.cu"].map(Path::new));
    }
}
