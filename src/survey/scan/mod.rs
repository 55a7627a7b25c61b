//! What the headers of a folder declare: functions with their numbers of arguments, types, enumerators, macros. Reads tokens only, so
//! it needs no compiler and takes headers that do not compile here; members of classes count as well.

mod arity;
mod declarations;
mod macros;
mod pasting;

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashMap;
use walkdir::WalkDir;

use self::pasting::Pasting;
use crate::syntax::{Document, TokenIndex, TokenKind, flags};
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

impl Names {
    /// The declarations of a name; an alias brings those of the name it stands for.
    pub fn get(&self, name: &str) -> Option<&Declared> {
        let target = self.aliases.get(name).and_then(|to| self.names.get(to));
        target.or_else(|| self.names.get(name))
    }

    /// Whether a header with this path was read.
    pub(crate) fn has_header(&self, path: &str) -> bool {
        self.headers.contains(path)
    }

    /// All names with their declarations, sorted.
    pub(crate) fn sorted(&self) -> Vec<(&str, &Declared)> {
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
        self.mark_guard(&document);
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
}

/// Reads every header below a folder. What cannot be read is left out: a system's include folder holds dangling links.
pub fn scan(folder: &Path, names: &mut Names) {
    for item in WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
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
