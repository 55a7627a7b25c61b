//! Macros of a project that compare a version of CUDA or one of its libraries: `#define AT_LEAST(a) (CUDNN_VERSION >= (a))`. Their
//! conditions do not name the version, and on AMD they would hold for none.

use std::ops::Range;

use crate::analysis::unit::Unit;
use crate::cpp::conditions::cuda_macros::{CudaMacro, Family, cuda_macro};
use crate::cpp::conditions::expression::World;
use crate::cpp::conditions::groups::{constant_of, groups, outcomes};
use crate::edit::Edit;
use crate::syntax::{Directive, Document, TokenIndex, Vendor};
use crate::text::{SourceFile, TextRange, line_start, next_line};

/// A macro that compares a version.
pub(crate) struct VersionMacro {
    /// Its name.
    pub(crate) name: TokenIndex,
    /// The first version in its text.
    pub(crate) first: TokenIndex,
    /// What AMD counts as in it: each version and the number.
    pub(crate) numbers: Vec<&'static CudaMacro>,
    /// A second definition for AMD, with numbers in the place of the versions.
    pub(crate) edits: Vec<Edit>,
}

/// The macro whose text holds the version at `index`, where AMD can have a definition of its own.
pub(crate) fn version_macro(cx: &Unit<'_, '_>, index: TokenIndex) -> Option<VersionMacro> {
    let doc = cx.doc;
    let directive = &doc.directives[doc.directive_of(index)?];
    let name = directive
        .defined_macro()
        .filter(|&name| doc.is_ident(name))?;
    if doc.vendor_at(directive.range.start) != Vendor::Any {
        return None;
    }
    let body = || (name + 1..directive.tokens.end).filter(|&at| doc.is_ident(at));
    let versions: Vec<(TokenIndex, &CudaMacro)> = body()
        .filter_map(|at| Some((at, cuda_macro(doc.bytes(at))?)))
        .collect();
    let is_version = |at: TokenIndex| cuda_macro(doc.bytes(at)).is_some();
    // A name that is renamed, or was: what is said of the macro is the same in the result.
    let is_of_api = |at: TokenIndex| {
        let word = doc.bytes(at);
        cx.table().get(word).is_some() || cx.table().is_target(word)
    };
    let is_plain = body().all(|at| is_version(at) || !is_of_api(at));
    let (first, _) = *versions.first()?;
    let is_of_version = versions
        .iter()
        .all(|(_, known)| known.family == Family::Version);
    if !is_plain || !is_of_version || !decides(cx, directive) {
        return None;
    }
    let mut numbers: Vec<&CudaMacro> = versions.iter().map(|(_, known)| *known).collect();
    numbers.sort_unstable_by_key(|known| known.name);
    numbers.dedup();
    let edits = edits(cx, directive, &versions)?;
    Some(VersionMacro {
        name,
        first,
        numbers,
        edits,
    })
}

/// Whether the macro's text compares, or a condition of the file asks for it.
fn decides(cx: &Unit<'_, '_>, directive: &Directive) -> bool {
    let doc = cx.doc;
    let name = directive.operands().start;
    let compares = |at: TokenIndex| matches!(doc.bytes(at), b">=" | b">" | b"<" | b"<=");
    let mut asking = doc.occurrences(doc.bytes(name), 0..doc.tokens.len());
    directive.operands().any(compares) || asking.any(|at| crate::cpp::names::is_asked_for(doc, at))
}

fn edits(
    cx: &Unit<'_, '_>,
    directive: &Directive,
    versions: &[(TokenIndex, &CudaMacro)],
) -> Option<Vec<Edit>> {
    let doc = cx.doc;
    let (bytes, newline) = (&doc.source.bytes, doc.newline());
    let start = line_start(bytes, directive.range.start);
    let end = next_line(bytes, directive.range.end)?;
    // A comment that begins on the line and ends on another one would take in what comes behind it.
    let is_in_comment = doc
        .comments
        .iter()
        .any(|it| it.start < end && end < it.end());
    if is_in_comment || doc.tokens[directive.tokens.start].start != directive.range.start {
        return None;
    }
    let mut text = String::new();
    let mut from = start;
    for (at, known) in versions {
        let (replaced, on_amd) = stand_in(doc, *at, known);
        let (first, last) = (cx.range(replaced.start), cx.range(replaced.end - 1));
        text += &cx.text_of(TextRange::new(from, first.start));
        text += &on_amd;
        from = last.end;
    }
    text += &cx.text_of(TextRange::new(from, directive.range.end));
    let hip = match versions
        .iter()
        .all(|(_, known)| known.hip == versions[0].1.hip)
    {
        true => versions[0].1.hip,
        false => "__HIP_PLATFORM_AMD__",
    };
    let definition = format!("#ifdef {hip}{newline}{text}{newline}#else{newline}");
    Some(vec![
        Edit::insert(start, definition),
        Edit::insert(end, format!("#endif{newline}")),
    ])
}

