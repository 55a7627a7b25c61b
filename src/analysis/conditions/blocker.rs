//! What blocks compiling a branch of a conditional group on AMD.

use crate::analysis::helpers::header_for;
use crate::analysis::inline_asm::KEYWORDS;
use crate::analysis::unit::Unit;
use crate::cpp::calls::DEPENDENT_LAUNCH;
use crate::cpp::conditions::cuda_macros::cuda_macro;
use crate::cpp::conditions::groups::groups;
use crate::cpp::declarations::declaration;
use crate::cpp::definitions::tokens_of;
use crate::cpp::expressions::is_pure;
use crate::edit::Applicability;
use crate::mapping::{Kind, Support};
use crate::syntax::{TokenIndex, flags};
use crate::text::TextRange;

/// What AMD cannot compile in a branch: inline assembly, a name without counterpart, a function of the project's that AMD is left
/// without, a use of the macro as a number.
pub(in crate::analysis) fn blocker(cx: &Unit<'_, '_>, body: TextRange) -> Option<String> {
    tokens_of(cx.doc, body)
        .find_map(|at| hard(cx, at))
        .or_else(|| hard_include(cx, body))
        .or_else(|| switched_on(cx, body))
        .or_else(|| lost_function(cx, body))
}

/// Whether a branch does nothing but refuse: its first directive is `#error`, and there is no code in it.
pub(super) fn refuses(cx: &Unit<'_, '_>, body: TextRange) -> bool {
    let directives = &cx.doc.directives;
    let first = directives.partition_point(|it| it.range.start < body.start);
    let first = directives.get(first).filter(|it| body.contains(it.range));
    first.is_some_and(|it| cx.doc.is(it.tokens.start + 1, "error")) && !holds_code(cx, body)
}

/// Whether a branch holds nothing but what has no effect on AMD, so that nobody misses it: calls of programmatic dependent launch, which
/// the order of a stream stands for, and PTX that is deleted. Once these are gone, nothing.
pub(super) fn has_no_effect(cx: &Unit<'_, '_>, body: TextRange) -> bool {
    let doc = cx.doc;
    let (mut at, end) = (doc.token_at(body.start), doc.token_at(body.end));
    while at < end {
        let past = match doc.bytes(at) {
            b";" | b"::" => Some(at + 1),
            // What a brace opens, the branch closes.
            b"{" => doc
                .matching_bracket(at)
                .filter(|&close| close < end)
                .map(|_| at + 1),
            b"}" => doc
                .matching_bracket(at)
                .filter(|&open| doc.tokens[open].start > body.start)
                .map(|_| at + 1),
            b"if" => past_condition(cx, at),
            _ => past_idle(cx, at),
        };
        match past.filter(|_| !doc.tokens[at].has(flags::DIRECTIVE)) {
            Some(past) => at = past,
            None => return false,
        }
    }
    true
}

/// The token behind `if (…)` whose condition has no effect.
fn past_condition(cx: &Unit<'_, '_>, at: TokenIndex) -> Option<TokenIndex> {
    let open = cx.doc.next(at).filter(|&open| cx.doc.is(open, "("))?;
    let close = cx.doc.matching_bracket(open)?;
    is_pure(cx.doc, open + 1..close).then_some(close + 1)
}

/// The token behind a call of programmatic dependent launch, or behind assembly that means nothing on AMD.
fn past_idle(cx: &Unit<'_, '_>, at: TokenIndex) -> Option<TokenIndex> {
    if DEPENDENT_LAUNCH.iter().any(|name| cx.doc.is(at, name)) {
        return Some(cx.doc.call(at)?.close + 1);
    }
    if !KEYWORDS.iter().any(|keyword| cx.doc.is(at, keyword)) {
        return None;
    }
    let found = crate::analysis::inline_asm::find(cx, at)?;
    let is_empty = found.outcome.as_ref().is_ok_and(|made| made.is_empty());
    is_empty.then(|| cx.doc.token_at(found.range.end))
}

/// A function, macro or class of the project's that a branch uses and that AMD is left without.
fn lost_function(cx: &Unit<'_, '_>, body: TextRange) -> Option<String> {
    let is_used = |at: TokenIndex| cx.doc.next_is(at, "(") || cx.doc.next_is(at, "<");
    let is_lost = |at: TokenIndex| cx.warps().is_lost(&cx.doc.source.path, cx.doc.bytes(at));
    let mut used = tokens_of(cx.doc, body).filter(|&at| is_used(at));
    used.find(|&at| is_lost(at))
        .map(|at| cx.text(at).into_owned())
}

/// A macro of CUDA that a branch uses as a number in code: it would not compile where the macro is undefined.
pub(super) fn value_of_macro(cx: &Unit<'_, '_>, body: TextRange) -> Option<String> {
    struct InCode(Vec<TokenIndex>);
    let macros = cx.doc.fact(|doc| {
        let mut all = doc.all_that(|word| cuda_macro(word).is_some());
        all.retain(|&at| !doc.tokens[at].has(flags::DIRECTIVE));
        InCode(all)
    });
    let (start, end) = (cx.doc.token_at(body.start), cx.doc.token_at(body.end));
    let first = macros.0.partition_point(|&at| at < start);
    let found = macros.0.get(first).filter(|&&at| at < end);
    found.map(|&at| cx.text(at).into_owned())
}

