//! A function of the standard library that device code cannot call.
//!
//! ## Why on AMD
//! `std::swap`, `std::sort` and the other algorithms are host functions in C++17; only `constexpr` functions such as `std::min` run on
//! the device. nvcc lets some of them through with a warning, clang has "no matching function". nvcc does not read `static` functions for
//! the device that nobody calls, and clang does: `bswap_64`, `htobe64`, `strcmp` and the like of the C library become what the compiler has
//! itself.
//! In functions for host and device nvcc warns of any host function ("calling a `__host__` function from a `__host__ __device__` function is
//! not allowed"), and the thread that gets there stops; once a kernel calls them clang refuses `exit`, `std::abort` and glog's `CHECK(x)` and
//! `LOG(FATAL)`: "reference to `__host__` function 'exit' in `__host__ __device__` function".
//!
//! ## Example
//! ```cuda
//! __device__ void order(int &a, int &b) { if (b < a) std::swap(a, b); }
//! ```
//! becomes
//! ```hip
//! __device__ void order(int &a, int &b) { if (b < a) cass_swap(a, b); }
//! ```
//! In functions for both
//! ```cuda
//!   LOG(FATAL) << "no such kind";
//! ```
//! becomes
//! ```hip
//! #ifndef __HIP_DEVICE_COMPILE__ // a host function
//!   LOG(FATAL) << "no such kind";
//! #else
//!   __builtin_trap();
//! #endif
//! ```
//!
//! ## When to ignore
//! When no kernel comes to the function for both.
//!
//! ## Source
//! Compiled with clang 19, libstdc++ 12 and glog 0.6; nvcc 12.4, warnings 20011-D and 20014-D, and the PTX that it makes.

use crate::analysis::include_place::next_line;
use crate::cpp::definitions::declares;
use crate::cpp::functions::is_device_only;
use crate::cpp::guarding::conditions;
use crate::cpp::names::{is_members_name, is_qualified};
use crate::mapping::name_lists;
use crate::options::CompatMode;
use crate::rules::prelude::*;
use crate::syntax::{FunctionScope, Space};
use crate::text::keywords::takes_condition;
use crate::text::line_start;

/// Replaces `std::swap`, takes the namespace from `std::printf`; reports the algorithms.
pub static RULE: Rule = Rule {
    code: "CASS110",
    severity: Severity::Error,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[Fact::DoneByTorch, Fact::NotForRtc],
    checks: &[
        Check::Listed(|| &name_lists().host_algorithms, check),
        Check::Idents(SWAPS_BYTES, check_bytes),
        Check::Listed(|| &name_lists().host_texts, check_text),
        Check::Listed(|| &name_lists().host_calls, check_for_both),
    ],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let Some(std) = doc
        .prev(index)
        .filter(|&index| doc.is(index, "::"))
        .and_then(|index| doc.prev(index))
        .filter(|&index| doc.is(index, "std"))
    else {
        return;
    };
    // HIP has `printf` for both sides, outside of `std`.
    let is_meant = is_device_only(doc, index) || doc.is(index, "printf") && is_for_both(cx, index);
    if !is_meant || doc.call(index).is_none() {
        return;
    }
    let range = doc.range(std, index);
    let finding = RULE.finding(
        range,
        format!(
            "`std::{}` is a host function: device code cannot call it",
            cx.text(index)
        ),
    );
    let swaps = doc.is(index, "swap") && cx.options().compat != CompatMode::None;
    cx.report(if doc.is(index, "printf") {
        let range = TextRange::new(range.start, doc.tokens[index].start);
        finding
            .severity(Severity::Info)
            .fix(Fix::safe(vec![Edit::delete(range)]))
    } else if swaps {
        finding
            .severity(Severity::Info)
            .helper("cass_swap")
            .fix(Fix::safe(vec![Edit::replace(range, "cass_swap")]))
    } else {
        finding.help("write the loop out, or call the algorithm of Thrust with `thrust::seq`")
    });
}

/// Functions of the C library that swap bytes, on machines such as AMD's GPUs, that store the lowest first; each ends with its width.
const SWAPS_BYTES: &[&str] = &[
    "bswap_16",
    "bswap_32",
    "bswap_64",
    "__bswap_16",
    "__bswap_32",
    "__bswap_64",
    "htons",
    "ntohs",
    "htonl",
    "ntohl",
    "htobe16",
    "htobe32",
    "htobe64",
    "be16toh",
    "be32toh",
    "be64toh",
];

