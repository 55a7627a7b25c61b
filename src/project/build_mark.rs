//! What the build scripts of a tree make: programs by nvcc, or extensions of PyTorch.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::build::cmake::calls_project;
use crate::build::words::mentions_cuda;
use crate::mapping::ModuleTable;
use crate::python::{builds_extensions, mentions_roots};
use crate::syntax::Document;
use crate::text::Language;

/// What a build script makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// A part of what the list of a folder above makes: CUDA without a project of its own.
    Part,
    /// Programs and libraries by nvcc alone.
    Cuda,
    /// PyTorch extensions.
    Torch,
}

/// Folders of headers that only PyTorch has.
const HEADERS: &[&str] = &["torch/", "ATen/", "c10/", "THC/"];

/// Whether a file of this name can be a build script that says what it makes.
pub(crate) fn may_mark(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    const NAMES: &[&str] = &[
        "CMakeLists.txt",
        "Makefile",
        "makefile",
        "GNUmakefile",
        "pyproject.toml",
    ];
    file.ends_with(".py") || file.ends_with(".sh") || NAMES.contains(&file)
}

/// Whether a file is Python in which nothing concerns GPUs.
pub(crate) fn is_plain_python(name: &str, bytes: &[u8]) -> bool {
    let is_python = Language::of_path(name) == Language::Python;
    is_python
        && !mentions_roots(bytes)
        && !ModuleTable::builtin().is_mentioned(bytes)
        && !is_build_script(name, bytes)
}

/// Whether a script of Python says how something is built that has CUDA: a setup.py, or Spack's recipe of a package.
pub(crate) fn is_build_script(name: &str, bytes: &[u8]) -> bool {
    name.ends_with("setup.py") && mentions_cuda(bytes) || is_recipe(name, bytes)
}

/// Whether a script is Spack's recipe of a package, and names CUDA.
pub(crate) fn is_recipe(name: &str, bytes: &[u8]) -> bool {
    let has = |text: &str| memchr::memmem::find(bytes, text.as_bytes()).is_some();
    let is_package = name == "package.py" || name.ends_with("/package.py");
    is_package && has("depends_on(") && (has("CudaPackage") || has("cuda"))
}

/// Whether a module asks CuPy which vendor's GPU it runs on.
pub(crate) fn asks_cupy(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"runtime.is_hip").is_some()
}

/// The product of 8-bit matrices of PyTorch, which takes on MI300 what the GPU has.
pub(crate) const FLOAT8_PRODUCT: &str = "_scaled_mm";

/// Whether a module calls that product.
pub(crate) fn multiplies_float8(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, FLOAT8_PRODUCT.as_bytes()).is_some()
}

/// What a build script says of its folder, by its name and text; `None` for files that are no build script.
pub(crate) fn mark(name: &str, bytes: &[u8]) -> Option<Mark> {
    let has = |text: &str| memchr::memmem::find(bytes, text.as_bytes()).is_some();
    let file = name.rsplit('/').next().unwrap_or(name);
    let torch = |is_torch: bool| is_torch.then_some(Mark::Torch);
    let cuda = |is_cuda: bool| is_cuda.then_some(Mark::Cuda);
    match file {
        "CMakeLists.txt" => torch(finds_torch(bytes)).or_else(|| match calls_project(bytes) {
            true => cuda(has("CUDA") || has(".cu")),
            false => (has("CUDA") || has(".cu")).then_some(Mark::Part),
        }),
        "Makefile" | "makefile" | "GNUmakefile" => cuda(has("nvcc")),
        "pyproject.toml" => torch(requires_torch(bytes)),
        _ if file.ends_with(".sh") => cuda(has("nvcc") && has(".cu")),
        "setup.py" => torch(builds_extensions(bytes)),
        _ if file.ends_with(".py") => {
            let names_one = || {
                ["CUDAExtension", "BuildExtension"]
                    .iter()
                    .any(|name| has(name))
            };
            torch(builds_extensions(bytes) && (names_one() || loads(bytes)))
        }
        _ => None,
    }
}

