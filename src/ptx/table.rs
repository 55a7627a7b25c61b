//! The table `mappings/ptx.toml`: instructions and special registers as C++ expressions, and advice for what has none.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::types::Type;

/// An instruction or special register that has an expression.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Types that `T` in the key stands for.
    #[serde(default)]
    pub t: String,
    /// Types of the operands: `T = T U`; without `=` there is no result. For a register: its type.
    pub sig: String,
    /// The expression; `{a}` to `{e}` are the operands behind the result, `{a:u32}` reads one as another type.
    pub cpp: String,
    /// Another expression for `--warp native`.
    pub native: Option<String>,
    /// Another expression for `--compat none`.
    pub plain: Option<String>,
    /// Another expression for the body of a kernel itself, of which nothing is left to look at.
    pub kernel: Option<String>,
    /// What a person must look at.
    pub review: Option<String>,
    /// Part it has in a carry chain.
    pub carry: Option<Carry>,
}

/// The carry flag of an instruction.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Carry {
    /// Writes the flag.
    Set,
    /// Reads and writes it.
    Chain,
    /// Reads it.
    Use,
}

/// The whole table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// By pattern: segments, `a|b` alternatives, `x?` optional, `T` a type of `t`.
    pub instructions: BTreeMap<String, Entry>,
    /// By name without `%`.
    pub registers: BTreeMap<String, Entry>,
    /// Functions that load with a cache operator.
    pub loads: BTreeMap<String, String>,
    /// Functions that store with a cache operator.
    pub stores: BTreeMap<String, String>,
    /// Memory scopes.
    pub scopes: BTreeMap<String, String>,
    /// Memory orders.
    pub orders: BTreeMap<String, String>,
    /// Operations of `atom` and `red`.
    pub atomics: BTreeMap<String, String>,
    /// By prefix: instructions without effect on AMD, and what a person should know.
    pub dropped: BTreeMap<String, String>,
    /// By prefix: instructions that somebody must replace, and by what.
    pub manual: BTreeMap<String, String>,
}

/// The table of this build.
pub static TABLE: LazyLock<Table> = LazyLock::new(|| {
    toml::from_str(include_str!("../../mappings/ptx.toml"))
        .expect("a test reads the table of the build")
});

type Pattern = (Vec<&'static str>, &'static Entry);

/// Patterns by mnemonic.
static BY_MNEMONIC: LazyLock<BTreeMap<&'static str, Vec<Pattern>>> = LazyLock::new(|| {
    let mut index: BTreeMap<&str, Vec<Pattern>> = BTreeMap::new();
    for (key, entry) in &TABLE.instructions {
        let segments: Vec<&str> = key.split('.').collect();
        index
            .entry(segments[0])
            .or_default()
            .push((segments, entry));
    }
    index
});

/// Whether instructions begin so.
pub(super) fn has_mnemonic(mnemonic: &str) -> bool {
    BY_MNEMONIC.contains_key(mnemonic)
}

/// The entry of an opcode, and what its `T` is.
pub(super) fn find(opcode: &str) -> Option<(&'static Entry, Option<Type>)> {
    let segments: Vec<&str> = opcode.split('.').collect();
    BY_MNEMONIC
        .get(segments[0])?
        .iter()
        .find_map(|(pattern, entry)| {
            matches(pattern, &segments, entry, None).map(|ty| (*entry, ty))
        })
}

fn matches(
    pattern: &[&str],
    segments: &[&str],
    entry: &Entry,
    ty: Option<Type>,
) -> Option<Option<Type>> {
    let Some((&first, rest)) = pattern.split_first() else {
        return segments.is_empty().then_some(ty);
    };
    if first == "T" {
        let (&name, others) = segments.split_first()?;
        let known = entry.t.split(' ').any(|one| one == name);
        return known
            .then(|| matches(rest, others, entry, Type::parse(name)))
            .flatten();
    }
    let (names, optional) = first
        .strip_suffix('?')
        .map_or((first, false), |names| (names, true));
    let here = segments
        .split_first()
        .filter(|(name, _)| names.split('|').any(|one| one == **name))
        .and_then(|(_, others)| matches(rest, others, entry, ty));
    here.or_else(|| {
        optional
            .then(|| matches(rest, segments, entry, ty))
            .flatten()
    })
}

