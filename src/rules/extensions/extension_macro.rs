//! A macro that a PyTorch extension defines on the command line and that its build for ROCm renames or overrides.
//!
//! ## Why on AMD
//! For ROCm PyTorch writes `HIP` for the first `CUDA` in every option of `nvcc`, names of macros included: `-DWITH_CUDA` becomes
//! `-DWITH_HIP`, while the options of `cxx` and `define_macros` keep theirs. A source that asks `#ifdef WITH_CUDA` compiles to nothing.
//! An option in two words is left alone. `undef_macros` of what PyTorch defines itself has no effect, because it comes first. A script that
//! changes `COMMON_NVCC_FLAGS` does that for NVIDIA alone: AMD's list is `COMMON_HIPCC_FLAGS`, where the macros have HIP's names.
//!
//! ## Example
//! ```python
//! extra_compile_args = {"nvcc": ["-O3", "-DWITH_CUDA"]}
//! ```
//! becomes
//! ```python
//! extra_compile_args = {"nvcc": ["-O3", "-D", "WITH_CUDA"]}
//! ```
//!
//! ## When to ignore
//! When no source asks for the macro.
//!
//! ## Source
//! `BuildExtension._hipify_compile_flags` of PyTorch 2.11.

use crate::python::{Literal, Node, PyFile, parents};
use crate::rules::prelude::*;

/// Keeps macros of the project as they are called.
pub static RULE: Rule = Rule {
    code: "CASS644",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Extension(check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let strings = file.all(&["string"]);
    let found: Vec<Finding> = strings
        .into_iter()
        .filter_map(|node| renamed(file, node).or_else(|| undefined(file, node)))
        .collect();
    let found = found.into_iter().chain(list_of_nvcc(file));
    found.for_each(|finding| cx.report(finding));
}

/// The first place that changes PyTorch's list of options for nvcc, `COMMON_NVCC_FLAGS.remove(flag)`, in a script without its twin.
fn list_of_nvcc(file: &PyFile<'_>) -> Option<Finding> {
    const LIST: &str = "COMMON_NVCC_FLAGS";
    if !file.identifiers_of("COMMON_HIPCC_FLAGS").is_empty() {
        return None;
    }
    let changes = |it: &Node<'_>| {
        // `module.COMMON_NVCC_FLAGS` is the list as well.
        let around = it.parent().filter(|above| above.kind() == "attribute");
        let list = around
            .filter(|above| above.child_by_field_name("attribute") == Some(*it))
            .unwrap_or(*it);
        list.parent().is_some_and(|above| match above.kind() {
            "attribute" => above.parent().is_some_and(|call| call.kind() == "call"),
            "assignment" | "augmented_assignment" => {
                above.child_by_field_name("left") == Some(list)
            }
            _ => false,
        })
    };
    let places = file.identifiers_of(LIST).into_iter();
    let first = places.filter(|it| file.side(*it).is_none()).find(changes)?;
    if names_options_of_nvcc_alone(file) {
        return None;
    }
    let message = format!("PyTorch's build for ROCm does not read `{LIST}`");
    let help = "change `COMMON_HIPCC_FLAGS` as well, whose entries are \"-D__HIP_NO_HALF_OPERATORS__=1\" and \"-D__HIP_NO_HALF_CONVERSIONS__=1\"";
    Some(RULE.finding(file.range(first), message).help(help))
}

/// Whether a script speaks of options that nvcc alone has, `--expt-relaxed-constexpr`, and of no macro: PyTorch's list for hipcc has none of
/// them.
fn names_options_of_nvcc_alone(file: &PyFile<'_>) -> bool {
    let strings = file.all(&["string"]).into_iter();
    let texts: Vec<String> = strings
        .filter_map(|it| Some(Literal::new(file, it)?.text.to_string()))
        .collect();
    let begins = |begin: &str| texts.iter().any(|text| text.starts_with(begin));
    begins("--expt-") && !begins("-D")
}

/// `"-DWITH_CUDA"` among the options of nvcc.
fn renamed(file: &PyFile<'_>, node: Node<'_>) -> Option<Finding> {
    let literal = Literal::new(file, node)?;
    let definition = literal.text.strip_prefix("-D")?;
    let name = definition.split('=').next().unwrap_or(definition);
    // Those of CUDA's own headers have HIP's names then, as they should.
    let is_projects = name.contains("CUDA")
        && !name.starts_with("__CUDA")
        && name != "CUDA_HAS_FP16"
        && !name.starts_with("TORCH_");
    let list = node.parent().filter(|it| it.kind() == "list")?;
    if !is_projects || file.side(node).is_some() || !is_for_nvcc(file, list) {
        return None;
    }
    let renamed = name.replacen("CUDA", "HIP", 1);
    let message = format!("PyTorch's build for ROCm defines `{renamed}` in place of `{name}`");
    let text = format!("{}, {}", literal.quoted("-D"), literal.quoted(definition));
    let edit = Edit::replace(file.range(node), text);
    let finding = RULE
        .finding(file.range(node), message)
        .help("an option in two words keeps the name");
    Some(if literal.has_holes {
        finding
    } else {
        finding.severity(Severity::Info).fix(Fix::safe(vec![edit]))
    })
}

/// `undef_macros=["__HIP_NO_HALF_CONVERSIONS__"]`.
fn undefined(file: &PyFile<'_>, node: Node<'_>) -> Option<Finding> {
    let literal = Literal::new(file, node).filter(|it| it.text.starts_with("__HIP_NO_"))?;
    let is_undef = |it: Node<'_>| {
        let name = it
            .child_by_field_name("name")
            .or_else(|| it.child_by_field_name("left"));
        name.is_some_and(|name| file.text(name).contains("undef_macros"))
    };
    let message = format!(
        "`undef_macros` does not undefine `{}`, which PyTorch defines behind it",
        literal.text
    );
    let help = format!("write \"-U{}\" among the options of nvcc", literal.text);
    let finding = RULE
        .finding(file.range(node), message)
        .severity(Severity::Info)
        .help(help);
    parents(node).take(4).any(is_undef).then_some(finding)
}

/// Whether a list holds options of nvcc.
fn is_for_nvcc(file: &PyFile<'_>, list: Node<'_>) -> bool {
    parents(list).take(6).any(|parent| {
        let name = match parent.kind() {
            "pair" => parent.child_by_field_name("key"),
            "keyword_argument" => parent.child_by_field_name("name"),
            "assignment" | "augmented_assignment" => parent.child_by_field_name("left"),
            _ => None,
        };
        name.is_some_and(|name| {
            let lower = file.text(name).to_ascii_lowercase();
            lower.contains("nvcc") || lower.contains("cuda_cflags") || lower.contains("cuda_flags")
        })
    })
}
