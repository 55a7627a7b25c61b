//! What a program for `numba.cuda` uses of it, and how it becomes one for numba-hip.

mod imported;
mod kernels;
mod uses;
mod written;

use crate::edit::Edit;
use crate::mapping::{NumbaName, NumbaTable};
use crate::python::{Node, PyFile, Strings};
pub(crate) use uses::{Change, Hindrance, Uses};
use written::{in_hip, renamed};

const BECOMES: &str = "`numba.cuda` becomes `numba.hip`";

/// How a file becomes one for numba-hip.
pub(crate) enum Port {
    /// By these changes, all of them; and what does less than it did.
    Changes(Vec<Change>, Vec<Hindrance>),
    /// Not at all, for these names.
    Hindrances(Vec<Hindrance>),
}

impl<'t> Uses<'t> {
    /// Reads a file; `is_own` says of a module below `numba.cuda` whether it is a file of the tree, ported where it stands.
    pub(crate) fn of(file: &'t PyFile<'t>, is_own: &'t dyn Fn(&str) -> bool) -> Self {
        let mut uses = Self {
            file: Some(file),
            is_own: Some(is_own),
            ..Self::default()
        };
        for import in file.all(&["import_from_statement", "import_statement"]) {
            uses.import(file, import);
        }
        uses.package(file);
        uses.targets(file);
        if !uses.names.is_empty() || !uses.changes.is_empty() || !uses.hindrances.is_empty() {
            for node in file.all(&["attribute"]) {
                uses.attribute(file, node);
            }
            let strings = Strings::new(file);
            uses.links(&strings);
            uses.options(&strings);
            uses.in_strings(&strings);
            uses.members(file);
            uses.pairs(file);
            uses.kernels(file);
        }
        uses
    }

