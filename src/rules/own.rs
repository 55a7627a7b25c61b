//! What the tree itself defines: a project's own `__shfl_sync` shim or `cudaCheck` macro is not CUDA's.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::conditions::not_meant;
use crate::mapping::{ApiTable, Kind};
use crate::syntax::{
    DirectiveKind, Document, TokenIndex, TokenKind, Vendor, flags, is_only_for_nvidia_device,
};
use crate::text::TextRange;

/// Names and constants that one file defines, and the files it includes.
#[derive(Clone, Debug, Default)]
pub struct FileIndex {
    /// Names of CUDA that the file defines itself.
    names: FxHashSet<Box<[u8]>>,
    /// Object-like macros and constants whose value is one number.
    constants: FxHashMap<Box<[u8]>, u64>,
    /// Include paths as written.
    pub(super) includes: Vec<String>,
    /// Size of a file without CUDA.
    plain_bytes: Option<u64>,
}

/// Names visible in one file.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnNames {
    names: FxHashSet<Box<[u8]>>,
    constants: FxHashMap<Box<[u8]>, u64>,
}

/// The files of a tree by path, and who includes whom.
#[derive(Debug, Default)]
pub struct ProjectIndex {
    pub(super) files: FxHashMap<String, FileIndex>,
    /// Paths of all files of the tree by their last part.
    by_name: FxHashMap<String, Vec<String>>,
    /// Files that change their name, old to new.
    renames: FxHashMap<String, String>,
    /// What is worked out when it is first asked for, once for all files.
    pub(super) includers: OnceLock<FxHashMap<String, Vec<String>>>,
    agreed: OnceLock<FxHashMap<Box<[u8]>, Option<u64>>>,
    names: OnceLock<FxHashSet<Box<[u8]>>>,
}

impl OwnNames {
    /// Whether the name is defined by the tree.
    pub(super) fn contains(&self, name: &[u8]) -> bool {
        self.names.contains(name)
    }

    /// The number that a macro or constant stands for.
    pub(super) fn constant(&self, name: &[u8]) -> Option<u64> {
        self.constants.get(name).copied()
    }
}

impl ProjectIndex {
    /// Puts the index together. `paths` are all files of the tree, also those that are not read.
    pub fn new(
        files: impl IntoIterator<Item = (String, FileIndex)>,
        paths: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut by_name = FxHashMap::<String, Vec<String>>::default();
        for path in paths {
            by_name
                .entry(file_name(&path).to_owned())
                .or_default()
                .push(path);
        }
        by_name.values_mut().for_each(|paths| paths.sort());
        Self {
            files: files.into_iter().collect(),
            by_name,
            ..Self::default()
        }
    }

    /// Adds the files that change their name in the output.
    #[must_use]
    pub fn with_renames(mut self, renames: impl IntoIterator<Item = (String, String)>) -> Self {
        self.renames.extend(renames);
        self
    }

    /// The number that all files of the tree which define a constant agree on: sources that are included by others see what those
    /// included before.
    pub(super) fn constant(&self, name: &[u8]) -> Option<u64> {
        let agreed = self.agreed.get_or_init(|| {
            let mut agreed = FxHashMap::<Box<[u8]>, Option<u64>>::default();
            for (name, value) in self.files.values().flat_map(|file| &file.constants) {
                let known = agreed.entry(name.clone()).or_insert(Some(*value));
                *known = known.filter(|known| known == value);
            }
            agreed
        });
        agreed.get(name).copied().flatten()
    }

    /// Whether any file of the tree declares the name: a header may rely on what its includers include before it. Asked of names
    /// that only a pattern knows, since those are likelier the project's.
    pub(super) fn declares(&self, name: &[u8]) -> bool {
        let names = self.names.get_or_init(|| {
            let all = self.files.values().flat_map(|file| &file.names);
            all.cloned().collect()
        });
        names.contains(name)
    }

    /// The size of a file that does not mention CUDA.
    pub(super) fn plain_bytes(&self, path: &str) -> Option<u64> {
        self.files.get(path)?.plain_bytes
    }

    /// Whether any file changes its name, so that includes have to follow.
    pub fn has_renames(&self) -> bool {
        !self.renames.is_empty()
    }

    /// The new name of a file of the tree, if it changes.
    pub fn renamed(&self, path: &str) -> Option<&str> {
        self.renames.get(path).map(String::as_str)
    }

