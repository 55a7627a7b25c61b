//! The pages that people write, `docs/*.md` and `docs/howto/*.md`, in the order of `docs/SUMMARY.md`.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::{markdown, write};

/// Copies the pages into the folder of the book, and returns their order.
///
/// # Errors
/// When a page stands in no order: nobody would find it.
pub(crate) fn copy(docs: &Path, into: &Path) -> Result<String> {
    let summary = docs.join("SUMMARY.md");
    let summary = fs::read_to_string(&summary).with_context(|| summary.display().to_string())?;
    for below in ["", "howto/"] {
        let folder = docs.join(below);
        for item in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let name = item?.file_name();
            let path = format!("{below}{}", name.to_string_lossy());
            if !path.ends_with(".md") || path == "SUMMARY.md" {
                continue;
            }
            if !summary.contains(&format!("]({path})")) {
                bail!("docs/SUMMARY.md does not name {path}");
            }
            let text = fs::read_to_string(docs.join(&path))?;
            write(&into.join(&path), markdown::shown(&text).as_bytes())?;
        }
    }
    Ok(summary)
}
