//! A file as the rules see it, for the table tests of what they ask.

use crate::analysis::build_unit::BuildUnit;
use crate::analysis::unit::Unit;
use crate::build::BuildFile;
use crate::edit::{Edit, apply_within};
use crate::engine::route::Reading;
use crate::engine::run_rules::{look_at, look_at_build};
use crate::engine::suppression::Suppressions;
use crate::engine::{FileOutcome, translate};
use crate::engine::{Session, both_vendors, file_index};
use crate::mapping::ApiTable;
use crate::options::Options;
use crate::project::ProjectIndex;
use crate::syntax::{Document, TokenIndex};
use crate::text::{SourceFile, TextRange};

/// Asks about the first of some files, which are a tree: path and text of each.
pub(crate) fn of_tree<T>(
    files: &[(&str, &str)],
    options: Options,
    ask: impl FnOnce(&Unit<'_, '_>) -> T,
) -> T {
    let sources = sources(files);
    let session = session(&sources, &[], options);
    let reading = Reading::new(&sources[0]);
    let session = session.in_dialect(session.dialect_of(&reading), session.options.vendors);
    let settings = both_vendors::settings(&session, &sources[0].path);
    let support = session.around(&sources[0]).support;
    let switches = Suppressions::new(&reading);
    let document = reading.cpp().expect("the first file is C++");
    let own = session.project.visible(document, session.table);
    ask(&look_at(
        document, &session, &settings, &support, &switches, &own,
    ))
}

/// Asks about the first of some files, which is a build file.
pub(crate) fn of_build<T>(
    files: &[(&str, &str)],
    options: Options,
    ask: impl FnOnce(&BuildUnit<'_, '_>) -> T,
) -> T {
    of_renamed_build(files, &[], options, ask)
}

/// The same where some of the files get another name.
pub(crate) fn of_renamed_build<T>(
    files: &[(&str, &str)],
    renames: &[(&str, &str)],
    options: Options,
    ask: impl FnOnce(&BuildUnit<'_, '_>) -> T,
) -> T {
    let sources = sources(files);
    let session = session(&sources, renames, options);
    let file = BuildFile::new(&sources[0]);
    let session = session.in_dialect(
        session.dialect_of_path(&sources[0].path),
        session.options.vendors,
    );
    ask(&look_at_build(&file, &session))
}

fn sources(files: &[(&str, &str)]) -> Vec<SourceFile> {
    let source = |&(path, text): &(&str, &str)| SourceFile::new(path, text.as_bytes().to_vec());
    files.iter().map(source).collect()
}

/// A session for a tree of some files.
fn session(sources: &[SourceFile], renames: &[(&str, &str)], options: Options) -> Session {
    let table = ApiTable::builtin();
    let code = sources.iter().filter(|source| source.language.is_cpp());
    let indices = code.map(|source| {
        let index = file_index(&Document::new(source), &table);
        (source.path.clone(), index)
    });
    let paths = sources.iter().map(|source| source.path.clone());
    let renames = renames
        .iter()
        .map(|(from, to)| ((*from).to_owned(), (*to).to_owned()));
    let project = ProjectIndex::new(indices, paths).with_renames(renames);
    let mut session = Session::new(options, table);
    session.project = project.into();
    session
}

/// What becomes of the first of some files.
pub(crate) fn translated(files: &[(&str, &str)]) -> FileOutcome {
    let sources = sources(files);
    translate(&sources[0], &session(&sources, &[], Options::default()))
}

/// Asks about a file of CUDA that stands alone.
pub(crate) fn of_file<T>(text: &str, ask: impl FnOnce(&Unit<'_, '_>) -> T) -> T {
    of_tree(&[("a.cu", text)], Options::default(), ask)
}

/// The first place of a word.
pub(crate) fn first(cx: &Unit<'_, '_>, word: &str) -> TokenIndex {
    cx.doc.all(word).next().expect("the word is in the text")
}

/// The file with some edits made.
pub(crate) fn applied(cx: &Unit<'_, '_>, edits: &[Edit]) -> String {
    let bytes = &cx.doc.source.bytes;
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| edit.range.start);
    let mut text = Vec::new();
    let whole = TextRange::new(0, bytes.len() as u32);
    apply_within(bytes, whole, &edits, &mut text);
    String::from_utf8(text).expect("the texts of tests are UTF-8")
}
