//! Whether a build file asks for AMD's tools itself.

use crate::build::BuildFile;
use crate::text::BuildTool;

/// Whether a file speaks of AMD's compilers or images as well.
pub(crate) fn serves_amd(doc: &BuildFile<'_>) -> bool {
    let serves = |doc: &BuildFile<'_>| {
        ServesAmd(doc.has_word(|word| {
            let word = word.to_ascii_lowercase();
            let says = |part: &[u8]| memchr::memmem::find(&word, part).is_some();
            let signs: [&[u8]; 5] = [b"rocm", b"hipcc", b"cmake_hip", b"amd-smi", b"amdsmi"];
            signs.into_iter().any(says)
        }))
    };
    doc.fact(serves).0
}

/// The answer for a file, found once: each command asks.
struct ServesAmd(bool);

/// Whether a script of a shell does: what it does with nvcc is for NVIDIA.
pub(crate) fn is_script_for_both(doc: &BuildFile<'_>) -> bool {
    doc.tool == BuildTool::Shell && serves_amd(doc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn scripts_that_ask_for_hipcc_are_for_both() {
        let is_for_both = |name: &str, text: &str| {
            let source = SourceFile::new(name, text.as_bytes().to_vec());
            is_script_for_both(&BuildFile::new(&source))
        };
        assert!(is_for_both("build.sh", "which nvcc || which hipcc\n"));
        assert!(is_for_both("build.sh", "ls /opt/rocm/bin\n"));
        assert!(is_for_both("look.sh", "nvidia-smi || amd-smi list\n"));
        assert!(!is_for_both("build.sh", "nvcc a.cu # or hipcc\n"));
        assert!(!is_for_both("Makefile", "HIPCC = hipcc\n"));
    }
}
