//! Which values of a function differ from thread to thread of a block.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::cpp::lanes::speaks_of_lanes;
use crate::syntax::{Document, FunctionScope, TokenIndex, TokenKind};

/// The locals of a function that are made of the thread's place in its block, or of its warp's.
#[derive(Debug, Default)]
pub(crate) struct ThreadValues<'s> {
    of_thread: FxHashSet<&'s [u8]>,
    of_warp: FxHashSet<&'s [u8]>,
}

impl<'s> ThreadValues<'s> {
    /// Follows the assignments of a function once, in their order.
    pub(crate) fn new(doc: &Document<'s>, function: &FunctionScope) -> Self {
        let mut values = Self::default();
        for at in function.body.clone() {
            let is_value = doc.is(at, "=") && doc.prev(at).is_some_and(|name| doc.is_ident(name));
            if !is_value {
                continue;
            }
            let value = at + 1..end_of(doc, at + 1, function.body.end);
            let name = doc.bytes(at - 1);
            if values.is_of_warp(doc, value.clone()) {
                values.of_warp.insert(name);
            }
            if values.is_of_thread(doc, value) {
                values.of_thread.insert(name);
            }
        }
        values
    }

    /// Whether an expression differs between the threads of a block.
    pub(crate) fn is_of_thread(&self, doc: &Document<'s>, mut tokens: Range<TokenIndex>) -> bool {
        tokens.any(|at| {
            let word = doc.bytes(at);
            doc.is_ident(at)
                && (matches!(
                    word,
                    b"threadIdx" | b"thread_rank" | b"__lane_id" | b"cass_lane_id32"
                ) || self.of_thread.contains(word) && !doc.is_before(at, "."))
        })
    }

    /// Whether an expression differs between the warps of a block, as far as that is about warps: `threadIdx.x / 32`, `warp_id`.
    pub(crate) fn is_of_warp(&self, doc: &Document<'s>, tokens: Range<TokenIndex>) -> bool {
        let divides = |at: TokenIndex| {
            (matches!(doc.bytes(at), b"/" | b">"))
                && doc.next(at).is_some_and(|size| {
                    matches!(doc.bytes(size), b"32" | b"5" | b"warpSize")
                        || speaks_of_lanes(doc.bytes(size))
                })
        };
        let names = |at: TokenIndex| doc.is_ident(at) && self.of_warp.contains(doc.bytes(at));
        tokens.clone().any(names)
            || self.is_of_thread(doc, tokens.clone()) && tokens.into_iter().any(divides)
    }
}

fn end_of(doc: &Document<'_>, start: TokenIndex, limit: TokenIndex) -> TokenIndex {
    let mut at = start;
    while at < limit {
        match doc.bytes(at) {
            b";" | b"," | b")" | b"}" => return at,
            b"(" | b"[" | b"{" => at = doc.matching_bracket(at).map_or(at, |close| close.max(at)),
            _ => {}
        }
        at += 1;
    }
    limit
}

/// Whether a condition parts threads at a multiple of 64, which no wavefront meets in two: `threadIdx.x < 128`.
pub(crate) fn parts_wavefronts_whole(doc: &Document<'_>, condition: Range<TokenIndex>) -> bool {
    let tokens: Vec<TokenIndex> = condition.collect();
    let [.., operator, number] = tokens[..] else {
        return false;
    };
    let value = crate::text::number::integer(doc.bytes(number));
    doc.tokens[number].kind == TokenKind::Number
        && matches!(doc.bytes(operator), b"<" | b">=")
        && value.is_some_and(|value| value % 64 == 0)
        && tokens.len() <= 5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// What the variable `x` of a kernel is made of: of the thread, of its warp.
    fn is_of(body: &str) -> (bool, bool) {
        let text = format!("__global__ void k() {{ {body} x; }}");
        let source = SourceFile::new("a.cu", text.into_bytes());
        let doc = Document::new(&source);
        let x = doc.all("x").next_back().expect("it is there");
        let function = doc.scopes().enclosing(x).expect("it is in one");
        let values = ThreadValues::new(&doc, function);
        let at = x..x + 1;
        (
            values.is_of_thread(&doc, at.clone()),
            values.is_of_warp(&doc, at),
        )
    }

    #[test]
    fn locals_are_of_what_they_are_made_of() {
        for (body, expected) in [
            ("int x = threadIdx.x;", (true, false)),
            ("int i = threadIdx.x; int x = i + 1;", (true, false)),
            ("int x = threadIdx.x / 32;", (true, true)),
            ("int x = threadIdx.x >> 5;", (true, true)),
            ("int w = threadIdx.x / warpSize; int x = w;", (true, true)),
            ("int x = blockIdx.x;", (false, false)),
            ("int x = n / 32;", (false, false)),
        ] {
            assert_eq!(is_of(body), expected, "{body}");
        }
    }

    #[test]
    fn wavefronts_stay_whole_at_multiples_of_64() {
        for (text, expected) in [
            ("threadIdx.x < 128", true),
            ("threadIdx.x >= 64", true),
            ("threadIdx.x < 32", false),
            ("threadIdx.x < n", false),
            ("threadIdx.x == 64", false),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let doc = Document::new(&source);
            let all = 0..doc.tokens.len();
            assert_eq!(parts_wavefronts_whole(&doc, all), expected, "{text}");
        }
    }
}
