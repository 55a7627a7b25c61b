//! Words that the preprocessor pastes together, as far as one file shows what its macros are given.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::{Directive, Document, TokenIndex, flags};

/// A word that no place of the file holds whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PastedWord {
    /// The use of the macro that makes it, or the name of a macro that the file does not use.
    pub(crate) at: TokenIndex,
    /// The tokens it is made of; what a macro without uses is given is still its parameter.
    pub(crate) parts: Vec<TokenIndex>,
    /// Which of the parts are parameters.
    pub(crate) parameters: Vec<TokenIndex>,
}

impl PastedWord {
    /// Whether a part of it is not known.
    pub(crate) fn is_open(&self) -> bool {
        self.parts.iter().any(|part| self.parameters.contains(part))
    }

    /// What the macro makes: a parameter reads `*`.
    pub(crate) fn text(&self, document: &Document<'_>) -> Vec<u8> {
        let part = |at: &TokenIndex| match self.parameters.contains(at) {
            true => &b"*"[..],
            false => document.bytes(*at),
        };
        self.parts.iter().flat_map(part).copied().collect()
    }
}

/// Macros within each other that are followed: people write four.
const DEEPEST: usize = 8;

/// Words that one use may come to, and all uses of a file: macros that call each other make powers of them.
const MOST_OF_USE: usize = 512;
const MOST_OF_FILE: usize = 100_000;

/// One word while macros are expanded: several tokens once it is pasted.
type Word = Vec<TokenIndex>;

/// The words that macros of the file paste together where the file uses them, and where it uses them nowhere.
pub(crate) fn pasted_words(document: &Document<'_>) -> Vec<PastedWord> {
    let macros = Macros::of(document);
    let mut found = Vec::new();
    let mut budget = MOST_OF_FILE;
    let names: Vec<&[u8]> = macros.reaching.iter().copied().collect();
    let mut used = FxHashSet::default();
    for at in document.all_called(names) {
        if !document.tokens[at].has(flags::DIRECTIVE) {
            used.insert(document.bytes(at));
            let mut expansion = Expansion::new(&macros, &mut budget);
            let words = expansion.of_use(at);
            found.extend(pasted(words, at, &[]));
        }
    }
    let unused = macros
        .by_name
        .iter()
        .filter(|(name, _)| macros.reaching.contains(*name) && !used.contains(*name));
    let mut unused: Vec<&Definition> = unused.map(|(_, definition)| definition).collect();
    unused.sort_unstable_by_key(|definition| definition.name);
    for definition in unused {
        let mut expansion = Expansion::new(&macros, &mut budget);
        let words = expansion.of_body(definition);
        found.extend(pasted(words, definition.name, &definition.parameters));
    }
    found.sort_by(|a, b| (a.at, &a.parts).cmp(&(b.at, &b.parts)));
    found.dedup();
    found
}

/// Those of some words that are of several tokens. A parameter is known by its name in the body.
fn pasted(words: Vec<Word>, at: TokenIndex, parameters: &[TokenIndex]) -> Vec<PastedWord> {
    let several = words.into_iter().filter(|word| word.len() > 1);
    let made = several.map(|parts| PastedWord {
        at,
        parameters: parameters.to_vec(),
        parts,
    });
    made.collect()
}

/// A `#define`.
struct Definition {
    name: TokenIndex,
    takes_arguments: bool,
    parameters: Vec<TokenIndex>,
    body: std::ops::Range<TokenIndex>,
}

/// The macros of a file that it defines once.
struct Macros<'d, 's> {
    document: &'d Document<'s>,
    by_name: FxHashMap<&'s [u8], Definition>,
    /// Those that come to a `##`.
    reaching: FxHashSet<&'s [u8]>,
}

impl<'d, 's> Macros<'d, 's> {
    fn of(document: &'d Document<'s>) -> Self {
        let mut macros = Self {
            document,
            by_name: FxHashMap::default(),
            reaching: FxHashSet::default(),
        };
        let pastes = |define: &Directive| define.tokens.clone().any(|at| document.is(at, "##"));
        if !document.macros().any(|(_, define)| pastes(define)) {
            return macros;
        }
        let mut repeated = FxHashSet::default();
        for (name, directive) in document.macros() {
            let definition = definition(document, name, directive.tokens.end);
            let is_again = macros.by_name.insert(document.bytes(name), definition);
            if is_again.is_some() {
                repeated.insert(document.bytes(name));
            }
        }
        macros.by_name.retain(|name, _| !repeated.contains(name));
        macros.find_reaching();
        macros
    }

