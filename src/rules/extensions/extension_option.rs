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
//! When the list never reaches a compiler. Lists for MSVC by their names give no finding.
//!
//! ## Source
//! `torch/utils/cpp_extension.py` of PyTorch 2.11; `mappings/build.toml`, held against clang 19.

use crate::analysis::extension_options::{Fate, Group, groups, imported, option_change};
use crate::analysis::nvidia_modules::is_called_after_architecture;
use crate::python::{Literal, Node, PyFile};
use crate::rules::prelude::*;

/// Guards options of nvcc by the vendor that is built for.
pub static RULE: Rule = Rule {
    code: "CASS640",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Extension(check)],
};

/// What to do where a fix would ask for a module that is not imported.
const NO_IMPORT: &str =
    "write `[] if torch.version.hip else [...]` around it, behind an import of torch";

/// What to do where the text for AMD cannot be made of an f-string.
const BY_HAND: &str = "write both forms with `if torch.version.hip else` between them";

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let mut findings = Vec::new();
    for list in file.all(&["list"]) {
        if is_of_msvc(file, list) || is_question(file, list) {
            continue;
        }
        let elements = file.elements(list);
        let groups = groups(file, list, &elements);
        let all = groups.len() == 1 && groups[0].nodes.len() == elements.len();
        for group in groups {
            findings.extend(of_group(cx, file, list, &group, all));
        }
    }
    let made = file.all(&["list_comprehension"]).into_iter();
    findings.extend(made.filter_map(|list| of_comprehension(cx, file, list)));
    findings.extend(appended(cx, file));
    let kept = file.all(&["assignment"]).into_iter();
    findings.extend(kept.filter_map(|it| kept_in_name(cx, file, it)));
    findings.extend(asked_of_torch(file));
    findings.extend(
        imported(file)
            .into_iter()
            .filter_map(|name| elsewhere(file, name)),
    );
    // `hopper/setup.py` is built for that alone.
    if is_called_after_architecture(&cx.source.path) {
        let told = findings.into_iter();
        findings = told.map(|it| it.severity(Severity::Info)).collect();
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether a list is a command that asks nvcc about itself, `[nvcc, "--list-gpu-arch"]`: what runs it has a finding of its own.
fn is_question(file: &PyFile<'_>, list: Node<'_>) -> bool {
    const QUESTIONS: &[&str] = &[
        "--list-gpu-arch",
        "--list-gpu-code",
        "--version",
        "-V",
        "--help",
    ];
    let options = file.elements(list).into_iter();
    let mut options = options.filter_map(|it| Literal::new(file, it));
    options.any(|it| QUESTIONS.contains(&&*it.text))
}

/// Whether options are for Windows alone, for which there is no PyTorch with ROCm that builds extensions: `"nvcc_msvc": [...]`,
/// `msvc_flags = [...]`.
fn is_of_msvc(file: &PyFile<'_>, list: Node<'_>) -> bool {
    let around = list.parent();
    let name = around.and_then(|it| match it.kind() {
        "pair" => it.child_by_field_name("key"),
        "assignment" => it.child_by_field_name("left"),
        _ => None,
    });
    name.is_some_and(|it| file.text(it).to_lowercase().contains("msvc"))
}

/// `[f"-gencode=arch=compute_{chip},code=sm_{chip}" for chip in chips]`: of these options nothing is left for AMD.
fn of_comprehension(
    cx: &PythonContext<'_, '_>,
    file: &PyFile<'_>,
    list: Node<'_>,
) -> Option<Finding> {
    let body = list.child_by_field_name("body")?;
    let change = option_change(file, list, &[body])?;
    if file.side(list).is_some() {
        return None;
    }
    let message = format!(
        "nvcc options {} are refused or misread by hipcc",
        shown(cx, file.range(body))
    );
    let finding = RULE.finding(file.range(list), message);
    let Fate::Goes(why) = change.0 else {
        return Some(finding.help(BY_HAND));
    };
    let Some(question) = file.question(list) else {
        return Some(finding.help(NO_IMPORT));
    };
    let edits = whole_list(list, "", &question.text);
    Some(guarded(finding.help(why), &question, edits))
}

/// `torch.cuda.get_gencode_flags()`: it takes the names of NVIDIA's chips apart, and raises for AMD's.
fn asked_of_torch(file: &PyFile<'_>) -> Vec<Finding> {
    const NAME: &str = "get_gencode_flags";
    let is_torchs = |call: &Node<'_>| {
        // Of a chain of calls each has all those before it in its text.
        file.callee(*call).is_some_and(|name| name == NAME)
            && file.squeezed(*call).ends_with(&format!("cuda.{NAME}()"))
            && file.side(*call).is_none()
    };
    let calls = file.all(&["call"]).into_iter().filter(is_torchs);
    let of_call = |call: Node<'_>| {
        let range = file.range(call);
        let finding = RULE
            .finding(
                range,
                format!("`{NAME}` raises in PyTorch for ROCm, whose chips are no `sm_80`"),
            )
            .severity(Severity::Error);
        match file.question(call) {
            Some(question) => {
                let open = format!("(\"\" if {} else ", question.text);
                let edits = vec![
                    Edit::insert(range.start, open),
                    Edit::insert(range.end, ")"),
                ];
                guarded(finding, &question, edits)
            }
            None => finding.help(NO_IMPORT),
        }
    };
    calls.map(of_call).collect()
}

