//! What the lines of a script import, read without its tree: a tree of thousands of scripts has ten times as many.

use super::Side;

/// An import of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// The module as it is written, `.kernels` or `kit.ops`.
    pub(crate) module: String,
    /// What is taken from it; nothing where the module itself is imported.
    pub(crate) names: Vec<String>,
    /// Where the statement begins, in bytes.
    pub(crate) start: u32,
    /// Whether it stands in no block.
    pub(crate) is_outermost: bool,
    /// On which GPUs it is made.
    pub(crate) made: Made,
}

/// On which GPUs an import is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Made {
    /// On AMD's as well, as far as anybody sees.
    #[default]
    Anywhere,
    /// Where the module can be imported: the script goes on without, or asks first.
    WhereItWorks,
    /// Never on AMD's.
    NeverOnAmd,
}

impl From<Option<Side>> for Made {
    fn from(side: Option<Side>) -> Self {
        match side {
            Some(Side::Nvidia) => Self::NeverOnAmd,
            // What type checkers alone read may be loaded by its name elsewhere.
            Some(Side::Amd | Side::Other) | None => Self::Anywhere,
        }
    }
}

/// The imports of a script in order, those by `import_module("…")` among them.
pub(crate) fn imports_of_lines(bytes: &[u8]) -> Vec<Import> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let code = line.trim_ascii_start();
        let blanks = line.len() - code.len();
        let at = start + blanks;
        start += line.len();
        let import = |module: &[u8], names: Vec<String>| Import {
            module: String::from_utf8_lossy(module).into_owned(),
            names,
            start: at as u32,
            is_outermost: blanks == 0,
            made: Made::Anywhere,
        };
        if let Some(behind) = code.strip_prefix(b"from ") {
            let end = memchr::memmem::find(behind, b" import");
            let Some(end) = end else { continue };
            let (module, names) = (&behind[..end], &behind[end + b" import".len()..]);
            let rest = start - names.len();
            found.push(import(module.trim_ascii(), names_in(&bytes[rest..])));
        } else if let Some(behind) = code.strip_prefix(b"import ") {
            let modules = behind.split(|byte| matches!(byte, b',' | b'#' | b';'));
            let modules = modules.filter_map(|it| first_word(it));
            found.extend(modules.map(|module| import(module, Vec::new())));
        } else if let Some(module) = module_in_call(code) {
            let by_call = Import {
                is_outermost: false,
                ..import(module, Vec::new())
            };
            found.push(by_call);
        }
    }
    found
}

/// The word that a text begins with.
fn first_word(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii();
    text.split(u8::is_ascii_whitespace)
        .next()
        .filter(|it| !it.is_empty())
}

/// The names behind `import`, which end with the line or, within parentheses, with these.
fn names_in(behind: &[u8]) -> Vec<String> {
    /// A list of names that is longer has no end.
    const LONGEST: usize = 1 << 14;
    let behind = behind[..behind.len().min(LONGEST)].trim_ascii_start();
    let within = behind.strip_prefix(b"(");
    let end = |byte: &u8| *byte == if within.is_some() { b')' } else { b'\n' };
    let text = within.unwrap_or(behind);
    let text = &text[..text.iter().position(end).unwrap_or(text.len())];
    let lines = text.split(|byte| *byte == b'\n');
    let code = lines.map(|line| line.split(|byte| *byte == b'#').next().unwrap_or_default());
    let parts = code.flat_map(|line| line.split(|byte| *byte == b','));
    parts
        .filter_map(first_word)
        .map(|it| String::from_utf8_lossy(it).into_owned())
        .collect()
}

/// The module of `importlib.import_module("kit.ops")`.
fn module_in_call(line: &[u8]) -> Option<&[u8]> {
    const CALL: &[u8] = b"import_module(";
    let at = memchr::memmem::find(line, CALL)?;
    let argument = line[at + CALL.len()..].trim_ascii_start();
    let quote = argument.first().filter(|it| matches!(it, b'"' | b'\''))?;
    argument[1..].split(|byte| byte == quote).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_read_from_lines() {
        let text = "import a.b as c, d\nfrom .x import (\n    e,  # f\n    g as h,\n)\nif z:\n    from . import y\nm = import_module(\".k\", p)\n# import n\n";
        let found: Vec<String> = imports_of_lines(text.as_bytes())
            .into_iter()
            .map(|it| format!("{} {} {}", it.module, it.names.join(","), it.is_outermost))
            .collect();
        let expected = [
            "a.b  true",
            "d  true",
            ".x e,g true",
            ". y false",
            ".k  false",
        ];
        assert_eq!(found, expected);
    }
}
