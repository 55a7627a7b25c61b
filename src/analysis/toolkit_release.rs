//! What a function of a build script gives back of the toolkit's release, as AMD answers it: a version, or a part of one.

use crate::python::{Node, PyFile};

/// The release whose interfaces HIP has.
pub(super) const VERSION: &str = "12.0";

/// The answer for AMD in the place of a value that a function returns; `None` where it is no release.
pub(super) fn answer(file: &PyFile<'_>, body: Node<'_>, value: Node<'_>) -> Option<String> {
    let version = version_of(file, body, value).map(|callee| format!("{callee}(\"{VERSION}\")"));
    version.or_else(|| Some(Asked { file, body }.part(value, 8)?.text()))
}

/// The function that makes a version of what is returned: `parse` of `v` behind `v = parse(…)`.
fn version_of(file: &PyFile<'_>, body: Node<'_>, value: Node<'_>) -> Option<String> {
    let made = |node: Node<'_>| {
        let function = node
            .child_by_field_name("function")
            .filter(|_| node.kind() == "call")?;
        let name = file.text(function).into_owned();
        let last = name.rsplit('.').next().unwrap_or(&name);
        matches!(last, "parse" | "Version" | "LooseVersion").then_some(name)
    };
    if value.kind() != "identifier" {
        return made(value);
    }
    let assignments = file.all_below(body, &["assignment"]).into_iter();
    let named = assignments.filter(|it| {
        it.child_by_field_name("left")
            .is_some_and(|left| file.text(left) == file.text(value))
    });
    named
        .filter_map(|it| it.child_by_field_name("right"))
        .find_map(made)
}

/// A part of a release, `12` of `12.0`.
struct Part {
    text: &'static str,
    is_number: bool,
}

impl Part {
    fn text(&self) -> String {
        match self.is_number {
            true => self.text.to_owned(),
            false => format!("\"{}\"", self.text),
        }
    }
}

/// A function that asks nvcc.
struct Asked<'f, 's> {
    file: &'f PyFile<'s>,
    body: Node<'f>,
}

impl<'f> Asked<'f, '_> {
    /// The part of a release that a value is: `release[0]`, `int(release[1][0])`, `major` behind `major, minor = v.split(".")`.
    fn part(&self, value: Node<'f>, depth: usize) -> Option<Part> {
        let depth = depth.checked_sub(1)?;
        match value.kind() {
            "call" if self.file.callee(value)? == "int" => {
                let inner = value.child_by_field_name("arguments")?.named_child(0)?;
                let Part { text, .. } = self.part(inner, depth)?;
                Some(Part {
                    text,
                    is_number: true,
                })
            }
            "subscript" => self.element(value, depth),
            "identifier" => self.assigned(value, depth),
            _ => None,
        }
    }

    fn element(&self, subscript: Node<'f>, depth: usize) -> Option<Part> {
        let of = subscript.child_by_field_name("value")?;
        let index: usize = self.text(subscript, "subscript")?.parse().ok()?;
        if self.is_split(of, depth) {
            return nth(index, false);
        }
        // The first character of a part: all of a release's second part, and not of its first.
        let whole = self.part(of, depth).filter(|_| index == 0)?;
        (whole.text.len() == 1).then_some(whole)
    }

    fn assigned(&self, name: Node<'f>, depth: usize) -> Option<Part> {
        let name = self.file.text(name);
        self.assignments().find_map(|assignment| {
            let left = assignment.child_by_field_name("left")?;
            let right = assignment.child_by_field_name("right")?;
            if left.kind() != "pattern_list" {
                return (self.file.text(left) == name).then(|| self.part(right, depth))?;
            }
            let names = self.file.elements(left);
            let index = names.iter().position(|it| self.file.text(*it) == name)?;
            match self.mapped(right) {
                Some(inner) if self.is_split(inner, depth) => nth(index, true),
                _ => nth(index, false).filter(|_| self.is_split(right, depth)),
            }
        })
    }

    /// What `map(int, …)` goes over.
    fn mapped(&self, call: Node<'f>) -> Option<Node<'f>> {
        let arguments = call.child_by_field_name("arguments")?;
        let is_map = self.text(call, "function")? == "map"
            && self.file.text(arguments.named_child(0)?) == "int";
        arguments.named_child(1).filter(|_| is_map)
    }

    /// Whether a value is a text split at its dots, or a name of one.
    fn is_split(&self, value: Node<'f>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        if value.kind() == "identifier" {
            let name = self.file.text(value);
            return self.assignments().any(|it| {
                self.text(it, "left").is_some_and(|left| left == name)
                    && it
                        .child_by_field_name("right")
                        .is_some_and(|right| self.is_split(right, depth))
            });
        }
        let text = self.file.squeezed(value);
        value.kind() == "call" && (text.ends_with(".split(\".\")") || text.ends_with(".split('.')"))
    }

    fn assignments(&self) -> impl Iterator<Item = Node<'f>> {
        self.file.all_below(self.body, &["assignment"]).into_iter()
    }

    fn text(&self, node: Node<'f>, field: &str) -> Option<String> {
        let child = node.child_by_field_name(field)?;
        Some(self.file.text(child).into_owned())
    }
}

fn nth(index: usize, is_number: bool) -> Option<Part> {
    let text = VERSION.split('.').nth(index)?;
    Some(Part { text, is_number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_release_are_answered_as_parts() {
        for (body, expected) in [
            ("v = parse(s)\n  return v", Some("parse(\"12.0\")")),
            ("r = o[i].split(\".\")\n  return r[0]", Some("\"12\"")),
            ("r = o[i].split('.')\n  return r[1][0]", Some("\"0\"")),
            (
                "r = o[i].split('.')\n  m = r[0]\n  return int(m)",
                Some("12"),
            ),
            ("a, b = o.split('.')\n  return b", Some("\"0\"")),
            ("a, b = map(int, o.split('.'))\n  return a", Some("12")),
            ("return int(o.split('.')[0])", Some("12")),
            ("r = o.split('.')\n  return r[0][0]", None),
            ("r = o.split('.')\n  return r[2]", None),
            ("r = o.split(',')\n  return r[0]", None),
            ("r = r\n  return r", None),
            ("return o", None),
        ] {
            let text = format!("def version(o, i):\n  {body}\n");
            let file = PyFile::new(text.as_bytes());
            let body = file.all(&["block"])[0];
            let value = file.all(&["return_statement"])[0].named_child(0);
            let value = value.expect("something is returned");
            assert_eq!(answer(&file, body, value).as_deref(), expected, "{text}");
        }
    }
}
