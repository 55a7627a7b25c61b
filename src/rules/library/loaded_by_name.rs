//! A library or function of CUDA that a program loads by its name while it runs.
//!
//! ## Why on AMD
//! `dlopen("libcuda.so.1")` finds nothing on a machine with AMD's driver, and `dlsym` knows HIP's functions under HIP's names. No
//! compiler says so: the program runs as if there were no GPU.
//!
//! ## Example
//! ```cuda
//! void *library = dlopen("libcuda.so.1", RTLD_NOW);
//! start = (Start)dlsym(library, "cuInit");
//! ```
//! becomes, by hand
//! ```hip
//! void *library = dlopen("libamdhip64.so", RTLD_NOW);
//! start = (Start)dlsym(library, "hipInit");
//! ```
//!
//! ## When to ignore
//! When another part of the program loads AMD's library instead.
//!
//! ## Source
//! The tables in `mappings/`; `dlopen(3)`; HIP porting guide, the driver's functions.

use crate::cpp::calls::enclosing_parenthesis;
use crate::mapping::BuildTable;
use crate::rules::prelude::*;

/// Points at each name.
pub static RULE: Rule = Rule {
    code: "CASS518",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

/// Functions that look a name up.
const LOADERS: &[&str] = &["dlsym", "dlvsym", "GetProcAddress", "cuGetProcAddress"];

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let loads = LOADERS.iter().any(|name| doc.all(name).next().is_some());
    for (at, token) in doc.tokens.iter().enumerate() {
        if token.kind != TokenKind::Str
            || token.has(flags::DIRECTIVE) && !token.has(flags::MACRO_BODY)
        {
            continue;
        }
        let text = doc.bytes(at);
        let Some(text) = text
            .strip_prefix(b"\"")
            .and_then(|it| it.strip_suffix(b"\""))
        else {
            continue;
        };
        // What stands around a literal is looked at only where it is such a name.
        let found = library(cx, at, text).or_else(|| part_of_library(cx, at, text));
        let found = found.or_else(|| {
            let finding = function(cx, at, text)?;
            (is_looked_up(doc, at) || loads && is_listed(doc, at)).then_some(finding)
        });
        if let Some(finding) = found {
            cx.report(finding);
        }
    }
}

/// `libcublas.so.12`, `nvcuda.dll`: the whole text is the file of a library.
fn library(cx: &Context<'_, '_>, at: TokenIndex, text: &[u8]) -> Option<Finding> {
    let text = std::str::from_utf8(text).ok()?;
    let file = text.rsplit('/').next()?;
    let name = match file.strip_prefix("lib").and_then(|it| it.split_once(".so")) {
        Some((name, version)) => is_version(version).then_some(name)?,
        None => {
            let name = file.strip_suffix(".dll")?;
            let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
            if name == "nvcuda" { "cuda" } else { name }
        }
    };
    let target = match name {
        "nvidia-ml" | "nvml" => Some("rocm_smi64".to_owned()),
        _ => {
            let library = BuildTable::builtin().library(name)?;
            library.link(&cx.options().choices)
        }
    };
    let finding = RULE.finding(
        cx.range(at),
        format!("`{file}` is NVIDIA's: no AMD machine has it, so loading it fails at run time"),
    );
    Some(match target {
        Some(target) => finding.help(format!(
            "load `lib{}.so`, and look up the names that it has",
            target.trim_start_matches("-l")
        )),
        None => finding.help("load a library of ROCm, or leave out what needs this one"),
    })
}

