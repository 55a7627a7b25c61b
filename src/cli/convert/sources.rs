//! Which of the paths of a command line are sources and which is the output, and what of the sources takes part.

use std::path::{Component, Path, PathBuf};

use anyhow::{Result, anyhow, bail};

use crate::cli::args::ConvertArgs;
use crate::cli::{input, reports, suggest};
use crate::pipeline::{Filter, Line, Walked, Watcher, walk};

/// The arguments with their paths told apart: the last of several is the folder for the result, unless the result goes elsewhere.
///
/// # Errors
/// When a source does not exist, or there are several where one is needed.
pub(super) fn resolved(args: &ConvertArgs) -> Result<ConvertArgs> {
    let mut args = args.clone();
    if args.paths.is_empty() {
        args.paths.push(PathBuf::from("."));
    }
    args.sources = std::mem::take(&mut args.paths);
    let goes_elsewhere = args.in_place || args.output.is_some();
    if args.sources.len() > 1 && !goes_elsewhere {
        args.out = args.sources.pop();
    }
    if args.output.is_some() && args.sources.len() > 1 {
        bail!("-o takes the result of one file; give a folder as last argument for several");
    }
    if let Some(first) = args.sources.first()
        && !first.exists()
    {
        suggest::command(first)?;
    }
    if let [source] = args.sources.as_slice() {
        args.src.clone_from(source);
        return Ok(args);
    }
    if let Some(last) = args.sources.last()
        && args.in_place
        && !last.exists()
    {
        bail!(
            "{}: is not there; --in-place changes files where they are and takes no folder for the result",
            last.display()
        );
    }
    args.src = shared_folder(&args.sources)?;
    Ok(args)
}

/// The sources as they were named, for a command line that names them again.
pub(super) fn shown(args: &ConvertArgs) -> String {
    let names = args.sources.iter().map(|path| path.display().to_string());
    names.collect::<Vec<_>>().join(" ")
}

/// What of the sources takes part, with paths below the folder that they share.
///
/// # Errors
/// When a source or a glob cannot be read.
pub(super) fn walk_all(
    args: &ConvertArgs,
    filter: &Filter,
    watcher: &dyn Watcher,
) -> Result<Walked> {
    if let [source] = args.sources.as_slice() {
        return walk(source, filter, watcher);
    }
    let mut all = Walked::default();
    let mut idle: Option<Vec<String>> = None;
    for source in &args.sources {
        let place = below(&args.src, source)?;
        let folder = match source.is_dir() {
            true => place.as_path(),
            false => place.parent().unwrap_or(Path::new("")),
        };
        let filter = Filter {
            prefix: format!("{}{}", filter.prefix, with_slash(folder)),
            line: Line {
                here: filter.line.here.join(folder),
                ..filter.line.clone()
            },
            ..filter.clone()
        };
        let mut walked = walk(source, &filter, watcher)?;
        let entries = walked.entries.iter_mut();
        entries.for_each(|entry| entry.relative = folder.join(&entry.relative));
        let left_out = walked.left_out.iter_mut();
        left_out.for_each(|left| left.path = folder.join(&left.path));
        if source.is_dir() {
            idle = Some(reports::idle_in_all(idle, &walked.idle_excludes));
        }
        let around = walked.around.iter_mut();
        around.for_each(|entry| entry.relative = folder.join(&entry.relative));
        all.entries.append(&mut walked.entries);
        all.around.append(&mut walked.around);
        all.left_out.append(&mut walked.left_out);
        all.problems.append(&mut walked.problems);
        let empty = walked.empty_folders.iter().map(|path| folder.join(path));
        all.empty_folders.extend(empty);
    }
    all.idle_excludes = idle.unwrap_or_default();
    all.entries.sort_by(|a, b| a.relative.cmp(&b.relative));
    // A folder and a file of it may both be named.
    all.entries.dedup_by(|a, b| a.relative == b.relative);
    all.around.sort_by(|a, b| a.relative.cmp(&b.relative));
    all.around.dedup_by(|a, b| a.relative == b.relative);
    all.empty_folders.sort();
    all.empty_folders.dedup();
    all.left_out.sort();
    all.left_out.dedup();
    Ok(all)
}

/// The deepest folder that holds all of some paths, resolved; the current folder as `.`, so that names stay short.
fn shared_folder(sources: &[PathBuf]) -> Result<PathBuf> {
    let mut shared: Option<PathBuf> = None;
    for source in sources {
        let resolved = resolve(source)?;
        let folder = resolved.parent().unwrap_or(&resolved);
        shared = Some(match shared {
            None => folder.to_path_buf(),
            Some(shared) => common(&shared, folder),
        });
    }
    let shared = shared.ok_or_else(|| anyhow!("give at least one file or folder"))?;
    Ok(input::named_from_here(shared))
}

fn common(one: &Path, other: &Path) -> PathBuf {
    let pairs = one.components().zip(other.components());
    let same = pairs.take_while(|(one, other)| one == other);
    same.map(|(part, _)| part).collect::<PathBuf>()
}

/// A source's path below the shared folder.
fn below(folder: &Path, source: &Path) -> Result<PathBuf> {
    let (folder, resolved) = (resolve(folder)?, resolve(source)?);
    let relative = resolved.strip_prefix(&folder);
    Ok(relative.map_or_else(|_| resolved.clone(), Path::to_path_buf))
}

/// An absolute path without `..`, whose last part is not followed where it is a link: the tree has the link under that name.
fn resolve(path: &Path) -> Result<PathBuf> {
    let is_named = matches!(path.components().next_back(), Some(Component::Normal(_)));
    let resolved = match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if is_named && path.symlink_metadata().is_ok() => {
            let parent = match parent.as_os_str().is_empty() {
                true => Path::new("."),
                false => parent,
            };
            parent.canonicalize().map(|parent| parent.join(name))
        }
        _ => path.canonicalize(),
    };
    resolved.map_err(|error| {
        let path = path.display();
        anyhow!("{path}: cannot be read; give an existing file or folder: {error}")
    })
}

fn with_slash(folder: &Path) -> String {
    let text = crate::pipeline::slashed(folder);
    match text.is_empty() {
        true => text,
        false => text + "/",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shared_folder_is_the_deepest() {
        let shared = common(Path::new("/a/b/c"), Path::new("/a/b/d/e"));
        assert_eq!(shared, Path::new("/a/b"));
        assert_eq!(common(Path::new("/a"), Path::new("/b")), Path::new("/"));
    }
}
