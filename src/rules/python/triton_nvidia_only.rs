//! A part of Triton, or a number in it, that is right for NVIDIA's GPUs alone.
//!
//! ## Why on AMD
//! `tl.inline_asm_elementwise` hands its text to the assembler of the GPU, and that of AMD does not know PTX. `tf32x3` is three products
//! of NVIDIA's TF32: AMD takes `ieee`, `bf16x3` and `bf16x6`, and `tf32` on MI300 alone. Warp specialisation and descriptors of the Tensor Memory Accelerator stand
//! for units of Hopper and Blackwell: depending on the release the kernel does not compile for AMD, or runs without what it was written
//! for, as with Triton 3.6. Gluon's modules for NVIDIA, programmatic launches and its special registers do not compile. A kernel that is compiled for AMD has `asm["amdgcn"]` and `asm["hsaco"]`; `asm["ptx"]` is a `KeyError`.
//!
//! MI300 computes in `float8_e4m3fnuz`, whose bias is one more and whose largest number is 240, not 448. `float8_e4m3fn` compiles, and is
//! converted in software: slower, and scales that were chosen for 448 overflow where the data becomes `fnuz`. MI350 and RDNA4 have the
//! same format as NVIDIA, and so have the blocks of MX and NVFP4 on every chip. A program without Triton is asked where it calls PyTorch's
//! `_scaled_mm`, which has no product of that format on MI300; where nothing of the tree multiplies, the format is one to store in. A warp of AMD's data centre GPUs has 64 lanes: numbers of warps or sizes of
//! blocks that are made with 32 are half or twice what was meant.
//!
//! ## Example
//! ```python
//! y = tl.inline_asm_elementwise("cvt.rna.tf32.f32 $0, $1;", "=r,r", [x], tl.float32, is_pure=True, pack=1)
//! c = tl.dot(a, b, input_precision="tf32x3")
//! for k in tl.range(0, n, warp_specialize=True):
//!     pass
//! print(kernel.asm["ptx"])
//! y = x.to(tl.float8e4nv)
//! WARP_SIZE = 32
//! ```
//!
//! ## When to ignore
//! Assembly whose registers are AMD's, `"=v,v"`, gives no finding. When a constant of the kernel keeps the branch from AMD, or the
//! program asks first; behind `if USE_TMA:` or `if USE_GDC:`, among the cases of a test, and in a file that is called after an
//! architecture of NVIDIA's it is information, as is a text of a kernel that is read within `try`, and so is the target of a test that only compiles, or a float behind a member that its class only
//! makes false. Of the 8-bit floats when the chips are
//! MI350 or later, of the lanes on RDNA: name the chip with `--target`.
//!
//! ## Source
//! Triton 3.6: `triton/backends/amd/compiler.py`, `triton/tools/tensor_descriptor.py`, `warp_size` in `triton/backends/amd/driver.py`; AMD
//! CDNA3 instruction set, "FP8 formats"; `mappings/triton.toml` has the list.

use std::borrow::Cow;
use std::cell::LazyCell;

use crate::analysis::nvidia_modules::{
    is_called_after_architecture, is_named_after_module, needs_nvidia,
};
use crate::mapping::{TritonOnly, TritonTable, TritonUse, chip};
use crate::project::build_mark::FLOAT8_PRODUCT;
use crate::python::{Literal, Node, PyFile, Side, parents};
use crate::rules::prelude::*;

