//! Fixes that were wanted and are not in the output: their findings say so, unless the code they are about is gone.

use crate::diagnostic::{Group, Judged, Reason, Severity};
use crate::edit::{Applicability, Edit, Fix};
use crate::rules::find;
use crate::syntax::Lexed;
use crate::text::TextRange;

/// Raises the findings whose fix is at or above `policy` and yielded to another fix, and those whose fix is below it and that would
/// pass for converted.
pub(super) fn raise(document: &Lexed<'_>, findings: &mut [Judged], policy: Applicability) {
    let is_lost = |it: &Judged| {
        let is_wanted = |fix: &Fix| !fix.edits.is_empty() && fix.applicability >= policy;
        !it.is_applied() && it.fix().is_some_and(is_wanted)
    };
    if findings.iter().any(is_lost) {
        let replaced = Replaced::new(findings);
        let lost: Vec<usize> = (0..findings.len())
            .filter(|&at| is_lost(&findings[at]))
            .filter(|&at| !replaced.is_gone(document, findings, &findings[at]))
            .collect();
        lost.into_iter()
            .for_each(|at| raise_lost(&mut findings[at]));
    }
    for judged in findings.iter_mut() {
        let fix = judged.fix().filter(|_| !judged.is_applied());
        let is_below =
            |fix: &Fix| fix.applicability == Applicability::Review && policy > fix.applicability;
        if !fix.is_some_and(is_below) {
            continue;
        }
        // A name of CUDA that stays does not compile.
        let least = match judged.api() {
            Some(api) if api.target != Some(api.name) => Severity::Error,
            _ => Severity::Warning,
        };
        if judged.severity() < least {
            judged.raise(least);
            judged.verdict.reasons.push(Reason::BelowLevel);
        }
    }
}

/// Says that nothing was done, where a finding of its own would pass for done.
fn raise_lost(judged: &mut Judged) {
    let is_taste = find(judged.code()).is_some_and(|(rule, _)| rule.group == Group::Comments);
    judged.raise(match is_taste {
        true => Severity::Warning,
        false => Severity::Error,
    });
    judged.verdict.reasons.push(Reason::Yielded);
}

/// The bytes that applied fixes replace or delete, in order, each with the finding whose fix it is.
struct Replaced {
    ranges: Vec<(TextRange, usize)>,
}

impl Replaced {
    fn new(findings: &[Judged]) -> Self {
        let applied = findings
            .iter()
            .enumerate()
            .filter(|(_, judged)| judged.is_applied());
        let edits = applied.flat_map(|(at, judged)| {
            let edits = judged.fix().into_iter().flat_map(|fix| &fix.edits);
            edits.map(move |edit| (edit.range, at))
        });
        let mut ranges: Vec<_> = edits.filter(|(range, _)| !range.is_empty()).collect();
        ranges.sort_unstable();
        Self { ranges }
    }

    /// The applied finding that replaces all bytes of a range, and those around it for an empty one.
    fn by(&self, range: TextRange) -> Option<usize> {
        let before = self
            .ranges
            .partition_point(|(it, _)| it.start <= range.start);
        let (around, finding) = self.ranges.get(before.checked_sub(1)?)?;
        let is_inside = around.end >= range.end
            && (!range.is_empty() || around.start < range.start && range.end < around.end);
        is_inside.then_some(*finding)
    }

    /// Whether the code that a finding would change is gone: replaced by a fix that does not repeat it.
    fn is_gone(&self, document: &Lexed<'_>, findings: &[Judged], lost: &Judged) -> bool {
        let mut edits = lost.fix().into_iter().flat_map(|fix| &fix.edits);
        edits.all(|edit| {
            let around = self.by(edit.range).map(|at| &findings[at]);
            let about = if edit.range.is_empty() {
                lost.range()
            } else {
                edit.range
            };
            around.is_some_and(|around| !repeats(around, document.source.slice(about)))
        })
    }
}

/// Whether a fix writes code that it takes out somewhere: what is moved or copied is not gone.
fn repeats(judged: &Judged, code: &[u8]) -> bool {
    let mut edits = judged.fix().into_iter().flat_map(|fix| &fix.edits);
    edits.any(|edit: &Edit| holds_words(edit.content.as_bytes(), code.trim_ascii()))
}

