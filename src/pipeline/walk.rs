use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use globset::{Glob, GlobSet, GlobSetBuilder};
use ignore::WalkBuilder;

/// Which files of a tree take part.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Also files that `.gitignore` names.
    pub no_ignore: bool,
    /// Only paths that match one of these; empty means all.
    pub include: Vec<String>,
    /// No path that matches one of these.
    pub exclude: Vec<String>,
    /// A root that is a file must pass as well; else who names a file means it.
    pub files_too: bool,
    /// Folders that are passed over whatever else holds: the output of an earlier run.
    pub skip: Vec<PathBuf>,
    /// The way from the folder of the configuration to the root, `src/`: globs may be written from either.
    pub prefix: String,
}

/// What an entry of a tree is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file with content.
    File,
    /// A symbolic link and where it points; never followed.
    Link(PathBuf),
}

/// A file or link of a tree.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it lies.
    pub path: PathBuf,
    /// Its path relative to the root, as the system has it.
    pub relative: PathBuf,
    /// What it is.
    pub kind: EntryKind,
}

impl Entry {
    /// The relative path for people and for the project index: `/` between parts, what is not UTF-8 replaced.
    pub fn name(&self) -> String {
        let parts: Vec<_> = self
            .relative
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        parts.join("/")
    }
}

/// Lists a tree (or the one file `root`) in the order of its paths, together with problems met on the way: unreadable folders do
/// not end the walk.
///
/// # Errors
/// When `root` does not exist or a glob cannot be read.
pub fn walk(root: &Path, filter: &Filter) -> Result<(Vec<Entry>, Vec<String>)> {
    let metadata = std::fs::metadata(root).with_context(|| {
        format!(
            "{}: cannot be read; give an existing file or folder",
            root.display()
        )
    })?;
    let (include, exclude) = (globs(&filter.include)?, globs(&filter.exclude)?);
    if metadata.is_file() {
        let name = root
            .file_name()
            .map_or_else(|| root.to_path_buf(), PathBuf::from);
        let entry = Entry {
            path: root.to_path_buf(),
            relative: name,
            kind: EntryKind::File,
        };
        let is_wanted = !filter.files_too || takes_part(&entry, filter, &include, &exclude);
        return Ok((is_wanted.then_some(entry).into_iter().collect(), Vec::new()));
    }
    let skip: Vec<PathBuf> = filter
        .skip
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    for item in builder(root, filter.no_ignore, skip).build() {
        match item {
            Ok(item) => entries.extend(
                entry(root, &item).filter(|entry| takes_part(entry, filter, &include, &exclude)),
            ),
            Err(error) => problems.push(error.to_string()),
        }
    }
    entries.sort_by(|a, b| a.relative.cmp(&b.relative));
    Ok((entries, problems))
}

fn builder(root: &Path, no_ignore: bool, skip: Vec<PathBuf>) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder
        .hidden(false)
        .follow_links(false)
        .ignore(!no_ignore)
        .git_ignore(!no_ignore)
        .git_exclude(!no_ignore)
        .git_global(false)
        .parents(!no_ignore)
        .require_git(false);
    builder.filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        let skipped = || {
            skip.iter()
                .any(|skip| entry.path().canonicalize().is_ok_and(|path| path == *skip))
        };
        !(is_folder && (entry.file_name() == ".git" || (!skip.is_empty() && skipped())))
    });
    builder
}

fn entry(root: &Path, item: &ignore::DirEntry) -> Option<Entry> {
    let kind = item.file_type()?;
    let path = item.path().to_path_buf();
    // A root that is a link comes as an entry of itself.
    let relative = path.strip_prefix(root).ok()?.to_path_buf();
    if relative.as_os_str().is_empty() {
        return None;
    }
    let kind = match () {
        () if kind.is_symlink() => EntryKind::Link(std::fs::read_link(&path).ok()?),
        () if kind.is_file() => EntryKind::File,
        () => return None,
    };
    Some(Entry {
        path,
        relative,
        kind,
    })
}

fn takes_part(entry: &Entry, filter: &Filter, include: &GlobSet, exclude: &GlobSet) -> bool {
    let from_above = Path::new(&filter.prefix).join(&entry.relative);
    let hit = |globs: &GlobSet| globs.is_match(&entry.relative) || globs.is_match(&from_above);
    (filter.include.is_empty() || hit(include)) && !hit(exclude)
}

/// Globs as in `.gitignore`.
///
/// # Errors
/// When one cannot be read.
pub fn globs(patterns: &[String]) -> Result<GlobSet> {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = |text: &str| {
            Glob::new(text)
                .with_context(|| format!("`{pattern}` is not a glob; write it like `src/**/*.cu`"))
        };
        builder.add(glob(pattern)?);
        // As in .gitignore, `third_party` also means everything in it, at any depth.
        if !pattern.contains('/') {
            builder
                .add(glob(&format!("**/{pattern}"))?)
                .add(glob(&format!("**/{pattern}/**"))?);
        } else {
            builder.add(glob(&format!("{}/**", pattern.trim_end_matches('/')))?);
        }
    }
    Ok(builder.build()?)
}
