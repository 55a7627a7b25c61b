//! What a program for `numba.cuda` uses of it, and how it becomes one for numba-hip.

mod uses;
mod written;

use crate::edit::Edit;
use crate::mapping::{NumbaName, NumbaTable};
use crate::python::numba::is_random;
use crate::python::{Node, PyFile, Strings};
use crate::text::TextRange;
use uses::Helped;
pub(crate) use uses::{Change, Hindrance, Uses};
use written::renamed;

const BECOMES: &str = "`numba.cuda` becomes `numba.hip`";

/// How a file becomes one for numba-hip.
pub(crate) enum Port {
    /// By these changes, all of them.
    Changes(Vec<Change>),
    /// Not at all, for these names.
    Hindrances(Vec<Hindrance>),
}

impl<'t> Uses<'t> {
    /// Reads a file.
    pub(crate) fn of(file: &'t PyFile<'t>) -> Self {
        let mut uses = Self {
            file: Some(file),
            ..Self::default()
        };
        for import in file.all(&["import_from_statement", "import_statement"]) {
            uses.import(file, import);
        }
        uses.package(file);
        if !uses.names.is_empty() || !uses.changes.is_empty() || !uses.hindrances.is_empty() {
            for node in file.all(&["attribute"]) {
                uses.attribute(file, node);
            }
            uses.links(&Strings::new(file));
        }
        uses
    }

    /// What becomes of the file, with or without functions written into it.
    pub(crate) fn port(mut self, has_helpers: bool) -> Port {
        if let Some(file) = self.file {
            self.write_helpers(file, has_helpers);
        }
        match self.hindrances.is_empty() {
            true => Port::Changes(self.changes),
            false => Port::Hindrances(self.hindrances),
        }
    }

    /// `from numba import cuda`, `from numba.cuda import grid`, `import numba.cuda as nc`.
    fn import(&mut self, file: &'t PyFile<'t>, node: Node<'t>) {
        if file.side(node).is_some() {
            return;
        }
        let module = node
            .child_by_field_name("module_name")
            .map(|it| file.squeezed(it));
        let elements = file.elements(node);
        let is_from = module.is_some();
        let names = elements.get(usize::from(is_from)..).unwrap_or_default();
        if let Some(module) = module
            .as_deref()
            .and_then(|it| it.strip_prefix("numba.cuda."))
        {
            return self.of_submodule(file, node, module, names);
        }
        let known = self.names.len() + self.changes.len();
        for name in names {
            let plain = name.child_by_field_name("name").unwrap_or(*name);
            let alias = name
                .child_by_field_name("alias")
                .map(|it| file.text(it).into_owned());
            let text = file.squeezed(plain);
            let range = file.range(plain);
            match module.as_deref() {
                Some("numba") if text == "cuda" => {
                    let to = if alias.is_some() {
                        "hip"
                    } else {
                        "hip as cuda"
                    };
                    self.edit(range, vec![Edit::replace(range, to)], BECOMES);
                    self.names.push(alias.unwrap_or(text));
                }
                Some("numba.cuda") => self.imported(file, node, &text, range),
                None if text == "numba.cuda" => {
                    self.edit(range, vec![Edit::replace(range, "numba.hip")], BECOMES);
                    self.names
                        .push(alias.unwrap_or_else(|| "numba.cuda".to_owned()));
                }
                None if text == "numba" && alias.is_none() => self.package = Some(range),
                None if text.starts_with("numba.cuda.") => self.submodule(&text, range),
                _ => {}
            }
        }
        if self.names.len() + self.changes.len() > known {
            self.imports.push(node);
        }
    }

    /// `import numba`, through which `numba.cuda` is used as well.
    fn package(&mut self, file: &PyFile<'_>) {
        let Some(range) = self.package else { return };
        let is_used =
            |node: &Node<'_>| file.dotted(*node) == "numba.cuda" && file.side(*node).is_none();
        let name = "numba.cuda".to_owned();
        if self.names.contains(&name) || !file.attributes(&["cuda"]).iter().any(is_used) {
            return;
        }
        if self.imports.is_empty() {
            let edits = vec![Edit::replace(range, "numba.hip")];
            self.edit(
                range,
                edits,
                "`numba.hip` is a package that must be imported",
            );
        }
        self.names.push(name);
    }

    /// A name of `from numba.cuda import …`.
    fn imported(&mut self, file: &PyFile<'_>, node: Node<'_>, name: &str, range: TextRange) {
        match NumbaTable::builtin().name(name) {
            NumbaName::Present => {
                if let Some(module) = node.child_by_field_name("module_name") {
                    let module = file.range(module);
                    self.edit(module, vec![Edit::replace(module, "numba.hip")], BECOMES);
                }
            }
            NumbaName::Renamed(rename) => {
                let advice = format!(
                    "import the module, `from numba import hip as cuda`, and call cuda.{}",
                    rename.to
                );
                self.block(range, name, advice);
            }
            NumbaName::Helped(advice) | NumbaName::Missing(advice) => {
                self.block(range, name, advice);
            }
        }
    }

