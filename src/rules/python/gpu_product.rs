//! A choice by the name of an NVIDIA GPU.
//!
//! ## Why on AMD
//! `torch.cuda.get_device_name()` gives `AMD Instinct MI300X` and the like. A test for the names of NVIDIA's products takes the branch
//! for unknown GPUs, which may be a slow one, a refusal, or settings of another chip.
//!
//! ## Example
//! ```python
//! is_fast = "H100" in torch.cuda.get_device_name()
//! ```
//!
//! ## When to ignore
//! When the other branch is right for AMD. A question for NVIDIA's old products alone, `"V100" in name`, keeps out what they lack, and takes
//! AMD's GPUs for newer ones; a function is told once; in tests it is information. What is named after NVIDIA, `is_nvidia_hopper = …`, asks for NVIDIA and gives no finding,
//! nor does what is only kept from one product, `block != 64 or "H100" not in name`, `name in SKIPPED`, nor a row of questions that asks for AMD's products as well, or one that only names what NVIDIA's GPU is called. Where a comment
//! beside it speaks of AMD's GPUs, its author knew: it is information, as it is in a file whose texts name AMD's products as well.
//!
//! ## Source
//! PyTorch documentation, `torch.cuda.get_device_name`; product names of NVIDIA's and AMD's data sheets.

use crate::analysis::nvidia_modules::{imports_of_nvidia, is_left_to_nvidia};
use crate::mapping::chip::names_amd;
use crate::mapping::name_lists;
use rustc_hash::FxHashMap;

use crate::python::{Literal, Node, PyFile, parents};
use crate::rules::prelude::*;

/// Reports comparisons with product names.
pub static RULE: Rule = Rule {
    code: "CASS671",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(
        &[&["get_device_name", "get_device_properties"]],
        check,
    )],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    if !is_product(&String::from_utf8_lossy(&cx.source.bytes)) || cx.is_named_for_amd() {
        return;
    }
    let file = cx.file();
    let severity = match cx.is_test() || has_products_of_amd(file) {
        true => Severity::Info,
        false => RULE.severity,
    };
    let imports = imports_of_nvidia(file);
    // The findings at the first question of each decision, with how many questions it has; `told` has their places by decision.
    let mut told = FxHashMap::<u32, usize>::default();
    let mut findings: Vec<(Finding, usize)> = Vec::new();
    let mut rows = FxHashMap::<u32, bool>::default();
    for node in file.all(&["comparison_operator", "call"]) {
        let Some(operands) = compared(file, node) else {
            continue;
        };
        let mut products: Vec<String> = operands.iter().flat_map(|it| texts(file, *it)).collect();
        // A list with AMD's among them asks for either.
        if products.len() > 1 && products.iter().any(|it| names_amd(it)) {
            continue;
        }
        products.retain(|it| is_product(it) && !is_old(it));
        let product = products.into_iter().next();
        let text = file.squeezed(node);
        let of_device = [
            "get_device_name",
            "device_name",
            "gpu_name",
            "get_device_properties",
            ".name",
        ]
        .iter()
        .any(|word| text.contains(word))
            || operands.iter().any(|it| is_name_of_device(file, *it));
        // Whom a place is for takes longest to find out.
        let mut is_open = |_: &String| {
            of_device
                // The place says whether a GPU is NVIDIA's.
                && !file.is_named_around(node, |name| name.contains("is_nvidia"))
                && !asks_for_amd_too(file, node, &mut rows)
                && !only_names_it(file, node)
                && !file.decides_words(node)
                && !leaves_it_out(file, node)
                && !operands.iter().any(|it| is_list_of_exceptions(&file.text(*it)))
                && !is_left_to_nvidia(file, &imports, node)
                && file.side(node).is_none()
        };
        let Some(product) = product.filter(&mut is_open) else {
            continue;
        };
        if let Some(first) = told.get(&decision(node)) {
            findings[*first].1 += 1;
            continue;
        }
        told.insert(decision(node), findings.len());
        let message =
            format!("`{product}` names an NVIDIA product: AMD GPUs take the other branch");
        let severity = match file.is_said_beside(node, names_amd) {
            true => Severity::Info,
            false => severity,
        };
        let finding = RULE.finding(file.range(node), message).severity(severity);
        let finding = finding.help(match product.as_str() {
            // That asks for the maker.
            "NVIDIA" => "ask for torch.version.hip beside it, which PyTorch for ROCm sets",
            _ => "add AMD's chips, by torch.cuda.get_device_properties(i).gcnArchName: gfx90a, gfx942",
        });
        findings.push((finding, 1));
    }
    for (mut finding, questions) in findings {
        if questions > 1 {
            let message = finding.message.to_mut();
            message.push_str(&format!(" (the first of {questions} questions)"));
        }
        cx.report(finding);
    }
}