/// Reports what the table has.
pub static RULE: Rule = Rule {
    code: "CASS680",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[Fact::TookOver(&[
        ("CASS680", "triton-inline-assembly"),
        ("CASS683", "triton-dot-precision"),
        ("CASS685", "triton-hopper-feature"),
        ("CASS684", "triton-fp8"),
        ("CASS686", "triton-assembly-text"),
        ("CASS687", "triton-warp-size"),
    ])],
    checks: &[Check::Python(
        &[&["triton", FLOAT8_PRODUCT, ".asm["]],
        check,
    )],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let mut rows = TritonTable::builtin().open_in(&cx.source.bytes);
    if rows.is_empty() || cx.is_named_for_amd() {
        return;
    }
    let file = cx.file();
    if !file.has_triton() {
        let is_of_product = !file.attributes(&[FLOAT8_PRODUCT]).is_empty();
        rows.retain(|row| {
            // Only a kernel of Triton's has its texts by such keys: `compiled.asm["ptx"]`.
            let is_of_kernel = ["ptx", "cubin"]
                .iter()
                .any(|it| row.is_about(it, TritonUse::Key));
            is_of_product && row.is_about(FLOAT8, TritonUse::Attribute) || is_of_kernel
        });
    }
    // A file that ends on AMD at its first imports is told of by those.
    if needs_nvidia(file, |module| cx.project.paths.is_package(module)) {
        return;
    }
    let is_gluon = is_gluon_of_nvidia(file);
    // A program for Gluon of either vendor, and no kernel.
    let has_both = cx.mentions(&["gluon.language.amd", "triton.backends.amd"]);
    let mut findings: Vec<Finding> = Vec::new();
    let is_of_fp4 = LazyCell::new(|| {
        let imports = file.all(&["import_statement", "import_from_statement"]);
        imports.iter().any(|it| names_fp4(&file.text(*it)))
    });
    // The format in which a kernel of NVIDIA's takes its numbers is its own affair.
    let is_of_kernel = is_named_after_module(&cx.source.path);
    // Numbers that nothing multiplies are the same on every GPU.
    let is_stored = !multiplies(file) && !cx.project.builds.scripts.multiply_float8;
    let is_test = cx.is_test();
    let told_of = |node, row, word: &str| {
        let finding = finding(file, node, row, word);
        let is_weak = is_of_kernel || is_stored || is_off_by_member(file, node);
        let is_caught = || node.kind() == "subscript" && file.is_tried(node);
        match is_weak && is_in_e4m3(word) || is_test && word.starts_with(TARGET) || is_caught() {
            true => finding.severity(Severity::Info),
            false => finding,
        }
    };
    // Of rows that are told once: the finding at their first place, and how many places there are.
    let mut told: Vec<Option<(usize, usize)>> = vec![None; rows.len()];
    for node in file.all(KINDS) {
        let Some((word, used)) = said(file, node) else {
            continue;
        };
        // A file of kernels for NVIDIA's units is told of by what it imports.
        if match used {
            TritonUse::Module => has_both,
            _ => is_gluon,
        } {
            continue;
        }
        let row = rows.iter().position(|row| row.is_about(&word, used));
        // Whom a place is for takes longest to find out.
        let is_open = |_: &usize| {
            file.side(node).is_none()
                && !is_asked_for(file, node)
                && !file.is_expected_to_fail(node)
                && !(is_in_e4m3(&word)
                    && (*is_of_fp4 || is_of_standard(file, node, &cx.source.path)))
                && !(word == FLOAT8 && is_of_checkpoint(&cx.source.path))
                && !is_in_table_of_names(file, node, &word)
                && !is_of_own_module(file, node, &word)
                && !is_dead(file, node)
                && !is_switched_off(file, node)
                && !is_compiled_for_target(file, node)
                && !is_written(node)
                && !is_asked_for_text(file, node, &word)
                && !is_other_number(file, node)
                && !is_for_amds_assembler(file, node)
                && !is_without_text(file, node)
        };
        let Some(at) = row.filter(is_open) else {
            continue;
        };
        let row = rows[at];
        match &mut told[at] {
            Some((first, places)) if row.once => {
                *places += 1;
                // The worst of them is told.
                let other = told_of(node, row, &word);
                if other.severity > findings[*first].severity {
                    findings[*first] = other;
                }
            }
            known => {
                *known = Some((findings.len(), 1));
                findings.push(told_of(node, row, &word));
            }
        }
    }
    if is_called_after_architecture(&cx.source.path) {
        let told = findings.into_iter();
        findings = told.map(|it| it.severity(Severity::Info)).collect();
    }
    for (row, told) in rows.iter().zip(told) {
        if let Some((first, places)) = told.filter(|(_, places)| row.once && *places > 1) {
            let message = &mut findings[first].message;
            message
                .to_mut()
                .push_str(&format!(" (one of {places} places)"));
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

fn finding(file: &PyFile<'_>, node: Node<'_>, row: &'static TritonOnly, word: &str) -> Finding {
    let mut finding = RULE.finding(file.range(node), row.message(word));
    if row.wide_warps {
        finding = finding.targets(chip::with_wave64());
    }
    if row.without_xf32 {
        finding = finding.targets(chip::without_xf32());
    }
    if row.breaks {
        finding = finding.severity(Severity::Error);
    }
    if row.slower || is_of_test_table(file, node) || is_behind_switch(file, node) {
        finding = finding.severity(Severity::Info);
    }
    match is_barrier(file, node) {
        true => {
            finding.help("call tl.debug_barrier(), a barrier of the block on either vendor's GPUs")
        }
        false if is_in_e4m3(word) => finding.help(help_for_float8(file, word)),
        false => finding.help(row.help.as_str()),
    }
}

/// What takes the place of the 8-bit floats on MI300, as Triton or PyTorch calls them, and of both where the file has both.
fn help_for_float8(file: &PyFile<'_>, word: &str) -> String {
    let (e4m3, e5m2, others) = match word == FLOAT8 {
        true => (
            "torch.float8_e4m3fnuz",
            "torch.float8_e5m2fnuz",
            "float8_e5m2",
        ),
        false => ("tl.float8e4b8", "tl.float8e5b16", "float8e5"),
    };
    let also = match file.attributes(&[others]).is_empty() {
        true => String::new(),
        false => format!(", and {e5m2} in place of {others},"),
    };
    format!(
        "use {e4m3} with a largest number of 240{also} where torch.version.hip is set and the chip is gfx942"
    )
}

/// What says how the numbers of a product are rounded.
const PRECISION: &str = "input_precision";

/// What says whom a kernel is compiled for.
const TARGET: &str = "GPUTarget";

/// Whether a key of `asm` is asked of a kernel that the function compiles for a GPU of its choice, `triton.compile(src, target=GPUTarget(…))`:
/// that choice has a finding of its own.
fn is_compiled_for_target(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let compiled = (node.kind() == "subscript")
        .then(|| node.child_by_field_name("value"))
        .flatten()
        .and_then(|it| it.child_by_field_name("object"))
        .filter(|it| it.kind() == "identifier");
    let function = node.function();
    let values = compiled.map_or_else(Vec::new, |it| file.assignments_to(&file.text(it)));
    let mut calls = values
        .into_iter()
        .filter(|it| it.function() == function)
        .filter_map(|it| it.child_by_field_name("right"))
        .filter(|it| it.kind() == "call");
    calls.any(|it| {
        let target = file.argument(it, 1, "target");
        target.is_some_and(|it| file.callee(it).is_some_and(|name| name == TARGET))
    })
}

/// Whether a text of a kernel is put there and not read: `kernel.asm["cubin"] = other`.
fn is_written(node: Node<'_>) -> bool {
    let around = node.parent().filter(|_| node.kind() == "subscript");
    around
        .is_some_and(|it| it.kind() == "assignment" && it.child_by_field_name("left") == Some(node))
}

/// Whether the function around a place asks whether a kernel has the text that it reads there: `if "ptx" in kernel.asm:`.
fn is_asked_for_text(file: &PyFile<'_>, node: Node<'_>, key: &str) -> bool {
    let around = match node.kind() {
        "subscript" => node.function().unwrap_or_else(|| file.root()),
        _ => return false,
    };
    let asks = |comparison: &Node<'_>| {
        let operator = comparison.child_by_field_name("operators");
        let [word, of] = file.elements(*comparison)[..] else {
            return false;
        };
        operator.is_some_and(|it| matches!(&*file.text(it), "in" | "not in"))
            && Literal::new(file, word).is_some_and(|it| it.text == key)
            && file.text(of).contains("asm")
    };
    file.all_below(around, &["comparison_operator"])
        .iter()
        .any(asks)
}

/// Whether inline assembly is the barrier of a block and nothing else: `bar.sync 0;`.
fn is_barrier(file: &PyFile<'_>, call: Node<'_>) -> bool {
    text_given(file, call, 0, "asm").is_some_and(|it| {
        let instruction = it.text.trim().trim_end_matches(';').trim();
        // Another number is that of a barrier of some warps.
        matches!(instruction, "bar.sync 0" | "barrier.sync 0")
    })
}

/// The text that a call is given in a place or by a name; `None` of other nodes.
fn text_given(file: &PyFile<'_>, call: Node<'_>, at: usize, name: &str) -> Option<Literal> {
    let argument = (call.kind() == "call").then(|| file.argument(call, at, name));
    Literal::new(file, argument??)
}

/// Whether a file is written in Gluon for NVIDIA's units: it imports them at its outermost level.
fn is_gluon_of_nvidia(file: &PyFile<'_>) -> bool {
    let is_it = |import: Node<'_>| {
        let module = import.child_by_field_name("module_name");
        let is_outermost = import.parent().is_some_and(|it| it.kind() == "module");
        is_outermost && module.is_some_and(|it| file.dotted(it).ends_with("gluon.language.nvidia"))
    };
    let imports = file.all(&["import_from_statement"]);
    imports.into_iter().any(is_it)
}

/// Whether a text or a type is one of the cases of a test, `@parametrize("precision", ["tf32", "tf32x3"])`: the test says what it expects of
/// each.
fn is_of_test_table(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let is_parametrized = |it: &Node<'_>| {
        let call = it.named_child(0).filter(|it| it.kind() == "call");
        let name = call.and_then(|it| file.callee(it));
        it.kind() == "decorator" && name.is_some_and(|it| it == "parametrize")
    };
    parents(node).any(|it| is_parametrized(&it)) || is_one_of_all(file, node)
}

