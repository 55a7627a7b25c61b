//! What the headers of a folder declare: functions with their numbers of arguments, types, enumerators, macros. Reads tokens only, so
//! it needs no compiler and takes headers that do not compile here; members of classes count as well.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::syntax::{Directive, DirectiveKind, Document, TokenIndex, TokenKind, flags};
use crate::text::SourceFile;

/// What a name can be declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A function, or a macro with arguments.
    Function,
    /// A class, enumeration, alias or typedef.
    Type,
    /// An enumerator.
    Enumerator,
    /// An object-like macro.
    Macro,
    /// A variable or constant.
    Variable,
    /// A namespace.
    Namespace,
}

/// The declarations of one name.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// As what it is declared.
    pub what: Vec<What>,
    /// Fewest and most arguments of each function declaration.
    pub arities: Vec<(usize, usize)>,
    /// The header that declares it first, relative to the folder.
    pub header: String,
    /// Whether it is the macro that keeps a header from being read twice.
    pub guard: bool,
}

/// The names that folders of headers declare.
#[derive(Debug, Default)]
pub struct Names {
    names: FxHashMap<String, Declared>,
    /// Object-like macros whose body is one other name: `#define cublasSgemm cublasSgemm_v2`.
    aliases: BTreeMap<String, String>,
    /// Macros that put names together, by name.
    pasting: FxHashMap<String, Pasting>,
    /// Paths of the headers read.
    headers: std::collections::BTreeSet<String>,
    /// Headers read.
    pub files: usize,
}

/// A macro that declares names made from its arguments: `#define OBJECT(name) struct name {}; typedef struct name *name##_t;`.
#[derive(Debug)]
struct Pasting {
    parameters: Vec<String>,
    /// The parts of each name: texts, or parameters.
    made: Vec<Vec<String>>,
}

impl Names {
    /// The declarations of a name; an alias brings those of the name it stands for.
    pub fn get(&self, name: &str) -> Option<&Declared> {
        let target = self.aliases.get(name).and_then(|to| self.names.get(to));
        target.or_else(|| self.names.get(name))
    }

    /// Whether a header with this path was read.
    pub fn has_header(&self, path: &str) -> bool {
        self.headers.contains(path)
    }

    /// All names with their declarations, sorted.
    pub fn sorted(&self) -> Vec<(&str, &Declared)> {
        let mut all: Vec<(&str, &Declared)> = self
            .names
            .iter()
            .map(|(name, declared)| (name.as_str(), declared))
            .collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }

    /// Reads one header.
    pub fn read(&mut self, path: &str, bytes: Vec<u8>) {
        let source = SourceFile::new(path, bytes);
        let document = Document::new(&source);
        self.files += 1;
        self.headers.insert(path.to_owned());
        for directive in &document.directives {
            self.macros(&document, directive);
        }
        if let Some(guard) = guard(&document) {
            self.add(&document, guard, What::Macro).guard = true;
        }
        for index in 0..document.tokens.len() {
            let token = document.tokens[index];
            if token.kind == TokenKind::Ident && !token.has(flags::DIRECTIVE) {
                self.declaration(&document, index);
            }
        }
    }

    fn add(&mut self, document: &Document<'_>, at: TokenIndex, what: What) -> &mut Declared {
        let name = String::from_utf8_lossy(document.bytes(at)).into_owned();
        self.add_name(document, name, what)
    }

    fn add_name(&mut self, document: &Document<'_>, name: String, what: What) -> &mut Declared {
        let declared = self.names.entry(name).or_insert_with(|| Declared {
            header: document.source.path.clone(),
            ..Declared::default()
        });
        if !declared.what.contains(&what) {
            declared.what.push(what);
        }
        declared
    }

