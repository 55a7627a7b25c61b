//! One asm statement: operands to expressions, instructions to steps, all or nothing.

use std::collections::BTreeSet;

use super::blocks::statements;
use super::request::{Attempt, Obstacle, Request, advice};
use super::split::{Instruction, Item, Operand};
use super::steps::{Layout, Step, render};
use super::table::{Entry, TABLE, by_prefix, find, signature_type};
use super::translator::Translator;
use super::types::Type;
use super::value::bare;
use super::{compare, convert, lanes, logic, matrix, memory, pack, textures};

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

    /// Whether another statement does the same.
    pub(crate) fn has_steps_of(&self, other: &Self) -> bool {
        self.steps == other.steps
    }

    /// The statements as text.
    pub fn render(&self, layout: &Layout) -> String {
        render(&self.steps, layout)
    }
}

/// Translates a statement, or says which instructions stand in the way.
pub fn translate(request: &Request<'_>) -> Result<Translation, Vec<Obstacle>> {
    let items = statements(request.text);
    let mut first = Translator::new(request, BTreeSet::new());
    let translation = run(&mut first, &items)?;
    let hoist = first.to_hoist();
    if hoist.is_empty() {
        return Ok(translation);
    }
    run(&mut Translator::new(request, hoist.clone()), &items)
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
            | "mma"
            | "ldmatrix"
            | "stmatrix"
            | "movmatrix"
            | "shfl"
            | "elect"
            | "createpolicy"
            | "bar"
            | "barrier"
            | "mov"
            | "tex"
            | "suld"
            | "sust"
    )
}

fn run(tr: &mut Translator<'_>, items: &[Item]) -> Result<Translation, Vec<Obstacle>> {
    let (mut steps, mut obstacles, mut opcodes) = (tr.early_reads(items), Vec::new(), Vec::new());
    for item in items {
        match item {
            Item::Registers(ty, names) => {
                if let Err(reason) = tr.declare(ty, names) {
                    obstacles.push(Obstacle::new(&format!(".reg .{ty}"), reason));
                }
            }
            Item::Other(text) => obstacles.push(Obstacle::new(
                text.split_whitespace().next().unwrap_or_default(),
                "Write the control flow or declaration in C++.".to_owned(),
            )),
            Item::Instruction(instruction) => {
                if !opcodes.contains(&instruction.opcode) {
                    opcodes.push(instruction.opcode.clone());
                }
                match translated(tr, instruction) {
                    Ok(step) => steps.push(step),
                    Err(reason) => {
                        obstacles.push(Obstacle::new(&instruction.opcode, reason));
                        tr.assume_written(&instruction.operands);
                    }
                }
            }
        }
    }
    obstacles.sort();
    obstacles.dedup();
    if !obstacles.is_empty() {
        return Err(obstacles);
    }
    Ok(Translation {
        steps,
        reviews: tr.take_reviews(),
        opcodes,
    })
}

/// The statements of one instruction with its guard.
pub(super) fn translated(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<Step> {
    tr.begin();
    let guard = guard(tr, instruction)?;
    dispatch(tr, instruction)?;
    let carries = || find(&instruction.opcode).is_some_and(|(entry, _)| entry.carry.is_some());
    if guard.is_some() && carries() {
        return Err("A carry under a predicate has no C++ counterpart here.".to_owned());
    }
    Ok(tr.step(guard))
}

/// The condition under which an instruction runs.
pub(super) fn guard(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<Option<String>> {
    let Some((predicate, negated)) = &instruction.guard else {
        return Ok(None);
    };
    let text = tr.read(predicate, Type::Predicate)?;
    Ok(Some(if *negated { format!("!{text}") } else { text }))
}

fn dispatch(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<()> {
    let opcode = instruction.opcode.as_str();
    if let Some(note) = by_prefix(&TABLE.dropped, opcode) {
        tr.review(note);
        return Ok(());
    }
    let built = match instruction.mnemonic() {
        "ld" | "ldu" => memory::load(tr, instruction),
        "st" => memory::store(tr, instruction),
        "atom" | "red" => memory::atomic(tr, instruction),
        "cp" => memory::async_copy(tr, instruction),
        "setp" => compare::setp(tr, instruction),
        "set" => compare::set(tr, instruction),
        "cvt" => convert::convert(tr, instruction),
        "lop3" => logic::lop3(tr, instruction),
        "mma" => matrix::multiply(tr, instruction),
        "ldmatrix" => matrix::load(tr, instruction),
        "stmatrix" => matrix::store(tr, instruction),
        "movmatrix" => matrix::transpose(tr, instruction),
        "shfl" => lanes::shuffle(tr, instruction),
        "elect" => lanes::elect(tr, instruction),
        "createpolicy" => lanes::policy(tr, instruction),
        "bar" | "barrier" => lanes::barrier(tr, instruction),
        "mov" => pack::pack(tr, instruction),
        "tex" => textures::texture(tr, instruction),
        "suld" | "sust" => textures::surface(tr, instruction),
        "bfe" | "bfi" | "prmt" | "shl" | "shr" => pack::constants(tr, instruction),
        _ => Ok(false),
    };
    if built? {
        return Ok(());
    }
    let Some((entry, ty)) = find(opcode) else {
        return Err(advice(opcode));
    };
    by_table(tr, instruction, entry, ty)
}

fn by_table(
    tr: &mut Translator<'_>,
    instruction: &Instruction,
    entry: &Entry,
    ty: Option<Type>,
) -> Attempt<()> {
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
        (Some(ty), Some("V")) => Some(tr.as_held(&instruction.operands[0], ty)),
        (ty, _) => ty,
    };
    let of_kernel = entry.kernel.as_deref().filter(|_| tr.request().in_kernel);
    let template = of_kernel.map_or_else(|| tr.template(entry), Ok)?;
    let template = tr.with_carry(template, entry.carry)?;
    let text = fill(tr, &template, &inputs, given, ty)?;
    if let Some(note) = entry.review.as_ref().filter(|_| of_kernel.is_none()) {
        tr.review(note);
    }
    match result {
        Some(name) => {
            let result = signature_type(name, ty).ok_or("The result has no type.")?;
            tr.assign(&instruction.operands[0], result, bare(&text))
        }
        None => {
            tr.plain(text);
            Ok(())
        }
    }
}

fn fill(
    tr: &mut Translator<'_>,
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
            tr.address(&given[position])?
        } else {
            tr.read(&given[position], wanted)?
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
