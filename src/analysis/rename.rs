//! Renames of calls with what the tables say about their arguments, as the smallest edits.

use super::hidden_arguments;
use crate::analysis::unit::Unit;
use crate::cpp::names::is_members_name;
use crate::cpp::statements::is_result_ignored;
use crate::diagnostic::codes::RuleId;
use crate::diagnostic::{Finding, Severity};
use crate::edit::{Applicability, Edit, Fix};
use crate::mapping::{ApiEntry, ArgEdit, Kind, Support, Target, Verb};
use crate::syntax::{Call, TokenIndex, TokenKind, flags};
use crate::text::TextRange;

/// The edits that turn a use of a name into its target.
#[derive(Debug)]
pub struct Rename {
    /// The edits; none when the name stays and no argument changes.
    pub edits: Vec<Edit>,
    /// The target wants its arguments changed, but there is no call here whose arguments can be trusted.
    pub arguments_missed: bool,
}

/// What an entry makes of one use of its name under the options of the run, with the call if the name is called.
/// `None` for somebody's member, for a namespace, and when the chosen ROCm or library has no target.
pub fn target_of<'e>(
    cx: &Unit<'_, '_>,
    index: TokenIndex,
    entry: &'e ApiEntry,
) -> Option<(Target<'e>, Option<Call>)> {
    // A macro knows no scope: `void Callback::CUDART_CB done()` defines `Callback::done`.
    let is_anothers = entry.kind != Kind::Macro && is_members_name(cx.doc, index);
    if entry.kind == Kind::Namespace || is_anothers {
        return None;
    }
    let wants_call = entry.kind == Kind::Function
        && !(entry.args.is_empty() && entry.forms.is_empty() && entry.roc.is_none());
    let call = if wants_call { cx.doc.call(index) } else { None };
    let arity = call.as_ref().map(|call| call.arguments.len());
    let target = entry.target(&cx.options().choices, cx.options().rocm, arity)?;
    Some((target, call))
}

/// Advice where the chosen family has no counterpart that the tables know.
const NO_ROC: &str = "the tables know no counterpart in the chosen roc library, and this one takes the handle of the hip library: write the roc call by hand, or choose the hip library";

/// The finding that renames one use of a name, if the support of its entry is this one.
pub fn renamed_with(
    cx: &Unit<'_, '_>,
    index: TokenIndex,
    support: Support,
    rule: RuleId,
) -> Option<Finding> {
    let entry = cx.table().get(cx.doc.bytes(index))?.entry;
    let is_meant = support_at(cx, index, entry) == support;
    is_meant.then(|| renamed(cx, index, entry, rule)).flatten()
}

/// How well a name is covered where it stands: an argument may settle what the entry doubts.
fn support_at(cx: &Unit<'_, '_>, index: TokenIndex, entry: &ApiEntry) -> Support {
    let support = entry.support_under(&cx.options().choices);
    let call = || cx.doc.call(index).filter(|call| !call.split_by_directive);
    let is_settled = |call: Call| {
        entry.unless.iter().any(|unless| {
            let argument = call.argument(cx.doc, usize::from(unless.at));
            argument.is_some_and(|range| cx.text_of(range) == unless.is)
        })
    };
    if support == Support::Review && !entry.unless.is_empty() && call().is_some_and(is_settled) {
        return Support::Full;
    }
    if support == Support::Review && entry.result && is_result_ignored(cx.doc, index) {
        return Support::Full;
    }
    support
}

