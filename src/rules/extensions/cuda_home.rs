//! A test of `CUDA_HOME` that decides whether an extension is built, or a path that is made of it.
//!
//! ## Why on AMD
//! `torch.utils.cpp_extension.CUDA_HOME` is `None` in PyTorch for ROCm, whatever is installed. A script that raises then stops before
//! anything is compiled; one that builds for the CPU only does so without a word. Where what the test guards uses the folder itself,
//! it stays, with a warning where it makes the extension. `"cu" in torch.__version__` in such a condition is no for AMD as well. A path that is made of it, `os.path.join(CUDA_HOME, "include")`, fails where no such
//! test is around: there `ROCM_HOME` takes its place.
//!
//! ## Example
//! ```python
//! if torch.cuda.is_available() and CUDA_HOME is not None:
//!     sources += source_cuda
//! ```
//! becomes
//! ```python
//! if torch.cuda.is_available() and (CUDA_HOME is not None or torch.version.hip):
//!     sources += source_cuda
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `torch/utils/cpp_extension.py` of PyTorch 2.11; the setup scripts of PyTorch Scatter and PyTorch Cluster.

use crate::analysis::toolkit_folder::{
    asks_in_function, behind, is_path, is_reached_by_amd, leads_to_nvcc, or_rocm, returns_without,
};
use crate::analysis::toolkit_question::answers_amd;
use crate::python::{Node, PyFile, is_version_for_cuda, parents};
use crate::rules::prelude::*;

