//! A build file, an image, a list of packages or a command that installs them, which names CUDA where no single form is right for AMD.
//!
//! ## Why on AMD
//! Meson, Bazel, autoconf, MSBuild, container images, CI workflows, conda and pip name NVIDIA's compiler, packages and images each in
//! their own way, and so does a project's copy of CMake's FindCUDA. What has one counterpart is rewritten (`container-image`); of the rest
//! one finding a file says what to put there. Scripts and Makefiles that install CUDA's packages, `apt-get install cuda-toolkit-12-4`, or
//! load its modules get one for each way to do so and for each package that AMD has in a form of its own, such as PyTorch and vLLM; so do
//! the packages of Python in an image, in a list of them, in `pyproject.toml` and in a `setup.py`. Some are for CUDA alone, though their
//! names do not say so: PyPI has `vllm` for no other GPU; or their source is, `git clone https://github.com/NVIDIA/apex`. Of the images
//! that scripts start, `docker run pytorch/pytorch:2.5.0-cuda12.4-cudnn9-devel`, load, or write into a container file, the first is told.
//!
//! ## Example
//! ```python
//! load("@rules_cuda//cuda:defs.bzl", "cuda_library")
//! cuda_library(name = "lib", srcs = ["lib.cu"])
//! ```
//!
//! ## When to ignore
//! In files for NVIDIA's machines alone. What is called after a library that only NVIDIA has, `tensorrt/Dockerfile`, or after its toolkit for
//! containers is information, and so are the extras of a project, each of which is chosen by its name, a file that AMD has one of its own beside, `docker/nvidia` beside `docker/amd`, what a script installs
//! below a test of CUDA's release that it asks for itself, a `build.ninja` that PyTorch wrote, and a workflow of GitHub that lies below the root, where nobody runs it.
//!
//! ## Source
//! Meson 1.6, rules_cuda 0.2, ROCm 6.4: installation guide and its images, conda-forge.

use std::borrow::Cow;
use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::nvidia_modules::is_named_after_module;
use crate::build::amd_tools;
use crate::build::command_lines::commands_of_nvcc;
use crate::build::container::{
    folders, image_of_amd, image_of_cuda, images, instead_of_image, started_images,
};
use crate::build::machine_test::is_on_nvidias_machine;
use crate::build::packages::{
    Installer, Package, is_for_any_gpu, is_for_cuda, is_source_of_cupy, names_source_for_cuda,
    packages,
};
use crate::build::presets::{Entry, entries};
use crate::build::release_probe::is_chosen_by_release;
use crate::build::words::{argument_around, is_in_prose, line_of, text_around, words};
use crate::mapping::{BuildTable, name_lists};
use crate::options::Vendors;
use crate::python::{Literal, Node, PyFile, names_other_accelerator, parents};
use crate::rules::prelude::*;
use crate::text::{FIND_CUDA, YamlKind, is_of_ci};

/// Reports once a file, of packages once for each form that AMD has them in.
pub static RULE: Rule = Rule {
    code: "CASS633",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[Fact::ForTorchBuild],
    checks: &[
        Check::OtherBuildFile(check),
        Check::BuildFile(check_packages),
        Check::BuildFile(check_images),
        Check::Python(&[REQUIRES], check_requirements),
    ],
};

/// What Bazel lists of operators for TensorFlow need.
const TENSORFLOW: &str = "write `if_rocm([\"-DTENSORFLOW_USE_ROCM=1\", \"-D__HIP_PLATFORM_AMD__\"])` beside each `if_cuda`, from @local_config_rocm//rocm:build_defs.bzl as TensorFlow configures it";

/// How a script that makes a package says what it requires.
const REQUIRES: &[&str] = &["install_requires", "extras_require"];

/// The packages of Python that call NVIDIA's management library. They are Python alone and install anywhere: who imports one has a finding.
const NVML_PACKAGES: &[&str] = &["nvidia-ml-py", "nvidia-ml-py3", "py3nvml", "pynvml"];
/// What AMD has in their place.
const FOR_NVML: &str = "for AMD install amdsmi in its place, of ROCm's own release; the programs that import it ask by other names";

/// What AMD has in the place of TensorFlow for NVIDIA's GPUs.
const FOR_TENSORFLOW: &str =
    "for AMD install tensorflow-rocm in its place, of TensorFlow 2: one for each release of ROCm";

/// What is to be done about a list that a tool wrote: what it holds of CUDA came with PyTorch or with what depends on it.
const FOR_LOCKED: &str = "a tool wrote the list with all that its packages need: have it written again where torch comes from https://download.pytorch.org/whl/rocm{rocm}, which needs none of CUDA's";

/// Words that are NVIDIA's as a whole.
const WORDS: &[&str] = &["cuda", "cudnn", "cutensor", "nvidia"];