    /// `from numba.cuda.MODULE import …`.
    fn of_submodule(
        &mut self,
        file: &'t PyFile<'t>,
        node: Node<'t>,
        module: &str,
        names: &[Node<'t>],
    ) {
        let bound =
            |name: &Node<'t>| file.squeezed(name.child_by_field_name("name").unwrap_or(*name));
        let place = node.child_by_field_name("module_name").unwrap_or(node);
        let range = file.range(place);
        let is_plain = names
            .iter()
            .all(|it| it.child_by_field_name("alias").is_none());
        if module == "random"
            && is_plain
            && names.iter().all(|it| is_random(&bound(it)))
            && !names.is_empty()
        {
            let NumbaName::Helped(advice) = NumbaTable::builtin().name(module) else {
                return;
            };
            self.helpers.random = true;
            self.imports.push(node);
            let edit = Edit::delete(file.range(node));
            return self.helped.push(Helped {
                node,
                edit,
                name: module.to_owned(),
                advice,
            });
        }
        match NumbaTable::builtin().module(module) {
            Some(known) if names.iter().all(|it| known.names.contains(&bound(it))) => {
                let edits = vec![Edit::replace(range, format!("numba.hip.{}", known.to))];
                let message = format!("`numba.cuda.{module}` becomes `numba.hip.{}`", known.to);
                self.edit(range, edits, &message);
            }
            _ => self.submodule(&format!("numba.cuda.{module}"), range),
        }
    }

    fn submodule(&mut self, module: &str, range: TextRange) {
        let first = module
            .trim_start_matches("numba.cuda.")
            .split('.')
            .next()
            .unwrap_or_default()
            .to_owned();
        match NumbaTable::builtin().name(&first) {
            NumbaName::Missing(advice) | NumbaName::Helped(advice) => {
                self.block(range, &first, advice);
            }
            _ => self.block(range, &first, "import what it has from numba.hip"),
        }
    }

    /// `cuda.grid`, `cuda.shared.array(0, …)`, `cuda.atomic.add`.
    fn attribute(&mut self, file: &'t PyFile<'t>, node: Node<'t>) {
        let (Some(object), Some(name)) = (
            node.child_by_field_name("object"),
            node.child_by_field_name("attribute"),
        ) else {
            return;
        };
        let module = file.dotted(object);
        if !self.names.contains(&module) || file.side(node).is_some() {
            return;
        }
        let (range, text) = (file.range(name), file.text(name).into_owned());
        let fate = NumbaTable::builtin().name(&text);
        if module == "numba.cuda" && !matches!(fate, NumbaName::Helped(_)) {
            let module = file.range(object);
            self.edit(module, vec![Edit::replace(module, "numba.hip")], BECOMES);
        }
        match fate {
            NumbaName::Present if text == "shared" => self.shared(file, node),
            NumbaName::Present => {}
            NumbaName::Renamed(rename) => {
                let Some(edits) = renamed(file, node, range, rename) else {
                    let advice = format!(
                        "call cuda.{} with its arguments in place, without mask",
                        rename.to
                    );
                    return self.block(range, &text, advice);
                };
                let note = if rename.note.is_empty() {
                    String::new()
                } else {
                    format!(": {}", rename.note)
                };
                let message = format!("`{text}` becomes `{}`{note}", rename.to);
                self.edit(range, edits, &message);
            }
            NumbaName::Helped(advice) => self.helps(file, node, &text, advice),
            NumbaName::Missing(advice) => self.block(range, &text, advice),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of the changes, or the names in the way.
    pub(super) fn outcome(source: &str) -> String {
        let file = PyFile::new(source.as_bytes());
        match Uses::of(&file).port(true) {
            Port::Changes(changes) => {
                let edits = changes.iter().flat_map(|it| &it.edits);
                let texts: Vec<String> = edits
                    .map(|it| {
                        let was = &source[it.range.as_usize()];
                        format!("{was}>{}", it.content.lines().next().unwrap_or_default())
                    })
                    .collect();
                texts.join(" | ")
            }
            Port::Hindrances(list) => {
                let names: Vec<String> = list.into_iter().map(|it| it.name).collect();
                format!("in the way: {}", names.join(" "))
            }
        }
    }

    #[test]
    fn imports_and_names_become_those_of_numba_hip() {
        for (source, expected) in [
            ("from numba import cuda", "cuda>hip as cuda"),
            ("from numba import cuda as c\nc.grid(1)", "cuda>hip"),
            ("from numba.cuda import grid, jit", "numba.cuda>numba.hip"),
            ("from numba.cuda import atomic", "in the way: atomic"),
            (
                "from numba.cuda.cudaimpl import lower as l",
                "numba.cuda.cudaimpl>numba.hip.hipimpl",
            ),
            (
                "from numba.cuda.cudaimpl import other",
                "in the way: cudaimpl",
            ),
            (
                "import numba\nnumba.cuda.grid(1)",
                "numba>numba.hip | numba.cuda>numba.hip",
            ),
            (
                "import numba\nfrom numba import cuda\nnumba.cuda.grid(1)",
                "cuda>hip as cuda | numba.cuda>numba.hip",
            ),
            ("import numba\nnumba.njit", ""),
            (
                "from numba import cuda\ncuda.all_sync(m, p)",
                "cuda>hip as cuda | all_sync>all | m, >",
            ),
            (
                "from numba import cuda\ncuda.all_sync(*x)",
                "in the way: all_sync",
            ),
            ("from numba import cuda\ncuda.cg", "in the way: cg"),
        ] {
            assert_eq!(outcome(source), expected, "{source}");
        }
    }
}
