//! The nodes of a Python file, kept by one walk over tree-sitter's tree: each knows its parent and the function around it, and the nodes of
//! a kind are listed. `tree_sitter::Node::parent` walks from the root, which made files of 10,000 lines take minutes.

use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use tree_sitter::{Language, Tree, TreeCursor};

/// A node of a [`super::PyFile`]. What is copied is a number; two are equal if they are the same place of the same file.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    nodes: &'t Nodes,
    at: u32,
}

/// All nodes of a file in the order in which they begin, outer ones first. Punctuation, which has no name and no field, is none.
pub(super) struct Nodes {
    all: Vec<Entry>,
    /// The numbers of the nodes, by kind, and where each kind begins among them.
    by_kind: Vec<u32>,
    kinds: Vec<u32>,
}

struct Entry {
    kind: u16,
    /// What it is to its parent; 0 for none.
    field: u16,
    is_named: bool,
    start: u32,
    end: u32,
    parent: u32,
    /// The first node behind those below it.
    behind: u32,
    /// The nearest `function_definition` around it.
    function: u32,
}

/// No node: the parent of the module.
const NONE: u32 = u32::MAX;

/// The names of kinds and fields; several numbers of the grammar share a name.
struct Names {
    kinds: Vec<&'static str>,
    of_number: Vec<u16>,
    numbers: FxHashMap<&'static str, u16>,
    fields: FxHashMap<&'static str, u16>,
    function: u16,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    // Given away once and not kept in a static of its own: in WebAssembly threads may not share it.
    let language: &'static Language = Box::leak(Box::new(tree_sitter_python::LANGUAGE.into()));
    let mut names = Names {
        kinds: Vec::new(),
        of_number: Vec::new(),
        numbers: FxHashMap::default(),
        fields: FxHashMap::default(),
        function: 0,
    };
    // Kind 0 is what the grammar has no number for.
    names.kind("ERROR");
    for number in 0..language.node_kind_count() {
        let name = language.node_kind_for_id(number as u16);
        let kind = names.kind(name.unwrap_or("ERROR"));
        names.of_number.push(kind);
    }
    for number in 1..=language.field_count() {
        if let Some(name) = language.field_name_for_id(number as u16) {
            names.fields.insert(name, number as u16);
        }
    }
    names.function = names.kind("function_definition");
    names
});

impl Names {
    fn kind(&mut self, name: &'static str) -> u16 {
        let next = self.kinds.len() as u16;
        let kind = *self.numbers.entry(name).or_insert(next);
        if kind == next {
            self.kinds.push(name);
        }
        kind
    }
}

impl Nodes {
    /// Walks a tree.
    pub(super) fn new(tree: &Tree) -> Self {
        let names = &*NAMES;
        let mut all = Vec::with_capacity(tree.root_node().descendant_count());
        let mut cursor = tree.walk();
        let mut around = Vec::new();
        let mut function = NONE;
        loop {
            let is_kept = push(&mut all, &cursor, names, around.last().copied(), function);
            if is_kept && cursor.goto_first_child() {
                let at = all.len() as u32 - 1;
                around.push(at);
                if all[at as usize].kind == names.function {
                    function = at;
                }
                continue;
            }
            while !cursor.goto_next_sibling() {
                let Some(at) = around.pop() else {
                    return Self::listed(all);
                };
                cursor.goto_parent();
                let behind = all.len() as u32;
                all[at as usize].behind = behind;
                function = all[at as usize].function;
            }
        }
    }

    fn listed(all: Vec<Entry>) -> Self {
        let mut kinds = vec![0_u32; NAMES.kinds.len() + 1];
        for entry in &all {
            kinds[usize::from(entry.kind) + 1] += 1;
        }
        for kind in 1..kinds.len() {
            kinds[kind] += kinds[kind - 1];
        }
        let mut next = kinds.clone();
        let mut by_kind = vec![0_u32; all.len()];
        for (at, entry) in all.iter().enumerate() {
            let place = &mut next[usize::from(entry.kind)];
            by_kind[*place as usize] = at as u32;
            *place += 1;
        }
        Self {
            all,
            by_kind,
            kinds,
        }
    }

