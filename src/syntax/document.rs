use std::any::Any;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use super::braces::Braces;
use super::call::Torn;
use super::lexed::Lexed;
use super::scope::{MacroSpaces, space_of};
use super::{
    Call, Conditionals, Directive, Guards, Include, LaunchSite, Scopes, Space, TokenIndex, Vendor,
    VendorMacros,
};
use super::{directive, launch, lexer};
use crate::text::{SourceFile, TextRange};

/// A file of C++ as rules see it: its tokens ([`Lexed`]) and what was found among them. Built for every such file that mentions CUDA.
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
    spaces: Arc<MacroSpaces>,
    scopes: std::cell::OnceCell<Scopes>,
    braces: std::cell::OnceCell<Braces>,
    tree: std::cell::OnceCell<super::SyntaxTree>,
}

impl<'s> Deref for Document<'s> {
    type Target = Lexed<'s>;

    fn deref(&self) -> &Lexed<'s> {
        &self.lexed
    }
}

impl<'s> Document<'s> {
    /// Reads a file of C++. Cannot fail: whatever the bytes are, there are tokens.
    pub fn new(source: &'s SourceFile) -> Self {
        Self::with_macros(source, &VendorMacros::default())
    }

    /// The same where a tree tells more of whom macros belong to than their names do.
    pub(crate) fn with_macros(source: &'s SourceFile, macros: &VendorMacros) -> Self {
        let lexed = Lexed::new(source, lexer::lex(&source.bytes));
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
            spaces: Arc::default(),
            scopes: std::cell::OnceCell::new(),
            braces: std::cell::OnceCell::new(),
            tree: std::cell::OnceCell::new(),
        }
    }

    /// Tells which macros stand for execution spaces; the functions are looked for anew.
    pub(crate) fn set_spaces(&mut self, spaces: Arc<MacroSpaces>) {
        self.spaces = spaces;
        self.scopes.take();
    }

    /// Where a function runs of whose declaration these are tokens.
    pub(crate) fn space_of(&self, head: std::ops::Range<TokenIndex>) -> Space {
        space_of(self, head, &self.spaces)
    }

    /// What a reader of the whole file works out of it, found when first asked for: one fact for each type.
    pub(crate) fn fact<T: Any>(&self, work_out: impl FnOnce(&Self) -> T) -> Rc<T> {
        self.lexed.facts.get(|| work_out(self))
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
        self.scopes.get_or_init(|| Scopes::new(self, &self.spaces))
    }

    /// The tree of the masked text, parsed when first asked for.
    pub fn tree(&self) -> &super::SyntaxTree {
        self.tree
            .get_or_init(|| super::SyntaxTree::new(self, &self.launches))
    }
}
