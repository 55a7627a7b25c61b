use anyhow::Result;
use clap::Args;
use globset::{Glob, GlobMatcher};
use serde::Serialize;

use super::mappings::{TableArgs, TextOrJson};
use super::{Exit, output};
use crate::diagnostic::Severity;
use crate::engine::Session;
use crate::engine::example::{self, Example};
use crate::mapping::{
    ApiEntry, ApiTable, ArgEdit, Hit, Kind, Origin, Support, Verb, Version, library,
};
use crate::options::Options;
use crate::rules::Rule;
use crate::rules::Trigger;
use crate::rules::all;
use crate::survey::not_public;
use crate::text::nearest;

const EXAMPLES: &str = "\
Examples:
  cass-transpile query cudaMemcpyAsync       what it becomes
  cass-transpile query hipMemcpyAsync        where it comes from
  cass-transpile query cublasSgemm           all names that start so, when none is called so
  cass-transpile query 'cudaGraph*Node'      a glob over both sides
  cass-transpile query -- -lcudart nvcc      words of build files

Exit codes: 0 every name is known, 1 one is not, 2 usage or tool error.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct QueryArgs {
    /// Names, prefixes or globs, of CUDA or of HIP; words of build files
    #[arg(required = true)]
    names: Vec<String>,
    /// How entries are printed
    #[arg(long, value_enum, default_value_t)]
    format: TextOrJson,
    /// ROCm release to answer for
    #[arg(long, value_name = "X.Y", default_value = "6.4")]
    rocm: Version,
    #[command(flatten)]
    table: TableArgs,
}

/// A line of code before and after translation, and what is said of it.
#[derive(Serialize)]
struct Shown {
    cuda: String,
    hip: String,
    findings: Vec<String>,
    #[serde(skip)]
    severity: Severity,
}

/// One entry as the answer to a query.
#[derive(Serialize)]
struct Answer<'e> {
    cuda: &'e str,
    kind: String,
    library: &'e str,
    title: &'e str,
    support: Support,
    /// A person must look only where the result is read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    of_result: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    hip: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roc: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cuda_since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cuda_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rocm_since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rocm_until: Option<String>,
    /// Whether the asked release has the target, or translation does without.
    available: bool,
    /// A line with the name as translation leaves it, where a rule does more than the table says: this is the answer then.
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<Shown>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    older: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    roc_arguments: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forms: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    header: Option<&'e str>,
    link: &'static [&'static str],
    rules: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'e str>,
    origin: &'static str,
}

