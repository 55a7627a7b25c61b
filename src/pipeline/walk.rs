use std::fs::FileType;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, bail};
use globset::{Glob, GlobSet, GlobSetBuilder};
use ignore::{WalkBuilder, WalkState};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::ignore_files::{self, Kinds};
use super::left_out::{self, Folders, LeftOut, Passed, Reason};
use super::scrap::scrap_owner;
use super::watcher::{Stage, Watcher};

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
    /// What a command line says of it.
    pub line: Line,
}

/// The globs of a command line, which count from the folder that it is written in as well.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Those among `include`.
    pub include: Vec<String>,
    /// Those among `exclude`.
    pub exclude: Vec<String>,
    /// The way from that folder to the root.
    pub here: PathBuf,
}

/// What an entry of a tree is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file with content.
    File,
    /// A symbolic link and where it points; never followed.
    Link(PathBuf),
    /// No file of the tree: it is made of this one.
    Made(PathBuf),
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
        slashed(&self.relative)
    }
}

/// A path as people and the project index have it: `/` between its parts, what is not UTF-8 replaced.
pub(crate) fn slashed(path: &Path) -> String {
    // Most paths are so already, and each file of a run is asked for its name several times.
    if let Some(text) = path.to_str().filter(|text| is_slashed(text)) {
        return text.to_owned();
    }
    let mut text = String::with_capacity(path.as_os_str().len());
    for (at, part) in path.components().enumerate() {
        if at > 0 {
            text.push('/');
        }
        text.push_str(&part.as_os_str().to_string_lossy());
    }
    text
}

/// Whether a path is as [`slashed`] would write it, as far as one look tells.
fn is_slashed(text: &str) -> bool {
    let is_dot = |part: &str| part.is_empty() || part == ".";
    std::path::MAIN_SEPARATOR == '/' && !text.split('/').any(is_dot)
}

/// What is in a tree.
#[derive(Debug, Default)]
pub struct Walked {
    /// The files and links that take part, in the order of their paths.
    pub entries: Vec<Entry>,
    /// What the command line does not choose and stands beside it, in the same order: what a file means is decided by the headers and build
    /// files around it, whoever looks at it alone.
    pub around: Vec<Entry>,
    /// Folders in which there is nothing, relative to the root, in order.
    pub empty_folders: Vec<PathBuf>,
    /// What takes no part, by reason and path.
    pub left_out: Vec<LeftOut>,
    /// Folders that cannot be read: they do not end the walk.
    pub problems: Vec<String>,
    /// Globs of the command line that leave nothing out.
    pub idle_excludes: Vec<String>,
}

/// Lists a tree, or the one file `root`. Files that git tracks take part whatever `.gitignore` says, and all where there
/// is no repository: the build has them too.
///
/// # Errors
/// When `root` does not exist or a glob cannot be read.
pub fn walk(root: &Path, filter: &Filter, watcher: &dyn Watcher) -> Result<Walked> {
    watcher.begin(Stage::Listing, None);
    let metadata = std::fs::metadata(root).with_context(|| {
        format!(
            "{}: cannot be read; give an existing file or folder",
            root.display()
        )
    })?;
    let globs = Globs {
        prefix: Path::new(&filter.prefix),
        include: (!filter.include.is_empty())
            .then(|| globs(&filter.include))
            .transpose()?,
        exclude: globs(&filter.exclude)?,
        here: &filter.line.here,
        line_include: globs(&filter.line.include)?,
        line_exclude: globs(&filter.line.exclude)?,
    };
    if !metadata.is_file() && !metadata.is_dir() {
        bail!(
            "{}: is neither a file nor a folder; what a pipe or a device holds is read as `-`, from standard input",
            root.display()
        );
    }
    let mut walked = if metadata.is_file() {
        lone(root)
    } else {
        tree(root, filter, watcher)
    };
    if metadata.is_dir() {
        for glob in &filter.line.exclude {
            if !globs.leaves_out(glob, &walked)? {
                walked.idle_excludes.push(glob.clone());
            }
        }
    }
    if metadata.is_dir() && !filter.line.include.is_empty() {
        let beside = walked.entries.iter();
        let beside = beside.filter(|entry| globs.passes_by(&entry.relative));
        walked.around = beside.cloned().collect();
    }
    if metadata.is_dir() || filter.files_too {
        globs.apply(&mut walked);
    }
    let entries = &mut walked.entries;
    entries.par_sort_unstable_by(|a, b| a.relative.cmp(&b.relative));
    walked
        .around
        .sort_unstable_by(|a, b| a.relative.cmp(&b.relative));
    walked.empty_folders.sort();
    walked.left_out.sort();
    Ok(walked)
}

