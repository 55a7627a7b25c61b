//! A program that asks `torch.version.cuda` whether there is a GPU, or which release of CUDA it has.
//!
//! ## Why on AMD
//! `torch.version.cuda` is `None` in PyTorch for ROCm. As a question whether PyTorch has a GPU backend it says no, and the program goes
//! on with the CPU or skips its tests; a comparison of releases ends with a `TypeError`, also through a variable, and one for single releases, `== "11.3"`, is
//! information: `None` is none of them. Where the file names `torch.version.hip` itself,
//! or imports what only AMD has, Composable Kernel or AITER, its authors know both vendors and it stays as it is, and so does a test that only keeps such a comparison from `None`, as
//! `version.cuda is None or int(version.cuda[:2]) < 12` does. A condition that asks for a GPU as well,
//! `torch.cuda.is_available() and torch.version.cuda`, or for a capability asks for NVIDIA's; what asserts such a condition of another script,
//! `assert is_sm_at_least_90()`, fails on AMD. A test that is skipped with a word about NVIDIA asks for NVIDIA.
//!
//! ## Example
//! ```python
//! if torch.version.cuda is not None:
//!     run_on_gpu()
//! ```
//! becomes
//! ```python
//! if (torch.version.cuda or torch.version.hip) is not None:
//!     run_on_gpu()
//! ```
//!
//! ## When to ignore
//! When the question is whether the GPU is NVIDIA's.
//!
//! ## Source
//! PyTorch documentation, "HIP (ROCm) semantics", "Checking for HIP".

use rustc_hash::FxHashMap;

use crate::analysis::nvidia_modules::{is_named_after_module, needs_nvidia};
use crate::python::{Node, PyFile, Side, parents};
use crate::rules::prelude::*;

