//! The commands that do what an invocation asks for.

use std::path::{Path, PathBuf};

use super::invocation::{Invocation, Item, Kind, Mode};
use super::place::Place;
use super::pytorch::{Built, FOR_AMD, built};
use super::toolkit::is_toolkit;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is run.
    pub program: PathBuf,
    /// With which arguments.
    pub arguments: Vec<String>,
}

/// What commands need beside the invocation.
#[derive(Clone, Copy, Debug)]
pub struct Tools<'a> {
    /// Where things are.
    pub place: &'a Place,
    /// The compiler.
    pub compiler: &'a Path,
    /// Chips, at least one.
    pub targets: &'a [String],
    /// Folder for what nobody keeps.
    pub temporary: &'a Path,
    /// Headers with CUDA's names, for what is not translated.
    pub headers: &'a Path,
}

/// The overlay of a source, and whether it has CUDA in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// The overlay; none where nothing changes.
    pub(crate) overlay: Option<PathBuf>,
    /// Something of it was translated.
    pub(crate) has_cuda: bool,
}

/// The commands of an invocation.
#[derive(Debug)]
pub struct Plan<'a> {
    invocation: &'a Invocation,
    tools: Tools<'a>,
}

impl<'a> Plan<'a> {
    /// The plan of an invocation.
    pub fn new(invocation: &'a Invocation, tools: Tools<'a>) -> Self {
        Self { invocation, tools }
    }

    /// The command that compiles a source, by its number among them. `view` is what clang shall see of it.
    pub(crate) fn compile(&self, number: usize, source: &str, kind: Kind, view: &View) -> Step {
        let all = self.invocation;
        let is_hip = kind == Kind::Cuda || kind == Kind::Cpp && view.has_cuda;
        let mut words = Vec::new();
        if is_hip {
            words.extend(self.offload(all.is_relocatable || all.mode == Mode::DeviceLink));
        }
        words.extend(self.options(kind, is_hip));
        words.extend(self.headers(kind, view.has_cuda || kind == Kind::Cuda));
        if let Some(overlay) = &view.overlay {
            words.extend(["-ivfsoverlay".to_owned(), overlay.display().to_string()]);
        }
        words.extend(self.output_names(is_hip));
        let language = match kind {
            Kind::C => "c",
            _ if is_hip => "hip",
            _ => "c++",
        };
        words.extend(["-x".to_owned(), language.to_owned(), source.to_owned()]);
        if let Some(output) = self.output(number, source) {
            words.extend(["-o".to_owned(), output]);
        }
        self.step(words)
    }

    fn offload(&self, is_relocatable: bool) -> Vec<String> {
        let targets = self.tools.targets.iter();
        let mut words: Vec<String> = targets
            .map(|target| format!("--offload-arch={target}"))
            .collect();
        if is_relocatable {
            words.push("-fgpu-rdc".to_owned());
        }
        words
    }

    /// Options of compiling as they fit the language.
    fn options(&self, kind: Kind, is_hip: bool) -> Vec<String> {
        let mut words = vec!["-Wno-unused-command-line-argument".to_owned()];
        let given = &self.invocation.compile;
        if !given.iter().any(|word| word.starts_with("-O")) {
            // As nvcc's and hipcc's default for the device.
            words.push(if is_hip { "-O3" } else { "-O0" }.to_owned());
        }
        let fits = |word: &&String| {
            let is_of_cpp = word.starts_with("-std=c++") || word.starts_with("-std=gnu++");
            let is_split = word.as_str() == "-Xarch_host" && !is_hip;
            !(kind == Kind::C && is_of_cpp || is_split)
        };
        words.extend(given.iter().filter(fits).cloned());
        // nvcc says nothing of ignored error codes, which HIP's functions return as `nodiscard`. `-Wall` before it would say so.
        if is_hip && !given.iter().any(|word| word.ends_with("unused-result")) {
            words.push("-Wno-unused-result".to_owned());
        }
        words
    }

