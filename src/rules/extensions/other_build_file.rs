//! A file with CUDA, in a tree that PyTorch builds, which its build for AMD does not read.
//!
//! ## Why on AMD
//! PyTorch's build of an extension takes the sources that its script lists. Some it gives to NVIDIA alone, and a Makefile, a CMake list or a
//! script of a shell beside it belongs to another build. Nothing is changed there, and one finding stands for all that could be said: a note
//! where the file is a second way to the extension or the build scripts ask for AMD, else a warning, since what it calls is not there on AMD.
//!
//! ## Example
//! ```make
//! test: test.cu
//!     nvcc -arch=sm_80 -o test test.cu -lcublas
//! ```
//!
//! ## When to ignore
//! When the other build is not needed on AMD. `--dialect cuda` for its path ports it, `--hip-support ignore` a source for NVIDIA.
//!
//! ## Source
//! `torch.utils.cpp_extension`.

use crate::rules::prelude::*;

/// Says once a file that it was left alone.
pub static RULE: Rule = Rule {
    code: "CASS669",
    severity: Severity::Info,
    fix: None,
    priority: 90,
    facts: &[],
    checks: &[Check::Event(check)],
};

/// The same of a script of a shell, which may do more than to build.
const OPEN_SCRIPT: &str = "there is no such toolkit on AMD, and nothing was changed here: where the script is for AMD as well, choose by `command -v hipcc` what it does; `--dialect cuda` for its path translates its commands";

const OPEN: &str = "there is no such toolkit on AMD, and nothing was changed here; `--dialect cuda` for its path translates it, and for the sources that it builds alone";

fn check(event: &Event<'_>) -> Option<Finding> {
    match *event {
        Event::NvidiasSource { range, places } => {
            let things = match places {
                1 => "1 place is".to_owned(),
                places => format!("{places} places are"),
            };
            let message =
                format!("{things} for NVIDIA alone; the build for AMD leaves this file out");
            Some(RULE.finding(range, message).help("the build script gives it to PyTorch for NVIDIA alone; `--hip-support ignore` ports it all the same"))
        }
        Event::OtherBuildFile {
            range,
            places,
            words,
            is_read,
            is_open,
            is_script,
        } => {
            let speaking = match places {
                1 => "1 place is".to_owned(),
                places => format!("{places} places are"),
            };
            let named = named(words, places);
            let whose = match is_read || is_script {
                true => "",
                false => "; PyTorch's build of the extension does not read this file",
            };
            let message = format!("{speaking} about CUDA's toolkit{named}{whose}");
            let finding = RULE.finding(range, message);
            Some(match is_open {
                true if is_script => finding.severity(Severity::Warning).help(OPEN_SCRIPT),
                true => finding.severity(Severity::Warning).help(OPEN),
                false => {
                    finding.help("`--dialect cuda` for its path looks at it as part of a build")
                }
            })
        }
        _ => None,
    }
}

/// `: `nvcc`, `-arch=sm_80``, with dots where more is said than that.
fn named(words: &[String], places: usize) -> String {
    if words.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let more = if places > words.len() { ", …" } else { "" };
    format!(": {}{more}", quoted.join(", "))
}
