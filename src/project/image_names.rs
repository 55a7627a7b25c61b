//! What the names of images and of lists of packages say: for AMD, or for a release of NVIDIA's.

use crate::mapping::chip::names_amd;
use crate::python::AMD_WORDS;

/// What parts the words of such names.
pub(super) const SIGNS: &[char] = &['_', '.', '-'];

/// What begins the name of an image or a list of packages for AMD, `dockerfile` of `docker/platforms/Dockerfile_mi350`, behind its folder and
/// behind the one above: files for NVIDIA's releases stand in either. Nothing for other files.
pub(super) fn beginnings_for_amd(path: &str) -> Option<[String; 2]> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (begin, words) = parts_of_image(name)?;
    // `rocm64` is a release.
    let begins = |word: &String| AMD_WORDS.iter().any(|amd| word.starts_with(amd));
    let is_for_amd = words.iter().any(begins) || names_amd(&name.to_ascii_lowercase());
    let above = folder.rsplit_once('/').map_or("", |(above, _)| above);
    let behind = |folder: &str| match folder {
        "" => begin.clone(),
        folder => format!("{folder}/{begin}"),
    };
    is_for_amd.then(|| [behind(folder), behind(above)])
}

/// The folder around one that holds images for AMD by its name: `docker` of `docker/rocm/Dockerfile.train` and `docker/docker-rocm/Dockerfile`.
pub(super) fn folder_with_images_for_amd(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    let (above, own) = folder.rsplit_once('/')?;
    let own = own.to_ascii_lowercase();
    let is_amds = own.split(SIGNS).any(|word| AMD_WORDS.contains(&word));
    (is_amds && is_image(name)).then_some(above)
}

/// Whether a file says by its name that an image is made from it.
pub(super) fn is_image(name: &str) -> bool {
    parts_of_image(name).is_some_and(|(begin, _)| begin.ends_with("file"))
}

/// What an image or a list of packages is called, and the other words of its name, in lower case: `dockerfile` with `vllm` and `amd` of
/// `Dockerfile_vllm.AMD`, with `rocm7` and `1` of `rocm7_1.Dockerfile`.
fn parts_of_image(name: &str) -> Option<(String, Vec<String>)> {
    const BEGINS: &[&str] = &["dockerfile", "containerfile", "environment", "requirements"];
    const ENDS: &[&str] = &["dockerfile", "containerfile"];
    let lower = name.to_ascii_lowercase();
    let mut words: Vec<String> = lower.split(SIGNS).map(str::to_owned).collect();
    let is_at_end = |words: &[String]| words.last().is_some_and(|it| ENDS.contains(&&**it));
    let at = match words.first() {
        Some(first) if BEGINS.contains(&&**first) => 0,
        _ if is_at_end(&words) => words.len() - 1,
        _ => return None,
    };
    let begin = words.remove(at);
    Some((begin, words))
}

/// What a file for AMD and one for a release of NVIDIA's are both called, behind their folder: `docker/dockerfile vllm` of
/// `docker/Dockerfile.torch280.vllm.AMD` and of `docker/Dockerfile.torch260.vllm`. Nothing where a name says no more than what it begins with.
pub(super) fn subject_of_image(path: &str) -> Option<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (begin, words) = parts_of_image(name)?;
    let words = words.iter().map(String::as_str);
    let words: Vec<&str> = words
        .filter(|word| !is_release(word) && !AMD_WORDS.contains(word))
        .collect();
    (!words.is_empty()).then(|| format!("{folder}/{begin} {}", words.join(" ")))
}

/// Whether a file is for AMD by a word of its name.
pub(super) fn is_named_for_amd(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.split(SIGNS).any(|word| AMD_WORDS.contains(&word))
}

/// What such a file is called where nothing but releases and products of NVIDIA's stands behind it: `Dockerfile_cu124`, `Dockerfile_5090`,
/// `environment_pt240cu121.yaml`. The plain name is that of any GPU.
pub(super) fn release_begins(name: &str) -> Option<String> {
    let (begin, words) = parts_of_image(name)?;
    words.iter().all(|it| is_release(it)).then_some(begin)
}

/// Whether a word of a name is a release or a product of NVIDIA's, or how the name ends.
fn is_release(word: &str) -> bool {
    const NAMED: &[&str] = &[
        "", "a", "cu", "cuda", "cudnn", "gh", "gpu", "h", "l", "pt", "py", "rtx", "sm", "torch",
        "v", "txt", "yaml", "yml",
    ];
    let mut parts = word.split(|letter: char| letter.is_ascii_digit());
    parts.all(|part| NAMED.contains(&part))
}
