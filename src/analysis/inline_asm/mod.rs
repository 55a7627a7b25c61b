//! What the rules about inline assembly share: which `asm` is PTX, and what it becomes.

pub(crate) mod layout;
mod operand;

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use self::operand::{Carried, are_expressions, without_parentheses};
use crate::analysis::unit::Unit;
use crate::cpp::calls::is_in_parentheses;
pub(crate) use crate::cpp::conditions::assembly::KEYWORDS;
use crate::cpp::names::is_for_preprocessor;
use crate::edit::Applicability;
use crate::options::CompatMode;
use crate::options::WarpMode;
use crate::ptx::{
    AsmValue, Holds, Item, Obstacle, Request, Translation, Value, declared, is_ptx, split,
    translate,
};
use crate::syntax::{AsmOperand, AsmStatement, Space, TokenIndex, flags};
use crate::text::TextRange;
use crate::text::keywords::is_no_name;

/// An asm statement that holds PTX.
pub(crate) struct Found {
    /// The statement.
    pub statement: AsmStatement,
    /// Its bytes, the semicolon included.
    pub range: TextRange,
    /// C++, or what stands in the way.
    pub outcome: Result<Translation, Vec<Obstacle>>,
    /// The code of operands in it.
    carried: Carried,
}

/// What was found at keywords so far: some rules and the conditions about CUDA ask for the same statement, and to translate one takes long.
#[derive(Default)]
struct Statements(RefCell<FxHashMap<TokenIndex, Option<Rc<Found>>>>);

/// The PTX statement at a keyword. Assembly for hosts and for AMD's chips, barriers for the compiler and comments are none.
pub(crate) fn find(cx: &Unit<'_, '_>, keyword: TokenIndex) -> Option<Rc<Found>> {
    let statements = cx.facts.get(Statements::default);
    let known = statements.0.borrow().get(&keyword).cloned();
    known.unwrap_or_else(|| {
        let found = read(cx, keyword).map(Rc::new);
        statements.0.borrow_mut().insert(keyword, found.clone());
        found
    })
}

fn read(cx: &Unit<'_, '_>, keyword: TokenIndex) -> Option<Found> {
    // A macro may hold a statement; the line of another directive holds none.
    if is_for_preprocessor(cx.doc, keyword) {
        return None;
    }
    let statement = AsmStatement::at(cx.doc, keyword)?;
    let items = split(&statement.fragments);
    if items.is_empty() || is_amd(&statement, &items) {
        return None;
    }
    let known = items
        .iter()
        .any(|item| matches!(item, Item::Instruction(one) if is_ptx(one)));
    if !known && !is_device(cx, keyword) {
        return None;
    }
    let range = statement.range(cx.doc);
    let mut carried = Carried::of(cx, range);
    let outcome = outcome(cx, &statement, &mut carried);
    Some(Found {
        range,
        statement,
        outcome,
        carried,
    })
}

/// Whether the statement at a keyword is PTX that the run's options let be written as C++.
pub(crate) fn becomes_cpp(cx: &Unit<'_, '_>, keyword: TokenIndex) -> bool {
    let level = cx.options().fix_level;
    let is_written = |made: &Translation| level < Applicability::Safe || made.reviews.is_empty();
    find(cx, keyword).is_some_and(|found| found.outcome.as_ref().is_ok_and(is_written))
}

fn outcome(
    cx: &Unit<'_, '_>,
    statement: &AsmStatement,
    carried: &mut Carried,
) -> Result<Translation, Vec<Obstacle>> {
    if !is_statement(cx, statement.keyword) {
        return Err(refused(
            "asm within a statement",
            "Write the instruction in C++, as a statement of its own.",
        ));
    }
    let put_together = || {
        refused(
            "text put together by the preprocessor",
            "Write each variant of the instruction in C++.",
        )
    };
    let Some((first, others)) = statement.templates.split_first() else {
        return Err(put_together());
    };
    if statement.jumps {
        return Err(refused("asm goto", "Write the branch in C++."));
    }
    let operands = operands(cx, statement, carried)?;
    let translated = |text: &str| translate(&request(cx, statement, text, operands.clone()));
    let translation = translated(first)?;
    // Hints to the caches are in one variant and not in the other, and mean nothing on AMD.
    for text in others {
        if !translated(text)?.has_steps_of(&translation) {
            return Err(put_together());
        }
    }
    Ok(translation)
}

fn request<'r>(
    cx: &Unit<'_, '_>,
    statement: &AsmStatement,
    text: &'r str,
    operands: Vec<AsmValue>,
) -> Request<'r> {
    Request {
        text,
        operands,
        native: cx.warp() == WarpMode::Native,
        helpers: cx.options().compat != CompatMode::None,
        volatile: statement.volatile,
        clobbers_memory: statement.clobbers_memory,
        in_kernel: is_in_kernel(cx, statement.keyword),
        module: None,
    }
}

