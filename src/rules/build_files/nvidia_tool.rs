//! A command that calls a program of NVIDIA's toolkit or driver, a profiler, a debugger, `nvidia-smi`, or gives a container NVIDIA's GPUs.
//!
//! ## Why on AMD
//! There is no such program, and the target of the Makefile, the script or the job that calls it ends with "command not found". AMD has
//! tools for the same work with other options and other output; `mappings/build.toml` names them. Docker's `--gpus` and its runtime `nvidia`
//! are NVIDIA's container toolkit.
//!
//! ## Example
//! ```sh
//! nsys profile --trace=cuda,nvtx -o app ./app
//! ```
//!
//! ## When to ignore
//! When nobody profiles on AMD with it. A question whether the program is there, `command -v ncu`, is information, and so is what only shows
//! the GPUs in a script that goes on without, `nvidia-smi -L || true`, what stands behind a test for NVIDIA's driver, a command in Python that is tried, one of a notebook, or one in a script that is called after a library which only NVIDIA has, `build_trt.sh`, or that AMD has one of its own beside, `launch.sh` beside `launch_amd.sh`. Scripts that call AMD's tools as well give no finding.
//!
//! ## Source
//! The folder `bin` of CUDA 12.9; documentation of ROCm 6.4's tools: rocprofv3, rocprof-compute, rocgdb, AddressSanitizer, amd-smi;
//! "Running ROCm Docker containers".

use crate::analysis::nvidia_modules::is_named_after_module;
use crate::analysis::toolkit_question::RUNS;
use crate::build::amd_tools::is_script_for_both;
use crate::build::command::{command_around, is_called};
use crate::build::machine_test::is_on_nvidias_machine;
use crate::build::release_probe::{is_asked_again, is_probe, is_question};
use crate::build::words::{is_in_prose, is_joined, line_of, words};
use crate::mapping::{BuildTable, NvidiaTool};
use crate::python::{Literal, Node, PyFile, parents};
use crate::rules::prelude::*;

/// Reports the first call of each in a file.
pub static RULE: Rule = Rule {
    code: "CASS698",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[Fact::AboutMachine],
    checks: &[
        Check::BuildFile(check),
        Check::Python(
            &[&[
                "nsys",
                "\"ncu",
                "'ncu",
                "/ncu",
                " ncu",
                "\nncu",
                "nvprof",
                "compute-sanitizer",
                "cuda-memcheck",
                "cuda-gdb",
                "cuobjdump",
                "nvdisasm",
                "nv-nsight-cu-cli",
                "dcgmi",
                "nvidia-cuda-mps",
            ]],
            check_python,
        ),
    ],
};

/// A tool that a file calls.
struct Called {
    name: &'static str,
    advice: &'static str,
    /// Where it is called first.
    range: TextRange,
    severity: Severity,
    places: usize,
}

/// Keeps what a file calls: of each tool, and of each thing that it is called for, the first place, or the first that is more than information.
#[derive(Default)]
struct Calls(Vec<Called>);

impl Calls {
    fn add(
        &mut self,
        (name, advice): (&'static str, &'static str),
        range: TextRange,
        severity: Severity,
    ) {
        let is_same = |it: &&mut Called| it.name == name && it.advice == advice;
        let known = self.0.iter_mut().find(is_same);
        match known {
            Some(known) => {
                known.places += 1;
                if known.severity == Severity::Info && severity != Severity::Info {
                    (known.range, known.severity) = (range, severity);
                }
            }
            None => self.0.push(Called {
                name,
                advice,
                range,
                severity,
                places: 1,
            }),
        }
    }

    fn findings(self) -> impl Iterator<Item = Finding> {
        self.0.into_iter().map(|it| {
            let places = match it.places {
                1 => String::new(),
                places => format!(" (one of {places} places)"),
            };
            let message = format!("there is no {} on AMD{places}", it.name);
            let finding = RULE.finding(it.range, message).severity(it.severity);
            finding.help(it.advice)
        })
    }
}

