//! A file with CUDA that the build does not compile.
//!
//! ## Why on AMD
//! With `-p`, a compilation database says which files a build compiles and with which macros and include folders. A file that no command
//! compiles, and that no compiled file includes, may be dead, may belong to another configuration, or its list was forgotten: its
//! problems are information, since it is not built. It is translated all the same. Code under macros that the commands do not define is
//! treated in the same way.
//!
//! ## Example
//! ```cuda
//! // old_solver.cu, in no list of the build
//! void wait_for_all() { cudaDeviceSynchronize(); }
//! ```
//!
//! ## When to ignore
//! When another configuration of the build compiles it: give the database of that one.
//!
//! ## Source
//! Clang's JSON compilation database.

use crate::project::standing::Standing;
use crate::rules::prelude::*;

/// Reports once a file.
pub static RULE: Rule = Rule {
    code: "CASS634",
    severity: Severity::Info,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let Standing::Outside = cx.project.standing(&cx.doc.source.path) else {
        return;
    };
    let message =
        "no command of the build compiles this file, and no file that it compiles includes it";
    let help = "check whether another configuration builds it; its findings are information here";
    cx.report(RULE.finding(TextRange::new(0, 0), message).help(help));
}
