//! `asm` statements among the tokens: template text, operands and where the statement ends. Knows no instruction set.

use std::ops::Range;

use super::asm_text::{text_of, texts};
use super::{Document, TokenIndex, TokenKind, flags};
use crate::text::TextRange;
use crate::text::keywords::is_asm_qualifier;

/// An operand: `"=r"(expression)`, `[name] "l"(expression)`.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// Name in brackets, if it has one.
    pub name: Option<String>,
    /// The constraint, quotes removed; a macro whose text the file does not tell stands in it by its name.
    pub constraint: String,
    /// Tokens of the expression, parentheses excluded.
    pub expression: Range<TokenIndex>,
}

/// An `asm(…)`.
#[derive(Clone, Debug)]
pub struct AsmStatement {
    /// `asm`, `__asm__` or `__asm`.
    pub keyword: TokenIndex,
    /// The closing parenthesis.
    pub close: TokenIndex,
    /// The `;` behind it, if there is one.
    pub semicolon: Option<TokenIndex>,
    /// The text of the template with escapes resolved, in each way that the file's definitions of macros in it may put it together; none
    /// when something else does.
    pub templates: Vec<String>,
    /// The literals of the template, whatever stands among them.
    pub fragments: String,
    /// Outputs, then inputs, as the template counts them.
    pub operands: Vec<AsmOperand>,
    /// How many of the operands are outputs.
    pub outputs: usize,
    /// `asm goto`: control leaves through labels.
    pub jumps: bool,
    /// `asm volatile`, or without results, which makes it so: it may not be moved, merged or left out.
    pub volatile: bool,
    /// Memory is among the clobbers, so that no access to memory may be moved past it.
    pub clobbers_memory: bool,
}

impl AsmStatement {
    /// The statement whose keyword stands at `keyword`; `None` for other uses of the word (`__asm {`, a declaration's label).
    pub fn at(document: &Document<'_>, keyword: TokenIndex) -> Option<Self> {
        let mut open = document.next(keyword)?;
        let (mut jumps, mut volatile) = (false, false);
        while is_asm_qualifier(document.bytes(open)) {
            let word = document.bytes(open);
            jumps |= word == b"goto";
            volatile |= memchr::memmem::find(word, b"volatile").is_some();
            open = document.next(open)?;
        }
        if !document.is(open, "(") {
            return None;
        }
        let close = document.matching_bracket(open)?;
        let sections = sections(document, open + 1..close);
        let section = |at: usize| sections.get(at).cloned().unwrap_or(close..close);
        let inside = document.tokens[keyword].has(flags::DIRECTIVE);
        let split = document.tokens[open..close]
            .iter()
            .any(|token| token.has(flags::DIRECTIVE) != inside);
        let mut operands = operands(document, section(1));
        let outputs = operands.len();
        operands.extend(self::operands(document, section(2)));
        let templates = match split {
            true => Vec::new(),
            false => texts(document, section(0)),
        };
        let templates = templates
            .iter()
            .map(|text| resolve_names(text, &operands))
            .collect();
        let fragments: Vec<String> = section(0)
            .filter_map(|index| text_of(document, index))
            .collect();
        Some(Self {
            keyword,
            close,
            fragments: resolve_names(&fragments.concat(), &operands),
            semicolon: document.next(close).filter(|&next| document.is(next, ";")),
            templates,
            operands,
            volatile: volatile || outputs == 0,
            clobbers_memory: section(3).any(|at| document.is(at, "\"memory\"")),
            outputs,
            jumps,
        })
    }

    /// Bytes of the statement, its semicolon included.
    pub fn range(&self, document: &Document<'_>) -> TextRange {
        document.range(self.keyword, self.semicolon.unwrap_or(self.close))
    }
}

/// Token ranges between the colons; `::` is two of them.
fn sections(document: &Document<'_>, tokens: Range<TokenIndex>) -> Vec<Range<TokenIndex>> {
    let (mut sections, mut start, mut at) = (Vec::new(), tokens.start, tokens.start);
    while at < tokens.end {
        if let Some(close) = document.matching_bracket(at).filter(|&close| close > at) {
            at = close;
        } else if document.is(at, ":") || document.is(at, "::") {
            sections.push(start..at);
            if document.is(at, "::") {
                sections.push(at..at);
            }
            start = at + 1;
        }
        at += 1;
    }
    sections.push(start..tokens.end);
    sections
}

