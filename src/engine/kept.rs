//! Files that serve AMD already by the project's own doing: nothing in them is edited, and of the findings those stay that the project's
//! support does not answer.

use std::collections::{BTreeMap, BTreeSet};

use crate::cpp::definitions::{defines, enumerates};
use crate::cpp::guarding::branches;
use crate::diagnostic::{Finding, Group, Severity};
use crate::engine::Session;
use crate::engine::route::Reading;
use crate::mapping::TorchTable;
use crate::project::macro_names::is_called_after_cuda;
use crate::project::open_names::is_foreign;
use crate::project::owner::Owner;
use crate::project::support::{Scope, Support};
use crate::rules::{Event, find, notice};
use crate::syntax::{Document, Include, TokenIndex, Vendor, flags};
use crate::text::TextRange;
use crate::text::keywords::is_class_key;

/// What is left to say of a file that is kept as it is.
pub(super) fn findings(
    reading: &Reading<'_>,
    session: &Session,
    support: &Support,
    owner: Owner,
    found: Vec<Finding>,
) -> Vec<Finding> {
    let document = reading.cpp().filter(|_| owner != Owner::Nvidia);
    let Some(document) = document else {
        return found.into_iter().filter(is_about_comments).collect();
    };
    let scope = support.scope(&document.source.path);
    let kept = Kept {
        document,
        session,
        scope,
    };
    let (mut missing, mut stay) = (BTreeMap::<&[u8], Missing>::new(), Vec::new());
    let mut declared = BTreeSet::<&[u8]>::new();
    for finding in found {
        match kept.verdict(&finding) {
            Verdict::Answered => {}
            Verdict::Declared(word) => {
                declared.insert(word);
            }
            Verdict::Hazard => stay.push(finding),
            Verdict::NotCovered(word) => {
                let word = first_of_library(&missing, word);
                let token = document.token_at(finding.range.start);
                let in_code = !document.tokens[token].has(flags::MACRO_BODY);
                let known = missing.entry(word).or_insert(Missing {
                    first: finding.range,
                    uses: 0,
                    in_code,
                });
                known.add(finding.range, in_code);
            }
        }
    }
    missing.retain(|word, _| !declared.contains(word));
    if kept.is_aware() {
        stay.extend(
            missing
                .into_iter()
                .map(|(word, it)| kept.not_covered(word, &it)),
        );
        return stay;
    }
    stay.retain(is_about_comments);
    stay.extend(of_file(&missing, kept.is_alone()));
    stay
}

/// The first header of a library among those that lack already, `cutlass/cutlass.h` for `cutlass/gemm/gemm.h`; else the word itself.
fn first_of_library<'w>(missing: &BTreeMap<&'w [u8], Missing>, word: &'w [u8]) -> &'w [u8] {
    let library = |path: &'w [u8]| {
        let end = memchr::memchr(b'/', path)?;
        Some(&path[..end])
    };
    let Some(own) = library(word) else {
        return word;
    };
    // CuTe comes with CUTLASS and is never had without it.
    let is_cutlass = |it: &[u8]| matches!(it, b"cute" | b"cutlass");
    let mut known = missing.keys().copied();
    let first = known.find(|known| {
        library(known).is_some_and(|it| it == own || is_cutlass(it) && is_cutlass(own))
    });
    first.unwrap_or(word)
}

/// One finding for all names of a file that has no code for AMD, at the first of them.
fn of_file(missing: &BTreeMap<&[u8], Missing>, is_alone: bool) -> Option<Finding> {
    let (word, first) = missing.iter().min_by_key(|(_, it)| it.first)?;
    let name = String::from_utf8_lossy(word);
    let others = missing.len() - 1;
    Some(notice(&Event::FileNotCovered {
        range: first.first,
        name: &name,
        others,
        is_alone,
    }))
}

/// Where a file is the first of a folder that the project has for CUDA alone, the finding that says so, at its first name of CUDA.
pub(super) fn of_folder(
    document: &Document<'_>,
    support: &Support,
    names: &[TokenIndex],
    is_for_both: bool,
) -> Option<Finding> {
    let files = *support.cuda_folders.get(&document.source.path)?;
    let name = names.first().map(|at| document.tokens[*at].range());
    let range = name.or_else(|| Some(document.includes.first()?.directive))?;
    Some(notice(&Event::FolderForCuda {
        range,
        files,
        is_for_both,
    }))
}

