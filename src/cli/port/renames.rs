use std::path::Path;

use crate::pipeline::{EntryKind, PlannedFile};
use crate::port::{Candidate, Content, Port, key_of};

/// Whether a source of an earlier run is still there, whatever left it out of this one.
pub(in crate::cli) fn is_there(root: &Path, source: &str) -> bool {
    let path = crate::port::path_of(source).map(|path| root.join(path));
    path.is_some_and(|path| path.symlink_metadata().is_ok())
}

/// Finds out which new files of the sources are old ones under another name. Costs nothing as long as no file is gone.
pub(in crate::cli) fn follow(port: &mut Port, root: &Path, files: &[PlannedFile]) {
    if !port.knows_files() || !root.is_dir() {
        return;
    }
    let made = files.iter().map(|file| key_of(&file.output)).collect();
    let gone: Vec<Candidate> = {
        let sources: std::collections::BTreeSet<String> = files
            .iter()
            .map(|file| key_of(&file.entry.relative))
            .collect();
        // A source that takes part under another name has gone from its old one.
        let is_left_out = |source: &str| is_there(root, source) && !sources.contains(source);
        let vanished = port.vanished(&made, is_left_out);
        let with_source = vanished.filter(|(_, record)| !record.source.is_empty());
        with_source
            .map(|(key, record)| Candidate {
                key: key.clone(),
                source: record.source.clone(),
                hash: record.source_hash,
                text: port.text(record.base.hash),
            })
            .collect()
    };
    if gone.is_empty() {
        return;
    }
    let new: Vec<Candidate> = files
        .iter()
        .filter(|file| file.entry.kind == EntryKind::File)
        .filter_map(|file| candidate(port, file))
        .collect();
    port.follow_renames(&gone, &new);
}

fn candidate(port: &Port, file: &PlannedFile) -> Option<Candidate> {
    let key = key_of(&file.output);
    if port.has_left(&key) {
        return None;
    }
    let content = Content::read(&file.entry.path).ok()??;
    let text = content.text().map(<[u8]>::to_vec);
    Some(Candidate {
        key,
        source: key_of(&file.entry.relative),
        hash: content.mark.hash,
        text,
    })
}
