//! Packages of CMake that NVIDIA's libraries bring, and their targets, as a list of a tree means them.

use std::collections::BTreeSet;

use crate::analysis::build_unit::BuildUnit;
use crate::build::cmake::own_prefixes;
use crate::build::command::{Command, is_called};
use crate::build::words::{is_in_prose, words};
use crate::mapping::{BuildLibrary, BuildTable};
use crate::syntax::TokenIndex;

/// A package of NVIDIA's by its name, unless the tree has a module that finds it, or makes its targets.
fn package_called(cx: &BuildUnit<'_, '_>, name: &str) -> Option<&'static BuildLibrary> {
    let package = BuildTable::builtin().package(name)?;
    let module = format!("Find{name}.cmake");
    let is_own = cx.project.paths.files_called(&module) > 0
        || cx.project.builds.lists.makes(name)
        || own_prefixes(&cx.doc.source.bytes).contains(name);
    (!is_own).then_some(package)
}

/// The package that a command finds by its name.
pub(crate) fn package_found(
    cx: &BuildUnit<'_, '_>,
    command: &Command,
) -> Option<&'static BuildLibrary> {
    const FINDING: &[&str] = &["find_package", "find_dependency"];
    let finds = FINDING.iter().any(|name| is_called(cx.doc, command, name));
    let name = (finds && command.open + 1 < command.close).then(|| cx.text(command.open + 1))?;
    package_called(cx, &name)
}

/// The package whose target a word is: `CUB::CUB`, or by the part of one, `CCCL::CUB`.
pub(crate) fn package_of_target(
    cx: &BuildUnit<'_, '_>,
    at: TokenIndex,
) -> Option<&'static BuildLibrary> {
    let word = cx.text(at);
    // `CUDNN::${part}` may be any of them.
    let (package, part) = word.split_once("::").filter(|(_, part)| !part.is_empty())?;
    let whole = package_called(cx, package)?;
    let of_part = BuildTable::builtin().package(part);
    Some(of_part.filter(|it| !it.target.is_empty()).unwrap_or(whole))
}

/// ROCm's packages of the targets that a list links and does not find itself, each with the word that links it.
pub(super) fn packages_of_targets(
    cx: &BuildUnit<'_, '_>,
    commands: &[Command],
) -> Vec<(TokenIndex, String)> {
    let found = commands.iter().filter_map(|it| package_found(cx, it));
    let found: BTreeSet<&str> = found.map(|package| &*package.package).collect();
    let linked = words(cx.doc)
        .filter(|&at| cx.doc.bytes(at).contains(&b':') && !is_in_prose(cx.doc, at))
        .filter_map(|at| Some((at, package_of_target(cx, at)?)));
    let lacking = linked
        .filter(|(_, package)| !package.package.is_empty() && !found.contains(&*package.package));
    lacking
        .map(|(at, package)| (at, package.package.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::of_build;
    use crate::options::Options;

    #[test]
    fn targets_bring_packages_that_nobody_finds() {
        let module = ("cmake/FindNCCL.cmake", "find_path(NCCL_DIR nccl.h)\n");
        let list = |text| ("CMakeLists.txt", text);
        for (files, expected) in [
            (vec![list("target_link_libraries(a NCCL::NCCL)\n")], "rccl"),
            (vec![list("target_link_libraries(a CCCL::CUB)\n")], "hipcub"),
            (vec![list("target_link_libraries(a CCCL::CCCL)\n")], ""),
            (vec![list("target_link_libraries(a NCCL::${part})\n")], ""),
            (
                vec![list(
                    "find_package(NCCL)\ntarget_link_libraries(a NCCL::NCCL)\n",
                )],
                "",
            ),
            (
                vec![list("target_link_libraries(a NCCL::NCCL)\n"), module],
                "",
            ),
            (
                vec![list(
                    "add_library(NCCL::NCCL ALIAS b)\ntarget_link_libraries(a NCCL::NCCL)\n",
                )],
                "",
            ),
            (vec![list("message(\"links NCCL::NCCL\")\n")], ""),
        ] {
            let found = of_build(&files, Options::default(), |cx| {
                packages_of_targets(cx, cx.doc.commands())
            });
            let found: Vec<String> = found.into_iter().map(|(_, package)| package).collect();
            assert_eq!(found.join(" "), expected, "{}", files[0].1);
        }
    }
}