/// Asks for either vendor's backend; reports comparisons of releases.
pub static RULE: Rule = Rule {
    code: "CASS670",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[Fact::ReadsScriptsWith(&["version.cuda"])],
    checks: &[Check::Python(&[], check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let asserted = asserted_elsewhere(cx);
    asserted.into_iter().for_each(|finding| cx.report(finding));
    // Build scripts have a rule of their own, which knows what they do with the answer.
    if !names_version(&cx.source.bytes) || crate::python::builds_extensions(&cx.source.bytes) {
        return;
    }
    let file = cx.file();
    let names = |node: &Node<'_>| file.dotted(*node).ends_with("torch.version.cuda");
    let uses = file.attributes(&["cuda"]).into_iter();
    let uses: Vec<Node<'_>> = uses.filter(names).collect();
    let leaving = Leaving::new(file);
    let guards = uses.iter().map(|it| guard(file, &leaving, *it));
    let guards: Vec<Option<Node<'_>>> = guards.collect();
    // A test that keeps a release from being read where there is none is what PyTorch for ROCm needs as well.
    let kept = Within::new(guards.iter().flatten().map(|it| file.range(*it)));
    let protects = |node: Node<'_>| kept.has(file.range(node));
    let open = uses
        .iter()
        .zip(&guards)
        .filter(|(_, guard)| guard.is_none());
    let findings: Vec<Finding> = open
        .filter_map(|(node, _)| of_use(file, *node, protects(*node)))
        .collect();
    let read = uses.iter().filter_map(|it| read_from_variable(file, *it));
    let read: Vec<Finding> = read.collect();
    // A program that installs TensorRT runs where that is wanted, and one that imports what NVIDIA alone has ends in front.
    let is_for_module = is_named_after_module(&cx.source.path)
        || needs_nvidia(file, |module| cx.project.paths.is_package(module));
    let lowered = |finding: Finding| match is_for_module {
        true => finding.severity(Severity::Info),
        false => finding,
    };
    let findings = findings.into_iter().chain(read).map(lowered);
    findings.for_each(|finding| cx.report(finding));
}

/// The first place where a release is read from a variable that is CUDA's version and nothing else: `v = torch.version.cuda`, then
/// `v.split(".")`.
fn read_from_variable(file: &PyFile<'_>, version: Node<'_>) -> Option<Finding> {
    let assignment = version.parent().filter(|it| it.kind() == "assignment")?;
    let name = assignment.child_by_field_name("left")?;
    let is_value = assignment.child_by_field_name("right") == Some(version);
    let text = file.dotted(name);
    if !is_value || file.side(version).is_some() || file.assignments_to(&text).len() != 1 {
        return None;
    }
    let uses = match name.kind() {
        "identifier" => file.uses(name),
        "attribute" => file.uses_of_member(name),
        _ => return None,
    };
    let fails = |it: &Node<'_>| {
        matches!(usage(file, *it), Usage::Release)
            && it.start_byte() > version.end_byte()
            && file.side(*it).is_none()
            && !fails_for_nobody(file, *it)
            && !is_kept_from_none(file, *it, &text)
    };
    let first = uses.into_iter().find(fails)?;
    let message = format!(
        "`{text}` is `torch.version.cuda`, which is None in PyTorch for ROCm: what reads a release from it fails"
    );
    let finding = RULE.finding(file.range(first), message);
    Some(finding.help("ask `torch.version.hip` first, and compare releases on NVIDIA alone"))
}

/// Whether a condition around a place, or one that leaves in front of it, asks whether a variable is there.
fn is_kept_from_none(file: &PyFile<'_>, place: Node<'_>, name: &str) -> bool {
    let asks = |condition: Node<'_>| {
        let text = file.squeezed(condition);
        let mut parts =
            text.split(|sign: char| !(sign.is_ascii_alphanumeric() || "_.".contains(sign)));
        parts.any(|part| {
            let part = part.strip_prefix("not").unwrap_or(part);
            let question = part.strip_prefix(name);
            question.is_some_and(|it| {
                it.is_empty()
                    || it.starts_with("is")
                    || it.starts_with("and")
                    || it.starts_with("or")
            })
        })
    };
    let leaves_before = |block: Node<'_>| {
        let statements = block
            .named_children()
            .take_while(|it| it.number() < place.number());
        statements
            .filter(|it| !it.is_around(place))
            .any(|it| match it.kind() {
                "assert_statement" => it.named_child(0).is_some_and(asks),
                "if_statement" => {
                    leaves_block(file, it) && it.child_by_field_name("condition").is_some_and(asks)
                }
                _ => false,
            })
    };
    parents(place).any(|it| match it.kind() {
        "if_statement" | "elif_clause" | "while_statement" => {
            it.child_by_field_name("condition").is_some_and(asks)
        }
        "conditional_expression" => file.elements(it).get(1).copied().is_some_and(asks),
        "boolean_operator" => it
            .child_by_field_name("left")
            .is_some_and(|left| !left.is_around(place) && left != place && asks(left)),
        "block" | "module" => leaves_before(it),
        _ => false,
    })
}

/// Assertions of what another script of the tree asks of CUDA's version, `assert is_sm_at_least_90()`.
fn asserted_elsewhere(cx: &PythonContext<'_, '_>) -> Vec<Finding> {
    if !cx.script.questions().may_be_asked_in(&cx.source.bytes) || !cx.mentions(&["assert "]) {
        return Vec::new();
    }
    let file = cx.file();
    let mut found = file.all(&["assert_statement"]);
    found.retain(|it| {
        let asked = it.named_child(0).and_then(|it| file.asked_elsewhere(it));
        asked == Some(Side::Nvidia) && file.side(*it).is_none()
    });
    let finding = |assertion: Node<'_>| {
        let range = file.range(assertion);
        RULE.finding(range, "what is asserted here asks for CUDA's version, which is None in PyTorch for ROCm: it fails on AMD")
            .help("assert torch.version.hip as well where what follows runs on AMD")
    };
    found.into_iter().map(finding).collect()
}

/// Whether what reads a release where there is none is caught: `except (AttributeError, ValueError)`.
fn fails_for_nobody(file: &PyFile<'_>, node: Node<'_>) -> bool {
    const CAUGHT: &[&str] = &["AttributeError", "TypeError", "Exception"];
    let mut below = node;
    for it in parents(node) {
        let is_tried =
            it.kind() == "try_statement" && it.child_by_field_name("body") == Some(below);
        let mut clauses = it
            .named_children()
            .filter(|it| it.kind() == "except_clause");
        if is_tried
            && clauses.any(|clause| {
                let caught = clause.named_child(0).filter(|it| it.kind() != "block");
                // `except:` catches all.
                caught.is_none_or(|it| {
                    let names = file.dotted(it);
                    CAUGHT.iter().any(|name| names.contains(name))
                })
            })
        {
            return true;
        }
        below = it;
    }
    false
}

