//! What the tool has to say about a place in a file.

mod judged;
mod rule_id;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use self::judged::{FixState, Reason};
pub use self::judged::{Hidden, Judged};
pub use self::rule_id::RuleId;
use crate::edit::Fix;
use crate::text::TextRange;

/// How much a finding matters. Ordered: a threshold is one comparison.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Converts safely: nothing to do.
    Info,
    /// Converts or compiles, but a person should look.
    Warning,
    /// Does not compile or does not work on AMD until somebody changes it.
    Error,
}

// `Group`: the folders of `src/rules/`, as the build finds them.
include!(concat!(env!("OUT_DIR"), "/rule_groups.rs"));

impl Group {
    /// Whether its rules speak only where a person names it, them or `all`: who ports a program does not ask what fails without a port.
    pub fn is_off_by_default(self) -> bool {
        self == Self::EitherVendor
    }
}

/// Another place that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Bytes of the same file.
    pub range: TextRange,
    /// What is to be seen there.
    pub message: Cow<'static, str>,
}

/// The API a finding is about, for the statistics by library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApiUse {
    /// The CUDA name or header; empty where no table knows it.
    pub name: &'static str,
    /// Key of its library.
    pub library: &'static str,
    /// Name on AMD, if there is one.
    pub target: Option<&'static str>,
    /// First ROCm release known to have the target.
    pub rocm_since: Option<crate::mapping::Version>,
}

/// One finding of one rule, as the rule says it. What is decided about it stands beside it ([`Judged`]).
#[derive(Clone, Debug)]
pub struct Finding {
    /// Code of the rule: `CASS001`.
    pub code: &'static str,
    /// How much it matters here.
    pub severity: Severity,
    /// Bytes of the original file.
    pub range: TextRange,
    /// What is the matter: one sentence without a full stop.
    pub message: Cow<'static, str>,
    /// What to do about it.
    pub help: Cow<'static, str>,
    /// Other places.
    pub labels: Vec<Label>,
    /// A change that deals with it.
    pub fix: Option<Fix>,
    /// The API it is about.
    pub api: Option<ApiUse>,
    /// Helpers of the compatibility header that the fix calls.
    pub helpers: Vec<&'static str>,
    /// Headers that the fix needs.
    pub headers: Vec<&'static str>,
    /// Targets it holds for; empty means all.
    pub targets: &'static [&'static str],
    /// Code that the fix takes from AMD's compiler: other findings there go with it.
    pub hides: Option<TextRange>,
}

impl Finding {
    /// A finding without fix; severity and code come from the rule.
    pub fn new(
        code: &'static str,
        severity: Severity,
        range: TextRange,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            code,
            severity,
            range,
            message: message.into(),
            help: Cow::Borrowed(""),
            labels: Vec::new(),
            fix: None,
            api: None,
            helpers: Vec::new(),
            headers: Vec::new(),
            targets: &[],
            hides: None,
        }
    }

    /// Says which code the fix takes from AMD's compiler.
    #[must_use]
    pub(crate) fn hides(mut self, range: TextRange) -> Self {
        self.hides = Some(range);
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = help.into();
        self
    }

    /// Proposes a change.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn label(mut self, range: TextRange, message: impl Into<Cow<'static, str>>) -> Self {
        self.labels.push(Label {
            range,
            message: message.into(),
        });
        self
    }

    /// Names the API.
    #[must_use]
    pub fn api(mut self, api: ApiUse) -> Self {
        self.api = Some(api);
        self
    }

    /// Deviates from the rule's severity.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Says that the fix calls a helper of the compatibility header.
    #[must_use]
    pub fn helper(mut self, name: &'static str) -> Self {
        self.helpers.push(name);
        self
    }

    /// Says that the fix needs a header, `hip/hip_fp16.h`.
    #[must_use]
    pub fn header(mut self, path: &'static str) -> Self {
        self.headers.push(path);
        self
    }

    /// Limits the finding to some targets.
    #[must_use]
    pub fn targets(mut self, targets: &'static [&'static str]) -> Self {
        self.targets = targets;
        self
    }
}
