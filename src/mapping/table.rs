use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use super::entry::{ApiEntry, Kind};
use super::lazy_entry::{LazyEntry, builtin, builtin_targets};
use super::origin::Origin;
use super::own_rule::OwnRule;
use super::own_words::OwnWords;
use super::pattern::Patterns;
use super::prefilter::{mentions_cuda, mentions_hip};
use crate::text::{WordMap, is_of_word};

/// A name found in the tables.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'t> {
    /// What is known about it; for a pattern, what is known about all names that match.
    pub entry: &'t ApiEntry,
    /// Where that comes from.
    pub origin: Origin,
}

/// The first letters of a name, which those of one library share: `cuda`, `cubl`.
type Stem = [u8; 4];

/// All names: one look-up per identifier.
pub struct ApiTable {
    entries: Entries,
    names: WordMap<u32>,
    headers: FxHashMap<&'static [u8], u32>,
    fields: WordMap<Vec<u32>>,
    namespaces: Vec<u32>,
    /// Entries about namespaces by the last part of their name.
    namespace_tails: WordMap<Vec<u32>>,
    patterns: Patterns,
    /// What entries become, collected when first asked for.
    targets: OnceLock<FxHashSet<&'static [u8]>>,
    /// Names by how they begin, collected when first asked for.
    families: OnceLock<FxHashMap<Stem, Vec<&'static str>>>,
    /// Rules of the project's own, in the order of their overlays.
    rules: Vec<&'static OwnRule>,
    own_words: OwnWords,
    /// From HIP to CUDA.
    reversed: bool,
    id: TableId,
}

/// The entries of a table; positions count over both parts.
#[derive(Default)]
struct Entries {
    /// Those that are compiled in, or none.
    builtin: &'static [LazyEntry],
    /// What came over them.
    added: Vec<LazyEntry>,
}

impl Entries {
    fn iter(&self) -> impl Iterator<Item = &LazyEntry> {
        self.builtin.iter().chain(&self.added)
    }

    fn at(&self, index: u32) -> &LazyEntry {
        let index = index as usize;
        let added = |behind: usize| &self.added[behind];
        self.builtin
            .get(index)
            .unwrap_or_else(|| added(index - self.builtin.len()))
    }

    fn len(&self) -> usize {
        self.builtin.len() + self.added.len()
    }
}

/// Which of the tables of a run one is: what is known by one says nothing of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TableId(u32);

impl TableId {
    fn next() -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        Self(MADE.fetch_add(1, Ordering::Relaxed))
    }
}

/// What names and headers of AMD begin with.
const TARGET_STARTS: [&[u8]; 5] = [b"hip", b"HIP", b"roc", b"miopen", b"rccl/"];

impl ApiTable {
    /// The tables compiled in.
    pub fn builtin() -> Self {
        let entries = Entries {
            builtin: builtin(),
            added: Vec::new(),
        };
        Self::index(entries, Vec::new())
    }

    /// Entries of overlays win over what `self` has; later ones over earlier ones.
    pub(super) fn with(self, added: Vec<(ApiEntry, Origin)>) -> Self {
        let mut entries = self.entries;
        entries.added.extend(added.into_iter().map(LazyEntry::from));
        Self::index(entries, self.rules)
    }

    /// Rules of the project's own behind those that there are.
    #[must_use]
    pub(super) fn with_rules(self, rules: impl IntoIterator<Item = &'static OwnRule>) -> Self {
        let mut all = self.rules;
        all.extend(rules);
        Self::index(self.entries, all)
    }

    /// Rules of the project's own.
    pub(crate) fn rules(&self) -> &[&'static OwnRule] {
        &self.rules
    }

    /// A table from HIP to CUDA.
    pub(super) fn of_reversed(entries: Vec<(ApiEntry, Origin)>) -> Self {
        let entries = Entries {
            builtin: &[],
            added: entries.into_iter().map(LazyEntry::from).collect(),
        };
        Self {
            reversed: true,
            ..Self::index(entries, Vec::new())
        }
    }

    /// Which table it is.
    pub(crate) fn id(&self) -> TableId {
        self.id
    }

    /// Whether the table leads from HIP to CUDA.
    pub(crate) fn is_reversed(&self) -> bool {
        self.reversed
    }

    /// Whether a text can hold a name of the table; what does not is copied without being read further.
    pub(crate) fn may_occur_in(&self, bytes: &[u8]) -> bool {
        if self.reversed {
            mentions_hip(bytes)
        } else {
            mentions_cuda(bytes) || self.own_words.stand_in(bytes)
        }
    }