/// What the lists of a tree make, by their folders: a part makes what the nearest list above it does that is none. One below a list that
/// finds PyTorch stays a part: what it compiles tells.
pub(crate) fn join_parts(lists: &mut [(&str, &mut Mark)]) {
    let whole: FxHashMap<String, Mark> = lists
        .iter()
        .filter(|(_, mark)| **mark != Mark::Part)
        .map(|(folder, mark)| ((*folder).to_owned(), **mark))
        .collect();
    for (folder, mark) in lists.iter_mut().filter(|(_, mark)| **mark == Mark::Part) {
        let mut above = *folder;
        let mut found = None;
        while !above.is_empty() && found.is_none() {
            above = above.rsplit_once('/').map_or("", |(above, _)| above);
            found = whole.get(above);
        }
        if found != Some(&Mark::Torch) {
            **mark = Mark::Cuda;
        }
    }
}

/// Whether a text calls `load` or `load_inline`, also with the bracket on the next line, `load \\`, or by a name that it imports them under:
/// `import load as load_extension`.
fn loads(bytes: &[u8]) -> bool {
    let renamed = ["load as ", "load_inline as "]
        .into_iter()
        .flat_map(|import| {
            // More imports of it than one nobody writes.
            let found = memchr::memmem::find_iter(bytes, import).take(2);
            found.map(move |at| {
                let name = &bytes[at + import.len()..];
                let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                &name[..name.iter().take_while(|byte| is_part(byte)).count()]
            })
        });
    let renamed = renamed.filter(|name| !name.is_empty());
    let mut names = [&b"load"[..], b"load_inline"].into_iter().chain(renamed);
    names.any(|name| {
        memchr::memmem::find_iter(bytes, name).any(|at| {
            let rest = bytes[at + name.len()..].trim_ascii_start();
            let rest = rest.strip_prefix(b"\\").unwrap_or(rest).trim_ascii_start();
            rest.first() == Some(&b'(')
        })
    })
}

/// Words by which a build script asks for AMD.
const SIGNS: &[&str] = &[
    "version.hip",
    "ROCM_HOME",
    "HIP_HOME",
    "IS_HIP_EXTENSION",
    "version.rocm",
];

/// Whether a build script tells that somebody has ported the sources. To refuse AMD, to take options of nvcc away, which this program does
/// itself, and to accept its compiler in nvcc's place say nothing of the sources.
pub(crate) fn tells_of_port(bytes: &[u8]) -> bool {
    const TELLS_NOTHING: &[&str] = &[
        "assert not ",
        "[] if torch.version.hip else",
        "cuda or torch.version.hip",
    ];
    let has = |line: &[u8], words: &str| memchr::memmem::find(line, words.as_bytes()).is_some();
    let lines = bytes.split(|byte| *byte == b'\n');
    lines
        .map(<[u8]>::trim_ascii_start)
        .filter(|line| !line.starts_with(b"#") && !TELLS_NOTHING.iter().any(|it| has(line, it)))
        .any(asks_for_amd)
}

/// Whether a build script of PyTorch extensions asks for AMD.
pub(super) fn asks_for_amd(bytes: &[u8]) -> bool {
    let mut signs = SIGNS.iter();
    signs.any(|sign| memchr::memmem::find(bytes, sign.as_bytes()).is_some())
}