/// Whether a type is one of those that a loop goes through, `for dtype in [torch.int8, torch.float16, torch.float8_e4m3fn]:`.
fn is_one_of_all(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let list = node
        .parent()
        .filter(|it| matches!(it.kind(), "list" | "tuple"));
    let around = list.and_then(|it| it.parent());
    let is_gone_through = around
        .is_some_and(|it| it.kind() == "for_statement" && it.child_by_field_name("right") == list);
    is_gone_through && list.is_some_and(|it| file.elements(it).len() > 2)
}

/// Whether a place is reached only where the program that launches a kernel switches on what NVIDIA's newer GPUs have, the Tensor Memory
/// Accelerator, programmatic launches or warp specialisation: `if ENABLE_TMA:`, `if USE_GDC and IS_PRIMARY:`, and behind
/// `if not has_warp_specialization: return []`; so is a kernel that is launched there alone.
fn is_behind_switch(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let name = || node.function()?.child_by_field_name("name");
    let launches = || name().map_or_else(Vec::new, |it| file.launches_of(&file.text(it)));
    let is_launched_below = || {
        let launches = launches();
        !launches.is_empty() && launches.into_iter().all(|it| is_below_switch(file, it))
    };
    is_below_switch(file, node) || is_launched_below()
}

/// The same of the function around a place alone.
fn is_below_switch(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let mut below = node;
    parents(node).any(|it| {
        let is_reached = it.child_by_field_name("consequence") == Some(below);
        let condition = it.child_by_field_name("condition").filter(|_| is_reached);
        let mut in_front = it
            .named_children()
            .take_while(|child| it.kind() == "block" && *child != below);
        let is_left_without = in_front.any(|child| leaves_without_switch(file, child));
        below = it;
        is_left_without || condition.is_some_and(|it| needs_switch(file, it))
    })
}

