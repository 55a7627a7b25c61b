use std::sync::OnceLock;

use globset::{Glob, GlobMatcher};
use rustc_hash::FxHashMap;

use super::choice::{Choices, Vendor};
use super::entry::{ApiEntry, ArgEdit, Kind, Support};
use super::prefilter::mentions_cuda;
use super::reverse::mentions_hip;
use super::version::{Span, Version};

/// Patterns are found by their first bytes, so that an unknown identifier costs one more look-up. Shorter heads than this are refused.
const HEAD: usize = 2;

static BUILTIN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tables.postcard"));

/// Where an entry comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The tables compiled in.
    Builtin,
    /// The overlay with this position on the command line.
    Overlay(u8),
}

/// A name found in the tables.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'t> {
    /// What is known about it; for a pattern, what is known about all names that match.
    pub entry: &'t ApiEntry,
    /// Where that comes from.
    pub origin: Origin,
}

/// What a call or name becomes under given choices.
#[derive(Clone, Debug)]
pub struct Target<'t> {
    /// The new name.
    pub name: &'static str,
    /// Argument edits of a call.
    pub args: &'t [ArgEdit<'static>],
    /// ROCm releases that have the name.
    pub rocm: Span,
}

/// All names: one look-up per identifier.
pub struct ApiTable {
    entries: Vec<(ApiEntry, Origin)>,
    names: FxHashMap<&'static str, u32>,
    headers: FxHashMap<&'static str, u32>,
    fields: FxHashMap<&'static str, Vec<u32>>,
    namespaces: Vec<u32>,
    /// Entries about namespaces by the last part of their name.
    namespace_tails: FxHashMap<&'static [u8], Vec<u32>>,
    patterns: FxHashMap<[u8; HEAD], Vec<(LazyGlob, u32)>>,
    /// From HIP to CUDA.
    reversed: bool,
}

impl ApiTable {
    /// The tables compiled in.
    pub fn builtin() -> Self {
        let entries: Vec<ApiEntry> =
            postcard::from_bytes(BUILTIN).expect("the build script wrote it");
        Self::index(
            entries
                .into_iter()
                .map(|entry| (entry, Origin::Builtin))
                .collect(),
        )
    }

    /// Entries of overlays win over what `self` has; later ones over earlier ones.
    pub(super) fn with(self, added: Vec<(ApiEntry, Origin)>) -> Self {
        let mut entries = self.entries;
        entries.extend(added);
        Self::index(entries)
    }

    /// A table from HIP to CUDA.
    pub(super) fn of_reversed(entries: Vec<(ApiEntry, Origin)>) -> Self {
        Self {
            reversed: true,
            ..Self::index(entries)
        }
    }

    /// Whether the table leads from HIP to CUDA.
    pub fn is_reversed(&self) -> bool {
        self.reversed
    }

    /// Whether a text can hold a name of the table; what does not is copied without being read further.
    pub fn concerns(&self, bytes: &[u8]) -> bool {
        if self.reversed {
            mentions_hip(bytes)
        } else {
            mentions_cuda(bytes)
        }
    }

