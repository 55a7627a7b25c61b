//! What a build file means in its tree: renamed sources, linked libraries.

use std::collections::BTreeSet;
use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::analysis::build_unit::BuildUnit;
use crate::analysis::nvidia_packages::packages_of_targets;
use crate::build::BuildFile;
use crate::build::cmake::serves_amd;
use crate::build::command::{Command, command_around, is_called};
use crate::build::make::{is_read, values};
use crate::build::probes::is_described;
use crate::build::words::{is_in_prose, is_keyword, line_of, words};
use crate::mapping::{BuildLibrary, BuildTable};
use crate::syntax::{TokenIndex, flags};
use crate::text::BuildTool;

/// Whether a word is a file of the tree that is renamed, or stands for all of them: `%.cu`, `*.cu`, `.cu`.
pub(crate) fn is_renamed(cx: &BuildUnit<'_, '_>, at: TokenIndex) -> bool {
    let word = cx.text(at);
    let Some(stem) = word.strip_suffix(".cu") else {
        return false;
    };
    let project = &cx.project;
    let is_pattern = stem.is_empty() || stem.ends_with(['%', '*']);
    let file = || project.paths.resolve(&cx.doc.source.path, &word);
    is_pattern && project.paths.has_renames()
        || file().is_some_and(|file| project.paths.renamed(file).is_some())
}

/// The list by which the build of this one serves AMD already, itself or another of the tree.
pub(crate) fn serving_amd<'u>(cx: &'u BuildUnit<'_, '_>) -> Option<&'u str> {
    let path = cx.doc.source.path.as_str();
    let is_itself = || serves_amd(&cx.doc.source.bytes).then_some(path);
    // What this program writes for both vendors.
    if cx.doc.tool == BuildTool::Make && cx.doc.source.mentions("ifdef USE_HIP\n") {
        return Some(path);
    }
    if cx.doc.tool != BuildTool::CMake {
        return None;
    }
    cx.project
        .builds
        .lists
        .that_serves_amd(path)
        .or_else(is_itself)
}

/// The package of CMake that brings a library.
fn package_of(cx: &BuildUnit<'_, '_>, library: &BuildLibrary) -> Option<String> {
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
pub(crate) fn used_packages(cx: &BuildUnit<'_, '_>) -> BTreeSet<String> {
    let packages = linked_packages(cx).into_iter();
    packages.map(|(_, package)| package).collect()
}

/// The packages of CMake that bring what the file links, each with the word that links it, in the order of the words.
pub(crate) fn linked_packages(cx: &BuildUnit<'_, '_>) -> Vec<(TokenIndex, String)> {
    let by_name = libraries(cx.doc)
        .into_iter()
        .filter(|(_, _, place)| *place == Place::Target)
        .filter_map(|(at, library, _)| Some((at, package_of(cx, library)?)));
    let by_target = packages_of_targets(cx, cx.doc.commands());
    let by_package = packages_of_find_cuda(cx.doc);
    let mut found: Vec<_> = by_name.chain(by_package).chain(by_target).collect();
    found.sort_unstable();
    found
}

/// The packages of libraries that FindCUDA names by variables and commands: `${CUDA_cublas_LIBRARY}`, `cuda_add_cublas_to_target(a)`.
fn packages_of_find_cuda(doc: &BuildFile<'_>) -> Vec<(TokenIndex, String)> {
    let table = BuildTable::builtin();
    let of_command = |word: &str| {
        table
            .cmake(&word.to_ascii_lowercase())
            .map(|(row, _)| &row.links)
    };
    let package = |at: TokenIndex| {
        let word = std::str::from_utf8(doc.bytes(at)).ok()?;
        let by_command = of_command(word).filter(|links| !links.is_empty() && doc.is(at + 1, "("));
        let of_variable = || table.cmake(word)?.1.filter(|target| target.contains("::"));
        let target = by_command.cloned().or_else(of_variable)?;
        let library = table
            .libraries()
            .find(|(_, library)| library.target == target)?;
        Some((at, library.1.package.clone()))
    };
    words(doc).filter_map(package).collect()
}

/// How a library is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// `-lcublas`.
    Option,
    /// `CUDA::cublas`, or `cublas` among the libraries of a target.
    Target,
    /// What `find_library` looks for.
    Name,
}

