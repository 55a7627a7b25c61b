//! Which entries the installed headers contradict.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::coverage::{Cover, Looker};
use super::public::is_public;
use super::scan::{Declared, Names, What};
use crate::mapping::{ApiEntry, ApiTable, ArgEdit, Kind, Verb, Version};

/// What is wrong with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// The target is declared nowhere.
    Missing,
    /// The target is declared, but as something else.
    WrongKind,
    /// No declaration takes as many arguments as the edits leave.
    ArgumentCount,
    /// The headers declare a target that the table gives to another release.
    WrongRelease,
    /// A name of CUDA's headers has no entry.
    NoEntry,
}

/// One contradiction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// The CUDA name.
    pub cuda: String,
    /// The target the entry gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The table, or the header of a name without entry.
    pub library: String,
    /// The facts.
    pub detail: String,
}

/// What verification found.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Verified {
    /// The ROCm release that the tables were read for.
    pub rocm: String,
    /// Headers of ROCm read.
    pub rocm_headers: usize,
    /// Headers of CUDA read.
    pub cuda_headers: usize,
    /// Targets looked up.
    pub checked: usize,
    /// Calls whose arguments were counted on both sides.
    pub counted: usize,
    /// Entries whose target belongs to another release.
    pub other_release: usize,
    /// Targets whose own header (`include` of the entry) is not installed.
    pub without_header: usize,
    /// Device functions that the compiler's own headers declare, where those were not given.
    pub built_in: usize,
    /// Libraries of which not one target is declared: they are not installed.
    pub not_installed: Vec<String>,
    /// Contradictions, by library and name.
    pub problems: Vec<Problem>,
}

/// The release that the headers are of, and libraries that are installed in another one.
#[derive(Clone, Debug)]
pub struct Releases {
    /// Release of HIP and all libraries not named.
    pub rocm: Version,
    /// Release by key of the library.
    pub libraries: Vec<(String, Version)>,
}

impl Releases {
    /// The release of a library's headers.
    fn of(&self, library: &str) -> Version {
        let own = self.libraries.iter().find(|(key, _)| key == library);
        own.map_or(self.rocm, |(_, release)| *release)
    }
}

/// Holds the entries against what the headers declare. `cuda` may be empty: then arguments are not counted.
pub fn verify(table: &ApiTable, releases: &Releases, hip: &Names, cuda: &Names) -> Verified {
    let mut verified = Verified {
        rocm: releases.rocm.to_string(),
        rocm_headers: hip.files,
        cuda_headers: cuda.files,
        ..Verified::default()
    };
    let mut found = BTreeMap::<&str, usize>::new();
    let mut asked = BTreeMap::<&str, usize>::new();
    let has_compiler = hip.has_header("__clang_hip_math.h");
    for hit in table.iter() {
        let rocm = releases.of(hit.entry.library);
        for target in targets(hit.entry) {
            let needs = hit.entry.include.filter(|_| target.arity.is_none());
            if needs.is_some_and(|header| !hip.has_header(header)) {
                verified.without_header += 1;
                continue;
            }
            if !target.rocm.contains(rocm) {
                verified.other_release += 1;
                verified
                    .problems
                    .extend(later(hit.entry, &target, rocm, hip));
                continue;
            }
            *asked.entry(hit.entry.library).or_default() += 1;
            verified.checked += 1;
            match check(hit.entry, &target, hip, cuda, &mut verified.counted) {
                Ok(()) => *found.entry(hit.entry.library).or_default() += 1,
                Err(problem) if !has_compiler && may_be_built_in(hit.entry, &problem) => {
                    verified.built_in += 1;
                }
                Err(problem) => verified.problems.push(problem),
            }
        }
    }
    // One or two names that some other header happens to declare do not make a library.
    let absent = |library: &&str| {
        asked.get(library).copied().unwrap_or(0) >= 5
            && found.get(library).copied().unwrap_or(0) * 20 < asked[library]
    };
    let not_installed: Vec<&str> = asked.keys().copied().filter(|l| absent(l)).collect();
    verified
        .problems
        .retain(|problem| !not_installed.contains(&problem.library.as_str()));
    verified.not_installed = not_installed.iter().map(|l| (*l).to_owned()).collect();
    verified.problems.extend(without_entry(table, cuda));
    verified
        .problems
        .sort_by(|a, b| (&a.library, a.kind, &a.cuda).cmp(&(&b.library, b.kind, &b.cuda)));
    verified
}

/// A device function that HIP's own headers do not declare: clang's do, in a folder of their own.
fn may_be_built_in(entry: &ApiEntry, problem: &Problem) -> bool {
    problem.kind == ProblemKind::Missing && entry.library == "device"
}