    fn index(entries: Vec<(ApiEntry, Origin)>) -> Self {
        let mut names = FxHashMap::with_capacity_and_hasher(entries.len(), Default::default());
        let (mut headers, mut fields, mut namespaces) = (
            FxHashMap::default(),
            FxHashMap::<_, Vec<u32>>::default(),
            Vec::new(),
        );
        let mut patterns = Vec::new();
        for (index, (entry, _)) in entries.iter().enumerate() {
            let index = index as u32;
            match entry.kind {
                Kind::Header if entry.cuda.contains('*') => patterns.push((entry.cuda, index)),
                Kind::Header => drop(headers.insert(entry.cuda, index)),
                Kind::Pattern => patterns.push((entry.cuda, index)),
                Kind::Field => {
                    let member = entry
                        .cuda
                        .split_once('.')
                        .map_or(entry.cuda, |(_, member)| member);
                    fields.entry(member).or_default().push(index);
                }
                Kind::Namespace => {
                    namespaces.push(index);
                    if !entry.cuda.contains("::") {
                        names.insert(entry.cuda, index);
                    }
                }
                _ => drop(names.insert(entry.cuda, index)),
            }
        }
        let mut namespace_tails = FxHashMap::<_, Vec<u32>>::default();
        for &index in &namespaces {
            let name = entries[index as usize].0.cuda;
            let tail = name.rsplit("::").next().unwrap_or(name);
            namespace_tails
                .entry(tail.as_bytes())
                .or_default()
                .push(index);
        }
        Self {
            entries,
            names,
            headers,
            fields,
            namespaces,
            reversed: false,
            namespace_tails,
            patterns: by_head(patterns),
        }
    }

    /// The entry of an identifier; patterns are not asked.
    pub fn get(&self, name: &[u8]) -> Option<Hit<'_>> {
        let name = std::str::from_utf8(name).ok()?;
        self.names.get(name).map(|&index| self.hit(index))
    }

    /// The entry of an identifier, or of the pattern that covers it.
    pub fn get_or_pattern(&self, name: &[u8]) -> Option<Hit<'_>> {
        self.get(name).or_else(|| self.pattern(name, Kind::Pattern))
    }

    /// The entry of an include path.
    pub fn header(&self, path: &[u8]) -> Option<Hit<'_>> {
        let text = std::str::from_utf8(path).ok()?;
        self.headers
            .get(text)
            .map(|&index| self.hit(index))
            .or_else(|| self.pattern(path, Kind::Header))
    }

    /// The entries about members with this name, of whatever structure.
    pub fn fields(&self, member: &[u8]) -> impl Iterator<Item = Hit<'_>> {
        let indices = std::str::from_utf8(member)
            .ok()
            .and_then(|member| self.fields.get(member));
        indices.into_iter().flatten().map(|&index| self.hit(index))
    }

    /// The entries about namespaces.
    pub fn namespaces(&self) -> impl Iterator<Item = Hit<'_>> {
        self.namespaces.iter().map(|&index| self.hit(index))
    }

    /// The entries about namespaces, or their members, whose last part is this word.
    pub fn namespaces_ending(&self, word: &[u8]) -> impl Iterator<Item = Hit<'_>> {
        let indices = self.namespace_tails.get(word);
        indices.into_iter().flatten().map(|&index| self.hit(index))
    }

    /// The entries of members with a name: of a namespace (`ns::word`) or of a type (`type.word`).
    pub fn ending(&self, word: &[u8]) -> impl Iterator<Item = Hit<'_>> {
        self.fields(word).chain(self.namespaces_ending(word))
    }

    /// All entries, in the order of the tables.
    pub fn iter(&self) -> impl Iterator<Item = Hit<'_>> {
        (0..self.entries.len()).map(|index| self.hit(index as u32))
    }

    fn hit(&self, index: u32) -> Hit<'_> {
        let (entry, origin) = &self.entries[index as usize];
        Hit {
            entry,
            origin: *origin,
        }
    }

    fn pattern(&self, name: &[u8], kind: Kind) -> Option<Hit<'_>> {
        let candidates = self.patterns.get(name.get(..HEAD)?)?;
        let name = std::str::from_utf8(name).ok()?;
        let fits = |(glob, index): &&(LazyGlob, u32)| {
            self.entries[*index as usize].0.kind == kind && glob.is_match(name)
        };
        candidates
            .iter()
            .rfind(fits)
            .map(|(_, index)| self.hit(*index))
    }
}

