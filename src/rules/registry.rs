//! All rules by name, with their group and documentation.

use std::ops::Deref;
use std::sync::LazyLock;

use super::Rule;
use crate::diagnostic::Group;

/// The rules of each folder, by name.
static FOLDERS: &[(Group, &[(&str, &Rule)])] = &[
    (Group::Api, super::api::RULES),
    (Group::Atomics, super::atomics::RULES),
    (Group::BuildFiles, super::build_files::RULES),
    (Group::Comments, super::comments::RULES),
    (Group::Conditions, super::conditions::RULES),
    (Group::CooperativeGroups, super::cooperative_groups::RULES),
    (Group::Dialect, super::dialect::RULES),
    (Group::Errors, super::errors::RULES),
    (Group::Extensions, super::extensions::RULES),
    (Group::Launch, super::launch::RULES),
    (Group::Library, super::library::RULES),
    (Group::Memory, super::memory::RULES),
    (Group::Ptx, super::ptx::RULES),
    (Group::Python, super::python::RULES),
    (Group::Textures, super::textures::RULES),
    (Group::Warp, super::warp::RULES),
];

// `DOCS`: the `//!` comment of each rule's file, by the rule's name, sorted.
include!(concat!(env!("OUT_DIR"), "/rule_docs.rs"));

/// A rule under its name, which is that of its file with `-` for `_`, and its group, which is the folder.
#[derive(Clone, Copy)]
pub struct Registered {
    rule: &'static Rule,
    /// Stable name: `rename-api`.
    pub name: &'static str,
    /// What part of a port it is about.
    pub group: Group,
}

impl Registered {
    /// The rule itself, for as long as the program runs.
    pub fn rule(self) -> &'static Rule {
        self.rule
    }
}

impl Deref for Registered {
    type Target = Rule;

    fn deref(&self) -> &Rule {
        self.rule
    }
}

/// All rules with their documentation (Markdown), by code.
pub fn all() -> &'static [(Registered, &'static str)] {
    static SORTED: LazyLock<Vec<(Registered, &'static str)>> = LazyLock::new(|| {
        let mut rules: Vec<_> = FOLDERS.iter().flat_map(registered).collect();
        rules.sort_by_key(|(rule, _)| rule.code);
        rules
    });
    &SORTED
}

fn registered(
    (group, rules): &'static (Group, &[(&str, &Rule)]),
) -> impl Iterator<Item = (Registered, &'static str)> {
    rules.iter().map(|&(name, rule)| {
        let group = *group;
        (Registered { rule, name, group }, docs(name))
    })
}

fn docs(name: &str) -> &'static str {
    let found = DOCS.binary_search_by_key(&name, |(name, _)| name);
    found.map_or("", |at| DOCS[at].1)
}

/// The rule with a code (`CASS001`) or name (`rename-api`), in any case.
pub fn find(code_or_name: &str) -> Option<(Registered, &'static str)> {
    let rules = all();
    let is_meant = |(rule, _): &&(Registered, &str)| {
        rule.code.eq_ignore_ascii_case(code_or_name) || rule.name.eq_ignore_ascii_case(code_or_name)
    };
    // Findings ask by their code, as often as there are findings.
    match rules.binary_search_by_key(&code_or_name, |(rule, _)| rule.code) {
        Ok(at) => Some(rules[at]),
        Err(_) => rules.iter().find(is_meant).copied(),
    }
}

/// Where the documentation is published: what the release was built with, or the pages that every release of the crate has.
const SITE: Option<&str> = option_env!("CASS_DOCS_URL");

/// The address of the documentation.
pub fn site() -> &'static str {
    own_site().unwrap_or("https://docs.rs/cass-transpile")
}

/// The address of the site that this program was built for, without a slash at its end.
pub(crate) fn own_site() -> Option<&'static str> {
    SITE.filter(|site| !site.is_empty())
        .map(|site| site.trim_end_matches('/'))
}

/// The address of a rule's page on the web.
pub fn page(code: &str) -> String {
    page_at(SITE, code)
}

fn page_at(site: Option<&str>, code: &str) -> String {
    match (site, find(code)) {
        (Some(site), _) if !site.is_empty() => {
            format!("{}/rules/{code}.html", site.trim_end_matches('/'))
        }
        (_, Some((rule, _))) => {
            let path = [rule.group.name(), rule.name].map(|part| part.replace('-', "_"));
            let root = "https://docs.rs/cass-transpile/latest/cass_transpile/rules";
            format!("{root}/{}/index.html", path.join("/"))
        }
        (_, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::codes;

    #[test]
    fn a_rule_has_a_page_wherever_the_site_lies() {
        let at = |site| page_at(site, "CASS003");
        assert_eq!(
            at(Some("https://a.example/cass/")),
            "https://a.example/cass/rules/CASS003.html"
        );
        for site in [None, Some("")] {
            assert!(
                at(site).ends_with("/rules/api/unsupported_api/index.html"),
                "{}",
                at(site)
            );
        }
    }

    #[test]
    fn codes_that_analyses_name_are_those_of_the_rules() {
        for (name, id) in [
            ("rename-api", codes::RENAME_API),
            ("texture-reference", codes::TEXTURE_REFERENCE),
        ] {
            let (rule, _) = find(name).expect("the rule is listed");
            assert_eq!(rule.id(), id, "{name}");
        }
    }
}
