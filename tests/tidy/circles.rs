//! No circle of files: a file that needs another is never needed by it, however many files lie between. Paths are followed through
//! re-exports to the file that defines the name, so a `mod.rs` that only lists what its folder offers joins no circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::modules::{Module, Modules, modules, uses};
use crate::sources;

/// Files that use one another, each group with the edges among its members: `from -> to (name)`.
fn circles(sources: &BTreeMap<String, String>) -> Vec<Vec<String>> {
    let modules = modules(sources);
    let edges = edges(&modules);
    components(&edges)
        .into_iter()
        .filter(|group| group.len() > 1)
        .map(|group| {
            let inside = |(from, to): &(&Vec<String>, &Vec<String>)| {
                group.contains(from) && group.contains(to)
            };
            edges
                .iter()
                .flat_map(|(from, to)| to.keys().map(move |to| (from, to)))
                .filter(inside)
                .map(|(from, to)| {
                    format!(
                        "{} -> {} ({})",
                        from.join("/"),
                        to.join("/"),
                        edges[from][to].join(", ")
                    )
                })
                .collect()
        })
        .collect()
}

/// For each file those that it uses, with the names that lead there.
fn edges(modules: &Modules) -> BTreeMap<Vec<String>, BTreeMap<Vec<String>, Vec<String>>> {
    let mut found: BTreeMap<Vec<String>, BTreeMap<Vec<String>, Vec<String>>> = BTreeMap::new();
    for (here, module) in modules {
        let used = found.entry(module.file.clone()).or_default();
        for (target, name) in uses(modules, here, module) {
            let Some(Module { file, .. }) = modules.get(&target) else {
                continue;
            };
            let names = used.entry(file.clone()).or_default();
            if *file == module.file {
                used.remove(file);
            } else if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    found
}

/// Tarjan's strongly connected components.
fn components<T>(
    edges: &BTreeMap<Vec<String>, BTreeMap<Vec<String>, T>>,
) -> Vec<BTreeSet<&Vec<String>>> {
    let mut walk = Walk {
        index: BTreeMap::new(),
        low: BTreeMap::new(),
        stack: Vec::new(),
        found: Vec::new(),
    };
    for node in edges.keys() {
        if !walk.index.contains_key(node) {
            walk.visit(edges, node);
        }
    }
    walk.found
}

struct Walk<'a> {
    index: BTreeMap<&'a Vec<String>, usize>,
    low: BTreeMap<&'a Vec<String>, usize>,
    stack: Vec<&'a Vec<String>>,
    found: Vec<BTreeSet<&'a Vec<String>>>,
}

impl<'a> Walk<'a> {
    fn visit<T>(
        &mut self,
        edges: &'a BTreeMap<Vec<String>, BTreeMap<Vec<String>, T>>,
        node: &'a Vec<String>,
    ) {
        let number = self.index.len();
        self.index.insert(node, number);
        self.low.insert(node, number);
        self.stack.push(node);
        for next in edges.get(node).into_iter().flat_map(BTreeMap::keys) {
            if !self.index.contains_key(next) {
                self.visit(edges, next);
                self.low.insert(node, self.low[node].min(self.low[next]));
            } else if self.stack.contains(&next) {
                self.low.insert(node, self.low[node].min(self.index[next]));
            }
        }
        if self.low[node] == number {
            let mut group = BTreeSet::new();
            while let Some(member) = self.stack.pop() {
                group.insert(member);
                if member == node {
                    break;
                }
            }
            self.found.push(group);
        }
    }
}

/// Rooms whose circles are still to be cut, with how many there are.
const LEFT: &[(&str, usize)] = &[];

#[test]
fn no_circle_of_files() {
    let found = circles(&sources());
    let mut rooms: BTreeMap<&str, usize> = BTreeMap::new();
    for group in &found {
        let room = group[0].split('/').next().unwrap_or_default();
        *rooms.entry(room).or_default() += 1;
    }
    let left: BTreeMap<&str, usize> = LEFT.iter().copied().collect();
    assert_eq!(rooms, left, "{found:#?}");
}

#[test]
fn circles_are_seen_through_what_folders_offer() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let tree = BTreeMap::from([
        file("lib.rs", "pub mod a;\npub mod b;"),
        file(
            "a/mod.rs",
            "mod one;\nmod two;\npub use one::One;\npub use two::*;",
        ),
        // `One` needs `Two` by way of the folder, and the other way round by its path.
        file("a/one.rs", "use super::Two;\npub struct One(Two);"),
        file(
            "a/two.rs",
            "pub struct Two;\nfn f(one: &crate::a::one::One) {}",
        ),
        file(
            "b.rs",
            "use crate::a::{One, Two as Other};\nfn f(_: One, _: Other) {}",
        ),
    ]);
    let found = circles(&tree);
    assert_eq!(
        found,
        [[
            "a/one -> a/two (Two)",
            "a/two -> a/one (crate::a::one::One)"
        ]]
    );
    // Without the way back there is none.
    let mut cut = tree.clone();
    cut.insert(
        "a/two.rs".to_owned(),
        "// crate::a::one::One\npub struct Two;".to_owned(),
    );
    assert_eq!(circles(&cut), [] as [Vec<String>; 0]);
}
