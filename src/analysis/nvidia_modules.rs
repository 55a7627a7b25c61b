//! Packages of Python that have no backend for AMD, and who imports them.

use crate::mapping::{ModuleTable, NvidiaModule};
use crate::python::{Literal, Node, PyFile, parents};

impl NvidiaModule {
    /// Whether a function or a class is called after it: `FA3Backend`, `_load_deep_gemm`, `flash_attn_no_pad_v3`.
    fn is_in_name(&self, name: &str) -> bool {
        let words = format!("_{}_", words_of(&parted(name)).join("_"));
        let is_third = || words.ends_with("_v3_") && words.contains("_flash_");
        self.row.called.iter().any(|it| names(&words, it))
            || self.name == "flash_attn_interface" && is_third()
    }
}

/// The modules of cuda-python before its release 12.6: `cuda.cuda`, `cuda.cudart`, `cuda.nvrtc`.
const OLD_CUDA_PYTHON: &str = "cuda.cuda";

/// What `from cuda import …` and `import cuda.…` import of cuda-python before its release 12.6.
const OF_CUDA: &[&str] = &["cuda", "cudart", "nvrtc"];

/// The imports of modules without a backend for AMD, those by `import_module("…")` among them.
pub(crate) fn imports_of_nvidia<'t>(
    file: &'t PyFile<'_>,
) -> Vec<(Node<'t>, &'static NvidiaModule)> {
    let imports = file.all(&["import_statement", "import_from_statement", "call"]);
    let of_import = |import: Node<'t>| {
        let modules = imported(file, import).into_iter();
        let mut known = modules.filter_map(|name| known(&name));
        Some((import, known.next()?))
    };
    imports.into_iter().filter_map(of_import).collect()
}

/// Whether a file is for such a module by its name and by what it imports, or for one of NVIDIA's architectures: `kernels/cute/launcher.py` and
/// `gemm_sm100.py` that import `cutlass`. A program that has such files chooses them, and has others for other GPUs.
pub(crate) fn is_called_after_module(file: &PyFile<'_>, path: &str) -> bool {
    let path = format!("_{}_", words_of(path).join("_"));
    let is_named = |name: &String| names(&path, name);
    let is_of_architecture = is_called_after_architecture(&path);
    // cuda-python serves the others.
    let is_of_any = || all().flat_map(|it| &it.row.called).any(is_named);
    let imports = imports_of_nvidia(file);
    imports.iter().any(|(_, module)| {
        is_of_architecture
            || module.row.called.iter().any(is_named)
            || module.row.serves && is_of_any()
    })
}

/// Whether a path is called after such a module, `cutlass_benchmarks/sparse.py`, `test_flashmla.py`: what it makes is for that. One that AMD
/// has by the same name does not count.
pub(crate) fn is_named_after_module(path: &str) -> bool {
    is_named_after(path, |module| !module.row.on_amd)
}

/// The same of the modules that count.
fn is_named_after(path: &str, counts: impl Fn(&NvidiaModule) -> bool) -> bool {
    let path = format!("_{}_", words_of(path).join("_"));
    let modules = all().filter(|it| counts(it));
    modules
        .flat_map(|it| &it.row.called)
        .any(|name| names(&path, name))
}

/// Whether the words of a path, each between two `_`, are called after a module; a long name may begin one, `nvfuserex_impl.py`.
fn names(words: &str, name: &str) -> bool {
    /// `trtllm` is a name that no other word begins with, `cute` begins many.
    const LONG: usize = 6;
    let mut rest = words
        .match_indices(name)
        .filter(|(at, _)| words[..*at].ends_with('_'));
    rest.any(|(at, _)| name.len() >= LONG || words[at + name.len()..].starts_with('_'))
}

/// Whether what a file decides is for such a module, by its path: `matmul/cutlass/backend.py`, `cudnn_attention.py`. Multi-head latent
/// attention is in files called `flash_mla.py` with every vendor.
pub(crate) fn decides_for_module(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    is_named_after_module(folders)
        || is_named_after(name, |module| {
            module.name != "flash_mla" && !module.row.on_amd
        })
}

/// Whether an import is made where an option that is called after the module is on, `if self.allow_deep_gemm:`, or in a function or class
/// that is called after it, `class FA3Backend`, which a program has beside others.
pub(crate) fn is_option(file: &PyFile<'_>, import: Node<'_>, module: &NvidiaModule) -> bool {
    let last = module.name.rsplit('.').next().unwrap_or(&module.name);
    let is_called_after = |it: Node<'_>| {
        let is_named = matches!(it.kind(), "function_definition" | "class_definition");
        let name = it.child_by_field_name("name").filter(|_| is_named);
        name.is_some_and(|it| module.is_in_name(&file.text(it)))
    };
    let asks = |text: &str| {
        let words = format!("_{}_", words_of(text).join("_"));
        text.contains(last) || module.row.called.iter().any(|it| names(&words, it))
    };
    is_reached_by(file, import, asks) || parents(import).any(is_called_after)
}

