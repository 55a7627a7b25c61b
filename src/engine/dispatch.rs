//! Which rules a file's identifiers, launches, includes and directives dispatch.

use crate::analysis::claims::Claims;
use crate::compat;
use crate::mapping::{ApiTable, Support};
use crate::rules::context::{
    BuildFileCheck, DirectiveCheck, IncludeCheck, LaunchCheck, NameCheck, PythonCheck, SourceCheck,
};
use crate::rules::{Check, Fact, Rule, all};
use crate::text::WordMap;

/// What looks at each kind of place, worked out once.
pub(crate) struct Dispatch {
    pub(crate) names: WordMap<Vec<OnName>>,
    /// What says what the tables know of a name.
    pub(crate) tables: Vec<NameCheck>,
    pub(crate) launches: Vec<LaunchCheck>,
    pub(crate) includes: Vec<IncludeCheck>,
    pub(crate) directives: Vec<DirectiveCheck>,
    pub(crate) sources: Vec<SourceCheck>,
    pub(crate) build_files: Vec<(&'static Rule, BuildFileCheck)>,
    pub(crate) other_build_files: Vec<(&'static Rule, BuildFileCheck)>,
    pub(crate) extensions: Vec<PythonCheck>,
    pub(crate) python: Vec<(Vec<&'static [&'static str]>, PythonCheck)>,
    pub(crate) claims: Claims,
}

/// What a rule does about a name.
pub(crate) struct OnName {
    pub(crate) rule: &'static Rule,
    pub(crate) check: NameCheck,
    /// It does all there is to do: the tables are not asked.
    pub(crate) claims: bool,
}

impl Dispatch {
    pub(crate) fn new(table: &ApiTable) -> Self {
        let mut dispatch = Self {
            names: WordMap::default(),
            tables: Vec::new(),
            launches: Vec::new(),
            includes: Vec::new(),
            directives: Vec::new(),
            sources: Vec::new(),
            build_files: Vec::new(),
            other_build_files: Vec::new(),
            extensions: Vec::new(),
            python: Vec::new(),
            claims: Claims::default(),
        };
        let mut helpers = Vec::new();
        // Back from HIP only names change: what the other rules know is about CUDA.
        let works = |rule: &Rule| !table.is_reversed() || rule.has(Fact::Reversible);
        let rules = all().iter().map(|(registered, _)| registered.rule());
        for rule in rules.filter(|rule| works(rule)) {
            for at in rule.checks {
                match *at {
                    Check::Idents(_, check)
                    | Check::Listed(_, check)
                    | Check::Claimed(_, check)
                    | Check::Replaced(_, check) => {
                        dispatch.add(at.names(), rule, check, at.claims());
                    }
                    Check::Api(check) => dispatch.tables.push(check),
                    Check::Helper(check) => helpers.push((rule, check)),
                    Check::Launch(check) => dispatch.launches.push(check),
                    Check::Include(check) => dispatch.includes.push(check),
                    Check::Directive(check) => dispatch.directives.push(check),
                    Check::Source(check) => dispatch.sources.push(check),
                    Check::BuildFile(check) => dispatch.build_files.push((rule, check)),
                    Check::OtherBuildFile(check) => dispatch.other_build_files.push((rule, check)),
                    Check::Extension(check) => dispatch.extensions.push(check),
                    Check::Python(texts, check) => dispatch.python.push((texts.to_vec(), check)),
                    Check::PythonListed(texts, check) => {
                        dispatch.python.push((vec![texts()], check));
                    }
                    Check::Event(_) => {}
                }
            }
        }
        for (rule, check) in helpers {
            dispatch.add_helpers(rule, check, table);
        }
        dispatch
    }

    /// The CUDA functions that a helper stands for. They are claimed by `rule` unless HIP has the function itself; another rule that
    /// claims a name comes first, and the functions of a warp belong to the rules that know what a warp is to become.
    fn add_helpers(&mut self, rule: &'static Rule, check: NameCheck, table: &ApiTable) {
        let names = compat::helpers().flat_map(|helper| helper.replaces.iter().copied());
        let of_warp =
            |name: &str| name.ends_with("_sync") || matches!(name, "__activemask" | "__syncwarp");
        for name in names.filter(|name| is_identifier(name) && !of_warp(name)) {
            let is_taken = self
                .names
                .get(name.as_bytes())
                .is_some_and(|rules| rules.iter().any(|on_name| on_name.claims));
            let hip_lacks_it = table
                .get(name.as_bytes())
                .is_none_or(|hit| hit.entry.support != Support::Full);
            // What an argument or the number of them settles is the tables' for such calls.
            let is_shared = table
                .get(name.as_bytes())
                .is_some_and(|hit| hit.entry.is_shared());
            if !is_taken && hip_lacks_it {
                self.add([name], rule, check, !is_shared);
            }
        }
    }

    fn add(
        &mut self,
        names: impl IntoIterator<Item = &'static str>,
        rule: &'static Rule,
        check: NameCheck,
        claims: bool,
    ) {
        for name in names {
            let on_name = OnName {
                rule,
                check,
                claims,
            };
            self.names.or_default(name.as_bytes()).push(on_name);
            let claim = self.claims.words.or_default(name.as_bytes());
            claim.is_claimed |= claims;
        }
    }
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}