/// Answers each name with what the tables know about it.
pub(super) fn run(args: &QueryArgs) -> Result<Exit> {
    let options = Options {
        rocm: args.rocm,
        ..Options::default()
    };
    let session = Session::new(options, args.table.table()?);
    let table = &session.table;
    let (mut answers, mut words, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for name in &args.names {
        let hits = find(table, name);
        if hits.is_empty() {
            match unlisted(name, &session) {
                Unlisted::Example(example) => words.push(example),
                Unlisted::Known(why) => output::complain(&why),
                Unlisted::Unknown => unknown.push(name.as_str()),
            }
        }
        answers.extend(hits.into_iter().map(|hit| answer(hit, &session)));
    }
    if args.format == TextOrJson::Json {
        let answers = answers.iter().map(serde_json::to_value);
        let words = words.iter().map(serde_json::to_value);
        let all = answers.chain(words).collect::<Result<Vec<_>, _>>()?;
        output::print(&format!("{}\n", serde_json::to_string_pretty(&all)?))?;
    } else {
        let answers = answers.iter().map(|answer| text(answer, args.rocm));
        let texts: Vec<String> = answers.chain(words.iter().map(word_text)).collect();
        output::print(&texts.join("\n"))?;
    }
    for name in &unknown {
        let names = table.iter().flat_map(|hit| sides(hit.entry));
        let near = nearest(name, names);
        let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        output::complain(&format!(
            "no table knows `{name}`, as a name or as the start of one{hint}"
        ));
    }
    Ok(if unknown.is_empty() {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

/// The entries that a word means: its own, those whose target it is, the pattern that covers it, or all that start so.
fn find<'t>(table: &'t ApiTable, word: &str) -> Vec<Hit<'t>> {
    if let Some(glob) = glob(word) {
        let fits = |hit: &Hit<'_>| sides(hit.entry).any(|side| glob.is_match(side));
        return table.iter().filter(fits).collect();
    }
    let (whole, member) = word.split_once('.').unwrap_or((word, ""));
    let field = table
        .fields(member.as_bytes())
        .find(|hit| hit.entry.cuda == word);
    let own = field
        .or_else(|| table.header(word.as_bytes()))
        // What differs in a structure has an entry of its own; the rest goes with the structure.
        .or_else(|| table.get(whole.as_bytes()));
    let from =
        |hit: &Hit<'_>| hit.entry.cuda != word && sides(hit.entry).skip(1).any(|side| side == word);
    let mut hits: Vec<Hit<'t>> = own.into_iter().chain(table.iter().filter(from)).collect();
    if hits.is_empty() {
        hits.extend(table.get_or_pattern(whole.as_bytes()));
    }
    if hits.is_empty() {
        hits.extend(table.ending(whole.as_bytes()));
    }
    if hits.is_empty() {
        let named = |hit: &Hit<'_>| hit.entry.cuda == word;
        hits.extend(
            table
                .namespaces()
                .find(named)
                .or_else(|| qualified(table, word)),
        );
    }
    if hits.is_empty() {
        let starts = |hit: &Hit<'_>| sides(hit.entry).any(|side| side.starts_with(word));
        hits.extend(table.iter().filter(starts));
    }
    hits
}

/// What is known of `a::b::c` where that has no entry: that of the word itself, or that of the innermost namespace with one.
fn qualified<'t>(table: &'t ApiTable, word: &str) -> Option<Hit<'t>> {
    let (mut outer, last) = word.rsplit_once("::")?;
    let root = word.split("::").next();
    let own = table
        .get(last.as_bytes())
        .filter(|hit| root == Some(hit.entry.library));
    let named = |name: &str| table.namespaces().find(|hit| hit.entry.cuda == name);
    let mut found = own.or_else(|| named(outer));
    while let (None, Some((next, _))) = (found, outer.rsplit_once("::")) {
        outer = next;
        found = named(outer);
    }
    found
}

/// The CUDA name, then the names of AMD's side.
fn sides(entry: &ApiEntry) -> impl Iterator<Item = &str> {
    let forms = entry.forms.iter().filter_map(|form| form.hip);
    let older = entry.older.iter().map(|older| older.hip);
    std::iter::once(entry.cuda)
        .chain(entry.hip)
        .chain(entry.roc.iter().map(|roc| roc.name))
        .chain(forms)
        .chain(older)
}

fn glob(word: &str) -> Option<GlobMatcher> {
    word.contains(['*', '?', '['])
        .then(|| Glob::new(word).ok())
        .flatten()
        .map(|glob| glob.compile_matcher())
}

/// What is said of a word that no table has.
enum Unlisted {
    Example(Shown),
    Known(String),
    Unknown,
}

fn unlisted(name: &str, session: &Session) -> Unlisted {
    if name.contains(['*', '?']) {
        return Unlisted::Unknown;
    }
    let watcher = watchers(name);
    let example = match &watcher {
        _ if name.contains("::") && watcher.is_some() => None,
        // Where nothing changes, the rule's page says more than a line of code.
        Some(_) => {
            example::of_name(name, None, session).filter(|example| example.cuda != example.hip)
        }
        None => example::of_build_word(name, session),
    };
    let of_hip = name.starts_with("__HIP") || name.starts_with("HIP_") || name == "__AMDGCN__";
    match (example, watcher, not_public(name)) {
        (Some(example), ..) => Unlisted::Example(shown(example)),
        (None, Some(rule), _) => Unlisted::Known(format!(
            "no table has `{name}`: {rule} looks after it, see `explain`"
        )),
        _ if of_hip => Unlisted::Known(format!(
            "`{name}` is a macro of HIP: hipcc and HIP's headers define those; give other compilers `-D__HIP_PLATFORM_AMD__`"
        )),
        (None, None, Some(why)) => {
            Unlisted::Known(format!("`{name}` is no public API of CUDA: {why}"))
        }
        (None, None, None) => Unlisted::Unknown,
    }
}

