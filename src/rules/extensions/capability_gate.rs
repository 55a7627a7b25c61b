//! A build script that chooses by the compute capability of a GPU.
//!
//! ## Why on AMD
//! `torch.cuda.get_device_capability()` gives the numbers of AMD's architecture: (9, 0) on MI200, (9, 4) on MI300, (11, 0) on RDNA3. A
//! test for 9.0 takes them for Hopper; one that names single capabilities leaves AMD without any kernel.
//!
//! ## Example
//! ```python
//! major, minor = torch.cuda.get_device_capability()    # (9, 4) on MI300
//! ```
//!
//! ## When to ignore
//! When a test for `torch.version.hip` stands in front. Tests that are right on AMD give no finding: whether a capability is, or is not,
//! one that no GPU of AMD has, `!= (10, 0)`, `[0] == 8`, whether it is older than Ampere, `< (8, 0)`, `>= (7, 0)`, and `>= (8, 0)`, which
//! asks for what Ampere brought, bfloat16 and FlashAttention 2, that AMD has as well; but for names that speak of kernels which only NVIDIA
//! has. A capability within a sentence, that a log says or that stands in a record, is only shown, and a function of the same name that
//! hands it on is asked where it is called; one that is compared with what the file does not say, `< config.min_capability()`, or with nothing at all, is information; so is one that decides only what is printed, or whether `torch.compile` compiles. Where a comment beside it speaks of AMD's GPUs,
//! its author knew: it is information, and so is the order in which backends of attention are tried. In a project's tests it decides which tests are run, which is information, as it is in a file
//! or folder that is called after a package of NVIDIA's, `matmul/cutlass/`, `cudnn_attention.py`, and what becomes the value of
//! `TORCH_CUDA_ARCH_LIST`. A file that imports packages of NVIDIA's alone is never reached on AMD.
//!
//! ## Source
//! PyTorch documentation, "HIP (ROCm) semantics"; `gcnArchName` of ROCm's device properties; `torch.cuda.is_bf16_supported`.

use rustc_hash::FxHashSet;

use crate::analysis::nvidia_modules::{
    decides_for_module, imports_of_nvidia, is_behind_found, is_called_after_architecture,
    is_left_to_nvidia, needs_nvidia,
};
use crate::mapping::NvidiaModule;
use crate::mapping::chip;
use crate::python::{
    Literal, Node, PyFile, Side, names_other_accelerator, parents, value_given_to,
};
use crate::rules::prelude::*;
use crate::text::number::integer;

/// Reports choices by capability.
pub static RULE: Rule = Rule {
    code: "CASS645",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[&[QUESTION, PROPERTIES]], check)],
};

/// The function that says a capability.
const QUESTION: &str = "get_device_capability";
/// The function that says all of a GPU, its capability as `major` and `minor`.
const PROPERTIES: &str = "get_device_properties";
/// The property that is the first number of a capability.
const MAJOR: &str = "major";

fn check(cx: &mut PythonContext<'_, '_>) {
    // Most scripts read other properties: how many multiprocessors there are.
    if !cx.mentions(&[QUESTION, MAJOR]) || cx.is_named_for_amd() {
        return;
    }
    let file = cx.file();
    if needs_nvidia(file, |module| cx.project.paths.is_package(module)) {
        return;
    }
    let place = Place {
        file,
        is_nvidias: names_nvidias_kernels(&cx.source.path.to_ascii_lowercase()),
    };
    let is_asked = |call: &Node<'_>| {
        file.callee(*call).is_some_and(|name| name == QUESTION)
            && !is_of_others(file, *call)
            && !is_own_method(file, *call)
    };
    let imports = imports_of_nvidia(file);
    let open = |call: &Node<'_>| {
        file.side(*call).is_none()
            && !is_left_to_nvidia(file, &imports, *call)
            && !is_behind_found(file, &imports, *call)
            && !asks_for_release_too(file, *call)
            && !reads_release_next(file, *call)
            && !parents(*call).any(|it| it.is_error())
    };
    let calls = file.all(&["call"]).into_iter().filter(is_asked);
    let calls = calls
        .chain(compared_majors(file))
        .filter(open)
        .filter(|call| !place.is_right_on_amd(*call) && !is_shown(file, *call))
        .filter(|call| !chooses_nothing(file, *call) && !is_handed_on(file, *call))
        .filter(|call| !is_about_cudnn_alone(file, *call))
        .filter(|call| !is_for_names_of_nvidia(file, *call))
        .filter(|call| !needs_what_only_nvidia_has(file, &imports, *call))
        .filter(|call| !file.is_only_told(*call, |it| is_shown(file, it)))
        .filter(|call| !place.decides_as_on_nvidia(*call));
    let path = &cx.source.path;
    let is_chosen = decides_for_module(path) || is_called_after_architecture(path);
    let severity = match cx.is_test() || is_chosen {
        true => Severity::Info,
        false => RULE.severity,
    };
    let mut told = FxHashSet::default();
    let is_read = |constant: &str| cx.project.builds.scripts.import_constant(constant);
    let findings: Vec<Finding> = calls
        .filter(|call| told.insert(decision(*call).number()))
        .map(|call| {
            let message = message(file, call);
            // What takes the name, nvcc or NVRTC, has a finding of its own.
            let is_handed_on = message == NAMED_AFTER;
            let is_weak = is_handed_on
                || file.is_said_beside(call, chip::names_amd)
                || orders_backends(file, call)
                || asks_for_unknown(file, call)
                || is_compared_nowhere(file, call, 2 * DEPTH, &is_read)
                || becomes_arch_list(file, call)
                || is_asked_for_amd_too(file, call)
                || chip::names_amd(&condition_around(file, call))
                || decides_compilation(file, call);
            let severity = match is_weak {
                true => Severity::Info,
                false => severity,
            };
            let finding = RULE.finding(file.range(call), message).severity(severity);
            finding.help("write `if torch.version.hip:` in front, and choose there by torch.cuda.get_device_properties(i).gcnArchName")
        })
        .collect();
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether a condition asks for CUDA's release as well, `capability() >= (9, 0) and torch.version.cuda >= "12.4"`: on AMD it does not hold,
/// or ends with an exception, which has a finding of its own.
fn asks_for_release_too(file: &PyFile<'_>, call: Node<'_>) -> bool {
    const PARTS: &[&str] = &[
        "boolean_operator",
        "comparison_operator",
        "parenthesized_expression",
        "subscript",
    ];
    let mut operators = parents(call)
        .take_while(|it| PARTS.contains(&it.kind()))
        .filter(|it| it.kind() == "boolean_operator");
    operators.any(|it| {
        let operator = it.child_by_field_name("operator");
        operator.is_some_and(|it| file.text(it) == "and")
            && file.text(it).contains("torch.version.cuda")
    })
}

