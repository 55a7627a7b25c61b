//! A launch option of Triton that AMD's compiler or GPU does not take.
//!
//! ## Why on AMD
//! A warp of AMD's data centre GPUs has 64 lanes: `num_warps=32` is 2048 threads, which compiles and fails at the launch; of several
//! configurations in a list Triton's tuner passes over such a one since 3.4, which is information. Two products of
//! matrices in a loop that is pipelined over four stages or more, of which one takes what the other gives, as in attention, crash AMD's
//! compiler in some kernels; of a list of configurations those are left out on AMD. The buffers of
//! deep pipelines need more LDS than a block has; a list of several configurations is left alone there, since Triton's tuner passes over
//! those that do not fit. Sizes of blocks and options may be names: constants, or parameters with defaults; a number of warps may be a bound,
//! `min(32, warps)`, a choice as a number of stages may be, or what the variable `num_warps` is set to where nothing of the file asks for AMD. Clusters of blocks
//! (`num_ctas`) are Hopper's, and a `ValueError` for AMD.
//!
//! ## Example
//! ```python
//! config = triton.Config({"BLOCK": 1024}, num_warps=32)
//! ```
//! becomes
//! ```python
//! config = triton.Config({"BLOCK": 1024}, num_warps=16 if torch.version.hip else 32)
//! ```
//!
//! ## When to ignore
//! `num_warps` on RDNA, whose warps have 32 lanes: name the chip with `--target`. In a project's tests it is information.
//!
//! ## Source
//! Triton 3.6, compiled for gfx942 by `tests/triton`; the same form in Liger Kernel.

use std::borrow::Cow;
use std::collections::BTreeSet;

use memchr::memmem;

use crate::mapping::chip;
use crate::python::{Bindings, Node, PyFile, parents};
use crate::rules::prelude::*;
use crate::text::is_of_word;
use crate::text::number::integer;

