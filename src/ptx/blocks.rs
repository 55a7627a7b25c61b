//! Registers of blocks within an `asm` template: `{ .reg .f16 low; … } { .reg .f16 low; … }` has two of one name.

use rustc_hash::{FxHashMap, FxHashSet};

use super::split::{Instruction, Item, Operand, split_with_braces};

/// The statements of a template, each register under a name of its own.
pub(super) fn statements(text: &str) -> Vec<Item> {
    let (mut items, braces) = split_with_braces(text);
    name_apart(&mut items, &braces);
    items
}

/// Gives each register a name of its own. `braces` says where blocks begin and end, by how many items stand in front. A register that
/// another block declared as the same type, and that is gone, lives on under its name: nobody reads what it held.
fn name_apart(items: &mut Vec<Item>, braces: &[(usize, char)]) {
    // One block around all of it is the usual form.
    if braces.iter().filter(|brace| brace.1 == '{').count() < 2 {
        return;
    }
    let mut names = Names::new(items);
    let mut braces = braces.iter().peekable();
    for (at, item) in items.iter_mut().enumerate() {
        while let Some((_, brace)) = braces.next_if(|brace| brace.0 <= at) {
            match brace {
                '{' => names.blocks.push(Block::default()),
                _ => names.close(),
            }
        }
        match item {
            Item::Registers(ty, declared) => names.declare(ty, declared),
            Item::Instruction(instruction) => names.rename(instruction),
            Item::Other(_) => {}
        }
    }
    items.retain(|item| !matches!(item, Item::Registers(_, names) if names.is_empty()));
}

/// What an open block declared.
#[derive(Default)]
struct Block {
    /// The registers, by the names that they have now.
    own: Vec<String>,
    /// The names that other registers of the template have as well.
    renamed: Vec<String>,
}

struct Names {
    /// Each word that may not be given to another register.
    taken: FxHashSet<String>,
    /// The types of all registers so far, and which of them are in sight.
    types: FxHashMap<String, (String, bool)>,
    /// What a name stands for in the blocks that are open, the innermost last.
    meanings: FxHashMap<String, Vec<String>>,
    blocks: Vec<Block>,
}

impl Names {
    fn new(items: &[Item]) -> Self {
        let declared = items.iter().filter_map(|item| match item {
            Item::Registers(_, names) => Some(names),
            _ => None,
        });
        Self {
            taken: declared.flatten().cloned().collect(),
            types: FxHashMap::default(),
            meanings: FxHashMap::default(),
            blocks: vec![Block::default()],
        }
    }

    fn close(&mut self) {
        // A brace without its other half closes nothing.
        if self.blocks.len() < 2 {
            return;
        }
        let block = self.blocks.pop().unwrap_or_default();
        for name in &block.own {
            self.types.entry(name.clone()).and_modify(|it| it.1 = false);
        }
        for name in &block.renamed {
            self.meanings
                .entry(name.clone())
                .and_modify(|it| drop(it.pop()));
        }
    }

    /// Takes in the registers of one declaration; those that live on are declared already.
    fn declare(&mut self, ty: &str, names: &mut Vec<String>) {
        let own = self.blocks.last().map(|it| it.own.iter().cloned());
        let own: FxHashSet<String> = own.into_iter().flatten().collect();
        let declared = std::mem::take(names);
        for name in declared {
            // Twice in one block is a mistake, which the translator names.
            if own.contains(&name) {
                names.push(name);
                continue;
            }
            let given = match self.types.get(&name) {
                None => name.clone(),
                Some((known, false)) if known == ty => name.clone(),
                Some(_) => self.other_name(&name, ty),
            };
            if !self.types.contains_key(&given) {
                names.push(given.clone());
            }
            self.types.insert(given.clone(), (ty.to_owned(), true));
            let Some(block) = self.blocks.last_mut() else {
                continue;
            };
            block.own.push(given.clone());
            block.renamed.push(name.clone());
            self.meanings.entry(name).or_default().push(given);
        }
    }

    /// Another name for a register: one of a block that is gone, or a new one.
    fn other_name(&mut self, name: &str, ty: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let types = &self.types;
        let is_free = |other: &String| match types.get(other) {
            Some((known, in_sight)) => known == ty && !in_sight,
            None => !self.taken.contains(other),
        };
        let mut free = numbered.filter(is_free);
        let found = free.next().unwrap_or_else(|| name.to_owned());
        self.taken.insert(found.clone());
        found
    }

    fn rename(&self, instruction: &mut Instruction) {
        if let Some((predicate, _)) = &mut instruction.guard {
            self.rename_operand(predicate);
        }
        let operands = instruction.operands.iter_mut();
        operands.for_each(|it| self.rename_operand(it));
    }

    fn rename_operand(&self, operand: &mut Operand) {
        match operand {
            Operand::Name(name) => {
                let meaning = self.meanings.get(name).and_then(|it| it.last());
                if let Some(meaning) = meaning.filter(|it| *it != name) {
                    name.clone_from(meaning);
                }
            }
            Operand::Address(base, _) | Operand::Not(base) => self.rename_operand(base),
            Operand::Pair(first, second) => {
                self.rename_operand(first);
                self.rename_operand(second);
            }
            Operand::Texel(object, places) => {
                self.rename_operand(object);
                places.iter_mut().for_each(|it| self.rename_operand(it));
            }
            Operand::Vector(all) => all.iter_mut().for_each(|it| self.rename_operand(it)),
            Operand::Asm(_) | Operand::Number(_) | Operand::Sink | Operand::Other(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The declarations and the registers of the instructions of a template.
    fn read(text: &str) -> String {
        let name = |operand: &Operand| match operand {
            Operand::Name(name) => name.clone(),
            other => format!("{other:?}"),
        };
        let shown = statements(text).into_iter().map(|item| match item {
            Item::Registers(ty, names) => format!(".{ty} {}", names.join(" ")),
            Item::Instruction(it) => {
                let operands: Vec<String> = it.operands.iter().map(name).collect();
                operands.join(" ")
            }
            Item::Other(text) => text,
        });
        shown.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn registers_of_blocks_have_names_of_their_own() {
        for (text, expected) in [
            // One that is gone lives on.
            (
                "{.reg .f16 a; mov.b16 a, b;} {.reg .f16 a; mov.b16 a, c;}",
                ".f16 a, a b, a c",
            ),
            // One that is in sight stays behind the block.
            (
                "{.reg .f16 a; {.reg .f16 a; mov.b16 a, b;} mov.b16 a, c;}",
                ".f16 a, .f16 a_2, a_2 b, a c",
            ),
            (
                "{.reg .f16 a;} {.reg .b32 a; mov.b32 a, b;} {.reg .f16 a; mov.b16 a, c;}",
                ".f16 a, .b32 a_2, a_2 b, a c",
            ),
            (
                "{.reg .b32 a, a_2; {.reg .b32 a; mov.b32 a, a_2;}}",
                ".b32 a a_2, .b32 a_3, a_3 a_2",
            ),
            ("{.reg .b32 a; mov.b32 a, b;}", ".b32 a, a b"),
            (
                "{.reg .b32 a; .reg .b32 a;} {mov.b32 b, c;}",
                ".b32 a, .b32 a, b c",
            ),
            ("}} {.reg .b32 a;} { mov.b32 a, b;", ".b32 a, a b"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
