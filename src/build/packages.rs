//! Packages and modules of CUDA that a command of a script, a Makefile, an image or a job installs or loads.

use crate::build::BuildFile;
use crate::build::make::arguments;
use crate::build::words::{argument_around, is_in_prose, line_of, words};
use crate::mapping::{BuildTable, name_lists};
use crate::syntax::TokenIndex;

/// Who installs or loads a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Installer {
    /// `apt-get install`, `dnf install`: packages of the system.
    System,
    /// `pip install`, `uv add`.
    Python,
    /// `conda install`, `mamba create`.
    Conda,
    /// `git clone`: the source of one.
    Git,
    /// `module load`, `spack load`: what a cluster has for its users.
    Modules,
}

/// A package of CUDA that a command installs or loads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Package {
    /// Its name, its release, or where it comes from.
    pub(crate) at: TokenIndex,
    /// Who installs it.
    pub(crate) installer: Installer,
    /// The command's verb, behind which its words stand.
    verb: TokenIndex,
}

/// The packages of CUDA that commands of a file install or load, in order.
pub(crate) fn packages(doc: &BuildFile<'_>) -> Vec<Package> {
    let mut found = Vec::new();
    for verb in words(doc) {
        let Some(installer) = installer(doc, verb) else {
            continue;
        };
        let is_named = |at: &TokenIndex| !is_in_prose(doc, *at);
        let given: Vec<TokenIndex> = given(doc, verb).filter(is_named).collect();
        let is_cudas = |at: &TokenIndex| is_of_cuda(doc, *at, installer);
        let mut of_cuda: Vec<TokenIndex> = given.iter().copied().filter(is_cudas).collect();
        if of_cuda.is_empty() && installer == Installer::Python {
            of_cuda.extend(for_cuda_alone(doc, &given));
        }
        found.extend(of_cuda.into_iter().map(|at| Package {
            at,
            installer,
            verb,
        }));
    }
    found
}

/// The words that stand behind the verb of a command.
fn given<'d>(doc: &'d BuildFile<'_>, verb: TokenIndex) -> impl Iterator<Item = TokenIndex> + 'd {
    let given = arguments(doc, verb).into_iter();
    given.take(MOST).filter(|&at| doc.is_ident(at))
}

impl Package {
    /// The words of its command, channels and options among them.
    pub(crate) fn words<'d>(
        &self,
        doc: &'d BuildFile<'_>,
    ) -> impl Iterator<Item = TokenIndex> + 'd {
        given(doc, self.verb)
    }

    /// What AMD has in its place, by its own name; where it says only a place or a release, or conda brings CUDA beside another package, by
    /// what the command installs. Nothing for packages of no row.
    pub(crate) fn advice(&self, doc: &BuildFile<'_>) -> Option<&'static str> {
        let table = BuildTable::builtin();
        let whole = doc.source.text(argument_around(doc, self.at));
        if table.is_source_for_cuda(&whole) {
            return table.advice_for_package(&whole);
        }
        if !matches!(self.installer, Installer::Python | Installer::Conda) {
            return None;
        }
        let is_place = whole.contains("://");
        let name = whole.rsplit('/').next().unwrap_or(&whole);
        let own = || table.advice_for_package(name);
        let of_command = || {
            let mut words =
                given(doc, self.verb).filter_map(|at| std::str::from_utf8(doc.bytes(at)).ok());
            words.find_map(|word| table.advice_for_package(word))
        };
        match (is_place, self.installer) {
            (true, _) => of_command().or_else(own),
            (false, Installer::Conda) => own().or_else(of_command),
            _ => own(),
        }
    }
}

/// How many words of one command are looked at: a line without an end is none.
const MOST: usize = 500;