/// Whether each statement of a branch has the release of nvcc in it, as those have that print it: the branch does nothing else, and gives
/// nothing back.
pub(super) fn only_tells_release(cx: &Unit<'_, '_>, body: TextRange) -> bool {
    let release = |at: TokenIndex| {
        let word = cx.doc.bytes(at);
        word.starts_with(b"__CUDACC_VER_") && cx.doc.is_ident(at)
    };
    let all = cx.doc.token_at(body.start)..cx.doc.token_at(body.end);
    let tokens: Vec<TokenIndex> = all.collect();
    let mut statements = tokens.split(|&at| cx.doc.is(at, ";"));
    let does_more = |at: TokenIndex| cx.doc.is(at, "{") || cx.doc.is(at, "return");
    let is_plain = !tokens.iter().any(|&at| does_more(at));
    let ends = tokens.last().is_some_and(|&at| cx.doc.is(at, ";"));
    is_plain && ends && statements.all(|it| it.is_empty() || it.iter().any(|&at| release(at)))
}

/// Whether a branch reads the release of nvcc, uses nothing of CUDA but versions, and sets nothing but variables of its own: it is about
/// that release, which AMD has none of. One that gives something back is missed.
pub(super) fn is_about_release(cx: &Unit<'_, '_>, body: TextRange) -> bool {
    let doc = cx.doc;
    let is_release = |at: TokenIndex| doc.bytes(at).starts_with(b"__CUDACC_VER_");
    let uses_cuda = |at: TokenIndex| {
        let word = doc.bytes(at);
        let is_listed = || cx.table().get_or_pattern(word).is_some() && !cx.is_own(word);
        let is_launch = || (at..at + 3).all(|it| doc.is(it, "<"));
        let is_changed = match word {
            b"=" => doc
                .prev(at)
                .is_none_or(|name| declaration(doc, name).is_none()),
            b"++" | b"--" => true,
            _ => {
                word.len() > 1
                    && word.ends_with(b"=")
                    && !matches!(word, b"==" | b"!=" | b"<=" | b">=")
            }
        };
        let gives_back = is_changed || matches!(word, b"return" | b"define");
        let is_version = word.ends_with(b"_VERSION") || is_release(at);
        gives_back
            || KEYWORDS.iter().any(|keyword| doc.is(at, keyword))
            || is_launch()
            || doc.is_ident(at) && !is_version && is_listed()
    };
    let all = doc.token_at(body.start)..doc.token_at(body.end);
    let is_read = |at: TokenIndex| is_release(at) && !doc.tokens[at].has(flags::DIRECTIVE);
    all.clone().any(is_read) && !all.into_iter().any(uses_cuda)
}

fn hard(cx: &Unit<'_, '_>, at: TokenIndex) -> Option<String> {
    let word = cx.doc.bytes(at);
    if matches!(word, b"asm" | b"__asm__" | b"__asm") {
        return (!crate::analysis::inline_asm::becomes_cpp(cx, at)).then(|| "asm".to_owned());
    }
    // libcu++ is no part of ROCm; `thrust::cuda` becomes `thrust::hip`.
    if word == b"cuda" && cx.doc.next_is(at, "::") && !crate::cpp::names::is_qualified(cx.doc, at) {
        return Some("cuda::".to_owned());
    }
    let in_condition =
        cx.doc.tokens[at].has(flags::DIRECTIVE) && !cx.doc.tokens[at].has(flags::MACRO_BODY);
    if cuda_macro(word).is_some() && !in_condition {
        return Some(cx.text(at).into_owned());
    }
    let hit = cx.table().get(word).filter(|_| !cx.is_own(word))?;
    // What a later ROCm brings does not compile either.
    let is_missing = hit.entry.support == Support::Unsupported
        || hit
            .entry
            .rocm
            .since
            .is_some_and(|since| since > cx.options().rocm);
    let lacks = hit.entry.kind != Kind::Namespace
        && is_missing
        && !cx.claims.is_claimed(word)
        && !crate::cpp::names::is_members_name(cx.doc, at);
    lacks.then(|| hit.entry.cuda.to_owned())
}

fn hard_include(cx: &Unit<'_, '_>, body: TextRange) -> Option<String> {
    let within = |range: TextRange| body.contains(range);
    cx.doc
        .includes
        .iter()
        .filter(|include| within(include.directive))
        .find_map(|include| {
            let hit = cx.table().header(cx.doc.source.slice(include.path))?;
            let stays = hit.entry.hip.is_none() && header_for(cx, include).is_none()
                || hit.entry.support == Support::Review
                    && cx.options().fix_level > Applicability::Review;
            stays.then(|| cx.text_of(include.path).into_owned())
        })
}