    /// Where headers are found. Folders of CUDA's toolkit go: ROCm's headers have the same names.
    fn headers(&self, kind: Kind, has_cuda: bool) -> Vec<String> {
        let is_kept = |(option, path): &&(&str, String)| {
            *option == "-include" || !is_toolkit(Path::new(path))
        };
        let mut words = Vec::new();
        if has_cuda && kind != Kind::Cuda {
            words.push("-D__HIP_PLATFORM_AMD__".to_owned());
        }
        if kind == Kind::Cuda {
            // nvcc includes its runtime header into every unit.
            words.extend(["-include", "hip/hip_runtime.h"].map(str::to_owned));
        }
        let given = self.invocation.includes.iter().filter(is_kept);
        words.extend(given.flat_map(|(option, path)| [(*option).to_owned(), path.clone()]));
        if has_cuda && self.is_for_pytorch_on_amd() {
            words.extend(FOR_AMD.iter().map(|word| (*word).to_owned()));
        }
        if has_cuda {
            let rocm = self.tools.place.rocm.join("include");
            for folder in [rocm.as_path(), self.tools.headers] {
                words.extend(["-idirafter".to_owned(), folder.display().to_string()]);
            }
        }
        words
    }

    fn is_for_pytorch_on_amd(&self) -> bool {
        let folders = self.invocation.includes.iter();
        let mut folders = folders.filter(|(option, _)| *option != "-include");
        folders.any(|(_, path)| built(Path::new(path)) == Some(Built::ForAmd))
    }

    fn output_names(&self, is_hip: bool) -> Vec<String> {
        let all = self.invocation;
        let mut words = match all.mode {
            Mode::Preprocess => vec!["-E".to_owned()],
            Mode::Dependencies => Vec::new(),
            Mode::Module => vec!["--cuda-device-only".to_owned()],
            _ => vec!["-c".to_owned()],
        };
        if is_hip && matches!(all.mode, Mode::Preprocess | Mode::Dependencies) {
            words.push("--cuda-host-only".to_owned());
        }
        words.extend(all.dependencies.iter().cloned());
        if let Some(file) = self.dependency_file() {
            words.extend(["-MF".to_owned(), file]);
        }
        let names_target = all.dependencies.iter().any(|word| word == "-MT");
        if let (Mode::Link, Some(output), false) = (
            all.mode,
            &all.output,
            names_target || all.dependencies.is_empty(),
        ) {
            words.extend(["-MT".to_owned(), output.clone()]);
        }
        words
    }

    /// Where dependencies go: beside the output, where nothing else is said.
    fn dependency_file(&self) -> Option<String> {
        let all = self.invocation;
        let beside = all
            .dependencies
            .iter()
            .any(|word| word == "-MD" || word == "-MMD");
        let (_, source) = all.sources().next().map(|(source, _)| ((), source))?;
        let base = match (&all.output, all.mode) {
            (Some(output), _) => PathBuf::from(output),
            (None, _) => self.in_folder(source, "o"),
        };
        let default = || beside.then(|| base.with_extension("d").display().to_string());
        all.dependency_file.clone().or_else(default)
    }

    /// `-odir`, or here.
    fn in_folder(&self, source: &str, extension: &str) -> PathBuf {
        let name = Path::new(source).with_extension(extension);
        let name = name.file_name().map(PathBuf::from).unwrap_or_default();
        self.invocation
            .folder
            .as_ref()
            .map_or(name.clone(), |folder| Path::new(folder).join(name))
    }

    /// What a source is compiled to; `None` where clang prints it.
    fn output(&self, number: usize, source: &str) -> Option<String> {
        let all = self.invocation;
        match all.mode {
            Mode::Preprocess | Mode::Dependencies => all.output.clone(),
            Mode::Compile | Mode::Module => {
                let extension = if all.mode == Mode::Module {
                    all.module
                } else {
                    "o"
                };
                let default = || self.in_folder(source, extension).display().to_string();
                Some(all.output.clone().unwrap_or_else(default))
            }
            _ => Some(self.object(number, source)),
        }
    }

