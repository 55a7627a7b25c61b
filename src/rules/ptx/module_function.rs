//! A kernel or function of a PTX module that is not written in HIP C++.
//!
//! ## Why on AMD
//! A conversion writes the kernels of a module as HIP C++. An instruction without a counterpart (tensor cores, bulk copies, barriers in
//! memory, clusters, textures, calls through pointers) leaves its kernel out, and with a function all kernels that call it: hipModuleGetFunction does not
//! find them. The finding names the instructions and says what AMD has in their place.
//!
//! ## Example
//! ```cuda
//! cuModuleGetFunction(&kernel, module, "uses_cluster");
//! ```
//!
//! ## When to ignore
//! When nothing calls the kernel on AMD.
//!
//! ## Source
//! PTX ISA 8.7; LLVM 19, AMDGPU usage.

use crate::rules::prelude::*;

/// Names what is left out, and why.
pub static RULE: Rule = Rule {
    code: "CASS303",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Event(check)],
};

fn check(event: &Event<'_>) -> Option<Finding> {
    let Event::ModuleFunction {
        range,
        function,
        obstacles,
    } = event
    else {
        return None;
    };
    let (mut names, mut advice) = (Vec::new(), Vec::new());
    for obstacle in *obstacles {
        let name = format!("`{}`", obstacle.instruction);
        if !names.contains(&name) {
            names.push(name);
        }
        if !advice.contains(&obstacle.advice.as_str()) {
            advice.push(&obstacle.advice);
        }
    }
    let names = names.join(", ");
    let message = match function {
        Some((name, true)) => format!("the kernel {name} is left out of the HIP C++: {names}"),
        Some((name, false)) => format!("the function {name} is left out of the HIP C++: {names}"),
        None => format!("left out of the HIP C++: {names}"),
    };
    Some(RULE.finding(*range, message).help(advice.join(" ")))
}
