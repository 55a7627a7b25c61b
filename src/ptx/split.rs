//! The text of an `asm` template, and statements of a module, as PTX. Cannot fail: what it does not understand comes out as [`Item::Other`].

/// One operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// `%0`: an operand of the asm statement.
    Asm(usize),
    /// A register or special register by name, a leading `%` included.
    Name(String),
    /// An integer or floating-point literal.
    Number(String),
    /// `[base+offset]`; the offset is 0 when none is written.
    Address(Box<Operand>, i64),
    /// `[object, {x, y}]`: a place in a texture or surface.
    Texel(Box<Operand>, Vec<Operand>),
    /// `{a, b, …}`
    Vector(Vec<Operand>),
    /// `a|b`: a result and a predicate.
    Pair(Box<Operand>, Box<Operand>),
    /// `!p`
    Not(Box<Operand>),
    /// `_`: nobody wants it.
    Sink,
    /// Anything else.
    Other(String),
}

/// An instruction with its guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// `@p` or `@!p`: the predicate and whether it is negated.
    pub guard: Option<(Operand, bool)>,
    /// Opcode with modifiers: `ld.global.cs.v4.u32`.
    pub opcode: String,
    /// Operands, destination first.
    pub operands: Vec<Operand>,
}

impl Instruction {
    /// The opcode without modifiers.
    pub(super) fn mnemonic(&self) -> &str {
        self.opcode.split('.').next().unwrap_or_default()
    }

    /// What stands behind the mnemonic, in order.
    pub(super) fn modifiers(&self) -> Vec<&str> {
        self.opcode.split('.').skip(1).collect()
    }
}

/// One statement of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An instruction.
    Instruction(Instruction),
    /// `.reg .b32 a, b;`: the type and the names, `%r<3>` counted out.
    Registers(String, Vec<String>),
    /// A label or a directive other than `.reg`.
    Other(String),
}

/// The statements of a template, without the braces of blocks.
pub fn split(text: &str) -> Vec<Item> {
    split_with_braces(text).0
}

/// The statements of a template, and where blocks begin and end, by how many statements stand in front.
pub(super) fn split_with_braces(text: &str) -> (Vec<Item>, Vec<(usize, char)>) {
    let text = without_comments(text);
    let (mut items, mut statement, mut depth) = (Vec::new(), String::new(), 0usize);
    let mut braces = Vec::new();
    // Whether anything but blanks stands in the statement, and a brace: a brace is one of a block where nothing stands before it.
    let (mut is_begun, mut has_brace) = (false, false);
    for letter in text.chars() {
        match letter {
            '{' | '}' if depth == 0 && (!is_begun || letter == '}' && !has_brace) => {
                braces.push((items.len(), letter));
                continue;
            }
            '{' => {
                depth += 1;
                statement.push(letter);
            }
            '}' => {
                depth = depth.saturating_sub(1);
                statement.push(letter);
            }
            ';' => {
                items.extend(item(statement.trim(), text.len()));
                statement.clear();
                (depth, is_begun, has_brace) = (0, false, false);
                continue;
            }
            _ => statement.push(letter),
        }
        is_begun |= !letter.is_whitespace();
        has_brace |= letter == '{';
    }
    items.extend(item(statement.trim(), text.len()));
    (items, braces)
}

fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('/') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            out.push('/');
            1
        };
        rest = &rest[end..];
    }
    out + rest
}

/// A statement and the labels in front of it; `length` is that of the whole template.
fn item(text: &str, length: usize) -> Vec<Item> {
    let Some((label, rest)) = label(text) else {
        return statement(text, length).into_iter().collect();
    };
    let mut items = vec![Item::Other(label.to_owned())];
    items.extend(item(rest, length));
    items
}

/// A label and what stands behind it.
pub(super) fn label(text: &str) -> Option<(&str, &str)> {
    let end =
        text.find(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '$' | '%')))?;
    let rest = text[end..].trim_start().strip_prefix(':')?;
    (end > 0 && !rest.starts_with(':')).then(|| (&text[..end], rest.trim_start()))
}

/// One statement without its semicolon and without a label, of a template that is so many bytes long.
pub(super) fn statement(text: &str, length: usize) -> Option<Item> {
    if text.is_empty() {
        return None;
    }
    if let Some(declaration) = text.strip_prefix(".reg") {
        return Some(
            registers(declaration, length).unwrap_or_else(|| Item::Other(text.to_owned())),
        );
    }
    let (guard, rest) = match text.strip_prefix('@') {
        Some(rest) => {
            let end = rest.find(char::is_whitespace)?;
            let (negated, name) = rest[..end]
                .strip_prefix('!')
                .map_or((false, &rest[..end]), |name| (true, name));
            (Some((operand(name), negated)), rest[end..].trim())
        }
        None => (None, text),
    };
    let end = rest
        .find(|letter: char| letter.is_whitespace() || matches!(letter, '[' | '{' | '%'))
        .unwrap_or(rest.len());
    let opcode = &rest[..end];
    if opcode.starts_with('.') || opcode.contains('%') || opcode.is_empty() {
        return Some(Item::Other(text.to_owned()));
    }
    Some(Item::Instruction(Instruction {
        guard,
        opcode: opcode.to_owned(),
        operands: list(&rest[end..])
            .iter()
            .map(|text| operand(text))
            .collect(),
    }))
}

/// As many registers are counted out of a range in any template, should it use those of high numbers alone; more of them would let a short
/// text cost much.
const FEWEST: usize = 4096;

