//! The programs of a tree: folders with a Makefile, folders whose sources have one `main`, sources with one each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::program::{Expected, Program, Recipe, Test, is_below, join, twins};
use crate::pairs::has_main;
use crate::syntax::Document;
use crate::text::SourceFile;

/// Makefiles by their names, the better ones first.
const MAKEFILES: [&str; 3] = ["GNUmakefile", "Makefile", "makefile"];
/// Files beside a program with what it should print.
const EXPECTED: [&str; 3] = ["expected.txt", "expected_output.txt", "expected_output"];
/// Folders of a project that hold what its program prints.
const BESIDE: [&str; 5] = ["demo", "expected", "test", "tests", "reference"];
/// Folders that hold the sources of a project, and nothing else of it.
const OF_SOURCES: [&str; 2] = ["src", "source"];
/// How folders of twins end.
const TWINS: [(&str, &str); 2] = [("-cuda", "-hip"), ("_cuda", "_hip")];

/// What a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Source {
    /// It is CUDA, for all that is known of it alone.
    is_cuda: bool,
    /// It is HIP.
    is_hip: bool,
    /// It speaks of CUDA, and not by its ending alone.
    speaks: bool,
    has_main: bool,
}

/// A tree that is looked at.
struct Tree<'a> {
    root: &'a Path,
    files: BTreeSet<&'a str>,
    sources: BTreeMap<&'a str, Source>,
}

/// The programs of a tree, by name. `files` are called from its root.
pub(crate) fn programs(root: &Path, files: &[String]) -> Vec<Program> {
    let is_source = |file: &&str| extension(file).is_some_and(is_compiled);
    let all: BTreeSet<&str> = files.iter().map(String::as_str).collect();
    let sources = all.iter().copied().filter(is_source);
    let sources = sources.map(|file| (file, source(root, file))).collect();
    let tree = Tree {
        root,
        files: all,
        sources,
    };
    let made = tree.makes();
    let mut found: Vec<Program> = tree.made(&made);
    found.extend(tree.bare(&made));
    let of_twins = twins(&found);
    let is_twin = |folder: &str| {
        let mut above = Path::new(folder).ancestors().filter_map(Path::to_str);
        above.any(|folder| of_twins.contains(folder))
    };
    found.retain(|program| !is_twin(program.build.folder()));
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

fn extension(file: &str) -> Option<&str> {
    Path::new(file).extension()?.to_str()
}

fn is_compiled(extension: &str) -> bool {
    matches!(
        extension,
        "cu" | "hip" | "cpp" | "cc" | "cxx" | "c" | "C" | "c++"
    )
}

fn source(root: &Path, file: &str) -> Source {
    let bytes = std::fs::read(root.join(file)).unwrap_or_default();
    let has = |word: &str| memchr::memmem::find(&bytes, word.as_bytes()).is_some();
    let is_hip = file.ends_with(".hip") || has("hip/hip_runtime") || has("hip_runtime.h");
    let speaks = !is_hip && (has("cuda_runtime") || has("cudaMalloc") || has("cudaMemcpy"));
    let is_cuda = !is_hip && (speaks || file.ends_with(".cu") || has("<<<"));
    let text = SourceFile::new(file.to_owned(), bytes);
    Source {
        is_cuda,
        is_hip,
        speaks,
        has_main: has_main(&Document::new(&text)),
    }
}

/// Whether sources of one folder are of a program in CUDA: beside a source in HIP, an ending alone says nothing.
fn is_cuda<'s>(sources: impl Iterator<Item = &'s Source>) -> bool {
    let (mut cuda, mut hip, mut speaks) = (false, false, false);
    for source in sources {
        cuda |= source.is_cuda;
        hip |= source.is_hip;
        speaks |= source.speaks;
    }
    cuda && (speaks || !hip)
}

