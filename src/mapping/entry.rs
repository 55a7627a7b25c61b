use serde::{Deserialize, Serialize};

use super::version::Span;

/// What kind of name an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// Host or device function.
    Function,
    /// Type, also a class template.
    Type,
    /// Enumerator.
    Enumerator,
    /// Macro.
    Macro,
    /// Member of a structure, written `Struct.member`.
    Field,
    /// Namespace, possibly qualified: `thrust::cuda`.
    Namespace,
    /// Variable, such as the built-in coordinates.
    Variable,
    /// Include path.
    Header,
    /// Glob over names that share one piece of advice.
    Pattern,
}

/// How well AMD's side covers a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// Same meaning.
    Full,
    /// Converts; a person must look at what the note says.
    Review,
    /// No counterpart; the note says what to do instead.
    Unsupported,
}

/// What happens to one argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgEdit<'a> {
    /// Position in the original call, from 0.
    pub at: u8,
    /// What happens there.
    #[serde(borrow)]
    pub verb: Verb<'a>,
}

/// The closed set of argument edits; what needs more is a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verb<'a> {
    /// `reinterpret_cast<T>(argument)`.
    Cast(&'a str),
    /// `NAME(argument)`.
    Wrap(&'a str),
    /// The argument goes.
    Drop,
    /// This text comes in front of it; at the call's arity it is appended.
    Insert(&'a str),
    /// This text comes instead; if `when` is given, only where an argument reads so.
    Replace {
        /// The new text.
        text: &'a str,
        /// The old text that it is limited to.
        when: Option<&'a str>,
        /// The position of the argument that is to read so; the replaced one's if absent.
        of: Option<u8>,
    },
    /// The argument moves in front of the one at this position.
    Move(u8),
    /// A copy of the argument at this position comes in front of it; at the call's arity it is appended.
    Copy(u8),
}

/// An argument that leaves nothing to review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unless<'a> {
    /// Position in the original call, from 0.
    pub at: u8,
    /// How it reads then.
    pub is: &'a str,
}

/// Another target for calls with a certain number of arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Form<'a> {
    /// Number of arguments.
    pub arity: u8,
    /// Target name; the entry's own if absent.
    #[serde(borrow)]
    pub hip: Option<&'a str>,
    /// ROCm releases that have it; those of the entry if absent.
    pub rocm: Option<Span>,
    /// Argument edits.
    pub args: Vec<ArgEdit<'a>>,
}

/// The spelling that releases below a version have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Older<'a> {
    /// First release with the current spelling.
    pub below: super::version::Version,
    /// The older spelling.
    #[serde(borrow)]
    pub hip: &'a str,
}

/// The target when the `roc*` library is chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RocTarget<'a> {
    /// Target name.
    #[serde(borrow)]
    pub name: &'a str,
    /// Releases that have it.
    pub rocm: Span,
    /// Argument edits.
    pub args: Vec<ArgEdit<'a>>,
}

/// Everything known about one CUDA name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<'a> {
    /// The CUDA name, header path or glob.
    pub cuda: &'a str,
    /// What it is called with the default libraries; the same name if unchanged, absent if unsupported, empty for a header that goes.
    pub hip: Option<&'a str>,
    /// What it is called in the `roc*` library.
    #[serde(borrow)]
    pub roc: Option<RocTarget<'a>>,
    /// What kind of name it is.
    pub kind: Kind,
    /// Library it belongs to: the name of its table.
    pub library: &'a str,
    /// How well it is covered.
    pub support: Support,
    /// Edits of the arguments of a call.
    pub args: Vec<ArgEdit<'a>>,
    /// Targets for calls with other numbers of arguments.
    pub forms: Vec<Form<'a>>,
    /// Arguments any of which settles what the note doubts: such a call needs no review.
    #[serde(borrow)]
    pub unless: Vec<Unless<'a>>,
    /// What differs is the result: a call whose result is not read needs no review.
    pub result: bool,
    /// CUDA releases that have it.
    pub cuda_versions: Span,
    /// ROCm releases that have the target.
    pub rocm: Span,
    /// Spellings of older ROCm releases.
    pub older: Vec<Older<'a>>,
    /// Advice for a person.
    pub note: Option<&'a str>,
    /// The name alone does not say CUDA.
    pub context: bool,
    /// Header that the target needs.
    pub include: Option<&'a str>,
    /// Where the facts can be checked.
    pub source: Option<&'a str>,
}

impl<'a> Entry<'a> {
    /// The names or headers that it becomes, in one release or another, with either library; a name may come twice.
    pub fn results(&self) -> impl Iterator<Item = &'a str> {
        let forms = self.forms.iter().filter_map(|form| form.hip);
        let older = self.older.iter().map(|older| older.hip);
        let roc = self.roc.iter().map(|roc| roc.name);
        self.hip.into_iter().chain(forms).chain(older).chain(roc)
    }

    /// The number of arguments of a call that is none of the forms, where a form with the same target tells it: both end up with the
    /// parameters of one function.
    pub fn plain_arity(&self) -> Option<usize> {
        let form = self
            .forms
            .iter()
            .find(|form| form.hip.is_none() || form.hip == self.hip)?;
        let target = usize::from(form.arity).checked_add_signed(grown_by(&form.args))?;
        target.checked_add_signed(-grown_by(&self.args))
    }

    /// Whether the entry says something about releases, which then needs a source.
    pub fn has_releases(&self) -> bool {
        let none = Span::default();
        self.cuda_versions != none
            || self.rocm != none
            || !self.older.is_empty()
            || self.roc.as_ref().is_some_and(|roc| roc.rocm != none)
            || self.forms.iter().any(|form| form.rocm.is_some())
    }
}

/// How many arguments more a call has after these edits.
fn grown_by(edits: &[ArgEdit<'_>]) -> isize {
    let of = |edit: &ArgEdit<'_>| match edit.verb {
        Verb::Insert(_) | Verb::Copy(_) => 1,
        Verb::Drop => -1,
        _ => 0,
    };
    edits.iter().map(of).sum()
}

/// An entry whose texts live as long as the program.
pub type ApiEntry = Entry<'static>;
