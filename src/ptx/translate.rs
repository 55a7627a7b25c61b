//! One asm statement: operands to expressions, instructions to steps, all or nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::operands::has_effect;
use super::split::{Instruction, Item, Operand, split};
use super::steps::{Layout, Line, Step, render};
use super::table::{Carry, Entry, TABLE, by_prefix, find, signature_type};
use super::types::Type;
use super::value::{Value, bare};
use super::{compare, convert, lanes, logic, memory, pack};

/// An operand of the statement.
#[derive(Clone, Debug)]
pub struct AsmValue {
    /// Expression and what it holds.
    pub value: Value,
    /// `=` or `+`.
    pub is_output: bool,
}

/// What is to be translated.
#[derive(Clone, Debug)]
pub struct Request<'r> {
    /// The template.
    pub text: &'r str,
    /// Its operands in the template's order.
    pub operands: Vec<AsmValue>,
    /// `--warp native`.
    pub native: bool,
    /// Helpers of the compatibility header may be called.
    pub helpers: bool,
    /// `asm volatile`: accesses may not be moved, merged or left out.
    pub volatile: bool,
    /// Memory is among the clobbers.
    pub clobbers_memory: bool,
}

/// An instruction that has no translation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obstacle {
    /// Its opcode, or the text that could not be read.
    pub instruction: String,
    /// What to do.
    pub advice: String,
}

/// A statement in C++.
#[derive(Clone, Debug)]
pub struct Translation {
    steps: Vec<Step>,
    /// What a person must look at, once each; empty when the meaning is the same.
    pub reviews: BTreeSet<String>,
    /// Opcodes, once each, in order.
    pub opcodes: Vec<String>,
}

impl Translation {
    /// Whether nothing is left to do on AMD.
    pub fn is_empty(&self) -> bool {
        self.steps.iter().all(|step| step.lines.is_empty())
    }

    /// The statements as text.
    pub fn render(&self, layout: &Layout) -> String {
        render(&self.steps, layout)
    }
}

/// A place that an instruction writes.
pub(super) enum Target {
    Outside(usize),
    Local(String),
    Nowhere,
}

pub(super) type Attempt<T> = Result<T, String>;

/// State of a translation.
pub(super) struct Translator<'r> {
    pub(super) request: &'r Request<'r>,
    pub(super) locals: BTreeMap<String, (String, Type)>,
    pub(super) written: BTreeSet<String>,
    pub(super) lines: Vec<Line>,
    pub(super) words: BTreeSet<String>,
    pub(super) hoisted: BTreeMap<usize, String>,
    pub(super) to_hoist: BTreeSet<usize>,
    pub(super) outputs_written: Vec<usize>,
    pub(super) stored: bool,
    pub(super) reviews: BTreeSet<String>,
    pub(super) uses: BTreeMap<usize, usize>,
    pub(super) carry: Option<String>,
    pub(super) carry_set: bool,
    pub(super) carry_open: bool,
}

/// Translates a statement, or says which instructions stand in the way.
pub fn translate(request: &Request<'_>) -> Result<Translation, Vec<Obstacle>> {
    let items = split(request.text);
    let mut first = Translator::new(request, BTreeSet::new());
    let translation = first.run(&items)?;
    if first.to_hoist.is_empty() {
        return Ok(translation);
    }
    let hoist = first.to_hoist;
    Translator::new(request, hoist).run(&items)
}

/// Mnemonics whose operands need more than the table's expressions.
pub(super) fn is_built(mnemonic: &str) -> bool {
    matches!(
        mnemonic,
        "ld" | "ldu"
            | "st"
            | "atom"
            | "red"
            | "setp"
            | "set"
            | "cvt"
            | "lop3"
            | "shfl"
            | "elect"
            | "createpolicy"
            | "bar"
            | "barrier"
            | "mov"
    )
}