/// Gives AMD a value of its own.
pub static RULE: Rule = Rule {
    code: "CASS682",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[Fact::DecidedByPort],
    checks: &[Check::Python(&[&["triton"]], check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    if !may_be_wrong(&cx.source.bytes) || !cx.file().has_triton() {
        return;
    }
    let file = cx.file();
    let bindings = Bindings::new(file);
    let mut arguments = file.all(&["keyword_argument"]);
    // A program that asks for AMD and reads the warps of its configurations passes over those that are too many.
    if file.knows_amd() && !file.attributes(&["num_warps"]).is_empty() {
        arguments.retain(|it| option_name(file, *it) != "num_warps");
    }
    // A program that knows AMD may lower what a variable is set to.
    if !file.knows_amd() {
        let assignments = file.all(&["assignment"]).into_iter();
        arguments.extend(assignments.filter(|it| option_name(file, *it) == "num_warps"));
    }
    let is_test = cx.is_test();
    let found = arguments
        .into_iter()
        .filter_map(|it| Some((it, of_option(file, it, &bindings)?)));
    let findings: Vec<Finding> = once_a_list(file, found.collect())
        .into_iter()
        .map(|(option, finding)| match is_test {
            true => of_test(file, option, finding),
            false => finding,
        })
        .collect();
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// The findings, with one for all configurations of a list whose pipelines are too deep: AMD has the others to choose from, so that each of
/// those is left out there. Where all are, each gets a number of its own.
fn once_a_list<'t>(file: &PyFile<'_>, found: Vec<(Node<'t>, Finding)>) -> Vec<(Node<'t>, Finding)> {
    let list_of = |option: Node<'t>| {
        let is_meant = option_name(file, option) == "num_stages" && is_one_of_several(file, option);
        let config = parents(option)
            .find(|it| it.kind() == "call")
            .filter(|_| is_meant)?;
        Some((config, config.parent()?))
    };
    let mut lists: Vec<(Node<'t>, Vec<Node<'t>>)> = Vec::new();
    for (config, list) in found.iter().filter_map(|(option, _)| list_of(*option)) {
        match lists.last_mut().filter(|(known, _)| *known == list) {
            Some((_, configs)) => configs.push(config),
            None => lists.push((list, vec![config])),
        }
    }
    lists.retain(|(list, configs)| configs.len() < file.elements(*list).len());
    let mut kept = Vec::new();
    for (option, finding) in found {
        let of_list = list_of(option).and_then(|(config, list)| {
            let (_, configs) = lists.iter().find(|(known, _)| *known == list)?;
            Some((configs.first() == Some(&config), configs))
        });
        match of_list {
            None => kept.push((option, finding)),
            Some((false, _)) => {}
            Some((true, configs)) => kept.push((option, left_out(file, option, configs, finding))),
        }
    }
    kept
}

/// A finding about configurations of a list, which AMD's tuner goes without: `*([] if torch.version.hip else [triton.Config(…)])`.
fn left_out(
    file: &PyFile<'_>,
    option: Node<'_>,
    configs: &[Node<'_>],
    mut finding: Finding,
) -> Finding {
    if configs.len() > 1 {
        let places = format!(" (one of {} configurations)", configs.len());
        finding.message.to_mut().push_str(&places);
    }
    let finding = finding.help("leave it out of the list on AMD, where the others are tuned");
    let value = option.child_by_field_name("value").unwrap_or(option);
    let Some(question) = file.question(value) else {
        return finding;
    };
    let mut edits: Vec<Edit> = configs
        .iter()
        .flat_map(|it| {
            let choice = format!("*([] if {} else [", question.text);
            [
                Edit::insert(it.start_byte() as u32, choice),
                Edit::insert(it.end_byte() as u32, "])".to_owned()),
            ]
        })
        .collect();
    edits.extend(question.import.map(|(at, line)| Edit::insert(at, line)));
    finding.fix(Fix::review(edits))
}

/// Options of a launch that AMD reads otherwise, and from which number on one can be wrong.
const LEAST: &[(&str, u64)] = &[("num_warps", 32), ("num_stages", 3), ("num_ctas", 2)];

/// More names of options than this are looked up in the tree: for each the whole text is read.
const NAMES: usize = 16;

/// Whether a script gives an option a name or a number that may be wrong. Looked for in the text: most scripts of Triton give small numbers
/// alone, and to parse them takes most of their time.
fn may_be_wrong(script: &[u8]) -> bool {
    // Pipelines are deep for products of matrices alone.
    let has_products = memmem::find(script, b"dot").is_some();
    let mut options = LEAST
        .iter()
        .filter(|(option, _)| has_products || *option != "num_stages");
    options.any(|(option, least)| {
        // `min`, `max` and choices of numbers of warps are followed, of stages choices alone.
        let is_followed = *option != "num_ctas";
        let mut names = BTreeSet::new();
        let mut values = values_of(script, option.as_bytes());
        let is_wrong = values.any(|value| match value {
            Given::Number(number) => number >= *least,
            Given::Name(name) => names.insert(name) && names.len() > NAMES,
            Given::Choice => is_followed,
            Given::Other => false,
        });
        is_wrong
            || names
                .into_iter()
                .any(|name| may_stand_for(script, name, *least))
    })
}

/// What a text gives an option or a name.
enum Given<'s> {
    Number(u64),
    Name(&'s [u8]),
    /// What may be one of several values: `(4)`, `min(32, warps)`, `8 if wide else 32`.
    Choice,
    /// What stands for no number: `config["num_warps"]`, `4 * warps`.
    Other,
}

/// Bytes of a type in front of a default.
const LONGEST_TYPE: usize = 200;

/// Bytes of a value that are looked through for a choice; a longer one may be one.
const LONGEST_VALUE: usize = 200;

/// What a script gives a name, wherever it does.
fn values_of<'s>(script: &'s [u8], name: &'s [u8]) -> impl Iterator<Item = Given<'s>> {
    let places = memmem::find_iter(script, name);
    let places = places.filter(|at| *at == 0 || !is_of_word(script[at - 1]));
    places.filter_map(|at| given(&script[at + name.len()..]))
}

/// What is given behind a name: `= 8,`, `: int = stages)`. `None` where nothing is.
fn given(behind: &[u8]) -> Option<Given<'_>> {
    let behind = behind.trim_ascii_start();
    let behind = match behind.strip_prefix(b":") {
        // The type of a parameter or variable. Values of mappings have no `=`; a longer type may have any default.
        Some(annotated) => {
            let near = &annotated[..annotated.len().min(LONGEST_TYPE)];
            match near.iter().position(|byte| matches!(byte, b'=' | b'\n')) {
                Some(end) => &annotated[end..],
                None if near.len() < annotated.len() => return Some(Given::Number(u64::MAX)),
                None => return None,
            }
        }
        None => behind,
    };
    let value = behind.strip_prefix(b"=")?;
    if value.starts_with(b"=") {
        return None;
    }
    let value = value.trim_ascii_start();
    let word = value.iter().take_while(|byte| is_of_word(**byte)).count();
    let word = &value[..word];
    Some(if is_choice(value) {
        Given::Choice
    } else if value.starts_with(b"\\") || value.starts_with(b"#") {
        // It stands on the next line.
        Given::Number(u64::MAX)
    } else if word.first().is_some_and(u8::is_ascii_digit) {
        // What goes on behind it, `4 * warps`, is no number that is known; to take it for one costs time alone.
        Given::Number(integer(word).unwrap_or(u64::MAX))
    } else if !word.is_empty() && is_name(&value[word.len()..]) {
        Given::Name(word)
    } else {
        Given::Other
    })
}

/// Whether a value may be in brackets, a bound, or a choice by `if`.
fn is_choice(value: &[u8]) -> bool {
    let near = &value[..value.len().min(LONGEST_VALUE)];
    let begins = |with: &[u8]| near.starts_with(with);
    if begins(b"(") || begins(b"min") || begins(b"max") {
        return true;
    }
    let mut depth = 0_usize;
    for (at, byte) in near.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return false,
            b')' | b']' | b'}' => depth -= 1,
            b',' | b'\n' | b'#' if depth == 0 => return false,
            b'i' if depth == 0 && near[at..].starts_with(b"if") => return true,
            _ => {}
        }
    }
    near.len() < value.len()
}

