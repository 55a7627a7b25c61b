//! NVIDIA's management library, its `nvidia-smi`, its compiler or a library by its file, asked by a program.
//!
//! ## Why on AMD
//! `pynvml` finds no library, and `nvidia-smi` is not there, nor is the nvcc whose version a program reads. AMD SMI answers the same
//! questions, by the package `amdsmi` and the program `amd-smi`; memory in use, utilisation and the number of devices PyTorch tells for
//! both vendors. A library that is loaded by its name, `ctypes.CDLL("libcudart.so")`, is not there either, and OpenCV's `cv2.cuda` has no
//! GPU of AMD's.
//!
//! ## Example
//! ```python
//! import pynvml
//! ```
//!
//! ## When to ignore
//! Where the tree has a file `nvcc` of its own, the name may be that file's, and gives no finding; nor does a file of that name that a program
//! writes, or what is for Windows alone. A class that is called after NVML, or a module after one of NVIDIA's architectures, is one of a
//! program's choices, and gets information, and so does what a function imports of a library that is initialized in a `try`.
//! Where a program asks `cv2.cuda.getCudaEnabledDeviceCount()`, which answers 0, what it calls behind that is information.
//! When the program goes on without the answer. What a test asks is information, and what it puts something else in the place of,
//! `sys.modules["pynvml"] = fake`, gives no finding; a module that is called after NVML or NVIDIA, `nvml.py`, is chosen by the program.
//!
//! ## Source
//! AMD SMI documentation, Python API; `torch.cuda.utilization` of PyTorch 2.11; OpenCV 4.12, `modules/core/src/cuda_info.cpp`.

use rustc_hash::FxHashSet;

use crate::analysis::nvidia_modules::{
    is_asked_before, is_called_after_architecture, is_called_after_module,
};
use crate::analysis::toolkit_question::{is_nvcc, runs_nvcc};
use crate::python::{Literal, Node, PyFile, builds_extensions, parents};
use crate::rules::prelude::*;

/// Reports imports and calls of the program.
pub static RULE: Rule = Rule {
    code: "CASS673",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(
        &[&[
            "pynvml",
            "py3nvml",
            "nvidia_smi",
            "nvsmi",
            "nvidia-smi",
            "nvcc",
            "libcu",
            "libnvrtc",
            "libnvidia-ml",
            "libnvToolsExt",
            "nvcuda",
            "cudart64",
            "cv2.cuda",
            "cv.cuda",
        ]],
        check,
    )],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let mut findings = imports(file);
    findings.extend(loads(file));
    // What builds extensions is CASS642's, which can let AMD return early.
    let has_own = cx.project.paths.files_called("nvcc") > 0;
    if !builds_extensions(file.bytes()) && !has_own {
        findings.extend(calls_of_compiler(file));
    }
    findings.extend(calls_of_program(file));
    findings.extend(module_of_opencv(file));
    let path = &cx.source.path;
    let is_chosen = is_called_after_module(file, path)
        || is_called_after_architecture(path)
        || is_called_after_maker(path);
    if is_chosen || cx.is_test() {
        let told = findings.into_iter();
        findings = told.map(|it| it.severity(Severity::Info)).collect();
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether a module is called after NVML or its maker: `nvml.py`, `monitor/nvidia_gpu.py`.
fn is_called_after_maker(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let mut words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| matches!(word, "nvml" | "nvidia" | "pynvml"))
}

/// How packages for NVML are imported.
const PACKAGES: &[&str] = &["pynvml", "py3nvml", "nvidia_smi", "nvsmi"];

