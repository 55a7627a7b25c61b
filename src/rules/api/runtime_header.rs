//! A file that relies on the runtime header which nvcc includes by itself.
//!
//! ## Why on AMD
//! nvcc puts `cuda_runtime.h` in front of every `.cu` file. clang puts nothing there: without `hip/hip_runtime.h` the words
//! `__global__` and `threadIdx` mean nothing.
//!
//! ## Example
//! ```cuda
//! __global__ void k(int *p) { p[threadIdx.x] = 0; }
//! ```
//! becomes
//! ```hip
//! #include <hip/hip_runtime.h>
//! __global__ void k(int *p) { p[threadIdx.x] = 0; }
//! ```
//!
//! Where it comes behind a macro called `max`, `min`, `swap`, `T` or another parameter of its templates, it goes in front of it: it and
//! the headers of C++'s library that it includes use these names. nvcc reads CUDA's first anyway.
//!
//! A `.cu` file whose first way to it leads through `extern "C" { #include "c.h" }` gets it in front of that: the templates of HIP's header
//! do not compile in there, nor would those of CUDA's, which nvcc has read by then.
//!
//! Where it comes behind a header of the tree that names CUDA's vector types, `float4`, and brings nothing that has them, it goes in front
//! of that.
//!
//! Where a project's own code for AMD includes `hip/driver_types.h`, or another of ROCm's headers that name the runtime's types without
//! bringing them, in front of the runtime header, that goes in front of it; in a file that serves AMD already this is a warning instead.
//!
//! ## When to ignore
//! Behind a header of the tree that brings the runtime header in every build nothing is inserted, nor in a header that files beside it
//! or above it alone include, behind the runtime header. A stub that stands in the place of CUDA's headers gets none, nor does a source of SYCL's.
//!
//! ## Source
//! HIP porting guide; HIP 6.4 headers.

use crate::analysis::guarded_place::guarded_places;
use crate::analysis::include_place::AFTER_RUNTIME;
use crate::analysis::inline_asm;
use crate::project::file::{
    brings_runtime as brings_runtime_header, first_clashing_macro, parameter_macro,
};
use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::BTreeSet;

use crate::analysis::include_place::{insertion_point, insertion_point_before, is_in_braces};
use crate::cpp::definitions::opaque_tag;
use crate::cpp::guarding::{conditions, is_for_device_compilers};
use crate::cpp::macro_parameters::is_parameter;
use crate::project::hipcc_sources::is_of_sycl;
use crate::project::open_names::is_foreign;
use crate::rules::codes_with;
use crate::rules::prelude::*;
use crate::text::next_line;

use crate::project::textures::linear_declaration;

/// Inserts the runtime header where nothing brings it.
pub static RULE: Rule = Rule {
    code: "CASS009",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 5,
    facts: &[
        Fact::DoneByTorch,
        Fact::NotForRtc,
        Fact::DoneByShim,
        Fact::DoneByShim,
        Fact::BringsHeaders,
    ],
    checks: &[Check::Source(check), Check::Event(check_own_branch)],
};

/// What conditions about a release of CUDA ask, in the words that nvcc knows without an include.
const RELEASES: &[&str] = &[
    "CUDART_VERSION",
    "__CUDACC_VER_MAJOR__",
    "__CUDACC_VER_MINOR__",
];

const RUNTIME: &[&str] = &["hip/hip_runtime.h", "hip/hip_runtime_api.h"];

