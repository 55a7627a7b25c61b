//! The text of a module as directives: variables, functions with their parameters and bodies. Cannot fail: what it does not understand
//! is named.

use crate::ptx::split::{integer, label, list};

/// A variable, parameter or result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable<'t> {
    pub(super) name: &'t str,
    /// `b8`, `u64`, `f32`.
    pub(super) ty: &'t str,
    /// Bytes that its address is a multiple of.
    pub(super) align: Option<u64>,
    /// How many values an array has, all directions multiplied; 0 where the size is not given.
    pub(super) count: Option<u64>,
    /// What stands behind `=`.
    pub(super) initial: Option<&'t str>,
    /// `shared`, `global`, `const`, `local`, `param`.
    pub(super) space: &'t str,
    pub(super) is_extern: bool,
    /// A word that no variable of C++ has: `.v4`, `.texref`.
    pub(super) unknown: Option<&'t str>,
}

/// A kernel or device function.
#[derive(Clone, Debug)]
pub(super) struct Head<'t> {
    pub(super) name: &'t str,
    pub(super) is_kernel: bool,
    /// Who links it: `visible`, `weak`, `extern`, or nothing.
    pub(super) linkage: Option<&'t str>,
    pub(super) result: Option<Variable<'t>>,
    pub(super) parameters: Vec<Variable<'t>>,
    /// Threads of a block at most, where that is given.
    pub(super) threads: Option<u64>,
    /// What is between the braces; `None` for a declaration.
    pub(super) body: Option<&'t str>,
    /// Where its directive begins.
    pub(super) at: usize,
    /// A directive that has no counterpart: `.reqnctapercluster`.
    pub(super) unknown: Option<&'t str>,
}

/// What a module consists of.
#[derive(Debug, Default)]
pub(super) struct Parsed<'t> {
    pub(super) version: &'t str,
    pub(super) target: &'t str,
    pub(super) variables: Vec<(usize, Variable<'t>)>,
    pub(super) functions: Vec<Head<'t>>,
    /// Directives that are not understood, each with its place.
    pub(super) unknown: Vec<(usize, &'t str)>,
}

/// The text with comments, line directives and debug sections as blanks, so that places stay.
pub(super) fn blanked(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let (mut at, mut is_line_start) = (0, true);
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let length = if rest.starts_with(b"//") || is_line_start && is_about_lines(rest) {
            rest.iter()
                .position(|byte| *byte == b'\n')
                .unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2)
        } else if is_line_start && rest.starts_with(b".section") {
            memchr::memchr(b'}', rest).map_or(rest.len(), |end| end + 1)
        } else if rest[0] == b'"' {
            at += memchr::memchr(b'"', &rest[1..]).map_or(rest.len(), |end| end + 2);
            is_line_start = false;
            continue;
        } else {
            is_line_start = rest[0] == b'\n' || is_line_start && rest[0].is_ascii_whitespace();
            at += 1;
            continue;
        };
        for byte in &mut bytes[at..at + length] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at += length;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Directives that end with their line.
fn is_about_lines(rest: &[u8]) -> bool {
    rest.starts_with(b".loc") && rest.get(4).is_some_and(u8::is_ascii_whitespace)
        || rest.starts_with(b".file")
}

/// Reads a module without comments.
pub(super) fn parse(text: &str) -> Parsed<'_> {
    let mut cursor = Cursor { text, at: 0 };
    let mut parsed = Parsed::default();
    while let Some(begin) = cursor.skip_blanks() {
        let word = cursor.word();
        match word {
            ".version" => parsed.version = cursor.line(),
            ".target" => parsed.target = cursor.line(),
            ".address_size" => {
                cursor.line();
            }
            ".pragma" => {
                cursor.until_semicolon();
            }
            _ if word.starts_with('.') => declaration(&mut cursor, begin, &mut parsed),
            _ => {
                let unknown = cursor.until_semicolon();
                let first = unknown.split_whitespace().next().unwrap_or(unknown);
                let named = if word.is_empty() { first } else { word };
                // Semicolons and braces that stand alone say nothing.
                if named.contains(|letter: char| letter.is_alphanumeric()) {
                    parsed.unknown.push((begin, named));
                }
            }
        }
    }
    parsed
}

