//! Macros that put names together from their arguments.

use crate::syntax::{Document, TokenIndex};
use crate::text::keywords::is_type_key;

/// A macro that declares names made from its arguments: `#define OBJECT(name) struct name {}; typedef struct name *name##_t;`.
#[derive(Debug)]
pub(super) struct Pasting {
    parameters: Vec<String>,
    /// The parts of each name: texts, or parameters.
    made: Vec<Vec<String>>,
}

/// What a function-like macro makes of its arguments, if it pastes or declares them.
pub(super) fn pasting(
    document: &Document<'_>,
    name: TokenIndex,
    operands: &[TokenIndex],
) -> Option<Pasting> {
    let close = document.matching_bracket(document.next(name)?)?;
    let text = |at: TokenIndex| String::from_utf8_lossy(document.bytes(at)).into_owned();
    let parameters: Vec<String> = operands
        .iter()
        .filter(|&&at| at < close && at != name && document.is_ident(at))
        .map(|&at| text(at))
        .collect();
    let body: Vec<TokenIndex> = operands.iter().copied().filter(|&at| at > close).collect();
    let mut made = Vec::new();
    for (place, &at) in body.iter().enumerate() {
        let before = place.checked_sub(1).map(|place| body[place]);
        let declares = before.is_some_and(|at| is_type_key(document.bytes(at)));
        if declares && parameters.contains(&text(at)) {
            made.push(vec![text(at)]);
        }
        let starts = document.is_ident(at) && !before.is_some_and(|at| pastes(document, at));
        let mut parts = vec![text(at)];
        let mut rest = body[place + 1..].iter();
        while let (Some(&glue), true) = (rest.next(), starts) {
            if !pastes(document, glue) {
                break;
            }
            // The lexer may give `##` as two tokens.
            let next = rest.find(|&&at| !pastes(document, at));
            parts.extend(next.map(|&at| text(at)));
        }
        if parts.len() > 1 {
            made.push(parts);
        }
    }
    (!made.is_empty()).then_some(Pasting { parameters, made })
}

impl Pasting {
    /// The names that one use of the macro makes.
    pub(super) fn names(&self, document: &Document<'_>, at: TokenIndex) -> Vec<String> {
        let Some(call) = document.call(at) else {
            return Vec::new();
        };
        let argument = |part: &String| {
            let position = self
                .parameters
                .iter()
                .position(|parameter| parameter == part)?;
            let range = call.argument(document, position)?;
            Some(String::from_utf8_lossy(document.source.slice(range)).into_owned())
        };
        let whole = |parts: &Vec<String>| {
            parts
                .iter()
                .map(|part| argument(part).unwrap_or_else(|| part.clone()))
                .collect::<String>()
        };
        self.made.iter().map(whole).collect()
    }
}

fn pastes(document: &Document<'_>, at: TokenIndex) -> bool {
    document.is(at, "##") || document.is(at, "#")
}
