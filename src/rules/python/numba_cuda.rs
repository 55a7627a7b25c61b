//! A program for `numba.cuda`.
//!
//! ## Why on AMD
//! Numba compiles CUDA kernels for NVIDIA alone. The package numba-hip has most of `numba.cuda` under `numba.hip`; shuffles and votes
//! are there without mask, atomics, dynamic shared memory, cooperative groups, random numbers and PTX are not. A file becomes one for
//! numba-hip where every name that it uses is there; else it stays as it is, and each name that is in the way is an error.
//!
//! ## Example
//! ```python
//! from numba import cuda
//! ```
//! becomes
//! ```python
//! from numba import hip as cuda
//! ```
//!
//! ## When to ignore
//! When AMD never runs the file. A whole application can also call `numba.hip.pose_as_cuda()` before it imports anything of Numba.
//!
//! ## Source
//! The wheel of numba-hip 0.2.1; `mappings/numba.toml`, held against it by `tests/numba/names.py`.

use tree_sitter::Node;

use crate::mapping::{NumbaName, NumbaTable};
use crate::python::{Literal, PyFile, Strings};
use crate::rules::prelude::*;

/// Ports files whose names are all there; reports the others.
pub static RULE: Rule = Rule {
    code: "CASS690",
    severity: Severity::Error,
    fix: Some(Applicability::Review),
    priority: 50,
    triggers: &[Trigger::Python],
    check,
};

/// What a file does with the package.
#[derive(Default)]
struct Uses {
    /// How the file calls the module.
    names: Vec<String>,
    /// The edits that turn it into one for numba-hip, each with what to say of it.
    edits: Vec<(TextRange, Vec<Edit>, String)>,
    /// What is in the way.
    blockers: Vec<Finding>,
}

fn check(_: Site<'_>, cx: &mut Context<'_, '_>) {
    let Some(file) = cx.python().filter(|file| file.imports("numba")) else {
        return;
    };
    let mut uses = Uses::default();
    for import in file.all(&["import_from_statement", "import_statement"]) {
        uses.import(file, import);
    }
    if uses.names.is_empty() && uses.edits.is_empty() && uses.blockers.is_empty() {
        return;
    }
    for node in file.all(&["attribute"]) {
        uses.attribute(file, node);
    }
    uses.links(&Strings::new(file));
    let findings: Vec<Finding> = if uses.blockers.is_empty() {
        uses.ported()
    } else {
        uses.blockers
    };
    findings.into_iter().for_each(|finding| cx.report(finding));
}

