//! What a rule is, and what it is called for.

use super::context::Check;
use crate::diagnostic::codes::RuleId;
use crate::diagnostic::{Finding, Severity};
use crate::edit::Applicability;
use crate::text::TextRange;

/// A rule: its code, what it is called for, and what it does then.
pub struct Rule {
    /// Stable code, never reused: `CASS001`.
    pub code: &'static str,
    /// How much its findings matter unless they say otherwise.
    pub severity: Severity,
    /// The surest fix it ever offers; `None` when it only reports.
    pub fix: Option<Applicability>,
    /// Which fix wins where two touch the same bytes: the smaller number. Names are 50, whole calls 30, whole statements 10.
    pub priority: u8,
    /// What it is called for.
    pub triggers: &'static [Trigger],
    /// Looks at one place and reports.
    pub check: Check,
}

/// What a rule is called for.
pub enum Trigger {
    /// These identifiers, wherever they are code.
    Idents(&'static [&'static str]),
    /// These identifiers, and no table entry of theirs is applied: the rule does all there is to do.
    Claimed(&'static [&'static str]),
    /// Every identifier that the tables know and no rule claims.
    Api,
    /// Every function that HIP lacks and a helper of `src/compat` stands for, unless another rule claims it; claimed likewise.
    Helper,
    /// Every kernel launch.
    Launch,
    /// Every include with a literal path.
    Include,
    /// Every preprocessor directive.
    Directive,
    /// Once per file, after everything else.
    File,
    /// Once per build file: a Makefile, a CMake list.
    BuildFile,
    /// Once per file that says how something is built in another language: an image, a job of CI, a preset.
    OtherBuildFile,
    /// Once per Python file that builds extensions of PyTorch.
    Extension,
    /// Once per Python file that has to do with GPUs.
    Python,
}

impl Rule {
    /// Its code and severity, for what speaks for it.
    pub const fn id(&self) -> RuleId {
        RuleId {
            code: self.code,
            severity: self.severity,
        }
    }

    /// A finding of this rule.
    pub fn finding(
        &self,
        range: TextRange,
        message: impl Into<std::borrow::Cow<'static, str>>,
    ) -> Finding {
        Finding::new(self.code, self.severity, range, message)
    }
}
