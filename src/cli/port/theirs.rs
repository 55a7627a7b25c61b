use std::fs::Permissions;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::emit;
use crate::pipeline::{EntryKind, PlannedFile, Processed};
use crate::port::{Content, Hash, Kind, Source, key_of};

/// What a translation makes of a file today.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Theirs {
    /// What should be in the output.
    pub(in crate::cli) content: Content,
    /// What it was made of.
    pub(in crate::cli) source: Source,
    /// The permissions of the file that it was made of; `None` of a link, and where there is no such file.
    pub(in crate::cli) permissions: Option<Permissions>,
}

/// What a file becomes; `changed` are its bytes where it does not stay as it is.
///
/// # Errors
/// When the source cannot be read; the message names it.
pub(in crate::cli) fn theirs(
    file: &PlannedFile,
    processed: &Processed,
    changed: Option<&[u8]>,
) -> Result<Theirs> {
    let path = key_of(&file.entry.relative);
    let read = match processed {
        Processed::Source { source, .. } => Some(&source.bytes),
        _ => None,
    };
    let (content, permissions) = match (&file.entry.kind, changed.or(read.map(Vec::as_slice))) {
        (EntryKind::Link(destination), _) => {
            let bytes = destination.as_os_str().as_encoded_bytes();
            (Content::new(Kind::Link, bytes.to_vec()), None)
        }
        (EntryKind::File | EntryKind::Made(_), Some(bytes)) => {
            let permissions = emit::permissions(&file.entry.path);
            let kind = permissions.as_ref().map_or(Kind::File, Kind::of);
            (Content::new(kind, bytes.to_vec()), permissions)
        }
        (EntryKind::File | EntryKind::Made(_), None) => {
            let (content, permissions) = of_disk(&file.entry.path)?;
            (content, Some(permissions))
        }
    };
    let hash = match read.filter(|_| changed.is_some()) {
        Some(bytes) => Hash::of(bytes),
        None => content.mark.hash,
    };
    Ok(Theirs {
        content,
        source: Source { path, hash },
        permissions,
    })
}

fn of_disk(path: &Path) -> Result<(Content, Permissions)> {
    Content::of_file(path).with_context(|| format!("{}: cannot be read", path.display()))
}
