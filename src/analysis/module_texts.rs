//! Modules of PTX in the strings of a file that its own calls load: what they are in HIP C++, and which helper loads that.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::unit::Unit;
use crate::compat;
use crate::cpp::literal_texts::{LiteralText, texts_with};
use crate::edit::Edit;
use crate::options::{CompatMode, WarpMode};
use crate::ptx::{ModuleOptions, Reading, helper_names, is_module, translate_module};
use crate::syntax::TokenIndex;
use crate::text::TextRange;

/// Functions that load a text, and the helpers in their places.
pub(crate) const LOADS: [(&str, &str); 2] = [
    ("cuModuleLoadData", "cass_cuModuleLoadData"),
    ("cuModuleLoadDataEx", "cass_cuModuleLoadDataEx"),
];

/// A module in a string.
pub(crate) struct ModuleText {
    /// Where it stands.
    pub(crate) string: LiteralText,
    /// What was read of it.
    pub(crate) reading: Reading,
    /// What writes HIP C++ in its place, where the file loads it, a helper may, and a kernel is written.
    pub(crate) edits: Option<Vec<Edit>>,
}

/// The modules of a file.
pub(crate) fn module_texts(unit: &Unit<'_, '_>) -> Rc<Vec<ModuleText>> {
    let is_loaded = || {
        let mut names = LOADS.iter();
        names.any(|(name, _)| unit.doc.all(name).any(|at| unit.doc.call(at).is_some()))
    };
    let is_made = || !unit.is_torch() && unit.options().compat != CompatMode::None && is_loaded();
    unit.doc.fact(|doc| {
        let mut strings = texts_with(doc, ".version");
        strings.retain(|it| is_module(it.text.text()));
        let is_made = !strings.is_empty() && is_made();
        let made = strings.into_iter().map(|it| module_text(unit, it, is_made));
        made.collect::<Vec<_>>()
    })
}

/// The helper that loads a text of this file in the place of a call.
pub(crate) fn loading_helper(unit: &Unit<'_, '_>, index: TokenIndex) -> Option<&'static str> {
    let (_, helper) = LOADS.iter().find(|(name, _)| unit.doc.is(index, name))?;
    let is_call = unit.doc.call(index).is_some();
    let is_written = || module_texts(unit).iter().any(|it| it.edits.is_some());
    (is_call && is_written()).then_some(*helper)
}

fn module_text(unit: &Unit<'_, '_>, string: LiteralText, is_made: bool) -> ModuleText {
    let options = unit.options();
    let how = ModuleOptions {
        native: options.warp == WarpMode::Native,
        helpers: options.compat != CompatMode::None,
    };
    let given = string.text.text();
    let translated = translate_module(&String::from_utf8_lossy(given), how);
    let written = |it: &crate::ptx::Function| it.is_kernel && it.obstacles.is_empty();
    let has_kernel = translated.reading.functions.iter().any(written);
    let whole = TextRange::new(0, given.len() as u32);
    let parts = (is_made && has_kernel).then(|| {
        string
            .text
            .rewrite(whole, &content(given, &translated.text))
    });
    let edit = |(range, text)| Edit::replace(range, text);
    let edits = parts
        .flatten()
        .map(|parts| match in_one(unit, &string, &parts) {
            Some(edit) => vec![edit],
            None => parts.into_iter().map(edit).collect(),
        });
    ModuleText {
        reading: translated.reading,
        edits,
        string,
    }
}

/// One edit in the place of literals of which the first alone keeps something, with blanks alone between them.
fn in_one(
    unit: &Unit<'_, '_>,
    string: &LiteralText,
    parts: &[(TextRange, String)],
) -> Option<Edit> {
    let doc = unit.doc;
    let (first, last) = (string.literals.start, string.literals.end - 1);
    let [(range, text), rest @ ..] = parts else {
        return None;
    };
    let bytes = &doc.source.bytes;
    let between =
        |at: TokenIndex| &bytes[doc.tokens[at].end() as usize..doc.tokens[at + 1].start as usize];
    let is_plain = (first..last).all(|at| between(at).iter().all(u8::is_ascii_whitespace))
        && string
            .literals
            .clone()
            .all(|at| doc.bytes(at).starts_with(b"\""));
    let has_first = range.start > doc.tokens[first].start && range.start <= doc.tokens[first].end();
    if rest.is_empty() || rest.iter().any(|(_, text)| !text.is_empty()) || !is_plain || !has_first {
        return None;
    }
    let start = range.start;
    let end = doc.tokens[last].end();
    // Behind the last line's end another literal was begun, which has nothing to hold.
    let shorter = text.strip_suffix('"').map(str::trim_end);
    let shorter = shorter.filter(|it| it.ends_with('"') && !it.ends_with("\\\""));
    let content = shorter.map_or_else(|| format!("{text}\""), str::to_owned);
    Some(Edit::replace(TextRange::new(start, end), content))
}

/// The text in the place of a module: the helpers that it calls, then its functions, with the line ends of the module.
fn content(module: &[u8], text: &str) -> String {
    let helpers: BTreeSet<&'static str> = helper_names(text)
        .filter_map(compat::find)
        .map(|helper| helper.name)
        .collect();
    let is_windows = memchr::memmem::find(module, b"\r\n").is_some();
    let mut content = match module.starts_with(b"\n") || module.starts_with(b"\r\n") {
        true => "\n".to_owned(),
        false => String::new(),
    };
    if !helpers.is_empty() {
        content.push_str(&compat::snippets(&helpers));
        content.push('\n');
    }
    content.push_str(text.trim_start_matches('\n'));
    match is_windows {
        true => content.replace('\n', "\r\n"),
        false => content,
    }
}
