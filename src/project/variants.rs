//! Images and lists of packages that a tree has once for each vendor: `Dockerfile` beside `Dockerfile_amd`, `requirements_cuda.txt` beside
//! `requirements_rocm.txt`.

use crate::project::paths::Paths;

/// What names of such files say of NVIDIA and of AMD.
const NVIDIAS: &[&str] = &["cuda", "nvidia", "gpu"];
const AMDS: &[&str] = &["amd", "rocm", "hip"];
const SIGNS: &[char] = &['_', '.', '-'];
/// What folders and modules for one vendor of chips are called, AMD's aside: the backends of vLLM, SGLang, FlagGems and PyTorch.
const OTHERS: &[&str] = &[
    "nvidia",
    "cuda",
    "intel",
    "xpu",
    "npu",
    "ascend",
    "cambricon",
    "mlu",
    "mthreads",
    "musa",
    "kunlunxin",
    "iluvatar",
    "metax",
    "aipu",
];

impl Paths {
    /// Whether a file is the variant for AMD by its name, or has one beside it.
    pub(crate) fn has_variant_for_amd(&self, path: &str) -> bool {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let beside = |name: String| match folder {
            "" => name,
            folder => format!("{folder}/{name}"),
        };
        let is_amds = name.split(SIGNS).any(|word| AMDS.contains(&word));
        is_amds || names_for_amd(name).any(|name| self.is_in_tree(&beside(name)))
    }

    /// Whether a module is for another vendor and AMD has one as well: `backend/_nvidia/ops/mm.py` where there is a `backend/_amd`,
    /// `hardware/nvidia.py` beside `hardware/amd.py`.
    pub(crate) fn is_module_of_others(&self, path: &str) -> bool {
        let mut start = 0;
        path.split('/').any(|part| {
            let (around, behind) = (&path[..start], &path[start + part.len()..]);
            start += part.len() + 1;
            let (stem, end) = part
                .split_once('.')
                .map_or((part, ""), |(stem, _)| (stem, &part[stem.len()..]));
            let word = stem.trim_matches('_');
            let of_amd = |amd: &&str| {
                let own = format!("{around}{}{end}", stem.replacen(word, amd, 1));
                self.is_in_tree(&format!("{own}{behind}"))
                    || self.is_in_tree(&format!("{own}/__init__.py"))
            };
            OTHERS.contains(&word) && AMDS.iter().any(of_amd)
        })
    }
}

/// What the variant of a file for AMD may be called: another vendor's word in the place of NVIDIA's, or one more of them.
fn names_for_amd(name: &str) -> impl Iterator<Item = String> {
    let words: Vec<&str> = name.split(SIGNS).collect();
    let word = words.into_iter().find(|word| NVIDIAS.contains(word));
    AMDS.iter().flat_map(move |amd| match word {
        Some(word) => vec![name.replacen(word, amd, 1)],
        None => more(name, amd),
    })
}

/// `Dockerfile_amd`, `amd.Dockerfile`; `requirements-rocm.txt`.
fn more(name: &str, amd: &str) -> Vec<String> {
    let (stem, end) = name.find('.').map_or((name, ""), |dot| name.split_at(dot));
    let behind = SIGNS.iter().map(|sign| format!("{stem}{sign}{amd}{end}"));
    behind.chain([format!("{amd}.{name}")]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_for_amd_is_told_by_the_names() {
        for (path, other, expected) in [
            ("Dockerfile", "Dockerfile_amd", true),
            ("a/Dockerfile", "a/rocm.Dockerfile", true),
            ("a/Dockerfile", "b/rocm.Dockerfile", false),
            ("Dockerfile", "Dockerfile_intel", false),
            ("Dockerfile.cuda", "Dockerfile.rocm", true),
            ("Dockerfile_llamacpp", "Dockerfile_amd", false),
            ("requirements_cuda.txt", "requirements_rocm.txt", true),
            ("requirements.txt", "requirements-amd.txt", true),
            ("requirements_rocm.txt", "", true),
        ] {
            let paths = [path, other].map(str::to_owned);
            let tree = Paths::new(paths);
            assert_eq!(tree.has_variant_for_amd(path), expected, "{path} {other}");
        }
    }

    #[test]
    fn modules_for_other_vendors_are_known_where_amd_has_one() {
        let paths = [
            "b/_amd/__init__.py",
            "b/_nvidia/ops/mm.py",
            "b/_mthreads/mm.py",
            "b/ops/mm.py",
            "hw/amd.py",
            "hw/nvidia.py",
            "lone/nvidia.py",
        ];
        let tree = Paths::new(paths.map(str::to_owned));
        let found = paths.map(|path| tree.is_module_of_others(path));
        assert_eq!(found, [false, true, true, false, false, true, false]);
    }
}