/// Imports of packages for NVML, but those that are tried or belong to a side.
fn imports(file: &PyFile<'_>) -> Vec<Finding> {
    let names_nvml = |node: &Node<'_>| {
        // A name that a module of the program gives is not NVML's: `from tests.metrics import nvidia_smi`.
        let module = node.child_by_field_name("module_name");
        let text = file.text(module.unwrap_or(*node));
        // A copy that the program brings, `import kit.third_party.pynvml`, is there.
        if text.contains(".pynvml") {
            return false;
        }
        let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        words.any(|word| PACKAGES.contains(&word) && !file.is_replaced(word))
            || text == "triton.testing" && imports_nvsmi(file, *node)
    };
    let mut found = file.all(&["import_statement", "import_from_statement"]);
    found.retain(names_nvml);
    found.retain(|node| {
        let is_tried = file.is_tried(*node) && !is_last_resort(file, *node);
        !is_tried && !is_asked_before(file, *node) && file.side(*node).is_none()
    });
    // What a function imports is used where the library was found.
    let is_found = is_initialized_in_tries(file);
    let finding = |node: Node<'_>| {
        let message = match imports_nvsmi(file, node) {
            true => "`nvsmi` of Triton runs nvidia-smi, which is not there on AMD",
            false => "NVML is NVIDIA's: its package finds no library on AMD",
        };
        let is_behind = is_found && node.function().is_some();
        let severity = match is_behind || is_of_nvidias_class(file, node) {
            true => Severity::Info,
            false => RULE.severity,
        };
        RULE.finding(file.range(node), message).severity(severity).help("use amdsmi beside it, or torch.cuda.mem_get_info and torch.cuda.utilization for either vendor")
    };
    found.into_iter().map(finding).collect()
}

/// Whether an import of Triton's testing brings `nvsmi`, which runs nvidia-smi.
fn imports_nvsmi(file: &PyFile<'_>, import: Node<'_>) -> bool {
    let names = file.all_below(import, &["identifier"]);
    names.iter().any(|it| file.text(*it) == "nvsmi")
}

/// Whether an import is made where another way to ask NVIDIA's driver failed, as it does on AMD, and nothing tries that:
/// `except FileNotFoundError: import pynvml` behind a `try` that runs nvidia-smi.
fn is_last_resort(file: &PyFile<'_>, import: Node<'_>) -> bool {
    let Some(handler) = parents(import).find(|it| it.kind() == "except_clause") else {
        return false;
    };
    let Some(attempt) = handler.parent().filter(|it| !file.is_tried(*it)) else {
        return false;
    };
    let is_within = parents(import).take_while(|it| *it != handler);
    let is_tried = is_within.into_iter().any(|it| it.kind() == "try_statement");
    let body = attempt.child_by_field_name("body");
    let text = body.map_or_else(String::new, |it| file.text(it).into_owned());
    !is_tried
        && ["nvsmi", "nvidia-smi", "nvidia_smi"]
            .iter()
            .any(|it| text.contains(it))
}

/// Whether a file initializes NVML, and tries that wherever it does: the package may be there without the library, and fails then.
fn is_initialized_in_tries(file: &PyFile<'_>) -> bool {
    let mut calls = file.all(&["call"]);
    calls.retain(|it| file.callee(*it).is_some_and(|name| name == "nvmlInit"));
    !calls.is_empty() && calls.into_iter().all(|it| file.is_tried(it))
}

/// Whether a class around a place is called after NVML or NVIDIA, `class NvmlBackend(Backend)`: a program has others beside it.
fn is_of_nvidias_class(file: &PyFile<'_>, node: Node<'_>) -> bool {
    parents(node).any(|it| {
        let is_class = it.kind() == "class_definition";
        let name = is_class.then(|| it.child_by_field_name("name")).flatten();
        name.is_some_and(|it| {
            let name = file.text(it).to_ascii_lowercase();
            name.contains("nvml") || name.contains("nvidia")
        })
    })
}

/// How the files of NVIDIA's libraries begin that programs load by their name.
const LIBRARIES: &[&str] = &[
    "libcuda.so",
    "libcudart.so",
    "libcudart-",
    "libnvrtc.so",
    "libnvidia-ml.so",
    "libcublas.so",
    "libcublasLt.so",
    "libcufft.so",
    "libcurand.so",
    "libcusparse.so",
    "libcusolver.so",
    "libcudnn.so",
    "libcupti.so",
    "libnvToolsExt.so",
    "nvcuda.dll",
    "cudart64",
];

