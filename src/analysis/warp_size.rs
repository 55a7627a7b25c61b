//! What becomes of the size of a warp: 32 in device code, and on the host where it reaches what kernels do with warps.
//!
//! All GPUs of CUDA have warps of 32 lanes, so 32 computes what the program did, whatever the wavefront. The hardware's number is right
//! where matrix cores work, in code that counts by 64 for AMD itself, and where the host shows it or works out occupancy.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::analysis::unit::Unit;
use crate::analysis::wavefront::is_hip_source;
use crate::cpp::calls::enclosing_call;
use crate::cpp::declarations::{declaration, declared, declared_below};
use crate::cpp::names::{is_for_preprocessor, is_members_name};
use crate::project::warps::WarpUse;
use crate::syntax::{Document, FunctionScope, TokenIndex, flags};
use crate::text::keywords;

/// Whether `warpSize` at a place is a variable of the project, not CUDA's.
fn is_own_variable(doc: &Document<'_>, index: TokenIndex) -> bool {
    let in_macro = doc.tokens[index].has(flags::DIRECTIVE);
    if !in_macro {
        return declared(doc, index).is_some() || declared_below(doc, index).is_some();
    }
    doc.directive_of(index).is_some_and(|directive| {
        let tokens = doc.directives[directive].tokens.clone();
        let mut same = doc.occurrences(doc.bytes(index), tokens);
        same.any(|at| declaration(doc, at).is_some())
    })
}

/// Whether a place surely is, or may be, device code: by its function's execution space, or by the words in it where a macro of the
/// project may hide the space.
pub(crate) fn is_device(cx: &Unit<'_, '_>, index: TokenIndex) -> bool {
    const WORDS: [&[u8]; 3] = [b"threadIdx", b"blockIdx", b"blockDim"];
    cx.may_be_device(index)
        || cx.doc.scopes().enclosing(index).is_some_and(|function| {
            let mut body = function.body.clone();
            body.any(|at| {
                WORDS.contains(&cx.doc.bytes(at))
                    || crate::cpp::lanes::is_exchange(cx.doc.bytes(at))
            })
        })
}

/// Whether `warpSize` at a place is the variable of device code, in a file that does not say for AMD that warps have 64 lanes.
pub(crate) fn is_cudas(cx: &Unit<'_, '_>, index: TokenIndex) -> bool {
    let elsewhere = is_members_name(cx.doc, index)
        || cx.doc.next_is(index, "::")
        || is_for_preprocessor(cx.doc, index)
        || is_hip_source(cx.doc)
        || cx.own.says_wavefront()
        || is_own_variable(cx.doc, index);
    !elsewhere && is_device(cx, index)
}

/// What the function or macro around a place does with warps, and what those do that call it. Of a place outside of both: nothing.
pub(crate) fn around(cx: &Unit<'_, '_>, index: TokenIndex) -> WarpUse {
    let doc = cx.doc;
    let name = if doc.tokens[index].has(flags::DIRECTIVE) {
        let directive = doc.directive_of(index);
        directive.and_then(|it| doc.directives[it].operands().next())
    } else {
        let mut functions = doc.scopes().around(index);
        functions.find_map(|function| function.name)
    };
    name.map_or_else(WarpUse::default, |name| {
        cx.warps().around(&doc.source.path, doc.bytes(name))
    })
}

/// Whether a value that the host has at some tokens reaches what depends on warps: a launch of a kernel that does, or is not known, or
/// a place that cannot be followed from here, such as a result, a member or the argument of a function, in a tree that depends on warps.
pub(crate) fn reaches_kernels(cx: &Unit<'_, '_>, value: Range<TokenIndex>) -> bool {
    let Some(mut flow) = Flow::new(cx, value.start) else {
        return cx.warps().any_depends_on_warp_size();
    };
    flow.queue.push(value);
    flow.arrives()
}