    fn macros(&mut self, document: &Document<'_>, directive: &Directive) {
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

    fn declaration(&mut self, document: &Document<'_>, at: TokenIndex) {
        match document.bytes(at) {
            b"enum" => self.enumeration(document, at),
            b"struct" | b"class" | b"union" => self.class(document, at),
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
        let Some(close) = document.partner(open) else {
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
                b"(" | b"{" => at = document.partner(at).unwrap_or(at),
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
                let Some(close) = document.partner(next) else {
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
                b"{" | b"[" => match document.partner(next) {
                    Some(close) => index = close,
                    None => return,
                },
                b"(" => {
                    if let Some(name) = pointer_name(document, next) {
                        self.add(document, name, What::Type);
                        return;
                    }
                    let Some(close) = document.partner(next) else {
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
        const NO_TYPES: &[&[u8]] = &[
            b"return", b"else", b"new", b"throw", b"case", b"defined", b"if", b"while", b"sizeof",
        ];
        let follows_type = document.prev(at).is_some_and(|prev| {
            let word = document.bytes(prev);
            (document.is_ident(prev) && !NO_TYPES.contains(&word))
                || matches!(word, b"*" | b"&" | b">" | b")")
        });
        let Some(call) = document.call(at).filter(|_| follows_type) else {
            return;
        };
        let ends = document.next(call.close).is_some_and(|next| {
            matches!(
                document.bytes(next),
                b";" | b"{" | b"=" | b"const" | b"noexcept" | b"throw" | b"->"
            ) || document.bytes(next).starts_with(b"__")
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
        let tagged = matches!(
            document.bytes(prev),
            b"enum" | b"struct" | b"class" | b"union"
        );
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

/// The include guard: the first condition of a header asks for it, and the next directive defines it as nothing.
fn guard(document: &Document<'_>) -> Option<TokenIndex> {
    let (first, second) = (document.directives.first()?, document.directives.get(1)?);
    let asks = matches!(first.kind, DirectiveKind::If | DirectiveKind::Ifndef);
    let defined: Vec<TokenIndex> = second.operands().collect();
    let &[name] = &defined[..] else { return None };
    let same = |at: TokenIndex| document.bytes(at) == document.bytes(name);
    (asks && second.kind == DirectiveKind::Define && first.operands().any(same)).then_some(name)
}

/// What a function-like macro makes of its arguments, if it pastes or declares them.
fn pasting(document: &Document<'_>, name: TokenIndex, operands: &[TokenIndex]) -> Option<Pasting> {
    let close = document.partner(document.next(name)?)?;
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
        let declares =
            before.is_some_and(|at| matches!(document.bytes(at), b"struct" | b"class" | b"enum"));
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

fn pastes(document: &Document<'_>, at: TokenIndex) -> bool {
    document.is(at, "##") || document.is(at, "#")
}

impl Pasting {
    /// The names that one use of the macro makes.
    fn names(&self, document: &Document<'_>, at: TokenIndex) -> Vec<String> {
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

/// Whether the name of a class or enumeration stands here: what follows opens it, ends it, or derives it.
fn is_head(document: &Document<'_>, name: TokenIndex) -> bool {
    document
        .next(name)
        .is_some_and(|next| matches!(document.bytes(next), b"{" | b";" | b":" | b"final" | b"<"))
}

/// `(*Name)(`, `(CALLBACK *Name)(`
fn pointer_name(document: &Document<'_>, open: TokenIndex) -> Option<TokenIndex> {
    let close = document.partner(open)?;
    let name = document.prev(close)?;
    let pointed = document.prev_is(name, "*") || document.prev_is(name, "&");
    (document.is_ident(name) && pointed && document.next_is(close, "(")).then_some(name)
}

/// Fewest and most arguments that a parameter list takes.
fn arity(document: &Document<'_>, parameters: &[std::ops::Range<TokenIndex>]) -> (usize, usize) {
    let is_void = |range: &std::ops::Range<TokenIndex>| {
        range.is_empty() || (range.len() == 1 && document.is(range.start, "void"))
    };
    if parameters.len() == 1 && is_void(&parameters[0]) {
        return (0, 0);
    }
    let variadic = |range: &std::ops::Range<TokenIndex>| {
        range
            .clone()
            .any(|at| document.is(at, "...") || document.is(at, "."))
    };
    // HIP's C headers give default arguments through a macro.
    let has_default = |range: &&std::ops::Range<TokenIndex>| {
        (**range)
            .clone()
            .any(|at| document.is(at, "=") || document.is(at, "__dparm"))
    };
    let optional = parameters.iter().filter(has_default).count();
    if parameters.iter().any(variadic) {
        (parameters.len().saturating_sub(1), usize::MAX)
    } else {
        (parameters.len() - optional, parameters.len())
    }
}

/// Reads every header below a folder. What cannot be read is left out: a system's include folder holds dangling links.
pub fn scan(folder: &Path, names: &mut Names) {
    for item in ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .sort_by_file_name(std::ffi::OsStr::cmp)
        .build()
        .flatten()
    {
        let path = item.path();
        if !path.is_file() || !is_header(path) {
            continue;
        }
        let relative = path.strip_prefix(folder).unwrap_or(path);
        if let Ok(bytes) = std::fs::read(path) {
            names.read(&relative.to_string_lossy().replace('\\', "/"), bytes);
        }
    }
}

fn is_header(path: &Path) -> bool {
    const HEADERS: &[&str] = &["h", "hpp", "hxx", "hh", "cuh", "inl", "ipp"];
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    // Clang's wrappers for CUDA declare names that a HIP program never sees; those for HIP include two of them.
    let for_cuda = name.starts_with("__clang_cuda_")
        && !name.starts_with("__clang_cuda_math_forward")
        && !name.starts_with("__clang_cuda_complex");
    !for_cuda
        && path
            .extension()
            .and_then(|extension| extension.to_str())
            .is_none_or(|extension| HEADERS.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Names {
        let mut names = Names::default();
        names.read("a.h", text.as_bytes().to_vec());
        names
    }

    #[test]
    fn declarations_of_a_header() {
        let names = names(
            "#define LIMIT 3\n#define CALL(a, b) f(a)\n#define old_name new_name\n\
             typedef enum e_t { RED = 0, GREEN, BLUE = (1 << 2) } color_t;\n\
             typedef struct box *boxPtr;\nstruct box { int width; };\n\
             typedef void (*callback_t)(int, void *);\n\
             API status_t new_name(int a, const char *b, void (*f)(int, int));\n\
             #define OBJECT(name) struct name {}; typedef struct name *name##_t; name make_##name();\nOBJECT(engine);\n\
             typedef struct _opaque *opaque;\nstruct __attribute__((aligned(2))) half_t { int x; };\nAPI void marked(const char *text) VERSION_4_1;\n\
             template <class T> inline int defaulted(T *a, int b = 0);\nint none(void);\nint rest(const char *, ...);\n",
        );
        let what = |name: &str| names.get(name).map(|found| found.what.clone());
        assert_eq!(what("LIMIT"), Some(vec![What::Macro]));
        assert_eq!(
            names.get("CALL").map(|found| found.arities.clone()),
            Some(vec![(2, 2)])
        );
        assert_eq!(what("GREEN"), Some(vec![What::Enumerator]));
        assert_eq!(what("BLUE"), Some(vec![What::Enumerator]));
        for name in ["e_t", "color_t", "boxPtr", "box", "callback_t"] {
            assert_eq!(what(name), Some(vec![What::Type]), "{name}");
        }
        for (name, arity) in [
            ("old_name", (3, 3)),
            ("defaulted", (1, 2)),
            ("none", (0, 0)),
            ("rest", (1, usize::MAX)),
        ] {
            let found = names.get(name).map(|found| found.arities.clone());
            assert_eq!(found, Some(vec![arity]), "{name}");
        }
        for name in [
            "engine",
            "engine_t",
            "make_engine",
            "_opaque",
            "opaque",
            "marked",
            "half_t",
        ] {
            assert!(names.get(name).is_some(), "{name}");
        }
        assert!(names.get("status_t").is_none());
    }
}
