//! What a file imports from `numba.cuda` and its modules: names of numba-hip, of numba itself, and what only NVIDIA's has.

use super::uses::{Helped, Uses};
use crate::edit::Edit;
use crate::mapping::{NumbaHome, NumbaName, NumbaTable};
use crate::python::numba::is_random;
use crate::python::{Node, PyFile, parents};
use crate::text::TextRange;

impl<'t> Uses<'t> {
    /// `from numba.cuda import …`: each name comes from numba-hip or from numba.
    pub(super) fn imported(&mut self, file: &PyFile<'_>, node: Node<'t>, names: &[Node<'t>]) {
        let mut homes = Vec::new();
        for it in names {
            let plain = it.child_by_field_name("name").unwrap_or(*it);
            let (name, range) = (file.squeezed(plain), file.range(plain));
            match NumbaTable::builtin().name(&name) {
                NumbaName::Present => homes.push((*it, NumbaHome::Module("numba.hip", name))),
                NumbaName::OfNumba => homes.push((*it, NumbaHome::Module("numba", name))),
                NumbaName::Lanes(value) if !value.contains("{cuda}") => {
                    homes.push((*it, NumbaHome::Value(value)));
                }
                NumbaName::Renamed(rename) => {
                    let advice = format!(
                        "import the module, `from numba import hip as cuda`, and call cuda.{}",
                        rename.to
                    );
                    self.block(range, &name, advice);
                }
                NumbaName::Lanes(_) => {
                    let advice = format!(
                        "import the module, `from numba import cuda`, and write cuda.{name}: it is about 64 lanes on CDNA"
                    );
                    self.block(range, &name, advice);
                }
                NumbaName::Helped(advice) | NumbaName::Missing(advice) => {
                    self.lacks(file, node, range, &name, advice);
                }
            }
        }
        self.moved(file, node, &homes);
    }

    /// The edit of a statement whose names come from these homes now.
    fn moved(&mut self, file: &PyFile<'_>, node: Node<'t>, homes: &[(Node<'t>, NumbaHome)]) {
        let Some(module) = node.child_by_field_name("module_name") else {
            return;
        };
        let Some((_, first)) = homes.first() else {
            return;
        };
        let was = file.squeezed(module);
        let is_plain = homes.iter().all(|(it, home)| {
            let plain = it.child_by_field_name("name").unwrap_or(*it);
            match (home, first) {
                (NumbaHome::Module(to, name), NumbaHome::Module(all, _)) => {
                    to == all && *name == file.text(plain)
                }
                _ => false,
            }
        });
        if let (true, NumbaHome::Module(to, _)) = (is_plain, first) {
            let range = file.range(module);
            let message = format!("`{was}` becomes `{to}`");
            return self.edit(range, vec![Edit::replace(range, *to)], &message);
        }
        let (_, indent) = file.indent(node);
        let mut modules: Vec<(&str, Vec<String>)> = Vec::new();
        let mut lines = Vec::new();
        for (it, home) in homes {
            let plain = it.child_by_field_name("name").unwrap_or(*it);
            let alias = file.text(it.child_by_field_name("alias").unwrap_or(plain));
            match home {
                NumbaHome::Value(value) => lines.push(format!("{alias} = {value}")),
                NumbaHome::Module(to, name) => {
                    let text = match *name == alias {
                        true => name.clone(),
                        false => format!("{name} as {alias}"),
                    };
                    match modules.iter_mut().find(|(known, _)| known == to) {
                        Some((_, names)) => names.push(text),
                        None => modules.push((to, vec![text])),
                    }
                }
            }
        }
        let imports = modules
            .iter()
            .map(|(to, names)| format!("from {to} import {}", names.join(", ")));
        let all: Vec<String> = imports.chain(lines).collect();
        let range = file.range(node);
        let text = all.join(&format!("\n{indent}"));
        let message = format!("what `{was}` has stands elsewhere for numba-hip");
        self.edit(range, vec![Edit::replace(range, text)], &message);
    }

    /// A name that an import brings and that numba-hip lacks: in the way, unless the program goes on without it.
    fn lacks(
        &mut self,
        file: &PyFile<'_>,
        import: Node<'_>,
        range: TextRange,
        name: &str,
        advice: impl Into<std::borrow::Cow<'static, str>>,
    ) {
        match is_optional(file, import) {
            true => self.loses(
                range,
                name,
                "the import is NVIDIA's still, and the program goes on where it fails",
            ),
            false => self.block(range, name, advice),
        }
    }

    /// `from numba.cuda.MODULE import …`.
    pub(super) fn of_submodule(
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
        let Some(known) = NumbaTable::builtin().module(module) else {
            return self.submodule(file, node, module, range);
        };
        let mut homes = Vec::new();
        for it in names {
            let name = bound(it);
            match known.home(&name) {
                Some(home) => homes.push((*it, home)),
                None => {
                    let advice = format!("`{}` has no such name: write it another way", known.to);
                    self.lacks(
                        file,
                        node,
                        file.range(*it),
                        &format!("{module}.{name}"),
                        advice,
                    );
                }
            }
        }
        // Names of one statement go together.
        if homes.len() == names.len() {
            self.moved(file, node, &homes);
        }
    }

    /// A module without counterpart, or one that is imported as a whole.
    pub(super) fn submodule(
        &mut self,
        file: &PyFile<'_>,
        import: Node<'_>,
        module: &str,
        range: TextRange,
    ) {
        let first = module.split('.').next().unwrap_or_default();
        match NumbaTable::builtin().name(first) {
            NumbaName::Missing(advice) | NumbaName::Helped(advice) => {
                self.lacks(file, import, range, first, advice);
            }
            _ => self.lacks(
                file,
                import,
                range,
                first,
                "import what it has from numba.hip",
            ),
        }
    }

    /// `cuda.cudadrv.driver.…`, which numba-hip calls `hipdrv`.
    pub(super) fn driver(&mut self, file: &PyFile<'_>, node: Node<'t>, range: TextRange) {
        let member = |node: Node<'t>| {
            let outer = node.parent().filter(|it| it.kind() == "attribute")?;
            let name = outer.child_by_field_name("attribute")?;
            Some((outer, file.text(name).into_owned()))
        };
        let table = NumbaTable::builtin();
        let has = |module: &str, name: &str| {
            let known = table.module(module);
            known.is_some_and(|it| it.names.contains(name))
        };
        let inner = member(node).filter(|(_, name)| has("cudadrv", name) && name != "nvrtc");
        let is_there = inner.is_some_and(|(outer, module)| {
            member(outer).is_none_or(|(_, name)| has(&format!("cudadrv.{module}"), &name))
        });
        match (is_there, table.name("cudadrv")) {
            (true, _) => {
                let message = "`cudadrv` becomes `hipdrv`";
                self.edit(range, vec![Edit::replace(range, "hipdrv")], message);
            }
            (false, NumbaName::Missing(advice)) => self.block(range, "cudadrv", advice),
            _ => {}
        }
    }
}

/// Whether a program goes on where an import fails.
fn is_optional(file: &PyFile<'_>, import: Node<'_>) -> bool {
    let mut below = import;
    parents(import).any(|it| {
        let is_body = it.child_by_field_name("body") == Some(below);
        below = it;
        let mut handlers = it
            .named_children()
            .filter(|it| it.kind() == "except_clause");
        it.kind() == "try_statement" && is_body && handlers.any(|it| catches_imports(file, it))
    })
}

/// `except ImportError:`, `except (A, ImportError) as e:`, `except:`.
fn catches_imports(file: &PyFile<'_>, handler: Node<'_>) -> bool {
    let first = handler.named_children().find(|it| it.kind() != "comment");
    first.is_none_or(|it| {
        let words = file.all_below(it, &["identifier"]);
        let catches = |word: &Node<'_>| {
            let word = file.text(*word);
            ["ImportError", "ModuleNotFoundError", "Exception"].contains(&&*word)
        };
        it.kind() == "block" || words.iter().any(catches)
    })
}