fn check(cx: &mut BuildContext<'_, '_>) {
    if is_script_for_both(cx.doc) || cx.doc.source.path.ends_with(".py") {
        return;
    }
    let mut calls = Calls::default();
    let is_others = cx.project.paths.has_variant_for_amd(&cx.doc.source.path);
    // A script that ends in peace without a program calls it where it is there.
    let mut left_without = None;
    for at in words(cx.doc) {
        // `@nsys profile`: make does not show the line.
        let word = cx.text(at);
        let Some(tool) = BuildTable::builtin().tool(word.trim_start_matches('@')) else {
            continue;
        };
        if is_in_prose(cx.doc, at) || !is_run(cx.doc, at, tool) {
            continue;
        }
        if is_probe(cx.doc, at) {
            let finding = of_release(cx, at);
            cx.report(finding);
            continue;
        }
        // A notebook goes on behind a command that is not there.
        let path = &cx.doc.source.path;
        let goes_on = is_of_notebook(path) || is_named_after_module(path) || is_others;
        let goes_on = goes_on
            || only_shows(cx.doc, at)
            || left_without == Some(tool.0)
            || is_on_nvidias_machine(cx.doc, at);
        let is_asked = is_asked_for(cx.doc, at);
        if is_asked && ends_without(cx.doc, at, |status| status == b"0") {
            left_without = Some(tool.0);
        }
        let is_demanded = || ends_without(cx.doc, at, |status| status != b"0");
        let severity = match goes_on || is_asked && !is_demanded() {
            true => Severity::Info,
            false => RULE.severity,
        };
        let advice = match counts_gpus(cx.doc, at) {
            true => COUNT,
            false => &tool.1.advice,
        };
        calls.add((tool.0, advice), cx.range(at), severity);
    }
    let finding = option_of_container(cx);
    calls
        .findings()
        .chain(finding)
        .for_each(|finding| cx.report(finding));
}

/// Whether a script only shows the GPUs by a command `nvidia-smi`, and goes on where there is no such program: it does not end at what fails,
/// or says `|| true` behind it. What it shows may be cut, `| head -8`, and goes to no file and no other program.
fn only_shows(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    // A longer command does more than to show.
    const NEAR: usize = 40;
    let starts = |it: TokenIndex| {
        let token = doc.tokens.get(it);
        token.is_none_or(|token| token.has(flags::LINE_START))
    };
    let begins = starts(at) || doc.is_before(at, ";");
    if doc.tool != BuildTool::Shell || !doc.is(at, "nvidia-smi") || !begins {
        return false;
    }
    let end = |it: TokenIndex| starts(it) || doc.is(it, ";");
    let Some(end) = (at + 1..).take(NEAR).find(|&it| end(it)) else {
        return false;
    };
    let rest = || at + 1..end;
    let is_or = |it: usize| doc.is(it, "|") && doc.is(it + 1, "|");
    let otherwise = rest().find(|&it| is_or(it));
    let goes_on = otherwise.is_some_and(|it| {
        let next = doc.bytes(it + 2);
        it + 2 < end && matches!(next, b"true" | b":" | b"echo" | b"printf")
    });
    let mut pipes = (at + 1..otherwise.unwrap_or(end)).filter(|&it| doc.is(it, "|"));
    let is_cut = |it: usize| matches!(doc.bytes(it + 1), b"head" | b"tail" | b"cat" | b"column");
    let is_shown =
        pipes.all(is_cut) && !rest().any(|it| doc.is(it, ">") && !is_thrown_away(doc, it));
    is_shown && (goes_on || otherwise.is_none() && !doc.fact(EndsOnFailure::of).0)
}

/// Whether what goes to a file goes to none: `2>/dev/null`, `2>&1`.
fn is_thrown_away(doc: &BuildFile<'_>, sign: TokenIndex) -> bool {
    let target = match doc.is(sign + 1, "&") {
        true => sign + 2,
        false => sign + 1,
    };
    matches!(doc.bytes(target), b"/dev/null" | b"1" | b"2")
}

