//! A module of PTX in a string, which the program loads by cuModuleLoadData.
//!
//! ## Why on AMD
//! HIP's hipModuleLoadData takes code objects of AMD's chips; of PTX it says `hipErrorInvalidImage`. The text becomes HIP C++ where it
//! stands, each kernel under its own name, and the call one of a helper, which compiles a text by hiprtc and loads what comes of it. A code
//! object it loads as it is. What a kernel has that AMD lacks is named, and leaves the kernel out.
//!
//! ## Example
//! ```cuda
//! const char *module_text = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";
//! void load(CUmodule *module) { cuModuleLoadData(module, module_text); }
//! ```
//! becomes
//! ```hip
//! const char *module_text = "extern \"C\" __global__ void nothing() { ... }\n";
//! void load(hipModule_t *module) { cass_cuModuleLoadData(module, module_text); }
//! ```
//!
//! ## When to ignore
//! When nothing loads the text on AMD.
//!
//! ## Source
//! HIP 6.4, hipModuleLoadData, hiprtc; PTX ISA 8.7.

use std::collections::BTreeSet;

use crate::analysis::module_texts::{LOADS, ModuleText, loading_helper, module_texts};
use crate::ptx::{Function, Reading};
use crate::rules::prelude::*;
use crate::text::quoted::Quoted;

/// Writes the text, and the calls that load it.
pub static RULE: Rule = Rule {
    code: "CASS304",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 20,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let modules = module_texts(cx);
    for module in modules.iter() {
        report(cx, module);
    }
    if modules.is_empty() {
        return;
    }
    for (name, _) in LOADS {
        let calls: Vec<TokenIndex> = cx.doc.all(name).collect();
        for at in calls {
            if let Some(helper) = loading_helper(cx, at) {
                report_load(cx, at, helper);
            }
        }
    }
}

fn report_load(cx: &mut Context<'_, '_>, at: TokenIndex, helper: &'static str) {
    let message = format!(
        "`{}` gets HIP C++ in a string, which hiprtc compiles",
        cx.text(at)
    );
    let edit = Edit::replace(cx.range(at), helper);
    let finding = RULE.finding(cx.range(at), message);
    let finding = finding
        .help("link with -lhiprtc; options for NVIDIA's compiler of PTX have no effect")
        .helper(helper)
        .fix(Fix::review(vec![edit]));
    cx.report(finding);
}

/// Says what becomes of a module.
fn report(cx: &mut Context<'_, '_>, module: &ModuleText) {
    let reading = &module.reading;
    let stopped = reading
        .functions
        .iter()
        .filter(|it| !it.obstacles.is_empty());
    for function in stopped {
        cx.report(left_out(&module.string.text, function));
    }
    let kernels = reading.functions.iter().filter(|it| it.is_kernel);
    let written = kernels.clone().filter(|it| it.obstacles.is_empty()).count();
    let all = kernels.count();
    let message = "PTX in a string: hipModuleLoadData takes code objects alone";
    let finding = RULE.finding(cx.range(module.string.literals.start), message);
    let finding = match &module.edits {
        Some(edits) => {
            let notes = reviews(reading);
            let help = format!("it becomes HIP C++ with {written} of {all} kernels{notes}");
            finding.help(help).fix(Fix::review(edits.clone()))
        }
        None => finding.help(format!(
            "put it into a file, kernels.ptx: `cass-transpile kernels.ptx -o kernels.hip` writes HIP C++ with {written} of {all} kernels, for hiprtc or `hipcc --genco`"
        )),
    };
    cx.report(finding);
}

/// The kernel or function that is not written, and by which instructions.
fn left_out(module: &Quoted, function: &Function) -> Finding {
    let (mut names, mut advice) = (BTreeSet::new(), BTreeSet::new());
    for (_, obstacle) in &function.obstacles {
        names.insert(format!("`{}`", obstacle.instruction));
        advice.insert(obstacle.advice.as_str());
    }
    let text = module.text();
    let begin = function.obstacles[0].0.min(text.len());
    let mut rest = text[begin..].iter();
    let length = rest.position(|byte| matches!(byte, b'\n' | b';' | b'{'));
    let end = length.map_or(text.len(), |length| begin + length);
    let range = module.origin_of(TextRange::new(begin as u32, end as u32));
    let names: Vec<String> = names.into_iter().collect();
    let advice: Vec<&str> = advice.into_iter().collect();
    let what = if function.is_kernel {
        "kernel"
    } else {
        "function"
    };
    let message = format!(
        "the {what} {} of this PTX is left out: {}",
        function.name,
        names.join(", ")
    );
    let finding = RULE.finding(range, message).severity(Severity::Error);
    finding.help(advice.join(" "))
}

/// What a person must look at.
fn reviews(reading: &Reading) -> String {
    let notes = reading.reviews.iter();
    notes
        .map(|note| format!("; {}", note.trim_end_matches('.')))
        .collect()
}