/// Whether a path is called after one of NVIDIA's architectures: `gemm_sm100.py`, `hopper/setup.py`. A program that has such files chooses
/// them, and has others for other GPUs.
pub(crate) fn is_called_after_architecture(path: &str) -> bool {
    words_of(path).iter().any(|word| names_architecture(word))
}

/// The words of a path, in lower case.
fn words_of(path: &str) -> Vec<String> {
    let lower = path.to_ascii_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.map(str::to_owned).collect()
}

/// A name with a line between its parts where capitals begin them: `FA3_Backend` of `FA3Backend`.
fn parted(name: &str) -> String {
    let mut parted = String::with_capacity(name.len() + 4);
    let mut letters = name.chars().peekable();
    let mut before = '_';
    while let Some(letter) = letters.next() {
        let is_small = |it: char| it.is_ascii_lowercase();
        let begins_word = letters.peek().copied().is_some_and(is_small);
        if letter.is_ascii_uppercase() && before != '_' && (begins_word || is_small(before)) {
            parted.push('_');
        }
        parted.push(letter);
        before = letter;
    }
    parted
}

/// Whether a word is the name of one of NVIDIA's architectures since Hopper: `sm90`, `sm12x`, `blackwell`.
fn names_architecture(word: &str) -> bool {
    let number = word.strip_prefix("sm").unwrap_or_default();
    let number = number.trim_end_matches(['a', 'f', 'x']);
    let is_number = matches!(number.len(), 2 | 3) && number.bytes().all(|it| it.is_ascii_digit());
    matches!(word, "hopper" | "blackwell")
        || is_number && !number.starts_with(['2', '3', '5', '6', '7', '8'])
}

/// Whether a file ends on AMD before it does anything: it imports such a module at its outermost level, or is a test that is left out where
/// that is not installed. `is_own` says of a module whether the tree has it.
pub(crate) fn needs_nvidia(file: &PyFile<'_>, is_own: impl Fn(&str) -> bool) -> bool {
    let mut imports = imports_of_nvidia(file).into_iter();
    imports
        .any(|(import, module)| is_outermost(import) && !module.row.on_amd && !is_own(&module.name))
        || is_skipped_without(file)
}

/// Whether a script that imports a module at its outermost level ends on AMD.
pub(crate) fn needs_at_start(module: &str) -> bool {
    known(module).is_some_and(|it| !it.row.on_amd)
}

/// Whether a file is a test that is left out where such a module is not installed: `pytest.importorskip("cutlass")` at its outermost level.
pub(crate) fn is_skipped_without(file: &PyFile<'_>) -> bool {
    let skips = |call: &Node<'_>| {
        let statement = call.parent();
        let statement = statement
            .filter(|it| it.kind() != "assignment")
            .or(statement.and_then(|it| it.parent()));
        let name = file.argument(*call, 0, "modname");
        let name = name.and_then(|it| Literal::new(file, it));
        file.callee(*call).is_some_and(|it| it == "importorskip")
            && statement.is_some_and(is_outermost)
            && name.is_some_and(|it| known(&it.text).is_some())
    };
    file.all(&["call"]).iter().any(skips)
}

/// Whether a statement stands in no block.
fn is_outermost(statement: Node<'_>) -> bool {
    statement
        .parent()
        .is_some_and(|above| above.kind() == "module")
}

