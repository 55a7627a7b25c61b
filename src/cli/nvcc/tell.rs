//! Findings in the style of nvcc's warnings.

use std::path::Path;

use crate::cli::output;
use crate::nvcc::{Cache, Step, Told};
use crate::report::text::harmless;

/// Prints what is to be known of the options.
pub(super) fn warnings(warnings: &[String]) {
    let lines = warnings
        .iter()
        .map(|text| format!("nvcc warning : {}\n", harmless(text)));
    output::note(&lines.collect::<String>());
}

/// Prints the findings of a unit. Those of its headers are told once for each state of the header, not with every unit.
pub(super) fn findings(unit: &Path, findings: &[Told], cache: &Cache) {
    let here = std::env::current_dir().unwrap_or_default();
    let is_told = |told: &&Told| {
        let text = || {
            format!(
                "{}:{}:{}:{}",
                told.path.display(),
                told.line,
                told.code,
                told.message
            )
        };
        told.path == unit || cache.tells_first(text().as_bytes())
    };
    let lines = findings
        .iter()
        .filter(is_told)
        .map(|told| line(told, &here));
    output::note(&lines.collect::<String>());
}

fn line(told: &Told, here: &Path) -> String {
    let path = told.path.strip_prefix(here).unwrap_or(&told.path);
    let help = match told.help.is_empty() {
        true => String::new(),
        false => format!("          {}\n", harmless(&told.help)),
    };
    format!(
        "{}({}): warning #{}-D: {}\n{help}\n",
        harmless(&path.display().to_string()),
        told.line,
        told.code,
        harmless(&told.message)
    )
}

/// A command as a shell would take it.
pub(super) fn quoted(step: &Step) -> String {
    let program = step.program.display().to_string();
    let words = std::iter::once(&program).chain(&step.arguments);
    let word = |word: &String| {
        let is_plain = !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-+=./:,@%".contains(&byte));
        if is_plain {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    words.map(word).collect::<Vec<_>>().join(" ")
}
