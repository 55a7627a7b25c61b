//! What an expression stands for as text: literals, constants, what is joined of them, and templates around their holes. Nothing is
//! run: what only the program knows is a hole.

mod follow;
mod join;
mod made;
mod written;

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

use super::PyFile;
use crate::python::Node;
use crate::text::TextRange;
use crate::text::quoted::{Quoted, Template};

/// How far names, parameters and functions are followed.
const DEPTH: usize = 6;
/// How deep expressions may be nested, operands of `+` aside: Python itself reads 200 parentheses within each other.
const LEVELS: usize = 200;
/// How much is looked at for one expression, in nodes and bytes: names that stand for texts of names grow without end otherwise.
const WORK: usize = 1 << 23;
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
    assignments: FxHashMap<String, Assigned<'t>>,
    calls: FxHashMap<String, Vec<Node<'t>>>,
    functions: FxHashMap<String, Vec<Node<'t>>>,
    work: Cell<usize>,
    known: RefCell<FxHashMap<Values, Vec<Text>>>,
}

/// What texts depend on: the values that are joined, by their numbers, and how far they are read.
type Values = (Vec<u32>, Template, usize, usize);

/// The assignments to a name.
#[derive(Default)]
struct Assigned<'t> {
    nodes: Vec<Node<'t>>,
    /// Those to the name itself, by the number of the function or class that they stand in.
    of_scope: FxHashMap<Option<u32>, Vec<Node<'t>>>,
}

/// How an expression is read.
#[derive(Clone, Copy)]
struct Way {
    template: Template,
    /// How many names may still be followed.
    names: usize,
    /// How many levels of nesting may still be entered.
    levels: usize,
}

impl Way {
    /// Behind a name; `None` where it was the last to be followed.
    fn behind_name(self) -> Option<Self> {
        let names = self.names.checked_sub(1)?;
        Some(Self { names, ..self })
    }

    fn within(self, template: Template) -> Self {
        Self { template, ..self }
    }
}

impl<'t> Strings<'t> {
    /// Walks a file once.
    pub(crate) fn new(file: &'t PyFile<'t>) -> Self {
        let mut strings = Self {
            file,
            assignments: FxHashMap::default(),
            calls: FxHashMap::default(),
            functions: FxHashMap::default(),
            work: Cell::default(),
            known: RefCell::default(),
        };
        for node in file.all(&[
            "assignment",
            "augmented_assignment",
            "call",
            "function_definition",
        ]) {
            strings.add(node);
        }
        strings
    }

    fn add(&mut self, node: Node<'t>) {
        let (names, name) = match node.kind() {
            "call" => (&mut self.calls, self.file.callee(node)),
            "function_definition" => {
                let name = node.child_by_field_name("name");
                (&mut self.functions, name.map(|it| self.file.text(it)))
            }
            _ => {
                if let Some(left) = node.child_by_field_name("left") {
                    let name = self.file.text(left);
                    let assigned = self.assignments.entry(last_name(&name).to_owned());
                    assigned.or_default().push(node, left);
                }
                return;
            }
        };
        let name = name.unwrap_or_default().into_owned();
        names.entry(name).or_default().push(node);
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
        self.assignments
            .get(name)
            .map_or(&[], |it| it.nodes.as_slice())
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
        self.work.set(0);
        let way = Way {
            template: Template::None,
            names: DEPTH,
            levels: LEVELS,
        };
        let mut found = self.texts_of(node, way);
        found.retain(|text| text.is_file || !text.quoted.is_empty());
        found
    }

    /// Counts work; whether it was too much, so that the rest is not read.
    fn is_spent(&self, work: usize) -> bool {
        self.work.set(self.work.get().saturating_add(work));
        self.work.get() > WORK
    }

    fn texts_of(&self, node: Node<'t>, way: Way) -> Vec<Text> {
        let Some(levels) = way.levels.checked_sub(1).filter(|_| !self.is_spent(1)) else {
            return Vec::new();
        };
        let way = Way { levels, ..way };
        let again = |node| self.texts_of(node, way);
        let elements = || self.file.elements(node);
        match node.kind() {
            "string" => vec![self.literal_text(node, way.template)],
            "concatenated_string" => self.joined(&elements(), way),
            "parenthesized_expression" => elements().first().map_or_else(Vec::new, |it| again(*it)),
            "binary_operator" => self.operator(node, way),
            "conditional_expression" => {
                let parts = elements();
                let sides = [parts.first(), parts.last()].into_iter().flatten();
                sides.flat_map(|it| again(*it)).collect()
            }
            "boolean_operator" | "list" | "tuple" | "set" => {
                elements().into_iter().flat_map(again).collect()
            }
            "list_splat" | "await" | "keyword_argument" | "named_expression" => {
                elements().last().map_or_else(Vec::new, |it| again(*it))
            }
            "identifier" | "attribute" => way
                .behind_name()
                .map_or_else(Vec::new, |way| self.named(node, way)),
            "subscript" => way
                .behind_name()
                .map_or_else(Vec::new, |way| self.entries(node, way)),
            "call" => self.called(node, way),
            _ => Vec::new(),
        }
    }
}

/// `src` of `self.src`.
fn last_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

impl Text {
    fn append(&mut self, other: &Self) {
        self.quoted.append(&other.quoted);
        self.is_template |= other.is_template;
    }

    /// What a program reads of a file.
    fn of_file() -> Self {
        Self {
            is_file: true,
            ..Self::default()
        }
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
            ("s = 'a\\n'\ns += g()\ns += 'b'\nf(s)", "a\ncass_hole_0_\nb"),
            ("f('a\\n' + g() + '(b)')", "a\ncass_hole_0_(b)"),
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
        assert_eq!(texts("h = 'a'\nf(h)\nh = ''\nh += 'b'"), ["a"]);
        assert_eq!(
            texts("h = 'a'\nfor x in y:\n    f(h)\n    h += 'b'"),
            ["ab"]
        );
        assert_eq!(texts("def g():\n    f(h)\nh = 'a'\ng()"), ["a"]);
    }
}