fn shown(example: Example) -> Shown {
    let say = |(_, message, help): &(Severity, String, String)| match help.as_str() {
        "" => message.clone(),
        help => format!("{message}. {help}"),
    };
    Shown {
        severity: example.severity(),
        findings: example.findings.iter().map(say).collect(),
        cuda: example.cuda,
        hip: example.hip,
    }
}

/// A word of a build file, or one that only a rule knows.
fn word_text(shown: &Shown) -> String {
    let mut lines = vec![shown.cuda.clone()];
    lines.push(format!("  becomes    {}", outcome(shown)));
    let findings = shown.findings.iter();
    lines.extend(findings.map(|finding| format!("  finding    {finding}")));
    lines.join("\n") + "\n"
}

fn outcome(shown: &Shown) -> &str {
    match shown.hip.as_str() {
        "" => "nothing: it is not needed",
        hip if hip != shown.cuda => hip,
        _ if shown.severity > Severity::Info => "stays, and is reported",
        _ => "stays as it is",
    }
}

fn answer<'e>(hit: Hit<'e>, session: &Session) -> Answer<'e> {
    let entry = hit.entry;
    let rocm = session.options.rocm;
    // A rule that owns a name does all there is to do: its entry does not tell what becomes of it.
    // So does one that has no counterpart and belongs to somebody else.
    let is_left = entry.hip.is_none() && matches!(entry.kind, Kind::Header | Kind::Namespace);
    let example = (is_left || session.owns(entry.cuda.as_bytes()))
        .then(|| example::of_name(entry.cuda, Some(entry), session))
        .flatten()
        .map(shown);
    let does_without = example
        .as_ref()
        .is_some_and(|shown| shown.severity < Severity::Error);
    let version = |version: Option<Version>| version.map(|version| version.to_string());
    let known = library::find(entry.library);
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
        available: does_without || entry.hip.is_some() && entry.rocm.contains(rocm),
        example,
        older: entry
            .older
            .iter()
            .map(|older| format!("{} below ROCm {}", older.hip, older.below))
            .collect(),
        arguments: entry.args.iter().map(edit).collect(),
        roc_arguments: entry
            .roc
            .iter()
            .flat_map(|roc| roc.args.iter().map(edit))
            .collect(),
        forms: entry
            .forms
            .iter()
            .map(|form| {
                let edits: Vec<String> = form.args.iter().map(edit).collect();
                let name = form.hip.or(entry.hip).unwrap_or_default();
                let stays = if name == entry.cuda {
                    " (stays, and is reported)"
                } else {
                    ""
                };
                format!(
                    "{} arguments: {name}{stays} {}",
                    form.arity,
                    edits.join("; ")
                )
                .trim_end()
                .to_owned()
            })
            .collect(),
        header: entry
            .include
            .or_else(|| known.map(|library| library.header))
            .filter(|header| !header.is_empty()),
        link: known.map_or(&[], |library| library.link),
        rules: rules(entry),
        note: entry.note,
        source: entry.source,
        origin: match hit.origin {
            Origin::Builtin => "built-in table",
            Origin::Overlay(_) => "table of --mappings",
        },
    }
}

fn edit(edit: &ArgEdit<'static>) -> String {
    let at = edit.at;
    match &edit.verb {
        Verb::Cast(ty) => format!("argument {at} is cast to {ty}"),
        Verb::Wrap(with) => format!("argument {at} goes into {with}(…)"),
        Verb::Drop => format!("argument {at} goes"),
        Verb::Insert(text) => format!("{text} comes in front of argument {at}"),
        Verb::Replace { text, when: None } => format!("argument {at} becomes {text}"),
        Verb::Replace {
            text,
            when: Some(when),
        } => format!("argument {at} becomes {text} where it is {when}"),
        Verb::Move(to) => format!("argument {at} moves in front of argument {to}"),
        Verb::Copy(from) => format!("argument {from} is repeated in front of argument {at}"),
    }
}

/// The rule that handles a name for which no table has an entry.
fn watchers(name: &str) -> Option<String> {
    let watching = all()
        .iter()
        .find(|(rule, _)| name.split("::").any(|part| watches(rule, part)))?;
    Some(format!("{} {}", watching.0.code, watching.0.name))
}

