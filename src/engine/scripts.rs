//! Which scripts of Python have to do with GPUs: those with the texts that some rule looks for.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::mapping::ModuleTable;
use crate::python::{builds_extensions, mentions_roots};
use crate::rules::{Check, Fact, all};

/// The lists of texts of one rule.
type Lists = Vec<Vec<Finder<'static>>>;

/// Whether a rule is asked about a script, or it builds extensions of PyTorch; others are copied without being read further.
pub(super) fn mentions_gpus(bytes: &[u8]) -> bool {
    static RULES: LazyLock<Vec<Lists>> = LazyLock::new(lists);
    // Texts that the quick look does not know; as a rule there are none.
    static OTHERS: LazyLock<Vec<Finder<'static>>> = LazyLock::new(without_root);
    if !passes_quick_look(bytes) && !stands_in(&OTHERS, bytes) {
        return false;
    }
    let is_asked = |lists: &Lists| lists.iter().all(|list| stands_in(list, bytes));
    RULES.iter().any(is_asked) || builds_extensions(bytes)
}

/// Whether a text has anything that nearly all have which a rule is asked about: one pass for what rules name and one for modules.
fn passes_quick_look(bytes: &[u8]) -> bool {
    mentions_roots(bytes) || ModuleTable::builtin().is_mentioned(bytes)
}

/// Whether every text of a list passes it.
fn is_known(list: &&[&str]) -> bool {
    list.iter().all(|text| passes_quick_look(text.as_bytes()))
}

fn stands_in(texts: &[Finder<'_>], bytes: &[u8]) -> bool {
    texts.iter().any(|text| text.find(bytes).is_some())
}

/// Of each rule that says which texts it looks for, those.
fn lists() -> Vec<Lists> {
    let lists = texts().map(|texts| texts.into_iter().map(finders).collect());
    lists.collect()
}

/// The texts of lists in which not all have a root.
fn without_root() -> Vec<Finder<'static>> {
    let rules = texts().filter(|texts| !texts.iter().any(is_known));
    rules
        .filter_map(|texts| texts.first().copied())
        .flat_map(finders)
        .collect()
}

fn finders(texts: &[&'static str]) -> Vec<Finder<'static>> {
    texts.iter().map(|text| Finder::new(*text)).collect()
}

/// The lists of each rule that names texts: those of its checks, and those of its facts.
fn texts() -> impl Iterator<Item = Vec<&'static [&'static str]>> {
    let rules = all().iter().map(|(registered, _)| registered.rule());
    let of_checks = rules.clone().flat_map(|rule| rule.checks);
    let of_checks = of_checks.filter_map(|check| match check {
        Check::Python(texts, _) => Some(texts.to_vec()),
        Check::PythonListed(texts, _) => Some(vec![texts()]),
        _ => None,
    });
    let of_facts = rules.flat_map(|rule| rule.facts);
    let of_facts = of_facts.filter_map(|fact| match fact {
        Fact::ReadsScriptsWith(texts) => Some(vec![*texts]),
        _ => None,
    });
    let texts = of_checks.chain(of_facts);
    texts.filter(|texts| !texts.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who counts the scripts of a tree has the quick look alone: what it does not know would be left unread there.
    #[test]
    fn the_quick_look_knows_a_text_of_each_rule() {
        let unknown = texts().filter(|texts| !texts.iter().any(is_known));
        let unknown: Vec<_> = unknown.collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn a_script_is_read_where_each_list_of_a_rule_has_a_text() {
        for (text, expected) in [
            ("import numba\n", false),
            ("from numba import cuda\n", true),
            ("import triton\n", true),
            ("import torch\n", false),
            ("from torch.utils import cpp_extension\n", true),
            ("from distutils import _cpp_extensions\n", false),
            ("if torch.version.cuda:\n", true),
            ("k = RawKernel(code, 'k')\n", true),
            ("import flashinfer\n", true),
        ] {
            assert_eq!(mentions_gpus(text.as_bytes()), expected, "{text}");
        }
    }
}