/// Whether a statement leaves where such a switch is off: `if not ENABLE_TMA: return`.
fn leaves_without_switch(file: &PyFile<'_>, statement: Node<'_>) -> bool {
    if statement.kind() != "if_statement" {
        return false;
    }
    let field = |name| statement.child_by_field_name(name);
    let asked = field("condition").filter(|it| it.kind() == "not_operator");
    let asked = asked.and_then(|it| it.child_by_field_name("argument"));
    let body = field("consequence").filter(|_| field("alternative").is_none());
    let last = body.and_then(|it| it.named_children().last());
    last.is_some_and(|it| matches!(it.kind(), "return_statement" | "raise_statement"))
        && asked.is_some_and(|it| needs_switch(file, it))
}

/// Whether a condition holds only where such a switch is on.
fn needs_switch(file: &PyFile<'_>, condition: Node<'_>) -> bool {
    match condition.kind() {
        "identifier" | "attribute" => {
            let name = file.dotted(condition).to_ascii_lowercase();
            let mut words = name.split(['_', '.']);
            words.any(|word| matches!(word, "tma" | "gdc" | "pdl"))
                || name.contains("warp_speciali")
        }
        "boolean_operator" => {
            let operator = condition.child_by_field_name("operator");
            let is_and = operator.is_some_and(|it| file.text(it) == "and");
            let mut parts = file.elements(condition).into_iter();
            is_and && parts.any(|it| needs_switch(file, it))
        }
        "parenthesized_expression" => {
            let mut parts = file.elements(condition).into_iter();
            parts.any(|it| needs_switch(file, it))
        }
        _ => false,
    }
}

/// The nodes that can say a word of the table.
const KINDS: &[&str] = &[
    "assignment",
    "attribute",
    "call",
    "import_from_statement",
    "keyword_argument",
    "string",
    "subscript",
];

/// Whether a place only asks for the word, among others or alone: `dtype in [torch.float8_e4m3fn, torch.float8_e5m2]`. What is done with
/// the answer has places of its own.
fn is_asked_for(file: &PyFile<'_>, node: Node<'_>) -> bool {
    if asks_for_range(file, node)
        || is_listed(file, node)
        || is_only_rounded(file, node)
        || is_of_asked_list(file, node)
        || is_allowed(file, node)
        || is_of_getter(file, node)
    {
        return true;
    }
    let mut around = parents(node).filter(|it| {
        !matches!(
            it.kind(),
            "list" | "tuple" | "set" | "parenthesized_expression" | "argument_list"
        ) && !is_constant(file, *it)
    });
    let compared = around
        .next()
        .filter(|it| it.kind() == "comparison_operator");
    let Some(compared) = compared else {
        return false;
    };
    // The warps of a program are chosen by what it asks for; nothing computes in a type or a precision that is compared.
    node.kind() == "string"
        || file.text(compared).contains("float8")
        || counts_for_nvidia(file, compared)
}

