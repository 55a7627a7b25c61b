//! Headers with the names of CUDA's that lead to the shim: `#include <cuda_runtime.h>` finds one of them in a folder that the build
//! adds with `-I`.

use std::collections::{BTreeMap, BTreeSet};

use super::HEADER_NAME;
use crate::compat;
use crate::mapping::{ApiTable, Support};
use crate::syntax::{Document, Vendor};

/// The forwarding headers for what some documents include, by path below the folder, and the includes that none can stand for.
pub fn headers<'d>(
    documents: impl Iterator<Item = &'d Document<'d>>,
    table: &ApiTable,
) -> (BTreeMap<String, String>, BTreeSet<String>) {
    let (mut found, mut missing) = (BTreeMap::new(), BTreeSet::new());
    for document in documents {
        for include in &document.includes {
            let path = document.source.text(include.path).replace('\\', "/");
            let is_plain = !path.starts_with('/') && !path.split('/').any(|part| part == "..");
            if document.vendor_at(include.directive.start) != Vendor::Any || !is_plain {
                continue;
            }
            match content(&path, table) {
                Some(Some(text)) => drop(found.insert(path, text)),
                Some(None) => drop(missing.insert(path)),
                None => {}
            }
        }
    }
    (found, missing)
}

/// What a header of CUDA's becomes: `None` for others and for those that AMD has under the same name, `Some(None)` where nothing can
/// stand for it.
fn content(path: &str, table: &ApiTable) -> Option<Option<String>> {
    let up = "../".repeat(path.matches('/').count());
    let start = format!("#pragma once\n#include \"{up}{HEADER_NAME}\"\n");
    let name = path.rsplit('/').next().unwrap_or(path);
    if let Some(helper) = compat::replacing(name) {
        let snippet = compat::snippets(&BTreeSet::from([helper.name]));
        return Some(Some(start + &snippet));
    }
    let entry = table.header(path.as_bytes())?.entry;
    if entry.hip == Some(path) {
        return None;
    }
    if entry.support == Support::Unsupported {
        return Some(None);
    }
    let target = entry.hip.filter(|target| !target.is_empty());
    let include = target.map_or_else(String::new, |target| format!("#include <{target}>\n"));
    let alias = if path.starts_with("cub/") {
        "namespace cub = hipcub;\n"
    } else {
        ""
    };
    Some(Some(start + &include + alias))
}
