//! Truth tables of three inputs: `lop3`.

use std::sync::LazyLock;

use super::request::{Attempt, no_helpers};
use super::split::Instruction;
use super::translator::Translator;
use super::types::Type;
use super::value::bare;

/// `lop3.b32 d, a, b, c, table`
pub(super) fn lop3(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let ("lop3.b32", [to, a, b, c, table]) =
        (instruction.opcode.as_str(), instruction.operands.as_slice())
    else {
        return Err("Write the logic operation in C++.".to_owned());
    };
    let bits = Type::Bits(32);
    let text = match tr.constant(table) {
        Some(table) => {
            let names = [tr.read(a, bits)?, tr.read(b, bits)?, tr.read(c, bits)?];
            LOGIC[(table & 0xff) as usize].write(&names, false)
        }
        None if tr.request().helpers => {
            let wide = Type::Unsigned(32);
            let [a, b, c] = [a, b, c].map(|operand| tr.read(operand, wide));
            let (a, b, c) = (a?, b?, c?);
            let table = tr.literal_or_constant(table)?;
            format!(
                "cass_lop3<{table}>({}, {}, {})",
                bare(&a),
                bare(&b),
                bare(&c)
            )
        }
        None => return Err(no_helpers()),
    };
    tr.assign(to, bits, bare(&text))?;
    Ok(true)
}

/// A logic expression of three operands.
#[derive(Clone, Debug)]
enum Logic {
    Constant(bool),
    Input(usize),
    Not(Box<Logic>),
    Join(char, Box<Logic>, Box<Logic>),
}

impl Logic {
    fn write(&self, names: &[String; 3], nested: bool) -> String {
        match self {
            Self::Constant(value) => if *value { "0xffffffffu" } else { "0u" }.to_owned(),
            Self::Input(position) => names[*position].clone(),
            Self::Not(inner) => format!("~{}", inner.write(names, true)),
            Self::Join(operator, left, right) => {
                // Chains of one associative operator need no inner parentheses.
                let part = |side: &Self| {
                    let same = matches!(side, Self::Join(other, ..) if other == operator);
                    side.write(names, !same)
                };
                let text = format!("{} {operator} {}", part(left), part(right));
                if nested { format!("({text})") } else { text }
            }
        }
    }
}

/// The shortest expression for each of the 256 truth tables; bit `4a + 2b + c` of a table is its value for that input.
static LOGIC: LazyLock<Vec<Logic>> = LazyLock::new(|| {
    let mut best: Vec<Option<(usize, Logic)>> = vec![None; 256];
    best[0] = Some((0, Logic::Constant(false)));
    best[255] = Some((0, Logic::Constant(true)));
    for (position, table) in [0xf0usize, 0xcc, 0xaa].into_iter().enumerate() {
        best[table] = Some((1, Logic::Input(position)));
    }
    let mut cost = 1;
    // No function of three inputs needs more than this many operands and operators.
    while cost < 16 && best.iter().any(Option::is_none) {
        cost += 1;
        // From the last table down: `a` comes before `b` and `c`, as somebody would write it.
        let known: Vec<(usize, usize)> = best
            .iter()
            .enumerate()
            .rev()
            .filter_map(|(table, entry)| entry.as_ref().map(|(cost, _)| (table, *cost)))
            .collect();
        for &(table, spent) in &known {
            if spent + 1 == cost && best[255 ^ table].is_none() {
                let inner = best[table].as_ref().expect("it is known").1.clone();
                best[255 ^ table] = Some((cost, Logic::Not(Box::new(inner))));
            }
        }
        for &(left, left_cost) in &known {
            for &(right, right_cost) in &known {
                if left_cost + right_cost + 1 != cost || left_cost == 0 || right_cost == 0 {
                    continue;
                }
                for (operator, table) in [
                    ('&', left & right),
                    ('|', left | right),
                    ('^', left ^ right),
                ] {
                    if best[table].is_none() {
                        let side = |table: usize| {
                            Box::new(best[table].as_ref().expect("it is known").1.clone())
                        };
                        best[table] = Some((cost, Logic::Join(operator, side(left), side(right))));
                    }
                }
            }
        }
    }
    best.into_iter()
        .map(|entry| entry.expect("three inputs need at most 15").1)
        .collect()
});