/// Whether a type stands in a list of a function that is only asked whether it has another, `x.dtype not in types`, or made longer.
fn is_of_asked_list(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let lists = parents(node).take_while(|it| matches!(it.kind(), "list" | "tuple" | "set"));
    let Some(list) = lists.last() else {
        return false;
    };
    let is_asked = |used: &Node<'_>| {
        let around = used.parent();
        around.is_some_and(|around| match around.kind() {
            "comparison_operator" => {
                let operator = around.child_by_field_name("operators");
                operator.is_some_and(|it| matches!(&*file.text(it), "in" | "not in"))
            }
            "assignment" | "augmented_assignment" => {
                around.child_by_field_name("left").as_ref() == Some(used)
            }
            "binary_operator" => {
                let left = around
                    .parent()
                    .and_then(|it| it.child_by_field_name("left"));
                left.is_some_and(|it| file.text(it) == file.text(*used))
            }
            _ => false,
        })
    };
    let names = file.assigned(list).unwrap_or_default().into_iter();
    let uses: Vec<Node<'_>> = names.flat_map(|name| file.uses(name)).collect();
    !uses.is_empty() && uses.iter().all(is_asked)
}

/// Whether a text or a type stands in a list of what is let in, by what the list is called: `allowed_precisions = ("tf32", "tf32x3")`.
fn is_allowed(file: &PyFile<'_>, node: Node<'_>) -> bool {
    const SIGNS: &[&str] = &["allowed", "supported", "valid", "accepted"];
    let lists = parents(node).take_while(|it| matches!(it.kind(), "list" | "tuple" | "set"));
    let assignment = lists.last().and_then(|it| it.parent());
    let assignment = assignment.filter(|it| it.kind() == "assignment");
    let name = assignment.and_then(|it| it.child_by_field_name("left"));
    name.is_some_and(|it| {
        let name = file.text(it).to_ascii_lowercase();
        name.split('_').any(|word| SIGNS.contains(&word))
    })
}

/// Whether a type is what a function gives that is called after it, `def get_fp8e4nv_ty(): return tl.float8e4nv`: who calls it chooses.
fn is_of_getter(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let is_returned = node
        .parent()
        .is_some_and(|it| it.kind() == "return_statement");
    let name = node
        .function()
        .filter(|_| is_returned)
        .and_then(|it| it.child_by_field_name("name"));
    name.is_some_and(|it| {
        let name = file.text(it).to_ascii_lowercase();
        name.contains("e4nv") || name.contains("e4m3fn")
    })
}

/// Whether a type is only asked for its largest number: `torch.finfo(torch.float8_e4m3fn)`.
fn asks_for_range(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let call = node.parent().and_then(|it| it.parent());
    call.is_some_and(|it| it.kind() == "call" && file.callee(it).as_deref() == Some("finfo"))
}

/// Whether numbers are rounded to a type and taken back at once, `x.to(tl.float8e4nv).to(tl.float32)`: they are the same on every GPU.
fn is_only_rounded(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let is_to =
        |call: &Node<'_>| call.kind() == "call" && file.callee(*call).as_deref() == Some("to");
    let call = node.parent().and_then(|it| it.parent());
    let back = call.and_then(|it| it.parent()).and_then(|it| it.parent());
    let is_read = |call: &Node<'_>| {
        let name = file.callee(*call);
        call.kind() == "call" && name.is_some_and(|it| matches!(&*it, "to" | "float"))
    };
    // `x.view(torch.float8_e4m3fn).float()` reads what is stored.
    let is_view =
        |call: &Node<'_>| call.kind() == "call" && file.callee(*call).as_deref() == Some("view");
    call.is_some_and(|it| is_to(&it)) && back.is_some_and(|it| is_to(&it))
        || call.is_some_and(|it| is_view(&it)) && back.is_some_and(|it| is_read(&it))
}

/// Whether a text is a key of a table or a choice of a type, `{"tf32x3": 2}`, `Literal["tf32", "tf32x3"]`: what it stands for is used elsewhere.
fn is_listed(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let parent = node.parent().filter(|_| node.kind() == "string");
    parent.is_some_and(|it| match it.kind() {
        "pair" => it.child_by_field_name("key") == Some(node),
        "subscript" => {
            let of = it.child_by_field_name("value");
            of.is_some_and(|of| file.text(of).ends_with("Literal"))
        }
        kind => kind == "type_parameter",
    })
}