/// Whether a statement behind it in the same block reads CUDA's release, `parse(torch.version.cuda)`, and fails on AMD, which has a finding
/// of its own: what is asked of the capability is not reached.
fn reads_release_next(file: &PyFile<'_>, call: Node<'_>) -> bool {
    const READERS: &[&str] = &[
        "torch.version.cuda.split(",
        "parse(torch.version.cuda)",
        "Version(torch.version.cuda)",
    ];
    let Some(statement) =
        parents(call).find(|it| it.parent().is_some_and(|above| above.kind() == "block"))
    else {
        return false;
    };
    let is_whole = statement.kind() == "expression_statement";
    let behind = statement
        .parent()
        .into_iter()
        .flat_map(|it| it.named_children());
    let mut behind = behind.filter(|it| is_whole && it.number() > statement.number());
    behind.any(|it| {
        let text = file.squeezed(it);
        it.kind() == "expression_statement"
            && !text.contains("hip")
            && READERS.iter().any(|reader| text.contains(reader))
    })
}

/// Whether a function does as on other GPUs where a module of NVIDIA's is not there: the condition asks a function that tries to import one
/// as well, `arch == (9, 0) and _cute_runtime_available()`, or the function left in front, where a name of its kernels is `None`.
fn needs_what_only_nvidia_has(
    file: &PyFile<'_>,
    imports: &[(Node<'_>, &NvidiaModule)],
    call: Node<'_>,
) -> bool {
    let tries_import = |function: Node<'_>| {
        let mut inside = imports
            .iter()
            .filter(|it| it.0.function() == Some(function));
        inside.any(|(import, module)| !module.row.on_amd && file.is_tried(*import))
    };
    // What an `or` asks as well decides nothing.
    let is_and = |it: &Node<'_>| {
        let operator = it.child_by_field_name("operator");
        it.kind() == "boolean_operator" && operator.is_some_and(|it| file.text(it) == "and")
    };
    let asks_in_condition = |asked: Node<'_>| {
        let mut sides = std::iter::once(asked)
            .chain(parents(asked))
            .take_while(|it| it.kind() != "block")
            .filter(|it| it.parent().as_ref().is_some_and(is_and))
            .filter_map(|it| {
                let all = it.parent()?;
                let right = all
                    .child_by_field_name("right")
                    .filter(|other| *other != it);
                right.or_else(|| all.child_by_field_name("left"))
            });
        sides.any(|other| {
            let name = file.callee(other).filter(|_| other.kind() == "call");
            name.is_some_and(|it| file.functions_called(&it).into_iter().any(tries_import))
        })
    };
    let names = file.assigned(call).unwrap_or_default().into_iter();
    let uses: Vec<Node<'_>> = names.flat_map(|it| file.uses(it)).collect();
    let in_condition =
        asks_in_condition(call) || !uses.is_empty() && uses.into_iter().all(asks_in_condition);
    in_condition || left_without_kernels(file, call)
}

/// Whether a statement in front, in the block of a place, leaves where a kernel of NVIDIA's could not be imported:
/// `if cutlass_scaled_mm is None: return False`.
fn left_without_kernels(file: &PyFile<'_>, place: Node<'_>) -> bool {
    let Some(statement) =
        parents(place).find(|it| it.parent().is_some_and(|above| above.kind() == "block"))
    else {
        return false;
    };
    let imports = file.all(&["import_statement", "import_from_statement"]);
    let tried = imports.into_iter().filter(|it| file.is_tried(*it));
    let names = tried.flat_map(|it| file.all_below(it, &["identifier"]));
    let kernels: FxHashSet<String> = names
        .map(|it| file.text(it).into_owned())
        .filter(|it| names_nvidias_kernels(&it.to_ascii_lowercase()))
        .collect();
    // Each part of an `or` leaves; an `and` may not.
    let is_missing = |condition: Node<'_>| {
        let text = file.text(condition);
        let asks = |part: &str| {
            let name = part.trim().strip_suffix(" is None");
            name.is_some_and(|it| kernels.contains(it))
        };
        !text.contains(" and ") && text.split(" or ").any(asks)
    };
    let all = statement
        .parent()
        .into_iter()
        .flat_map(|it| it.named_children());
    let mut before = all
        .take_while(|it| *it != statement)
        .filter(|it| it.kind() == "if_statement");
    before.any(|it| {
        let condition = it.child_by_field_name("condition");
        let body = it.child_by_field_name("consequence");
        let leaves = body.is_some_and(|it| {
            let last = file.elements(it).pop();
            last.is_some_and(|it| matches!(it.kind(), "return_statement" | "raise_statement"))
        });
        leaves && condition.is_some_and(is_missing)
    })
}

/// What is said of the name of an architecture that is handed on.
const NAMED_AFTER: &str = "this becomes the name of an architecture of NVIDIA's: `sm_94` on MI300, which no compiler knows";
/// What is said of one that the program compares.
const COMPARED: &str = "this is compared with names of NVIDIA's architectures: MI200 becomes `sm_90`, as Hopper is called, and MI300 `sm_94`, which none is";

/// Whether a file asks for architectures by their names: `arch == "sm_80"`, `arch in ("sm80", "sm86")`, `{"sm_90": 4}`.
fn asks_for_names(file: &PyFile<'_>) -> bool {
    let is_asked =
        |it: &Node<'_>| matches!(it.kind(), "comparison_operator" | "case_pattern" | "pair");
    file.all(&["string"]).into_iter().any(|string| {
        let text = file.text(string);
        let name = text.trim_matches(['"', '\'']).strip_prefix("sm");
        let number = name.map(|it| it.trim_start_matches('_'));
        let is_name = number.is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()));
        is_name && parents(string).take(2).any(|it| is_asked(&it))
    })
}