/// Whether an `if` without CUDA only leaves a function that sets what is for CUDA: `if not torch.version.cuda: return` of
/// `maybe_set_arch_list`.
fn leaves_setting_of_cuda(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let statement = parents(node).take(2).find(|it| it.kind() == "if_statement");
    let body = statement.and_then(|it| it.child_by_field_name("consequence"));
    let body = body.map_or_else(Vec::new, |it| file.elements(it));
    let is_bare = |it: &Node<'_>| it.kind() == "return_statement" && file.elements(*it).is_empty();
    let name = node
        .function()
        .and_then(|it| it.child_by_field_name("name"));
    let is_setting = name.is_some_and(|it| file.text(it).contains("arch_list"));
    is_setting && matches!(&body[..], [only] if is_bare(only))
}

/// Whether `version.cuda` stands in a script, with blanks or not: to parse a script takes most of its time, and many have a version.
fn names_version(script: &[u8]) -> bool {
    let blanks = |text: &[u8]| {
        text.iter()
            .take_while(|byte| b" \t\r\n\\".contains(byte))
            .count()
    };
    memchr::memmem::find_iter(script, "version").any(|at| {
        let behind = &script[at + "version".len()..];
        let behind = &behind[blanks(behind)..];
        let member = behind.strip_prefix(b".");
        member.is_some_and(|it| it[blanks(it)..].starts_with(b"cuda"))
    })
}

/// Ranges in the order of their starts, each with the furthest end so far: a chain of `elif` has as many conditions as uses.
struct Within(Vec<(u32, u32)>);

impl Within {
    fn new(ranges: impl Iterator<Item = TextRange>) -> Self {
        let mut all: Vec<(u32, u32)> = ranges.map(|it| (it.start, it.end)).collect();
        all.sort_unstable();
        let mut furthest = 0;
        for (_, end) in &mut all {
            furthest = furthest.max(*end);
            *end = furthest;
        }
        Self(all)
    }

    /// Whether one of the ranges contains all of another one.
    fn has(&self, range: TextRange) -> bool {
        let before = self.0.partition_point(|(start, _)| *start <= range.start);
        before > 0 && self.0[before - 1].1 >= range.end
    }
}

/// The condition by which a use is reached only where PyTorch has CUDA.
fn guard<'t>(file: &PyFile<'_>, leaving: &Leaving<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let mut below = node;
    for parent in parents(node) {
        let condition = match parent.kind() {
            "if_statement" | "elif_clause" => parent
                .child_by_field_name("condition")
                .filter(|_| parent.child_by_field_name("consequence") == Some(below)),
            "conditional_expression" => {
                let value = parent.named_child(0);
                parent.named_child(1).filter(|_| value == Some(below))
            }
            "boolean_operator" => parent
                .child_by_field_name("left")
                .filter(|left| *left != below),
            "block" | "module" => leaving.last_before(parent, below),
            _ => None,
        };
        // What stands behind `or` is reached where the condition does not hold; what leaves a block is known to keep it.
        let is_block = matches!(parent.kind(), "block" | "module");
        let is_otherwise = parent
            .child_by_field_name("operator")
            .is_some_and(|it| file.text(it) == "or");
        if let Some(condition) =
            condition.filter(|it| is_block || asks_for_cuda(file, *it) == Some(!is_otherwise))
        {
            return Some(condition);
        }
        below = parent;
    }
    None
}

/// The conditions for CUDA of those `if`s whose body leaves the block, and of assertions, with the numbers of the statements and whether what
/// stands behind has CUDA, by the number of the block. Found once for all uses: a module of many statements is not read for each.
struct Leaving<'t>(FxHashMap<u32, Vec<(u32, Node<'t>, bool)>>);