    pub(super) fn node(&self, at: u32) -> Node<'_> {
        Node { nodes: self, at }
    }

    /// The nodes of these kinds at and below a node, in order.
    pub(super) fn below(&self, node: Node<'_>, kinds: &[&str]) -> Vec<Node<'_>> {
        let (first, behind) = (node.at, node.entry().behind);
        let mut found = Vec::new();
        for kind in kinds {
            let listed = self.of_kind(kind);
            let start = listed.partition_point(|at| *at < first);
            let inside = listed[start..].iter().take_while(|at| **at < behind);
            found.extend(inside.map(|at| self.node(*at)));
        }
        if kinds.len() > 1 {
            found.sort_unstable_by_key(|node| node.at);
        }
        found
    }

    fn of_kind(&self, kind: &str) -> &[u32] {
        NAMES.numbers.get(kind).map_or(&[], |kind| {
            let kind = usize::from(*kind);
            &self.by_kind[self.kinds[kind] as usize..self.kinds[kind + 1] as usize]
        })
    }
}

/// Adds the node of a cursor, if it is one that is kept.
fn push(
    all: &mut Vec<Entry>,
    cursor: &TreeCursor<'_>,
    names: &Names,
    parent: Option<u32>,
    function: u32,
) -> bool {
    let (node, field) = (cursor.node(), cursor.field_id());
    let is_named = node.is_named();
    if !is_named && field.is_none() {
        return false;
    }
    let kind = names.of_number.get(usize::from(node.kind_id()));
    all.push(Entry {
        kind: kind.copied().unwrap_or(0),
        field: field.map_or(0, u16::from),
        is_named,
        start: node.start_byte() as u32,
        end: node.end_byte() as u32,
        parent: parent.unwrap_or(NONE),
        behind: all.len() as u32 + 1,
        function,
    });
    true
}

impl<'t> Node<'t> {
    fn entry(self) -> &'t Entry {
        &self.nodes.all[self.at as usize]
    }

    fn other(self, at: u32) -> Option<Self> {
        (at != NONE).then_some(Self { at, ..self })
    }

    /// Its number: nodes that begin earlier, and outer ones, have smaller numbers.
    pub(crate) fn number(self) -> u32 {
        self.at
    }

    /// What the grammar calls it.
    pub fn kind(self) -> &'static str {
        NAMES.kinds[usize::from(self.entry().kind)]
    }

    /// Whether the grammar could not read it.
    pub(crate) fn is_error(self) -> bool {
        self.entry().kind == 0
    }

    /// The byte that it begins at.
    pub(crate) fn start_byte(&self) -> usize {
        self.entry().start as usize
    }

    /// The byte behind it.
    pub(crate) fn end_byte(&self) -> usize {
        self.entry().end as usize
    }

    /// Its bytes.
    pub(crate) fn byte_range(&self) -> Range<usize> {
        self.start_byte()..self.end_byte()
    }

    /// The node around it.
    pub fn parent(self) -> Option<Self> {
        self.other(self.entry().parent)
    }

    /// The nearest definition of a function around it.
    pub(crate) fn function(self) -> Option<Self> {
        self.other(self.entry().function)
    }

    /// Whether another node is below it.
    pub(crate) fn is_around(self, other: Self) -> bool {
        self.at < other.at && other.at < self.entry().behind
    }

    /// The numbers of the nodes below it.
    pub(super) fn numbers_below(self) -> Range<u32> {
        self.at + 1..self.entry().behind
    }

    /// Its children but punctuation.
    pub(crate) fn children(self) -> impl Iterator<Item = Self> {
        let behind = self.entry().behind;
        let first = Some(self.at + 1).filter(|at| *at < behind);
        let next = move |at: &u32| {
            let next = self.nodes.all[*at as usize].behind;
            Some(next).filter(|at| *at < behind)
        };
        std::iter::successors(first, next).map(move |at| Self { at, ..self })
    }

    /// The children that have a name in the grammar.
    pub(crate) fn named_children(self) -> impl Iterator<Item = Self> {
        self.children().filter(|child| child.entry().is_named)
    }

    /// The child with a name of this number.
    pub(crate) fn named_child(self, number: usize) -> Option<Self> {
        self.named_children().nth(number)
    }

    /// The children that are this to it.
    pub(crate) fn children_by_field_name(self, name: &str) -> impl Iterator<Item = Self> {
        let field = NAMES.fields.get(name).copied().unwrap_or(u16::MAX);
        self.children()
            .filter(move |child| child.entry().field == field)
    }

    /// The first child that is this to it. Statements of a module are nothing to it, those of a block are its or a `case`, and an `if` has
    /// three kinds: they are not looked through, since who asks all nodes around a place asks the same of each place.
    pub(crate) fn child_by_field_name(self, name: &str) -> Option<Self> {
        match self.kind() {
            "module" | "list" | "tuple" | "set" | "dictionary" | "argument_list" => None,
            "block" if name != "alternative" => None,
            "if_statement" if !matches!(name, "condition" | "consequence" | "alternative") => None,
            _ => self.children_by_field_name(name).next(),
        }
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && std::ptr::eq(self.nodes, other.nodes)
    }
}

