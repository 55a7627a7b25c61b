//! NVIDIA's libdevice, named as such, in a Triton program, and functions that AMD's lacks.
//!
//! ## Why on AMD
//! `triton.language.extra.cuda.libdevice` holds the functions of NVIDIA's library, which AMD's compiler does not find.
//! `triton.language.extra.libdevice` has the same names and takes those of the backend that compiles. It has names for all of NVIDIA's
//! functions, and AMD's backend has 53 of the 197: a kernel that calls `libdevice.cbrt` is imported as it is on NVIDIA's GPUs and does not
//! compile. What to write instead is said of each, and `rint`, `scalbn` and `fma_rn` get the name of a function that both have and that
//! computes the same.
//!
//! ## Example
//! ```python
//! from triton.language.extra.cuda import libdevice
//! ```
//! becomes
//! ```python
//! from triton.language.extra import libdevice
//! ```
//!
//! ## When to ignore
//! With Triton before 3.0, which has the old module alone. Releases after 3.6 bring some of the functions to AMD.
//!
//! ## Source
//! `triton/language/extra/libdevice.py` of Triton 3.6 with those of both backends, which `mappings/triton.toml` is held against; compiled
//! for gfx942 by `tests/triton`.

use crate::mapping::{LibdeviceGap, TritonTable};
use crate::python::numba::place_behind;
use crate::python::{Node, PyFile, parents};
use crate::rules::prelude::*;

