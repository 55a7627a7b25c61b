//! What the build scripts of a tree make, and which sources they hand to PyTorch's build.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::build_mark::{Mark, is_torch_header};
use crate::project::file::{FileIndex, Files};
use crate::project::kernel_texts::meant;
use crate::project::listed_sources::Sources;
use crate::project::paths::Paths;
use crate::python::{Questions, Side, answers};

/// What the build scripts of a tree make.
#[derive(Debug, Default)]
pub(crate) struct BuildScripts {
    /// What those of a folder make, by its path: empty for the root.
    marks: FxHashMap<String, Mark>,
    /// Sources that scripts hand to PyTorch's build.
    sources: FxHashSet<String>,
    /// Those that scripts which serve AMD hand to it for NVIDIA alone.
    pub(super) nvidia_sources: FxHashSet<String>,
    /// Sources that lists which build with CUDA itself name, each with the first such list.
    listed: FxHashMap<String, String>,
    /// A setup.py makes extensions of PyTorch.
    pub(crate) has_setup_script: bool,
    /// One asks for AMD, so that somebody builds for it.
    pub(crate) ask_for_amd: bool,
    /// One passes `-DHIPBLAS_USE_HIP_HALF`.
    pub(crate) define_half: bool,
    /// How many modules of the tree ask CuPy whether it runs on AMD.
    modules_for_both: usize,
    /// One calls PyTorch's product of 8-bit floats.
    pub(crate) multiply_float8: bool,
    /// What scripts answer to others that ask for a vendor.
    pub(crate) questions: Arc<Questions>,
    /// Sources that programs read as text and compile when they run.
    texts: FxHashSet<String>,
    /// Modules of Python that are never loaded on AMD.
    never_on_amd: FxHashSet<String>,
    /// Constants that modules of the tree import from each other.
    constants: FxHashSet<String>,
}

/// What one script answers to others that ask for a vendor.
#[derive(Debug, Default)]
pub(crate) struct Answers(Vec<(String, Side)>);

impl Answers {
    /// Of a script's text.
    pub(crate) fn of_script(bytes: &[u8]) -> Option<Self> {
        let found = answers(bytes);
        (!found.is_empty()).then_some(Self(found))
    }
}

impl BuildScripts {
    /// Adds what the scripts of folders make: folder and mark. A part of a list that finds PyTorch is a second way to the extension where
    /// scripts hand a source below it to PyTorch's build, so their sources come first.
    #[must_use]
    pub(crate) fn with_marks(
        mut self,
        files: &Files,
        paths: &Paths,
        marks: impl IntoIterator<Item = (String, Mark)>,
    ) -> Self {
        for (folder, mark) in marks {
            let known = self.marks.entry(folder).or_insert(mark);
            // Who keeps a setup.py beside a Makefile builds the extension with the first.
            *known = mark.max(*known);
        }
        for folder in self.folders_of_parts() {
            let is_second_way = self.sources.iter().any(|path| is_below(path, &folder));
            let mark = match is_second_way || uses_torch_below(files, &folder) {
                true => Mark::Torch,
                false => Mark::Cuda,
            };
            self.marks.insert(folder, mark);
        }
        for folder in self.lent_folders(files, paths) {
            self.marks.remove(&folder);
        }
        self
    }

