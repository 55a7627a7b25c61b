//! Written tables to entries that cannot be wrong. The same code runs in the build script, for overlays and in the tests.

use std::collections::BTreeSet;
use std::ops::Range;

use super::entry::{ArgEdit, Entry, Form, Kind, Older, RocTarget, Support, Unless, Verb};
use super::schema::{RawArg, RawEntry, RawTable, Section};
use super::version::Span;

/// Something wrong in a table, with the bytes of the file it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Bytes of the TOML text.
    pub span: Range<usize>,
    /// What is wrong and what to do.
    pub message: String,
}

/// Checks one table by itself and returns its entries in the order of sections and keys.
///
/// # Errors
/// All problems found: unsorted keys, missing targets or notes, verbs that contradict each other, versions that cannot be read.
pub fn validate(table: &RawTable) -> Result<Vec<Entry<'_>>, Vec<Problem>> {
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    for (kind, section) in sections(table) {
        check_order(section, &mut problems);
        for (key, raw) in section {
            match entry(table, kind, key.get_ref(), raw.get_ref()) {
                Ok(mut entry) => {
                    entry.source = entry
                        .source
                        .or(table.source.as_deref().filter(|_| entry.has_releases()));
                    entries.push(entry);
                }
                Err(message) => problems.push(Problem {
                    span: key.span(),
                    message: format!("`{}`: {message}", key.get_ref()),
                }),
            }
        }
    }
    check_notes(table, &mut problems);
    if problems.is_empty() {
        Ok(entries)
    } else {
        Err(problems)
    }
}

fn sections(table: &RawTable) -> [(Kind, &Section); 9] {
    [
        (Kind::Function, &table.functions),
        (Kind::Type, &table.types),
        (Kind::Enumerator, &table.enumerators),
        (Kind::Macro, &table.macros),
        (Kind::Field, &table.fields),
        (Kind::Namespace, &table.namespaces),
        (Kind::Variable, &table.variables),
        (Kind::Header, &table.headers),
        (Kind::Pattern, &table.patterns),
    ]
}

/// The advice of an entry: its own, or the one of `[notes]` that `@name` stands for.
fn note<'r>(table: &'r RawTable, raw: &'r RawEntry) -> Result<Option<&'r str>, String> {
    let Some(text) = raw.note.as_deref() else {
        return Ok(None);
    };
    let Some(name) = text.strip_prefix('@') else {
        return Ok(Some(text));
    };
    match table.notes.get(name) {
        Some(shared) => Ok(Some(shared)),
        None => Err(format!("there is no note `{name}` in [notes]")),
    }
}

fn check_notes(table: &RawTable, problems: &mut Vec<Problem>) {
    let raws = sections(table)
        .into_iter()
        .flat_map(|(_, section)| section.values());
    let used: BTreeSet<&str> = raws
        .filter_map(|raw| raw.get_ref().note.as_deref()?.strip_prefix('@'))
        .collect();
    let unused = table
        .notes
        .keys()
        .filter(|key| !used.contains(key.get_ref().as_str()));
    problems.extend(unused.map(|key| Problem {
        span: key.span(),
        message: format!("no entry has the note `@{}`", key.get_ref()),
    }));
}

fn check_order(section: &Section, problems: &mut Vec<Problem>) {
    let mut last = 0;
    for key in section.keys() {
        if key.span().start < last {
            let message = format!(
                "`{}` is not in order: sort the keys of a section by bytes",
                key.get_ref()
            );
            problems.push(Problem {
                span: key.span(),
                message,
            });
        }
        last = last.max(key.span().start);
    }
}

/// A range of releases; all of them where none is named.
fn span(text: &Option<String>) -> Result<Span, String> {
    text.as_deref().map_or(Ok(Span::default()), str::parse)
}

/// The target in AMD's own library, where the entry names one.
fn roc_target(raw: &RawEntry) -> Result<Option<RocTarget<'_>>, String> {
    match &raw.roc {
        Some(name) => Ok(Some(RocTarget {
            name,
            rocm: span(&raw.roc_rocm)?,
            args: args(&raw.roc_args)?,
        })),
        None if raw.roc_args.is_empty() && raw.roc_rocm.is_none() => Ok(None),
        None => Err("`roc_args` and `roc_rocm` need `roc`".into()),
    }
}

