//! Options of nvcc in the lists of a build script in Python: what hipcc makes of them.

use tree_sitter::Node;

use crate::mapping::{BuildTable, BuildWord};
use crate::python::{Literal, PyFile, parents};

/// What an element of a list is for AMD's compiler.
pub(crate) enum Fate {
    /// Nothing is needed, for this reason.
    Goes(&'static str),
    /// These words.
    Becomes(Vec<String>),
    /// There is nothing like it; the advice says what to do.
    Stays(&'static str),
}

/// Options of neighbouring elements that share a fate.
pub(crate) struct Group<'t> {
    pub(crate) nodes: Vec<Node<'t>>,
    pub(crate) fate: Fate,
}

/// The options of a list that hipcc does not take as meant, neighbours with nothing left of them together.
pub(crate) fn groups<'t>(
    file: &PyFile<'_>,
    list: Node<'t>,
    elements: &[Node<'t>],
) -> Vec<Group<'t>> {
    let mut groups: Vec<Group<'t>> = Vec::new();
    let (mut at, mut is_joined) = (0, false);
    while at < elements.len() {
        let found = fate(file, list, &elements[at..]);
        let Some((fate, taken)) = found else {
            (at, is_joined) = (at + 1, false);
            continue;
        };
        let nodes = elements[at..at + taken].to_vec();
        match (groups.last_mut(), &fate) {
            (
                Some(Group {
                    nodes: earlier,
                    fate: Fate::Goes(_),
                }),
                Fate::Goes(_),
            ) if is_joined => earlier.extend(nodes),
            _ => groups.push(Group { nodes, fate }),
        }
        (at, is_joined) = (at + taken, true);
    }
    groups
}

/// What becomes of the option at the front of some elements, and of how many of them.
pub(crate) fn fate(
    file: &PyFile<'_>,
    list: Node<'_>,
    elements: &[Node<'_>],
) -> Option<(Fate, usize)> {
    let literal = Literal::new(file, elements[0])?;
    let (option, value) = match literal.text.split_once('=') {
        Some((option, value)) => (option, Some(value.to_owned())),
        None => (literal.text.as_str(), None),
    };
    if !option.starts_with('-') {
        return None;
    }
    let next = elements
        .get(1)
        .and_then(|node| Literal::new(file, *node))
        .map(|it| it.text);
    if is_architecture(option) {
        let value = value
            .clone()
            .or_else(|| next.clone())
            .filter(|value| names_chip(value))?;
        drop(value);
        let taken = 1 + usize::from(!literal.text.contains('='));
        return Some((
            Fate::Goes("PyTorch takes AMD's chips from PYTORCH_ROCM_ARCH"),
            taken,
        ));
    }
    let argument = value.clone().or(next).unwrap_or_default();
    let (word, takes) = BuildTable::builtin().option(option, &argument)?;
    let is_split = takes && value.is_none();
    if is_split && elements.len() < 2
        || (word.shared || is_split) && !is_for_device(file, list, 0)
        || is_for_host(file, list)
    {
        return None;
    }
    Some((of_word(word, &argument), 1 + usize::from(is_split)))
}

fn of_word(word: &'static BuildWord, argument: &str) -> Fate {
    let Some(becomes) = &word.becomes else {
        return Fate::Stays(&word.advice);
    };
    let becomes = word.extension.as_ref().unwrap_or(becomes);
    let words = becomes.replace("{}", &argument.replace(',', " "));
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    match words.is_empty() {
        true => Fate::Goes("hipcc needs nothing in its place"),
        false => Fate::Becomes(words),
    }
}

fn is_architecture(option: &str) -> bool {
    let names = [
        "gencode",
        "generate-code",
        "arch",
        "gpu-architecture",
        "code",
        "gpu-code",
    ];
    names.contains(&option.trim_start_matches('-'))
}

fn names_chip(value: &str) -> bool {
    ["sm_", "compute_", "native", "all-major", "all"]
        .iter()
        .any(|start| value.contains(start))
}

/// Whether a list holds options of the device compiler, by what it is given to or called.
fn is_for_device(file: &PyFile<'_>, list: Node<'_>, depth: usize) -> bool {
    let is_name = |text: &str| {
        let lower = text.to_ascii_lowercase();
        lower.contains("nvcc") || lower.contains("cuda") || lower.contains("gencode")
    };
    for parent in parents(list) {
        let name = match parent.kind() {
            "pair" => parent.child_by_field_name("key"),
            "keyword_argument" => parent.child_by_field_name("name"),
            "assignment" | "augmented_assignment" => parent.child_by_field_name("left"),
            "call" => parent.child_by_field_name("function"),
            "function_definition" => parent.child_by_field_name("name"),
            _ => continue,
        };
        let Some(name) = name.map(|name| file.text(name).into_owned()) else {
            continue;
        };
        if is_name(&name) {
            return true;
        }
        let is_variable =
            matches!(parent.kind(), "assignment" | "augmented_assignment") && depth == 0;
        if is_variable && uses(file, &name).any(|it| is_for_device(file, it, 1)) {
            return true;
        }
        if matches!(
            parent.kind(),
            "pair" | "keyword_argument" | "function_definition" | "assignment"
        ) {
            return false;
        }
    }
    false
}

/// Where a variable is read.
fn uses<'t>(file: &'t PyFile<'_>, name: &str) -> impl Iterator<Item = Node<'t>> {
    let nodes = file.all(&["identifier"]).into_iter();
    nodes
        .filter(move |node| file.text(*node) == name)
        .collect::<Vec<_>>()
        .into_iter()
}

/// Whether a list holds options of the host's compiler.
fn is_for_host(file: &PyFile<'_>, list: Node<'_>) -> bool {
    let pair = parents(list).find(|it| matches!(it.kind(), "pair" | "keyword_argument"));
    let key = pair.and_then(|pair| {
        pair.child_by_field_name("key")
            .or_else(|| pair.child_by_field_name("name"))
    });
    key.is_some_and(|key| {
        let key = file.text(key);
        matches!(
            key.trim_matches(['"', '\'']),
            "cxx" | "extra_cflags" | "extra_link_args" | "extra_ldflags"
        )
    })
}
