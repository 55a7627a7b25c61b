//! A name or header of CUDA's form that no table knows and nothing in the tree defines.
//!
//! ## Why on AMD
//! `cudaX…`, `cublasX…`, `cuX…`, `CUDNN_…`, `CU_LIMIT_…` and functions such as `__vnew4` in device code look like names of a CUDA
//! release that is newer than the tables of this tool, or of a header that is not in the tree. Such a name stays as it is, and AMD's
//! compiler does not know it. So does an include of a header in a folder of CUDA's libraries, or with the name of one,
//! `<cub/device/device_x.cuh>`, `<cublas_x.h>`.
//!
//! ## Example
//! ```cuda
//! cudaMallocPitchX(&p, &pitch, width, height);
//! ```
//!
//! ## When to ignore
//! When a header from outside the tree, or one that the build writes, defines the name.
//!
//! ## Source
//! The tables of `mappings/`, held against the headers of CUDA 13.

use crate::analysis::conditions::verdict::is_left_out;
use crate::analysis::unit::is_coined;
use crate::cpp::names::is_members_name;
use crate::mapping::{is_intrinsic_by_form, library_by_form};
use crate::rules::prelude::*;
use crate::syntax::Space;
use crate::text::keywords::is_keyword;
use crate::text::nearest;

/// Reports names that only their form gives away.
pub static RULE: Rule = Rule {
    code: "CASS015",
    severity: Severity::Error,
    fix: None,
    priority: 90,
    facts: &[],
    checks: &[Check::Source(check), Check::Include(check_header)],
};

/// Folders that CUDA's libraries are included from.
const FOLDERS: &[&str] = &["cooperative_groups/", "crt/", "cub/", "nvtx3/", "thrust/"];

/// What the headers of CUDA's libraries are called by; behind it stands `_x`, `X`, a digit or nothing.
const STEMS: &[&str] = &[
    "cublas",
    "cuda",
    "cudnn",
    "cufft",
    "cupti",
    "curand",
    "cusolver",
    "cusparse",
    "cutensor",
    "nvjpeg",
    "nvml",
    "nvrtc",
    "nvToolsExt",
];

fn check_header(include: &Include, cx: &mut Context<'_, '_>) {
    let path = cx.text_of(include.path).replace('\\', "/");
    let paths = &cx.project.paths;
    let is_known = || {
        cx.table().header(path.as_bytes()).is_some()
            || cx.table().is_result(path.as_bytes())
            || paths.resolve(&cx.doc.source.path, &path).is_some()
            || paths.files_called(path.rsplit('/').next().unwrap_or(&path)) > 0
    };
    if !has_form_of_header(&path, include.angled) || is_known() {
        return;
    }
    let message = format!(
        "`{path}` looks like a header of CUDA; no table knows it and the tree has none of that name"
    );
    let finding = RULE.finding(include.directive, message);
    cx.report(finding.severity(Severity::Warning).help("check whether the header is newer than this tool's tables (include AMD's by hand, or add it with --mappings), private to CUDA, or another project's that needs a port of its own"));
}

/// Whether an include may be one of CUDA's headers; in quotes only what lies in a folder of CUDA's libraries: a project has names like
/// these.
fn has_form_of_header(path: &str, is_angled: bool) -> bool {
    if FOLDERS.iter().any(|folder| path.starts_with(folder)) {
        return true;
    }
    let is_name_end = |rest: &str| {
        let next = rest.bytes().next().unwrap_or(b'.');
        matches!(next, b'.' | b'_') || next.is_ascii_uppercase() || next.is_ascii_digit()
    };
    let is_header = [".h", ".hpp", ".cuh"].iter().any(|end| path.ends_with(end));
    let of_stem = |stem: &&str| path.strip_prefix(*stem).is_some_and(is_name_end);
    let is_named = is_header && !path.contains('/') && STEMS.iter().any(of_stem);
    is_angled && (is_named || path.starts_with("cuda/"))
}

fn check(cx: &mut Context<'_, '_>) {
    let unknown = cx.doc.all_that(|word| is_unknown(cx, word));
    if unknown.is_empty() {
        return;
    }
    let project = &cx.project;
    let sees_all = project.reached(cx.doc, cx.table(), true).complete;
    for index in unknown {
        if is_used(cx, index) && (sees_all || !is_of_missing_header(cx, index)) {
            report(cx, index, sees_all);
        }
    }
}

