//! CUDA C++ in the strings of a Python file: who reads it, and what it is.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Node, PyFile, Side, Strings, Text};
use crate::text::TextRange;
use crate::text::quoted::Quoted;

/// Who compiles a string, and so what is left to do in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// `torch.utils.cpp_extension`: PyTorch's build for ROCm renames CUDA itself.
    Torch,
    /// CuPy, or `torch.cuda._compile_kernel`, which hand the source to hiprtc as it is.
    Cupy,
    /// Statements that CuPy puts into a kernel of its own making.
    CupyPart,
    /// PyCUDA, which has no backend for AMD.
    PyCuda,
    /// NVRTC by NVIDIA's Python packages.
    Nvrtc,
    /// A file that the program writes for a compiler.
    File,
}

/// A string of CUDA C++ and the call that hands it over.
#[derive(Clone, Debug)]
pub struct Embedded<'t> {
    /// Who compiles it.
    pub reader: Reader,
    /// The call.
    pub call: Node<'t>,
    /// The text.
    pub text: Text,
    /// Nobody on AMD compiles it but a test that expects that this fails.
    pub fails: bool,
}

impl Embedded<'_> {
    /// Takes notice of another call that hands over the same text.
    fn joins(&mut self, other: &Self, file: &PyFile<'_>) {
        let is_nvidias = |call: Node<'_>| file.side(call) == Some(Side::Nvidia);
        let some_fails = self.fails || other.fails;
        let none_is_open =
            (self.fails || is_nvidias(self.call)) && (other.fails || is_nvidias(other.call));
        self.fails = some_fails && none_is_open;
    }
}

/// What a file says in CUDA C++.
#[derive(Debug, Default)]
pub(crate) struct Found<'t> {
    /// The sources.
    pub sources: Vec<Embedded<'t>>,
    /// Arguments that are sources and whose text is not known, and strings of kernels that nobody is seen to read.
    pub unknown: Vec<Node<'t>>,
    /// The numbers of the sources by the hashes of their texts and first places.
    by_text: FxHashMap<u64, Vec<usize>>,
}

impl<'t> Found<'t> {
    /// Adds a source, unless another call hands over the same.
    fn add(&mut self, source: Embedded<'t>, file: &PyFile<'_>) {
        let quoted = &source.text.quoted;
        let first = quoted.origins().next().map(|it| it.start);
        let hash = FxBuildHasher.hash_one((quoted.text(), first));
        let same = self.by_text.entry(hash).or_default();
        let is_it = |at: &&usize| self.sources[**at].text.quoted == source.text.quoted;
        match same.iter().find(is_it) {
            // What fails stays so where no other call is for AMD.
            Some(&at) => self.sources[at].joins(&source, file),
            None => {
                same.push(self.sources.len());
                self.sources.push(source);
            }
        }
    }
}

/// A function that takes sources: its name, who it is, and its arguments by place and name.
struct Taker {
    name: &'static str,
    reader: Reader,
    arguments: &'static [(usize, &'static str)],
}

/// A place that no positional argument has.
const NAMED: usize = 99;

#[rustfmt::skip]
static TAKERS: &[Taker] = &[
    Taker { name: "load_inline", reader: Reader::Torch, arguments: &[(1, "cpp_sources"), (2, "cuda_sources")] },
    Taker { name: "RawKernel", reader: Reader::Cupy, arguments: &[(0, "code")] },
    Taker { name: "RawModule", reader: Reader::Cupy, arguments: &[(0, "code")] },
    Taker { name: "compile_with_cache", reader: Reader::Cupy, arguments: &[(0, "source")] },
    Taker { name: "_compile_kernel", reader: Reader::Cupy, arguments: &[(0, "kernel_source")] },
    Taker { name: "ElementwiseKernel", reader: Reader::CupyPart, arguments: &[(2, "operation"), (NAMED, "preamble"), (NAMED, "loop_prep"), (NAMED, "after_loop")] },
    Taker { name: "ReductionKernel", reader: Reader::CupyPart, arguments: &[(2, "map_expr"), (3, "reduce_expr"), (4, "post_map_expr"), (5, "identity"), (NAMED, "preamble")] },
    Taker { name: "SourceModule", reader: Reader::PyCuda, arguments: &[(0, "source")] },
    Taker { name: "DynamicSourceModule", reader: Reader::PyCuda, arguments: &[(0, "source")] },
    Taker { name: "nvrtcCreateProgram", reader: Reader::Nvrtc, arguments: &[(0, "src")] },
    Taker { name: "Program", reader: Reader::Nvrtc, arguments: &[(0, "code")] },
    Taker { name: "CUSource", reader: Reader::Nvrtc, arguments: &[(0, "data")] },
    Taker { name: "write", reader: Reader::File, arguments: &[(0, "text")] },
    Taker { name: "write_text", reader: Reader::File, arguments: &[(0, "data")] },
    Taker { name: "write_bytes", reader: Reader::File, arguments: &[(0, "data")] },
];

