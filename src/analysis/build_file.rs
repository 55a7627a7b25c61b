//! What a build file means in its tree: renamed sources, linked libraries.

use std::collections::BTreeSet;

use crate::analysis::unit::Unit;
use crate::cpp::build_file::{
    Command, command_around, commands, is_called, is_in_prose, tool, words,
};
use crate::cpp::cmake::serves_amd;
use crate::mapping::{BuildLibrary, BuildTable};
use crate::syntax::{Document, TokenIndex};
use crate::text::BuildTool;

/// Whether a word is a file of the tree that is renamed, or stands for all of them: `%.cu`, `*.cu`, `.cu`.
pub(crate) fn is_renamed(cx: &Unit<'_, '_>, at: TokenIndex) -> bool {
    let word = cx.text(at);
    let Some(stem) = word.strip_suffix(".cu") else {
        return false;
    };
    let project = &cx.project;
    let is_pattern = stem.is_empty() || stem.ends_with(['%', '*']);
    let file = || project.resolve(&cx.doc.source.path, &word);
    is_pattern && project.has_renames()
        || file().is_some_and(|file| project.renamed(file).is_some())
}

/// The list by which the build of this one serves AMD already, itself or another of the tree.
pub(crate) fn serving_amd<'u>(cx: &'u Unit<'_, '_>) -> Option<&'u str> {
    let path = cx.doc.source.path.as_str();
    let is_itself = || serves_amd(&cx.doc.source.bytes).then_some(path);
    // What this program writes for both vendors.
    if tool(cx.doc) == BuildTool::Make && cx.doc.source.mentions("ifdef USE_HIP\n") {
        return Some(path);
    }
    if tool(cx.doc) != BuildTool::CMake {
        return None;
    }
    cx.project.builds.that_serves_amd(path).or_else(is_itself)
}

/// The package of CMake that brings a library.
pub(crate) fn package_of(cx: &Unit<'_, '_>, library: &BuildLibrary) -> Option<String> {
    let package = |library: &BuildLibrary| {
        let link = library.link(&cx.options().choices)?;
        let target = target(library, &link);
        let of_roc = target
            .strip_prefix("roc::roc")
            .map(|name| format!("roc{name}"));
        Some(of_roc.unwrap_or_else(|| library.package.clone()))
    };
    package(library).filter(|package| !package.is_empty())
}

/// The packages of CMake that bring what the file links.
pub(crate) fn used_packages(cx: &Unit<'_, '_>) -> BTreeSet<String> {
    libraries(cx.doc)
        .into_iter()
        .filter(|(_, _, place)| *place == Place::Target)
        .filter_map(|(_, library, _)| package_of(cx, library))
        .chain(packages_of_variables(cx.doc))
        .collect()
}

/// The packages of libraries that FindCUDA names by variables: `${CUDA_cublas_LIBRARY}`.
fn packages_of_variables(doc: &Document<'_>) -> Vec<String> {
    let table = BuildTable::builtin();
    let package = |at: TokenIndex| {
        let word = std::str::from_utf8(doc.bytes(at)).ok()?;
        let target = table
            .cmake(word)?
            .1
            .filter(|target| target.contains("::"))?;
        let library = table
            .libraries()
            .find(|(_, library)| library.target == target)?;
        Some(library.1.package.clone())
    };
    words(doc).filter_map(package).collect()
}

/// How a library is named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// `-lcublas`.
    Option,
    /// `CUDA::cublas`, or `cublas` among the libraries of a target.
    Target,
    /// What `find_library` looks for.
    Name,
}

pub(crate) fn libraries(doc: &Document<'_>) -> Vec<(TokenIndex, &'static BuildLibrary, Place)> {
    let all = commands(doc);
    let named = |index: TokenIndex| {
        let word = std::str::from_utf8(doc.bytes(index)).ok()?;
        let (name, place) = match (word.strip_prefix("-l"), word.strip_prefix("CUDA::")) {
            (Some(name), _) => (name, Place::Option),
            (_, Some(name)) => (name, Place::Target),
            _ => (word, bare(doc, &all, index)?),
        };
        Some((index, BuildTable::builtin().library(name)?, place))
    };
    words(doc)
        .filter_map(named)
        .filter(|found| !is_in_prose(doc, found.0))
        .collect()
}

/// What a word without mark means by its place in a CMake list.
pub(crate) fn bare(doc: &Document<'_>, all: &[Command], index: TokenIndex) -> Option<Place> {
    let command = command_around(all, index).filter(|command| command.open + 1 < index)?;
    let links = ["target_link_libraries", "link_libraries"];
    if links.iter().any(|name| is_called(doc, command, name)) {
        return Some(Place::Target);
    }
    if is_called(doc, command, "find_library") {
        return Some(Place::Name);
    }
    is_behind_keyword(doc, command, index).then_some(Place::Target)
}

/// `add_bench(NAME demo LINK_LIBRARIES cublas)`: a function of the project that says itself what it links.
fn is_behind_keyword(doc: &Document<'_>, command: &Command, index: TokenIndex) -> bool {
    const LINKS: &[&[u8]] = &[
        b"LINK_LIBRARIES",
        b"LINK_LIBS",
        b"LIBRARIES",
        b"LIBS",
        b"LINKS",
    ];
    let is_keyword = |at: &TokenIndex| {
        let word = doc.bytes(*at);
        word.len() > 2
            && word
                .iter()
                .all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
    };
    let calls_own = !is_called(doc, command, "set") && !is_called(doc, command, "list");
    // Lists behind a keyword are short; one of thousands of files is not walked for each of them.
    let from = (command.open + 1).max(index.saturating_sub(40));
    let keyword = (from..index).rev().find(is_keyword);
    calls_own && keyword.is_some_and(|at| LINKS.contains(&doc.bytes(at)))
}

/// The imported target of CMake; that of the family which was chosen, where the linker's option says another than the table.
pub(crate) fn target(library: &BuildLibrary, link: &str) -> String {
    match link.strip_prefix("-l") {
        Some(name) if name.starts_with("roc") && !name.starts_with("roctx") => {
            format!("roc::{name}")
        }
        Some(name) if library.target.is_empty() => name.to_owned(),
        _ => library.target.clone(),
    }
}
