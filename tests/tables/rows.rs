//! The tables of `mappings/` hold what they promise: canonical files, targets that are final, keys that the prefilter finds, advice
//! where a person is needed, and every name resolves to its target or to a finding when it is met in a program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cass_transpile::edit::Applicability;
use cass_transpile::engine::Session;
use cass_transpile::engine::translate;
use cass_transpile::mapping::{
    ApiEntry, ApiTable, Choices, Hit, Kind, LibraryVendor, RawTable, Support, Verb, Version,
    library, stems, validate,
};
use cass_transpile::options::Options;
use cass_transpile::rules::all;
use cass_transpile::text::SourceFile;

const SECTIONS: [&str; 11] = [
    "about",
    "notes",
    "functions",
    "types",
    "enumerators",
    "macros",
    "fields",
    "namespaces",
    "variables",
    "headers",
    "patterns",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("mappings")
}

/// The tables of APIs by their stems.
fn files() -> Vec<(String, String)> {
    let mut files = all_files();
    files.retain(|(_, text)| RawTable::is_of_api(text));
    files
}

fn all_files() -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder())
        .expect("the tables are there")
        .map(|item| item.expect("readable").path())
        .map(|path| {
            let stem = path
                .file_stem()
                .and_then(|stem| stem.to_str())
                .expect("tables have names");
            (
                stem.to_owned(),
                std::fs::read_to_string(&path).expect("tables are UTF-8"),
            )
        })
        .collect();
    files.sort();
    files
}

/// A table of an API that lost the line of its library would be read by nobody.
#[test]
fn every_other_table_has_a_reader_of_its_own() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let sources = walkdir::WalkDir::new(sources)
        .into_iter()
        .map(|it| it.expect("readable"));
    let sources: Vec<String> = sources
        .filter(|it| it.path().extension().is_some_and(|end| end == "rs"))
        .map(|it| std::fs::read_to_string(it.path()).expect("sources are UTF-8"))
        .collect();
    let is_read = |name: &str| {
        let words = format!("include_str!(\"../../mappings/{name}.toml\")");
        sources.iter().any(|text| text.contains(&words))
    };
    let others = all_files()
        .into_iter()
        .filter(|(_, text)| !RawTable::is_of_api(text));
    let unread: Vec<String> = others
        .map(|(name, _)| name)
        .filter(|name| !is_read(name))
        .collect();
    assert!(
        unread.is_empty(),
        "no table of an API, and read by nobody: {unread:?}"
    );
}

pub(crate) fn refuse(problems: &[String]) {
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

#[test]
fn files_are_valid_and_canonical() {
    let mut problems = Vec::new();
    for (name, text) in files() {
        match toml::from_str::<RawTable>(&text) {
            Err(error) => problems.push(format!("{name}: {error}")),
            Ok(table) => {
                if table.library != name {
                    problems.push(format!("{name}: says library = {:?}", table.library));
                }
                if let Err(found) = validate(&table) {
                    problems.extend(found.iter().map(|p| format!("{name}: {}", p.message)));
                }
            }
        }
        problems.extend(layout(&name, &text));
        problems.extend(repeated_notes(&name, &text));
    }
    refuse(&problems);
}

/// Advice that stands three times and more has a name in `[notes]`.
fn repeated_notes(name: &str, text: &str) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for piece in text.split("note = \"").skip(1) {
        let note = piece.split('"').next().unwrap_or_default();
        if !note.starts_with('@') && !note.ends_with('\\') {
            *counts.entry(note).or_default() += 1;
        }
    }
    let repeated = counts.into_iter().filter(|(_, count)| *count > 2);
    repeated
        .map(|(note, count)| {
            format!("{name}: give the note a name in [notes], it stands {count} times: {note}")
        })
        .collect()
}

