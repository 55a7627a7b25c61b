//! The first look at a tree: each file is read once, and what the whole tree asks of it is kept.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::run::read;
use super::{EntryKind, PlannedFile, Stage, Watcher, is_output};
use crate::build::cmake::{
    calls_project, list_enables_cuda, own_prefixes, parts_of_words, serves_amd,
};
use crate::build::words::mentions_cuda;
use crate::engine::{self, imports_of, made_where};
use crate::mapping::ApiTable;
use crate::project::build_facts::{BuildFacts, is_config_header};
use crate::project::build_mark::{self, Mark};
use crate::project::kernel_texts::named_texts;
use crate::project::listed_sources::{Sources, sources};
use crate::project::module_reach::{ModuleNames, ModuleReach, ScriptImports};
use crate::project::{Answers, BuildIndex, BuildList, BuildScripts, Builds};
use crate::project::{FileIndex, Links, ProjectIndex};
use crate::syntax::Document;
use crate::text::{BuildTool, SourceFile, build_tool, from_wide, is_cpp};

/// Reads the sources, scripts and build files of a tree, and collects what it defines itself.
pub fn index_project(
    files: &[PlannedFile],
    table: &ApiTable,
    renames: impl IntoIterator<Item = (String, String)>,
    watcher: &dyn Watcher,
) -> ProjectIndex {
    watcher.begin(Stage::Reading, Some(files.len()));
    let names = files
        .iter()
        .map(|file| file.entry.name())
        .collect::<Vec<_>>();
    let modules = ModuleNames::new(names.iter().map(String::as_str));
    let scanned: Vec<(String, Facts)> = files
        .par_iter()
        .filter_map(|file| {
            let facts = scan(file, table, &modules);
            watcher.step();
            facts
        })
        .collect();
    let (mut indexed, mut plain, mut scripts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut lists, mut facts) = (Vec::new(), Vec::new());
    let (mut answers, mut texts, mut imports) = (Vec::new(), Vec::new(), Vec::new());
    let asking = scanned.iter().filter(|(_, found)| found.asks_cupy).count();
    let multiplies = scanned.iter().any(|(_, found)| found.multiplies_float8);
    for (path, found) in scanned {
        plain.extend(found.plain.map(|bytes| (path.clone(), bytes)));
        scripts.extend(found.script);
        lists.extend(found.list);
        facts.extend(found.build.map(|facts| (path.clone(), facts)));
        answers.extend(found.answers.map(|it| (path.clone(), it)));
        imports.extend(found.imports.map(|it| (path.clone(), it)));
        if !found.texts.is_empty() {
            texts.push((path.clone(), found.texts));
        }
        indexed.extend(found.index.map(|index| (path, index)));
    }
    let marked = scripts.iter_mut();
    let marked = marked.filter(|it| it.path.ends_with("CMakeLists.txt"));
    let mut marked: Vec<_> = marked.map(Script::folder_and_mark).collect();
    build_mark::join_parts(&mut marked);
    let is_ported = scripts.iter().any(|it| it.tells_of_port);
    let define_half = scripts.iter().any(|it| it.defines_half);
    let folders = scripts.iter().filter(|it| !it.is_of_shell());
    let marks = folders.map(|it| (it.folder().to_owned(), it.mark));
    let mut project = ProjectIndex::new(indexed, names).with_links(links(files));
    add_included(&mut project, files, table);
    let of_torch = scripts.iter().filter(|it| it.mark == Mark::Torch);
    let handed = of_torch.map(|it| (&*it.path, &it.sources));
    let of_cuda = scripts.iter().filter(|it| it.mark == Mark::Cuda);
    let listed = of_cuda.map(|it| (&*it.path, &*it.sources.all));
    let scripts = BuildScripts::default()
        .with_sources(&project.files, &project.paths, handed)
        .with_marks(&project.files, &project.paths, marks)
        .with_lists(&project.files, &project.paths, listed)
        .with_port(is_ported)
        .with_half(define_half)
        .with_modules(asking)
        .with_float8_products(multiplies)
        .with_texts(
            &project.paths,
            texts.iter().map(|(path, names)| (&**path, &**names)),
        )
        .with_answers(answers);
    let unreached = unreached(&project, files, &imports, &scripts);
    let constants = imports.into_iter().flat_map(|(_, it)| it.constants);
    let scripts = scripts.with_imports(unreached, constants.collect());
    project
        .with_renames(renames)
        .with_plain(plain)
        .with_builds(BuildIndex {
            lists: Builds::new(&lists),
            scripts,
            facts: facts.into_iter().collect(),
        })
        .with_submodules(submodules(files))
        .with_output(is_of_output(files))
}