/// Whether a file can have CUDA C++ in its strings, by the words of it.
pub(crate) fn may_embed(bytes: &[u8]) -> bool {
    let mut takers = TAKERS.iter().filter(|taker| taker.reader != Reader::File);
    let is_named = |name: &str| memchr::memmem::find(bytes, name.as_bytes()).is_some();
    looks_like_cuda(bytes) || takers.any(|taker| is_named(taker.name) && taker.is_meant(bytes))
}

/// The CUDA C++ of a file.
pub(crate) fn embedded<'t>(strings: &Strings<'t>) -> Found<'t> {
    let file = strings.file();
    let mut found = Found::default();
    for taker in TAKERS.iter().filter(|taker| taker.is_meant(file.bytes())) {
        for &call in strings.calls(taker.name) {
            taker.take(strings, call, &mut found);
        }
    }
    found.sources.sort_by_key(|it| it.call.start_byte());
    let mut kernels = file.all(&["string"]);
    let global: Vec<usize> = memchr::memmem::find_iter(file.bytes(), "__global__").collect();
    kernels.retain(|it| is_unread_kernel(file, &global, *it));
    if !kernels.is_empty() {
        let texts = found.sources.iter().map(|it| &it.text.quoted);
        let mut read: Vec<TextRange> = texts.flat_map(Quoted::origins).collect();
        read.sort_unstable_by_key(|it| (it.start, it.end));
        kernels.retain(|it| !has_within(&read, file.range(*it)));
    }
    found.unknown.extend(kernels);
    found.unknown.sort_by_key(Node::start_byte);
    found
}

impl Taker {
    /// Whether a name that others have too is meant in a file.
    fn is_meant(&self, bytes: &[u8]) -> bool {
        let has = |text: &str| memchr::memmem::find(bytes, text.as_bytes()).is_some();
        match self.name {
            "Program" => has("cuda.core"),
            "_compile_kernel" => has("cuda._compile_kernel"),
            "ElementwiseKernel" | "ReductionKernel" => has("cupy") || has("pycuda"),
            _ => true,
        }
    }

    fn take<'t>(&self, strings: &Strings<'t>, call: Node<'t>, found: &mut Found<'t>) {
        let file = strings.file();
        let has = |text: &str| memchr::memmem::find(file.bytes(), text.as_bytes()).is_some();
        let is_pycuda = self.reader == Reader::CupyPart && has("pycuda") && !has("cupy");
        let mut is_told = false;
        for &(position, name) in self.arguments {
            // PyCUDA's classes have the types of the arguments in one string.
            let position = if is_pycuda && position < NAMED {
                position.saturating_sub(1)
            } else {
                position
            };
            let Some(argument) = file.argument(call, position, name) else {
                continue;
            };
            let texts = strings.texts(argument);
            // The value that a reduction starts from is a number as often.
            let is_source = self.reader != Reader::File && name != "identity";
            // What one call takes is told once.
            if texts.is_empty() && is_source && is_expression(argument) && !is_told {
                is_told = true;
                found.unknown.push(argument);
            }
            for text in texts.into_iter().filter(|text| !text.is_file) {
                let reader = match self.reader {
                    Reader::File if !looks_like_cuda(text.quoted.text()) => continue,
                    Reader::File if has("cpp_extension") || includes_torch(text.quoted.text()) => {
                        Reader::Torch
                    }
                    Reader::CupyPart if is_pycuda => Reader::PyCuda,
                    Reader::CupyPart if name == "preamble" => Reader::Cupy,
                    reader => reader,
                };
                let fails = file.gives_failure(call);
                let source = Embedded {
                    reader,
                    call,
                    text,
                    fails,
                };
                found.add(source, file);
            }
        }
    }
}

