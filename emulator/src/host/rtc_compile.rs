//! The compiler behind hiprtc: the clang that `HIP_EMULATOR_CLANG` names, or the newest on the path, with AMD's headers of `CASS_ROCM`
//! (as `tools/hipcc` finds them) or of `ROCM_PATH`.

use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::read::elf::ElfFile64;
use object::{Object, ObjectSymbol, ObjectSymbolTable, RelocationTarget};

use super::rtc::Program;
use super::runtime::runtime;

/// What came of a program; no code where it does not compile.
pub struct Compiled {
    /// What the compiler said.
    pub log: CString,
    /// The code object.
    pub code: Vec<u8>,
    /// The symbols of its expressions, in their order.
    pub lowered: Vec<CString>,
}

/// Begins the names of variables that hold the addresses of expressions.
const EXPRESSION: &str = "__hip_emulator_expression_";

/// Compiles a program for the chip that runs.
pub fn compile(program: &Program, options: &[String]) -> Compiled {
    let folder = std::env::temp_dir().join(format!(
        "hip-emulator-{}-{:p}",
        std::process::id(),
        std::ptr::from_ref(program)
    ));
    let outcome = run(program, options, &folder);
    // What stays of a temporary folder is nobody's loss.
    let _ = std::fs::remove_dir_all(&folder);
    let (log, code) = outcome.unwrap_or_else(|error| (error, Vec::new()));
    Compiled {
        log: CString::new(log.replace('\0', " ")).unwrap_or_default(),
        lowered: lowered(&code, program.expressions.len()).unwrap_or_default(),
        code,
    }
}

fn run(program: &Program, options: &[String], folder: &Path) -> Result<(String, Vec<u8>), String> {
    write(program, folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let clang = clang()?;
    let mut command = Command::new(&clang);
    command.current_dir(folder).args([
        "-x",
        "hip",
        "--cuda-device-only",
        "--no-gpu-bundle-output",
        "-std=c++17",
        "-O3",
        "-I.",
    ]);
    // As AMD's does: the option of nvcc's name is taken for its own, so that an NVIDIA architecture is an error.
    let ours = |option: &String| option.replacen("--gpu-architecture=", "--offload-arch=", 1);
    let options: Vec<String> = options.iter().map(ours).collect();
    if !options
        .iter()
        .any(|option| option.starts_with("--offload-arch="))
    {
        command.arg(format!("--offload-arch={}", runtime().chip.name));
    }
    command.args(headers()).args(options);
    let done = command
        .args(["-include", "hip/hip_runtime.h", "program.hip", "-o", "code"])
        .output()
        .map_err(|error| format!("{clang}: {error}"))?;
    let log = String::from_utf8_lossy(&done.stderr).replace("program.hip", &program.name);
    let code = std::fs::read(folder.join("code")).unwrap_or_default();
    Ok((log, code))
}

/// The program with its headers, and variables with the addresses of its expressions behind it.
fn write(program: &Program, folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, text) in &program.headers {
        let path = folder.join(name.trim_start_matches('/'));
        if let Some(above) = path.parent() {
            std::fs::create_dir_all(above)?;
        }
        std::fs::write(path, text)?;
    }
    let numbered = program.expressions.iter().enumerate();
    let expressions: String = numbered
        .map(|(k, expression)| {
            let expression = expression.trim_start_matches('&');
            format!(
                "\nextern \"C\" __attribute__((used)) __device__ void* {EXPRESSION}{k} = (void*)&{expression};"
            )
        })
        .collect();
    let source = format!("#line 1\n{}{expressions}\n", program.source);
    std::fs::write(folder.join("program.hip"), source)
}

fn clang() -> Result<String, String> {
    if let Ok(named) = std::env::var("HIP_EMULATOR_CLANG") {
        return Ok(named);
    }
    let works = |name: &String| {
        Command::new(name)
            .arg("--version")
            .output()
            .is_ok_and(|done| done.status.success())
    };
    (17..=22)
        .rev()
        .map(|release| format!("clang++-{release}"))
        .chain(["clang++".to_string()])
        .find(works)
        .ok_or_else(|| {
            "hiprtc needs a clang: none is on the path, and HIP_EMULATOR_CLANG names none"
                .to_string()
        })
}

/// Options that say where AMD's headers and device libraries are.
fn headers() -> Vec<String> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let rocm = folder("CASS_ROCM")
        .map(|rocm| rocm.join("usr"))
        .or_else(|| folder("ROCM_PATH"))
        .unwrap_or_else(|| "/opt/rocm".into());
    let mut options = vec![
        format!("--rocm-path={}", rocm.display()),
        "-isystem".to_string(),
        rocm.join("include").display().to_string(),
        "-D__HIP_PLATFORM_AMD__".to_string(),
    ];
    let bitcode = rocm.join("lib/llvm-17/lib/clang/17/amdgcn/bitcode");
    if bitcode.is_dir() {
        options.push(format!("--rocm-device-lib-path={}", bitcode.display()));
    }
    options
}

/// The symbols to which the variables of expressions point.
fn lowered(code: &[u8], count: usize) -> Option<Vec<CString>> {
    let elf: ElfFile64 = ElfFile64::parse(code).ok()?;
    (0..count)
        .map(|k| symbol(&elf, &format!("{EXPRESSION}{k}")))
        .collect()
}

fn symbol(elf: &ElfFile64, variable: &str) -> Option<CString> {
    let named = |name: &str| elf.dynamic_symbols().find(|s| s.name() == Ok(name));
    let place = named(variable)?.address();
    let (_, relocation) = elf.dynamic_relocations()?.find(|(at, _)| *at == place)?;
    let name = match relocation.target() {
        RelocationTarget::Symbol(index) => elf
            .dynamic_symbol_table()?
            .symbol_by_index(index)
            .ok()?
            .name()
            .ok()?,
        _ => {
            let address = relocation.addend() as u64;
            let at = |s: &object::read::elf::ElfSymbol64<'_, '_>| s.address() == address;
            elf.dynamic_symbols().find(at)?.name().ok()?
        }
    };
    CString::new(name).ok()
}