impl Uses {
    /// `from numba import cuda`, `from numba.cuda import grid`, `import numba.cuda as nc`.
    fn import(&mut self, file: &PyFile<'_>, node: Node<'_>) {
        if file.side(node).is_some() {
            return;
        }
        let module = node
            .child_by_field_name("module_name")
            .map(|it| file.squeezed(it));
        let elements = file.elements(node);
        let is_from = module.is_some();
        for name in elements.into_iter().skip(usize::from(is_from)) {
            let plain = name.child_by_field_name("name").unwrap_or(name);
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
                    self.edit(
                        range,
                        vec![Edit::replace(range, to)],
                        "`numba.cuda` becomes `numba.hip`",
                    );
                    self.names.push(alias.unwrap_or(text));
                }
                Some("numba.cuda") => self.imported(file, node, &text, range),
                Some(module) if module.starts_with("numba.cuda.") => self.submodule(module, range),
                None if text == "numba.cuda" && alias.is_some() => {
                    self.edit(
                        range,
                        vec![Edit::replace(range, "numba.hip")],
                        "`numba.cuda` becomes `numba.hip`",
                    );
                    self.names.extend(alias);
                }
                None if text == "numba.cuda" => {
                    self.edit(
                        range,
                        vec![Edit::replace(range, "numba.hip")],
                        "`numba.cuda` becomes `numba.hip`",
                    );
                    self.names.push("numba.cuda".to_owned());
                }
                None if text.starts_with("numba.cuda.") => self.submodule(&text, range),
                _ => {}
            }
        }
    }

    /// A name of `from numba.cuda import …`.
    fn imported(&mut self, file: &PyFile<'_>, node: Node<'_>, name: &str, range: TextRange) {
        match NumbaTable::builtin().name(name) {
            NumbaName::Present => {
                if let Some(module) = node.child_by_field_name("module_name") {
                    let module = file.range(module);
                    self.edit(
                        module,
                        vec![Edit::replace(module, "numba.hip")],
                        "`numba.cuda` becomes `numba.hip`",
                    );
                }
            }
            NumbaName::Renamed(rename) => {
                let advice = format!(
                    "import the module, `from numba import hip as cuda`, and call cuda.{}",
                    rename.to
                );
                self.block(range, name, advice);
            }
            NumbaName::Missing(advice) => self.block(range, name, advice),
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
            NumbaName::Missing(advice) => self.block(range, &first, advice),
            _ => self.block(range, &first, "import what it has from numba.hip"),
        }
    }

    /// `cuda.grid`, `cuda.shared.array(0, …)`.
    fn attribute(&mut self, file: &PyFile<'_>, node: Node<'_>) {
        let (Some(object), Some(name)) = (
            node.child_by_field_name("object"),
            node.child_by_field_name("attribute"),
        ) else {
            return;
        };
        let module = file.squeezed(object);
        if !self.names.contains(&module) || file.side(node).is_some() {
            return;
        }
        let (range, text) = (file.range(name), file.text(name).into_owned());
        if module == "numba.cuda" {
            let module = file.range(object);
            self.edit(
                module,
                vec![Edit::replace(module, "numba.hip")],
                "`numba.cuda` becomes `numba.hip`",
            );
        }
        match NumbaTable::builtin().name(&text) {
            NumbaName::Present if text == "shared" => self.shared(file, node),
            NumbaName::Present => {}
            NumbaName::Renamed(rename) => {
                let Some(edits) = renamed(file, node, range, rename) else {
                    return self.block(
                        range,
                        &text,
                        format!(
                            "call cuda.{} with its arguments in place, without mask",
                            rename.to
                        ),
                    );
                };
                let note = if rename.note.is_empty() {
                    String::new()
                } else {
                    format!(": {}", rename.note)
                };
                self.edit(
                    range,
                    edits,
                    &format!("`{text}` becomes `{}`{note}", rename.to),
                );
            }
            NumbaName::Missing(advice) => self.block(range, &text, advice),
        }
    }

    /// Shared memory whose size is given at the launch.
    fn shared(&mut self, file: &PyFile<'_>, node: Node<'_>) {
        let call = node
            .parent()
            .and_then(|it| it.parent())
            .filter(|it| it.kind() == "call");
        let size = call.and_then(|call| file.argument(call, 0, "shape"));
        if let Some(size) = size.filter(|it| file.text(*it) == "0") {
            let advice =
                "numba.hip has no dynamic shared memory: write the largest size as a constant";
            self.block(file.range(size), "shared.array(0)", advice);
        }
    }

    /// `link=["x.ptx"]`: what is not HIP is not linked.
    fn links(&mut self, strings: &Strings<'_>) {
        let file = strings.file();
        for &call in strings.calls("jit") {
            let Some(link) = file.argument(call, usize::MAX, "link") else {
                continue;
            };
            let literals = file.all_below(link, &["string"]);
            for (node, literal) in literals
                .into_iter()
                .filter_map(|it| Some((it, Literal::new(file, it)?)))
            {
                let is_binary = [".ptx", ".cubin", ".fatbin", ".ltoir"]
                    .iter()
                    .any(|end| literal.text.ends_with(end));
                if is_binary {
                    self.block(file.range(node), &literal.text, "numba.hip links sources in HIP, bitcode and LLVM's IR: write the function in a .cu or .hip file");
                }
            }
        }
    }

    fn edit(&mut self, range: TextRange, edits: Vec<Edit>, message: &str) {
        if self.edits.iter().all(|(known, _, _)| *known != range) {
            self.edits.push((range, edits, message.to_owned()));
        }
    }

    fn block(
        &mut self,
        range: TextRange,
        name: &str,
        advice: impl Into<std::borrow::Cow<'static, str>>,
    ) {
        let message = format!(
            "numba-hip {} has no usable `{name}`: the file stays one for numba.cuda",
            NumbaTable::builtin().release()
        );
        self.blockers
            .push(RULE.finding(range, message).help(advice));
    }

    fn ported(self) -> Vec<Finding> {
        let of = |(range, edits, message): (TextRange, Vec<Edit>, String)| {
            let help = "install numba-hip; what shares arrays or kernels with this file must move with it, and what relies on warps of 32 lanes must be checked";
            RULE.finding(range, message)
                .severity(Severity::Warning)
                .help(help)
                .fix(Fix::review(edits))
        };
        self.edits.into_iter().map(of).collect()
    }
}

/// The edits of a call that changes its name and its arguments.
fn renamed(
    file: &PyFile<'_>,
    node: Node<'_>,
    name: TextRange,
    rename: &crate::mapping::NumbaRename,
) -> Option<Vec<Edit>> {
    let call = node
        .parent()
        .filter(|it| it.kind() == "call" && it.child_by_field_name("function") == Some(node))?;
    let arguments = file.elements(call.child_by_field_name("arguments")?);
    let is_plain = arguments.iter().all(|it| {
        !matches!(
            it.kind(),
            "keyword_argument" | "list_splat" | "dictionary_splat"
        )
    });
    let (first, second, last) = (arguments.first()?, arguments.get(1)?, arguments.last()?);
    if !is_plain {
        return None;
    }
    let mut edits = vec![Edit::replace(name, rename.to.clone())];
    if rename.mask {
        edits.push(Edit::delete(TextRange::new(
            first.start_byte() as u32,
            second.start_byte() as u32,
        )));
    }
    if rename.width {
        edits.push(Edit::insert(last.end_byte() as u32, ", 32"));
    }
    Some(edits)
}