fn lone(root: &Path) -> Walked {
    let name = root
        .file_name()
        .map_or_else(|| root.to_path_buf(), PathBuf::from);
    let entry = Entry {
        path: root.to_path_buf(),
        relative: name,
        kind: EntryKind::File,
    };
    Walked {
        entries: vec![entry],
        ..Walked::default()
    }
}

fn tree(root: &Path, filter: &Filter, watcher: &dyn Watcher) -> Walked {
    let skip: Vec<PathBuf> = filter
        .skip
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let mut walked = Walked::default();
    let (mut seen, mut folders) = (FxHashSet::default(), vec![PathBuf::new()]);
    for item in all_items(root, filter, &skip, watcher) {
        let (relative, kind) = match item {
            Ok(item) => item,
            Err(problem) => {
                walked.problems.push(problem);
                continue;
            }
        };
        if kind.is_some_and(|kind| kind.is_dir()) {
            folders.push(relative.clone());
        } else {
            walked.add(root, relative.clone(), kind);
        }
        seen.insert(relative.into_os_string());
    }
    walked.problems.sort();
    let passed = Folders {
        root,
        seen: &seen,
        skip: &skip,
    }
    .passed(&folders);
    walked.take_tracked(root, passed);
    walked
}

/// What a walk comes by: a path relative to its root with what it is, or why it cannot be read.
type Item = Result<(PathBuf, Option<FileType>), String>;

/// What is below a folder. A folder of which some file that says what is ignored cannot be read is walked by itself, without those of
/// its kind.
fn all_items(root: &Path, filter: &Filter, skip: &[PathBuf], watcher: &dyn Watcher) -> Vec<Item> {
    let mut problems = Vec::new();
    let kinds = match filter.no_ignore {
        true => Kinds::NONE,
        false => ignore_files::readable_above(root, Kinds::ALL, &mut problems),
    };
    let mut found: Vec<Item> = problems.into_iter().map(Err).collect();
    let mut open = vec![(root.to_path_buf(), kinds)];
    while let Some((folder, kinds)) = open.pop() {
        let apart = Apart::default();
        let builder = builder(root, &folder, kinds, skip.to_vec(), apart.clone());
        found.extend(items(root, &builder, watcher));
        let mut apart = std::mem::take(&mut *apart.lock().unwrap_or_else(PoisonError::into_inner));
        apart.sort_by(|a, b| a.folder.cmp(&b.folder));
        for (folder, its, problems) in apart
            .into_iter()
            .map(|it| (it.folder, it.kinds, it.problems))
        {
            found.extend(problems.into_iter().map(Err));
            open.push((folder, kinds.and(its)));
        }
    }
    found
}

/// A folder that is walked by itself, and why.
struct Alone {
    folder: PathBuf,
    /// What can be read in it.
    kinds: Kinds,
    problems: Vec<String>,
}

/// Folders of a walk that are walked by themselves.
type Apart = Arc<Mutex<Vec<Alone>>>;

