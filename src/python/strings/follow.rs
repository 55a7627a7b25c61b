//! What names, entries, parameters and functions of a file stand for as text.

use super::{Assigned, MOST, Strings, Text, Way, last_name};
use crate::python::{Node, parents};
use crate::text::quoted::Template;

impl<'t> Strings<'t> {
    /// The values that a name is given, what is added to them behind each other.
    pub(super) fn named(&self, name: Node<'t>, way: Way) -> Vec<Text> {
        let is_attribute = name.kind() == "attribute";
        let given = self.given(name);
        let adds = |it: &Node<'_>| it.kind() == "augmented_assignment";
        let value = |it: &Node<'t>| it.child_by_field_name("right");
        if given.iter().any(adds) {
            let parts: Vec<Node<'t>> = given.iter().filter_map(value).collect();
            return self.once(&parts, way);
        }
        let values = given.iter().filter_map(value);
        let texts = values.flat_map(|it| self.once(&[it], way));
        let texts: Vec<Text> = texts.take(MOST).collect();
        if texts.is_empty() && !is_attribute {
            return self.handed_in(name, way);
        }
        texts
    }

    /// The texts of values that are joined, found once for all who ask.
    fn once(&self, values: &[Node<'t>], way: Way) -> Vec<Text> {
        let numbers = values.iter().map(|it| it.number()).collect();
        let key = (numbers, way.template, way.names, way.levels);
        if let Some(known) = self.known.borrow().get(&key) {
            let bytes = known.iter().map(|it| it.quoted.text().len()).sum();
            let known = Some(known).filter(|_| !self.is_spent(bytes));
            return known.cloned().unwrap_or_default();
        }
        let texts = match values {
            [value] => self.texts_of(*value, way),
            values => self.joined(values, way),
        };
        if !self.is_spent(0) {
            self.known.borrow_mut().insert(key, texts.clone());
        }
        texts
    }

    /// The assignments that give a name its values at a place, in order.
    fn given(&self, name: Node<'t>) -> Vec<Node<'t>> {
        let written = self.file.text(name);
        let last = last_name(&written);
        let Some(assigned) = self.assignments.get(last) else {
            return Vec::new();
        };
        if name.kind() == "attribute" {
            let is_it = |it: &&Node<'t>| !it.byte_range().contains(&name.start_byte());
            return assigned.nodes.iter().filter(is_it).copied().collect();
        }
        let scopes = parents(name).filter(|it| is_scope(*it)).map(Some);
        let seen = scopes
            .chain([None])
            .flat_map(|scope| assigned.within(scope));
        let mut seen: Vec<Node<'t>> = seen.copied().collect();
        seen.sort_unstable_by_key(|it| it.number());
        let since = assigned.set_anew(name).unwrap_or(0);
        // `hdr = "#include " + hdr`: what is made of the earlier value is not that value.
        seen.retain(|it| it.start_byte() >= since && !it.byte_range().contains(&name.start_byte()));
        let own = parents(name).find(is_own_scope);
        let loops: Vec<Node<'t>> = parents(name)
            .take_while(|it| Some(*it) != own)
            .filter(|it| matches!(it.kind(), "for_statement" | "while_statement"))
            .collect();
        let is_own = |it: &Node<'t>| parents(*it).find(is_own_scope) == own;
        // What a variable that has a value already is given further down cannot be seen here, but for the next round of a loop.
        let comes_later = |it: &Node<'t>| {
            it.start_byte() > name.start_byte()
                && is_own(it)
                && !loops.iter().any(|around| around.is_around(*it))
        };
        if seen.iter().any(|it| is_own(it) && !comes_later(it)) {
            seen.retain(|it| !comes_later(it));
        }
        seen
    }

    /// `SOURCES["add"]`: all values of the dictionary or list.
    pub(super) fn entries(&self, subscript: Node<'t>, way: Way) -> Vec<Text> {
        let Some(value) = subscript.child_by_field_name("value") else {
            return Vec::new();
        };
        let name = self.file.text(value);
        let of_name = |it: &Node<'t>| {
            it.child_by_field_name("left")
                .is_some_and(|left| self.file.text(left) == name)
        };
        let right = self
            .assignments(last_name(&name))
            .iter()
            .copied()
            .filter(of_name)
            .filter_map(|it| it.child_by_field_name("right"));
        let parts = right.flat_map(|it| match it.kind() {
            "dictionary" => self
                .file
                .elements(it)
                .into_iter()
                .filter_map(|pair| pair.child_by_field_name("value"))
                .collect(),
            _ => vec![it],
        });
        parts
            .flat_map(|it| self.texts_of(it, way))
            .take(MOST)
            .collect()
    }

