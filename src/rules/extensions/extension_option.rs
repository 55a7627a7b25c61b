//! An option of nvcc that the build script of a PyTorch extension hands to the device compiler.
//!
//! ## Why on AMD
//! PyTorch for ROCm gives the options of `nvcc` to hipcc. Its clang refuses most of nvcc's own, which ends the build, and misreads some
//! without a word: `-use_fast_math` is `-u se_fast_math`, `-lineinfo` is `-l ineinfo`. The option stays for NVIDIA; for AMD stands what
//! means the same, or nothing. Architectures come from `PYTORCH_ROCM_ARCH`.
//!
//! `--use_fast_math` has no counterpart here: clang's `-ffast-math` also assumes that there are no NaN and no infinity, which masks of
//! attention are made of.
//!
//! ## Example
//! ```python
//! nvcc_flags = ["-O3", "--use_fast_math", "-lineinfo"]
//! ```
//! becomes
//! ```python
//! nvcc_flags = ["-O3", *([] if torch.version.hip else ["--use_fast_math"]), "-gline-tables-only" if torch.version.hip else "-lineinfo"]
//! ```
//!
//! ## When to ignore
//! When the list never reaches a compiler.
//!
//! ## Source
//! `torch/utils/cpp_extension.py` of PyTorch 2.11; `mappings/build.toml`, held against clang 19.

use tree_sitter::Node;

use crate::mapping::{BuildTable, BuildWord};
use crate::python::{Literal, PyFile, parents};
use crate::rules::prelude::*;

/// Guards options of nvcc by the vendor that is built for.
pub static RULE: Rule = Rule {
    code: "CASS640",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    triggers: &[Trigger::Extension],
    check,
};

/// What to do where a fix would ask for a module that is not imported.
const NO_IMPORT: &str =
    "write `[] if torch.version.hip else [...]` around it, behind an import of torch";