/// Whose command a word is the verb of: `install` behind `apt-get -y`, `load` behind `module`.
fn installer(doc: &BuildFile<'_>, verb: TokenIndex) -> Option<Installer> {
    // `apt-get -o Dpkg::Use-Pty=0 -y install`, `conda run -n base pip install`.
    const FAR: usize = 8;
    let word = doc.bytes(verb);
    if word == b"ml" && verb == line_of(doc, verb) {
        return Some(Installer::Modules);
    }
    let verbs: &[&[u8]] = &[
        b"install",
        b"add",
        b"create",
        b"clone",
        b"load",
        b"swap",
        b"switch",
        b"localinstall",
        b"-S",
        b"-Sy",
    ];
    if !verbs.contains(&word) {
        return None;
    }
    let first = line_of(doc, verb).max(verb.saturating_sub(FAR));
    let is_end = |at: &TokenIndex| matches!(doc.bytes(*at), b";" | b"&" | b"|" | b"`");
    let before = (first..verb).rev().take_while(|at| !is_end(at));
    let before: Vec<TokenIndex> = before.filter(|&at| doc.is_ident(at)).collect();
    let is_printed = |&at: &TokenIndex| matches!(doc.bytes(at), b"echo" | b"printf");
    if before.iter().any(is_printed) {
        return None;
    }
    before.iter().find_map(|&at| program(doc.bytes(at), word))
}

fn program(word: &[u8], verb: &[u8]) -> Option<Installer> {
    let name = word.rsplit(|byte| *byte == b'/').next().unwrap_or(word);
    let loads = matches!(verb, b"load" | b"swap" | b"switch");
    let is_short = verb.starts_with(b"-");
    match name {
        b"module" | b"spack" if loads || matches!(verb, b"add" | b"install") => {
            Some(Installer::Modules)
        }
        b"git" if verb == b"clone" => Some(Installer::Git),
        _ if verb == b"clone" => None,
        b"pacman" | b"yay" if is_short => Some(Installer::System),
        _ if loads || is_short => None,
        b"apt" | b"apt-get" | b"aptitude" | b"yum" | b"dnf" | b"microdnf" | b"zypper" | b"apk"
            if verb != b"create" =>
        {
            Some(Installer::System)
        }
        b"conda" | b"mamba" | b"micromamba" | b"pixi" => Some(Installer::Conda),
        b"uv" | b"poetry" | b"pdm" if verb != b"create" => Some(Installer::Python),
        _ if name.starts_with(b"pip") && verb == b"install" => Some(Installer::Python),
        _ => None,
    }
}

/// Whether a requirement is CuPy's source, `cupy`, `cupy>=12`: what pip compiles is for CUDA unless somebody asks for HIP.
pub(crate) fn is_source_of_cupy(requirement: &[u8]) -> bool {
    let behind = requirement.strip_prefix(b"cupy");
    behind.is_some_and(|it| it.first().is_none_or(|byte| b"=<>~!;[@ ".contains(byte)))
}

/// Whether a requirement of a Python package is one for NVIDIA's GPUs: `cupy-cuda12x>=13`, `nvidia-cublas-cu12`, CuPy's source.
pub(crate) fn is_for_cuda(requirement: &str) -> bool {
    let word = requirement.trim_start().to_ascii_lowercase();
    let is_on_linux =
        !word.contains("sys_platform=='win32'") && !word.contains("sys_platform == 'win32'");
    let name = with_dashes(&word);
    let mut starts = name_lists().cuda_packages.iter();
    !is_for_any_gpu(name.as_bytes())
        && is_on_linux
        && (is_source_of_cupy(word.as_bytes())
            || starts.any(|it| name.starts_with(&**it))
            || is_called_after_release(&word)
            || BuildTable::builtin().is_for_cuda_alone(&word))
}

/// A requirement as PyPI reads its name, `nvidia_cudnn_frontend` as `nvidia-cudnn-frontend`. What begins with `cuda_` is called so by the
/// project itself, in whose folders it lies.
fn with_dashes(requirement: &str) -> String {
    match requirement.starts_with("cuda_") {
        true => requirement.to_owned(),
        false => requirement.replace('_', "-"),
    }
}

