//! The macros of a file: names of CUDA that it defines, numbers, expressions, lists.

use super::{FileIndex, Out};
use crate::cpp::member_macros::member_parameters;
use crate::mapping::ApiTable;
use crate::syntax::{Directive, Document, TokenIndex, Vendor};
use crate::text::number::integer;

impl FileIndex {
    pub(super) fn add_macros(&mut self, document: &Document<'_>, table: &ApiTable, out: &Out) {
        for (name, directive) in document.macros() {
            let operands = name + 1..directive.tokens.end;
            if has_comma(document, operands.clone()) {
                self.lists.insert(document.bytes(name).into());
            }
            let at = directive.range.start;
            let word = document.bytes(name);
            // What AMD's branch defines is there in a build for AMD, whatever CUDA means by it.
            if document.vendor_at(at) == Vendor::Hip && table.get_or_pattern(word).is_some() {
                self.names.insert(word.into());
            }
            if document.vendor_at(at) != Vendor::Any || out.not_meant.contains(at) {
                continue;
            }
            let members = member_parameters(document, directive);
            if !members.is_empty() {
                self.member_macros.insert(word.into(), members);
            }
            // A switch of CUDA's headers is theirs, though programs define it.
            let is_switch = word.starts_with(b"__CUDA_NO_");
            if !is_switch
                && table.get_or_pattern(word).is_some()
                && !takes_guard(document, table, directive)
                && !self.is_stand_in(document, table, directive, out)
            {
                self.names.insert(word.into());
                self.macros.insert(word.into());
            }
            let body = operands.clone();
            let value: Vec<TokenIndex> = operands
                .filter(|&at| !matches!(document.bytes(at), b"(" | b")"))
                .collect();
            if let [value] = value[..]
                && let Some(value) = integer(document.bytes(value))
            {
                self.constants.insert(document.bytes(name).into(), value);
            } else if !body.is_empty() && !has_parameters(document, name) {
                let text = document.range(body.start, body.end - 1);
                self.add_expression(word, document.source.slice(text));
            }
        }
    }

    /// Whether a macro stands in for what CUDA's header declares; notes that there is one.
    fn is_stand_in(
        &mut self,
        document: &Document<'_>,
        table: &ApiTable,
        directive: &Directive,
        out: &Out,
    ) -> bool {
        let is_one =
            out.in_place.contains(directive.range.start) && stands_in(document, table, directive);
        self.stands_in |= is_one;
        is_one
    }

    /// Keeps what may be a constant; what it is worth is worked out when somebody asks.
    pub(super) fn add_expression(&mut self, name: &[u8], text: &[u8]) {
        // The longest constants of programs are sums of a few products.
        const LONGEST: usize = 200;
        let is_of_one =
            |byte: &u8| byte.is_ascii_alphanumeric() || b"_ ()+-*/%<>&|^~!?:='.\t".contains(byte);
        if text.is_empty() || text.len() > LONGEST || !text.iter().all(is_of_one) {
            return;
        }
        let known = self
            .expressions
            .entry(name.into())
            .or_insert_with(|| text.into());
        if **known != *text {
            *known = Box::default();
        }
    }
}

/// Whether a macro takes arguments.
fn has_parameters(document: &Document<'_>, name: TokenIndex) -> bool {
    let end = document.tokens[name].end();
    let next = document.tokens.get(name + 1);
    next.is_some_and(|next| next.start == end) && document.is(name + 1, "(")
}

/// Whether a macro in the place of CUDA's header stands in for what that declares, as `nvtxRangePop` where a build does without NVTX:
/// both get AMD's name. One that says a name of HIP is a shim.
fn stands_in(document: &Document<'_>, table: &ApiTable, definition: &Directive) -> bool {
    let name = definition.operands().start;
    let mut body = definition.operands().skip(1);
    let is_shim = body.any(|at| table.is_target(document.bytes(at)));
    let hit = table.get(document.bytes(name)).filter(|_| !is_shim);
    hit.is_some_and(|hit| hit.entry.hip.is_some())
}

/// Whether a file sets the include guard of one of CUDA's headers behind its own includes, so that what it declares in the place of that
/// header comes once: `#ifndef __VECTOR_TYPES_H__`, `#define __VECTOR_TYPES_H__`, `struct float4 …`. In front of them it is the guard of a
/// header that is called alike.
fn takes_guard(document: &Document<'_>, table: &ApiTable, definition: &Directive) -> bool {
    let hit = table.get(document.bytes(definition.operands().start));
    let target = hit.and_then(|hit| hit.entry.hip).unwrap_or_default();
    let is_guard = target.ends_with("_H") || target.ends_with("_H_");
    let first = document.includes.first();
    let is_behind = first.is_some_and(|it| it.directive.start < definition.range.start);
    is_guard && definition.operands().len() == 1 && is_behind
}

