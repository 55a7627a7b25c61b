//! The headers by which sources that stay CUDA's compile for AMD: beside the output, in a folder that its build files name.

use std::collections::BTreeMap;

use anyhow::Result;

use super::target::Target;
use crate::build::hip_sources::{FOLDER, MODULE, module};
use crate::engine::Session;
use crate::options::Vendors;
use crate::pipeline::PlannedFile;
use crate::shim::{self, Use};
use crate::syntax::Document;
use crate::text::{SourceFile, is_cpp};

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
    let text = shim::header(&uses, &session.options, Some(session.options.rocm));
    // The same commands compile C, which hipcc gives no folder of ROCm's and which needs none.
    let text =
        format!("#if defined(__cplusplus) || __has_include(<hip/hip_runtime.h>)\n{text}#endif\n");
    forwarding.insert(shim::HEADER_NAME.to_owned(), text);
    if is_asked {
        forwarding.insert(MODULE.to_owned(), module());
    }
    for (path, text) in &forwarding {
        target.write_beside(&format!("{FOLDER}/{path}"), text)?;
    }
    Ok(())
}