/// `find_package(Torch REQUIRED)`, whatever the case and the blanks, unless an option of the list asks for it, or whether a folder is there,
/// or the list goes on where it was not found: what is built without it as well is no extension. Torch of Lua adds packages.
fn finds_torch(bytes: &[u8]) -> bool {
    let lines = bytes.split(|byte| *byte == b'\n');
    let code = lines.map(|line| line.split(|byte| *byte == b'#').next().unwrap_or_default());
    let lower = code.collect::<Vec<_>>().join(&b'\n').to_ascii_lowercase();
    if memchr::memmem::find(&lower, b"add_torch_package").is_some() {
        return false;
    }
    let (mut options, mut conditions) = (FxHashSet::<&[u8]>::default(), Vec::<&[u8]>::new());
    let mut lines = lower.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    while let Some(line) = lines.next() {
        if let Some(argument) = first_argument(line, b"option") {
            options.insert(argument);
        } else if let Some(argument) = first_argument(line, b"if") {
            conditions.push(argument);
        } else if first_argument(line, b"endif").is_some() {
            conditions.pop();
        } else if memchr::memmem::find(line, b"find_package")
            .and_then(|at| first_argument(&line[at..], b"find_package"))
            .is_some_and(|package| package.starts_with(b"torch"))
        {
            let is_required = memchr::memmem::find(line, b"required").is_some();
            let asks = |line: &[u8]| first_argument(line, b"if") == Some(b"torch_found");
            let looks = |it: &&[u8]| matches!(*it, b"exists" | b"defined");
            let is_optional = conditions
                .iter()
                .any(|it| options.contains(it) || looks(it));
            return !is_optional && (is_required || !lines.any(asks));
        }
    }
    false
}

/// The first word within the brackets of a command that a line begins with.
fn first_argument<'b>(line: &'b [u8], command: &[u8]) -> Option<&'b [u8]> {
    let rest = line.strip_prefix(command)?.trim_ascii_start();
    let rest = rest.strip_prefix(b"(")?.trim_ascii_start();
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b')' | b'"');
    let end = rest.iter().position(is_end).unwrap_or(rest.len());
    Some(&rest[..end])
}

/// Whether `[build-system]` asks for torch, as a build of extensions does.
fn requires_torch(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let Some((_, section)) = text.split_once("[build-system]") else {
        return false;
    };
    let section = section.split("\n[").next().unwrap_or(section);
    let Some((_, list)) = section.split_once("requires") else {
        return false;
    };
    let list = list.split(']').next().unwrap_or(list);
    let mut items = list.split(['"', '\'']).skip(1).step_by(2);
    items.any(|item| item.split([' ', '=', '>', '<', '~', '!', ';']).next() == Some("torch"))
}

/// Whether an include path is one of PyTorch's.
pub(super) fn is_torch_header(path: &str) -> bool {
    HEADERS.iter().any(|folder| path.starts_with(folder))
}

