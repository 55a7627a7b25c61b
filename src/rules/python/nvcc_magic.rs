//! A cell of a notebook that `nvcc4jupyter` hands to nvcc.
//!
//! ## Why on AMD
//! The extension looks for `nvcc` and runs it; there is none, and no other compiler can be named. The kernels in the cells are translated,
//! but nothing compiles them.
//!
//! ## Example
//! ```python
//! %%cuda -n add
//! ```
//!
//! ## When to ignore
//! When the `nvcc` on the PATH is the one of `cass-transpile shim`, which compiles for AMD.
//!
//! ## Source
//! The magics of nvcc4jupyter 1.2 and of its releases before, `%%cu`.

use crate::rules::prelude::*;

/// Reports magics that want nvcc.
pub static RULE: Rule = Rule {
    code: "CASS668",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[&["%%cu", "#%cu", "nvcc"]], check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    if !cx.source.path.ends_with(".ipynb") || !cx.mentions(&["#%", "#load_ext"]) {
        return;
    }
    let file = cx.file();
    let mut findings = Vec::new();
    for comment in file.all(&["comment"]) {
        // How the cells of a notebook become a program: what only IPython reads is a comment.
        let text = file.text(comment);
        let line = text.trim_end();
        let magic = line
            .strip_prefix("#%")
            .and_then(|it| it.split_whitespace().next());
        let (message, help) = match magic {
            Some(magic) if magic.starts_with("cu") || magic == "nvcc" => (
                "nvcc4jupyter compiles this cell with nvcc, which AMD does not have",
                "write the cell to a file, `%%writefile kernel.cu`, and run `!hipcc kernel.cu -o kernel && ./kernel` in the next; or run `cass-transpile nvcc --install DIR` and put DIR/bin first on the PATH",
            ),
            _ if line.starts_with("#load_ext") => (
                "nvcc4jupyter needs nvcc, which AMD does not have",
                "leave the extension out and compile with hipcc, or run `cass-transpile nvcc --install DIR` and put DIR/bin first on the PATH",
            ),
            _ => continue,
        };
        findings.push(RULE.finding(file.range(comment), message).help(help));
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}