/// Names the module of either backend.
pub static RULE: Rule = Rule {
    code: "CASS681",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[&["triton"], &["libdevice"]], check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    if !cx.file().imports("triton") {
        return;
    }
    let file = cx.file();
    let mut findings = imports(file);
    findings.extend(by_full_name(file));
    findings.extend(lacking(file));
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Imports of NVIDIA's libdevice, which the backend has under a name without `cuda`.
fn imports(file: &PyFile<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for node in file.all(&["import_from_statement", "import_statement"]) {
        let text = file.text(node);
        let is_whole = text.starts_with("from triton.language.extra.cuda import")
            && text.trim_end().ends_with("libdevice")
            && !text.contains(',')
            || text.contains("triton.language.extra.cuda.libdevice");
        let is_among = text.starts_with("from triton.language.extra.cuda import")
            && file
                .elements(node)
                .iter()
                .any(|it| file.text(*it) == "libdevice");
        let found = text
            .find(".extra.cuda")
            .filter(|_| file.side(node).is_none() && !file.is_tried(node));
        if !is_whole && is_among && found.is_some() {
            let message = "libdevice is imported as NVIDIA's, among names that are NVIDIA's";
            let finding = RULE.finding(file.range(node), message);
            findings.push(finding.help("write `from triton.language.extra import libdevice` on a line of its own, and the other names where torch.version.hip is not set"));
        }
        let Some(at) = found.filter(|_| is_whole) else {
            continue;
        };
        let start = (node.start_byte() + at + ".extra".len()) as u32;
        let edits = vec![Edit::delete(TextRange::new(
            start,
            start + ".cuda".len() as u32,
        ))];
        let finding = RULE.finding(
            file.range(node),
            "libdevice of the backend takes the place of NVIDIA's",
        );
        findings.push(finding.severity(Severity::Info).fix(Fix::safe(edits)));
    }
    findings
}

/// The names that Triton gave libdevice, and what to say of each.
const FULL_NAMES: &[(&str, &str)] = &[
    (
        "tl.extra.cuda.libdevice",
        "`extra.cuda.libdevice` is NVIDIA's library",
    ),
    (
        "triton.language.extra.cuda.libdevice",
        "`extra.cuda.libdevice` is NVIDIA's library",
    ),
    ("tl.libdevice", "Triton has no `tl.libdevice` since 3.0"),
    (
        "triton.language.libdevice",
        "Triton has no `tl.libdevice` since 3.0",
    ),
];

/// Uses of libdevice by its full name: the backend's is a module that must be imported.
fn by_full_name(file: &PyFile<'_>) -> Vec<Finding> {
    let used = file
        .attributes(&["libdevice"])
        .into_iter()
        .filter_map(|node| {
            let text = file.dotted(node);
            let known = FULL_NAMES.iter().find(|(name, _)| *name == text)?;
            // What follows `except` is for a Triton without the new name.
            let is_fallback = parents(node).any(|it| it.kind() == "except_clause");
            let is_open = !is_fallback && !is_for_release(file, node) && file.side(node).is_none();
            is_open.then_some((file.range(node), known.1))
        });
    let used: Vec<(TextRange, &str)> = used.collect();
    let mut edits: Vec<Edit> = used
        .iter()
        .map(|(range, _)| Edit::replace(*range, "libdevice"))
        .collect();
    let import = new_import(file);
    let is_fixed = import.is_some();
    edits.extend(import.flatten());
    let finding = |(number, (range, why)): (usize, &(TextRange, &'static str))| {
        let finding = RULE
            .finding(*range, *why)
            .help("write `from triton.language.extra import libdevice`, and use that name");
        // The import and all uses go together.
        match number {
            0 if is_fixed => finding.fix(Fix::safe(edits.clone())),
            _ => finding,
        }
    };
    let count = if is_fixed { 1 } else { used.len() };
    used.iter().take(count).enumerate().map(finding).collect()
}

/// A place that names a function of libdevice which AMD's lacks: the whole of it, and the function's name alone where it is a member of
/// the module, `libdevice.rint`.
struct Use<'t> {
    whole: Node<'t>,
    member: Option<Node<'t>>,
    gap: &'static LibdeviceGap,
}

/// Functions that AMD's libdevice lacks, one finding for each.
fn lacking(file: &PyFile<'_>) -> Vec<Finding> {
    let mut uses: Vec<(String, Vec<Use<'_>>)> = Vec::new();
    let of_module = members_used(file).into_iter();
    for (name, it) in of_module.chain(functions_imported(file)) {
        let is_fallback = parents(it.whole).any(|it| it.kind() == "except_clause");
        if is_fallback || file.side(it.whole).is_some() {
            continue;
        }
        match uses.iter_mut().find(|(known, _)| *known == name) {
            Some((_, places)) => places.push(it),
            None => uses.push((name, vec![it])),
        }
    }
    uses.iter()
        .map(|(name, uses)| of_function(file, name, uses))
        .collect()
}

/// The finding about one function and all places that name it.
fn of_function(file: &PyFile<'_>, name: &str, uses: &[Use<'_>]) -> Finding {
    let (first, gap) = (&uses[0], uses[0].gap);
    let mut message = format!("AMD's libdevice has no `{name}`: the kernel does not compile");
    if uses.len() > 1 {
        message += &format!(" (one of {} places)", uses.len());
    }
    let finding = RULE.finding(file.range(first.whole), message);
    let finding = finding.severity(Severity::Error).help(gap.help.as_str());
    let members: Option<Vec<Node<'_>>> = uses.iter().map(|it| it.member).collect();
    let renamed = |(members, same): (Vec<Node<'_>>, &String)| -> Vec<Edit> {
        let members = members.into_iter();
        members
            .map(|it| Edit::replace(file.range(it), same.clone()))
            .collect()
    };
    match members.zip(gap.same.as_ref()).map(renamed) {
        Some(edits) => finding.fix(Fix::safe(edits)),
        None => finding,
    }
}

/// `libdevice.rint`, by whatever name the file has the module.
fn members_used<'t>(file: &'t PyFile<'_>) -> Vec<(String, Use<'t>)> {
    let modules = names_of_module(file);
    let of_module = |whole: Node<'t>| {
        let member = whole.child_by_field_name("attribute")?;
        let name = file.text(member).into_owned();
        let gap = TritonTable::builtin().libdevice_gap(&name)?;
        let module = file.dotted(whole.child_by_field_name("object")?);
        let is_whole = (module.starts_with("tl.extra.") || module.starts_with("triton."))
            && module.ends_with(".libdevice");
        let member = Some(member);
        (is_whole || modules.contains(&module)).then_some((name, Use { whole, member, gap }))
    };
    file.all(&["attribute"])
        .into_iter()
        .filter_map(of_module)
        .collect()
}

