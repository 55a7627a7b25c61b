//! The calls and assignments of a file by name.

use rustc_hash::FxHashMap;

use super::side::Named;
use super::{LONGEST_NAME, Node, PyFile};

impl PyFile<'_> {
    fn named(&self) -> &Named {
        self.named.get_or_init(|| {
            let mut calls = FxHashMap::<String, Vec<u32>>::default();
            let mut assignments = FxHashMap::<String, Vec<u32>>::default();
            for node in self.all(&["call", "assignment"]) {
                let (all, name) = match node.kind() {
                    "call" => (&mut calls, node.child_by_field_name("function")),
                    _ => (&mut assignments, node.child_by_field_name("left")),
                };
                let is_name = |it: &Node<'_>| it.byte_range().len() <= LONGEST_NAME;
                if let Some(name) = name.filter(is_name) {
                    let name = self.text(name).into_owned();
                    all.entry(name).or_default().push(node.number());
                }
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

    fn standing(&self, places: Option<&Vec<u32>>) -> Vec<Node<'_>> {
        let places = places.map_or(&[][..], Vec::as_slice).iter();
        places.map(|at| self.nodes.node(*at)).collect()
    }
}
