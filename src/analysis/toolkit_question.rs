//! Functions of build scripts that ask nvcc for its version, or compare it with `torch.version.cuda`, and how AMD gets past them.

use crate::edit::Edit;
use crate::python::{Node, PyFile, parents};

use super::toolkit_release::answer;

/// What is read of CUDA's version that fails for None: `torch.version.cuda[:2]`, `torch.version.cuda >= "12"`.
pub(crate) fn reads_version(file: &PyFile<'_>, node: Node<'_>) -> Option<&'static str> {
    let is_version = |it: Node<'_>| file.text(it) == VERSION;
    let reads = match node.kind() {
        "subscript" => node.child_by_field_name("value").is_some_and(is_version),
        "comparison_operator" => {
            let operator = node.child_by_field_name("operators");
            let is_order =
                operator.is_some_and(|it| matches!(&*file.text(it), "<" | "<=" | ">" | ">="));
            is_order && file.elements(node).into_iter().any(is_version)
        }
        _ => return asks_nvcc(file, node),
    };
    reads.then_some(NONE)
}

const VERSION: &str = "torch.version.cuda";
const NONE: &str = "`torch.version.cuda` is None in PyTorch for ROCm";

/// What a call does that AMD has not: runs nvcc, or reads CUDA's version.
pub(super) fn asks_nvcc(file: &PyFile<'_>, call: Node<'_>) -> Option<&'static str> {
    const READS: &[&str] = &["parse", "Version", "LooseVersion", "float", "split"];
    let callee = file.callee(call)?;
    let arguments = call.child_by_field_name("arguments")?;
    if runs_nvcc(file, call) || (callee == "which" && names_nvcc(file, call)) {
        return Some("there is no nvcc on AMD");
    }
    let text = |node: Node<'_>| &file.bytes()[node.byte_range()];
    let reads = READS.contains(&&*callee)
        && memchr::memmem::find(text(arguments), VERSION.as_bytes()).is_some();
    // Whatever a string has, None has not: `torch.version.cuda.startswith("12")`.
    let function = call.child_by_field_name("function");
    let is_method = function.is_some_and(|it| {
        let object = it.child_by_field_name("object");
        object.is_some_and(|it| text(it) == VERSION.as_bytes())
    });
    (reads || is_method).then_some(NONE)
}

/// Functions of `subprocess` that run a program.
pub(crate) const RUNS: &[&str] = &[
    "check_output",
    "run",
    "Popen",
    "check_call",
    "call",
    "getoutput",
];

/// Whether a call starts nvcc.
pub(crate) fn runs_nvcc(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let callee = file.callee(call);
    callee.is_some_and(|callee| RUNS.contains(&&*callee)) && names_nvcc(file, call)
}

fn names_nvcc(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let arguments = call.child_by_field_name("arguments");
    let strings = arguments.map_or_else(Vec::new, |it| file.all_below(it, &["string"]));
    strings.iter().any(|it| is_nvcc(&file.text(*it)))
        || arguments.is_some_and(|it| starts_with_nvcc(file, it))
}

/// Whether the command of a call begins with a name that stands for nvcc: `[nvcc, "--version"]` behind `nvcc = CUDA_HOME + "/bin/nvcc"`.
fn starts_with_nvcc(file: &PyFile<'_>, arguments: Node<'_>) -> bool {
    let command = file.elements(arguments).into_iter().next();
    let program = command.and_then(|it| match it.kind() {
        "list" | "tuple" => file.elements(it).into_iter().next(),
        _ => Some(it),
    });
    let Some(program) = program.filter(|it| it.kind() == "identifier") else {
        return false;
    };
    let values = file.assignments_to(&file.text(program)).into_iter();
    let mut values = values.filter_map(|it| it.child_by_field_name("right"));
    // What is looked for is used where it was found, or has a finding of its own.
    values.any(|value| {
        let parts = file.all_below(value, &["string"]);
        !file.text(value).contains("which(") && parts.iter().any(|it| is_nvcc(&file.text(*it)))
    })
}