fn check(cx: &mut BuildContext<'_, '_>) {
    let path = &cx.doc.source.path;
    if names_other_accelerator(path.rsplit('/').next().unwrap_or(path)) {
        return;
    }
    let changed = changed(cx);
    let stays = |at: &TokenIndex| !changed.iter().any(|range| range.contains(cx.range(*at)));
    let installed = packages(cx.doc);
    // In an image the packages of Python are another matter than what it starts from.
    let (of_python, installed): (Vec<Package>, Vec<Package>) =
        installed.into_iter().partition(|it| {
            is_of_image(&cx.doc.source.path)
                && matches!(it.installer, Installer::Python | Installer::Conda)
        });
    // `-c nvidia` belongs to the command, not to the image.
    let apart = of_python.iter().flat_map(|it| it.words(cx.doc));
    let apart: FxHashSet<TokenIndex> = apart.collect();
    let installed: FxHashSet<TokenIndex> = installed.iter().map(|it| it.at).collect();
    let is_open = |at: &TokenIndex| {
        !apart.contains(at) && (installed.contains(at) || is_nvidias(cx.doc, *at))
    };
    let nvidias: Vec<TokenIndex> = words(cx.doc).filter(is_open).filter(stays).collect();
    let reason = reason(cx);
    let groups = by_advice(cx, nvidias);
    let of_words = groups.iter().filter_map(|it| of_words(cx, it, reason));
    let of_python = of_packages(cx, of_python, reason);
    let all: Vec<Finding> = of_words.chain(of_python).collect();
    all.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether a file says what an image of a container is made of.
fn is_of_image(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let has = |part: &&str| name.contains(*part);
    ["ockerfile", "Containerfile", "Singularity", "Apptainer"]
        .iter()
        .any(has)
        || name.ends_with(".def")
}

/// Why the file is no matter of AMD's, and how loud a finding about it is.
type Reason = (&'static str, Severity);

fn reason(cx: &BuildContext<'_, '_>) -> Reason {
    let path = &cx.doc.source.path;
    match (amd_tools::serves_amd(cx.doc), serves_amd(cx)) {
        (true, _) => ("; the file is about AMD as well", Severity::Info),
        (_, true) => ("; AMD has a file of its own beside", Severity::Info),
        _ if path.contains(FIND_CUDA) => ("; it is a part of CMake's FindCUDA", Severity::Info),
        _ if is_of_nvidia_alone(path) => ("; it is for what NVIDIA alone has", Severity::Info),
        _ if is_written_by_torch(cx.doc) => (
            "; PyTorch wrote it, and writes it again for AMD",
            Severity::Info,
        ),
        // A service reads the jobs of the root.
        _ if path.contains("/.github/workflows/") => (
            "; jobs that lie below the root of the tree are run by nobody",
            Severity::Info,
        ),
        _ => ("", RULE.severity),
    }
}

/// Whether a file is what PyTorch writes for ninja when it builds an extension.
fn is_written_by_torch(doc: &BuildFile<'_>) -> bool {
    doc.source.path.ends_with(".ninja")
        && doc.has_word(|word| word.starts_with(b"-DTORCH_EXTENSION_NAME"))
}

/// Whether a file is called after what only NVIDIA has: a library, its toolkit, or the one for containers.
fn is_of_nvidia_alone(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).replace('-', "_");
    // `install-cuda-12.4.sh`: who runs it has NVIDIA's GPUs.
    let is_installer = name.starts_with("install_cuda");
    is_named_after_module(path) || name.contains("nvidia_container_toolkit") || is_installer
}

/// The words of a file that are NVIDIA's, those together that one finding tells: of a list of packages, and of those of a project, each has
/// an advice of its own, unless a tool writes the list anew. In the order in which the first of each stands.
fn by_advice(cx: &BuildContext<'_, '_>, words: Vec<TokenIndex>) -> Vec<Vec<TokenIndex>> {
    let path = &cx.doc.source.path;
    let has_packages = is_list_of_packages(cx.doc) || path.ends_with("pyproject.toml");
    if !has_packages || is_written_by_tool(cx.doc) {
        return vec![words];
    }
    let mut groups: Vec<(Option<&str>, Vec<TokenIndex>)> = Vec::new();
    for at in words {
        let advice = advice_for_package(&requirement_of(cx, at));
        match groups.iter_mut().find(|group| group.0 == advice) {
            Some((_, all)) => all.push(at),
            None => groups.push((advice, vec![at])),
        }
    }
    groups.into_iter().map(|(_, words)| words).collect()
}

/// What is said of a file, by the words in it that are NVIDIA's.
fn of_words(
    cx: &BuildContext<'_, '_>,
    nvidias: &[TokenIndex],
    (why, severity): Reason,
) -> Option<Finding> {
    // What is run in a container says less than what it is made of, and a bare word may be a label or stand in a text.
    let is_tool = |at: &TokenIndex| BuildTable::builtin().tool(&cx.text(*at));
    let is_list = is_list_of_packages(cx.doc);
    let is_project = cx.doc.source.path.ends_with("pyproject.toml");
    let in_ci = is_of_ci(&cx.doc.source.path);
    let is_bare = |at: &TokenIndex| {
        let word = cx.text(*at).to_ascii_lowercase();
        // `make image CUDA_VERSION=${{ matrix.cuda }}`: what is made reads it.
        let is_release = in_ci && matches!(&*word, "cuda_version" | "cuda-version");
        !is_list && (WORDS.contains(&&*word) || is_release)
    };
    let mut others = nvidias.iter().filter(|at| is_tool(at).is_none());
    let is_image = is_of_image(&cx.doc.source.path);
    let has_effect = |at: &TokenIndex| {
        let row = BuildTable::builtin().image_word(&cx.text(*at));
        is_image && row.is_none_or(|row| !row.no_effect)
    };
    let said = others
        .clone()
        .find(|at| is_image && names_image(cx.doc, **at))
        .or_else(|| others.clone().find(|at| !is_bare(at) && has_effect(at)))
        .or_else(|| others.clone().find(|at| !is_bare(at)))
        .or_else(|| others.next());
    let first = said.or(nvidias.first()).copied()?;
    let of_tensorflow = |word: &[u8]| matches!(word, b"if_cuda" | b"if_cuda_is_configured");
    let advice = match is_tool(&first) {
        _ if cx.doc.has_word(of_tensorflow) => TENSORFLOW,
        Some((_, tool)) => &tool.advice,
        None => match kind_of(cx.doc) {
            Some(kind) => BuildTable::builtin().advice_for(name_in_table(kind)),
            None => BuildTable::builtin().advice_for(&cx.doc.source.path),
        },
    };
    let word = name_of(cx, first);
    let requirement = requirement_of(cx, first);
    let is_manifest = kind_of(cx.doc) == Some(YamlKind::Manifest);
    let of_word = (is_manifest || is_image && !names_image(cx.doc, first))
        .then(|| BuildTable::builtin().image_word(&word))
        .flatten();
    let advice = of_word.map_or(advice, |row| &row.advice);
    let is_source = BuildTable::builtin().is_source_for_cuda(&requirement);
    let advice = match package_of(&word) {
        _ if is_list && is_written_by_tool(cx.doc) => FOR_LOCKED,
        _ if is_source => advice_for_package(&requirement).unwrap_or(advice),
        word if NVML_PACKAGES.contains(&word) => FOR_NVML,
        "tensorflow-gpu" => FOR_TENSORFLOW,
        _ if is_list || is_project => advice_for_package(&requirement).unwrap_or(advice),
        _ => advice,
    };
    let is_channel = word == "nvidia" && is_list;
    let is_service = word == "nvidia" && (is_manifest || cx.doc.source.path.contains("compose"));
    let message = match is_source_of_cupy(cx.doc.bytes(first)) {
        true => format!("not translated: {}{why}", of_cupy(&word)),
        false if is_channel => {
            format!("not translated: `nvidia` is the channel of CUDA's packages{why}")
        }
        false if is_service => {
            format!("not translated: `nvidia` gives a container NVIDIA's GPUs alone{why}")
        }
        false if BuildTable::builtin().is_for_cuda_alone(&requirement) => {
            format!("not translated: {}{why}", of_pypi(&requirement))
        }
        // `jax` is for any GPU, `jax[cuda12]` not.
        false if requirement.starts_with(&format!("{word}[")) => {
            format!("not translated: `{requirement}` belongs to CUDA{why}")
        }
        false => format!("not translated: `{word}` belongs to CUDA{why}"),
    };
    let has_no_effect = of_word.is_some_and(|row| row.no_effect);
    // In a job or an image a bare word may be a text, a label or a choice of the project's own.
    let is_runtime = (1..=2).any(|back| first >= back && cx.doc.is(first - back, "--runtime"));
    let is_weak = is_bare(&first) && !(is_service || is_runtime) && (is_image || in_ci);
    let is_extra = is_of_extra(cx.doc, line_of(cx.doc, first));
    let is_of_nvml = NVML_PACKAGES.contains(&package_of(&word));
    // What the code takes from a submodule is told where it does.
    let is_submodule = cx.doc.source.path.ends_with(".gitmodules");
    let severity = match has_no_effect || is_weak || is_extra || is_of_nvml || is_submodule {
        true => Severity::Info,
        false => severity,
    };
    let others = nvidias.iter().copied().filter(|at| !is_bare(at));
    let message = message + &also_named(cx, first, others);
    let finding = RULE.finding(cx.range(first), message).severity(severity);
    let advice = match is_of_ci(&cx.doc.source.path) && gives_image_by_variable(cx.doc, first) {
        true => IN_A_ROW,
        false => advice,
    };
    let advice = advice.replace("{image}", &image_of_amd(cx.doc, first, cx.options().rocm));
    Some(finding.help(with_release(cx, &advice)))
}

/// What else of NVIDIA's the lines behind one name, each once: `; also `nvidia-smi` and 2 more`.
fn also_named(
    cx: &BuildContext<'_, '_>,
    first: TokenIndex,
    others: impl Iterator<Item = TokenIndex>,
) -> String {
    // A person who has read some names looks through the file.
    const MOST: usize = 3;
    let mut lines = FxHashSet::from_iter([line_of(cx.doc, first)]);
    let mut names = FxHashSet::from_iter([requirement_of(cx, first)]);
    let mut quoted = Vec::new();
    for at in others.filter(|at| lines.insert(line_of(cx.doc, *at))) {
        let name = requirement_of(cx, at);
        let name = name.trim_end_matches(['=', ':', ',', '(']).to_owned();
        let shown = format!("`{name}`");
        if names.insert(name) {
            quoted.push(shown);
        }
    }
    let rest = quoted.len().saturating_sub(MOST);
    match (quoted.split_last(), rest) {
        (None, _) => String::new(),
        (Some((last, [])), _) => format!("; also {last}"),
        (Some((last, more)), 0) => format!("; also {} and {last}", more.join(", ")),
        _ => format!("; also {} and {rest} more", quoted[..MOST].join(", ")),
    }
}

/// What is to be done where a job gives an image to what it calls.
const IN_A_ROW: &str = "give it AMD's image, {image}, in a row or a job for AMD";

/// Whether a job names an image as the value of a variable that something else reads, `BASE_IMAGE: "a/b:1.0-cuda12"`.
fn gives_image_by_variable(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    if image_of_cuda(doc, at).is_none() {
        return false;
    }
    let mut before = (line_of(doc, at)..at).rev();
    let sign = before.find(|it| doc.is(*it, ":"));
    let key = sign
        .and_then(|it| it.checked_sub(1))
        .map(|it| doc.bytes(it));
    key.is_some_and(|key| {
        let is_upper = key
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || b"_-".contains(byte));
        is_upper && key.len() > 1
    })
}