/// A variable or function, from its linkage on.
fn declaration<'t>(cursor: &mut Cursor<'t>, begin: usize, parsed: &mut Parsed<'t>) {
    cursor.at = begin;
    let mut linkage = None;
    loop {
        let before = cursor.at;
        match cursor.directive() {
            Some(word @ ("visible" | "extern" | "weak" | "common")) => linkage = Some(word),
            Some(word @ ("entry" | "func")) => {
                let head = function(cursor, begin, word == "entry", linkage);
                parsed.functions.push(head);
                return;
            }
            Some("global" | "const" | "shared" | "tex" | "surf" | "param") => {
                cursor.at = before;
                let text = cursor.until_semicolon();
                match variable(text) {
                    Some(variable) => {
                        let is_extern = linkage == Some("extern");
                        let variable = Variable {
                            is_extern,
                            ..variable
                        };
                        parsed.variables.push((begin, variable));
                    }
                    None => parsed.unknown.push((begin, first_word(text))),
                }
                return;
            }
            _ => {
                cursor.at = before;
                let text = cursor.until_semicolon();
                parsed.unknown.push((begin, first_word(text)));
                return;
            }
        }
    }
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or(text)
}

fn function<'t>(
    cursor: &mut Cursor<'t>,
    at: usize,
    is_kernel: bool,
    linkage: Option<&'t str>,
) -> Head<'t> {
    let mut head = Head {
        name: "",
        is_kernel,
        linkage,
        result: None,
        parameters: Vec::new(),
        threads: None,
        body: None,
        at,
        unknown: None,
    };
    if cursor.peek() == Some(b'(') && !is_kernel {
        head.result = parameters(cursor.enclosed(b'(', b')')).pop();
    }
    head.name = cursor.word();
    if cursor.peek() == Some(b'(') {
        head.parameters = parameters(cursor.enclosed(b'(', b')'));
    }
    loop {
        match cursor.peek() {
            Some(b'{') => {
                head.body = Some(cursor.enclosed(b'{', b'}'));
                return head;
            }
            Some(b'.') => performance(cursor, &mut head),
            Some(b';') => {
                cursor.at += 1;
                return head;
            }
            _ => return head,
        }
    }
}

/// A directive between the parameters and the body.
fn performance<'t>(cursor: &mut Cursor<'t>, head: &mut Head<'t>) {
    let word = cursor.directive().unwrap_or_default();
    let arguments = cursor.until(|byte| matches!(byte, b'{' | b'.' | b';'));
    match word {
        "maxntid" | "reqntid" => {
            let mut counts = arguments.split(',').map(|it| integer(it.trim()));
            head.threads = counts.try_fold(1_u64, |product, count| {
                product.checked_mul(u64::try_from(count?).ok()?)
            });
        }
        "minnctapersm"
        | "maxnctapersm"
        | "maxnreg"
        | "noreturn"
        | "pragma"
        | "noinline"
        | "abi_preserve"
        | "abi_preserve_control" => {
            if cursor.peek() == Some(b';') && word == "pragma" {
                cursor.at += 1;
            }
        }
        _ => head.unknown = Some(word),
    }
}

fn parameters(text: &str) -> Vec<Variable<'_>> {
    let mut parts = Vec::new();
    let mut begin = 0;
    // No parameter has a comma of its own but between brackets, where arrays have none either.
    for (at, _) in text.match_indices(',').chain([(text.len(), "")]) {
        parts.extend(variable(&text[begin..at]));
        begin = at + 1;
    }
    parts
}

/// One variable: `.shared .align 4 .b8 name[4][2] = {…}`.
pub(super) fn variable(text: &str) -> Option<Variable<'_>> {
    let (text, initial) = match text.split_once('=') {
        Some((text, initial)) => (text, Some(initial.trim())),
        None => (text, None),
    };
    let mut variable = Variable {
        name: "",
        ty: "",
        align: None,
        count: None,
        initial,
        space: "",
        is_extern: false,
        unknown: None,
    };
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word.strip_prefix('.') {
            Some(space @ ("global" | "const" | "shared" | "local" | "param")) => {
                // `.param .u64 .ptr .global .align 4 name`: what a pointer points at.
                if variable.space.is_empty() {
                    variable.space = space;
                }
            }
            Some("align") => {
                let number = words.next().and_then(integer).map(|it| it as u64);
                if variable.ty != "ptr" {
                    variable.align = variable.align.or(number);
                }
            }
            Some("ptr") => {
                // Alignment and space behind it are of what is pointed at.
                words
                    .by_ref()
                    .take_while(|word| word.starts_with('.'))
                    .count();
                let name = text.split_whitespace().next_back()?;
                variable.name = name;
                return is_named(name).then_some(variable);
            }
            Some(ty) if variable.ty.is_empty() && is_type(ty) => variable.ty = ty,
            Some(_) => variable.unknown = Some(word),
            None => {
                let end = word.find('[').unwrap_or(word.len());
                variable.name = &word[..end];
                let from = text.find(word)? + end;
                variable.count = dimensions(&text[from..]);
                return is_named(variable.name).then_some(variable);
            }
        }
    }
    None
}