fn entry<'r>(
    table: &'r RawTable,
    kind: Kind,
    cuda: &'r str,
    raw: &'r RawEntry,
) -> Result<Entry<'r>, String> {
    let support = raw.support.unwrap_or(Support::Full);
    check_key(kind, cuda)?;
    check_targets(kind, cuda, raw, support)?;
    let form = |form: &'r super::schema::RawForm| {
        Ok::<_, String>(Form {
            arity: form.arity,
            hip: form.hip.as_deref(),
            rocm: form.rocm.as_deref().map(str::parse).transpose()?,
            args: args(&form.args)?,
        })
    };
    if !raw.unless.is_empty() && support != Support::Review {
        return Err("`unless` needs support = \"review\"".into());
    }
    let unless = |unless: &'r super::schema::RawUnless| Unless {
        at: unless.at,
        is: &unless.is,
    };
    let older = |older: &'r super::schema::RawOlder| {
        Ok::<_, String>(Older {
            below: older.below.parse()?,
            hip: &older.hip,
        })
    };
    Ok(Entry {
        cuda,
        hip: raw.hip.as_deref(),
        roc: roc_target(raw)?,
        kind,
        library: &table.library,
        support,
        args: args(&raw.args)?,
        forms: raw.forms.iter().map(form).collect::<Result<_, _>>()?,
        unless: raw.unless.iter().map(unless).collect(),
        result: raw.result,
        cuda_versions: span(&raw.cuda)?,
        rocm: span(&raw.rocm)?,
        older: raw.older.iter().map(older).collect::<Result<_, _>>()?,
        note: note(table, raw)?,
        context: raw.context,
        include: raw.include.as_deref(),
        source: raw.source.as_deref(),
    })
}

fn check_key(kind: Kind, cuda: &str) -> Result<(), String> {
    let fits = match kind {
        Kind::Header => !cuda.is_empty(),
        // Patterns are looked up by their first two bytes.
        Kind::Pattern => cuda.len() > 2 && !cuda[..2].contains(['*', '?', '[', '{']),
        Kind::Field => cuda.split('.').count() == 2 && cuda.split('.').all(is_identifier),
        Kind::Namespace => cuda.split("::").all(is_identifier),
        _ => is_identifier(cuda),
    };
    if fits {
        Ok(())
    } else {
        Err(format!("is not a key for {kind:?}"))
    }
}

fn check_targets(kind: Kind, cuda: &str, raw: &RawEntry, support: Support) -> Result<(), String> {
    match (&raw.hip, support) {
        (Some(_), Support::Unsupported) => return Err(
            "has a target, so it is not unsupported: remove `hip` or write support = \"review\""
                .into(),
        ),
        (None, Support::Full | Support::Review) if raw.roc.is_none() => {
            return Err(
                "has no target: give `hip`, or support = \"unsupported\" with a note".into(),
            );
        }
        _ => {}
    }
    if support != Support::Full
        && raw
            .note
            .as_deref()
            .is_none_or(|note| note.trim().is_empty())
    {
        return Err("needs a `note` that says what a person should do".into());
    }
    if let Some(hip) = raw
        .hip
        .as_deref()
        .filter(|_| !matches!(kind, Kind::Header | Kind::Pattern | Kind::Macro))
        && !hip.split("::").all(is_target)
        && !(kind == Kind::Field && hip.split('.').all(is_identifier))
    {
        return Err(format!("target `{hip}` is not a name"));
    }
    if cuda.is_empty() {
        Err("is empty".into())
    } else {
        Ok(())
    }
}

fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Targets may carry template arguments or blanks (`unsigned int`): enough that they hold no statement.
fn is_target(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_ <>,*".contains(&byte))
}

fn args(raw: &[RawArg]) -> Result<Vec<ArgEdit<'_>>, String> {
    raw.iter().map(arg).collect()
}

fn arg(raw: &RawArg) -> Result<ArgEdit<'_>, String> {
    let mut verbs = [
        raw.cast.as_deref().map(Verb::Cast),
        raw.wrap.as_deref().map(Verb::Wrap),
        raw.drop.then_some(Verb::Drop),
        raw.insert.as_deref().map(Verb::Insert),
        raw.replace.as_deref().map(|text| Verb::Replace {
            text,
            when: raw.when.as_deref(),
            of: raw.of,
        }),
        raw.moves.map(Verb::Move),
        raw.copy.map(Verb::Copy),
    ]
    .into_iter()
    .flatten();
    match (verbs.next(), verbs.next()) {
        (Some(verb), None) => Ok(ArgEdit { at: raw.at, verb }),
        _ => Err(format!(
            "the edit of argument {} needs exactly one of cast, wrap, drop, insert, replace, move, copy",
            raw.at
        )),
    }
}