pub(crate) fn libraries(doc: &BuildFile<'_>) -> Vec<(TokenIndex, &'static BuildLibrary, Place)> {
    let all = doc.commands();
    let listed = link_lists(doc);
    let searched = searched_variables(doc, all);
    let named = |index: TokenIndex| {
        let word = std::str::from_utf8(doc.bytes(index)).ok()?;
        let is_option = word.starts_with("-l");
        if !is_option && (listed.contains(&index) || searched.contains(&index)) {
            return Some((
                index,
                BuildTable::builtin().library(file_stem(word))?,
                Place::Name,
            ));
        }
        let (name, place) = match (word.strip_prefix("-l"), word.strip_prefix("CUDA::")) {
            (Some(name), _) => (name, Place::Option),
            (_, Some(name)) => (name, Place::Target),
            _ => match bare(doc, all, index)? {
                Place::Name => (file_stem(word), Place::Name),
                place => (word, place),
            },
        };
        Some((index, BuildTable::builtin().library(name)?, place))
    };
    words(doc)
        .filter_map(named)
        .filter(|found| !is_in_prose(doc, found.0))
        .collect()
}

/// The words of a Makefile's lists that become options of the linker: `LIBRARIES := cudart cublas`, where something reads
/// `$(foreach l,$(LIBRARIES),-l$(l))`, `$(addprefix -l,$(LIBRARIES))`, `$(patsubst %,-l%,$(LIBRARIES))` or `$(LIBRARIES:%=-l%)`.
fn link_lists(doc: &BuildFile<'_>) -> FxHashSet<TokenIndex> {
    if doc.tool != BuildTool::Make {
        return FxHashSet::default();
    }
    let options = (0..doc.tokens.len()).filter(|&at| is_partial(doc, at));
    let names: FxHashSet<&[u8]> = options
        .flat_map(|option| taken_names(doc, option))
        .filter(|&at| is_read(doc, at))
        .map(|at| doc.bytes(at))
        .collect();
    match names.is_empty() {
        true => FxHashSet::default(),
        false => values(doc, &|name| names.contains(name))
            .into_iter()
            .collect(),
    }
}

/// Whether an option `-l` takes the rest of its word from elsewhere: `-l$(name)`, `-l%`, `addprefix -l,`.
fn is_partial(doc: &BuildFile<'_>, option: TokenIndex) -> bool {
    let next = |text: &str| option + 1 < doc.tokens.len() && doc.is(option + 1, text);
    doc.is(option, "-l") && (next("$") || next("%") || next(",")) || doc.is(option, "-l%")
}

/// The tokens among which stand the names of what an option `-l` is put in front of: those of the call around it, else the variable behind
/// it. Others of the line have nothing to do with it: `$(LDFLAGS) -l$(NAME)`.
fn taken_names(doc: &BuildFile<'_>, option: TokenIndex) -> Range<TokenIndex> {
    let is_open = |at: TokenIndex| doc.is(at, "(") || doc.is(at, "{");
    let is_close = |at: TokenIndex| doc.is(at, ")") || doc.is(at, "}");
    let mut closed = 0;
    for at in (line_of(doc, option)..option).rev() {
        match (is_close(at), is_open(at)) {
            (true, _) => closed += 1,
            (_, true) if closed == 0 => return at + 1..end_of_call(doc, option),
            (_, true) => closed -= 1,
            _ => {}
        }
    }
    let behind = doc.tokens.len().min(option + 4);
    behind.min(option + 3)..behind
}

/// The token that closes the call around one, or the end of its line.
fn end_of_call(doc: &BuildFile<'_>, within: TokenIndex) -> TokenIndex {
    let mut open = 0;
    let line = within + 1..doc.tokens.len();
    let mut rest = line.take_while(|&at| !doc.tokens[at].has(flags::LINE_START));
    let close = rest.find(|&at| {
        open += usize::from(doc.is(at, "(") || doc.is(at, "{"));
        let closes = doc.is(at, ")") || doc.is(at, "}");
        let ends = closes && open == 0;
        open -= usize::from(closes && !ends);
        ends
    });
    close.unwrap_or(within)
}