/// The same of a variable that the host sets at `at`.
pub(crate) fn variable_reaches_kernels(cx: &Unit<'_, '_>, at: TokenIndex) -> bool {
    let Some(mut flow) = Flow::new(cx, at) else {
        return cx.warps().any_depends_on_warp_size();
    };
    flow.follow(at) || flow.arrives()
}

/// Follows a value through the locals of a function.
struct Flow<'c, 'd, 's> {
    cx: &'c Unit<'d, 's>,
    function: &'d FunctionScope,
    names: FxHashSet<&'s [u8]>,
    queue: Vec<Range<TokenIndex>>,
}

impl<'c, 'd, 's> Flow<'c, 'd, 's> {
    fn new(cx: &'c Unit<'d, 's>, at: TokenIndex) -> Option<Self> {
        let function = cx.doc.scopes().around(at).last()?;
        Some(Self {
            cx,
            function,
            names: FxHashSet::default(),
            queue: Vec::new(),
        })
    }

    /// Whether a queued value, or what is made of it, arrives.
    fn arrives(&mut self) -> bool {
        while let Some(value) = self.queue.pop() {
            if self.step(value) {
                return true;
            }
        }
        false
    }

    /// A place that cannot be followed.
    fn arrives_unseen(&self) -> bool {
        self.cx.warps().any_depends_on_warp_size()
    }

    /// Where the value at some tokens goes next: whether it arrived.
    fn step(&mut self, value: Range<TokenIndex>) -> bool {
        let doc = self.cx.doc;
        if let Some(kernel) = launched(doc, value.start) {
            let does = self.cx.warps().of(&doc.source.path, doc.bytes(kernel));
            return does.is_none_or(|does| does.depends_on_warp_size() && !does.wave);
        }
        if doc.is_before(value.start, "<")
            && doc
                .prev(value.start)
                .is_some_and(|at| doc.is_before(at, "<"))
        {
            return false;
        }
        match enclosing_call(doc, value.start) {
            Some(name) if only_shows(doc.bytes(name)) || is_told_by_name(doc, name) => false,
            Some(name) if passes_value_on(doc.bytes(name)) => {
                let end = doc.call(name).map_or(name, |call| call.close) + 1;
                self.queue.push(name..end);
                false
            }
            Some(name) if is_constructed(doc, name) => self.follow(name),
            Some(_) => self.arrives_unseen(),
            None => self.statement(value.start),
        }
    }

    /// A value that stands in no parentheses: what its statement does with it.
    fn statement(&mut self, value: TokenIndex) -> bool {
        let doc = self.cx.doc;
        let mut at = value;
        loop {
            let Some(before) = doc.prev(at) else {
                return false;
            };
            match doc.bytes(before) {
                b"return" => return self.arrives_unseen(),
                b"=" | b"+=" | b"*=" | b"-=" | b"/=" => {
                    let name = doc.prev(before).filter(|&name| doc.is_ident(name));
                    return match name {
                        Some(name) => self.follow(name),
                        None => self.arrives_unseen(),
                    };
                }
                b"{" if doc.prev(before).is_some_and(|name| doc.is_ident(name)) => {
                    return self.follow(before - 1);
                }
                b";" | b"{" | b"}" => return false,
                b")" | b"]" => at = doc.matching_bracket(before).unwrap_or(before),
                _ => at = before,
            }
        }
    }

    /// Queues the uses of a local; anything else is out of sight.
    fn follow(&mut self, name: TokenIndex) -> bool {
        let doc = self.cx.doc;
        let is_member = doc.is_before(name, ".") || doc.is_before(name, "->");
        let body = self.function.body.clone();
        let is_local = |at: TokenIndex| body.contains(&at);
        let known = declaration(doc, name).or_else(|| declared(doc, name));
        if is_member || !known.is_some_and(|found| is_local(found.name)) {
            return self.arrives_unseen();
        }
        if self.names.insert(doc.bytes(name)) {
            let uses = doc.occurrences(doc.bytes(name), body.clone());
            let is_read = |at: &TokenIndex| {
                *at != name && !doc.next_is(*at, "=") && declaration(doc, *at).is_none()
            };
            self.queue.extend(uses.filter(is_read).map(|at| at..at + 1));
        }
        false
    }
}

