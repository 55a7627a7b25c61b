//! NVIDIA's container images in Dockerfiles and CI workflows, and the folders of the toolkit that stands in them.

use rustc_hash::FxHashSet;

use crate::build::BuildFile;
use crate::build::words::{argument_around, is_joined, line_of, words};
use crate::mapping::{BuildTable, Version};
use crate::syntax::{TokenIndex, flags};
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

/// AMD's image with all of a release of ROCm, for the system that an image of NVIDIA's names, `…-ubuntu24.04`; else for the one that most
/// have.
fn image_for_system(image: &str, rocm: Version) -> String {
    let is_meant = |(name, _): &&(&str, &str)| image.contains(name.trim_start_matches("ubuntu"));
    let (_, system) = SYSTEMS.iter().find(is_meant).unwrap_or(&SYSTEMS[0]);
    complete_image(system, rocm)
}

fn complete_image(system: &str, rocm: Version) -> String {
    format!("rocm/dev-{system}:{rocm}-complete")
}

/// AMD's image in the place of the one that a word is of: with the same program, or for the same system.
pub(crate) fn image_of_amd(doc: &BuildFile<'_>, at: TokenIndex, rocm: Version) -> String {
    let repository = repository_of(doc, at).unwrap_or_default();
    let table = BuildTable::builtin();
    let whole = doc
        .source
        .text(argument_around(doc, at))
        .to_ascii_lowercase();
    let with_program = table.image_with(repository);
    // `example/pytorch-cuda:1.13`
    let is_tagged = whole.contains(':') && !whole.contains("://");
    let has_torch = || is_tagged && whole.contains("pytorch");
    match with_program.or_else(|| has_torch().then(|| table.image_with("pytorch/pytorch"))?) {
        Some(image) => image.to_owned(),
        None => image_for_system(&whole, rocm),
    }
}

/// What AMD has in the place of an image that is started: one of its own, or what the project's own is to be made from.
pub(crate) fn instead_of_image(doc: &BuildFile<'_>, at: TokenIndex, rocm: Version) -> String {
    let amds = image_of_amd(doc, at, rocm);
    match is_of_known_maker(repository_of(doc, at).unwrap_or_default()) {
        true => format!("AMD's is `{amds}`"),
        false => format!("it is made from one with CUDA: make one from AMD's, `{amds}`"),
    }
}

/// Whether an image is one that NVIDIA or a framework publishes, and none of the project's own.
fn is_of_known_maker(repository: &str) -> bool {
    let repository = repository.trim_start_matches("docker.io/");
    let starts = ["nvidia/", "nvcr.io/", "pytorch/", "tensorflow/", "vllm/"];
    starts.iter().any(|it| repository.starts_with(it))
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

/// An image for NVIDIA's GPUs that a command or a text for a container file names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StartedImage {
    /// Where its repository stands.
    pub(crate) at: TokenIndex,
    /// Repository and tag.
    pub(crate) range: TextRange,
}

/// The images for NVIDIA's GPUs that a script or a Makefile starts, loads or builds from, `docker run IMAGE:1.0-cuda12`, in order; but those
/// that it gives a name itself, `docker build -t`, by a variable as well.
pub(crate) fn started_images<'d>(
    doc: &'d BuildFile<'_>,
) -> impl Iterator<Item = StartedImage> + 'd {
    let in_front = |at: TokenIndex| {
        let is_sign = |it: &TokenIndex| matches!(doc.bytes(*it), b"\"" | b"'" | b"$" | b"{");
        (at.saturating_sub(4)..at).rev().find(|it| !is_sign(it))
    };
    let is_tag = |at: &TokenIndex| {
        let option = in_front(*at).map(|it| doc.bytes(it));
        matches!(option, Some(b"-t" | b"--tag"))
    };
    let named: FxHashSet<&[u8]> = words(doc).filter(is_tag).map(|at| doc.bytes(at)).collect();
    let variable = move |at: TokenIndex| {
        let sign = in_front(at).filter(|it| doc.is(*it, "="))?;
        Some(doc.bytes(sign.checked_sub(1)?))
    };
    let image = move |at: TokenIndex| {
        let range = image_of_cuda(doc, at)?;
        let is_own =
            named.contains(doc.bytes(at)) || variable(at).is_some_and(|it| named.contains(it));
        (!is_own && is_for_container(doc, at)).then_some(StartedImage { at, range })
    };
    words(doc).filter_map(image)
}

