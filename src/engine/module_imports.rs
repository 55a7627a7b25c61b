//! What a script of Python imports of its tree, and on which GPUs.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::analysis::nvidia_modules::{is_asked_before, needs_at_start};
use crate::project::module_reach::{ModuleNames, ScriptImports};
use crate::python::{Made, PyFile, Questions, imports_of_lines, is_constant, too_deep};

/// What the lines of a script import that its tree may have, and which packages of NVIDIA's it ends without.
pub(crate) fn imports_of(bytes: &[u8], names: &ModuleNames, is_plain: bool) -> ScriptImports {
    let mut imports = imports_of_lines(bytes);
    let outermost = imports.iter().filter(|it| it.is_outermost);
    let needs = outermost.filter(|it| needs_at_start(&it.module));
    let mut needs: Vec<String> = needs.map(|it| it.module.clone()).collect();
    needs.extend(asks_nvml_at_start(bytes).then(|| "pynvml".to_owned()));
    let of_tree = imports.iter().filter(|it| names.has(it));
    let constants = of_tree
        .flat_map(|it| &it.names)
        .filter(|it| is_constant(it));
    let constants = constants.cloned().collect();
    imports.retain_mut(|it| names.keep(it));
    ScriptImports {
        imports,
        needs,
        constants,
        is_plain,
    }
}

/// Whether a script asks NVIDIA's management library as soon as it is loaded, outside of any block: without the library it ends there.
fn asks_nvml_at_start(bytes: &[u8]) -> bool {
    ["\npynvml.nvmlInit()", "\nnvmlInit()"]
        .iter()
        .any(|it| memchr::memmem::find(bytes, it.as_bytes()).is_some())
}

/// On which GPUs a script makes its imports, by where each begins.
pub(crate) fn made_where(bytes: &[u8], questions: &Arc<Questions>) -> FxHashMap<u32, Made> {
    if too_deep(bytes).is_some() {
        return FxHashMap::default();
    }
    let file = PyFile::new(bytes).with_questions(Arc::clone(questions));
    let imports = file.all(&["import_statement", "import_from_statement"]);
    let made = imports.into_iter().map(|import| {
        let made = match Made::from(file.side(import)) {
            Made::Anywhere if file.goes_on_without(import) || is_asked_before(&file, import) => {
                Made::WhereItWorks
            }
            made => made,
        };
        (import.start_byte() as u32, made)
    });
    made.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_needs_nvml_where_it_asks_it_as_it_is_loaded() {
        for (text, expected) in [
            ("import pynvml\n\npynvml.nvmlInit()\n", "pynvml"),
            ("import pynvml\ndef f():\n    pynvml.nvmlInit()\n", ""),
            ("import pynvml\n", ""),
        ] {
            let names = ModuleNames::new(["a.py"].into_iter());
            let found = imports_of(text.as_bytes(), &names, false);
            assert_eq!(found.needs.join(" "), expected, "{text}");
        }
    }
}