impl<'t> Leaving<'t> {
    fn new(file: &'t PyFile<'_>) -> Self {
        let mut by_block = FxHashMap::<u32, Vec<_>>::default();
        for it in file.all(&["if_statement", "assert_statement"]) {
            let is_asserted = it.kind() == "assert_statement";
            let condition = match is_asserted {
                true => it.named_child(0),
                false => it.child_by_field_name("condition"),
            };
            if (is_asserted || leaves_block(file, it))
                && let Some(block) = it.parent()
                && let Some(condition) = condition
                && let Some(asks) = asks_for_cuda(file, condition)
            {
                let conditions = by_block.entry(block.number()).or_default();
                conditions.push((it.number(), condition, asks == is_asserted));
            }
        }
        Self(by_block)
    }

    /// That of the last one in front of a statement, where it lets nothing pass without CUDA.
    fn last_before(&self, block: Node<'_>, statement: Node<'_>) -> Option<Node<'t>> {
        let conditions = self.0.get(&block.number())?;
        let before = conditions.partition_point(|(number, ..)| *number < statement.number());
        let (_, condition, keeps) = conditions[before.checked_sub(1)?];
        keeps.then_some(condition)
    }
}

/// Whether what stands behind an `if` is reached only where it does not hold.
fn leaves_block(file: &PyFile<'_>, statement: Node<'_>) -> bool {
    const LEAVES: &[&str] = &["return_statement", "raise_statement", "continue_statement"];
    let body = statement.child_by_field_name("consequence");
    let last = body.and_then(|body| file.elements(body).pop());
    last.is_some_and(|last| LEAVES.contains(&last.kind()))
        && statement.child_by_field_name("alternative").is_none()
}

/// Whether a condition asks for `torch.version.cuda`: true where it holds with CUDA, false where it holds without.
fn asks_for_cuda(file: &PyFile<'_>, condition: Node<'_>) -> Option<bool> {
    let text = file.squeezed(condition);
    let asks = text.contains("torch.version.cuda");
    let denies = text.contains("cudaisNone") || text.starts_with("not");
    asks.then_some(!denies)
}

/// Whether a condition goes on to a compute capability: the question is which GPU of NVIDIA's, `version.cuda and capability() >= (9, 0)`.
fn precedes_capability(file: &PyFile<'_>, node: Node<'_>) -> bool {
    const PARTS: &[&str] = &[
        "boolean_operator",
        "comparison_operator",
        "not_operator",
        "parenthesized_expression",
    ];
    let around = parents(node).take_while(|it| PARTS.contains(&it.kind()));
    around
        .last()
        .is_some_and(|it| file.text(it).contains("get_device_capability("))
}

/// Whether the answer is called after the vendor, `IS_NVIDIA = torch.version.cuda is not None`: the question is meant as it stands.
fn is_named_for_nvidia(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let is_it = |name: &str| {
        let mut words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
        words.any(|word| word == "nvidia")
    };
    file.is_named_around(node, is_it)
}

/// The text that a condition gives back, and nothing else: `if …: return "this needs an NVIDIA GPU"`, on which the program takes another way.
fn returned_text<'t>(file: &PyFile<'_>, choice: Node<'t>) -> Option<Node<'t>> {
    let body = choice.child_by_field_name("consequence")?;
    let [only] = file.elements(body)[..] else {
        return None;
    };
    let value = only.named_child(0).filter(|it| it.kind() == "string")?;
    (only.kind() == "return_statement").then_some(value)
}

/// Whether a test is skipped by a condition, and the reason names a vendor: `pytest.skip("needs an NVIDIA GPU")`; so it is where a function
/// gives the reason back.
fn skips_for_want_of_nvidia(file: &PyFile<'_>, node: Node<'_>) -> bool {
    const SKIPS: &[&str] = &[
        "skip",
        "skipTest",
        "SkipTest",
        "skipIf",
        "skipif",
        "skipUnless",
    ];
    let around = parents(node).find(|it| match it.kind() {
        "if_statement" => it
            .child_by_field_name("condition")
            .is_some_and(|condition| condition == node || condition.is_around(node)),
        kind => kind == "call" || kind.ends_with("_statement"),
    });
    let calls = match around {
        Some(it) if it.kind() == "call" => vec![it],
        Some(it) => it
            .child_by_field_name("consequence")
            .map_or_else(Vec::new, |body| file.all_below(body, &["call"])),
        None => Vec::new(),
    };
    let is_skip = |it: &&Node<'_>| {
        file.callee(**it)
            .is_some_and(|name| SKIPS.contains(&&*name))
    };
    let skips = calls.into_iter().filter(|it| is_skip(&it));
    let mut reasons = skips.chain(around.and_then(|it| returned_text(file, it)));
    // A reason that names AMD's says that its author decided: `skipTest("not on ROCm")`.
    const NAMES: &[&str] = &["NVIDIA", "ROCm", "ROCM", "AMD"];
    reasons.any(|it| {
        let text = file.text(it);
        NAMES.iter().any(|name| text.contains(name))
    })
}

