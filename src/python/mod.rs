//! Python files as trees of tree-sitter: strings, calls, lists, and which vendor a branch is for. Nothing is run or evaluated.

mod bindings;
mod deep;
mod elsewhere;
mod embedded;
mod escape;
mod guard;
mod imports;
mod literal;
mod mocked;
mod named;
mod node;
mod notebook;
pub(crate) mod numba;
mod questions;
mod replaced;
mod scope;
mod script;
mod side;
mod strings;
mod template;
mod told;
mod triton;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::sync::{Arc, LazyLock};

use regex::bytes::Regex;
use tree_sitter::{Parser, Tree};

use crate::text::{TextRange, line_start};

pub(crate) use bindings::Bindings;
pub(crate) use deep::{Levels, too_deep};
pub(crate) use elsewhere::answers;
pub use embedded::{Embedded, Reader};
pub(crate) use embedded::{embedded, may_embed};
pub(crate) use guard::is_version_for_cuda;
pub(crate) use imports::{Import, Made, imports_of_lines};
pub(crate) use literal::Literal;
pub use node::Node;
pub(crate) use notebook::{CellLine, Cells, cell_lines, notebook};
pub(crate) use questions::Questions;
pub(crate) use replaced::replaced;
pub use scope::Question;
pub(crate) use script::Script;
pub use side::Side;
pub(crate) use side::{AMD_WORDS, OTHER_ACCELERATORS, names_other_accelerator};
pub(crate) use strings::Strings;
pub use strings::Text;
pub(crate) use told::{is_constant, value_given_to};

/// A Python file. Offsets are those of its bytes; what the grammar cannot read is an `ERROR` node and no failure.
pub struct PyFile<'s> {
    bytes: &'s [u8],
    nodes: node::Nodes,
    asked: Box<RefCell<side::Asked>>,
    named: OnceCell<side::Named>,
    words: OnceCell<Box<side::Words>>,
    kernels: OnceCell<side::Kernels>,
    knows_amd: OnceCell<bool>,
    switches: OnceCell<Vec<u32>>,
    questions: Arc<Questions>,
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new({
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_python::LANGUAGE.into()).expect("the grammar is built for this library version");
        parser
    });
}

/// What one of stands in nearly all texts that rules about Python look for. They are looked for by their first bytes, so these are rare
/// ones: `riton`, not `triton`, for that begins as `return` and `try` do. Takes half the time.
#[rustfmt::skip]
const ROOTS: &[&str] = &[
    "cuda", "CUDA", "%cu", "nvrtc", "nvml", "vidia", "nvcc", "riton", "umba", "t_device_", "w_tf32", "ld_info",
    "pp_ext", "d_inline", "_global__", "Kernel", "wModule", "eModule", "libcu", "nvTools", "caled_mm", "cudnn", "cutlass", "cr.io/", "cu1",
    "hl/cu", "l_requires", "s_require", "ls.ffi", "rt ffi", "nvsmi", "_device__", ".asm[", "nsys", "\"ncu", "'ncu", "/ncu", " ncu",
    "\nncu", "N_ATTENTION", "_CUTLASS", "DSBuilder", "h_attn_3", "nvprof", "e-sanit", "cuobj", "nvdis", "-nsight", "dcgmi",
    "n.hip", "is_hip", "is_rocm", "is_amd", "IS_HIP", "IS_ROCM", "IS_AMD",
];

/// Whether a script lists the backends of a program for both vendors, as Triton's own build does: `["nvidia", "amd"]`.
pub(crate) fn has_backends_for_both(bytes: &[u8]) -> bool {
    let has = |name: &str| {
        let quoted = [format!("\"{name}\""), format!("'{name}'")];
        quoted
            .iter()
            .any(|it| memchr::memmem::find(bytes, it.as_bytes()).is_some())
    };
    has("nvidia") && (has("amd") || has("rocm") || has("hip"))
}

/// Whether a Python file builds extensions of PyTorch. Where somebody copied something from, a comment, is no use of it, and
/// `_cpp_extensions` is a list of Python's own compilers.
pub(crate) fn builds_extensions(bytes: &[u8]) -> bool {
    // The last is how builders of DeepSpeed's kind are asked for their options.
    const WORDS: &[&str] = &["CUDAExtension", "cpp_extension", "def nvcc_args"];
    let uses = |code: &[u8], word: &str| {
        let mut places = memchr::memmem::find_iter(code, word);
        places.any(|at| code.get(at + word.len()) != Some(&b's'))
    };
    let code = |line: &'_ [u8]| {
        line.iter()
            .position(|byte| *byte == b'#')
            .unwrap_or(line.len())
    };
    WORDS.iter().any(|word| {
        uses(bytes, word)
            && bytes
                .split(|byte| *byte == b'\n')
                .any(|line| uses(&line[..code(line)], word))
    })
}