/// Whether a file has texts that are the names of products of AMD's, as a table of GPUs does: `Limits("AMD Instinct MI300X", …)`. What is told
/// to people is no such name.
fn has_products_of_amd(file: &PyFile<'_>) -> bool {
    /// `AMD Radeon RX 7900 XTX`.
    const WORDS: usize = 5;
    let is_product = |word: &str| {
        let number = word.strip_prefix("MI").unwrap_or_default();
        matches!(word, "Instinct" | "Radeon")
            || number.len() >= 3 && number.bytes().take(3).all(|it| it.is_ascii_digit())
    };
    let mut texts = file.all(&["string"]).into_iter();
    texts.any(|it| {
        let text = Literal::new(file, it).map_or_else(String::new, |it| it.text);
        let mut words = text.split([' ', '-', '_']);
        let is_short = words.clone().count() <= WORDS && !text.contains([':', '.', ',']);
        is_short && words.any(is_product) && !file.is_said(it)
    })
}

/// What a question for a text is about: both sides of a comparison, or the object and the argument of `name.startswith("NVIDIA A100")`.
fn compared<'t>(file: &PyFile<'_>, question: Node<'t>) -> Option<Vec<Node<'t>>> {
    const ASKING: &[&str] = &["startswith", "endswith", "find", "index"];
    if question.kind() == "comparison_operator" {
        return Some(file.elements(question));
    }
    let callee = file.callee(question)?;
    let function = question.child_by_field_name("function")?;
    let object = function.child_by_field_name("object")?;
    let argument = file.argument(question, 0, "prefix")?;
    // The maker's name in front of a product's is often taken off.
    let is_maker = |it: Literal| it.text.trim() == "NVIDIA";
    let names_product = !Literal::new(file, argument).is_some_and(is_maker);
    (ASKING.contains(&&*callee) && names_product).then(|| vec![object, argument])
}

/// The number of the function, or the row of `if` and `elif` or statement of a module, that a question belongs to: it is one decision.
fn decision(node: Node<'_>) -> u32 {
    if let Some(function) = node.function() {
        return function.number();
    }
    let is_part = |it: &Node<'_>| !matches!(it.kind(), "block" | "module");
    let parts = parents(node).take_while(is_part);
    parts.last().unwrap_or(node).number()
}

/// Whether an operand is a variable that holds what a GPU is called.
fn is_name_of_device(file: &PyFile<'_>, operand: Node<'_>) -> bool {
    let is_name = operand.kind() == "identifier";
    let values = file.assignments_to(&file.text(operand)).into_iter();
    let mut values = values.filter_map(|it| it.child_by_field_name("right"));
    is_name && values.any(|it| file.text(it).contains("get_device_name("))
}

/// Whether a list is called after what it keeps from the GPUs in it, `BLACKLIST`: all others have it.
fn is_list_of_exceptions(name: &str) -> bool {
    const WORDS: &[&str] = &["blacklist", "blocklist", "denylist", "exclude", "skip"];
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|it| name.contains(it))
}

/// What an operand says: a text, those of a list, the keys of a table, or of the one list that a name stands for, also in turn,
/// `tag in name for tag in TAGS`.
fn texts(file: &PyFile<'_>, operand: Node<'_>) -> Vec<String> {
    if let Some(text) = Literal::new(file, operand) {
        return vec![text.text];
    }
    let found = texts_of_list(file, operand);
    if !found.is_empty() || operand.kind() != "identifier" {
        return found;
    }
    // What gives the name its values stands around the comparison: a clause beside it, or a loop.
    let own = file.text(operand);
    let is_own = |it: &Node<'_>| {
        let names = it.child_by_field_name("left");
        let first = names.map(|it| match it.kind() {
            "pattern_list" | "tuple_pattern" => it.named_child(0).unwrap_or(it),
            _ => it,
        });
        first.is_some_and(|it| file.text(it) == own)
    };
    let clauses = parents(operand)
        .find(|it| it.kind() == "generator_expression")
        .into_iter()
        .flat_map(|it| it.named_children())
        .filter(|it| it.kind() == "for_in_clause");
    let loops = parents(operand).filter(|it| it.kind() == "for_statement");
    let giver = clauses.chain(loops).find(is_own);
    giver
        .and_then(|it| it.child_by_field_name("right"))
        .map_or_else(Vec::new, |it| texts_of_list(file, it))
}