    /// An object that nobody keeps; in a folder of its own, since archives know it by its name.
    fn object(&self, number: usize, source: &str) -> String {
        let stem = Path::new(source)
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        let folder = self.tools.temporary.join(number.to_string());
        folder
            .join(format!("{}.o", stem.unwrap_or_default()))
            .display()
            .to_string()
    }

    /// The inputs of the last step in order, sources by their objects, and words for the linker.
    fn inputs(&self) -> Vec<String> {
        let (mut number, mut words) = (0, Vec::new());
        for item in &self.invocation.items {
            match item {
                Item::File(path, Kind::Object) => words.push(path.clone()),
                Item::File(path, _) => {
                    words.push(self.object(number, path));
                    number += 1;
                }
                Item::Link(link) => words.extend(link.iter().cloned()),
            }
        }
        words
    }

    /// Objects and archives among the inputs of the last step, libraries by name too where a `-L` has them as archives.
    pub fn objects(&self) -> Vec<PathBuf> {
        let folders = || {
            self.invocation
                .link
                .iter()
                .filter_map(|word| word.strip_prefix("-L"))
        };
        let archive = |name: &str| {
            folders()
                .map(|folder| Path::new(folder).join(format!("lib{name}.a")))
                .find(|path| path.is_file())
        };
        let inputs = self.inputs();
        let object = |word: &String| match word.strip_prefix("-l") {
            Some(name) => archive(name),
            None if word.starts_with('-') => None,
            None => Some(PathBuf::from(word)),
        };
        inputs.iter().filter_map(object).collect()
    }

    /// The command behind the compilations, if there is one. `device_code` says that device code of the objects has to be linked;
    /// `linker` stands in for the linker where that is all that is wanted.
    pub fn last(&self, device_code: bool, linker: &Path) -> Option<Step> {
        let all = self.invocation;
        let output = |default: &str| all.output.clone().unwrap_or_else(|| default.to_owned());
        match all.mode {
            Mode::Link => Some(self.link(device_code, &output("a.out"))),
            Mode::DeviceLink if device_code => {
                let mut words = self.offload(true);
                words.extend([
                    "--hip-link".to_owned(),
                    format!("--ld-path={}", linker.display()),
                ]);
                words.extend(all.link.iter().cloned());
                words.extend(self.inputs());
                words.extend(["-o".to_owned(), output("a_dlink.o")]);
                Some(self.step(words))
            }
            Mode::DeviceLink => {
                let words = ["-c", "-x", "c", "/dev/null", "-o"].map(str::to_owned);
                Some(self.step(words.into_iter().chain([output("a_dlink.o")]).collect()))
            }
            Mode::Library => {
                let mut words = vec!["rcs".to_owned(), output("a.a")];
                words.extend(
                    self.inputs()
                        .into_iter()
                        .filter(|word| !word.starts_with('-')),
                );
                Some(Step {
                    program: PathBuf::from("ar"),
                    arguments: words,
                })
            }
            _ => None,
        }
    }

    fn link(&self, device_code: bool, output: &str) -> Step {
        let all = self.invocation;
        let mut words = vec![
            "--hip-link".to_owned(),
            "-Wno-unused-command-line-argument".to_owned(),
        ];
        if device_code {
            words.extend(self.offload(true));
        }
        if all.is_shared {
            words.push("-shared".to_owned());
        }
        words.extend(all.link.iter().cloned());
        words.push(format!("-L{}", self.tools.place.rocm.join("lib").display()));
        words.extend(self.inputs());
        // What nvcc links by itself beside its runtime.
        words.extend(["-lrt", "-lpthread", "-ldl", "-o", output].map(str::to_owned));
        self.step(words)
    }

    fn step(&self, arguments: Vec<String>) -> Step {
        Step {
            program: self.tools.compiler.to_path_buf(),
            arguments,
        }
    }
}