/// Whether a text has anything that nearly all of those have which mention GPUs or build extensions. One pass over it, of vector
/// instructions: a quarter of the time that one for each text takes.
pub(crate) fn mentions_roots(bytes: &[u8]) -> bool {
    static FOUND: LazyLock<Regex> = LazyLock::new(|| {
        let roots: Vec<String> = ROOTS.iter().map(|root| regex::escape(root)).collect();
        Regex::new(&roots.join("|")).expect("escaped words are an expression")
    });
    FOUND.is_match(bytes)
}

/// Whether a text reads as Python rather than as C++: by the words that lines of either begin with, else by its tree.
pub(crate) fn reads_as_python(bytes: &[u8]) -> bool {
    const PYTHON: &[&[u8]] = &[
        b"import ",
        b"from ",
        b"def ",
        b"class ",
        b"@",
        b"\"\"\"",
        b"if __name__",
    ];
    const CPP: &[&[u8]] = &[
        b"#include",
        b"//",
        b"/*",
        b"template",
        b"__global__",
        b"extern ",
        b"using ",
        b"namespace ",
        b"#define",
        b"#pragma",
        b"void ",
    ];
    for line in bytes.split(|byte| *byte == b'\n') {
        let starts = |words: &[&[u8]]| words.iter().any(|word| line.starts_with(word));
        match (starts(PYTHON), starts(CPP)) {
            // `class` begins lines of both; Python's end in a colon.
            (true, _) if !line.starts_with(b"class ") || line.trim_ascii_end().ends_with(b":") => {
                return true;
            }
            (_, true) => return false,
            _ => {}
        }
    }
    !parsed(bytes).root_node().has_error()
}

/// What is longer is no name, in bytes: of `a().b().c()` each call has all those before it in its text.
const LONGEST_NAME: usize = 200;

fn parsed(bytes: &[u8]) -> Tree {
    let bytes = if too_deep(bytes).is_some() {
        b""
    } else {
        bytes
    };
    let tree = PARSER.with_borrow_mut(|parser| parser.parse(bytes, None));
    tree.expect("a language is set and nothing cancels")
}

impl<'s> PyFile<'s> {
    /// Parses a file.
    pub fn new(bytes: &'s [u8]) -> Self {
        Self {
            bytes,
            nodes: node::Nodes::new(&parsed(bytes)),
            asked: Box::default(),
            named: OnceCell::new(),
            words: OnceCell::new(),
            kernels: OnceCell::new(),
            knows_amd: OnceCell::new(),
            switches: OnceCell::new(),
            questions: Arc::default(),
        }
    }

    /// The file among the scripts of a tree that answer questions for it.
    #[must_use]
    pub(crate) fn with_questions(self, questions: Arc<Questions>) -> Self {
        Self { questions, ..self }
    }