/// Whether a script ends at the first command that fails: `set -eux`, `set -o errexit`, `#!/bin/bash -e`.
struct EndsOnFailure(bool);

impl EndsOnFailure {
    fn of(doc: &BuildFile<'_>) -> Self {
        let text = String::from_utf8_lossy(&doc.source.bytes);
        let is_option = |word: &str| {
            let letters = word.strip_prefix('-').filter(|it| !it.starts_with('-'));
            letters.is_some_and(|it| it.contains('e')) || word == "errexit"
        };
        Self(text.lines().map(str::trim).any(|line| {
            let mut words = line.split_whitespace();
            let first = words.next().unwrap_or_default();
            (first == "set" || first.starts_with("#!")) && words.any(is_option)
        }))
    }
}

/// What is said where `nvidia-smi` is asked for CUDA's release: once for a function.
fn of_release(cx: &BuildContext<'_, '_>, at: TokenIndex) -> Finding {
    let severity = match is_asked_again(cx.doc, at) || is_of_notebook(&cx.doc.source.path) {
        true => Severity::Info,
        false => RULE.severity,
    };
    let message = "`nvidia-smi` is asked for CUDA's release, and AMD has neither";
    let help = "add a branch for ROCm, which has its release in /opt/rocm/.info/version, and choose there what to install";
    let finding = RULE.finding(cx.range(at), message).severity(severity);
    finding.help(help)
}

/// How many GPUs there are is told by PyTorch for both vendors.
const COUNT: &str = "count the GPUs of either vendor by `python -c 'import torch; print(torch.cuda.device_count())'`, or let `torchrun --nproc-per-node=gpu` do it; without PyTorch by `rocminfo | grep -c 'Device Type: *GPU'`";

/// Whether a command counts the GPUs by the lines of a list: `nvidia-smi -L | wc -l`.
fn counts_gpus(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    // What stands behind a list of GPUs is short.
    const NEAR: usize = 24;
    if doc.tool != BuildTool::Shell || !doc.bytes(at).ends_with(b"nvidia-smi") {
        return false;
    }
    let ends = |it: &TokenIndex| doc.tokens[*it].has(flags::LINE_START) || doc.is(*it, ";");
    let behind = (at + 1..doc.tokens.len()).take(NEAR);
    let behind: Vec<TokenIndex> = behind.take_while(|it| !ends(it)).collect();
    let lists = |it: &TokenIndex| {
        let word = doc.bytes(*it);
        matches!(word, b"-L" | b"--list-gpus") || word.starts_with(b"--query-gpu")
    };
    let is_count = |it: &TokenIndex| doc.is(*it, "wc") && doc.is(*it - 1, "|");
    behind.iter().any(lists) && behind.iter().any(is_count)
}

/// Whether a file is a cell of a notebook, `lesson.ipynb/cell.sh`.
fn is_of_notebook(path: &str) -> bool {
    path.contains(".ipynb/")
}

/// The first option by which a command gives a container NVIDIA's GPUs: `docker run --gpus all`, `--runtime=nvidia`.
fn option_of_container(cx: &BuildContext<'_, '_>) -> Option<Finding> {
    // How far behind `docker run` an option is looked for: commands with many volumes are long, and text without an end must not cost the
    // square of its length.
    const FAR: usize = 200;
    let doc = cx.doc;
    let is_of_nvidia = |at: TokenIndex| match doc.bytes(at) {
        b"--runtime" => [at + 1, at + 2].iter().any(|&it| doc.is(it, "nvidia")),
        b"--gpus" => {
            let first = at.saturating_sub(FAR);
            // A line that a backslash ends goes on.
            let ends =
                |it: &TokenIndex| doc.tokens[*it + 1].has(flags::LINE_START) && !doc.is(*it, "\\");
            let mut command = (first..at).rev().take_while(|it| !ends(it));
            // `DOCKER_RUN_OPTIONS += --gpus all` is for a command further on.
            let runs_containers = |word: &[u8]| {
                let word = word.to_ascii_lowercase();
                word.starts_with(b"docker") || matches!(word.as_slice(), b"podman" | b"nerdctl")
            };
            command.any(|it| runs_containers(doc.bytes(it)))
        }
        _ => false,
    };
    let at = words(doc).find(|&at| is_of_nvidia(at) && !is_in_prose(doc, at))?;
    let message = format!("`{}` gives a container NVIDIA's GPUs alone", cx.text(at));
    let help = "AMD's are given by --device=/dev/kfd --device=/dev/dri --group-add video";
    Some(RULE.finding(cx.range(at), message).help(help))
}

