//! The parts of a line of LLVM's disassembler.

/// Mnemonic, operands, modifiers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Text<'a> {
    /// With the suffix of its encoding.
    pub(crate) mnemonic: &'a str,
    /// Separated by commas.
    pub(crate) operands: Vec<&'a str>,
    /// Separated by spaces, behind the last operand: `clamp`, `offset:16`.
    pub(crate) modifiers: Vec<&'a str>,
}

/// Words that are modifiers even where no operand stands before them.
fn is_modifier(word: &str) -> bool {
    let key = word.split(':').next().unwrap_or(word);
    matches!(
        key,
        "offset"
            | "offset0"
            | "offset1"
            | "glc"
            | "slc"
            | "dlc"
            | "gds"
            | "sc0"
            | "sc1"
            | "nt"
            | "offen"
            | "idxen"
            | "clamp"
            | "dmask"
    )
}

/// The pieces of a text between separators outside of brackets.
fn pieces(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            c if c == separator && depth == 0 => {
                found.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
        .into_iter()
        .map(str::trim)
        .filter(|piece| !piece.is_empty())
        .collect()
}

impl<'a> Text<'a> {
    /// Takes a line apart.
    pub(crate) fn split(line: &'a str) -> Text<'a> {
        let (mnemonic, rest) = line.split_once(' ').unwrap_or((line, ""));
        let mut operands = pieces(rest, ',');
        let mut modifiers = Vec::new();
        if let Some(last) = operands.pop() {
            let mut words = pieces(last, ' ').into_iter();
            let first = words.next().filter(|word| !is_modifier(word));
            match first {
                Some(operand) => operands.push(operand),
                None => modifiers.extend(pieces(last, ' ').first().copied()),
            }
            modifiers.extend(words);
        }
        Text {
            mnemonic,
            operands,
            modifiers,
        }
    }

    /// The text after `key:` among the modifiers.
    pub(crate) fn value(&self, key: &str) -> Option<&'a str> {
        self.modifiers
            .iter()
            .find_map(|word| word.strip_prefix(key)?.strip_prefix(':'))
    }

    /// Whether a modifier without a value is there.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.modifiers.contains(&key)
    }
}

/// A number, decimal or hexadecimal, with a sign or without.
pub(crate) fn number(text: &str) -> Option<i64> {
    let (negative, digits) = text
        .strip_prefix('-')
        .map_or((false, text), |digits| (true, digits));
    let magnitude = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()? as i64,
        None => digits.parse().ok()?,
    };
    Some(if negative {
        magnitude.wrapping_neg()
    } else {
        magnitude
    })
}

/// The numbers of a list such as `[0,1,1]`.
pub(crate) fn numbers(list: &str) -> Vec<i64> {
    list.trim_matches(['[', ']'])
        .split(',')
        .filter_map(|item| number(item.trim()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_apart() {
        let text = Text::split("v_fma_f32 v0, -|v1|, s[2:3], 0x10 clamp op_sel:[0,1] mul:2");
        assert_eq!(text.mnemonic, "v_fma_f32");
        assert_eq!(text.operands, ["v0", "-|v1|", "s[2:3]", "0x10"]);
        assert_eq!(text.value("op_sel"), Some("[0,1]"));
        assert!(text.has("clamp"));
        assert_eq!(Text::split("s_endpgm").operands, [""; 0]);
        assert_eq!(
            Text::split("ds_gws_barrier v0 offset:4 gds").operands,
            ["v0"]
        );
        assert_eq!(number("-0x10"), Some(-16));
    }
}
