//! Names of CUDA that a file defines or declares outside of directives, and constants.

use super::{Arity, FileIndex, Out};
use crate::cpp::definitions::{
    declares, declares_pointer, defines, defines_behind_attributes, enumerates, is_data_member,
    makes_member,
};
use crate::cpp::like_types::{declares_outside, declares_variable, is_called_like_itself};
use crate::cpp::namespaces;
use crate::mapping::{ApiEntry, Hit, Kind};
use crate::syntax::{Document, TokenIndex, Vendor, flags, is_only_for_nvidia_device};
use crate::text::number::integer;

impl FileIndex {
    pub(super) fn add_definition(
        &mut self,
        document: &Document<'_>,
        hit: Option<Hit<'_>>,
        at: TokenIndex,
        out: &Out,
    ) {
        let word = document.bytes(at);
        let in_directive = document.tokens[at].has(flags::DIRECTIVE);
        let is_assigned = !in_directive && document.is(at + 1, "=");
        if !is_assigned && hit.is_none() || document.is_before(at, "=") && at >= 2 {
            return;
        }
        if is_assigned {
            self.add_value(document, at, out);
        }
        let Some(hit) = hit else {
            return;
        };
        let start = document.tokens[at].start;
        let is_for_everybody = document.vendor_at(start) == Vendor::Any;
        if hit.entry.kind == Kind::Function && is_for_everybody && is_prototype(document, at) {
            let is_known = !self.declared.insert(word.into()) || self.names.contains(word);
            self.add_reach(document, at, is_known);
        }
        if hit.entry.kind == Kind::Function && !in_directive && makes_member(document, at) {
            self.members.insert(word.into());
        }
        if hit.entry.kind == Kind::Type && !in_directive && declares_outside(document, at) {
            self.variables.insert(word.into());
        }
        self.stands_in |=
            out.in_place.contains(start) && (defines(document, at) || enumerates(document, at));
        if is_projects_own(document, hit.entry, at, out)
            && document.vendor_at(start) != Vendor::NotHip
            && !is_only_for_nvidia_device(document, start)
            && !out.contains(start)
        {
            self.makes_types |= hit.entry.kind == Kind::Type;
            let is_known = !self.names.insert(word.into()) || self.declared.contains(word);
            self.add_reach(document, at, is_known);
        }
    }

    /// Remembers where a name means the project's function: in which namespace, with how many arguments.
    fn add_reach(&mut self, document: &Document<'_>, at: TokenIndex, is_known: bool) {
        self.add_namespace(document, at, is_known);
        let word = document.bytes(at);
        let in_directive = document.tokens[at].has(flags::DIRECTIVE);
        let arity = Arity::of_declaration(document, at).filter(|_| !in_directive);
        let known = self.arities.remove(word);
        if let Some(arity) = arity
            && (known.is_some() || !is_known)
        {
            let mut all = known.unwrap_or_default();
            all.insert(arity);
            self.arities.insert(word.into(), all);
        }
    }

    /// Remembers the namespace or class of a name, where all its definitions in the file share one.
    fn add_namespace(&mut self, document: &Document<'_>, at: TokenIndex, is_known: bool) {
        let word = document.bytes(at);
        let around = namespaces::scopes_around(document, at);
        let first = around.first().copied().map(Box::from);
        let first = first.filter(|_| !document.tokens[at].has(flags::DIRECTIVE));
        match first {
            Some(name) if !is_known || self.within.get(word) == Some(&name) => {
                self.within.insert(word.into(), name);
            }
            _ => drop(self.within.remove(word)),
        }
    }

    /// `name = 3;` or `constexpr int name = 4 * 32;`
    fn add_value(&mut self, document: &Document<'_>, name: TokenIndex, out: &Out) {
        let word = document.bytes(name);
        let value = document.tokens.get(name + 2);
        if let Some(value) = value.and_then(|_| integer(document.bytes(name + 2)))
            && (document.is(name + 3, ";") || document.is(name + 3, ","))
        {
            self.constants.insert(word.into(), value);
        }
        if !self.constants.contains_key(word) {
            self.add_constant(document, name, out);
        }
    }

