//! How the files of a tree stand to what a build compiles.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::project::compiled::Compiled;
use crate::project::compiled::files::{Macros, agreed};
use crate::project::index::ProjectIndex;
use crate::syntax::{GivenMacros, Truth};
use crate::text::number::integer;

/// How a file stands to the build.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Standing<'p> {
    /// Nobody said, or it is no file that a compiler reads.
    Unknown,
    /// No command compiles it, and no file that is compiled comes to it by its includes.
    Outside,
    /// Compiled with these macros.
    Compiled(&'p Macros),
}

impl ProjectIndex {
    /// Adds what a build compiles.
    #[must_use]
    pub fn with_compiled(mut self, compiled: Option<Compiled>) -> Self {
        self.paths.compiled = compiled.map(Box::new);
        self
    }

    /// How a file stands to the build. What configuring makes sources from is read by no compiler.
    pub(crate) fn standing(&self, path: &str) -> Standing<'_> {
        let Some(compiled) = &self.paths.compiled else {
            return Standing::Unknown;
        };
        if path.ends_with(".in") || !self.holds(path) {
            return Standing::Unknown;
        }
        let reached = compiled.reached.get_or_init(|| self.reached_by(compiled));
        match reached.get(path) {
            Some(macros) => Standing::Compiled(macros),
            None => Standing::Outside,
        }
    }

    /// The macros in front of the first line of a file. With `knows_all` what no command defines is defined by nobody; without it
    /// only what other commands define is known to be missing.
    pub(crate) fn given_macros(&self, path: &str, knows_all: bool) -> Option<Given<'_>> {
        match (self.standing(path), &self.paths.compiled) {
            (Standing::Compiled(macros), Some(compiled)) => Some(Given {
                compiled,
                macros,
                knows_all,
            }),
            _ => None,
        }
    }

    /// The number that a macro stands for on the command lines of a file.
    pub(super) fn given_number(&self, path: &str, name: &[u8]) -> Option<u64> {
        let Standing::Compiled(macros) = self.standing(path) else {
            return None;
        };
        let value = macros.get(std::str::from_utf8(name).ok()?)?.as_deref()?;
        integer(value.trim().as_bytes())
    }

    /// From the files that are compiled down to what they include, each file after those that include it.
    fn reached_by(&self, compiled: &Compiled) -> FxHashMap<String, Arc<Macros>> {
        let graph = self.graph();
        let mut found = FxHashMap::<String, Arc<Macros>>::default();
        for file in graph.leaves_first().into_iter().rev() {
            let path = &graph.paths()[file as usize];
            let includers = graph.includers(file).iter();
            let above = includers.filter_map(|at| found.get(&graph.paths()[*at as usize]));
            let own = compiled.files.get(path);
            let own = own.map(|file| Arc::new(file.macros.clone()));
            let merged = above.cloned().chain(own).reduce(|one, other| {
                match Arc::ptr_eq(&one, &other) || one == other {
                    true => one,
                    false => Arc::new(agreed(&one, &other)),
                }
            });
            if let Some(merged) = merged {
                found.insert(path.clone(), merged);
            }
        }
        found
    }
}

/// What is known of the macros of one file.
pub(crate) struct Given<'p> {
    compiled: &'p Compiled,
    macros: &'p Macros,
    knows_all: bool,
}

impl GivenMacros for Given<'_> {
    fn given(&self, name: &[u8]) -> Option<Truth> {
        let value = self.macros.get(std::str::from_utf8(name).ok()?)?;
        Some(match integer(value.as_deref()?.trim().as_bytes()) {
            Some(0) => Truth::No,
            Some(_) => Truth::Yes,
            None => Truth::Unknown,
        })
    }

    fn may_be_given(&self, name: &[u8]) -> bool {
        let text = std::str::from_utf8(name).unwrap_or_default();
        let is_switch = self.compiled.switches.contains(text);
        self.macros.contains_key(text)
            || self.compiled.defined.contains(name)
            || !(self.knows_all || is_switch)
    }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;
    use crate::project::FileIndex;
    use crate::project::compiled::CompiledFile;

    fn project(files: &[(&str, &[&str])], commands: &[(&str, &[(&str, &str)])]) -> ProjectIndex {
        let index = |includes: &[&str]| FileIndex {
            includes: includes.iter().map(|it| (*it).to_owned()).collect(),
            ..FileIndex::default()
        };
        let indexed = files
            .iter()
            .map(|(path, includes)| ((*path).to_owned(), index(includes)));
        let paths = files.iter().map(|(path, _)| (*path).to_owned());
        let commands = commands.iter().map(|(path, macros)| {
            let macros = macros
                .iter()
                .map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned())));
            let file = CompiledFile {
                macros: macros.collect(),
                folders: vec!["a".to_owned()],
            };
            ((*path).to_owned(), file)
        });
        let compiled = Compiled::new(commands, FxHashSet::default());
        ProjectIndex::new(indexed, paths).with_compiled(Some(compiled))
    }

    #[test]
    fn headers_are_compiled_with_what_all_who_include_them_agree_on() {
        let project = project(
            &[
                ("one.cu", &["a.h"]),
                ("two.cu", &["a.h", "c.h"]),
                ("a.h", &["c.h"]),
                ("c.h", &["a.h"]),
                ("other.cu", &["d.h"]),
                ("d.h", &[]),
                ("a.cu.in", &[]),
            ],
            &[
                ("one.cu", &[("BOTH", "1"), ("SIZE", "32")]),
                ("two.cu", &[("BOTH", "1"), ("SIZE", "64")]),
            ],
        );
        for path in ["a.h", "c.h"] {
            let Standing::Compiled(macros) = project.standing(path) else {
                panic!("{path} is included");
            };
            assert_eq!(macros["BOTH"].as_deref(), Some("1"), "{path}");
            assert_eq!(macros["SIZE"], None, "{path}");
        }
        assert_eq!(project.given_number("two.cu", b"SIZE"), Some(64));
        assert_eq!(project.given_number("c.h", b"SIZE"), None);
        for path in ["other.cu", "d.h"] {
            assert!(
                matches!(project.standing(path), Standing::Outside),
                "{path}"
            );
        }
        assert!(matches!(project.standing("a.cu.in"), Standing::Unknown));
    }

    #[test]
    fn headers_are_looked_for_where_the_command_says() {
        let files: &[(&str, &[&str])] = &[("x/m.cu", &["k.h"]), ("a/k.h", &[]), ("b/k.h", &[])];
        let with = project(files, &[("x/m.cu", &[])]);
        assert_eq!(with.paths.resolve("x/m.cu", "k.h"), Some("a/k.h"));
        let without = project(files, &[]);
        assert_ne!(without.paths.resolve("x/m.cu", "k.h"), Some("a/k.h"));
    }
}
