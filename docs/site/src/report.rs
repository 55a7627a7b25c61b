//! The report of the example project, as `check fixtures/example --report html=…` writes it.

use std::path::Path;

use anyhow::Result;
use cass_transpile::Severity;
use cass_transpile::engine::{Session, translate};
use cass_transpile::mapping::ApiTable;
use cass_transpile::options::Options;
use cass_transpile::report::{Builder, Format, file_report, render};
use cass_transpile::text::SourceFile;

/// The page.
///
/// # Errors
/// When the example cannot be read.
pub(crate) fn of_example(root: &Path) -> Result<String> {
    let session = Session::new(Options::default(), ApiTable::builtin());
    let mut report = Builder::new(Options::default(), Vec::new());
    for (name, bytes) in super::files(&root.join("fixtures/example"))? {
        let source = SourceFile::new(name, bytes);
        let outcome = translate(&source, &session);
        report.add(file_report(&source, &outcome, None, Severity::Info));
    }
    Ok(render(&report.finish(), Format::Html))
}
