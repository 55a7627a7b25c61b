//! A name of CUDA that a project's own support for AMD leaves out.
//!
//! ## Why on AMD
//! A project that builds for AMD already, by a header that maps names, by branches of its own or by hipify, is not edited: what compiles
//! for both vendors would be taken from one. A name that none of these covers stops the build for AMD where that compiles the code; in
//! the text of a macro only where that is used, so that one is a note.
//!
//! Files of such a project that come to nothing for AMD by their own includes are translated so that they serve both vendors: the project
//! goes on to build them for NVIDIA. One finding a folder says so: the build lists them for NVIDIA alone. What they include of the
//! project's code for CUDA, which stays as it is beside that for AMD, stops them.
//!
//! ## Example
//! ```cuda
//! #ifdef USE_ROCM
//! #include <hip/hip_runtime.h>
//! #define cudaMalloc hipMalloc
//! #define cudaFree hipFree
//! #define cudaStream_t hipStream_t
//! #else
//! #include <cuda_runtime.h>
//! #endif
//! void wait(cudaStream_t s) { cudaStreamSynchronize(s); }   // the second is not mapped
//! ```
//!
//! ## When to ignore
//! When the build for AMD leaves the code out in a way that the sources do not show. `--hip-support ignore` translates such a project
//! like any other.
//!
//! ## Source
//! The project's own headers and build files; the tables for what the name becomes.

use crate::rules::prelude::*;

/// Reports the names that are not covered.
pub static RULE: Rule = Rule {
    code: "CASS020",
    severity: Severity::Warning,
    fix: None,
    priority: 90,
    facts: &[],
    checks: &[Check::Event(check)],
};

fn check(event: &Event<'_>) -> Option<Finding> {
    match event {
        Event::NotCovered {
            range,
            name,
            uses,
            help,
        } => {
            let times = if *uses > 1 {
                format!(" ({uses} uses)")
            } else {
                String::new()
            };
            let message =
                format!("`{name}` is not covered by the project's own support for AMD{times}");
            Some(RULE.finding(*range, message).help(help.clone()))
        }
        Event::FileNotCovered {
            range,
            name,
            others,
            is_alone,
        } => Some(of_file(*range, name, *others, *is_alone)),
        Event::FolderForCuda {
            range,
            files,
            is_for_both,
        } => Some(of_folder(*range, *files, *is_for_both)),
        Event::IncludeForCuda { range, path, twin } => Some(of_include(*range, path, *twin)),
        _ => None,
    }
}

fn of_file(range: TextRange, name: &str, others: usize, is_alone: bool) -> Finding {
    let others = match others {
        0 => String::new(),
        1 => " and one other name".to_owned(),
        others => format!(" and {others} other names"),
    };
    RULE.finding(
        range,
        format!("`{name}`{others} of CUDA in a file without code for AMD, in a project that has such code elsewhere"),
    )
    .severity(match is_alone {
        true => Severity::Warning,
        false => Severity::Info,
    })
    .help("`--hip-support ignore` translates it; a build for AMD that leaves it out needs nothing")
}

fn of_folder(range: TextRange, files: usize, is_for_both: bool) -> Finding {
    let files = match files {
        1 => "this file is".to_owned(),
        files => format!("{files} files of this folder are"),
    };
    RULE.finding(
        range,
        format!("{files} written for CUDA alone, in a project that supports AMD elsewhere"),
    )
    .help(match is_for_both {
        true => "add the sources to the build for AMD, with `-I cass_hip -include cass_cuda_shim.h -DUSE_ROCM`: they go on serving NVIDIA; where AMD needs none of them, leave the folder out with `--exclude`",
        false => "add the translated sources to the build for AMD; without them, leave the folder out with `--exclude`",
    })
}

fn of_include(range: TextRange, path: &str, twin: Option<&str>) -> Finding {
    let help = match twin {
        Some(twin) => format!(
            "include `{twin}` and call what it has, or leave this file to the build for NVIDIA with `--exclude`"
        ),
        None => "include the project's code for AMD, or leave this file to the build for NVIDIA with `--exclude`".to_owned(),
    };
    RULE.finding(
        range,
        format!("`{path}` is the project's own for CUDA, and stays so beside its code for AMD"),
    )
    .help(help)
}
