//! The body of a function: its instructions as statements, its jumps as `goto`. Registers are declared in front of all, so that no jump
//! crosses the start of a variable.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::parse::{Head, Part, Variable, parts, registers, variable};
use super::variables::{local, of_parameter, parameter_symbol, plain_name, shared, symbol};
use crate::ptx::request::{Attempt, ModuleOptions, Obstacle, Request};
use crate::ptx::split::{Instruction, Item, Operand, integer, list, statement};
use crate::ptx::steps::{Line, Step};
use crate::ptx::symbol::{Symbol, Symbols};
use crate::ptx::table::find;
use crate::ptx::translate::{guard, translated};
use crate::ptx::translator::Translator;
use crate::ptx::types::Type;

/// A body in C++.
#[derive(Default)]
pub(super) struct Body {
    pub(super) text: String,
    /// What stands in the way, with its place in the body.
    pub(super) obstacles: Vec<(usize, Obstacle)>,
    pub(super) reviews: BTreeSet<String>,
    /// Functions that it calls.
    pub(super) calls: BTreeSet<String>,
}

impl Body {
    /// Translates the body of a function.
    pub(super) fn of(
        head: &Head<'_>,
        source: &str,
        symbols: &Symbols,
        options: ModuleOptions,
    ) -> Self {
        let request = Request {
            text: "",
            operands: Vec::new(),
            native: options.native,
            helpers: options.helpers,
            volatile: false,
            clobbers_memory: false,
            in_kernel: false,
            module: Some(symbols),
        };
        let mut writer = Writer::new(head, &request);
        let code = writer.read(source);
        let (constants, unread) = known_registers(&code);
        writer.tr.know(constants, unread);
        let has_carry = code.iter().any(|it| match it {
            Code::Instruction(_, one, _) => {
                find(&one.opcode).is_some_and(|(entry, _)| entry.carry.is_some())
            }
            _ => false,
        });
        if has_carry {
            let name = writer.tr.fresh("carry");
            writer.tr.set_carry(name.clone());
            writer.carry = Some(name);
        }
        for it in &code {
            writer.write(it);
        }
        writer.finish()
    }
}

