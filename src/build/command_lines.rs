//! Commands of nvcc in files of other languages: what a container's image or a CI job runs, and scripts of Windows.

use crate::build::BuildFile;
use crate::build::amd_tools::serves_amd;
use crate::build::container::images;
use crate::build::words::{line_of, words};
use crate::syntax::TokenIndex;
use crate::text::TextRange;

/// The commands of nvcc that have one form on AMD, in order. In a script of Windows that is each of them; in an image or a job those that
/// run in an image of NVIDIA's which AMD's takes the place of, since hipcc is nowhere else.
pub(crate) fn commands_of_nvcc(doc: &BuildFile<'_>) -> Vec<TextRange> {
    let path = doc.source.path.as_str();
    if !doc.source.mentions("nvcc")
        || serves_amd(doc)
        || !is_of_windows(doc) && (!runs_commands(path) || images(doc).is_empty())
    {
        return Vec::new();
    }
    let goes_on: &[u8] = match path.rsplit('.').next() {
        Some("ps1") => b"`",
        Some("bat" | "cmd") => b"^",
        _ => b"\\",
    };
    let mut found: Vec<TextRange> = Vec::new();
    for at in words(doc).filter(|&at| is_program(doc, at)) {
        // What stands in the quotes of a command is part of it.
        let is_inside = found
            .last()
            .is_some_and(|last| last.contains(doc.tokens[at].range()));
        found.extend(command(doc, at, goes_on).filter(|_| !is_inside));
    }
    found
}

/// Whether a file is a script of Windows, which somebody runs who has a GPU.
pub(crate) fn is_of_windows(doc: &BuildFile<'_>) -> bool {
    let ends = [".bat", ".cmd", ".ps1"];
    ends.iter().any(|end| doc.source.path.ends_with(end))
}

/// Whether a file says by itself what a shell runs.
fn runs_commands(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_image = ["Dockerfile", "Containerfile", "Singularity", "Apptainer"]
        .iter()
        .any(|start| name.starts_with(start));
    is_image
        || [".dockerfile", ".def", ".yml", ".yaml"]
            .iter()
            .any(|end| name.ends_with(end))
}

/// Whether a word is nvcc where a command begins: first in its line but for what the format puts in front, or behind another command.
fn is_program(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    if word != b"nvcc" && !word.ends_with(b"/nvcc") {
        return false;
    }
    const IN_FRONT: &[&[u8]] = &[
        b"RUN", b"run", b":", b"-", b"&", b"&&", b"|", b"||", b";", b"@", b"call", b"then", b"do",
    ];
    let in_front = |it: TokenIndex| {
        IN_FRONT
            .iter()
            .any(|known| doc.bytes(it).eq_ignore_ascii_case(known))
    };
    at == line_of(doc, at) || in_front(at - 1)
}

/// From the program to the end of its command; `None` where the command goes on in a way that a shell does not know.
fn command(doc: &BuildFile<'_>, at: TokenIndex, goes_on: &[u8]) -> Option<TextRange> {
    let bytes = &doc.source.bytes;
    let start = doc.tokens[at].start as usize;
    let (mut end, mut quote) = (start, None);
    while let Some(&byte) = bytes.get(end) {
        let is_escaped = bytes[start..end].ends_with(goes_on);
        match byte {
            b'\n' if !is_escaped && !bytes[start..end].ends_with(&[goes_on, b"\r"].concat()) => {
                break;
            }
            // What goes on by `^` is no text of a shell.
            b'\n' if goes_on != b"\\" => return None,
            b'"' | b'\'' if quote.is_none() && !is_escaped => quote = Some(byte),
            _ if quote == Some(byte) && !is_escaped => quote = None,
            b'&' | b'|' | b';' if quote.is_none() && !is_escaped => break,
            _ => {}
        }
        end += 1;
    }
    let text = bytes[start..end].trim_ascii_end();
    (!text.ends_with(goes_on)).then(|| TextRange::new(start as u32, (start + text.len()) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn found(path: &str, text: &str) -> Vec<String> {
        let source = SourceFile::new(path, text.as_bytes().to_vec());
        let doc = BuildFile::new(&source);
        let all = commands_of_nvcc(&doc).into_iter();
        all.map(|range| source.text(range).into_owned()).collect()
    }

    #[test]
    fn commands_begin_where_the_format_lets_them() {
        let from = "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\n";
        let image = |text: &str| found("Dockerfile", &format!("{from}{text}"));
        assert_eq!(image("RUN nvcc -o a a.cu\n"), ["nvcc -o a a.cu"]);
        assert_eq!(image("RUN make && nvcc a.cu"), ["nvcc a.cu"]);
        assert_eq!(
            image("RUN make \\\r\n  && nvcc -c \\\r\n  a.cu\r\n"),
            ["nvcc -c \\\r\n  a.cu"]
        );
        assert_eq!(
            image("RUN nvcc -DX='a && b' a.cu && nvidia-smi; nvcc b.cu\n"),
            ["nvcc -DX='a && b' a.cu", "nvcc b.cu"]
        );
        let quoted = "nvcc -DRUN='a; nvcc b.cu' a.cu";
        assert_eq!(image(&format!("RUN {quoted}\n")), [quoted]);
        assert_eq!(image("RUN which nvcc\nENV CC=nvcc\n"), [""; 0]);
        assert_eq!(image("RUN [\"nvcc\", \"a.cu\"]\n"), [""; 0]);
        assert_eq!(image("# RUN nvcc a.cu\n"), [""; 0]);
        assert_eq!(found("Dockerfile", "FROM x\nRUN nvcc a.cu\n"), [""; 0]);
        assert_eq!(image("RUN nvcc a.cu || hipcc a.cu\n"), [""; 0]);
    }

    #[test]
    fn jobs_and_scripts_of_windows_have_commands_too() {
        let job = "jobs:\n  a:\n    container: nvidia/cuda:12.4.1-devel-ubuntu22.04\n    steps:\n      - run: nvcc a.cu\n      - run: |\n          make\n          nvcc --version\n";
        assert_eq!(
            found(".github/workflows/a.yml", job),
            ["nvcc a.cu", "nvcc --version"]
        );
        let without = job.replace("nvidia/cuda:12.4.1-devel-ubuntu22.04", "ubuntu");
        assert_eq!(found(".github/workflows/a.yml", &without), [""; 0]);
        let script =
            "@echo off\r\n@nvcc a.cu\r\nrem nvcc b.cu\r\nnvcc ^\r\n c.cu\r\ncall nvcc d.cu\r\n";
        assert_eq!(found("a.bat", script), ["nvcc a.cu", "nvcc d.cu"]);
        assert_eq!(found("a.ps1", "& nvcc a.cu\n"), ["nvcc a.cu"]);
        assert_eq!(found("meson.build", "nvcc a.cu\n"), [""; 0]);
    }
}
