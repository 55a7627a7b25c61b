//! One entry of the tables as the answer to a query.

use serde::Serialize;

use super::rules::rules;
use super::word::{Shown, shown};
use crate::compat;
use crate::diagnostic::Severity;
use crate::engine::Session;
use crate::engine::example;
use crate::mapping::{
    ApiEntry, ArgEdit, Form, Hit, Origin, Support, Verb, Version, library, measured,
};

/// One entry as the answer to a query.
#[derive(Serialize)]
pub(super) struct Answer<'e> {
    pub(super) cuda: &'e str,
    pub(super) kind: String,
    pub(super) library: &'e str,
    pub(super) title: &'e str,
    pub(super) support: Support,
    /// A person must look only where the result is read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) of_result: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hip: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) roc: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cuda_since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cuda_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rocm_since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rocm_until: Option<String>,
    /// Whether the asked release has the target, or translation does without.
    pub(super) available: bool,
    /// A line with the name as translation leaves it, where a rule does more than the table says: this is the answer then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) example: Option<Shown>,
    /// What the helper does that stands for the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) helper: Option<&'static str>,
    /// Where the helper is not what CUDA's function is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<&'static str>,
    /// The calls that need no helper, by what their arguments say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) exact: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) older: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) arguments: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) roc_arguments: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) forms: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) header: Option<&'e str>,
    pub(super) link: &'static [&'static str],
    pub(super) rules: Vec<String>,
    /// What the translation computes, held against CUDA on a card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) measured: Option<&'static str>,
    /// The same with `--strict-math`, where it is something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) measured_strictly: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<&'e str>,
    pub(super) origin: &'static str,
}

pub(super) fn answer<'e>(hit: Hit<'e>, session: &Session) -> Answer<'e> {
    let entry = hit.entry;
    let example = example::of_entry(entry, session).map(shown);
    let does_without = example
        .as_ref()
        .is_some_and(|shown| shown.severity < Severity::Error);
    let is_there = entry.hip.is_some() && entry.rocm.contains(session.options.rocm);
    let version = |version: Option<Version>| version.map(|version| version.to_string());
    let known = library::find(entry.library);
    let older = entry.older.iter();
    let helper = helper_of(entry);
    let exact = entry.unless.iter().filter(|_| helper.is_some());
    let rules = rules(entry, example.as_ref().map_or(&[], |shown| &shown.rules));
    Answer {
        cuda: entry.cuda,
        kind: format!("{:?}", entry.kind).to_lowercase(),
        library: entry.library,
        title: library::title(entry.library),
        support: entry.support,
        of_result: entry.result,
        hip: entry.hip,
        roc: entry.roc.as_ref().map(|roc| roc.name),
        cuda_since: version(entry.cuda_versions.since),
        cuda_until: version(entry.cuda_versions.until),
        rocm_since: version(entry.rocm.since),
        rocm_until: version(entry.rocm.until),
        available: does_without || is_there,
        example,
        helper: helper.map(|helper| helper.summary),
        limit: helper
            .map(|helper| helper.limit)
            .filter(|limit| !limit.is_empty()),
        exact: exact
            .map(|unless| format!("where argument {} is {}", unless.at, unless.is))
            .collect(),
        older: older
            .map(|older| format!("{} below ROCm {}", older.hip, older.below))
            .collect(),
        arguments: entry.args.iter().map(edit).collect(),
        roc_arguments: entry
            .roc
            .iter()
            .flat_map(|roc| roc.args.iter().map(edit))
            .collect(),
        forms: entry.forms.iter().map(|it| form(entry, it)).collect(),
        header: entry
            .include
            .or_else(|| known.map(|library| library.header))
            .filter(|header| !header.is_empty()),
        link: known.map_or(&[], |library| library.link),
        rules,
        measured: measured::verdict(entry.cuda),
        measured_strictly: measured::strict_verdict(entry.cuda),
        note: entry.note,
        source: entry.source,
        origin: match hit.origin {
            Origin::Builtin => "built-in table",
            Origin::Overlay(_) => "table of --mappings",
        },
    }
}

/// The helper in the place of a name whose counterpart means something else, or that has none.
fn helper_of(entry: &ApiEntry) -> Option<&'static compat::Helper> {
    let helper = compat::replacing(entry.cuda).filter(|_| entry.support != Support::Full)?;
    let bare = entry.cuda.trim_start_matches('_');
    let mut functions = helper.provides.iter();
    let is_called_alike = functions.any(|it| it.strip_prefix("cass_") == Some(bare));
    is_called_alike.then_some(helper)
}

/// What becomes of the calls with one number of arguments.
fn form(entry: &ApiEntry, form: &Form<'static>) -> String {
    let edits: Vec<String> = form.args.iter().map(edit).collect();
    let name = form.hip.or(entry.hip).unwrap_or_default();
    let stays = if name == entry.cuda {
        " (stays, and is reported)"
    } else {
        ""
    };
    let edits = edits.join("; ");
    format!("{} arguments: {name}{stays} {edits}", form.arity)
        .trim_end()
        .to_owned()
}

fn edit(edit: &ArgEdit<'static>) -> String {
    let at = edit.at;
    match &edit.verb {
        Verb::Cast(ty) => format!("argument {at} is cast to {ty}"),
        Verb::Wrap(with) => format!("argument {at} goes into {with}(…)"),
        Verb::Drop => format!("argument {at} goes"),
        Verb::Insert(text) => format!("{text} comes in front of argument {at}"),
        Verb::Replace {
            text, when: None, ..
        } => format!("argument {at} becomes {text}"),
        Verb::Replace {
            text,
            when: Some(when),
            of: None,
        } => format!("argument {at} becomes {text} where it is {when}"),
        Verb::Replace {
            text,
            when: Some(when),
            of: Some(of),
        } => format!("argument {at} becomes {text} where argument {of} is {when}"),
        Verb::Move(to) => format!("argument {at} moves in front of argument {to}"),
        Verb::Copy(from) => format!("argument {from} is repeated in front of argument {at}"),
    }
}
