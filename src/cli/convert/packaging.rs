//! Whether the packages of a Python project take the helper header along.

use std::path::Path;

use globset::GlobBuilder;

use crate::pipeline::read_regular;
use crate::python::{Literal, Node, PyFile};

/// What to add to the lists of a project that pick its sources one by one and leave the helper header behind; `header` is its path from
/// the root.
pub(super) fn advice(root: &Path, header: &str) -> Option<String> {
    let manifest = read(&root.join("MANIFEST.in"));
    let manifest = misses(&of_manifest(&String::from_utf8_lossy(&manifest)), header)
        .then(|| format!("`include {header}` in MANIFEST.in"));
    let data = misses(&of_package_data(&read(&root.join("setup.py"))), header)
        .then(|| format!("{header} in package_data of setup.py"));
    let folder = header.rsplit_once('/').map_or("", |(folder, _)| folder);
    let lists = lists_of_headers(&root.join(folder)).into_iter();
    let lists = lists.map(|script| format!("{header} where {script} lists its headers"));
    let places: Vec<String> = manifest.into_iter().chain(data).chain(lists).collect();
    (!places.is_empty()).then(|| {
        format!(
            "packages: the lists of this project take its CUDA sources and not the helper header: write {}",
            places.join(" and ")
        )
    })
}

/// A script or list; nothing where there is none, or one that is no regular file or too large for anybody to have written it.
fn read(path: &Path) -> Vec<u8> {
    const LARGEST: u64 = 1 << 20;
    read_regular(path, LARGEST).unwrap_or_default()
}

/// Whether patterns take sources of CUDA and none takes the header.
fn misses(patterns: &[String], header: &str) -> bool {
    let takes = |path: &str| {
        patterns.iter().any(|pattern| {
            let glob = GlobBuilder::new(pattern).build();
            glob.is_ok_and(|glob| glob.compile_matcher().is_match(path))
        })
    };
    let lists_sources = patterns
        .iter()
        .any(|it| it.ends_with(".cu") || it.ends_with(".cuh"));
    lists_sources && !takes(header)
}

/// The paths that a MANIFEST.in takes, as patterns from the root.
fn of_manifest(text: &str) -> Vec<String> {
    let patterns = text.lines().flat_map(|line| {
        let mut words = line.split_whitespace();
        let command = words.next().unwrap_or_default();
        let folder = match command {
            "recursive-include" => words
                .next()
                .map(|it| format!("{}/**/", it.trim_end_matches('/'))),
            "include" => Some(String::new()),
            "global-include" => Some("**/".to_owned()),
            "graft" => {
                return words
                    .next()
                    .map(|it| format!("{}/**", it.trim_end_matches('/')))
                    .into_iter()
                    .collect();
            }
            _ => None,
        };
        let of = |folder: String| words.map(|word| format!("{folder}{word}")).collect();
        folder.map_or_else(Vec::new, of)
    });
    patterns.collect()
}

/// The patterns of `package_data`, below whatever package.
fn of_package_data(script: &[u8]) -> Vec<String> {
    let file = PyFile::new(script);
    let values = given(&file, "package_data").into_iter();
    let strings = values.flat_map(|value| file.all_below(value, &["string"]));
    let texts = strings.filter_map(|it| Some(Literal::new(&file, it)?.text.to_string()));
    texts.map(|text| format!("**/{text}")).collect()
}

/// What a script gives to a name, as an argument or in an assignment.
fn given<'t>(file: &'t PyFile<'_>, name: &str) -> Vec<Node<'t>> {
    let given = file.all(&["keyword_argument", "assignment"]).into_iter();
    given
        .filter_map(|it| {
            let either = |one: &str, other: &str| {
                it.child_by_field_name(one)
                    .or_else(|| it.child_by_field_name(other))
            };
            either("name", "left").filter(|left| file.text(*left) == name)?;
            either("value", "right")
        })
        .collect()
}

/// The scripts of a folder that name headers of it in a list, `headers=["ops.h"]`: some copy what they name to where it is compiled.
fn lists_of_headers(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".py"))
        .collect();
    names.sort();
    names.retain(|name| {
        names_header(&read(&folder.join(name)), &|header| {
            folder.join(header).is_file()
        })
    });
    names
}

/// Whether a script gives a list of headers by name that are there.
fn names_header(script: &[u8], is_there: &dyn Fn(&str) -> bool) -> bool {
    if memchr::memmem::find(script, b"headers").is_none() {
        return false;
    }
    let file = PyFile::new(script);
    let mut lists = given(&file, "headers").into_iter();
    lists.any(|list| {
        let elements = match list.kind() {
            "list" => file.elements(list),
            _ => Vec::new(),
        };
        let mut names = elements.into_iter();
        names.any(|it| Literal::new(&file, it).is_some_and(|it| is_there(&it.text)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_leave_the_header_behind_are_told() {
        const HEADER: &str = "pkg/cuda/cass_hip_compat.hpp";
        let of = |text: &str| misses(&of_manifest(text), HEADER);
        assert!(of("recursive-include pkg/cuda *.cu *.h\n"));
        assert!(of("include README.md pkg/cuda/*.cu\n"));
        assert!(!of("recursive-include pkg *.cu *.hpp\n"));
        assert!(!of("graft pkg\ninclude other/*.cu\n"));
        assert!(!of("global-include *.cu *.hpp\n"));
        assert!(!of("include README.md\n") && !of(""));
        let of = |text: &str| misses(&of_package_data(text.as_bytes()), HEADER);
        assert!(of(
            "setup(package_data={'pkg': ['cuda/*.cu', 'cuda/*.h']})\n"
        ));
        assert!(!of(
            "setup(package_data={'pkg': ['cuda/*.cu', 'cuda/*.hpp']})\n"
        ));
        assert!(!of("setup(package_data={'pkg': ['data/*.json']})\n"));
    }

    #[test]
    fn scripts_that_copy_headers_by_name_are_told() {
        let of = |text: &str| names_header(text.as_bytes(), &|name| name == "ops.h");
        assert!(of(
            "get(module='a', sources=['ops.cu'], headers=['ops.h'])\n"
        ));
        assert!(of("headers = ['other.h', 'ops.h']\n"));
        assert!(!of("get(headers=['Accept'])\n") && !of("headers = {'ops.h': 1}\n"));
        assert!(!of("include = ['ops.h']\n"));
    }
    #[cfg(unix)]
    #[test]
    fn pipes_in_the_place_of_lists_are_not_waited_for() {
        let root = tempfile::tempdir().expect("a temporary folder can be made");
        for name in ["MANIFEST.in", "setup.py", "build.py"] {
            let made = std::process::Command::new("mkfifo")
                .arg(root.path().join(name))
                .status();
            assert!(made.expect("there is a mkfifo").success());
        }
        assert_eq!(advice(root.path(), "cass_hip_compat.hpp"), None);
    }
}