    /// What callers give to a parameter, and its default.
    fn handed_in(&self, name: Node<'t>, way: Way) -> Vec<Text> {
        let Some(function) = name.function() else {
            return Vec::new();
        };
        let parameters = function
            .child_by_field_name("parameters")
            .map_or_else(Vec::new, |it| self.file.elements(it));
        let written = self.file.text(name);
        let is_it = |it: &Node<'t>| self.parameter_name(*it).is_some_and(|text| text == written);
        let Some(position) = parameters.iter().position(is_it) else {
            return Vec::new();
        };
        let default = parameters[position].child_by_field_name("value");
        let own = function
            .child_by_field_name("name")
            .map(|it| self.file.text(it).into_owned())
            .unwrap_or_default();
        let is_method = parameters
            .first()
            .and_then(|it| self.parameter_name(*it))
            .is_some_and(|it| it == "self" || it == "cls");
        // `__init__` is called by the name of its class.
        let class = parents(function)
            .find(|it| it.kind() == "class_definition")
            .and_then(|it| it.child_by_field_name("name"));
        let called = match (own.as_str(), class) {
            ("__init__", Some(class)) => self.file.text(class).into_owned(),
            _ => own,
        };
        let given = self.calls(&called).iter().filter_map(|call| {
            self.file.argument(
                *call,
                position - usize::from(is_method && position > 0),
                &written,
            )
        });
        default
            .into_iter()
            .chain(given)
            .flat_map(|it| self.texts_of(it, way))
            .take(MOST)
            .collect()
    }

    fn parameter_name(&self, parameter: Node<'t>) -> Option<String> {
        let name = match parameter.kind() {
            "identifier" => Some(parameter),
            "default_parameter" | "typed_default_parameter" => {
                parameter.child_by_field_name("name")
            }
            "typed_parameter" => parameter.named_child(0),
            _ => None,
        };
        name.map(|it| self.file.text(it).into_owned())
    }

    /// What a function of the file gives back.
    pub(super) fn returned_by(&self, name: &str, way: Way) -> Vec<Text> {
        let functions = self.functions.get(name).map_or(&[][..], Vec::as_slice);
        let returns = functions
            .iter()
            .flat_map(|it| self.file.all_below(*it, &["return_statement"]));
        let values = returns.filter_map(|it| it.named_child(0));
        values
            .flat_map(|it| self.texts_of(it, way.within(Template::None)))
            .take(MOST)
            .collect()
    }
}

impl<'t> Assigned<'t> {
    /// Adds an assignment.
    pub(super) fn push(&mut self, assignment: Node<'t>, left: Node<'t>) {
        self.nodes.push(assignment);
        if left.kind() == "identifier" {
            let scope = parents(assignment).find(|it| is_scope(*it));
            let scope = scope.map(Node::number);
            self.of_scope.entry(scope).or_default().push(assignment);
        }
    }

    /// The assignments to the name itself in a function or class, those within it aside; of the module without one.
    fn within(&self, scope: Option<Node<'_>>) -> &[Node<'t>] {
        let found = self.of_scope.get(&scope.map(Node::number));
        found.map_or(&[], Vec::as_slice)
    }

    /// Where a variable is given its value for the last time on every way to a place: what it was before cannot be seen there.
    fn set_anew(&self, place: Node<'_>) -> Option<usize> {
        let own = self.within(parents(place).find(is_own_scope));
        let before = own.partition_point(|it| it.end_byte() <= place.start_byte());
        let sets = |it: &&Node<'_>| {
            let block = it.parent().and_then(Node::parent);
            it.kind() == "assignment" && block.is_some_and(|block| block.is_around(place))
        };
        let last = own[..before].iter().rev().find(sets);
        last.map(|it| it.start_byte())
    }
}

/// Whether variables that are assigned in a node are its own: nothing is assigned in a lambda.
fn is_own_scope(node: &Node<'_>) -> bool {
    is_scope(*node) && node.kind() != "lambda"
}

/// Whether names that are bound in a node are its own.
fn is_scope(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "function_definition" | "class_definition" | "lambda"
    )
}