/// The finding that renames one use of a name. `None` when nothing changes here, or when the chosen ROCm lacks the target.
pub fn renamed(
    cx: &Unit<'_, '_>,
    index: TokenIndex,
    entry: &ApiEntry,
    rule: RuleId,
) -> Option<Finding> {
    let (target, call) = target_of(cx, index, entry)?;
    if !target.rocm.contains(cx.options().rocm) {
        return None;
    }
    if entry.context && target.name == entry.cuda && !is_surely_meant(cx, index, entry) {
        return None;
    }
    let rename = rename(cx, index, call.as_ref(), &target);
    let are_hidden = hidden_arguments::are_hidden(cx, index, entry, call.as_ref());
    let are_missed = rename.arguments_missed || are_hidden;
    let support = support_at(cx, index, entry);
    if rename.edits.is_empty() && support == Support::Full {
        return None;
    }
    let applicability = if support == Support::Full && !are_missed {
        Applicability::Safe
    } else {
        Applicability::Review
    };
    let message = message(entry.cuda, target.name, !rename.edits.is_empty());
    let api = crate::diagnostic::ApiUse {
        rocm_since: entry.first_release(&target),
        ..cx.api_use(entry, Some(target.name))
    };
    let mut finding = rule.finding(cx.range(index), message).api(api);
    finding.help = if entry.lacks_roc(&cx.options().choices) {
        NO_ROC.into()
    } else {
        entry.note.unwrap_or_default().into()
    };
    if are_missed {
        let note = if finding.help.is_empty() {
            String::new()
        } else {
            format!("; {}", finding.help)
        };
        finding.severity = finding.severity.max(Severity::Warning);
        let advice = hidden_arguments::help(cx, index, are_hidden);
        finding.help = format!("{advice}{note}").into();
    }
    finding.headers.extend(entry.include);
    if !rename.edits.is_empty() {
        finding = finding.fix(Fix {
            edits: rename.edits,
            applicability,
        });
    }
    Some(finding)
}

/// What happens to a name, for people.
fn message(cuda: &str, hip: &str, is_edited: bool) -> String {
    match (cuda == hip, is_edited) {
        (false, _) => format!("`{cuda}` becomes `{hip}`"),
        (true, true) => format!("`{cuda}` exists in HIP with other parameters"),
        (true, false) => format!("`{cuda}` exists in HIP and behaves differently"),
    }
}

/// A word that CUDA shares with everybody (`texture`) and that keeps its name says nothing by itself: functions must be called in
/// device code, types must have template arguments or a name of several words (`textureReference`).
fn is_surely_meant(cx: &Unit<'_, '_>, index: TokenIndex, entry: &ApiEntry) -> bool {
    match entry.kind {
        Kind::Function => cx.doc.call(index).is_some() && cx.may_be_device(index),
        Kind::Type => cx.doc.next_is(index, "<") || is_of_several_words(entry.cuda),
        _ => true,
    }
}

fn is_of_several_words(name: &str) -> bool {
    let is_seam = |byte: u8| byte == b'_' || byte.is_ascii_uppercase();
    name.bytes().skip(1).any(is_seam)
}

/// Works out the rename of the identifier at `name`, which is called as `call` if it is called.
pub fn rename(
    cx: &Unit<'_, '_>,
    name: TokenIndex,
    call: Option<&Call>,
    target: &Target<'_>,
) -> Rename {
    // Nearly always there is one edit, and a large file has a million of them.
    let mut edits = Vec::with_capacity(1);
    if target.name.is_empty() {
        edits.push(Edit::delete(with_blanks_behind(cx, name)));
    } else if cx.doc.bytes(name) != target.name.as_bytes() {
        edits.push(Edit::replace(cx.range(name), target.name));
    }
    let trusted = call
        .filter(|call| !call.split_by_directive)
        .filter(|call| target.args.iter().all(|edit| fits(cx, call, edit)));
    match trusted {
        Some(call) => target
            .args
            .iter()
            .for_each(|edit| argument(cx, call, target.args, edit, &mut edits)),
        None => {
            return Rename {
                edits,
                arguments_missed: !target.args.is_empty(),
            };
        }
    }
    Rename {
        edits,
        arguments_missed: false,
    }
}

/// A word that goes, with the blanks between it and the next on its line.
fn with_blanks_behind(cx: &Unit<'_, '_>, name: TokenIndex) -> TextRange {
    let range = cx.range(name);
    let rest = &cx.doc.source.bytes[range.end as usize..];
    let blanks = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let ends_line = rest
        .get(blanks)
        .is_none_or(|byte| matches!(byte, b'\r' | b'\n' | b'\\'));
    let end = if ends_line {
        range.end
    } else {
        range.end + blanks as u32
    };
    TextRange::new(range.start, end)
}

fn fits(cx: &Unit<'_, '_>, call: &Call, edit: &ArgEdit<'_>) -> bool {
    let arity = call.arguments.len();
    let at = usize::from(edit.at);
    // What is computed twice must do nothing else.
    let calls_nothing = |position: usize| {
        let mut tokens = call.arguments[position].clone();
        tokens.all(|at| !matches!(cx.doc.bytes(at), b"(" | b"{" | b"=" | b"++" | b"--"))
    };
    match edit.verb {
        Verb::Insert(_) => at <= arity,
        Verb::Copy(from) => {
            at <= arity && usize::from(from) < arity && calls_nothing(usize::from(from))
        }
        Verb::Move(to) => at < arity && usize::from(to) <= arity,
        _ => at < arity,
    }
}

