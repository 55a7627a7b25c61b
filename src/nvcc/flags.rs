//! Options of nvcc as clang takes them, by the table that build files are rewritten with (`mappings/build.toml`).

use crate::mapping::{BuildTable, Choices};

/// What an option becomes, and what a person should know of it.
///
/// # Errors
/// When there is nothing like it; the message says what to do.
pub(super) fn of_table(
    name: &str,
    spelling: &str,
    value: &str,
) -> Result<(Vec<String>, Option<String>), String> {
    let table = BuildTable::builtin();
    let long = format!("--{name}");
    let Some((word, _)) = table
        .option(&long, value)
        .or_else(|| table.option(spelling, value))
    else {
        return Ok((Vec::new(), None));
    };
    let Some(becomes) = &word.becomes else {
        return Err(format!(
            "'{spelling}' has no counterpart on AMD: {}",
            word.advice
        ));
    };
    let words = becomes.replace("{}", value);
    let words = words.split_whitespace().map(str::to_owned).collect();
    let review = (!word.review.is_empty()).then(|| format!("'{spelling}': {}", word.review));
    Ok((words, review))
}

/// Whether an option of the host compiler counts for linking as well.
pub(super) fn is_for_both(option: &str) -> bool {
    const BOTH: &[&str] = &[
        "-fopenmp",
        "-pthread",
        "-static",
        "-rdynamic",
        "-fsanitize",
        "-no-pie",
        "-pie",
        "-flto",
        "-pg",
        "--coverage",
        "-stdlib",
    ];
    BOTH.iter().any(|start| option.starts_with(start))
}

/// An option of the host compiler. Those about its instruction sets must not reach the device's compilation.
pub(super) fn of_host(option: String) -> Vec<String> {
    let is_links_alone = matches!(
        option.as_str(),
        "-rdynamic" | "-static" | "-pie" | "-no-pie" | "-shared"
    );
    if is_links_alone {
        return Vec::new();
    }
    let is_of_machine = option.starts_with("-m") && !matches!(option.as_str(), "-m64" | "-m32");
    if is_of_machine {
        return vec!["-Xarch_host".to_owned(), option];
    }
    vec![option]
}

/// The linker's words for a library by its name, and advice where AMD has none.
pub(super) fn library(name: &str, choices: &Choices) -> (Vec<String>, Option<String>) {
    let Some(library) = BuildTable::builtin().library(name) else {
        return (vec![format!("-l{name}")], None);
    };
    match library.link(choices) {
        Some(link) => (link.split_whitespace().map(str::to_owned).collect(), None),
        None => (
            vec![format!("-l{name}")],
            Some(format!(
                "library '{name}' has no counterpart on AMD: {}",
                library.advice
            )),
        ),
    }
}

/// The linker's words for a library that is named as a file: `/usr/local/cuda/lib64/libcudart.so`.
pub(super) fn library_file(path: &str, choices: &Choices) -> Option<Vec<String>> {
    let file = path.rsplit('/').next()?.strip_prefix("lib")?;
    let name = file.split_once(".so").map(|(name, _)| name);
    let name = name.or_else(|| file.strip_suffix(".a"))?;
    let known = BuildTable::builtin().library(name)?;
    known.link(choices).map(|_| library(name, choices).0)
}

/// Why nothing is written for `-ptx` and its like.
pub(super) fn no_module(name: &str) -> String {
    let way = if matches!(name, "ptx" | "cubin") {
        "set CASS_NVCC_MODULES=1 to write AMD's code object under that name: hipModuleLoad and hipModuleLoadData read it, a program that reads the file as PTX does not"
    } else {
        "compile the source with the program, or with -fatbin for hipModuleLoad"
    };
    format!("'--{name}' cannot be done: there is no such code for AMD GPUs; {way}")
}

/// What is in a file that should hold code for NVIDIA.
pub(super) fn module_warning(name: &str) -> String {
    format!(
        "'--{name}' writes AMD's code object, which hipModuleLoad reads; it is no code for NVIDIA"
    )
}