/// Whether a name ends with what stands behind it: it is not called, and no member or element of it is meant.
fn is_name(behind: &[u8]) -> bool {
    let behind = behind.trim_ascii_start();
    let next = behind.first().copied().unwrap_or(b'\n');
    !b".([+-*/%<>&|^".contains(&next)
}

/// Whether a script gives a name such a number somewhere. What else it is given stands for none.
fn may_stand_for(script: &[u8], name: &[u8], least: u64) -> bool {
    let mut values = values_of(script, name);
    values.any(|value| matches!(value, Given::Number(number) if number >= least))
}

/// Bytes of LDS that a block may use, but for gfx950.
const LDS: u64 = 64 * 1024;

/// What an option must be for AMD, and why; for chips with less LDS than it asks for, or with wide warps, where it is about those.
fn wrong(
    file: &PyFile<'_>,
    argument: Node<'_>,
    number: u64,
    bindings: &Bindings<'_>,
) -> Option<(u32, String, Option<chip::Names>)> {
    match (&*option_name(file, argument), number) {
        ("num_warps", 32..) => Some((
            16,
            "32 warps of 64 lanes are more threads than a block can have: the launch fails"
                .to_owned(),
            Some(chip::with_wave64()),
        )),
        ("num_ctas", 2..) => Some((
            1,
            "AMD GPUs have no clusters of blocks: `num_ctas` must be 1".to_owned(),
            None,
        )),
        ("num_stages", 3..) => deep_pipeline(file, argument, number, bindings),
        _ => None,
    }
}