/// One line per entry, sections in their order, keys sorted by bytes, nothing else but comments.
fn layout(name: &str, text: &str) -> Vec<String> {
    let (mut problems, mut section, mut last) = (Vec::new(), 0, String::new());
    let mut is_about = false;
    for (number, line) in text.lines().enumerate() {
        let at = format!("{name}.toml:{}", number + 1);
        // What is said about the library takes lines of any form.
        if line.starts_with('#') || is_about && !line.starts_with('[') {
            continue;
        }
        if let Some(title) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            match SECTIONS.iter().position(|known| known == &title) {
                Some(found) if found >= section => section = found,
                _ => problems.push(format!("{at}: section {title} is out of order")),
            }
            is_about = title == "about";
            last.clear();
        } else if let Some((key, value)) = line.split_once(" = ") {
            let key = key.trim_matches('"').to_owned();
            let is_note = SECTIONS[section] == "notes" && value.starts_with('"');
            let is_entry = is_note || value.starts_with("{ ") && value.ends_with(" }");
            let is_head = matches!(key.as_str(), "library" | "source") && number < 10;
            if !(is_entry || is_head) {
                problems.push(format!("{at}: `{key}` is not one entry on one line"));
            }
            if !is_head {
                if key <= last {
                    problems.push(format!("{at}: `{key}` stands behind `{last}`"));
                }
                last = key;
            }
        } else if !line.is_empty() {
            problems.push(format!("{at}: not an entry, a section or a comment"));
        }
        if line.ends_with(' ') {
            problems.push(format!("{at}: blanks at the end of the line"));
        }
    }
    problems
}

#[test]
fn keys_are_unique_and_their_library_is_known() {
    let table = ApiTable::builtin();
    let (mut seen, mut problems) = (BTreeSet::new(), Vec::new());
    for Hit { entry, .. } in table.iter() {
        if !seen.insert(entry.cuda) {
            problems.push(format!("`{}` stands twice", entry.cuda));
        }
        if library::find(entry.library).is_none() {
            problems.push(format!(
                "`{}`: no table says what the library {} is",
                entry.cuda, entry.library
            ));
        }
    }
    assert!(seen.len() > 13_000, "only {} names", seen.len());
    refuse(&problems);
}

fn all_roc() -> Choices {
    let roc = LibraryVendor::Roc;
    Choices {
        blas: roc,
        fft: roc,
        rand: roc,
        sparse: roc,
        solver: roc,
    }
}

/// Every name that an entry may leave in the output, under whatever options.
fn targets(entry: &ApiEntry) -> Vec<&str> {
    let forms = entry.forms.iter().filter_map(|form| form.hip);
    let roc = entry.roc.iter().map(|roc| roc.name);
    let older = entry.older.iter().map(|older| older.hip);
    entry
        .hip
        .into_iter()
        .chain(roc)
        .chain(older)
        .chain(forms)
        .collect()
}

fn argument_texts(entry: &ApiEntry) -> Vec<&str> {
    let roc = entry.roc.iter().flat_map(|roc| &roc.args);
    let forms = entry.forms.iter().flat_map(|form| &form.args);
    let text = |verb: &Verb<'static>| match verb {
        Verb::Cast(text) | Verb::Wrap(text) | Verb::Insert(text) => Some(*text),
        Verb::Replace { text, .. } => Some(*text),
        Verb::Drop | Verb::Move(_) | Verb::Copy(_) => None,
    };
    entry
        .args
        .iter()
        .chain(roc)
        .chain(forms)
        .filter_map(|edit| text(&edit.verb))
        .collect()
}

/// A second run must find nothing to do: no name that is written may be one that is rewritten or reported.
#[test]
fn targets_are_final() {
    let table = ApiTable::builtin();
    let choices = [Choices::default(), all_roc()];
    let releases = [Version::new(5, 7), Version::new(6, 4), Version::new(10, 0)];
    let mut problems = Vec::new();
    for Hit { entry, .. } in table.iter() {
        if matches!(entry.kind, Kind::Header | Kind::Field | Kind::Namespace) {
            continue;
        }
        let names = targets(entry);
        let texts = names.iter().copied().chain(argument_texts(entry));
        for word in texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_')) {
            let Some(hit) = table.get(word.as_bytes()) else {
                continue;
            };
            let moves = choices.iter().any(|choices| {
                releases.iter().any(|&rocm| {
                    let name = |entry: &ApiEntry| {
                        entry.target(choices, rocm, None).map(|target| target.name)
                    };
                    // What another choice writes does not meet this choice's entries.
                    (name(entry) == Some(word) || !names.contains(&word))
                        && name(hit.entry) != Some(word)
                })
            });
            // A form that keeps the name on purpose is reported as left over.
            let kept = word == entry.cuda && entry.forms.iter().any(|form| form.hip == Some(word));
            if moves && !kept && hit.entry.kind != Kind::Namespace {
                problems.push(format!(
                    "`{}` gives `{word}`, which is itself rewritten",
                    entry.cuda
                ));
            }
        }
    }
    refuse(&problems);
}

