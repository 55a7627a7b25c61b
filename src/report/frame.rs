//! Lines of the source with carets under a place in them and with what a fix would write, fitted to the terminal.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};

use super::escape::harmless;
use super::excerpt::Excerpt;
use super::model::{FindingReport, LabelReport};
use crate::diagnostic::Severity;

/// Columns where nothing says how wide the reader's window is.
pub(crate) const COLUMNS: usize = 140;
/// Bytes of a label that still fits beside the place that it marks; what is longer stands below the lines.
const SHORT: usize = 24;
/// What marks the place of a label that stands below.
const MARK: &str = "here too";
/// Columns that line numbers and the signs of a cut line take.
const BESIDE: usize = 14;
/// Columns below which text is not folded further.
const NARROWEST: usize = 40;

/// The lines of a finding, its notes and, unless the reader has read it, its advice, as they stand below its message.
pub(super) fn frame(finding: &FindingReport, is_advice_known: bool, columns: usize) -> String {
    let columns = columns.max(NARROWEST);
    let level = level(finding.severity);
    let excerpt = &finding.excerpt;
    let is_shown = !excerpt.text.is_empty();
    let renderer = Renderer::styled()
        .decor_style(DecorStyle::Ascii)
        .term_width(columns);
    let mut text = String::new();
    if is_shown {
        let group = Group::with_level(level).element(lines(excerpt, columns));
        text.push_str(&rendered(&renderer, group));
    }
    let is_below = |label: &&LabelReport| !excerpt.is_whole || !is_short(&label.message);
    for label in finding.labels.iter().filter(is_below) {
        let note = format!("line {}: {}", label.line, label.message);
        text.push_str(&noted("note", &note, columns));
    }
    if !finding.help.is_empty() && !is_advice_known {
        text.push_str(&noted("help", &finding.help, columns));
    }
    if is_shown && let Some(patch) = patch(excerpt) {
        let group = Group::with_level(Level::HELP).element(patch);
        text.push_str(&rendered(&renderer, group));
    }
    text
}

/// The renderer shows pictures of control characters below U+0020 and of none of U+0080 to U+009F, of which U+009B begins the escape
/// sequences of a terminal as ESC and `[` do.
fn rendered(renderer: &Renderer, group: Group<'_>) -> String {
    let text = renderer.render(&[group]);
    text.replace(|c| matches!(c, '\u{80}'..='\u{9f}'), "\u{fffd}") + "\n"
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    }
}

fn lines(excerpt: &Excerpt, columns: usize) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
    let labels = excerpt
        .labels
        .iter()
        .filter(|(place, message)| is_short(message) || fits(excerpt, place, columns))
        .map(|(place, message)| {
            let label = AnnotationKind::Context.span(place.clone());
            label.label(if is_short(message) {
                harmless(message)
            } else {
                MARK.into()
            })
        });
    Snippet::source(excerpt.text.as_str())
        .line_start(excerpt.first_line)
        .fold(false)
        .annotation(AnnotationKind::Primary.span(excerpt.place.clone()))
        .annotations(labels)
}

/// Whether a label fits beside its place.
fn is_short(message: &str) -> bool {
    message.len() <= SHORT
}

/// Whether the mark of a place can be shown together with the finding: the renderer cuts lines, but never what is marked.
fn fits(excerpt: &Excerpt, place: &Range<usize>, columns: usize) -> bool {
    let column = |at: usize| {
        let line = excerpt.text[..at].rfind('\n').map_or(0, |end| end + 1);
        excerpt.text[line..at].chars().count()
    };
    let first = column(excerpt.place.start).min(column(place.start));
    column(place.end).saturating_sub(first) + MARK.len() + BESIDE <= columns
}

/// What the fix writes in these lines; edits elsewhere, such as an include at the top, are left to the translation.
fn patch(excerpt: &Excerpt) -> Option<Snippet<'_, Patch<'_>>> {
    let patches = excerpt
        .patches
        .iter()
        .map(|(place, content)| Patch::new(place.clone(), content.as_str()));
    let snippet = Snippet::source(excerpt.text.as_str())
        .line_start(excerpt.first_line)
        .fold(true)
        .patches(patches);
    (!excerpt.patches.is_empty()).then_some(snippet)
}

/// A note whose further lines stand below its first word.
pub(super) fn noted(title: &str, note: &str, columns: usize) -> String {
    let first = format!("  = {title}: ");
    let further = " ".repeat(first.len());
    let options = textwrap::Options::new(columns)
        .initial_indent(&first)
        .subsequent_indent(&further)
        .break_words(false);
    textwrap::fill(&harmless(note), options) + "\n"
}
