//! The calls and assignments of a file by name.

use std::ops::Range;

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::PyFile;
use super::side::Named;

impl PyFile<'_> {
    fn named(&self) -> &Named {
        self.named.get_or_init(|| {
            let mut calls = FxHashMap::<String, Vec<Range<usize>>>::default();
            let mut assignments = FxHashMap::<String, Vec<Range<usize>>>::default();
            for node in self.all(&["call", "assignment"]) {
                let (all, name) = match node.kind() {
                    "call" => (&mut calls, node.child_by_field_name("function")),
                    _ => (&mut assignments, node.child_by_field_name("left")),
                };
                let name = name.map(|it| self.text(it).into_owned());
                all.entry(name.unwrap_or_default())
                    .or_default()
                    .push(node.byte_range());
            }
            Named { calls, assignments }
        })
    }

    /// The calls of a name, first byte first.
    pub(super) fn calls_of(&self, name: &str) -> Vec<Node<'_>> {
        self.standing(self.named().calls.get(name))
    }

    /// The assignments to a name, first byte first.
    pub(super) fn assignments_to(&self, name: &str) -> Vec<Node<'_>> {
        self.standing(self.named().assignments.get(name))
    }

    fn standing(&self, places: Option<&Vec<Range<usize>>>) -> Vec<Node<'_>> {
        let places = places.map_or(&[][..], Vec::as_slice).iter();
        // The smallest node of these bytes: what is within a call or an assignment has fewer.
        let node = |it: &Range<usize>| self.root().descendant_for_byte_range(it.start, it.end);
        places.filter_map(node).collect()
    }
}