/// The prefilter copies files in which it finds no stem, so a key without stem would be missed.
#[test]
fn keys_hold_a_stem_or_need_context() {
    let table = ApiTable::builtin();
    let bare =
        |entry: &ApiEntry| !entry.context && !stems().iter().any(|stem| entry.cuda.contains(stem));
    let problems: Vec<String> = table
        .iter()
        .filter(|hit| bare(hit.entry))
        .map(|hit| {
            format!(
                "`{}` ({:?}, {})",
                hit.entry.cuda, hit.entry.kind, hit.entry.library
            )
        })
        .collect();
    refuse(&problems);
}

/// A header may hold nothing of CUDA but a name in a macro, `nv_bfloat16`, which no include beside it tells of: a name that can only be
/// CUDA's holds a stem whether it needs context or not.
#[test]
fn names_that_are_cudas_alone_hold_a_stem() {
    let starts = [
        "nv_",
        "__nv_",
        "__NV_",
        "NVJPEG",
        "NVJITLINK",
        "NVVM_",
        "nvvm",
        "NVCL_",
        "NV_IF_",
        "NV_IS_",
    ];
    let is_cudas = |name: &str| {
        let driver = ["cu", "CU"].iter().find_map(|it| name.strip_prefix(it));
        let is_driver = driver.and_then(|rest| rest.chars().next());
        is_driver.is_some_and(|next| next.is_ascii_uppercase() || name.starts_with("CU"))
            || starts.iter().any(|start| name.starts_with(start))
    };
    let table = ApiTable::builtin();
    let problems: Vec<String> = table
        .iter()
        .map(|hit| hit.entry.cuda)
        .filter(|name| is_cudas(name) && !stems().iter().any(|stem| name.contains(stem)))
        .map(|name| format!("`{name}`"))
        .collect();
    refuse(&problems);
}

/// A file may hold nothing of CUDA but a header of its samples. `exception.h` could be anybody's.
#[test]
fn headers_of_the_samples_hold_a_stem() {
    let headers = cass_transpile::compat::helpers().flat_map(|helper| helper.replaces.iter());
    let silent: Vec<String> = headers
        .filter(|name| name.starts_with("helper_") && name.ends_with(".h"))
        .filter(|name| !stems().iter().any(|stem| name.contains(stem)))
        .map(|name| format!("`{name}`"))
        .collect();
    refuse(&silent);
}

#[test]
fn advice_stands_where_a_person_is_needed() {
    let table = ApiTable::builtin();
    let mut problems = Vec::new();
    for Hit { entry, .. } in table.iter() {
        let note = entry.note.unwrap_or_default();
        if entry.support != Support::Full && note.split_whitespace().count() < 2 {
            problems.push(format!("`{}`: {note:?} is no advice", entry.cuda));
        }
        if note.contains('\n') || note.ends_with(' ') || note.starts_with(' ') {
            problems.push(format!("`{}`: the note has stray blanks", entry.cuda));
        }
        if !note.is_empty() && !note.ends_with(['.', ')', ';']) {
            problems.push(format!(
                "`{}`: the note ends in the middle: {note:?}",
                entry.cuda
            ));
        }
    }
    refuse(&problems);
}

