//! The state of a translation: registers that the statement declares, operands that were read and written, lines so far. Its fields
//! change in this folder alone.

mod operands;

use std::collections::{BTreeMap, BTreeSet};

use super::request::{Attempt, Request, no_helpers};
use super::split::{Item, Operand};
use super::steps::{Line, Step};
use super::table::{Carry, Entry, find};
use super::types::Type;
use super::value::words;
use crate::text::keywords::is_keyword;

/// A place that an instruction writes.
enum Target {
    Outside(usize),
    Local(String),
    Nowhere,
}

/// State of a translation.
pub(super) struct Translator<'r> {
    request: &'r Request<'r>,
    locals: BTreeMap<String, (String, Type)>,
    written: BTreeSet<String>,
    lines: Vec<Line>,
    words: BTreeSet<String>,
    hoisted: BTreeMap<usize, String>,
    to_hoist: BTreeSet<usize>,
    outputs_written: Vec<usize>,
    stored: bool,
    reviews: BTreeSet<String>,
    uses: BTreeMap<usize, usize>,
    carry: Option<String>,
    carry_set: bool,
    carry_open: bool,
}

impl<'r> Translator<'r> {
    /// Operands at `hoist` are read into variables of their own before anything is written.
    pub(in crate::ptx) fn new(request: &'r Request<'r>, hoist: BTreeSet<usize>) -> Self {
        let words: BTreeSet<String> = request
            .operands
            .iter()
            .flat_map(|operand| words(&operand.value.text))
            .map(str::to_owned)
            .collect();
        let mut translator = Self {
            request,
            locals: BTreeMap::new(),
            written: BTreeSet::new(),
            lines: Vec::new(),
            words,
            hoisted: BTreeMap::new(),
            to_hoist: BTreeSet::new(),
            outputs_written: Vec::new(),
            stored: false,
            reviews: BTreeSet::new(),
            uses: BTreeMap::new(),
            carry: None,
            carry_set: false,
            carry_open: false,
        };
        for position in hoist {
            let name = translator.fresh(&format!("in{position}"));
            translator.hoisted.insert(position, name);
        }
        translator
    }

    /// What is translated, with the options of the run.
    pub(in crate::ptx) fn request(&self) -> &'r Request<'r> {
        self.request
    }

    /// Inputs that must be read before an output is written, and the carry.
    pub(in crate::ptx) fn early_reads(&mut self, items: &[Item]) -> Vec<Step> {
        let mut lines: Vec<Line> = self
            .hoisted
            .iter()
            .map(|(position, name)| {
                let text = self.request.operands[*position].value.written.clone();
                Line::Define(format!("const auto {name}"), text)
            })
            .collect();
        let carries = items.iter().any(|item| {
            matches!(item, Item::Instruction(one) if find(&one.opcode).is_some_and(|(entry, _)| entry.carry.is_some()))
        });
        if carries {
            let name = self.fresh("carry");
            lines.push(Line::Define(format!("unsigned {name}"), "0".to_owned()));
            self.carry = Some(name);
        }
        if lines.is_empty() {
            return Vec::new();
        }
        vec![Step { guard: None, lines }]
    }

    /// A name that nothing in the statement uses.
    pub(in crate::ptx) fn fresh(&mut self, stem: &str) -> String {
        let mut name = stem.to_owned();
        let mut number = 0;
        while self.words.contains(&name) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        self.words.insert(name.clone());
        name
    }

    pub(in crate::ptx) fn declare(&mut self, ty: &str, names: &[String]) -> Attempt<()> {
        let ty = Type::parse(ty).ok_or("Registers of this type have no C++ counterpart.")?;
        let ty = if let Type::Bits(bits) = ty {
            Type::Unsigned(bits)
        } else {
            ty
        };
        for name in names {
            if self.locals.contains_key(name) {
                return Err("The same register name is declared twice.".to_owned());
            }
            let stem: String = name
                .chars()
                .filter(|letter| letter.is_alphanumeric() || *letter == '_')
                .collect();
            let stem = if stem.is_empty()
                || is_keyword(stem.as_bytes())
                || stem.starts_with(|c: char| c.is_ascii_digit())
            {
                format!("reg_{stem}")
            } else {
                stem
            };
            let plain = self.fresh(&stem);
            self.locals.insert(name.clone(), (plain, ty));
        }
        Ok(())
    }

    /// Forgets lines that an instruction without translation left behind.
    pub(in crate::ptx) fn begin(&mut self) {
        self.lines.clear();
    }

    /// What the instruction came to.
    pub(in crate::ptx) fn step(&mut self, guard: Option<String>) -> Step {
        Step {
            guard,
            lines: std::mem::take(&mut self.lines),
        }
    }

    /// Operands that must be read before anything is written.
    pub(in crate::ptx) fn to_hoist(&self) -> &BTreeSet<usize> {
        &self.to_hoist
    }

    /// Whether a carry was produced that nothing in the statement reads.
    pub(in crate::ptx) fn leaves_carry(&self) -> bool {
        self.carry_open
    }

    /// What a person must look at, once each.
    pub(in crate::ptx) fn take_reviews(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.reviews)
    }

    /// What reads the results of an instruction that has no translation is not to blame.
    pub(in crate::ptx) fn assume_written(&mut self, operands: &[Operand]) {
        let results = match operands.first() {
            Some(Operand::Pair(first, second)) => vec![first.as_ref(), second.as_ref()],
            Some(Operand::Vector(parts)) => parts.iter().collect(),
            other => other.into_iter().collect(),
        };
        for result in results {
            if let Operand::Name(name) = result {
                self.written.insert(name.clone());
            }
        }
    }

    /// The expression that the options of the run ask for.
    pub(in crate::ptx) fn template<'e>(&self, entry: &'e Entry) -> Attempt<&'e str> {
        if self.request.native
            && let Some(native) = &entry.native
        {
            return Ok(native);
        }
        if self.request.helpers || !entry.cpp.contains("cass_") {
            return Ok(&entry.cpp);
        }
        entry.plain.as_deref().ok_or_else(no_helpers)
    }

    /// A template with the statement's carry in it: the block's variable, under a name that no operand uses.
    pub(in crate::ptx) fn with_carry(
        &mut self,
        template: &str,
        carry: Option<Carry>,
    ) -> Attempt<String> {
        self.carry(carry)?;
        Ok(match (&self.carry, carry) {
            (Some(name), Some(_)) => template.replace("carry", name),
            _ => template.to_owned(),
        })
    }

    fn carry(&mut self, carry: Option<Carry>) -> Attempt<()> {
        let reads = matches!(carry, Some(Carry::Chain | Carry::Use));
        if reads && !self.carry_set {
            return Err(
                "The carry comes from another asm statement: put the whole chain into one, or write it with 64-bit arithmetic."
                    .to_owned(),
            );
        }
        match carry {
            Some(Carry::Use) => self.carry_open = false,
            Some(_) => (self.carry_set, self.carry_open) = (true, true),
            None => {}
        }
        Ok(())
    }

    /// A statement without result.
    pub(in crate::ptx) fn plain(&mut self, text: String) {
        self.lines.push(Line::Plain(text));
    }

    /// Says that memory changes, so inputs that read memory must be read before.
    pub(in crate::ptx) fn stores(&mut self) {
        self.stored = true;
    }

    /// Something a person must look at.
    pub(in crate::ptx) fn review(&mut self, note: &str) {
        self.reviews.insert(note.to_owned());
    }
}