impl Eq for Node<'_> {}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {:?}", self.kind(), self.byte_range())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PyFile, parsed};
    use super::*;

    const PROGRAM: &str = "import a, b as c\n@triton.jit\ndef f(x: int, y=1, *z, **w) -> int:\n    for i in range(3): # why\n        x[i, 1:2] += y if not x else -z\n    \
        return 'a' f\"{x!r:>{w}}\" \"c\"\nif a == b and c: pass\nelif d: g(1, k=2)(3)\nelse:\n    class D(E, m=3):\n        async def h(self): await x.y\n\
        try:\n    with open(p) as q, r: del s\nexcept (A, B) as e: raise\nfinally: (t := 1)\nx = {**a, 'k': [*b]} ; lambda u=1: 2\nmatch v:\n    case [1, x]: pass\n)( '\n";

    /// What tree-sitter says of a node, beside ours.
    fn compare(theirs: tree_sitter::Node<'_>, ours: Node<'_>, seen: &mut usize) {
        *seen += 1;
        assert_eq!(
            (theirs.kind(), theirs.byte_range(), theirs.is_error()),
            (ours.kind(), ours.byte_range(), ours.is_error())
        );
        let mut cursor = theirs.walk();
        let named: Vec<_> = theirs.named_children(&mut cursor).collect();
        assert_eq!(named.len(), ours.named_children().count(), "{ours:?}");
        // Of `match`, tree-sitter gives a grandchild.
        let fields = NAMES.fields.keys().copied();
        for field in fields.filter(|it| *it != "alternative" || theirs.kind() != "match_statement")
        {
            let (child, own) = (
                theirs.child_by_field_name(field),
                ours.child_by_field_name(field),
            );
            let (child, own) = (
                child.map(|it| it.byte_range()),
                own.map(|it| it.byte_range()),
            );
            assert_eq!(child, own, "{field} of {ours:?}");
        }
        for (child, own) in named.into_iter().zip(ours.named_children()) {
            assert_eq!(own.parent(), Some(ours));
            assert!(ours.is_around(own) && !own.is_around(ours));
            compare(child, own, seen);
        }
    }

    #[test]
    fn nodes_are_what_the_tree_says() {
        let file = PyFile::new(PROGRAM.as_bytes());
        let tree = parsed(PROGRAM.as_bytes());
        let mut seen = 0;
        compare(tree.root_node(), file.root(), &mut seen);
        assert!(seen > 150, "{seen} nodes");
    }

    #[test]
    fn a_node_knows_its_function_and_lists_are_in_order() {
        let file = PyFile::new(b"def f():\n    def g(): x\n    y\nz\n");
        let around = |name: &str| {
            let node = file.all(&["identifier"]).into_iter();
            let mut named = node.filter(|it| file.text(*it) == name);
            let function = named.next().and_then(Node::function);
            function.map(|it| file.text(it.child_by_field_name("name").expect("named")))
        };
        assert_eq!(around("x").as_deref(), Some("g"));
        assert_eq!(around("y").as_deref(), Some("f"));
        assert_eq!(around("z"), None);
        let kinds: Vec<_> = file.all(&["identifier", "function_definition"]);
        let kinds: Vec<_> = kinds.iter().map(|it| it.kind()).collect();
        let (function, name) = ("function_definition", "identifier");
        assert_eq!(kinds, [function, name, function, name, name, name, name]);
    }
}