/// Whether a word is a program that a command runs, and no name of a target, a variable or a file.
fn is_run(doc: &BuildFile<'_>, at: TokenIndex, (name, tool): (&str, &NvidiaTool)) -> bool {
    // `ncu` is short enough to be something else.
    const SHORT: usize = 5;
    let next = doc.tokens.get(at + 1);
    let goes_on = next.is_some_and(|it| it.has(flags::SPACE_BEFORE) && !it.has(flags::LINE_START));
    let is_item = at > 0 && doc.is(at - 1, "in");
    let is_plain = goes_on && !is_item && tool.verbs.is_empty() && name.len() > SHORT;
    let has_argument = goes_on && {
        let word = doc.bytes(at + 1);
        let is_verb = tool.verbs.iter().any(|verb| verb.as_bytes() == word);
        word.starts_with(b"-") || is_verb
    };
    match doc.tool {
        BuildTool::CMake => {
            let command = command_around(doc.commands(), at);
            let runs = [
                "add_custom_target",
                "add_custom_command",
                "add_test",
                "execute_process",
            ];
            command.is_some_and(|command| {
                is_called(doc, command, "find_program")
                    || doc.is_before(at, "COMMAND")
                        && runs.iter().any(|name| is_called(doc, command, name))
            })
        }
        // `.PHONY: ncu`, `ncu: app`: in a recipe alone a program may stand with anything behind it.
        BuildTool::Make => {
            has_argument || is_in_recipe(doc, at) && (is_plain || begins_command(doc, at))
        }
        BuildTool::Shell => {
            has_argument || is_plain || begins_command(doc, at) || is_asked_for(doc, at)
        }
        BuildTool::Other => false,
    }
}

/// Whether a line of a Makefile is one of a recipe: it begins with a tab, or goes on one that does.
fn is_in_recipe(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let start = doc.tokens[line_of(doc, at)].start as usize;
    let line = doc.source.bytes[..start]
        .iter()
        .rposition(|byte| *byte == b'\n');
    doc.source.bytes.get(line.map_or(0, |it| it + 1)) == Some(&b'\t')
}

/// Whether a command begins with a word: it is the first of its line, or stands behind what ends a command or runs one.
fn begins_command(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    const IN_FRONT: &[&[u8]] = &[
        b"@", b"-", b";", b"&", b"|", b"&&", b"||", b"(", b"`", b"{", b"!", b"then", b"do",
        b"else", b"exec", b"time", b"sudo", b"env", b"if", b"elif", b"until", b"while",
    ];
    let is_named = [":", "="]
        .iter()
        .any(|sign| doc.is(at + 1, sign) && is_joined(doc, at + 1));
    !is_named
        && (doc.tokens[at].has(flags::LINE_START)
            || at > 0 && IN_FRONT.contains(&doc.bytes(at - 1)))
}

/// Whether a command only asks whether the program is there: `command -v ncu`, `which nsys`, `find_program(NSYS nsys)`.
fn is_asked_for(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    if doc.tool == BuildTool::CMake {
        let command = command_around(doc.commands(), at);
        return command.is_some_and(|command| is_called(doc, command, "find_program"));
    }
    is_question(doc, at) || doc.is_before(at, "if") || doc.is_before(at, "elif")
}

