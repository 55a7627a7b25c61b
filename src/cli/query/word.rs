//! What is said of a word that no table has: one of a build file, or one that a rule looks after.

use serde::Serialize;

use super::rules::watcher;
use crate::diagnostic::Severity;
use crate::engine::Session;
use crate::engine::example::{self, Example};
use crate::survey::not_public;

/// A line of code before and after translation, and what is said of it.
#[derive(Serialize)]
pub(super) struct Shown {
    pub(super) cuda: String,
    pub(super) hip: String,
    pub(super) findings: Vec<String>,
    #[serde(skip)]
    pub(super) severity: Severity,
    /// Rules that act on it.
    #[serde(skip)]
    pub(super) rules: Vec<&'static str>,
}

pub(super) fn shown(example: Example) -> Shown {
    let say = |(_, message, help): &(Severity, String, String)| match help.as_str() {
        "" => message.clone(),
        help => format!("{message}. {help}"),
    };
    Shown {
        severity: example.severity(),
        findings: example.findings.iter().map(say).collect(),
        rules: example.rules,
        cuda: example.cuda,
        hip: example.hip,
    }
}

/// What is said of a word that no table has.
pub(super) enum Unlisted {
    Example(Shown),
    Known(String),
    Unknown,
}

pub(super) fn unlisted(name: &str, session: &Session) -> Unlisted {
    if name.contains(['*', '?']) {
        return Unlisted::Unknown;
    }
    if let Some(example) = example::of_instruction(name, session) {
        return Unlisted::Example(shown(example));
    }
    let watcher = watcher(name);
    let example = match &watcher {
        _ if name.contains("::") && watcher.is_some() => None,
        // Where nothing changes, the rule's page says more than a line of code.
        Some(_) => {
            example::of_name(name, None, session).filter(|example| example.cuda != example.hip)
        }
        None => example::of_build_word(name, session),
    };
    const OF_TORCH: &[&str] = &[
        "CUDAExtension",
        "BuildExtension",
        "CppExtension",
        "cpp_extension",
        "load_inline",
    ];
    let of_hip = name.starts_with("__HIP") || name.starts_with("HIP_") || name == "__AMDGCN__";
    match (example, watcher, not_public(name)) {
        (Some(example), ..) => Unlisted::Example(shown(example)),
        (None, Some(rule), _) => Unlisted::Known(format!(
            "no table has `{name}`: {rule} looks after it, see `explain`"
        )),
        _ if OF_TORCH.contains(&name) => Unlisted::Known(format!(
            "`{name}` is PyTorch's and stays: a build for ROCm runs PyTorch's hipify over the sources; see `explain unrenamed-build`"
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

/// A word of a build file, or one that only a rule knows.
pub(super) fn word_text(shown: &Shown) -> String {
    let mut lines = vec![shown.cuda.clone()];
    lines.push(format!("  becomes    {}", outcome(shown)));
    let findings = shown.findings.iter();
    lines.extend(findings.map(|finding| format!("  finding    {finding}")));
    lines.join("\n") + "\n"
}

pub(super) fn outcome(shown: &Shown) -> &str {
    match shown.hip.as_str() {
        "" => "nothing: it is not needed",
        hip if hip != shown.cuda => hip,
        _ if shown.severity > Severity::Info => "stays, and is reported",
        _ => "stays as it is",
    }
}
