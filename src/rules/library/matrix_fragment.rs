//! CUDA's matrix fragments (`nvcuda::wmma`), which rocWMMA has under its own namespace.
//!
//! ## Why on AMD
//! rocWMMA follows the interface: `fragment`, `load_matrix_sync`, `mma_sync`, `store_matrix_sync`, `fill_fragment`. A fragment
//! belongs to a whole wavefront, which has 64 lanes on gfx90a and gfx942, so code that counts warps as `threadIdx.x / 32` must
//! count wavefronts instead. Shapes are 16x16 and 32x32; 8x32 and 32x8 do not exist, nor do sub-byte types and unsigned bytes.
//! Its bfloat16 is `hip_bfloat16`, not the `__hip_bfloat16` that CUDA's becomes.
//! Which lane holds which element differs from chip to chip, so `f.x[i]` may be used only where all elements are treated alike: an element
//! by its number, or a loop that works out the row of `f.x[i]`, compiles and computes something else, which is an error.
//! `fill_fragment` takes a value of the fragment's own type only, and is given it.
//!
//! ## Example
//! ```cuda
//! using namespace nvcuda;
//! wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
//! ```
//! becomes
//! ```hip
//! namespace wmma = rocwmma;
//! wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
//! ```
//!
//! ## When to ignore
//! Never: block shapes and warp numbers have to be looked at.
//!
//! ## Source
//! rocWMMA API reference of ROCm 6.4.

use std::ops::Range;

use crate::analysis::rename::{Part, is_code_alone, written_anew};
use crate::cpp::calls::{enclosing_parenthesis, template_arguments};
use crate::cpp::declarations;
use crate::rules::prelude::*;

/// Renames the namespace and names what rocWMMA lacks.
pub static RULE: Rule = Rule {
    code: "CASS509",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 30,
    facts: &[],
    checks: &[
        Check::Idents(
            &[
                "nvcuda",
                "experimental",
                "tf32",
                "bmma_sync",
                "fragment",
                "fill_fragment",
                "x",
            ],
            check,
        ),
        Check::Source(namespaces),
    ],
};

const HELP: &str = "count wavefronts of warpSize lanes instead of warps of 32, make the block a multiple of it, and use 16x16 or 32x32 tiles";

fn namespaces(cx: &mut Context<'_, '_>) {
    cx.doc.all("nvcuda").for_each(|index| namespace(cx, index));
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    match cx.doc.bytes(index) {
        b"fragment" => fragment(cx, index),
        b"fill_fragment" => fill(cx, index),
        b"x" => element(cx, index),
        _ => missing(cx, index),
    }
}

/// `nvcuda::wmma` becomes `rocwmma`; `using namespace nvcuda;` becomes an alias under which all uses stay.
fn namespace(cx: &mut Context<'_, '_>, index: TokenIndex) {
    let doc = cx.doc;
    let edit = if doc.is(index + 1, "::") && doc.is(index + 2, "wmma") {
        Some(Edit::replace(doc.range(index, index + 2), "rocwmma"))
    } else if doc.is_before(index, "namespace")
        && index >= 2
        && doc.is(index - 2, "using")
        && doc.is(index + 1, ";")
    {
        Some(Edit::replace(
            doc.range(index - 2, index),
            "namespace wmma = rocwmma",
        ))
    } else {
        None
    };
    let finding = RULE
        .finding(
            cx.range(index),
            "matrix fragments belong to a whole wavefront on AMD",
        )
        .help(HELP);
    cx.report(match edit {
        Some(edit) => finding.fix(Fix::review(vec![edit])),
        None => finding
            .severity(Severity::Error)
            .help("use rocwmma, which has the same functions in its own namespace"),
    });
}

