//! A file with CUDA, in a tree that PyTorch builds, which its build for AMD does not read.
//!
//! ## Why on AMD
//! PyTorch's build of an extension takes the sources that its script lists. Some it gives to NVIDIA alone, and a Makefile, a CMake list or a
//! script of CI beside it belongs to another build. Nothing is changed there, and one note stands for all that could be said.
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
            is_read,
        } => {
            let speaking = match places {
                1 => "1 place is".to_owned(),
                places => format!("{places} places are"),
            };
            let whose = match is_read {
                true => "",
                false => "; PyTorch's build of the extension does not read this file",
            };
            let message = format!("{speaking} about CUDA's toolkit{whose}");
            Some(
                RULE.finding(range, message)
                    .help("`--dialect cuda` for its path looks at it as part of a build"),
            )
        }
        _ => None,
    }
}
