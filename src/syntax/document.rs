use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::ops::Deref;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::braces::Braces;
use super::call::Torn;
use super::lexed::Lexed;
use super::words::Words;
use super::{
    Call, Conditionals, Directive, Guards, Include, LaunchSite, Scopes, TokenIndex, Vendor,
    VendorMacros,
};
use super::{directive, launch};
use crate::text::{SourceFile, TextRange};

type Notes<'s> = FxHashMap<(&'static str, &'s [u8]), Rc<[TokenIndex]>>;

/// One file as rules see it: its tokens ([`Lexed`]) and what was found among them. Built for every file that mentions CUDA.
pub struct Document<'s> {
    lexed: Lexed<'s>,
    /// Includes with literal paths, in order.
    pub includes: Vec<Include>,
    /// Code that already knows both vendors.
    pub guards: Guards,
    /// The `#if` groups and their branches.
    pub branches: Conditionals,
    /// Kernel launches, in order of their `<<<`.
    pub launches: Vec<LaunchSite>,
    newline: std::cell::OnceCell<&'static str>,
    scopes: std::cell::OnceCell<Scopes>,
    braces: std::cell::OnceCell<Braces>,
    words: std::cell::OnceCell<Words<'s>>,
    notes: RefCell<Notes<'s>>,
    facts: RefCell<FxHashMap<TypeId, Rc<dyn Any>>>,
    tree: std::cell::OnceCell<super::SyntaxTree>,
}

impl<'s> Deref for Document<'s> {
    type Target = Lexed<'s>;

    fn deref(&self) -> &Lexed<'s> {
        &self.lexed
    }
}

impl<'s> Document<'s> {
    /// Reads a file. Cannot fail: whatever the bytes are, there are tokens.
    pub fn new(source: &'s SourceFile) -> Self {
        Self::with_macros(source, &VendorMacros::default())
    }

    /// The same where a tree tells more of whom macros belong to than their names do.
    pub(crate) fn with_macros(source: &'s SourceFile, macros: &VendorMacros) -> Self {
        let lexed = Lexed::new(source);
        let (tokens, directives) = (&lexed.tokens, &lexed.directives);
        let includes = directive::includes(tokens, directives);
        let guards = Guards::new(&source.bytes, tokens, directives, macros);
        let branches = Conditionals::new(directives, source.bytes.len() as u32);
        let launches = launch::launches(&lexed);
        Self {
            lexed,
            includes,
            guards,
            branches,
            launches,
            newline: std::cell::OnceCell::new(),
            scopes: std::cell::OnceCell::new(),
            braces: std::cell::OnceCell::new(),
            words: std::cell::OnceCell::new(),
            notes: RefCell::default(),
            facts: RefCell::default(),
            tree: std::cell::OnceCell::new(),
        }
    }