/// The words of CMake's variables that `find_library` looks for: `set(NAME "libcudnn.so")`, `find_library(DNN NAMES ${NAME})`.
fn searched_variables(doc: &BuildFile<'_>, all: &[Command]) -> FxHashSet<TokenIndex> {
    if doc.tool != BuildTool::CMake {
        return FxHashSet::default();
    }
    let is_called_so = |name: &'static str| move |command: &&Command| is_called(doc, command, name);
    let searches = all.iter().filter(is_called_so("find_library"));
    let names: FxHashSet<&[u8]> = searches
        .flat_map(|command| command.open + 2..command.close)
        .filter(|&at| is_read(doc, at) && !is_behind_folder_keyword(doc, all, at))
        .map(|at| doc.bytes(at))
        .collect();
    let sets = |command: &&Command| names.contains(doc.bytes(command.open + 1));
    let set = all.iter().filter(is_called_so("set")).filter(sets);
    set.flat_map(|command| command.open + 2..command.close)
        .filter(|&at| doc.is_ident(at))
        .collect()
}

/// Whether what stands in a search for a library is where to look, not what to look for.
fn is_behind_folder_keyword(doc: &BuildFile<'_>, all: &[Command], index: TokenIndex) -> bool {
    let Some(command) = command_around(all, index) else {
        return false;
    };
    let mut before = (command.open + 2..index).rev();
    let keyword = before.find(|&at| is_keyword(doc, at) && !is_read(doc, at));
    keyword.is_some_and(|at| !doc.is(at, "NAMES"))
}

/// The name of a library by the file that `find_library` looks for: `cublas` of `libcublas.so.12`.
pub(crate) fn file_stem(word: &str) -> &str {
    let stem = word.strip_prefix("lib").unwrap_or(word);
    let end = [".so", ".a", ".dylib", ".lib", ".dll"];
    let end = end.iter().filter_map(|end| stem.find(end)).min();
    end.map_or(word, |end| &stem[..end])
}

/// What a word without mark means by its place in a CMake list.
pub(crate) fn bare(doc: &BuildFile<'_>, all: &[Command], index: TokenIndex) -> Option<Place> {
    let command = command_around(all, index)?;
    let is_first = index == command.open + 1;
    if is_called(doc, command, "check_library_exists") && is_first {
        return Some(Place::Name);
    }
    if is_first {
        return None;
    }
    let links = ["target_link_libraries", "link_libraries"];
    if links.iter().any(|name| is_called(doc, command, name)) {
        return Some(Place::Target);
    }
    if is_called(doc, command, "find_library") {
        return (!is_described(doc, command, index)).then_some(Place::Name);
    }
    is_behind_keyword(doc, command, index).then_some(Place::Target)
}

