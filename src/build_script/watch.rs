//! Builds the library that `verify --buffers` loads into programs, to be embedded.

use std::path::Path;
use std::{env, fs};

/// Compiles `source` into a shared library at `target`; where the system cannot preload one, the file is empty.
pub(super) fn build(source: &Path, target: &Path) {
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        fs::write(target, []).expect("the output folder can be written");
        return;
    }
    let compiler = cc::Build::new()
        .opt_level(2)
        .debug(false)
        .pic(true)
        .get_compiler();
    let status = compiler
        .to_command()
        .args([
            "-shared",
            "-nostdlib",
            "-ffreestanding",
            "-fvisibility=hidden",
            "-fno-stack-protector",
            "-Wl,--build-id=none",
            "-o",
        ])
        .arg(target)
        .arg(source)
        .status()
        .expect("the compiler that tree-sitter needs runs");
    assert!(status.success(), "{} does not compile", source.display());
}