/// How the table of advice knows files that are read by what they say.
fn name_in_table(kind: YamlKind) -> &'static str {
    match kind {
        YamlKind::Environment => "environment.yml",
        YamlKind::Manifest => "manifest.yaml",
        YamlKind::Action => ".github/action.yml",
        YamlKind::Task => "task.yaml",
    }
}

/// An advice with the release of ROCm in its place.
fn with_release(cx: &BuildContext<'_, '_>, advice: &str) -> String {
    advice.replace("{rocm}", &cx.options().rocm.to_string())
}

/// The requirement that a word begins, with its release: `flash-attn==2.5.9`; else how the word is named.
fn requirement_of(cx: &BuildContext<'_, '_>, at: TokenIndex) -> String {
    let whole = cx.text_of(argument_around(cx.doc, at));
    let is_address = whole.contains("://") && !whole.starts_with("git+");
    match whole.starts_with(&*cx.text(at)) && !is_address {
        true => whole.into_owned(),
        false => name_of(cx, at).into_owned(),
    }
}

/// How a word is named: an image with its tag, an address as a whole, else the word.
fn name_of<'d>(cx: &BuildContext<'d, '_>, at: TokenIndex) -> Cow<'d, str> {
    let word = cx.text(at);
    let whole = cx.text_of(argument_around(cx.doc, at)).into_owned();
    if word.starts_with("//") && whole.contains("://") || whole.contains("git@github.com:") {
        return whole.into();
    }
    // `ARG BASE=${BASE:-nvcr.io/nvidia/pytorch:26.03-py3}`
    let value = whole.rsplit(['=', '{']).next().unwrap_or(&whole);
    let value = value.rsplit_once(":-").map_or(value, |(_, value)| value);
    let image = value.trim_end_matches(['}', ',', ')', ']']);
    let is_image = image.split_once(':').is_some_and(|(repository, tag)| {
        let is_tag = |it: char| it.is_ascii_alphanumeric() || "._-$".contains(it);
        !repository.is_empty()
            && !repository.starts_with(['/', '.', '-', '@', '$'])
            && !repository.contains('}')
            && !tag.is_empty()
            && tag.chars().all(is_tag)
    });
    match is_image && image.contains(&*word) {
        true => image.to_owned().into(),
        false => word,
    }
}