/// Whether `code` stands in `text`, and not as a part of longer words.
fn holds_words(text: &[u8], code: &[u8]) -> bool {
    let is_word =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    !code.is_empty()
        && memchr::memmem::find_iter(text, code).any(|at| {
            let before = at.checked_sub(1).and_then(|before| text.get(before));
            let joins_before = is_word(before) && is_word(code.first());
            let joins_behind = is_word(text.get(at + code.len())) && is_word(code.last());
            !joins_before && !joins_behind
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Finding, FixState};
    use crate::edit::EditSet;
    use crate::engine::route::Reading;
    use crate::text::SourceFile;

    const CODE: &str = "f(a, (T *)(edges + 1), n);";

    /// The severity of a finding whose fix loses to one that puts `content` in place of the second argument.
    fn beside(content: &'static str, policy: Applicability, lost: Fix) -> (Severity, String) {
        let winner = Fix::safe(vec![Edit::replace(TextRange::new(5, 21), content)]);
        let finding = |fix| {
            Finding::new(
                "CASS001",
                Severity::Info,
                TextRange::new(11, 16),
                "it changes",
            )
            .fix(fix)
        };
        let mut findings = [finding(winner), finding(lost)].map(Judged::new);
        let fixes: Vec<_> = findings.iter().map(|it| (0, it.fix())).collect();
        let applied = EditSet::resolve(&fixes, policy).applied;
        for (judged, is_made) in findings.iter_mut().zip(applied) {
            if is_made {
                judged.verdict.fix = FixState::Made;
            }
        }
        let source = SourceFile::new("a.cu", CODE.as_bytes().to_vec());
        raise(&Reading::new(&source), &mut findings, policy);
        assert_eq!(
            findings[0].severity(),
            Severity::Info,
            "the winner did what it says"
        );
        (findings[1].severity(), findings[1].message().to_string())
    }

    fn inner() -> Fix {
        Fix::safe(vec![Edit::replace(TextRange::new(11, 16), "bytes")])
    }

    #[test]
    fn what_is_lost_in_code_that_is_gone_is_no_loss() {
        for content in ["", "0", "other_edges"] {
            let (severity, message) = beside(content, Applicability::Review, inner());
            assert_eq!(
                (severity, &*message),
                (Severity::Info, "it changes"),
                "{content}"
            );
        }
    }

    #[test]
    fn what_is_lost_in_code_that_stays_is_an_error() {
        let reaches_out = Fix::safe(vec![Edit::replace(TextRange::new(11, 25), "bytes")]);
        for (content, fix) in [("g(edges)", inner()), ("", reaches_out)] {
            let (severity, message) = beside(content, Applicability::Review, fix);
            assert_eq!(severity, Severity::Error);
            assert!(
                message.ends_with("but another fix changes the same code"),
                "{message}"
            );
        }
    }

    #[test]
    fn what_the_policy_leaves_is_told() {
        let fix = Fix::review(vec![Edit::replace(TextRange::new(0, 1), "g")]);
        assert_eq!(beside("", Applicability::Safe, fix).0, Severity::Warning);
    }

    #[test]
    fn words_are_not_parts_of_words() {
        for (text, code, holds) in [
            ("f(edges, n)", "edges", true),
            ("f(my_edges, n)", "edges", false),
            ("f(edges2)", "edges", false),
            ("a+b", "+", true),
            ("a", "", false),
        ] {
            assert_eq!(
                holds_words(text.as_bytes(), code.as_bytes()),
                holds,
                "{text} {code}"
            );
        }
    }
    #[test]
    fn a_name_that_the_level_leaves_is_an_error() {
        let source = SourceFile::new("a.cu", CODE.as_bytes().to_vec());
        let severity = |target| {
            let api = crate::diagnostic::ApiUse {
                name: "edges",
                library: "CUDA runtime",
                target: Some(target),
                rocm_since: None,
            };
            let fix = Fix::review(vec![Edit::replace(TextRange::new(11, 16), "bytes")]);
            let range = TextRange::new(11, 16);
            let finding = Finding::new("CASS002", Severity::Warning, range, "it changes");
            let mut findings = [Judged::new(finding.api(api).fix(fix))];
            raise(&Reading::new(&source), &mut findings, Applicability::Safe);
            findings[0].severity()
        };
        assert_eq!(severity("bytes"), Severity::Error);
        assert_eq!(severity("edges"), Severity::Warning, "HIP has the name");
    }
}
