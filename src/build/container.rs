//! NVIDIA's container images in Dockerfiles and CI workflows, and the folders of the toolkit that stands in them.

use crate::build::BuildFile;
use crate::build::words::{is_joined, line_of, words};
use crate::mapping::Version;
use crate::syntax::TokenIndex;
use crate::text::TextRange;

/// The repository of the images, as registries call it.
const REPOSITORIES: &[&str] = &[
    "nvidia/cuda",
    "docker.io/nvidia/cuda",
    "nvcr.io/nvidia/cuda",
];
/// Systems that AMD publishes images of ROCm for under the same name, in NVIDIA's words and in AMD's.
const SYSTEMS: &[(&str, &str)] = &[
    ("ubuntu22.04", "ubuntu-22.04"),
    ("ubuntu24.04", "ubuntu-24.04"),
];
/// Folders below the toolkit's, and what ROCm calls them.
const FOLDERS: &[(&str, &str)] = &[
    ("/bin", "/bin"),
    ("/lib64", "/lib"),
    ("/include", "/include"),
];

/// An image of NVIDIA's that has one counterpart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image {
    /// Repository and tag.
    pub(crate) range: TextRange,
    system: &'static str,
}

impl Image {
    /// AMD's image with all of ROCm, of a release.
    pub(crate) fn of_amd(&self, rocm: Version) -> String {
        complete_image(self.system, rocm)
    }
}

/// AMD's image with all of a release of ROCm, for the system that most images of NVIDIA's have.
pub(crate) fn usual_image(rocm: Version) -> String {
    complete_image(SYSTEMS[0].1, rocm)
}

fn complete_image(system: &str, rocm: Version) -> String {
    format!("rocm/dev-{system}:{rocm}-complete")
}

/// The images that a file starts from and that have one counterpart, in order.
pub(crate) fn images(doc: &BuildFile<'_>) -> Vec<Image> {
    words(doc).filter_map(|at| image(doc, at)).collect()
}

/// An image with a tag in full whose system ROCm is made for; one without libraries (`base`) may become several.
fn image(doc: &BuildFile<'_>, at: TokenIndex) -> Option<Image> {
    let is_named = REPOSITORIES.iter().any(|name| doc.is(at, name));
    let tag = at + 2;
    let is_tagged = doc.is(at + 1, ":") && is_joined(doc, at + 1) && doc.is_ident(tag);
    if !is_named || !is_tagged || !is_joined(doc, tag) || !is_started_from(doc, at) {
        return None;
    }
    let goes_on = tag + 1 < doc.tokens.len() && is_joined(doc, tag + 1);
    if goes_on && !matches!(doc.bytes(tag + 1), b"\"" | b"'") {
        return None;
    }
    let text = std::str::from_utf8(doc.bytes(tag)).ok()?;
    let has_libraries = |part: &str| matches!(part, "devel" | "runtime");
    let (system, becomes) = SYSTEMS.iter().find(|(name, _)| text.ends_with(name))?;
    let rest = text.strip_suffix(system)?;
    rest.split('-').any(has_libraries).then(|| Image {
        range: doc.range(at, tag),
        system: becomes,
    })
}

/// Whether the word is what a stage, a job or a service starts from: `FROM x`, `container: x`, `"image": "x"`.
fn is_started_from(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let quote = usize::from(matches!(doc.bytes(at.saturating_sub(1)), b"\"" | b"'"));
    let before = at.saturating_sub(quote);
    let is_key = |at: TokenIndex| matches!(doc.bytes(at), b"image" | b"container");
    let is_value = before > 1
        && doc.is(before - 1, ":")
        && (is_key(before - 2) || before > 2 && doc.is(before - 2, "\"") && is_key(before - 3));
    is_value || doc.bytes(line_of(doc, at)).eq_ignore_ascii_case(b"FROM")
}

/// Words that are a folder of the toolkit in such an image, and the folder of ROCm.
pub(crate) fn folders(doc: &BuildFile<'_>) -> Vec<(TextRange, String)> {
    words(doc).filter_map(|at| folder(doc, at)).collect()
}

fn folder(doc: &BuildFile<'_>, at: TokenIndex) -> Option<(TextRange, String)> {
    let text = std::str::from_utf8(doc.bytes(at)).ok()?;
    let rest = text.strip_prefix("/usr/local/cuda")?;
    let is_version = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let below = rest.trim_start_matches(is_version);
    let (_, becomes) = FOLDERS.iter().find(|(name, _)| below == *name)?;
    Some((doc.tokens[at].range(), format!("/opt/rocm{becomes}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn becomes(path: &str, text: &str) -> Vec<String> {
        let source = SourceFile::new(path, text.as_bytes().to_vec());
        let doc = BuildFile::new(&source);
        let images = images(&doc).into_iter();
        images
            .map(|image| image.of_amd(Version::new(6, 4)))
            .collect()
    }

    #[test]
    fn only_images_with_one_counterpart_are_taken() {
        let of = |line: &str| becomes("Dockerfile", line).join(" ");
        let complete = "rocm/dev-ubuntu-22.04:6.4-complete";
        assert_eq!(
            of("FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS build\n"),
            complete
        );
        assert_eq!(
            of(
                "from --platform=linux/amd64 docker.io/nvidia/cuda:12.4.1-cudnn-runtime-ubuntu22.04"
            ),
            complete
        );
        for line in [
            "FROM nvidia/cuda:12.4.1-base-ubuntu22.04",
            "FROM nvidia/cuda:11.4.0-devel-ubuntu20.04",
            "FROM nvidia/cuda:12.4.1-devel-rockylinux8",
            "FROM nvidia/cuda:${VERSION}-devel-ubuntu22.04",
            "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04@sha256",
            "FROM nvidia/cuda",
            "RUN docker pull nvidia/cuda:12.4.1-devel-ubuntu22.04",
        ] {
            assert_eq!(of(line), "", "{line}");
        }
        let yaml = "jobs:\n  a:\n    container: nvidia/cuda:12.4.1-devel-ubuntu24.04\n  b:\n    container:\n      image: 'nvidia/cuda:12.4.1-devel-ubuntu22.04'\n";
        assert_eq!(
            becomes(".github/workflows/a.yml", yaml),
            ["rocm/dev-ubuntu-24.04:6.4-complete", complete]
        );
    }
}
