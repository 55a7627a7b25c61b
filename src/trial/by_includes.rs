//! The units of a tree whose build cannot be asked: every source with device code, with the include folders that its includes need.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::unit::{Language, Unit, Units, Way};
use crate::nvcc::{Include, includes};

/// What is known of a port without its build.
pub(crate) struct Tree<'a> {
    /// Its folder, absolute.
    pub(crate) out: &'a Path,
    /// Its files, as they are called in it.
    pub(crate) files: &'a [String],
    /// Whether the translation changed a file; all of C++ that speak of HIP where nobody knows.
    pub(crate) is_translated: &'a dyn Fn(&str) -> bool,
    /// Folders of headers that are not the port's: ROCm's, the system's.
    pub(crate) foreign: &'a [PathBuf],
    /// Macros that the report asks for.
    pub(crate) defines: &'a [String],
}

/// The units of a port.
pub(crate) fn by_includes(tree: &Tree<'_>) -> Units {
    let looking = Looking::new(tree);
    let (mut units, mut included) = (Vec::new(), FxHashSet::default());
    for file in tree.files {
        let Some(language) = looking.language(file) else {
            continue;
        };
        let reached = looking.reached(file);
        let folders = reached.folders.iter();
        let folders = folders.map(|folder| format!("-I{}", tree.out.join(folder).display()));
        included.extend(reached.files.into_iter().filter(|header| header != file));
        units.push((
            file,
            Unit {
                file: tree.out.join(file),
                folder: tree.out.to_path_buf(),
                options: tree.defines.iter().cloned().chain(folders).collect(),
                language,
                program: None,
            },
        ));
    }
    let before = units.len();
    units.retain(|(file, _)| !included.contains(*file));
    let fragments = before - units.len();
    let mut missing = Vec::new();
    if fragments > 0 {
        missing.push(format!(
            "{fragments} sources are included by others and are compiled with them"
        ));
    }
    if !tree.defines.is_empty() {
        missing.push(format!(
            "with what the report asks for: {}",
            tree.defines.join(" ")
        ));
    }
    let units = units.into_iter().map(|(_, unit)| unit).collect();
    Units::new(Way::Includes, units, missing)
}

/// What sources come to by their includes, by source.
pub(crate) fn reached<'s>(
    root: &Path,
    files: &[String],
    foreign: &[PathBuf],
    sources: impl Iterator<Item = &'s String>,
) -> BTreeMap<String, Reached> {
    let tree = Tree {
        out: root,
        files,
        is_translated: &|_| true,
        foreign,
        defines: &[],
    };
    let looking = Looking::new(&tree);
    sources
        .map(|source| (source.clone(), looking.reached(source)))
        .collect()
}

/// What a source comes to by its includes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    /// Folders that the includes need, from the root of the tree, in the order of their need.
    pub(crate) folders: Vec<String>,
    /// Files of the tree, the source among them.
    pub(crate) files: FxHashSet<String>,
}

struct Looking<'a> {
    tree: &'a Tree<'a>,
    /// The paths of the tree by the name of the file.
    by_name: FxHashMap<&'a str, Vec<&'a str>>,
    names: FxHashSet<&'a str>,
    /// By file, what it includes.
    read: RefCell<BTreeMap<String, Rc<Vec<Include>>>>,
    /// By include, whether it is of the system or ROCm.
    outside: RefCell<FxHashMap<String, bool>>,
}

impl<'a> Looking<'a> {
    fn new(tree: &'a Tree<'a>) -> Self {
        let mut by_name = FxHashMap::<&str, Vec<&str>>::default();
        for file in tree.files {
            let name = file.rsplit('/').next().unwrap_or(file);
            by_name.entry(name).or_default().push(file);
        }
        Self {
            tree,
            by_name,
            names: tree.files.iter().map(String::as_str).collect(),
            read: RefCell::default(),
            outside: RefCell::default(),
        }
    }

    /// What a file is compiled as, if it is a unit.
    fn language(&self, file: &str) -> Option<Language> {
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is_host = matches!(extension, "c" | "cc" | "cpp" | "cxx");
        match extension {
            "cu" | "hip" => return Some(Language::Hip),
            _ if !is_host || !(self.tree.is_translated)(file) => return None,
            _ => {}
        }
        let text = std::fs::read(self.tree.out.join(file)).ok()?;
        let has = |word: &[u8]| memchr::memmem::find(&text, word).is_some();
        if has(b"__global__") || has(b"<<<") {
            return Some(Language::Hip);
        }
        let speaks_of_gpu = has(b"hip") || has(b"roc") || has(b"miopen") || has(b"rccl");
        speaks_of_gpu.then_some(if extension == "c" {
            Language::C
        } else {
            Language::Cpp
        })
    }