fn check(cx: &mut Context<'_, '_>) {
    let path = cx.doc.source.path.as_str();
    if cx.project.inclusions().is_fragment(path)
        || cx.project.runtime(cx.table()).is_served(path)
        || cx.project.inclusions().is_stand_in(path)
        || is_for_sycl(cx)
    {
        return;
    }
    let brings = |headers: &[&str]| {
        let mut includes = cx.doc.includes.iter();
        includes.any(|include| brings_runtime(cx, include, headers))
    };
    // The API header lacks `threadIdx` and launches; with --runtime-header=always a .cu file gets the header that nvcc means.
    let device_side = &RUNTIME[..1];
    if let Some(include) = misses_runtime(cx) {
        let message = "HIP's header of that name must be included after the runtime header";
        return insert(cx, include, &[], message.to_owned());
    }
    if let Some(directive) = asks_early(cx) {
        let message = "the macro that tells AMD apart comes with the runtime header, which nvcc includes by itself";
        return insert(cx, directive, &[], message.to_owned());
    }
    if let Some(directive) = comes_in_braces(cx) {
        let message = "the runtime header, which nvcc includes by itself, comes within braces: its templates cannot stand in there";
        return insert(cx, directive, &[], message.to_owned());
    }
    if brings(device_side) || is_brought_by_library(cx) {
        return go_before_others(cx);
    }
    // What only the device side has, behind a header that has the host's.
    let wanted = if brings(RUNTIME) && !is_always_included(cx) {
        is_device_code
    } else {
        needs_runtime
    };
    let users = users(cx, wanted);
    let user = users.first().copied();
    let are_brought = || users.iter().all(|&user| is_brought(cx, user));
    if !is_always_included(cx) && user.is_some() && are_brought() {
        return go_before_others(cx);
    }
    let message = match user {
        Some(index) if cx.doc.is_ident(index) => format!(
            "`{}` needs the runtime header, which nvcc includes by itself",
            cx.text(index)
        ),
        Some(_) => "a launch needs the runtime header, which nvcc includes by itself".to_owned(),
        None if is_always_included(cx) => {
            "nvcc includes the runtime header into every .cu file".to_owned()
        }
        None => return go_before_others(cx),
    };
    let range = user.map_or(TextRange::new(0, 0), |index| cx.range(index));
    insert(cx, range, &starts(cx, &users), message);
}

/// Whether a file is for a compiler of SYCL's, which has no headers of HIP: what it says of CUDA without a header of CUDA's is not compiled.
fn is_for_sycl(cx: &Context<'_, '_>) -> bool {
    let mut paths = cx.doc.includes.iter().map(|it| cx.text_of(it.path));
    paths.any(|it| is_of_sycl(&it))
}

/// What a project's own code for AMD includes too early.
fn check_own_branch(event: &Event<'_>) -> Option<Finding> {
    let &Event::LateHeaderForAmd {
        range,
        line,
        path,
        newline,
    } = event
    else {
        return None;
    };
    let message = format!("`{path}` does not compile in front of the runtime header");
    let edit = Edit::insert(line, format!("#include <hip/hip_runtime.h>{newline}"));
    let finding = RULE.finding(range, message).severity(Severity::Warning);
    Some(
        finding
            .help("include `hip/hip_runtime.h` first")
            .fix(Fix::safe(vec![edit])),
    )
}

/// Where some tokens start.
fn starts(cx: &Context<'_, '_>, tokens: &[TokenIndex]) -> Vec<u32> {
    tokens.iter().map(|&at| cx.range(at).start).collect()
}

/// Puts the header in front of a header of the tree that names vector types and does not bring it, or of a macro that its C++ headers
/// would stumble over; C has none of them.
fn go_before_others(cx: &mut Context<'_, '_>) {
    let path = cx.doc.source.path.as_str();
    let vectors = || cx.project.vectors_before_runtime(cx.doc, cx.table());
    if let Some(directive) = path.ends_with(".cu").then(vectors).flatten() {
        let message =
            "a header names vector types before the runtime header, which nvcc includes by itself";
        return insert(cx, directive, &[], message.to_owned());
    }
    if cx.doc.source.path.ends_with(".c") {
        return;
    }
    let project = &cx.project;
    let Some(directive) = project.macro_before_runtime(cx.doc, cx.table()) else {
        return;
    };
    let message = "a macro that is defined before the runtime header replaces a name in its C++ headers, such as `max` or `T`";
    insert(cx, directive, &[], message.to_owned());
}

fn insert(cx: &mut Context<'_, '_>, range: TextRange, needed: &[u32], message: String) {
    const LINE: &str = "#include <hip/hip_runtime.h>\n";
    let has_macro = first_clashing_macro(cx.doc).is_some();
    let places = guarded_places(cx.doc, cx.table(), needed);
    let places = places.filter(|_| !is_always_included(cx) && !has_macro);
    if let Some(places) = places {
        let inserted = places.iter().map(|place| {
            let point = cx.outside_off(place.point, RULE.code);
            Edit::insert(point, place.text(LINE, "\n"))
        });
        let edits = inserted.collect();
        cx.report(RULE.finding(range, message).fix(Fix::safe(edits)));
        return;
    }
    let point = if is_always_included(cx) {
        top(cx.doc)
    } else {
        // What is a macro in front of it would break it, as `go_before_others` knows.
        let own = first_clashing_macro(cx.doc).filter(|_| !cx.doc.source.path.ends_with(".c"));
        let mut directives = cx.doc.directives.iter();
        let parameter = directives.find(|it| parameter_macro(cx.doc, it).is_some());
        let parameter = parameter.map(|directive| directive.range);
        let limits = own.into_iter().chain(parameter).map(|it| it.start);
        insertion_point_before(cx.doc, limits.chain([range.end]).min().unwrap_or(u32::MAX))
    };
    let point = cx.outside_off(point, RULE.code);
    let bytes = &cx.doc.source.bytes;
    // `#pragma once` may be all there is, without a line end.
    let is_behind_open_line = point > 0 && point as usize == bytes.len() && !bytes.ends_with(b"\n");
    let text = match is_behind_open_line {
        true => "\n#include <hip/hip_runtime.h>",
        false => LINE,
    };
    let edit = Edit::insert(point, text);
    let finding = RULE.finding(range, message).fix(Fix::safe(vec![edit]));
    cx.report(finding);
}

