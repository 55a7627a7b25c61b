//! The state of a translation: registers that the statement declares, operands that were read and written, lines so far. Its fields
//! change in this folder alone.

mod operands;

use std::collections::{BTreeMap, BTreeSet};

use super::request::{Attempt, Request, no_helpers};
use super::split::{Item, Operand};
use super::steps::{Line, Step};
use super::symbol::{Symbol, Symbols};
use super::table::{Carry, Entry, find};
use super::types::Type;
use super::value::words;
use crate::text::keywords::is_keyword;

/// The carry of a thread, which outlives a statement.
const CARRY_OF_THREAD: &str = "cass_carry_flag()";

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
    own: Symbols,
    constants: BTreeMap<String, i64>,
    /// Numbers that registers hold at the instruction at hand.
    current: BTreeMap<String, i64>,
    unread: BTreeSet<String>,
    numbers: BTreeMap<String, usize>,
    passing: Vec<String>,
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
            own: Symbols::default(),
            constants: BTreeMap::new(),
            current: BTreeMap::new(),
            unread: BTreeSet::new(),
            numbers: BTreeMap::new(),
            passing: Vec::new(),
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
        let carries: Vec<Carry> = items.iter().filter_map(carry_of).collect();
        if is_within(&carries) {
            let name = self.fresh("carry");
            lines.push(Line::Define(format!("unsigned {name}"), "0".to_owned()));
            self.carry = Some(name);
        } else if !carries.is_empty() {
            self.carry = Some(CARRY_OF_THREAD.to_owned());
        }
        if lines.is_empty() {
            return Vec::new();
        }
        vec![Step { guard: None, lines }]
    }

    /// A name that nothing in the statement uses.
    pub(in crate::ptx) fn fresh(&mut self, stem: &str) -> String {
        let mut name = stem.to_owned();
        // From the last number on: a module has thousands of one stem.
        let mut number = self.numbers.get(stem).copied().unwrap_or_default();
        while self.is_taken(&name) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        if number > 0 {
            self.numbers.insert(stem.to_owned(), number);
        }
        self.words.insert(name.clone());
        name
    }

    fn is_taken(&self, name: &str) -> bool {
        let of_module = self.request.module.is_some_and(|it| it.contains_key(name));
        self.words.contains(name) || of_module
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
            self.register(name, name, ty);
        }
        Ok(())
    }

    /// Takes a register in under the name that instructions have, and gives its name in C++, made of another one.
    pub(in crate::ptx) fn register(&mut self, name: &str, written: &str, ty: Type) -> String {
        let stem: String = written
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
        self.locals.insert(name.to_owned(), (plain.clone(), ty));
        plain
    }

    /// Takes in what the function alone declares.
    pub(in crate::ptx) fn add_symbol(&mut self, name: String, symbol: Symbol) {
        self.own.insert(name, symbol);
    }

    /// Puts a symbol in the place of another one, which comes back.
    pub(in crate::ptx) fn restore_symbol(
        &mut self,
        name: String,
        symbol: Option<Symbol>,
    ) -> Option<Symbol> {
        match symbol {
            Some(symbol) => self.own.insert(name, symbol),
            None => self.own.remove(&name),
        }
    }

    /// A variable or function of the module or of the function at hand.
    pub(in crate::ptx) fn symbol(&self, name: &str) -> Option<&Symbol> {
        let of_module = || self.request.module?.get(name);
        self.own.get(name).or_else(of_module)
    }

    /// Takes in registers that hold one number wherever they are read, and those that nobody reads.
    pub(in crate::ptx) fn know(
        &mut self,
        constants: BTreeMap<String, i64>,
        unread: BTreeSet<String>,
    ) {
        (self.constants, self.unread) = (constants, unread);
    }

    /// Notes what a register holds from here on, up to where jumps may come in: a number, or something else.
    pub(in crate::ptx) fn hold(&mut self, register: &str, number: Option<i64>) {
        match number {
            Some(number) => self.current.insert(register.to_owned(), number),
            None => self.current.remove(register),
        };
    }

    /// Forgets what registers hold: a jump may come in here.
    pub(in crate::ptx) fn forget(&mut self) {
        self.current.clear();
    }

    /// Whether nobody reads a register.
    pub(in crate::ptx) fn is_unread(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Name(name) if self.unread.contains(name))
    }

    /// The variable of the carry, which outlives the instruction.
    pub(in crate::ptx) fn set_carry(&mut self, name: String) {
        self.carry = Some(name);
    }

    /// Forgets lines that an instruction without translation left behind.
    pub(in crate::ptx) fn begin(&mut self) {
        self.lines.clear();
        // In a module each instruction that names values of its own has a block for them.
        if self.request.module.is_some() {
            for name in std::mem::take(&mut self.passing) {
                self.words.remove(&name);
                self.numbers.remove(stem_of(&name));
            }
        }
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

    /// A template with the statement's carry in it: the block's variable, under a name that no operand uses, or that of the thread.
    pub(in crate::ptx) fn with_carry(
        &mut self,
        template: &str,
        carry: Option<Carry>,
    ) -> Attempt<String> {
        match (&self.carry, carry) {
            (Some(name), Some(_)) if name == CARRY_OF_THREAD && !self.request.helpers => {
                Err(no_helpers())
            }
            (Some(name), Some(_)) => Ok(template.replace("carry", name)),
            _ => Ok(template.to_owned()),
        }
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

/// The part that an instruction has in a chain of carries.
fn carry_of(item: &Item) -> Option<Carry> {
    let Item::Instruction(instruction) = item else {
        return None;
    };
    find(&instruction.opcode).and_then(|(entry, _)| entry.carry)
}

/// Whether a statement reads no carry of another one and leaves none.
fn is_within(carries: &[Carry]) -> bool {
    carries.first() == Some(&Carry::Set) && carries.last() == Some(&Carry::Use)
}

/// A name without the number that made it new.
fn stem_of(name: &str) -> &str {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    name.rsplit_once('_')
        .filter(|(_, number)| digits(number))
        .map_or(name, |(stem, _)| stem)
}
