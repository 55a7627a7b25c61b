//! Under which licence a source stands, as far as its text or a file beside it says.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bytes of a source that a notice is looked for in.
const HEAD: usize = 6000;
/// Names of files that hold a licence, without their endings.
const FILES: &[&str] = &[
    "LICENSE",
    "LICENCE",
    "COPYING",
    "License",
    "license",
    "COPYRIGHT",
];

/// A licence and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Licence {
    /// Its identifier of SPDX; `unknown` where there is a text that is not recognised.
    pub spdx: String,
    /// `file` for a notice in the source itself, else the path of the licence's file.
    pub from: String,
}

/// Words by which a text is known; all have to be there. The more special come first.
const KNOWN: &[(&str, &[&str])] = &[
    ("Apache-2.0", &["apache license", "version 2.0"]),
    (
        "LGPL-3.0-only",
        &["lesser general public license", "version 3"],
    ),
    ("LGPL-2.1-only", &["lesser general public license", "2.1"]),
    ("AGPL-3.0-only", &["affero general public license"]),
    ("GPL-3.0-only", &["general public license", "version 3"]),
    ("GPL-2.0-only", &["general public license", "version 2"]),
    ("MPL-2.0", &["mozilla public license", "2.0"]),
    ("BSL-1.0", &["boost software license"]),
    (
        "BSD-3-Clause",
        &[
            "redistributions of source code must retain",
            "neither the name",
        ],
    ),
    (
        "BSD-3-Clause",
        &[
            "redistributions of source code must retain",
            "endorse or promote",
        ],
    ),
    (
        "BSD-2-Clause",
        &["redistributions of source code must retain"],
    ),
    ("MIT", &["permission is hereby granted, free of charge"]),
    ("MIT", &["mit license"]),
    ("Unlicense", &["free and unencumbered software"]),
    (
        "NVIDIA-proprietary",
        &["nvidia", "intellectual property", "strictly prohibited"],
    ),
];

/// The licence that a source's own notice names.
pub(crate) fn of_text(source: &[u8]) -> Option<Licence> {
    let head = String::from_utf8_lossy(&source[..source.len().min(HEAD)]);
    let spdx = head.lines().find_map(|line| {
        let (_, after) = line.split_once("SPDX-License-Identifier:")?;
        Some(after.trim().trim_end_matches("*/").trim().to_owned())
    });
    let spdx = spdx.or_else(|| recognised(&head))?;
    let from = "file".to_owned();
    Some(Licence { spdx, from })
}

fn recognised(text: &str) -> Option<String> {
    let plain = |line: &str| {
        line.trim_start_matches([' ', '\t', '*', '/', '#'])
            .to_lowercase()
    };
    let text: Vec<String> = text.lines().map(plain).collect();
    let text = text.join(" ");
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    let is = |(_, words): &&(&str, &[&str])| words.iter().all(|word| text.contains(word));
    KNOWN.iter().find(is).map(|(name, _)| (*name).to_owned())
}

/// The licence of the nearest folder that has a file with one, from `folder` up to `root`.
pub(crate) fn of_folders(folder: &Path, root: &Path) -> Option<Licence> {
    let inside = folder
        .ancestors()
        .take_while(|above| above.starts_with(root));
    let file = inside.flat_map(licence_files).next()?;
    let text = std::fs::read(&file).ok()?;
    let text = String::from_utf8_lossy(&text);
    let from = file.strip_prefix(root).unwrap_or(&file);
    Some(Licence {
        spdx: recognised(&text).unwrap_or_else(|| "unknown".to_owned()),
        from: from.to_string_lossy().replace('\\', "/"),
    })
}

fn licence_files(folder: &Path) -> Vec<PathBuf> {
    let endings = ["", ".txt", ".md", ".TXT"];
    let names = FILES
        .iter()
        .flat_map(|name| endings.map(|ending| format!("{name}{ending}")));
    let paths = names.map(|name| folder.join(name));
    paths.filter(|path| path.is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spdx(text: &str) -> Option<String> {
        of_text(text.as_bytes()).map(|licence| licence.spdx)
    }

    #[test]
    fn notices_are_recognised() {
        assert_eq!(
            spdx("/* SPDX-License-Identifier: MIT */").as_deref(),
            Some("MIT")
        );
        assert_eq!(
            spdx("// Licensed under the Apache\n// License, Version 2.0").as_deref(),
            Some("Apache-2.0")
        );
        assert_eq!(
            spdx(" * Redistributions of source code must retain\n * Neither the name of")
                .as_deref(),
            Some("BSD-3-Clause")
        );
        assert_eq!(spdx("int main() {}"), None);
    }
}
