//! The places that bind names, and the integers that names stand for.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::scope::is_seen_from;
use super::{Node, PyFile, parents};

/// The places of a file that bind a name, by name: assignments, parameters, targets of loops, imports, definitions.
pub(crate) struct Bindings<'t> {
    file: &'t PyFile<'t>,
    places: BTreeMap<Cow<'t, str>, Vec<Node<'t>>>,
}

impl<'t> Bindings<'t> {
    /// The bindings of a file, read once.
    pub(crate) fn new(file: &'t PyFile<'t>) -> Self {
        let mut places = BTreeMap::<_, Vec<_>>::new();
        for name in file.all(&["identifier"]) {
            if is_bound(name) {
                places.entry(file.text(name)).or_default().push(name);
            }
        }
        Self { file, places }
    }

    /// The value of an expression that is an integer, or a name that stands for one wherever the expression sees it: a constant of the
    /// module or of a function around, or a parameter by its default. A name that is bound twice stands for nothing.
    pub(crate) fn integer(&self, node: Node<'_>) -> Option<u64> {
        if node.kind() != "identifier" {
            return self.written(node);
        }
        let all = self.places.get(&self.file.text(node))?.iter();
        let mut seen = all.filter(|it| is_seen_from(**it, node));
        let (binding, None) = (seen.next()?, seen.next()) else {
            return None;
        };
        let statement = binding.parent()?;
        let value = match statement.kind() {
            "assignment" => statement.child_by_field_name("right")?,
            "default_parameter" | "typed_default_parameter" => {
                statement.child_by_field_name("value")?
            }
            _ => return None,
        };
        // What a branch binds is not bound everywhere.
        let is_plain = parents(statement)
            .take_while(|it| it.kind() != "function_definition")
            .all(|it| {
                matches!(
                    it.kind(),
                    "module" | "block" | "expression_statement" | "parameters"
                )
            });
        is_plain.then(|| self.written(value)).flatten()
    }

    /// Whether an expression is the name of a parameter, so that callers may say another value.
    pub(crate) fn is_parameter(&self, node: Node<'_>) -> bool {
        let places = self.places.get(&self.file.text(node));
        let of_parameter = |it: &&Node<'_>| {
            let parent = it.parent().map_or("", |parent| parent.kind());
            parent.contains("parameter") && is_seen_from(**it, node)
        };
        places.is_some_and(|places| places.iter().any(|it| of_parameter(&it)))
    }

    fn written(&self, node: Node<'_>) -> Option<u64> {
        let is_integer = node.kind() == "integer";
        is_integer.then(|| self.file.text(node).replace('_', "").parse().ok())?
    }
}

/// Whether an identifier stands where its name is bound.
fn is_bound(name: Node<'_>) -> bool {
    let Some(parent) = name.parent() else {
        return false;
    };
    let is_field = |field: &str| parent.child_by_field_name(field) == Some(name);
    match parent.kind() {
        "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" => {
            is_field("left")
        }
        "named_expression"
        | "default_parameter"
        | "typed_default_parameter"
        | "function_definition"
        | "class_definition" => is_field("name"),
        "dotted_name" | "aliased_import" => {
            parents(name).any(|it| it.kind().starts_with("import_"))
        }
        kind => {
            kind.ends_with("_pattern")
                || matches!(
                    kind,
                    "pattern_list"
                        | "as_pattern_target"
                        | "parameters"
                        | "lambda_parameters"
                        | "typed_parameter"
                        | "global_statement"
                        | "nonlocal_statement"
                        | "delete_statement"
                )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `n` of the last call stands for.
    fn integer(source: &str) -> Option<u64> {
        let file = PyFile::new(source.as_bytes());
        let calls = file.all(&["call"]);
        let call = *calls.last().expect("there is a call");
        Bindings::new(&file).integer(file.argument(call, 0, "n").expect("it has an argument"))
    }

    #[test]
    fn names_stand_for_integers() {
        assert_eq!(integer("f(1_024)\n"), Some(1024));
        assert_eq!(integer("N = 128\ndef g():\n    f(n=N)\n"), Some(128));
        assert_eq!(integer("def g(a, N: int = 64):\n    f(N)\n"), Some(64));
        assert_eq!(integer("def g(N=64):\n    f(N)\n"), Some(64));
        assert_eq!(integer("def g():\n    N = 32\n    return f(N)\n"), Some(32));
        assert_eq!(
            integer("def h():\n    N = 8\ndef g():\n    N = 32\n    f(N)\n"),
            Some(32)
        );
    }

    #[test]
    fn names_that_may_stand_for_more_than_one_thing_stand_for_none() {
        for source in [
            "f(N)\n",
            "N = 1\nN = 2\nf(N)\n",
            "N = 128\ndef g(N):\n    f(N)\n",
            "N = 128\ndef g(N=64):\n    f(N)\n",
            "N = 16 if hip else 32\nf(N)\n",
            "if hip:\n    N = 16\nf(N)\n",
            "N = 16\nN *= 2\nf(N)\n",
            "N, W = 16, 4\nf(N)\n",
            "for N in (1, 2):\n    f(N)\n",
            "from blocks import N\nf(N)\n",
            "N = 1\ndef g():\n    global N\n    f(N)\n",
            "N = size(x)\nf(N)\n",
        ] {
            assert_eq!(integer(source), None, "{source}");
        }
    }
}
