//! The rules: one file each, in the folder of its group. The build script lists the folders, so adding a rule touches nothing here.
//!
//! A rule file holds, from top to bottom: its documentation as a `//!` comment (`explain` prints it), a `RULE`, a check function and
//! its helpers. See any file of `src/rules/*/` for the shape.

pub mod arguments;
pub mod arithmetic;
pub mod build_words;
mod bytes;
pub mod condition;
mod condition_fix;
pub mod conditions;
mod context;
pub mod declared;
mod definition;
pub mod dialect;
mod engine;
mod file_index;
pub mod groups;
mod guarded;
pub mod inline_asm;
pub mod lanes;
mod obstacle;
mod own;
pub mod places;
mod prologue;
pub mod reached;
mod reparse;
mod rescan;
mod runtime_reach;
pub mod select;
mod session;
mod signature;
mod stretch;
mod suppress;
pub mod texture_names;
mod texture_uses;
pub mod textures;

pub use context::Context;
pub use engine::{FileOutcome, translate};
pub use file_index::FileIndex;
pub use own::ProjectIndex;
pub use select::{RuleChoice, RulePolicy, RuleSettings};
pub use session::{CompatMode, LaunchStyle, Options, RuntimeHeader, Session, WarpMode};
pub use suppress::{annotated, hide_suppressed, suppressing, without_annotations};

use crate::diagnostic::{Finding, Group, Severity};
use crate::edit::Applicability;
use crate::syntax::{Directive, Include, LaunchSite, TokenIndex};
use crate::text::TextRange;

/// What every rule file imports.
pub mod prelude {
    pub use super::{At, Context, Rule, Trigger};
    pub use crate::diagnostic::{ApiUse, Finding, Group, Severity};
    pub use crate::edit::{Applicability, Edit, Fix};
    pub use crate::mapping::{ApiEntry, Hit, Kind, Support, Version};
    pub use crate::syntax::{
        Call, Directive, DirectiveKind, Document, Include, LaunchSite, TokenIndex, TokenKind,
        Vendor, flags,
    };
    pub use crate::text::{BuildTool, TextRange};
}

/// A rule: what it is called, what wakes it, and what it does then.
pub struct Rule {
    /// Stable code, never reused: `CASS001`.
    pub code: &'static str,
    /// Stable name: the file's name with `-` for `_`.
    pub name: &'static str,
    /// What part of a port it is about.
    pub group: Group,
    /// How much its findings matter unless they say otherwise.
    pub severity: Severity,
    /// The surest fix it ever offers; `None` when it only reports.
    pub fix: Option<Applicability>,
    /// Version of this tool that brought it.
    pub since: &'static str,
    /// Which fix wins where two touch the same bytes: the smaller number. Names are 50, whole calls 30, whole statements 10.
    pub priority: u8,
    /// What wakes it.
    pub triggers: &'static [Trigger],
    /// Looks at one place and reports.
    pub check: fn(At<'_>, &mut Context<'_, '_>),
}

/// What wakes a rule.
pub enum Trigger {
    /// These identifiers, wherever they are code.
    Idents(&'static [&'static str]),
    /// These identifiers, and no table entry of theirs is applied: the rule does all there is to do.
    Owned(&'static [&'static str]),
    /// Every identifier that the tables know and no rule owns.
    Api,
    /// Every function that HIP lacks and a helper of `src/compat` stands for, unless another rule owns it; owned likewise.
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
}

/// The place a rule is woken for.
#[derive(Clone, Copy)]
pub enum At<'d> {
    /// An identifier.
    Ident(TokenIndex),
    /// A launch.
    Launch(&'d LaunchSite),
    /// An include.
    Include(&'d Include),
    /// A directive.
    Directive(&'d Directive),
    /// The file.
    File,
}

impl Rule {
    /// A finding of this rule.
    pub fn finding(
        &self,
        range: TextRange,
        message: impl Into<std::borrow::Cow<'static, str>>,
    ) -> Finding {
        Finding::new(self.code, self.severity, range, message)
    }
}

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// All rules with their documentation (Markdown), by code.
pub fn all() -> &'static [(&'static Rule, &'static str)] {
    static SORTED: std::sync::LazyLock<Vec<(&'static Rule, &'static str)>> =
        std::sync::LazyLock::new(|| {
            let mut rules = REGISTRY.to_vec();
            rules.sort_by_key(|(rule, _)| rule.code);
            rules
        });
    &SORTED
}

/// The rule with a code (`CASS001`) or name (`rename-api`), in any case.
pub fn find(code_or_name: &str) -> Option<(&'static Rule, &'static str)> {
    all()
        .iter()
        .find(|(rule, _)| {
            rule.code.eq_ignore_ascii_case(code_or_name)
                || rule.name.eq_ignore_ascii_case(code_or_name)
        })
        .copied()
}