/// Whether the statement stands in the body of a kernel, and in no lambda of it and no macro.
fn is_in_kernel(cx: &Unit<'_, '_>, keyword: TokenIndex) -> bool {
    let scope = cx.doc.scopes().enclosing(keyword);
    !cx.doc.tokens[keyword].has(flags::DIRECTIVE)
        && scope.is_some_and(|scope| scope.space == Space::Kernel)
}

fn refused(instruction: &str, advice: &str) -> Vec<Obstacle> {
    vec![Obstacle {
        instruction: instruction.to_owned(),
        advice: advice.to_owned(),
    }]
}

fn operands(
    cx: &Unit<'_, '_>,
    statement: &AsmStatement,
    carried: &mut Carried,
) -> Result<Vec<AsmValue>, Vec<Obstacle>> {
    if !are_expressions(cx, statement) {
        return Err(refused(
            "an operand with a comment, a statement or a braced list",
            "Give the value to a variable first, or write the instruction in C++.",
        ));
    }
    let mut operands = Vec::new();
    for (position, operand) in statement.operands.iter().enumerate() {
        let Some(value) = value(cx, statement.keyword, operand, carried) else {
            let what = format!("constraint \"{}\"", operand.constraint);
            return Err(refused(&what, "Write the instruction in C++."));
        };
        operands.push(AsmValue {
            value,
            is_output: position < statement.outputs,
        });
    }
    Ok(operands)
}

/// Whether the assembly is a statement: what replaces it would say something else in `int a, asm(…)`.
fn is_statement(cx: &Unit<'_, '_>, keyword: TokenIndex) -> bool {
    let doc = cx.doc;
    let Some(before) = doc.prev(keyword) else {
        return true;
    };
    match doc.bytes(before) {
        b";" | b"{" | b"}" | b"(" | b")" | b":" | b"else" | b"do" => true,
        // An attribute, unless its other end is torn off.
        b"]" => doc.matching_bracket(before).is_some(),
        // An argument of a macro.
        b"," => is_in_parentheses(doc, before),
        _ if doc.tokens[keyword].has(flags::DIRECTIVE) => true,
        // A macro on a line of its own may end with its semicolon; `__shared__` and its like are none.
        word => {
            doc.is_ident(before) && !is_no_name(word) && doc.tokens[keyword].has(flags::LINE_START)
        }
    }
}

fn value(
    cx: &Unit<'_, '_>,
    keyword: TokenIndex,
    operand: &AsmOperand,
    carried: &mut Carried,
) -> Option<Value> {
    let tokens = without_parentheses(cx, operand.expression.clone());
    if tokens.is_empty() {
        return None;
    }
    let holds = Holds::of_constraint(&operand.constraint)?;
    let known = (tokens.len() == 1)
        .then(|| declaration(cx, keyword, tokens.start))
        .flatten();
    Some(carried.value(cx, keyword, tokens, holds.refine(known)))
}

/// What the nearest declaration of a name in front of the statement, in the same function, says that it holds.
fn declaration(cx: &Unit<'_, '_>, keyword: TokenIndex, name: TokenIndex) -> Option<Holds> {
    let doc = cx.doc;
    if !doc.is_ident(name) || doc.tokens[keyword].has(flags::DIRECTIVE) {
        return None;
    }
    let start = doc.scopes().enclosing(keyword)?.head.start;
    let declarators = doc.noted("asm operand", doc.bytes(name), |index| {
        let behind = doc.next(index).map(|next| doc.bytes(next));
        let ends = matches!(behind, Some(b";" | b"=" | b"," | b")" | b"{" | b"(" | b"["));
        ends && declared_at(cx, index).is_some()
    });
    let before = declarators.partition_point(|&index| index < keyword);
    let nearest = declarators[..before].last().filter(|&&at| at >= start)?;
    declared_at(cx, *nearest)
}

/// What the declarator at `index` holds, if it is one: the words in front of it, past other declarators of the same list.
fn declared_at(cx: &Unit<'_, '_>, index: TokenIndex) -> Option<Holds> {
    let doc = cx.doc;
    let mut at = doc.prev(index)?;
    while doc.is(at, ",") {
        let other = doc.prev(at).filter(|&other| doc.is_ident(other))?;
        at = doc.prev(other)?;
    }
    let mut words = Vec::new();
    loop {
        let is_word = doc.is_ident(at) || doc.is(at, "*") || doc.is(at, "&") || doc.is(at, "::");
        if !is_word {
            break;
        }
        words.push(String::from_utf8_lossy(doc.bytes(at)).into_owned());
        at = doc.prev(at)?;
    }
    let array = doc.next_is(index, "[");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // `a * b` is a product unless a type stands in front of the star.
    let product = words.first() == Some(&"*") && words.len() < 2;
    if array || words.is_empty() || product || words.contains(&"return") {
        return None;
    }
    declared(&words)
}