/// What a file that is translated includes of the project's code for CUDA alone, which stays as it is beside that for AMD.
pub(super) fn of_includes(
    document: &Document<'_>,
    session: &Session,
    support: &Support,
) -> Vec<Finding> {
    let twins = &support.twins;
    let from = &*document.source.path;
    let says = |include: &Include| {
        // What a condition chooses may be chosen for NVIDIA's build alone.
        let is_for_amd = branches(document, include.directive.start).is_empty();
        let written = String::from_utf8_lossy(document.source.slice(include.path));
        let path = session.project.paths.resolve(from, &written)?;
        let is_for_cuda = is_for_amd && twins.owner(path) == Some(Owner::Nvidia);
        is_for_cuda.then(|| {
            notice(&Event::IncludeForCuda {
                range: include.path,
                path,
                twin: twins.files.get(path).map(String::as_str),
            })
        })
    };
    if twins.is_empty() {
        return Vec::new();
    }
    document.includes.iter().filter_map(says).collect()
}

/// How many names of CUDA in code that AMD compiles the project's own support answers.
pub(crate) fn covered(
    document: &Document<'_>,
    session: &Session,
    support: &Support,
    names: &[TokenIndex],
) -> usize {
    let scope = support.scope(&document.source.path);
    let is_covered = |name: &&TokenIndex| {
        let at = document.tokens[**name].start;
        document.vendor_at(at) == Vendor::Any
            && scope.is_some_and(|scope| covers(scope, session, document.bytes(**name)))
            && is_foreign(&session.table, document.bytes(**name))
    };
    names.iter().filter(is_covered).count()
}

