//! Modules that a test puts something else in the place of.

use super::{Literal, Node, PyFile, parents};

impl PyFile<'_> {
    /// Whether a script gives Python something else for a module before it is imported, or takes parts of it away for a test:
    /// `sys.modules["pynvml"] = fake`, `patch.dict(sys.modules, {"pynvml": fake})`, `patch("pynvml.nvmlInit")`.
    pub(crate) fn is_replaced(&self, module: &str) -> bool {
        let has = |word: &str| memchr::memmem::find(self.bytes(), word.as_bytes()).is_some();
        if !has("sys.modules") && !has("patch") {
            return false;
        }
        let names_it = |string: &Node<'_>| {
            let text = Literal::new(self, *string).map(|it| it.text);
            let rest = text.as_deref().and_then(|it| it.strip_prefix(module));
            rest.is_some_and(|it| it.is_empty() || it.starts_with('.'))
        };
        let mut strings = self.all(&["string"]);
        strings.retain(names_it);
        strings.into_iter().any(|it| self.is_in_place_of(it))
    }

    /// Whether a text names what is replaced, as the key of an entry or the first argument of a call.
    fn is_in_place_of(&self, name: Node<'_>) -> bool {
        const SETS: &[&str] = &["patch", "setattr", "setitem", "setdefault", "dict"];
        // `patch.dict("sys.modules", {"pynvml": fake})`: the entry, the dictionary, the arguments, the call.
        parents(name).take(4).any(|it| match it.kind() {
            "subscript" => {
                let object = it.child_by_field_name("value");
                let is_set = it.parent().is_some_and(|above| {
                    above.kind() == "assignment" && above.child_by_field_name("left") == Some(it)
                });
                is_set && object.is_some_and(|it| self.dotted(it) == "sys.modules")
            }
            "call" => {
                let function = it.child_by_field_name("function");
                let whole = function.map_or_else(String::new, |it| self.dotted(it));
                let last = whole.rsplit('.').next().unwrap_or(&whole);
                let is_mock = ["patch", "sys.modules"]
                    .iter()
                    .any(|word| whole.contains(word));
                is_mock && SETS.contains(&last)
            }
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_the_place_of_a_module_is_known() {
        for (source, expected) in [
            ("sys.modules['pynvml'] = fake\n", true),
            ("sys.modules.setdefault('pynvml', fake)\n", true),
            ("monkeypatch.setitem(sys.modules, 'pynvml', fake)\n", true),
            (
                "with patch.dict('sys.modules', {'pynvml': fake}):\n    pass\n",
                true,
            ),
            ("@mock.patch('pynvml.nvmlInit')\ndef f():\n    pass\n", true),
            ("monkeypatch.setattr('pynvml.nvmlInit', fake)\n", true),
            ("print(sys.modules['pynvml'])\n", false),
            ("sys.modules['pynvmlx'] = fake\n", false),
            ("patch('other.pynvml')\n", false),
            ("load('pynvml')\npatch('other')\n", false),
        ] {
            let file = PyFile::new(source.as_bytes());
            assert_eq!(file.is_replaced("pynvml"), expected, "{source}");
        }
    }
}
