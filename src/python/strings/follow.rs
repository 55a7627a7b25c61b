//! What names, entries, parameters and functions of a file stand for as text.

use tree_sitter::Node;

use super::{MOST, Strings, Text, last_name};
use crate::python::parents;
use crate::text::quoted::Template;

impl<'t> Strings<'t> {
    /// The values that a name is given, what is added to them behind each other.
    pub(super) fn named(&self, name: Node<'t>, template: Template, depth: usize) -> Vec<Text> {
        let written = self.file.text(name);
        let last = last_name(&written).to_owned();
        let is_attribute = name.kind() == "attribute";
        let mut values = Vec::new();
        let assignments = self.assignments(&last);
        let since = (!is_attribute).then(|| self.set_anew(name, assignments));
        for &assignment in assignments {
            // `hdr = "#include " + hdr`: what is made of the earlier value is not that value.
            let is_within = assignment.byte_range().contains(&name.start_byte());
            if is_within || assignment.start_byte() < since.flatten().unwrap_or(0) {
                continue;
            }
            let Some(left) = assignment.child_by_field_name("left") else {
                continue;
            };
            let left_text = self.file.text(left);
            let is_it = left_text == written
                || is_attribute && (left_text == last || last_name(&left_text) == last);
            let sees = is_attribute || left.kind() != "identifier" || is_bound_at(assignment, name);
            if let Some(value) = assignment
                .child_by_field_name("right")
                .filter(|_| is_it && sees)
            {
                values.push((assignment.kind() == "augmented_assignment", value));
            }
        }
        if values.iter().any(|(is_added, _)| *is_added) {
            let parts: Vec<Node<'t>> = values.iter().map(|(_, value)| *value).collect();
            return self.joined(&parts, template, depth);
        }
        let mut texts: Vec<Text> = values
            .into_iter()
            .flat_map(|(_, value)| self.texts_of(value, template, depth))
            .take(MOST)
            .collect();
        if texts.is_empty() && !is_attribute {
            texts = self.handed_in(name, template, depth);
        }
        texts
    }

    /// Where a variable is given its value for the last time on every way to a place: what it was before cannot be seen there.
    fn set_anew(&self, name: Node<'t>, assignments: &[Node<'t>]) -> Option<usize> {
        let written = self.file.text(name);
        let around: Vec<usize> = within(name).map(|block| block.id()).collect();
        let sets = assignments.iter().filter(|it| {
            let left = it.child_by_field_name("left");
            let block = it.parent().and_then(|statement| statement.parent());
            it.kind() == "assignment"
                && it.end_byte() <= name.start_byte()
                && left.is_some_and(|left| self.file.text(left) == written)
                && block.is_some_and(|block| around.contains(&block.id()))
        });
        sets.map(|it| it.start_byte()).max()
    }

    /// `SOURCES["add"]`: all values of the dictionary or list.
    pub(super) fn entries(
        &self,
        subscript: Node<'t>,
        template: Template,
        depth: usize,
    ) -> Vec<Text> {
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
            .flat_map(|it| self.texts_of(it, template, depth))
            .take(MOST)
            .collect()
    }

    /// What callers give to a parameter, and its default.
    fn handed_in(&self, name: Node<'t>, template: Template, depth: usize) -> Vec<Text> {
        let Some(function) = parents(name).find(|it| it.kind() == "function_definition") else {
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
            .flat_map(|it| self.texts_of(it, template, depth))
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
    pub(super) fn returned_by(&self, name: &str, depth: usize) -> Vec<Text> {
        let functions = self.functions.get(name).map_or(&[][..], Vec::as_slice);
        let returns = functions
            .iter()
            .flat_map(|it| self.file.all_below(*it, &["return_statement"]));
        let values = returns.filter_map(|it| it.named_child(0));
        values
            .flat_map(|it| self.texts_of(it, Template::None, depth))
            .take(MOST)
            .collect()
    }
}

/// The blocks around a place, out to that of its function.
fn within(place: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut is_inside = true;
    parents(place).take_while(move |it| {
        let was_inside = is_inside;
        is_inside &= !matches!(it.kind(), "function_definition" | "class_definition");
        was_inside
    })
}

/// Whether a place sees what an assignment binds: it stands in the same function, or in the module.
fn is_bound_at(assignment: Node<'_>, place: Node<'_>) -> bool {
    let is_scope = |it: &Node<'_>| {
        matches!(
            it.kind(),
            "function_definition" | "class_definition" | "lambda"
        )
    };
    parents(assignment)
        .find(is_scope)
        .is_none_or(|function| parents(place).any(|it| it == function))
}
