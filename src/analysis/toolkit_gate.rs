//! Requirements on nvcc's version in build scripts: `if nvcc_version < Version("12.3"): raise`.

use crate::analysis::toolkit_release::VERSION;
use crate::edit::Edit;
use crate::python::{Node, PyFile, parents};

/// The edits that keep AMD out of requirements newer than the version that `function` gives it.
pub(crate) fn newer_requirements(file: &PyFile<'_>, function: Node<'_>) -> Vec<Edit> {
    let Some(name) = function.child_by_field_name("name") else {
        return Vec::new();
    };
    let given = given_by(file, &file.text(name));
    let mut edits = Vec::new();
    for comparison in file.all(&["comparison_operator"]) {
        let [version, least] = file.elements(comparison)[..] else {
            continue;
        };
        if given.contains(&&*file.text(version))
            && asks_for_newer(file, comparison, least)
            && only_raises(file, comparison)
            && let Some(question) = file.question(comparison)
        {
            let text = format!("not {} and ", question.text);
            edits.push(Edit::insert(comparison.start_byte() as u32, text));
            let import = question.import.map(|(at, line)| Edit::insert(at, line));
            edits.extend(import.filter(|it| !edits.contains(it)));
        }
    }
    edits
}

/// The names that hold what a function gives.
fn given_by<'t>(file: &'t PyFile<'t>, function: &str) -> Vec<&'t str> {
    let assignments = file.all(&["assignment"]).into_iter();
    let of_call = assignments.filter(|it| {
        let right = it.child_by_field_name("right");
        right.is_some_and(|it| file.callee(it).is_some_and(|callee| callee == function))
    });
    let left = of_call.filter_map(|it| it.child_by_field_name("left"));
    left.flat_map(|it| match it.kind() {
        "pattern_list" => file.elements(it),
        _ => vec![it],
    })
    .filter_map(|it| std::str::from_utf8(&file.bytes()[it.byte_range()]).ok())
    .collect()
}

/// Whether a comparison is `… < Version("12.3")` with a version that AMD does not claim.
fn asks_for_newer(file: &PyFile<'_>, comparison: Node<'_>, least: Node<'_>) -> bool {
    let operator = comparison.child_by_field_name("operators");
    let is_less = operator.is_some_and(|it| matches!(&*file.text(it), "<" | "<="));
    let numbers = |text: &str| -> Vec<u32> {
        let digits = text.split(|it: char| !it.is_ascii_digit());
        digits.filter_map(|it| it.parse().ok()).collect()
    };
    is_less && numbers(&file.text(least)) > numbers(VERSION)
}

/// Whether the comparison decides nothing but whether the script ends.
fn only_raises(file: &PyFile<'_>, comparison: Node<'_>) -> bool {
    let is_joined = |it: &Node<'_>| it.kind() == "boolean_operator";
    let outer = parents(comparison).find(|it| !is_joined(it));
    let Some(statement) = outer.filter(|it| matches!(it.kind(), "if_statement" | "elif_clause"))
    else {
        return false;
    };
    let body = statement.child_by_field_name("consequence");
    body.is_some_and(|body| {
        let statements = file.elements(body);
        statements.len() == 1 && statements[0].kind() == "raise_statement"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_of_a_newer_nvcc_are_not_asked_of_amd() {
        for (requirement, expected) in [
            ("if v < Version('12.3'):\n  raise E\n", 1),
            ("if x and v < Version('12.3'):\n  raise E\n", 1),
            ("if x:\n  pass\nelif v <= parse('13'):\n  raise E\n", 1),
            ("if v < Version('12.0'):\n  raise E\n", 0),
            ("if v >= Version('12.3'):\n  raise E\n", 0),
            ("if not v < Version('12.3'):\n  raise E\n", 0),
            ("if v < Version('12.3'):\n  f()\n", 0),
            ("if w < Version('12.3'):\n  raise E\n", 0),
            ("if v < LEAST:\n  raise E\n", 0),
        ] {
            let text = format!("import torch\ndef f():\n  return g()\nraw, v = f()\n{requirement}");
            let file = PyFile::new(text.as_bytes());
            let function = file.all(&["function_definition"])[0];
            let edits = newer_requirements(&file, function);
            assert_eq!(edits.len(), expected, "{requirement}");
        }
    }
}