struct Checked<'e> {
    name: &'e str,
    rocm: crate::mapping::Span,
    args: &'e [ArgEdit<'static>],
    /// The number of arguments that this target is for; `None` for any.
    arity: Option<usize>,
}

fn targets(entry: &ApiEntry) -> Vec<Checked<'_>> {
    if matches!(
        entry.kind,
        Kind::Header | Kind::Field | Kind::Pattern | Kind::Namespace
    ) {
        return Vec::new();
    }
    let of = |name, rocm, args, arity| Checked {
        name,
        rocm,
        args,
        arity,
    };
    let default = entry
        .hip
        .map(|name| of(name, entry.rocm, &entry.args[..], None));
    let roc = entry
        .roc
        .as_ref()
        .map(|roc| of(roc.name, roc.rocm, &roc.args[..], None));
    let forms = entry.forms.iter().filter_map(|form| {
        let name = form.hip.or(entry.hip)?;
        let kept = name == entry.cuda;
        (!kept).then(|| {
            of(
                name,
                form.rocm.unwrap_or(entry.rocm),
                &form.args[..],
                Some(usize::from(form.arity)),
            )
        })
    });
    default.into_iter().chain(roc).chain(forms).collect()
}

fn problem(kind: ProblemKind, entry: &ApiEntry, target: &str, detail: String) -> Problem {
    Problem {
        kind,
        cuda: entry.cuda.to_owned(),
        target: Some(target.to_owned()),
        library: entry.library.to_owned(),
        detail,
    }
}

/// The identifiers of a target that a header must declare: the last of each qualified name.
fn words(target: &str) -> impl Iterator<Item = &str> {
    const BUILT_IN: &[&str] = &[
        "unsigned", "signed", "int", "long", "short", "char", "void", "const", "float", "double",
        "bool", "true", "false", "struct",
    ];
    target
        .split(['<', '>', ',', ' ', '*', '(', ')'])
        .map(|part| part.rsplit("::").next().unwrap_or(part))
        // Builtins of the compiler stand in no header.
        .filter(|word| !word.starts_with("__builtin_"))
        .filter(|word| {
            word.starts_with(|c: char| c.is_alphabetic() || c == '_') && !BUILT_IN.contains(word)
        })
}

fn check(
    entry: &ApiEntry,
    target: &Checked<'_>,
    hip: &Names,
    cuda: &Names,
    counted: &mut usize,
) -> Result<(), Problem> {
    for word in words(target.name) {
        if hip.get(word).is_none() {
            let detail = format!("`{word}` is declared in no header");
            return Err(problem(ProblemKind::Missing, entry, target.name, detail));
        }
    }
    let Some(declared) = hip.get(target.name) else {
        return Ok(());
    };
    if !fits_kind(entry.kind, declared) {
        let detail = format!(
            "the entry says {:?}, {} declares {:?}",
            entry.kind, declared.header, declared.what
        );
        return Err(problem(ProblemKind::WrongKind, entry, target.name, detail));
    }
    let known = cuda
        .get(entry.cuda)
        .filter(|_| entry.kind == Kind::Function);
    match known.and_then(|known| counts(entry, target, known, declared)) {
        Some(Ok(())) => {
            *counted += 1;
            Ok(())
        }
        Some(Err(detail)) => {
            *counted += 1;
            Err(problem(
                ProblemKind::ArgumentCount,
                entry,
                target.name,
                detail,
            ))
        }
        None => Ok(()),
    }
}

fn fits_kind(kind: Kind, declared: &Declared) -> bool {
    let is = |what| declared.what.contains(&what);
    // A macro may stand for anything.
    is(What::Macro)
        || match kind {
            Kind::Function => is(What::Function) || is(What::Type) || is(What::Variable),
            Kind::Type => is(What::Type),
            Kind::Enumerator => is(What::Enumerator) || is(What::Variable),
            Kind::Variable => is(What::Variable) || is(What::Enumerator),
            _ => true,
        }
}