/// Whether a file includes a header of PyTorch itself.
pub(crate) fn includes_torch(document: &Document<'_>) -> bool {
    let mut paths = document.includes.iter();
    paths.any(|include| is_torch_header(&document.source.text(include.path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_alone_tells_of_no_port() {
        for (script, expected) in [
            ("assert not torch.version.hip, \"CUDA only\"\n", false),
            (
                "flags = [\"-O3\", *([] if torch.version.hip else [\"-lineinfo\"])]\n",
                false,
            ),
            (
                "if torch.version.cuda or torch.version.hip:\n    pass\n",
                false,
            ),
            ("# torch.version.hip is not known here\n", false),
            (
                "if torch.version.hip:\n    macros += [\"-DUSE_ROCM\"]\n",
                true,
            ),
            ("from torch.utils.cpp_extension import ROCM_HOME\n", true),
        ] {
            assert_eq!(tells_of_port(script.as_bytes()), expected, "{script}");
        }
    }

    #[test]
    fn build_scripts_say_what_they_make() {
        let of = |name: &str, text: &str| mark(name, text.as_bytes());
        assert_eq!(
            of(
                "setup.py",
                "from torch.utils.cpp_extension import CUDAExtension"
            ),
            Some(Mark::Torch)
        );
        assert_eq!(
            of(
                "a/jit.py",
                "from torch.utils.cpp_extension import load\nload(x)"
            ),
            Some(Mark::Torch)
        );
        let below =
            "from torch.utils.cpp_extension import load\next = load \\\n(\n    name = 'e',\n)\n";
        assert_eq!(of("a/ext.py", below), Some(Mark::Torch));
        let renamed =
            "from torch.utils.cpp_extension import load as build\next = build('e', ['e.cu'])\n";
        assert_eq!(mark("model.py", renamed.as_bytes()), Some(Mark::Torch));
        let folder = "from torch.utils.cpp_extension import CUDA_HOME\nstate.load_state(x)\n";
        assert_eq!(of("a/run.py", folder), None);
        assert_eq!(of("a/b.py", "import torch"), None);
        let copied = "# From torch/utils/cpp_extension.py\nclass BuildExtension(build_ext):\n  c._cpp_extensions += [1]\n";
        assert_eq!(of("setup.py", copied), None);
        assert_eq!(
            of(
                "CMakeLists.txt",
                "project(a CUDA)\nfind_package( Torch REQUIRED)"
            ),
            Some(Mark::Torch)
        );
        assert_eq!(of("CMakeLists.txt", "project(a CUDA)"), Some(Mark::Cuda));
        assert_eq!(of("a/CMakeLists.txt", "if(CUDA)\n"), Some(Mark::Part));
        let asked = |list: &str| of("CMakeLists.txt", &format!("project(a CUDA)\n{list}"));
        let option = "option(BUILD_OPS \"ops for PyTorch\" OFF)\n";
        let inside =
            "if( BUILD_OPS )\n  if(X)\n  endif()\n  find_package(Torch REQUIRED)\nendif()\n";
        assert_eq!(asked(&format!("{option}{inside}")), Some(Mark::Cuda));
        assert_eq!(asked(inside), Some(Mark::Torch));
        let behind = "if(BUILD_OPS)\nendif()\nfind_package(Torch)\n";
        assert_eq!(asked(&format!("{option}{behind}")), Some(Mark::Torch));
        let there = "if(EXISTS $ENV{TORCH_HOME})\n  find_package(Torch REQUIRED)\nendif()\n";
        assert_eq!(asked(there), Some(Mark::Cuda));
        let found =
            "find_package(Torch)\nif(TORCH_FOUND)\n  add_definitions(-DUSE_TORCH)\nendif()\n";
        assert_eq!(asked(found), Some(Mark::Cuda));
        let missing = "find_package(Torch)\nif(NOT TORCH_FOUND)\n  message(FATAL_ERROR)\nendif()\n";
        assert_eq!(asked(missing), Some(Mark::Torch));
        let comment = "# find_package(Torch) comes later\nproject(a CUDA)\n";
        assert_eq!(of("CMakeLists.txt", comment), Some(Mark::Cuda));
        let lua = "project(a)\nfind_package(CUDA)\nFIND_PACKAGE(Torch)\nADD_TORCH_PACKAGE(a \"a.c\" \"a.lua\")\n";
        assert_eq!(of("CMakeLists.txt", lua), Some(Mark::Cuda));
        let requires = "[build-system]\nrequires = [\n  \"setuptools\",\n  \"torch>=2.1\",\n]\n";
        assert_eq!(of("pyproject.toml", requires), Some(Mark::Torch));
        assert_eq!(
            of(
                "pyproject.toml",
                "[build-system]\nrequires = [\"torchvision\"]\n"
            ),
            None
        );
        assert_eq!(
            of("pyproject.toml", "[project]\nrequires = [\"torch\"]\n"),
            None
        );
    }

    #[test]
    fn a_list_without_a_project_is_a_part_of_the_one_above() {
        let (mut torch, mut inner, mut other, mut own) =
            (Mark::Torch, Mark::Part, Mark::Part, Mark::Cuda);
        join_parts(&mut [
            ("a", &mut torch),
            ("a/b/c", &mut inner),
            ("z", &mut other),
            ("a/d", &mut own),
        ]);
        let marks = [torch, inner, other, own];
        assert_eq!(marks, [Mark::Torch, Mark::Part, Mark::Cuda, Mark::Cuda]);
    }
}