/// Calls that load a library of NVIDIA's by its name: `ctypes.CDLL("libcudart.so")`.
fn loads(file: &PyFile<'_>) -> Vec<Finding> {
    const LOADERS: &[&str] = &["CDLL", "PyDLL", "WinDLL", "LoadLibrary", "dlopen"];
    let mut calls = file.all(&["call"]);
    calls.retain(|call| {
        file.callee(*call)
            .is_some_and(|name| LOADERS.contains(&&*name))
    });
    let named = calls.into_iter().filter_map(|call| {
        let name = file.argument(call, 0, "name")?;
        let (names, fails) = match Literal::new(file, name) {
            Some(literal) => (vec![literal.text], !file.is_tried(call)),
            None => names_of_loop(file, call, name)?,
        };
        let last = |name: &String| name.rsplit(['/', '\\']).next().map(str::to_owned);
        let last: Vec<String> = names.iter().filter_map(last).collect();
        let is_amds = |name: &String| name.contains("hip") || name.contains("roc");
        let is_theirs = |name: &String| LIBRARIES.iter().any(|it| name.starts_with(it));
        let first = last.iter().find(|name| is_theirs(name)).cloned()?;
        let is_lost = fails && !last.iter().any(is_amds) && file.side(call).is_none();
        is_lost.then_some((call, first))
    });
    let finding = |(call, name): (Node<'_>, String)| {
        let message = format!("`{name}` is NVIDIA's: there is no such library on AMD");
        RULE.finding(file.range(call), message).help("load ROCm's where torch.version.hip is set, libamdhip64.so for the runtime and the driver, and call HIP's names")
    };
    named.map(finding).collect()
}

/// The names that a loop around a call goes through, `for name in ("libcuda.so", "cuda.dll"):`, and whether the program fails where there
/// is none of them: it tries none, or raises behind the loop.
fn names_of_loop(file: &PyFile<'_>, call: Node<'_>, name: Node<'_>) -> Option<(Vec<String>, bool)> {
    let name = file.text(name);
    let is_it = |it: &Node<'_>| {
        let left = it.child_by_field_name("left");
        it.kind() == "for_statement" && left.is_some_and(|left| file.text(left) == name)
    };
    let around = parents(call).find(is_it)?;
    let list = around.child_by_field_name("right")?;
    let is_list = |node: &Node<'_>| matches!(node.kind(), "tuple" | "list");
    let list = match list.kind() {
        "identifier" => {
            let variable = file.text(list);
            let sets = |it: &Node<'_>| {
                let left = it.child_by_field_name("left");
                left.is_some_and(|left| file.text(left) == variable)
            };
            let mut set = file.all(&["assignment"]).into_iter().filter(sets);
            set.next()?.child_by_field_name("right")?
        }
        _ => list,
    };
    let strings = file.all_below(list, &["string"]).into_iter();
    let names = strings.filter_map(|it| Some(Literal::new(file, it)?.text));
    let otherwise = around.child_by_field_name("alternative");
    let raises = otherwise.is_some_and(|it| !file.all_below(it, &["raise_statement"]).is_empty());
    is_list(&list).then(|| (names.collect(), raises || !file.is_tried(call)))
}

/// The first use of OpenCV's module for CUDA, `cv2.cuda.resize` or `cv2.cuda_GpuMat`, which throws where there is no GPU of NVIDIA's.
fn module_of_opencv(file: &PyFile<'_>) -> Option<Finding> {
    const COUNT: &str = "getCudaEnabledDeviceCount";
    let uses = |node: &Node<'_>| {
        let object = node.child_by_field_name("object");
        let name = node.child_by_field_name("attribute");
        object.is_some_and(|it| matches!(&*file.text(it), "cv2" | "cv"))
            && name.is_some_and(|it| file.text(it).starts_with("cuda"))
            && node
                .parent()
                .is_none_or(|it| !file.text(it).ends_with(COUNT))
    };
    let mut found = file.all(&["attribute"]).into_iter().filter(uses);
    let first = found.find(|it| file.side(*it).is_none())?;
    let message = "OpenCV runs its module `cuda` on NVIDIA's GPUs alone: its calls raise on AMD";
    let finding = RULE.finding(file.range(first), message).help("call the function of cv2 without it there; with a `cv2.UMat` that runs by OpenCL, on AMD's GPUs as well");
    // A program that counts the GPUs first goes on without.
    let is_asked = memchr::memmem::find(file.bytes(), COUNT.as_bytes()).is_some();
    Some(match is_asked || file.is_tried(first) {
        true => finding.severity(Severity::Info),
        false => finding,
    })
}

