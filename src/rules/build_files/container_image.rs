//! A container that starts from NVIDIA's image.
//!
//! ## Why on AMD
//! `nvidia/cuda` brings CUDA's compiler and libraries. AMD's `rocm/dev-ubuntu-…:…-complete` brings hipcc, the libraries and CMake's
//! packages, for Ubuntu 22.04 and 24.04. Folders of the toolkit in PATH and LD_LIBRARY_PATH become ROCm's. An image with a variable in
//! its tag, of another system, or without libraries has no single counterpart: it stays, with a finding that says what to choose from.
//!
//! ## Example
//! ```dockerfile
//! FROM nvidia/cuda:12.4.1-devel-ubuntu22.04
//! ENV PATH=/usr/local/cuda/bin:$PATH
//! ```
//! becomes
//! ```dockerfile
//! FROM rocm/dev-ubuntu-22.04:6.4-complete
//! ENV PATH=/opt/rocm/bin:$PATH
//! ```
//!
//! ## When to ignore
//! In images and jobs for NVIDIA's machines alone. One that is called after a library of NVIDIA's, `tensorrt/Dockerfile`, stays, one that
//! such a library is put into, that of a job with `--gpus`, and those of a tree of scripts alone, which serve both vendors.
//!
//! ## Source
//! NVIDIA's and AMD's images on Docker Hub, by the pattern of their tags: whether a release has one, the registry says. ROCm 6.4, supported
//! systems.

use crate::analysis::nvidia_modules::is_named_after_module;
use crate::build::amd_tools::serves_amd;
use crate::build::container::{folders, images};
use crate::rules::prelude::*;

/// Writes AMD's image.
pub static RULE: Rule = Rule {
    code: "CASS635",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::OtherBuildFile(check)],
};

const HELP: &str = "`docker manifest inspect` says whether your registry has the tag; run it with --device /dev/kfd --device /dev/dri; to build, no GPU is needed";

fn check(cx: &mut BuildContext<'_, '_>) {
    let is_served =
        || serves_amd(cx.doc) || cx.project.paths.has_variant_for_amd(&cx.doc.source.path);
    let is_nvidias = || is_named_after_module(&cx.doc.source.path);
    if images(cx.doc).is_empty() || cx.keeps_image() || is_served() || is_nvidias() {
        return;
    }
    // The folders of the toolkit change with the first image.
    let mut paths: Vec<Edit> = folders(cx.doc)
        .into_iter()
        .map(|(range, becomes)| Edit::replace(range, becomes))
        .collect();
    for image in images(cx.doc) {
        let becomes = image.of_amd(cx.options().rocm);
        let message = format!(
            "`{}` is an image with CUDA; AMD's is `{becomes}`",
            cx.text_of(image.range)
        );
        let mut edits = vec![Edit::replace(image.range, becomes)];
        edits.append(&mut paths);
        let finding = RULE.finding(image.range, message).help(HELP);
        cx.report(finding.fix(Fix::review(edits)));
    }
}
