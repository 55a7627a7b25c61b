//! A script or a container file that a program of Python writes, or an image that it names, for NVIDIA's GPUs.
//!
//! ## Why on AMD
//! Programs that start jobs or containers have what these run in strings: `FROM nvidia/cuda:12.4.1-devel-ubuntu22.04`, a script for a cluster
//! that asks `nvcc --version`, the image for a service that runs functions. No other file says so, and a port that stops at the files of the
//! tree starts an image without ROCm, or a script that ends at the first command which AMD has not.
//!
//! ## Example
//! ```python
//! image = modal.Image.from_registry("nvidia/cuda:12.4.1-devel-ubuntu22.04")
//! ```
//!
//! ## When to ignore
//! When AMD never runs what starts it. A program that names AMD's images or programs in a string as well gives no finding, nor does what it tells
//! people; in tests it is information.
//!
//! ## Source
//! The folder `bin` of CUDA 12.9; AMD's images on Docker Hub: `rocm/dev-ubuntu-22.04`, `rocm/pytorch`, `rocm/tritoninferenceserver`.

use crate::build::BuildFile;
use crate::build::container::{image_of_cuda, instead_of_image};
use crate::build::packages::packages;
use crate::build::words::{argument_around, is_in_prose, line_of, words};
use crate::python::{Literal, Node, PyFile};
use crate::rules::prelude::*;
use crate::syntax::flags;
use crate::text::SourceFile;

/// Reports the first image of each string, and the first command and the first package of each script.
pub static RULE: Rule = Rule {
    code: "CASS752",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(
        &[&[
            "nvidia/cuda",
            "nvcr.io/",
            "-cuda1",
            "-cu1",
            "_cu1",
            ":cu1",
            "nvcc",
            "nvidia-smi",
            "/whl/cu",
        ]],
        check,
    )],
};

/// The longest string that is read: scripts of people are shorter.
const LONGEST: usize = 64 * 1024;

/// The longest name of an image, with registry and tag.
const LONGEST_IMAGE: usize = 255;

/// What a string holds for other programs to read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Image,
    ContainerFile,
    Script,
}