/// The value whose key is the longest dotted prefix of the opcode: `cp.async` for `cp.async.wait_all`.
pub(super) fn by_prefix(
    map: &'static BTreeMap<String, String>,
    opcode: &str,
) -> Option<&'static str> {
    let mut prefix = opcode;
    loop {
        if let Some(value) = map.get(prefix) {
            return Some(value);
        }
        prefix = &prefix[..prefix.rfind('.')?];
    }
}

/// A type of a signature: a name, or `T` and what is derived from it.
pub(super) fn signature_type(name: &str, ty: Option<Type>) -> Option<Type> {
    let bits = ty.map(Type::bits);
    match name {
        "T" | "V" => ty,
        "ptr" => Some(Type::Unsigned(64)),
        "U" => Some(Type::Unsigned(bits?)),
        "S" => Some(Type::Signed(bits?)),
        _ => Type::parse(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expressions() -> impl Iterator<Item = (&'static str, &'static Entry, &'static str)> {
        TABLE
            .instructions
            .iter()
            .chain(&TABLE.registers)
            .flat_map(|(key, entry)| {
                [
                    Some(&entry.cpp),
                    entry.native.as_ref(),
                    entry.plain.as_ref(),
                ]
                .into_iter()
                .flatten()
                .map(move |text| (key.as_str(), entry, text.as_str()))
            })
    }

    #[test]
    fn signatures_name_types_and_cover_the_placeholders() {
        for (key, entry, text) in expressions() {
            let ty = entry.t.split(' ').next().and_then(Type::parse);
            let inputs = entry
                .sig
                .split_once('=')
                .map_or(entry.sig.as_str(), |pair| pair.1);
            for name in entry.sig.split([' ', '=']).filter(|name| !name.is_empty()) {
                assert!(
                    signature_type(name, ty).is_some(),
                    "{key}: `{name}` is no type"
                );
            }
            let count = inputs.split_whitespace().count();
            for (position, letter) in "abcde".chars().enumerate() {
                let used = text.contains(&format!("{{{letter}}}"))
                    || text.contains(&format!("{{{letter}:"));
                assert!(
                    !used || position < count,
                    "{key}: {{{letter}}} is no operand"
                );
            }
        }
    }

    #[test]
    fn helpers_of_the_table_exist() {
        let names = expressions().map(|(key, _, text)| (key, text));
        let maps = [&TABLE.loads, &TABLE.stores];
        let others = maps
            .iter()
            .flat_map(|map| map.iter().map(|(key, text)| (key.as_str(), text.as_str())));
        for (key, text) in names.chain(others) {
            for name in crate::ptx::helper_names(text) {
                assert!(
                    crate::compat::find(name).is_some(),
                    "{key}: no helper {name}"
                );
            }
        }
    }

    #[test]
    fn expressions_without_helpers_call_none() {
        for (key, entry) in TABLE.instructions.iter().chain(&TABLE.registers) {
            let plain = entry.plain.as_deref().unwrap_or_default();
            assert!(!plain.contains("cass_"), "{key}");
        }
    }

    #[test]
    fn every_pattern_is_found_by_an_opcode_of_its_own() {
        for key in TABLE.instructions.keys() {
            let entry = &TABLE.instructions[key];
            for ty in entry.t.split(' ') {
                let segments: Vec<&str> = key
                    .split('.')
                    .map(|segment| match segment {
                        "T" => ty,
                        other => other
                            .trim_end_matches('?')
                            .split('|')
                            .next()
                            .unwrap_or(other),
                    })
                    .collect();
                let opcode = segments.join(".");
                let (found, _) = find(&opcode).unwrap_or_else(|| panic!("{opcode} is not found"));
                assert!(
                    std::ptr::eq(found, entry),
                    "{opcode} finds another entry than {key}"
                );
            }
        }
    }
}
