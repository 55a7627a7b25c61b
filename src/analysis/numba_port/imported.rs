//! What a file imports from `numba.cuda` and its modules: names of numba-hip, of numba itself, and what only NVIDIA's has.

use super::uses::{Helped, Uses};
use crate::edit::Edit;
use crate::mapping::{NumbaHome, NumbaModule, NumbaName, NumbaTable};
use crate::python::numba::{function, is_random};
use crate::python::{Node, PyFile, parents};
use crate::text::TextRange;

const SKIPPED: &str = "tests that ask for a tool of NVIDIA's are skipped on AMD";

impl<'t> Uses<'t> {
    /// `from numba.cuda import …`: each name comes from numba-hip or from numba.
    pub(super) fn imported(&mut self, file: &PyFile<'_>, node: Node<'t>, names: &[Node<'t>]) {
        let (mut homes, mut written) = (Vec::new(), None);
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
                NumbaName::Helped(advice) if let Some(function) = function(&name) => {
                    self.helpers.functions.insert(function.clone());
                    written = Some((name, advice));
                    homes.push((*it, NumbaHome::Written(function)));
                }
                NumbaName::Helped(advice) | NumbaName::Missing(advice) => {
                    match counterpart(file, &name, *it) {
                        Some(home) => homes.push((*it, home)),
                        None => self.lacks(file, node, range, &name, advice),
                    }
                }
            }
        }
        let Some((name, advice)) = written else {
            return self.moved(file, node, &homes);
        };
        self.imports.push(node);
        let edit = Edit::replace(file.range(node), elsewhere(file, node, &homes));
        self.helped.push(Helped {
            node,
            edit,
            name,
            advice,
        });
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
        let range = file.range(node);
        let text = elsewhere(file, node, homes);
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
        if NumbaTable::builtin().stays(module) {
            return;
        }
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
        let known = NumbaTable::builtin().module(module);
        let has_all =
            |it: &'static NumbaModule| names.iter().all(|name| it.home(&bound(name)).is_some());
        if !known.is_some_and(has_all) && self.is_own.is_some_and(|it| it(module)) {
            return;
        }
        let Some(known) = known else {
            return self.submodule(file, node, module, range);
        };
        let mut homes = Vec::new();
        for it in names {
            let name = bound(it);
            match known.home(&name) {
                Some(home) => {
                    if home.skips() {
                        self.loses(file.range(*it), &name, SKIPPED);
                    }
                    homes.push((*it, home));
                }
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

    /// `cuda.driver.…`, a module of the driver that both packages show.
    pub(super) fn member(&mut self, file: &PyFile<'_>, node: Node<'t>, module: &str) {
        let Some(known) = NumbaTable::builtin().module(&format!("cudadrv.{module}")) else {
            return;
        };
        let outer = node.parent().filter(|it| it.kind() == "attribute");
        let Some(name) = outer.and_then(|it| it.child_by_field_name("attribute")) else {
            return;
        };
        if !known.names.contains(&*file.text(name)) {
            let advice = format!("`{}` has no such name: write it another way", known.to);
            let full = format!("{module}.{}", file.text(name));
            self.block(file.range(name), &full, advice);
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

/// The statements that bring the names of one that imports them from their homes.
fn elsewhere(file: &PyFile<'_>, node: Node<'_>, homes: &[(Node<'_>, NumbaHome)]) -> String {
    let (_, indent) = file.indent(node);
    let mut modules: Vec<(&str, Vec<String>)> = Vec::new();
    let mut lines = Vec::new();
    for (it, home) in homes {
        let plain = it.child_by_field_name("name").unwrap_or(*it);
        let alias = file.text(it.child_by_field_name("alias").unwrap_or(plain));
        match home {
            NumbaHome::Value(value) => lines.push(format!("{alias} = {value}")),
            NumbaHome::Written(function) => lines.push(format!("{alias} = {function}")),
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
    all.join(&format!("\n{indent}"))
}

/// Where a module of `numba.cuda` that a file imports as a whole stands for numba-hip, if what the file uses of it is there.
fn counterpart(file: &PyFile<'_>, name: &str, import: Node<'_>) -> Option<NumbaHome> {
    let module = NumbaTable::builtin().module(name)?;
    let alias = import.child_by_field_name("alias");
    let alias = alias.map_or(name.into(), |it| file.text(it));
    let has = |used: Node<'_>| {
        let member = used.child_by_field_name("attribute");
        member.is_some_and(|it| module.names.contains(&*file.text(it)))
    };
    let is_of = |used: &Node<'_>| {
        let object = used.child_by_field_name("object");
        object.is_some_and(|it| file.text(it) == alias)
    };
    let mut used = file.all(&["attribute"]).into_iter().filter(is_of);
    let (parent, last) = module.to.rsplit_once('.')?;
    used.all(has)
        .then(|| NumbaHome::Module(parent, last.to_owned()))
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
