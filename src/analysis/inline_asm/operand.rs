//! Operands of inline assembly in C++: their code is carried into the translation, where other rules change it as anywhere else.

use std::ops::Range;

use crate::analysis::unit::Unit;
use crate::edit::Edit;
use crate::ptx::{FIRST_MARK, Holds, Value};
use crate::syntax::{AsmStatement, TokenIndex, flags};
use crate::text::TextRange;

/// The last letter that is the mark in front of a carried piece, which says by its number which it is, and the one behind all of them.
const LAST_MARK: char = '\u{FFFFD}';
const END_MARK: char = '\u{10FFFD}';

/// Pieces of code that a translation carries; a mark is the number of one.
pub(super) struct Carried {
    pieces: Vec<TextRange>,
    /// The statement has letters that would be taken for marks: its code is copied.
    has_marks: bool,
}

impl Carried {
    /// Nothing yet of a statement.
    pub(super) fn of(cx: &Unit<'_, '_>, statement: TextRange) -> Self {
        let is_mark = |letter: char| letter >= FIRST_MARK;
        Self {
            pieces: Vec::new(),
            has_marks: cx.text_of(statement).contains(is_mark),
        }
    }

    /// An operand as an expression of C++. Line breaks in it become spaces.
    pub(super) fn value(
        &mut self,
        cx: &Unit<'_, '_>,
        keyword: TokenIndex,
        tokens: Range<TokenIndex>,
        holds: Holds,
    ) -> Value {
        let (mut text, mut written) = (String::new(), String::new());
        for (index, piece) in pieces(cx, tokens.clone()).into_iter().enumerate() {
            if index > 0 {
                text.push(' ');
                written.push(' ');
            }
            let code = cx.text_of(piece);
            written.push_str(&self.marked(&code, piece));
            text.push_str(&code);
        }
        // A parameter of a macro stands for any expression.
        if cx.doc.tokens[keyword].has(flags::DIRECTIVE) {
            text = format!("({text})");
            written = format!("({written})");
        }
        Value {
            text,
            written,
            is_loose: is_known_call(cx, tokens),
            holds,
        }
    }

    fn marked(&mut self, code: &str, piece: TextRange) -> String {
        let mark = char::from_u32(u32::from(FIRST_MARK) + self.pieces.len() as u32);
        match mark.filter(|&mark| mark <= LAST_MARK) {
            // Bytes that are no text have another length as text.
            Some(mark) if code.len() == piece.len() as usize && !self.has_marks => {
                self.pieces.push(piece);
                format!("{mark}{code}{END_MARK}")
            }
            _ => code.to_owned(),
        }
    }

    /// The edit that writes a translation in place of a statement, with what its marks stand for.
    pub(super) fn replaced(&self, range: TextRange, marked: &str) -> Edit {
        let (mut text, mut moved) = (String::with_capacity(marked.len()), Vec::new());
        for letter in marked.chars() {
            let number = u32::from(letter).checked_sub(u32::from(FIRST_MARK));
            match number.and_then(|number| self.pieces.get(number as usize)) {
                Some(piece) => moved.push((text.len(), *piece)),
                None if letter == END_MARK && !self.pieces.is_empty() => {}
                None => text.push(letter),
            }
        }
        // What is inserted in front of the statement stays.
        let inside = TextRange::new(range.start + 1, range.end);
        let edit = Edit::replace(range, text).without(inside);
        moved
            .into_iter()
            .fold(edit, |edit, (at, piece)| edit.moving(at, piece))
    }
}

/// Whether all operands can be carried: no comment, statement or block in them.
pub(super) fn are_expressions(cx: &Unit<'_, '_>, statement: &AsmStatement) -> bool {
    statement.operands.iter().all(|operand| {
        let tokens = operand.expression.clone();
        let Some(last) = tokens.clone().next_back() else {
            return true;
        };
        let range = cx.doc.range(tokens.start, last);
        !crate::cpp::expressions::holds_comment(cx.doc, range.start, range.end)
            && !tokens
                .into_iter()
                .any(|index| matches!(cx.doc.bytes(index), b";" | b"{"))
    })
}

/// Whether all of an operand is a call that other rules or the tables may write as another expression.
fn is_known_call(cx: &Unit<'_, '_>, tokens: Range<TokenIndex>) -> bool {
    let (name, open) = (tokens.start, tokens.start + 1);
    let word = cx.doc.bytes(name);
    let is_renamed = || {
        let hit = cx.table().get(word);
        hit.is_some_and(|hit| hit.entry.hip != Some(hit.entry.cuda))
    };
    tokens.len() > 2
        && cx.doc.is_ident(name)
        && cx.doc.is(open, "(")
        && cx.doc.matching_bracket(open) == Some(tokens.end - 1)
        && (cx.claims.is_watched(word) || is_renamed())
}

/// The tokens without parentheses around all of them.
pub(super) fn without_parentheses(
    cx: &Unit<'_, '_>,
    mut tokens: Range<TokenIndex>,
) -> Range<TokenIndex> {
    while tokens.len() > 2
        && cx.doc.is(tokens.start, "(")
        && cx.doc.matching_bracket(tokens.start) == Some(tokens.end - 1)
    {
        tokens = tokens.start + 1..tokens.end - 1;
    }
    tokens
}