/// The kernel whose launch holds a token in its configuration or arguments.
fn launched(doc: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    let holds = |close: TokenIndex, open: TokenIndex| open < at && at < close;
    let launch = doc.launches.iter().find(|launch| {
        let end = launch.parens.map_or(launch.close, |(_, close)| close);
        holds(end, launch.open)
    })?;
    let mut names = launch.callee.clone().filter(|&at| doc.is_ident(at));
    let first = names.next()?;
    // `ns::kernel<T>`: the last name in front of template arguments.
    Some(
        names
            .take_while(|&at| doc.is_before(at, "::"))
            .last()
            .unwrap_or(first),
    )
}

/// Whether a call takes the value beside a text that names it, `put("warp_size", prop.warpSize)`: a table of a GPU's properties.
fn is_told_by_name(doc: &Document<'_>, name: TokenIndex) -> bool {
    let arguments = doc.call(name).map(|it| it.arguments).unwrap_or_default();
    arguments.into_iter().any(|argument| {
        let text = doc.bytes(argument.start).to_ascii_lowercase();
        let is_one = argument.len() == 1 && text.starts_with(b"\"");
        is_one && memchr::memmem::find(&text, b"warp").is_some()
    })
}

/// Functions that show a value, or that ask about occupancy: nothing is computed on the device with it.
fn only_shows(word: &[u8]) -> bool {
    let lower = word.to_ascii_lowercase();
    [
        "print",
        "log",
        "occupancy",
        "format",
        "warn",
        "message",
        "string",
    ]
    .iter()
    .any(|part| memchr::memmem::find(&lower, part.as_bytes()).is_some())
}

/// Functions whose result is made of their arguments, and casts.
fn passes_value_on(word: &[u8]) -> bool {
    let is_function = matches!(
        word,
        b"dim3"
            | b"min"
            | b"max"
            | b"uint3"
            | b"make_uint3"
            | b"ceil"
            | b"floor"
            | b"abs"
            | b"size_t"
            | b"uint32_t"
            | b"static_cast"
            | b"ceil_div"
            | b"div_up"
            | b"CEIL_DIV"
    );
    is_function || keywords::is_builtin_type(word)
}