/// Whether a script ends with such a status where a program that it asks for is not there: `command -v ncu || exit 1`, `if ! which nsys; then …
/// exit 1; fi`.
fn ends_without(doc: &BuildFile<'_>, at: TokenIndex, is_it: impl Fn(&[u8]) -> bool) -> bool {
    // What is said in front of the end is a line or two.
    const NEAR: usize = 60;
    let first = line_of(doc, at);
    let is_negated = (first..at).any(|it| doc.is(it, "!"));
    let mut behind = (at + 1..doc.tokens.len()).take(NEAR).peekable();
    let is_line = |it: &TokenIndex| !doc.tokens[*it].has(flags::LINE_START);
    let mut fails = false;
    while let Some(it) = behind.next_if(is_line) {
        fails |= doc.is(it, "|") && doc.is(it + 1, "|");
        if fails && doc.is(it, "exit") {
            return is_it(doc.bytes(it + 1));
        }
    }
    let is_within = |it: &TokenIndex| !matches!(doc.bytes(*it), b"fi" | b"else" | b"elif");
    let ends = |it: TokenIndex| doc.is(it, "exit") && is_it(doc.bytes(it + 1));
    let first_word = doc.is(first, "if") || doc.is(first, "elif");
    let mut branch = (at + 1..doc.tokens.len()).take(NEAR).take_while(is_within);
    is_negated && first_word && branch.any(ends)
}

fn check_python(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let mut calls = Calls::default();
    for string in file.all(&["string"]) {
        let Some(text) = Literal::new(file, string).map(|it| it.text) else {
            continue;
        };
        let Some(tool) = run_by(file, string, &text) else {
            continue;
        };
        // `nvidia-smi` is one of those that CASS673 asks for.
        let is_left = tool.0 == "nvidia-smi" || file.side(string).is_some() || file.is_said(string);
        if is_left {
            continue;
        }
        let function = string.function();
        let is_tried = file.is_tried(string) || function.is_some_and(|it| file.is_always_tried(it));
        let severity = match is_tried || cx.is_test() {
            true => Severity::Info,
            false => RULE.severity,
        };
        calls.add((tool.0, &tool.1.advice), file.range(string), severity);
    }
    calls.findings().for_each(|finding| cx.report(finding));
}

/// The tool that a string of Python runs: alone as the first word of a list, `["nsys", "profile"]`, or with its arguments as a command,
/// `"ncu --set full ./app"`.
fn run_by(
    file: &PyFile<'_>,
    string: Node<'_>,
    text: &str,
) -> Option<(&'static str, &'static NvidiaTool)> {
    // Those that give a text to a shell, or the words of one to what runs them.
    const TAKES_TEXT: &[&str] = &["execvp", "getstatusoutput", "popen", "split", "system"];
    let mut parts = text.split_whitespace();
    let tool = BuildTable::builtin().tool(parts.next()?)?;
    let is_argument =
        |word: &str| word.starts_with(['-', '{']) || tool.1.verbs.iter().any(|verb| verb == word);
    let call = parents(string).take(4).find(|it| it.kind() == "call");
    let is_in_run = call
        .and_then(|it| file.callee(it))
        .is_some_and(|name| RUNS.contains(&&*name) || TAKES_TEXT.contains(&&*name));
    let is_command = match parts.next() {
        Some(second) => is_argument(second) && (is_in_run || is_kept_as_command(file, string)),
        None => {
            let list = string
                .parent()
                .filter(|it| matches!(it.kind(), "list" | "tuple"));
            let items = list.map_or_else(Vec::new, |it| file.elements(it));
            let second = items.get(1).and_then(|it| Literal::new(file, *it));
            items.first() == Some(&string)
                && (is_in_run || second.is_some_and(|it| is_argument(&it.text)))
        }
    };
    is_command.then_some(tool)
}

/// Whether a string is assigned to a variable that is called after a command: `profile_cmd = f"nsys profile -o {name}"`.
fn is_kept_as_command(file: &PyFile<'_>, string: Node<'_>) -> bool {
    let assignment = parents(string).take(3).find(|it| it.kind() == "assignment");
    let name = assignment.and_then(|it| it.child_by_field_name("left"));
    name.is_some_and(|it| {
        let name = file.text(it).to_ascii_lowercase();
        name.contains("cmd") || name.contains("command")
    })
}
