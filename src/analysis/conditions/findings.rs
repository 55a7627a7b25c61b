//! Findings about conditional groups that ask for macros of CUDA: which branch AMD takes, and the edit that makes it the one that was meant.

use crate::analysis::conditions::blocker::{
    blocker, has_no_effect, holds_code, is_about_release, only_tells_release, refuses,
    value_of_macro,
};
use crate::analysis::conditions::fix::{Extension, edits};
use crate::analysis::conditions::truth::{constant, truth};
use crate::analysis::conditions::verdict::{Verdict, is_split, verdict};
use crate::analysis::unit::Unit;
use crate::cpp::conditions::cuda_macros::{CudaMacro, Family, cuda_macro};
use crate::cpp::conditions::expression::{AtomKind, World};
use crate::cpp::conditions::groups::{Branch, Group, groups};
use crate::cpp::nvcc_pragmas::holds_only_nvcc_pragmas;
use crate::diagnostic::RuleId;
use crate::diagnostic::{Finding, Severity};
use crate::edit::Fix;
use crate::syntax::{Directive, TokenIndex};
use crate::text::TextRange;

/// Findings about the groups of a file whose leading condition is about a family of macros.
pub(crate) fn findings(cx: &Unit<'_, '_>, rule: RuleId, family: Family) -> Vec<Finding> {
    let doc = cx.doc;
    let asks = |directive: &Directive| {
        directive
            .operands()
            .any(|at| cuda_macro(doc.bytes(at)).is_some())
    };
    if !doc.directives.iter().any(asks) {
        return Vec::new();
    }
    let groups = groups(cx.doc);
    let about = groups
        .iter()
        .filter(|group| group.family() == Some(family) && !group.knows_hip());
    about.flat_map(|group| group.findings(cx, rule)).collect()
}