/// What AMD has for a version: the tokens that go and the text in their place. `defined(VERSION)` as a whole holds, because only a name may
/// stand in it.
fn stand_in(doc: &Document<'_>, at: TokenIndex, known: &CudaMacro) -> (Range<TokenIndex>, String) {
    let has_brackets = doc.is_before(at, "(") && doc.next_is(at, ")");
    let operand = match has_brackets {
        true => at - 1..at + 2,
        false => at..at + 1,
    };
    match doc.is_before(operand.start, "defined") {
        true => (operand.start - 1..operand.end, "1".to_owned()),
        false => (at..at + 1, known.value.to_string()),
    }
}

/// The value on AMD of a condition that asks for such macros and for nothing else: `DNN_AT_LEAST(5, 0, 0)`.
pub(super) fn value_on_amd(cx: &Unit<'_, '_>, condition: &Directive) -> Option<bool> {
    let doc = cx.doc;
    let (mut text, mut asks) = (String::from("#if "), false);
    let operands = condition.operands();
    let mut at = operands.start;
    while at < operands.end {
        if doc.is_ident(at) {
            let close = doc
                .matching_bracket(at + 1)
                .filter(|_| doc.is(at + 1, "("))?;
            text += &expanded(cx, at, close)?;
            (at, asks) = (close + 1, true);
        } else {
            text += &cx.text(at);
            at += 1;
        }
        text.push(' ');
    }
    text += "\n#endif\n";
    asks.then(|| constant_value(&text)).flatten()
}

/// The text of a macro of this file that compares versions, with the arguments of a call and AMD's numbers in it.
fn expanded(cx: &Unit<'_, '_>, call: TokenIndex, close: TokenIndex) -> Option<String> {
    let doc = cx.doc;
    let places = doc.occurrences(doc.bytes(call), 0..call);
    let defines = |at: TokenIndex| {
        let directive = &doc.directives[doc.directive_of(at)?];
        let vendor = doc.vendor_at(directive.range.start);
        (directive.defined_macro() == Some(at)).then_some((at, directive, vendor))
    };
    let mut for_amd = places
        .filter_map(defines)
        .filter(|(.., vendor)| *vendor != Vendor::NotHip);
    // One definition that AMD reads: of several nobody knows which holds.
    let (name, directive, vendor) = for_amd.next()?;
    if for_amd.next().is_some() || !doc.is(name + 1, "(") {
        return None;
    }
    let end = doc.matching_bracket(name + 1)?;
    let mut body = end + 1..directive.tokens.end;
    let version = body.find(|&at| cuda_macro(doc.bytes(at)).is_some());
    // A port has numbers in AMD's own definition.
    if vendor == Vendor::Any || version.is_some() {
        version_macro(cx, version?)?;
    }
    let parameters: Vec<&[u8]> = (name + 2..end)
        .filter(|&at| doc.is_ident(at))
        .map(|at| doc.bytes(at))
        .collect();
    let arguments: Vec<String> = arguments(cx, call + 2..close);
    if parameters.len() != arguments.len() {
        return None;
    }
    let word = |at: TokenIndex| {
        let argument = parameters.iter().position(|it| *it == doc.bytes(at));
        argument.map_or_else(
            || cx.text(at).into_owned(),
            |argument| format!("({})", arguments[argument]),
        )
    };
    let body = end + 1..directive.tokens.end;
    let known = body
        .clone()
        .filter_map(|at| Some((at, cuda_macro(doc.bytes(at))?)));
    let (mut words, mut from) = (Vec::new(), body.start);
    for (replaced, on_amd) in known.map(|(at, known)| stand_in(doc, at, known)) {
        words.extend((from..replaced.start).map(word));
        words.push(on_amd);
        from = replaced.end;
    }
    words.extend((from..body.end).map(word));
    Some(words.join(" "))
}