    /// Adds what scripts hand to PyTorch's build: the script and the paths as it writes them, from its own folder or from another.
    #[must_use]
    pub(crate) fn with_sources<'s>(
        mut self,
        files: &Files,
        paths: &Paths,
        scripts: impl IntoIterator<Item = (&'s str, &'s Sources)>,
    ) -> Self {
        for (script, sources) in scripts {
            self.has_setup_script |= script == "setup.py" || script.ends_with("/setup.py");
            let is_other = |it: &&String| !sources.for_nvidia.contains(it);
            let others: Vec<String> = sources.all.iter().filter(is_other).cloned().collect();
            let others = named_by(files, paths, script, &others);
            let mut nvidia = named_by(files, paths, script, &sources.for_nvidia);
            nvidia.retain(|it| !others.contains(it));
            self.sources.extend(others);
            self.sources.extend(nvidia.iter().cloned());
            self.nvidia_sources.extend(nvidia);
        }
        self
    }

    /// Adds what lists that build with CUDA itself name: the list and the paths as it writes them.
    #[must_use]
    pub(crate) fn with_lists<'s>(
        mut self,
        files: &Files,
        paths: &Paths,
        lists: impl IntoIterator<Item = (&'s str, &'s [String])>,
    ) -> Self {
        for (list, sources) in lists {
            for source in named_by(files, paths, list, sources) {
                let first = self.listed.entry(source).or_insert_with(|| list.to_owned());
                if list < first.as_str() {
                    list.clone_into(first);
                }
            }
        }
        self
    }

    /// Adds the sources that programs read as text and compile when they run: the program and the names that it says.
    #[must_use]
    pub(crate) fn with_texts<'s>(
        mut self,
        paths: &Paths,
        programs: impl IntoIterator<Item = (&'s str, &'s [String])>,
    ) -> Self {
        let programs = programs.into_iter();
        let found = programs.flat_map(|(program, names)| meant(paths, program, names));
        self.texts = found.collect();
        // What a build compiles has its headers beside it.
        self.texts
            .retain(|it| !self.sources.contains(it) && !self.listed.contains_key(it));
        self
    }

    /// Whether a program reads a source as text and compiles it when it runs, and no build does.
    pub(crate) fn is_text(&self, path: &str) -> bool {
        self.texts.contains(path)
    }

    /// The list that builds with CUDA itself and names a source.
    pub(super) fn list_of(&self, source: &str) -> Option<&str> {
        self.listed.get(source).map(String::as_str)
    }

    /// Says whether one of them knows AMD.
    #[must_use]
    pub(crate) fn with_port(mut self, ask_for_amd: bool) -> Self {
        self.ask_for_amd = ask_for_amd;
        self
    }

    /// Says whether one passes the macro with which hipBLAS takes `__half`.
    #[must_use]
    pub(crate) fn with_half(mut self, define_half: bool) -> Self {
        self.define_half = define_half;
        self
    }

    /// Adds what scripts answer to others, by their paths.
    #[must_use]
    pub(crate) fn with_answers(self, answers: impl IntoIterator<Item = (String, Answers)>) -> Self {
        let mut questions = Questions::default();
        for (path, answers) in answers {
            questions.add(&path, answers.0);
        }
        let questions = Arc::new(questions);
        Self { questions, ..self }
    }

    /// Adds the modules that are never loaded on AMD, and the constants that modules import from each other.
    #[must_use]
    pub(crate) fn with_imports(
        self,
        never_on_amd: FxHashSet<String>,
        constants: FxHashSet<String>,
    ) -> Self {
        Self {
            never_on_amd,
            constants,
            ..self
        }
    }

    /// Whether a module of the tree imports a constant of this name from another one.
    pub(crate) fn import_constant(&self, name: &str) -> bool {
        self.constants.contains(name)
    }

    /// Whether a module is never loaded on AMD: all scripts of the tree that import it do so for NVIDIA alone, or go on without.
    pub(crate) fn is_never_on_amd(&self, module: &str) -> bool {
        self.never_on_amd.contains(module)
    }

    /// Adds how many modules ask CuPy whether they run on AMD.
    #[must_use]
    pub(crate) fn with_modules(mut self, asking: usize) -> Self {
        self.modules_for_both = asking;
        self
    }

    /// Says whether one calls PyTorch's product of 8-bit floats.
    #[must_use]
    pub(crate) fn with_float8_products(mut self, multiply_float8: bool) -> Self {
        self.multiply_float8 = multiply_float8;
        self
    }

    /// Whether the kernels that a tree hands to CuPy serve both vendors: several of its modules ask which one it is. In one alone it may
    /// be a guard around a call.
    pub(crate) fn serve_both_by_cupy(&self) -> bool {
        self.modules_for_both > 2
    }

    /// Whether any makes extensions of PyTorch.
    pub(super) fn make_extensions(&self) -> bool {
        let mut marks = self.marks.values();
        marks.any(|mark| *mark == Mark::Torch)
    }

    /// Whether all that use CUDA make extensions of PyTorch.
    pub(super) fn make_extensions_alone(&self) -> bool {
        let mut marks = self.marks.values();
        !self.marks.is_empty() && marks.all(|mark| *mark == Mark::Torch)
    }

    /// Whether any source is known that one hands to PyTorch's build.
    pub(super) fn name_sources(&self) -> bool {
        !self.sources.is_empty()
    }

    /// Whether one hands a file to PyTorch's build.
    pub(super) fn hand_to_torch(&self, path: &str) -> bool {
        self.sources.contains(path)
    }

    /// Whether one hands a file to PyTorch's build and no list beside the file compiles it with CUDA itself: that list is ported, so that
    /// its sources have to be HIP, which PyTorch's build takes as it comes.
    pub(super) fn hand_to_torch_alone(&self, path: &str) -> bool {
        self.sources.contains(path) && self.mark_above(path) != Some(Mark::Cuda)
    }

    /// The mark of the nearest folder above a file that has one.
    pub(super) fn mark_above(&self, path: &str) -> Option<Mark> {
        self.marked_above(path).next().map(|(_, mark)| mark)
    }

    /// The folder of the script of PyTorch's that is the nearest above a file, without `/`.
    pub(super) fn package_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let (folder, mark) = self.marked_above(path).next()?;
        (mark == Mark::Torch).then_some(folder)
    }

    /// The folders above a file that have a mark, the nearest first.
    fn marked_above<'p>(&self, path: &'p str) -> impl Iterator<Item = (&'p str, Mark)> {
        let above = |path: &&'p str| match path.rsplit_once('/') {
            Some((above, _)) => Some(above),
            None => (!path.is_empty()).then_some(""),
        };
        let folders = std::iter::successors(above(&path), move |folder| above(folder));
        folders.filter_map(move |folder| Some((folder, *self.marks.get(folder)?)))
    }

    /// Folders with a list that is a part of one which finds PyTorch.
    fn folders_of_parts(&self) -> Vec<String> {
        let parts = self.marks.iter().filter(|(_, mark)| **mark == Mark::Part);
        parts.map(|(folder, _)| folder.clone()).collect()
    }

    /// Folders whose Makefile compiles tests with what an extension around them has: as PyTorch's build translates that, and the Makefile
    /// has it as it lies there, both stay CUDA's.
    fn lent_folders(&self, files: &Files, paths: &Paths) -> BTreeSet<String> {
        let lends = |(path, file): (&String, &FileIndex)| {
            let mut marked = self.marked_above(path);
            let (Some((folder, Mark::Cuda)), Some((_, Mark::Torch))) =
                (marked.next(), marked.next())
            else {
                return None;
            };
            let is_around = |header: &str| !header.starts_with(&format!("{folder}/"));
            let mut headers = file
                .includes
                .iter()
                .filter_map(|it| paths.resolve(path, it));
            headers.any(is_around).then(|| folder.to_owned())
        };
        files.iter().filter_map(lends).collect()
    }
}