/// The modules of Python that are never loaded on AMD. Those that import others within a block are read once more, as trees.
fn unreached(
    project: &ProjectIndex,
    files: &[PlannedFile],
    imports: &[(String, ScriptImports)],
    scripts: &BuildScripts,
) -> FxHashSet<String> {
    let reach = ModuleReach::new(&project.paths, imports);
    let unclear = reach.unclear();
    let asked = files.par_iter().filter_map(|file| {
        let path = file.entry.name();
        let bytes = unclear
            .contains(&*path)
            .then(|| read(&file.entry.path).ok())
            .flatten()?;
        Some((path, made_where(&bytes, &scripts.questions)))
    });
    reach.never_on_amd(&asked.collect::<Vec<_>>().into_iter().collect())
}

/// Whether the files are those of an earlier run's output.
fn is_of_output(files: &[PlannedFile]) -> bool {
    let root = files.first().and_then(|file| {
        let parts = file.entry.relative.components().count();
        file.entry.path.ancestors().nth(parts)
    });
    root.is_some_and(is_output)
}

/// The folders that `.gitmodules` names, each with `/` at its end.
fn submodules(files: &[PlannedFile]) -> Vec<String> {
    let lists = files.iter().filter(|file| {
        let name = file.entry.name();
        name == ".gitmodules" || name.ends_with("/.gitmodules")
    });
    let folders = lists.flat_map(|file| {
        let name = file.entry.name();
        let above = name
            .strip_suffix(".gitmodules")
            .unwrap_or_default()
            .to_owned();
        let text = read(&file.entry.path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let path = |line: &str| {
            let (key, value) = line.split_once('=')?;
            let value = value.trim().trim_end_matches('/');
            (key.trim() == "path" && !value.is_empty()).then(|| format!("{above}{value}/"))
        };
        text.lines().filter_map(path).collect::<Vec<_>>()
    });
    folders.collect()
}

/// Adds the files that are sources because others include them, whatever they are called, `proj/config`, and what those include.
fn add_included(project: &mut ProjectIndex, files: &[PlannedFile], table: &ApiTable) {
    let included = |file: &PlannedFile| {
        let (path, is_file) = (file.entry.name(), file.entry.kind == EntryKind::File);
        let bytes = is_file.then(|| read(&file.entry.path).ok()).flatten()?;
        let index = index(&path, bytes, table)?;
        Some((path, index))
    };
    loop {
        let wanted = project.unread_includes();
        if wanted.is_empty() {
            return;
        }
        let of_tree = files.par_iter();
        let indexed: Vec<_> = of_tree
            .filter(|it| wanted.contains(&it.entry.name()))
            .filter_map(included)
            .collect();
        project.add_included(wanted, indexed);
    }
}

/// What one file tells the tree.
#[derive(Default)]
struct Facts {
    /// What a file of C++ defines and includes.
    index: Option<FileIndex>,
    /// What a build script makes.
    script: Option<Script>,
    /// What a build file says of HIP.
    build: Option<BuildFacts>,
    /// What a CMake list says of AMD.
    list: Option<BuildList>,
    /// The size of a script or build file in which nothing concerns GPUs: it is not looked through again.
    plain: Option<u64>,
    /// Whether a module asks CuPy whether it runs on AMD.
    asks_cupy: bool,
    /// Whether a module calls PyTorch's product of 8-bit floats.
    multiplies_float8: bool,
    /// What a module answers to others that ask for a vendor.
    answers: Option<Answers>,
    /// What a module imports.
    imports: Option<ScriptImports>,
    /// The files of kernels that it names, where it reads texts and compiles them when it runs.
    texts: Vec<String>,
}

/// A build script and what it says.
struct Script {
    path: String,
    /// What it makes in its folder.
    mark: Mark,
    tells_of_port: bool,
    /// It defines what hipBLAS asks for to take `__half`.
    defines_half: bool,
    /// What it gives to PyTorch; of a list that builds with CUDA itself the sources that it names.
    sources: Sources,
}

impl Script {
    fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Whether it is a script of a shell, which says what it compiles itself, and nothing of its folder.
    fn is_of_shell(&self) -> bool {
        self.path.ends_with(".sh")
    }

    fn folder_and_mark(&mut self) -> (&str, &mut Mark) {
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        (folder, &mut self.mark)
    }
}

/// Reads a file that has something to tell.
fn scan(file: &PlannedFile, table: &ApiTable, modules: &ModuleNames) -> Option<(String, Facts)> {
    let path = file.entry.name();
    let (is_cpp, tool) = (is_cpp(&path), build_tool(&path));
    let is_told = is_cpp || tool.is_some() || build_mark::may_mark(&path);
    if file.entry.kind != EntryKind::File || !is_told {
        return None;
    }
    let bytes = read(&file.entry.path).ok()?;
    let mut facts = Facts::default();
    if tool.is_some() || is_config_header(&path) {
        facts.build = BuildFacts::new(&path, &bytes);
    }
    if tool == Some(BuildTool::CMake) {
        facts.list = Some(BuildList {
            path: path.clone(),
            serves_amd: serves_amd(&bytes),
            enables_cuda: list_enables_cuda(&path, &bytes),
            prefixes: own_prefixes(&bytes),
            is_project: calls_project(&bytes),
            words: parts_of_words(&bytes),
        });
    }
    let is_plain = match tool {
        Some(_) => !mentions_cuda(&bytes),
        None => build_mark::is_plain_python(&path, &bytes),
    };
    facts.plain = is_plain.then_some(bytes.len() as u64);
    if path.ends_with(".py") {
        facts.imports = Some(imports_of(&bytes, modules, is_plain));
    }
    if path.ends_with(".py") && !is_plain {
        facts.asks_cupy = build_mark::asks_cupy(&bytes);
        facts.multiplies_float8 = build_mark::multiplies_float8(&bytes);
        facts.answers = Answers::of_script(&bytes);
    }
    if is_cpp || path.ends_with(".py") && !is_plain {
        facts.texts = named_texts(&bytes);
    }
    if build_mark::may_mark(&path) && (tool.is_some() || !is_plain) {
        facts.script = script(&path, &bytes);
    }
    if is_cpp {
        facts.index = index(&path, bytes, table);
    }
    Some((path, facts))
}

/// What a build script makes.
fn script(path: &str, bytes: &[u8]) -> Option<Script> {
    let mark = build_mark::mark(path, bytes)?;
    let is_torch = mark == Mark::Torch;
    let sources = match path.ends_with(".py") {
        true if is_torch => sources(bytes),
        false if path.ends_with(".sh") => Sources::of_shell(bytes),
        false if !is_torch => Sources::of_list(bytes),
        _ => Sources::default(),
    };
    Some(Script {
        tells_of_port: is_torch && build_mark::tells_of_port(bytes),
        defines_half: memchr::memmem::find(bytes, b"-DHIPBLAS_USE_HIP_HALF").is_some(),
        path: path.to_owned(),
        mark,
        sources,
    })
}

/// What a file of C++ defines and includes; `None` where nothing could be read of it yet.
fn index(path: &str, bytes: Vec<u8>, table: &ApiTable) -> Option<FileIndex> {
    // A header without CUDA can still include one that has it, or hold a constant such as a warp size.
    if !table.may_occur_in(&bytes) {
        // A file in UTF-16 or UTF-32 is not known to be plain: it is read when its turn comes.
        return from_wide(&bytes)
            .is_none()
            .then(|| FileIndex::of_plain(&bytes));
    }
    let source = SourceFile::included(path, bytes);
    catch_unwind(AssertUnwindSafe(|| {
        engine::file_index(&Document::new(&source), table)
    }))
    .ok()
}

/// The links among files, each with where it points.
fn links(files: &[PlannedFile]) -> Links {
    Links::new(files.iter().filter_map(|file| match &file.entry.kind {
        EntryKind::Link(destination) => Some((file.entry.name(), destination.as_path())),
        EntryKind::File | EntryKind::Made(_) => None,
    }))
}