    /// The line end of the file: that of Windows where there is one.
    pub(crate) fn newline(&self) -> &'static str {
        self.newline.get_or_init(|| {
            let windows = memchr::memmem::find(&self.source.bytes, b"\r\n").is_some();
            if windows { "\r\n" } else { "\n" }
        })
    }

    /// The identifiers of a range that read `word`, in order.
    pub(crate) fn occurrences(
        &self,
        word: &[u8],
        range: std::ops::Range<TokenIndex>,
    ) -> impl DoubleEndedIterator<Item = TokenIndex> + '_ {
        let found = self.words().places(word);
        let count_before = |end: TokenIndex| found.partition_point(|&at| (at as TokenIndex) < end);
        let found = &found[count_before(range.start)..count_before(range.end)];
        found.iter().map(|&index| index as TokenIndex)
    }

    /// The identifiers of the file that read `word`, in order.
    pub fn all(&self, word: &str) -> impl DoubleEndedIterator<Item = TokenIndex> + '_ {
        let found = self.words().places(word.as_bytes());
        found.iter().map(|&index| index as TokenIndex)
    }

    /// The identifiers of the file that read one of `words`, in order.
    pub(crate) fn all_of(&self, words: &[&str]) -> Vec<TokenIndex> {
        let mut found: Vec<TokenIndex> = words.iter().flat_map(|word| self.all(word)).collect();
        found.sort_unstable();
        found
    }

    /// The identifiers of the file that read one of some names, which may repeat, in order.
    pub(crate) fn all_called(&self, mut names: Vec<&[u8]>) -> Vec<TokenIndex> {
        names.sort_unstable();
        names.dedup();
        let places = names.into_iter().flat_map(|name| self.words().places(name));
        let mut found: Vec<TokenIndex> = places.map(|&index| index as TokenIndex).collect();
        found.sort_unstable();
        found
    }

    /// The identifiers of the file whose text `wanted` takes, in order. It is asked once for each different word.
    pub(crate) fn all_that(&self, wanted: impl Fn(&'s [u8]) -> bool) -> Vec<TokenIndex> {
        let words = self.words().iter().filter(|(word, _)| wanted(word));
        let mut found: Vec<TokenIndex> = words
            .flat_map(|(_, places)| places)
            .map(|&index| index as TokenIndex)
            .collect();
        found.sort_unstable();
        found
    }

    /// The identifiers of the file that read `word` and `are` what the reader looks for, in order: found once for each word, because a
    /// rule that looks for the declaration of each use must not look at all uses each time.
    pub fn noted(
        &self,
        what: &'static str,
        word: &'s [u8],
        are: impl Fn(TokenIndex) -> bool,
    ) -> Rc<[TokenIndex]> {
        if let Some(known) = self.notes.borrow().get(&(what, word)) {
            return Rc::clone(known);
        }
        let all = self.occurrences(word, 0..self.tokens.len());
        let found: Rc<[TokenIndex]> = all.filter(|&at| are(at)).collect();
        let mut notes = self.notes.borrow_mut();
        notes.insert((what, word), Rc::clone(&found));
        found
    }

    /// The same for a word that need not be one of the file.
    pub(crate) fn noted_of(
        &self,
        what: &'static str,
        word: &[u8],
        are: impl Fn(TokenIndex) -> bool,
    ) -> Rc<[TokenIndex]> {
        let first = self.occurrences(word, 0..self.tokens.len()).next();
        first.map_or_else(|| Rc::from([]), |at| self.noted(what, self.bytes(at), are))
    }

    /// What a reader of the whole file works out of it, found when first asked for: one fact for each type.
    pub(crate) fn fact<T: Any>(&self, work_out: impl FnOnce(&Self) -> T) -> Rc<T> {
        let known = self.facts.borrow().get(&TypeId::of::<T>()).cloned();
        if let Some(fact) = known.and_then(|fact| fact.downcast::<T>().ok()) {
            return fact;
        }
        let fact = Rc::new(work_out(self));
        let any: Rc<dyn Any> = Rc::<T>::clone(&fact);
        self.facts.borrow_mut().insert(TypeId::of::<T>(), any);
        fact
    }

    /// The different identifiers of the file, each with its places in order.
    pub(crate) fn each_word(
        &self,
    ) -> impl Iterator<Item = (&'s [u8], impl Iterator<Item = TokenIndex> + Clone)> {
        let place = |&index: &u32| index as TokenIndex;
        let words = self.words().iter();
        words.map(move |(word, places)| (word, places.iter().map(place)))
    }

    /// Whether `wanted` takes an identifier of the file.
    pub(crate) fn has_word(&self, wanted: impl Fn(&'s [u8]) -> bool) -> bool {
        self.words().iter().any(|(word, _)| wanted(word))
    }

    fn words(&self) -> &Words<'s> {
        self.words
            .get_or_init(|| Words::new(&self.source.bytes, &self.tokens))
    }

    /// The opening braces around a token, innermost first.
    pub(crate) fn braces_around(&self, index: TokenIndex) -> impl Iterator<Item = TokenIndex> {
        self.braces.get_or_init(|| Braces::new(self)).around(index)
    }

    /// The call whose callee's last name is the identifier at `index`: `f(…)`, `f<T>(…)`.
    pub fn call(&self, index: TokenIndex) -> Option<Call> {
        let torn = self.fact(|document| Torn::new(document));
        Call::at(self, &torn, index)
    }

    /// The `>` of the template argument list that opens with the `<` at `open`, if it reads like one.
    pub(crate) fn template_close(&self, open: TokenIndex) -> Option<TokenIndex> {
        super::call::template_close(self, open)
    }

    /// For whom the byte at `offset` is compiled.
    pub fn vendor_at(&self, offset: u32) -> Vendor {
        if self.guards.is_empty() {
            Vendor::Any
        } else {
            self.guards.vendor_at(offset)
        }
    }

    /// Whether every build for AMD compiles the byte at `offset`: it lies under no condition but include guards and those for HIP.
    pub(crate) fn is_sure_on_hip(&self, offset: u32) -> bool {
        let is_sure = |branch: TextRange| {
            self.guards.is_sure_on_hip(branch.start) || self.is_behind_include_guard(branch)
        };
        self.branches.around(offset).all(is_sure)
    }

    /// Whether the branch is the one behind `#ifndef X`, `#define X`.
    fn is_behind_include_guard(&self, branch: TextRange) -> bool {
        let at = self
            .directives
            .partition_point(|directive| directive.range.end < branch.start);
        let opens = |guard: &Directive| guard.range.end == branch.start;
        self.directives.get(at).is_some_and(opens) && self.include_guard(at).is_some()
    }

    /// The includes in front of one that everybody who reads that one has read, in order.
    pub(crate) fn includes_read_before(&self, include: &Include) -> impl Iterator<Item = &Include> {
        let (token, start) = (include.token, include.directive.start);
        let earlier = self.includes.iter().take_while(move |it| it.token < token);
        earlier.filter(move |it| {
            self.branches.dominates(it.directive.start, start)
                && self.vendor_at(it.directive.start) == Vendor::Any
        })
    }

    /// Functions and lambdas, found when first asked for.
    pub fn scopes(&self) -> &Scopes {
        self.scopes.get_or_init(|| Scopes::new(self))
    }

    /// The tree of the masked text, parsed when first asked for.
    pub fn tree(&self) -> &super::SyntaxTree {
        self.tree
            .get_or_init(|| super::SyntaxTree::new(self, &self.launches))
    }
}