/// Calls that run nvidia-smi.
fn calls_of_program(file: &PyFile<'_>) -> Vec<Finding> {
    let is_run = |node: &Node<'_>| {
        let start = &file.bytes()[node.byte_range()];
        let text = String::from_utf8_lossy(&start[..start.len().min(LONGEST_START)]);
        let word = text
            .trim_start_matches(|letter: char| letter.is_ascii_alphabetic() && letter != 'n')
            .trim_matches(['"', '\'']);
        // `parse_args(["exec", "nvidia-smi"])` and `Mock(return_value="nvidia-smi -L")` run nothing.
        let runs = |name: &str| name != "parse_args" && !name.ends_with("Mock");
        let is_run =
            |it: Node<'_>| it.kind() == "call" && file.callee(it).is_none_or(|name| runs(&name));
        is_command(word)
            && (parents(*node).take(NEAR).any(is_run) || run_by_name(file, *node).is_some())
    };
    let mut found = commands(file);
    found.retain(is_run);
    found.retain(|node| {
        !file.is_said(*node) && file.side(*node).is_none() && !file.is_on_windows(*node)
    });
    // A program that asks whether it is there goes on without it.
    let asks = |node: &Node<'_>| {
        let call = parents(*node).take(2).find(|it| it.kind() == "call");
        let is_which = |it: &Node<'_>| file.callee(*it).is_some_and(|name| name == "which");
        let call = call.filter(is_which);
        call.is_some_and(|it| is_question(it) || is_looked_for(file, it))
    };
    let is_asked = found.iter().any(asks);
    let finding = |node: Node<'_>| {
        let help = match lists_gpus(file, node) {
            true => {
                "count the GPUs by torch.cuda.device_count(), for either vendor; what else the list says amd-smi tells in other words"
            }
            false => "run amd-smi or rocm-smi where torch.version.hip is set; their output differs",
        };
        let finding = RULE
            .finding(file.range(node), "there is no nvidia-smi on AMD")
            .help(help);
        match is_asked || file.is_tried(node) || goes_on(file, node) {
            true => finding.severity(Severity::Info),
            false => finding,
        }
    };
    found.into_iter().map(finding).collect()
}

/// Whether a command lists the GPUs, `["nvidia-smi", "-L"]`, `"nvidia-smi -L | wc -l"`: mostly to count them.
fn lists_gpus(file: &PyFile<'_>, command: Node<'_>) -> bool {
    let list = command.parent().filter(|it| it.kind() == "list");
    let text = file.text(list.unwrap_or(command));
    let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | ',');
    text.split(is_end)
        .any(|word| matches!(word, "-L" | "--list-gpus"))
}

/// How far around a command the call stands that runs it: `run(args=["nvidia-smi"])` is the list, the keyword and the arguments away.
const NEAR: usize = 4;

/// The call that runs a command which a variable holds, `check_output(command)` behind `command = ["nvidia-smi", "-L"]`.
fn run_by_name<'t>(file: &'t PyFile<'_>, command: Node<'t>) -> Option<Node<'t>> {
    const RUNNERS: &[&str] = &["run", "call", "check_call", "check_output", "Popen"];
    let list = command.parent().filter(|it| it.kind() == "list");
    let first = list.is_some_and(|it| file.elements(it).first() == Some(&command));
    let names = file.assigned(list.filter(|_| first)?)?;
    let uses = names.into_iter().flat_map(|it| file.uses(it));
    let mut calls = uses.filter_map(|it| {
        let call = it.parent()?.parent().filter(|it| it.kind() == "call")?;
        (file.argument(call, 0, "args") == Some(it)).then_some(call)
    });
    calls.find(|it| {
        let callee = file.callee(*it).unwrap_or_default();
        RUNNERS.contains(&&*callee)
    })
}

/// Whether a program goes on where there is no such command: a shell only answers otherwise, or a function of the file runs it that says
/// whether it worked, or all calls of the function around are tried.
fn goes_on(file: &PyFile<'_>, command: Node<'_>) -> bool {
    const SHELLS: &[&str] = &["popen", "getoutput", "getstatusoutput", "system"];
    let around = run_by_name(file, command);
    if around.is_some_and(|it| file.is_tried(it)) {
        return true;
    }
    let Some(call) = around.or_else(|| parents(command).find(|it| it.kind() == "call")) else {
        return false;
    };
    let by_shell = file
        .argument(call, usize::MAX, "shell")
        .is_some_and(|it| file.text(it) == "True");
    let is_checked = file.argument(call, usize::MAX, "check").is_some();
    let callee = file.callee(call).unwrap_or_default();
    SHELLS.contains(&&*callee)
        || is_counted(&file.text(command))
        || by_shell && !is_checked && matches!(&*callee, "run" | "call" | "Popen")
        || file
            .functions_called(&callee)
            .into_iter()
            .any(|it| answers(file, it))
        || command
            .function()
            .is_some_and(|it| file.is_always_tried(it))
}