/// Repository and tag of an image that is for NVIDIA's GPUs by one of them: `nvidia/cuda:…`, `nvcr.io/nvidia/…`, `a/b:1.0-cuda12`.
pub(crate) fn image_of_cuda(doc: &BuildFile<'_>, at: TokenIndex) -> Option<TextRange> {
    // A tag of variables has some tokens: `${CUDA}-devel-${OS}`.
    const LONGEST: usize = 24;
    let repository = std::str::from_utf8(doc.bytes(at)).ok()?;
    let colon = at + 1;
    let is_tagged = colon + 1 < doc.tokens.len()
        && doc.is(colon, ":")
        && is_joined(doc, colon)
        && is_joined(doc, colon + 1);
    if !is_tagged || repository.starts_with(['/', '.', '-']) {
        return None;
    }
    // `${IMAGE:-a/b:1.0}` ends with a bracket that is none of the tag's.
    let mut open = 0_usize;
    let is_part = |it: &TokenIndex| {
        let has =
            |signs: [&str; 2]| *it < doc.tokens.len() && signs.iter().any(|sign| doc.is(*it, sign));
        let is_closed = has(["}", ")"]);
        let is_foreign = is_closed && open == 0;
        open = (open + usize::from(has(["{", "("]))).saturating_sub(usize::from(is_closed));
        *it < doc.tokens.len()
            && is_joined(doc, *it)
            && !is_foreign
            && !matches!(
                doc.bytes(*it),
                b"\"" | b"'" | b"`" | b";" | b"," | b"&" | b"|"
            )
    };
    let tag = (colon + 1..colon + LONGEST).take_while(is_part);
    let last = tag.last()?;
    let text = doc.source.text(doc.range(at, last)).to_ascii_lowercase();
    let range = doc.range(first_of_image(doc, at), last);
    let (_, tag) = text.split_once(':')?;
    let is_release = |part: &str| {
        let number = part
            .strip_prefix("cuda")
            .or_else(|| part.strip_prefix("cu"));
        number.is_some_and(|it| it.starts_with('1') || it.is_empty() && part.len() > 2)
    };
    let mut parts = tag.split(|letter: char| !letter.is_ascii_alphanumeric());
    // A volume of a container, `data:/opt/cuda`, is no tag.
    (is_of_nvidia(repository) || !tag.contains(['/', '=']) && parts.any(is_release))
        .then_some(range)
}

/// The first word of an image whose registry has a port: `registry.example.org:5000/team/tool:1.0`.
fn first_of_image(doc: &BuildFile<'_>, at: TokenIndex) -> TokenIndex {
    let has_port = at > 1
        && is_joined(doc, at)
        && doc.is(at - 1, ":")
        && is_joined(doc, at - 1)
        && doc.is_ident(at - 2);
    match has_port {
        true => at - 2,
        false => at,
    }
}

/// Whether a word stands behind a command that starts or loads containers, in a line of a container file, or in what such a variable is given.
fn is_for_container(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    const PROGRAMS: &[&[u8]] = &[
        b"docker",
        b"podman",
        b"nerdctl",
        b"nvidia-docker",
        b"buildah",
        b"singularity",
        b"apptainer",
        b"enroot",
    ];
    const VERBS: &[&[u8]] = &[
        b"run", b"pull", b"create", b"build", b"buildx", b"exec", b"from", b"import",
    ];
    // How far behind the command an image is looked for.
    const FAR: usize = 200;
    if doc.bytes(line_of(doc, at)).eq_ignore_ascii_case(b"FROM") {
        return true;
    }
    let first = first_of_image(doc, at);
    let quote = usize::from(matches!(doc.bytes(first.saturating_sub(1)), b"\"" | b"'"));
    let before = first.saturating_sub(quote);
    if names_image(doc, before) {
        return true;
    }
    // A line that a backslash ends goes on.
    let ends = |it: &TokenIndex| doc.tokens[*it + 1].has(flags::LINE_START) && !doc.is(*it, "\\");
    let mut command = (at.saturating_sub(FAR)..at)
        .rev()
        .take_while(|it| !ends(it));
    command.any(|it| {
        PROGRAMS.contains(&doc.bytes(it))
            && (it + 1..at)
                .take(2)
                .any(|verb| VERBS.contains(&doc.bytes(verb)))
    })
}

/// Whether what stands at a place is given to a variable for an image: `IMAGE=`, `BASE_IMAGE := `, `image ?= `; one of NVIDIA's own to any,
/// `BASE_DEVEL = nvidia/cuda:…`.
fn names_image(doc: &BuildFile<'_>, value: TokenIndex) -> bool {
    let mut before = (value.saturating_sub(4)..value).rev();
    let is_given = before
        .next()
        .is_some_and(|at| matches!(doc.bytes(at), b"=" | b":=" | b"?="));
    let quote = usize::from(matches!(doc.bytes(value), b"\"" | b"'"));
    let is_nvidias = std::str::from_utf8(doc.bytes(value + quote)).is_ok_and(is_of_nvidia);
    let name = before.find(|&at| !matches!(doc.bytes(at), b":" | b"?"));
    let name = name.map(|at| doc.bytes(at).to_ascii_uppercase());
    is_given && (is_nvidias || name.is_some_and(|it| memchr::memmem::find(&it, b"IMAGE").is_some()))
}

/// Whether a repository is NVIDIA's own.
fn is_of_nvidia(repository: &str) -> bool {
    REPOSITORIES.contains(&repository) || repository.starts_with("nvcr.io/nvidia/")
}

/// The repository of the image that a word is of: of its tag, or itself.
fn repository_of<'d>(doc: &'d BuildFile<'_>, at: TokenIndex) -> Option<&'d str> {
    // A tag of variables has some tokens in front of the word.
    const LONGEST: usize = 12;
    let first = at.saturating_sub(LONGEST);
    let mut before = (first..=at)
        .rev()
        .take_while(|it| *it == at || is_joined(doc, *it + 1));
    let colon = before.find(|it| doc.is(*it, ":"));
    let repository = colon.and_then(|it| it.checked_sub(1)).unwrap_or(at);
    std::str::from_utf8(doc.bytes(repository)).ok()
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
