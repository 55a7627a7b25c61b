//! The folder that stands for a CUDA toolkit: `bin/nvcc`, headers with CUDA's names for compilers that see sources untranslated, and
//! libraries with CUDA's names that lead to ROCm's.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::identity::Claim;
use super::place::Said;
use crate::compat;
use crate::emit;
use crate::mapping::{ApiEntry, ApiTable, BuildTable, Choices, Kind, Support, library};
use crate::options::Options;
use crate::shim;

/// The file that marks a toolkit folder as ours, with what was said at installation.
pub(crate) const MARK: &str = "cass-nvcc.toml";

/// Whether a folder of headers is a CUDA toolkit's, NVIDIA's or ours.
pub(crate) fn is_toolkit(folder: &Path) -> bool {
    folder.join("crt/host_config.h").is_file() || folder.join("cass").join(MARK).is_file()
}

/// What the mark of a toolkit folder says.
pub fn settings(folder: &Path) -> Said {
    let text = fs::read_to_string(folder.join(MARK)).unwrap_or_default();
    toml::from_str(&text).unwrap_or_default()
}

/// What a toolkit folder is made of.
#[derive(Debug)]
pub struct Toolkit<'a> {
    /// What `bin/nvcc` links to.
    pub program: &'a Path,
    /// The file name of that link.
    pub command: &'a str,
    /// ROCm's folder.
    pub rocm: &'a Path,
    /// Release of CUDA to speak of.
    pub claim: Claim,
    /// What is kept in the mark.
    pub said: Said,
}

/// Writes a toolkit folder.
///
/// # Errors
/// When a file cannot be written; the message names it.
pub fn install(folder: &Path, toolkit: &Toolkit<'_>) -> Result<()> {
    let (claim, rocm) = (toolkit.claim, toolkit.rocm);
    let include = folder.join("include");
    for (path, text) in headers(claim) {
        emit::write(&include.join(path), text.as_bytes(), None)?;
    }
    emit::write(&include.join("cass").join(MARK), b"", None)?;
    links_to_headers(&include, rocm)?;
    libraries(&folder.join("lib64"), rocm)?;
    link(Path::new("lib64"), &folder.join("lib"))?;
    let version = format!("{{\"cuda\": {{\"name\": \"CUDA SDK\", \"version\": \"{claim}\"}}}}\n");
    emit::write(&folder.join("version.json"), version.as_bytes(), None)?;
    emit::write(
        &folder.join("nvvm/libdevice/README"),
        b"Code for NVIDIA's GPUs has no place here.\n",
        None,
    )?;
    emit::folder(&folder.join("bin"))?;
    let command = folder.join("bin").join(toolkit.command);
    if link(toolkit.program, &command).is_err() {
        emit::copy(toolkit.program, &command)?;
    }
    // The mark comes last: without it the folder is not whole.
    let text = toml::to_string(&toolkit.said).context("settings are plain text")?;
    emit::write(&folder.join(MARK), text.as_bytes(), None)?;
    Ok(())
}

/// A link in the place of whatever link stands there.
fn link(target: &Path, at: &Path) -> Result<()> {
    let is_there = || fs::read_link(at).is_ok_and(|there| there == target);
    if is_there() {
        return Ok(());
    }
    match emit::link(target, at) {
        // Another command of `make -j` wrote it in between.
        Err(_) if is_there() => Ok(()),
        made => made.map(drop),
    }
}

/// Folders of ROCm's headers by their own names, for compilers that know no ROCm.
fn links_to_headers(include: &Path, rocm: &Path) -> Result<()> {
    const STARTS: &[&str] = &[
        "hip", "roc", "rccl", "miopen", "hsa", "amd_", "amd-", "thrust",
    ];
    let folder = rocm.join("include");
    let items = folder.read_dir().into_iter().flatten().flatten();
    for item in items {
        let name = item.file_name();
        let text = name.to_string_lossy();
        if STARTS.iter().any(|start| text.starts_with(start)) {
            link(&item.path(), &include.join(&name))?;
        }
    }
    Ok(())
}

/// `libcudart.so` that is ROCm's, and so on.
fn libraries(folder: &Path, rocm: &Path) -> Result<()> {
    emit::folder(&folder.join("stubs"))?;
    for (name, library) in BuildTable::builtin().libraries() {
        let Some(words) = library.link(&Choices::default()) else {
            continue;
        };
        let targets: Vec<PathBuf> = words
            .split_whitespace()
            .filter_map(|word| word.strip_prefix("-l"))
            .map(|target| rocm.join("lib").join(format!("lib{target}.so")))
            .collect();
        let files: Vec<String> = targets
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let script = format!(
            "/* ROCm's library under CUDA's name */\nINPUT({})\n",
            files.join(" ")
        );
        match targets.as_slice() {
            [] => drop(emit::write(
                &folder.join(format!("lib{name}.a")),
                b"!<arch>\n",
                None,
            )?),
            _ if name.contains("_static") => {}
            [target] if target.exists() => link(target, &folder.join(format!("lib{name}.so")))?,
            _ => drop(emit::write(
                &folder.join(format!("lib{name}.so")),
                script.as_bytes(),
                None,
            )?),
        }
        if name.contains("_static") {
            emit::write(
                &folder.join(format!("lib{name}.a")),
                script.as_bytes(),
                None,
            )?;
        }
        if name == "cuda" {
            emit::write(&folder.join("stubs/libcuda.so"), script.as_bytes(), None)?;
        }
    }
    Ok(())
}