/// Options that another module names.
fn elsewhere(file: &PyFile<'_>, name: Node<'_>) -> Option<Finding> {
    let message = format!(
        "the nvcc options in `{}` come from another module and are not read",
        file.text(name)
    );
    let finding = RULE.finding(file.range(name), message);
    let finding = finding.help("look through them there: what hipcc refuses, `--use_fast_math` or `-gencode`, goes under `[] if torch.version.hip else [...]`");
    file.side(name).is_none().then_some(finding)
}

fn of_group(
    cx: &PythonContext<'_, '_>,
    file: &PyFile<'_>,
    list: Node<'_>,
    group: &Group<'_>,
    is_all: bool,
) -> Option<Finding> {
    let (first, last) = (*group.nodes.first()?, *group.nodes.last()?);
    if file.is_expected(first) || file.side(first).is_some() {
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
        Fate::Goes(_) if is_all => whole_list(list, "", &question.text),
        Fate::Becomes(words) if is_all && group.nodes.len() > 1 && !has_fields(file, group) => {
            let literal = Literal::new(file, first)?;
            let words: Vec<String> = words.iter().map(|it| literal.quoted(it)).collect();
            whole_list(list, &words.join(", "), &question.text)
        }
        Fate::Becomes(words) => match conditional(file, group, words, &question.text) {
            Some(edits) => edits,
            None => return Some(finding.help(BY_HAND)),
        },
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

/// One word for one, or a list for a list; `None` where the fields of an f-string are not those of the words.
fn conditional(
    file: &PyFile<'_>,
    group: &Group<'_>,
    words: &[String],
    question: &str,
) -> Option<Vec<Edit>> {
    let (first, last) = (*group.nodes.first()?, *group.nodes.last()?);
    let literal = Literal::new(file, first)?;
    let fields = group.nodes.iter();
    let fields = fields.flat_map(|it| file.all_below(*it, &["interpolation"]));
    let mut fields = fields.map(|it| file.text(it).into_owned());
    let quoted = words.iter().map(|it| quoted(&literal, it, &mut fields));
    let quoted: Vec<String> = quoted.collect::<Option<_>>()?;
    if fields.next().is_some() {
        return None;
    }
    let range = TextRange::new(file.range(first).start, file.range(last).end);
    Some(match (&quoted[..], group.nodes.len()) {
        ([one], 1) => vec![Edit::insert(
            range.start,
            format!("{one} if {question} else "),
        )],
        _ => starred(range, &quoted.join(", "), question),
    })
}

/// A word as a literal, in which each `{}` is the next field of the f-string that it comes from.
fn quoted(
    literal: &Literal,
    word: &str,
    fields: &mut impl Iterator<Item = String>,
) -> Option<String> {
    let (mut text, mut has_fields) = (String::new(), false);
    for (at, part) in word.split("{}").enumerate() {
        if at > 0 {
            text.push_str(&fields.next()?);
            has_fields = true;
        }
        text.push_str(part);
    }
    let text = literal.quoted(&text);
    Some(if has_fields { format!("f{text}") } else { text })
}

/// The finding with its fix, and the import that the fix needs.
fn guarded(finding: Finding, question: &crate::python::Question, mut edits: Vec<Edit>) -> Finding {
    if let Some((at, line)) = &question.import {
        edits.push(Edit::insert(*at, line.clone()));
    }
    finding.severity(Severity::Info).fix(Fix::safe(edits))
}

/// Whether an f-string is among the options.
fn has_fields(file: &PyFile<'_>, group: &Group<'_>) -> bool {
    let mut nodes = group.nodes.iter();
    nodes.any(|node| !file.all_below(*node, &["interpolation"]).is_empty())
}

/// A list of which nothing is left for AMD, or other words.
fn whole_list(list: Node<'_>, words: &str, question: &str) -> Vec<Edit> {
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
        format!("{open}[{words}] if {question} else "),
    );
    let end = Edit::insert(list.end_byte() as u32, close);
    std::iter::once(start)
        .chain((!is_alone).then_some(end))
        .collect()
}

fn shown(cx: &PythonContext<'_, '_>, range: TextRange) -> String {
    let text = cx.text_of(range);
    let words: Vec<&str> = text.split(['"', '\'']).skip(1).step_by(2).collect();
    format!("`{}`", words.join(" "))
}

/// `flags.append("-gencode")` and what follows it: statements in a row, put under one condition.
fn appended(cx: &PythonContext<'_, '_>, file: &PyFile<'_>) -> Vec<Finding> {
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

/// An option that has a name, `flag = f"-gencode=arch=compute_{chip},code=sm_{chip}"`, by which lists take it: there it goes.
fn kept_in_name(
    cx: &PythonContext<'_, '_>,
    file: &PyFile<'_>,
    assignment: Node<'_>,
) -> Option<Finding> {
    let field = |name| assignment.child_by_field_name(name);
    let name = field("left").filter(|it| it.kind() == "identifier")?;
    let value = field("right").filter(|it| it.kind() == "string")?;
    let (Fate::Goes(why), _) = option_change(file, assignment, &[value])? else {
        return None;
    };
    let mut uses = file.uses(name);
    uses.retain(|it| *it != name && file.side(*it).is_none());
    let is_listed = |it: &Node<'_>| it.parent().is_some_and(|above| above.kind() == "list");
    let (listed, others): (Vec<Node<'_>>, Vec<Node<'_>>) = uses.into_iter().partition(is_listed);
    if listed.is_empty() || file.side(assignment).is_some() {
        return None;
    }
    let range = file.range(value);
    let message = format!(
        "nvcc option {} is refused or misread by hipcc",
        shown(cx, range)
    );
    let finding = RULE.finding(range, message).help(why);
    let Some(question) = file.question(listed[0]).filter(|_| others.is_empty()) else {
        return Some(finding.help(NO_IMPORT));
    };
    let edit = |it: &Node<'_>| {
        let text = format!("*([] if {} else [{}])", question.text, file.text(*it));
        Edit::replace(file.range(*it), text)
    };
    let edits = listed.iter().map(edit).collect();
    Some(guarded(finding, &question, edits))
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
        match option_change(file, node, &elements) {
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

fn under_condition(
    cx: &PythonContext<'_, '_>,
    file: &PyFile<'_>,
    run: &[Node<'_>],
) -> Option<Finding> {
    let (first, last) = (*run.first()?, *run.last()?);
    let range = TextRange::new(file.range(first).start, file.range(last).end);
    let message = format!("nvcc options {} are refused by hipcc", shown(cx, range));
    let value = appended_value(file, first);
    let why = value.and_then(|value| match option_change(file, value, &[value])?.0 {
        Fate::Goes(why) => Some(why),
        _ => None,
    });
    let finding = RULE
        .finding(range, message)
        .help(why.unwrap_or("PyTorch takes AMD's chips from PYTORCH_ROCM_ARCH"));
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