    /// Macros that paste, then those that use them, as deep as is followed.
    fn find_reaching(&mut self) {
        for _ in 0..DEEPEST {
            let reaches = |definition: &Definition| {
                let mut body = definition.body.clone();
                body.any(|at| {
                    let word = self.document.bytes(at);
                    word == b"##" || self.reaching.contains(word)
                })
            };
            let all = self.by_name.iter();
            let found = all.filter(|(_, definition)| reaches(definition));
            let found: FxHashSet<&[u8]> = found.map(|(name, _)| *name).collect();
            if found.len() == self.reaching.len() {
                return;
            }
            self.reaching = found;
        }
    }
}

/// A `#define` whose tokens end at `end`.
fn definition(document: &Document<'_>, name: TokenIndex, end: TokenIndex) -> Definition {
    let open = name + 1;
    let is_behind = open < end && document.tokens[name].end() == document.tokens[open].start;
    let close = document
        .matching_bracket(open)
        .filter(|&close| is_behind && document.is(open, "(") && open < close && close < end);
    let parameters = close.map_or(open..open, |close| open + 1..close);
    Definition {
        name,
        takes_arguments: close.is_some(),
        parameters: parameters.filter(|&at| document.is_ident(at)).collect(),
        body: close.map_or(open, |close| close + 1)..end,
    }
}

/// The expansion of one use.
struct Expansion<'m, 'd, 's, 'b> {
    macros: &'m Macros<'d, 's>,
    left: usize,
    of_file: &'b mut usize,
}

impl<'m, 'd, 's, 'b> Expansion<'m, 'd, 's, 'b> {
    fn new(macros: &'m Macros<'d, 's>, of_file: &'b mut usize) -> Self {
        Self {
            macros,
            left: MOST_OF_USE.min(*of_file),
            of_file,
        }
    }

    fn spend(&mut self, words: usize) -> bool {
        let is_within = words <= self.left;
        self.left = self.left.saturating_sub(words);
        *self.of_file = self.of_file.saturating_sub(words);
        is_within
    }

    /// What the macro at a place becomes with the arguments behind it.
    fn of_use(&mut self, at: TokenIndex) -> Vec<Word> {
        let document = self.macros.document;
        let close = document
            .next(at)
            .filter(|&open| document.is(open, "("))
            .and_then(|open| document.matching_bracket(open))
            .filter(|&close| close > at);
        let last = close.unwrap_or(at);
        if !self.spend(last - at) {
            return Vec::new();
        }
        let words = (at..=last).map(|at| vec![at]).collect();
        self.rescanned(words, &mut Vec::new())
    }

    /// What the text of a macro becomes that nobody uses.
    fn of_body(&mut self, definition: &Definition) -> Vec<Word> {
        let words = self.substituted(definition, &[], &mut Vec::new());
        let name = self.macros.document.bytes(definition.name);
        self.rescanned(words, &mut vec![name])
    }

