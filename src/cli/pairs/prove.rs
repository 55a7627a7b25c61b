//! Compilers that are at hand.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::cli::args::ProofArgs;
use crate::pairs::Tools;

/// What `--compile` compiles with.
pub(super) fn tools(args: &ProofArgs) -> Result<Tools> {
    let rocm = args
        .rocm_path
        .clone()
        .or_else(|| std::env::var_os("ROCM_PATH").map(PathBuf::from));
    let rocm = rocm.unwrap_or_else(|| PathBuf::from("/opt/rocm"));
    if !rocm.join("include/hip/hip_runtime.h").is_file() {
        bail!(
            "{}: has no include/hip/hip_runtime.h; name ROCm's folder with --rocm-path, or leave out --compile",
            rocm.display()
        );
    }
    let clang = match &args.clang {
        Some(clang) => clang.clone(),
        None => clang(&rocm).context("no clang++ is found; name one with --clang")?,
    };
    if let Some(folder) = args
        .cuda_include
        .as_ref()
        .filter(|f| !f.join("cuda_runtime.h").is_file())
    {
        bail!("{}: has no cuda_runtime.h", folder.display());
    }
    let absolute = |path: &PathBuf| std::path::absolute(path);
    Ok(Tools {
        clang,
        device_libraries: device_libraries(&rocm),
        rocm: absolute(&rocm)?,
        target: args.chip.clone(),
        cuda_include: args.cuda_include.as_ref().map(absolute).transpose()?,
        cuda_target: args.cuda_arch.clone(),
        runtime: args.link.as_ref().map(absolute).transpose()?,
        options: args.compiler_option.clone(),
        assembly: args.assembly,
    })
}

fn clang(rocm: &Path) -> Option<String> {
    let own = rocm.join("llvm/bin/clang++").display().to_string();
    let mut names = vec![own, "clang++".to_owned()];
    names.extend((17..=21).rev().map(|release| format!("clang++-{release}")));
    let starts = |name: &String| {
        let mut command = Command::new(name);
        command
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    names.into_iter().find(starts)
}

/// Debian's packages have the device libraries below the compiler that they were built with.
pub(in crate::cli) fn device_libraries(rocm: &Path) -> Option<PathBuf> {
    let usual = rocm.join("amdgcn/bitcode");
    if usual.is_dir() {
        return Some(usual);
    }
    let releases = (15..=22).rev();
    let places = releases.map(|release| {
        rocm.join(format!(
            "lib/llvm-{release}/lib/clang/{release}/amdgcn/bitcode"
        ))
    });
    places.into_iter().find(|place| place.is_dir())
}