fn deep_pipeline(
    file: &PyFile<'_>,
    argument: Node<'_>,
    stages: u64,
    bindings: &Bindings<'_>,
) -> Option<(u32, String, Option<chip::Names>)> {
    let most = file.most_dots(argument);
    if stages >= 4 && most > 1 && !file.knows_amd() {
        let message = format!(
            "two products of matrices in a loop, pipelined over {stages} stages, crash AMD's compiler in some kernels"
        );
        return Some((2, message, None));
    }
    let elements = file.buffers(argument, stages, bindings);
    let elements = elements.filter(|_| most > 0)?;
    let (size, at) = match is_about_bytes(file, argument) {
        true => (1, "one byte"),
        false => (2, "two bytes"),
    };
    let bytes = elements.checked_mul(size)?;
    let message = format!(
        "buffers for {stages} stages take {} KiB of LDS at {at} an element, and a block has 64 KiB",
        bytes / 1024
    );
    (bytes > LDS).then(|| (2, message, Some(chip::with_lds_up_to_64())))
}

/// Whether a kernel is for numbers of eight bits, by the names around its launch or its configurations: `matmul_fp8`.
fn is_about_bytes(file: &PyFile<'_>, argument: Node<'_>) -> bool {
    const SIGNS: &[&str] = &["fp8", "float8", "int8", "f8_", "i8_", "w8a8"];
    let says = |name: &str| {
        let name = name.to_ascii_lowercase();
        SIGNS.iter().any(|it| name.contains(it))
    };
    file.is_named_around(argument, says) || file.launched_names(argument).iter().any(|it| says(it))
}

/// What an argument or a variable that is set is called.
fn option_name<'s>(file: &PyFile<'s>, option: Node<'_>) -> Cow<'s, str> {
    let field = if option.kind() == "assignment" {
        "left"
    } else {
        "name"
    };
    let name = option.child_by_field_name(field);
    let name = name.filter(|it| it.kind() == "identifier");
    name.map_or(Cow::Borrowed(""), |it| file.text(it))
}

/// The largest number that an expression may be, and what says it: the bound of `min(32, warps)`, the larger one of `32 if a else 16`.
fn largest<'t>(
    file: &PyFile<'_>,
    value: Node<'t>,
    bindings: &Bindings<'_>,
) -> Option<(u64, Node<'t>)> {
    // What stands deeper is no form that people write, and each step is one call of this function.
    largest_within(file, value, bindings, 4)
}

fn largest_within<'t>(
    file: &PyFile<'_>,
    value: Node<'t>,
    bindings: &Bindings<'_>,
    levels: usize,
) -> Option<(u64, Node<'t>)> {
    let levels = levels.checked_sub(1)?;
    let of = |it: Node<'t>| largest_within(file, it, bindings, levels);
    match value.kind() {
        "parenthesized_expression" => of(value.named_child(0)?),
        "conditional_expression" => {
            let parts = file.elements(value);
            let choices = [*parts.first()?, *parts.get(2)?].into_iter();
            let open = choices.filter(|it| file.side(*it).is_none());
            open.filter_map(of).max_by_key(|(number, _)| *number)
        }
        "call" => {
            let arguments = file.elements(value.child_by_field_name("arguments")?);
            let bounds = arguments.iter().map(|it| of(*it));
            match &*file.callee(value)? {
                "min" => bounds.flatten().min_by_key(|(number, _)| *number),
                "max" => {
                    let bounds: Option<Vec<_>> = bounds.collect();
                    bounds?.into_iter().max_by_key(|(number, _)| *number)
                }
                _ => None,
            }
        }
        _ => Some((bindings.integer(value)?, value)),
    }
}

/// What is said of too many warps in one of several configurations.
const PASSED_OVER: &str = "32 warps of 64 lanes are more threads than a block can have: Triton's tuner passes over the configuration since 3.4, and fails before";

/// Whether an option belongs to one of several configurations of a list.
fn is_one_of_several(file: &PyFile<'_>, option: Node<'_>) -> bool {
    let call = parents(option).find(|it| it.kind() == "call");
    let list = call
        .and_then(|it| it.parent())
        .filter(|it| it.kind() == "list");
    list.is_some_and(|it| file.elements(it).len() > 1)
}