/// Whether a shell counts the lines of what a command says, `nvidia-smi -L 2>/dev/null | wc -l`: without the command there are none.
fn is_counted(command: &str) -> bool {
    let last = command.rsplit_once('|').map(|(_, last)| last);
    last.is_some_and(|it| it.split_whitespace().next() == Some("wc"))
}

/// Whether a function tries what it runs, or looks at the code that it returned: `if rc != 0: return None`.
fn answers(file: &PyFile<'_>, function: Node<'_>) -> bool {
    let tries = !file.all_below(function, &["try_statement"]).is_empty();
    let conditions = file.all_below(function, &["if_statement"]).into_iter();
    let mut conditions = conditions.filter_map(|it| it.child_by_field_name("condition"));
    tries
        || conditions.any(|it| {
            let names = file.all_below(it, &["identifier"]).into_iter();
            let mut names = names.map(|name| file.text(name));
            names.any(|name| matches!(&*name, "rc" | "ret" | "retcode" | "returncode"))
        })
}

/// How much of a string is looked at for the first words of a command, in bytes.
const LONGEST_START: usize = 200;

/// The strings of a file that may run nvidia-smi; none where AMD's program is run as well, for its author knows. Strings within strings
/// are each a part of the next, so that none is read to its end where the file has no such word.
fn commands<'t>(file: &'t PyFile<'_>) -> Vec<Node<'t>> {
    let has = |bytes: &[u8], word: &str| memchr::memmem::find(bytes, word.as_bytes()).is_some();
    let serves_amd = |bytes: &[u8]| has(bytes, "rocm-smi") || has(bytes, "amd-smi");
    if !has(file.bytes(), "nvidia-smi") {
        return Vec::new();
    }
    let strings = file.all(&["string"]);
    let bytes_of = |node: &Node<'_>| &file.bytes()[node.byte_range()];
    match serves_amd(file.bytes()) && strings.iter().any(|it| serves_amd(bytes_of(it))) {
        true => Vec::new(),
        false => strings,
    }
}

/// Whether a text is the program or a command of it, and no sentence about it: `nvidia-smi listed no GPU`.
fn is_command(text: &str) -> bool {
    const VERBS: &[&str] = &[
        "topo", "nvlink", "dmon", "pmon", "mig", "vgpu", "drain", "daemon", "replay", "|", ">",
    ];
    let mut words = text.split_whitespace();
    words.next() == Some("nvidia-smi")
        && words
            .next()
            .is_none_or(|second| second.starts_with(['-', '{', '%']) || VERBS.contains(&second))
}

/// Calls that run nvcc, and strings with its name or a command of it that a program keeps, looks for, or joins with others; but those that
/// are tried or belong to a side.
fn calls_of_compiler(file: &PyFile<'_>) -> Vec<Finding> {
    let mut places: Vec<Node<'_>> = file.all(&["string"]);
    places.retain(|string| is_nvcc(&file.text(*string)));
    let mut places: Vec<Node<'_>> = places
        .into_iter()
        .filter_map(|string| place_of_compiler(file, string))
        .filter(|place| file.side(*place).is_none() && !file.is_tried(*place))
        .collect();
    places.dedup();
    // A function that looks for it in several places is told once.
    let is_search = |place: Node<'_>| is_looked_for(file, place);
    let mut told = FxHashSet::default();
    places.retain(|it| match it.function() {
        Some(function) => told.insert((function.number(), is_search(*it))),
        None => true,
    });
    let finding = |place: Node<'_>| {
        let finding = RULE.finding(file.range(place), "there is no nvcc on AMD").help("call hipcc where torch.version.hip is set or HIP_PATH or ROCM_PATH is, without the options that only nvcc has, or leave the question out");
        match is_looked_for(file, place) {
            true => finding.severity(Severity::Info),
            false => finding,
        }
    };
    places.into_iter().map(finding).collect()
}