/// Whether a header that is called like the word, or like what the word begins with, is included and not in the tree: `cudaOverlay.h` of
/// a submodule that is not checked out declares `cudaOverlayAlpha`.
fn is_of_missing_header(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let word = cx.text(index);
    let declares = |path: &str| {
        let file = path.rsplit('/').next().unwrap_or(path);
        let stem = file.split('.').next().unwrap_or(file);
        let rest = word.strip_prefix(stem);
        rest.is_some_and(|it| !it.starts_with(|next: char| next.is_ascii_lowercase()))
            && library_by_form(stem.as_bytes()).is_some()
            && cx.table().header(path.as_bytes()).is_none()
            && cx.project.paths.files_called(file) == 0
    };
    let reached = cx.project.reached(cx.doc, cx.table(), true);
    reached.brings(&format!("the header of {word}"), declares)
}

/// Whether nothing knows a word of CUDA's form: no table, no rule, no helper, no file of the tree.
fn is_unknown(cx: &Context<'_, '_>, word: &[u8]) -> bool {
    let by_form = library_by_form(word).is_some() || is_intrinsic_by_form(word);
    by_form
        && cx.table().get_or_pattern(word).is_none()
        && cx.table().ending(word).next().is_none()
        && !cx.claims.is_watched(word)
        && !cx.is_own(word)
        && !is_coined(cx, word)
        && !is_asked_for(cx, word)
}

/// Whether a condition of the file asks for the word: then it is a macro of the build's, and a build that does not define it does not
/// compile what it guards.
fn is_asked_for(cx: &Context<'_, '_>, word: &[u8]) -> bool {
    let doc = cx.doc;
    doc.occurrences(word, 0..doc.tokens.len()).any(|at| {
        let directive = doc.directive_of(at).map(|it| &doc.directives[it]);
        directive.is_some_and(|directive| directive.kind.is_condition())
    })
}

/// Whether the word is used in code where it could mean CUDA's: it is no member, no condition asks for it, and a function with two
/// underscores is called by device code.
fn is_used(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let doc = cx.doc;
    let in_code =
        !doc.tokens[index].has(flags::DIRECTIVE) || doc.tokens[index].has(flags::MACRO_BODY);
    let is_pasted =
        doc.is(index + 1, "##") || doc.is_before(index, "##") || doc.is_before(index, "#");
    let runs_on_device = || {
        let mut around = doc.scopes().around(index);
        // A macro in front is a namespace or a type: `_STLP_PRIV __power(x)`.
        let before = doc.prev(index).filter(|&before| doc.is_ident(before));
        let is_marked = before.is_some_and(|before| !is_keyword(doc.bytes(before)));
        doc.next_is(index, "(")
            && !is_marked
            && around.any(|function| function.space != Space::Host)
    };
    in_code
        && !is_pasted
        && !is_members_name(doc, index)
        && !is_part_of_defined_name(doc, index)
        && (library_by_form(doc.bytes(index)).is_some() || runs_on_device())
}

/// Whether a macro that stands for the whole head of a function makes a name of the word: `TEST(cuDNN_Conv, run) { … }` of GoogleTest.
fn is_part_of_defined_name(doc: &Document<'_>, index: TokenIndex) -> bool {
    let is_upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let is_whole_argument = (doc.is_before(index, "(") || doc.is_before(index, ","))
        && (doc.next_is(index, ",") || doc.next_is(index, ")"));
    is_whole_argument
        && doc.scopes().enclosing(index).is_some_and(|function| {
            function.name == Some(function.head.start)
                && function.head.contains(&index)
                && doc.bytes(function.head.start).iter().all(is_upper)
        })
}

fn report(cx: &mut Context<'_, '_>, index: TokenIndex, sees_all: bool) {
    let name = cx.text(index).into_owned();
    let library = library_by_form(name.as_bytes()).unwrap_or("device");
    let near = nearest_known(cx, &name);
    let severity = match is_left_out(cx, cx.range(index).start) {
        true => Severity::Info,
        false if sees_all => Severity::Error,
        // A header that is not here may define it.
        false => Severity::Warning,
    };
    let hint = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
    let range = cx.range(index);
    let finding = RULE
        .finding(range, format!("`{name}` looks like a name of CUDA; no table knows it and nothing in the tree defines it"))
        .severity(severity)
        .help(format!("{hint}check whether the name is misspelt, newer than this tool's tables (write the HIP call by hand, or add it with --mappings), or from a header outside the tree"))
        .api(ApiUse {
            name: "",
            library,
            target: None,
            rocm_since: None,
        });
    cx.report(finding);
}

/// The known name of the same family that is nearest, if one is near.
fn nearest_known(cx: &Context<'_, '_>, name: &str) -> Option<&'static str> {
    let family = cx.table().family(name).iter().copied();
    nearest(
        name,
        family.filter(|known| known.len().abs_diff(name.len()) <= name.len() / 3),
    )
}