fn is_named(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_alphabetic() || matches!(letter, '_' | '$' | '%'))
}

fn is_type(word: &str) -> bool {
    let digits = word.strip_prefix(['b', 'u', 's', 'f']).unwrap_or_default();
    matches!(digits, "8" | "16" | "32" | "64" | "128") || word == "pred"
}

/// How many values the brackets behind a name hold together.
fn dimensions(text: &str) -> Option<u64> {
    let mut rest = text.trim_start();
    let mut product = None;
    while let Some(inner) = rest.strip_prefix('[') {
        let (number, behind) = inner.split_once(']')?;
        let number = match number.trim() {
            "" => 0,
            number => integer(number)? as u64,
        };
        product = Some(product.unwrap_or(1_u64).saturating_mul(number));
        rest = behind.trim_start();
    }
    product
}

/// One part of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'t> {
    Open,
    Close,
    Label(&'t str),
    /// A statement without its semicolon, and where it begins in the body.
    Statement(usize, &'t str),
}

/// The parts of a body. A brace opens a block where no statement has begun.
pub(super) fn parts(body: &str) -> Vec<Part<'_>> {
    let (mut parts, mut begin, mut depth) = (Vec::new(), 0, 0_usize);
    let mut is_begun = false;
    let mut in_string = false;
    for (at, byte) in body.bytes().enumerate() {
        match byte {
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' if !is_begun => {
                parts.push(Part::Open);
                begin = at + 1;
                continue;
            }
            b'}' if depth == 0 => {
                statement(body, begin, at, &mut parts);
                parts.push(Part::Close);
                (begin, is_begun) = (at + 1, false);
                continue;
            }
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b';' => {
                statement(body, begin, at, &mut parts);
                (begin, is_begun, depth) = (at + 1, false, 0);
                continue;
            }
            b':' if depth == 0 && label(body[begin..=at].trim_start()).is_some() => {
                let text = body[begin..at].trim();
                // A label of a list or prototype is part of what stands behind it.
                let behind = body[at + 1..].trim_start();
                if !behind.starts_with(".branchtargets") && !behind.starts_with(".callprototype") {
                    parts.push(Part::Label(text));
                    (begin, is_begun) = (at + 1, false);
                    continue;
                }
            }
            _ => {}
        }
        is_begun |= !byte.is_ascii_whitespace();
    }
    statement(body, begin, body.len(), &mut parts);
    parts
}

fn statement<'t>(body: &'t str, begin: usize, end: usize, parts: &mut Vec<Part<'t>>) {
    let text = &body[begin..end];
    let lead = text.len() - text.trim_start().len();
    if !text.trim().is_empty() {
        parts.push(Part::Statement(begin + lead, text.trim()));
    }
}

/// A register by its name, or as many as the number says behind a stem.
pub(super) type Registers = (String, Option<u64>);

/// The type of a declaration of registers, and what it declares.
pub(super) fn registers(text: &str) -> Option<(&str, Vec<Registers>)> {
    let text = text.trim_start().strip_prefix('.')?;
    let end = text.find(char::is_whitespace)?;
    let names = list(&text[end..]).into_iter().map(|name| {
        let range = name.split_once('<').and_then(|(stem, count)| {
            let count = integer(count.trim_end_matches('>').trim())?;
            Some((stem.to_owned(), Some(count as u64)))
        });
        range.unwrap_or((name, None))
    });
    Some((&text[..end], names.collect()))
}

