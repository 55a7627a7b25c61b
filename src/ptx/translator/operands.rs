//! Operands of instructions as expressions, and where results go.

use super::{Target, Translator};
use crate::ptx::request::Attempt;
use crate::ptx::split::{Operand, integer};
use crate::ptx::steps::Line;
use crate::ptx::symbol::Space;
use crate::ptx::table::TABLE;
use crate::ptx::types::{Holds, Type};
use crate::ptx::value::{Value, atom, has_effect, literal, words};

impl Translator<'_> {
    /// A type of bits as the operand holds it: a float register keeps a float.
    pub(in crate::ptx) fn as_held(&self, operand: &Operand, ty: Type) -> Type {
        match (self.holds(operand), ty) {
            (Some(Holds::Exactly(Type::Float(bits))), Type::Bits(wanted)) if bits == wanted => {
                Type::Float(bits)
            }
            _ => ty,
        }
    }

    fn holds(&self, operand: &Operand) -> Option<Holds> {
        match operand {
            Operand::Asm(position) => self
                .request
                .operands
                .get(*position)
                .map(|operand| operand.value.holds),
            Operand::Name(name) => self.locals.get(name).map(|(_, ty)| Holds::Exactly(*ty)),
            _ => None,
        }
    }

    /// An operand as an expression of a type, fit to stand beside any operator.
    pub(in crate::ptx) fn read(&mut self, operand: &Operand, ty: Type) -> Attempt<String> {
        match operand {
            Operand::Number(text) => {
                literal(text, ty).ok_or_else(|| format!("The literal {text} cannot be read."))
            }
            Operand::Not(inner) => Ok(format!("!{}", self.read(inner, Type::Predicate)?)),
            Operand::Asm(position) => {
                let value = self.input(*position)?;
                // An operand that is a number in the source reads best as a number.
                let number = literal(&value.text, ty).filter(|_| integer(&value.text).is_some());
                Ok(number.unwrap_or_else(|| value.read(ty)))
            }
            Operand::Name(name) => self.named(name, ty),
            _ => Err("This operand has no C++ counterpart.".to_owned()),
        }
    }

    fn input(&mut self, position: usize) -> Attempt<Value> {
        let operand = self
            .request
            .operands
            .get(position)
            .ok_or_else(|| format!("There is no operand %{position}."))?;
        let uses = self.uses.entry(position).or_default();
        *uses += 1;
        // What is read twice, and may differ then, is read once in another attempt.
        if *uses > 1 && !operand.is_output && has_effect(&operand.value.text) {
            self.to_hoist.insert(position);
        }
        if let Some(name) = self.hoisted.get(&position) {
            return Ok(Value::plain(name.clone(), operand.value.holds));
        }
        let clash = self.outputs_written.iter().any(|&output| {
            output != position
                && overlap(
                    &self.request.operands[output].value.text,
                    &operand.value.text,
                )
        });
        let reads_memory =
            operand.value.text.contains(['*', '[']) || operand.value.text.contains("->");
        if !operand.is_output && (clash || (self.stored && reads_memory)) {
            self.to_hoist.insert(position);
        }
        Ok(operand.value.clone())
    }

    fn named(&mut self, name: &str, ty: Type) -> Attempt<String> {
        if let Some((local, held)) = self.locals.get(name) {
            // A module's registers are all declared with a value: what jumps lead to is not known here.
            if self.request.module.is_none() && !self.written.contains(name) {
                return Err(format!("The register {name} is read before it is written."));
            }
            let value = Value::plain(local.clone(), Holds::Exactly(*held));
            return Ok(value.read(ty));
        }
        if let Some((text, held)) = self.address_of(name) {
            let value = Value::plain(text, Holds::Exactly(held));
            return Ok(value.read(ty));
        }
        let register = name.trim_start_matches('%');
        let Some(entry) = TABLE.registers.get(register) else {
            return Err(format!(
                "The register {name} has no counterpart on AMD; compute its value in C++ or pass it to the kernel."
            ));
        };
        let text = self.template(entry)?.to_owned();
        if let Some(note) = &entry.review {
            self.review(note);
        }
        if self.request.native && register.starts_with("lanemask") {
            self.review("Widen the variable: a wavefront of 64 lanes has a mask of 64 bits.");
        }
        let held = Type::parse(&entry.sig).expect("a test reads every signature");
        Ok(if held.bits() == ty.bits() && ty.is_integer() {
            atom(&text)
        } else {
            format!("static_cast<{}>({text})", ty.name())
        })
    }

    /// The address of a symbol, `name` or `name+8`, as a number: within LDS for what lies there.
    fn address_of(&self, name: &str) -> Option<(String, Type)> {
        let (stem, offset) = name.split_once('+').unwrap_or((name, "0"));
        let symbol = self.symbol(stem.trim())?;
        let offset = integer(offset.trim())?;
        let (text, held) = match symbol.space {
            Space::Shared => {
                let text = format!("cass_cvta_generic_to_shared({})", symbol.address());
                (text, Type::Unsigned(64))
            }
            _ => {
                let text = format!("reinterpret_cast<unsigned long long>({})", symbol.address());
                (text, Type::Unsigned(64))
            }
        };
        Some(match offset {
            0 => (text, held),
            by => (format!("({text} + {by})"), held),
        })
    }

    /// Stores an expression of a type.
    pub(in crate::ptx) fn assign(&mut self, to: &Operand, ty: Type, text: &str) -> Attempt<()> {
        match self.target(to)? {
            Target::Nowhere => {}
            Target::Local(name) => {
                let (local, held) = self.locals[&name].clone();
                let value = Value::plain(local.clone(), Holds::Exactly(held));
                self.lines
                    .push(Line::Local(local, held.name(), value.stored(ty, text)));
                self.written.insert(name);
            }
            Target::Outside(position) => {
                let value = &self.request.operands[position].value;
                self.lines
                    .push(Line::Store(value.place(), value.stored(ty, text)));
                if !self.outputs_written.contains(&position) {
                    self.outputs_written.push(position);
                }
            }
        }
        Ok(())
    }

    fn target(&self, to: &Operand) -> Attempt<Target> {
        match to {
            Operand::Sink => Ok(Target::Nowhere),
            Operand::Name(name) if self.locals.contains_key(name) => {
                Ok(Target::Local(name.clone()))
            }
            Operand::Asm(position) => match self.request.operands.get(*position) {
                Some(operand) if operand.is_output => {
                    self.check_order(*position)?;
                    Ok(Target::Outside(*position))
                }
                _ => Err("The result is not an output of the asm statement.".to_owned()),
            },
            _ => Err("The result has no C++ counterpart.".to_owned()),
        }
    }

    /// An output such as `a[i]` must not come behind one that changes `i`.
    fn check_order(&self, position: usize) -> Attempt<()> {
        let text = &self.request.operands[position].value.text;
        let moved = self.outputs_written.iter().any(|&earlier| {
            let name = &self.request.operands[earlier].value.text;
            name != text && words(text).any(|word| word == name)
        });
        if moved {
            return Err(
                "An output's place depends on another output; split the statement.".to_owned(),
            );
        }
        Ok(())
    }

    /// An operand as it stands, for a cast that takes pointers and numbers alike.
    pub(in crate::ptx) fn raw(&mut self, operand: &Operand) -> Attempt<String> {
        match operand {
            Operand::Asm(position) => Ok(self.input(*position)?.atom()),
            other => self.read(other, Type::Unsigned(64)),
        }
    }

    /// An operand as an argument that the function converts to an integer of its own width.
    pub(in crate::ptx) fn converted(&mut self, operand: &Operand, ty: Type) -> Attempt<String> {
        match self.holds(operand) {
            Some(Holds::Integer(bits)) if ty.is_integer() && bits == ty.bits() => self.raw(operand),
            _ => self.read(operand, ty),
        }
    }

    /// An operand as an argument that is a `const void*`.
    pub(in crate::ptx) fn address(&mut self, operand: &Operand) -> Attempt<String> {
        let raw = self.raw(operand)?;
        Ok(match self.holds(operand) {
            Some(Holds::Pointer) => raw,
            _ => format!("(const void*){raw}"),
        })
    }

    /// A number for a template argument: a literal, or an operand that the constraint makes a constant.
    pub(in crate::ptx) fn literal_or_constant(&mut self, operand: &Operand) -> Attempt<String> {
        match operand {
            Operand::Number(text) => Ok(text.clone()),
            Operand::Asm(position) => Ok(self.input(*position)?.atom()),
            _ => Err("The size is no constant.".to_owned()),
        }
    }

    /// Whether a name is a predicate of the block.
    pub(in crate::ptx) fn is_predicate(&self, name: &str) -> bool {
        self.locals
            .get(name)
            .is_some_and(|(_, ty)| *ty == Type::Predicate)
    }

    /// Whether writing the operand may change an expression.
    pub(in crate::ptx) fn writes(&self, to: &Operand, text: &str) -> bool {
        match to {
            Operand::Asm(position) => self
                .request
                .operands
                .get(*position)
                .is_some_and(|operand| overlap(&operand.value.text, text)),
            Operand::Name(name) => self
                .locals
                .get(name)
                .is_some_and(|(local, _)| local == text),
            _ => false,
        }
    }

    /// A local that only the translation has: declaration words and value.
    pub(in crate::ptx) fn define(&mut self, ty: &str, stem: &str, expression: &str) -> String {
        let name = self.fresh(stem);
        self.lines
            .push(Line::Define(format!("{ty} {name}"), expression.to_owned()));
        self.passing.push(name.clone());
        name
    }

    /// The value of a literal, or of an operand of the statement that is one.
    pub(in crate::ptx) fn constant(&self, operand: &Operand) -> Option<i64> {
        match operand {
            Operand::Number(text) => integer(text),
            Operand::Name(name) => {
                let known = self.current.get(name);
                known.or_else(|| self.constants.get(name)).copied()
            }
            Operand::Asm(position) => {
                integer(self.request.operands.get(*position)?.value.text.trim())
            }
            _ => None,
        }
    }
}

/// Whether writing one expression may change the other.
fn overlap(output: &str, input: &str) -> bool {
    let memory = |text: &str| text.contains(['*', '[']) || text.contains("->");
    (memory(output) && memory(input))
        || words(output).any(|word| words(input).any(|other| other == word))
}