/// Reports the packages of CUDA that a script or a Makefile installs or loads, once for each way to do so and for each that AMD has in a form
/// of its own.
fn check_packages(cx: &mut BuildContext<'_, '_>) {
    let is_script = matches!(cx.doc.tool, BuildTool::Make | BuildTool::Shell);
    if !is_script || serves_amd(cx) {
        return;
    }
    let findings = of_packages(cx, packages(cx.doc), reason(cx));
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Packages to which the same advice belongs.
struct Group {
    package: Package,
    advice: Option<&'static str>,
    reason: Reason,
    places: usize,
}

/// A finding for each advice: at the first package to which it belongs, or the first that is more than information.
fn of_packages(cx: &BuildContext<'_, '_>, packages: Vec<Package>, reason: Reason) -> Vec<Finding> {
    const CHOSEN: Reason = (
        "; a test of CUDA's release stands around it",
        Severity::Info,
    );
    const ON_MACHINE: Reason = (
        "; a test for NVIDIA's driver stands around it",
        Severity::Info,
    );
    let mut groups: Vec<Group> = Vec::new();
    for package in packages {
        let advice = package.advice(cx.doc);
        let reason = match package.at {
            at if is_chosen_by_release(cx.doc, at) => CHOSEN,
            at if is_on_nvidias_machine(cx.doc, at) => ON_MACHINE,
            _ => reason,
        };
        let is_of =
            |it: &&mut Group| it.package.installer == package.installer && it.advice == advice;
        match groups.iter_mut().find(is_of) {
            Some(group) => {
                group.places += 1;
                if group.reason.1 == Severity::Info && reason.1 != Severity::Info {
                    (group.package, group.reason) = (package, reason);
                }
            }
            None => groups.push(Group {
                package,
                advice,
                reason,
                places: 1,
            }),
        }
    }
    groups.iter().map(|it| of_group(cx, it)).collect()
}

fn of_group(cx: &BuildContext<'_, '_>, group: &Group) -> Finding {
    let Package { at, installer, .. } = group.package;
    let range = argument_around(cx.doc, at);
    let name = cx.text_of(range);
    let message = match installer {
        Installer::Modules => format!("`{name}` is a module for NVIDIA's GPUs"),
        _ if is_source_of_cupy(cx.doc.bytes(at)) => of_cupy(&cx.text(at)),
        _ if BuildTable::builtin().is_source_for_cuda(&name) => of_pypi(&name),
        _ if name.contains("://") => format!("`{name}` has packages for NVIDIA's GPUs"),
        _ if BuildTable::builtin().is_for_cuda_alone(&name) => of_pypi(&name),
        _ => format!("`{name}` is a package for NVIDIA's GPUs"),
    };
    let places = match group.places {
        1 => String::new(),
        places => format!(" (one of {places} places)"),
    };
    let (why, severity) = match NVML_PACKAGES.contains(&&*name) {
        true => (group.reason.0, Severity::Info),
        false => group.reason,
    };
    let help = match &*name {
        name if NVML_PACKAGES.contains(&name) => FOR_NVML,
        name if name.contains("container-toolkit") => CONTAINERS,
        name if name.contains("driver") => DRIVER,
        _ => group.advice.unwrap_or_else(|| in_place(installer)),
    };
    let finding = RULE.finding(range, format!("{message}{places}{why}"));
    finding.severity(severity).help(with_release(cx, help))
}

/// Reports the first image for NVIDIA's GPUs that a script or a Makefile starts, loads or builds from.
fn check_images(cx: &mut BuildContext<'_, '_>) {
    let is_script = matches!(cx.doc.tool, BuildTool::Make | BuildTool::Shell);
    if !is_script || serves_amd(cx) {
        return;
    }
    let is_said =
        |at: TokenIndex| is_in_prose(cx.doc, at) || is_printed(cx.doc, line_of(cx.doc, at));
    let Some(image) = started_images(cx.doc).find(|it| !is_said(it.at)) else {
        return;
    };
    let (why, severity) = reason(cx);
    let message = format!(
        "`{}` is an image for NVIDIA's GPUs{why}",
        cx.text_of(image.range)
    );
    let finding = RULE.finding(image.range, message).severity(severity);
    let instead = instead_of_image(cx.doc, image.at, cx.options().rocm);
    cx.report(finding.help(format!("{instead}; the container gets the GPUs by --device=/dev/kfd --device=/dev/dri --group-add video")));
}

/// Reports the packages of CUDA that a setup.py requires, `install_requires=["cupy-cuda12x"]`: the first of those that AMD has in one form.
fn check_requirements(cx: &mut PythonContext<'_, '_>) {
    let is_setup = cx.source.path.ends_with("setup.py");
    if !is_setup || cx.options().vendors == Vendors::Both {
        return;
    }
    let file = cx.file();
    let required = |node: &Node<'_>| {
        let literal = Literal::new(file, *node);
        // What an extra is called is required by nobody: `{"onnxruntime-gpu": ["optimum-onnx"]}`.
        let pair = node.parent().filter(|it| it.kind() == "pair");
        let is_key = pair.and_then(|it| it.child_by_field_name("key")) == Some(*node);
        !is_key
            && literal.is_some_and(|it| is_for_cuda(&it.text))
            && parents(*node)
                .take(LISTS)
                .any(|it| is_of_requirements(file, it))
            && file.side(*node).is_none()
    };
    let mut told = FxHashSet::default();
    let required = file.all(&["string"]).into_iter().filter(required);
    let findings: Vec<Finding> = required
        .filter_map(|it| Some((it, Literal::new(file, it)?.text)))
        .filter_map(|(node, word)| {
            let advice = advice_for_package(&word);
            let is_first = told.insert(advice);
            is_first.then(|| of_requirement(cx, node, &word, advice))
        })
        .collect();
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// What is said of a package of CUDA that a setup.py requires.
fn of_requirement(
    cx: &PythonContext<'_, '_>,
    node: Node<'_>,
    word: &str,
    advice: Option<&'static str>,
) -> Finding {
    let file = cx.file();
    let message = match is_source_of_cupy(word.as_bytes()) {
        true => of_cupy(word),
        false if BuildTable::builtin().is_for_cuda_alone(word) => of_pypi(word),
        false => format!("`{word}` is a package for NVIDIA's GPUs"),
    };
    let is_of_nvml = NVML_PACKAGES.contains(&package_of(word));
    // An extra is chosen by its name.
    let is_extra = parents(node).take(LISTS).any(|it| {
        let name = it.child_by_field_name("name");
        it.kind() == "keyword_argument" && name.is_some_and(|it| file.text(it) == "extras_require")
    });
    let severity = match is_extra || is_of_nvml {
        true => Severity::Info,
        false => RULE.severity,
    };
    let advice = advice.unwrap_or_else(|| in_place(Installer::Python));
    let advice = advice.replace("{rocm}", &cx.options().rocm.to_string());
    let finding = RULE.finding(file.range(node), message);
    finding.severity(severity).help(advice)
}

/// What drives AMD's GPUs.
const DRIVER: &str =
    "the driver of AMD's GPUs is the package amdgpu-dkms; ROCm's libraries come beside it";

/// What gives a container AMD's GPUs.
const CONTAINERS: &str = "AMD's GPUs need no toolkit in front of a container: `--device=/dev/kfd --device=/dev/dri --group-add video`, or AMD's container toolkit";

/// How deep a requirement stands in lists and dictionaries.
const LISTS: usize = 8;

/// Whether a node gives a value to what is called after requirements: `install_requires=`, `requirements = `, `extras["gpu"] = `.
fn is_of_requirements(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let name = match node.kind() {
        "keyword_argument" => node.child_by_field_name("name"),
        "assignment" | "augmented_assignment" => node.child_by_field_name("left"),
        "call" => node.child_by_field_name("function"),
        _ => None,
    };
    name.is_some_and(|name| {
        let name = file.text(name).to_ascii_lowercase();
        ["requir", "deps", "dependencies", "extras"]
            .iter()
            .any(|it| name.contains(it))
    })
}

/// What AMD has in the place of a package that is required, where that is another thing than ROCm itself.
fn advice_for_package(requirement: &str) -> Option<&'static str> {
    match NVML_PACKAGES.contains(&package_of(requirement)) {
        true => Some(FOR_NVML),
        false => BuildTable::builtin().advice_for_package(requirement),
    }
}