fn check_bytes(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let word = doc.bytes(index);
    let is_plain = !["::", ".", "->"]
        .iter()
        .any(|text| doc.is_before(index, text));
    let declared = || doc.noted("declared", word, |at| declares(doc, at));
    let is_own = || doc.macros_called(word).next().is_some() || !declared().is_empty();
    if !is_plain || !is_device_only(doc, index) || doc.call(index).is_none() || is_own() {
        return;
    }
    let name = cx.text(index);
    let width = match name.as_ref() {
        "htons" | "ntohs" => "16",
        "htonl" | "ntohl" => "32",
        name => ["16", "32", "64"]
            .into_iter()
            .find(|width| name.contains(width))
            .unwrap_or("64"),
    };
    let message = format!("`{name}` is a host function: device code cannot call it");
    let edit = Edit::replace(cx.range(index), format!("__builtin_bswap{width}"));
    let finding = RULE
        .finding(cx.range(index), message)
        .severity(Severity::Info);
    cx.report(finding.fix(Fix::safe(vec![edit])));
}

/// Functions on texts stand in functions for the device that nobody calls: nvcc refuses them elsewhere.
fn check_text(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let word = doc.bytes(index);
    let is_std = doc.is_before(index, "::") && index > 1 && doc.is(index - 2, "std");
    let is_other = !is_std && (is_members_name(doc, index) || is_qualified(doc, index));
    let names = cx.project.names();
    let declared = || doc.noted("declared", word, |at| declares(doc, at));
    let is_own = names.is_macro(word) || names.places_text(word) || !declared().is_empty();
    if is_other || is_own || !is_device_only(doc, index) || doc.call(index).is_none() {
        return;
    }
    let range = doc.range(if is_std { index - 2 } else { index }, index);
    let name = cx.text(index);
    let message = format!("`{name}` is a host function: device code cannot call it");
    let edit = Edit::replace(range, format!("__builtin_{name}"));
    let finding = RULE.finding(range, message).severity(Severity::Info);
    cx.report(finding.fix(Fix::safe(vec![edit])));
}

/// Whether a place is code of a function for host and device that the device compiles as well.
fn is_for_both(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let doc = cx.doc;
    let start = doc.tokens[index].start;
    let chooses_side =
        |it: &String| it == "#" || it.contains("__CUDA_ARCH__") || it.contains("__HIP_DEVICE");
    // Lambdas count as part of the function around them.
    let is_lambda =
        |it: &FunctionScope| it.name.is_none() && !it.head.clone().any(|at| doc.is(at, "operator"));
    let mut functions = doc.scopes().around(index);
    let function = functions.find(|it| it.body.contains(&index) && !is_lambda(it));
    !doc.tokens[index].has(flags::DIRECTIVE)
        && function.is_some_and(|it| it.space == Space::HostDevice)
        && doc.vendor_at(start) == Vendor::Any
        && !cx.is_inactive(start)
        && !cx.is_not_meant(start)
        && !conditions(doc, start).iter().any(chooses_side)
}

fn check_for_both(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let is_std = doc.is_before(index, "::") && index > 1 && doc.is(index - 2, "std");
    let is_other = !is_std && (is_members_name(doc, index) || is_qualified(doc, index));
    let word = doc.bytes(index);
    let is_glogs = word.iter().all(|byte| !byte.is_ascii_lowercase());
    let is_own = !is_std && cx.is_own(word) || cx.project.names().is_macro(word);
    if is_other || is_own || doc.call(index).is_none() || !is_for_both(cx, index) {
        return;
    }
    if is_glogs && !is_read_with_glog(cx) {
        return;
    }
    let name = cx.text(index).into_owned();
    let first = if is_std { index - 2 } else { index };
    if doc.is(index, "abort") {
        // HIP has this one for both sides, outside of `std`.
        if is_std {
            let range = TextRange::new(cx.range(first).start, cx.range(index).start);
            let message = "`std::abort` is a host function: device code cannot call it";
            let finding = RULE.finding(doc.range(first, index), message);
            let fix = Fix::safe(vec![Edit::delete(range)]);
            cx.report(finding.severity(Severity::Info).fix(fix));
        }
        return;
    }
    let message = format!("`{name}` is for the host, and this function for the device as well");
    let finding = RULE.finding(doc.range(first, index), message);
    let finding = finding.severity(Severity::Warning);
    if doc.is(index, "exit") && cx.options().compat != CompatMode::None {
        let edit = Edit::replace(doc.range(first, index), "cass_exit");
        let finding = finding.helper("cass_exit").fix(Fix::review(vec![edit]));
        cx.report(finding.help("a thread of the device that gets there stops with an error"));
        return;
    }
    let ends_program = matches!(word, b"exit" | b"quick_exit" | b"terminate");
    let stops = ends_program || is_fatal(doc, index);
    cx.report(match hidden(cx, first, stops) {
        Some(fix) if stops => finding
            .help("a thread of the device that gets there stops with an error")
            .fix(fix),
        Some(fix) => finding
            .help("the device does without it; write `assert` or `printf` where it matters there")
            .fix(fix),
        None if doc.is(index, "terminate") && cx.options().compat != CompatMode::None => {
            let edit = Edit::replace(doc.range(first, index), "cass_terminate");
            finding
                .help("a thread of the device that gets there stops with an error")
                .helper("cass_terminate")
                .fix(Fix::review(vec![edit]))
        }
        None => finding.help(
            "put it between `#ifndef __HIP_DEVICE_COMPILE__` and `#endif`; `assert` and `printf` are there for the device",
        ),
    });
}

