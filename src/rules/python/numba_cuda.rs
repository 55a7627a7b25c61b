//! A program for `numba.cuda`.
//!
//! ## Why on AMD
//! Numba compiles CUDA kernels for NVIDIA alone. The package numba-hip has most of `numba.cuda` under `numba.hip`; shuffles and votes
//! are there without mask, atomics, dynamic shared memory, cooperative groups, random numbers and PTX are not. A file becomes one for
//! numba-hip where every name that it uses is there, or where functions written into the file stand for it: atomics, random numbers,
//! reductions, matches of warps, `detect`, and the target of `vectorize` and `guvectorize`. Dynamic shared memory becomes an array of the
//! size that the launches in the file give, or of the size that each gives where these are no numbers. Else the file stays as it is, and
//! each name that is in the way is an error.
//!
//! ## Example
//! ```python
//! from numba import cuda
//! ```
//! becomes
//! ```python
//! from numba import hip as cuda
//! ```
//!
//! What is about 64 lanes on CDNA, `laneid`, `warpsize`, votes, becomes what the 32 lanes of the kernel are about, as shuffles are of 32.
//! Lanes run in step, so that `syncwarp` only puts memory in order. Options of `jit` that numba-hip has not, `debug=True`, go, and what is
//! lost with them is said. `compute_capability` becomes what HIP gives as it, the version of the chip's instructions.
//!
//! Beside extensions of PyTorch, in a package and in a tree that supports AMD already, where one source serves both vendors, the import
//! stays and is followed by one of `numba.hip` that may fail; what needs more than that stays as it is, in a package excepted.
//!
//! ## When to ignore
//! When AMD never runs the file. Where numba is only asked for GPUs beside DCGM or NVML, which are NVIDIA's, nothing is ported: it is
//! information. A whole application can also call `numba.hip.pose_as_cuda()` before it imports anything of Numba.
//!
//! ## Source
//! The wheel of numba-hip 0.2.1; `mappings/numba.toml`, held against it by `tests/numba/names.py`.

use crate::analysis::numba_port::{Change, Hindrance, Port, Uses};
use crate::mapping::NumbaTable;
use crate::options::CompatMode;
use crate::python::{Node, PyFile};
use crate::rules::prelude::*;
use crate::text::next_line;

/// Ports files whose names are all there; reports the others.
pub static RULE: Rule = Rule {
    code: "CASS690",
    severity: Severity::Error,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[&["numba"], &["cuda", "CUDA"]], check)],
};

/// What a person looks at in a file that is ported.
const LOOK: &str = "install numba-hip; what shares arrays or kernels with this file must move with it, and what relies on warps of 32 lanes must be checked";

/// What a person does with a file that must serve both vendors.
const BESIDE: &str = "NVIDIA needs the file as it is: keep a copy for numba-hip beside it, which `--dialect cuda` writes, and import the one that fits";

/// What is said where numba is only asked what NVIDIA's management library is asked beside it.
const ASKED: &str = "numba says here which GPUs of NVIDIA's there are, for NVIDIA's own tools: on AMD there are none";
/// What a person does there.
const COUNT: &str = "count the GPUs by amdsmi or torch.cuda.device_count() where the tools are AMD's, amdsmi for DCGM and NVML";

/// Whether a file has no kernel and no array of numba's, and speaks of NVIDIA's tools for management: it asks numba for NVIDIA's GPUs.
fn is_only_asked(cx: &PythonContext<'_, '_>) -> bool {
    const TOOLS: &[&str] = &["dcgm", "DCGM", "nvml", "Nvml", "NVML"];
    const USES: &[&str] = &[
        "jit",
        "vectorize",
        "device_array",
        "to_device",
        ".shared.",
        "cuda.stream",
        "cuda.reduce",
        "syncthreads",
    ];
    cx.mentions(TOOLS) && !cx.mentions(USES)
}

/// The imports of `numba.cuda`, or of all of numba.
fn imports_of_cuda<'t>(file: &'t PyFile<'_>) -> Vec<Node<'t>> {
    let mut imports = file.all(&["import_from_statement", "import_statement"]);
    imports.retain(|it| {
        let text = file.text(*it);
        let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        words.any(|word| word == "numba")
    });
    imports
}

