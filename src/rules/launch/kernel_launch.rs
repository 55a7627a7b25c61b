//! A kernel launch in a form that clang does not read, or that a person asked to have rewritten.
//!
//! ## Why on AMD
//! clang reads `kernel<<<grid, block>>>(…)` as nvcc does, so launches stay as they are. It does not take blanks inside the
//! brackets, which nvcc does. With `--launch ggl` launches become `hipLaunchKernelGGL` calls for compilers without brackets.
//!
//! ## Example
//! ```cuda
//! scale<float> << <grid, block>> >(x, n);
//! ```
//! becomes
//! ```hip
//! scale<float> <<<grid, block>>>(x, n);
//! ```
//! and with `--launch ggl`
//! ```hip
//! hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<float>), dim3(grid), dim3(block), 0, 0, x, n);
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! LLVM documentation, HIP support; `hip/amd_detail/amd_hip_runtime.h` of ROCm 6.4.

use crate::options::LaunchStyle;
use crate::rules::prelude::*;

/// Joins launch brackets; writes `hipLaunchKernelGGL` on request.
pub static RULE: Rule = Rule {
    code: "CASS100",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 20,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Launch(check)],
};

fn check(launch: &LaunchSite, cx: &mut Context<'_, '_>) {
    if cx.options().launch == LaunchStyle::Ggl
        && launch.parens.is_some()
        && (2..=4).contains(&launch.config.len())
        && is_in_one_piece(cx.doc, launch)
    {
        let finding = RULE
            .finding(
                launch.open_range(cx.doc),
                "launch becomes `hipLaunchKernelGGL`",
            )
            .fix(Fix::safe(launch_macro_edits(cx.doc, launch)));
        cx.report(finding);
        return;
    }
    let joined = [
        (launch.open_range(cx.doc), "<<<"),
        (launch.close_range(cx.doc), ">>>"),
    ];
    let edits: Vec<Edit> = joined
        .into_iter()
        .filter(|(range, _)| range.len() > 3)
        .map(|(range, text)| Edit::replace(range, text))
        .collect();
    if !edits.is_empty() {
        cx.report(
            RULE.finding(
                launch.open_range(cx.doc),
                "clang does not accept whitespace inside `<<<` and `>>>`",
            )
            .fix(Fix::safe(edits)),
        );
    }
}

/// Whether no directive stands between the kernel's name and its first argument: the macro could not take it.
fn is_in_one_piece(doc: &Document<'_>, launch: &LaunchSite) -> bool {
    let Some((paren, _)) = launch.parens else {
        return false;
    };
    let inside = doc.tokens[paren].has(flags::DIRECTIVE);
    let first = doc.next(paren).unwrap_or(paren);
    doc.tokens[launch.callee.start..=first]
        .iter()
        .all(|token| token.has(flags::DIRECTIVE) == inside)
}

/// The launch as a call, in insertions and replacements of the brackets and commas alone.
fn launch_macro_edits(doc: &Document<'_>, launch: &LaunchSite) -> Vec<Edit> {
    let callee = doc.range(launch.callee.start, launch.callee.end - 1);
    let templated = is_templated(doc, launch.callee.clone());
    let (open, close) = if templated {
        ("hipLaunchKernelGGL(HIP_KERNEL_NAME(", ")")
    } else {
        ("hipLaunchKernelGGL(", "")
    };
    let config: Vec<TextRange> = launch
        .config
        .iter()
        .filter(|tokens| !tokens.is_empty())
        .map(|tokens| doc.range(tokens.start, tokens.end - 1))
        .collect();
    let mut edits = vec![
        Edit::insert(callee.start, open),
        Edit::replace(
            TextRange::new(callee.end, config[0].start),
            format!("{close}, "),
        ),
    ];
    for range in config.iter().take(2) {
        if !is_dim3(doc, *range) {
            edits.extend([
                Edit::insert(range.start, "dim3("),
                Edit::insert(range.end, ")"),
            ]);
        }
    }
    edits.extend(spaced_commas(doc, &config));
    edits.push(end_of_configuration(doc, launch, &config));
    edits
}

/// The blanks of an argument list in place of those of a configuration; lines stay as they are broken.
fn spaced_commas(doc: &Document<'_>, config: &[TextRange]) -> Vec<Edit> {
    let gaps = config
        .windows(2)
        .map(|pair| TextRange::new(pair[0].end, pair[1].start));
    let is_bare = |gap: &TextRange| {
        let text = doc.source.slice(*gap);
        text.trim_ascii() == b"," && !text.contains(&b'\n') && text != b", "
    };
    gaps.filter(is_bare)
        .map(|gap| Edit::replace(gap, ", "))
        .collect()
}

/// What stands between the configuration and the arguments: the values that it leaves out, and a comma in place of `>>>(`.
fn end_of_configuration(doc: &Document<'_>, launch: &LaunchSite, config: &[TextRange]) -> Edit {
    let missing = ", 0".repeat(4 - config.len());
    let (paren, last) = launch.parens.expect("the caller checked it");
    let next = doc.next(paren).filter(|&next| next != last);
    let comma = if next.is_some() { ", " } else { "" };
    // Blanks go, comments stay.
    let (open, first) = (
        doc.tokens[paren].end(),
        doc.tokens[next.unwrap_or(last)].start,
    );
    let gap = doc.source.slice(TextRange::new(open, first));
    let end = if gap.trim_ascii().is_empty() {
        first
    } else {
        open
    };
    Edit::replace(
        TextRange::new(config[config.len() - 1].end, end),
        format!("{missing}{comma}"),
    )
}

/// Whether the kernel is a template, so that the macro must take its name as one argument: `k<a, b>`, a template of this file, or a
/// macro that stands for one.
fn is_templated(doc: &Document<'_>, callee: std::ops::Range<TokenIndex>) -> bool {
    if callee.clone().any(|at| doc.is(at, "<")) {
        return true;
    }
    let name = doc.bytes(callee.end - 1);
    let mut macros = doc.macros_called(name);
    let is_macro = macros.any(|define| define.operands().any(|at| doc.is(at, "<")));
    let declared = |at: TokenIndex| doc.next_is(at, "(") && stands_in_template(doc, at);
    is_macro || doc.occurrences(name, 0..doc.tokens.len()).any(declared)
}

/// Whether the declaration of the name at `at` starts with `template`.
fn stands_in_template(doc: &Document<'_>, at: TokenIndex) -> bool {
    // `template <typename T, int N = 4> __launch_bounds__(256) __global__ void k(`: longer heads are rare.
    let mut index = at;
    for _ in 0..64 {
        let Some(prev) = doc.prev(index) else {
            return false;
        };
        match doc.bytes(prev) {
            b"template" => return true,
            b";" | b"{" | b"}" => return false,
            b")" => index = doc.matching_bracket(prev).unwrap_or(prev),
            _ => index = prev,
        }
    }
    false
}

fn is_dim3(doc: &Document<'_>, range: TextRange) -> bool {
    let first = doc.token_at(range.start);
    let closes = doc
        .next(first)
        .and_then(|paren| doc.matching_bracket(paren))
        .is_some_and(|close| doc.tokens[close].end() == range.end);
    doc.is(first, "dim3") && closes
}