fn folder_of(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn name_of(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

impl Tree<'_> {
    /// Folders with a Makefile of a program in CUDA. One that only calls those below it is none.
    fn makes(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::<String, String>::new();
        for name in MAKEFILES {
            for file in self.files.iter().filter(|file| name_of(file) == name) {
                found
                    .entry(folder_of(file).to_owned())
                    .or_insert_with(|| name.to_owned());
            }
        }
        let cuda = |folder: &str, own: bool| {
            let is_there =
                |file: &str| is_below(file, folder) && (!own || folder_of(file) == folder);
            let here = self.sources.iter().filter(|(file, _)| is_there(file));
            is_cuda(here.map(|(_, source)| source))
        };
        found.retain(|folder, _| cuda(folder, false));
        let folders: Vec<String> = found.keys().cloned().collect();
        found.retain(|folder, _| {
            let above_others = folders
                .iter()
                .any(|other| other != folder && is_below(other, folder));
            !above_others || cuda(folder, true)
        });
        let tops: Vec<String> = found.keys().cloned().collect();
        found.retain(|folder, _| {
            !tops
                .iter()
                .any(|top| top != folder && is_below(folder, top))
        });
        found
    }

    /// The folder of the same program in HIP.
    fn twin(&self, folder: &str) -> Option<String> {
        // The folder itself, or one above it: `x-cuda/simulation` and `x-hip/simulation`, `cuda/x` and `hip/x`.
        let renamed = |part: &str| match part {
            "cuda" => Some("hip".to_owned()),
            _ => TWINS
                .iter()
                .find_map(|(cuda, hip)| Some(format!("{}{hip}", part.strip_suffix(cuda)?))),
        };
        let mut parts: Vec<String> = folder.split('/').map(str::to_owned).collect();
        let mut found = parts.iter().enumerate().rev();
        let (at, part) = found.find_map(|(at, part)| Some((at, renamed(part)?)))?;
        parts[at] = part;
        let twin = parts.join("/");
        let is_there = self
            .files
            .iter()
            .any(|file| *file != twin && is_below(file, &twin));
        is_there.then_some(twin)
    }

    fn made(&self, makes: &BTreeMap<String, String>) -> Vec<Program> {
        let program = |(folder, makefile): (&String, &String)| {
            let recipe = |folder: &str| {
                let here = |name: &&&str| self.files.contains(&*join(folder, name));
                let makefile = MAKEFILES.iter().find(here)?;
                Some(Recipe::Make {
                    folder: folder.to_owned(),
                    makefile: (*makefile).to_owned(),
                })
            };
            let twin = self.twin(folder);
            Program {
                name: self.short(folder, &twin),
                category: category(folder),
                build: Recipe::Make {
                    folder: folder.clone(),
                    makefile: makefile.clone(),
                },
                twin: twin.as_deref().and_then(recipe),
                tests: self.tests(folder, ""),
                needs_all: false,
            }
        };
        makes.iter().map(program).collect()
    }

    /// Programs in folders without a Makefile.
    fn bare(&self, makes: &BTreeMap<String, String>) -> Vec<Program> {
        let mut folders = BTreeMap::<&str, Vec<&str>>::new();
        for file in self.sources.keys() {
            let is_made = makes.keys().any(|made| is_below(file, made));
            if !is_made && self.has_no_make(folder_of(file)) {
                folders.entry(folder_of(file)).or_default().push(file);
            }
        }
        let mut found = Vec::new();
        for (folder, sources) in folders {
            let of = |wanted: fn(&Source) -> bool| -> Vec<&str> {
                let wanted = sources.iter().filter(|file| wanted(&self.sources[**file]));
                wanted.copied().collect()
            };
            let cuda = of(|source| source.is_cuda);
            let mains = of(|source| source.has_main);
            // A twin of one source says nothing of the others.
            let others = sources.iter().filter(|file| !file.contains(".hip"));
            match mains.as_slice() {
                _ if !is_cuda(others.map(|file| &self.sources[*file])) => {}
                [_] => found.push(self.together(folder, &sources)),
                _ => found.extend(cuda.iter().map(|file| self.lone(file))),
            }
        }
        found
    }

    fn has_no_make(&self, folder: &str) -> bool {
        let here = |name: &&&str| self.files.contains(&*join(folder, name));
        MAKEFILES.iter().find(here).is_none()
    }

    /// All sources of a folder, one of which has `main`.
    fn together(&self, folder: &str, sources: &[&str]) -> Program {
        let recipe = |folder: &str, sources: &[&str]| Recipe::Sources {
            folder: folder.to_owned(),
            sources: sources
                .iter()
                .map(|file| name_of(file).to_owned())
                .collect(),
            has_main: true,
        };
        let is_one_file = sources.len() == 1;
        if is_one_file {
            return self.lone(sources[0]);
        }
        let twin = self.twin(folder);
        let of_twin = twin.as_deref().map(|twin| {
            let own = self.sources.keys().filter(|file| folder_of(file) == twin);
            recipe(twin, &own.copied().collect::<Vec<_>>())
        });
        Program {
            name: self.short(folder, &twin),
            category: category(folder),
            build: recipe(folder, sources),
            twin: of_twin,
            tests: self.tests(folder, ""),
            needs_all: false,
        }
    }

    /// A source by itself; its twin ends in `.hip` or in `.hip.cpp`.
    fn lone(&self, file: &str) -> Program {
        let folder = folder_of(file);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let recipe = |file: &str| Recipe::Sources {
            folder: folder.to_owned(),
            sources: vec![name_of(file).to_owned()],
            has_main: self.sources.get(file).is_some_and(|known| known.has_main),
        };
        let twins = [".hip", ".hip.cpp"].map(|end| format!("{stem}{end}"));
        let twin = twins
            .iter()
            .find(|twin| *twin != file && self.files.contains(&***twin));
        Program {
            name: stem.to_owned(),
            category: category(file),
            build: recipe(file),
            twin: twin.map(|twin| recipe(twin)),
            tests: self.tests(folder, name_of(stem)),
            needs_all: false,
        }
    }

    /// What lies beside a program of what it should print.
    fn tests(&self, folder: &str, stem: &str) -> Vec<Test> {
        let own = format!("{stem}.expected");
        let places: Vec<String> = match stem {
            "" => EXPECTED
                .iter()
                .flat_map(|name| {
                    let beside = places(folder).into_iter();
                    beside.map(|place| join(&place, name)).collect::<Vec<_>>()
                })
                .collect(),
            _ => vec![join(folder, &own)],
        };
        let found = places.iter().find(|path| self.files.contains(&***path));
        let text = found.and_then(|path| std::fs::read_to_string(self.root.join(path)).ok());
        let expected = text.map(|text| Expected::text(&text));
        vec![Test {
            expected,
            ..Test::default()
        }]
    }

    /// The folder's name, without what says that it is the CUDA side of twins.
    fn short(&self, folder: &str, twin: &Option<String>) -> String {
        if folder.is_empty() {
            return name_of(&self.root.display().to_string()).to_owned();
        }
        let of_twins = TWINS
            .iter()
            .find_map(|(cuda, _)| folder.strip_suffix(cuda).filter(|_| twin.is_some()));
        of_twins.unwrap_or(folder).to_owned()
    }
}

/// Where a program of a folder has its results: there, in the project around a folder of sources, in a folder of either for them.
fn places(folder: &str) -> Vec<String> {
    let mut found = vec![folder.to_owned()];
    if OF_SOURCES.contains(&name_of(folder)) {
        found.push(folder_of(folder).to_owned());
    }
    let below: Vec<String> = found
        .iter()
        .flat_map(|place| BESIDE.map(|name| join(place, name)))
        .collect();
    found.extend(below);
    found
}

/// The folder above; nothing for what lies in the root.
fn category(path: &str) -> String {
    folder_of(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let names: Vec<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
        let shown = |program: Program| {
            let twin = program
                .twin
                .map_or(String::new(), |twin| format!("={}", twin.folder()));
            let how = match &program.build {
                Recipe::Make { makefile, .. } => makefile.clone(),
                Recipe::Sources {
                    sources, has_main, ..
                } => format!("{}{}", sources.join("+"), if *has_main { "" } else { "?" }),
            };
            format!("{}[{}] {how}{twin}", program.name, program.category)
        };
        let programs = programs(folder.path(), &names);
        programs.into_iter().map(shown).collect()
    }

    const MAIN: &str = "int main() { k<<<1, 1>>>(); }\n";
    const KERNEL: &str = "__global__ void k() {}\n";

    #[test]
    fn folders_with_makefiles_and_their_twins_are_programs() {
        let hip = "#include <hip/hip_runtime.h>\nint main() {}\n";
        let found = found(&[
            ("Makefile", "all:"),
            ("a-cuda/Makefile", ""),
            ("a-cuda/main.cu", MAIN),
            ("a-hip/Makefile", ""),
            ("a-hip/main.cu", hip),
            ("b-hip/Makefile", ""),
            ("b-hip/main.cu", hip),
            ("b-hip/kernel.cu", KERNEL),
            ("a-hip/kernel.cu", MAIN),
            ("c-sycl/Makefile", ""),
            ("c-sycl/main.cpp", "int main() {}"),
            ("image/blur/GNUmakefile", ""),
            ("image/blur/src/k.cu", MAIN),
            ("d-cuda/sim/Makefile", ""),
            ("d-cuda/sim/k.cu", MAIN),
            ("d-hip/sim/Makefile", ""),
            ("d-hip/sim/k.cu", hip),
            ("d-hip/tools/k.cu", MAIN),
        ]);
        assert_eq!(
            found,
            [
                "a[] Makefile=a-hip",
                "d-cuda/sim[d-cuda] Makefile=d-hip/sim",
                "image/blur[image] GNUmakefile"
            ]
        );
    }

    #[test]
    fn results_are_found_beside_the_sources_and_around_them() {
        for (path, is_found) in [
            ("p/src/expected.txt", true),
            ("p/demo/expected_output.txt", true),
            ("p/tests/expected_output", true),
            ("demo/expected_output.txt", false),
            ("p/data/expected_output.txt", false),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let files = [
                ("p/src/main.cu", MAIN),
                ("p/src/k.cu", KERNEL),
                (path, "7\n"),
            ];
            for (name, text) in files {
                let place = folder.path().join(name);
                std::fs::create_dir_all(place.parent().unwrap()).unwrap();
                std::fs::write(place, text).unwrap();
            }
            let names: Vec<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
            let programs = programs(folder.path(), &names);
            let [program] = programs.as_slice() else {
                panic!("{programs:?}")
            };
            assert_eq!(program.tests[0].expected.is_some(), is_found, "{path}");
        }
    }

    #[test]
    fn sources_without_a_makefile_are_told_by_their_mains() {
        let found = found(&[
            ("x/k.cu", KERNEL),
            ("x/main.cpp", MAIN),
            ("y/a.cu", MAIN),
            ("y/b.cu", MAIN),
            ("y/b.hip", ""),
            ("z/lone.cu", KERNEL),
            ("host/main.cpp", "int main() {}"),
        ]);
        assert_eq!(
            found,
            [
                "x[] k.cu+main.cpp",
                "y/a[y] a.cu",
                "y/b[y] b.cu=y",
                "z/lone[z] lone.cu?",
            ]
        );
    }
}