fn check(cx: &mut PythonContext<'_, '_>) {
    if !cx.file().imports("numba") {
        return;
    }
    let file = cx.file();
    let serves_both = cx.serves_both();
    let has_helpers = cx.options().compat != CompatMode::None;
    // A package is imported by programs that have no numba-hip as well.
    let path = cx.source.path.as_str();
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let init = format!("{folder}/__init__.py");
    let is_package = cx.project.paths.is_in_tree(init.trim_start_matches('/'));
    if (serves_both || is_package) && imports_hip(file) {
        return;
    }
    let is_own = |module: &str| is_own_test(cx, module);
    if is_only_asked(cx) {
        let imports = imports_of_cuda(file);
        let asked = imports
            .first()
            .map(|it| RULE.finding(file.range(*it), ASKED));
        let asked = asked.map(|it| it.severity(Severity::Info).help(COUNT));
        asked.into_iter().for_each(|finding| cx.report(finding));
        return;
    }
    let findings: Vec<Finding> = match Uses::of(file, &is_own).port(has_helpers) {
        Port::Changes(changes, losses) => {
            let both = for_both(file, &changes);
            let mut findings = match both {
                Some(edits) if serves_both || is_package => vec![beside(&changes, edits)],
                None if serves_both => stays(&changes).into_iter().collect(),
                _ => changes.into_iter().map(ported).collect(),
            };
            findings.extend(losses.into_iter().map(loss));
            findings
        }
        Port::Hindrances(hindrances) => hindrances.into_iter().map(hindrance).collect(),
    };
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether a module below `numba.cuda` is one of Numba's tests, in whose tree the file stands. numba-hip carries no tests: a file of them
/// that is ported where it stands is imported from there.
fn is_own_test(cx: &PythonContext<'_, '_>, module: &str) -> bool {
    let is_test = module.split('.').next() == Some("tests");
    let full = format!("numba/cuda/{}", module.replace('.', "/"));
    let is_file = |path: String| {
        let files = [format!("{path}.py"), format!("{path}/__init__.py")];
        files.iter().any(|it| cx.project.paths.is_in_tree(it))
    };
    match cx.source.path.split_once("numba/cuda/tests/") {
        Some((root, _)) => is_test && is_file(format!("{root}{full}")),
        // The tree may be the folder of tests alone, or a part of the way to it.
        None => {
            let starts = full.match_indices('/').map(|(at, _)| at + 1);
            is_test && starts.take(3).any(|at| is_file(full[at..].to_owned()))
        }
    }
}

fn ported(change: Change) -> Finding {
    RULE.finding(change.range, change.message)
        .severity(Severity::Warning)
        .help(LOOK)
        .fix(Fix::review(change.edits))
}

/// The changes that are not made, for NVIDIA needs the file: told at the first of them.
fn stays(changes: &[Change]) -> Option<Finding> {
    let first = changes.first()?;
    let message = match changes.len() {
        1 => first.message.clone(),
        places => format!("{} (the first of {places} places)", first.message),
    };
    Some(RULE.finding(first.range, message).help(BESIDE))
}

/// The imports of numba-hip beside those of NVIDIA's.
fn beside(changes: &[Change], edits: Vec<Edit>) -> Finding {
    let (range, message) = changes.first().map_or_else(
        || (TextRange::new(0, 0), String::new()),
        |first| (first.range, first.message.clone()),
    );
    RULE.finding(range, message)
        .severity(Severity::Warning)
        .help(LOOK)
        .fix(Fix::review(edits))
}

/// What is ported and does less than it did.
fn loss(it: Hindrance) -> Finding {
    let message = format!("`{}` does less with numba-hip", it.name);
    RULE.finding(it.range, message)
        .severity(Severity::Warning)
        .help(it.advice)
}

/// Whether a file imports numba-hip, for AMD.
fn imports_hip(file: &PyFile<'_>) -> bool {
    let imports = file.all(&["import_from_statement", "import_statement"]);
    imports.into_iter().any(|import| {
        let text = file.squeezed(import);
        text.contains("numba.hip") || text.starts_with("fromnumbaimporthip")
    })
}

/// The edits of a file that serves both vendors, where imports are all that changes: the module comes from numba-hip where that is
/// installed.
fn for_both(file: &PyFile<'_>, changes: &[Change]) -> Option<Vec<Edit>> {
    let imports = file.all(&["import_from_statement", "import_statement"]);
    let edits = changes.iter().map(|change| {
        let is_around = |it: &&Node<'_>| {
            file.range(**it).start <= change.range.start && change.range.end <= file.range(**it).end
        };
        behind_import(file, *imports.iter().find(is_around)?)
    });
    let edits: Vec<Edit> = edits.collect::<Option<_>>()?;
    (!edits.is_empty()).then_some(edits)
}

/// The import that takes the module from numba-hip instead of `from numba import cuda` or `import numba.cuda as device`.
fn from_hip(import: &str) -> Option<String> {
    if let Some(alias) = import.strip_prefix("import numba.cuda as ") {
        return (!alias.contains(',')).then(|| format!("import numba.hip as {}", alias.trim()));
    }
    let names = import.strip_prefix("from numba import ")?;
    let mut names = names.split(',').map(str::trim);
    let module = names.find_map(|name| match name.split_once(" as ") {
        Some(("cuda", alias)) => Some(alias.trim()),
        None if name == "cuda" => Some("cuda"),
        _ => None,
    })?;
    Some(format!("from numba import hip as {module}"))
}

/// The lines behind an import of `numba.cuda` that take the module from numba-hip instead.
fn behind_import(file: &PyFile<'_>, import: Node<'_>) -> Option<Edit> {
    let other = from_hip(&file.text(import))?;
    let (line, indent) = file.indent(import);
    let rest = &file.bytes()[import.end_byte()..];
    let is_alone = line + indent.len() == import.start_byte()
        && rest
            .iter()
            .find(|byte| !matches!(byte, b' ' | b'\t'))
            .is_none_or(|byte| matches!(byte, b'\n' | b'\r' | b'#'));
    let step = if indent.starts_with('\t') {
        "\t"
    } else {
        "    "
    };
    let lines = format!(
        "\n{indent}try:\n{indent}{step}{other}\n{indent}except ImportError:\n{indent}{step}pass"
    );
    let next = next_line(file.bytes(), import.end_byte() as u32);
    let end = next.map_or(file.bytes().len(), |next| next as usize - 1);
    let end = file.bytes()[..end].trim_ascii_end().len();
    is_alone.then(|| Edit::insert(end as u32, lines))
}

/// A name in the way.
fn hindrance(it: Hindrance) -> Finding {
    let release = NumbaTable::builtin().release();
    let message = format!(
        "numba-hip {release} has no usable `{}`: the file stays one for numba.cuda",
        it.name
    );
    RULE.finding(it.range, message).help(it.advice)
}