/// The directive of the first include, if any, of a header that names the runtime's types where nothing brought them before.
fn misses_runtime(cx: &Context<'_, '_>) -> Option<TextRange> {
    let counts = |include: &&Include| {
        let start = include.directive.start;
        cx.doc.vendor_at(start) == Vendor::Any
            && !cx.is_off(start, RULE.code)
            && !cx.is_inactive(start)
    };
    let is_late = |include: &&Include| AFTER_RUNTIME.contains(&&*target(cx, include));
    let mut includes = cx.doc.includes.iter();
    let first = includes
        .clone()
        .find(|at| counts(at) && is_late(at))?
        .directive;
    let is_before = |include: &Include| {
        include.directive.start < first.start && brings_runtime(cx, include, RUNTIME)
    };
    (!includes.any(is_before)).then_some(first)
}

/// The first include, if any, within braces, `extern "C" {`, by which the runtime header may come where nothing brought it before. nvcc has
/// read its header by then, so that nothing of it comes in there.
fn comes_in_braces(cx: &Context<'_, '_>) -> Option<TextRange> {
    let from = cx.doc.source.path.as_str();
    if !from.ends_with(".cu") {
        return None;
    }
    let counts = |include: &&Include| {
        let start = include.directive.start;
        cx.doc.vendor_at(start) != Vendor::NotHip
            && !cx.is_off(start, RULE.code)
            && !cx.is_inactive(start)
    };
    let may_bring = |include: &&Include| {
        let path = cx.text_of(include.path);
        let meant = cx.project.paths.resolve(from, &path);
        brings_runtime(cx, include, RUNTIME)
            || meant.is_some_and(|it| cx.project.may_bring_runtime(it, cx.table()))
    };
    let in_braces = |include: &&Include| is_in_braces(cx.doc, include.directive.start);
    let mut includes = cx.doc.includes.iter().filter(counts);
    let first = includes.find(|it| in_braces(it) && may_bring(it))?;
    let mut before = cx
        .doc
        .includes
        .iter()
        .take_while(|it| it.token < first.token);
    // Where one of the same kind stands outside of braces before, it comes there.
    let is_known = before.any(|it| cx.doc.is_sure_on_hip(it.directive.start) && may_bring(&it));
    (!is_known && !is_brought(cx, first.token)).then_some(first.directive)
}

/// The first directive, if any, that becomes a question for AMD in front of all that brings the runtime header: one about a release of CUDA,
/// or an include that is hidden. nvcc has read its header by then.
fn asks_early(cx: &Context<'_, '_>) -> Option<TextRange> {
    if !cx.doc.source.path.ends_with(".cu") {
        return None;
    }
    let counts = |start: u32| {
        cx.doc.vendor_at(start) == Vendor::Any
            && !cx.is_off(start, RULE.code)
            && !cx.is_inactive(start)
    };
    let releases = cx.doc.all_of(RELEASES).into_iter();
    let mut releases = releases
        .filter(|&at| cx.doc.tokens[at].has(flags::DIRECTIVE) && counts(cx.range(at).start));
    let first = releases.next()?;
    let (place, start) = (first, cx.range(first).start);
    let mut earlier = cx.doc.includes.iter().take_while(|it| it.token < place);
    let is_known = is_brought(cx, place)
        || earlier.any(|include| {
            brings_runtime(cx, include, RUNTIME)
                || include.angled && brings_runtime_header(&target(cx, include), cx.table())
        });
    let mut directives = cx.doc.directives.iter();
    let directive = directives.find(|it| it.range.contains_offset(start))?;
    (directive.kind.is_condition() && !is_known).then_some(directive.range)
}

