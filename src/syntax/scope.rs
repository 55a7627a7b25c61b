//! Functions and lambdas with their execution space, found among the tokens.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::lexed::Lexed;
use super::{TokenIndex, TokenKind, flags};
use crate::text::keywords;

/// Macros by the execution space that they stand for, as the tree defines them: `#define HD __host__ __device__`.
pub(crate) type MacroSpaces = FxHashMap<Box<[u8]>, Space>;

/// Where a function runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// `__global__`
    Kernel,
    /// `__device__`
    Device,
    /// `__host__ __device__`, or a macro that reads like it.
    HostDevice,
    /// No execution space is named: host code, or inherited by a lambda.
    Host,
}

/// A function or lambda with a body.
#[derive(Clone, Debug)]
pub struct FunctionScope {
    /// Tokens of the declaration in front of the body.
    pub head: Range<TokenIndex>,
    /// The `{` and the `}` of the body, both included.
    pub body: Range<TokenIndex>,
    /// The function's name, if it has one.
    pub name: Option<TokenIndex>,
    /// Where it runs.
    pub space: Space,
}

/// The functions of a file, in order of their heads; a nested one comes behind its parent.
#[derive(Debug, Default)]
pub struct Scopes {
    functions: Vec<FunctionScope>,
    /// For each function, how far it and those before it reach.
    reach: Vec<TokenIndex>,
}

impl Scopes {
    pub(super) fn new(document: &Lexed<'_>, macros: &MacroSpaces) -> Self {
        let braces = document.open_braces();
        let mut functions: Vec<FunctionScope> = braces
            .filter_map(|open| function_at(document, open, macros))
            .collect();
        // A macro may be defined between a head and its body.
        functions.sort_by_key(|function| function.head.start);
        let mut inside = 0;
        functions.retain(|function| {
            let is_loop = function.head.start < inside && is_macro_loop(document, function);
            if !is_loop {
                inside = function.body.end.max(inside);
            }
            !is_loop
        });
        let reach = functions
            .iter()
            .scan(0, |reach, function| {
                *reach = function.body.end.max(*reach);
                Some(*reach)
            })
            .collect();
        Self { functions, reach }
    }

    /// All functions.
    pub fn iter(&self) -> impl Iterator<Item = &FunctionScope> {
        self.functions.iter()
    }

    /// The functions whose heads start in a range of tokens.
    pub(crate) fn within(&self, tokens: Range<TokenIndex>) -> impl Iterator<Item = &FunctionScope> {
        let before = |end: TokenIndex| {
            self.functions
                .partition_point(|function| function.head.start < end)
        };
        self.functions[before(tokens.start)..before(tokens.end)].iter()
    }

    /// The functions whose head or body holds the token, innermost first.
    pub(crate) fn around(&self, index: TokenIndex) -> impl Iterator<Item = &FunctionScope> {
        let end = self
            .functions
            .partition_point(|function| function.head.start <= index);
        // Where nothing before reaches the token, nothing further back does: a file of many functions is not walked for each name.
        self.functions[..end]
            .iter()
            .zip(&self.reach[..end])
            .rev()
            .take_while(move |(_, reach)| index < **reach)
            .map(|(function, _)| function)
            .filter(move |function| index < function.body.end)
    }

    /// The innermost function whose head or body holds the token.
    pub(crate) fn enclosing(&self, index: TokenIndex) -> Option<&FunctionScope> {
        self.around(index).next()
    }

    /// Whether the token is in code that can run on the device: its function or one around it has an execution space, or it is in
    /// a macro body, of which nothing is known.
    pub fn may_be_device(&self, document: &Lexed<'_>, index: TokenIndex) -> bool {
        document.tokens[index].has(flags::MACRO_BODY)
            || self
                .around(index)
                .any(|function| function.space != Space::Host)
    }
}

fn function_at(
    document: &Lexed<'_>,
    open: TokenIndex,
    macros: &MacroSpaces,
) -> Option<FunctionScope> {
    let close = document.matching_bracket(open)?;
    let (parens, start) = head_of(document, open)?;
    let before = document.prev(parens.start)?;
    let is_lambda = document.is(before, "]");
    let name = (document.is_ident(before) && !keywords::is_keyword(document.bytes(before)))
        .then_some(before);
    if name.is_none()
        && !is_lambda
        && !is_operator(document, before)
        && !document.is(before, ">")
        && !is_attribute_of_lambda(document, before)
    {
        return None;
    }
    let space = space_of(document, start..open, macros);
    Some(FunctionScope {
        head: start..open,
        body: open..close + 1,
        name,
        space,
    })
}

/// Whether what looks like a function within another is the loop that a macro writes: `CUDA_KERNEL_LOOP(i, n) { … }`.
fn is_macro_loop(document: &Lexed<'_>, function: &FunctionScope) -> bool {
    let is_alone = |name: &TokenIndex| *name == function.head.start;
    function.name.filter(is_alone).is_some_and(|name| {
        let word = document.bytes(name);
        let is_upper =
            |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
        word.len() > 1 && word.iter().all(is_upper)
    })
}

