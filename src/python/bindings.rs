//! The places that bind names, and the integers that names stand for.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::scope::is_seen_from;
use super::{Node, PyFile, parents};
use crate::text::number::integer;

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

    /// The largest number that an expression may be: an integer, a name that stands for one, or a bound, `min(16384, size)`, by itself or by
    /// the one variable that it is set to.
    pub(crate) fn at_most(&self, node: Node<'_>) -> Option<u64> {
        if let Some(number) = self.integer(node) {
            return Some(number);
        }
        let value = match node.kind() {
            "identifier" => {
                let all = self.places.get(&self.file.text(node))?.iter();
                let mut seen = all.filter(|it| is_seen_from(**it, node));
                let (binding, None) = (seen.next()?, seen.next()) else {
                    return None;
                };
                let statement = binding.parent().filter(|it| it.kind() == "assignment")?;
                statement.child_by_field_name("right")?
            }
            _ => node,
        };
        let is_bound = self.file.callee(value).is_some_and(|name| name == "min");
        let arguments = value
            .child_by_field_name("arguments")
            .filter(|_| is_bound)?;
        let bounds = self.file.elements(arguments).into_iter();
        bounds.filter_map(|it| self.integer(it)).min()
    }

    /// The number that a literal says, or a product or quotient of two, `65536 // 4`.
    fn written(&self, node: Node<'_>) -> Option<u64> {
        let literal = |it: Node<'_>| {
            let text = (it.kind() == "integer").then(|| self.file.text(it))?;
            integer(text.replace('_', "").as_bytes())
        };
        if node.kind() != "binary_operator" {
            return literal(node);
        }
        let side = |field: &str| literal(node.child_by_field_name(field)?);
        let (left, right) = (side("left")?, side("right")?);
        match &*self.file.text(node.child_by_field_name("operator")?) {
            "//" => left.checked_div(right),
            "*" => left.checked_mul(right),
            _ => None,
        }
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
        assert_eq!(integer("N = 65536 // 4\nf(N)\n"), Some(16384));
        assert_eq!(integer("f(2 * 64)\n"), Some(128));
        assert_eq!(integer("def g(a, N: int = 64):\n    f(N)\n"), Some(64));
        assert_eq!(integer("def g(N=64):\n    f(N)\n"), Some(64));
        assert_eq!(integer("def g():\n    N = 32\n    return f(N)\n"), Some(32));
        assert_eq!(
            integer("def h():\n    N = 8\ndef g():\n    N = 32\n    f(N)\n"),
            Some(32)
        );
    }

    #[test]
    fn bounds_are_the_least_of_what_is_known() {
        for (source, expected) in [
            (
                "M = 65536 // 4\ndef g(x):\n    s = min(M, size(x))\n    f(s)\n",
                Some(16384),
            ),
            ("f(min(64, n, 32))\n", Some(32)),
            ("f(8)\n", Some(8)),
            ("s = min(64, n)\ns = n\nf(s)\n", None),
            ("f(max(64, n))\n", None),
            ("f(min(m, n))\n", None),
        ] {
            let file = PyFile::new(source.as_bytes());
            let calls = file.all(&["call"]).into_iter();
            let mut calls = calls.filter(|it| file.callee(*it).is_some_and(|name| name == "f"));
            let call = calls.next().expect("there is a call");
            let argument = file.argument(call, 0, "n").expect("it has an argument");
            assert_eq!(Bindings::new(&file).at_most(argument), expected, "{source}");
        }
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
