//! Declarations outside of directives, one form each.

use super::arity::arity;
use super::{Names, What};
use crate::syntax::{Document, TokenIndex, flags};
use crate::text::keywords;

impl Names {
    pub(super) fn declaration(&mut self, document: &Document<'_>, at: TokenIndex) {
        match document.bytes(at) {
            b"enum" => self.enumeration(document, at),
            word if keywords::is_class_key(word) => self.class(document, at),
            b"typedef" => self.typedef(document, at),
            b"using" => {
                let name = document.next(at).filter(|&name| document.is_ident(name));
                if let Some(name) = name.filter(|&name| document.next_is(name, "=")) {
                    self.add(document, name, What::Type);
                }
            }
            b"namespace" => {
                if let Some(name) = document.next(at).filter(|&name| document.is_ident(name)) {
                    self.add(document, name, What::Namespace);
                }
            }
            word if document.next_is(at, "(") => {
                let name = String::from_utf8_lossy(word);
                match self.pasting.get(name.as_ref()) {
                    Some(pasting) => {
                        let made = pasting.names(document, at);
                        for name in made {
                            self.add_name(document, name, What::Macro);
                        }
                    }
                    None => self.function(document, at),
                }
            }
            _ => self.variable(document, at),
        }
    }

    fn enumeration(&mut self, document: &Document<'_>, at: TokenIndex) {
        let mut index = at;
        // `enum class alignas(4) Name : unsigned {`: the brace is near, or there is none.
        for _ in 0..12 {
            let Some(next) = document.next(index) else {
                return;
            };
            match document.bytes(next) {
                b"{" => return self.enumerators(document, next),
                b";" | b")" | b"," | b"=" => return,
                b"class" | b"struct" => {}
                _ if document.is_ident(next) && is_head(document, next) => {
                    self.add(document, next, What::Type);
                }
                _ => {}
            }
            index = next;
        }
    }

    fn enumerators(&mut self, document: &Document<'_>, open: TokenIndex) {
        let Some(close) = document.matching_bracket(open) else {
            return;
        };
        let mut expects_name = true;
        let mut at = open + 1;
        while at < close {
            if document.tokens[at].has(flags::DIRECTIVE) {
                at += 1;
                continue;
            }
            match document.bytes(at) {
                b"," => expects_name = true,
                b"(" | b"{" => at = document.matching_bracket(at).unwrap_or(at),
                _ if expects_name && document.is_ident(at) => {
                    self.add(document, at, What::Enumerator);
                    expects_name = false;
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn class(&mut self, document: &Document<'_>, at: TokenIndex) {
        let mut index = at;
        for _ in 0..8 {
            let Some(next) = document.next(index) else {
                return;
            };
            if document.is(next, "(") {
                // An attribute or `__align__(8)` in front of the name.
                let Some(close) = document.matching_bracket(next) else {
                    return;
                };
                index = close;
                continue;
            }
            if !document.is_ident(next) {
                return;
            }
            if document.next_is(next, "(") {
                index = next;
                continue;
            }
            // `struct API name {` has an attribute in front of its name, `struct name *` only the name.
            let named = document.next(next).filter(|&name| document.is_ident(name));
            if is_head(document, next) || !named.is_some_and(|name| is_head(document, name)) {
                self.add(document, next, What::Type);
                return;
            }
            index = next;
        }
    }

    /// The names in front of the `;` of a typedef: `typedef struct X {…} Name, *Pointer;`, `typedef int (*Callback)(void *);`.
    fn typedef(&mut self, document: &Document<'_>, at: TokenIndex) {
        let mut index = at;
        while let Some(next) = document.next(index) {
            match document.bytes(next) {
                b";" => return,
                b"{" | b"[" => match document.matching_bracket(next) {
                    Some(close) => index = close,
                    None => return,
                },
                b"(" => {
                    if let Some(name) = pointer_name(document, next) {
                        self.add(document, name, What::Type);
                        return;
                    }
                    let Some(close) = document.matching_bracket(next) else {
                        return;
                    };
                    index = close;
                }
                _ => {
                    let ends = document.next(next).is_some_and(|end| {
                        matches!(document.bytes(end), b";" | b"," | b"[" | b"(")
                    });
                    if ends && document.is_ident(next) {
                        self.add(document, next, What::Type);
                    }
                    index = next;
                }
            }
        }
    }

    fn function(&mut self, document: &Document<'_>, at: TokenIndex) {
        let is_type = |word: &[u8]| {
            !keywords::takes_operand(word) && !keywords::takes_condition(word) && word != b"defined"
        };
        let follows_type = document.prev(at).is_some_and(|prev| {
            let word = document.bytes(prev);
            (document.is_ident(prev) && is_type(word)) || matches!(word, b"*" | b"&" | b">" | b")")
        });
        let Some(call) = document.call(at).filter(|_| follows_type) else {
            return;
        };
        let ends = document.next(call.close).is_some_and(|next| {
            let word = document.bytes(next);
            matches!(word, b";" | b"{" | b"=" | b"throw" | b"->")
                || keywords::is_behind_parameters(word)
                || word.starts_with(b"__")
                || (document.is_ident(next) && document.next_is(next, ";"))
        });
        if ends {
            let arity = arity(document, &call.arguments);
            let declared = self.add(document, at, What::Function);
            if !declared.arities.contains(&arity) {
                declared.arities.push(arity);
            }
        }
    }

    /// `static constexpr int name = 3;`, `extern const uint3 name;`
    fn variable(&mut self, document: &Document<'_>, at: TokenIndex) {
        let (Some(prev), Some(next)) = (document.prev(at), document.next(at)) else {
            return;
        };
        let typed = document.is_ident(prev) || matches!(document.bytes(prev), b"*" | b"&" | b">");
        let tagged = keywords::is_type_key(document.bytes(prev));
        let aliased = (0..at)
            .rev()
            .take(20)
            .take_while(|&back| !matches!(document.bytes(back), b";" | b"}"))
            .any(|back| document.is(back, "typedef"));
        if typed && !tagged && !aliased && matches!(document.bytes(next), b"=" | b";" | b"[" | b"{")
        {
            self.add(document, at, What::Variable);
        }
    }
}

/// Whether the name of a class or enumeration stands here: what follows opens it, ends it, or derives it.
fn is_head(document: &Document<'_>, name: TokenIndex) -> bool {
    document
        .next(name)
        .is_some_and(|next| matches!(document.bytes(next), b"{" | b";" | b":" | b"final" | b"<"))
}

/// `(*Name)(`, `(CALLBACK *Name)(`
fn pointer_name(document: &Document<'_>, open: TokenIndex) -> Option<TokenIndex> {
    let close = document.matching_bracket(open)?;
    let name = document.prev(close)?;
    let pointed = document.prev_is(name, "*") || document.prev_is(name, "&");
    (document.is_ident(name) && pointed && document.next_is(close, "(")).then_some(name)
}