/// One part of a body with its registers resolved.
enum Code<'t> {
    Open,
    Close,
    Label(String),
    Variable(usize, Variable<'t>),
    /// Where it stands, what it is, and its text.
    Instruction(usize, Instruction, &'t str),
}

/// A block of PTX: what it declares is known in it alone.
#[derive(Default)]
struct Scope {
    /// Names with their types, and stems with how many there are.
    names: BTreeMap<String, Type>,
    ranges: BTreeMap<String, (u64, Type)>,
    /// By name: in C++.
    labels: BTreeMap<String, String>,
    /// By name: the lists of labels that a jump chooses from.
    targets: BTreeMap<String, Vec<String>>,
    number: usize,
    /// Variables of outer blocks that it hides.
    hidden: Vec<(String, Option<Symbol>)>,
}

struct Writer<'w, 'r> {
    head: &'w Head<'w>,
    tr: Translator<'r>,
    scopes: Vec<Scope>,
    /// Registers in the order of their first use.
    declared: Vec<(String, Type)>,
    keys: BTreeSet<String>,
    carry: Option<String>,
    /// Variables in LDS and arrays, in front of all.
    variables: String,
    lines: String,
    depth: usize,
    body: Body,
    /// By what a jump through a list names: the labels in C++.
    jumps: BTreeMap<usize, Vec<String>>,
    /// By place: the label that a jump names.
    labels: BTreeMap<usize, String>,
}

impl<'w, 'r> Writer<'w, 'r> {
    fn new(head: &'w Head<'w>, request: &'r Request<'r>) -> Self {
        let mut tr = Translator::new(request, BTreeSet::new());
        for it in &head.parameters {
            if let Some(symbol) = parameter_symbol(it, head.is_kernel) {
                tr.add_symbol(it.name.to_owned(), symbol);
            }
        }
        if let Some(it) = &head.result
            && let Some(symbol) = parameter_symbol(it, false)
        {
            tr.add_symbol(it.name.to_owned(), symbol);
        }
        Self {
            head,
            tr,
            scopes: vec![Scope::default()],
            declared: Vec::new(),
            keys: BTreeSet::new(),
            carry: None,
            variables: String::new(),
            lines: String::new(),
            depth: 1,
            body: Body::default(),
            jumps: BTreeMap::new(),
            labels: BTreeMap::new(),
        }
    }

    fn obstacle(&mut self, at: usize, instruction: &str, advice: String) {
        let obstacle = Obstacle::new(instruction, advice);
        self.body.obstacles.push((at, obstacle));
    }

    /// Reads the parts of a body and gives each register the name of its block.
    fn read<'t>(&mut self, source: &'t str) -> Vec<Code<'t>> {
        let parts = parts(source);
        let labels = self.labels_of(&parts);
        let (mut code, mut number) = (Vec::with_capacity(parts.len()), 0);
        self.enter(0, &labels);
        for part in parts {
            match part {
                Part::Open => {
                    number += 1;
                    self.enter(number, &labels);
                    code.push(Code::Open);
                }
                Part::Close if self.scopes.len() > 2 => {
                    self.scopes.pop();
                    code.push(Code::Close);
                }
                Part::Close => {}
                Part::Label(name) => code.extend(self.label(name).map(Code::Label)),
                Part::Statement(at, text) => code.extend(self.statement(at, text)),
            }
        }
        while self.scopes.len() > 2 {
            self.scopes.pop();
            code.push(Code::Close);
        }
        code
    }

    fn enter(&mut self, number: usize, labels: &[BTreeMap<String, String>]) {
        self.scopes.push(Scope {
            number,
            labels: labels.get(number).cloned().unwrap_or_default(),
            ..Scope::default()
        });
    }

    /// The labels of each block, by its number.
    fn labels_of(&mut self, parts: &[Part<'_>]) -> Vec<BTreeMap<String, String>> {
        let mut blocks = vec![BTreeMap::new()];
        let mut open = vec![0];
        for part in parts {
            match part {
                Part::Open => {
                    open.push(blocks.len());
                    blocks.push(BTreeMap::new());
                }
                Part::Close if open.len() > 1 => {
                    open.pop();
                }
                Part::Label(name) => {
                    let stem = plain_name(name.trim_start_matches("$L__")).replace('$', "");
                    let stem = match stem.starts_with(|first: char| first.is_ascii_digit()) {
                        true => format!("L{stem}"),
                        false => stem,
                    };
                    let label = self.tr.fresh(&stem);
                    if let Some(block) = open.last().and_then(|&at| blocks.get_mut(at)) {
                        block.insert((*name).to_owned(), label);
                    }
                }
                _ => {}
            }
        }
        blocks
    }

    fn label(&self, name: &str) -> Option<String> {
        let around = self.scopes.iter().rev();
        around.clone().find_map(|it| it.labels.get(name)).cloned()
    }

    fn statement<'t>(&mut self, at: usize, text: &'t str) -> Option<Code<'t>> {
        if let Some((name, list_text)) = text.split_once(".branchtargets") {
            let name = name.trim().trim_end_matches(':').trim();
            let targets = list(list_text);
            let scope = self.scopes.last_mut()?;
            scope.targets.insert(name.to_owned(), targets);
            return None;
        }
        if text.contains(".callprototype") || text.starts_with(".pragma") {
            return None;
        }
        if let Some(declaration) = text.strip_prefix(".reg") {
            self.registers(at, declaration);
            return None;
        }
        if text.starts_with('.') {
            return match variable(text) {
                Some(variable) => Some(Code::Variable(at, variable)),
                None => {
                    let word = text.split_whitespace().next().unwrap_or(text);
                    let advice = "This directive has no counterpart in HIP.".to_owned();
                    self.obstacle(at, word, advice);
                    None
                }
            };
        }
        let Some(Item::Instruction(mut instruction)) = statement(text, text.len()) else {
            let word = text.split_whitespace().next().unwrap_or(text).to_owned();
            self.obstacle(at, &word, "This statement cannot be read.".to_owned());
            return None;
        };
        self.targets_of(at, &instruction);
        if instruction.mnemonic() != "bra" {
            instruction
                .operands
                .iter_mut()
                .for_each(|it| self.resolve(it));
        }
        if let Some((predicate, _)) = &mut instruction.guard {
            self.resolve(predicate);
        }
        Some(Code::Instruction(at, instruction, text))
    }

    /// Notes where a jump leads: labels are known by their block.
    fn targets_of(&mut self, at: usize, instruction: &Instruction) {
        let Some(Operand::Name(name)) = instruction.operands.last() else {
            return;
        };
        match instruction.mnemonic() {
            "bra" => {
                let label = self.label(name);
                self.labels.extend(label.map(|label| (at, label)));
            }
            "brx" => {
                let mut around = self.scopes.iter().rev();
                let targets = around.find_map(|it| it.targets.get(name));
                let labels = targets.map(|names| {
                    let labels = names.iter().map(|name| self.label(name));
                    labels.collect::<Option<Vec<_>>>()
                });
                self.jumps
                    .extend(labels.flatten().map(|labels| (at, labels)));
            }
            _ => {}
        }
    }

    fn registers(&mut self, at: usize, declaration: &str) {
        let Some((name, names)) = registers(declaration) else {
            return self.obstacle(at, ".reg", "This declaration cannot be read.".to_owned());
        };
        let ty = match Type::parse(name) {
            Some(Type::Bits(bits)) => Type::Unsigned(bits),
            Some(ty) => ty,
            None => {
                let what = format!(".reg .{name}");
                let advice = "Registers of this type have no C++ counterpart.".to_owned();
                return self.obstacle(at, &what, advice);
            }
        };
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        for (name, count) in names {
            match count {
                Some(count) => scope.ranges.insert(name, (count, ty)).is_some(),
                None => scope.names.insert(name, ty).is_some(),
            };
        }
    }

    /// Gives a register the name that its block makes of it.
    fn resolve(&mut self, operand: &mut Operand) {
        match operand {
            Operand::Name(name) => {
                if let Some(key) = self.register(name) {
                    *name = key;
                }
            }
            Operand::Address(inner, _) | Operand::Not(inner) => self.resolve(inner),
            Operand::Vector(all) => all.iter_mut().for_each(|it| self.resolve(it)),
            Operand::Texel(object, places) => {
                self.resolve(object);
                places.iter_mut().for_each(|it| self.resolve(it));
            }
            Operand::Pair(first, second) => {
                self.resolve(first);
                self.resolve(second);
            }
            // In a module `%0` is a register.
            Operand::Asm(number) => {
                let name = format!("%{number}");
                if let Some(key) = self.register(&name) {
                    *operand = Operand::Name(key);
                }
            }
            _ => {}
        }
    }

    fn register(&mut self, name: &str) -> Option<String> {
        let (number, ty) = self.scopes.iter().rev().find_map(|scope| {
            let ty = scope.names.get(name).copied();
            Some((scope.number, ty.or_else(|| in_range(scope, name))?))
        })?;
        let key = match number {
            0 => name.to_owned(),
            number => format!("{name}@{number}"),
        };
        if self.keys.insert(key.clone()) {
            let plain = self.tr.register(&key, name, ty);
            self.declared.push((plain, ty));
        }
        Some(key)
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.lines.push_str("    ");
        }
        self.lines.push_str(text);
        self.lines.push('\n');
    }

    fn write(&mut self, code: &Code<'_>) {
        match code {
            Code::Open => {
                self.line("{");
                self.depth += 1;
                self.scopes.push(Scope::default());
            }
            Code::Close => {
                self.depth -= 1;
                self.line("}");
                let hidden = self.scopes.pop().map(|scope| scope.hidden);
                for (name, symbol) in hidden.unwrap_or_default().into_iter().rev() {
                    self.tr.restore_symbol(name, symbol);
                }
            }
            Code::Label(label) => {
                self.tr.forget();
                writeln!(self.lines, "{label}:;").expect("strings take text");
            }
            Code::Variable(at, variable) => self.variable(*at, variable),
            Code::Instruction(at, instruction, text) => {
                if let Err(reason) = self.instruction(*at, instruction, text) {
                    self.obstacle(*at, &instruction.opcode, reason);
                }
                self.held_by(instruction);
            }
        }
    }

    /// Notes what the registers hold that an instruction writes.
    fn held_by(&mut self, instruction: &Instruction) {
        let mut written = Vec::new();
        if let Some(first) = instruction.operands.first() {
            names(first, &mut written);
        }
        let number = match (
            instruction.mnemonic(),
            &instruction.guard,
            instruction.operands.as_slice(),
        ) {
            ("mov", None, [Operand::Name(_), Operand::Number(number)]) => integer(number),
            _ => None,
        };
        written.iter().for_each(|name| self.tr.hold(name, number));
    }

    /// A variable of the function: LDS and arrays stand in front of all, what a call takes stands where it is.
    fn variable(&mut self, at: usize, variable: &Variable<'_>) {
        let (symbol, text) = match variable.space {
            "param" => {
                let symbol = parameter_symbol(variable, false);
                let ty = of_parameter(variable, false);
                let text = symbol.as_ref().zip(ty);
                let text = text.map(|(symbol, ty)| format!("{ty} {};", symbol.name));
                (symbol, text)
            }
            "shared" => {
                let symbol = symbol(variable);
                let text = symbol.as_ref().and_then(|it| shared(variable, it));
                (symbol, text.map(|text| text.trim_end().to_owned()))
            }
            _ => {
                let symbol = symbol(variable).filter(|_| variable.space == "local");
                let text = symbol.as_ref().and_then(|it| local(variable, it));
                (symbol, text)
            }
        };
        let (Some(symbol), Some(text)) = (symbol, text) else {
            let what = variable.unknown.unwrap_or(variable.name).to_owned();
            let advice = format!("The variable {} has no counterpart in HIP.", variable.name);
            return self.obstacle(at, &what, advice);
        };
        let hidden = self
            .tr
            .restore_symbol(variable.name.to_owned(), Some(symbol));
        if let Some(scope) = self.scopes.last_mut() {
            scope.hidden.push((variable.name.to_owned(), hidden));
        }
        match variable.space {
            "param" => self.line(&text),
            _ => writeln!(self.variables, "    {text}").expect("strings take text"),
        }
    }

    fn instruction(&mut self, at: usize, instruction: &Instruction, text: &str) -> Attempt<()> {
        let words = match instruction.mnemonic() {
            "bra" => {
                let label = self.labels.get(&at).ok_or("The label is unknown.")?;
                format!("goto {label};")
            }
            "brx" => self.jump(at, instruction)?,
            "ret" => self.leave(),
            "exit" if self.head.is_kernel => "return;".to_owned(),
            "exit" => {
                return Err("A device function cannot end its kernel in HIP: let it return, and the kernel decide.".to_owned());
            }
            "call" => self.call(instruction, text)?,
            _ => {
                let step = translated(&mut self.tr, instruction)?;
                self.step(&step);
                return Ok(());
            }
        };
        match guard(&mut self.tr, instruction)? {
            Some(guard) => self.line(&format!("if ({guard}) {words}")),
            None => self.line(&words),
        }
        Ok(())
    }

    fn leave(&self) -> String {
        match &self.head.result {
            Some(result) => format!("return {};", plain_name(result.name)),
            None => "return;".to_owned(),
        }
    }

    /// `brx.idx index, list`
    fn jump(&mut self, at: usize, instruction: &Instruction) -> Attempt<String> {
        let (Some(labels), [index, _]) = (self.jumps.get(&at), instruction.operands.as_slice())
        else {
            return Err("The list of labels is unknown.".to_owned());
        };
        let cases = labels.iter().enumerate();
        let cases = cases.map(|(number, label)| format!("case {number}: goto {label};"));
        let cases = cases.collect::<Vec<_>>().join(" ");
        let index = self.tr.read(index, Type::Unsigned(32))?;
        // An index behind the list has no meaning in PTX.
        Ok(format!(
            "switch ({index}) {{ {cases} default: __builtin_unreachable(); }}"
        ))
    }

    /// `call{.uni} (result), function, (arguments)`
    fn call(&mut self, instruction: &Instruction, text: &str) -> Attempt<String> {
        let begin = text.find(&instruction.opcode).unwrap_or_default() + instruction.opcode.len();
        let mut operands = list(&text[begin..]);
        let result = match operands.first() {
            Some(first) if first.starts_with('(') => Some(operands.remove(0)),
            _ => None,
        };
        let name = operands
            .first()
            .cloned()
            .ok_or("The function is missing.")?;
        let inner = |text: &str| text.trim_matches(['(', ')']).trim().to_owned();
        let arguments = operands.get(1).map(|text| list(&inner(text)));
        let mut given = Vec::new();
        for argument in arguments.unwrap_or_default() {
            let symbol = self.tr.symbol(&argument);
            let name = symbol.map(|symbol| symbol.name.clone());
            given.push(name.ok_or("Values are passed in variables of `.param`.")?);
        }
        if name.starts_with('%') {
            return Err(
                "A call through a pointer has no translation: call the function by its name."
                    .to_owned(),
            );
        }
        let callee = self
            .tr
            .symbol(&name)
            .ok_or("The function is not declared.")?;
        let plain = match known_call(&name, &given)? {
            Some(text) => text,
            None => format!("{}({})", callee.name, given.join(", ")),
        };
        self.body.calls.insert(name);
        let Some(result) = result.map(|text| inner(&text)).filter(|it| !it.is_empty()) else {
            return Ok(format!("{plain};"));
        };
        let symbol = self
            .tr
            .symbol(&result)
            .ok_or("The result is not declared.")?;
        Ok(format!("{} = {plain};", symbol.name))
    }

    /// The statements of an instruction, in a block of their own where they have variables.
    fn step(&mut self, step: &Step) {
        let is_block = step
            .lines
            .iter()
            .any(|line| matches!(line, Line::Define(..)));
        let many = step.lines.len() > 1 && (is_block || step.guard.is_some());
        let text = |line: &Line| match line {
            Line::Store(place, value)
            | Line::Local(place, _, value)
            | Line::Define(place, value) => {
                format!("{place} = {value};")
            }
            Line::Plain(text) => format!("{text};"),
        };
        let guard = step.guard.as_ref();
        let guard = guard.map_or_else(String::new, |it| format!("if ({it}) "));
        if !many {
            for line in &step.lines {
                let text = format!("{guard}{}", text(line));
                self.line(&text);
            }
            return;
        }
        self.line(&format!("{guard}{{"));
        self.depth += 1;
        for line in &step.lines {
            let text = text(line);
            self.line(&text);
        }
        self.depth -= 1;
        self.line("}");
    }

    fn finish(mut self) -> Body {
        let mut text = std::mem::take(&mut self.variables);
        if let Some(result) = &self.head.result
            && let Some(ty) = of_parameter(result, false)
        {
            writeln!(text, "    {ty} {} = {{}};", plain_name(result.name))
                .expect("strings take text");
        }
        if let Some(carry) = &self.carry {
            writeln!(text, "    unsigned {carry} = 0;").expect("strings take text");
        }
        text.push_str(&declarations(&self.declared));
        text.push_str(&self.lines);
        self.body.text = text;
        self.body.reviews = self.tr.take_reviews();
        self.body
    }
}