/// The name of the package in a requirement: `pynvml` of `pynvml~=12.0`.
fn package_of(requirement: &str) -> &str {
    let ends = |letter: char| "=<>~!;[@ ".contains(letter);
    requirement.split(ends).next().unwrap_or(requirement)
}

/// What is said of a package that is for CUDA alone, though its name does not say so.
fn of_pypi(requirement: &str) -> String {
    match requirement.contains("://") || requirement.contains("git@") {
        true => format!("the source of `{requirement}` is for NVIDIA's GPUs alone"),
        false => format!("what PyPI has of `{requirement}` is for NVIDIA's GPUs"),
    }
}

/// What is said of CuPy's source.
fn of_cupy(requirement: &str) -> String {
    format!("pip compiles `{requirement}` for CUDA, unless CUPY_INSTALL_USE_HIP=1 is set")
}

/// What AMD has in the place of CUDA's packages.
fn in_place(installer: Installer) -> &'static str {
    match installer {
        Installer::System => {
            "install ROCm's: rocm-hip-sdk has the compiler and the libraries, miopen-hip-dev and rccl-dev take the place of cuDNN and NCCL"
        }
        Installer::Conda => {
            "packages of CUDA are not needed: install ROCm beside the environment, and PyTorch from the ROCm index with pip"
        }
        Installer::Python => {
            "PyTorch comes from the ROCm index, CuPy as cupy-rocm, ONNX Runtime as onnxruntime-migraphx, TensorFlow as tensorflow-rocm, the rest with ROCm itself"
        }
        Installer::Git => "take AMD's fork of it, or what it has in its place",
        Installer::Modules => "load the module of ROCm, as `module load rocm`",
    }
}

/// Whether a file is about AMD as well, or AMD has one of its own beside it.
fn serves_amd(cx: &BuildContext<'_, '_>) -> bool {
    amd_tools::serves_amd(cx.doc) || cx.project.paths.has_variant_for_amd(&cx.doc.source.path)
}

/// What is rewritten: images of NVIDIA's, the toolkit's folders in them, commands of nvcc, variables of presets.
fn changed(cx: &BuildContext<'_, '_>) -> Vec<TextRange> {
    let is_left = serves_amd(cx) || is_named_after_module(&cx.doc.source.path);
    if is_left || cx.keeps_image() {
        return Vec::new();
    }
    let images: Vec<TextRange> = images(cx.doc).iter().map(|image| image.range).collect();
    let folders = folders(cx.doc).into_iter().map(|(range, _)| range);
    let commands = commands_of_nvcc(cx.doc);
    let presets = entries(cx.doc).into_iter();
    let targets = !cx.options().targets.is_empty();
    let is_changed = |entry: &Entry| {
        let is_chips = cx.doc.is(entry.name, "CMAKE_CUDA_ARCHITECTURES") && entry.value.is_some();
        entry.is_of_hip_too(cx.doc) || is_chips && targets
    };
    let presets = presets.filter(is_changed).map(|entry| cx.range(entry.name));
    let rest = commands.into_iter().chain(presets);
    match images.is_empty() {
        true => rest.collect(),
        false => images.into_iter().chain(folders).chain(rest).collect(),
    }
}