/// What is said of a decision: which of AMD's numbers NVIDIA's are that it asks for.
fn message(file: &PyFile<'_>, call: Node<'_>) -> &'static str {
    let names = file.assigned(call).unwrap_or_default();
    let mut uses: Vec<Node<'_>> = names.iter().flat_map(|it| file.uses(*it)).collect();
    // What a function returns is compared where it is called.
    let is_returned = |it: &Node<'_>| {
        parents(*it)
            .take(2)
            .any(|it| it.kind() == "return_statement")
    };
    let function = call
        .function()
        .filter(|_| is_returned(&call) || uses.iter().any(is_returned));
    if let Some(name) = function.and_then(|it| it.child_by_field_name("name")) {
        let name = file.text(name);
        uses.extend(file.calls_of(&name));
        uses.extend(file.calls_of(&format!("self.{name}")));
    }
    // AMD's numbers begin at 9.
    let asked = || std::iter::once(call).chain(uses.iter().copied());
    let mut bounds = asked()
        .flat_map(|it| bounds(file, it))
        .filter(|it| *it >= 9)
        .peekable();
    if bounds.peek().is_none() && asked().any(|it| names_architecture_in_text(file, it)) {
        return match asks_for_names(file) {
            true => COMPARED,
            false => NAMED_AFTER,
        };
    }
    let has_bounds = bounds.peek().is_some();
    match has_bounds.then(|| bounds.all(|it| it >= 10)) {
        None => {
            "AMD GPUs number their capabilities differently: (9, 0) is MI200, (9, 4) MI300, (11, 0) RDNA3 and (12, 0) RDNA4"
        }
        Some(true) => {
            "AMD GPUs number their capabilities differently: (10, 3) is RDNA2, (11, 0) RDNA3 and (12, 0) RDNA4, not Blackwell"
        }
        Some(false) => {
            "AMD GPUs number their capabilities differently: (9, 0) is MI200 and (9, 4) MI300, not Hopper"
        }
    }
}

/// The first numbers of what a capability, or one of its numbers, is compared with: 8 and 12 of `in [(8, 9), (12, 0)]`.
fn bounds(file: &PyFile<'_>, asked: Node<'_>) -> Vec<u64> {
    let mut around = parents(asked).take(2);
    let comparison = around.find(|it| it.kind() == "comparison_operator");
    let other = comparison.and_then(|it| file.elements(it).get(1).copied());
    let text = other.map_or_else(String::new, |it| file.squeezed(it));
    let first = |text: &str| {
        let mut numbers = text.split(|letter: char| !letter.is_ascii_digit());
        let number = integer(numbers.find(|it| !it.is_empty())?.as_bytes())?;
        // `10 * major + minor >= 89`
        Some(if number >= 30 { number / 10 } else { number })
    };
    match text.contains("),(") {
        true => text.split("),(").filter_map(first).collect(),
        false => first(&text).into_iter().collect(),
    }
}

/// Whether a capability is compared, and only with what the file does not say: `capability < config.get_min_capability()`. All of AMD's
/// GPUs are new enough for a minimum, and for what is no minimum nobody sees here what it is.
fn asks_for_unknown(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let mut others = Vec::new();
    add_compared(file, call, DEPTH + 1, &mut others);
    let has_number = |it: &Node<'_>| {
        let text = squeezed_value(file, *it);
        text.contains(|letter: char| letter.is_ascii_digit())
    };
    others.retain(|it| it.kind() != "none");
    !others.is_empty() && !others.iter().any(has_number)
}

/// Whether nothing compares a capability or hands it to others: it is told, is part of a key, or ends in a variable that nobody reads, by
/// as many variables and functions in a row as said. `is_read` says of a constant of the module whether another one imports it.
fn is_compared_nowhere(
    file: &PyFile<'_>,
    asked: Node<'_>,
    depth: usize,
    is_read: &impl Fn(&str) -> bool,
) -> bool {
    if is_shown(file, asked) || is_of_key(file, asked) || is_set(file, asked) {
        return true;
    }
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let ends_in = |name: &Node<'_>| {
        let mut uses = file.uses(*name).into_iter();
        uses.all(|it| is_compared_nowhere(file, it, depth, is_read))
    };
    if let Some(names) = file.assigned(asked) {
        return names.iter().all(ends_in);
    }
    let returned = asked.parent().filter(|it| it.kind() == "expression_list");
    let place = returned.and_then(|list| file.elements(list).iter().position(|it| *it == asked));
    let is_returned = returned.and_then(|it| it.parent());
    let is_returned = is_returned.is_some_and(|it| it.kind() == "return_statement");
    let name = asked
        .function()
        .and_then(|it| it.child_by_field_name("name"));
    let (Some(place), Some(name)) = (place.filter(|_| is_returned), name) else {
        return false;
    };
    // One of several constants that are set together may be left over: `NAME, MAJOR = gpu()`.
    let calls = file.calls_of(&file.text(name));
    !calls.is_empty()
        && calls.into_iter().all(|call| {
            let names = file.named_by(call).unwrap_or_default();
            let name = names.get(place).filter(|_| names.len() > 1);
            name.is_some_and(|it| ends_in(it) && !is_read(&file.text(*it)))
        })
}

/// Whether the numbers of a capability only become a text of the form that TORCH_CUDA_ARCH_LIST has, `f"{major}.{minor}"`, in a file that
/// sets it: PyTorch for ROCm does not read that, which has a finding of its own.
fn becomes_arch_list(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let is_dotted = |used: &Node<'_>| {
        let hole = parents(*used).find(|it| it.kind() == "interpolation");
        let text = hole.and_then(|it| it.parent());
        text.is_some_and(|it| {
            let text = file.squeezed(it);
            let is_compared = it
                .parent()
                .is_some_and(|it| it.kind() == "comparison_operator");
            text.matches('{').count() == 2 && text.contains("}.{") && !is_compared
        })
    };
    let names = file.assigned(call).unwrap_or_default().into_iter();
    let mut uses = names.flat_map(|it| file.uses(it)).peekable();
    memchr::memmem::find(file.bytes(), b"TORCH_CUDA_ARCH_LIST").is_some()
        && uses.peek().is_some()
        && uses.all(|it| is_dotted(&it))
}

/// Whether the function around a place is called for AMD as well, `class _RocmRepos: … _find_capability()`: it means AMD's numbers there.
fn is_asked_for_amd_too(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let name = call
        .function()
        .and_then(|it| it.child_by_field_name("name"));
    let calls = name.map_or_else(Vec::new, |it| file.calls_of(&file.text(it)));
    let sides = calls.into_iter().map(|it| file.side(it));
    sides.into_iter().any(|it| it == Some(Side::Amd))
}

