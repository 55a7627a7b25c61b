//! One call is one problem: what its arguments lack is told with the call.

use crate::cpp::calls::enclosing_call;
use crate::diagnostic::{Hidden, Judged, Label, Severity};
use crate::syntax::{Document, TokenIndex};

/// Makes one finding of the errors about a call's name and about names among its arguments, and one of the warnings that nobody knows
/// the names: the others become labels of the first.
/// They are hidden and still count as references. A comment that keeps the first quiet keeps all of them quiet, wherever its lines end.
pub(super) fn merge(document: &Document<'_>, findings: &mut [Judged]) {
    let mut problems: Vec<(TokenIndex, Severity, bool, usize)> = findings
        .iter()
        .enumerate()
        .filter(|(_, judged)| is_about_a_name(judged))
        .filter_map(|(at, judged)| {
            let token = document.token_at(judged.range().start);
            let callee = document.call(token).map(|_| token);
            let call = callee.or_else(|| {
                let around = enclosing_call(document, token);
                around.filter(|&callee| document.call(callee).is_some())
            })?;
            Some((call, judged.severity(), callee.is_none(), at))
        })
        .collect();
    // The call's own name comes first.
    problems.sort_by_key(|&(call, severity, is_argument, at)| {
        (call, severity, is_argument, findings[at].range().start)
    });
    // An error is not told with a warning.
    for group in problems.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let first = group[0].3;
        let mut said = vec![findings[first].help()];
        for &(.., other) in &group[1..] {
            let told = &findings[other];
            if !told.is_shown() {
                continue;
            }
            let (message, help) = (told.message(), told.help());
            let message = match help.is_empty() || said.contains(&help) {
                true => message,
                false => format!("{message}: {help}").into(),
            };
            said.push(help);
            let range = told.range();
            findings[other].verdict.hidden = Some(Hidden::SameProblem);
            let told_with = &mut findings[first].verdict.told_with;
            told_with.push(Label { range, message });
        }
    }
}

fn is_about_a_name(judged: &Judged) -> bool {
    let is_unknown = || judged.api().is_some_and(|api| api.name.is_empty());
    let is_loud = judged.severity() == Severity::Error
        || judged.severity() == Severity::Warning && is_unknown();
    is_loud
        && matches!(judged.hidden(), None | Some(Hidden::Comment))
        && judged.fix().is_none()
        && judged.api().is_some_and(|api| api.library != "headers")
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Severity;
    use crate::engine::{RuleChoice, Session, translate};
    use crate::mapping::ApiTable;
    use crate::options::Options;
    use crate::text::SourceFile;

    fn errors(code: &str) -> (usize, usize) {
        of_severity(Severity::Error, "cuda_runtime.h", code)
    }

    /// How many findings are seen, and how many there are.
    fn of_severity(severity: Severity, header: &str, code: &str) -> (usize, usize) {
        let session = Session::new(Options::default(), ApiTable::builtin());
        let text = format!("#include <{header}>\nvoid f() {{ {code} }}\n");
        let outcome = translate(&SourceFile::new("a.cu", text.into_bytes()), &session);
        let errors = outcome
            .findings
            .iter()
            .filter(|it| it.severity() == severity);
        let all = errors.clone().count();
        (errors.filter(|it| it.hidden().is_none()).count(), all)
    }

    #[test]
    fn what_nobody_asked_for_takes_nothing_along() {
        let mut session = Session::new(Options::default(), ApiTable::builtin());
        // The call is of one rule, its argument of another.
        let text = "void f() { cudaNewCall(cudaLimitPersistingL2CacheSize); }\n";
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let seen = |session: &Session| {
            let outcome = translate(&source, session);
            let visible = outcome.visible().map(|it| it.code());
            visible.collect::<Vec<_>>()
        };
        assert_eq!(seen(&session), ["CASS015"]);
        let choice = RuleChoice {
            select: vec!["CASS402".to_owned()],
            ..RuleChoice::default()
        };
        session.rules.add(None, choice).expect("it names a rule");
        assert_eq!(seen(&session), ["CASS402"]);
    }

    #[test]
    fn a_comment_at_the_call_is_about_all_of_it() {
        let lines = |code: &str| {
            errors(&format!(
                "\n// cass: ignore-next-line[CASS015] known\n{code}"
            ))
            .0
        };
        assert_eq!(lines("cudaNewCall(cudaNewMode,\n  cudaNewKind);"), 0);
        assert_eq!(lines("use(cudaNewMode,\n  cudaNewKind);"), 0);
        assert_eq!(lines("cudaNewCall(1);\ncudaNewCall(cudaNewMode);"), 1);
        // Said of an argument, it is about that argument.
        assert_eq!(
            errors("cudaNewCall(\n  // cass: ignore-next-line[CASS015] known\n  cudaNewMode);").0,
            1
        );
    }

    #[test]
    fn a_call_and_its_enumerators_are_one_problem() {
        assert_eq!(
            errors("cudaNewCall(cudaNewMode, other(cudaNewFlag), cudaNewKind);"),
            (2, 4)
        );
        assert_eq!(errors("use(cudaNewMode, cudaNewKind);"), (1, 2));
        assert_eq!(errors("cudaNewCall(1); cudaNewCall(2);"), (2, 2));
        assert_eq!(errors("x = cudaNewMode; y = cudaNewKind;"), (2, 2));
    }

    /// A header that is not in sight may define the names.
    #[test]
    fn a_call_of_names_that_may_be_defined_elsewhere_is_one_problem() {
        let warnings = |code| of_severity(Severity::Warning, "mine.h", code);
        assert_eq!(warnings("cudaNewCall(cudaNewMode, cudaNewKind);"), (1, 3));
        assert_eq!(
            warnings("cudaNewCall(1); cudaNewCall(cudaNewMode);"),
            (2, 3)
        );
    }
}