fn of_use(file: &PyFile<'_>, node: Node<'_>, protects: bool) -> Option<Finding> {
    if file.side(node).is_some() {
        return None;
    }
    let range = file.range(node);
    let text = file.text(node).into_owned();
    match usage(file, node) {
        Usage::Other => None,
        Usage::Release if fails_for_nobody(file, node) => None,
        Usage::Release => Some(
            RULE.finding(range, "`torch.version.cuda` is None in PyTorch for ROCm: what reads a release from it fails")
                .help("ask `torch.version.hip` first, and compare releases on NVIDIA alone"),
        ),
        Usage::Equality => Some(
            RULE.finding(range, "`torch.version.cuda` is None in PyTorch for ROCm: AMD goes the way of releases that are not named here")
                .severity(Severity::Info)
                .help("ask `torch.version.hip` where AMD is to go another way"),
        ),
        Usage::Asserted if asserts_release_next(file, node) => Some(
            RULE.finding(range, "`torch.version.cuda` is None in PyTorch for ROCm: what asks for a release of CUDA ends here on AMD")
                .severity(Severity::Info)
                .help("let AMD pass where what follows runs there as well"),
        ),
        Usage::Asserted => Some(
            RULE.finding(range, "`torch.version.cuda` is None in PyTorch for ROCm: the assertion fails")
                .help("assert `torch.version.hip or torch.version.cuda` where the question is whether there is a GPU, and read releases on NVIDIA alone"),
        ),
        Usage::Truth if protects || file.knows_amd() || precedes_capability(file, node) => None,
        Usage::Truth if leaves_setting_of_cuda(file, node) => None,
        Usage::Truth if asks_whose_gpu(file, node) || is_named_for_nvidia(file, node) => None,
        Usage::Truth if skips_for_want_of_nvidia(file, node) => None,
        Usage::Truth => {
            let other = format!("{}hip", text.trim_end_matches("cuda"));
            let edits = vec![Edit::replace(range, format!("({text} or {other})"))];
            let finding = RULE
                .finding(range, "`torch.version.cuda` is None in PyTorch for ROCm, where there is a GPU as well")
                .help("check that the question is whether there is a GPU, not whether it is NVIDIA's");
            Some(finding.fix(Fix::review(edits)))
        }
    }
}

/// Whether the same condition asks for a GPU as well, `torch.cuda.is_available() and torch.version.cuda`, or `not` before each and `or`
/// between them: the question is whose it is.
fn asks_whose_gpu(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let question =
        parents(node).take_while(|it| matches!(it.kind(), "comparison_operator" | "not_operator"));
    let question = question.last().unwrap_or(node);
    let is_denied = asks_for_cuda(file, question) == Some(false);
    let joint = if is_denied { "or" } else { "and" };
    let around = parents(node).take_while(|it| {
        let operator = it.child_by_field_name("operator");
        it.kind() == "parenthesized_expression"
            || matches!(it.kind(), "comparison_operator" | "not_operator")
            || operator.is_some_and(|it| file.text(it) == joint)
    });
    let Some(all) = around.last() else {
        return false;
    };
    let text = file.squeezed(all);
    [
        "cuda.is_available()",
        "type==\"cuda\"",
        "type=='cuda'",
        ".is_cuda",
    ]
    .iter()
    .any(|it| text.contains(it))
}

enum Usage {
    /// An assertion fails without it.
    Asserted,
    /// Whether it is there.
    Truth,
    /// What it says.
    Release,
    /// Whether it is one of some: that fails nowhere.
    Equality,
    /// Printed or handed on.
    Other,
}