/// Headers with CUDA's names, by path: each brings the names of its library as macros.
fn headers(claim: Claim) -> BTreeMap<PathBuf, String> {
    let table = ApiTable::builtin();
    let (mut found, mut libraries) = (BTreeMap::new(), BTreeSet::new());
    for hit in table.iter() {
        let entry = hit.entry;
        let is_plain = entry.kind == Kind::Header
            && !entry.cuda.contains('*')
            && entry.support != Support::Unsupported;
        // rocThrust has Thrust's folder as it is.
        if is_plain && entry.hip != Some(entry.cuda) && !entry.cuda.starts_with("thrust/") {
            let library = library_of(entry);
            libraries.insert(library);
            found.insert(PathBuf::from(entry.cuda), forwarding(entry, library));
        }
    }
    for name in libraries {
        found.insert(
            PathBuf::from(format!("cass/{name}.h")),
            names_of(name, &table, claim),
        );
    }
    found
}

/// The table whose names every header of CUDA's brings, with those of the driver.
const RUNTIME: &str = "runtime";
const DRIVER: &str = "driver";

/// The table whose names a header of CUDA's brings: that of the library whose header it becomes.
fn library_of(entry: &ApiEntry) -> &'static str {
    let libraries = library::LIBRARIES.iter();
    let mut own =
        libraries.filter(|library| !library.header.is_empty() && Some(library.header) == entry.hip);
    own.find(|library| !matches!(library.key, "device" | DRIVER))
        .map_or(RUNTIME, |library| library.key)
}

fn forwarding(entry: &ApiEntry, library: &str) -> String {
    let target = entry.hip.filter(|target| !target.is_empty());
    let include = target.map_or_else(String::new, |target| format!("#include <{target}>\n"));
    let name = entry.cuda.rsplit('/').next().unwrap_or(entry.cuda);
    let helper =
        compat::replacing(name).map(|helper| compat::snippets(&BTreeSet::from([helper.name])));
    let up = "../".repeat(entry.cuda.matches('/').count());
    let alias = if entry.cuda.starts_with("cub/") {
        "namespace cub = hipcub;\n"
    } else {
        ""
    };
    format!(
        "// {} for AMD GPUs. Generated by cass-transpile nvcc --install.\n#pragma once\n#include \"{up}cass/{RUNTIME}.h\"\n{}{include}#include \"{up}cass/{library}.h\"\n{alias}",
        entry.cuda,
        helper.unwrap_or_default(),
    )
}

/// The names of a library as macros.
fn names_of(name: &str, table: &ApiTable, claim: Claim) -> String {
    let options = Options::default();
    let mut text = format!(
        "// {} for AMD GPUs. Generated by cass-transpile nvcc --install.\n#pragma once\n",
        library::title(name)
    );
    if name == RUNTIME {
        let number = claim.number();
        text.push_str(&format!(
            "#ifndef __HIP_PLATFORM_AMD__\n#define __HIP_PLATFORM_AMD__\n#endif\n#ifndef HIPBLAS_V2\n#define HIPBLAS_V2\n#endif\n#include <hip/hip_runtime.h>\n#ifndef CUDART_VERSION\n#define CUDART_VERSION {number}\n#endif\n#ifndef CUDA_VERSION\n#define CUDA_VERSION {number}\n#endif\n"
        ));
    }
    let is_wanted = |entry: &&ApiEntry| {
        let is_name = matches!(
            entry.kind,
            Kind::Function | Kind::Type | Kind::Enumerator | Kind::Macro
        );
        let is_of = entry.library == name || name == RUNTIME && entry.library == DRIVER;
        is_name && is_of && !entry.is_unchanged() && !entry.context && entry.hip != Some(entry.cuda)
    };
    let entries = table.iter().map(|hit| hit.entry).filter(is_wanted);
    let release = Some(options.rocm);
    let lines = entries.filter_map(|entry| shim::line(entry, &options, release));
    // What is defined already is the person's own.
    lines.for_each(|line| {
        text.push_str(&line);
        text.push('\n');
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_lead_to_the_names_of_their_library() {
        let headers = headers(Claim::default());
        let of = |path: &str| {
            headers
                .get(Path::new(path))
                .map(String::as_str)
                .unwrap_or_default()
        };
        assert!(of("cuda_runtime.h").contains("#include \"cass/runtime.h\""));
        assert!(of("cublas_v2.h").contains("#include <hipblas/hipblas.h>"));
        assert!(of("cass/runtime.h").contains("\n#define cudaMalloc hipMalloc\n"));
        assert!(of("cass/runtime.h").contains("#define CUDART_VERSION 12090\n"));
        assert!(of("cass/blas.h").contains("#define cublasCreate"));
    }
}
