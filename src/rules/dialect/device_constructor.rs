//! A class whose constructors are for the device alone, of which the host makes objects.
//!
//! ## Why on AMD
//! nvcc does not look where it makes an object without being asked, and lets templates of the host call what is for the device; such a call
//! ends the program when it is reached. To clang the class has no constructor there: "no matching constructor for initialization",
//! "constructor for 'holder' must explicitly initialize the member 'inner' which does not have a default constructor".
//!
//! ## Example
//! ```cuda
//! struct weight {
//!   __device__ weight(float w) : w(w), squared(w * w) {}
//!   float w, squared;
//! };
//! template <int N> void run(float w) { const weight by(w); step<N><<<1, 32>>>(by); }
//! ```
//! becomes
//! ```hip
//! struct weight {
//!   __host__ __device__ weight(float w) : w(w), squared(w * w) {}
//!   float w, squared;
//! };
//! template <int N> void run(float w) { const weight by(w); step<N><<<1, 32>>>(by); }
//! ```
//! That is done where a constructor does nothing but give its members values. The object is then what its source says it is.
//!
//! ## When to ignore
//! When nothing calls the host's function: it can go. What PyTorch's build gives to the host's compiler stays as it is.
//!
//! ## Source
//! nvcc 12.4 and 13.0, whose host code ends the program in such a constructor, and clang 19; each form compiled with both.

use crate::cpp::device_classes::{DeviceClass, device_classes, made_by_host};
use crate::cpp::space_macros::{SpaceMacros, worded};
use crate::cpp::spaces::{Head, heads};
use crate::project::includes::is_for_host;
use crate::rules::prelude::*;

/// Lets the host run constructors that only give members values; reports the others where their objects are made.
pub static RULE: Rule = Rule {
    code: "CASS695",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if is_hosts_alone(cx) {
        return;
    }
    let own = SpaceMacros::new(worded(doc).iter());
    let tree = cx.project.names().spaces();
    let said = |word: &[u8]| own.said(word).or_else(|| tree.said(word));
    let heads = heads(doc, &said, &|_| false);
    let classes = device_classes(doc, &heads, &said);
    let mut findings: Vec<Finding> = classes
        .iter()
        .flat_map(|class| of_class(cx, class))
        .collect();
    findings.sort_by_key(|finding| finding.range.start);
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether PyTorch's build gives the file to the host's compiler, to which `__device__` says nothing.
fn is_hosts_alone(cx: &Context<'_, '_>) -> bool {
    let path = cx.doc.source.path.as_str();
    cx.is_torch() && is_for_host(path) && cx.project.includers(path).next().is_none()
}

fn of_class(cx: &Context<'_, '_>, class: &DeviceClass<'_, '_>) -> Vec<Finding> {
    let doc = cx.doc;
    let is_read = |at: TokenIndex| {
        let start = doc.tokens[at].start;
        doc.vendor_at(start) == Vendor::Any && !cx.is_inactive(start) && !cx.is_not_meant(start)
    };
    let mut uses = made_by_host(doc, class.name);
    uses.retain(|&at| is_read(at));
    let Some(&first) = uses.first() else {
        return Vec::new();
    };
    let name = String::from_utf8_lossy(class.name).into_owned();
    let made: Vec<&&Head> = class
        .constructors
        .iter()
        .filter(|it| is_read(it.name))
        .collect();
    let line = doc.source.line_col(doc.tokens[first].start).line;
    let edits: Option<Vec<Finding>> = made
        .iter()
        .map(|head| {
            let word = head.words.iter().find(|&&at| doc.is(at, "__device__"))?;
            let edit = Edit::insert(doc.tokens[*word].start, "__host__ ");
            let message = format!("host code makes a `{name}` in line {line}, whose constructors are for the device alone");
            let finding = RULE.finding(cx.range(head.name), message);
            head.gives_values(doc).then(|| finding.severity(Severity::Info).fix(Fix::safe(vec![edit])))
        })
        .collect();
    edits.unwrap_or_else(|| {
        uses.iter()
            .map(|&at| {
                let message = format!("the host has no constructor of `{name}`: all are for the device alone");
                RULE.finding(cx.range(at), message).help(
                    "write `__host__ __device__` in front of the constructor, or make the object on the device",
                )
            })
            .collect()
    })
}
