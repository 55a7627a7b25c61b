//! The places that rules look at.

use super::context::{
    BuildFileCheck, DirectiveCheck, IncludeCheck, LaunchCheck, NameCheck, PythonCheck, SourceCheck,
};
use super::event::EventCheck;
use crate::compat;

/// Lists of texts, each of which has one that is looked for.
pub type Texts = &'static [&'static [&'static str]];

/// What a rule looks at, and what it does there.
pub enum Check {
    /// These identifiers, wherever they are code.
    Idents(&'static [&'static str], NameCheck),
    /// The identifiers of a table of the rule's own, wherever they are code.
    Listed(fn() -> &'static [&'static str], NameCheck),
    /// These identifiers, and no table entry of theirs is applied: the rule does all there is to do.
    Claimed(&'static [&'static str], NameCheck),
    /// The identifiers that these snippets of `src/compat` stand for; claimed likewise.
    Replaced(&'static [&'static str], NameCheck),
    /// Every identifier that the tables know and no rule claims.
    Api(NameCheck),
    /// Every function that HIP lacks and a helper of `src/compat` stands for, unless another rule claims it; claimed likewise.
    Helper(NameCheck),
    /// Every kernel launch.
    Launch(LaunchCheck),
    /// Every include with a literal path.
    Include(IncludeCheck),
    /// Every preprocessor directive.
    Directive(DirectiveCheck),
    /// Once per file of C++, after everything else.
    Source(SourceCheck),
    /// Once per build file: a Makefile, a CMake list, a shell script, a `setup.py` without extensions of PyTorch.
    BuildFile(BuildFileCheck),
    /// Once per file that says how something is built in another language: an image, a job of CI, a preset.
    OtherBuildFile(BuildFileCheck),
    /// Once per Python file that builds extensions of PyTorch.
    Extension(PythonCheck),
    /// Once per Python file in which each of these lists has a text that stands somewhere; without lists, once per file of which another
    /// rule is asked. Such a file has to do with GPUs, others are copied unread.
    Python(Texts, PythonCheck),
    /// Once per Python file in which one of the texts of a table of the rule's own stands somewhere.
    PythonListed(fn() -> &'static [&'static str], PythonCheck),
    /// What the engine notices while it works on a file.
    Event(EventCheck),
}

impl Check {
    /// The identifiers that it names as those it looks at.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        let (names, snippets): (&[&str], &[&str]) = match self {
            Self::Idents(names, _) | Self::Claimed(names, _) => (names, &[]),
            Self::Listed(names, _) => (names(), &[]),
            Self::Replaced(snippets, _) => (&[], snippets),
            _ => (&[], &[]),
        };
        let snippets = snippets.iter().filter_map(|name| compat::find(name));
        let replaced = snippets.flat_map(|snippet| snippet.replaces);
        names.iter().chain(replaced).copied()
    }

    /// Whether it does all there is to do about the identifiers that it names: no table entry of theirs is applied.
    pub(crate) fn claims(&self) -> bool {
        matches!(self, Self::Claimed(..) | Self::Replaced(..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::all;

    #[test]
    fn each_snippet_that_a_rule_stands_for_is_there() {
        let checks = all().iter().flat_map(|(rule, _)| rule.rule().checks);
        let snippets = checks.filter_map(|check| match check {
            Check::Replaced(snippets, _) => Some(*snippets),
            _ => None,
        });
        for name in snippets.flatten() {
            let snippet = compat::find(name);
            assert!(snippet.is_some_and(|it| !it.replaces.is_empty()), "{name}");
        }
    }
}