    /// The words with their macros expanded, but for those that are being expanded around them.
    fn rescanned(&mut self, words: Vec<Word>, around: &mut Vec<&'s [u8]>) -> Vec<Word> {
        if around.len() > DEEPEST || !self.spend(words.len()) {
            return words;
        }
        let macros = self.macros;
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let name = self.text_of(word);
            let entry = name.and_then(|name| macros.by_name.get_key_value(name));
            let entry = entry.filter(|(name, _)| !around.contains(*name));
            let arguments = entry.and_then(|(_, it)| self.arguments(it, &words[at + 1..]));
            let (Some((name, definition)), Some((arguments, taken))) = (entry, arguments) else {
                found.push(word.clone());
                at += 1;
                continue;
            };
            let substituted = self.substituted(definition, &arguments, around);
            around.push(name);
            found.extend(self.rescanned(substituted, around));
            around.pop();
            at += 1 + taken;
        }
        found
    }

    /// The text of a word of one token.
    fn text_of(&self, word: &Word) -> Option<&'s [u8]> {
        match word[..] {
            [at] => Some(self.macros.document.bytes(at)),
            _ => None,
        }
    }

    /// The arguments of a use, and how many words they take with their parentheses. `None` where the macro is not used.
    fn arguments(&self, definition: &Definition, rest: &[Word]) -> Option<(Vec<Vec<Word>>, usize)> {
        if !definition.takes_arguments {
            return Some((Vec::new(), 0));
        }
        let (mut found, mut depth) = (vec![Vec::new()], 0usize);
        for (at, word) in rest.iter().enumerate() {
            let text = self.text_of(word).unwrap_or_default();
            match text {
                b"(" if at == 0 => {}
                _ if at == 0 => return None,
                b")" if depth == 0 => return Some((found, at + 1)),
                b"," if depth == 0 => found.push(Vec::new()),
                _ => {
                    depth += usize::from(text == b"(");
                    depth = depth.saturating_sub(usize::from(text == b")"));
                    found.last_mut()?.push(word.clone());
                }
            }
        }
        None
    }

    /// The text of a macro with its arguments; what is pasted is not expanded before.
    fn substituted(
        &mut self,
        definition: &Definition,
        arguments: &[Vec<Word>],
        around: &mut Vec<&'s [u8]>,
    ) -> Vec<Word> {
        let document = self.macros.document;
        let mut found: Vec<Word> = Vec::new();
        let mut is_glued = false;
        for at in definition.body.clone() {
            if document.is(at, "##") {
                is_glued = true;
                continue;
            }
            let parameters = &definition.parameters;
            let position = parameters
                .iter()
                .position(|it| document.bytes(*it) == document.bytes(at));
            let argument =
                position.and_then(|position| Some((position, arguments.get(position)?.clone())));
            let mut words = match (argument, position) {
                (Some((_, raw)), _) if is_glued || document.is(at + 1, "##") => raw,
                (Some((_, raw)), _) => self.rescanned(raw, around),
                (None, Some(position)) => vec![vec![parameters[position]]],
                (None, None) => vec![vec![at]],
            };
            if is_glued && !words.is_empty() && !found.is_empty() {
                let first = words.remove(0);
                found.last_mut().expect("it is not empty").extend(first);
            }
            is_glued = false;
            found.extend(words);
            if !self.spend(1) {
                break;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn made(text: &str) -> Vec<String> {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let document = Document::new(&source);
        let words = pasted_words(&document);
        let text = |word: &PastedWord| String::from_utf8_lossy(&word.text(&document)).into_owned();
        words.iter().map(text).collect()
    }

    #[test]
    fn words_are_told_where_macros_are_used() {
        for (text, expected) in [
            ("#define J(a, b) a##b\nJ(my, cuda);", &["mycuda"][..]),
            (
                "#define J2(a, b) a##b\n#define J(a, b) J2(a, b)\n#define P cuda\nJ(P, Free)(x);",
                &["**", "cudaFree"],
            ),
            // What is pasted is not expanded.
            (
                "#define J(a, b) a##b\n#define P cuda\nJ(P, Free)(x);",
                &["PFree"],
            ),
            (
                "#define S(kind, v) __shfl_##kind##_sync(~0u, v)\nx = S(down, f(1, 2)) + S(up, y);",
                &["__shfl_down_sync", "__shfl_up_sync"],
            ),
            // Nobody uses it here.
            ("#define S(kind) __shfl_##kind##_sync\n", &["__shfl_*_sync"]),
            (
                "#define J(a, b) a##b\n#define CU(x) J(cuda, x)\n",
                &["**", "cuda*"],
            ),
            ("#define A A##x\nA;", &["Ax"]),
            ("#define E(a) a##\nE();", &[]),
            ("#define f(x) x\nf(1);", &[]),
            // Two definitions, of which nobody knows which one counts.
            (
                "#ifdef A\n#define J(a) a##1\n#else\n#define J(a) a##2\n#endif\nJ(x);",
                &[],
            ),
        ] {
            assert_eq!(made(text), expected, "{text}");
        }
    }

    #[test]
    fn macros_that_double_each_time_end() {
        let mut text = "#define M0(a) a##x a##y\n".to_owned();
        for at in 1..40 {
            text += &format!("#define M{at}(a) M{}(a) M{}(a)\n", at - 1, at - 1);
        }
        text += "M39(z);\n";
        assert!(made(&text).len() <= MOST_OF_FILE);
    }
}
