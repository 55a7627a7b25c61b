//! What an expression stands for as text: literals, constants, what is joined of them, and templates around their holes. Nothing is
//! run: what only the program knows is a hole.

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::{Literal, PyFile, parents};
use crate::text::TextRange;
use crate::text::quoted::{Quoted, Style, Template};

/// How far names, parameters and functions are followed.
const DEPTH: usize = 6;
/// How many texts an expression may stand for, by branches and callers.
const MOST: usize = 8;

/// A text that an expression may stand for.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The text.
    pub quoted: Quoted,
    /// It is changed when the program runs: `.replace`, a template, a part that is not known.
    pub is_template: bool,
    /// It is read from a file.
    pub is_file: bool,
}

/// What a file binds and calls, by name, and what texts come of it.
pub struct Strings<'t> {
    file: &'t PyFile<'t>,
    assignments: FxHashMap<String, Vec<Node<'t>>>,
    calls: FxHashMap<String, Vec<Node<'t>>>,
    functions: FxHashMap<String, Vec<Node<'t>>>,
}

impl<'t> Strings<'t> {
    /// Walks a file once.
    pub fn new(file: &'t PyFile<'t>) -> Self {
        let (mut assignments, mut calls, mut functions) = <(
            FxHashMap<String, Vec<Node<'t>>>,
            FxHashMap<_, Vec<_>>,
            FxHashMap<_, Vec<_>>,
        )>::default();
        for node in file.all(&[
            "assignment",
            "augmented_assignment",
            "call",
            "function_definition",
        ]) {
            let (names, name) = match node.kind() {
                "call" => (&mut calls, file.callee(node).map(|it| it.into_owned())),
                "function_definition" => (
                    &mut functions,
                    node.child_by_field_name("name")
                        .map(|it| file.text(it).into_owned()),
                ),
                _ => (
                    &mut assignments,
                    node.child_by_field_name("left")
                        .map(|it| last_name(&file.text(it)).to_owned()),
                ),
            };
            names
                .entry(name.unwrap_or_default())
                .or_default()
                .push(node);
        }
        Self {
            file,
            assignments,
            calls,
            functions,
        }
    }

    /// The file.
    pub fn file(&self) -> &'t PyFile<'t> {
        self.file
    }

    /// The calls of a function or method of this name, first byte first.
    pub fn calls(&self, name: &str) -> &[Node<'t>] {
        self.calls.get(name).map_or(&[], Vec::as_slice)
    }

    fn assignments(&self, name: &str) -> &[Node<'t>] {
        self.assignments.get(name).map_or(&[], Vec::as_slice)
    }