/// What an element of a list is for AMD's compiler.
enum Fate {
    /// Nothing is needed, for this reason.
    Goes(&'static str),
    /// These words.
    Becomes(Vec<String>),
    /// There is nothing like it; the advice says what to do.
    Stays(&'static str),
}

/// Options of neighbouring elements that share a fate.
struct Group<'t> {
    nodes: Vec<Node<'t>>,
    fate: Fate,
}

fn check(_: At<'_>, cx: &mut Context<'_, '_>) {
    let Some(file) = cx.python() else { return };
    let mut findings = Vec::new();
    for list in file.all(&["list"]) {
        let elements = file.elements(list);
        let groups = groups(file, list, &elements);
        let all = groups.len() == 1 && groups[0].nodes.len() == elements.len();
        for group in groups {
            findings.extend(of_group(cx, file, list, &group, all));
        }
    }
    findings.extend(appended(cx, file));
    findings.into_iter().for_each(|finding| cx.report(finding));
}

fn of_group(
    cx: &Context<'_, '_>,
    file: &PyFile<'_>,
    list: Node<'_>,
    group: &Group<'_>,
    is_all: bool,
) -> Option<Finding> {
    let (first, last) = (*group.nodes.first()?, *group.nodes.last()?);
    if file.side(first).is_some() {
        return None;
    }
    let range = TextRange::new(file.range(first).start, file.range(last).end);
    let shown = shown(cx, range);
    let finding = match &group.fate {
        Fate::Stays(advice) => {
            let message = format!("nvcc option {shown} has no counterpart");
            let finding = RULE.finding(range, message).severity(Severity::Error);
            return Some(finding.help(*advice));
        }
        Fate::Goes(why) => {
            let message = format!("nvcc option {shown} is refused or misread by hipcc");
            RULE.finding(range, message).help(*why)
        }
        Fate::Becomes(words) => {
            let message = format!("nvcc option {shown} becomes `{}` for AMD", words.join(" "));
            RULE.finding(range, message)
        }
    };
    let Some(question) = file.question(first) else {
        return Some(finding.help(NO_IMPORT));
    };
    let edits = match &group.fate {
        Fate::Goes(_) if is_all => whole_list(list, &question.text),
        Fate::Becomes(words) => conditional(file, group, words, &question.text)?,
        _ => starred(range, "", &question.text),
    };
    Some(guarded(finding, &question, edits))
}

/// `*([…] if AMD else [old])` in the place of some elements.
fn starred(range: TextRange, words: &str, question: &str) -> Vec<Edit> {
    vec![
        Edit::insert(range.start, format!("*([{words}] if {question} else [")),
        Edit::insert(range.end, "])"),
    ]
}

/// One word for one, or a list for a list.
fn conditional(
    file: &PyFile<'_>,
    group: &Group<'_>,
    words: &[String],
    question: &str,
) -> Option<Vec<Edit>> {
    let (first, last) = (*group.nodes.first()?, *group.nodes.last()?);
    let literal = Literal::new(file, first)?;
    let quoted: Vec<String> = words.iter().map(|word| literal.quoted(word)).collect();
    let range = TextRange::new(file.range(first).start, file.range(last).end);
    Some(match (&quoted[..], group.nodes.len()) {
        ([one], 1) => vec![Edit::insert(
            range.start,
            format!("{one} if {question} else "),
        )],
        _ => starred(range, &quoted.join(", "), question),
    })
}

/// The finding with its fix, and the import that the fix needs.
fn guarded(finding: Finding, question: &crate::python::Question, mut edits: Vec<Edit>) -> Finding {
    if let Some((at, line)) = &question.import {
        edits.push(Edit::insert(*at, line.clone()));
    }
    finding.severity(Severity::Info).fix(Fix::safe(edits))
}

/// A list of which nothing is left for AMD.
fn whole_list(list: Node<'_>, question: &str) -> Vec<Edit> {
    const ALONE: &[&str] = &[
        "assignment",
        "augmented_assignment",
        "return_statement",
        "keyword_argument",
        "argument_list",
        "pair",
        "parenthesized_expression",
    ];
    let is_alone = list
        .parent()
        .is_some_and(|parent| ALONE.contains(&parent.kind()));
    let (open, close) = if is_alone { ("", "") } else { ("(", ")") };
    let start = Edit::insert(
        list.start_byte() as u32,
        format!("{open}[] if {question} else "),
    );
    let end = Edit::insert(list.end_byte() as u32, close);
    std::iter::once(start)
        .chain((!is_alone).then_some(end))
        .collect()
}

fn shown(cx: &Context<'_, '_>, range: TextRange) -> String {
    let text = cx.text_of(range);
    let words: Vec<&str> = text.split(['"', '\'']).skip(1).step_by(2).collect();
    format!("`{}`", words.join(" "))
}

/// The options of a list that hipcc does not take as meant, neighbours with nothing left of them together.
fn groups<'t>(file: &PyFile<'_>, list: Node<'t>, elements: &[Node<'t>]) -> Vec<Group<'t>> {
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
fn fate(file: &PyFile<'_>, list: Node<'_>, elements: &[Node<'_>]) -> Option<(Fate, usize)> {
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

/// `flags.append("-gencode")` and what follows it: statements in a row, put under one condition.
fn appended(cx: &Context<'_, '_>, file: &PyFile<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for block in file.all(&["block", "module"]) {
        let statements = file.elements(block);
        let mut at = 0;
        while at < statements.len() {
            let run = run_of_appends(file, &statements[at..]);
            if run > 0 && file.side(statements[at]).is_none() {
                findings.extend(under_condition(cx, file, &statements[at..at + run]));
            }
            at += run.max(1);
        }
    }
    findings
}

/// How many statements in front append options of which nothing is left for AMD.
fn run_of_appends(file: &PyFile<'_>, statements: &[Node<'_>]) -> usize {
    let mut taken = 0;
    while let Some(node) = statements
        .get(taken)
        .and_then(|it| appended_value(file, *it))
    {
        let next = statements
            .get(taken + 1)
            .and_then(|it| appended_value(file, *it));
        let elements: Vec<Node<'_>> = std::iter::once(node).chain(next).collect();
        match fate(file, node, &elements) {
            Some((Fate::Goes(_), count)) => taken += count,
            _ => break,
        }
    }
    taken
}

/// The string that a statement appends to a list.
fn appended_value<'t>(file: &'t PyFile<'_>, statement: Node<'t>) -> Option<Node<'t>> {
    let call = statement.named_child(0).filter(|it| it.kind() == "call")?;
    if statement.kind() != "expression_statement" || file.callee(call)? != "append" {
        return None;
    }
    let arguments = file.elements(call.child_by_field_name("arguments")?);
    let [value] = arguments[..] else { return None };
    (value.kind() == "string").then_some(value)
}

fn under_condition(cx: &Context<'_, '_>, file: &PyFile<'_>, run: &[Node<'_>]) -> Option<Finding> {
    let (first, last) = (*run.first()?, *run.last()?);
    let range = TextRange::new(file.range(first).start, file.range(last).end);
    let message = format!("nvcc options {} are refused by hipcc", shown(cx, range));
    let finding = RULE
        .finding(range, message)
        .help("PyTorch takes AMD's chips from PYTORCH_ROCM_ARCH");
    let Some(question) = file.question(first) else {
        return Some(finding);
    };
    let (line, indent) = file.indent(first);
    // Statements behind `;` or behind the colon of a block stay for a person.
    if line + indent.len() != first.start_byte() {
        return Some(finding);
    }
    let step = if indent.starts_with('\t') {
        "\t"
    } else {
        "    "
    };
    let mut edits = vec![Edit::insert(
        first.start_byte() as u32,
        format!("if not {}:\n{indent}{step}", question.text),
    )];
    let lines = memchr::memchr_iter(b'\n', &file.bytes()[range.as_usize()]);
    edits.extend(lines.map(|at| Edit::insert(range.start + at as u32 + 1, step)));
    Some(guarded(finding, &question, edits))
}