/// Registers by type, ten a line, with a value, so that none is read before it has one.
fn declarations(registers: &[(String, Type)]) -> String {
    let mut by_type: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, ty) in registers {
        match by_type.iter_mut().find(|(known, _)| *known == ty.name()) {
            Some((_, names)) => names.push(name),
            None => by_type.push((ty.name(), vec![name])),
        }
    }
    let mut text = String::new();
    for (ty, names) in by_type {
        for some in names.chunks(10) {
            let some: Vec<String> = some.iter().map(|name| format!("{name} = 0")).collect();
            writeln!(text, "    {ty} {};", some.join(", ")).expect("strings take text");
        }
    }
    text
}

fn in_range(scope: &Scope, name: &str) -> Option<Type> {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    (1..=digits).find_map(|count| {
        let (stem, number) = name.split_at(name.len() - count);
        let (total, ty) = scope.ranges.get(stem)?;
        let is_plain = number == "0" || !number.starts_with('0');
        (is_plain && integer(number)? < i64::try_from(*total).unwrap_or(i64::MAX)).then_some(*ty)
    })
}

/// Registers that hold one number wherever they are read, and those that nobody reads.
fn known_registers(code: &[Code<'_>]) -> (BTreeMap<String, i64>, BTreeSet<String>) {
    let (mut writes, mut read) = (BTreeMap::<&str, usize>::new(), BTreeSet::new());
    // By register: the number, and how many moves put it there.
    let mut numbers = BTreeMap::<String, (i64, usize)>::new();
    for it in code {
        let Code::Instruction(_, one, _) = it else {
            continue;
        };
        let writes_first = !matches!(
            one.mnemonic(),
            "st" | "sust" | "red" | "bra" | "brx" | "call" | "bar" | "barrier"
        );
        let mut named = Vec::new();
        if let Some((predicate, _)) = &one.guard {
            names(predicate, &mut named);
        }
        for (position, operand) in one.operands.iter().enumerate() {
            if position > 0 || !writes_first {
                names(operand, &mut named);
                continue;
            }
            let mut written = Vec::new();
            names(operand, &mut written);
            for name in written {
                *writes.entry(name).or_default() += 1;
            }
        }
        read.extend(named);
        if let ("mov", [Operand::Name(to), Operand::Number(number)]) =
            (one.mnemonic(), one.operands.as_slice())
            && let Some(number) = integer(number)
        {
            let known = numbers.entry(to.clone()).or_insert((number, 0));
            known.1 += usize::from(known.0 == number);
        }
    }
    // Each of its writes is a move of the same number.
    numbers.retain(|name, (_, moves)| writes.get(name.as_str()) == Some(&*moves));
    let numbers = numbers
        .into_iter()
        .map(|(name, (number, _))| (name, number))
        .collect();
    let unread = writes.keys().filter(|name| !read.contains(*name));
    let unread = unread.map(|name| (*name).to_owned()).collect();
    (numbers, unread)
}

/// The registers of an operand.
fn names<'o>(operand: &'o Operand, found: &mut Vec<&'o str>) {
    match operand {
        Operand::Name(name) => found.push(name),
        Operand::Address(inner, _) | Operand::Not(inner) => names(inner, found),
        Operand::Vector(all) => all.iter().for_each(|it| names(it, found)),
        Operand::Texel(object, places) => {
            names(object, found);
            places.iter().for_each(|it| names(it, found));
        }
        Operand::Pair(first, second) => {
            names(first, found);
            names(second, found);
        }
        _ => {}
    }
}

/// A call of a function that CUDA's runtime brings, as HIP has it.
fn known_call(name: &str, given: &[String]) -> Attempt<Option<String>> {
    let pointer = |text: &str| format!("reinterpret_cast<void*>({text})");
    Ok(match (name, given) {
        ("malloc", [size]) => Some(format!(
            "reinterpret_cast<unsigned long long>(malloc({size}))"
        )),
        ("free", [place]) => Some(format!("free({})", pointer(place))),
        ("__assertfail", _) => Some("__builtin_trap()".to_owned()),
        ("vprintf", _) => {
            return Err("What `printf` prints lies in memory here: print from C++.".to_owned());
        }
        _ => None,
    })
}