/// Whether a call makes a constant of Triton's: `tl.constexpr(tl.float8e4nv)`.
fn is_constant(file: &PyFile<'_>, call: Node<'_>) -> bool {
    call.kind() == "call" && file.callee(call).is_some_and(|name| name == "constexpr")
}

/// The 8-bit format of NVIDIA's as PyTorch calls it.
const FLOAT8: &str = "float8_e4m3fn";

/// Whether a file has a product of matrices in a kernel of Triton's, or calls that of PyTorch.
fn multiplies(file: &PyFile<'_>) -> bool {
    const PRODUCTS: &[&str] = &["dot", "dot_scaled", FLOAT8_PRODUCT];
    !file.attributes(PRODUCTS).is_empty()
}

/// Whether a word stands for the format that blocks and scales of standards have too.
fn is_in_e4m3(word: &str) -> bool {
    matches!(word, "float8e4nv" | FLOAT8)
}

/// Whether the format is one that a standard names: MX and NVFP4 have e4m3 with a largest number of 448 in their blocks and scales, for all
/// vendors. Told by the file, by the functions and classes around the place, or by what it is assigned to.
fn is_of_standard(file: &PyFile<'_>, node: Node<'_>, path: &str) -> bool {
    let file_name = path.rsplit('/').next().unwrap_or(path);
    let is_called = |it: &Node<'_>| {
        let name = (it.kind() == "call").then(|| file.callee(*it)).flatten();
        name.is_some_and(|name| names_standard(&name))
    };
    names_standard(file_name)
        || parents(node).take(2).any(|it| is_called(&it))
        || file.is_named_around(node, names_standard)
        || parents(node).any(|it| {
            let is_class = it.kind() == "class_definition";
            let name = is_class.then(|| it.child_by_field_name("name")).flatten();
            name.is_some_and(|it| names_standard(&file.text(it)))
        })
}

/// Whether a script reads or writes checkpoints by its name, `state_dict_adapter.py`, `convert_checkpoint.py`: the format is that of their
/// files, on every GPU.
fn is_of_checkpoint(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let mut words = name.split(['_', '-', '.']);
    name.contains("state_dict")
        || words.any(|word| matches!(word, "checkpoint" | "ckpt" | "convert" | "converter"))
}

/// Whether a name says MX or NVFP4: `to_mxfp8`, `NVFP4Tensor`, `nvfp4_gemm.py`.
fn names_standard(name: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    names_fp4(&name)
        || name.contains("mxfp")
        || words.any(|word| word == "mx" || word.starts_with("mxfp") || word == "mxint8")
}

/// Whether a text speaks of FP4, whose blocks have scales of e4m3.
fn names_fp4(text: &str) -> bool {
    text.contains("fp4") || text.contains("FP4")
}

/// Whether a table only says what a type is called, `{"fp8_e4m3": torch.float8_e4m3fn}`, or what belongs to it: the place that takes the type out
/// of the table computes.
fn is_in_table_of_names(file: &PyFile<'_>, node: Node<'_>, word: &str) -> bool {
    let entry = node.parent().filter(|it| it.kind() == "pair");
    let key = entry.and_then(|it| it.child_by_field_name("key"));
    let Some(key) = key.filter(|_| word.contains("float8")) else {
        return false;
    };
    let name = Literal::new(file, key).map(|it| it.text.to_lowercase().replace(['_', '.'], ""));
    let is_name = |name: String| {
        let rest = name
            .trim_start_matches("torch")
            .trim_start_matches("float8");
        let rest = rest.trim_start_matches("fp8").trim_start_matches("f8");
        matches!(rest, "" | "e4m3" | "e4m3fn" | "e4nv")
    };
    key == node || name.is_some_and(is_name)
}

/// Whether a number of lanes is the other one of a choice that asks for AMD: `WARP_SIZE = 64` in one branch, `WARP_SIZE = 32` in the other.
fn is_other_number(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let name = node.child_by_field_name("left");
    let name = name.filter(|_| node.kind() == "assignment" && file.knows_amd());
    let numbers = name.map_or_else(Vec::new, |it| file.assignments_to(&file.text(it)));
    let is_wide = |it: Node<'_>| {
        let value = it.child_by_field_name("right");
        value.is_some_and(|it| file.text(it) == "64")
    };
    numbers.into_iter().any(is_wide)
}

/// Whether Triton drops a call, since it is pure and nothing takes what it gives: its text is never assembled.
fn is_dead(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let is_statement = |it: &Node<'_>| it.kind() == "expression_statement";
    let is_pure = |it: Node<'_>| {
        let pure = file.argument(it, usize::MAX, "is_pure");
        pure.is_some_and(|it| file.text(it) == "True")
    };
    call.kind() == "call" && call.parent().as_ref().is_some_and(is_statement) && is_pure(call)
}

