//! Paths that a build script makes of `CUDA_HOME`, which is None in PyTorch for ROCm.

use crate::edit::Edit;
use crate::python::{Node, PyFile, parents};

use super::toolkit_question::asks_nvcc;

/// Whether a place that reads the name makes a path of it, which fails for None: `os.path.join(CUDA_HOME, "include")`, `CUDA_HOME + "/bin"`.
pub(crate) fn is_path(file: &PyFile<'_>, name: Node<'_>) -> bool {
    const TAKES: &[&str] = &[
        "Path", "PurePath", "abspath", "dirname", "exists", "isdir", "isfile", "join", "listdir",
        "normpath", "realpath",
    ];
    let Some(parent) = name.parent() else {
        return false;
    };
    match parent.kind() {
        "argument_list" => {
            let callee = parent.parent().and_then(|call| file.callee(call));
            callee.is_some_and(|it| TAKES.contains(&&*it))
        }
        "binary_operator" => true,
        "attribute" => parent.child_by_field_name("object") == Some(name),
        _ => false,
    }
}

/// Whether AMD comes to a place where the folder is read: no condition around it or in front of it asks for the folder, and nothing catches
/// the failure.
pub(crate) fn is_reached_by_amd(file: &PyFile<'_>, name: Node<'_>) -> bool {
    if file.side(name).is_some() || file.goes_on_without(name) {
        return false;
    }
    let mut below = name;
    for parent in parents(name) {
        let condition = match parent.kind() {
            "if_statement" | "elif_clause" => parent.child_by_field_name("condition"),
            "conditional_expression" => parent.named_child(1),
            "boolean_operator" => parent.child_by_field_name("left"),
            _ => None,
        };
        let asks = |it: Node<'_>| it != below && file.text(it).contains("CUDA_HOME");
        if condition.is_some_and(asks) && !ends_without(file, parent) {
            return false;
        }
        let mut in_front = parent
            .named_children()
            .take_while(|it| matches!(parent.kind(), "block" | "module") && *it != below);
        if in_front.any(|it| returns_without(file, it)) {
            return false;
        }
        below = parent;
    }
    true
}

/// The statements behind another one in its block.
pub(crate) fn behind<'t>(statement: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let block = statement.parent().into_iter();
    let all = block.flat_map(|it| it.named_children());
    all.skip_while(move |it| *it != statement).skip(1)
}

/// Whether a statement leaves the function where there is no folder, and the function makes no extension, which AMD is to get:
/// `if CUDA_HOME is None: return`, or `if not has_nvcc(): return` with a function of the file that asks for the folder and uses it.
pub(crate) fn returns_without(file: &PyFile<'_>, statement: Node<'_>) -> bool {
    let field = |name| statement.child_by_field_name(name);
    let body = field("consequence").filter(|_| statement.kind() == "if_statement");
    let last = body.and_then(|it| file.elements(it).pop());
    if last.is_none_or(|it| it.kind() != "return_statement") || field("alternative").is_some() {
        return false;
    }
    let asks = |call: Node<'_>| {
        let name = file.callee(call).unwrap_or_default();
        let mut functions = file.functions_called(&name).into_iter();
        // One that only asks is changed so that it lets AMD pass.
        functions.any(|it| {
            file.text(it).contains("CUDA_HOME is None")
                && file.text(it).matches("CUDA_HOME").count() > 1
        })
    };
    let around = statement.function().unwrap_or(statement);
    if file.text(around).contains("CUDAExtension") {
        return false;
    }
    field("condition").is_some_and(|condition| {
        let denied = condition.child_by_field_name("argument");
        let denied = denied.filter(|it| condition.kind() == "not_operator" && it.kind() == "call");
        denies_folder(file, condition) || denied.is_some_and(asks)
    })
}

/// Whether a condition holds where there is no folder.
fn denies_folder(file: &PyFile<'_>, condition: Node<'_>) -> bool {
    matches!(
        file.squeezed(condition).as_str(),
        "CUDA_HOMEisNone" | "CUDA_HOME==None" | "notCUDA_HOME"
    )
}

/// Whether an `if` ends the script where there is no folder: AMD is let past it.
fn ends_without(file: &PyFile<'_>, statement: Node<'_>) -> bool {
    let condition = statement.child_by_field_name("condition");
    let is_negated = condition.is_some_and(|it| denies_folder(file, it));
    let body = statement.child_by_field_name("consequence");
    is_negated && body.is_some_and(|it| !file.all_below(it, &["raise_statement"]).is_empty())
}

/// Whether the path is that of nvcc: AMD has none in any folder.
pub(crate) fn leads_to_nvcc(file: &PyFile<'_>, name: Node<'_>) -> bool {
    let is_part = |it: &Node<'_>| {
        matches!(
            it.kind(),
            "argument_list" | "call" | "binary_operator" | "attribute"
        )
    };
    let whole = parents(name).take_while(is_part).last();
    whole.is_some_and(|it| file.text(it).contains("nvcc"))
}

/// Whether the function around a place asks nvcc, and is told of it as a whole.
pub(crate) fn asks_in_function(file: &PyFile<'_>, name: Node<'_>) -> bool {
    name.function().is_some_and(|function| {
        let calls = file.all_below(function, &["call"]);
        calls.iter().any(|it| asks_nvcc(file, *it).is_some())
    })
}

/// The edits that take ROCm's folder where there is no CUDA; `None` where the name does not come from PyTorch.
pub(crate) fn or_rocm(file: &PyFile<'_>, name: Node<'_>) -> Option<Vec<Edit>> {
    let imports = file.all(&["import_from_statement"]).into_iter();
    let mut of_torch = imports.filter(|it| file.text(*it).contains("cpp_extension"));
    let imported = of_torch.find_map(|import| {
        let mut names = import.named_children().skip(1);
        names.find(|it| file.text(*it) == "CUDA_HOME")
    })?;
    let range = file.range(name);
    let mut edits = vec![
        Edit::insert(imported.end_byte() as u32, ", ROCM_HOME"),
        Edit::insert(range.end, " or ROCM_HOME"),
    ];
    if name.parent().is_some_and(|it| it.kind() != "argument_list") {
        edits[1] = Edit::insert(range.end, " or ROCM_HOME)");
        edits.push(Edit::insert(range.start, "("));
    }
    Some(edits)
}