/// Whether a comma stands outside brackets in what follows a macro's name, which may be its parameters.
fn has_comma(document: &Document<'_>, mut tokens: std::ops::Range<TokenIndex>) -> bool {
    while let Some(at) = tokens.next() {
        if document.is(at, ",") {
            return true;
        }
        if let Some(close) = document.matching_bracket(at).filter(|&close| close > at) {
            tokens.start = close + 1;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::project::file::probe::index;

    #[test]
    fn stand_ins_of_the_emulation_that_went_are_no_names_of_the_projects() {
        for (text, is_own) in [
            (
                "#ifdef __DEVICE_EMULATION__\n#define __syncwarp() __syncthreads()\n#endif\n",
                false,
            ),
            (
                "#if defined(__DEVICE_EMULATION__)\n#define __syncwarp()\n#elif CUDA_VERSION < 9000\n#define __syncwarp()\n#endif\n",
                false,
            ),
            (
                "#ifndef __DEVICE_EMULATION__\n#define __syncwarp()\n#endif\n",
                true,
            ),
        ] {
            assert_eq!(
                index(text).names.contains(&b"__syncwarp"[..]),
                is_own,
                "{text}"
            );
        }
    }

    #[test]
    fn macros_stand_for_numbers_expressions_and_lists() {
        for (text, number, expression, is_list) in [
            ("#define A 32\n", Some(32), None, false),
            ("#define A (0x20u)\n", Some(32), None, false),
            ("#define A (2 * B)\n", None, Some("(2 * B)"), false),
            ("#define A 2 * \\\n  B\n", None, None, false),
            ("#define A(x) (x * 2)\n", None, None, false),
            ("#define A (x), 2\n", None, None, true),
            ("#define A f(x, 2)\n", None, None, false),
            ("#define A \"text\"\n", None, None, false),
            ("#define A\n", None, None, false),
            ("// #define A 32\n", None, None, false),
            // Two that differ are worth nothing, two that are the same something.
            (
                "#ifdef X\n#define A 2 * B\n#else\n#define A 3 * B\n#endif\n",
                None,
                Some(""),
                false,
            ),
            (
                "#define A 2 * B\n#define A 2 * B\n",
                None,
                Some("2 * B"),
                false,
            ),
            (
                "#ifdef __HIP_PLATFORM_NVIDIA__\n#define A 32\n#endif\n",
                None,
                None,
                false,
            ),
        ] {
            let found = index(text);
            assert_eq!(found.constants.get(&b"A"[..]).copied(), number, "{text}");
            let known = found.expressions.get(&b"A"[..]);
            assert_eq!(
                known.map(|text| &**text),
                expression.map(str::as_bytes),
                "{text}"
            );
            assert_eq!(found.lists.contains(&b"A"[..]), is_list, "{text}");
        }
    }

    #[test]
    fn names_of_cuda_that_a_macro_defines_are_the_projects() {
        for (text, expected) in [
            ("#define cudaFree myFree\n", true),
            ("#define cudaFree(p) free(p)\n", true),
            ("#define myFree cudaFree\n", false),
            (
                "#ifdef __HIP_PLATFORM_AMD__\n#define cudaFree hipFree\n#endif\n",
                true,
            ),
            (
                "#ifdef __HIP_PLATFORM_NVIDIA__\n#define cudaFree myFree\n#endif\n",
                false,
            ),
            ("#undef cudaFree\n", false),
        ] {
            let found = index(text);
            assert_eq!(found.names.contains(&b"cudaFree"[..]), expected, "{text}");
        }
        let switch = index("#define __CUDA_NO_HALF_OPERATORS__\n");
        assert!(
            switch.names.is_empty(),
            "a switch of CUDA's headers is theirs"
        );
    }

    #[test]
    fn a_stand_in_for_cudas_header_is_not_the_projects() {
        let text = |body: &str| {
            format!("#ifdef USE_NVTX\n#include <nvToolsExt.h>\n#else\n{body}\n#endif\n")
        };
        let found = index(&text("#define nvtxRangePop()"));
        assert!(found.stands_in && !found.names.contains(&b"nvtxRangePop"[..]));
        let shim = index(&text("#define nvtxRangePop() roctxRangePop()"));
        assert!(
            shim.names.contains(&b"nvtxRangePop"[..]),
            "it says AMD's name itself"
        );
    }
}
