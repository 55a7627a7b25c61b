//! Tables made from what other tools keep: the custom mappings of hipify_torch.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::entry::Kind;
use super::table::ApiTable;

/// What an import gives.
#[derive(Debug)]
pub struct Imported {
    /// The table as TOML.
    pub toml: String,
    /// Keys that no entry can express, and why.
    pub left_out: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct CustomMap {
    custom_map: BTreeMap<String, String>,
}

/// Turns `{"custom_map": {"cudaX": "hipX", "<a.h>": "<b.h>", …}}` into a table. hipify_torch replaces text, so a key may be anything:
/// names, headers and calls with a cast in front of the first argument become entries, the rest is named.
///
/// # Errors
/// When the text is not such JSON.
pub fn import_custom_map(text: &str, builtin: &ApiTable) -> Result<Imported, String> {
    let map: CustomMap = serde_json::from_str(text).map_err(|error| {
        format!("{error}; expected {{\"custom_map\": {{\"cuda name\": \"hip name\"}}}}")
    })?;
    let mut sections = BTreeMap::<usize, BTreeMap<String, String>>::new();
    let mut left_out = Vec::new();
    for (key, value) in &map.custom_map {
        match entry(key.trim(), value.trim(), builtin) {
            Ok((section, name, line)) => {
                drop(sections.entry(section).or_default().insert(name, line))
            }
            Err(why) => left_out.push((key.clone(), why)),
        }
    }
    let mut toml = String::from("library = \"custom\"\n");
    for (section, lines) in sections {
        toml.push_str(&format!("\n[{}]\n", SECTIONS[section]));
        lines.values().for_each(|line| toml.push_str(line));
    }
    Ok(Imported { toml, left_out })
}

const SECTIONS: [&str; 7] = [
    "functions",
    "types",
    "enumerators",
    "macros",
    "namespaces",
    "variables",
    "headers",
];

fn entry(key: &str, value: &str, builtin: &ApiTable) -> Result<(usize, String, String), String> {
    if let Some(path) = header(key) {
        let target = match header(value) {
            Some(target) => target,
            None if value.is_empty() => "",
            None => return Err(format!("`{value}` is no header")),
        };
        let known = builtin
            .header(path.as_bytes())
            .is_some_and(|hit| hit.entry.cuda == path);
        return Ok((6, path.to_owned(), line(&quoted(path), target, "", known)));
    }
    if let (Some(name), Some((target, cast))) = (key.strip_suffix('('), call(value))
        && is_name(name)
    {
        let args = if cast.is_empty() {
            String::new()
        } else {
            format!(", args = [{{ at = 0, cast = {} }}]", quoted(cast))
        };
        let known = builtin.get(name.as_bytes()).is_some();
        return Ok((0, name.to_owned(), line(name, target, &args, known)));
    }
    if !is_name(key) {
        return Err("it is neither a name, a header nor the start of a call: write a rule or change the source".into());
    }
    if value.is_empty() || !value.split("::").all(is_name) {
        return Err(format!("its replacement `{value}` is not a name"));
    }
    let hit = builtin.get(key.as_bytes());
    let section = hit.map_or_else(|| guess(key), |hit| section_of(hit.entry.kind));
    Ok((section, key.to_owned(), line(key, value, "", hit.is_some())))
}

fn line(key: &str, target: &str, more: &str, known: bool) -> String {
    let replaces = if known { ", override = true" } else { "" };
    format!("{key} = {{ hip = {}{more}{replaces} }}\n", quoted(target))
}

fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// The path of `<a.h>`, `"a.h"` or `#include <a.h>`; a bare path counts when it ends like one.
fn header(text: &str) -> Option<&str> {
    let text = text.strip_prefix("#include").map_or(text, str::trim);
    let inner = text
        .strip_prefix('<')
        .and_then(|text| text.strip_suffix('>'))
        .or_else(|| {
            text.strip_prefix('"')
                .and_then(|text| text.strip_suffix('"'))
        });
    inner.or_else(|| {
        [".h", ".cuh", ".hpp"]
            .iter()
            .any(|end| text.ends_with(end))
            .then_some(text)
    })
}

/// `hipFuncSetAttribute((const void*)` gives the name and the type.
fn call(value: &str) -> Option<(&str, &str)> {
    let (name, rest) = value.split_once('(')?;
    let cast = rest.trim();
    let cast = match cast {
        "" => "",
        _ => cast.strip_prefix('(')?.strip_suffix(')')?,
    };
    is_name(name).then_some((name, cast))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn section_of(kind: Kind) -> usize {
    match kind {
        Kind::Type => 1,
        Kind::Enumerator => 2,
        Kind::Macro => 3,
        Kind::Namespace => 4,
        Kind::Variable => 5,
        _ => 0,
    }
}

/// What a name is by how it is written; the kind of a name decides nothing but where it stands in the table.
fn guess(name: &str) -> usize {
    if name.bytes().all(|byte| !byte.is_ascii_lowercase()) {
        3
    } else if name.ends_with("_t") || name.starts_with(|c: char| c.is_ascii_uppercase()) {
        1
    } else {
        0
    }
}
