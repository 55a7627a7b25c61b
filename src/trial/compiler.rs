//! The command that has a unit read for the host or for a chip. ROCm's headers are enough: nothing is linked, so no device library and
//! no runtime has to be there.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::program::{Limits, run};
use super::unit::{Language, Unit};
use crate::verify::End;

/// Errors of a unit that are read.
const MOST_ERRORS: usize = 20;
/// Where build files expect ROCm.
const USUAL_ROCM: &str = "/opt/rocm";

/// A compiler for HIP and where ROCm is.
#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    /// clang++ or hipcc.
    pub(crate) program: PathBuf,
    /// The first line of its version.
    pub(crate) version: String,
    /// ROCm's folder; none where the compiler finds it by itself.
    pub(crate) rocm: Option<PathBuf>,
    /// Chips, at least one.
    pub(crate) targets: Vec<String>,
    /// What a build calls its compilers for the host, and where these are; others are clang's work.
    pub(crate) hosts: BTreeMap<String, PathBuf>,
}

/// For whom a unit is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// The host, of a source that has no device code.
    Plain,
    /// The host's side of a HIP source.
    Host,
    /// A chip.
    Device(String),
}

impl fmt::Display for Pass {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain | Self::Host => out.write_str("host"),
            Self::Device(chip) => out.write_str(chip),
        }
    }
}

impl Compiler {
    /// A compiler, asked for its version.
    ///
    /// # Errors
    /// When it cannot be started, or is none; the message says so.
    pub(crate) fn new(
        program: PathBuf,
        rocm: Option<PathBuf>,
        targets: Vec<String>,
        interrupted: &AtomicBool,
    ) -> Result<Self, String> {
        let limits = Limits {
            timeout: Duration::from_secs(60),
            interrupted,
        };
        let words = [program.display().to_string(), "--version".to_owned()];
        let ran = run(&words, Path::new("."), &[], limits)?;
        let said = ran
            .stdout
            .lines()
            .chain(ran.stderr.lines())
            .find(|line| !line.trim().is_empty());
        match (ran.end, said) {
            (End::Exit(0), Some(said)) => Ok(Self {
                program,
                version: said.trim().to_owned(),
                rocm,
                targets,
                hosts: BTreeMap::new(),
            }),
            (end, said) => Err(format!(
                "{} --version: {}: {}",
                program.display(),
                end.text(),
                said.unwrap_or("it says nothing")
            )),
        }
    }

    /// The passes of a unit, the host's first.
    pub(super) fn passes(&self, unit: &Unit) -> Vec<Pass> {
        if unit.language != Language::Hip {
            return vec![Pass::Plain];
        }
        let devices = self.targets.iter().cloned().map(Pass::Device);
        [Pass::Host].into_iter().chain(devices).collect()
    }

    /// Whether clang has a pass, not a compiler of the host.
    pub(super) fn is_clang(&self, unit: &Unit, pass: &Pass) -> bool {
        let host = unit.program.as_ref().and_then(|name| self.hosts.get(name));
        *pass != Pass::Plain || host.is_none()
    }

    /// The command of a pass; the files that it read are listed in `dependencies`.
    pub(super) fn command(&self, unit: &Unit, pass: &Pass, dependencies: &Path) -> Vec<String> {
        let host = unit.program.as_ref().and_then(|name| self.hosts.get(name));
        let host = host.filter(|_| *pass == Pass::Plain);
        let mut words = vec![host.unwrap_or(&self.program).display().to_string()];
        words.extend(["-fsyntax-only", "-w"].map(str::to_owned));
        match host {
            Some(_) => words.push(format!("-fmax-errors={MOST_ERRORS}")),
            None => words.extend(self.own(unit, pass)),
        }
        words.extend(unit.options.iter().map(|option| self.at_its_place(option)));
        words.extend([
            "-MD".to_owned(),
            "-MF".to_owned(),
            dependencies.display().to_string(),
        ]);
        let language = match unit.language {
            Language::Hip => "hip",
            Language::Cpp => "c++",
            Language::C => "c",
        };
        words.extend([
            "-x".to_owned(),
            language.to_owned(),
            unit.file.display().to_string(),
        ]);
        words
    }