/// What is below a folder, in any order: folders are read side by side.
fn items(root: &Path, builder: &WalkBuilder, watcher: &dyn Watcher) -> Vec<Item> {
    let (sender, receiver) = std::sync::mpsc::channel();
    builder.build_parallel().run(|| {
        let sender = sender.clone();
        Box::new(move |item| {
            let item = match item {
                // A root that is a link comes as an entry of itself.
                Ok(item) => match below(root, item.path()) {
                    Some(relative) => Ok((relative, item.file_type())),
                    None => return WalkState::Continue,
                },
                Err(error) => Err(error.to_string()),
            };
            if !matches!(&item, Ok((_, Some(kind))) if kind.is_dir()) {
                watcher.step();
            }
            // Nobody hangs up before the walk is over.
            let _ = sender.send(item);
            WalkState::Continue
        })
    });
    drop(sender);
    receiver.into_iter().collect()
}

fn below(root: &Path, path: &Path) -> Option<PathBuf> {
    let relative = path.strip_prefix(root).ok()?;
    (!relative.as_os_str().is_empty()).then(|| relative.to_path_buf())
}

impl Walked {
    /// Adds a file or link by what it is, as its folder says where that was read; folders are nothing of their own.
    fn add(&mut self, root: &Path, relative: PathBuf, kind: Option<FileType>) {
        // What a run that was killed left behind is no file of the tree.
        if relative.file_name().and_then(scrap_owner).is_some() {
            return;
        }
        let path = root.join(&relative);
        let looked_at = || Some(path.symlink_metadata().ok()?.file_type());
        let Some(kind) = kind.or_else(looked_at) else {
            return;
        };
        let kind = match () {
            () if kind.is_file() => EntryKind::File,
            () if kind.is_dir() => return,
            () if kind.is_symlink() => match std::fs::read_link(&path) {
                Ok(destination) => EntryKind::Link(destination),
                Err(_) => return,
            },
            () => return self.leave_out(root, Reason::Special, relative),
        };
        self.entries.push(Entry {
            path,
            relative,
            kind,
        });
    }

    /// Leaves out what a configuration within the tree does not take.
    pub fn filter(&mut self, takes: impl Fn(&Entry) -> bool) {
        let (taken, filtered) = std::mem::take(&mut self.entries)
            .into_iter()
            .partition(|entry: &Entry| takes(entry));
        self.entries = taken;
        self.left_out
            .extend(filtered.into_iter().map(|entry| LeftOut {
                reason: Reason::Filtered,
                path: entry.relative,
                is_folder: false,
            }));
        self.left_out.sort();
    }

    /// Keeps the files that are asked for; all others stand around them.
    pub(crate) fn keep(&mut self, is_asked_for: impl Fn(&Entry) -> bool) {
        let entries = std::mem::take(&mut self.entries);
        let (kept, beside): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_asked_for);
        self.entries = kept;
        self.around.extend(beside);
        self.around
            .sort_unstable_by(|a, b| a.relative.cmp(&b.relative));
    }

    fn leave_out(&mut self, root: &Path, reason: Reason, path: PathBuf) {
        self.left_out.push(LeftOut {
            reason,
            is_folder: root.join(&path).is_dir(),
            path,
        });
    }

    /// Sorts what the walk passed over into what git tracks, which takes part, and what stays out.
    fn take_tracked(&mut self, root: &Path, passed: Passed) {
        self.empty_folders = passed.empty;
        for path in passed.outputs {
            self.leave_out(root, Reason::Output, path);
        }
        if passed.ignored.is_empty() {
            return;
        }
        let tracked = left_out::tracked(root);
        let reason = match tracked {
            Some(_) => Reason::Ignored,
            None => Reason::MaybeTracked,
        };
        let tracked = tracked.unwrap_or_default();
        for path in &passed.ignored {
            let below = tracked.range(path.clone()..);
            let below = below.take_while(|tracked| tracked.starts_with(path));
            let open = below.filter(|path| !passed.closed.iter().any(|out| path.starts_with(out)));
            open.for_each(|path| self.add(root, path.clone(), None));
        }
        for path in left_out::untracked(root, passed.ignored, &tracked) {
            self.leave_out(root, reason, path);
        }
    }
}