/// `add_bench(NAME demo LINK_LIBRARIES cublas)`: a function of the project that says itself what it links.
fn is_behind_keyword(doc: &BuildFile<'_>, command: &Command, index: TokenIndex) -> bool {
    const LINKS: &[&[u8]] = &[
        b"LINK_LIBRARIES",
        b"LINK_LIBS",
        b"LIBRARIES",
        b"LIBS",
        b"LINKS",
    ];
    let calls_own = !is_called(doc, command, "set") && !is_called(doc, command, "list");
    // Lists behind a keyword are short; one of thousands of files is not walked for each of them.
    let from = (command.open + 1).max(index.saturating_sub(40));
    let keyword = (from..index).rev().find(|&at| is_keyword(doc, at));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::{of_build, of_renamed_build};
    use crate::options::Options;
    use crate::text::SourceFile;

    #[test]
    fn a_library_is_named_by_option_target_or_the_place_of_a_word() {
        for (path, text, expected) in [
            ("Makefile", "LIBS = -lcublas -lm\n", "-lcublas Option"),
            (
                "Makefile",
                "app: app.o\n\tnvcc app.o \\\n\t  -lcufft\r\n",
                "-lcufft Option",
            ),
            ("Makefile", "# -lcublas\nLIBS = cublas\n", ""),
            (
                "CMakeLists.txt",
                "target_link_libraries(a PRIVATE CUDA::cublas m)\n",
                "CUDA::cublas Target",
            ),
            (
                "CMakeLists.txt",
                "TARGET_LINK_LIBRARIES(a cublas)\n",
                "cublas Target",
            ),
            // The first word is the target's own name.
            ("CMakeLists.txt", "target_link_libraries(cublas m)\n", ""),
            (
                "CMakeLists.txt",
                "find_library(PATH_OF cufft HINTS /usr)\n",
                "cufft Name",
            ),
            (
                "CMakeLists.txt",
                "add_bench(NAME a SOURCES cufft LINK_LIBRARIES cublas m)\n",
                "cublas Target",
            ),
            (
                "CMakeLists.txt",
                "find_library(L NAMES libcublas.so.12 library DOC \"the cublas\")\n",
                "libcublas.so.12 Name",
            ),
            (
                "CMakeLists.txt",
                "check_library_exists(cudart cudaMalloc \"\" HAVE)\n",
                "cudart Name",
            ),
            ("CMakeLists.txt", "set(DIRS LIBS cublas)\n", ""),
            (
                "CMakeLists.txt",
                "message(STATUS \"links CUDA::cublas\")\n# CUDA::cufft\n",
                "",
            ),
            (
                "CMakeLists.txt",
                "target_link_libraries(a CUDA::unheard_of)\n",
                "",
            ),
        ] {
            let source = SourceFile::new(path, text.as_bytes().to_vec());
            let doc = BuildFile::new(&source);
            let name = |at: TokenIndex| String::from_utf8_lossy(doc.bytes(at)).into_owned();
            let found: Vec<String> = libraries(&doc)
                .iter()
                .map(|(at, _, place)| format!("{} {place:?}", name(*at)))
                .collect();
            assert_eq!(found.join(", "), expected, "{text}");
        }
    }

    #[test]
    fn a_word_is_a_renamed_source_by_the_tree_or_by_its_pattern() {
        let ask = |word: &str, renames: &[(&str, &str)]| {
            let text = format!("OBJECTS = {word}\n");
            let files = [
                ("app/Makefile", text.as_str()),
                ("app/kernel.cu", ""),
                ("app/other.cu", ""),
            ];
            of_renamed_build(&files, renames, Options::default(), |cx| {
                is_renamed(cx, words(cx.doc).last().expect("it is the last"))
            })
        };
        let some = &[("app/kernel.cu", "app/kernel.hip")];
        for (word, renames, expected) in [
            ("kernel.cu", &some[..], true),
            ("./kernel.cu", some, true),
            ("other.cu", some, false),
            ("absent.cu", some, false),
            ("kernel.cpp", some, false),
            ("*.cu", some, true),
            ("%.cu", some, true),
            (".cu", some, true),
            ("*.cu", &[], false),
            ("kernel.cu", &[], false),
        ] {
            assert_eq!(ask(word, renames), expected, "{word}");
        }
    }

    #[test]
    fn packages_are_those_of_what_is_linked() {
        for (text, expected) in [
            (
                "target_link_libraries(a CUDA::cublas CUDA::cufft)\n",
                &["hipblas", "hipfft"][..],
            ),
            (
                "target_link_libraries(a ${CUDA_cublas_LIBRARY})\n",
                &["hipblas"],
            ),
            ("find_library(CUFFT cufft)\n", &[]),
            ("target_link_libraries(a m)\n", &[]),
        ] {
            let found = of_build(
                &[("CMakeLists.txt", text)],
                Options::default(),
                used_packages,
            );
            assert_eq!(found.into_iter().collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn a_target_follows_the_family_that_was_chosen() {
        let library = |name| {
            BuildTable::builtin()
                .library(name)
                .expect("it is in the table")
        };
        for (name, link, expected) in [
            ("cublas", "-lhipblas", "roc::hipblas"),
            ("cublas", "-lrocblas", "roc::rocblas"),
            ("cufft", "-lhipfft", "hip::hipfft"),
            ("nvToolsExt", "-lroctx64", "roctx64"),
        ] {
            assert_eq!(target(library(name), link), expected, "{name} {link}");
        }
    }

    #[test]
    fn a_build_serves_amd_by_its_own_words() {
        for (path, text, expected) in [
            ("CMakeLists.txt", "enable_language(CUDA)\n", false),
            (
                "CMakeLists.txt",
                "if(USE_HIP)\n  enable_language(HIP)\nelse()\n  enable_language(CUDA)\nendif()\n",
                true,
            ),
            ("CMakeLists.txt", "# enable_language(HIP)\n", false),
            (
                "Makefile",
                "ifdef USE_HIP\nCC = hipcc\nelse\nCC = nvcc\nendif\n",
                true,
            ),
            ("Makefile", "CC = nvcc\n", false),
        ] {
            let found = of_build(&[(path, text)], Options::default(), |cx| {
                serving_amd(cx).is_some()
            });
            assert_eq!(found, expected, "{text}");
        }
    }
}