/// Adds a question for AMD to tests of CUDA's folder, and ROCm's folder to paths.
pub static RULE: Rule = Rule {
    code: "CASS641",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Extension(check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let mut findings = Vec::new();
    for name in file.all(&["identifier"]) {
        if file.text(name) == "CUDA_HOME" {
            findings.extend(of_name(file, name).or_else(|| of_path(file, name)));
        }
    }
    for test in file.all(&["comparison_operator"]) {
        findings.extend(of_version(file, test));
        let is_asked = matches!(
            &*file.squeezed(test),
            "\"CUDA_HOME\"inos.environ" | "'CUDA_HOME'inos.environ"
        );
        if is_asked {
            findings.extend(of_test(
                file,
                test,
                false,
                "`CUDA_HOME` is not set where ROCm is",
            ));
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

fn of_name(file: &PyFile<'_>, name: Node<'_>) -> Option<Finding> {
    let test = tested(file, name)?;
    let negated = is_negated(file, test);
    of_test(
        file,
        test,
        negated,
        "`CUDA_HOME` is None in PyTorch for ROCm",
    )
}

/// A path that is made of the folder.
fn of_path(file: &PyFile<'_>, name: Node<'_>) -> Option<Finding> {
    let knows_rocm = || !file.identifiers_of("ROCM_HOME").is_empty();
    if !is_path(file, name)
        || !is_reached_by_amd(file, name)
        || asks_in_function(file, name)
        || is_set_by_script(file)
        || knows_rocm()
    {
        return None;
    }
    let edits = or_rocm(file, name)?;
    let message = "`CUDA_HOME` is None in PyTorch for ROCm, and a path that is made of it fails";
    let finding = RULE.finding(file.range(name), message);
    Some(match leads_to_nvcc(file, name) {
        true => finding.help("write `if torch.version.hip is None:` around it; AMD has no nvcc"),
        false => finding
            .severity(Severity::Info)
            .help("ROCm's folder has `include`, `lib` and `bin`, and no `lib64`")
            .fix(Fix::review(edits)),
    })
}

/// An expression that asks for the folder; `negated`: whether it is true where there is none.
fn of_test(
    file: &PyFile<'_>,
    test: Node<'_>,
    negated: bool,
    message: &'static str,
) -> Option<Finding> {
    if file.side(test).is_some()
        || asks_already(file, test)
        // `elif ROCM_HOME is not None:` is AMD's branch.
        || file.asks_rocm_else(test)
        || is_set_by_script(file)
    {
        return None;
    }
    if needs_folder(file, test, negated) {
        return builds_by_folder(file, test).then(|| {
            RULE.finding(
                file.range(test),
                "`CUDA_HOME` is None in PyTorch for ROCm, where no extension is built then",
            )
            .help("write `CUDA_HOME or ROCM_HOME` in the test and where the folder is used")
        });
    }
    let finding = RULE
        .finding(file.range(test), message)
        .help("add `or torch.version.hip` to the test for a GPU toolkit");
    Some(match with_question(file, test, negated) {
        Some((edits, import)) => {
            let edits = edits.into_iter().chain(import).collect();
            finding.severity(Severity::Info).fix(Fix::safe(edits))
        }
        None => finding,
    })
}

/// What adds the question for AMD to a test, and the line that imports what it asks.
fn with_question(
    file: &PyFile<'_>,
    test: Node<'_>,
    negated: bool,
) -> Option<(Vec<Edit>, Option<Edit>)> {
    let range = file.range(test);
    let question = file.question(test)?;
    let term = match negated {
        true => format!(" and not {}", question.text),
        false => format!(" or {}", question.text),
    };
    let edits = match is_operand(test) {
        true => vec![
            Edit::insert(range.end, format!("{term})")),
            Edit::insert(range.start, "("),
        ],
        false => vec![Edit::insert(range.end, term)],
    };
    let import = question.import.map(|(at, line)| Edit::insert(at, line));
    Some((edits, import))
}

/// `"cu" in torch.__version__` in the condition of the branch that makes an extension, where nothing of the script is for AMD. A test of the
/// folder in the same condition keeps AMD out as well.
fn of_version(file: &PyFile<'_>, test: Node<'_>) -> Option<Finding> {
    let is_part =
        |it: &Node<'_>| matches!(it.kind(), "boolean_operator" | "parenthesized_expression");
    let is_asked = is_version_for_cuda(&file.squeezed(test));
    let condition = parents(test).take_while(is_part).last().unwrap_or(test);
    let statement = condition.parent().filter(|_| is_asked)?;
    let is_branch = statement.child_by_field_name("condition") == Some(condition);
    let body = statement.child_by_field_name("consequence")?;
    let has = |text: &str| memchr::memmem::find(file.bytes(), text.as_bytes()).is_some();
    let knows_amd = ["hip", "HIP", "rocm", "ROCM", "ROCm"]
        .iter()
        .any(|it| has(it));
    if !is_branch
        || knows_amd
        || file.side(statement).is_some()
        || !file.text(body).contains("CUDAExtension")
        || uses_folder(file, body)
    {
        return None;
    }
    let names = file.identifiers_within("CUDA_HOME", condition).into_iter();
    let folders = names.filter_map(|it| tested(file, it));
    let folders = folders.filter(|it| !is_negated(file, *it));
    let changes: Option<Vec<_>> = std::iter::once(test)
        .chain(folders)
        .map(|it| with_question(file, it, false))
        .collect();
    let message =
        "PyTorch for ROCm has no `cu` in its version, `2.7.0+rocm6.3`: no extension is built there";
    let finding = RULE
        .finding(file.range(test), message)
        .help("add `or torch.version.hip` to each test that AMD has to pass");
    Some(match changes {
        Some(changes) => {
            let import = changes.first().and_then(|(_, import)| import.clone());
            let edits = changes.into_iter().flat_map(|(edits, _)| edits);
            let edits = edits.chain(import).collect();
            finding.severity(Severity::Info).fix(Fix::safe(edits))
        }
        None => finding,
    })
}

/// The expression that asks whether the folder is there: `CUDA_HOME is None`, or the name itself where a truth is wanted.
fn tested<'t>(file: &PyFile<'_>, name: Node<'t>) -> Option<Node<'t>> {
    let parent = name.parent()?;
    match parent.kind() {
        "comparison_operator" => {
            let text = file.squeezed(parent);
            matches!(
                text.as_str(),
                "CUDA_HOMEisNone" | "CUDA_HOMEisnotNone" | "CUDA_HOME==None" | "CUDA_HOME!=None"
            )
            .then_some(parent)
        }
        "boolean_operator" | "not_operator" => Some(name),
        "if_statement" | "elif_clause" => {
            (parent.child_by_field_name("condition") == Some(name)).then_some(name)
        }
        "assert_statement" => (parent.named_child(0) == Some(name)).then_some(name),
        _ => None,
    }
}

/// Whether the expression is true where there is no folder.
fn is_negated(file: &PyFile<'_>, test: Node<'_>) -> bool {
    let text = file.squeezed(test);
    text == "CUDA_HOMEisNone" || text == "CUDA_HOME==None"
}

/// Whether the expression is part of a larger one in which its operator would bind otherwise.
fn is_operand(test: Node<'_>) -> bool {
    test.parent().is_some_and(|parent| {
        matches!(
            parent.kind(),
            "boolean_operator" | "not_operator" | "comparison_operator"
        )
    })
}

/// Whether the condition around asks for AMD itself.
fn asks_already(file: &PyFile<'_>, test: Node<'_>) -> bool {
    let top = parents(test)
        .take_while(|it| {
            matches!(
                it.kind(),
                "boolean_operator" | "not_operator" | "parenthesized_expression"
            )
        })
        .last()
        .unwrap_or(test);
    let text = file.squeezed(top);
    ["hip", "HIP", "rocm", "ROCM"]
        .iter()
        .any(|word| text.contains(word))
}

/// Whether what the test guards uses the folder, or runs nvcc: there AMD must not come.
fn needs_folder(file: &PyFile<'_>, test: Node<'_>, negated: bool) -> bool {
    let is_part = |it: &Node<'_>| {
        matches!(
            it.kind(),
            "boolean_operator" | "not_operator" | "parenthesized_expression"
        )
    };
    let mut around = parents(test).take_while(is_part);
    // `CUDA_HOME and os.path.join(CUDA_HOME, "lib64")`
    let joined = around.find_map(|it| {
        let is_and = it
            .child_by_field_name("operator")
            .is_some_and(|it| file.text(it) == "and");
        let right = it.child_by_field_name("right").filter(|_| is_and)?;
        (right.start_byte() >= test.end_byte()).then_some(right)
    });
    if joined.is_some_and(|it| !negated && uses_folder(file, it)) {
        return true;
    }
    let statement = parents(test).find(|it| {
        matches!(
            it.kind(),
            "if_statement" | "elif_clause" | "conditional_expression"
        )
    });
    let Some(statement) = statement else {
        return false;
    };
    let body = statement
        .child_by_field_name("consequence")
        .or_else(|| statement.named_child(0));
    let is_denied = test.parent().is_some_and(|it| it.kind() == "not_operator");
    if negated == is_denied {
        return body.is_some_and(|it| uses_folder(file, it));
    }
    if returns_without(file, statement) && behind(statement).any(|it| uses_folder(file, it)) {
        return true;
    }
    // What a script raises where there is no folder stops AMD as well.
    let ends = body.is_some_and(|it| !file.all_below(it, &["raise_statement"]).is_empty());
    let other = statement.child_by_field_name("alternative");
    !ends && other.is_some_and(|it| uses_folder(file, it))
}

/// Whether an `if` that asks for the folder makes an extension of CUDA with it: without the folder there is none, and nobody is told.
fn builds_by_folder(file: &PyFile<'_>, test: Node<'_>) -> bool {
    let mut around = parents(test).take_while(|it| it.kind() != "function_definition");
    let statement = around.find(|it| it.kind() == "if_statement");
    statement.is_some_and(|it| file.text(it).contains("CUDAExtension"))
}

/// Whether a part of a script uses the folder, or runs nvcc.
fn uses_folder(file: &PyFile<'_>, part: Node<'_>) -> bool {
    let names = file.all_below(part, &["identifier"]).into_iter();
    let mut uses = names.filter(|it| file.text(*it) == "CUDA_HOME");
    let text = file.text(part);
    uses.any(|it| !is_for_version(file, it))
        || text.contains("nvcc") && text.contains("check_output")
}

/// Whether the folder goes to a function that answers AMD before it looks there: `get_cuda_version(CUDA_HOME)`.
fn is_for_version(file: &PyFile<'_>, name: Node<'_>) -> bool {
    let arguments = name.parent().filter(|it| it.kind() == "argument_list");
    let call = arguments.and_then(|it| it.parent());
    let callee = call.and_then(|it| file.callee(it));
    callee.is_some_and(|callee| answers_amd(file, &callee))
}

/// Whether the script gives the name a value of its own, such as an argument of the command line.
fn is_set_by_script(file: &PyFile<'_>) -> bool {
    file.all(&["assignment"]).into_iter().any(|assignment| {
        let left = assignment.child_by_field_name("left");
        left.is_some_and(|left| {
            file.text(left)
                .split(',')
                .any(|name| name.trim() == "CUDA_HOME")
        })
    })
}