/// Whether a place stands in a branch that the file switches off: `if HAS_TF32:` behind `HAS_TF32 = False`, its only value.
fn is_switched_off(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let is_off = |condition: Node<'_>| {
        let values = file.assignments_to(&file.text(condition));
        let value = match values[..] {
            [only] => only.child_by_field_name("right"),
            _ => None,
        };
        condition.kind() == "identifier" && value.is_some_and(|it| file.text(it) == "False")
    };
    let mut below = node;
    parents(node).any(|it| {
        let is_reached = it.child_by_field_name("consequence") == Some(below);
        below = it;
        is_reached && it.child_by_field_name("condition").is_some_and(is_off)
    })
}

/// Whether a place is reached only where a member is true that its classes only ever make false, `self.use_fp8 = False`: by an `if` around it,
/// or around each use of the operator that it is a part of, `torch.ops.kit.product(x)`.
fn is_off_by_member(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let uses = || {
        let operator = operator_around(file, node)?;
        let name = operator.rsplit("::").next()?.to_owned();
        let whole = format!("torch.ops.{}", operator.replace("::", "."));
        let mut uses = file.attributes(&[&name]);
        uses.retain(|it| file.dotted(*it) == whole);
        Some(uses)
    };
    is_below_off_member(file, node)
        || uses().is_some_and(|it| {
            !it.is_empty() && it.into_iter().all(|it| is_below_off_member(file, it))
        })
}

/// Whether an `if` around a place asks for such a member.
fn is_below_off_member(file: &PyFile<'_>, place: Node<'_>) -> bool {
    let mut below = place;
    parents(place).any(|it| {
        let is_reached = it.child_by_field_name("consequence") == Some(below);
        let condition = it.child_by_field_name("condition").filter(|_| is_reached);
        below = it;
        condition.is_some_and(|it| needs_off_member(file, it))
    })
}

/// Whether a condition holds only where a member is true that the file only makes false.
fn needs_off_member(file: &PyFile<'_>, condition: Node<'_>) -> bool {
    match condition.kind() {
        "attribute" => {
            let name = condition.child_by_field_name("attribute");
            let name = name.map_or_else(String::new, |it| file.text(it).into_owned());
            let places = file.attributes(&[&name]).into_iter();
            let set = places.filter_map(|it| {
                let assignment = it.parent().filter(|it| it.kind() == "assignment")?;
                let is_set = assignment.child_by_field_name("left") == Some(it);
                is_set.then(|| assignment.child_by_field_name("right"))?
            });
            let mut set = set.peekable();
            set.peek().is_some() && set.all(|it| it.kind() == "false")
        }
        "boolean_operator" => {
            let operator = condition.child_by_field_name("operator");
            let is_and = operator.is_some_and(|it| file.text(it) == "and");
            let mut parts = file.elements(condition).into_iter();
            is_and && parts.any(|it| needs_off_member(file, it))
        }
        _ => false,
    }
}

/// The operator of PyTorch that the functions around a place are: `@torch.library.custom_op("kit::product")`, or what stands for it while
/// shapes are worked out, `@product.register_fake`.
fn operator_around(file: &PyFile<'_>, node: Node<'_>) -> Option<String> {
    let decorated = parents(node).filter(|it| it.kind() == "decorated_definition");
    decorated
        .flat_map(|it| it.named_children())
        .filter(|it| it.kind() == "decorator")
        .filter_map(|it| it.named_child(0))
        .find_map(|it| operator_of(file, it))
}

fn operator_of(file: &PyFile<'_>, decorator: Node<'_>) -> Option<String> {
    if decorator.kind() == "call" {
        let is_made = file.callee(decorator).is_some_and(|it| it == "custom_op");
        let name = file.argument(decorator, 0, "name").filter(|_| is_made)?;
        return Some(Literal::new(file, name)?.text);
    }
    let whole = file.dotted(decorator);
    let function = whole.strip_suffix(".register_fake")?;
    let function = file.functions_called(function).into_iter().next()?;
    let around = function.parent()?;
    let mut decorators = around
        .named_children()
        .filter(|it| it.kind() == "decorator");
    let made = decorators.find_map(|it| it.named_child(0).filter(|it| it.kind() == "call"))?;
    operator_of(file, made)
}

/// Whether inline assembly is AMD's own: its registers are `v` and `s`, those of PTX are `r`, `h`, `f`, `l` and `d`.
fn is_for_amds_assembler(file: &PyFile<'_>, call: Node<'_>) -> bool {
    text_given(file, call, 1, "constraints").is_some_and(|it| {
        let mut registers = it
            .text
            .split(',')
            .map(|one| one.trim().trim_start_matches(['=', '&']));
        registers.any(|register| matches!(register, "v" | "s"))
    })
}