    /// What becomes of the file, with or without functions written into it.
    pub(crate) fn port(mut self, has_helpers: bool) -> Port {
        if let Some(file) = self.file {
            self.write_helpers(file, has_helpers);
        }
        match self.hindrances.is_empty() {
            true => Port::Changes(self.changes, self.losses),
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
                Some("numba.cuda") => {}
                None if text == "numba.cuda" => {
                    self.edit(range, vec![Edit::replace(range, "numba.hip")], BECOMES);
                    self.names
                        .push(alias.unwrap_or_else(|| "numba.cuda".to_owned()));
                }
                Some("numba") if kernels::UFUNCS.contains(&&*text) => self.anchors.push(node),
                None if text == "numba" => {
                    self.anchors.push(node);
                    self.package = self.package.or(alias.is_none().then_some(range));
                }
                None if text.starts_with("numba.cuda.") => {
                    let module = text.trim_start_matches("numba.cuda.");
                    if alias.is_none() || !NumbaTable::builtin().stays(module) {
                        self.submodule(file, node, module, range);
                    }
                }
                _ => {}
            }
        }
        if module.as_deref() == Some("numba.cuda") {
            self.imported(file, node, names);
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
        if text == "cudadrv" {
            return self.driver(file, node, range);
        }
        if module == "numba.cuda" && !matches!(fate, NumbaName::Helped(_)) {
            let module = file.range(object);
            self.edit(module, vec![Edit::replace(module, "numba.hip")], BECOMES);
        }
        match fate {
            NumbaName::Present if text == "shared" => {
                if let Some(array) = node.parent() {
                    self.shared(file, array);
                }
            }
            NumbaName::Present => self.member(file, node, &text),
            NumbaName::Renamed(rename) => {
                let Some(edits) = renamed(file, node, &module, rename) else {
                    let advice = format!(
                        "call cuda.{} with its arguments in place, without mask",
                        rename.to
                    );
                    return self.block(range, &text, advice);
                };
                let message = match rename.form.is_empty() {
                    true => format!("`{text}` becomes `{}`", rename.to),
                    false => format!(
                        "`{text}` becomes `{}`, of the 32 lanes that it is about: a wavefront has 64 on CDNA",
                        rename.to
                    ),
                };
                self.edit(range, edits, &message);
            }
            NumbaName::Lanes(expression) => {
                let whole = file.range(node);
                let expression = expression.replace("{cuda}", in_hip(&module));
                // In place of the module's own change.
                self.changes.retain(|it| it.range != file.range(object));
                let about = match text.as_str() {
                    "laneid" | "warpsize" => " is about 64 lanes on CDNA: it",
                    _ => "",
                };
                let message = format!("`{text}`{about} becomes `{expression}`");
                self.edit(whole, vec![Edit::replace(whole, expression)], &message);
            }
            NumbaName::OfNumba => {
                let advice = format!("import it from the package, `from numba import {text}`");
                self.block(range, &text, advice);
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
        match Uses::of(&file, &|module| module == "tests.own").port(true) {
            Port::Changes(changes, _) => {
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
                "from numba.cuda import jit, float32 as f",
                "from numba.cuda import jit, float32 as f>from numba.hip import jit",
            ),
            ("from numba.cuda import types", "numba.cuda>numba"),
            (
                "from numba import cuda\nfrom numba.cuda.tests.own import a",
                "cuda>hip as cuda",
            ),
            ("from numba.cuda.tests.other import a", "in the way: tests"),
            (
                "from numba import cuda\nimport numba.cuda.simulator as s\nfrom numba.cuda.simulator.kernel import FakeCUDAKernel",
                "cuda>hip as cuda",
            ),
            ("import numba.cuda.simulator", "in the way: simulator"),
            (
                "from numba.cuda import compiler as c\nc.run_frontend(f)",
                "numba.cuda>numba.core",
            ),
            (
                "from numba.cuda import compiler\ncompiler.compile_ptx(f)",
                "in the way: compiler",
            ),
            (
                "from numba import cuda\ncuda.driver.device_to_host",
                "cuda>hip as cuda",
            ),
            (
                "from numba import cuda\ncuda.driver.other",
                "in the way: driver.other",
            ),
            (
                "from numba import cuda\n@overload(f, target='cuda')\ndef g(): pass",
                "cuda>hip as cuda | cuda>hip",
            ),
            (
                "import numba\n@overload(f, target='cuda')\ndef g(): pass",
                "",
            ),
            ("from numba.cuda import laneid", "in the way: laneid"),
            (
                "def f():\n  from numba.cuda import jit, warpsize as w",
                "from numba.cuda import jit, warpsize as w>from numba.hip import jit",
            ),
            (
                "from numba.cuda.extending import intrinsic, core_models",
                "from numba.cuda.extending import intrinsic, core_models>from numba.hip.extending import intrinsic",
            ),
            (
                "from numba.cuda.testing import skip_unless_cc_53",
                "from numba.cuda.testing import skip_unless_cc_53>skip_unless_cc_53 = lambda test: test",
            ),
            (
                "from numba import vectorize\n@vectorize(target='cuda')\ndef f(x): return x",
                "> | cuda>hip",
            ),
            (
                "from numba import vectorize\n@vectorize(target='cpu')\ndef f(x): return x",
                "",
            ),
            (
                "from numba.cuda.testing import CUDATestCase, unittest",
                "numba.cuda.testing>numba.hip.testing",
            ),
            (
                "from numba.cuda.cudadrv import driver, nvvm",
                "in the way: cudadrv.nvvm",
            ),
            (
                "from numba.cuda.core.errors import TypingError",
                "numba.cuda.core.errors>numba.core.errors",
            ),
            (
                "try:\n  from numba.cuda.nosuch import x\nexcept ImportError: pass\nfrom numba import cuda",
                "cuda>hip as cuda",
            ),
            (
                "try:\n  from numba.cuda.nosuch import x\nfinally: pass\nfrom numba import cuda",
                "in the way: nosuch",
            ),
            (
                "from numba import cuda\ncuda.cudadrv.driver.Device",
                "cuda>hip as cuda | cudadrv>hipdrv",
            ),
            (
                "from numba import cuda\ncuda.cudadrv.nvvm",
                "in the way: cudadrv",
            ),
            (
                "from numba import cuda\nx = cuda.laneid == 0, cuda.warpsize",
                "cuda>hip as cuda | cuda.laneid>(cuda.laneid & 31) | cuda.warpsize>32",
            ),
            (
                "import numba.cuda\nnumba.cuda.activemask()",
                "numba.cuda>numba.hip | numba.cuda>numba.hip | >( | activemask>ballot | >True | > >> (numba.hip.laneid & 32) & 0xffffffff)",
            ),
            (
                "from numba import cuda\n@cuda.jit\ndef k(): print(1)\nprint(2)",
                "in the way: print",
            ),
            (
                "from numba.cuda.cudaimpl import lower as l",
                "numba.cuda.cudaimpl>numba.hip.hipimpl",
            ),
            (
                "from numba.cuda.cudaimpl import other",
                "in the way: cudaimpl.other",
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
                "cuda>hip as cuda | >( | all_sync>ballot | m, > | >not ( | >) | > >> (cuda.laneid & 32) & 0xffffffff == 0)",
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