/// All of the condition that asks for a capability, `capability[0] >= 10 or is_cdna(4)`: its author may have thought of AMD.
fn condition_around(file: &PyFile<'_>, call: Node<'_>) -> String {
    let operators = parents(call).take_while(|it| it.kind() != "block");
    let operators = operators.filter(|it| it.kind() == "boolean_operator");
    let whole = operators.last();
    whole.map_or_else(String::new, |it| file.text(it).into_owned())
}

/// Adds what a capability, one of its numbers or what is made of it, is compared with, by as many variables in a row as said.
fn add_compared<'t>(
    file: &'t PyFile<'_>,
    asked: Node<'t>,
    depth: usize,
    others: &mut Vec<Node<'t>>,
) {
    const FORMS: &[&str] = &[
        "attribute",
        "binary_operator",
        "call",
        "conditional_expression",
        "parenthesized_expression",
        "subscript",
        "tuple",
    ];
    let whole = parents(asked).take_while(|it| FORMS.contains(&it.kind()));
    let whole = whole.last().unwrap_or(asked);
    let comparison = whole
        .parent()
        .filter(|it| it.kind() == "comparison_operator");
    if let Some(comparison) = comparison {
        let parts = file.elements(comparison).into_iter();
        others.extend(parts.filter(|it| *it != whole));
    }
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    let names = file.named_by(whole).unwrap_or_default().into_iter();
    let uses: Vec<Node<'_>> = names.flat_map(|it| file.uses(it)).collect();
    for used in uses
        .into_iter()
        .filter(|it| it.start_byte() > whole.end_byte())
    {
        add_compared(file, used, depth, others);
    }
}

/// Whether a capability is that of another maker's accelerator: `torch.npu.get_device_capability()`.
fn is_of_others(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let function = call.child_by_field_name("function");
    let name = function.map_or_else(String::new, |it| file.dotted(it));
    names_other_accelerator(&name)
}

/// Whether a call is one of the file's own function of that name which asks no GPU for its capability: `self.get_device_capability()` that
/// gives the sizes of memories.
fn is_own_method(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let function = call.child_by_field_name("function");
    let name = function.map_or_else(String::new, |it| file.dotted(it));
    let is_own = [
        QUESTION.to_owned(),
        format!("self.{QUESTION}"),
        format!("cls.{QUESTION}"),
    ];
    let bodies = file.functions_called(QUESTION).into_iter();
    let mut bodies = bodies
        .filter_map(|it| it.child_by_field_name("body"))
        .peekable();
    let asks = |body: Node<'_>| {
        let text = file.text(body);
        text.contains(QUESTION) || text.contains(MAJOR)
    };
    is_own.contains(&name) && bodies.peek().is_some() && !bodies.any(asks)
}

/// What the statement around a capability sets, however it is made: `newest = "".join(str(it) for it in capability())`.
fn set_by<'t>(file: &'t PyFile<'_>, call: Node<'t>) -> Vec<Node<'t>> {
    let mut around = parents(call).take_while(|it| it.kind() != "block");
    let assignment = around.find(|it| it.kind() == "assignment");
    let left = assignment.and_then(|it| it.child_by_field_name("left"));
    let name = left.filter(|it| it.kind() == "identifier");
    name.map_or_else(Vec::new, |it| file.uses(it))
}

/// Whether a capability is only used for architectures that PyTorch names as NVIDIA's, `for arch in torch.cuda.get_arch_list():` and below it
/// `if re.search(r"sm_(\d+)", arch):`: those of AMD have other names, and the loop does nothing.
fn is_for_names_of_nvidia(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let is_chosen = |used: &Node<'_>| {
        let mut is_asked = false;
        parents(*used).any(|it| {
            let list = it.child_by_field_name("right");
            let is_list = it.kind() == "for_statement"
                && list.is_some_and(|it| file.text(it).contains("get_arch_list()"));
            is_asked |= it.kind() == "if_statement";
            is_list && is_asked && file.text(it).contains("sm_")
        })
    };
    let uses = set_by(file, call);
    !uses.is_empty() && uses.iter().all(is_chosen)
}

/// Whether a capability decides only whether PyTorch compiles a function, `torch.compile(f, disable=capability < (9, 0))`, which computes the
/// same either way.
fn decides_compilation(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let is_option = |used: &Node<'_>| {
        let mut around = parents(*used).take_while(|it| it.kind() != "block");
        let option = around.find(|it| it.kind() == "keyword_argument");
        let name = option.and_then(|it| it.child_by_field_name("name"));
        let given_to = option.and_then(|it| parents(it).find(|it| it.kind() == "call"));
        name.is_some_and(|it| file.text(it) == "disable")
            && given_to.is_some_and(|it| file.callee(it).is_some_and(|name| name == "compile"))
    };
    let uses = set_by(file, call);
    is_option(&call) || !uses.is_empty() && uses.iter().all(is_option)
}

/// Whether a function of the same name hands a capability on: who calls it decides.
fn is_handed_on(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let is_returned = |it: Node<'_>| match it.parent() {
        Some(above) if matches!(above.kind(), "expression_list" | "tuple") => above
            .parent()
            .is_some_and(|it| it.kind() == "return_statement"),
        above => above.is_some_and(|it| it.kind() == "return_statement"),
    };
    // `major, minor = None, None` in front is no use, nor is `major = int(major)`.
    let is_set = |it: Node<'_>| {
        let assignment = parents(it).find(|it| it.kind() == "assignment");
        let left = assignment.and_then(|it| it.child_by_field_name("left"));
        let names = left.map_or_else(Vec::new, |it| file.all_below(it, &["identifier"]));
        names.iter().any(|name| file.text(*name) == file.text(it))
    };
    let names = file.assigned(call).unwrap_or_default().into_iter();
    let uses: Vec<Node<'_>> = names.flat_map(|it| file.uses(it)).collect();
    let is_returned = is_returned(call)
        || uses.iter().any(|it| is_returned(*it))
            && uses.iter().all(|it| is_returned(*it) || is_set(*it));
    let name = call
        .function()
        .and_then(|it| it.child_by_field_name("name"));
    is_returned && name.is_some_and(|it| file.text(it) == QUESTION)
}

/// The statement or the condition that a place lies in: what it asks twice is one decision.
fn decision(call: Node<'_>) -> Node<'_> {
    let is_part = |it: &Node<'_>| {
        !matches!(
            it.kind(),
            "block" | "module" | "function_definition" | "class_definition"
        ) && it.child_by_field_name("body").is_none()
            && it.child_by_field_name("consequence").is_none()
    };
    let parts = parents(call).take_while(is_part);
    parts.last().unwrap_or(call)
}