/// Whether a place of a function is behind a number that no call of the file gives it: `if size >= 32768:` where each caller says
/// `min(16384, …)`.
fn is_beyond_bounds(file: &PyFile<'_>, place: Node<'_>, bindings: &Bindings<'_>) -> bool {
    let Some(function) = place.function() else {
        return false;
    };
    let mut below = place;
    let mut around = parents(place).take_while(|it| *it != function);
    around.any(|it| {
        let is_reached = it.child_by_field_name("consequence") == Some(below);
        let condition = it.child_by_field_name("condition").filter(|_| is_reached);
        below = it;
        condition.is_some_and(|it| is_never_reached(file, function, it, bindings))
    })
}

/// Whether a condition asks a parameter for more than any call of the file gives.
fn is_never_reached(
    file: &PyFile<'_>,
    function: Node<'_>,
    condition: Node<'_>,
    bindings: &Bindings<'_>,
) -> bool {
    let parts = file.elements(condition);
    let ([asked, bound], Some(operator)) = (&parts[..], condition.child_by_field_name("operators"))
    else {
        return false;
    };
    let bound = match &*file.text(operator) {
        ">=" => bindings.integer(*bound),
        ">" => bindings.integer(*bound).map(|it| it + 1),
        _ => None,
    };
    let (Some(bound), name) = (bound, file.text(*asked)) else {
        return false;
    };
    let fields = ["parameters", "name"].map(|field| function.child_by_field_name(field));
    let [Some(parameters), Some(called)] = fields else {
        return false;
    };
    let parameters = file.elements(parameters);
    let Some(at) = parameters.iter().position(|it| file.text(*it) == name) else {
        return false;
    };
    let calls = file.calls_of(&file.text(called));
    let is_below = |call: &Node<'_>| {
        let given = file.argument(*call, at, &name);
        given.is_some_and(|it| bindings.at_most(it).is_some_and(|most| most < bound))
    };
    !calls.is_empty() && calls.iter().all(is_below)
}

/// Whether a call around an option says for which GPU it compiles: `run_parser(kernel, *make_args(num_ctas=2), target=BLACKWELL_TARGET)`.
fn is_compiled_for_named_target(file: &PyFile<'_>, argument: Node<'_>) -> bool {
    let mut calls = parents(argument).filter(|it| it.kind() == "call").take(2);
    calls.any(|call| {
        let arguments = call.child_by_field_name("arguments");
        let arguments = arguments.map_or_else(Vec::new, |it| file.elements(it));
        arguments
            .iter()
            .any(|it| option_name(file, *it) == "target")
    })
}

/// A finding about an option in a test, which decides what is tested: it stays where it is no launch's, for the test may ask for it again,
/// `assert config.num_warps == 32`.
fn of_test(file: &PyFile<'_>, option: Node<'_>, mut finding: Finding) -> Finding {
    let call = parents(option).find(|it| it.kind() == "call");
    let function = call.and_then(|it| it.child_by_field_name("function"));
    let is_launch = function.is_some_and(|it| {
        it.kind() == "subscript" || file.callee(it).is_some_and(|name| name == "run")
    });
    if !is_launch {
        finding.fix = None;
    }
    finding.severity(Severity::Info)
}