    fn index(entries: Entries, rules: Vec<&'static OwnRule>) -> Self {
        let own = entries.iter().filter(|slot| slot.origin != Origin::Builtin);
        let own_words = OwnWords::new(own.map(LazyEntry::entry), &rules);
        let mut table = Self {
            names: WordMap::with_capacity(entries.len()),
            headers: FxHashMap::default(),
            fields: WordMap::default(),
            namespaces: Vec::new(),
            namespace_tails: WordMap::default(),
            patterns: Patterns::default(),
            targets: OnceLock::new(),
            families: OnceLock::new(),
            rules,
            own_words,
            reversed: false,
            entries: Entries::default(),
            id: TableId::next(),
        };
        let mut patterns = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let (name, index) = (entry.name, index as u32);
            match entry.kind {
                Kind::Header if name.contains('*') => patterns.push((name, index)),
                Kind::Pattern => patterns.push((name, index)),
                kind => table.add(name, kind, index),
            }
        }
        table.patterns = Patterns::new(patterns);
        table.entries = entries;
        table
    }

    fn add(&mut self, name: &'static str, kind: Kind, index: u32) {
        match kind {
            Kind::Header => drop(self.headers.insert(name.as_bytes(), index)),
            Kind::Field => {
                let member = name.split_once('.').map_or(name, |(_, member)| member);
                self.fields.or_default(member.as_bytes()).push(index);
            }
            Kind::Namespace => {
                self.namespaces.push(index);
                let tail = name.rsplit("::").next().unwrap_or(name);
                self.namespace_tails.or_default(tail.as_bytes()).push(index);
                if tail == name {
                    self.names.insert(name.as_bytes(), index);
                }
            }
            _ => self.names.insert(name.as_bytes(), index),
        }
    }

    /// The entries that overlays brought, in their order.
    pub(super) fn overlays(&self) -> Vec<(ApiEntry, Origin)> {
        let added = self
            .entries
            .iter()
            .filter(|entry| entry.origin != Origin::Builtin);
        added
            .map(|entry| (entry.entry().clone(), entry.origin))
            .collect()
    }

    /// The entry of an identifier; patterns are not asked.
    pub fn get(&self, name: &[u8]) -> Option<Hit<'_>> {
        self.names.get(name).map(|&index| self.hit(index))
    }

    /// Whether a word is a type of CUDA.
    pub(crate) fn is_type(&self, word: &[u8]) -> bool {
        self.get(word)
            .is_some_and(|hit| hit.entry.kind == Kind::Type)
    }

    /// The entry of an identifier, or of the pattern that covers it.
    pub(crate) fn get_or_pattern(&self, name: &[u8]) -> Option<Hit<'_>> {
        self.get(name).or_else(|| self.pattern(name, Kind::Pattern))
    }

    /// The entry of an include path.
    pub fn header(&self, path: &[u8]) -> Option<Hit<'_>> {
        self.headers
            .get(path)
            .map(|&index| self.hit(index))
            .or_else(|| self.pattern(path, Kind::Header))
    }

    /// The entries about members with this name, of whatever structure.
    pub fn fields(&self, member: &[u8]) -> impl Iterator<Item = Hit<'_>> {
        let indices = self.fields.get(member);
        indices.into_iter().flatten().map(|&index| self.hit(index))
    }

    /// The entries about namespaces.
    pub fn namespaces(&self) -> impl Iterator<Item = Hit<'_>> {
        self.namespaces.iter().map(|&index| self.hit(index))
    }

    /// The entries about namespaces, or their members, whose last part is this word.
    pub(crate) fn namespaces_ending(&self, word: &[u8]) -> impl Iterator<Item = Hit<'_>> {
        let indices = self.namespace_tails.get(word);
        indices.into_iter().flatten().map(|&index| self.hit(index))
    }

    /// The entries of members with a name: of a namespace (`ns::word`) or of a type (`type.word`).
    pub fn ending(&self, word: &[u8]) -> impl Iterator<Item = Hit<'_>> {
        self.fields(word).chain(self.namespaces_ending(word))
    }

    /// Whether a word is a name or header of AMD that some entry becomes, and none of CUDA's.
    pub(crate) fn is_target(&self, word: &[u8]) -> bool {
        let looks_so = TARGET_STARTS.iter().any(|start| word.starts_with(start));
        looks_so && self.is_result(word)
    }

    /// Whether some entry becomes a name or header, whatever it is called: `thrust/system/hip/error.h`.
    pub(crate) fn is_result(&self, word: &[u8]) -> bool {
        !self.reversed && self.targets().contains(word)
    }

    /// Whether a text may hold such a word. Asked before its words are taken together, which costs more.
    pub(crate) fn may_hold_target(&self, text: &[u8]) -> bool {
        TARGET_STARTS.iter().any(|start| {
            memchr::memmem::find_iter(text, start).any(|at| at == 0 || !is_of_word(text[at - 1]))
        })
    }

    fn targets(&self) -> &FxHashSet<&'static [u8]> {
        self.targets.get_or_init(|| {
            let added = self.entries.added.iter().map(LazyEntry::entry);
            let added = added.flat_map(ApiEntry::results);
            let all = builtin_targets().into_iter().chain(added);
            all.map(str::as_bytes).collect()
        })
    }

    /// The names that begin as a word does, those of headers, members and patterns apart, in the order of the tables. No entry is decoded
    /// for it: of most a run needs nothing.
    pub(crate) fn family(&self, word: &str) -> &[&'static str] {
        let families = self.families.get_or_init(|| {
            let mut families = FxHashMap::<Stem, Vec<&'static str>>::default();
            for entry in self.entries.iter() {
                let is_name = !matches!(entry.kind, Kind::Header | Kind::Field | Kind::Pattern);
                if let Some(stem) = entry.name.as_bytes().first_chunk().filter(|_| is_name) {
                    families.entry(*stem).or_default().push(entry.name);
                }
            }
            families
        });
        let stem = word.as_bytes().first_chunk::<4>();
        let family = stem.and_then(|stem| families.get(stem));
        family.map_or(&[], Vec::as_slice)
    }

    /// All entries, in the order of the tables.
    pub fn iter(&self) -> impl Iterator<Item = Hit<'_>> {
        (0..self.entries.len()).map(|index| self.hit(index as u32))
    }

    fn hit(&self, index: u32) -> Hit<'_> {
        let entry = self.entries.at(index);
        Hit {
            entry: entry.entry(),
            origin: entry.origin,
        }
    }

    fn pattern(&self, name: &[u8], kind: Kind) -> Option<Hit<'_>> {
        // `nvtx_handle_` is a member of a project's class: no name of CUDA's ends so.
        if kind == Kind::Pattern && name.ends_with(b"_") && !name.ends_with(b"__") {
            return None;
        }
        let is_kind = |index: u32| self.entries.at(index).kind == kind;
        self.patterns
            .find(name, is_kind)
            .map(|index| self.hit(index))
    }
}
