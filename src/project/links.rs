//! Symbolic links of a tree to its own files: a compiler looks for quoted includes beside the link, not beside what it leads to.

use std::path::{Component, Path};

use rustc_hash::FxHashMap;

/// The links of a tree to its own files.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// By file, the links that lead to it.
    to: FxHashMap<String, Vec<String>>,
    /// By link, the file that it leads to.
    files: FxHashMap<String, String>,
}

impl Links {
    /// From the path of each link, with `/` and from the root, and where it points.
    pub(crate) fn new<'l>(links: impl Iterator<Item = (String, &'l Path)>) -> Self {
        let mut found = Self::default();
        for (link, destination) in links {
            if let Some(file) = reached(&link, destination) {
                found.to.entry(file.clone()).or_default().push(link.clone());
                found.files.insert(link, file);
            }
        }
        found.to.values_mut().for_each(|links| links.sort());
        found
    }

    /// The links that lead to a file, in order.
    pub(crate) fn to(&self, path: &str) -> &[String] {
        self.to.get(path).map_or(&[], Vec::as_slice)
    }

    /// The file that a path means: that which a link leads to, else its own.
    pub(super) fn file<'l>(&'l self, path: &'l str) -> &'l str {
        self.files.get(path).map_or(path, String::as_str)
    }
}

/// The file of the tree that a link leads to; `None` for one outside.
fn reached(link: &str, destination: &Path) -> Option<String> {
    let mut parts: Vec<&str> = link.split('/').collect();
    parts.pop();
    for part in destination.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()?),
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_a_file_of_the_tree() {
        for (link, destination, expected) in [
            ("binding/a.cu", "../a.cu", Some("a.cu")),
            ("binding/a.cu", "./src/b.cu", Some("binding/src/b.cu")),
            ("a.cu", "src/a.cu", Some("src/a.cu")),
            ("a.cu", "../a.cu", None),
            ("a.cu", "/a.cu", None),
        ] {
            let found = reached(link, Path::new(destination));
            assert_eq!(found.as_deref(), expected, "{link} {destination}");
        }
    }
}