/// Whether a file comes by glog's header, or a file that includes it does.
fn is_read_with_glog(cx: &Context<'_, '_>) -> bool {
    let reached = cx.project.reached(cx.doc, cx.table(), true);
    reached.brings("glog", |path| path.starts_with("glog/"))
}

/// `LOG(FATAL)`, `CHECK(false)`.
fn is_fatal(doc: &Document<'_>, index: TokenIndex) -> bool {
    let is_call = |name: &str, argument: &str| {
        doc.is(index, name) && doc.is(index + 2, argument) && doc.is(index + 3, ")")
    };
    is_call("LOG", "FATAL") || is_call("CHECK", "false")
}

/// Keeps the statement that begins with a token from the device, where it has its lines for itself.
fn hidden(cx: &Context<'_, '_>, first: TokenIndex, stops: bool) -> Option<Fix> {
    let doc = cx.doc;
    let before = doc.prev(first)?;
    let open = doc.is(before, ")").then(|| doc.matching_bracket(before));
    let is_branch = doc.is(before, "else")
        || open.flatten().is_some_and(|open| {
            let key = doc.prev(open);
            key.is_some_and(|key| takes_condition(doc.bytes(key)))
        });
    if !is_branch && !matches!(doc.bytes(before), b";" | b"{" | b"}" | b":") {
        return None;
    }
    let last = end_of_statement(doc, first)?;
    let starts_line = |at: TokenIndex| {
        let token = doc.tokens.get(at);
        token.is_none_or(|token| token.has(flags::LINE_START))
    };
    if !starts_line(first) || !starts_line(last + 1) {
        return None;
    }
    let (start, end) = (cx.range(first).start, cx.range(last).end);
    let line = line_start(&doc.source.bytes, start);
    let indent = cx.text_of(TextRange::new(line, start)).into_owned();
    let newline = doc.newline();
    // Behind a label something has to stand.
    let other = match (stops, doc.is(before, ":")) {
        (true, _) => format!("#else{newline}{indent}__builtin_trap();{newline}"),
        (false, true) => format!("#else{newline}{indent};{newline}"),
        (false, false) => String::new(),
    };
    if !indent.bytes().all(|byte| byte.is_ascii_whitespace()) {
        return None;
    }
    let head = format!("#ifndef __HIP_DEVICE_COMPILE__ // a host function{newline}");
    let mut edits = vec![Edit::insert(line, head)];
    let mut tail = format!("{other}#endif{newline}");
    // A branch gets braces, so that it stays one.
    if is_branch {
        edits.insert(0, Edit::insert(cx.range(before).end, " {"));
        let outer = indent_of(cx, cx.range(before).start);
        tail.push_str(&format!("{outer}}}{newline}"));
    }
    edits.push(Edit::insert(next_line(doc, end), tail));
    Some(Fix::review(edits))
}

/// The blanks that a line begins with.
fn indent_of(cx: &Context<'_, '_>, at: u32) -> String {
    let line = line_start(&cx.doc.source.bytes, at);
    let text = cx.text_of(TextRange::new(line, at)).into_owned();
    let blanks = text.len() - text.trim_start().len();
    text[..blanks].to_owned()
}

/// The `;` of the statement that begins with a token and holds no braces of its own.
fn end_of_statement(doc: &Document<'_>, first: TokenIndex) -> Option<TokenIndex> {
    const LONGEST: usize = 200;
    let mut at = first;
    for _ in 0..LONGEST {
        match doc.bytes(at) {
            b";" => return Some(at),
            b"(" | b"[" => at = doc.matching_bracket(at)?,
            b"{" | b"}" => return None,
            _ => {}
        }
        at += 1;
        if doc.tokens.get(at)?.has(flags::DIRECTIVE) {
            return None;
        }
    }
    None
}