impl ApiEntry {
    /// What the name becomes in a call with `arity` arguments (`None` for other uses), or `None` if nothing under these choices.
    pub fn target(
        &self,
        choices: &Choices,
        rocm: Version,
        arity: Option<usize>,
    ) -> Option<Target<'_>> {
        let form = self
            .forms
            .iter()
            .find(|form| arity == Some(usize::from(form.arity)));
        // A form that keeps the CUDA name says that no library has this call, whatever the choice.
        if let Some(form) = form.filter(|form| form.hip == Some(self.cuda)) {
            return Some(Target {
                name: self.cuda,
                args: &form.args,
                rocm: Span::default(),
            });
        }
        if choices.of(self.library) == Vendor::Roc
            && let Some(roc) = &self.roc
        {
            return Some(Target {
                name: roc.name,
                args: &roc.args,
                rocm: roc.rocm,
            });
        }
        let older = self
            .older
            .iter()
            .filter(|older| rocm < older.below)
            .min_by_key(|older| older.below)
            .map(|older| older.hip);
        let name = form.and_then(|form| form.hip).or(older).or(self.hip)?;
        Some(Target {
            name,
            args: form.map_or(&self.args, |form| &form.args),
            rocm: form
                .and_then(|form| form.rocm)
                .unwrap_or_else(|| self.releases_of(older.is_some())),
        })
    }

    /// Releases of the older spelling, or of the current one: that came with the release up to which there was an older one.
    fn releases_of(&self, older: bool) -> Span {
        let renamed = self.older.iter().map(|older| older.below).max();
        Span {
            since: if older {
                self.rocm.since
            } else {
                self.rocm.since.max(renamed)
            },
            until: self.rocm.until,
        }
    }

    /// How well the name is covered under these choices: what only the `roc*` library has counts once that is chosen.
    pub fn support_under(&self, choices: &Choices) -> Support {
        if choices.of(self.library) == Vendor::Hip {
            return self.support;
        }
        match (&self.roc, self.hip) {
            (Some(_), None) => Support::Full,
            _ if self.lacks_roc(choices) => self.support.max(Support::Review),
            _ => self.support,
        }
    }

    /// Whether the function is called in the `hip*` library although the `roc*` library is chosen: its handle is of another type.
    pub fn lacks_roc(&self, choices: &Choices) -> bool {
        choices.of(self.library) == Vendor::Roc
            && self.kind == Kind::Function
            && self.roc.is_none()
            && self.hip.is_some_and(|hip| hip != self.cuda)
    }

    /// Whether the name stays as it is on AMD whatever the choices, arguments included.
    pub fn is_unchanged(&self) -> bool {
        self.hip == Some(self.cuda)
            && self.support == Support::Full
            && self.args.is_empty()
            && self.forms.is_empty()
            && self.older.is_empty()
            && self.roc.is_none()
    }
}

/// A pattern, compiled when a name is first held against it: compiling all of them took half of the start-up.
struct LazyGlob {
    pattern: &'static str,
    matcher: OnceLock<Option<GlobMatcher>>,
}

impl LazyGlob {
    fn is_match(&self, name: &str) -> bool {
        let compiled = || {
            Glob::new(self.pattern)
                .ok()
                .map(|glob| glob.compile_matcher())
        };
        self.matcher
            .get_or_init(compiled)
            .as_ref()
            .is_some_and(|matcher| matcher.is_match(name))
    }
}

/// Patterns by the literal bytes they start with; longer patterns come last, so that they win.
fn by_head(mut patterns: Vec<(&'static str, u32)>) -> FxHashMap<[u8; HEAD], Vec<(LazyGlob, u32)>> {
    let mut heads = FxHashMap::<[u8; HEAD], Vec<_>>::default();
    patterns.sort_by_key(|(pattern, index)| (pattern.len(), *index));
    for (pattern, index) in patterns {
        if let Some(head) = pattern.as_bytes().first_chunk::<HEAD>() {
            heads.entry(*head).or_default().push((
                LazyGlob {
                    pattern,
                    matcher: OnceLock::new(),
                },
                index,
            ));
        }
    }
    heads
}
