//! Renames of calls with what the tables say about their arguments, as the smallest edits.

mod arguments;
mod text;

use crate::analysis::module_texts::loading_helper;
use std::borrow::Cow;

use self::arguments::{argument, fits};
use super::helpers::function_for;
use super::hidden_arguments;
use crate::analysis::unit::Unit;
use crate::cpp::names::is_members_name;
use crate::cpp::statements::is_result_ignored;
use crate::diagnostic::RuleId;
use crate::diagnostic::{Finding, Severity};
use crate::edit::{Edit, Fix};
use crate::mapping::{ApiEntry, ArgEdit, Kind, Support, Target, Verb};
use crate::options::CompatMode;
use crate::syntax::{Call, Document, TokenIndex, flags};
use crate::text::TextRange;

pub(crate) use text::{Part, is_code_alone, written_anew};

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
pub(crate) fn target_of<'e>(
    cx: &Unit<'_, '_>,
    index: TokenIndex,
    entry: &'e ApiEntry,
) -> Option<(Target<'e>, Option<Call>)> {
    // A macro knows no scope: `void Callback::CUDART_CB done()` defines `Callback::done`.
    let is_anothers = entry.kind != Kind::Macro && is_foreign_member(cx, index);
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

/// Whether a name is somebody's member, and none that a macro makes of CUDA's function: `MEMBER(cusparseCreate);` and the uses of the
/// member change together.
fn is_foreign_member(cx: &Unit<'_, '_>, index: TokenIndex) -> bool {
    let is_selected = cx
        .doc
        .prev(index)
        .is_some_and(|at| matches!(cx.doc.bytes(at), b"." | b"->"));
    let is_made = is_selected && cx.project.names().makes_member(cx.doc.bytes(index));
    is_members_name(cx.doc, index) && !is_made
}

/// Advice where the chosen family has no counterpart that the tables know.
fn without_roc(library: &str) -> String {
    format!(
        "no roc{} equivalent is known, and this one takes a handle of the hip library: call it by hand, or use `--{library} hip`",
        library.to_ascii_uppercase()
    )
}

/// The finding that renames one use of a name, if the support of its entry is this one.
pub(crate) fn renamed_with(
    cx: &Unit<'_, '_>,
    index: TokenIndex,
    support: Support,
    rule: RuleId,
) -> Option<Finding> {
    let entry = cx.table().get(cx.doc.bytes(index))?.entry;
    let is_meant = support_at(cx, index, entry) == support
        && !is_for_helper(cx, index, entry)
        && loading_helper(cx, index).is_none();
    is_meant.then(|| renamed(cx, index, entry, rule)).flatten()
}

/// Whether a helper takes a use of a name that the tables rename where an argument or their number says enough: `unless` of the entry
/// settles nothing here, and no form of it fits the call.
pub(crate) fn is_for_helper(cx: &Unit<'_, '_>, index: TokenIndex, entry: &ApiEntry) -> bool {
    let is_form = || {
        let arity = cx.doc.call(index).map(|call| call.arguments.len());
        let mut arities = entry.forms.iter().map(|form| usize::from(form.arity));
        arities.any(|form| Some(form) == arity)
    };
    entry.is_shared()
        && support_at(cx, index, entry) != Support::Full
        && !is_form()
        && function_for(entry.cuda).is_some()
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
    if is_asked_whether_defined(cx.doc, index, entry) {
        return None;
    }
    let rename = rename(cx, index, call.as_ref(), &target);
    let are_hidden = hidden_arguments::are_hidden(cx, index, entry, call.as_ref());
    let are_missed = rename.arguments_missed || are_hidden;
    let support = support_at(cx, index, entry);
    if rename.edits.is_empty() && support == Support::Full {
        return None;
    }
    let message = message(entry.cuda, target.name, !rename.edits.is_empty());
    let api = crate::diagnostic::ApiUse {
        rocm_since: entry.first_release(&target),
        ..cx.api_use(entry, Some(target.name))
    };
    let note: Cow<'static, str> = match entry.lacks_roc(&cx.options().choices) {
        true => without_roc(entry.library).into(),
        false => entry.note.unwrap_or_default().into(),
    };
    // A helper has CUDA's arguments in CUDA's order.
    if are_missed
        && cx.options().compat != CompatMode::None
        && let Some(function) = function_for(entry.cuda)
    {
        let message = format!("`{}` becomes `{function}` of the helper header", entry.cuda);
        let api = crate::diagnostic::ApiUse {
            rocm_since: None,
            ..cx.api_use(entry, Some(function))
        };
        let edit = Edit::replace(cx.range(index), function);
        let finding = rule.finding(cx.range(index), message).api(api);
        return Some(finding.fix(Fix::safe(vec![edit])).helper(function));
    }
    let mut finding = rule
        .finding(cx.range(index), message)
        .api(api)
        .help(note.clone());
    if are_missed {
        let behind = match &*note {
            "" => String::new(),
            note => format!("; {note}"),
        };
        finding.severity = finding.severity.max(Severity::Warning);
        let advice = hidden_arguments::help(cx, index, are_hidden);
        finding = finding.help(format!("{advice}{behind}"));
    }
    finding.headers.extend(entry.include);
    if rename.arguments_missed && is_handed_on(cx, index) && !are_casts(&target) {
        // Whoever calls it hands on the arguments that stand beside: they would be those of another function.
        return Some(finding.severity(Severity::Error));
    }
    let is_safe = support == Support::Full && !are_missed;
    Some(match rename.edits {
        edits if edits.is_empty() => finding,
        edits if is_safe => finding.fix(Fix::safe(edits)),
        edits => finding.fix(Fix::review(edits)),
    })
}

/// Whether a directive is about a macro that goes in code, `#ifdef CUDART_CB`: without its name the directive would say nothing.
pub(crate) fn is_asked_whether_defined(
    doc: &Document<'_>,
    index: TokenIndex,
    entry: &ApiEntry,
) -> bool {
    let token = &doc.tokens[index];
    entry.kind == Kind::Macro
        && entry.hip == Some("")
        && token.has(flags::DIRECTIVE)
        && !token.has(flags::MACRO_BODY)
}

/// Whether a function is an argument itself, with arguments for it behind: `call(cudnnX, a, b)`.
fn is_handed_on(cx: &Unit<'_, '_>, index: TokenIndex) -> bool {
    let is_in_front = ["(", ","].iter().any(|it| cx.doc.is_before(index, it));
    is_in_front && cx.doc.next_is(index, ",")
}

/// Whether all that a call of the target needs besides its name are casts, which the arguments may have or not need.
fn are_casts(target: &Target<'_>) -> bool {
    let mut edits = target.args.iter();
    edits.all(|edit| matches!(edit.verb, Verb::Cast(_) | Verb::Wrap(_)))
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
        Some(call) => {
            edits.extend(types_to_go(cx, call, target));
            let each = target.args.iter();
            each.for_each(|edit| argument(cx, call, target.args, edit, &mut edits));
        }
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

/// `<int>` of `cudaHostGetDevicePointer<int>(&p, h, 0)`: a function that takes its pointer by a cast is no template in HIP.
fn types_to_go(cx: &Unit<'_, '_>, call: &Call, target: &Target<'_>) -> Option<Edit> {
    let is_cast = |edit: &ArgEdit<'_>| matches!(edit.verb, Verb::Cast(_));
    let within = call.template_arguments.clone()?;
    let is_plain = target.args.iter().any(is_cast);
    is_plain.then(|| Edit::delete(cx.doc.range(within.start - 1, within.end)))
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
