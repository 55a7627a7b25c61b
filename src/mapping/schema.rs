//! The TOML of `mappings/` and of overlays, as written; spans are kept for error messages.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::entry::Support;

/// Entries by name.
pub(super) type Section = BTreeMap<Spanned<String>, Spanned<RawEntry>>;

/// One table file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawTable {
    /// Library the names belong to.
    pub library: String,
    /// Where the releases of the entries can be checked that name no source of their own.
    pub source: Option<String>,
    /// What is known of the library besides its names; only in the tables of the program.
    pub about: Option<Spanned<RawLibrary>>,
    /// Advice that several entries share, by name: `note = "@name"`.
    #[serde(default)]
    pub(super) notes: BTreeMap<Spanned<String>, String>,
    /// Functions.
    #[serde(default)]
    pub(super) functions: Section,
    /// Types.
    #[serde(default)]
    pub(super) types: Section,
    /// Enumerators.
    #[serde(default)]
    pub(super) enumerators: Section,
    /// Macros.
    #[serde(default)]
    pub(super) macros: Section,
    /// Structure members, `Struct.member`.
    #[serde(default)]
    pub(super) fields: Section,
    /// Namespaces.
    #[serde(default)]
    pub(super) namespaces: Section,
    /// Variables.
    #[serde(default)]
    pub(super) variables: Section,
    /// Include paths.
    #[serde(default)]
    pub(super) headers: Section,
    /// Globs with one piece of advice.
    #[serde(default)]
    pub(super) patterns: Section,
    /// Rules of a project's own; only in overlays.
    #[serde(default)]
    pub rules: Vec<Spanned<RawRule>>,
}

impl RawTable {
    /// Whether a text of TOML is a table of an API: it names the library. Other tables have keys of their own kind, and readers of theirs.
    pub fn is_of_api(text: &str) -> bool {
        text.lines().any(|line| line.starts_with("library = "))
    }
}

/// What is known of a library besides its names. See `.github/MAPPINGS.md` for what each key means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawLibrary {
    /// What NVIDIA calls it.
    pub title: String,
    /// Header of its counterpart; empty where each name has its own or there is none.
    #[serde(default)]
    pub header: String,
    /// Linker flags on AMD with the default choice; hipcc adds the runtime itself.
    #[serde(default)]
    pub link: Vec<String>,
    /// Linker flags when the `roc*` library is chosen.
    #[serde(default)]
    pub roc_link: Vec<String>,
    /// How names of the library begin that a release after the table may have.
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// Literals of which a text that uses the library, and nothing else of CUDA, holds at least one.
    #[serde(default)]
    pub stems: Vec<String>,
}

/// A rule of a project's own. See `.github/MAPPINGS.md` for what each key means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawRule {
    /// Code to look for, with placeholders.
    pub pattern: String,
    /// What is the matter.
    pub message: String,
    /// What to do about it.
    pub note: Option<String>,
    /// How much it matters; without one, `info` with a fix and `warning` without.
    pub severity: Option<RawLevel>,
    /// Code to write in its place.
    pub fix: Option<String>,
}

/// How much the findings of a rule of one's own matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RawLevel {
    /// Nothing to do once the fix is made.
    Info,
    /// Somebody should look; a fix is made and stays to be reviewed.
    Warning,
    /// Does not work on AMD as it stands.
    Error,
}

/// One line of a table. See `.github/MAPPINGS.md` for what each key means.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawEntry {
    /// Target name.
    pub hip: Option<String>,
    /// Target name in the `roc*` library.
    pub roc: Option<String>,
    /// ROCm releases of the `roc` target: `"5.2"`, `"5.2..7.0"`.
    pub roc_rocm: Option<String>,
    /// Argument edits for the `roc` target.
    #[serde(default)]
    pub roc_args: Vec<RawArg>,
    /// `"review"` or `"unsupported"`; absent means full support.
    pub support: Option<Support>,
    /// Advice, required unless support is full; `@name` stands for one of `[notes]`.
    pub note: Option<String>,
    /// CUDA releases: `"11.0"`, `"7.0..12.0"`, `"..10.0"`.
    pub cuda: Option<String>,
    /// ROCm releases of the target, in the same form.
    pub rocm: Option<String>,
    /// Older spellings of the target.
    #[serde(default)]
    pub older: Vec<RawOlder>,
    /// Argument edits.
    #[serde(default)]
    pub args: Vec<RawArg>,
    /// Targets by number of arguments.
    #[serde(default)]
    pub forms: Vec<RawForm>,
    /// Arguments that settle what the note doubts.
    #[serde(default)]
    pub unless: Vec<RawUnless>,
    /// What differs is the result: a call whose result is not read needs no review.
    #[serde(default)]
    pub result: bool,
    /// The key does not say CUDA by itself.
    #[serde(default)]
    pub context: bool,
    /// Header that the target needs.
    pub include: Option<String>,
    /// Where the facts can be checked.
    pub source: Option<String>,
    /// Replaces a built-in entry; only in overlays.
    #[serde(default, rename = "override")]
    pub overrides: bool,
}

/// An argument edit: `at` and exactly one verb.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawArg {
    /// Position in the original call, from 0.
    pub at: u8,
    /// Type to cast to.
    pub cast: Option<String>,
    /// Macro or function to wrap with.
    pub wrap: Option<String>,
    /// Drops the argument.
    #[serde(default)]
    pub drop: bool,
    /// Text to insert in front.
    pub insert: Option<String>,
    /// Text to put instead.
    pub replace: Option<String>,
    /// Old text that `replace` is limited to.
    pub when: Option<String>,
    /// The argument that `when` is about.
    pub of: Option<u8>,
    /// Position to move in front of.
    #[serde(rename = "move")]
    pub moves: Option<u8>,
    /// Position of an argument to repeat in front.
    pub copy: Option<u8>,
}

/// An argument that settles the doubt.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawUnless {
    /// Position in the original call, from 0.
    pub at: u8,
    /// How it reads then.
    pub is: String,
}

/// A target for one number of arguments.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawForm {
    /// Number of arguments.
    pub arity: u8,
    /// Target name.
    pub hip: Option<String>,
    /// ROCm releases that have it.
    pub rocm: Option<String>,
    /// Argument edits.
    #[serde(default)]
    pub args: Vec<RawArg>,
}

/// An older spelling.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawOlder {
    /// First release with the current spelling.
    pub below: String,
    /// The older spelling.
    pub hip: String,
}