    /// `constexpr int TILE = 4 * 32;` and the like.
    fn add_constant(&mut self, document: &Document<'_>, name: TokenIndex, out: &Out) {
        let words = (name.saturating_sub(8)..name).rev();
        let mut words =
            words.take_while(|&at| !matches!(document.bytes(at), b";" | b"{" | b"}" | b"(" | b")"));
        let is_constant = words.any(|at| matches!(document.bytes(at), b"const" | b"constexpr"));
        let start = document.tokens[name].start;
        if !is_constant || document.vendor_at(start) != Vendor::Any || out.not_meant.contains(start)
        {
            return;
        }
        let rest = name + 2..(name + 80).min(document.tokens.len());
        let end = rest
            .clone()
            .find(|&at| matches!(document.bytes(at), b";" | b"," | b"{"));
        if let Some(end) = end.filter(|&end| end > rest.start) {
            let text = document.range(rest.start, end - 1);
            self.add_expression(document.bytes(name), document.source.slice(text));
        }
    }
}

/// Whether a name of CUDA's is given another meaning at `at`, as far as its kind tells.
fn is_projects_own(document: &Document<'_>, entry: &ApiEntry, at: TokenIndex, out: &Out) -> bool {
    let in_directive = document.tokens[at].has(flags::DIRECTIVE);
    let is_renamed = !entry.is_unchanged() && !entry.context;
    match entry.kind {
        // `namespace cub = hipcub;` in AMD's branch is what the name means there.
        Kind::Namespace => {
            let is_for_everybody = document.vendor_at(document.tokens[at].start) == Vendor::Any;
            document.is_before(at, "namespace") && document.is(at + 1, "=") && !is_for_everybody
        }
        // Beside CUDA's header it is a version's.
        Kind::Enumerator if enumerates(document, at) => !in_directive && !out.includes_cuda,
        // No parameter is called like an enumerator.
        Kind::Enumerator if document.is(at + 1, ")") || document.is(at + 1, ",") => false,
        // A pattern knows no single name: whatever is declared here is the project's, also `Scope nvtx_scope(label)`.
        Kind::Pattern => {
            declares(document, at)
                || defines(document, at)
                || defines_behind_attributes(document, at)
        }
        // `PFN_cuInit cuInit;` in a class: what is loaded by name, of that class alone.
        Kind::Function if is_data_member(document, at) => !in_directive,
        Kind::Function if is_variable(document, at) => !in_directive && !out.includes_cuda,
        // A variable of a function's hides the type there alone; one that is called after its own type says whose that is.
        Kind::Type if is_renamed && is_called_like_itself(document, at) => false,
        Kind::Type if is_renamed && is_local(document, at) => false,
        Kind::Type if document.is_before(at, "}") => !out.includes_cuda && defines(document, at),
        _ => !in_directive && defines(document, at),
    }
}

/// Whether a variable or parameter is declared there that no other function sees.
fn is_local(document: &Document<'_>, at: TokenIndex) -> bool {
    declares_variable(document, at) && !declares_outside(document, at)
}

/// `CUresult (*cuInit)(unsigned);`, `tcuInit *cuInit;` outside of classes: a variable for what is loaded by name.
fn is_variable(document: &Document<'_>, at: TokenIndex) -> bool {
    declares_pointer(document, at) && document.scopes().enclosing(at).is_none()
}

/// `cudaError_t cudaCheckAll(int);` outside of directives.
fn is_prototype(document: &Document<'_>, at: TokenIndex) -> bool {
    let close = document
        .next(at)
        .and_then(|open| document.matching_bracket(open));
    !document.tokens[at].has(flags::DIRECTIVE)
        && close.is_some_and(|close| document.next_is(close, ";"))
        && declares(document, at)
}

#[cfg(test)]
mod tests {
    use crate::project::file::probe::index;