    /// What clang is told beside the unit's options.
    fn own(&self, unit: &Unit, pass: &Pass) -> Vec<String> {
        let mut words = [
            "-fno-color-diagnostics",
            "-fno-caret-diagnostics",
            "-Wno-unused-command-line-argument",
        ]
        .map(str::to_owned)
        .to_vec();
        words.push(format!("-ferror-limit={MOST_ERRORS}"));
        if let Pass::Host | Pass::Device(_) = pass {
            let chip = match pass {
                Pass::Device(chip) => Some(chip),
                _ => self.targets.first(),
            };
            words.extend(chip.map(|chip| format!("--offload-arch={chip}")));
            let side = if *pass == Pass::Host {
                "host"
            } else {
                "device"
            };
            words.push(format!("--cuda-{side}-only"));
            words.push("-nogpulib".to_owned());
            words.extend(
                self.rocm
                    .iter()
                    .map(|rocm| format!("--rocm-path={}", rocm.display())),
            );
        } else if unit.program.is_none() {
            words.push("-D__HIP_PLATFORM_AMD__".to_owned());
            let include = self
                .rocm
                .iter()
                .map(|rocm| rocm.join("include").display().to_string());
            words.extend(include.flat_map(|folder| ["-isystem".to_owned(), folder]));
        }
        words
    }

    /// An option of a build that expects ROCm where it is not.
    fn at_its_place(&self, option: &str) -> String {
        match &self.rocm {
            Some(rocm) if option.contains(USUAL_ROCM) && !Path::new(USUAL_ROCM).exists() => {
                option.replace(USUAL_ROCM, &rocm.display().to_string())
            }
            _ => option.to_owned(),
        }
    }

    /// What CMake is told of it.
    pub(super) fn for_cmake(&self) -> Vec<String> {
        let mut words = vec![
            format!("-DCMAKE_HIP_COMPILER={}", self.program.display()),
            format!("-DCMAKE_HIP_ARCHITECTURES={}", self.targets.join(";")),
            format!("-DGPU_TARGETS={}", self.targets.join(";")),
        ];
        if let Some(rocm) = &self.rocm {
            let rocm = rocm.display();
            words.push(format!("-DCMAKE_PREFIX_PATH={rocm}"));
            words.push(format!("-DCMAKE_HIP_COMPILER_ROCM_ROOT={rocm}"));
        }
        words
    }

    /// What decides its answers beside the files that it reads.
    pub(super) fn identity(&self) -> String {
        format!("{} {}", self.program.display(), self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiler() -> Compiler {
        Compiler {
            program: PathBuf::from("/x/clang++"),
            version: String::new(),
            rocm: Some(PathBuf::from("/x")),
            targets: vec!["gfx90a".to_owned(), "gfx1100".to_owned()],
            hosts: [("g++".to_owned(), PathBuf::from("/usr/bin/g++"))].into(),
        }
    }

    fn unit(language: Language, program: Option<&str>) -> Unit {
        Unit {
            file: PathBuf::from("/p/a b.cu"),
            folder: PathBuf::from("/p"),
            options: vec!["-DA".to_owned()],
            language,
            program: program.map(str::to_owned),
        }
    }

    #[test]
    fn device_code_is_read_for_the_host_and_each_chip() {
        let (compiler, unit) = (compiler(), unit(Language::Hip, Some("hipcc")));
        let passes = compiler.passes(&unit);
        let names: Vec<String> = passes.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["host", "gfx90a", "gfx1100"]);
        let words = compiler
            .command(&unit, &passes[2], Path::new("/d"))
            .join(" ");
        assert!(words.starts_with("/x/clang++ -fsyntax-only -w "), "{words}");
        assert!(
            words.contains(" --offload-arch=gfx1100 --cuda-device-only ")
                && words.contains(" -DA "),
            "{words}"
        );
        assert!(words.ends_with("-MD -MF /d -x hip /p/a b.cu"), "{words}");
    }

    #[test]
    fn the_host_has_the_compiler_of_the_build() {
        let (compiler, of_build) = (compiler(), unit(Language::C, Some("g++")));
        assert_eq!(compiler.passes(&of_build), [Pass::Plain]);
        let words = compiler
            .command(&of_build, &Pass::Plain, Path::new("/d"))
            .join(" ");
        assert!(
            words.starts_with("/usr/bin/g++ ") && !words.contains("rocm"),
            "{words}"
        );
        let words = compiler
            .command(&unit(Language::Cpp, None), &Pass::Plain, Path::new("/d"))
            .join(" ");
        assert!(
            words.contains("-D__HIP_PLATFORM_AMD__ -isystem /x/include"),
            "{words}"
        );
    }
}