fn argument(
    cx: &Unit<'_, '_>,
    call: &Call,
    all: &[ArgEdit<'static>],
    edit: &ArgEdit<'static>,
    edits: &mut Vec<Edit>,
) {
    let at = usize::from(edit.at);
    let range = call.argument(cx.doc, at);
    match (&edit.verb, range) {
        (Verb::Insert(text), _) => edits.push(insertion(cx, call, at, text).0),
        (Verb::Copy(from), _) => {
            if let Some(range) = call.argument(cx.doc, usize::from(*from)) {
                edits.push(moved(cx, call, at, range));
            }
        }
        (Verb::Cast(ty), Some(range)) if !is_cast(&cx.text_of(range), ty) => {
            let open = if cx.doc.source.path.ends_with(".c") {
                format!("({ty})(")
            } else {
                format!("reinterpret_cast<{ty}>(")
            };
            edits.extend([
                Edit::insert(range.start, open),
                Edit::insert(range.end, ")"),
            ]);
        }
        (Verb::Wrap(with), Some(range)) if !cx.text_of(range).starts_with(with) => {
            edits.extend([
                Edit::insert(range.start, format!("{with}(")),
                Edit::insert(range.end, ")"),
            ]);
        }
        (Verb::Drop, _) => edits.push(gone(cx, call, all, at)),
        (Verb::Replace { text, when }, Some(range))
            if when.is_none_or(|when| same_text(&cx.text_of(range), when)) =>
        {
            edits.push(Edit::replace(range, *text).without(range));
        }
        (Verb::Move(to), Some(range)) => {
            let moved = moved(cx, call, usize::from(*to), range);
            let is_carried = !moved.moved().is_empty();
            edits.push(moved);
            edits.push(match is_carried {
                true => gone(cx, call, all, at),
                false => Edit::delete(dropped(cx, call, all, at)),
            });
        }
        _ => {}
    }
}

/// Puts an argument in front of the one at a position, or behind the last; and where its text starts in what is inserted.
fn insertion(cx: &Unit<'_, '_>, call: &Call, at: usize, text: &str) -> (Edit, usize) {
    match (
        call.argument(cx.doc, at),
        call.arguments.last().filter(|last| !last.is_empty()),
    ) {
        (Some(range), _) => {
            let edit = Edit::insert(lead(cx, range.start), format!("{text}, "));
            (edit, 0)
        }
        (None, Some(last)) => {
            let edit = Edit::insert(cx.range(last.end - 1).end, format!(", {text}"));
            (edit, 2)
        }
        (None, None) => (Edit::insert(cx.range(call.close).start, text.to_owned()), 0),
    }
}

/// Puts the argument in `from` in front of the one at a position, with whatever other rules make of it.
fn moved(cx: &Unit<'_, '_>, call: &Call, to: usize, from: TextRange) -> Edit {
    let text = cx.text_of(from);
    let (edit, at) = insertion(cx, call, to, &text);
    // Bytes that are no text have another length as text.
    match text.len() == from.len() as usize {
        true => edit.moving(at, from),
        false => edit,
    }
}

/// Takes an argument out, whatever other rules make of it.
fn gone(cx: &Unit<'_, '_>, call: &Call, all: &[ArgEdit<'_>], at: usize) -> Edit {
    let range = dropped(cx, call, all, at);
    let edit = Edit::delete(range);
    match call.argument(cx.doc, at) {
        Some(code) if range.contains(code) => edit.without(code),
        _ => edit,
    }
}

/// The bytes of an argument that goes, with the comma that goes with it: the one behind it, or the one in front if nothing behind it stays.
fn dropped(cx: &Unit<'_, '_>, call: &Call, all: &[ArgEdit<'_>], at: usize) -> TextRange {
    let goes = |position: usize| {
        all.iter().any(|edit| {
            usize::from(edit.at) == position && matches!(edit.verb, Verb::Drop | Verb::Move(_))
        })
    };
    let stays_behind = (at + 1..call.arguments.len()).any(|position| !goes(position));
    let start_of = |position: usize| lead(cx, cx.range(call.arguments[position].start).start);
    let end_of = |position: usize| cx.range(call.arguments[position].end - 1).end;
    if stays_behind {
        TextRange::new(start_of(at), start_of(at + 1))
    } else {
        TextRange::new(
            if at == 0 { start_of(0) } else { end_of(at - 1) },
            end_of(at),
        )
    }
}

/// Where an argument begins with the comments that stand in front of it on its line: `/*format=*/NCHW`.
fn lead(cx: &Unit<'_, '_>, argument: u32) -> u32 {
    let bytes = &cx.doc.source.bytes;
    let mut start = argument;
    loop {
        let blanks = bytes[..start as usize].iter().rev();
        let blanks = blanks.take_while(|byte| matches!(byte, b' ' | b'\t'));
        let end = start - blanks.count() as u32;
        let before = cx.doc.comments.partition_point(|it| it.end() <= end);
        match before.checked_sub(1).map(|at| &cx.doc.comments[at]) {
            Some(comment) if comment.end() == end && comment.kind != TokenKind::LineComment => {
                start = comment.start;
            }
            _ => return start,
        }
    }
}

/// The text of a range with the plain renames of the tables applied: for text that a fix copies elsewhere.
pub fn renamed_text(cx: &Unit<'_, '_>, range: TextRange) -> String {
    let (mut text, mut copied) = (String::new(), range.start);
    for index in cx.doc.token_at(range.start)..cx.doc.token_at(range.end) {
        let word = cx.doc.bytes(index);
        let hit = cx.table().get(word).filter(|_| {
            cx.doc.is_ident(index) && !cx.is_own(word) && !is_members_name(cx.doc, index)
        });
        let target = hit.and_then(|hit| {
            hit.entry
                .target(&cx.options().choices, cx.options().rocm, None)
        });
        if let Some(target) = target.filter(|target| target.name.as_bytes() != word) {
            let token = cx.range(index);
            text.push_str(&cx.text_of(TextRange::new(copied, token.start)));
            text.push_str(target.name);
            copied = token.end;
        }
    }
    text.push_str(&cx.text_of(TextRange::new(copied, range.end)));
    text
}

/// Whether [`renamed_text`] is all that would be done to a range where it stands: no other rule has an edit in it, and nothing in it is
/// for readers or the preprocessor alone.
pub fn is_only_renamed(cx: &Unit<'_, '_>, range: TextRange) -> bool {
    let tokens = cx.doc.token_at(range.start)..cx.doc.token_at(range.end);
    let in_directive = cx.doc.tokens[tokens.start].has(flags::DIRECTIVE);
    let within = |inner: TextRange| range.start <= inner.start && inner.end <= range.end;
    // Lists in braces have rules that ask this themselves.
    let is_plain = |index: TokenIndex| {
        cx.doc.tokens[index].has(flags::DIRECTIVE) == in_directive && !cx.doc.is(index, "{")
    };
    tokens.clone().all(is_plain)
        && !cx
            .doc
            .comments
            .iter()
            .any(|comment| within(comment.range()))
        && !cx
            .doc
            .launches
            .iter()
            .any(|launch| within(launch.open_range(cx.doc)))
        && tokens.clone().all(|index| is_left_to_tables(cx, index))
}

/// Whether no rule has a fix for a word but the tables, and those no more than another name.
pub fn is_left_to_tables(cx: &Unit<'_, '_>, index: TokenIndex) -> bool {
    let word = cx.doc.bytes(index);
    let renames = |hit: crate::mapping::Hit<'_>| {
        hit.entry.args.is_empty() && hit.entry.forms.is_empty() && hit.entry.hip.is_some()
    };
    let mut spaces = cx.table().namespaces_ending(word);
    let is_spelled = |name: &str| {
        name.contains("::") && crate::cpp::names::qualified_start(cx.doc, index, name).is_some()
    };
    !spaces.any(|hit| is_spelled(hit.entry.cuda))
        && !cx.rules.edits(cx, index)
        && cx.table().get(word).is_none_or(renames)
}

fn is_cast(argument: &str, ty: &str) -> bool {
    let bare: String = argument.chars().filter(|c| !c.is_whitespace()).collect();
    let wanted: String = ty.chars().filter(|c| !c.is_whitespace()).collect();
    let plain = wanted.replace("const", "");
    [&wanted, &plain]
        .iter()
        .any(|ty| bare.starts_with(&format!("({ty})")))
        || bare.starts_with(&format!("reinterpret_cast<{wanted}>"))
        || matches!(bare.as_str(), "NULL" | "nullptr" | "0")
}

fn same_text(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}
