//! A build that serves AMD as well as NVIDIA.
//!
//! ## Why on AMD
//! A CMake build that enables the language HIP, or looks for HIP's package, in one branch and CUDA in another needs no translation: what
//! is in CUDA's branch stays for NVIDIA. It is left as it is, with all its lists.
//!
//! ## Example
//! ```cmake
//! if(USE_CUDA)
//!   enable_language(CUDA)
//! elseif(USE_HIP)
//!   enable_language(HIP)
//! endif()
//! ```
//!
//! ## When to ignore
//! Once the build for AMD is known to work. The function that a translation writes for CMake gives no finding.
//!
//! ## Source
//! The builds of ginkgo, LightGBM, quda and bitsandbytes, which choose by an option.

use crate::analysis::build_files::serving_amd;
use crate::build::amd_tools;
use crate::build::command::is_called;
use crate::build::hip_sources::HEADER;
use crate::build::words::words;
use crate::options::Vendors;
use crate::rules::prelude::*;

/// Reports once a list.
pub static RULE: Rule = Rule {
    code: "CASS630",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[Fact::ForServedBuild],
    checks: &[Check::BuildFile(check)],
};

fn check(cx: &mut BuildContext<'_, '_>) {
    let Some(by) = serving_amd(cx) else {
        return;
    };
    let is_cuda = |at: &TokenIndex| {
        let word = cx.doc.bytes(*at).to_ascii_lowercase();
        memchr::memmem::find(&word, b"cuda").is_some()
    };
    let own = own_function(cx.doc);
    let is_own = |at: &TokenIndex| own.as_ref().is_some_and(|own| own.contains(at));
    let Some(first) = words(cx.doc).find(|at| is_cuda(at) && !is_own(at)) else {
        return;
    };
    let is_by_itself = amd_tools::serves_amd(cx.doc) || cx.doc.source.path == by;
    let message = match is_by_itself {
        true => format!("this build serves AMD as well (`{by}`): the file is left as it is"),
        false => format!(
            "this build serves AMD as well (`{by}`): the file, which names CUDA alone, is left as it is"
        ),
    };
    let help = match option(cx.doc) {
        Some(name) => format!("configure with -D{name}=ON, or whatever that option takes"),
        None if is_by_itself => format!("configure with the option for HIP that `{by}` asks for"),
        None => format!(
            "configure with the option for HIP that `{by}` asks for, and give the file a branch for it where AMD is to have what CUDA has here"
        ),
    };
    // An earlier run made it so.
    let is_ported = cx.options().vendors == Vendors::Both && cx.project.holds(HEADER);
    let severity = match is_ported {
        true => Severity::Info,
        false => RULE.severity,
    };
    cx.report(
        RULE.finding(cx.range(first), message)
            .severity(severity)
            .help(help),
    );
}

/// The function that a translation writes, which asks for properties of CUDA's by their names.
fn own_function(doc: &BuildFile<'_>) -> Option<std::ops::Range<TokenIndex>> {
    let commands = doc.commands();
    let mut from = commands
        .iter()
        .skip_while(|it| !(is_called(doc, it, "function") && doc.is(it.open + 1, "cass_use_hip")));
    let first = from.next()?;
    let last = from.find(|it| is_called(doc, it, "endfunction"))?;
    Some(first.name..last.close)
}

/// The option that chooses HIP, where the file names it.
fn option(doc: &BuildFile<'_>) -> Option<String> {
    let all = doc.commands();
    let asks = |name: &'static str| {
        all.iter()
            .filter(move |command| is_called(doc, command, name))
    };
    let is_choice = |at: &TokenIndex| {
        let word = doc.bytes(*at);
        let is_name = word
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
        let says = |part: &[u8]| memchr::memmem::find(word, part).is_some();
        is_name && (says(b"_HIP") || says(b"HIP_") || says(b"ROCM")) && !word.starts_with(b"CMAKE")
    };
    let named = asks("option").chain(asks("if")).chain(asks("elseif"));
    let mut found = named.filter_map(|command| (command.open + 1..command.close).find(is_choice));
    found
        .next()
        .map(|at| String::from_utf8_lossy(doc.bytes(at)).into_owned())
}
