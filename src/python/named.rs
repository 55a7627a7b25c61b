//! The calls, assignments and identifiers of a file by name, and its texts.

use rustc_hash::FxHashMap;

use super::side::{Named, Words};
use super::{LONGEST_NAME, Literal, Node, PyFile, parents};

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
    pub(crate) fn calls_of(&self, name: &str) -> Vec<Node<'_>> {
        self.standing(self.named().calls.get(name))
    }

    /// The assignments to a name, first byte first.
    pub(crate) fn assignments_to(&self, name: &str) -> Vec<Node<'_>> {
        self.standing(self.named().assignments.get(name))
    }

    fn words(&self) -> &Words {
        self.words.get_or_init(|| {
            let mut identifiers = FxHashMap::<String, Vec<u32>>::default();
            for node in self.all(&["identifier"]) {
                let name = self.text(node).into_owned();
                identifiers.entry(name).or_default().push(node.number());
            }
            let mut texts = FxHashMap::<String, usize>::default();
            let strings = self.all(&["string"]).into_iter();
            for literal in strings.filter_map(|it| Literal::new(self, it)) {
                *texts.entry(literal.text.to_string()).or_default() += 1;
            }
            Box::new(Words { identifiers, texts })
        })
    }

    /// The identifiers of a name, first byte first.
    pub(crate) fn identifiers_of(&self, name: &str) -> Vec<Node<'_>> {
        self.standing(self.words().identifiers.get(name))
    }

    /// Those below a node.
    pub(crate) fn identifiers_within(&self, name: &str, around: Node<'_>) -> Vec<Node<'_>> {
        let all = self.words().identifiers.get(name);
        let all = all.map_or(&[][..], Vec::as_slice);
        let below = around.numbers_below();
        let count_before = |end: u32| all.partition_point(|at| *at < end);
        let within = &all[count_before(below.start)..count_before(below.end)];
        within.iter().map(|at| self.nodes.node(*at)).collect()
    }

    /// The other places where the file names a member, `self.sm`.
    pub(crate) fn uses_of_member(&self, member: Node<'_>) -> Vec<Node<'_>> {
        let name = self.dotted(member);
        let mut uses = self.all(&["attribute"]);
        uses.retain(|it| *it != member && self.dotted(*it) == name);
        uses
    }

    /// How many strings of the file say a text.
    pub(crate) fn times_written(&self, text: &str) -> usize {
        self.words().texts.get(text).copied().unwrap_or_default()
    }

    /// Whether a function around a place, or a variable that it is assigned to, has such a name; `says` is given it in lower case.
    pub(crate) fn is_named_around(&self, place: Node<'_>, says: impl Fn(&str) -> bool) -> bool {
        parents(place).any(|it| {
            let name = match it.kind() {
                "function_definition" => it.child_by_field_name("name"),
                "assignment" => it.child_by_field_name("left"),
                _ => None,
            };
            name.is_some_and(|it| says(&self.text(it).to_lowercase()))
        })
    }

    /// The functions of the file that a call of a name may mean.
    pub(crate) fn functions_called(&self, name: &str) -> Vec<Node<'_>> {
        let mut names = self.identifiers_of(name);
        names.retain(|it| {
            it.parent()
                .is_some_and(|above| above.child_by_field_name("name") == Some(*it))
        });
        let functions = names.into_iter().filter_map(|it| it.parent());
        functions
            .filter(|it| it.kind() == "function_definition")
            .collect()
    }

    fn standing(&self, places: Option<&Vec<u32>>) -> Vec<Node<'_>> {
        let places = places.map_or(&[][..], Vec::as_slice).iter();
        places.map(|at| self.nodes.node(*at)).collect()
    }
}