/// Whether an argument can be a source whose text is not known; a constant such as `None` is none.
fn is_expression(node: Node<'_>) -> bool {
    !matches!(
        node.kind(),
        "none" | "integer" | "true" | "false" | "list" | "tuple"
    )
}

fn looks_like_cuda(text: &[u8]) -> bool {
    let has = |word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
    has("__global__") || has("__device__") || has("#include <cuda") || has("<<<")
}

/// Whether a text includes headers of PyTorch, whose build renames what it compiles.
fn includes_torch(text: &[u8]) -> bool {
    let mut folders = ["<torch/", "<ATen/", "<c10/"].iter();
    folders.any(|it| memchr::memmem::find(text, it.as_bytes()).is_some())
}

/// A string with a kernel: not one that a program looks for, and no documentation, such as a prompt in Markdown with a program in it.
/// `global` are the places of `__global__` in the file.
fn is_unread_kernel(file: &PyFile<'_>, global: &[usize], node: Node<'_>) -> bool {
    let range = node.byte_range();
    let first = global.get(global.partition_point(|at| *at < range.start));
    let is_kernel = first.is_some_and(|first| {
        let rest = file.bytes().get(*first..range.end).unwrap_or_default();
        [b'(', b'{', b';'].iter().all(|sign| rest.contains(sign))
    });
    let is_prose = node
        .parent()
        .is_some_and(|it| it.kind() == "expression_statement")
        || memchr::memmem::find(&file.bytes()[range], b"```").is_some();
    is_kernel && !is_prose
}

/// Whether one of some ranges, by their starts, lies in a range.
fn has_within(ranges: &[TextRange], range: TextRange) -> bool {
    let first = ranges.partition_point(|it| it.start < range.start);
    let mut inner = ranges[first..]
        .iter()
        .take_while(|it| it.start <= range.end);
    inner.any(|it| range.contains(*it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readers(source: &str) -> (Vec<Reader>, usize) {
        let file = PyFile::new(source.as_bytes());
        let strings = Strings::new(&file);
        let found = embedded(&strings);
        (
            found.sources.iter().map(|it| it.reader).collect(),
            found.unknown.len(),
        )
    }

    #[test]
    fn who_reads_a_string_is_told_by_the_call() {
        for (source, wanted) in [
            (
                "load_inline('x', cpp_sources='a', cuda_sources=['b', 'c'])",
                (vec![Reader::Torch; 3], 0),
            ),
            (
                "import cupy\ncupy.RawKernel(r'a', 'k')",
                (vec![Reader::Cupy], 0),
            ),
            (
                "import cupy as cp\ncp.ElementwiseKernel('x', 'y', 'z', preamble='p')",
                (vec![Reader::CupyPart, Reader::Cupy], 0),
            ),
            (
                "from pycuda.compiler import SourceModule\nSourceModule(make())",
                (vec![], 1),
            ),
            (
                "nvrtc.nvrtcCreateProgram(str.encode(S), b'x', 0, [], [])\nS = 'a'",
                (vec![Reader::Nvrtc], 0),
            ),
            (
                "from torch.utils.cpp_extension import load\nf.write('__global__ void k();')",
                (vec![Reader::Torch], 0),
            ),
            (
                "f.write('#include <cuda.h>\\n#include <ATen/ATen.h>\\n')",
                (vec![Reader::Torch], 0),
            ),
            ("f.write('text')\nProgram('x')", (vec![], 0)),
            ("S = '__global__ void k() { x(); }'", (vec![], 1)),
            (
                "'''__global__ void k() { x(); }'''\nif '__global__' in S: pass",
                (vec![], 0),
            ),
        ] {
            assert_eq!(readers(source), wanted, "{source}");
        }
    }
}