/// A walk through a folder of the tree; those that are to be walked by themselves are put aside.
fn builder(
    root: &Path,
    folder: &Path,
    kinds: Kinds,
    skip: Vec<PathBuf>,
    apart: Apart,
) -> WalkBuilder {
    let mut builder = WalkBuilder::new(folder);
    builder
        .hidden(false)
        .follow_links(false)
        .ignore(kinds.plain)
        .git_ignore(kinds.git)
        .git_exclude(kinds.exclude)
        .git_global(false)
        .parents(kinds != Kinds::NONE)
        // Without a repository nobody can say what is tracked, and all of an unpacked release was.
        .require_git(true)
        .threads(rayon::current_num_threads());
    let (top, own) = (root.to_path_buf(), folder.to_path_buf());
    builder.filter_entry(move |entry| {
        let Some(relative) = below(&top, entry.path()) else {
            return true;
        };
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        let skipped = || {
            skip.iter()
                .any(|skip| entry.path().canonicalize().is_ok_and(|path| path == *skip))
        };
        let is_output = || left_out::is_output(entry.path()) || (!skip.is_empty() && skipped());
        if left_out::is_private(&top, &relative) || (is_folder && is_output()) {
            return false;
        }
        let mut problems = Vec::new();
        let its = match is_folder && entry.path() != own {
            true => ignore_files::readable(entry.path(), kinds, &mut problems),
            false => kinds,
        };
        if its != kinds {
            let folder = entry.path().to_path_buf();
            let alone = Alone {
                folder,
                kinds: its,
                problems,
            };
            apart
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(alone);
        }
        its == kinds
    });
    builder
}

/// The globs of a run: a path may match from the root or from the folder of the configuration, and where the command line has the glob,
/// from the folder that it is written in.
struct Globs<'a> {
    prefix: &'a Path,
    /// `None` takes all.
    include: Option<GlobSet>,
    exclude: GlobSet,
    here: &'a Path,
    line_include: GlobSet,
    line_exclude: GlobSet,
}

impl Globs<'_> {
    fn take(&self, path: &Path) -> bool {
        self.includes(path) && !self.excludes(path)
    }

    /// Whether a path is neither asked for nor to be left out.
    fn passes_by(&self, path: &Path) -> bool {
        !self.includes(path) && !self.excludes(path)
    }

    fn includes(&self, path: &Path) -> bool {
        let is_included = self.include.as_ref();
        is_included.is_none_or(|globs| self.hits(globs, path))
            || self.line_include.is_match(self.here.join(path))
    }

    fn excludes(&self, path: &Path) -> bool {
        self.hits(&self.exclude, path) || self.line_exclude.is_match(self.here.join(path))
    }

    fn hits(&self, globs: &GlobSet, path: &Path) -> bool {
        globs.is_match(path) || globs.is_match(self.prefix.join(path))
    }

    /// Whether a glob of the command line fits a path of the tree, one that takes no part anyway among them.
    fn leaves_out(&self, glob: &str, walked: &Walked) -> Result<bool> {
        let glob = globs(&[glob.to_owned()])?;
        let fits = |path: &Path| {
            glob.is_match(path)
                || glob.is_match(self.prefix.join(path))
                || glob.is_match(self.here.join(path))
        };
        let entries = walked.entries.iter().map(|entry| &entry.relative);
        let left_out = walked.left_out.iter().map(|left| &left.path);
        let mut paths = entries.chain(left_out).chain(&walked.empty_folders);
        Ok(paths.any(|path| fits(path)))
    }

    fn apply(&self, walked: &mut Walked) {
        walked.empty_folders.retain(|path| self.take(path));
        walked.filter(|entry| self.take(&entry.relative));
    }
}

/// Globs as in `.gitignore`.
///
/// # Errors
/// When one cannot be read.
pub(crate) fn globs(patterns: &[String]) -> Result<GlobSet> {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        // A shell completes names so.
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
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