impl Group {
    fn findings(&self, cx: &Unit<'_, '_>, rule: RuleId) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.holds_only_pragmas(cx) || self.has_no_effect(cx) {
            return findings;
        }
        for (position, branch) in self.branches.iter().enumerate() {
            let Some(condition) = &branch.condition else {
                break;
            };
            match verdict(cx, condition) {
                Verdict::Same => findings.extend(self.vanishes(cx, rule, position)),
                Verdict::Unclear(known) => findings.push(self.unclear(cx, rule, branch, known)),
                Verdict::Flip {
                    on,
                    known,
                    extension,
                } => {
                    let wanted = if on {
                        Some(position)
                    } else {
                        self.next_meant(cx, position)
                    };
                    // What was meant for NVIDIA's GPUs alone refuses these.
                    if on && refuses(cx, branch.body) {
                        continue;
                    }
                    let split = known.family == Family::Compiler || is_split(condition);
                    let held = wanted.and_then(|at| match split {
                        true => value_of_macro(cx, self.branches[at].body),
                        false => blocker(cx, self.branches[at].body),
                    });
                    if let Some(held) = held {
                        findings.push(self.left(cx, rule, position, known, &held));
                        continue;
                    }
                    findings.push(self.extended(cx, rule, position, on, known, &extension, split));
                    if on && matches!(extension, Extension::Whole) {
                        break;
                    }
                }
            }
        }
        findings
    }

    /// Whether all that depends on the group are warnings of nvcc, which no other compiler has.
    fn holds_only_pragmas(&self, cx: &Unit<'_, '_>) -> bool {
        let mut branches = self.branches.iter();
        branches.all(|branch| holds_only_nvcc_pragmas(cx.doc, branch.body))
    }

    /// Whether the one branch has no effect on AMD, so that it is all the same whether AMD takes it.
    fn has_no_effect(&self, cx: &Unit<'_, '_>) -> bool {
        self.branches.len() == 1 && has_no_effect(cx, self.branches[0].body)
    }

    /// The branch that is meant when the one at `position` is not: the next whose condition may hold.
    fn next_meant(&self, cx: &Unit<'_, '_>, position: usize) -> Option<usize> {
        (position + 1..self.branches.len()).find(|&at| {
            self.branches[at]
                .condition
                .as_ref()
                .is_none_or(|condition| constant(cx, condition, World::Device) != Some(false))
        })
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one verdict")]
    fn extended(
        &self,
        cx: &Unit<'_, '_>,
        rule: RuleId,
        position: usize,
        on: bool,
        known: &CudaMacro,
        extension: &Extension,
        split: bool,
    ) -> Finding {
        let branch = &self.branches[position];
        let edits = edits(cx, branch, on, known, extension);
        let effect = if on { "skips" } else { "takes" };
        let pass = if known.family == Family::Arch {
            " in device code"
        } else {
            ""
        };
        let message = format!(
            "`{}` is undefined on AMD, which {effect} this branch{pass}",
            known.name
        );
        let finding = rule.finding(branch.directive.range, message);
        if split {
            return finding
                .severity(Severity::Info)
                .help("the condition is made to include AMD")
                .fix(Fix::safe(edits));
        }
        let help = format!(
            "the condition is made to {} AMD: check that the code it then compiles suits your GPUs",
            if on { "include" } else { "exclude" }
        );
        finding.help(help).fix(Fix::review(edits))
    }

    /// A condition that is not extended because AMD cannot compile what the meant branch holds.
    fn left(
        &self,
        cx: &Unit<'_, '_>,
        rule: RuleId,
        position: usize,
        known: &CudaMacro,
        held: &str,
    ) -> Finding {
        let taken = self.taken_today(cx);
        let what = taken.map_or_else(
            || "nothing in its place".to_owned(),
            |at| format!("the branch of line {}", self.line(cx, at)),
        );
        let message = format!(
            "`{}` is undefined on AMD, which compiles {what}; the branch that was meant holds `{held}`",
            known.name
        );
        let empty = taken.is_none() && self.is_in_function(cx, position);
        let finding = rule.finding(self.branches[position].directive.range, message);
        if let Some(name) = lost_name(cx, self.branches[position].body) {
            return finding.severity(Severity::Error).help(format!(
                "only that branch defines `{name}`, which is called where AMD compiles; define it for `defined({})`",
                known.hip
            ));
        }
        // Who tells the release of NVIDIA's compiler has nothing to tell where another one compiles.
        let body = self.branches[position].body;
        if only_tells_release(cx, body) {
            return finding.severity(Severity::Warning).help(format!(
                "to tell the release of HIP there, add a branch for `defined({})` with `HIP_VERSION_MAJOR` and its like",
                known.hip
            ));
        }
        finding
            .severity(if empty && !is_about_release(cx, body) {
                Severity::Error
            } else {
                Severity::Warning
            })
            .help(format!(
                "check that AMD does not need that branch, or add one for `defined({})`",
                known.hip
            ))
    }

    fn unclear(
        &self,
        cx: &Unit<'_, '_>,
        rule: RuleId,
        branch: &Branch,
        known: &CudaMacro,
    ) -> Finding {
        let what = self.taken_today(cx).map_or_else(
            || "none of the branches".to_owned(),
            |at| format!("the branch of line {}", self.line(cx, at)),
        );
        let message = format!(
            "this compares with one exact value of `{}`, which is undefined on AMD: AMD takes {what}",
            known.name
        );
        rule.finding(branch.directive.range, message).help(format!(
            "choose the branch for AMD with `defined({})`",
            known.hip
        ))
    }

    /// A condition about a newer chip than AMD GPUs resemble, without an alternative: the code is gone in silence.
    fn vanishes(&self, cx: &Unit<'_, '_>, rule: RuleId, position: usize) -> Option<Finding> {
        let branch = &self.branches[position];
        let condition = branch.condition.as_ref()?;
        let newer = condition.atoms().iter().any(|atom| {
            atom.about.is_some_and(|known| known.family == Family::Arch)
                && matches!(atom.kind, AtomKind::Compare(_))
                && truth(cx, atom, World::Device) == Some(false)
        });
        let gone = newer
            && self.branches.len() == 1
            && constant(cx, condition, World::Device) == Some(false)
            && constant(cx, condition, World::Host) == Some(false)
            && self.is_in_function(cx, position)
            && holds_code(cx, branch.body);
        gone.then(|| {
            rule.finding(
                branch.directive.range,
                "this branch is compiled for newer NVIDIA GPUs only: on AMD nothing takes its place",
            )
            .help(
                "add an `#else` with an implementation for AMD, or make sure that this code is unreachable on AMD",
            )
        })
    }

    /// The branch that AMD compiles in device code as the text stands, if that is certain.
    fn taken_today(&self, cx: &Unit<'_, '_>) -> Option<usize> {
        let holds = |branch: &Branch| {
            branch
                .condition
                .as_ref()
                .is_none_or(|condition| constant(cx, condition, World::AsWritten) != Some(false))
        };
        self.branches
            .iter()
            .position(holds)
            .filter(|&at| holds_code(cx, self.branches[at].body))
    }

    fn line(&self, cx: &Unit<'_, '_>, position: usize) -> u32 {
        let start = self.branches[position].directive.range.start;
        cx.doc.source.line_col(start).line
    }

    fn is_in_function(&self, cx: &Unit<'_, '_>, position: usize) -> bool {
        let next = cx.doc.token_at(self.branches[position].body.start);
        cx.doc.scopes().enclosing(next).is_some_and(|function| {
            cx.doc.tokens[function.body.start].start < self.branches[position].directive.range.start
        })
    }
}

