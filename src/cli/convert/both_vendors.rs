//! The headers by which sources that stay CUDA's compile for AMD: beside the output, in a folder that its build files name.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use anyhow::Result;

use super::target::Target;
use crate::build::hip_sources::{FOLDER, HEADER, MODULE, module};
use crate::engine::Session;
use crate::options::Vendors;
use crate::pipeline::PlannedFile;
use crate::shim::{self, Use};
use crate::syntax::Document;
use crate::text::{BuildTool, Language, SourceFile, is_cpp};

/// What the header says where a person asked for both vendors: a later run goes on so, since it would take the build from NVIDIA's
/// compiler otherwise.
const ASKED: &str = "Written by cass-transpile --vendors both; later runs keep the tree so.";
/// What it says where only some files of a tree serve both vendors.
const NOT_ASKED: &str = "Written by cass-transpile.";

/// Whether a file or folder lies in a tree that an earlier run left serving both vendors, as far up as its repository begins.
pub(in crate::cli) fn serves_both(root: &Path) -> bool {
    let root = std::path::absolute(root).unwrap_or_else(|_| root.to_path_buf());
    let is_end = |folder: &Path| folder.join(".git").exists();
    for folder in root.ancestors() {
        if is_header_for_both(&folder.join(HEADER)) {
            return true;
        }
        if is_end(folder) {
            break;
        }
    }
    false
}

/// Whether a file begins with what [`write_headers`] writes first.
fn is_header_for_both(path: &Path) -> bool {
    let Ok(file) = std::fs::File::open(path) else {
        return false;
    };
    let mut start = Vec::new();
    let read = file.take(1_000).read_to_end(&mut start);
    read.is_ok() && memchr::memmem::find(&start, ASKED.as_bytes()).is_some()
}

/// Writes the headers for the names that the sources for both vendors use, where there are any. A source that cannot be read was told of
/// by the run.
///
/// # Errors
/// When the folder cannot be written.
pub(super) fn write_headers(
    files: &[PlannedFile],
    target: &Target,
    session: &Session,
) -> Result<()> {
    let is_asked = session.options.vendors == Vendors::Both;
    let is_code = |file: &&PlannedFile| {
        let name = file.entry.name();
        is_cpp(&name) && session.of(&name).vendors_of(&name) == Vendors::Both
    };
    if !is_asked && !files.iter().any(|file| is_code(&file)) {
        return Ok(());
    }
    let read = |file: &PlannedFile| {
        let bytes = std::fs::read(&file.entry.path).ok()?;
        Some(SourceFile::new(file.entry.name(), bytes))
    };
    let mut uses = BTreeMap::<&'static str, Use<'_>>::new();
    let mut forwarding = BTreeMap::new();
    for source in files.iter().filter(is_code).filter_map(read) {
        let document = Document::new(&source);
        let used = shim::used(&document, &session.table).into_iter();
        uses.extend(used.map(|(name, (use_, _))| (name, use_)));
        forwarding.extend(shim::headers(std::iter::once(&document), &session.table).0);
    }
    let generator = if is_asked { ASKED } else { NOT_ASKED };
    let release = Some(session.options.rocm);
    let text = shim::header(&uses, &session.options, release, generator);
    // The same commands compile C, which hipcc gives no folder of ROCm's and which needs none.
    let text =
        format!("#if defined(__cplusplus) || __has_include(<hip/hip_runtime.h>)\n{text}#endif\n");
    forwarding.insert(shim::HEADER_NAME.to_owned(), text);
    let is_list = |file: &PlannedFile| {
        Language::of_path(&file.entry.name()) == Language::Build(BuildTool::CMake)
    };
    if is_asked && files.iter().any(is_list) {
        forwarding.insert(MODULE.to_owned(), module());
    }
    for (path, text) in &forwarding {
        target.write_beside(&format!("{FOLDER}/{path}"), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_looked_for_where_it_is_written() {
        assert_eq!(HEADER, format!("{FOLDER}/{}", shim::HEADER_NAME));
    }
}
