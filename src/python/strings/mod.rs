//! What an expression stands for as text: literals, constants, what is joined of them, and templates around their holes. Nothing is
//! run: what only the program knows is a hole.

mod follow;
mod made;
mod written;

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::PyFile;
use crate::text::TextRange;
use crate::text::quoted::{Quoted, Template};

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
pub(crate) struct Strings<'t> {
    file: &'t PyFile<'t>,
    assignments: FxHashMap<String, Vec<Node<'t>>>,
    calls: FxHashMap<String, Vec<Node<'t>>>,
    functions: FxHashMap<String, Vec<Node<'t>>>,
}

impl<'t> Strings<'t> {
    /// Walks a file once.
    pub(crate) fn new(file: &'t PyFile<'t>) -> Self {
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
    pub(crate) fn file(&self) -> &'t PyFile<'t> {
        self.file
    }

    /// The calls of a function or method of this name, first byte first.
    pub(crate) fn calls(&self, name: &str) -> &[Node<'t>] {
        self.calls.get(name).map_or(&[], Vec::as_slice)
    }

    fn assignments(&self, name: &str) -> &[Node<'t>] {
        self.assignments.get(name).map_or(&[], Vec::as_slice)
    }

    /// The expressions that a name may stand for; the expression itself where it is no name.
    pub(crate) fn values(&self, node: Node<'t>) -> Vec<Node<'t>> {
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
    pub(crate) fn texts(&self, node: Node<'t>) -> Vec<Text> {
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

    /// The text of an expression that only the program knows.
    fn unknown(range: TextRange) -> Self {
        let mut text = Self {
            is_template: true,
            ..Self::default()
        };
        text.quoted.unknown(range);
        text
    }
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
            ("h = 'a'\ng(h)\nh = 'b' + h + 'c'\nf(h)", "bac"),
        ] {
            assert_eq!(texts(source), [wanted], "{source}");
        }
        assert!(texts("f(g())").is_empty());
        assert_eq!(texts("f('a' if x else 'b')"), ["a", "b"]);
        assert_eq!(texts("h = 'a'\nif x:\n    h = 'b'\nf(h)"), ["a", "b"]);
        assert_eq!(texts("h = 'a'\nh = 'b'\nf(h)"), ["b"]);
    }
}