/// Whether assembly is AMD's own, or the name of a function of LLVM's that a declaration is given, `float load(…) __asm("llvm.amdgcn.…")`.
fn is_amd(statement: &AsmStatement, items: &[Item]) -> bool {
    let by_constraint = statement.operands.iter().any(|operand| {
        matches!(
            operand.constraint.trim_start_matches(['=', '+', '&']),
            "v" | "s" | "a"
        )
    });
    const STEMS: &[&str] = &[
        "s_", "v_", "ds_", "global_", "buffer_", "flat_", "scratch_", "image_", "llvm.",
    ];
    by_constraint
        || items.iter().any(|item| {
            matches!(item, Item::Instruction(one) if STEMS.iter().any(|stem| one.opcode.starts_with(stem)))
        })
}

/// Whether the statement surely runs on the device; of macro bodies and `__host__ __device__` functions that is not known.
fn is_device(cx: &Unit<'_, '_>, keyword: TokenIndex) -> bool {
    let scope = cx.doc.scopes().enclosing(keyword);
    !cx.doc.tokens[keyword].has(flags::DIRECTIVE)
        && scope.is_some_and(|scope| matches!(scope.space, Space::Kernel | Space::Device))
}

#[cfg(test)]
mod tests {
    use super::layout::replacement;
    use super::*;
    use crate::engine::probe::{applied, first, of_file};

    /// A device function with its statement of assembly replaced; what stands in the way if it cannot be; `None` if it is no PTX.
    fn made(body: &str) -> Option<Result<String, String>> {
        let (head, end) = ("__device__ void f(int a, unsigned b) {\n", "\n}\n");
        of_file(&[head, body, end].concat(), |cx| {
            let found = find(cx, first(cx, "asm"))?;
            let obstacle =
                |all: &Vec<Obstacle>| all.iter().map(|it| it.instruction.clone()).collect();
            Some(match &found.outcome {
                Err(all) => Err(obstacle(all)),
                Ok(translation) => {
                    let text = applied(cx, &[replacement(cx, &found, translation)]);
                    Ok(text[head.len()..text.len() - end.len()].to_owned())
                }
            })
        })
    }

    #[test]
    fn what_is_no_ptx_stays() {
        for body in [
            "asm volatile(\"\" ::: \"memory\");",
            "asm(\"v_add_u32 %0, %1, %2\" : \"=v\"(a) : \"v\"(a), \"v\"(b));",
            "asm(\"s_barrier\");",
            "int asm_ = 1; asm(\"// nothing\");",
        ] {
            assert_eq!(made(body), None, "{body}");
        }
        // On the host an unknown word may be an instruction of its processor.
        let on_host = |text: &str| of_file(text, |cx| find(cx, first(cx, "asm")).is_some());
        assert!(!on_host("void f() { asm(\"nop\"); }\n"));
        assert!(on_host("void f() { asm(\"bar.sync 0;\"); }\n"));
        assert!(on_host("__device__ void f() { asm(\"nop\"); }\n"));
    }

    #[test]
    fn what_stands_in_the_way_is_named() {
        for (body, expected) in [
            ("int c = 1, asm(\"bar.sync 0;\");", "asm within a statement"),
            (
                "asm(TEXT \"bar.sync 0;\");",
                "text put together by the preprocessor",
            ),
            ("asm goto(\"bar.sync 0;\" :::: out);", "asm goto"),
            (
                "asm(\"add.u32 %0, %1, 1;\" : \"=r\"(b) : \"r\"(g({a})));",
                "an operand with a comment, a statement or a braced list",
            ),
            (
                "asm(\"add.u32 %0, %1, 1;\" : \"=r\"(b) : \"r\"(a /* why */ + 1));",
                "an operand with a comment, a statement or a braced list",
            ),
            (
                "asm(\"add.u32 %0, %1, 1;\" : \"=Q\"(b) : \"r\"(a));",
                "constraint \"=Q\"",
            ),
        ] {
            assert_eq!(made(body), Some(Err(expected.to_owned())), "{body}");
        }
    }

    #[test]
    fn operands_are_read_as_their_types() {
        let body =
            |value: &str| format!("asm(\"add.u32 %0, %1, 1;\" : \"=r\"(b) : \"r\"({value}));");
        for (value, expected) in [
            (
                "cudaSuccess",
                "b = static_cast<unsigned>(cudaSuccess) + 1u;",
            ),
            ("b", "b = b + 1u;"),
            ("a", "b = static_cast<unsigned>(a) + 1u;"),
        ] {
            assert_eq!(made(&body(value)), Some(Ok(expected.to_owned())), "{value}");
        }
        let in_macro = "#define ADD(b) asm(\"add.u32 %0, %0, 1;\" : \"+r\"(b))\n";
        let is_written = of_file(in_macro, |cx| becomes_cpp(cx, first(cx, "asm")));
        assert!(is_written);
    }
}