/// Whether a comparison asks whether a release is one of some: `== "11.3"`, `not in ("11.3", "11.7")`. `"11" in torch.version.cuda` looks
/// into it, and fails.
fn is_equality(file: &PyFile<'_>, comparison: Node<'_>, release: Node<'_>) -> bool {
    let operator = comparison.child_by_field_name("operators");
    let is_first = file.elements(comparison).first() == Some(&release);
    operator.is_some_and(|it| match &*file.text(it) {
        "==" | "!=" => true,
        "in" | "not in" => is_first,
        _ => false,
    })
}

fn usage(file: &PyFile<'_>, node: Node<'_>) -> Usage {
    const READERS: &[&str] = &[
        "parse",
        "Version",
        "LooseVersion",
        "float",
        "int",
        "tuple",
        "len",
    ];
    let Some(parent) = node.parent() else {
        return Usage::Other;
    };
    match parent.kind() {
        // What is written into a record or a sentence where there is no release: `torch.version.cuda or "N/A"`.
        "boolean_operator" if is_named_otherwise(file, parent, node) => Usage::Other,
        // The value where there is no other one, and no question.
        "boolean_operator" if is_last_choice(file, parent, node) => Usage::Other,
        _ if is_asserted(file, node) => Usage::Asserted,
        "if_statement" | "elif_clause" | "not_operator" | "boolean_operator"
        | "while_statement" => Usage::Truth,
        "conditional_expression" if file.elements(parent).get(1) == Some(&node) => Usage::Truth,
        "comparison_operator" if file.squeezed(parent).contains("None") => Usage::Truth,
        "comparison_operator" if is_equality(file, parent, node) => Usage::Equality,
        "comparison_operator" => Usage::Release,
        // Whatever a string has, None has not: `torch.version.cuda.startswith("12")`.
        "attribute" => match parent.parent() {
            Some(call) if call.child_by_field_name("function") == Some(parent) => Usage::Release,
            _ => Usage::Other,
        },
        "subscript" => Usage::Release,
        "argument_list" => {
            let call = parent.parent();
            let callee = call.and_then(|call| file.callee(call));
            if callee.is_some_and(|name| READERS.contains(&&*name)) {
                Usage::Release
            } else {
                Usage::Other
            }
        }
        _ => Usage::Other,
    }
}

/// Whether one of the next statements asserts a release, `assert parse(torch.version.cuda) >= Version("12.9")`: the program is meant for that
/// alone.
fn asserts_release_next(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let Some(statement) = parents(node).find(|it| it.kind() == "assert_statement") else {
        return false;
    };
    let block = statement.parent();
    let next = block.into_iter().flat_map(|it| it.named_children());
    let next = next.filter(|it| it.number() > statement.number());
    // What stands further away may be about something else.
    let next: Vec<Node<'_>> = next.take(4).collect();
    let reads = next
        .iter()
        .any(|it| file.text(*it).contains("torch.version.cuda"));
    reads && next.iter().any(|it| it.kind() == "assert_statement")
}

/// Whether an assertion asks that it is there: `assert torch.version.cuda is not None`.
fn is_asserted(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let around = parents(node).take_while(|it| it.kind() == "comparison_operator");
    let asked = around.last().unwrap_or(node);
    let statement = asked.parent().filter(|it| it.kind() == "assert_statement");
    let is_condition = statement.is_some_and(|it| it.named_child(0) == Some(asked));
    is_condition && asks_for_cuda(file, asked) == Some(true)
}

/// Whether the version is what an argument or a variable gets where another value is missing: `given or torch.version.cuda`.
fn is_last_choice(file: &PyFile<'_>, either: Node<'_>, node: Node<'_>) -> bool {
    let field = |name| either.child_by_field_name(name);
    let is_or = field("operator").is_some_and(|it| file.text(it) == "or");
    let is_value = either.parent().is_some_and(|it| {
        matches!(
            it.kind(),
            "argument_list" | "keyword_argument" | "assignment" | "pair"
        )
    });
    is_or && is_value && field("right") == Some(node)
}

/// Whether a text stands for a release that is not there: `version or "none"`.
fn is_named_otherwise(file: &PyFile<'_>, either: Node<'_>, node: Node<'_>) -> bool {
    let field = |name| either.child_by_field_name(name);
    let is_or = field("operator").is_some_and(|it| file.text(it) == "or");
    is_or && field("left") == Some(node) && field("right").is_some_and(|it| it.kind() == "string")
}
