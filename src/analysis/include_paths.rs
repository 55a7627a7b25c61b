//! One more folder among the `extra_include_paths` of `torch.utils.cpp_extension.load()`, for AMD alone.

use crate::edit::Edit;
use crate::python::{Node, PyFile, parents};

const NAME: &str = "extra_include_paths";
/// What the folder of a script is called in it.
const OWN_FOLDER: &[&str] = &[
    "os.path.dirname(os.path.abspath(__file__))",
    "os.path.dirname(os.path.realpath(__file__))",
];

/// The folder with these names below that of the script, as an expression: by a variable that the script has, or in full.
pub(crate) fn below_script(file: &PyFile<'_>, parts: &[&str]) -> String {
    let own = own_folder(file);
    let own = own.as_deref().unwrap_or(OWN_FOLDER[0]);
    if parts.is_empty() {
        return own.to_owned();
    }
    let parts: Vec<String> = parts.iter().map(|part| format!("\"{part}\"")).collect();
    format!("os.path.join({own}, {})", parts.join(", "))
}

/// The edits that give `folder` to a call where it builds for AMD; `None` where what it is given cannot be read.
pub(crate) fn add_folder(file: &PyFile<'_>, call: Node<'_>, folder: &str) -> Option<Vec<Edit>> {
    if !file.sees_module(call, "os") || has_unread_arguments(file, call) {
        return None;
    }
    let question = file.question(call)?;
    let asked = &question.text;
    let mut edits = match file.argument(call, 5, NAME) {
        None => {
            let last = file
                .elements(call.child_by_field_name("arguments")?)
                .pop()?;
            let between = between_arguments(file, last);
            let text = format!("{between}{NAME}=[{folder}] if {asked} else None");
            vec![Edit::insert(file.range(last).end, text)]
        }
        Some(paths) if matches!(&*file.squeezed(paths), "[]" | "None") => {
            let text = format!("[{folder}] if {asked} else {}", file.text(paths));
            vec![Edit::replace(file.range(paths), text)]
        }
        Some(paths) if is_list(file, paths) => {
            let text = format!(" + ([{folder}] if {asked} else [])");
            vec![Edit::insert(file.range(paths).end, text)]
        }
        Some(_) => return None,
    };
    edits.extend(question.import.map(|(at, line)| Edit::insert(at, line)));
    Some(edits)
}

/// What stands between an argument and one that is put behind it: a line of its own where the argument has one.
pub(crate) fn between_arguments(file: &PyFile<'_>, last: Node<'_>) -> String {
    let (line, indent) = file.indent(last);
    match line + indent.len() == last.start_byte() {
        true => format!(",\n{indent}"),
        false => ", ".to_owned(),
    }
}

/// A variable of the module that holds the folder of the script.
fn own_folder(file: &PyFile<'_>) -> Option<String> {
    let is_of_module = |it: &Node<'_>| parents(*it).nth(1).is_some_and(|it| it.kind() == "module");
    let mut assignments = file.all(&["assignment"]).into_iter().filter(is_of_module);
    assignments.find_map(|assignment| {
        let left = assignment.child_by_field_name("left")?;
        let value = file.squeezed(assignment.child_by_field_name("right")?);
        let name = file.text(left).into_owned();
        let is_it = left.kind() == "identifier" && OWN_FOLDER.contains(&value.as_str());
        (is_it && values_of(file, &name).len() == 1).then_some(name)
    })
}

/// `load(*arguments)` and `load(**arguments)` can hold the folders too.
fn has_unread_arguments(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let arguments = call.child_by_field_name("arguments");
    let mut elements = arguments
        .map_or(Vec::new(), |it| file.elements(it))
        .into_iter();
    elements.any(|it| matches!(it.kind(), "list_splat" | "dictionary_splat"))
}

/// Whether an expression is a list, or a variable that the script gives nothing but lists.
fn is_list(file: &PyFile<'_>, value: Node<'_>) -> bool {
    match value.kind() {
        "list" | "list_comprehension" => true,
        "call" => file.text(value).starts_with("list("),
        "identifier" => {
            let values = values_of(file, &file.text(value));
            let is_one = |it: &Node<'_>| it.kind() != "identifier" && is_list(file, *it);
            !values.is_empty() && values.iter().all(is_one)
        }
        _ => false,
    }
}

/// What a variable is given in the file.
pub(crate) fn values_of<'t>(file: &'t PyFile<'_>, name: &str) -> Vec<Node<'t>> {
    let is_it = |it: Option<Node<'_>>| it.is_some_and(|it| file.text(it) == name);
    let statements = file.all(&["assignment", "augmented_assignment"]);
    let values = statements
        .into_iter()
        .filter(|it| is_it(it.child_by_field_name("left")))
        .filter_map(|it| it.child_by_field_name("right"));
    values.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written into the last call of `load` of a script.
    fn added(source: &str) -> Option<Vec<String>> {
        let file = PyFile::new(source.as_bytes());
        let is_load = |it: &&Node<'_>| file.callee(**it).is_some_and(|name| name == "load");
        let calls = file.all(&["call"]);
        let call = *calls.iter().rfind(is_load)?;
        let edits = add_folder(&file, call, &below_script(&file, &["csrc"]))?;
        Some(
            edits
                .into_iter()
                .map(|it| it.content.into_owned())
                .collect(),
        )
    }

    #[test]
    fn folders_join_what_is_there() {
        let head = "import os, torch\nhere = os.path.dirname(os.path.abspath(__file__))\n";
        let folder = "os.path.join(here, \"csrc\")";
        let of = |call: &str| added(&format!("{head}{call}\n"));
        let one = |text: String| Some(vec![text]);
        let hip = "torch.version.hip";
        assert_eq!(
            of("load('a', s)"),
            one(format!(
                ", extra_include_paths=[{folder}] if {hip} else None"
            ))
        );
        assert_eq!(
            of("load('a', s, extra_include_paths=[])"),
            one(format!("[{folder}] if {hip} else []"))
        );
        assert_eq!(
            of("p = [x for x in y]\nload('a', s, extra_include_paths=p)"),
            one(format!(" + ([{folder}] if {hip} else [])"))
        );
    }

    #[test]
    fn what_cannot_be_read_gets_nothing() {
        let of = |text: &str| added(&format!("import os, torch\n{text}\n"));
        assert_eq!(of("load('a', s, extra_include_paths=folders())"), None);
        assert_eq!(of("p = (x, y)\nload('a', s, extra_include_paths=p)"), None);
        assert_eq!(of("load('a', s, **more)"), None);
        assert_eq!(added("import torch\nload('a', s)\n"), None);
    }
}
