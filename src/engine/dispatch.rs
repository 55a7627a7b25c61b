//! Which rules a file's identifiers, launches, includes and directives dispatch.

use crate::analysis::claims::Claims;
use crate::compat;
use crate::mapping::{ApiTable, Support};
use crate::rules::{Check, Registered, Rule, Trigger, all};
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

/// The rules of each trigger, worked out once.
pub(crate) struct Dispatch {
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

impl Dispatch {
    pub(crate) fn new(table: &ApiTable) -> Self {
        let mut dispatch = Self {
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
                    Trigger::Idents(words) => dispatch.add(words, rule, false),
                    Trigger::Claimed(words) => dispatch.add(words, rule, true),
                    Trigger::Api => dispatch.tables.push(rule.check),
                    Trigger::Helper => helper_rules.push(rule),
                    Trigger::Launch => dispatch.launch.push(rule),
                    Trigger::Include => dispatch.include.push(rule),
                    Trigger::Directive => dispatch.directive.push(rule),
                    Trigger::File => dispatch.file.push(rule),
                    Trigger::BuildFile => dispatch.build_file.push(rule),
                    Trigger::OtherBuildFile => dispatch.other_build_file.push(rule),
                    Trigger::Extension => dispatch.extension.push(rule),
                    Trigger::Python => dispatch.python.push(rule),
                }
            }
        }
        for rule in helper_rules {
            dispatch.add_helpers(rule, table);
        }
        dispatch
    }

    /// The CUDA functions that a helper stands for. They are claimed by `rule` unless HIP has the function itself; another rule that
    /// claims a name comes first, and the functions of a warp belong to the rules that know what a warp is to become.
    fn add_helpers(&mut self, rule: &'static Rule, table: &ApiTable) {
        let names = compat::helpers().flat_map(|helper| helper.replaces.iter().copied());
        let of_warp =
            |name: &str| name.ends_with("_sync") || matches!(name, "__activemask" | "__syncwarp");
        for name in names.filter(|name| is_identifier(name) && !of_warp(name)) {
            let is_taken = self
                .idents
                .get(name.as_bytes())
                .is_some_and(|rules| rules.iter().any(|(_, claims)| *claims));
            let hip_lacks_it = table
                .get(name.as_bytes())
                .is_none_or(|hit| hit.entry.support != Support::Full);
            if !is_taken && hip_lacks_it {
                self.add(&[name], rule, true);
            }
        }
    }

    fn add(&mut self, words: &[&'static str], rule: &'static Rule, claimed: bool) {
        for word in words {
            self.idents
                .or_default(word.as_bytes())
                .push((rule, claimed));
            let claim = self.claims.words.or_default(word.as_bytes());
            claim.is_claimed |= claimed;
        }
    }
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}
