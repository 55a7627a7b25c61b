//! What a name becomes under given choices.

use super::choice::{Choices, Vendor};
use super::entry::{ApiEntry, ArgEdit, Form, Kind, Older, Support, Verb};
use super::version::{Span, Version};

/// What a call or name becomes under given choices.
#[derive(Clone, Debug)]
pub struct Target<'t> {
    /// The new name.
    pub name: &'static str,
    /// Argument edits of a call.
    pub args: &'t [ArgEdit<'static>],
    /// ROCm releases that have the name.
    pub rocm: Span,
}

impl ApiEntry {
    /// Whether calls with a certain argument, or with so many, are the tables', and a helper takes the others where there is one.
    pub(crate) fn is_shared(&self) -> bool {
        !self.unless.is_empty() || !self.forms.is_empty()
    }

    /// What the name becomes in a call with `arity` arguments (`None` for other uses), or `None` if nothing under these choices.
    pub fn target(
        &self,
        choices: &Choices,
        rocm: Version,
        arity: Option<usize>,
    ) -> Option<Target<'_>> {
        let form = self
            .forms
            .iter()
            .find(|form| arity == Some(usize::from(form.arity)));
        // A form that keeps the CUDA name says that no library has this call, whatever the choice.
        if let Some(form) = form.filter(|form| form.hip == Some(self.cuda)) {
            return Some(Target {
                name: self.cuda,
                args: &form.args,
                rocm: Span::default(),
            });
        }
        if choices.of(self.library) == Vendor::Roc
            && let Some(roc) = &self.roc
        {
            return Some(Target {
                name: roc.name,
                args: &roc.args,
                rocm: roc.rocm,
            });
        }
        let older = self
            .older
            .iter()
            .filter(|older| rocm < older.below)
            .min_by_key(|older| older.below);
        let older_name = older.map(|older| older.hip);
        let name = form.and_then(|form| form.hip).or(older_name).or(self.hip)?;
        Some(Target {
            name,
            args: form.map_or(&self.args, |form| &form.args),
            rocm: form
                .and_then(|form| form.rocm)
                .unwrap_or_else(|| self.releases_of(older)),
        })
    }

    /// The first release that has a target in one of its spellings: the chosen release decides which of them is written.
    pub(crate) fn first_release(&self, target: &Target<'_>) -> Option<Version> {
        let respelt = !self.older.is_empty() && self.hip == Some(target.name);
        if respelt {
            self.rocm.since
        } else {
            target.rocm.since
        }
    }

    /// Releases of an older spelling, or of the current one: each came with the release up to which there was another.
    fn releases_of(&self, older: Option<&Older<'_>>) -> Span {
        let earlier = self.older.iter().map(|older| older.below);
        let renamed = earlier.filter(|&below| older.is_none_or(|older| below < older.below));
        Span {
            since: self.rocm.since.max(renamed.max()),
            until: older.map_or(self.rocm.until, |older| Some(older.below)),
        }
    }

    /// How well the name is covered under these choices: what only the `roc*` library has counts once that is chosen.
    pub(crate) fn support_under(&self, choices: &Choices) -> Support {
        if choices.of(self.library) == Vendor::Hip {
            return self.support;
        }
        match (&self.roc, self.hip) {
            (Some(_), None) => Support::Full,
            _ if self.lacks_roc(choices) => self.support.max(Support::Review),
            _ => self.support,
        }
    }

    /// Whether the function is called in the `hip*` library although the `roc*` library is chosen: its handle is of another type.
    pub(crate) fn lacks_roc(&self, choices: &Choices) -> bool {
        choices.of(self.library) == Vendor::Roc
            && self.kind == Kind::Function
            && self.roc.is_none()
            && self.hip.is_some_and(|hip| hip != self.cuda)
    }

    /// Whether one macro, with parameters where arguments change, does to each call what the entry says.
    pub(super) fn fits_macro(&self) -> bool {
        let is_plain = |edit: &ArgEdit<'_>| match edit.verb {
            Verb::Replace { when, .. } => when.is_none(),
            Verb::Move(_) | Verb::Copy(_) => false,
            _ => true,
        };
        let is_same = |form: &Form<'_>| {
            let mut edits = form.args.iter();
            form.hip.is_none_or(|hip| self.hip == Some(hip))
                && edits.all(|it| matches!(it.verb, Verb::Insert(_)))
        };
        self.hip.is_some() && self.args.iter().all(is_plain) && self.forms.iter().all(is_same)
    }

    /// Whether the name is CUDA's and another one on AMD also where no code around it tells: in a string, a build file, another language.
    pub(crate) fn tells_by_itself(&self) -> bool {
        let is_nobodys = self.context && !self.cuda.starts_with("cu");
        !is_nobodys && self.library != "device" && !self.is_unchanged()
    }

    /// Whether the name stays as it is on AMD whatever the choices, arguments included.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.hip == Some(self.cuda)
            && self.support == Support::Full
            && self.args.is_empty()
            && self.forms.is_empty()
            && self.older.is_empty()
            && self.roc.is_none()
    }
}
