//! From LLVM's text of an instruction to what is executed. An instruction that is not known becomes one that stops the wave and says so,
//! so that unknown code in a program matters only when it runs.

mod memory;
mod modifiers;
mod operand;
mod text;

use crate::device::model::chip::Family;
use crate::device::model::findings::FaultKind;
use crate::device::ops::table::{Def, Form, table};
use crate::device::wave::Wave;
use crate::device::wave::inst::{Inst, Operand, Ty};
use crate::device::wave::program::Context;
use text::Text;

fn unknown(wave: &mut Wave<'_>, inst: &Inst) {
    let message = format!("the instruction `{}` is not emulated", inst.text);
    wave.fault(inst, 0, FaultKind::Unsupported, message);
}

/// The instruction of a text and its encoding, which begins at `word` of the program.
pub(crate) fn decode(line: &str, encoding: &[u8], word: u32, context: Context) -> Inst {
    let line = line.split("//").next().unwrap_or(line).trim();
    let mut raw = [0; 8];
    for (to, from) in raw.iter_mut().zip(encoding) {
        *to = *from;
    }
    let words = (encoding.len() / 4) as u32;
    let start = Inst::new(unknown, words, u64::from_le_bytes(raw), line);
    match line.split_once(" :: ") {
        Some((first, second)) => dual(&start, first, second, context),
        None => parse(&start, line, word, context),
    }
    .unwrap_or(start)
}

/// Two instructions that are issued together: both read before either writes.
fn dual(start: &Inst, first: &str, second: &str, context: Context) -> Option<Inst> {
    let mut inst = parse(start, first, 0, context)?;
    let other = parse(start, second, 0, context)?;
    inst.second = Some(Box::new(other));
    let (Operand::V(written), Some(other)) = (inst.dst, &inst.second) else {
        return None;
    };
    let read = |operand: &Operand| *operand == Operand::V(written);
    let clash = other.src.iter().any(read);
    let outer = Inst {
        run: if clash { run_dual_crossed } else { run_dual },
        second: Some(Box::new(inst)),
        ..start.clone()
    };
    Some(outer)
}

fn run_dual(wave: &mut Wave<'_>, inst: &Inst) {
    let Some(first) = &inst.second else { return };
    let Some(second) = &first.second else { return };
    // SAFETY: the table chose forms that this host can run.
    unsafe { (first.run)(wave, first) };
    // SAFETY: as above.
    unsafe { (second.run)(wave, second) };
}

/// The second one reads what the first one writes: it gets what was there before.
fn run_dual_crossed(wave: &mut Wave<'_>, inst: &Inst) {
    let Some(first) = &inst.second else { return };
    let Some(second) = &first.second else { return };
    let Operand::V(row) = first.dst else { return };
    let at = row as usize * wave.halves;
    let rows = at..at + wave.halves;
    let before = wave.v[rows.clone()].to_vec();
    // SAFETY: the table chose forms that this host can run.
    unsafe { (first.run)(wave, first) };
    let after = wave.v[rows.clone()].to_vec();
    wave.v[rows.clone()].copy_from_slice(&before);
    // SAFETY: as above.
    unsafe { (second.run)(wave, second) };
    wave.v[rows].copy_from_slice(&after);
}

/// One instruction; nothing where any part of it is not known.
fn parse(start: &Inst, line: &str, word: u32, context: Context) -> Option<Inst> {
    let text = Text::split(line);
    let def = table().find(text.mnemonic)?;
    let mut inst = start.clone();
    inst.run = def.run();
    inst.param = def.param;
    modifiers::apply(&mut inst, &text, def, context)?;
    let jump = (inst.raw as u16 as i16).into();
    inst.target = word.wrapping_add(inst.words).wrapping_add_signed(jump);
    match def.form {
        Form::Plain | Form::Accumulate | Form::Compare => plain(&mut inst, &text, def, context)?,
        Form::Bare | Form::Branch => {}
        Form::Text => by_text(&mut inst, &text, context),
        _ => memory::operands(&mut inst, &text, def, context)?,
    }
    finish(&mut inst, &text, def, context)?;
    Some(inst)
}

/// Results, then sources.
fn plain(inst: &mut Inst, text: &Text<'_>, def: &Def, context: Context) -> Option<()> {
    let mut results = usize::from(def.results);
    if def.form == Form::Compare && text.operands.len() == 2 {
        results = 0;
    }
    let register = |k: usize| operand::register(text.operands.get(k)?, context);
    if results > 0 {
        inst.dst = register(0)?;
    }
    if results > 1 {
        inst.dst2 = register(1)?;
    }
    let sources = text.operands.get(results..)?;
    let types = &def.types[usize::from(def.results)..];
    for (k, source) in sources.iter().enumerate() {
        let ty = *types.get(k).or(types.last()).unwrap_or(&Ty::I32);
        operand::source(inst, k, source, ty, context)?;
    }
    if def.form == Form::Accumulate {
        *inst.src.get_mut(types.len() - 1)? = inst.dst;
    } else if sources.len() < types.len() && !optional_last(types) {
        return None;
    }
    Some(())
}

/// Whether the last source can be missing: the carry of additions.
fn optional_last(types: &[Ty]) -> bool {
    types.len() > 2
}

/// Operations that read their text still get the registers that stand in it.
fn by_text(inst: &mut Inst, text: &Text<'_>, context: Context) {
    let readable = |k: usize| {
        text.operands
            .get(k)
            .and_then(|t| operand::any(t, Ty::I32, context))
            .unwrap_or_default()
    };
    inst.dst = readable(0);
    inst.src[0] = match text.mnemonic {
        "s_set_gpr_idx_on" => readable(0),
        _ => readable(1),
    };
}

/// Sums up which ways of reading and writing are needed, and refuses what is not emulated.
fn finish(inst: &mut Inst, text: &Text<'_>, def: &Def, context: Context) -> Option<()> {
    let result = def.types.first().copied().unwrap_or(Ty::I32);
    let short = matches!(result, Ty::F16 | Ty::I16) && def.results > 0;
    inst.keep_high = short && (def.keep_high || context.family != Family::Cdna);
    inst.in_mods = inst.sdwa.is_some()
        || inst.neg | inst.abs | inst.sext != 0
        || (inst.op_sel != 0 && !def.packed);
    let high = inst.op_sel & 8 != 0 && !def.packed;
    inst.out_mods = inst.clamp || inst.omod != 0 || inst.sdwa.is_some() || inst.keep_high || high;
    inst.plain = !inst.in_mods && !inst.out_mods && inst.dpp.is_none();
    let integer = matches!(result, Ty::I32 | Ty::I64 | Ty::I16) && def.results > 0;
    if inst.clamp && integer && !def.saturates && text.mnemonic.starts_with("v_") {
        return None;
    }
    Some(())
}
