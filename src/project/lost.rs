//! Functions of a tree that AMD is left without: PTX that no C++ says is all they have, or what they call is lost.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cpp::conditions::assembly::KEYWORDS;
use crate::cpp::conditions::expression::AtomKind;
use crate::cpp::conditions::groups::{Branch, Group, Groups, groups};
use crate::cpp::definitions::class_name;
use crate::ptx::{AsmValue, Holds, Item, Request, Value, is_ptx, split, translate};
use crate::syntax::{AsmStatement, Document, FunctionScope, TokenIndex, flags};
use crate::text::RangeSet;

/// The PTX of a file that no C++ says, and the branches that AMD leaves out for it.
pub(super) struct LostAssembly {
    keywords: Vec<TokenIndex>,
    left_out: RangeSet,
}

impl LostAssembly {
    pub(super) fn new(doc: &Document<'_>) -> Self {
        let mut keywords = doc.all_of(KEYWORDS);
        keywords.retain(|&at| AsmStatement::at(doc, at).is_some_and(|it| has_no_cpp(&it)));
        let left_out = match keywords.is_empty() {
            true => RangeSet::default(),
            false => left_out(doc, &groups(doc), &keywords),
        };
        Self { keywords, left_out }
    }

    /// Whether a function or macro is lost by itself: it stands in a branch that is left out, or such PTX is all it does on AMD.
    pub(super) fn takes(
        &self,
        doc: &Document<'_>,
        name: TokenIndex,
        body: std::ops::Range<TokenIndex>,
    ) -> bool {
        let first = self.keywords.partition_point(|&at| at < body.start);
        let mut within = self.keywords[first..].iter().copied();
        let in_body = |at: &TokenIndex| *at < body.end;
        self.left_out.contains(doc.tokens[name].start)
            || within
                .by_ref()
                .take_while(in_body)
                .any(|at| !has_alternative(doc, at, body.start))
    }
}

/// Whether the statement is PTX that is not written as C++, whatever types its operands have.
fn has_no_cpp(statement: &AsmStatement) -> bool {
    let items = split(&statement.fragments);
    let mut items = items.iter();
    if !items.any(|item| matches!(item, Item::Instruction(one) if is_ptx(one))) {
        return false;
    }
    let operand = |(at, it): (usize, &crate::syntax::AsmOperand)| {
        let holds = Holds::of_constraint(&it.constraint)?;
        Some(AsmValue {
            value: Value::plain(format!("a{at}"), holds),
            is_output: at < statement.outputs,
        })
    };
    let operands: Option<Vec<AsmValue>> =
        statement.operands.iter().enumerate().map(operand).collect();
    let (Some(operands), false) = (operands, statement.templates.is_empty()) else {
        return true;
    };
    let request = |text| Request {
        text,
        operands: operands.clone(),
        native: false,
        helpers: true,
        volatile: statement.volatile,
        clobbers_memory: statement.clobbers_memory,
        in_kernel: false,
        module: None,
    };
    let mut texts = statement.templates.iter();
    statement.jumps || texts.any(|text| translate(&request(text)).is_err())
}

/// The branches for some of NVIDIA's chips or versions around the PTX.
fn left_out(doc: &Document<'_>, groups: &Groups, keywords: &[TokenIndex]) -> RangeSet {
    let around = keywords
        .iter()
        .flat_map(|&at| groups.around(doc, doc.tokens[at].start));
    let for_chips = around.filter(|(group, position)| {
        group.family().is_some() && !group.knows_hip() && compares(&group.branches[*position])
    });
    for_chips
        .map(|(group, position)| group.branches[position].body)
        .collect()
}

/// Whether a branch asks for a number of CUDA's: one that asks for the device pass alone is AMD's too.
fn compares(branch: &Branch) -> bool {
    let atoms = branch.condition.as_ref().map(|condition| condition.atoms());
    let mut atoms = atoms.into_iter().flatten();
    atoms.any(|atom| atom.about.is_some() && matches!(atom.kind, AtomKind::Compare(_)))
}

/// Whether a condition within the function decides about the code at `at`, and other code stands where it does not hold.
pub(super) fn has_alternative(doc: &Document<'_>, at: TokenIndex, function: TokenIndex) -> bool {
    let (at, start) = (doc.tokens[at].start, doc.tokens[function].start);
    let groups = groups(doc);
    let mut around = groups.around(doc, at);
    around.any(|(group, position)| {
        let opens_within = group.branches[0].directive.range.start > start;
        opens_within && has_other_code(doc, group, position)
    })
}

/// Whether another branch of a group holds code, or the one at `position` ends the function, so that what follows is for the others.
fn has_other_code(doc: &Document<'_>, group: &Group, position: usize) -> bool {
    let code = |branch: &Branch| {
        let tokens = doc.token_at(branch.body.start)..doc.token_at(branch.body.end);
        tokens.filter(|&at| !doc.tokens[at].has(flags::DIRECTIVE))
    };
    let mut others = group.branches.iter().enumerate();
    others.any(|(other, branch)| other != position && code(branch).next().is_some())
        || code(&group.branches[position]).any(|at| doc.is(at, "return"))
}