/// The numbers of a GPU's properties that are compared: `torch.cuda.get_device_properties(0).major >= 8`, of the call or of what it was
/// assigned to, or that make a capability, `(properties.major, properties.minor)`.
fn compared_majors<'t>(file: &'t PyFile<'_>) -> Vec<Node<'t>> {
    let mut found = file.attributes(&[MAJOR]);
    let is_capability = |it: Node<'_>| {
        let parts = file.elements(it);
        let second = parts.get(1).filter(|_| parts.len() == 2);
        matches!(it.kind(), "tuple" | "expression_list")
            && second.is_some_and(|it| file.dotted(*it).ends_with(".minor"))
    };
    found.retain(|it| {
        let around = it.parent();
        around.is_some_and(|around| around.kind() == "comparison_operator" || is_capability(around))
    });
    if found.is_empty() {
        return found;
    }
    let asks = |it: Node<'_>| {
        it.kind() == "call" && file.callee(it).is_some_and(|name| name == PROPERTIES)
    };
    let assigned = file.all(&["assignment"]).into_iter().filter_map(|it| {
        let value = it.child_by_field_name("right").filter(|it| asks(*it));
        value.and(it.child_by_field_name("left"))
    });
    let known: FxHashSet<String> = assigned.map(|it| file.dotted(it)).collect();
    found.retain(|it| {
        let object = it.child_by_field_name("object");
        object.is_some_and(|it| asks(it) || known.contains(&file.dotted(it)))
    });
    let whole = |it: Node<'t>| {
        it.parent()
            .filter(|around| is_capability(*around))
            .unwrap_or(it)
    };
    found.into_iter().map(whole).collect()
}

/// Whether a capability is only shown: an exception or a log says it, or it fills a hole of a sentence, `f"found {capability()}"`, and names no architecture for a compiler.
fn is_shown(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let hole = parents(call).find(|it| it.kind() == "interpolation");
    let Some(sentence) = hole.and_then(|it| it.parent()) else {
        return file.is_said(call) || is_recorded(file, call) || file.decides_words(call);
    };
    // A sentence of several lines is one string to Python.
    let whole = sentence.parent();
    let sentence = whole
        .filter(|it| it.kind() == "concatenated_string")
        .unwrap_or(sentence);
    if file.is_said(sentence) {
        return true;
    }
    // A key by which people read a table: `found[f"{major}.{minor}"]`.
    let is_key = sentence.parent().is_some_and(|it| it.kind() == "subscript");
    let text = file.text(sentence);
    if is_key && !names_architecture(&text) {
        return true;
    }
    let is_told_later = || file.is_only_told(sentence, |it| file.is_said(it));
    (text.contains([' ', ':']) || is_told_later()) && !names_architecture(&text)
}

/// Whether a text with holes names an architecture for a compiler: `-arch=sm_{major}{minor}`.
fn names_architecture(text: &str) -> bool {
    let is_number = |it: char| it == '{' || it.is_ascii_digit();
    let mut names = ["sm_", "compute_", "sm"]
        .iter()
        .flat_map(|it| text.split(it).skip(1));
    names.any(|behind| behind.starts_with(is_number))
}

/// Whether a capability, or one of its numbers, fills a hole of such a text.
fn names_architecture_in_text(file: &PyFile<'_>, asked: Node<'_>) -> bool {
    let hole = parents(asked).find(|it| it.kind() == "interpolation");
    let text = hole.and_then(|it| it.parent());
    text.is_some_and(|it| names_architecture(&file.text(it)))
}

/// Whether a capability goes into a record under a name that the file does not ask for: `{"capability": list(capability())}`,
/// `record["capability"] = ".".join(str(it) for it in capability())`.
fn is_recorded(file: &PyFile<'_>, call: Node<'_>) -> bool {
    const FORMS: &[&str] = &["format", "join", "list", "str", "tuple"];
    let is_form = |it: &Node<'_>| match it.kind() {
        "call" => file.callee(*it).is_some_and(|name| {
            let is_text = FORMS.contains(&&*name) || name.ends_with("_str");
            is_text && (name != "format" || !names_architecture(&file.text(*it)))
        }),
        kind => matches!(
            kind,
            "argument_list"
                | "list_splat"
                | "lambda"
                | "generator_expression"
                | "for_in_clause"
                | "conditional_expression"
        ),
    };
    let formed = parents(call).take_while(is_form).last().unwrap_or(call);
    let entry = formed.parent();
    let key = entry.and_then(|it| match it.kind() {
        "pair" => it.child_by_field_name("key"),
        "assignment" => it
            .child_by_field_name("left")?
            .child_by_field_name("subscript"),
        _ => None,
    });
    let Some(key) = key.and_then(|it| Literal::new(file, it)) else {
        return false;
    };
    // What became a text is there to be read.
    let is_text = formed.kind() == "call"
        && file
            .callee(formed)
            .is_some_and(|name| matches!(&*name, "format" | "join" | "str"));
    is_text || file.times_written(&key.text) == 1
}

/// Whether a variable is set to something plain here: `major, minor = 1, 0` where there is no GPU.
fn is_set(file: &PyFile<'_>, name: Node<'_>) -> bool {
    value_given_to(name).is_some_and(|value| {
        let numbers = match value.kind() {
            "expression_list" | "tuple" => file.elements(value),
            _ => vec![value],
        };
        let plain = ["integer", "none", "true", "false"];
        numbers.iter().all(|it| plain.contains(&it.kind()))
    })
}

/// How many variables in a row are followed from one to what is made of it.
const DEPTH: usize = 2;

/// Whether what is made of a capability is kept, and only told or asked where the vendor is: `is_sm90 = major == 9`, and further down
/// `if SYSTEM == "rocm" and not is_sm90:`; `text = capability.as_version_str()`.
fn is_kept_for_others(file: &PyFile<'_>, asked: Node<'_>, depth: usize) -> bool {
    const FORMS: &[&str] = &[
        "attribute",
        "binary_operator",
        "boolean_operator",
        "call",
        "comparison_operator",
        "conditional_expression",
        "not_operator",
        "parenthesized_expression",
    ];
    let value = parents(asked).take_while(|it| FORMS.contains(&it.kind()));
    let names = file.assigned(value.last().unwrap_or(asked));
    let is_settled = |it: &Node<'_>| {
        is_shown(file, *it)
            || file.side(*it).is_some()
            || is_set(file, *it)
            || asks_for_older_alone(file, *it)
            || depth > 0 && is_kept_for_others(file, *it, depth - 1)
    };
    names.is_some_and(|names| {
        let uses: Vec<Node<'_>> = names.iter().flat_map(|it| file.uses(*it)).collect();
        !uses.is_empty() && uses.iter().all(is_settled)
    })
}

