//! How a place of a build script asks for AMD: by a variable that the script has, or by `torch.version.hip`.

use super::{Node, PyFile, parents};

/// A question for AMD as a place can write it, and what has to be written for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The expression.
    pub text: String,
    /// A line to put in at a byte: an import that the file lacks.
    pub import: Option<(u32, String)>,
}

impl PyFile<'_> {
    /// How a place asks whether the build is for AMD; `None` where no import of PyTorch is in sight.
    pub(crate) fn question(&self, place: Node<'_>) -> Option<Question> {
        let plain = |text: String| Some(Question { text, import: None });
        if let Some(name) = self.switch_before(place) {
            return plain(name);
        }
        if let Some(function) = self.function_that_binds_torch_behind(place) {
            return self.import_in(function);
        }
        let imports = self.imports_before(place);
        if imports.iter().any(|import| self.imports_torch(*import)) {
            return plain("torch.version.hip".to_owned());
        }
        for import in &imports {
            let squeezed: Vec<String> = self
                .text(*import)
                .split_whitespace()
                .map(str::to_owned)
                .collect();
            if let ["from", "torch", "import", "version", "as", name] =
                squeezed.iter().map(String::as_str).collect::<Vec<_>>()[..]
            {
                return plain(format!("{name}.hip"));
            }
        }
        let of_torch = |import: &&Node<'_>| self.text(**import).starts_with("from torch");
        let first = *imports.iter().find(of_torch)?;
        let (_, indent) = self.indent(first);
        let line = format!("import torch\n{indent}");
        Some(Question {
            text: "torch.version.hip".to_owned(),
            import: Some((first.start_byte() as u32, line)),
        })
    }

    /// Whether an import binds the name `torch`.
    fn imports_torch(&self, import: Node<'_>) -> bool {
        let text = self.text(import);
        let mut names = text.trim_start_matches("import").split(',').map(str::trim);
        import.kind() == "import_statement"
            && names
                .any(|name| name == "torch" || name.starts_with("torch.") && !name.contains(" as "))
    }

    /// The function around a place that imports PyTorch behind it: the name is that function's own, and unbound in front of the import
    /// whatever the module imports.
    fn function_that_binds_torch_behind(&self, place: Node<'_>) -> Option<Node<'_>> {
        let imports = self.all(&["import_statement"]).into_iter();
        let behind = imports
            .filter(|it| it.start_byte() >= place.end_byte() && self.imports_torch(*it))
            .filter_map(|import| import.function().filter(|it| it.is_around(place)));
        // An import in front, of the same function, has bound it already.
        let is_unbound = |function: &Node<'_>| {
            let mut before = self.imports_before(place).into_iter();
            !before.any(|it| it.function() == Some(*function) && self.imports_torch(it))
        };
        behind.filter(is_unbound).last()
    }

    /// The question in a function that gets an import of PyTorch at its head, behind what documents it.
    fn import_in(&self, function: Node<'_>) -> Option<Question> {
        let body = function.child_by_field_name("body")?;
        let is_document = |it: &Node<'_>| self.text(*it).trim_start().starts_with(['"', '\'']);
        let first = body.named_children().find(|it| !is_document(it))?;
        let (line, indent) = self.indent(first);
        // `def f(): return load(…)`: no line to put it on.
        let has_own_line = line + indent.len() == first.start_byte();
        has_own_line.then(|| Question {
            text: "torch.version.hip".to_owned(),
            import: Some((first.start_byte() as u32, format!("import torch\n{indent}"))),
        })
    }

    /// Whether a place sees a module by its own name: `import os`.
    pub(crate) fn sees_module(&self, place: Node<'_>, name: &str) -> bool {
        let imports = self.imports_before(place).into_iter();
        let mut plain = imports.filter(|import| import.kind() == "import_statement");
        plain.any(|import| {
            let text = self.text(import);
            let names = text.trim_start_matches("import").split(',');
            names.map(str::trim).any(|it| it == name)
        })
    }

    /// A variable of the module, or of the function around, that says whether the build is for AMD and is set before the place.
    fn switch_before(&self, place: Node<'_>) -> Option<String> {
        let switches = self.switches.get_or_init(|| self.switches());
        let mut fitting = switches
            .iter()
            .map(|at| self.nodes.node(*at))
            .filter(|it| it.end_byte() <= place.start_byte() && is_seen_from(*it, place));
        let left = fitting.next()?.child_by_field_name("left")?;
        Some(self.text(left).into_owned())
    }

    /// The assignments, by number, of whether the build is for AMD to a variable.
    fn switches(&self) -> Vec<u32> {
        let is_switch = |assignment: &Node<'_>| {
            let left = assignment.child_by_field_name("left");
            let value = assignment.child_by_field_name("right");
            let value = value.filter(|_| left.is_some_and(|it| it.kind() == "identifier"));
            value.is_some_and(|it| {
                let text = self.squeezed(it);
                let asks = text.contains("version.hip")
                    && !text.contains("isNone")
                    && !text.starts_with("not");
                let is_question = matches!(it.kind(), "comparison_operator" | "attribute")
                    || text.starts_with("bool(");
                asks && is_question
            })
        };
        let assignments = self.all(&["assignment"]).into_iter();
        assignments
            .filter(is_switch)
            .map(|it| it.number())
            .collect()
    }

    /// The imports that a place sees: of the module and of the functions around, in front of it.
    fn imports_before(&self, place: Node<'_>) -> Vec<Node<'_>> {
        let all = self.all(&["import_statement", "import_from_statement"]);
        all.into_iter()
            .filter(|it| it.end_byte() <= place.start_byte() && is_seen_from(*it, place))
            .filter(|it| !may_be_unbound(*it, place))
            .collect()
    }
}