/// Whether what a place decides needs such a module: an import of one stands in front of it in its block, or in its function in a way that
/// ends the function where it fails: it is not tried, or what catches it leaves.
pub(crate) fn is_left_to_nvidia(
    file: &PyFile<'_>,
    imports: &[(Node<'_>, &NvidiaModule)],
    place: Node<'_>,
) -> bool {
    let function = place.function();
    imports.iter().any(|(import, module)| {
        let block = import.parent();
        let is_in_front = import.start_byte() < place.start_byte();
        let is_behind = is_in_front && block.is_some_and(|it| it.is_around(place));
        let is_of_function = function.is_some() && import.function() == function;
        !module.row.on_amd && (is_behind || is_of_function && ends_function(file, *import))
    })
}

/// Whether an import is made only where the program found the package: `if env_info["has_flash_attn_3"]:`, `if is_cutlass_available():`, or
/// in a test that a decorator leaves out without it, `@with_package("cudf")`.
pub(crate) fn is_asked_before(file: &PyFile<'_>, import: Node<'_>) -> bool {
    is_asked_by_condition(file, import) || is_asked_by_decorator(file, import)
}

/// Whether a decorator of the function around an import names what is imported in a text.
fn is_asked_by_decorator(file: &PyFile<'_>, import: Node<'_>) -> bool {
    let modules = imported(file, import);
    let names = |text: &str| modules.iter().any(|it| it.split('.').next() == Some(text));
    let decorated = parents(import).filter(|it| it.kind() == "decorated_definition");
    // The cases of a test are run on AMD as well.
    let is_of_cases = |it: &Node<'_>| {
        let call = it.named_child(0).filter(|it| it.kind() == "call");
        let name = call.and_then(|it| file.callee(it));
        name.is_some_and(|it| it == "parametrize")
    };
    let mut decorators = decorated
        .flat_map(|it| it.named_children())
        .filter(|it| it.kind() == "decorator" && !is_of_cases(it));
    decorators.any(|decorator| {
        let texts = file.all_below(decorator, &["string"]).into_iter();
        let mut texts = texts.filter_map(|it| Literal::new(file, it));
        texts.any(|it| names(&it.text))
    })
}

fn is_asked_by_condition(file: &PyFile<'_>, import: Node<'_>) -> bool {
    const QUESTIONS: &[&str] = &["has_", "available", "installed", "find_spec"];
    const OF_GPU: &[&str] = &["cuda.is_available", "gpu_available", "cuda_available"];
    is_reached_by(file, import, |text| {
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        has(QUESTIONS) && !has(OF_GPU)
    })
}

/// Whether a place stands behind an `if` whose condition, in lower case and without white space, asks something.
fn is_reached_by(file: &PyFile<'_>, place: Node<'_>, asks: impl Fn(&str) -> bool) -> bool {
    let mut below = place;
    parents(place).any(|it| {
        let is_reached = it.child_by_field_name("consequence") == Some(below);
        let condition = it.child_by_field_name("condition").filter(|_| is_reached);
        below = it;
        condition.is_some_and(|it| asks(&file.dotted(it).to_ascii_lowercase()))
    })
}

/// Whether a place is only reached where an import of such a module worked that the file tries: an `if` around it asks for what the import
/// binds, `if flash_attn_3 is not None:`, or for what is set beside it, `if HAS_CUTE:`.
pub(crate) fn is_behind_found(
    file: &PyFile<'_>,
    imports: &[(Node<'_>, &NvidiaModule)],
    place: Node<'_>,
) -> bool {
    let tried = imports.iter().filter(|(import, module)| {
        !module.row.on_amd && import.function().is_none() && file.is_tried(*import)
    });
    let found = tried.flat_map(|(import, _)| names_where_found(file, *import));
    let found: Vec<String> = found.collect();
    let mut below = place;
    !found.is_empty()
        && parents(place).any(|it| {
            let is_reached = it.child_by_field_name("consequence") == Some(below);
            let condition = it.child_by_field_name("condition").filter(|_| is_reached);
            below = it;
            condition.is_some_and(|it| asks_for_one(file, it, &found))
        })
}

/// Whether a condition only holds where one of some names is there: it is the name, says that it is not `None`, or asks for it and more.
fn asks_for_one(file: &PyFile<'_>, condition: Node<'_>, names: &[String]) -> bool {
    let mut open = vec![condition];
    while let Some(part) = open.pop() {
        let asked = match part.kind() {
            "identifier" => file.text(part).into_owned(),
            "comparison_operator" => {
                let text = file.squeezed(part);
                text.strip_suffix("isnotNone")
                    .map_or_else(String::new, str::to_owned)
            }
            _ => String::new(),
        };
        if names.contains(&asked) {
            return true;
        }
        let operator = part.child_by_field_name("operator");
        let is_and = operator.is_some_and(|it| file.text(it) == "and");
        if part.kind() == "parenthesized_expression" || is_and {
            open.extend(part.named_children());
        }
    }
    false
}

/// The names that an import binds, and those that are set to `True` in its block.
fn names_where_found(file: &PyFile<'_>, import: Node<'_>) -> Vec<String> {
    let bound = file.elements(import).into_iter().filter_map(|it| {
        let alias = it.child_by_field_name("alias");
        let name = file.dotted(alias.unwrap_or(it));
        let is_module = Some(it) == import.child_by_field_name("module_name");
        (!is_module).then(|| name.split('.').next().unwrap_or(&name).to_owned())
    });
    let beside = import
        .parent()
        .into_iter()
        .flat_map(|it| it.named_children());
    let set = beside.filter_map(|it| {
        let assignment = it.named_child(0).filter(|it| it.kind() == "assignment")?;
        let value = assignment.child_by_field_name("right")?;
        let name = assignment.child_by_field_name("left")?;
        (value.kind() == "true").then(|| file.text(name).into_owned())
    });
    bound.chain(set).collect()
}

/// Whether a function goes on behind an import only where it works.
fn ends_function(file: &PyFile<'_>, import: Node<'_>) -> bool {
    let around = parents(import).take_while(|it| it.kind() != "function_definition");
    goes_on_with_import(file, around)
}

/// Whether a script goes on behind an import of its outermost level only where it works: what catches its failure raises another one, or
/// ends the program.
pub(crate) fn ends_script(file: &PyFile<'_>, import: Node<'_>) -> bool {
    let around = parents(import).take_while(|it| it.kind() != "module");
    import.function().is_none() && goes_on_with_import(file, around)
}

/// Whether what stands around an import leaves where it fails.
fn goes_on_with_import<'t>(file: &PyFile<'t>, mut around: impl Iterator<Item = Node<'t>>) -> bool {
    // What a branch imports is imported for that branch.
    around.all(|it| match it.kind() {
        "block" => true,
        "try_statement" => it
            .named_children()
            .filter(|it| it.kind() == "except_clause")
            .all(|it| leaves(file, it)),
        _ => false,
    })
}

/// Whether a clause ends with `return`, `raise` or the end of the program, `sys.exit(1)`.
fn leaves(file: &PyFile<'_>, clause: Node<'_>) -> bool {
    let body = clause
        .named_children()
        .filter(|it| it.kind() == "block")
        .last();
    let last = body.and_then(|it| it.named_children().last());
    last.is_some_and(|it| {
        let call = it.named_child(0).filter(|it| it.kind() == "call");
        matches!(it.kind(), "return_statement" | "raise_statement")
            || call.is_some_and(|it| file.is_exit(it))
    })
}

/// The module that a name is or lies below.
fn known(name: &str) -> Option<&'static NvidiaModule> {
    ModuleTable::builtin().get(name)
}

fn all() -> impl Iterator<Item = &'static NvidiaModule> {
    ModuleTable::builtin().modules.iter()
}

