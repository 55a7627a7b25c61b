//! A rule as its findings name it, for analyses that speak for one.

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
