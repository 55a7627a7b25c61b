//! Whether the headers declare a target as the entry says it.

use super::problem::{Problem, ProblemKind, problem};
use super::targets::Checked;
use crate::mapping::{ApiEntry, ArgEdit, Kind, Support, Verb};
use crate::survey::scan::{Declared, Names, What};
use crate::text::keywords::is_keyword;

pub(super) fn check(
    entry: &ApiEntry,
    target: &Checked<'_>,
    hip: &Names,
    cuda: &Names,
    counted: &mut usize,
) -> Result<(), Problem> {
    for word in words(target.name) {
        if hip.get(word).is_none() {
            let detail = format!("`{word}` is declared in no header");
            return Err(problem(ProblemKind::Missing, entry, target.name, detail));
        }
    }
    let Some(declared) = hip.get(target.name) else {
        return Ok(());
    };
    if !fits_kind(entry.kind, declared) {
        let detail = format!(
            "the entry says {:?}, {} declares {:?}",
            entry.kind, declared.header, declared.what
        );
        return Err(problem(ProblemKind::WrongKind, entry, target.name, detail));
    }
    let known = cuda
        .get(entry.cuda)
        .filter(|_| entry.kind == Kind::Function);
    match known.and_then(|known| counts(entry, target, known, declared)) {
        Some(Ok(())) => {
            *counted += 1;
            Ok(())
        }
        Some(Err(detail)) => {
            *counted += 1;
            Err(problem(
                ProblemKind::ArgumentCount,
                entry,
                target.name,
                detail,
            ))
        }
        None => Ok(()),
    }
}

/// The identifiers of a target that a header must declare: the last of each qualified name.
fn words(target: &str) -> impl Iterator<Item = &str> {
    target
        .split(['<', '>', ',', ' ', '*', '(', ')'])
        .map(|part| part.rsplit("::").next().unwrap_or(part))
        // Builtins of the compiler stand in no header.
        .filter(|word| !word.starts_with("__builtin_"))
        .filter(|word| {
            word.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && !is_keyword(word.as_bytes())
        })
}

fn fits_kind(kind: Kind, declared: &Declared) -> bool {
    let is = |what| declared.what.contains(&what);
    // A macro may stand for anything.
    is(What::Macro)
        || match kind {
            Kind::Function => is(What::Function) || is(What::Type) || is(What::Variable),
            Kind::Type => is(What::Type),
            Kind::Enumerator => is(What::Enumerator) || is(What::Variable),
            Kind::Variable => is(What::Variable) || is(What::Enumerator),
            _ => true,
        }
}

/// Whether some declaration of the target takes what the edits leave of some declaration of the CUDA function.
fn counts(
    entry: &ApiEntry,
    target: &Checked<'_>,
    cuda: &Declared,
    hip: &Declared,
) -> Option<Result<(), String>> {
    let forms: Vec<usize> = entry
        .forms
        .iter()
        .map(|form| usize::from(form.arity))
        .collect();
    let mut calls: Vec<usize> = cuda
        .arities
        .iter()
        .filter(|&&(_, most)| most != usize::MAX)
        .flat_map(|&(least, most)| least..=most)
        .filter(|count| match target.arity {
            Some(arity) => *count == arity,
            None => !forms.contains(count),
        })
        .collect();
    calls.sort_unstable();
    calls.dedup();
    // Where a form says which calls HIP's function takes, the others are a helper's or a person's.
    let mut others = entry.forms.iter().filter(|_| target.arity.is_none());
    let is_told = entry.support == Support::Review && others.any(|form| form.hip == entry.hip);
    if calls.is_empty() || hip.arities.is_empty() || is_told {
        return None;
    }
    let left = |most: usize| most as isize + change(target.args);
    let takes = |count: isize| {
        hip.arities.iter().any(|&(least, most)| {
            least as isize <= count && (most == usize::MAX || count <= most as isize)
        })
    };
    if calls.iter().any(|&most| takes(left(most))) {
        return Some(Ok(()));
    }
    let after: Vec<isize> = calls.iter().map(|&most| left(most)).collect();
    Some(Err(format!(
        "CUDA takes {calls:?} arguments, the edits leave {after:?}, {} takes {:?}",
        hip.header, hip.arities
    )))
}

/// By how many arguments the edits make a call longer.
fn change(args: &[ArgEdit<'static>]) -> isize {
    let commas = |text: &str| {
        let mut depth = 0;
        let mut count = 1;
        for c in text.chars() {
            depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
            count += isize::from(c == ',' && depth == 0);
        }
        count
    };
    args.iter()
        .map(|edit| match &edit.verb {
            Verb::Drop => -1,
            Verb::Insert(text) => commas(text),
            Verb::Copy(_) => 1,
            Verb::Replace { text, .. } => commas(text) - 1,
            Verb::Cast(_) | Verb::Wrap(_) | Verb::Move(_) => 0,
        })
        .sum()
}
