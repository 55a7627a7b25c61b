//! Proof by compilers: clang for AMD GPUs on the result, clang's CUDA mode on the source, a link with a library of HIP's runtime.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::level::{Level, Proof};
use crate::verify::{End, Task};

/// A unit that compiles longer is not proven.
const TIMEOUT: Duration = Duration::from_secs(300);
/// Bytes of assembly that a record holds at most.
const MOST_ASSEMBLY: u64 = 4 << 20;

/// Compilers and headers at hand.
#[derive(Clone, Debug)]
pub struct Tools {
    /// clang++ with AMD's back end.
    pub clang: String,
    /// ROCm's folder.
    pub rocm: PathBuf,
    /// The folder of its device libraries, where it is not the usual one.
    pub device_libraries: Option<PathBuf>,
    /// The chip.
    pub target: String,
    /// CUDA's headers, for the assembly of the source.
    pub cuda_include: Option<PathBuf>,
    /// The architecture of the source's assembly, `sm_80`.
    pub cuda_target: String,
    /// A library of HIP's runtime to link with.
    pub runtime: Option<PathBuf>,
    /// Options of both compilations: `-I`, `-D`.
    pub options: Vec<String>,
    /// Whether assembly goes into the records.
    pub assembly: bool,
}

/// A unit on disk.
#[derive(Clone, Debug)]
pub struct Unit<'a> {
    /// The source, in its tree.
    pub source: &'a Path,
    /// The result, in the translated tree.
    pub result: &'a Path,
    /// The root of the translated tree, where the helper header lies.
    pub root: &'a Path,
    /// It defines `main`.
    pub is_program: bool,
}

/// Runs the compilers.
pub struct Compiler<'a> {
    /// What is at hand.
    pub tools: &'a Tools,
    /// Set when a person wants the run to end.
    pub interrupted: &'a AtomicBool,
}