/// The parameter parentheses of the function whose body opens at `open`, and the first token of its declaration.
fn head_of(document: &Lexed<'_>, open: TokenIndex) -> Option<(Range<TokenIndex>, TokenIndex)> {
    let mut at = document.prev(open)?;
    let mut parens = None;
    // Walk to the start of the declaration; the first `name(…)` from the left that is not an attribute holds the parameters.
    loop {
        match document.bytes(at) {
            b";" | b"{" | b"}" => break,
            b":" if !document.is_before(at, ")") => break,
            b"," | b"=" | b"("
                if parens.is_none() || document.is(at, "(") || document.is(at, ",") =>
            {
                if document.is(at, ",") && parens.is_some() {
                    // A member initialiser list: `: a(1), b(2) {`.
                } else {
                    break;
                }
            }
            b")" => {
                let start = document.matching_bracket(at)?;
                if !is_attribute(document, start) {
                    parens = Some(start..at + 1);
                }
                at = start;
            }
            b"]" => at = document.matching_bracket(at)?,
            _ => {}
        }
        match document.prev(at) {
            Some(prev) => at = prev,
            None => return parens.map(|parens| (parens, at)),
        }
    }
    let start = document.next(at)?;
    parens.map(|parens| (parens, start))
}

fn is_attribute(document: &Lexed<'_>, paren: TokenIndex) -> bool {
    document
        .prev(paren)
        .is_some_and(|before| keywords::is_attribute(document.bytes(before)))
}

/// `[=] __device__ (int i) { … }`: the word in front of the parameters is an execution space behind `]`.
fn is_attribute_of_lambda(document: &Lexed<'_>, before: TokenIndex) -> bool {
    document.is_ident(before) && document.bytes(before).starts_with(b"__")
}

fn is_operator(document: &Lexed<'_>, before: TokenIndex) -> bool {
    (0..4)
        .filter_map(|back| before.checked_sub(back))
        .any(|at| document.is(at, "operator"))
}

/// Where a function runs of whose declaration these are the tokens in front of the body.
pub(super) fn space_of(
    document: &Lexed<'_>,
    head: Range<TokenIndex>,
    macros: &MacroSpaces,
) -> Space {
    let (mut device, mut host) = (false, false);
    // What a directive within the declaration asks for, `#ifdef USE_CUDA`, says nothing about the function.
    let is_in_directive = |index: TokenIndex| document.tokens[index].has(flags::DIRECTIVE);
    let is_in_macro = head.clone().next().is_some_and(is_in_directive);
    let is_of_head = |index: &TokenIndex| {
        document.tokens[*index].kind == TokenKind::Ident && is_in_directive(*index) == is_in_macro
    };
    for index in head.filter(is_of_head) {
        let word = document.bytes(index);
        match word {
            b"__global__" => return Space::Kernel,
            b"__device__" => device = true,
            b"__host__" => host = true,
            _ if macros.contains_key(word) => match macros[word] {
                Space::Kernel => return Space::Kernel,
                Space::Device => device = true,
                Space::HostDevice => (device, host) = (true, true),
                Space::Host => host = true,
            },
            // A macro in front of the declaration, not the function's own name: `void GPU_CHECK(cudaError_t)`.
            _ if reads_like_host_device(word) && !document.is(index + 1, "(") => {
                (device, host) = (true, true);
            }
            _ => {}
        }
    }
    match (device, host) {
        (true, true) => Space::HostDevice,
        (true, false) => Space::Device,
        _ => Space::Host,
    }
}

/// Macros such as `HOST_DEVICE`, `GPU_INLINE`, `DEVICE`, `HD`: upper case, with a word that says where the code runs. `LIB_FUNCTION` is
/// one, `INLINE_FUNCTION` not.
fn reads_like_host_device(word: &[u8]) -> bool {
    let says_only_how = |part: &[u8]| {
        matches!(
            part,
            b"" | b"FUNCTION" | b"INLINE" | b"FORCE" | b"FORCEINLINE" | b"ALWAYS" | b"STATIC"
        )
    };
    if word.split(|&byte| byte == b'_').all(says_only_how) {
        return false;
    }
    let upper = word
        .iter()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
    upper
        && word.split(|&byte| byte == b'_').any(|part| {
            matches!(
                part,
                b"DEVICE"
                    | b"HD"
                    | b"GPU"
                    | b"CUDA"
                    | b"KERNEL"
                    | b"HOSTDEVICE"
                    | b"FUNCTION"
                    | b"DEV"
                    | b"CALLABLE"
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Document;
    use crate::text::SourceFile;

    #[test]
    fn the_loop_of_a_macro_is_a_part_of_its_function() {
        let text = "template <typename T> __global__ void k(T *x, int n) {\n  CUDA_KERNEL_LOOP(i, n) { g(); }\n}\nTEST(a, b) { h(); }\n";
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let document = Document::new(&source);
        let name = |word: &[u8]| {
            let at = document.occurrences(word, 0..document.tokens.len()).next();
            let function = document.scopes().enclosing(at.unwrap());
            function
                .and_then(|it| it.name)
                .map(|name| document.bytes(name))
        };
        assert_eq!(name(b"g"), Some(&b"k"[..]));
        assert_eq!(name(b"h"), Some(&b"TEST"[..]));
    }

    #[test]
    fn a_macro_between_head_and_body_hides_neither() {
        let text =
            "__global__ void k(int n = f())\n#define M(x) do { x; } while (0)\n{ g(); }\nint f();";
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let document = Document::new(&source);
        let space = |word: &[u8]| {
            let at = document.occurrences(word, 0..document.tokens.len()).next();
            let function = document.scopes().enclosing(at.unwrap());
            function.map(|function| function.space)
        };
        assert_eq!(space(b"f"), Some(Space::Kernel));
        assert_eq!(space(b"g"), Some(Space::Kernel));
    }
}