fn watches(rule: &Rule, name: &str) -> bool {
    rule.triggers.iter().any(|trigger| match trigger {
        Trigger::Owned(names) | Trigger::Idents(names) => names.contains(&name),
        _ => false,
    })
}

/// The rules that act on a name: those that own or watch it, or the one of the tables.
fn rules(entry: &ApiEntry) -> Vec<String> {
    let owns =
        |trigger: &Trigger| matches!(trigger, Trigger::Owned(names) if names.contains(&entry.cuda));
    let mut found = Vec::new();
    let mut owned = false;
    for (rule, _) in all() {
        if watches(rule, entry.cuda) {
            owned |= rule.triggers.iter().any(owns);
            found.push(format!("{} {}", rule.code, rule.name));
        }
    }
    let name = match (entry.kind, entry.support) {
        (Kind::Header, _) => "rewrite-include",
        (Kind::Field, _) => "rename-field",
        (Kind::Namespace, _) => "rename-namespace",
        (_, Support::Full) => "rename-api",
        (_, Support::Review) => "review-api",
        (_, Support::Unsupported) => "unsupported-api",
    };
    if !owned && let Some((rule, _)) = crate::rules::find(name) {
        found.insert(0, format!("{} {}", rule.code, rule.name));
    }
    found
}

fn text(answer: &Answer<'_>, rocm: Version) -> String {
    let mut lines = vec![format!(
        "{} ({}, {})",
        answer.cuda, answer.kind, answer.title
    )];
    let mut line = |title: &str, value: &str| lines.push(format!("  {title:<10} {value}"));
    let owned = answer.example.as_ref();
    if let Some(shown) = owned {
        let code = format!("{} (from {})", outcome(shown), shown.cuda);
        line("becomes", &code);
    }
    match answer.hip {
        _ if owned.is_some() => {}
        Some("") => line("becomes", "nothing: the include is not needed"),
        Some(hip) if hip == answer.cuda => line("becomes", "stays as it is"),
        Some(hip) => line("becomes", hip),
        None => line("becomes", "nothing: AMD has no counterpart"),
    }
    if let Some(roc) = answer.roc {
        line("or", &format!("{roc} where the roc library is chosen"));
    }
    answer.older.iter().for_each(|older| line("older", older));
    answer
        .arguments
        .iter()
        .for_each(|edit| line("arguments", edit));
    answer
        .roc_arguments
        .iter()
        .for_each(|edit| line("roc only", edit));
    answer.forms.iter().for_each(|form| line("calls of", form));
    let support = match answer.support {
        _ if owned.is_some_and(|shown| shown.severity == Severity::Info) => "converts safely",
        _ if owned.is_some_and(|shown| shown.severity == Severity::Warning) => {
            "converts; a person must look"
        }
        _ if owned.is_some() => "does not convert",
        Support::Full => "converts safely",
        Support::Review if answer.of_result => {
            "converts; a person must look where the result is read"
        }
        Support::Review => "converts; a person must look",
        Support::Unsupported => "does not convert",
    };
    line("support", support);
    let span = |since: &Option<String>, until: &Option<String>| {
        [
            since.as_ref().map(|since| format!("since {since}")),
            until.as_ref().map(|until| format!("removed in {until}")),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
    };
    let releases = [
        ("CUDA", span(&answer.cuda_since, &answer.cuda_until)),
        ("ROCm", span(&answer.rocm_since, &answer.rocm_until)),
    ];
    for (title, span) in releases {
        if !span.is_empty() {
            line(title, &span);
        }
    }
    if answer.hip.is_some() && !answer.available {
        line("missing", &format!("ROCm {rocm} does not have it"));
    }
    if let Some(header) = answer.header.filter(|_| answer.hip.is_some()) {
        line("header", header);
    }
    if !answer.link.is_empty() && answer.hip.is_some() {
        line("link", &answer.link.join(" "));
    }
    for finding in owned.iter().flat_map(|shown| &shown.findings) {
        line("finding", finding);
    }
    line("rule", &answer.rules.join(", "));
    // Where a rule does the work its findings say what is to be said.
    if let Some(note) = answer.note.filter(|_| owned.is_none()) {
        line("note", note);
    }
    if let Some(source) = answer.source {
        line("source", source);
    }
    if answer.origin != "built-in table" {
        line("from", answer.origin);
    }
    lines.join("\n") + "\n"
}