impl Written {
    /// How a file of that kind is called.
    fn path(self) -> &'static str {
        match self {
            Self::Image | Self::ContainerFile => "written.dockerfile",
            Self::Script => "written.sh",
        }
    }

    /// By how a string begins: strings may hold each other, so that none is read further.
    fn of(text: &str) -> Option<Self> {
        let start = text.trim_start_matches(['\\', '\n', '\r', ' ', '\t']);
        let first = start.lines().next().unwrap_or_default();
        let is_word = !text.contains(char::is_whitespace);
        let begins = |words: &[&str]| words.iter().any(|it| first.starts_with(it));
        match () {
            () if is_word && text.contains('/') => Some(Self::Image),
            () if begins(&["FROM ", "# syntax=", "ARG "]) => Some(Self::ContainerFile),
            () if first.starts_with("#!") && first.trim_end().ends_with("sh") => Some(Self::Script),
            () => None,
        }
    }
}

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let strings = || file.all(&["string"]).into_iter();
    let of_amd = |it: Node<'_>| {
        let text = &file.bytes()[it.byte_range()];
        let text = &text[..text.len().min(LONGEST_IMAGE)];
        ["rocm/", "rocm-smi", "amd-smi"]
            .iter()
            .any(|name| memchr::memmem::find(text, name.as_bytes()).is_some())
    };
    if strings().any(of_amd) {
        return;
    }
    let severity = match cx.is_test() {
        true => Severity::Info,
        false => RULE.severity,
    };
    let mut findings = Vec::new();
    for node in strings() {
        let found = found_in(cx, node);
        // Whom a place is for takes longest to find out.
        if found.is_empty() || is_for_people(file, node) || file.side(node).is_some() {
            continue;
        }
        let finding = |it: Found| RULE.finding(it.range, it.message).help(it.help);
        let told = found.into_iter().map(finding);
        findings.extend(told.map(|it| it.severity(severity)));
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// What a string has for NVIDIA's GPUs, where other programs read it.
fn found_in(cx: &PythonContext<'_, '_>, node: Node<'_>) -> Vec<Found> {
    let file = cx.file();
    let size = node.byte_range().len();
    let Some(literal) = Literal::new(file, node).filter(|_| size <= LONGEST) else {
        return Vec::new();
    };
    let content = literal.content;
    let bytes = &file.bytes()[content.start as usize..content.end as usize];
    let Some(written) = Written::of(&String::from_utf8_lossy(bytes)) else {
        return Vec::new();
    };
    let source = SourceFile::new(written.path(), bytes.to_vec());
    let doc = BuildFile::new(&source);
    let mut found = match written {
        Written::Image if bytes.len() > LONGEST_IMAGE => Vec::new(),
        Written::Image => image(cx, &doc, |range| range.len() == content.len()),
        Written::ContainerFile => found_in_file(cx, &doc, true),
        Written::Script => found_in_file(cx, &doc, false),
    };
    for it in &mut found {
        it.range = TextRange::new(content.start + it.range.start, content.start + it.range.end);
    }
    found
}

/// Whether a string tells people something: what an exception or a log says, or what a function says of itself.
fn is_for_people(file: &PyFile<'_>, string: Node<'_>) -> bool {
    let is_text = |it: Node<'_>| it.kind() == "expression_statement";
    file.is_said(string) || string.parent().is_some_and(is_text)
}

/// What is said of a place of a string.
struct Found {
    range: TextRange,
    message: String,
    help: String,
}

/// The first image for NVIDIA's GPUs whose place is meant.
fn image(
    cx: &PythonContext<'_, '_>,
    doc: &BuildFile<'_>,
    is_meant: impl Fn(TextRange) -> bool,
) -> Vec<Found> {
    let images = words(doc).filter_map(|at| Some((at, image_of_cuda(doc, at)?)));
    let mut images =
        images.filter(|(at, range)| is_meant(*range) && doc.bytes(*at).contains(&b'/'));
    let of_image = |(at, range): (TokenIndex, TextRange)| Found {
        range,
        message: format!("`{}` is an image for NVIDIA's GPUs", doc.source.text(range)),
        help: format!(
            "{}; a container gets the GPUs by --device=/dev/kfd --device=/dev/dri --group-add video",
            instead_of_image(doc, at, cx.options().rocm)
        ),
    };
    images.next().map(of_image).into_iter().collect()
}

/// The first image, program and package of NVIDIA's in a script or a container file, which starts from its image.
fn found_in_file(
    cx: &PythonContext<'_, '_>,
    doc: &BuildFile<'_>,
    is_container: bool,
) -> Vec<Found> {
    let mut found = match is_container {
        true => image(cx, doc, |_| true),
        false => Vec::new(),
    };
    let programs = [
        ("nvcc", "call hipcc, or leave the question out"),
        (
            "nvidia-smi",
            "run amd-smi or rocm-smi; their output differs",
        ),
    ];
    for (name, help) in programs {
        let is_run = |at: &TokenIndex| doc.is(*at, name) && is_command(doc, *at);
        found.extend(words(doc).find(is_run).map(|at| Found {
            range: doc.tokens[at].range(),
            message: format!(
                "there is no {name} on AMD, and the script that is written here runs it"
            ),
            help: help.to_owned(),
        }));
    }
    let first = packages(doc).into_iter().next();
    found.extend(first.map(|package| {
        let range = argument_around(doc, package.at);
        let advice = package
            .advice(doc)
            .unwrap_or("install ROCm's packages in the place of CUDA's");
        Found {
            range,
            message: format!(
                "`{}` is a package for NVIDIA's GPUs",
                doc.source.text(range)
            ),
            help: advice.replace("{rocm}", &cx.options().rocm.to_string()),
        }
    }));
    found
}

/// Whether a word is the program of a command: it begins a line or stands behind a word of the shell.
fn is_command(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    const IN_FRONT: &[&[u8]] = &[
        b"!", b";", b"&", b"|", b"(", b"`", b"if", b"then", b"do", b"RUN", b"sudo", b"srun",
    ];
    let begins = doc.tokens[at].has(flags::LINE_START);
    let is_behind = at > 0 && IN_FRONT.contains(&doc.bytes(at - 1));
    let is_comment = doc.bytes(line_of(doc, at)).starts_with(b"#");
    (begins || is_behind) && !is_comment && !is_in_prose(doc, at)
}