/// The class that a function is a member of, if its body stands in there.
pub(super) fn class_of<'d>(doc: &'d Document<'_>, function: &FunctionScope) -> Option<&'d [u8]> {
    let brace = doc.braces_around(function.body.start).next()?;
    class_name(doc, brace)
}

/// A function or macro of a file, and what it needs.
pub(super) struct Needing<'f> {
    pub(super) path: &'f str,
    pub(super) name: &'f [u8],
    /// The class that it is a member of.
    pub(super) class: Option<&'f [u8]>,
    /// What it calls whatever conditions of the preprocessor hold.
    pub(super) needs: Vec<&'f [u8]>,
    /// It is lost by itself.
    pub(super) is_lost: bool,
}

/// The names of functions, macros and classes that AMD is left without, by file and in the whole tree.
#[derive(Debug, Default)]
pub(super) struct Lost {
    by_file: FxHashMap<Box<str>, FxHashMap<Box<[u8]>, bool>>,
    by_name: FxHashSet<Box<[u8]>>,
}

impl Lost {
    /// Works out what some functions are left without.
    pub(super) fn new<'f>(functions: impl Iterator<Item = Needing<'f>>) -> Self {
        let mut graph = Graph::default();
        functions.for_each(|function| graph.add(function));
        graph.spread();
        let mut lost = Self::default();
        // Sets come of it, whatever the order.
        graph.nodes.iter().for_each(|(&(path, name), &node)| {
            let is_lost = graph.is_lost[node];
            match path {
                Some(path) => {
                    let names = lost.by_file.entry(path.into()).or_default();
                    names.insert(name.into(), is_lost);
                }
                None if is_lost => drop(lost.by_name.insert(name.into())),
                None => {}
            }
        });
        lost
    }

    /// Whether the function, macro or class that a file means by a name is lost: that of its own, or else all of that name in the tree.
    pub(super) fn contains(&self, path: &str, name: &[u8]) -> bool {
        let here = self.by_file.get(path).and_then(|names| names.get(name));
        here.copied().unwrap_or_else(|| self.by_name.contains(name))
    }
}

/// Definitions, and names that are lost when all their definitions are.
#[derive(Default)]
struct Graph<'f> {
    nodes: FxHashMap<(Option<&'f str>, &'f [u8]), usize>,
    is_lost: Vec<bool>,
    /// How many definitions of a name are not lost.
    open: Vec<usize>,
    definitions: Vec<Definition<'f>>,
}

struct Definition<'f> {
    path: &'f str,
    /// What it is one of: its name in the file and in the tree.
    names: [usize; 2],
    /// Its class, in the file and in the tree.
    class: Option<[usize; 2]>,
    needs: Vec<&'f [u8]>,
    is_lost: bool,
}

impl<'f> Graph<'f> {
    fn node(&mut self, path: Option<&'f str>, name: &'f [u8]) -> usize {
        let next = self.open.len();
        let node = *self.nodes.entry((path, name)).or_insert(next);
        if node == next {
            self.open.push(0);
            self.is_lost.push(false);
        }
        node
    }

    fn pair(&mut self, path: &'f str, name: &'f [u8]) -> [usize; 2] {
        [self.node(Some(path), name), self.node(None, name)]
    }

    fn add(&mut self, function: Needing<'f>) {
        let names = self.pair(function.path, function.name);
        names.into_iter().for_each(|node| self.open[node] += 1);
        let class = function.class.map(|class| self.pair(function.path, class));
        self.definitions.push(Definition {
            path: function.path,
            names,
            class,
            needs: function.needs,
            is_lost: function.is_lost,
        });
    }

    /// Carries what is lost to those that need it. Each definition and each name is lost at most once.
    fn spread(&mut self) {
        let mut needed_by: Vec<Vec<usize>> = vec![Vec::new(); self.open.len()];
        for (at, definition) in self.definitions.iter().enumerate() {
            for name in &definition.needs {
                let own = self.nodes.get(&(Some(definition.path), *name));
                let met = own.or_else(|| self.nodes.get(&(None, *name))).copied();
                if let Some(node) = met.filter(|node| !definition.names.contains(node)) {
                    needed_by[node].push(at);
                }
            }
        }
        let mut queue: Vec<usize> = (0..self.definitions.len())
            .filter(|&at| self.definitions[at].is_lost)
            .collect();
        while let Some(at) = queue.pop() {
            for node in self.lost_with(at) {
                for &caller in &needed_by[node] {
                    let caller_lost = &mut self.definitions[caller].is_lost;
                    if !std::mem::replace(caller_lost, true) {
                        queue.push(caller);
                    }
                }
            }
        }
    }

    /// The names that are lost now that a definition is: its class, and its own where no other definition is left.
    fn lost_with(&mut self, definition: usize) -> Vec<usize> {
        let Definition { names, class, .. } = self.definitions[definition];
        names.iter().for_each(|&node| self.open[node] -= 1);
        let gone = names.into_iter().filter(|&node| self.open[node] == 0);
        let all: Vec<usize> = gone.chain(class.into_iter().flatten()).collect();
        let is_new = |&node: &usize| !std::mem::replace(&mut self.is_lost[node], true);
        all.into_iter().filter(is_new).collect()
    }
}