/// The modules that a statement or a call imports; cuda-python's of old by their names since.
pub(crate) fn imported(file: &PyFile<'_>, import: Node<'_>) -> Vec<String> {
    let of_cuda_python = |name: String| {
        let below = name.strip_prefix("cuda.");
        match below.is_some_and(|below| OF_CUDA.contains(&below)) {
            true => OLD_CUDA_PYTHON.to_owned(),
            false => name,
        }
    };
    if import.kind() == "call" {
        let called = imported_by_call(file, import);
        return called.map(of_cuda_python).into_iter().collect();
    }
    let name_of = |it: &Node<'_>| file.dotted(it.child_by_field_name("name").unwrap_or(*it));
    let elements = file.elements(import);
    let Some(module) = import.child_by_field_name("module_name") else {
        let names = elements.iter().map(name_of);
        return names.map(of_cuda_python).collect();
    };
    let module = file.dotted(module);
    let is_of_cuda = |it: &Node<'_>| OF_CUDA.contains(&name_of(it).as_str());
    match module.as_str() {
        "cuda" if elements.iter().skip(1).any(is_of_cuda) => vec![OLD_CUDA_PYTHON.to_owned()],
        _ => vec![module],
    }
}

/// The module of `importlib.import_module("tensorrt")` and of `__import__("tensorrt")`.
fn imported_by_call(file: &PyFile<'_>, call: Node<'_>) -> Option<String> {
    let callee = file.callee(call)?;
    let is_import = matches!(&*callee, "import_module" | "__import__");
    let name = is_import
        .then(|| file.argument(call, 0, "name"))
        .flatten()?;
    Some(Literal::new(file, name)?.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_called_after_modules() {
        for (path, expected) in [
            ("kit/matmul/cutlass/backend.py", true),
            ("cute_dsl/target.py", true),
            ("fused/flash_mla.py", false),
            ("execute/backend.py", false),
            ("nvfuserex/rules.py", true),
            ("trtools/rules.py", false),
            ("ops/tilecpp/attention.py", true),
            ("kernels/cudnn_attention.py", true),
            ("attention/cutlass.py", true),
            ("docker/Dockerfile.TE", false),
            ("install_deep_gemm.sh", true),
        ] {
            assert_eq!(decides_for_module(path), expected, "{path}");
        }
    }
}
