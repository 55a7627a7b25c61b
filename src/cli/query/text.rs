//! An answer as lines for a reader.

use super::answer::Answer;
use super::word::outcome;
use crate::diagnostic::Severity;
use crate::mapping::{Support, Version};

pub(super) fn text(answer: &Answer<'_>, rocm: Version) -> String {
    let head = format!("{} ({}, {})", answer.cuda, answer.kind, answer.title);
    let mut lines = Lines(vec![head]);
    lines.add_targets(answer);
    lines.add_arguments(answer);
    lines.add("support", support(answer));
    lines.add_helper(answer);
    lines.add_releases(answer, rocm);
    lines.add_headers(answer);
    lines.add_advice(answer);
    lines.0.join("\n") + "\n"
}

/// How far a call converts; a rule that does more than its table has the last word.
fn support(answer: &Answer<'_>) -> &'static str {
    match (&answer.example, answer.support) {
        (Some(shown), _) if answer.helper.is_some() => match shown.severity {
            Severity::Info => "by a helper, with the same meaning",
            Severity::Warning => "by a helper; a person must look",
            _ => "does not convert",
        },
        (Some(shown), _) => match shown.severity {
            Severity::Info => "converts safely",
            Severity::Warning => "converts; a person must look",
            _ => "does not convert",
        },
        (None, Support::Full) => "converts safely",
        (None, Support::Review) if answer.of_result => {
            "converts; a person must look where the result is read"
        }
        (None, Support::Review) => "converts; a person must look",
        (None, Support::Unsupported) => "does not convert",
    }
}

/// `since 11.0, removed in 13.0`
fn span(since: Option<&String>, until: Option<&String>) -> String {
    let since = since.map(|since| format!("since {since}"));
    let until = until.map(|until| format!("removed in {until}"));
    let both: Vec<String> = since.into_iter().chain(until).collect();
    both.join(", ")
}

/// Lines of a title and a value, in columns.
struct Lines(Vec<String>);

impl Lines {
    fn add(&mut self, title: &str, value: &str) {
        self.0.push(format!("  {title:<10} {value}"));
    }

    fn add_targets(&mut self, answer: &Answer<'_>) {
        if let Some(shown) = &answer.example {
            let code = format!("{} (from {})", outcome(shown), shown.cuda);
            self.add("becomes", &code);
        }
        match answer.hip {
            _ if answer.example.is_some() => {}
            Some("") => self.add("becomes", "nothing: the include is not needed"),
            Some(hip) if hip == answer.cuda => self.add("becomes", "stays as it is"),
            Some(hip) => self.add("becomes", hip),
            None => self.add("becomes", "nothing: AMD has no counterpart"),
        }
        if let Some(roc) = answer.roc {
            self.add("or", &format!("{roc} where the roc library is chosen"));
        }
    }

    /// What the helper does, and which calls go without it.
    fn add_helper(&mut self, answer: &Answer<'_>) {
        if let Some(helper) = answer.helper {
            self.add("helper", helper);
        }
        if let Some(limit) = answer.limit {
            self.add("limit", limit);
        }
        answer
            .exact
            .iter()
            .for_each(|value| self.add("exact", value));
    }

    fn add_arguments(&mut self, answer: &Answer<'_>) {
        let is_edited = answer.helper.is_none() || !answer.exact.is_empty();
        let none = Vec::new();
        let arguments = if is_edited { &answer.arguments } else { &none };
        for (title, values) in [
            ("older", &answer.older),
            ("arguments", arguments),
            ("roc only", &answer.roc_arguments),
            ("calls of", &answer.forms),
        ] {
            values.iter().for_each(|value| self.add(title, value));
        }
    }

    fn add_releases(&mut self, answer: &Answer<'_>, rocm: Version) {
        let cuda = span(answer.cuda_since.as_ref(), answer.cuda_until.as_ref());
        let hip = span(answer.rocm_since.as_ref(), answer.rocm_until.as_ref());
        for (title, span) in [("CUDA", cuda), ("ROCm", hip)] {
            if !span.is_empty() {
                self.add(title, &span);
            }
        }
        if answer.hip.is_some() && !answer.available {
            self.add("missing", &format!("ROCm {rocm} does not have it"));
        }
    }

    fn add_headers(&mut self, answer: &Answer<'_>) {
        if answer.hip.is_none() {
            return;
        }
        if let Some(header) = answer.header {
            self.add("header", header);
        }
        if !answer.link.is_empty() {
            self.add("link", &answer.link.join(" "));
        }
    }

    fn add_advice(&mut self, answer: &Answer<'_>) {
        for finding in answer.example.iter().flat_map(|shown| &shown.findings) {
            self.add("finding", finding);
        }
        if let Some(measured) = answer.measured {
            self.add("measured", measured);
        }
        if let Some(measured) = answer.measured_strictly {
            self.add("strict-math", measured);
        }
        self.add("rule", &answer.rules.join(", "));
        // Where a rule does the work its findings say what is to be said.
        if let Some(note) = answer.note.filter(|_| answer.example.is_none()) {
            self.add("note", note);
        }
        if let Some(source) = answer.source {
            self.add("source", source);
        }
        if answer.origin != "built-in table" {
            self.add("from", answer.origin);
        }
    }
}