/// Whether a string of Python, as it is written, names nvcc or is a command of it.
pub(crate) fn is_nvcc(written: &str) -> bool {
    let text = written.trim_start_matches(|letter: char| "rRbBfFuU".contains(letter));
    let word = text.trim_matches(['"', '\'']);
    word == "nvcc" || word.ends_with("/nvcc") || word.starts_with("nvcc ")
}

/// The lines that let AMD return from a function, by what the function gives back.
pub(crate) fn early_return(file: &PyFile<'_>, function: Node<'_>) -> Option<Vec<Edit>> {
    let body = function.child_by_field_name("body")?;
    let statements = file.elements(body);
    let is_docs = |node: &&Node<'_>| {
        node.kind() == "expression_statement"
            && node.named_child(0).is_some_and(|it| it.kind() == "string")
    };
    let first = *statements.iter().find(|it| !is_docs(it))?;
    let (line, indent) = file.indent(first);
    if line + indent.len() != first.start_byte() {
        return None;
    }
    let value = returned(file, function, body)?;
    let question = file.question(first)?;
    let step = if indent.starts_with('\t') {
        "\t"
    } else {
        "    "
    };
    let text = format!(
        "if {}:\n{indent}{step}return{value}\n{indent}",
        question.text
    );
    let mut edits = vec![Edit::insert(first.start_byte() as u32, text)];
    edits.extend(question.import.map(|(at, line)| Edit::insert(at, line)));
    Some(edits)
}

/// What to return for AMD, with a blank in front; `None` where the returns of the function do not tell.
fn returned(file: &PyFile<'_>, function: Node<'_>, body: Node<'_>) -> Option<String> {
    let own = |node: &Node<'_>| {
        parents(*node).find(|it| it.kind() == "function_definition") == Some(function)
    };
    let returns: Vec<Node<'_>> = file
        .all_below(body, &["return_statement"])
        .into_iter()
        .filter(own)
        .collect();
    let values: Vec<Node<'_>> = returns.iter().filter_map(|it| it.named_child(0)).collect();
    if values.is_empty() {
        return Some(String::new());
    }
    // Whether the toolkit is there: for AMD it is.
    if values
        .iter()
        .all(|value| matches!(value.kind(), "true" | "false"))
    {
        return Some(" True".to_owned());
    }
    let last = *values.last()?;
    let parts = if last.kind() == "expression_list" || last.kind() == "tuple" {
        file.elements(last)
    } else {
        vec![last]
    };
    let answers = parts.iter().map(|part| answer(file, body, *part));
    let answers: Vec<Option<String>> = answers.collect();
    answers.iter().any(Option::is_some).then(|| {
        let text = answers.into_iter();
        let text = text.map(|it| it.unwrap_or_else(|| "\"\"".to_owned()));
        format!(" {}", text.collect::<Vec<String>>().join(", "))
    })
}

/// Whether a function of the file asks nvcc and answers AMD: it does so already, or a fix lets it.
pub(crate) fn answers_amd(file: &PyFile<'_>, name: &str) -> bool {
    let is_it = |it: &Node<'_>| {
        let own = it.child_by_field_name("name");
        own.is_some_and(|own| file.text(own) == name)
    };
    let mut functions = file.all(&["function_definition"]).into_iter().filter(is_it);
    functions.any(|function| {
        let asking: Vec<Node<'_>> = file
            .all_below(function, &["call"])
            .into_iter()
            .filter(|call| asks_nvcc(file, *call).is_some())
            .collect();
        let are_guarded = asking.iter().all(|call| file.side(*call).is_some());
        !asking.is_empty() && (are_guarded || early_return(file, function).is_some())
    })
}