    /// The module.
    pub fn root(&self) -> Node<'_> {
        self.nodes.node(0)
    }

    /// The bytes of a node.
    pub fn range(&self, node: Node<'_>) -> TextRange {
        TextRange::new(node.start_byte() as u32, node.end_byte() as u32)
    }

    /// The text of a node; invalid UTF-8 is replaced.
    pub fn text(&self, node: Node<'_>) -> Cow<'s, str> {
        String::from_utf8_lossy(&self.bytes[node.byte_range()])
    }

    /// The text of a node without white space, to compare expressions by: `torch.version.hip` of `getattr(torch.version, "hip", None)` too.
    pub(crate) fn squeezed(&self, node: Node<'_>) -> String {
        with_members(self.text(node).split_whitespace().collect())
    }

    /// The text of a node without white space, as far as it is short enough for a name with its modules, `torch.version.cuda`; else nothing.
    pub(crate) fn dotted(&self, node: Node<'_>) -> String {
        match node.byte_range().len() <= LONGEST_NAME {
            true => self.squeezed(node),
            false => String::new(),
        }
    }

    /// The attributes whose last name is one of these, first byte first: `cuda` of `torch.version.cuda`.
    pub(crate) fn attributes(&self, names: &[&str]) -> Vec<Node<'_>> {
        let is_it = |it: &Node<'_>| {
            let last = it.child_by_field_name("attribute");
            last.is_some_and(|last| {
                let last = &self.bytes[last.byte_range()];
                names.iter().any(|name| name.as_bytes() == last)
            })
        };
        let mut all = self.all(&["attribute"]);
        all.retain(is_it);
        all
    }

    /// All nodes of these kinds below a node and the node itself, first byte first.
    pub(crate) fn all_below<'t>(&'t self, node: Node<'t>, kinds: &[&str]) -> Vec<Node<'t>> {
        self.nodes.below(node, kinds)
    }

    /// All nodes of these kinds.
    pub fn all<'t>(&'t self, kinds: &[&str]) -> Vec<Node<'t>> {
        self.all_below(self.root(), kinds)
    }

    /// The elements of a list, tuple, call or block: its named children but comments and the backslashes that end lines.
    pub fn elements<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        node.named_children()
            .filter(|it| !matches!(it.kind(), "comment" | "line_continuation"))
            .collect()
    }

    /// The blanks in front of the line that a node starts on, and where that line starts.
    pub fn indent(&self, node: Node<'_>) -> (usize, &'s str) {
        let line = line_start(self.bytes, node.start_byte() as u32) as usize;
        let blanks = self.bytes[line..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        (
            line,
            std::str::from_utf8(&self.bytes[line..line + blanks]).unwrap_or(""),
        )
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &'s [u8] {
        self.bytes
    }

    /// The name that a call calls: `append` of `flags.append(x)`, `load` of `load(x)`.
    pub(crate) fn callee(&self, call: Node<'_>) -> Option<Cow<'s, str>> {
        let function = call.child_by_field_name("function")?;
        let name = match function.kind() {
            "attribute" => function.child_by_field_name("attribute")?,
            _ => function,
        };
        (name.byte_range().len() <= LONGEST_NAME).then(|| self.text(name))
    }

    /// The argument of a call by its place or its name.
    pub fn argument<'t>(&self, call: Node<'t>, position: usize, name: &str) -> Option<Node<'t>> {
        let arguments = self.elements(call.child_by_field_name("arguments")?);
        let of_name = |it: &&Node<'_>| {
            it.kind() == "keyword_argument"
                && it
                    .child_by_field_name("name")
                    .is_some_and(|own| self.text(own) == name)
        };
        if let Some(named) = arguments.iter().find(of_name) {
            return named.child_by_field_name("value");
        }
        let is_plain = |it: &&Node<'_>| {
            !matches!(
                it.kind(),
                "keyword_argument" | "dictionary_splat" | "list_splat"
            )
        };
        let placed = arguments.iter().take_while(is_plain).nth(position);
        placed.copied()
    }
}

/// Whether a path is that of one of a project's tests, by its name or by a folder above it.
pub(crate) fn is_test_path(path: &str) -> bool {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
    let in_tests = folders
        .split('/')
        .any(|it| matches!(it, "test" | "tests" | "unittest" | "unittests"));
    in_tests
        || name.starts_with("test_")
        || name.ends_with("_test")
        || matches!(name, "conftest" | "testing_utils")
}

/// The nodes around one, the nearest first.
pub(crate) fn parents(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.parent(), |node| node.parent())
}

/// An expression with the members that it gets by their names, `getattr(torch.version,"hip",None)`, written as members.
fn with_members(text: String) -> String {
    const CALL: &str = "getattr(";
    let Some((before, rest)) = text.split_once(CALL) else {
        return text;
    };
    let member = || {
        let (object, rest) = rest.split_once(',')?;
        let quote = rest.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        let (name, rest) = rest[1..].split_once(quote)?;
        let rest = rest
            .strip_prefix(",None")
            .unwrap_or(rest)
            .strip_prefix(')')?;
        (!object.contains('(')).then(|| format!("{before}{object}.{name}{rest}"))
    };
    member().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_in_order_and_broken_text_is_read() {
        let file = PyFile::new(b"a = ['x', ['y']]\nf('z'\n");
        let strings = file.all(&["string"]);
        let texts: Vec<_> = strings.iter().map(|node| file.text(*node)).collect();
        assert_eq!(texts, ["'x'", "'y'", "'z'"]);
        assert!(file.all(&["no_such_kind"]).is_empty());
        let list = file.all(&["list"])[0];
        assert_eq!(file.all_below(list, &["string"]).len(), 2);
    }
}