/// Whether a capability is part of a key that tells what is kept for one GPU from what is kept for others: `key = (arch, rows)`, or what
/// `def cache_key(rows)` returns.
fn is_of_key(file: &PyFile<'_>, asked: Node<'_>) -> bool {
    let is_tuple = |it: &Node<'_>| matches!(it.kind(), "tuple" | "expression_list");
    let taker = asked.parent().filter(is_tuple).and_then(|it| it.parent());
    let name = taker.and_then(|it| match it.kind() {
        "assignment" => it.child_by_field_name("left"),
        "return_statement" => it.function()?.child_by_field_name("name"),
        _ => None,
    });
    name.is_some_and(|it| {
        let name = file.text(it).to_lowercase();
        name.split('_').any(|word| word == "key")
    })
}

/// Whether the numbers of a capability become a text that is only compared with one of an older GPU: `sm = f"{found[0]}{found[1]}"` and
/// `sm == "75"`.
fn is_spelled_as_older(file: &PyFile<'_>, asked: Node<'_>) -> bool {
    let hole = parents(asked).find(|it| it.kind() == "interpolation");
    let names = hole.and_then(|it| file.assigned(it.parent()?));
    let is_older = |used: Node<'_>| {
        let comparison = used
            .parent()
            .filter(|it| it.kind() == "comparison_operator");
        let operator = comparison.and_then(|it| it.child_by_field_name("operators"));
        let other = comparison.and_then(|it| file.elements(it).get(1).copied());
        let number = other.and_then(|it| Literal::new(file, it)).and_then(|it| {
            integer(
                it.text
                    .trim_start_matches("sm")
                    .trim_start_matches('_')
                    .as_bytes(),
            )
        });
        operator.is_some_and(|it| matches!(&*file.text(it), "==" | "!="))
            && number.is_some_and(|it| it < 90)
    };
    names.is_some_and(|names| {
        let uses: Vec<Node<'_>> = names.iter().flat_map(|it| file.uses(*it)).collect();
        !uses.is_empty() && uses.into_iter().all(is_older)
    })
}

/// Whether a number of a capability is asked for a range that ends before Hopper, `7.0 <= number < 8.0`, `major >= 8 and major < 9`: no GPU
/// of AMD lies in it.
fn asks_for_older_alone(file: &PyFile<'_>, asked: Node<'_>) -> bool {
    let comparison = asked
        .parent()
        .filter(|it| it.kind() == "comparison_operator");
    let Some(comparison) = comparison else {
        return false;
    };
    let joined = comparison.parent().filter(|it| {
        let operator = it.child_by_field_name("operator");
        it.kind() == "boolean_operator" && operator.is_some_and(|it| file.text(it) == "and")
    });
    let name = file.text(asked);
    // `major < 9` alone refuses what is older, and lets AMD's GPUs through.
    let parts = joined.map_or_else(|| vec![comparison], |it| file.elements(it));
    let asks = parts
        .iter()
        .filter(|it| file.squeezed(**it).contains(&*name));
    let has_start = asks.count() > 1 || !file.squeezed(comparison).starts_with(&*name);
    let mut parts = parts.into_iter();
    has_start && parts.any(|it| ends_before_hopper(&file.squeezed(it), &name))
}

/// Whether a comparison has an end of at most 9 for a name, in numbers of one or two digits: `7<=cc<8`, `sm<90`.
fn ends_before_hopper(comparison: &str, name: &str) -> bool {
    let behind = comparison.rsplit_once(name).map(|(_, behind)| behind);
    let bound = behind.and_then(|it| it.strip_prefix('<'));
    let is_included = bound.is_some_and(|it| it.starts_with('='));
    let number = bound.and_then(|it| it.trim_start_matches('=').parse::<f32>().ok());
    number.is_some_and(|it| {
        let major = if it >= 30.0 { it / 10.0 } else { it };
        major < 9.0 || major == 9.0 && !is_included
    })
}

/// Whether both choices that a comparison is made for are the same.
fn chooses_nothing(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let choice = parents(call).find(|it| it.kind() == "conditional_expression");
    let parts = choice.map_or_else(Vec::new, |it| file.elements(it));
    let [value, condition, other] = parts[..] else {
        return false;
    };
    condition.is_around(call) && file.squeezed(value) == file.squeezed(other)
}

/// Whether all that a condition decides is about cuDNN, `if capability >= (9, 0): backends.append(SDPBackend.CUDNN_ATTENTION)`: PyTorch for
/// ROCm passes over that backend.
fn is_about_cudnn_alone(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let Some(statement) = parents(call).find(|it| it.kind() == "if_statement") else {
        return false;
    };
    let field = |name| statement.child_by_field_name(name);
    let is_asked = field("condition").is_some_and(|it| it == call || it.is_around(call));
    let body = field("consequence").map_or_else(Vec::new, |it| file.elements(it));
    let names_cudnn = |it: &Node<'_>| file.text(*it).to_lowercase().contains("cudnn");
    is_asked && field("alternative").is_none() && !body.is_empty() && body.iter().all(names_cudnn)
}

/// Whether all that a capability decides is in which order PyTorch tries its backends of attention,
/// `[SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION]`: it passes over those that ROCm has not.
fn orders_backends(file: &PyFile<'_>, call: Node<'_>) -> bool {
    const STATEMENTS: &[&str] = &["if_statement", "elif_clause"];
    let names = file.assigned(call).unwrap_or_default().into_iter();
    let mut asked: Vec<Node<'_>> = names.flat_map(|it| file.uses(it)).collect();
    if asked.is_empty() {
        asked.push(call);
    }
    let names_several = |it: &Node<'_>| file.text(*it).matches("SDPBackend.").count() > 1;
    asked.into_iter().all(|asked| {
        let statement = parents(asked).find(|it| STATEMENTS.contains(&it.kind()));
        let field = |name| statement.and_then(|it| it.child_by_field_name(name));
        let is_condition = field("condition").is_some_and(|it| it == asked || it.is_around(asked));
        let body = field("consequence").map_or_else(Vec::new, |it| file.elements(it));
        is_condition && !body.is_empty() && body.iter().all(names_several)
    })
}

