//! All rules by name, with their group and documentation.

use std::ops::Deref;
use std::sync::LazyLock;

use super::check::Check;
use super::event::{Event, EventCheck};
use super::{Fact, Rule};
use crate::diagnostic::{Finding, Group};

/// The rules of each folder, by name: the build lists them.
static FOLDERS: &[(Group, &[(&str, &Rule)])] =
    include!(concat!(env!("OUT_DIR"), "/rule_folders.rs"));

/// The `//!` comment of each rule's file, by the rule's name, sorted.
static DOCS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rule_docs.rs"));

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

/// The rule with a code (`CASS001`) or name (`rename-api`), in any case; the codes and names of rules whose place it took mean it too.
pub fn find(code_or_name: &str) -> Option<(Registered, &'static str)> {
    let rules = all();
    let is_meant = |(rule, _): &&(Registered, &str)| {
        rule.code.eq_ignore_ascii_case(code_or_name) || rule.name.eq_ignore_ascii_case(code_or_name)
    };
    // Findings ask by their code, as often as there are findings.
    match rules.binary_search_by_key(&code_or_name, |(rule, _)| rule.code) {
        Ok(at) => Some(rules[at]),
        Err(_) => {
            let took_over = |(rule, _): &&(Registered, &str)| rule.was(code_or_name);
            let found = rules.iter().find(is_meant);
            found.or_else(|| rules.iter().find(took_over)).copied()
        }
    }
}

/// The codes of the rules of which something is true.
pub(crate) fn codes_with(fact: Fact) -> impl Iterator<Item = &'static str> {
    let rules = all().iter().map(|(rule, _)| rule);
    let with_fact = rules.filter(move |rule| rule.has(fact));
    with_fact.map(|rule| rule.rule().code)
}

/// The finding of the rule that an event belongs to.
pub(crate) fn notice(event: &Event<'_>) -> Finding {
    static CHECKS: LazyLock<Vec<EventCheck>> = LazyLock::new(|| {
        let checks = all().iter().flat_map(|(rule, _)| rule.rule().checks);
        let of_event = |check: &Check| match check {
            Check::Event(check) => Some(*check),
            _ => None,
        };
        checks.filter_map(of_event).collect()
    });
    let mut found = CHECKS.iter().filter_map(|check| check(event));
    // A test below notices each event.
    found.next().expect("each event belongs to a rule")
}

/// The site that a release was built with.
const SITE: Option<&str> = option_env!("CASS_DOCS_URL");
/// Written where the crate is published, which gives it pages; a checkout has none that anybody could open.
const PUBLISHED: &str = env!("CARGO_PKG_REPOSITORY");

/// The address of the documentation, where it is published.
pub fn site() -> Option<&'static str> {
    let of_crate = (!PUBLISHED.is_empty()).then_some("https://docs.rs/cass-transpile");
    own_site().or(of_crate)
}

/// The address of the site that this program was built for, without a slash at its end.
pub(crate) fn own_site() -> Option<&'static str> {
    SITE.filter(|site| !site.is_empty())
        .map(|site| site.trim_end_matches('/'))
}

/// The address of a rule's page on the web, where there is one; `explain` prints the same everywhere.
pub fn page(code: &str) -> Option<String> {
    page_at(own_site(), PUBLISHED, code)
}

fn page_at(site: Option<&str>, published: &str, code: &str) -> Option<String> {
    let (rule, _) = find(code)?;
    match site {
        Some(site) => Some(format!("{site}/rules/{code}.html")),
        None if published.is_empty() => None,
        None => {
            let path = [rule.group.name(), rule.name].map(|part| part.replace('-', "_"));
            let root = "https://docs.rs/cass-transpile/latest/cass_transpile/rules";
            Some(format!("{root}/{}/index.html", path.join("/")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::ApiUse;
    use crate::mapping::ApiTable;
    use crate::text::{SourceFile, TextRange};

    #[test]
    fn a_rule_has_a_page_where_somebody_published_one() {
        let at = |site, published| page_at(site, published, "CASS003");
        let own = at(Some("https://a.example/cass"), "");
        assert_eq!(
            own.as_deref(),
            Some("https://a.example/cass/rules/CASS003.html")
        );
        let of_crate = at(None, "https://a.example/source").unwrap_or_default();
        assert!(
            of_crate.ends_with("/rules/api/unsupported_api/index.html"),
            "{of_crate}"
        );
        assert_eq!(at(None, ""), None);
        assert_eq!(page_at(Some("https://a.example"), "", "CASS9999"), None);
    }

    #[test]
    fn old_codes_and_names_mean_the_rule_that_took_over_and_no_other() {
        let mut words = std::collections::BTreeSet::new();
        for (rule, _) in all() {
            assert!(words.insert(rule.code) && words.insert(rule.name));
        }
        for (rule, _) in all() {
            for (code, name) in rule.former() {
                for word in [code, name] {
                    assert!(word == rule.code || words.insert(word), "{word} is taken");
                    let found = find(&word.to_ascii_lowercase()).map(|(found, _)| found.code);
                    assert_eq!(found, Some(rule.code), "{word}");
                }
            }
        }
        assert_eq!(
            find("CASS683").map(|(rule, _)| rule.name),
            Some("triton-nvidia-only")
        );
    }

    #[test]
    fn each_event_belongs_to_one_rule() {
        let table = ApiTable::builtin();
        let entry = table.get(b"cudaMalloc").expect("the table has it").entry;
        let api = ApiUse {
            name: entry.cuda,
            library: entry.library,
            target: None,
            rocm_since: None,
        };
        let range = TextRange::new(0, 4);
        let source = SourceFile::new("a.cu", b"\xff\xfec\0".to_vec());
        let (name, uses, others) = ("cudaMalloc", 2, 1);
        let events = [
            Event::NameLeft { range, entry, api },
            Event::SyntaxErrors { range, extra: 1 },
            Event::CudaForAmd { range, entry, uses },
            Event::ArchForAmd { range },
            Event::WarpForAmd {
                range,
                name,
                lack: crate::rules::WarpLack::Switch,
            },
            Event::NotCovered {
                range,
                name,
                uses,
                help: String::new(),
            },
            Event::FileNotCovered {
                range,
                name,
                others,
                is_alone: false,
            },
            Event::FolderForCuda {
                range,
                files: 2,
                is_for_both: true,
            },
            Event::IncludeForCuda {
                range,
                path: "cuda.hpp",
                twin: None,
            },
            Event::ForeignCalls {
                range,
                name: "cuInit".to_owned(),
                calls: 2,
                caller: crate::text::Caller::Go,
                named: None,
            },
            Event::WideText(&source),
            Event::InvalidComment {
                range,
                problem: "it has no verb".to_owned(),
            },
            Event::UselessComment {
                range,
                comment: range,
                word: None,
            },
            Event::NvidiasSource { range, places: 1 },
            Event::OtherBuildFile {
                range,
                places: 2,
                words: &[],
                is_read: false,
                is_open: true,
                is_script: false,
            },
            Event::Conflict {
                range,
                message: "both changed".to_owned(),
                help: None,
            },
        ];
        for (at, event) in events.iter().enumerate() {
            let checks = all().iter().flat_map(|(rule, _)| rule.rule().checks);
            let speaking = checks.filter(|check| match check {
                Check::Event(check) => check(event).is_some(),
                _ => false,
            });
            assert_eq!(speaking.count(), 1, "event {at}");
        }
    }
}