/// Whether a word names something of NVIDIA's; an address names whatever lies there.
fn is_nvidias(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    if doc.source.path.ends_with(".py") {
        return is_in_recipe(doc, at);
    }
    let word = doc.bytes(at).to_ascii_lowercase();
    // Comments of batch files, Lua, M4 and Groovy.
    let starts = ["rem", "REM", "Rem", "::", "--", "dnl"];
    let line = line_of(doc, at);
    let mark = usize::from(doc.is(line, "@"));
    let is_comment = starts.iter().any(|start| doc.is(line + mark, start))
        || doc.bytes(line + mark).starts_with(b"//");
    // A line without end is no text for people.
    let is_for_people =
        || doc.tokens[line].has(flags::LINE_START) && is_for_people(doc, line + mark);
    let says = |part: &&str| memchr::memmem::find(&word, part.as_bytes()).is_some();
    // An address names whatever lies there, but for PyTorch's packages for a release of CUDA.
    let is_of_release = says(&"/whl/cu1") || says(&"/whl/nightly/cu1") || says(&"+cu1");
    let is_address = word.starts_with(b"//")
        && doc.is_before(at, ":")
        && !is_of_release
        && !names_source_for_cuda(doc, at);
    // What `docker run` is given: of clusters the option is for any GPU.
    let is_of_container = || {
        let in_job = is_of_ci(&doc.source.path) && doc.next_is(at, "all");
        in_job || doc.source.path.ends_with("devcontainer.json")
    };
    let is_option = word == b"--gpus" && is_of_container();
    // What the project calls its extra, `cuda = ["flash-attn"]`; a package of conda's has a release, `cuda-nvcc = "12.8.*"`.
    let has_release =
        word.contains(&b'-') && at + 2 < doc.tokens.len() && doc.bytes(at + 2).starts_with(b"\"");
    let is_key = doc.source.path.ends_with("pyproject.toml")
        && doc.tokens[at].has(flags::LINE_START)
        && doc.is(at + 1, "=")
        && !has_release;
    // What a package takes along, `package-data = ["cuda/*.cu"]`, is built elsewhere.
    let is_taken_along = doc.source.path.ends_with(".toml") && says(&"*");
    let is_source = word.len() > 3
        && word.ends_with(b".cu")
        && !is_taken_along
        && !doc.source.path.contains(".github/");
    !is_address
        && !is_comment
        && !is_key
        && (name_lists().build_words.iter().any(says)
            || WORDS.iter().any(|own| word == own.as_bytes())
                && !is_own_choice(doc, at)
                && !is_in_sentence(doc, at)
            // An owner on GitHub, `uses: nvidia-merlin/.github/triage.yaml@main`, is no package.
            || word.starts_with(b"nvidia-") && !word.contains(&b'/') && !is_for_any_gpu(&word)
            || is_option
            || is_source
            || names_source_for_cuda(doc, at)
            || is_image_for_cuda(doc, at)
            || is_release_of_torch(doc, at)
            || word.starts_with(b"cuda-") && is_list_of_packages(doc)
            || is_required(doc, at)
            || (is_of_ci(&doc.source.path) || kind_of(doc).is_some()) && names_tagged_image(doc, at))
        && !is_end_of_own_name(doc, at)
        && !is_for_people()
}

/// Whether a container or a job names a release of PyTorch's for CUDA alone, which stands in an address further on: `ARG TORCH_CUDA=cu129`.
fn is_release_of_torch(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let whole = doc.source.text(argument_around(doc, at));
    let whole = whole.trim_end_matches([',', ']', '"', '\'']);
    let is_whole = whole.as_bytes().ends_with(doc.bytes(at));
    let digits = doc.bytes(at).strip_prefix(b"cu");
    digits.is_some_and(|it| it.len() == 3 && it.iter().all(u8::is_ascii_digit))
        && is_whole
        && (is_of_image(&doc.source.path) || is_of_ci(&doc.source.path))
}

/// Whether a word ends a name that the file makes up, `NAME="tests-${BRANCH}-cuda12"`: not that of an image or an address, which somebody
/// else calls so.
fn is_end_of_own_name(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let in_front = &doc.source.bytes[..doc.tokens[at].range().start as usize];
    let is_behind_variable = doc.bytes(at).starts_with(b"-") && in_front.ends_with(b"}");
    let whole = || doc.source.text(argument_around(doc, at));
    is_behind_variable && !whole().contains(['/', ':'])
}

/// Whether people read a line, or a list or text that it goes on, and nothing runs or installs what it says: found once for each line, which
/// may be as long as the file.
fn is_for_people(doc: &BuildFile<'_>, line: TokenIndex) -> bool {
    #[derive(Default)]
    struct Lines(RefCell<FxHashMap<TokenIndex, bool>>);
    let lines = doc.fact(|_| Lines::default());
    let known = lines.0.borrow().get(&line).copied();
    known.unwrap_or_else(|| {
        let found = is_prose(doc, line)
            || is_item_of_text(doc, line)
            || is_service(doc, line)
            || is_printed(doc, line)
            || is_of_idle_list(doc, line)
            || is_of_text_block(doc, line);
        lines.0.borrow_mut().insert(line, found);
        found
    })
}

/// Whether a word of a container file is part of an image's name: of a stage's, or of a variable's that stages start from.
fn names_image(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let line = line_of(doc, at);
    let is_line = |word: &[u8]| doc.bytes(line).eq_ignore_ascii_case(word);
    let whole = doc.source.text(argument_around(doc, at));
    is_line(b"FROM") || is_line(b"ARG") && whole.contains(['/', ':'])
}

/// Whether a job names an image by a tag for CUDA: `container: team/tool:2.7_cu128`.
fn names_tagged_image(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    memchr::memchr(b'/', doc.bytes(at)).is_some() && image_of_cuda(doc, at).is_some()
}

/// Whether an image that a container starts from is called after CUDA, `FROM kit/cuda-conda:12.1`; a bare name is that of a stage.
fn is_image_for_cuda(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at).to_ascii_lowercase();
    let mut parts = word.split(|byte| matches!(byte, b'/' | b'-' | b'_'));
    let is_cudas = |part: &[u8]| {
        let release = part.strip_prefix(b"cuda");
        release.is_some_and(|it| it.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.'))
    };
    word.contains(&b'/')
        && is_of_image(&doc.source.path)
        && parts.any(is_cudas)
        && doc.bytes(line_of(doc, at)).eq_ignore_ascii_case(b"FROM")
}

/// Whether a file lists packages of pip's or conda's, by its name or by its keys.
fn is_list_of_packages(doc: &BuildFile<'_>) -> bool {
    let path = &doc.source.path;
    let name = path.rsplit('/').next().unwrap_or(path);
    name.contains("requirements")
        || name.starts_with("environment")
        || name == "pixi.toml"
        || name == "pyproject.toml"
            && memchr::memmem::find(&doc.source.bytes, b"[tool.pixi").is_some()
        || name.ends_with(".txt") && path.contains("requirements/")
        || kind_of(doc) == Some(YamlKind::Environment)
}

/// What a file of YAML is by its keys, where its name does not say so.
fn kind_of(doc: &BuildFile<'_>) -> Option<YamlKind> {
    struct ByKeys(Option<YamlKind>);
    let path = &doc.source.path;
    let is_yaml = path.ends_with(".yml") || path.ends_with(".yaml");
    match is_yaml && !is_of_ci(path) {
        true => {
            doc.fact(|doc| ByKeys(YamlKind::of_text(&doc.source.bytes)))
                .0
        }
        false => None,
    }
}