/// Where capabilities are asked for.
struct Place<'f, 's> {
    file: &'f PyFile<'s>,
    /// Whether the file is named after kernels that only NVIDIA has.
    is_nvidias: bool,
}

impl Place<'_, '_> {
    /// Whether a comparison of what a call gives says of AMD's GPUs what it means to ask: of the whole, or of its first number.
    fn is_right_on_amd(&self, call: Node<'_>) -> bool {
        let taken_from = |it: &Node<'_>| it.kind() == "subscript";
        match call.parent().filter(taken_from) {
            Some(number) if self.is_second(number) => self.is_of_older(number),
            Some(number) => self.is_right(number, false) || asks_for_older_alone(self.file, number),
            // `torch.cuda.get_device_properties(0).major`
            None => self.is_right(call, call.kind() != "attribute"),
        }
    }

    /// Whether a place takes the second number of a capability: `capability[1]`.
    fn is_second(&self, number: Node<'_>) -> bool {
        let which = number.child_by_field_name("subscript");
        which.is_some_and(|it| self.file.text(it) == "1")
    }

    /// Whether each use of the variables that a capability is assigned to is right on AMD, belongs to a vendor, or only tells it.
    fn decides_as_on_nvidia(&self, call: Node<'_>) -> bool {
        let file = self.file;
        let number = call
            .parent()
            .filter(|it| it.kind() == "subscript" && !self.is_second(*it));
        let Some(names) = file.named_by(number.unwrap_or(call)) else {
            return self.number_is_right(call);
        };
        let names = match number {
            Some(_) => names,
            None => unpacked(file, names),
        };
        let is_whole = names.len() == 1 && number.is_none();
        let (first, others) = names.split_at(1);
        let uses = file.uses(first[0]);
        let is_right = |it: Node<'_>| match is_whole {
            true => self.is_right_on_amd(it),
            false => self.is_right(it, false) || self.pair_is_right(it),
        };
        let is_settled = |it: Node<'_>| {
            is_shown(file, it)
                || file.side(it).is_some()
                || is_set(file, it)
                || is_kept_for_others(file, it, DEPTH)
                || is_of_key(file, it)
                || is_spelled_as_older(file, it)
                || asks_for_older_alone(file, it)
        };
        let is_made_new = |it: Node<'_>| {
            value_given_to(it).is_some_and(|value| value.kind() == "binary_operator")
        };
        let is_right = |it: Node<'_>| {
            is_right(it)
                || self.number_is_right(it)
                || self.asks_right_number(it)
                || is_made_new(it)
        };
        let mut other_uses = others.iter().flat_map(|it| file.uses(*it));
        !uses.is_empty()
            && uses.iter().all(|it| is_right(*it) || is_settled(*it))
            && other_uses.all(|it| {
                is_settled(it)
                    || self.is_of_older(it)
                    || self.pair_is_right(it)
                    || self.number_is_right(it)
            })
    }

    /// Whether a pair that a number of a capability is put into is compared as on AMD: `(major, minor) == (8, 0)`.
    fn pair_is_right(&self, number: Node<'_>) -> bool {
        let pair = number.parent().filter(|it| it.kind() == "tuple");
        pair.is_some_and(|it| self.file.elements(it).len() == 2 && self.is_right(it, true))
    }

    /// Whether a number that is made of a capability, `sm = major * 10 + minor`, `self.sm = …`, is only asked for what AMD has as well, or
    /// for what no GPU of AMD is.
    fn number_is_right(&self, part: Node<'_>) -> bool {
        const FORMS: &[&str] = &["binary_operator", "parenthesized_expression", "subscript"];
        let file = self.file;
        let made = parents(part).take_while(|it| FORMS.contains(&it.kind()));
        let Some(made) = made.filter(|it| it.kind() == "binary_operator").last() else {
            return false;
        };
        let assignment = made.parent().filter(|it| it.kind() == "assignment");
        let left = assignment.and_then(|it| it.child_by_field_name("left"));
        let uses = match left {
            Some(left) if left.kind() == "identifier" => file.uses(left),
            Some(left) if left.kind() == "attribute" => file.uses_of_member(left),
            _ => return false,
        };
        // `capability = capability[0] * 10 + capability[1]`: what stands in front is the pair.
        let behind = uses
            .into_iter()
            .filter(|it| it.start_byte() > made.end_byte());
        let behind: Vec<Node<'_>> = behind.collect();
        let is_asked = |it: &&Node<'_>| !is_shown(file, **it);
        let mut asked = behind.iter().filter(is_asked).peekable();
        asked.peek().is_some() && asked.all(|it| self.asks_right_number(*it))
    }

    /// Whether a number such as 94 is asked as on NVIDIA: `sm >= 80`, `sm == 86`.
    fn asks_right_number(&self, number: Node<'_>) -> bool {
        let file = self.file;
        let comparison = number
            .parent()
            .filter(|it| it.kind() == "comparison_operator");
        let parts = comparison.map_or_else(Vec::new, |it| file.elements(it));
        let operator = comparison.and_then(|it| it.child_by_field_name("operators"));
        let ([first, bound], Some(operator)) = (&parts[..], operator) else {
            return false;
        };
        let bound = integer(file.text(*bound).as_bytes()).filter(|_| *first == number);
        // A smaller bound is for the first number alone.
        bound
            .filter(|it| *it >= 30)
            .is_some_and(|bound| match &*file.text(operator) {
                ">=" => bound < 80 || bound == 80 && !self.is_about_nvidias_kernels(number),
                "<" => bound < 80 || bound == 80 && !self.is_about_nvidias_kernels(number),
                "==" => bound < 90,
                _ => false,
            })
    }

    /// Whether the second number of a capability is asked for where the first one is that of a GPU older than Hopper, which AMD has none of:
    /// `major == 8 and minor == 9`.
    fn is_of_older(&self, minor: Node<'_>) -> bool {
        let comparison = minor.parent();
        let joined = comparison.and_then(|it| it.parent());
        let Some(joined) = joined.filter(|it| it.kind() == "boolean_operator") else {
            return false;
        };
        let left = joined.child_by_field_name("left");
        let text = left.map_or_else(String::new, |it| self.file.squeezed(it));
        let is_and = joined
            .child_by_field_name("operator")
            .is_some_and(|it| self.file.text(it) == "and");
        let bound = text.rsplit_once("==").map(|(_, bound)| bound);
        is_and
            && bound
                .and_then(|it| integer(it.as_bytes()))
                .is_some_and(|it| it <= 8)
    }

    /// Whether a comparison of a capability, or of its first number, says of AMD's GPUs what it means to ask.
    fn is_right(&self, asked: Node<'_>, is_whole: bool) -> bool {
        let file = self.file;
        let comparison = asked
            .parent()
            .filter(|it| it.kind() == "comparison_operator");
        let Some((comparison, operator)) =
            comparison.and_then(|it| Some((it, it.child_by_field_name("operators")?)))
        else {
            return false;
        };
        let [first, second] = file.elements(comparison)[..] else {
            return false;
        };
        let (operator, other) = (file.text(operator), squeezed_value(file, second));
        match &*operator {
            // Whether there is one at all.
            "is" | "is not" => other == "None",
            "==" | "!=" if is_whole && first == asked => {
                pair(&other).is_some_and(|(major, minor)| {
                    is_before_ampere(&other) || major == "8" || !chip::has_capability(major, minor)
                })
            }
            "==" if first == asked => integer(other.as_bytes()).is_some_and(|it| it <= 8),
            "!=" if first == asked && leaves_otherwise(comparison) => {
                integer(other.as_bytes()).is_some_and(|it| it <= 8)
            }
            ">=" if first == asked => {
                let is_ampere = other == if is_whole { "(8,0)" } else { "8" };
                match is_ampere {
                    true => is_about_bfloat16(file, asked) || !self.is_about_nvidias_kernels(asked),
                    false => is_before_ampere(&other),
                }
            }
            // `major > 7` asks for the same as `major >= 8`.
            ">" if first == asked && !is_whole => match integer(other.as_bytes()) {
                Some(7) => !self.is_about_nvidias_kernels(asked),
                bound => bound.is_some_and(|it| it < 7),
            },
            "<" if first == asked => is_before_ampere(&other),
            "<=" if first == asked => integer(other.as_bytes()).is_some_and(|it| it < 8),
            _ => false,
        }
    }

    /// Whether a place decides about kernels that only NVIDIA has, by the names around it or that of the file.
    fn is_about_nvidias_kernels(&self, place: Node<'_>) -> bool {
        self.is_nvidias || self.file.is_named_around(place, names_nvidias_kernels)
    }
}