/// `if FORCE_BUILD: return super().run()` in front of every call of a function: AMD takes that way too, and builds from source.
pub(crate) fn way_around(file: &PyFile<'_>, function: Node<'_>) -> Option<Vec<Edit>> {
    let name = file.text(function.child_by_field_name("name")?);
    let calls = file.all(&["call"]).into_iter();
    let calls: Vec<Node<'_>> = calls
        .filter(|call| file.callee(*call).is_some_and(|it| it == name))
        .collect();
    let ways: Option<Vec<Node<'_>>> = calls.iter().map(|call| way_out(file, *call)).collect();
    let mut ways = ways.filter(|ways| !ways.is_empty())?;
    ways.dedup();
    let mut edits = Vec::new();
    for way in ways {
        let question = file.question(way)?;
        edits.push(Edit::insert(
            way.end_byte() as u32,
            format!(" or {}", question.text),
        ));
        edits.extend(question.import.map(|(at, line)| Edit::insert(at, line)));
    }
    Some(edits)
}

/// The condition under which a function returns before a call in it, to what its class extends.
fn way_out<'t>(file: &'t PyFile<'t>, call: Node<'t>) -> Option<Node<'t>> {
    let condition = |it: Node<'t>| {
        let body = it.child_by_field_name("consequence")?;
        let returns = file.squeezed(body).starts_with("returnsuper(")
            && it.child_by_field_name("alternative").is_none();
        it.child_by_field_name("condition")
            .filter(|it| returns && matches!(it.kind(), "identifier" | "attribute" | "call"))
    };
    let around = parents(call).take_while(|it| it.kind() != "function_definition");
    let mut blocks = around.filter(|it| it.kind() == "block");
    blocks.find_map(|block| {
        let before = file.elements(block).into_iter();
        let before = before.take_while(|it| it.end_byte() <= call.start_byte());
        before
            .filter(|it| it.kind() == "if_statement")
            .find_map(condition)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKS: &str = "import torch\ndef version(home):\n  out = check_output([home + '/bin/nvcc'])\n  return parse(out)\ndef guarded():\n  if torch.version.hip:\n    return 1\n  return parse(torch.version.cuda)\ndef name():\n  return f(parse(torch.version.cuda))\ndef other(home):\n  return home\n";

    #[test]
    fn functions_answer_amd_by_a_fix_or_by_themselves() {
        let file = PyFile::new(ASKS.as_bytes());
        for (name, answers) in [
            ("version", true),
            ("guarded", true),
            ("name", false),
            ("other", false),
            ("nobody", false),
        ] {
            assert_eq!(answers_amd(&file, name), answers, "{name}");
        }
    }

    #[test]
    fn what_builds_from_source_is_the_way_around() {
        let way = |body: &str| {
            let text = format!("{ASKS}class A(B):\n  def run(self):\n{body}");
            let file = PyFile::new(text.as_bytes());
            let functions = file.all(&["function_definition"]);
            let asking = |it: &&Node<'_>| file.text(**it).starts_with("def name(");
            let edits = way_around(&file, *functions.iter().find(asking).expect("it is there"));
            edits.map(|edits| {
                edits
                    .into_iter()
                    .map(|it| it.content.into())
                    .collect::<Vec<String>>()
            })
        };
        let question = Some(vec![" or torch.version.hip".to_owned()]);
        for (body, expected) in [
            (
                "    if FORCE:\n      return super().run()\n    name()\n",
                &question,
            ),
            (
                "    if FORCE:\n      return super().run()\n    if x:\n      name()\n",
                &question,
            ),
            (
                "    name()\n    if FORCE:\n      return super().run()\n",
                &None,
            ),
            ("    if FORCE:\n      return 1\n    name()\n", &None),
            (
                "    if FORCE and x:\n      return super().run()\n    name()\n",
                &None,
            ),
            ("    pass\n", &None),
        ] {
            assert_eq!(&way(body), expected, "{body}");
        }
    }
}
