//! What the command says of itself: versions, and the answers to what CMake asks of a CUDA compiler.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// The release of CUDA that is claimed: build files compare it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    major: u16,
    minor: u16,
    build: u16,
}

impl Default for Claim {
    /// The last release 12: projects ask for 12 or later, few take 13.
    fn default() -> Self {
        Self {
            major: 12,
            minor: 9,
            build: 86,
        }
    }
}

impl FromStr for Claim {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<u16>> = text
            .trim()
            .split('.')
            .map(|part| part.parse().ok())
            .collect();
        match numbers.as_deref() {
            Some(&[major, minor]) => Ok(Self {
                major,
                minor,
                build: 0,
            }),
            Some(&[major, minor, build]) => Ok(Self {
                major,
                minor,
                build,
            }),
            _ => Err(format!(
                "`{text}` is no release of CUDA; write 12.9 or 12.9.86"
            )),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.build)
    }
}

impl Claim {
    /// What `--version` prints: its last lines are what build files look for.
    pub fn text(&self) -> String {
        let Self {
            major,
            minor,
            build,
        } = self;
        format!(
            "nvcc: NVIDIA (R) Cuda compiler driver, played by cass-transpile {}\nCopyright (c) the authors of cass-transpile; code is made for AMD GPUs\nBuilt on Thu_Jan__1_00:00:00_UTC_1970\nCuda compilation tools, release {major}.{minor}, V{major}.{minor}.{build}\nBuild cuda_{major}.{minor}.r{major}.{minor}/compiler.0_0\n",
            env!("CARGO_PKG_VERSION")
        )
    }

    /// The value of `CUDA_VERSION`: 12090.
    pub fn number(&self) -> u32 {
        u32::from(self.major) * 1000 + u32::from(self.minor) * 10
    }

    /// Macros by which a source sees nvcc and its release.
    fn macros(&self) -> [String; 5] {
        [
            "-D__NVCC__".to_owned(),
            "-D__CUDACC__".to_owned(),
            format!("-D__CUDACC_VER_MAJOR__={}", self.major),
            format!("-D__CUDACC_VER_MINOR__={}", self.minor),
            format!("-D__CUDACC_VER_BUILD__={}", self.build),
        ]
    }
}

/// Virtual architectures of CUDA 12.9, which scripts go through; all mean the chips that AMD's compiler is told.
const ARCHITECTURES: &[&str] = &[
    "50", "52", "53", "60", "61", "62", "70", "72", "75", "80", "86", "87", "89", "90", "100",
    "101", "103", "120", "121",
];

/// What `--list-gpu-arch` prints.
pub(crate) fn architectures() -> String {
    ARCHITECTURES
        .iter()
        .map(|number| format!("compute_{number}\n"))
        .collect()
}

/// What `--list-gpu-code` prints.
pub fn chips() -> String {
    ARCHITECTURES
        .iter()
        .map(|number| format!("sm_{number}\n"))
        .collect()
}

/// Whether a source is the one by which CMake finds out who compiles: `CMakeCUDACompilerId.cu`.
pub(crate) fn is_identification(sources: &[&str]) -> bool {
    let is_id = |path: &&str| {
        Path::new(path)
            .file_name()
            .is_some_and(|name| name == "CMakeCUDACompilerId.cu")
    };
    sources.iter().any(is_id)
}

/// The variables that nvcc prints with `-v`: CMake takes the toolkit's folder, its headers and its libraries from them
/// (`CMakeDetermineCUDACompiler.cmake`, `CMakeNVCCParseImplicitInfo.cmake` of CMake 3.18 to 4.0).
pub fn probe(toolkit: &Path) -> String {
    let top = toolkit.display();
    let lines = [
        "_NVVM_BRANCH_=nvvm".to_owned(),
        "_SPACE_= ".to_owned(),
        "_CUDART_=cudart".to_owned(),
        format!("_HERE_={top}/bin"),
        format!("_THERE_={top}/bin"),
        "_TARGET_SIZE_=".to_owned(),
        "_TARGET_DIR_=".to_owned(),
        "_TARGET_SIZE_=64".to_owned(),
        format!("TOP={top}/bin/.."),
        format!("NVVMIR_LIBRARY_DIR={top}/bin/../nvvm/libdevice"),
        format!("LD_LIBRARY_PATH={top}/bin/../lib:"),
        format!("PATH={top}/bin:/usr/bin:/bin"),
        format!("INCLUDES=\"-I{top}/bin/..//include\"  "),
        format!("LIBRARIES=  {}", libraries(toolkit)),
        "CUDAFE_FLAGS=".to_owned(),
        "PTXAS_FLAGS=".to_owned(),
    ];
    lines.iter().map(|line| format!("#$ {line}\n")).collect()
}

fn libraries(toolkit: &Path) -> String {
    let top = toolkit.display();
    format!("\"-L{top}/bin/..//lib64/stubs\" \"-L{top}/bin/..//lib64\"")
}

/// What is printed for CMake's question, and the command that makes the program it reads strings from: plain C++ with the macros of
/// nvcc. `linker` is what links programs.
pub(crate) fn identification(
    claim: Claim,
    toolkit: &Path,
    compiler: &Path,
    architectures: &[String],
    sources: &[&str],
    output: &str,
) -> (String, Vec<String>) {
    let mut text = probe(toolkit);
    let default = ["52".to_owned()];
    let architectures = if architectures.is_empty() {
        &default
    } else {
        architectures
    };
    for number in architectures {
        text.push_str(&format!(
            "#$ cicc --c++17 -arch compute_{number} -m64 --orig_src_file_name \"CMakeCUDACompilerId.cu\"\n#$ ptxas -arch=sm_{number} -m64\n"
        ));
    }
    text.push_str(&format!(
        "#$ {} -m64 \"tmp/a_dlink.o\" -Wl,--start-group \"tmp/CMakeCUDACompilerId.o\"   {}  -lcudadevrt  -lcudart_static  -lrt -lpthread  -ldl  -Wl,--end-group -o \"{output}\" \n",
        compiler.display(),
        libraries(toolkit),
    ));
    let mut command = vec!["-x".to_owned(), "c++".to_owned()];
    command.extend(claim.macros());
    command.extend(sources.iter().map(|source| (*source).to_owned()));
    command.extend(["-o".to_owned(), output.to_owned()]);
    (text, command)
}

/// What `--help` prints.
pub fn help() -> String {
    include_str!("help.txt").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_claim_is_what_build_files_look_for() {
        let claim: Claim = "11.8".parse().unwrap();
        assert!(claim.text().contains("release 11.8, V11.8.0\n"));
        assert_eq!((claim.number(), Claim::default().number()), (11080, 12090));
        assert!("12".parse::<Claim>().is_err() && "12.x".parse::<Claim>().is_err());
    }
}