/// `Module module({"cusparse"}, …)`: what loads a library is given its name without the rest of the file's.
fn part_of_library(cx: &Context<'_, '_>, at: TokenIndex, text: &[u8]) -> Option<Finding> {
    let name = std::str::from_utf8(text).ok()?;
    let is_nvidias = name.starts_with("cu") || name.starts_with("nv");
    let library = BuildTable::builtin().library(name).filter(|_| is_nvidias)?;
    // In a list of names the first counts.
    let list = cx.doc.prev(at).filter(|&prev| cx.doc.is(prev, "{"));
    let open = enclosing_parenthesis(cx.doc, list.unwrap_or(at))?;
    let callee = cx.doc.prev(open).filter(|&it| cx.doc.is_ident(it))?;
    let word = cx.doc.bytes(callee).to_ascii_lowercase();
    let ends = |end: &str| word.ends_with(end.as_bytes());
    let starts = |start: &str| word.starts_with(start.as_bytes());
    let loads = starts("dlopen") || starts("load") || ends("library");
    // `def_submodule` of pybind11 names a module of Python's.
    let is_module = ends("module") && !starts("def");
    if !loads && !is_module {
        return None;
    }
    let message =
        format!("`{name}` is a library of NVIDIA's, which is loaded while the program runs");
    let link = library.link(&cx.options().choices).unwrap_or_default();
    let finding = RULE.finding(cx.range(at), message);
    Some(match link.strip_prefix("-l") {
        Some(other) => finding.help(format!("load `{other}`, and look up the names that it has")),
        None => finding.help("load a library of ROCm, or leave out what needs this one"),
    })
}

/// Nothing, `.12` or `.11.0`.
fn is_version(rest: &str) -> bool {
    let mut parts = rest.split('.');
    parts.next() == Some("") && parts.all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The text is a function of CUDA that ROCm has under another name, or not at all.
fn function(cx: &Context<'_, '_>, at: TokenIndex, text: &[u8]) -> Option<Finding> {
    let hit = cx.table().get(text)?;
    let entry = hit.entry;
    if entry.kind != Kind::Function || !entry.tells_by_itself() {
        return None;
    }
    let options = cx.options();
    let target = entry.target(&options.choices, options.rocm, None);
    let message = format!("`{}` is looked up by its name at run time", entry.cuda);
    let finding = RULE.finding(cx.range(at), message);
    Some(match target {
        Some(target) => finding.help(format!(
            "look up `{}` in ROCm's library; what the project declares itself (types, values of enumerators) must be as in HIP's headers",
            target.name
        )),
        None => finding.help(format!(
            "no ROCm library exports this; `cass-transpile query {}` says what to use instead",
            entry.cuda
        )),
    })
}

/// Whether a call around the literal looks names up: `dlsym(library, "cuInit")`, `LOAD_SYMBOL("cuInit")`.
fn is_looked_up(doc: &Document<'_>, at: TokenIndex) -> bool {
    let Some(callee) = enclosing_parenthesis(doc, at).and_then(|open| callee(doc, open)) else {
        return false;
    };
    let word = doc.bytes(callee).to_ascii_lowercase();
    let has = |part: &str| memchr::memmem::find(&word, part.as_bytes()).is_some();
    has("dlsym")
        || has("dlvsym")
        || has("proc") && has("addr")
        || has("load")
        || has("symbol")
        || has("entrypoint")
        || has("function") && has("pointer")
        || has("resolve")
        || has("lookup")
        || word.ends_with(b"sym")
}

/// The name of what is called by a parenthesis, in front of its template arguments: `load<Start>(library, "cuInit")`.
fn callee(doc: &Document<'_>, open: TokenIndex) -> Option<TokenIndex> {
    /// Tokens that the type of a function takes, `CUresult (*)(CUdevice *, int)` among them.
    const LONGEST: usize = 40;
    let last = doc.prev(open)?;
    if doc.is_ident(last) {
        return Some(last);
    }
    let mut before = std::iter::successors(doc.prev(last), |&at| doc.prev(at)).take(LONGEST);
    let angle = before.find(|&at| doc.is(at, "<") && doc.template_close(at) == Some(last))?;
    doc.prev(angle).filter(|&name| doc.is_ident(name))
}

/// Whether the literal is an element of a list in braces: a table of names.
fn is_listed(doc: &Document<'_>, at: TokenIndex) -> bool {
    let (Some(prev), Some(next)) = (doc.prev(at), doc.next(at)) else {
        return false;
    };
    let in_list = matches!(doc.bytes(prev), b"{" | b",") && matches!(doc.bytes(next), b"}" | b",");
    in_list && enclosing_parenthesis(doc, at).is_none()
}