/// `fragment<matrix_a, 32, 8, 16, unsigned char, row_major>`: shapes and types that rocWMMA lacks.
fn fragment(cx: &mut Context<'_, '_>, index: TokenIndex) {
    let Some(arguments) = fragment_arguments(cx.doc, index) else {
        return;
    };
    let size = |position: usize| {
        let tokens: &Range<TokenIndex> = arguments.get(position)?;
        cx.count(tokens.clone())
    };
    let report = |message: String, help: &'static str| {
        RULE.finding(cx.range(index), message)
            .severity(Severity::Error)
            .help(help)
    };
    let mut found = Vec::new();
    if let (Some(rows), Some(columns)) = (size(1), size(2))
        && !matches!((rows, columns), (16, 16) | (32, 32))
    {
        found.push(report(
            format!("rocWMMA has no tiles of {rows}x{columns}"),
            "use tiles of 16x16 or 32x32, and change what steps over the matrix with them",
        ));
    }
    let of_type = |names: &[&str]| {
        arguments.get(4).is_some_and(|ty| {
            ty.clone()
                .any(|at| names.iter().any(|name| cx.doc.is(at, name)))
        })
    };
    if of_type(&["uint8_t", "unsigned"]) {
        found.push(report(
            "rocWMMA multiplies signed bytes only".to_owned(),
            "store the numbers as `int8_t`: subtract 128 and correct the sums, or use 16 bits",
        ));
    }
    if of_type(&["__nv_bfloat16", "nv_bfloat16"]) {
        found.push(report(
            "the bfloat16 of rocWMMA is another type than that of `hip_bf16.h`".to_owned(),
            "name it `rocwmma::bfloat16_t` in fragments, and cast the pointers that they load from",
        ));
    }
    found.into_iter().for_each(|finding| cx.report(finding));
}

/// The template arguments of `fragment`, where it is that of CUDA.
fn fragment_arguments(doc: &Document<'_>, index: TokenIndex) -> Option<Vec<Range<TokenIndex>>> {
    let (arguments, _) = template_arguments(doc, index)?;
    let first = arguments.first()?.clone();
    let is_use =
        |at: TokenIndex| matches!(doc.bytes(at), b"matrix_a" | b"matrix_b" | b"accumulator");
    (is_included(doc) && first.into_iter().any(is_use)).then_some(arguments)
}

/// Whether the file includes CUDA's header of fragments.
fn is_included(doc: &Document<'_>) -> bool {
    let is_it = |path: &[u8]| path == b"mma.h" || path.ends_with(b"/mma.h");
    doc.includes
        .iter()
        .any(|include| is_it(doc.source.slice(include.path)))
}

/// `fill_fragment(f, 0.0f)` of a fragment of another type: rocWMMA deduces the type from both.
fn fill(cx: &mut Context<'_, '_>, index: TokenIndex) {
    let doc = cx.doc;
    let Some(call) = doc.call(index).filter(|call| call.arguments.len() == 2) else {
        return;
    };
    let (name, value) = (call.arguments[0].start, call.arguments[1].clone());
    let Some(ty) = element_type(doc, name) else {
        return;
    };
    let declared = doc.range(ty.start, ty.end - 1);
    let literal = cx.text(value.start).to_ascii_lowercase();
    let is_float = literal.contains('.') && literal.ends_with('f');
    let is_number = value.len() == 1 && doc.tokens[value.start].kind == TokenKind::Number;
    let is_right = match &*cx.text_of(declared) {
        "float" => is_float,
        "int" => !literal.contains(['.', 'u', 'l']),
        _ => false,
    };
    if is_right || !is_number {
        return;
    }
    let range = doc.range(value.start, value.end - 1);
    let message = "rocWMMA's fill_fragment takes a value of the fragment's type only";
    let finding = RULE.finding(cx.range(index), message);
    // Written a second time, the type is what it becomes where it stands.
    let open = [
        Part::Text("static_cast<"),
        Part::Code(declared),
        Part::Text(">("),
    ];
    let cast = vec![
        written_anew(cx, TextRange::at(range.start), &open),
        Edit::insert(range.end, ")"),
    ];
    cx.report(match is_code_alone(cx, declared) {
        true => finding.severity(Severity::Info).fix(Fix::safe(cast)),
        false => finding.help("cast the value to that type"),
    });
}

/// The element type in the declaration of the fragment at `name`.
fn element_type(doc: &Document<'_>, name: TokenIndex) -> Option<Range<TokenIndex>> {
    let declared = declarations::declared(doc, name)?.name;
    let close = (0..declared).rev().find(|&at| doc.is(at, ">"))?;
    // Arguments of a fragment fit into 40 tokens.
    let word = (close.saturating_sub(40)..close)
        .rev()
        .find(|&at| doc.is(at, "fragment"))?;
    fragment_arguments(doc, word)?
        .get(4)
        .filter(|ty| !ty.is_empty())
        .cloned()
}