/// What blocks in code that a macro defined in this branch switches on elsewhere in the file.
fn switched_on(cx: &Unit<'_, '_>, body: TextRange) -> Option<String> {
    let asking = cx.doc.macros_within(body).flat_map(|name| {
        let uses = cx
            .doc
            .occurrences(cx.doc.bytes(name), 0..cx.doc.tokens.len());
        uses.filter(|&at| cx.doc.tokens[at].has(flags::DIRECTIVE))
    });
    let groups = groups(cx.doc);
    let branches = groups.opened_by(cx.doc, asking);
    branches
        .into_iter()
        .find_map(|branch| tokens_of(cx.doc, branch.body).find_map(|at| hard(cx, at)))
}

/// Whether a branch holds more than directives.
pub(super) fn holds_code(cx: &Unit<'_, '_>, body: TextRange) -> bool {
    cx.doc.tokens[cx.doc.token_at(body.start)..cx.doc.token_at(body.end)]
        .iter()
        .any(|token| !token.has(flags::DIRECTIVE) || token.has(flags::MACRO_BODY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::of_file;

    /// What an answer about the first branch of a text is.
    fn about<T>(text: &str, ask: impl FnOnce(&Unit<'_, '_>, TextRange) -> T) -> T {
        of_file(text, |cx| {
            let groups = groups(cx.doc);
            let bodies = groups.iter().map(|group| group.branches[0].body);
            let first = bodies.min_by_key(|body| body.start);
            ask(cx, first.expect("there is a group"))
        })
    }

    #[test]
    fn what_amd_cannot_compile_is_named() {
        for (body, expected) in [
            ("int a = 1;", None),
            ("asm(\"bar.sync 0;\");", None),
            ("asm(\"wgmma.fence.sync.aligned;\");", Some("asm")),
            ("// asm(\"wgmma.fence.sync.aligned;\");", None),
            ("const char *s = \"cudaD3D10GetDevice\";", None),
            ("cudaD3D10GetDevice(a, b);", Some("cudaD3D10GetDevice")),
            ("it.cudaD3D10GetDevice(a, b);", None),
            ("cuda::barrier<cuda::thread_scope_block> b;", Some("cuda::")),
            ("thrust::cuda::par.on(s);", None),
            ("int a = __CUDA_ARCH__;", Some("__CUDA_ARCH__")),
            ("#if __CUDA_ARCH__ >= 900\n#endif", None),
            ("#define ARCH __CUDA_ARCH__", Some("__CUDA_ARCH__")),
            ("#include <cuda_runtime.h>", None),
            ("#include <cuda/atomic>", None),
            ("#include <cuda/annotated_ptr>", Some("cuda/annotated_ptr")),
            ("#include \"mine.h\"", None),
            // It is what the branch switches on that asks for it.
            (
                "#define FAST\n#endif\n#ifdef FAST\ncudaD3D10GetDevice(a, b);",
                Some("cudaD3D10GetDevice"),
            ),
            (
                "#define FAST\n#endif\n#ifdef SLOW\ncudaD3D10GetDevice(a, b);",
                None,
            ),
        ] {
            let text = format!("#ifdef X\n{body}\n#endif\n").replace('\n', "\r\n");
            let found = about(&text, blocker);
            assert_eq!(found.as_deref(), expected, "{body}");
        }
    }

    #[test]
    fn a_function_that_amd_is_left_without_blocks() {
        let text = |ptx: &str| {
            format!(
                "#ifdef X\nint a = f(1);\n#endif\n__device__ int f(int a) {{\n#if __CUDA_ARCH__ >= 300\n{ptx}\n#endif\nreturn a; }}\n"
            )
        };
        let found = about(&text("asm(\"wgmma.fence.sync.aligned;\");"), blocker);
        assert_eq!(found.as_deref(), Some("f"));
        assert_eq!(about(&text("asm(\"bar.sync 0;\");"), blocker), None);
    }

    #[test]
    fn what_the_project_defines_blocks_nothing() {
        let text = "#ifdef X\ncudaD3D10GetDevice(1);\n#endif\nvoid cudaD3D10GetDevice(int) {}\n";
        assert_eq!(about(text, blocker), None);
    }

    #[test]
    fn a_macro_counts_as_a_number_where_code_reads_it() {
        for (body, expected) in [
            ("int a = __CUDA_ARCH__;", Some("__CUDA_ARCH__")),
            ("#if __CUDA_ARCH__ > 1\n#endif", None),
            ("/* __CUDA_ARCH__ */ int a;", None),
            ("int a;\n#endif\nint b = __CUDA_ARCH__;\n#ifdef Y", None),
        ] {
            let text = format!("#ifdef X\n{body}\n#endif\n");
            assert_eq!(about(&text, value_of_macro).as_deref(), expected, "{body}");
        }
    }

    #[test]
    fn directives_alone_are_no_code() {
        for (body, expected) in [
            ("int a;", true),
            ("#define A 1", true),
            ("#define A", false),
            ("#include <a.h>\n#pragma once", false),
            ("// int a;", false),
            ("", false),
        ] {
            let text = format!("#ifdef X\n{body}\n#endif\n");
            assert_eq!(about(&text, holds_code), expected, "{body}");
        }
    }
}