/// Whether a program asks whether what it looks for is there, and goes on without: `path = which("nvcc")` with an `if path:` that ends
/// nothing, `candidate = home / "bin" / "nvcc"` with `candidate.exists()`, or hands the answer on.
fn is_looked_for(file: &PyFile<'_>, place: Node<'_>) -> bool {
    const WHOLE: &[&str] = &[
        "binary_operator",
        "parenthesized_expression",
        "boolean_operator",
    ];
    let is_search = file
        .callee(place)
        .is_some_and(|it| matches!(&*it, "which" | "find_executable"));
    let whole = parents(place).take_while(|it| WHOLE.contains(&it.kind()));
    let whole = whole.last().unwrap_or(place);
    let above = whole.parent();
    if above.is_some_and(|it| it.kind() == "return_statement") {
        return is_search;
    }
    let assignment = above.filter(|it| it.kind() == "assignment");
    let Some(name) = assignment.and_then(|it| it.child_by_field_name("left")) else {
        return false;
    };
    let around = name.function().unwrap_or(file.root());
    let mut uses = file.identifiers_within(&file.text(name), around);
    uses.retain(|it| *it != name);
    let asking = uses.iter().filter_map(|it| condition_around(*it));
    let asks = |it: &Node<'_>| is_search || asks_for_file(file, *it);
    uses.iter()
        .any(|it| condition_around(*it).is_some() && asks(it))
        && asking.into_iter().all(|it| !file.ends_program(it))
}

/// The `if` that asks by a name.
fn condition_around(name: Node<'_>) -> Option<Node<'_>> {
    let statement =
        parents(name).find(|it| matches!(it.kind(), "if_statement" | "conditional_expression"))?;
    let condition = match statement.kind() {
        "if_statement" => statement.child_by_field_name("condition"),
        _ => statement.named_child(1),
    };
    condition
        .filter(|it| *it == name || it.is_around(name))
        .and(Some(statement))
}

/// Whether a path is asked whether there is such a file: `path.exists()`, `os.path.isfile(path)`.
fn asks_for_file(file: &PyFile<'_>, path: Node<'_>) -> bool {
    let calls = parents(path).take(3).filter(|it| it.kind() == "call");
    let mut callees = calls.filter_map(|it| file.callee(it));
    callees.any(|it| matches!(&*it, "exists" | "isfile" | "is_file" | "access"))
}

/// Whether a path is one that a program makes or takes away, as tests of a search for the toolkit do: `(home / "bin/nvcc").touch()`.
fn is_file_of_its_own(file: &PyFile<'_>, path: Node<'_>) -> bool {
    const CHANGES: &[&str] = &[
        "chmod",
        "mkdir",
        "rename",
        "symlink_to",
        "touch",
        "unlink",
        "write_bytes",
        "write_text",
    ];
    let mut around = parents(path)
        .skip_while(|it| it.kind() == "parenthesized_expression")
        .take(2);
    let method = around.next().filter(|it| it.kind() == "attribute");
    let call = around.next().filter(|it| it.kind() == "call");
    let name = method.and(call).and_then(|it| file.callee(it));
    name.is_some_and(|name| CHANGES.contains(&&*name))
}

/// What is shown of a string that names nvcc: the call that runs or looks for it, else the string where a program keeps or joins it.
fn place_of_compiler<'t>(file: &'t PyFile<'_>, string: Node<'t>) -> Option<Node<'t>> {
    const FINDS: &[&str] = &["which", "find_executable", "system", "popen", "join"];
    let is_in_call = |node: &Node<'_>| node.kind() == "call";
    let mut calls = parents(string).take(4).filter(is_in_call);
    if let Some(call) = calls.find(|call| runs_nvcc(file, *call)) {
        return Some(call);
    }
    let above = string.parent()?;
    match above.kind() {
        "argument_list" => {
            let call = above.parent()?;
            let callee = file.callee(call)?;
            // A question whether it is there is answered truly.
            let is_asked = callee == "which" && is_question(call);
            (FINDS.contains(&&*callee) && !is_asked).then_some(call)
        }
        "binary_operator" if is_file_of_its_own(file, above) => None,
        "assignment" | "binary_operator" | "default_parameter" => Some(string),
        // Places where a program looks for it are one question.
        "list" | "tuple" => {
            let keeps = |it: &Node<'_>| matches!(it.kind(), "assignment" | "binary_operator");
            above.parent().filter(keeps).map(|_| above)
        }
        _ => None,
    }
}

/// Whether nothing but a condition reads what a call gives.
fn is_question(call: Node<'_>) -> bool {
    const QUESTIONS: &[&str] = &[
        "if_statement",
        "not_operator",
        "boolean_operator",
        "comparison_operator",
        "assert_statement",
        "conditional_expression",
    ];
    call.parent()
        .is_some_and(|above| QUESTIONS.contains(&above.kind()))
}