/// The variables that a capability ends in: those that its only one is taken apart into, `major, minor = capability`.
fn unpacked<'t>(file: &'t PyFile<'_>, names: Vec<Node<'t>>) -> Vec<Node<'t>> {
    let [name] = names[..] else { return names };
    let parts = match file.uses(name)[..] {
        [only] => file.assigned(only),
        _ => None,
    };
    parts.filter(|it| it.len() == 2).unwrap_or(names)
}

/// What an operand is, by the one value that the module gives its name: `_SM100 = (10, 0)`.
fn squeezed_value(file: &PyFile<'_>, operand: Node<'_>) -> String {
    // A tuple of several lines has a comma behind its last number.
    let text = file.squeezed(operand).replace(",)", ")");
    // `major >= 8.0`
    if operand.kind() == "float" {
        return text.trim_end_matches(".0").to_owned();
    }
    let values = file.assignments_to(&text).into_iter();
    let mut values = values.filter_map(|it| it.child_by_field_name("right"));
    match (values.next(), values.next()) {
        (Some(value), None) if operand.kind() == "identifier" => file.squeezed(value),
        _ => text,
    }
}

/// Whether a name speaks of kernels or units that only NVIDIA has: `marlin_supported`, `use_tma`.
fn names_nvidias_kernels(name: &str) -> bool {
    const STARTS: &[&str] = &[
        "marlin", "machete", "cutlass", "cute", "tma", "ptx", "fp8", "fp4", "nvfp4", "sm8",
    ];
    let mut words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| STARTS.iter().any(|it| word.starts_with(it)))
}

/// Whether an `if` has a comparison as its condition, and nothing for the other answer: what is for one architecture goes on behind it.
fn leaves_otherwise(comparison: Node<'_>) -> bool {
    let statement = comparison.parent();
    statement.is_some_and(|it| {
        it.kind() == "if_statement" && it.child_by_field_name("alternative").is_none()
    })
}

/// Whether a bound, `(8,0)`, `8` or one below, is for GPUs that are too old: no GPU of AMD has such a capability.
fn is_before_ampere(bound: &str) -> bool {
    let (major, minor) = pair(bound).unwrap_or((bound, "0"));
    match (integer(major.as_bytes()), integer(minor.as_bytes())) {
        (Some(major), Some(minor)) => (major, minor) <= (8, 0),
        _ => false,
    }
}

/// The numbers of `(10,0)`.
fn pair(tuple: &str) -> Option<(&str, &str)> {
    let (major, minor) = tuple
        .strip_prefix('(')?
        .strip_suffix(')')?
        .split_once(',')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(major) && is_number(minor)).then_some((major, minor))
}

/// Whether a place answers the question for bfloat16, by the name of the function or variable around it or by what is chosen.
fn is_about_bfloat16(file: &PyFile<'_>, call: Node<'_>) -> bool {
    if file.is_named_around(call, names_bfloat16) {
        return true;
    }
    let says = |it: Node<'_>| names_bfloat16(&file.text(it).to_lowercase());
    parents(call).any(|it| match it.kind() {
        "if_statement" | "elif_clause" => {
            let is_asked = |it: &Node<'_>| it.is_around(call);
            let condition = it.child_by_field_name("condition").filter(is_asked);
            let body = it.child_by_field_name("consequence");
            let body = condition.and(body).map(|it| file.elements(it));
            body.is_some_and(|body| body.iter().all(|it| it.named_child(0).is_some_and(says)))
        }
        "conditional_expression" => {
            let parts = file.elements(it);
            parts.get(1).is_some_and(|it| it.is_around(call)) && says(parts[0])
        }
        _ => false,
    })
}

/// Triton asks the same of NVIDIA's GPUs, and compiles for AMD.
fn names_bfloat16(text: &str) -> bool {
    let words = ["bf16", "bfloat16", "triton_supported", "has_triton"];
    words.iter().any(|it| text.contains(it))
}