/// The arguments of a call whose tokens these are.
fn arguments(cx: &Unit<'_, '_>, tokens: Range<TokenIndex>) -> Vec<String> {
    let (mut found, mut depth) = (vec![String::new()], 0_usize);
    for at in tokens {
        match cx.doc.bytes(at) {
            b"," if depth == 0 => {
                found.push(String::new());
                continue;
            }
            b"(" => depth += 1,
            b")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let last = found.last_mut();
        last.into_iter().for_each(|last| *last += &cx.text(at));
    }
    found
}

/// The value of a condition of numbers.
fn constant_value(text: &str) -> Option<bool> {
    let source = SourceFile::new("condition.cu", text.as_bytes().to_vec());
    let doc = Document::new(&source);
    let groups = groups(&doc);
    let condition = groups.iter().next()?.branches.first()?.condition.as_ref()?;
    let truths: Vec<Option<bool>> = condition
        .atoms()
        .iter()
        .map(|atom| atom.truth_with(&doc, &|_| None, World::AsWritten))
        .collect();
    constant_of(&outcomes(condition, &truths))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::{applied, first, of_file};

    /// The text with the definition for AMD, by the first version in it.
    fn made(text: &str, version: &str) -> Option<String> {
        of_file(text, |cx| {
            let found = version_macro(cx, first(cx, version))?;
            Some(applied(cx, &found.edits))
        })
    }

    #[test]
    fn a_macro_that_compares_a_version_has_a_number_on_amd() {
        let with = |text: &str, on_amd: &str| {
            Some(format!(
                "#ifdef __HIP_PLATFORM_AMD__\n{on_amd}#else\n{text}#endif\n"
            ))
        };
        for (text, version, on_amd) in [
            (
                "#define AT_LEAST(a, b) (CUDNN_VERSION >= (a * 1000 + b))\n",
                "CUDNN_VERSION",
                Some("#define AT_LEAST(a, b) (7600 >= (a * 1000 + b))\n"),
            ),
            (
                "#define AT_LEAST(a) \\\n  (CUDART_VERSION >= (a)) // why\n",
                "CUDART_VERSION",
                Some("#define AT_LEAST(a) \\\n  (12000 >= (a))\n"),
            ),
            (
                "#define NEW (defined(CUDART_VERSION) && CUDART_VERSION >= 11000)\n",
                "CUDART_VERSION",
                Some("#define NEW (1 && 12000 >= 11000)\n"),
            ),
            (
                "#define OLD !defined CUDART_VERSION || CUDART_VERSION < 9000\n",
                "CUDART_VERSION",
                Some("#define OLD !1 || 12000 < 9000\n"),
            ),
            ("#define VER CUDNN_VERSION\n", "CUDNN_VERSION", None),
            (
                "#define OLD (CUDART_VERSION < 9000 && __CUDA_ARCH__ < 300)\n",
                "CUDART_VERSION",
                None,
            ),
            (
                "#define OLD (CUDART_VERSION < 9000) /* why\n*/ int a;\n",
                "CUDART_VERSION",
                // The comment goes on, and the directive with it.
                Some("#define OLD (12000 < 9000) /* why\n*/ int a;\n"),
            ),
            ("int a = CUDART_VERSION < 9000;\n", "CUDART_VERSION", None),
        ] {
            let expected = on_amd.and_then(|on_amd| with(text, on_amd));
            assert_eq!(made(text, version), expected, "{text}");
        }
        let asked = "#define VER CUDNN_VERSION\n#if VER >= 5000\n#endif\n";
        assert!(made(asked, "CUDNN_VERSION").is_some());
    }

    #[test]
    fn what_a_port_defines_for_amd_has_the_same_value() {
        let port = "#ifdef __HIP_PLATFORM_AMD__\n#define AT_LEAST(a) (7600 >= (a * 1000))\n#else\n#define AT_LEAST(a) (CUDNN_VERSION >= (a * 1000))\n#endif\n";
        for (condition, expected) in [("AT_LEAST(5)", true), ("AT_LEAST(8)", false)] {
            let text = format!("{port}#if {condition}\n#endif\n");
            let found = of_file(&text, |cx| {
                let mut conditions = cx.doc.directives.iter();
                let last = conditions.rfind(|it| it.kind.opens_group());
                value_on_amd(cx, last.expect("it is there"))
            });
            assert_eq!(found, Some(expected), "{condition}");
        }
    }

    #[test]
    fn a_condition_of_such_macros_has_a_value_on_amd() {
        let macros = "#define AT_LEAST(a, b) (CUDNN_VERSION >= (a * 1000 + b * 100))\n#define OWN(a) (a > 3)\n\
            #define IS(a) (defined(CUDNN_VERSION) && CUDNN_VERSION > a)\n";
        for (condition, expected) in [
            ("AT_LEAST(5, 0)", Some(true)),
            ("AT_LEAST(8, 0)", Some(false)),
            ("!AT_LEAST(5, (1 + 1)) || AT_LEAST(9, 0)", Some(false)),
            ("AT_LEAST(5, 0) && MINE", None),
            ("AT_LEAST(5)", None),
            ("OWN(4)", None),
            ("IS(7000)", Some(true)),
            ("1", None),
        ] {
            let text = format!("{macros}#if {condition}\n#endif\n");
            let found = of_file(&text, |cx| {
                let condition = cx.doc.directives.iter().find(|it| it.kind.opens_group());
                value_on_amd(cx, condition.expect("it is there"))
            });
            assert_eq!(found, expected, "{condition}");
        }
    }
}