/// The texts of a list, the keys of a dictionary, `TABLE` and `TABLE.items()`, or those of the one that a name stands for.
fn texts_of_list(file: &PyFile<'_>, list: Node<'_>) -> Vec<String> {
    const LISTS: &[&str] = &["list", "tuple", "set", "dictionary"];
    let text = |it: Node<'_>| {
        let key = it.child_by_field_name("key").unwrap_or(it);
        Some(Literal::new(file, key)?.text)
    };
    let named = match list.kind() {
        "identifier" => Some(list),
        // `TABLE.keys()`
        "call" => list
            .child_by_field_name("function")
            .and_then(|it| it.child_by_field_name("object")),
        _ => None,
    };
    let values = named.map_or_else(Vec::new, |it| file.assignments_to(&file.text(it)));
    let mut values = values
        .into_iter()
        .filter_map(|it| it.child_by_field_name("right"));
    let only = values.next().filter(|_| values.next().is_none());
    let found = only.or(Some(list));
    let found = found.filter(|it| LISTS.contains(&it.kind()));
    found.map_or_else(Vec::new, |it| {
        file.elements(it).into_iter().filter_map(text).collect()
    })
}

/// Whether a text names one of NVIDIA's GPUs before Ampere, and no other.
fn is_old(text: &str) -> bool {
    const OLD: &[&str] = &[
        "V100", "T4", "P100", "P40", "P4", "K80", "Tesla", "Turing", "Volta", "Pascal",
    ];
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    // The last of these is of Turing.
    if words.clone().any(|word| word.eq_ignore_ascii_case("GTX")) {
        return true;
    }
    let is_one = |word: &str| OLD.iter().any(|it| it.eq_ignore_ascii_case(word));
    words.all(|word| !is_product(word) || is_one(word))
}

/// Whether the row of `if` and `elif` that a question belongs to asks for a product of AMD's, or another `if` of its function does.
/// `rows` has the answers by the first `if`.
fn asks_for_amd_too(file: &PyFile<'_>, node: Node<'_>, rows: &mut FxHashMap<u32, bool>) -> bool {
    let row = parents(node).find(|it| it.kind() == "if_statement");
    let Some(row) = row else {
        return false;
    };
    let names_amd = |place: Node<'_>| {
        let texts = file.all_below(place, &["string"]).into_iter();
        let mut texts = texts.filter_map(|it| Literal::new(file, it));
        texts.any(|it| names_amd(&it.text))
    };
    *rows.entry(row.number()).or_insert_with(|| names_amd(row))
        || row.function().is_some_and(|function| {
            let answer = rows.entry(function.number());
            *answer.or_insert_with(|| {
                let choices = file.all_below(function, &["if_statement", "elif_clause"]);
                let mut conditions = choices
                    .into_iter()
                    .filter_map(|it| it.child_by_field_name("condition"));
                conditions.any(names_amd)
            })
        })
}

/// Whether a question keeps something from one product of NVIDIA's, `block != 64 or "H100" not in name`: what all other GPUs get AMD gets
/// as well.
fn leaves_it_out(file: &PyFile<'_>, question: Node<'_>) -> bool {
    let field = |it: Node<'_>, name: &str, text: &str| {
        let found = it.child_by_field_name(name);
        found.is_some_and(|it| file.text(it) == text)
    };
    const FILTERS: &[&str] = &[
        "generator_expression",
        "lambda",
        "list_comprehension",
        "return_statement",
    ];
    let mut around = parents(question).take_while(|it| it.kind() == "boolean_operator");
    question.kind() == "comparison_operator"
        && field(question, "operators", "not in")
        && around.any(|it| field(it, "operator", "or"))
        && parents(question)
            .take_while(|it| it.kind() != "block")
            .any(|it| FILTERS.contains(&it.kind()))
}

/// Whether all that a question decides is what NVIDIA's GPU is called: `if "H200" in name: name = "NVIDIA_H200"`.
fn only_names_it(file: &PyFile<'_>, question: Node<'_>) -> bool {
    let statement = parents(question).find(|it| it.kind() == "if_statement");
    let Some(statement) = statement else {
        return false;
    };
    let is_name = |it: &Node<'_>| {
        let assignment = it.named_child(0).filter(|it| it.kind() == "assignment");
        let value = assignment.and_then(|it| it.child_by_field_name("right"));
        let value = value.and_then(|it| Literal::new(file, it));
        value.is_some_and(|it| is_product(&it.text))
    };
    let body = statement.child_by_field_name("consequence");
    let body = body.map_or_else(Vec::new, |it| file.elements(it));
    let is_asked = statement
        .child_by_field_name("condition")
        .is_some_and(|it| it == question || it.is_around(question));
    let is_alone = statement.child_by_field_name("alternative").is_none();
    is_asked && is_alone && !body.is_empty() && body.iter().all(is_name)
}

/// Whether a word of a text is a product's name.
fn is_product(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| {
        name_lists()
            .gpu_products
            .iter()
            .any(|product| product.eq_ignore_ascii_case(word))
    })
}
