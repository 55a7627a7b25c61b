//! What directives define: macros, switches that headers ask for, their guards.

use super::arity::arity;
use super::pasting::pasting;
use super::{Names, What};
use crate::syntax::{Directive, Document, TokenIndex};

impl Names {
    /// Marks the macro that keeps a header from being read twice.
    pub(super) fn mark_guard(&mut self, document: &Document<'_>) {
        if let Some(guard) = guard(document) {
            self.add(document, guard, What::Macro).guard = true;
        }
    }

    pub(super) fn macros(&mut self, document: &Document<'_>, directive: &Directive) {
        if directive.kind.is_condition() {
            // A switch that the headers ask for is a macro of theirs, although the user defines it.
            for at in directive.operands().filter(|&at| document.is_ident(at)) {
                self.add(document, at, What::Macro);
            }
        }
        let Some(name) = directive.defined_macro() else {
            return;
        };
        let operands: Vec<TokenIndex> = directive.operands().collect();
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
    let name = document.include_guard(0)?;
    (document.directives[1].operands().len() == 1).then_some(name)
}