/// A function or macro that a branch defines, that code for AMD calls, and that nothing else defines for it.
fn lost_name(cx: &Unit<'_, '_>, body: TextRange) -> Option<String> {
    let (start, end) = (cx.doc.token_at(body.start), cx.doc.token_at(body.end));
    let functions = cx.doc.scopes().within(start..end);
    let macros = cx.doc.macros_within(body);
    let mut names = functions.filter_map(|function| function.name).chain(macros);
    let is_lost = |at: &TokenIndex| cx.is_missing(cx.doc.bytes(*at));
    names.find(is_lost).map(|at| cx.text(at).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::{applied, of_file};

    const RULE: RuleId = RuleId {
        code: "CASS000",
        severity: Severity::Warning,
    };

    /// The findings about all families, each as its severity and the condition that it makes, or what it says where it makes none.
    fn found(text: &str) -> Vec<String> {
        of_file(text, |cx| {
            let families = [Family::Compiler, Family::Version, Family::Arch];
            let all = families
                .into_iter()
                .flat_map(|family| findings(cx, RULE, family));
            let show = |finding: Finding| {
                let severity = finding.severity;
                let Some(fix) = finding.fix else {
                    return format!("{severity:?}: {}", finding.message);
                };
                let made = applied(cx, &fix.edits);
                let changed = made.lines().zip(text.lines()).find(|(new, old)| new != old);
                format!("{severity:?} {}", changed.expect("a line changes").0)
            };
            all.map(show).collect()
        })
    }

    #[test]
    fn a_condition_that_is_another_on_amd_is_extended() {
        for (text, expected) in [
            (
                "#ifdef __CUDA_ARCH__\nint a;\n#endif\n",
                &["Info #if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)"][..],
            ),
            (
                "#if __CUDACC__\nint a;\n#endif\n",
                &["Info #if __CUDACC__ || defined(__HIPCC__)"],
            ),
            (
                "#if __CUDA_ARCH__ >= 700\nint a;\n#endif\n",
                &["Warning #if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)"],
            ),
            (
                "#if CUDART_VERSION < 9000\nint a;\n#endif\n",
                &["Warning #if CUDART_VERSION < 9000 && !defined(__HIP_PLATFORM_AMD__)"],
            ),
            // The branches behind the one that AMD takes now are not looked at.
            (
                "#if __CUDA_ARCH__ >= 700\nint a;\n#elif __CUDA_ARCH__ >= 600\nint b;\n#endif\n",
                &["Warning #if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)"],
            ),
            (
                "#if __CUDA_ARCH__ >= 900\nint a;\n#elif __CUDA_ARCH__ >= 600\nint b;\n#endif\n",
                &["Warning #elif __CUDA_ARCH__ >= 600 || defined(__HIP_DEVICE_COMPILE__)"],
            ),
            // What knows AMD, what no `#endif` ends, what is text, and warnings of nvcc alone.
            (
                "#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)\nint a;\n#endif\n",
                &[],
            ),
            ("#ifdef __CUDA_ARCH__\nint a;\n", &[]),
            ("// #ifdef __CUDA_ARCH__\nint a;\n// #endif\n", &[]),
            (
                "#ifdef __CUDACC__\n#pragma nv_diag_suppress 20\n#endif\n",
                &[],
            ),
            ("#ifdef MINE\nint a;\n#endif\n", &[]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn a_branch_that_amd_cannot_have_is_said() {
        let function = |body: &str| format!("__device__ void f() {{\n{body}\n}}\n");
        for (text, expected) in [
            (
                "#if __CUDA_ARCH__ >= 700\nasm(\"wgmma.fence.sync.aligned;\");\n#else\nint a;\n#endif",
                "Warning: `__CUDA_ARCH__` is undefined on AMD, which compiles the branch of line 4; the branch that was meant holds `asm`",
            ),
            (
                "#if __CUDA_ARCH__ >= 700\nasm(\"wgmma.fence.sync.aligned;\");\n#endif",
                "Error: `__CUDA_ARCH__` is undefined on AMD, which compiles nothing in its place; the branch that was meant holds `asm`",
            ),
            (
                "#if __CUDA_ARCH__ == 700\nint a;\n#else\nint b;\n#endif",
                "Warning: this compares with one exact value of `__CUDA_ARCH__`, which is undefined on AMD: AMD takes the branch of line 4",
            ),
            (
                "#if __CUDA_ARCH__ >= 900\nint a;\n#endif",
                "Warning: this branch is compiled for newer NVIDIA GPUs only: on AMD nothing takes its place",
            ),
        ] {
            assert_eq!(found(&function(text)), [expected], "{text}");
        }
        // With something in its place, or nothing in it, nobody misses it.
        let newer = "#if __CUDA_ARCH__ >= 900\nint a;\n#else\nint b;\n#endif";
        assert_eq!(found(&function(newer)), [""; 0]);
        let empty = "#if __CUDA_ARCH__ >= 900\n// int a;\n#endif";
        assert_eq!(found(&function(empty)), [""; 0]);
        assert_eq!(found("#if __CUDA_ARCH__ >= 900\nint a;\n#endif\n"), [""; 0]);
    }
}
