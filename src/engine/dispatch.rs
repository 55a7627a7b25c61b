//! Which rules a file's identifiers, launches, includes and directives wake.

use crate::analysis::claims::Claims;
use crate::analysis::unit::{RuleEdits, Unit};
use crate::compat;
use crate::mapping::{ApiTable, Support};
use crate::rules::{At, Check, Context, Registered, Rule, Trigger, all};
use crate::syntax::TokenIndex;
use crate::text::WordMap;

/// Rules that know nothing but the tables, and so work in either direction.
const BOTH_WAYS: &[&str] = &[
    "rename-api",
    "review-api",
    "unsupported-api",
    "rename-namespace",
    "rewrite-include",
    "renamed-include",
];

/// Which rules each trigger wakes, worked out once.
pub(crate) struct Wake {
    pub(crate) idents: WordMap<Vec<(&'static Rule, bool)>>,
    /// What says what the tables know of a name.
    pub(crate) tables: Vec<Check>,
    pub(crate) launch: Vec<&'static Rule>,
    pub(crate) include: Vec<&'static Rule>,
    pub(crate) directive: Vec<&'static Rule>,
    pub(crate) file: Vec<&'static Rule>,
    pub(crate) build_file: Vec<&'static Rule>,
    pub(crate) other_build_file: Vec<&'static Rule>,
    pub(crate) extension: Vec<&'static Rule>,
    pub(crate) python: Vec<&'static Rule>,
    pub(crate) claims: Claims,
}

impl Wake {
    pub(crate) fn new(table: &ApiTable) -> Self {
        let mut wake = Self {
            idents: WordMap::default(),
            tables: Vec::new(),
            launch: Vec::new(),
            include: Vec::new(),
            directive: Vec::new(),
            file: Vec::new(),
            build_file: Vec::new(),
            other_build_file: Vec::new(),
            extension: Vec::new(),
            python: Vec::new(),
            claims: Claims::default(),
        };
        let mut helper_rules = Vec::new();
        // Back from HIP only names change: what the other rules know is about CUDA.
        let works = |rule: &Registered| !table.is_reversed() || BOTH_WAYS.contains(&rule.name);
        for &(rule, _) in all().iter().filter(|(rule, _)| works(rule)) {
            let rule = rule.rule();
            for trigger in rule.triggers {
                match trigger {
                    Trigger::Idents(words) => wake.add(words, rule, false),
                    Trigger::Owned(words) => wake.add(words, rule, true),
                    Trigger::Api => wake.tables.push(rule.check),
                    Trigger::Helper => helper_rules.push(rule),
                    Trigger::Launch => wake.launch.push(rule),
                    Trigger::Include => wake.include.push(rule),
                    Trigger::Directive => wake.directive.push(rule),
                    Trigger::File => wake.file.push(rule),
                    Trigger::BuildFile => wake.build_file.push(rule),
                    Trigger::OtherBuildFile => wake.other_build_file.push(rule),
                    Trigger::Extension => wake.extension.push(rule),
                    Trigger::Python => wake.python.push(rule),
                }
            }
        }
        for rule in helper_rules {
            wake.add_helpers(rule, table);
        }
        wake
    }

    /// The CUDA functions that a helper stands for. They are owned by `rule` unless HIP has the function itself; another rule that
    /// owns a name comes first, and the functions of a warp belong to the rules that know what a warp is to become.
    fn add_helpers(&mut self, rule: &'static Rule, table: &ApiTable) {
        let names = compat::helpers().flat_map(|helper| helper.replaces.iter().copied());
        let of_warp =
            |name: &str| name.ends_with("_sync") || matches!(name, "__activemask" | "__syncwarp");
        for name in names.filter(|name| is_identifier(name) && !of_warp(name)) {
            let has_owner = self
                .idents
                .get(name.as_bytes())
                .is_some_and(|rules| rules.iter().any(|(_, owns)| *owns));
            let hip_lacks_it = table
                .get(name.as_bytes())
                .is_none_or(|hit| hit.entry.support != Support::Full);
            if !has_owner && hip_lacks_it {
                self.add(&[name], rule, true);
            }
        }
    }

    fn add(&mut self, words: &[&'static str], rule: &'static Rule, owned: bool) {
        for word in words {
            self.idents.or_default(word.as_bytes()).push((rule, owned));
            let claim = self.claims.words.or_default(word.as_bytes());
            claim.is_owned |= owned;
        }
    }
}

impl RuleEdits for Wake {
    fn edits(&self, unit: &Unit<'_, '_>, index: TokenIndex) -> bool {
        let Some(rules) = self.idents.get(unit.doc.bytes(index)) else {
            return false;
        };
        let mut context = Context {
            unit: unit.for_another_look(),
            tables: &self.tables,
            findings: Vec::new(),
        };
        for (rule, _) in rules {
            (rule.check)(At::Ident(index), &mut context);
        }
        context.findings.iter().any(|finding| finding.fix.is_some())
    }
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}