/// What needs the runtime first in each branch: words, and what becomes one, launches, inline PTX.
fn users(cx: &Context<'_, '_>, wanted: fn(&Context<'_, '_>, &[u8]) -> bool) -> Vec<TokenIndex> {
    // The text of a macro needs the header where it is used, which the host's part of the project may never do; nor does it read what
    // is for nvcc alone.
    let path = cx.doc.source.path.as_str();
    let for_host = LazyCell::new(|| cx.project.is_read_without_runtime(path, cx.table()));
    let counts = |index: TokenIndex| {
        let start = cx.doc.tokens[index].start;
        // A name that stays CUDA's, for somebody switched its renaming off, HIP's header does not have.
        let stays = || {
            let word = cx.doc.bytes(index);
            let is_off = || codes_with(Fact::PutsNames).any(|code| cx.is_off(start, code));
            is_foreign(cx.table(), word) && is_off()
        };
        cx.doc.vendor_at(start) == Vendor::Any
            && !stays()
            && (!cx.doc.tokens[index].has(flags::DIRECTIVE)
                || !*for_host
                || is_for_device_compilers(cx.doc, start))
            && !cx.is_off(start, RULE.code)
            && !cx.is_inactive(start)
    };
    let launches = cx.doc.launches.iter().map(|launch| launch.open);
    // One for each branch tells as much as all.
    let branch = |index: TokenIndex| {
        let around = cx.doc.branches.around(cx.doc.tokens[index].start).last();
        around.map(|branch| branch.start)
    };
    let mut known = BTreeSet::new();
    let mut is_new = |branch: Option<u32>| known.insert(branch);
    let words = cx.doc.all_that(|word| wanted(cx, word));
    let words = words.into_iter();
    let ptx = cx.doc.all_of(inline_asm::KEYWORDS).into_iter();
    let mut users: Vec<TokenIndex> = words
        .filter(|&index| is_runtimes(cx, index) && counts(index))
        .chain(launches.filter(|&open| counts(open)))
        .chain(ptx.filter(|&index| counts(index) && inline_asm::becomes_cpp(cx, index)))
        .collect();
    users.sort_unstable();
    users.retain(|&index| is_new(branch(index)));
    users
}

/// In front of everything, as nvcc does: directly behind `#pragma once`, or the `#ifndef` that stands in front of it.
fn top(doc: &Document<'_>) -> u32 {
    let is_once = |directive: &Directive| directive.is_pragma(doc, "once");
    let behind = match &doc.directives[..] {
        [first, ..] if is_once(first) => Some(first),
        [first, second, ..] if first.kind.is_negative() && is_once(second) => Some(first),
        _ => None,
    };
    behind.map_or_else(
        || insertion_point(doc),
        |directive| {
            let end = directive.range.end;
            next_line(&doc.source.bytes, end).unwrap_or(end)
        },
    )
}

/// Whether a header of the tree brings the runtime in front of the token, in every build for AMD.
fn is_brought(cx: &Context<'_, '_>, user: TokenIndex) -> bool {
    let from = cx.doc.source.path.as_str();
    let before = cx.doc.includes.iter().take_while(|it| it.token < user);
    let place = cx.range(user).start;
    let around = conditions(cx.doc, place);
    // What stands under the conditions of the user is read by whoever reads that.
    let is_read = |at: u32| {
        let mut all = conditions(cx.doc, at).into_iter();
        cx.doc.is_sure_on_hip(at)
            || cx.doc.branches.dominates(at, place)
            || all.all(|it| it != "#" && around.contains(&it))
    };
    let mut sure = before.filter(|it| is_read(it.directive.start));
    sure.any(|it| {
        let path = cx.text_of(it.path);
        let project = cx.project;
        RUNTIME.contains(&&*path)
            || project.brings_runtime(from, &path, cx.table())
            || project.brings_runtime_if(from, &path, &around)
            || project.is_given_runtime(from, &path, cx.table())
    })
}

fn is_always_included(cx: &Context<'_, '_>) -> bool {
    cx.options().runtime_header == crate::options::RuntimeHeader::Always
        && cx.doc.source.path.ends_with(".cu")
}

/// Whether an include brings one of the headers, before translation or after, wherever it stands.
fn brings_runtime(cx: &Context<'_, '_>, include: &Include, headers: &[&str]) -> bool {
    // What is guarded stays as it is written.
    let start = include.directive.start;
    let becomes = match cx.doc.vendor_at(start) {
        Vendor::Any if cx.is_not_meant(start) => Cow::Borrowed(""),
        Vendor::Any => target(cx, include),
        Vendor::Hip => cx.text_of(include.path),
        Vendor::NotHip => Cow::Borrowed(""),
    };
    headers.contains(&&*becomes)
}