    fn includes(&self, file: &str) -> Rc<Vec<Include>> {
        if let Some(known) = self.read.borrow().get(file) {
            return Rc::clone(known);
        }
        let bytes = std::fs::read(self.tree.out.join(file)).unwrap_or_default();
        let found = Rc::new(includes(&bytes));
        self.read
            .borrow_mut()
            .insert(file.to_owned(), Rc::clone(&found));
        found
    }

    fn reached(&self, file: &str) -> Reached {
        let (mut reached, mut open) = (Reached::default(), vec![file.to_owned()]);
        reached.files.insert(file.to_owned());
        while let Some(from) = open.pop() {
            for include in self.includes(&from).iter() {
                let Some(found) = self.meaning(&from, include, &mut reached.folders) else {
                    continue;
                };
                if reached.files.insert(found.clone()) {
                    open.push(found);
                }
            }
        }
        reached
    }

    /// The file of the tree that an include means; the folder that it needs joins the others.
    fn meaning(&self, from: &str, include: &Include, folders: &mut Vec<String>) -> Option<String> {
        let here = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let in_tree = |folder: &str| {
            let path = joined(folder, &include.path)?;
            self.names.contains(path.as_str()).then_some(path)
        };
        if !include.is_angled
            && let Some(beside) = in_tree(here)
        {
            return Some(beside);
        }
        if let Some(found) = folders.iter().find_map(|folder| in_tree(folder)) {
            return Some(found);
        }
        if include.is_angled && self.is_outside(&include.path) {
            return None;
        }
        let end = include.path.trim_start_matches("./");
        // The way upwards says where the file is meant from, and no folder of the tree gives it.
        if end.starts_with("../") {
            return None;
        }
        let name = end.rsplit('/').next().unwrap_or(end);
        let candidates = self.by_name.get(name)?.iter();
        let fitting = candidates.filter_map(|path| {
            let folder = path.strip_suffix(end)?;
            (folder.is_empty() || folder.ends_with('/'))
                .then(|| (*path, folder.trim_end_matches('/')))
        });
        let best = fitting.max_by_key(|(path, folder)| {
            (
                common(here, path),
                std::cmp::Reverse(folder.len()),
                std::cmp::Reverse(*path),
            )
        });
        let (path, folder) = best?;
        folders.push(folder.to_owned());
        Some(path.to_owned())
    }

    /// Whether an include in angle brackets is of ROCm, of C or of C++, whatever the tree has under that name.
    fn is_outside(&self, path: &str) -> bool {
        if let Some(known) = self.outside.borrow().get(path) {
            return *known;
        }
        let is_of_cpp = path
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let mut foreign = self.tree.foreign.iter();
        let is_outside = is_of_cpp || foreign.any(|folder| folder.join(path).is_file());
        self.outside
            .borrow_mut()
            .insert(path.to_owned(), is_outside);
        is_outside
    }
}

/// A path from a folder of the tree, `..` followed; none where it leaves the tree.
fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// How many folders two paths have in common from the root.
fn common(one: &str, other: &str) -> usize {
    let pairs = one.split('/').zip(other.split('/'));
    pairs.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_those_that_the_includes_need() {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            (
                "src/a.cu",
                "#include \"a.h\"\n#include <lib/b.h>\n#include \"part.cu\"\n#include <vector>\n",
            ),
            ("src/a.h", "#include \"deep.h\"\n"),
            ("src/part.cu", ""),
            ("near/inc/deep.h", ""),
            ("src/sub/deep.h", ""),
            ("include/lib/b.h", ""),
            ("include/vector", "int x;"),
            ("host.cpp", "int hip;"),
            ("other.cpp", "int x;"),
        ];
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let names: Vec<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
        let tree = Tree {
            out: folder.path(),
            files: &names,
            is_translated: &|_| true,
            foreign: &[],
            defines: &["-DUSE_ROCM".to_owned()],
        };
        let found = by_includes(&tree);
        let shown: Vec<String> = found
            .units
            .iter()
            .map(|unit| {
                let root = format!("{}/", folder.path().display());
                format!(
                    "{} {:?} {}",
                    unit.file.display(),
                    unit.language,
                    unit.options.join(" ")
                )
                .replace(&root, "")
            })
            .collect();
        assert_eq!(
            shown,
            [
                "host.cpp Cpp -DUSE_ROCM",
                "src/a.cu Hip -DUSE_ROCM -Iinclude -Isrc/sub"
            ]
        );
        assert_eq!(found.missing.len(), 2);
    }
}