/// Operands of a section. A missing comma between two is passed over, as nvcc does.
fn operands(document: &Document<'_>, tokens: Range<TokenIndex>) -> Vec<AsmOperand> {
    let (mut operands, mut name, mut constraint) = (Vec::new(), None, String::new());
    let mut at = tokens.start;
    while at < tokens.end {
        match document.tokens[at].kind {
            TokenKind::Str | TokenKind::RawStr => {
                constraint.push_str(&text_of(document, at).unwrap_or_default());
            }
            TokenKind::Ident => {
                let name = || String::from_utf8_lossy(document.bytes(at)).into_owned();
                constraint.push_str(&of_macro(document, at).unwrap_or_else(name));
            }
            TokenKind::Punct if document.is(at, "[") => {
                name = Some(String::from_utf8_lossy(document.bytes(at + 1)).into_owned());
                at = document.matching_bracket(at).unwrap_or(at);
            }
            TokenKind::Punct if document.is(at, "(") => {
                let close = document.matching_bracket(at).unwrap_or(tokens.end);
                operands.push(AsmOperand {
                    name: name.take(),
                    constraint: std::mem::take(&mut constraint),
                    expression: at + 1..close,
                });
                at = close;
            }
            _ => {}
        }
        at += 1;
    }
    operands
}

/// The constraint that a macro of the file stands for. Of one that is `"l"` for pointers of 64 bits and `"r"` for those of 32 it is the
/// first: AMD has no others.
fn of_macro(document: &Document<'_>, at: TokenIndex) -> Option<String> {
    let defined = document.noted("macros of constraints", document.bytes(at), |at| {
        let directive = document.directive_of(at).map(|it| &document.directives[it]);
        directive.is_some_and(|it| it.defined_macro() == Some(at))
    });
    let body = |&name: &TokenIndex| {
        let directive = &document.directives[document.directive_of(name)?];
        let (body, end) = (name + 1, directive.operands().end);
        text_of(document, body).filter(|_| body + 1 == end)
    };
    let mut bodies: Vec<String> = defined.iter().map(body).collect::<Option<_>>()?;
    bodies.sort_unstable();
    bodies.dedup();
    let is_clear = bodies.len() == 1 || bodies == ["l", "r"];
    bodies.into_iter().next().filter(|_| is_clear)
}

/// `%[name]` as `%N` and `%%` as `%`: no register of PTX or of any other assembler starts with a digit, so nothing gets mixed up.
fn resolve_names(text: &str, operands: &[AsmOperand]) -> String {
    let mut out = text.to_owned();
    for (position, operand) in operands.iter().enumerate() {
        if let Some(name) = &operand.name {
            out = out.replace(&format!("%[{name}]"), &format!("%{position}"));
        }
    }
    out.replace("%%", "%")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn parse(text: &str) -> AsmStatement {
        let source = SourceFile::new("a.cu".to_owned(), text.as_bytes().to_vec());
        let document = Document::new(&source);
        let keyword = (0..document.tokens.len())
            .find(|&index| {
                ["asm", "__asm__", "__asm"]
                    .iter()
                    .any(|word| document.is(index, word))
            })
            .unwrap();
        AsmStatement::at(&document, keyword).unwrap()
    }

    #[test]
    fn literals_join_and_names_become_numbers() {
        let asm = parse(
            "asm volatile(\"{ .reg .pred p;\\n\\t\"\n  \"mov.u32 %[d], %%laneid; \\\n}\" : [d] \"=r\"(a::b[1]), \"+r\" (x) : \"n\"(std::size(y)));",
        );
        assert_eq!(asm.templates, ["{ .reg .pred p;\n\tmov.u32 %0, %laneid; }"]);
        assert_eq!((asm.operands.len(), asm.outputs), (3, 2));
        assert_eq!(asm.operands[1].constraint, "+r");
        assert!(asm.semicolon.is_some());
    }

    #[test]
    fn empty_sections_and_missing_commas() {
        let asm = parse("__asm__ __volatile__(\"st %0\" :: \"r\"(v) \"l\"(p) : \"memory\")");
        assert_eq!((asm.operands.len(), asm.outputs), (2, 0));
        assert!(asm.semicolon.is_none());
        assert_eq!(parse("asm(\"\" ::: \"memory\");").operands.len(), 0);
    }

    #[test]
    fn macros_give_constraints() {
        let constraint = |head: &str, operand: &str| {
            let text = format!("{head}asm(\"st [%0];\" :: {operand}(p));");
            parse(&text).operands[0].constraint.clone()
        };
        let sized = "#if X\n#define P \"l\"\n#else\n#define P \"r\"\n#endif\n";
        for (head, operand, expected) in [
            (sized, "P", "l"),
            ("#define P \"r\"\n", "P", "r"),
            ("#define O \"=\"\n", "O \"r\"", "=r"),
            ("#define P \"r\"\n#define P \"f\"\n", "P", "P"),
            ("#define P \"l\"(q), \"r\"\n", "P", "P"),
            ("", "P", "P"),
            ("", "P \"r\"", "Pr"),
        ] {
            assert_eq!(constraint(head, operand), expected, "{head}{operand}");
        }
    }
}
