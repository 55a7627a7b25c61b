//! What the first line of a fixture asks for.

use cass_transpile::cli::parse_options;
use cass_transpile::engine::Session;
use cass_transpile::mapping::ApiTable;
use cass_transpile::pipeline::{Filter, Naming, Plan, index_project, walk};
use cass_transpile::project::ProjectIndex;
use cass_transpile::project::compiled::{Compiled, CompiledFile};
use cass_transpile::syntax::Document;
use cass_transpile::text::SourceFile;

/// The run that a fixture is translated in: its own options, and these rules switched off beside those that it names.
pub(crate) fn session(source: &SourceFile, off: &[&str]) -> Session {
    let first = String::from_utf8_lossy(source.line(1)).into_owned();
    let words = |key: &str| {
        first
            .trim_start_matches(['/', '#', ' '])
            .strip_prefix(key)
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let options = words("options:");
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let mut session = Session::new(
        parse_options(&options).expect("fixture options are valid"),
        table(words("table:").first()),
    );
    let mut off: Vec<String> = off.iter().map(|code| (*code).to_owned()).collect();
    off.extend(words("rules-off:"));
    // Rules that are off by default have fixtures too.
    let choice = cass_transpile::engine::RuleChoice {
        select: vec!["all".to_owned()],
        off,
        ..cass_transpile::engine::RuleChoice::default()
    };
    session
        .rules
        .add(None, choice)
        .expect("fixtures name rules");
    // A renamed neighbour, for the rule that follows it.
    if source.path.starts_with("invalid-renamed-neighbour.") {
        let paths = ["kernels.cu", "sub/more.cu"].map(str::to_owned);
        session.project = ProjectIndex::new([], paths.clone())
            .with_renames(paths.map(|path| (path.clone(), path.replace(".cu", ".hip"))))
            .into();
    }
    // A build that compiles another file.
    if source.path.starts_with("invalid-outside-build.") {
        let index = cass_transpile::engine::file_index(&Document::new(source), &session.table);
        let compiled = Compiled::new(
            [("other.cu".to_owned(), CompiledFile::default())],
            std::iter::empty::<Box<[u8]>>().collect(),
        );
        let path = source.path.clone();
        session.project = ProjectIndex::new([(path.clone(), index)], [path])
            .with_compiled(Some(compiled))
            .into();
    }
    // A source below it, and the header that the source includes, by its path or by its name alone.
    let beside = ("csrc/kernels.cu", "#include \"include/kernels.cuh\"\n");
    let apart = ("csrc/src/kernels.cu", "#include \"kernels.cuh\"\n");
    for (mark, first) in [("-beside-headers.", beside), ("-behind-options.", apart)] {
        if !source.path.contains(mark) {
            continue;
        }
        let texts = [
            first,
            (
                "csrc/include/kernels.cuh",
                "#include <ATen/cuda/CUDAContext.h>\n",
            ),
        ];
        let files = texts.map(|(path, text)| SourceFile::new(path, text.as_bytes().to_vec()));
        let indexed = files.each_ref().map(|file| {
            let document = Document::new(file);
            let index = cass_transpile::engine::file_index(&document, &session.table);
            (file.path.clone(), index)
        });
        let paths = texts.map(|(path, _)| path.to_owned());
        session.project = ProjectIndex::new(indexed, paths).into();
    }
    // A script of PyTorch's and a list of CMake that both name it.
    if source.path.contains("-of-two-builds") {
        session.project = of_two_builds(source, &session.table).into();
    }
    // Neighbours in a folder that PyTorch's build for ROCm renames.
    if source.path.contains("cuda/") {
        let paths = ["kernels.cuh", "helpers.h", "table.inl"].map(|name| format!("cuda/{name}"));
        session.project = ProjectIndex::new([], paths).into();
    }
    session
}

/// A tree in which an extension of PyTorch and a CMake list without it compile the same source.
fn of_two_builds(source: &SourceFile, table: &ApiTable) -> ProjectIndex {
    let tree = tempfile::tempdir().expect("a folder for a tree");
    let name = &source.path;
    let load = format!(
        "from torch.utils.cpp_extension import load\nload(\"ops\", [\"op.cpp\", \"../{name}\"])\n"
    );
    let list = format!("project(tool LANGUAGES CXX CUDA)\nadd_library(tool SHARED ../{name})\n");
    let files = [
        ("op/build.py", load.as_bytes()),
        ("tool/CMakeLists.txt", list.as_bytes()),
        (name, &source.bytes),
    ];
    for (path, bytes) in files {
        let path = tree.path().join(path);
        let folder = path.parent().expect("it lies in the tree");
        std::fs::create_dir_all(folder).expect("the folder is ours");
        std::fs::write(path, bytes).expect("the folder is ours");
    }
    let walked = walk(tree.path(), &Filter::default(), &()).expect("the tree is there");
    let plan = Plan::new(walked.entries, Naming::Keep);
    index_project(&plan.files, table, [], &())
}

/// The built-in tables, with one of `fixtures/mappings` on top.
fn table(own: Option<&String>) -> ApiTable {
    let builtin = ApiTable::builtin();
    let Some(name) = own else { return builtin };
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/mappings/");
    let text = std::fs::read_to_string(format!("{folder}{name}"));
    let text = text.expect("fixtures name tables that exist");
    let table = builtin.overlay(name, &text, 0);
    table.unwrap_or_else(|error| panic!("{error}"))
}

/// The path of a fixture in its tree: nearly always its name alone.
pub(crate) fn path(name: &str) -> String {
    match name {
        _ if name.contains("moved-neighbour") => format!("cuda/{name}"),
        _ if name.contains("workflow-below") => {
            format!("third_party/kit/.github/workflows/{name}")
        }
        _ => name.to_owned(),
    }
}