fn registers(text: &str, length: usize) -> Option<Item> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace)?;
    let ty = text[..end].strip_prefix('.')?;
    let mut names = Vec::new();
    for name in list(&text[end..]) {
        match name.split_once('<') {
            Some((stem, count)) => {
                let count: usize = count.trim_end_matches('>').parse().ok()?;
                // Each register that is used takes some bytes of the template: what is counted beyond them nothing names.
                let most = count.min(length.max(FEWEST));
                names.extend((0..most).map(|number| format!("{stem}{number}")));
            }
            None => names.push(name),
        }
    }
    Some(Item::Registers(ty.to_owned(), names))
}

/// Splits at commas outside brackets.
pub(super) fn list(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut depth) = (Vec::new(), String::new(), 0i32);
    for letter in text.chars() {
        depth += i32::from(matches!(letter, '[' | '{' | '('))
            - i32::from(matches!(letter, ']' | '}' | ')'));
        if letter == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(letter);
        }
    }
    parts.push(part);
    parts
        .iter()
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

fn operand(text: &str) -> Operand {
    let text = text.trim();
    if let Some(inner) = enclosed(text, '{', '}') {
        return Operand::Vector(list(inner).iter().map(|text| operand(text)).collect());
    }
    if let Some(inner) = enclosed(text, '[', ']') {
        return address(inner);
    }
    if let Some((first, second)) = text.split_once('|') {
        return Operand::Pair(Box::new(operand(first)), Box::new(operand(second)));
    }
    if let Some(rest) = text.strip_prefix('!') {
        return Operand::Not(Box::new(operand(rest)));
    }
    if let Some(number) = text
        .strip_prefix('%')
        .and_then(|digits| digits.parse().ok())
    {
        return Operand::Asm(number);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    match digits.chars().next() {
        Some(first) if first.is_ascii_digit() => Operand::Number(text.to_owned()),
        _ if text == "_" => Operand::Sink,
        Some(first) if first.is_alphabetic() || matches!(first, '%' | '_' | '$') => {
            Operand::Name(text.to_owned())
        }
        _ => Operand::Other(text.to_owned()),
    }
}

fn enclosed(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// `base`, `base+8`, `base + -8`, or a place in a texture. Anything else is not an address of one place.
fn address(inner: &str) -> Operand {
    if let [object, places] = list(inner).as_slice()
        && let Operand::Vector(places) = operand(places)
    {
        return Operand::Texel(Box::new(operand(object)), places);
    }
    let (base, offset) = inner.split_once('+').unwrap_or((inner, "0"));
    match (operand(base), integer(offset.trim())) {
        (base @ (Operand::Asm(_) | Operand::Name(_)), Some(offset)) => {
            Operand::Address(Box::new(base), offset)
        }
        _ => Operand::Other(format!("[{inner}]")),
    }
}

/// The value of an integer literal of PTX: decimal, `0x…`, `0b…`, octal with a leading 0, an optional `U`.
pub(super) fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = text
        .strip_prefix('-')
        .map_or((false, text), |digits| (true, digits));
    let digits = digits.trim_end_matches(['U', 'u', 'l', 'L']);
    let lower = digits.to_ascii_lowercase();
    let value = if let Some(hex) = lower.strip_prefix("0x") {
        u64::from_str_radix(hex, 16).ok()?
    } else if let Some(binary) = lower.strip_prefix("0b") {
        u64::from_str_radix(binary, 2).ok()?
    } else if lower.len() > 1 && lower.starts_with('0') {
        u64::from_str_radix(&lower, 8).ok()?
    } else {
        lower.parse().ok()?
    };
    let value = value as i64;
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Instruction {
        match split(text).as_slice() {
            [Item::Instruction(one)] => one.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn blocks_vectors_and_guards() {
        let items = split(
            "{\n .reg .pred p; // why\n setp.ne.b32 p, %0, 0;\n @!p ld.global.v2.u32 {%1,%2}, [%3 + 16];\n}\n",
        );
        assert_eq!(items.len(), 3);
        let Item::Instruction(load) = &items[2] else {
            panic!("{items:?}")
        };
        assert_eq!(load.guard, Some((Operand::Name("p".into()), true)));
        assert_eq!(
            load.operands,
            [
                Operand::Vector(vec![Operand::Asm(1), Operand::Asm(2)]),
                Operand::Address(Box::new(Operand::Asm(3)), 16)
            ]
        );
    }

    #[test]
    fn braces_directly_behind_a_mnemonic() {
        assert_eq!(only("mov.b64 {%0,%1},%2;").operands.len(), 2);
        assert_eq!(only("{mov.b64 %0, {%1,%2};}").operands.len(), 2);
    }

    #[test]
    fn labels_are_no_instructions_and_scoped_modifiers_are() {
        assert!(matches!(split("LAB_WAIT: \n bra DONE;")[0], Item::Other(_)));
        assert_eq!(
            only("ld.global.L1::no_allocate.u32 %0, [%1];").opcode,
            "ld.global.L1::no_allocate.u32"
        );
    }

    #[test]
    fn register_lists_count_out() {
        assert_eq!(
            split(".reg .b32 %r<2>, x;"),
            [Item::Registers(
                "b32".into(),
                vec!["%r0".into(), "%r1".into(), "x".into()]
            )]
        );
    }

    #[test]
    fn integers_in_every_base() {
        let values = ["10", "-1", "0x1fU", "0b101", "017", "x"].map(integer);
        assert_eq!(
            values,
            [Some(10), Some(-1), Some(31), Some(5), Some(15), None]
        );
    }
}