/// Whether a header of a library that every build for AMD reads brings it in front of all that needs it.
fn is_brought_by_library(cx: &Context<'_, '_>) -> bool {
    let is_for_amd = |include: &&Include| {
        let start = include.directive.start;
        let vendor = cx.doc.vendor_at(start);
        cx.doc.is_sure_on_hip(start) && vendor != Vendor::NotHip && !cx.is_off(start, RULE.code)
    };
    let mut includes = cx.doc.includes.iter().filter(is_for_amd);
    let first = includes.find(|it| it.angled && brings_runtime_header(&target(cx, it), cx.table()));
    first.is_some_and(|include| {
        let users = users(cx, needs_runtime);
        let mut starts = users.into_iter().map(|at| cx.range(at).start);
        !is_always_included(cx) && starts.all(|start| start > include.directive.start)
    })
}

/// The path that an include has after translation.
fn target<'a>(cx: &'a Context<'_, '_>, include: &Include) -> Cow<'a, str> {
    let path = cx.text_of(include.path);
    let from = cx.doc.source.path.as_str();
    // A `cuda.h` of the project is not CUDA's.
    let own = cx
        .project
        .paths
        .resolve_covered(from, &path, include.angled);
    let hit = cx.table().header(path.as_bytes());
    hit.filter(|_| own.is_none())
        .and_then(|hit| hit.entry.hip)
        .map_or(path, Cow::Borrowed)
}

/// Whether the word is one that only code for the device has.
fn is_device_code(_: &Context<'_, '_>, word: &[u8]) -> bool {
    const WORDS: &[&[u8]] = &[
        b"__global__",
        b"__device__",
        b"__shared__",
        b"__constant__",
        b"threadIdx",
        b"blockIdx",
        b"blockDim",
        b"__launch_bounds__",
        b"texture",
    ];
    WORDS.contains(&word)
}

fn needs_runtime(cx: &Context<'_, '_>, word: &[u8]) -> bool {
    const WORDS: &[&[u8]] = &[b"__host__", b"__forceinline__", b"dim3"];
    let of_runtime = |hit: Hit<'_>| {
        let of_device = hit.entry.library == "device" && hit.entry.kind == Kind::Function;
        let counts = matches!(hit.entry.library, "runtime" | "driver" | "device")
            && hit.entry.hip.is_some()
            && (!hit.entry.context || becomes_intrinsic(hit.entry));
        // `__ballot_sync`, which a rule writes as something of HIP's.
        counts || of_device && word.starts_with(b"__")
    };
    is_device_code(cx, word)
        || WORDS.contains(&word)
        || cx.table().get(word).is_some_and(of_runtime)
}

/// Whether a plain word of old CUDA is written as a device function of HIP: `mul24(a, b)` as `__mul24(a, b)`.
fn becomes_intrinsic(entry: &ApiEntry) -> bool {
    let is_function = entry.library == "device" && entry.kind == Kind::Function;
    entry.context && is_function && entry.hip.is_some_and(|hip| hip.starts_with("__"))
}

/// Whether the file declares a handle itself wherever it is used, so that it needs no header for it:
/// `typedef struct CUstream_st *cudaStream_t;`.
fn is_declared_here(doc: &Document<'_>, index: TokenIndex) -> bool {
    let start = doc.tokens[index].start;
    let declares = |at: TokenIndex| {
        let is_tag = doc.bytes(at).ends_with(b"_st") && doc.is_before(at, "struct");
        is_tag || opaque_tag(doc, at).is_some()
    };
    let places = doc.noted("handle", doc.bytes(index), declares);
    places.iter().any(|&place| {
        let around = doc.branches.around(doc.tokens[place].start).last();
        around.is_none_or(|branch| branch.contains(TextRange::at(start)))
    })
}

/// Whether the word is used, and means what the runtime means by it.
fn is_runtimes(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let word = cx.doc.bytes(index);
    let is_variable = || {
        let hit = cx.table().get(word);
        hit.is_some_and(|hit| becomes_intrinsic(hit.entry)) && cx.doc.call(index).is_none()
    };
    !cx.is_own(word)
        && !is_variable()
        && !is_declared_here(cx.doc, index)
        && !is_parameter(cx.doc, index)
        && !crate::cpp::names::is_members_name(cx.doc, index)
        && !cx.doc.is_before(index, "ifdef")
        && !cx.doc.is_before(index, "ifndef")
        // Everybody's word, unless it declares what becomes a variable in constant memory.
        && (!cx.doc.is(index, "texture") || linear_declaration(cx.doc, index).is_some())
}