/// `dim3 block(…)`: the name of a variable that is made of the values.
fn is_constructed(doc: &Document<'_>, name: TokenIndex) -> bool {
    doc.prev(name)
        .is_some_and(|ty| doc.is_ident(ty) && !keywords::is_no_part_of_type(doc.bytes(ty)))
        && declaration(doc, name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::{first, of_file};

    #[test]
    fn a_variable_of_that_name_is_the_projects() {
        for (text, expected) in [
            ("__device__ int f() { return warpSize; }\n", false),
            ("int f(int warpSize) { return warpSize; }\n", true),
            (
                "int f() { const int warpSize = 32; return warpSize; }\n",
                true,
            ),
            (
                "struct S { int f() { return warpSize; } int warpSize; };\n",
                true,
            ),
            ("#define LANE (threadIdx.x % warpSize)\n", false),
            ("#define F { int warpSize = 32; g(warpSize); }\n", true),
            (
                "__device__ int f() { int t = blockIdx.x * warpSize; return warpSize; }\n",
                false,
            ),
            (
                "__device__ int f(int n) { g(n * warpSize); return warpSize; }\n",
                false,
            ),
            ("#define OFFSET(n) (n * warpSize)\n", false),
            // int warpSize in a comment says nothing.
            ("/* int warpSize; */ int f() { return warpSize; }\n", false),
        ] {
            let is_own = of_file(text, |cx| {
                let mut all = cx.doc.all("warpSize");
                let used = all.rfind(|&at| !cx.doc.is_before(at, "int"));
                is_own_variable(cx.doc, used.expect("it is used"))
            });
            assert_eq!(is_own, expected, "{text}");
        }
    }

    #[test]
    fn device_code_is_told_by_its_function_or_its_words() {
        for (text, expected) in [
            ("__device__ int f() { return x; }\n", true),
            ("__global__ void f() { x; }\n", true),
            ("__host__ __device__ int f() { return x; }\n", true),
            ("int f() { return x; }\n", false),
            ("MINE int f() { return x + threadIdx.x; }\n", true),
            ("MINE int f() { return x + __shfl(1, 2); }\n", true),
            ("MINE int f() { return x; /* threadIdx */ }\n", false),
        ] {
            assert_eq!(
                of_file(text, |cx| is_device(cx, first(cx, "x"))),
                expected,
                "{text}"
            );
        }
    }

    /// Whether the value of `x` on the host reaches what depends on warps.
    fn reaches(host: &str) -> bool {
        let kernels = "__global__ void lanes(int *p) { p[0] = __shfl(p[0], 1); }\n__global__ void plain(int *p) { p[0] = 1; }\n";
        of_file(&format!("{kernels}{host}\n"), |cx| {
            let at = first(cx, "x");
            reaches_kernels(cx, at..at + 1)
        })
    }

    #[test]
    fn a_value_is_followed_to_launches() {
        for (host, expected) in [
            ("void f() { lanes<<<1, x>>>(p); }", true),
            ("void f() { plain<<<1, x>>>(p); }", false),
            ("void f() { int b = x; lanes<<<1, b>>>(p); }", true),
            ("void f() { int b = x; plain<<<1, b>>>(p); }", false),
            ("void f() { dim3 b(x, 2); lanes<<<1, b>>>(p); }", true),
            ("void f() { dim3 b{x}; lanes<<<1, b>>>(p); }", true),
            (
                "void f() { int b = min(x, 5) * 2; lanes<<<1, b>>>(p); }",
                true,
            ),
            (
                "void f() { int b = x; int c = b; lanes<<<1, c>>>(p); }",
                true,
            ),
            // Shown, or never used.
            ("void f() { printf(\"%d\", x); }", false),
            ("void f() { int b = x; }", false),
            // Out of sight.
            ("int f() { return x; }", true),
            ("void f() { it->size = x; }", true),
            ("void f() { g(x); }", true),
            ("int b = x;", true),
        ] {
            assert_eq!(reaches(host), expected, "{host}");
        }
        let no_lanes = "int f() { return x; }\n__global__ void plain(int *p) { p[0] = 1; }\n";
        let found = of_file(no_lanes, |cx| {
            let at = first(cx, "x");
            reaches_kernels(cx, at..at + 1)
        });
        assert!(!found, "nothing in the tree depends on warps");
    }

    #[test]
    fn a_variable_that_the_host_sets_is_followed_too() {
        let kernels = "__global__ void lanes(int *p) { p[0] = __shfl(p[0], 1); }\n";
        for (host, expected) in [
            ("void f() { int x; g(); lanes<<<1, x>>>(p); }", true),
            ("void f() { int x; g(); print(x); }", false),
            ("void f() { s.x = 1; }", true),
        ] {
            let found = of_file(&format!("{kernels}{host}\n"), |cx| {
                variable_reaches_kernels(cx, first(cx, "x"))
            });
            assert_eq!(found, expected, "{host}");
        }
    }

    #[test]
    fn what_is_done_around_a_place_counts() {
        for (text, expected) in [
            ("__device__ int f(int a) { return __shfl(a, x); }\n", true),
            ("__device__ int f(int a) { return a + x; }\n", false),
            (
                "__device__ int f(int a) { return a + x; }\n__global__ void k() { __shfl(f(1), 2); }\n",
                true,
            ),
            ("#define F(a) __shfl(a, x)\n", true),
            ("int a = x;\n", false),
        ] {
            let depends = of_file(text, |cx| around(cx, first(cx, "x")).depends_on_warp_size());
            assert_eq!(depends, expected, "{text}");
        }
    }
}