/// Whether some declaration of the target takes what the edits leave of some declaration of the CUDA function.
fn counts(
    entry: &ApiEntry,
    target: &Checked<'_>,
    cuda: &Declared,
    hip: &Declared,
) -> Option<Result<(), String>> {
    let forms: Vec<usize> = entry
        .forms
        .iter()
        .map(|form| usize::from(form.arity))
        .collect();
    let mut calls: Vec<usize> = cuda
        .arities
        .iter()
        .filter(|&&(_, most)| most != usize::MAX)
        .flat_map(|&(least, most)| least..=most)
        .filter(|count| match target.arity {
            Some(arity) => *count == arity,
            None => !forms.contains(count),
        })
        .collect();
    calls.sort_unstable();
    calls.dedup();
    if calls.is_empty() || hip.arities.is_empty() {
        return None;
    }
    let left = |most: usize| most as isize + change(target.args);
    let takes = |count: isize| {
        hip.arities.iter().any(|&(least, most)| {
            least as isize <= count && (most == usize::MAX || count <= most as isize)
        })
    };
    if calls.iter().any(|&most| takes(left(most))) {
        return Some(Ok(()));
    }
    let after: Vec<isize> = calls.iter().map(|&most| left(most)).collect();
    Some(Err(format!(
        "CUDA takes {calls:?} arguments, the edits leave {after:?}, {} takes {:?}",
        hip.header, hip.arities
    )))
}

/// By how many arguments the edits make a call longer.
fn change(args: &[ArgEdit<'static>]) -> isize {
    let commas = |text: &str| {
        let mut depth = 0;
        let mut count = 1;
        for c in text.chars() {
            depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
            count += isize::from(c == ',' && depth == 0);
        }
        count
    };
    args.iter()
        .map(|edit| match &edit.verb {
            Verb::Drop => -1,
            Verb::Insert(text) => commas(text),
            Verb::Copy(_) => 1,
            Verb::Replace { text, .. } => commas(text) - 1,
            Verb::Cast(_) | Verb::Wrap(_) | Verb::Move(_) => 0,
        })
        .sum()
}

/// A target that the table gives to a later release, although these headers have it.
fn later(entry: &ApiEntry, target: &Checked<'_>, rocm: Version, hip: &Names) -> Option<Problem> {
    let since = target.rocm.since.filter(|&since| rocm < since)?;
    let declared = hip.get(target.name)?;
    let detail = format!(
        "the table says since ROCm {since}, {} of {rocm} declares it",
        declared.header
    );
    Some(problem(
        ProblemKind::WrongRelease,
        entry,
        target.name,
        detail,
    ))
}

/// Names of CUDA's public headers that neither an entry nor a pattern covers.
fn without_entry(table: &ApiTable, cuda: &Names) -> Vec<Problem> {
    let looker = Looker::new(table);
    cuda.sorted()
        .into_iter()
        .filter(|(name, declared)| is_public(name, declared))
        .filter(|(name, _)| looker.cover(name) == Cover::Unknown)
        .map(|(name, declared)| Problem {
            kind: ProblemKind::NoEntry,
            cuda: name.to_owned(),
            target: None,
            library: declared.header.clone(),
            detail: format!("declared as {:?} in {}", declared.what, declared.header),
        })
        .collect()
}

impl Problem {
    /// A target that these headers have earlier than the table says is news, no error: often it stands behind a switch.
    pub fn is_news(&self) -> bool {
        self.kind == ProblemKind::WrongRelease
    }
}

impl Verified {
    /// Whether the tables and the headers agree.
    pub fn is_clean(&self) -> bool {
        self.problems.iter().all(Problem::is_news)
    }

    /// The result for people: what was looked at, then each contradiction.
    pub fn text(&self) -> String {
        let mut text = format!(
            "ROCm {}: {} targets looked up in {} headers, {} of other releases; arguments counted on both sides of {} calls ({} CUDA headers)\n",
            self.rocm,
            self.checked,
            self.rocm_headers,
            self.other_release,
            self.counted,
            self.cuda_headers
        );
        if !self.not_installed.is_empty() {
            text += &format!("not installed here: {}\n", self.not_installed.join(", "));
        }
        if self.built_in > 0 {
            text += &format!(
                "not looked up: {} device functions of the compiler's own headers; give its folder too (ROCm: lib/llvm/lib/clang/N/include)\n",
                self.built_in
            );
        }
        for problem in &self.problems {
            let kind = serde_json::to_value(problem.kind).expect("a kind is a word");
            let target = problem
                .target
                .as_deref()
                .map_or(String::new(), |target| format!(" -> `{target}`"));
            text += &format!(
                "{}: {}: `{}`{target}: {}\n",
                problem.library,
                kind.as_str().unwrap_or_default(),
                problem.cuda,
                problem.detail
            );
        }
        let news = self
            .problems
            .iter()
            .filter(|problem| problem.is_news())
            .count();
        text + &format!(
            "{} problems, {news} targets declared earlier than the table says (behind a switch, or with other parameters)\n",
            self.problems.len() - news
        )
    }
}