fn of_option(file: &PyFile<'_>, argument: Node<'_>, bindings: &Bindings<'_>) -> Option<Finding> {
    let name = option_name(file, argument);
    let value = argument
        .child_by_field_name("value")
        .or_else(|| argument.child_by_field_name("right"))?;
    LEAST.iter().find(|(option, _)| *option == name)?;
    let (number, value) = match &*name {
        "num_warps" => largest(file, value, bindings)?,
        "num_stages" if value.kind() == "conditional_expression" => largest(file, value, bindings)?,
        _ => (bindings.integer(value)?, value),
    };
    let (amd, message, targets) = wrong(file, argument, number, bindings)?;
    if file.side(argument).is_some() || is_compiled_for_named_target(file, argument) {
        return None;
    }
    let finding = match name == "num_warps" && is_one_of_several(file, argument) {
        true => RULE
            .finding(file.range(argument), PASSED_OVER)
            .severity(Severity::Info),
        false => RULE.finding(file.range(argument), message),
    };
    let finding = match targets {
        Some(targets) => finding.targets(targets),
        None => finding,
    };
    let finding = match is_beyond_bounds(file, argument, bindings) {
        true => finding.severity(Severity::Info),
        false => finding,
    };
    let help = format!("give AMD {amd}, and measure");
    let question = file
        .question(value)
        .filter(|_| !file.is_in_triton_kernel(argument) && !bindings.is_parameter(value));
    let Some(question) = question else {
        return Some(finding.help(format!(
            "{help}: `{name}={amd}` where torch.version.hip is set"
        )));
    };
    let is_choice = |it: Node<'_>| it.kind() == "conditional_expression";
    let (open, close) = match value.parent().is_some_and(is_choice) {
        true => ("(", ")"),
        false => ("", ""),
    };
    let choice = format!("{open}{amd} if {} else ", question.text);
    let mut edits = vec![Edit::insert(value.start_byte() as u32, choice)];
    if !close.is_empty() {
        edits.push(Edit::insert(value.end_byte() as u32, close.to_owned()));
    }
    edits.extend(question.import.map(|(at, line)| Edit::insert(at, line)));
    Some(finding.help(help).fix(Fix::review(edits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_no_row_is_about_need_no_tree() {
        for (text, expected) in [
            ("k[g](num_warps=8, num_stages = 2)", false),
            ("k[g](num_warps=8 if a else 32)", true),
            ("if num_warps == 32: f(num_warps)", false),
            ("k[g](num_warps=32)", true),
            ("dot(); k[g](num_stages=\n    3)", true),
            ("n = 2\nk[g](num_ctas=n)", true),
            ("n: tl.constexpr = 2\nk[g](num_ctas=n)", true),
            ("k[g](num_ctas=n)", false),
            ("n = 1\nk[g]({'n': 2}, num_ctas=n)", false),
            ("n = m\nm = 2\nk[g](num_ctas=n)", false),
            ("m = 2\nk[g](num_ctas=n, pm=2)", false),
            ("nn = 2\nk[g](num_ctas=n, of_num_ctas=2)", false),
            ("n = \\\n  2\nk[g](num_ctas=n)", true),
            ("k[g](num_ctas=  # one\n 2)", true),
            ("def f(n=min(2, m)): k[g](num_ctas=n)", false),
            ("k[g](num_ctas=c['n'], num_warps=c.warps(64))", false),
            ("k[g](num_warps=min(64, n))", true),
            ("k[g](num_warps=(64))", true),
            ("k[g](num_warps=a(n, 8) if b else c)", true),
            ("k[g](num_warps=a(8 if b else 4))", false),
            ("k[g](num_warps=6_4)", true),
            ("k[g](num_warps=num_warps)", false),
            (
                "def f(num_warps: int = 32): k[g](num_warps=num_warps)",
                true,
            ),
            ("dot(); k[g](num_stages=2 * n)", false),
            ("dot(); k[g](num_stages=0x3)", true),
            ("k[g](num_stages=4)", false),
            ("n: int\nm = 2\nk[g](num_ctas=n)", false),
        ] {
            assert_eq!(may_be_wrong(text.as_bytes()), expected, "{text}");
        }
        let long = format!("n: {} = 1\nk[g](num_ctas=n)", "x".repeat(LONGEST_TYPE));
        assert!(may_be_wrong(long.as_bytes()));
        let long = format!(
            "k[g](num_warps=f({}) if a else 32)",
            "x".repeat(LONGEST_VALUE)
        );
        assert!(may_be_wrong(long.as_bytes()));
        let of_names = |names: usize| -> String {
            let calls = (0..names).map(|at| format!("k[g](num_warps=w{at})\n"));
            calls.collect()
        };
        assert!(!may_be_wrong(of_names(NAMES).as_bytes()));
        assert!(may_be_wrong(of_names(NAMES + 1).as_bytes()));
    }
}
