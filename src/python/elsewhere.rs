//! Questions for a vendor that a script leaves to another one: `from .utils import is_sm_at_least_90`.

use super::{Node, PyFile, Side, parents, too_deep};

/// What one script answers; nothing where it asks neither for CUDA's version nor for ROCm's.
pub(crate) fn answers(bytes: &[u8]) -> Vec<(String, Side)> {
    let has = |text: &str| memchr::memmem::find(bytes, text.as_bytes()).is_some();
    let asks =
        |member: &str| has(&format!("version.{member}")) || has(&format!("version, \"{member}\""));
    if !asks("cuda") && !asks("hip") {
        return Vec::new();
    }
    if too_deep(bytes).is_some() {
        return Vec::new();
    }
    let file = PyFile::new(bytes);
    let is_outermost = |it: &Node<'_>| parents(*it).all(|around| around.kind() != "block");
    let mut places = file.all(&["function_definition", "assignment"]);
    places.retain(is_outermost);
    let answer = |place: Node<'_>| {
        let (name, side) = match place.kind() {
            "assignment" => (
                place.child_by_field_name("left")?,
                file.if_true(place.child_by_field_name("right")?)?,
            ),
            _ => (
                place.child_by_field_name("name")?,
                file.if_returned(place, true)?,
            ),
        };
        Some((file.text(name).into_owned(), side))
    };
    places.into_iter().filter_map(answer).collect()
}

impl PyFile<'_> {
    /// Who it is where a function or variable of another script of the tree says so.
    pub(crate) fn asked_elsewhere(&self, condition: Node<'_>) -> Option<Side> {
        let name = match condition.kind() {
            "call" => condition.child_by_field_name("function")?,
            _ => condition,
        };
        if name.kind() != "identifier" || self.questions.is_empty() {
            return None;
        }
        let places = self.identifiers_of(&self.text(name)).into_iter();
        let mut imports = places.filter_map(|it| {
            let around = parents(it).find(|it| it.kind() == "import_from_statement")?;
            around.child_by_field_name("module_name")
        });
        let module = self.dotted(imports.next()?);
        self.questions.side(&module, &self.text(name))
    }

    /// Who it is where what a function of the file returns holds or does not: where all that it returns says the same, constants for the
    /// other answer aside.
    pub(super) fn if_returned(&self, function: Node<'_>, holds: bool) -> Option<Side> {
        let mut returns = self.all_below(function, &["return_statement"]);
        returns.retain(|it| it.function() == Some(function));
        let values: Option<Vec<Node<'_>>> = returns.iter().map(|it| it.named_child(0)).collect();
        let (other, same) = match holds {
            true => ("false", "true"),
            false => ("true", "false"),
        };
        let mut values = values?;
        values.retain(|it| it.kind() != other);
        if values.iter().any(|it| it.kind() == same) {
            return None;
        }
        let mut sides = values.into_iter().map(|it| match holds {
            true => self.if_true(it),
            false => self.if_false(it),
        });
        let first = sides.next()??;
        sides.all(|side| side == Some(first)).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::Questions;

    #[test]
    fn what_scripts_answer_is_known_by_their_names() {
        const ASKS: &str = "def is_sm_at_least_90():\n    return torch.cuda.is_available() and torch.version.cuda and torch.cuda.get_device_capability() >= (9, 0)\n";
        let mut questions = Questions::default();
        for (path, text) in [
            ("kit/utils.py", ASKS.to_owned()),
            ("kit/env/__init__.py", "ON_AMD = torch.version.hip is not None\n".to_owned()),
            ("a/same.py", "def f():\n    return torch.version.cuda\n".to_owned()),
            ("b/same.py", "def f():\n    return torch.version.hip\n".to_owned()),
            (
                "kit/tried.py",
                "def f():\n    try:\n        return torch.version.cuda is not None\n    except Exception:\n        return False\n".to_owned(),
            ),
            (
                "kit/open.py",
                "def f():\n    if torch.version.cuda:\n        return g()\n    return True\n".to_owned(),
            ),
        ] {
            questions.add(path, answers(text.as_bytes()));
        }
        for (module, name, expected) in [
            ("kit.utils", "is_sm_at_least_90", Some(Side::Nvidia)),
            (".utils", "is_sm_at_least_90", Some(Side::Nvidia)),
            ("utils", "is_sm_at_least_89", None),
            ("kit.env", "ON_AMD", Some(Side::Amd)),
            (".same", "f", None),
            (".tried", "f", Some(Side::Nvidia)),
            (".open", "f", None),
        ] {
            assert_eq!(questions.side(module, name), expected, "{module} {name}");
        }
    }
}