    #[test]
    fn names_that_a_file_defines_are_its_own() {
        for (text, name, expected) in [
            ("void cudaFree(int) {}\n", "cudaFree", true),
            ("int f() { return cudaFree(1); }\n", "cudaFree", false),
            ("// void cudaFree(int) {}\n", "cudaFree", false),
            ("struct cudaStream_t { int a; };\n", "cudaStream_t", true),
            ("typedef int cudaError_t;\n", "cudaError_t", true),
            (
                "typedef struct { int a; } cudaError_t;\n",
                "cudaError_t",
                true,
            ),
            ("cudaError_t e;\n", "cudaError_t", false),
            ("enum E { cudaSuccess = 0 };\n", "cudaSuccess", true),
            (
                "#include <cuda_runtime.h>\nenum E { cudaSuccess = 0 };\n",
                "cudaSuccess",
                false,
            ),
            ("int f(int cudaSuccess);\n", "cudaSuccess", false),
            ("CUresult (*cuInit)(unsigned);\n", "cuInit", true),
            (
                "#include <cuda.h>\nCUresult (*cuInit)(unsigned);\n",
                "cuInit",
                false,
            ),
            ("namespace cub = hipcub;\n", "cub", false),
            (
                "#ifdef __HIP_PLATFORM_AMD__\nnamespace cub = hipcub;\n#endif\n",
                "cub",
                true,
            ),
            // For NVIDIA alone, or for GPUs that nobody means.
            (
                "#ifdef __HIP_PLATFORM_NVIDIA__\nvoid cudaFree(int) {}\n#endif\n",
                "cudaFree",
                false,
            ),
            (
                "#if __CUDA_ARCH__ < 600\n__device__ double atomicAdd(double *a, double b) { return b; }\n#endif\n",
                "atomicAdd",
                false,
            ),
        ] {
            assert_eq!(
                index(text).names.contains(name.as_bytes()),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn prototypes_are_declared_and_not_defined() {
        for (text, expected) in [
            ("cudaError_t cudaFree(int);\n", true),
            ("void f() { cudaFree(1); }\n", false),
            ("#define F cudaError_t cudaFree(int);\n", false),
            ("cudaError_t cudaFree(int) { }\n", false),
        ] {
            let found = index(text);
            assert_eq!(
                found.declared.contains(&b"cudaFree"[..]),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn constants_have_a_number_or_a_text() {
        for (text, number, expression) in [
            ("const int A = 32;\n", Some(32), None),
            ("constexpr unsigned A = 0x20u, B = 1;\n", Some(32), None),
            ("constexpr int A = 4 * B;\n", None, Some("4 * B")),
            ("int A = 4 * B;\n", None, None),
            (
                "#ifdef __HIP_PLATFORM_AMD__\nconstexpr int A = 2 * B;\n#endif\n",
                None,
                None,
            ),
            ("constexpr int A = f(\"text\");\n", None, None),
            ("/* const int A = 32; */\n", None, None),
        ] {
            let found = index(text);
            assert_eq!(found.constants.get(&b"A"[..]).copied(), number, "{text}");
            let known = found.expressions.get(&b"A"[..]);
            assert_eq!(
                known.map(|text| &**text),
                expression.map(str::as_bytes),
                "{text}"
            );
        }
    }

    #[test]
    fn macros_list_functions_with_their_parameters() {
        for (text, expected) in [
            ("DEF(cuInit, (int flags));\n", true),
            ("DEF(int, cuInit, (int flags));\n", true),
            ("DEF(const char *, cuInit, (int flags));\n", true),
            ("#include <cuda.h>\nDEF(cuInit, (int flags));\n", false),
            ("CHECK(cuInit(0), (1));\n", false),
            ("x = f(cuInit, (1));\n", false),
            ("DEF(cuInit, flags);\n", false),
        ] {
            let found = index(text).listed.contains(&b"cuInit"[..]);
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn who_makes_types_needs_none_of_cudas_headers() {
        assert!(index("typedef int cudaError_t;\n").makes_types);
        assert!(!index("cudaError_t e;\n").makes_types);
        let opaque = index("typedef int CUresult;\ntypedef struct CUctx_st *CUcontext;\n");
        assert!(opaque.names.contains(&b"CUcontext"[..]));
    }
}
