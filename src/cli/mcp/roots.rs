//! Where an agent may work: the folders that the command line names, or those that the client says it has open. Without either it writes
//! below the folder of the server and reads what its user may read.

use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};

/// The identity of the one request that is sent.
const REQUEST: &str = "cass-roots";

/// The folders.
pub(super) struct Roots {
    /// Of the command line; empty for none.
    named: Vec<PathBuf>,
    /// The client says that it tells of its folders.
    is_told: bool,
    /// Of the client, once it has told.
    told: Option<Vec<PathBuf>>,
}

impl Roots {
    /// The folders of a command line; those of the client count where there is none.
    pub(super) fn new(named: Vec<PathBuf>) -> Self {
        Self {
            named,
            is_told: false,
            told: None,
        }
    }

    /// Notes what a client offers when it introduces itself.
    pub(super) fn introduce(&mut self, params: &Value) {
        self.is_told = params["capabilities"]["roots"].is_object();
    }

    /// The question for the client's folders, where it offers them and nobody named others.
    pub(super) fn question(&self) -> Option<Value> {
        let asks = self.is_told && self.named.is_empty();
        asks.then(|| json!({ "jsonrpc": "2.0", "id": REQUEST, "method": "roots/list" }))
    }

    /// Takes the answer to it; of other messages nothing.
    pub(super) fn answer(&mut self, message: &Value) {
        let Some(roots) = message["result"]["roots"].as_array() else {
            return;
        };
        if message["id"] == REQUEST {
            let uris = roots.iter().filter_map(|root| root["uri"].as_str());
            self.told = Some(uris.filter_map(path_of).collect());
        }
    }

    /// Says why a path is not to be used; `writes` that something is written there.
    pub(super) fn refusal(&self, path: &str, writes: bool) -> Option<String> {
        let here = [PathBuf::from(".")];
        let roots = match (&self.named[..], &self.told) {
            ([], None) if !writes => return None,
            ([], None) => &here[..],
            ([], Some(told)) => told,
            (named, _) => named,
        };
        let place = resolved(Path::new(path));
        let is_below = |root: &PathBuf| {
            let root = root.canonicalize().ok();
            root.zip(place.as_ref())
                .is_some_and(|(root, place)| place.starts_with(root))
        };
        let is_allowed = roots.iter().any(is_below);
        (!is_allowed).then(|| {
            format!(
                "`{path}` lies outside of the folders of this server; start it with `cass-transpile mcp --root FOLDER`, or open that folder in the client"
            )
        })
    }
}

/// An absolute path with its links followed, as far as it is there; `None` where the rest does not lead down.
fn resolved(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    for above in path.ancestors() {
        // A link that leads nowhere leads somewhere once something is written through it.
        if let Ok(resolved) = above.canonicalize() {
            let rest = path.strip_prefix(above).ok()?;
            let is_down = |part| matches!(part, Component::Normal(_));
            return rest.components().all(is_down).then(|| resolved.join(rest));
        }
        if above.is_symlink() {
            return None;
        }
    }
    None
}

/// The path of a `file:` address.
fn path_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    // `file:///C:/src` on Windows.
    let path = match path.as_bytes() {
        [b'/', _, b':', ..] if cfg!(windows) => &path[1..],
        _ => path,
    };
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        bytes.push(match byte {
            b'%' => (digit(rest.next())? * 16 + digit(rest.next())?) as u8,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_files_are_paths() {
        assert_eq!(path_of("file:///a/b%20c"), Some(PathBuf::from("/a/b c")));
        assert_eq!(path_of("file://localhost/a"), Some(PathBuf::from("/a")));
        assert_eq!(path_of("https://example.org/a"), None);
        assert_eq!(path_of("file:///a%zz"), None);
    }

    #[test]
    fn what_lies_outside_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it is there");
        let named = Roots::new(vec![root.clone()]);
        let refused = |path: &str| {
            named
                .refusal(&root.join(path).to_string_lossy(), false)
                .is_some()
        };
        assert!(!refused("out/deep/er"));
        assert!(refused("../x") && refused("out/../../x"));
        assert!(named.refusal("/etc/passwd", false).is_some());
        let open = Roots::new(Vec::new());
        assert!(open.refusal("/etc/passwd", false).is_none());
        assert!(
            open.refusal("/tmp/elsewhere", true).is_some() && open.refusal("out", true).is_none()
        );
    }
}