enum Verdict<'s> {
    /// The project has dealt with it, or AMD's build never sees it.
    Answered,
    /// The project declares this name there itself.
    Declared(&'s [u8]),
    /// It holds for what AMD compiles.
    Hazard,
    /// A name that nobody gives a meaning on AMD.
    NotCovered(&'s [u8]),
}

struct Missing {
    first: TextRange,
    uses: usize,
    /// It stands outside of macros, which may be for NVIDIA's build alone.
    in_code: bool,
}

impl Missing {
    /// Counts one use more.
    fn add(&mut self, range: TextRange, in_code: bool) {
        self.uses += 1;
        self.in_code |= in_code;
        self.first = self.first.min(range);
    }

    fn finding(&self, name: &str, help: String) -> Finding {
        notice(&Event::NotCovered {
            range: self.first,
            name,
            uses: self.uses,
            help,
        })
    }
}

struct Kept<'d, 's> {
    document: &'d Document<'s>,
    session: &'d Session,
    scope: Option<&'d Scope>,
}

impl<'s> Kept<'_, 's> {
    fn verdict(&self, finding: &Finding) -> Verdict<'s> {
        let group = find(finding.code).map(|(rule, _)| rule.group);
        let start = finding.range.start;
        match group {
            Some(Group::Comments) => return Verdict::Hazard,
            // It compiles for AMD as it is.
            Some(Group::Conditions | Group::Dialect | Group::BuildFiles) | None => {
                return Verdict::Answered;
            }
            _ if self.document.vendor_at(start) != Vendor::Any => return Verdict::Answered,
            _ => {}
        }
        let word = self.word(finding);
        // CUDA has had none of these without mask for chips since Volta: a project that serves AMD has them for it. HIP's compiler refuses
        // masks of 32 bits: what is written in HIP has none.
        let is_hips = self.scope.is_some_and(|scope| scope.is_hips);
        if is_old_exchange(word) || is_hips && word.ends_with(b"_sync") {
            return Verdict::Answered;
        }
        let token = self.document.token_at(start);
        if self.is_declared(token) {
            return Verdict::Answered;
        }
        if enumerates(self.document, token) || defines(self.document, token) {
            return Verdict::Declared(word);
        }
        if self.is_covered(word) || self.is_chosen(self.document.token_at(start)) {
            return Verdict::Answered;
        }
        let edits = finding
            .fix
            .as_ref()
            .is_some_and(|fix| !fix.edits.is_empty());
        let is_loud = finding.severity > Severity::Info;
        if is_foreign(&self.session.table, word) && (edits || is_loud) {
            return Verdict::NotCovered(word);
        }
        match group {
            Some(Group::Api) => Verdict::Answered,
            _ if is_loud => Verdict::Hazard,
            _ => Verdict::Answered,
        }
    }

    /// The word or the header's path that a finding is about.
    fn word(&self, finding: &Finding) -> &'s [u8] {
        let at = self.document.token_at(finding.range.start);
        let mut includes = self.document.includes.iter();
        let include = includes.find(|it| it.directive.start == finding.range.start);
        match include {
            Some(include) => self.document.source.slice(include.path),
            None => self.document.bytes(at),
        }
    }

    /// Whether a token is a type that is declared ahead there or pointed to, `struct cublasContext;`: that needs no header.
    fn is_declared(&self, token: TokenIndex) -> bool {
        let document = self.document;
        let is_key = |at: TokenIndex| is_class_key(document.bytes(at));
        token.checked_sub(1).is_some_and(is_key)
            && [";", "*", "&"]
                .iter()
                .any(|next| document.is(token + 1, next))
    }

    /// Whether a token stands in an argument of a macro that takes one side for each vendor, `HIP_OR_CUDA(hipFree(p), cudaFree(p))`,
    /// or of one that has a counterpart for AMD.
    fn is_chosen(&self, token: TokenIndex) -> bool {
        let names_both = |callee: &[u8]| {
            let has = |vendors: &[&[u8]]| {
                let mut words = callee.split(|&byte| byte == b'_');
                words.any(|word| vendors.contains(&word))
            };
            let is_side = || self.scope.is_some_and(|scope| scope.is_one_side(callee));
            has(&[b"HIP", b"ROCM"]) && has(&[b"CUDA"]) || is_side()
        };
        let document = self.document;
        let mut at = token;
        // An argument of such a macro is a statement or a few.
        for _ in 0..500 {
            let Some(before) = at.checked_sub(1) else {
                return false;
            };
            at = before;
            match document.matching_bracket(at) {
                Some(open) if open < at => at = open,
                Some(_) if document.is(at, "(") && at > 0 && names_both(document.bytes(at - 1)) => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    fn is_covered(&self, word: &[u8]) -> bool {
        self.scope
            .is_some_and(|scope| covers(scope, self.session, word))
    }

    /// Whether nothing for AMD reaches the file.
    fn is_alone(&self) -> bool {
        let path = &self.document.source.path;
        self.scope.is_some_and(|scope| scope.alone.contains(path)) && !is_called_after_cuda(path)
    }

    /// Whether the file has anything for AMD, so that a build for AMD is known to compile it.
    fn is_aware(&self) -> bool {
        let project = &self.session.project;
        let mut guards = self.document.guards.iter();
        let path = self.document.source.path.as_str();
        guards.any(|(_, vendor)| *vendor == Vendor::Hip)
            || self.scope.is_some_and(|scope| scope.hipifies)
            || project.sees_mapping(path)
            || self
                .document
                .has_word(|word| self.session.table.is_target(word))
    }

    fn not_covered(&self, word: &[u8], missing: &Missing) -> Finding {
        let name = String::from_utf8_lossy(word);
        let table = &self.session.table;
        let hit = table.get_or_pattern(word).or_else(|| table.header(word));
        let entry = hit.map(|hit| hit.entry);
        let mapping = self.scope.and_then(|scope| scope.mappings.first());
        if let Some((own, header)) = self.scope.and_then(|scope| scope.own_name(word)) {
            let help = format!("write `{own}`, which `{header}` has for both vendors");
            return missing.finding(&name, help);
        }
        let help = match (entry.and_then(|entry| entry.hip), mapping) {
            (Some(hip), Some((header, _))) if table.get(word).is_some() => {
                format!("add `#define {name} {hip}` to `{header}`")
            }
            (Some(hip), _) if !hip.is_empty() => format!("write `{hip}` in a branch for AMD"),
            _ => entry
                .and_then(|entry| entry.note)
                .unwrap_or_default()
                .to_owned(),
        };
        let finding = missing.finding(&name, help);
        match missing.in_code {
            true => finding,
            false => finding.severity(Severity::Info),
        }
    }
}

/// Whether a project's own support gives a name a meaning on AMD.
pub(super) fn covers(scope: &Scope, session: &Session, word: &[u8]) -> bool {
    let has_counterpart = || {
        let table = &session.table;
        let hit = table.get(word).or_else(|| table.header(word));
        hit.is_some_and(|hit| hit.entry.hip.is_some())
    };
    // PyTorch's hipify, which builds call as well, renames the headers of PyTorch.
    let is_torchs = || TorchTable::builtin().renames_header(word);
    scope.covers.contains(word) || scope.hipifies && (has_counterpart() || is_torchs())
}

/// Whether a function exchanges values or votes between lanes without a mask.
fn is_old_exchange(word: &[u8]) -> bool {
    matches!(
        word,
        b"__ballot"
            | b"__any"
            | b"__all"
            | b"__shfl"
            | b"__shfl_up"
            | b"__shfl_down"
            | b"__shfl_xor"
    )
}

fn is_about_comments(finding: &Finding) -> bool {
    find(finding.code).is_some_and(|(rule, _)| rule.group == Group::Comments)
}