impl Compiler<'_> {
    /// Takes a unit that parses as far as the compilers do.
    ///
    /// # Errors
    /// When a compiler cannot be started.
    pub(crate) fn prove(&self, unit: &Unit<'_>, start: Level) -> Result<Proof> {
        let scratch = tempfile::tempdir().context("no temporary folder can be made")?;
        let folder = scratch.path();
        let mut proof = Proof::of(start, "");
        if start < Level::Parsed {
            // The grammar is stricter than clang in places: what compiles is proven all the same.
            proof.level = Level::Translated;
        }
        proof
            .compilers
            .push(format!("{} {}", self.tools.clang, self.tools.target));
        match self.link(unit, folder)? {
            // Linking compiles for both sides.
            None => {
                proof.level = Level::Linked;
                "not tried: no comparison of its runs was given".clone_into(&mut proof.next);
            }
            Some(why) => proof.next = self.climb(unit, folder, &mut proof.level)?.unwrap_or(why),
        }
        if self.tools.assembly && proof.level >= Level::CompiledDevice {
            let options = words(&["--cuda-device-only", "-O1", "-S", "-o", "amdgcn.s"]);
            if self.run(&self.hip(unit, options), folder)?.is_none() {
                proof.amdgcn = assembly(&folder.join("amdgcn.s"));
            }
            proof.ptx = self.ptx(unit, folder, &mut proof.compilers)?;
        }
        Ok(proof)
    }

    /// Compiles for one side after the other, and raises the level with each; the error that ends it.
    fn climb(&self, unit: &Unit<'_>, folder: &Path, level: &mut Level) -> Result<Option<String>> {
        let host = words(&["--cuda-host-only", "-fsyntax-only"]);
        let device = words(&["--cuda-device-only", "-O1", "-c", "-o", "device.o"]);
        for (next, options) in [(Level::CompiledHost, host), (Level::CompiledDevice, device)] {
            let error = self.run(&self.hip(unit, options), folder)?;
            if error.is_some() {
                return Ok(error);
            }
            *level = next;
        }
        Ok(None)
    }

    /// Links a program, where there is a runtime to link with; why that cannot be.
    fn link(&self, unit: &Unit<'_>, folder: &Path) -> Result<Option<String>> {
        let Some(library) = &self.tools.runtime else {
            let why = "not tried: no library of HIP's runtime was given to link with";
            return Ok(Some(why.to_owned()));
        };
        if !unit.is_program {
            return Ok(Some("not tried: the unit defines no main".to_owned()));
        }
        // The library that is named stands for that of ROCm's folder, which may have none.
        let mut options = words(&["-O1", "-no-hip-rt", "-o", "program"]);
        options.push(library.display().to_string());
        self.run(&self.hip(unit, options), folder)
    }

    fn hip(&self, unit: &Unit<'_>, options: Vec<String>) -> Vec<String> {
        let tools = self.tools;
        let mut command = words(&[
            &tools.clang,
            "-x",
            "hip",
            "-std=c++17",
            "-w",
            "-ferror-limit=3",
        ]);
        command.push(format!("--offload-arch={}", tools.target));
        command.push(format!("--rocm-path={}", tools.rocm.display()));
        if let Some(folder) = &tools.device_libraries {
            command.push(format!("--rocm-device-lib-path={}", folder.display()));
        }
        command.push(format!("-I{}", unit.root.display()));
        command.extend(includes(unit.result));
        command.extend(tools.options.iter().cloned());
        command.push(unit.result.display().to_string());
        // Behind the source, a library is no HIP source.
        command.extend(words(&["-x", "none"]));
        command.extend(options);
        command
    }

    fn ptx(
        &self,
        unit: &Unit<'_>,
        folder: &Path,
        compilers: &mut Vec<String>,
    ) -> Result<Option<String>> {
        let tools = self.tools;
        let Some(cuda) = &tools.cuda_include else {
            return Ok(None);
        };
        // A header that CUDA 13 has no more, and clang 19 asks for.
        crate::emit::write(&folder.join("stubs/texture_fetch_functions.h"), b"", None)?;
        let mut command = words(&[
            &tools.clang,
            "-x",
            "cuda",
            "-std=c++17",
            "-w",
            "-ferror-limit=3",
        ]);
        command.extend(words(&[
            "-nocudainc",
            "-nocudalib",
            "-isystem",
            "stubs",
            "-isystem",
        ]));
        command.push(cuda.display().to_string());
        command.extend(words(&["-include", "__clang_cuda_runtime_wrapper.h"]));
        command.extend(words(&["-Xclang", "-target-sdk-version=12.4"]));
        command.extend(words(&["-Xclang", "-target-feature", "-Xclang", "+ptx83"]));
        command.push(format!("--cuda-gpu-arch={}", tools.cuda_target));
        command.extend(words(&[
            "--cuda-device-only",
            "-O1",
            "-S",
            "-o",
            "cuda.ptx",
        ]));
        command.extend(includes(unit.source));
        command.extend(tools.options.iter().cloned());
        command.push(unit.source.display().to_string());
        if self.run(&command, folder)?.is_some() {
            return Ok(None);
        }
        compilers.push(format!("{} {}", tools.clang, tools.cuda_target));
        Ok(assembly(&folder.join("cuda.ptx")))
    }

    /// The first error of a command, if it fails.
    fn run(&self, command: &[String], folder: &Path) -> Result<Option<String>> {
        let task = Task {
            command,
            folder,
            environment: &[],
            stdin: None,
            timeout: TIMEOUT,
            most_output: 64 << 20,
            interrupted: self.interrupted,
        };
        let (out, err) = (folder.join("out"), folder.join("err"));
        let _ = std::fs::remove_file(&err);
        let outcome = task.run(&out, &err)?;
        if outcome.end == End::Exit(0) {
            return Ok(None);
        }
        let text = std::fs::read(&err).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let error = text.lines().find(|line| line.contains("error:"));
        let error = error.map_or_else(|| outcome.end.text(), |line| first_error(line, folder));
        Ok(Some(error))
    }
}

/// The message without the folders of this machine.
fn first_error(line: &str, scratch: &Path) -> String {
    let at = line.find("error:").unwrap_or(0);
    let message = line[at..].replace(&scratch.display().to_string(), "");
    let place = line[..at].rsplit('/').next().unwrap_or_default();
    let line = format!("{place}{message}");
    line.chars().take(300).collect()
}

/// Folders in which builds look for headers: that of the unit, and those called `include`, `inc` or `common` above it.
fn includes(unit: &Path) -> Vec<String> {
    let folder = unit.parent().unwrap_or(Path::new(""));
    let mut found = vec![format!("-I{}", folder.display())];
    for above in folder.ancestors().take(4) {
        let names = ["include", "inc", "common", "Common"].map(|name| above.join(name));
        let there = names.into_iter().filter(|path| path.is_dir());
        found.extend(there.map(|path| format!("-I{}", path.display())));
    }
    found
}

fn assembly(path: &Path) -> Option<String> {
    let size = path.metadata().ok()?.len();
    (size <= MOST_ASSEMBLY)
        .then(|| std::fs::read_to_string(path).ok())
        .flatten()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