/// Headers go to paths that ROCm installs: a folder per component, or one of the few that stand at the top.
#[test]
fn header_targets_have_the_shape_of_rocm_paths() {
    const FOLDERS: [&str; 23] = [
        "amd_smi",
        "ck",
        "ck_tile",
        "hip",
        "hipblas",
        "hipblaslt",
        "hipcub",
        "hipfft",
        "hiprand",
        "hipsolver",
        "hipsparse",
        "hipsparselt",
        "hiptensor",
        "miopen",
        "rccl",
        "rocblas",
        "rocfft",
        "rocjpeg",
        "rocprim",
        "rocrand",
        "rocsolver",
        "rocsparse",
        "rocwmma",
    ];
    const OTHERS: [&str; 4] = ["thrust", "roctracer", "rocm_smi", "rocthrust"];
    let known = |path: &str| {
        let folder = path.split('/').next().unwrap_or_default();
        path.is_empty()
            || path == "hipfile.h"
            || (path.contains('/') && (FOLDERS.contains(&folder) || OTHERS.contains(&folder)))
    };
    let table = ApiTable::builtin();
    let mut problems = Vec::new();
    for Hit { entry, .. } in table.iter().filter(|hit| hit.entry.kind == Kind::Header) {
        let unchanged = entry.hip == Some(entry.cuda);
        for path in targets(entry).into_iter().filter(|_| !unchanged) {
            if !known(path) {
                problems.push(format!("\"{}\" = {path:?}", entry.cuda));
            }
            if let Some(hit) = table.header(path.as_bytes())
                && hit.entry.hip != Some(path)
            {
                problems.push(format!(
                    "\"{}\" gives {path:?}, which is rewritten",
                    entry.cuda
                ));
            }
        }
    }
    refuse(&problems);
}

/// A program that uses every name as an identifier: each line shows the target, or a finding speaks of it.
#[test]
fn every_name_reaches_its_target_or_a_finding() {
    let table = ApiTable::builtin();
    let mut by_library = BTreeMap::<&str, Vec<&ApiEntry>>::new();
    for Hit { entry, .. } in table.iter() {
        if !matches!(
            entry.kind,
            Kind::Header | Kind::Pattern | Kind::Field | Kind::Namespace
        ) {
            by_library.entry(entry.library).or_default().push(entry);
        }
    }
    let mut problems = Vec::new();
    for choices in [Choices::default(), all_roc()] {
        for (library, entries) in &by_library {
            problems.extend(round_trip(library, entries, choices));
        }
    }
    refuse(&problems);
}

fn round_trip(library: &str, entries: &[&ApiEntry], choices: Choices) -> Vec<String> {
    let options = Options {
        choices,
        fix_level: Applicability::Review,
        ..Options::default()
    };
    let mut text = String::from("#include <cuda_runtime.h>\nvoid all() {\n");
    for entry in entries {
        text.push_str(&format!("  use({});\n", used(entry, entry.cuda)));
    }
    text.push_str("}\n");
    let source = SourceFile::new(format!("{library}.cu"), text.clone().into_bytes());
    let session = Session::new(options, ApiTable::builtin());
    let outcome = translate(&source, &session);
    let output = String::from_utf8(outcome.output.unwrap_or_else(|| text.into_bytes()))
        .expect("the program is ASCII");
    let lines: Vec<&str> = output
        .lines()
        .skip_while(|line| !line.starts_with("void all()"))
        .skip(1)
        .collect();
    let reported: BTreeSet<u32> = outcome
        .findings
        .iter()
        .map(|finding| source.line_col(finding.range().start).line)
        .collect();
    let mut problems = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let target = entry.target(&choices, Version::new(6, 4), None);
        let is_there = target
            .as_ref()
            .is_some_and(|target| lines[number] == format!("  use({});", used(entry, target.name)));
        let silent = !reported.contains(&(number as u32 + 3));
        let owned = owners(entry.cuda);
        // A generic word that a rule owns (`invoke_one`) means CUDA's only where the rule sees its namespace or its call.
        let left_to_its_rule = entry.context && !owned.is_empty();
        if !is_there && silent && !left_to_its_rule {
            problems.push(format!(
                "`{}` ({library}): {:?}, no finding; owned by {owned:?}",
                entry.cuda, lines[number]
            ));
        }
    }
    problems
}

/// A name as a program uses it: a plain word, `umax`, is a function of the device only where it is called.
fn used(entry: &ApiEntry, name: &str) -> String {
    let is_plain = entry.context && entry.kind == Kind::Function && entry.library == "device";
    match is_plain && !entry.cuda.starts_with("__") {
        true => format!("{name}(1, 1)"),
        false => name.to_owned(),
    }
}

fn owners(name: &str) -> Vec<&'static str> {
    all()
        .iter()
        .filter(|(rule, _)| rule.claims(name))
        .map(|(rule, _)| rule.name)
        .collect()
}