/// Whether the name of a package ends in the release of CUDA that it is built for: `cuequivariance-ops-torch-cu12>=0.5`, `spconv_cu118`.
fn is_called_after_release(requirement: &str) -> bool {
    let is_end = |letter: char| !letter.is_ascii_alphanumeric() && !"-_.".contains(letter);
    let name = requirement.split(is_end).next().unwrap_or(requirement);
    let release = name
        .rsplit(['-', '_'])
        .next()
        .and_then(|it| it.strip_prefix("cu"));
    let is_number = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
    release
        .is_some_and(|it| matches!(it.len(), 2 | 3) && is_number(it) && name.len() > it.len() + 3)
}

/// Whether a package that is called after NVIDIA runs on whatever PyTorch runs on, or is how pages look: `nvidia-physicsnemo`,
/// `nvidia-sphinx-theme`.
pub(crate) fn is_for_any_gpu(name: &[u8]) -> bool {
    let mut others = name_lists().packages_for_any_gpu.iter();
    others.any(|it| name.starts_with(it.as_bytes()))
}

/// Whether an argument of such a command is CUDA's: by the start of its name, or by its release for CUDA, `torch==2.4+cu121`.
fn is_of_cuda(doc: &BuildFile<'_>, at: TokenIndex, installer: Installer) -> bool {
    let word = doc.bytes(at).to_ascii_lowercase();
    if word.starts_with(b"-")
        || is_for_any_gpu(&word)
        || doc.bytes(at - 1).starts_with(b"-") && is_channel(doc, at - 1)
    {
        return false;
    }
    let says = |part: &str| memchr::memmem::find(&word, part.as_bytes()).is_some();
    let is_source = || names_source_for_cuda(doc, at);
    // A folder is the project's own: `pip install cuda-ops/`.
    let is_name = installer == Installer::Modules || !says("/");
    let name = match installer {
        Installer::Python => with_dashes(&String::from_utf8_lossy(&word)),
        _ => String::from_utf8_lossy(&word).into_owned(),
    };
    let starts = |names: &[&str]| is_name && names.iter().any(|it| name.starts_with(it));
    match installer {
        Installer::Git => is_source(),
        Installer::Modules => starts(&name_lists().cuda_modules),
        Installer::System => word == b"cuda" || starts(&name_lists().cuda_packages),
        Installer::Conda => {
            matches!(&word[..], b"cuda" | b"nccl") || starts(&name_lists().cuda_packages)
        }
        Installer::Python => {
            // `jax[cuda12]`; `.[cuda]` is an extra of the project's own.
            let is_extra = doc.is(at - 1, "[") && !doc.bytes(at.saturating_sub(2)).ends_with(b".");
            is_extra && word.starts_with(b"cuda")
                || is_name && is_source_of_cupy(&word)
                || starts(&name_lists().cuda_packages)
                || ["-cu1", "+cu1", "+cuda1", "/whl/cu1"].iter().any(|part| says(part))
                // `https://download.pytorch.org/whl/nightly/cu126`
                || word.starts_with(b"//") && (says("/cu1") || is_source())
        }
    }
}

/// Whether a word begins the address of a source for CUDA alone: `//github.com/NVIDIA/apex` behind `https:`, or `github.com` behind `git@` and
/// before `:NVIDIA/apex`.
pub(crate) fn names_source_for_cuda(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let table = BuildTable::builtin();
    let word = String::from_utf8_lossy(doc.bytes(at));
    match word.starts_with("//") {
        true => table.is_source_for_cuda(&word),
        false => {
            word.ends_with("github.com")
                && table.is_source_for_cuda(&doc.source.text(argument_around(doc, at)))
        }
    }
}