/// Where a text is read.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Where the next thing is; `None` at the end.
    fn skip_blanks(&mut self) -> Option<usize> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        (self.at < self.text.len()).then_some(self.at)
    }

    fn peek(&mut self) -> Option<u8> {
        self.skip_blanks()?;
        self.rest().bytes().next()
    }

    /// A name or directive with its dot.
    fn word(&mut self) -> &'t str {
        self.skip_blanks();
        let rest = self.rest();
        let is_part =
            |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '%' | '.');
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// A directive without its dot.
    fn directive(&mut self) -> Option<&'t str> {
        self.word().strip_prefix('.')
    }

    fn until(&mut self, ends: impl Fn(u8) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.bytes().position(ends).unwrap_or(rest.len());
        self.at += end;
        rest[..end].trim()
    }

    fn line(&mut self) -> &'t str {
        self.until(|byte| byte == b'\n')
    }

    /// Up to the next semicolon outside of strings, which is passed.
    fn until_semicolon(&mut self) -> &'t str {
        let mut in_string = false;
        let rest = self.rest();
        let end = rest.bytes().position(|byte| {
            in_string ^= byte == b'"';
            byte == b';' && !in_string
        });
        let text = &rest[..end.unwrap_or(rest.len())];
        self.at += end.map_or(rest.len(), |end| end + 1);
        text.trim()
    }

    /// What is between brackets, which are passed.
    fn enclosed(&mut self, open: u8, close: u8) -> &'t str {
        let rest = self.rest();
        let (mut depth, mut in_string) = (0_usize, false);
        let end = rest.bytes().position(|byte| {
            in_string ^= byte == b'"';
            if !in_string {
                depth += usize::from(byte == open);
                depth = depth.saturating_sub(usize::from(byte == close));
            }
            depth == 0
        });
        self.at += end.map_or(rest.len(), |end| end + 1);
        rest.get(1..end.unwrap_or(rest.len())).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_debug_lines_leave_blanks() {
        let text = "a // x\n\t.loc 1 2 3\n/* y\n*/b \"//\"\n.section .debug { .b8 1 }\nc";
        let blank = blanked(text);
        assert_eq!(blank.len(), text.len());
        let words: Vec<&str> = blank.split_whitespace().collect();
        assert_eq!(words, ["a", "b", "\"//\"", "c"]);
    }

    #[test]
    fn a_module_is_its_variables_and_functions() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n\
            .extern .shared .align 16 .b8 dyn[];\n\
            .const .align 4 .f32 t[2][2] = {{1, 2}, {3, 4}};\n\
            .func (.param .b32 out) f(.param .b32 x);\n\
            .visible .entry k(.param .u64 .ptr .global .align 4 p, .param .align 8 .b8 s[16])\n\
            .maxntid 16, 8, 1\n.minnctapersm 2\n{ ret; }\n.pragma \"x;y\";\n";
        let parsed = parse(text);
        assert_eq!((parsed.version, parsed.target), ("8.0", "sm_80"));
        assert!(parsed.unknown.is_empty(), "{:?}", parsed.unknown);
        let counts: Vec<_> = parsed.variables.iter().map(|(_, it)| it.count).collect();
        assert_eq!(counts, [Some(0), Some(4)]);
        let [f, k] = parsed.functions.as_slice() else {
            panic!("{:?}", parsed.functions)
        };
        assert!(f.body.is_none() && f.result.is_some());
        assert_eq!((k.name, k.threads), ("k", Some(128)));
        let of_k: Vec<_> = k
            .parameters
            .iter()
            .map(|it| (it.name, it.ty, it.align))
            .collect();
        assert_eq!(of_k, [("p", "u64", None), ("s", "b8", Some(8))]);
    }

    #[test]
    fn blocks_vectors_and_labels_are_told_apart() {
        let body = "$L1: @%p bra $L1; { mov.b64 {%a, %b}, %c; }\n x: .branchtargets $L1;";
        let found = parts(body);
        assert_eq!(found[0], Part::Label("$L1"));
        assert!(matches!(found[1], Part::Statement(5, "@%p bra $L1")));
        assert_eq!((found[2], found[4]), (Part::Open, Part::Close));
        assert!(matches!(
            found[5],
            Part::Statement(_, "x: .branchtargets $L1")
        ));
    }

    #[test]
    fn what_is_broken_ends() {
        for text in [
            ".entry",
            ".entry k(",
            ".entry k() {",
            ".global",
            "}",
            "x",
            ".func (",
            ".visible",
        ] {
            parse(text);
            parts(text);
        }
    }
}