impl<'r> Translator<'r> {
    fn new(request: &'r Request<'r>, hoist: BTreeSet<usize>) -> Self {
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

    fn run(&mut self, items: &[Item]) -> Result<Translation, Vec<Obstacle>> {
        let (mut steps, mut obstacles, mut opcodes) =
            (self.prologue(items), Vec::new(), Vec::new());
        for item in items {
            match item {
                Item::Registers(ty, names) => {
                    if let Err(reason) = self.declare(ty, names) {
                        obstacles.push(obstacle(&format!(".reg .{ty}"), reason));
                    }
                }
                Item::Other(text) => obstacles.push(obstacle(
                    text.split_whitespace().next().unwrap_or_default(),
                    "Write the control flow or declaration in C++.".to_owned(),
                )),
                Item::Instruction(instruction) => {
                    if !opcodes.contains(&instruction.opcode) {
                        opcodes.push(instruction.opcode.clone());
                    }
                    match self.instruction(instruction) {
                        Ok(step) => steps.push(step),
                        Err(reason) => {
                            obstacles.push(obstacle(&instruction.opcode, reason));
                            self.pretend(&instruction.operands);
                        }
                    }
                }
            }
        }
        if self.carry_open {
            obstacles.push(obstacle(
                "carry-out",
                "The carry leaves this asm statement: put the whole chain into one asm statement, or write it with 64-bit arithmetic.".to_owned(),
            ));
        }
        obstacles.sort();
        obstacles.dedup();
        if !obstacles.is_empty() {
            return Err(obstacles);
        }
        Ok(Translation {
            steps,
            reviews: std::mem::take(&mut self.reviews),
            opcodes,
        })
    }

    /// What reads the results of an instruction that has no translation is not to blame.
    fn pretend(&mut self, operands: &[Operand]) {
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

    /// Inputs that must be read before an output is written, and the carry.
    fn prologue(&mut self, items: &[Item]) -> Vec<Step> {
        let mut lines: Vec<Line> = self
            .hoisted
            .iter()
            .map(|(position, name)| {
                let text = self.request.operands[*position].value.text.clone();
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
    pub(super) fn fresh(&mut self, stem: &str) -> String {
        let mut name = stem.to_owned();
        let mut number = 0;
        while self.words.contains(&name) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        self.words.insert(name.clone());
        name
    }

    fn declare(&mut self, ty: &str, names: &[String]) -> Attempt<()> {
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
            let stem = if is_keyword(&stem) || stem.starts_with(|c: char| c.is_ascii_digit()) {
                format!("reg_{stem}")
            } else {
                stem
            };
            let plain = self.fresh(&stem);
            self.locals.insert(name.clone(), (plain, ty));
        }
        Ok(())
    }

    fn instruction(&mut self, instruction: &Instruction) -> Attempt<Step> {
        self.lines.clear();
        let guard = match &instruction.guard {
            Some((predicate, negated)) => {
                let text = self.read(predicate, Type::Predicate)?;
                Some(if *negated { format!("!{text}") } else { text })
            }
            None => None,
        };
        self.body(instruction)?;
        for (position, count) in &self.uses {
            let operand = &self.request.operands[*position];
            if *count > 1 && !operand.is_output && has_effect(&operand.value.text) {
                self.to_hoist.insert(*position);
            }
        }
        if guard.is_some() && self.carry_touched(instruction) {
            return Err("A carry under a predicate has no C++ counterpart here.".to_owned());
        }
        Ok(Step {
            guard,
            lines: std::mem::take(&mut self.lines),
        })
    }

    fn carry_touched(&self, instruction: &Instruction) -> bool {
        find(&instruction.opcode).is_some_and(|(entry, _)| entry.carry.is_some())
    }

    fn body(&mut self, instruction: &Instruction) -> Attempt<()> {
        let opcode = instruction.opcode.as_str();
        if let Some(note) = by_prefix(&TABLE.dropped, opcode) {
            self.review(note);
            return Ok(());
        }
        let built = match instruction.mnemonic() {
            "ld" | "ldu" => memory::load(self, instruction),
            "st" => memory::store(self, instruction),
            "atom" | "red" => memory::atomic(self, instruction),
            "cp" => memory::async_copy(self, instruction),
            "setp" => compare::setp(self, instruction),
            "set" => compare::set(self, instruction),
            "cvt" => convert::convert(self, instruction),
            "lop3" => logic::lop3(self, instruction),
            "shfl" => lanes::shuffle(self, instruction),
            "elect" => lanes::elect(self, instruction),
            "createpolicy" => lanes::policy(self, instruction),
            "bar" | "barrier" => lanes::barrier(self, instruction),
            "mov" => pack::pack(self, instruction),
            "bfe" | "bfi" | "prmt" | "shl" | "shr" => pack::constants(self, instruction),
            _ => Ok(false),
        };
        if built? {
            return Ok(());
        }
        let Some((entry, ty)) = find(opcode) else {
            return Err(advice(opcode));
        };
        self.entry(instruction, entry, ty)
    }

    fn entry(&mut self, instruction: &Instruction, entry: &Entry, ty: Option<Type>) -> Attempt<()> {
        let (result, inputs) = match entry.sig.split_once('=') {
            Some((result, inputs)) => (Some(result.trim()), inputs),
            None => (None, entry.sig.as_str()),
        };
        let inputs: Vec<&str> = inputs.split_whitespace().collect();
        let given = instruction
            .operands
            .get(usize::from(result.is_some())..)
            .ok_or("The result is missing.")?;
        if given.len() != inputs.len() {
            return Err(format!(
                "This form takes {} operands; check the instruction.",
                inputs.len() + usize::from(result.is_some())
            ));
        }
        let ty = match (ty, result) {
            (Some(ty), Some("V")) => Some(self.as_held(&instruction.operands[0], ty)),
            (ty, _) => ty,
        };
        let template = self.template(entry)?;
        self.carry(entry.carry)?;
        // The template's `carry` is the block's variable, under a name that no operand uses.
        let template = match (&self.carry, entry.carry) {
            (Some(name), Some(_)) => template.replace("carry", name),
            _ => template.to_owned(),
        };
        let text = self.fill(&template, &inputs, given, ty)?;
        if let Some(note) = &entry.review {
            self.review(note);
        }
        match result {
            Some(name) => {
                let result = signature_type(name, ty).ok_or("The result has no type.")?;
                self.assign(&instruction.operands[0], result, bare(&text))
            }
            None => {
                self.lines.push(Line::Plain(text));
                Ok(())
            }
        }
    }

    /// The expression that the options of the run ask for.
    pub(super) fn template<'e>(&self, entry: &'e Entry) -> Attempt<&'e str> {
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

    fn fill(
        &mut self,
        template: &str,
        inputs: &[&str],
        given: &[Operand],
        ty: Option<Type>,
    ) -> Attempt<String> {
        let (mut out, mut rest) = (String::new(), template);
        while let Some(open) = rest.find('{') {
            let close = rest[open..]
                .find('}')
                .expect("a test closes every placeholder")
                + open;
            let inner = &rest[open + 1..close];
            let position = usize::from(inner.as_bytes()[0] - b'a');
            let name = inner.get(2..).unwrap_or(inputs[position]);
            let wanted = signature_type(name, ty).ok_or("The operand has no type.")?;
            let text = if name == "ptr" {
                self.address(&given[position])?
            } else {
                self.read(&given[position], wanted)?
            };
            out.push_str(&rest[..open]);
            // Directly between parentheses or commas the operand needs none of its own.
            let alone = rest[..open].ends_with(['(', ' ', ','])
                && {
                    let before = rest[..open].trim_end();
                    before.ends_with(['(', ','])
                }
                && rest[close + 1..].starts_with([')', ',']);
            out.push_str(if alone { bare(&text) } else { &text });
            rest = &rest[close + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }

    /// A statement without result.
    pub(super) fn plain(&mut self, text: String) {
        self.lines.push(Line::Plain(text));
    }

    /// Says that memory changes, so inputs that read memory must be read before.
    pub(super) fn stores(&mut self) {
        self.stored = true;
    }

    /// Something a person must look at.
    pub(super) fn review(&mut self, note: &str) {
        self.reviews.insert(note.to_owned());
    }
}

/// Advice for an opcode without translation.
pub(super) fn advice(opcode: &str) -> String {
    by_prefix(&TABLE.manual, opcode).map_or_else(
        || "No translation of this form is known: write what it does in C++.".to_owned(),
        str::to_owned,
    )
}

pub(super) fn no_helpers() -> String {
    "The translation calls the helper header: allow it with `--compat header` or `inline`."
        .to_owned()
}

fn obstacle(instruction: &str, advice: String) -> Obstacle {
    Obstacle {
        instruction: instruction.to_owned(),
        advice,
    }
}

/// Identifiers of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| word.starts_with(|first: char| first.is_alphabetic() || first == '_'))
}

fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "" | "do"
            | "if"
            | "for"
            | "int"
            | "new"
            | "try"
            | "and"
            | "or"
            | "xor"
            | "not"
            | "asm"
            | "auto"
            | "bool"
            | "char"
            | "case"
            | "this"
            | "true"
            | "void"
            | "long"
            | "float"
            | "double"
            | "unsigned"
            | "signed"
            | "short"
            | "default"
            | "return"
            | "while"
    )
}