    /// The expressions that a name may stand for; the expression itself where it is no name.
    pub fn values(&self, node: Node<'t>) -> Vec<Node<'t>> {
        if !matches!(node.kind(), "identifier" | "attribute") {
            return vec![node];
        }
        let name = self.file.text(node);
        let right = self
            .assignments(last_name(&name))
            .iter()
            .filter_map(|it| it.child_by_field_name("right"));
        right.collect()
    }

    /// The texts that an expression may stand for; none where no literal is part of it.
    pub fn texts(&self, node: Node<'t>) -> Vec<Text> {
        let mut found = self.texts_of(node, Template::None, DEPTH);
        found.retain(|text| text.is_file || !text.quoted.is_empty());
        found
    }

    fn texts_of(&self, node: Node<'t>, template: Template, depth: usize) -> Vec<Text> {
        let again = |node| self.texts_of(node, template, depth);
        match node.kind() {
            "string" => vec![self.literal_text(node, template)],
            "concatenated_string" => self.joined(&self.file.elements(node), template, depth),
            "parenthesized_expression" => self
                .file
                .elements(node)
                .first()
                .map_or_else(Vec::new, |it| again(*it)),
            "binary_operator" => self.operator(node, template, depth),
            "conditional_expression" => {
                let parts = self.file.elements(node);
                [parts.first(), parts.last()]
                    .into_iter()
                    .flatten()
                    .flat_map(|it| again(*it))
                    .collect()
            }
            "boolean_operator" => self
                .file
                .elements(node)
                .into_iter()
                .flat_map(again)
                .collect(),
            "list" | "tuple" | "set" => self
                .file
                .elements(node)
                .into_iter()
                .flat_map(again)
                .collect(),
            "list_splat" | "await" | "keyword_argument" | "named_expression" => self
                .file
                .elements(node)
                .last()
                .map_or_else(Vec::new, |it| again(*it)),
            "identifier" | "attribute" if depth > 0 => self.named(node, template, depth - 1),
            "subscript" if depth > 0 => self.entries(node, template, depth - 1),
            "call" => self.called(node, template, depth),
            _ => Vec::new(),
        }
    }

    fn literal_text(&self, node: Node<'t>, template: Template) -> Text {
        let Some(literal) = Literal::new(self.file, node) else {
            return Text::default();
        };
        let mut quoted = Quoted::new();
        let holes = read(self.file, node, &literal, template, &mut quoted);
        Text {
            quoted,
            is_template: holes || template != Template::None,
            is_file: false,
        }
    }

    /// Texts one behind the other; a part that is not known is a hole between literals.
    fn joined(&self, parts: &[Node<'t>], template: Template, depth: usize) -> Vec<Text> {
        let mut all = vec![Text::default()];
        for part in parts {
            let mut texts = self.texts_of(*part, template, depth);
            texts.retain(|text| !text.quoted.is_empty());
            if texts.is_empty() {
                texts.push(unknown(self.file.range(*part)));
            }
            let pairs = all
                .iter()
                .flat_map(|before| texts.iter().map(move |text| before.then(text)));
            all = pairs.take(MOST).collect();
        }
        all.retain(|text| !text.quoted.is_empty());
        all
    }

    /// `a + b`, `a % values`, `a * n`.
    fn operator(&self, node: Node<'t>, template: Template, depth: usize) -> Vec<Text> {
        let sides = (
            node.child_by_field_name("left"),
            node.child_by_field_name("right"),
            node.child_by_field_name("operator"),
        );
        let (Some(left), Some(right), Some(operator)) = sides else {
            return Vec::new();
        };
        match &*self.file.text(operator) {
            "+" => self.joined(&[left, right], template, depth),
            "%" => self.texts_of(left, Template::Percent, depth),
            _ => Vec::new(),
        }
    }

    /// Methods of strings, functions of the standard library that give text back, and functions of the file.
    fn called(&self, call: Node<'t>, template: Template, depth: usize) -> Vec<Text> {
        let (Some(function), Some(name)) =
            (call.child_by_field_name("function"), self.file.callee(call))
        else {
            return Vec::new();
        };
        let arguments = call
            .child_by_field_name("arguments")
            .map_or_else(Vec::new, |it| self.file.elements(it));
        let receiver = function.child_by_field_name("object");
        let with = |node: Option<Node<'t>>, template| {
            node.map_or_else(Vec::new, |it| self.texts_of(it, template, depth))
        };
        match (&*name, receiver) {
            ("strip" | "lstrip" | "rstrip" | "encode" | "decode" | "expandtabs", Some(text)) => {
                // `str.encode(source)`: the method of the class is handed its object.
                let of_class = matches!(&*self.file.text(text), "str" | "bytes");
                let object = arguments.first().copied().filter(|_| of_class);
                with(object.or(Some(text)), template)
            }
            ("format" | "format_map", Some(text)) => with(Some(text), Template::Braces),
            ("replace" | "substitute" | "safe_substitute" | "render", Some(text)) => {
                templates(with(Some(text), template))
            }
            ("join", Some(glue)) => self.join(glue, &arguments, template, depth),
            (
                "dedent" | "cleandoc" | "str" | "bytes" | "Template" | "from_string" | "fspath",
                _,
            ) => with(arguments.first().copied(), template),
            ("read" | "read_text" | "read_bytes", Some(_)) => vec![Text {
                is_file: true,
                ..Text::default()
            }],
            _ if depth > 0 => self.returned_by(&name, depth - 1),
            _ => Vec::new(),
        }
    }

    /// `"\n".join([a, b])`.
    fn join(
        &self,
        glue: Node<'t>,
        arguments: &[Node<'t>],
        template: Template,
        depth: usize,
    ) -> Vec<Text> {
        let Some(list) = arguments
            .first()
            .filter(|it| matches!(it.kind(), "list" | "tuple"))
        else {
            return arguments
                .first()
                .map_or_else(Vec::new, |it| self.texts_of(*it, template, depth));
        };
        let glue = Literal::new(self.file, glue).map_or_else(String::new, |it| it.text);
        let mut text = Text::default();
        for (number, part) in self.file.elements(*list).into_iter().enumerate() {
            if number > 0 && !glue.is_empty() {
                text.quoted.joint(glue.as_bytes(), part.start_byte() as u32);
            }
            let of_part = self
                .texts_of(part, template, depth)
                .into_iter()
                .find(|it| !it.quoted.is_empty());
            text = text.then(&of_part.unwrap_or_else(|| unknown(self.file.range(part))));
        }
        vec![text]
    }

    /// The values that a name is given, what is added to them behind each other.
    fn named(&self, name: Node<'t>, template: Template, depth: usize) -> Vec<Text> {
        let written = self.file.text(name);
        let last = last_name(&written).to_owned();
        let is_attribute = name.kind() == "attribute";
        let mut values = Vec::new();
        for &assignment in self.assignments(&last) {
            let Some(left) = assignment.child_by_field_name("left") else {
                continue;
            };
            let left_text = self.file.text(left);
            let is_it = left_text == written
                || is_attribute && (left_text == last || last_name(&left_text) == last);
            let sees = is_attribute || left.kind() != "identifier" || binds(assignment, name);
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

    /// `SOURCES["add"]`: all values of the dictionary or list.
    fn entries(&self, subscript: Node<'t>, template: Template, depth: usize) -> Vec<Text> {
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
    fn returned_by(&self, name: &str, depth: usize) -> Vec<Text> {
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

impl PyFile<'_> {
    /// The argument of a call by its place or its name.
    pub fn argument<'t>(&'t self, call: Node<'t>, position: usize, name: &str) -> Option<Node<'t>> {
        let arguments = self.elements(call.child_by_field_name("arguments")?);
        let of_name = |it: &&Node<'_>| {
            it.kind() == "keyword_argument"
                && it
                    .child_by_field_name("name")
                    .is_some_and(|own| self.text(own) == name)
        };
        if let Some(named) = arguments.iter().find(of_name) {
            return named.child_by_field_name("value");
        }
        let is_plain = |it: &&Node<'_>| {
            !matches!(
                it.kind(),
                "keyword_argument" | "dictionary_splat" | "list_splat"
            )
        };
        let placed = arguments.iter().take_while(is_plain).nth(position);
        placed.copied()
    }
}

/// Whether a place sees what an assignment binds: it stands in the same function, or in the module.
fn binds(assignment: Node<'_>, place: Node<'_>) -> bool {
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

/// `src` of `self.src`.
fn last_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

impl Text {
    fn then(&self, other: &Self) -> Self {
        let mut text = self.clone();
        text.quoted.append(&other.quoted);
        text.is_template |= other.is_template;
        text
    }
}

fn unknown(range: TextRange) -> Text {
    let mut text = Text {
        is_template: true,
        ..Text::default()
    };
    text.quoted.unknown(range);
    text
}

fn templates(mut texts: Vec<Text>) -> Vec<Text> {
    texts.iter_mut().for_each(|text| text.is_template = true);
    texts
}

/// Reads a literal; whether it has holes.
fn read(
    file: &PyFile<'_>,
    node: Node<'_>,
    literal: &Literal,
    template: Template,
    out: &mut Quoted,
) -> bool {
    let mut style = Style::python(&literal.prefix, &literal.quote);
    let is_field = literal.prefix.contains('f') || literal.prefix.contains('t');
    style.template = if is_field { Template::Braces } else { template };
    let content = literal.content;
    let mut holes: Vec<TextRange> = Vec::new();
    if is_field {
        let fields = file.all_below(node, &["interpolation"]);
        holes = fields
            .into_iter()
            .filter(|it| it.parent() == Some(node))
            .map(|it| file.range(it))
            .collect();
    } else if template != Template::None {
        holes = super::template::holes(&file.bytes()[content.as_usize()], content.start, template);
    }
    for hole in &holes {
        style.add_hole(
            *hole,
            String::from_utf8_lossy(&file.bytes()[hole.as_usize()]),
        );
    }
    let template = style.template;
    let raw = literal.prefix.contains('r');
    out.begin(style);
    let mut at = content.start;
    for hole in &holes {
        super::template::pieces(
            file.bytes(),
            TextRange::new(at, hole.start),
            raw,
            template,
            out,
        );
        out.hole(*hole);
        at = hole.end;
    }
    super::template::pieces(
        file.bytes(),
        TextRange::new(at, content.end.max(at)),
        raw,
        template,
        out,
    );
    !holes.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the first argument of the call `f`.
    fn texts(source: &str) -> Vec<String> {
        let file = PyFile::new(source.as_bytes());
        let strings = Strings::new(&file);
        let call = *strings.calls("f").last().expect("f is called");
        let found = strings.texts(file.argument(call, 0, "src").expect("an argument"));
        found
            .into_iter()
            .map(|it| String::from_utf8_lossy(it.quoted.text()).into_owned())
            .collect()
    }

    #[test]
    fn what_a_program_says_in_one_way_or_another_is_read() {
        for (source, wanted) in [
            ("f('a' \"b\")", "ab"),
            ("S = r'''a\\n'''\nf(src=S)", "a\\n"),
            ("A = 'a'\ndef g():\n    B = A + 'b\\n'\n    f(B)", "ab\n"),
            ("s = 'a'\ns += 'b'\nf(s)", "ab"),
            ("f(f'a{x}b{{')", "acass_hole_0_b{"),
            ("f('a%sb%%' % x)", "acass_hole_0_b%"),
            ("T = 'a{t}{{}}'\nf(T.format(t=1))", "acass_hole_0_{}"),
            ("f('a' + g() + 'b')", "acass_hole_0_b"),
            ("f(textwrap.dedent('a').strip().encode())", "a"),
            ("f('\\n'.join(['a', 'b']))", "a\nb"),
            (
                "class A:\n    S = 'a'\n    def g(self):\n        f(self.S)",
                "a",
            ),
            ("def h(src):\n    f(src)\nh('a')", "a"),
            ("def h():\n    return 'a'\nf(h())", "a"),
            ("S = {'x': 'a'}\nf(S['x'])", "a"),
            ("f(b'a\\x41\\101\\\nb')", "aAAb"),
        ] {
            assert_eq!(texts(source), [wanted], "{source}");
        }
        assert!(texts("f(g())").is_empty());
        assert_eq!(texts("f('a' if x else 'b')"), ["a", "b"]);
    }
}