/// The arguments of pip's that PyPI has for CUDA alone, where the command asks for nothing that somebody built for AMD: `vllm==0.11`, and
/// not `vllm==0.11+rocm700` or `vllm --extra-index-url https://wheels.vllm.ai/rocm/`.
fn for_cuda_alone(doc: &BuildFile<'_>, given: &[TokenIndex]) -> Vec<TokenIndex> {
    let says_rocm = |at: &TokenIndex| memchr::memmem::find(doc.bytes(*at), b"rocm").is_some();
    if given.iter().any(says_rocm) {
        return Vec::new();
    }
    let is_alone = |at: &TokenIndex| {
        let whole = doc.source.text(argument_around(doc, *at));
        whole.as_bytes().starts_with(doc.bytes(*at))
            && BuildTable::builtin().is_for_cuda_alone(&whole)
    };
    given.iter().copied().filter(is_alone).collect()
}

/// Whether an option says where packages come from or stand, or what is made of them: `-c nvidia`, `-r cuda.txt`, `-n cuda`.
fn is_channel(doc: &BuildFile<'_>, option: TokenIndex) -> bool {
    const TAKES: &[&[u8]] = &[
        b"-c",
        b"-r",
        b"--channel",
        b"-n",
        b"--name",
        b"-p",
        b"--prefix",
        b"-t",
    ];
    TAKES.contains(&doc.bytes(option))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn found(path: &str, text: &str) -> String {
        let source = SourceFile::new(path, text.as_bytes().to_vec());
        let doc = BuildFile::new(&source);
        let shown = packages(&doc).into_iter();
        let shown = shown.map(|it| String::from_utf8_lossy(doc.bytes(it.at)).into_owned());
        shown.collect::<Vec<_>>().join(" ")
    }

    /// A list that holds nothing else of CUDA has to be read for them.
    #[test]
    fn packages_that_are_for_cuda_alone_are_looked_for() {
        for package in BuildTable::builtin().for_cuda_alone() {
            let spellings = [package.to_owned(), package.replace('-', "_")];
            let is_seen = |it: &String| crate::build::words::mentions_cuda(it.as_bytes());
            assert!(spellings.iter().all(is_seen), "{package}");
        }
    }

    #[test]
    fn a_requirement_is_for_cuda_by_its_name_its_end_or_its_release() {
        for (requirement, expected) in [
            ("nvidia-cublas-cu12", true),
            ("cuequivariance-ops-torch-cu12>=0.5", true),
            ("spconv_cu118", true),
            ("nvidia_cudnn_frontend>=1.9", true),
            ("cuda_ops", false),
            ("flash-attn==2.5.9", true),
            ("flash-attn<=2.5.9.post1", true),
            ("flash-attn==2.8.3", false),
            ("flash-attn>=2.3", false),
            ("flash-attn", false),
            ("triton==2.1.0", true),
            ("triton==3.2.0", false),
            ("triton-model-analyzer==1.2", false),
            ("numpy==1.26", false),
            ("cu12", false),
        ] {
            assert_eq!(is_for_cuda(requirement), expected, "{requirement}");
        }
    }

    #[test]
    fn packages_of_cuda_stand_behind_what_installs_or_loads_them() {
        for (line, expected) in [
            (
                "sudo apt-get -y install cuda-toolkit-12-4 libcudnn8-dev git",
                "cuda-toolkit-12-4 libcudnn8-dev",
            ),
            ("apt install cuda", "cuda"),
            ("dnf install -y cuda-12-4 && dnf clean all", "cuda-12-4"),
            (
                "conda install -y -c nvidia cudatoolkit=11.8 cudnn numpy",
                "cudatoolkit cudnn",
            ),
            ("conda create -n cuda python=3.10", ""),
            (
                "python3 -m pip install --upgrade cupy-cuda12x nvidia-cublas-cu12",
                "cupy-cuda12x nvidia-cublas-cu12",
            ),
            ("pip install torch==2.4.0+cu121", "2.4.0+cu121"),
            (
                "pip install torch --index-url https://download.pytorch.org/whl/cu121",
                "//download.pytorch.org/whl/cu121",
            ),
            (
                "pip install --pre torch --index-url https://download.pytorch.org/whl/nightly/cu126",
                "//download.pytorch.org/whl/nightly/cu126",
            ),
            ("pip install flashinfer-python==0.6.13", "flashinfer-python"),
            ("pip install bitsandbytes==0.41.1", "bitsandbytes"),
            ("pip install bitsandbytes>=0.41.1", ""),
            (
                "pip install nvidia_cudnn_frontend cuda_ops",
                "nvidia_cudnn_frontend",
            ),
            ("pip install bitsandbytes==0.49", ""),
            ("pip install triton==2.3.1 torch", "triton"),
            (
                "pip3 install https://example.com/kit-1.2+cuda12.1.torch2.4-cp310.whl",
                "//example.com/kit-1.2+cuda12.1.torch2.4-cp310.whl",
            ),
            ("pip install 'jax[cuda12]'", "cuda12"),
            ("pip install -e '.[cuda]'", ""),
            ("pip install torch numpy", ""),
            ("pip install -v cuda-ops/ -r cuda-requirements.txt", ""),
            ("module load gcc cuda/12.4", "cuda/12.4"),
            ("ml CUDA/12.1", "CUDA/12.1"),
            ("spack load cuda@12", "cuda"),
            ("module load rocm", ""),
            ("echo \"pip install cupy-cuda12x\"", ""),
            ("pip install vllm==0.11 vllm-ascend ./vllm", "vllm"),
            (
                "pip install vllm --extra-index-url https://wheels.vllm.ai/rocm/",
                "",
            ),
            (
                "uv pip install transformer_engine[pytorch]",
                "transformer_engine",
            ),
            (
                "pip install cupy numpy onnxruntime-gpu",
                "cupy onnxruntime-gpu",
            ),
            ("pip install cupy-rocm-7-0 cupyx tensorflow-rocm", ""),
            ("# pip install cupy-cuda12x", ""),
            ("cmake --install build/cuda-tools", ""),
            ("make install cuda-samples", ""),
            ("git add cuda-kernels", ""),
        ] {
            assert_eq!(found("setup.sh", &format!("{line}\n")), expected, "{line}");
        }
        assert_eq!(found("Dockerfile", "RUN pip install pynvml\n"), "pynvml");
        assert_eq!(
            found("Makefile", "deps:\n\tpip install cupy-cuda12x\n"),
            "cupy-cuda12x"
        );
    }

    #[test]
    fn what_amd_has_follows_from_the_package_or_from_its_command() {
        let advice = |line: &str| {
            let source = SourceFile::new("setup.sh", format!("{line}\n").into_bytes());
            let doc = BuildFile::new(&source);
            let found = packages(&doc).into_iter().next();
            let found = found.and_then(|it| it.advice(&doc)).unwrap_or_default();
            found
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        for (line, expected) in [
            ("pip install torch==2.4.0+cu121", "PyTorch"),
            (
                "pip install torch --index-url https://download.pytorch.org/whl/cu121",
                "PyTorch",
            ),
            (
                "pip install -r a.txt --index-url https://download.pytorch.org/whl/cu121",
                "",
            ),
            (
                "uv pip install vllm --extra-index-url https://download.pytorch.org/whl/cu129",
                "vLLM",
            ),
            (
                "pip install https://example.org/v2.5.8/flash_attn-2.5.8+cu122-cp310.whl",
                "FlashAttention",
            ),
            (
                "pip install torch-scatter -f https://data.pyg.org/whl/torch-2.1.0+cu121.html",
                "PyG's",
            ),
            ("conda install pytorch==2.1.2 pytorch-cuda=12.1", "PyTorch"),
            ("conda install pytorch cudatoolkit=11.3", "PyTorch"),
            ("conda install cudatoolkit=11.3", ""),
            ("pip install cupy-cuda12x torch", "for"),
            ("apt-get install cuda-toolkit", ""),
        ] {
            assert_eq!(advice(line), expected, "{line}");
        }
    }
}