/// Whether a file of a folder includes a header of PyTorch; a library beside it may be built with CUDA alone.
fn uses_torch_below(files: &Files, folder: &str) -> bool {
    files.iter().any(|(path, file)| {
        is_below(path, folder) && file.includes.iter().any(|include| is_torch_header(include))
    })
}

fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// The files that a script names: by their paths, or by a pattern such as `csrc/*.cu` from its own folder.
fn named_by(files: &Files, tree: &Paths, script: &str, sources: &[String]) -> BTreeSet<String> {
    let folder = script.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (patterns, paths): (Vec<&String>, Vec<&String>) =
        sources.iter().partition(|it| it.contains('*'));
    let found = paths.iter().filter_map(|it| tree.resolve(script, it));
    let mut found: BTreeSet<String> = found.map(str::to_owned).collect();
    // What stands behind `os.path.join(folder, "*.cu")` is no path.
    for pattern in patterns.iter().filter(|it| it.contains('/')) {
        let Ok(glob) = globset::GlobBuilder::new(pattern)
            .literal_separator(true)
            .build()
        else {
            continue;
        };
        let glob = glob.compile_matcher();
        let below = files.keys().filter(|path| {
            let rest = path.strip_prefix(folder);
            rest.is_some_and(|rest| glob.is_match(rest.trim_start_matches('/')))
        });
        found.extend(below.cloned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: &[&str]) -> (Files, Paths) {
        let paths = paths.iter().map(|path| (*path).to_owned());
        let files = paths.clone().map(|path| (path, FileIndex::default()));
        (files.collect(), Paths::new(paths))
    }

    #[test]
    fn the_mark_of_the_nearest_folder_holds_and_the_greater_of_two() {
        let marks = [("", Mark::Torch), ("tool", Mark::Cuda), ("", Mark::Cuda)];
        let marks = marks.map(|(folder, mark)| (folder.to_owned(), mark));
        let (files, paths) = tree(&[]);
        let scripts = BuildScripts::default().with_marks(&files, &paths, marks);
        assert_eq!(scripts.mark_above("a/b.cu"), Some(Mark::Torch));
        assert_eq!(scripts.mark_above("tool/deep/b.cu"), Some(Mark::Cuda));
        assert!(scripts.make_extensions() && !scripts.make_extensions_alone());
    }

    #[test]
    fn sources_are_named_by_path_or_pattern_for_either_vendor() {
        let (files, paths) = tree(&["csrc/a.cu", "csrc/b.cu", "csrc/deep/c.cu", "d.cu"]);
        let owned = |paths: &[&str]| paths.iter().map(|it| (*it).to_owned()).collect();
        let sources = Sources {
            all: owned(&["csrc/*.cu", "d.cu"]),
            for_nvidia: owned(&["d.cu"]),
        };
        let scripts =
            BuildScripts::default().with_sources(&files, &paths, [("setup.py", &sources)]);
        let handed = ["csrc/a.cu", "csrc/b.cu", "csrc/deep/c.cu", "d.cu"]
            .map(|path| scripts.hand_to_torch_alone(path));
        assert_eq!(handed, [true, true, false, true]);
        assert!(scripts.has_setup_script && scripts.nvidia_sources.contains("d.cu"));
        assert_eq!(scripts.nvidia_sources.len(), 1);
    }
}