/// Whether inline assembly is given no instruction: `inline_asm_elementwise("", …)`.
fn is_without_text(file: &PyFile<'_>, call: Node<'_>) -> bool {
    text_given(file, call, 0, "asm").is_some_and(|it| it.text.trim().is_empty())
}

/// Whether a comparison decides nothing on AMD: `dtype == torch.float8_e4m3fn and torch.version.hip is None`.
fn counts_for_nvidia(file: &PyFile<'_>, compared: Node<'_>) -> bool {
    let is_and = |it: &Node<'_>| {
        let operator = it.child_by_field_name("operator");
        operator.is_some_and(|operator| file.text(operator) == "and")
    };
    let joined = compared
        .parent()
        .filter(|it| it.kind() == "boolean_operator" && is_and(it));
    let right = joined.and_then(|it| it.child_by_field_name("right"));
    right.is_some_and(|right| file.if_true(right) == Some(Side::Nvidia))
}

/// The word that a place says, and how.
fn said<'s>(file: &PyFile<'s>, node: Node<'_>) -> Option<(Cow<'s, str>, TritonUse)> {
    match node.kind() {
        "attribute" => {
            let name = node.child_by_field_name("attribute")?;
            // `partial(tl.inline_asm_elementwise, …)` calls it.
            let call = node.parent().and_then(|it| it.parent());
            let is_partial = |it: &Node<'_>| {
                it.kind() == "call"
                    && file.callee(*it).as_deref() == Some("partial")
                    && file.argument(*it, 0, "func") == Some(node)
            };
            let used = match call.filter(is_partial) {
                Some(_) => TritonUse::Call,
                None => TritonUse::Attribute,
            };
            Some((file.text(name), used))
        }
        "assignment" => {
            let name = file.dotted(node.child_by_field_name("left")?);
            let name = name.rsplit('.').next()?;
            let name = name.to_ascii_lowercase().replace('_', "");
            let value = node.child_by_field_name("right")?;
            let value = file.text((value.kind() == "integer").then_some(value)?);
            Some((format!("{name}={value}").into(), TritonUse::Constant))
        }
        // Whom a kernel is compiled for ahead of its launch.
        "call" if file.callee(node)? == TARGET => {
            let backend = Literal::new(file, file.argument(node, 0, "backend")?)?;
            Some((
                format!("{TARGET}({})", backend.text).into(),
                TritonUse::Call,
            ))
        }
        "call" => Some((file.callee(node)?, TritonUse::Call)),
        "import_from_statement" => {
            let module = file.dotted(node.child_by_field_name("module_name")?);
            Some((module.into(), TritonUse::Module))
        }
        "keyword_argument" => {
            let given = node.child_by_field_name("value")?;
            let value = file.text(given);
            let is_on = !matches!(&*value, "False" | "0" | "None");
            let name = node.child_by_field_name("name").filter(|_| is_on)?;
            let name = file.text(name);
            let word = match Literal::new(file, given).filter(|_| name == PRECISION) {
                Some(text) => format!("{name}={}", text.text).into(),
                None => name,
            };
            Some((word, TritonUse::Argument))
        }
        "subscript" => {
            let compiled = file.dotted(node.child_by_field_name("value")?);
            let key = node.child_by_field_name("subscript")?;
            let key = Literal::new(file, key).filter(|_| compiled.ends_with(".asm"))?;
            Some((key.text.into(), TritonUse::Key))
        }
        _ => Some((Literal::new(file, node)?.text.into(), TritonUse::Text)),
    }
}

/// Whether a call is of a function that the file imports from a module which is neither Triton's nor called after NVIDIA: the program chooses
/// there, `from kit.common_ops import smid`, and what is PTX is told there.
fn is_of_own_module(file: &PyFile<'_>, call: Node<'_>, name: &str) -> bool {
    let is_bare = call
        .child_by_field_name("function")
        .is_some_and(|it| it.kind() == "identifier");
    let brings = |import: &Node<'_>| {
        let module = import.child_by_field_name("module_name");
        let module = module.map_or_else(String::new, |it| file.dotted(it));
        let is_theirs = module == "triton"
            || ["triton.", "tl."].iter().any(|it| module.starts_with(it))
            || ["cuda", "nvidia", "libdevice"]
                .iter()
                .any(|it| module.contains(it));
        let names = file.all_below(*import, &["identifier"]);
        !module.is_empty() && !is_theirs && names.iter().any(|it| file.text(*it) == name)
    };
    is_bare && file.all(&["import_from_statement"]).iter().any(brings)
}
