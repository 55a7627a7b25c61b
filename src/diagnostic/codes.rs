//! Rules that analyses speak for: their codes and severities. A test of the registry holds them to the rules.

use super::{Finding, Severity};
use crate::text::TextRange;

/// A rule as far as its findings say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleId {
    /// Stable code.
    pub code: &'static str,
    /// How much its findings matter unless they say otherwise.
    pub severity: Severity,
}

impl RuleId {
    /// A finding of this rule.
    pub fn finding(
        self,
        range: TextRange,
        message: impl Into<std::borrow::Cow<'static, str>>,
    ) -> Finding {
        Finding::new(self.code, self.severity, range, message)
    }
}

/// `rename-api`.
pub(crate) const RENAME_API: RuleId = RuleId {
    code: "CASS001",
    severity: Severity::Info,
};

/// `texture-reference`.
pub(crate) const TEXTURE_REFERENCE: RuleId = RuleId {
    code: "CASS410",
    severity: Severity::Warning,
};