/// `f.x[3]`: an element that is told apart from the others. A loop over `num_elements` treats them alike.
fn element(cx: &mut Context<'_, '_>, index: TokenIndex) {
    let doc = cx.doc;
    let open = doc.next(index).filter(|&open| doc.is(open, "["));
    let close = open.and_then(|open| doc.matching_bracket(open));
    let (Some(open), Some(close)) = (open, close) else {
        return;
    };
    let object = doc
        .prev(index)
        .filter(|&dot| doc.is(dot, "."))
        .and_then(|dot| doc.prev(dot));
    let name = object.map(|object| match doc.matching_bracket(object) {
        Some(bracket) => bracket.saturating_sub(1),
        None => object,
    });
    if name.is_none_or(|name| element_type(doc, name).is_none()) {
        return;
    }
    let counter = doc.bytes(open + 1);
    let mut loops = doc.occurrences(b"num_elements", 1..index).rev();
    let of_loop = loops.find(|&at| counts(doc, at, counter));
    let is_counted = close == open + 2 && of_loop.is_some_and(|at| is_alike(doc, at, counter));
    if !is_counted {
        let finding = RULE
            .finding(
                cx.range(index),
                "which lane holds which element of a fragment differs on AMD, and from chip to chip",
            )
            .severity(Severity::Error)
            .help("store the fragment to shared memory and read the element from there");
        cx.report(finding);
    }
}

/// `i < f.num_elements` at the word `num_elements`, for this `i`.
fn counts(doc: &Document<'_>, at: TokenIndex, counter: &[u8]) -> bool {
    let start = at.saturating_sub(12);
    (start..at).any(|sign| {
        matches!(doc.bytes(sign), b"<" | b"!=")
            && doc
                .prev(sign)
                .is_some_and(|before| doc.bytes(before) == counter)
    })
}

/// Whether a loop over `num_elements` asks of its counter nothing but which element it is: `row = lane / 4 + i / 2` knows a layout.
fn is_alike(doc: &Document<'_>, bound: TokenIndex, counter: &[u8]) -> bool {
    let head = enclosing_parenthesis(doc, bound).and_then(|open| doc.matching_bracket(open));
    let Some(close) = head else {
        return true;
    };
    let ends = |at: TokenIndex| doc.is(at, ";");
    let end = match doc.next(close) {
        Some(brace) if doc.is(brace, "{") => doc.matching_bracket(brace),
        _ => (close..doc.tokens.len()).find(|&at| ends(at)),
    };
    let end = end.unwrap_or(doc.tokens.len());
    let mut uses = doc.occurrences(counter, close..end);
    uses.all(|at| {
        let open = doc
            .prev(at)
            .filter(|&open| doc.is(open, "[") && doc.next_is(at, "]"));
        open.is_some_and(|open| doc.prev_is(open, "x"))
    })
}

/// Types and functions of `wmma` without a counterpart.
fn missing(cx: &mut Context<'_, '_>, index: TokenIndex) {
    let of_wmma =
        |name: &str| cx.doc.is_before(index, "::") && index >= 2 && cx.doc.is(index - 2, name);
    let advice = match cx.doc.bytes(index) {
        b"experimental" if of_wmma("wmma") => {
            "redesign for 8-bit integers: AMD has no matrix instructions for parts of bytes"
        }
        b"bmma_sync" if of_wmma("wmma") || of_wmma("experimental") => {
            "redesign for 8-bit integers: AMD has no matrix instructions for bits"
        }
        b"tf32" if of_wmma("precision") && index >= 4 && cx.doc.is(index - 4, "wmma") => {
            "use rocwmma::xfloat32_t on gfx942, or float elsewhere"
        }
        _ => return,
    };
    let message = format!("rocWMMA has no `{}`", cx.text(index));
    cx.report(
        RULE.finding(cx.range(index), message)
            .severity(Severity::Error)
            .help(advice),
    );
}