/// Modules that have Triton's libdevice under that name.
const HOLDERS: &[&str] = &[
    "triton.language.extra",
    "triton.language.extra.cuda",
    "torch._inductor.runtime.triton_helpers",
    "torch._inductor.runtime.triton_compat",
];

/// Triton's libdevice itself.
const MODULES: &[&str] = &[
    "triton.language.extra.libdevice",
    "triton.language.extra.cuda.libdevice",
];

/// What the file calls the module: `from triton.language.extra import libdevice`, `import triton.language.extra.libdevice as ld`.
fn names_of_module(file: &PyFile<'_>) -> Vec<String> {
    let imports = file.all(&["import_from_statement", "import_statement"]);
    let mut names = Vec::new();
    for import in imports {
        let module = import
            .child_by_field_name("module_name")
            .map(|it| file.dotted(it));
        for (name, alias, _) in imported(file, import) {
            let is_module = match &module {
                Some(module) => HOLDERS.contains(&&**module) && name == "libdevice",
                None => MODULES.contains(&&*name),
            };
            names.extend(is_module.then_some(alias));
        }
    }
    names
}

/// Functions that are imported from the module itself.
fn functions_imported<'t>(file: &'t PyFile<'_>) -> Vec<(String, Use<'t>)> {
    let mut functions = Vec::new();
    for import in file.all(&["import_from_statement"]) {
        let module = import.child_by_field_name("module_name");
        if !module.is_some_and(|it| MODULES.contains(&&*file.dotted(it))) {
            continue;
        }
        for (name, _, whole) in imported(file, import) {
            let gap = TritonTable::builtin().libdevice_gap(&name);
            let member = None;
            functions.extend(gap.map(|gap| (name, Use { whole, member, gap })));
        }
    }
    functions
}

/// What an import brings: each name, what the file calls it, and where it stands.
fn imported<'t>(file: &PyFile<'_>, import: Node<'t>) -> Vec<(String, String, Node<'t>)> {
    let names = import.children_by_field_name("name");
    let read = |it: Node<'t>| {
        let name = it.child_by_field_name("name").unwrap_or(it);
        let alias = it.child_by_field_name("alias").unwrap_or(name);
        (file.dotted(name), file.dotted(alias), it)
    };
    names.map(read).collect()
}

/// Whether a branch is chosen by Triton's release: `if Version(triton.__version__) > Version("2.0.0"): … else: …`.
fn is_for_release(file: &PyFile<'_>, node: Node<'_>) -> bool {
    parents(node).any(|it| {
        let condition = match it.kind() {
            "if_statement" => it.child_by_field_name("condition"),
            "conditional_expression" => file.elements(it).get(1).copied(),
            _ => None,
        };
        condition.is_some_and(|it| file.text(it).contains("triton.__version__"))
    })
}

/// The import that the name `libdevice` needs, or none if it is there; nothing where the name or the place is not free.
fn new_import(file: &PyFile<'_>) -> Option<Option<Edit>> {
    let imports = file.all(&["import_statement", "import_from_statement"]);
    let of_triton = |node: &&Node<'_>| {
        file.text(**node).contains("triton") && file.text(**node).trim_end().ends_with(" libdevice")
    };
    if imports
        .iter()
        .any(|node| of_triton(&node) && is_at_top(*node))
    {
        return Some(None);
    }
    let is_bound = |node: &Node<'_>| {
        file.text(*node) == "libdevice" && node.parent().is_none_or(|it| it.kind() != "attribute")
    };
    if file.all(&["identifier"]).iter().any(is_bound) {
        return None;
    }
    let mut place = imports
        .iter()
        .filter(|node| is_at_top(**node) && file.text(**node).contains("triton"));
    let (at, _) = place
        .next_back()
        .and_then(|node| place_behind(file, *node))?;
    Some(Some(Edit::insert(
        at,
        "\nfrom triton.language.extra import libdevice",
    )))
}

/// Whether a statement stands in the module itself, in no block.
fn is_at_top(node: Node<'_>) -> bool {
    node.parent().is_some_and(|it| it.kind() == "module")
}
