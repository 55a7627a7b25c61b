//! How a place of a build script asks for AMD: by a variable that the script has, or by `torch.version.hip`.

use super::{Node, PyFile};

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
        let imports = self.imports_before(place);
        for import in &imports {
            let text = self.text(*import);
            let mut names = text.trim_start_matches("import").split(',').map(str::trim);
            if import.kind() == "import_statement"
                && names.any(|name| {
                    name == "torch" || name.starts_with("torch.") && !name.contains(" as ")
                })
            {
                return plain("torch.version.hip".to_owned());
            }
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
        let assignments = self.all(&["assignment"]).into_iter();
        let mut fitting = assignments
            .filter(|it| it.end_byte() <= place.start_byte() && is_seen_from(*it, place));
        fitting.find_map(|assignment| {
            let left = assignment
                .child_by_field_name("left")
                .filter(|it| it.kind() == "identifier")?;
            let value = assignment.child_by_field_name("right")?;
            let text = self.squeezed(value);
            let asks = text.contains("version.hip")
                && !text.contains("isNone")
                && !text.starts_with("not");
            let is_question = matches!(value.kind(), "comparison_operator" | "attribute")
                || text.starts_with("bool(");
            (asks && is_question).then(|| self.text(left).into_owned())
        })
    }

    /// The imports that a place sees: of the module and of the functions around, in front of it.
    fn imports_before(&self, place: Node<'_>) -> Vec<Node<'_>> {
        let all = self.all(&["import_statement", "import_from_statement"]);
        all.into_iter()
            .filter(|it| it.end_byte() <= place.start_byte() && is_seen_from(*it, place))
            .collect()
    }
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