/// The code of tokens, cut where there is more than one space between two.
fn pieces(cx: &Unit<'_, '_>, tokens: Range<TokenIndex>) -> Vec<TextRange> {
    let mut pieces: Vec<TextRange> = Vec::new();
    for token in tokens.map(|index| cx.range(index)) {
        match pieces.last_mut() {
            Some(piece) if !is_cut(&cx.text_of(TextRange::new(piece.end, token.start))) => {
                piece.end = token.end;
            }
            _ => pieces.push(token),
        }
    }
    pieces
}

/// Line breaks, with the backslash of a macro, and more blanks than one. What no token has, such as a stray letter, is kept.
fn is_cut(between: &str) -> bool {
    let is_blank = |letter: char| letter.is_whitespace() || letter == '\\';
    !matches!(between, "" | " ") && between.chars().all(is_blank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::inline_asm::{becomes_cpp, find, layout::replacement};
    use crate::engine::probe::{first, of_file};
    use crate::ptx::Type;

    /// What stands in place of the assembly, and the code that is carried there, with the rules' own edits left out.
    fn made(operand: &str) -> (String, Vec<String>) {
        let head =
            "__device__ unsigned f(unsigned *p, unsigned a, int i, unsigned long long s) {\n";
        let text = format!(
            "{head}unsigned b; asm(\"add.u32 %0, %1, %1;\" : \"=r\"(b) : \"r\"({operand})); return b; }}\n"
        );
        of_file(&text, |cx| {
            let found = find(cx, first(cx, "asm")).expect("it is PTX");
            let translation = found.outcome.as_ref().expect("it is translated");
            let edit = replacement(cx, &found, translation);
            let carried = edit.moved().iter();
            let carried = carried.map(|moved| cx.text_of(moved.from).into_owned());
            (edit.content.to_string(), carried.collect())
        })
    }

    #[test]
    fn the_code_of_operands_is_carried() {
        for (operand, expected, carried) in [
            ("a", "b = a + a;", &["b", "a", "a"][..]),
            ("(a)", "b = a + a;", &["b", "a", "a"]),
            (
                "a * 2",
                "b = static_cast<unsigned>(a * 2) + static_cast<unsigned>(a * 2);",
                &["b", "a * 2", "a * 2"],
            ),
            (
                "a\n    * 2",
                "b = static_cast<unsigned>(a * 2) + static_cast<unsigned>(a * 2);",
                &["b", "a", "* 2", "a", "* 2"],
            ),
        ] {
            let (text, pieces) = made(operand);
            assert_eq!(text, expected, "{operand}");
            assert_eq!(pieces, carried, "{operand}");
        }
    }

    #[test]
    fn a_call_that_other_rules_write_has_parentheses_beside_an_operator() {
        let one = |operand: &str| {
            let text = format!(
                "__device__ void f(unsigned b) {{ asm(\"add.u32 %0, %1, %0;\" : \"+r\"(b) : \"r\"({operand})); }}\n"
            );
            of_file(&text, |cx| {
                let found = find(cx, first(cx, "asm")).expect("it is PTX");
                let translation = found.outcome.as_ref().expect("it is translated");
                replacement(cx, &found, translation).content.into_owned()
            })
        };
        for (operand, expected) in [
            ("g(b)", "b = static_cast<unsigned>(g(b)) + b;"),
            (
                "__activemask()",
                "b = static_cast<unsigned>(__activemask()) + b;",
            ),
            (
                "__activemask() + b",
                "b = static_cast<unsigned>(__activemask() + b) + b;",
            ),
        ] {
            assert_eq!(one(operand), expected);
        }
        let value = |is_loose| Value {
            is_loose,
            ..Value::plain("g(b)".into(), Holds::Integer(32))
        };
        assert_eq!(value(false).read(Type::Bits(32)), "g(b)");
        assert_eq!(value(true).read(Type::Bits(32)), "(g(b))");
    }

    #[test]
    fn a_name_is_read_where_its_parts_go() {
        let text = "__device__ void f(unsigned v) { unsigned short lo, hi; asm(\"mov.b32 {%0, %1}, %2;\" : \"=h\"(lo), \"=h\"(hi) : \"r\"(v)); }\n";
        let made = of_file(text, |cx| {
            let found = find(cx, first(cx, "asm")).expect("it is PTX");
            let translation = found.outcome.as_ref().expect("it is translated");
            replacement(cx, &found, translation).content.into_owned()
        });
        let parts =
            "lo = static_cast<unsigned short>(v);\nhi = static_cast<unsigned short>(v >> 16);";
        assert_eq!(made, parts);
    }

    #[test]
    fn a_private_letter_of_the_source_is_no_mark() {
        let (text, pieces) = made("g(\"\u{F0000}\")");
        assert!(text.contains("g(\"\u{F0000}\")"), "{text}");
        assert_eq!(pieces, [""; 0]);
    }

    #[test]
    fn a_comment_or_a_block_cannot_be_carried() {
        for operand in ["a /* why */ + 1", "g({a})", "({ a; })"] {
            let text = format!(
                "__device__ void f(unsigned a) {{ unsigned b; asm(\"add.u32 %0, %1, 1;\" : \"=r\"(b) : \"r\"({operand})); }}\n"
            );
            assert!(
                !of_file(&text, |cx| becomes_cpp(cx, first(cx, "asm"))),
                "{operand}"
            );
        }
    }
}