/// Whether a condition around an import is not around a place: `if find_spec("torch"): import torch` binds nothing without PyTorch.
fn may_be_unbound(import: Node<'_>, place: Node<'_>) -> bool {
    let mut conditions = parents(import).filter(|it| it.kind() == "if_statement");
    conditions.any(|it| !it.is_around(place))
}

/// Whether the names that a statement binds are seen from a place: nothing but functions around the place parts them.
pub(super) fn is_seen_from(statement: Node<'_>, place: Node<'_>) -> bool {
    let function = statement.function();
    function.is_none_or(|function| function.is_around(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(source: &str) -> Option<Question> {
        let file = PyFile::new(source.as_bytes());
        let strings = file.all(&["string"]);
        let node = *strings.last().expect("a string marks the place");
        file.question(node)
    }

    #[test]
    fn a_place_asks_by_what_it_sees() {
        let text = |source: &str| question(source).map(|it| it.text);
        assert_eq!(
            text("import torch\nf('x')\n").as_deref(),
            Some("torch.version.hip")
        );
        assert_eq!(
            text("import torch.utils.cpp_extension\nf('x')\n").as_deref(),
            Some("torch.version.hip")
        );
        let own = "import torch\nROCM = torch.version.hip is not None\nf('x')\n";
        assert_eq!(text(own).as_deref(), Some("ROCM"));
        let alias = "from torch import version as v\nf('x')\n";
        assert_eq!(text(alias).as_deref(), Some("v.hip"));
        assert_eq!(text("def g():\n    import torch\nf('x')\n"), None);
        assert_eq!(text("if a:\n    import torch\nf('x')\n"), None);
        assert!(text("if a:\n    import torch\n    f('x')\n").is_some());
        // The name is the function's own in all of it, whatever the module imports.
        let later = "from torch.utils import x\ndef g():\n    'doc'\n    a = 1\n    f('x')\n    import torch\n";
        let asked = question(later).expect("the function imports it");
        let head = later.find("a = 1").expect("it is there") as u32;
        assert_eq!(asked.import, Some((head, "import torch\n    ".to_owned())));
        let before = "def g():\n    import torch\n    f('x')\n    import torch\n";
        let asked = question(before).expect("it is imported in front");
        assert_eq!(asked.import, None);
        let asked = question("from torch.utils.cpp_extension import load\nf('x')\n")
            .expect("an import is in sight");
        assert_eq!(asked.import, Some((0, "import torch\n".to_owned())));
    }

    #[test]
    fn a_place_sees_modules_by_their_own_names() {
        let sees = |source: &str| {
            let file = PyFile::new(source.as_bytes());
            let place = *file.all(&["string"]).last().expect("a string is there");
            file.sees_module(place, "os")
        };
        assert!(sees("import json, os\nf('x')\n"));
        assert!(!sees("import os as system\nfrom os import path\nf('x')\n"));
        assert!(!sees("def g():\n    import os\nf('x')\n"));
    }
}