/// Whether a list was written by pip-compile or uv from another one, as its head says: it holds what the packages of that one need as well.
fn is_written_by_tool(doc: &BuildFile<'_>) -> bool {
    /// The head comes first; the rest may name anything.
    const HEAD: usize = 400;
    let bytes = &doc.source.bytes;
    let head = &bytes[..bytes.len().min(HEAD)];
    memchr::memmem::find(head, b"autogenerated by").is_some()
}

/// Whether a list of packages requires one for CUDA by its name, CuPy's source, or one that PyPI has for CUDA alone. In `pyproject.toml` the
/// bare name may be in a list of modules for another tool.
fn is_required(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let path = doc.source.path.as_str();
    let is_list = is_list_of_packages(doc);
    if !is_list && !path.ends_with("pyproject.toml") {
        return false;
    }
    let whole = doc.source.text(argument_around(doc, at));
    let has_release = whole.contains(['=', '<', '>', '~', '[']);
    let is_dependency = || {
        let key = key_of_list(doc, line_of(doc, at));
        key.is_some_and(|it| it.starts_with(b"dependencies"))
    };
    let is_cudas = is_for_cuda(&whole) && !whole.contains("rocm") && !whole.contains("://");
    is_cudas
        && whole.as_bytes().starts_with(doc.bytes(at))
        && (is_list || has_release || is_dependency() || is_of_extra(doc, line_of(doc, at)))
}

/// Whether a word of Spack's recipe of a package brings CUDA: `class A(CMakePackage, CudaPackage)`, `depends_on("cuda@12")`.
fn is_in_recipe(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let is_needed = || {
        let quote = at.checked_sub(1).map(|before| doc.bytes(before));
        matches!(quote, Some(b"\"" | b"'")) && at > 2 && doc.is(at - 3, "depends_on")
    };
    doc.is(at, "CudaPackage") && !doc.is_before(at, "import")
        || matches!(doc.bytes(at), b"cuda" | b"cudnn" | b"nccl") && is_needed()
}

/// Whether a word is what an option of the project's own is set to: `-DBACKEND=cuda`, `"BACKEND": "cuda"` of a preset, `device: [cpu, cuda]`
/// of a job, `ARG BACKEND=cuda` and `${BACKEND:-cuda}` of a container.
fn is_own_choice(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let in_front = &doc.source.bytes[..doc.tokens[at].range().start as usize];
    let name = doc.source.path.rsplit('/').next().unwrap_or_default();
    let is_container = name.contains("ockerfile") || name.contains("compose");
    let is_default = is_container
        && doc.is(at, "cuda")
        && (in_front.ends_with(b":-")
            || in_front.ends_with(b"=") && doc.is(line_of(doc, at), "ARG"));
    let is_device = is_of_ci(&doc.source.path) && doc.is(at, "cuda");
    let in_preset = doc.source.path.ends_with("Presets.json");
    let is_define = at > 1 && doc.is(at - 1, "=") && doc.bytes(at - 2).starts_with(b"-D");
    in_preset || is_define || is_device || is_default
}

/// Whether a line of YAML, TOML or JSON is a text for people: a step's name, a package's description; or one of Meson's tells them something.
fn is_prose(doc: &BuildFile<'_>, line: TokenIndex) -> bool {
    const KEYS: &[&[u8]] = &[
        b"name",
        b"displayName",
        b"description",
        b"summary",
        b"keywords",
        b"classifiers",
        b"author",
        b"authors",
        b"maintainers",
        b"title",
        // The label of a machine.
        b"runs-on",
    ];
    const SPEAKERS: &[&[u8]] = &[b"warning", b"error", b"message"];
    if is_of_copyright(doc, line) {
        return true;
    }
    let path = doc.source.path.trim_end_matches(".in");
    if path.ends_with("meson.build") && SPEAKERS.contains(&doc.bytes(line)) {
        return true;
    }
    let is_mark = |at: &TokenIndex| matches!(doc.bytes(*at), b"-" | b"\"" | b"'" | b"{");
    let ends = [".yml", ".yaml", ".toml", ".json"];
    let Some(key) = (line..doc.tokens.len()).find(|at| !is_mark(at)) else {
        return false;
    };
    let sign = (key + 1..doc.tokens.len()).find(|at| !is_mark(at));
    // `"Environment :: GPU :: NVIDIA CUDA"` in the list of a package's classifiers.
    let mut rest =
        (key + 1..doc.tokens.len()).take_while(|&at| !doc.tokens[at].has(flags::LINE_START));
    if path.ends_with(".toml") && rest.any(|at| doc.is(at, "::")) {
        return true;
    }
    let is_key = sign.is_some_and(|sign| doc.is(sign, ":") || doc.is(sign, "="));
    ends.iter().any(|end| path.ends_with(end))
        && is_key
        && (KEYS.contains(&doc.bytes(key)) || doc.bytes(key).ends_with(b"MESSAGE"))
}

/// Whether a line says whose work the file is: `Copyright 2019-2026 NVIDIA CORPORATION`.
fn is_of_copyright(doc: &BuildFile<'_>, line: TokenIndex) -> bool {
    /// The word stands near the beginning, behind signs of a comment.
    const FAR: usize = 6;
    let is_next = |at: &TokenIndex| *at == line || !doc.tokens[*at].has(flags::LINE_START);
    let mut words = (line..doc.tokens.len()).take_while(is_next).take(FAR);
    words.any(|at| doc.bytes(at).eq_ignore_ascii_case(b"copyright"))
}

/// Whether a line of YAML is of a text that people write for people: `- missing NVIDIA copyright headers on new files`. Commands have
/// options, paths and signs.
fn is_item_of_text(doc: &BuildFile<'_>, line: TokenIndex) -> bool {
    // The shortest sentence that is no command of a few words.
    const FEWEST: usize = 6;
    let path = &doc.source.path;
    let is_item = doc.is(line, "-") && (path.ends_with(".yml") || path.ends_with(".yaml"));
    let rest = line + 1..doc.tokens.len();
    let on_line = rest.take_while(|&at| !doc.tokens[at].has(flags::LINE_START));
    let is_word = |at: TokenIndex| {
        let word = doc.bytes(at);
        word == b","
            || word
                .iter()
                .all(|byte| byte.is_ascii_alphabetic() || *byte == b'.')
    };
    let mut words = on_line.map(is_word);
    is_item && words.by_ref().take(FEWEST).filter(|it| *it).count() == FEWEST && words.all(|it| it)
}

