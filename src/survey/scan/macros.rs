//! What directives define: macros, switches that headers ask for, their guards.

use super::arity::arity;
use super::pasting::pasting;
use super::{Names, What};
use crate::syntax::{Directive, DirectiveKind, Document, TokenIndex};

impl Names {
    /// Marks the macro that keeps a header from being read twice.
    pub(super) fn mark_guard(&mut self, document: &Document<'_>) {
        if let Some(guard) = guard(document) {
            self.add(document, guard, What::Macro).guard = true;
        }
    }

    pub(super) fn macros(&mut self, document: &Document<'_>, directive: &Directive) {
        if matches!(
            directive.kind,
            DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Ifndef | DirectiveKind::Elif
        ) {
            // A switch that the headers ask for is a macro of theirs, although the user defines it.
            for at in directive.operands().filter(|&at| document.is_ident(at)) {
                self.add(document, at, What::Macro);
            }
        }
        if directive.kind != DirectiveKind::Define {
            return;
        }
        let operands: Vec<TokenIndex> = directive.operands().collect();
        let Some(&name) = operands.first() else {
            return;
        };
        let takes_arguments = operands.get(1).is_some_and(|&open| {
            document.is(open, "(") && document.tokens[open].start == document.tokens[name].end()
        });
        if takes_arguments {
            let arity = document
                .call(name)
                .map(|call| arity(document, &call.arguments));
            let declared = self.add(document, name, What::Function);
            declared.arities.extend(arity);
            if let Some(pasting) = pasting(document, name, &operands) {
                let name = String::from_utf8_lossy(document.bytes(name)).into_owned();
                self.pasting.insert(name, pasting);
            }
        } else {
            self.add(document, name, What::Macro);
            if let [_, body] = operands[..]
                && document.is_ident(body)
            {
                let text = |at| String::from_utf8_lossy(document.bytes(at)).into_owned();
                self.aliases.insert(text(name), text(body));
            }
        }
    }
}

/// The include guard: the first condition of a header asks for it, and the next directive defines it as nothing.
fn guard(document: &Document<'_>) -> Option<TokenIndex> {
    let (first, second) = (document.directives.first()?, document.directives.get(1)?);
    let asks = matches!(first.kind, DirectiveKind::If | DirectiveKind::Ifndef);
    let defined: Vec<TokenIndex> = second.operands().collect();
    let &[name] = &defined[..] else { return None };
    let same = |at: TokenIndex| document.bytes(at) == document.bytes(name);
    (asks && second.kind == DirectiveKind::Define && first.operands().any(same)).then_some(name)
}