    /// The file of the tree that an include of `from` means, if it is one: beside the includer, from the root, or a path that ends so.
    pub fn resolve(&self, from: &str, include: &str) -> Option<&str> {
        let candidates = self.by_name.get(file_name(include))?;
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        // Candidates are sorted, and a large tree has thousands of one name.
        let exact = |path: String| candidates.binary_search(&path).ok();
        let beside = exact(normalise(&format!("{folder}/{include}")));
        let from_root = exact(normalise(include));
        let tail = normalise(include.trim_start_matches("../").trim_start_matches("./"));
        let ends = |path: &&String| {
            path.strip_suffix(tail.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let nearest = |path: &&String| common_prefix(path, from);
        let found = beside.into_iter().chain(from_root).min();
        found
            .map(|at| &candidates[at])
            .or_else(|| candidates.iter().filter(ends).max_by_key(nearest))
            .map(String::as_str)
    }

    /// Whether a file, or one of the tree that it includes, includes a path of some kind.
    pub fn includes(&self, document: &Document<'_>, is_wanted: impl Fn(&str) -> bool) -> bool {
        let own: Vec<String> = document
            .includes
            .iter()
            .map(|include| document.source.text(include.path).into_owned())
            .collect();
        let mut seen = FxHashSet::<&str>::default();
        let mut queue: Vec<(&str, &[String])> = vec![(&document.source.path, &own)];
        while let Some((path, includes)) = queue.pop() {
            if includes.iter().any(|include| is_wanted(include)) {
                return true;
            }
            let next = includes
                .iter()
                .filter_map(|include| self.resolve(path, include));
            for file in next {
                if seen.insert(file)
                    && let Some(index) = self.files.get(file)
                {
                    queue.push((file, &index.includes));
                }
            }
        }
        false
    }

    /// Names that are visible in a file: its own and those of what it includes, directly or not.
    pub(super) fn visible(&self, document: &Document<'_>, table: &ApiTable) -> OwnNames {
        let path = document.source.path.as_str();
        let alone;
        let own = match self.files.get(path) {
            Some(own) => own,
            None => {
                alone = FileIndex::new(document, table);
                &alone
            }
        };
        let mut visible = OwnNames {
            names: own.names.clone(),
            constants: own.constants.clone(),
        };
        let mut seen = FxHashSet::<&str>::default();
        let mut queue: Vec<&str> = own
            .includes
            .iter()
            .filter_map(|include| self.resolve(path, include))
            .collect();
        while let Some(file) = queue.pop() {
            if file == path || !seen.insert(file) {
                continue;
            }
            let Some(index) = self.files.get(file) else {
                continue;
            };
            visible.names.extend(index.names.iter().cloned());
            visible.constants.extend(
                index
                    .constants
                    .iter()
                    .map(|(name, value)| (name.clone(), *value)),
            );
            queue.extend(
                index
                    .includes
                    .iter()
                    .filter_map(|include| self.resolve(file, include)),
            );
        }
        visible
    }
}

impl FileIndex {
    /// Collects what a file defines. Definitions and includes that are guarded for one vendor do not count, nor definitions in branches that
    /// were never meant for GPUs of today.
    pub fn new(document: &Document<'_>, table: &ApiTable) -> Self {
        let mut index = Self::default();
        let out = not_meant(document, table);
        index.add_macros(document, table, &out);
        index.add_includes(document);
        for at in 0..document.tokens.len() {
            let token = document.tokens[at];
            if token.kind == TokenKind::Ident {
                index.add_definition(document, table, at, &out);
            }
        }
        index
    }

    /// Collects what a file without CUDA brings to its includers: what it includes, and macros that are numbers. Reads directives only,
    /// which is several times as fast as a document; conditions are not looked at.
    pub fn of_plain(bytes: &[u8]) -> Self {
        let mut index = Self {
            plain_bytes: Some(bytes.len() as u64),
            ..Self::default()
        };
        for at in memchr::memchr_iter(b'#', bytes) {
            let starts_line = bytes[..at]
                .iter()
                .rev()
                .take_while(|byte| **byte != b'\n')
                .all(u8::is_ascii_whitespace);
            if starts_line {
                let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end);
                index.add_plain_directive(&String::from_utf8_lossy(&bytes[at + 1..end]));
            }
        }
        index
    }

    fn add_plain_directive(&mut self, line: &str) {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("include") {
            let path = rest
                .trim_start()
                .strip_prefix(['"', '<'])
                .and_then(|path| path.split(['"', '>']).next());
            self.includes
                .extend(path.map(|path| path.replace('\\', "/")));
        } else if let Some(rest) = line.strip_prefix("define") {
            let mut words = rest.split_whitespace();
            if let (Some(name), Some(value)) = (words.next(), words.next())
                && let Some(value) = number(value.trim_matches(['(', ')']).as_bytes())
            {
                self.constants.insert(name.as_bytes().into(), value);
            }
        }
    }

    fn add_macros(&mut self, document: &Document<'_>, table: &ApiTable, out: &[TextRange]) {
        for directive in document
            .directives
            .iter()
            .filter(|directive| directive.kind == DirectiveKind::Define)
        {
            let mut operands = directive.operands();
            let Some(name) = operands.next() else {
                continue;
            };
            let at = directive.range.start;
            if document.vendor_at(at) != Vendor::Any || is_within(out, at) {
                continue;
            }
            // A switch of CUDA's headers is theirs, though programs define it.
            let is_switch = document.bytes(name).starts_with(b"__CUDA_NO_");
            if !is_switch && table.get_or_pattern(document.bytes(name)).is_some() {
                self.names.insert(document.bytes(name).into());
            }
            let value: Vec<TokenIndex> = operands
                .filter(|&at| !matches!(document.bytes(at), b"(" | b")"))
                .collect();
            if let [value] = value[..]
                && let Some(value) = number(document.bytes(value))
            {
                self.constants.insert(document.bytes(name).into(), value);
            }
        }
    }

    fn add_includes(&mut self, document: &Document<'_>) {
        let open = document
            .includes
            .iter()
            .filter(|include| document.vendor_at(include.directive.start) == Vendor::Any);
        self.includes = open
            .map(|include| document.source.text(include.path).replace('\\', "/"))
            .collect();
    }

    fn add_definition(
        &mut self,
        document: &Document<'_>,
        table: &ApiTable,
        at: TokenIndex,
        out: &[TextRange],
    ) {
        let word = document.bytes(at);
        let in_directive = document.tokens[at].has(flags::DIRECTIVE);
        let is_assigned = !in_directive && document.is(at + 1, "=");
        let hit = table.get_or_pattern(word);
        if !is_assigned && hit.is_none() || document.is_before(at, "=") && at >= 2 {
            return;
        }
        if is_assigned
            && let Some(value) = document
                .tokens
                .get(at + 2)
                .and_then(|_| number(document.bytes(at + 2)))
            && (document.is(at + 3, ";") || document.is(at + 3, ","))
        {
            self.constants.insert(word.into(), value);
        }
        let Some(hit) = hit else {
            return;
        };
        let is_own = match hit.entry.kind {
            Kind::Namespace => false,
            // No parameter is called like an enumerator.
            Kind::Enumerator if document.is(at + 1, ")") || document.is(at + 1, ",") => false,
            // A pattern knows no single name: whatever is declared here is the project's, also `Scope nvtx_scope(label)`.
            Kind::Pattern => declares(document, at) || defines(document, at),
            _ => !in_directive && defines(document, at),
        };
        if is_own
            && document.vendor_at(document.tokens[at].start) == Vendor::Any
            && !is_only_for_nvidia_device(document, document.tokens[at].start)
            && !is_within(out, document.tokens[at].start)
        {
            self.names.insert(word.into());
        }
    }
}

fn is_within(ranges: &[TextRange], at: u32) -> bool {
    ranges.iter().any(|range| range.contains_offset(at))
}

/// Whether the identifier at `at` is being defined: a function with a body, a type, an alias, or a variable.
fn defines(document: &Document<'_>, at: TokenIndex) -> bool {
    let (Some(prev), Some(next)) = (document.prev(at), document.next(at)) else {
        return false;
    };
    let before = document.bytes(prev);
    match document.bytes(next) {
        b"(" => {
            follows_a_type(document, prev)
                && opens_a_body(document, next)
                && !in_class(document, at)
        }
        b"{" | b":" | b";" if matches!(before, b"struct" | b"class" | b"enum" | b"union") => {
            document.bytes(next) != b";"
        }
        b"=" if before == b"using" => true,
        b"=" | b";" | b"," | b")" | b"[" | b"{" => {
            is_type_name(document, prev) || ends_a_typedef(document, at, next)
        }
        _ => false,
    }
}

/// Whether the identifier is declared with a type's name or a `*` or `&` behind it, with a body or without.
fn declares(document: &Document<'_>, at: TokenIndex) -> bool {
    document
        .prev(at)
        .is_some_and(|prev| follows_a_type(document, prev))
        && document.next_is(at, "(")
}

fn follows_a_type(document: &Document<'_>, prev: TokenIndex) -> bool {
    is_type_name(document, prev)
        || (matches!(document.bytes(prev), b"*" | b"&" | b">")
            && document
                .prev(prev)
                .is_some_and(|at| is_type_name(document, at)))
}

fn is_type_name(document: &Document<'_>, at: TokenIndex) -> bool {
    const NOT_TYPES: &[&[u8]] = &[
        b"return",
        b"else",
        b"new",
        b"case",
        b"goto",
        b"throw",
        b"delete",
        b"sizeof",
        b"typename",
        b"const",
        b"operator",
        b"and",
        b"or",
        b"not",
        b"in",
        b"struct",
        b"class",
        b"enum",
        b"namespace",
        b"using",
        b"extern",
        b"static",
        b"typedef",
        b"volatile",
        b"public",
        b"private",
        b"do",
        b"__global__",
        b"__device__",
        b"__host__",
        b"__shared__",
        b"__constant__",
        b"constexpr",
        b"inline",
        b"template",
        b"mutable",
        b"register",
        b"co_return",
        b"union",
        b"__forceinline__",
    ];
    let word = document.bytes(at);
    let is_specifier = word.starts_with(b"__") && word.ends_with(b"__");
    document.is_ident(at)
        && !NOT_TYPES.contains(&word)
        && !is_specifier
        && !document.prev_is(at, "struct")
}

/// Whether the name is declared in a class: then it is a member, and no other function is meant.
pub(super) fn in_class(document: &Document<'_>, at: TokenIndex) -> bool {
    brace_around(document, at).is_some_and(|brace| opens_a_class(document, brace))
}

/// The innermost brace that is open at a declaration, within its directive or outside of all.
fn brace_around(document: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    let mut index = at;
    // Declarations stand close behind their class or namespace, so a bounded walk back is enough.
    for _ in 0..4000 {
        let prev = document.prev(index)?;
        index = match document.bytes(prev) {
            b"}" | b")" | b"]" => document.partner(prev).unwrap_or(prev),
            b"{" => return Some(prev),
            _ => prev,
        };
    }
    None
}

/// Whether the `{` belongs to `namespace x {` or `namespace x::y {`, a namespace with a name.
fn opens_a_namespace(document: &Document<'_>, brace: TokenIndex) -> bool {
    let mut index = brace;
    while let Some(prev) = document.prev(index) {
        if document.is(prev, "namespace") {
            return index < brace;
        }
        if !document.is_ident(prev) && !document.is(prev, "::") {
            return false;
        }
        index = prev;
    }
    false
}

/// Whether the `{` belongs to `class X {`, `struct X : Y<Z> {`.
fn opens_a_class(document: &Document<'_>, brace: TokenIndex) -> bool {
    let mut index = brace;
    for _ in 0..60 {
        let Some(prev) = document.prev(index) else {
            return false;
        };
        match document.bytes(prev) {
            b"struct" | b"class" | b"union" => return true,
            b";" | b"{" | b"}" | b")" | b"=" => return false,
            _ => index = prev,
        }
    }
    false
}

/// Whether the identifier declares a member function of a class, `static void cudaFree(void *);` within its braces, or a function of a
/// namespace with a name.
pub(super) fn declares_member(document: &Document<'_>, at: TokenIndex) -> bool {
    let declares = document.next_is(at, "(")
        && document
            .prev(at)
            .is_some_and(|prev| follows_a_type(document, prev));
    let brace = brace_around(document, at).filter(|_| declares);
    brace.is_some_and(|brace| opens_a_class(document, brace) || opens_a_namespace(document, brace))
}

fn opens_a_body(document: &Document<'_>, paren: TokenIndex) -> bool {
    let after = document
        .partner(paren)
        .and_then(|close| document.next(close));
    let body = |at: TokenIndex| document.is(at, "{");
    after.is_some_and(|at| {
        body(at)
            || (matches!(document.bytes(at), b"const" | b"noexcept")
                && document.next(at).is_some_and(body))
    })
}

fn ends_a_typedef(document: &Document<'_>, at: TokenIndex, next: TokenIndex) -> bool {
    let statement = (0..40).try_fold(at, |at, _| match document.prev(at) {
        Some(prev) if !matches!(document.bytes(prev), b";" | b"{") => Ok(prev),
        _ => Err(at),
    });
    document.is(next, ";")
        && statement.is_err_and(|start| document.is(start, "typedef"))
        && document
            .prev(at)
            .is_some_and(|prev| document.is_ident(prev) || document.is(prev, "}"))
}

/// The value of an integer literal, separators and suffixes aside.
pub(crate) fn number(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text)
        .ok()?
        .replace('\'', "")
        .to_ascii_lowercase();
    let digits = text.trim_end_matches(['u', 'l']);
    match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Takes `.` and `..` out of a relative path.
fn normalise(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn common_prefix(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_resolve_beside_the_includer_first() {
        let paths = ["a/util.h", "b/util.h", "inc/x/util.h"].map(String::from);
        let project = ProjectIndex::new([], paths);
        assert_eq!(project.resolve("b/main.cu", "util.h"), Some("b/util.h"));
        assert_eq!(
            project.resolve("b/main.cu", "../a/util.h"),
            Some("a/util.h")
        );
        assert_eq!(
            project.resolve("src/main.cu", "x/util.h"),
            Some("inc/x/util.h")
        );
        assert_eq!(project.resolve("src/main.cu", "y/util.h"), None);
    }
}