/// Whether a line of a compose file is the name of a service, `build-cuda12:`, or one below `jobs:` that of a job: what the project calls it.
fn is_service(doc: &BuildFile<'_>, line: TokenIndex) -> bool {
    let name = doc.source.path.rsplit('/').next().unwrap_or_default();
    let next = doc.tokens.get(line + 2);
    let ends = next.is_none_or(|next| next.has(flags::LINE_START));
    let is_name = doc.is(line + 1, ":") && ends;
    is_name && (name.contains("compose") || is_of_ci(&doc.source.path) && is_job(doc, line))
}

/// Whether a line of YAML lies at once below `jobs:`.
fn is_job(doc: &BuildFile<'_>, line: TokenIndex) -> bool {
    line_around(doc, line).is_some_and(|it| it.starts_with(b"jobs:"))
}

/// The line of YAML that a line lies below, by its depth.
fn line_around<'d>(doc: &'d BuildFile<'_>, line: TokenIndex) -> Option<&'d [u8]> {
    let depth = |line: &[u8]| line.iter().take_while(|it| **it == b' ').count();
    let is_blank = |line: &&[u8]| line.trim_ascii().is_empty();
    let mut lines = lines_up_to(doc, line).filter(|it| !is_blank(it));
    let own = lines.next().map_or(0, depth);
    lines.find(|it| depth(it) < own)
}

/// Whether a word stands in a text of several words between quotes, which a person reads or another language does:
/// `"device: runs on each of cpu, cuda"`, `python -c "assert f(), 'the CUDA backend is off'"`.
fn is_in_sentence(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let Some((front, behind)) = text_around(doc, at) else {
        return false;
    };
    let blanks = |text: &[u8]| text.iter().filter(|byte| **byte == b' ').count();
    // `-x cuda` is an option and its value, `cuda >= 12.1` a package and its release.
    let has_release = matches!(
        behind.trim_ascii_start().first(),
        Some(b'<' | b'=' | b'>' | b'!' | b'~')
    );
    !has_release && blanks(front) + blanks(behind) > 1
}

/// Whether a line of `pyproject.toml` belongs to a list that installs nothing: which release of a package is meant, should another one
/// require it, `override-dependencies = ["nvidia-nccl-cu13==2.30"]`, or by which words people find the project.
fn is_of_idle_list(doc: &BuildFile<'_>, line: TokenIndex) -> bool {
    const KEYS: &[&[u8]] = &[
        b"override-dependencies",
        b"constraint-dependencies",
        b"keywords",
        b"classifiers",
    ];
    doc.source.path.ends_with("pyproject.toml")
        && key_of_list(doc, line).is_some_and(|it| KEYS.iter().any(|key| it.starts_with(key)))
}

/// The line that names the list of `pyproject.toml` around a line, `dependencies = [`, or the table that it stands in.
fn key_of_list<'d>(doc: &'d BuildFile<'_>, line: TokenIndex) -> Option<&'d [u8]> {
    let mut lines = lines_up_to(doc, line).filter(|it| {
        let is_name = it.first().is_some_and(u8::is_ascii_alphabetic);
        is_name && it.contains(&b'=') || it.starts_with(b"[")
    });
    lines.next()
}

/// Whether a line of `pyproject.toml` belongs to the extras of a project, or one of Pixi's to a feature, each of which is chosen by its name.
fn is_of_extra(doc: &BuildFile<'_>, line: TokenIndex) -> bool {
    const TABLES: &[&[u8]] = &[
        b"[project.optional-dependencies]",
        b"[tool.pixi.feature.",
        b"[feature.",
    ];
    let mut tables = lines_up_to(doc, line).filter(|it| it.starts_with(b"["));
    doc.source.path.ends_with(".toml")
        && tables
            .next()
            .is_some_and(|it| TABLES.iter().any(|table| it.starts_with(table)))
}

/// The line of a token and those in front of it, the last one first, as far as a person reads a list or a text.
fn lines_up_to<'d>(doc: &'d BuildFile<'_>, line: TokenIndex) -> impl Iterator<Item = &'d [u8]> {
    const LONGEST: usize = 4000;
    let bytes = &doc.source.bytes;
    let start = doc.tokens[line].range().start as usize;
    let end = bytes[start..].iter().position(|it| *it == b'\n');
    let text = &bytes[start.saturating_sub(LONGEST)..end.map_or(start, |it| start + it)];
    text.split(|byte| *byte == b'\n').rev()
}

/// Whether a line of YAML goes on a text for people: it lies deeper than `description: |`.
fn is_of_text_block(doc: &BuildFile<'_>, line: TokenIndex) -> bool {
    const KEYS: &[&[u8]] = &[b"description", b"summary"];
    let path = &doc.source.path;
    if !path.ends_with(".yml") && !path.ends_with(".yaml") {
        return false;
    }
    line_around(doc, line).is_some_and(|it| {
        let text = it.trim_ascii();
        let opens = text.ends_with(b"|") || text.ends_with(b">") || text.ends_with(b"|-");
        opens && KEYS.iter().any(|key| text.starts_with(key))
    })
}

/// Whether a line of commands prints a text for people, and no other program reads it.
fn is_printed(doc: &BuildFile<'_>, line: TokenIndex) -> bool {
    let is_mark = |at: &TokenIndex| matches!(doc.bytes(*at), b"-" | b"@" | b"run" | b":");
    let mut words = (line..doc.tokens.len()).filter(|at| !is_mark(at));
    let prints = words.next().is_some_and(|at| {
        matches!(
            doc.bytes(at),
            b"echo" | b"@echo" | b"Write-Host" | b"Write-Output"
        )
    });
    let mut rest =
        (line + 1..doc.tokens.len()).take_while(|&at| !doc.tokens[at].has(flags::LINE_START));
    prints && !rest.any(|at| matches!(doc.bytes(at).first(), Some(b'>' | b'|')))
}
