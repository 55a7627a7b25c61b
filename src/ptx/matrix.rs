//! Tensor cores on fragments in registers: `mma`, and what loads, stores and transposes such fragments.

use super::memory::{Space, places, pointer};
use super::request::{Attempt, advice, no_helpers};
use super::split::{Instruction, Operand};
use super::translator::Translator;
use super::types::Type;
use super::value::bare;

/// What a product has to be looked at for.
const SLOW: &str = "The product is computed by exchanges between the lanes and by ordinary multiplications: it is right, and many times slower than matrix cores. Where the time counts, write the tile with rocWMMA, or with `__builtin_amdgcn_mfma_*` (CDNA) and `__builtin_amdgcn_wmma_*` (RDNA 3 and later) and their lane layout.";

/// Elements of a matrix: their names in PTX and in the helper header, their width in bits, and the type that sums of their products have.
const ELEMENTS: &[(&str, &str, u32, Type)] = &[
    ("f16", "cass_mma_f16", 16, Type::Float(32)),
    ("bf16", "cass_mma_bf16", 16, Type::Float(32)),
    ("tf32", "cass_mma_tf32", 32, Type::Float(32)),
    ("e4m3", "cass_mma_e4m3", 8, Type::Float(32)),
    ("e5m2", "cass_mma_e5m2", 8, Type::Float(32)),
    ("s8", "cass_mma_s8", 8, Type::Signed(32)),
    ("u8", "cass_mma_u8", 8, Type::Signed(32)),
    ("s4", "cass_mma_s4", 4, Type::Signed(32)),
    ("u4", "cass_mma_u4", 4, Type::Signed(32)),
    ("f64", "cass_mma_f64", 64, Type::Float(64)),
];

/// How a product is computed.
#[derive(Debug, PartialEq, Eq)]
struct Product {
    /// Types of the helper header for the elements of both matrices.
    elements: [&'static str; 2],
    /// Registers of a lane for A, B, and C and D.
    registers: [usize; 3],
    /// The type of a register of A and B.
    word: Type,
    /// The type of a register of C and D: a word has two halves.
    sum: Type,
    saturates: bool,
}

impl Product {
    /// Reads `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32` and its like; `None` for a form whose fragments are laid out otherwise,
    /// or that needs more than registers.
    fn read(opcode: &str) -> Option<Self> {
        let segments: Vec<&str> = opcode.split('.').collect();
        let ["mma", "sync", "aligned", shape, rest @ ..] = segments.as_slice() else {
            return None;
        };
        let rest = rest.strip_prefix(&["row", "col"]).unwrap_or(rest);
        let (saturates, rest) = saturation(rest);
        let [result, a, b, sum, rest @ ..] = rest else {
            return None;
        };
        // Programs write it at the end as well.
        let (saturates_too, operation) = saturation(rest);
        let saturates = saturates || saturates_too;
        let (rows, depth) = rows_and_depth(shape)?;
        let (elements, bits, wide) = pair(a, b, operation)?;
        let is_half = wide == Type::Float(32) && bits != 32 && *a != "bf16";
        let of_sum = match *sum {
            "f16" if is_half => Type::Unsigned(32),
            name if Type::parse(name) == Some(wide) => wide,
            _ => return None,
        };
        let word = if bits == 64 { wide } else { Type::Unsigned(32) };
        let block = 4 * u32::from(word.bits()) / bits;
        let halves = rows as usize / 8;
        let blocks = (depth % block == 0).then_some((depth / block) as usize)?;
        let has_form = match (rows, wide) {
            (16, Type::Float(64)) => matches!(blocks, 1 | 2 | 4),
            (16, _) => matches!(blocks, 1 | 2),
            (_, Type::Float(64) | Type::Signed(_)) => blocks == 1,
            _ => false,
        };
        let is_packed = of_sum != wide;
        let may_saturate = wide == Type::Signed(32) && bits > 1;
        (result == sum && has_form && (may_saturate || !saturates)).then_some(Self {
            elements,
            registers: [
                halves * blocks,
                blocks,
                if is_packed { halves } else { 2 * halves },
            ],
            word,
            sum: of_sum,
            saturates,
        })
    }
}

/// Whether `.satfinite` comes next, and what stands behind it.
fn saturation<'s, 'o>(segments: &'s [&'o str]) -> (bool, &'s [&'o str]) {
    match segments {
        ["satfinite", rest @ ..] => (true, rest),
        rest => (false, rest),
    }
}

/// Rows of A and C, and columns of A, of a shape whose B and C have 8 columns: `m16n8k32`.
fn rows_and_depth(shape: &str) -> Option<(u32, u32)> {
    let (rows, depth) = shape.strip_prefix('m')?.split_once("n8k")?;
    let rows = rows.parse().ok().filter(|it| matches!(it, 8 | 16))?;
    Some((rows, depth.parse().ok()?))
}

/// The elements of both matrices, their width, and the type of a sum. Both are integers of one width, or of eight bits of floating point, or
/// the same.
fn pair(a: &str, b: &str, operation: &[&str]) -> Option<([&'static str; 2], u32, Type)> {
    match (a, b, operation) {
        ("b1", "b1", ["and", "popc"]) => {
            return Some((["cass_mma_and"; 2], 1, Type::Signed(32)));
        }
        ("b1", "b1", ["xor", "popc"]) => {
            return Some((["cass_mma_xor"; 2], 1, Type::Signed(32)));
        }
        (_, _, []) => {}
        _ => return None,
    }
    let find = |name: &str| ELEMENTS.iter().find(|it| it.0 == name);
    let ((_, first, bits, wide), (_, second, width, sum)) = (find(a)?, find(b)?);
    let is_mixed = *bits < 16 && bits == width && wide == sum;
    (a == b || is_mixed).then_some(([first, second], *bits, *wide))
}

/// `mma.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype{.operation.popc} d, a, b, c`
pub(super) fn multiply(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let product = Product::read(&instruction.opcode);
    let (Some(product), [result, a, b, sum]) = (product, instruction.operands.as_slice()) else {
        return Err(advice(&instruction.opcode));
    };
    check_lanes(tr, instruction)?;
    let [of_a, of_b, of_sum] = product.registers;
    let results = places(result, of_sum)?;
    let [a, b, sum] = [
        parts(tr, a, of_a, product.word)?,
        parts(tr, b, of_b, product.word)?,
        parts(tr, sum, of_sum, product.sum)?,
    ];
    let function = match product.saturates {
        true => "cass_mma_satfinite",
        false => "cass_mma",
    };
    let [of_a, of_b] = product.elements;
    let call = format!("{function}<{of_a}, {of_b}>({a}, {b}, {sum})");
    tr.review(SLOW);
    assign(tr, &results, product.sum, "product_parts", &call)
}

/// `ldmatrix.sync.aligned.m8n8.num{.trans}{.shared}.b16 r, [p]`, whatever the order of the modifiers.
pub(super) fn load(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let (Some(form), [to, row]) = (Matrices::read(&instruction.opcode), pair_of(instruction)?)
    else {
        return Err(advice(&instruction.opcode));
    };
    check_lanes(tr, instruction)?;
    let results = places(to, form.count)?;
    let row = pointer(tr, row, form.space, "const void")?;
    let call = format!(
        "cass_ldmatrix<{}, {}>({})",
        form.count,
        form.transposed,
        bare(&row)
    );
    assign(tr, &results, Type::Unsigned(32), "loaded_parts", &call)
}

/// `stmatrix.sync.aligned.m8n8.num{.trans}{.shared}.b16 [p], r`
pub(super) fn store(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let (Some(form), [row, from]) = (Matrices::read(&instruction.opcode), pair_of(instruction)?)
    else {
        return Err(advice(&instruction.opcode));
    };
    check_lanes(tr, instruction)?;
    let row = pointer(tr, row, form.space, "void")?;
    let from = parts(tr, from, form.count, Type::Unsigned(32))?;
    tr.stores();
    tr.plain(format!(
        "cass_stmatrix<{}>({}, {from})",
        form.transposed,
        bare(&row)
    ));
    Ok(true)
}

/// `movmatrix.sync.aligned.m8n8.trans.b16 d, a`
pub(super) fn transpose(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let [to, from] = pair_of(instruction)?;
    if instruction.opcode != "movmatrix.sync.aligned.m8n8.trans.b16" {
        return Err(advice(&instruction.opcode));
    }
    check_lanes(tr, instruction)?;
    let from = tr.read(from, Type::Unsigned(32))?;
    let call = format!("cass_movmatrix({})", bare(&from));
    tr.assign(to, Type::Unsigned(32), &call)?;
    Ok(true)
}

/// How many matrices of 8 by 8 halves an instruction moves, and where.
struct Matrices {
    count: usize,
    transposed: bool,
    space: Space,
}

impl Matrices {
    fn read(opcode: &str) -> Option<Self> {
        let mut form = Self {
            count: 0,
            transposed: false,
            space: Space::Generic,
        };
        let (mut has_shape, mut has_type) = (false, false);
        for segment in opcode.split('.').skip(1) {
            match segment {
                "sync" | "aligned" => {}
                "m8n8" => has_shape = true,
                "b16" => has_type = true,
                "x1" => form.count = 1,
                "x2" => form.count = 2,
                "x4" => form.count = 4,
                "trans" => form.transposed = true,
                "shared" | "shared::cta" => form.space = Space::Shared,
                _ => return None,
            }
        }
        (has_shape && has_type && form.count > 0).then_some(form)
    }
}

fn pair_of(instruction: &Instruction) -> Attempt<[&Operand; 2]> {
    match instruction.operands.as_slice() {
        [first, second] => Ok([first, second]),
        _ => Err(advice(&instruction.opcode)),
    }
}

/// Fragments are of warps of 32 lanes, which helpers keep apart in a wave.
fn check_lanes(tr: &Translator<'_>, instruction: &Instruction) -> Attempt<()> {
    match (tr.request().native, tr.request().helpers) {
        (true, _) => Err(advice(&instruction.opcode)),
        (false, false) => Err(no_helpers()),
        (false, true) => Ok(()),
    }
}

/// The registers of an operand as a fragment.
fn parts(tr: &mut Translator<'_>, operand: &Operand, count: usize, ty: Type) -> Attempt<String> {
    let mut texts = Vec::with_capacity(count);
    for part in places(operand, count)? {
        texts.push(bare(&tr.converted(part, ty)?).to_owned());
    }
    Ok(format!("cass_parts<{}>({})", ty.name(), texts.join(", ")))
}

/// Gives each register of a result its part of a fragment, which is computed before the first is written.
fn assign(
    tr: &mut Translator<'_>,
    results: &[&Operand],
    ty: Type,
    stem: &str,
    call: &str,
) -> Attempt<bool> {
    let fragment = tr.define("const auto", stem, call);
    for (position, place) in results.iter().enumerate() {
        tr.assign(place, ty, &format!("{fragment}.part[{position}]"))?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers(form: &str) -> Option<[usize; 3]> {
        let opcode = format!("mma.sync.aligned.{form}");
        Product::read(&opcode).map(|it| it.registers)
    }

    /// Counts of PTX ISA 8.7, "Matrix Fragments for mma".
    #[test]
    fn a_lane_holds_as_many_registers_as_ptx_says() {
        for (form, expected) in [
            ("m16n8k8.row.col.f32.f16.f16.f32", [2, 1, 4]),
            ("m16n8k16.row.col.f32.f16.f16.f32", [4, 2, 4]),
            ("m16n8k16.row.col.f16.f16.f16.f16", [4, 2, 2]),
            ("m16n8k16.row.col.f32.bf16.bf16.f32", [4, 2, 4]),
            ("m16n8k4.row.col.f32.tf32.tf32.f32", [2, 1, 4]),
            ("m16n8k8.row.col.f32.tf32.tf32.f32", [4, 2, 4]),
            ("m16n8k32.row.col.f32.e4m3.e5m2.f32", [4, 2, 4]),
            ("m8n8k16.row.col.satfinite.s32.s8.u8.s32", [1, 1, 2]),
            ("m16n8k16.row.col.s32.u8.s8.s32", [2, 1, 4]),
            ("m16n8k16.row.col.s32.s8.s8.s32.satfinite", [2, 1, 4]),
            ("m16n8k32.row.col.satfinite.s32.s8.s8.s32", [4, 2, 4]),
            ("m16n8k64.row.col.s32.s4.u4.s32", [4, 2, 4]),
            ("m16n8k256.row.col.s32.b1.b1.s32.and.popc", [4, 2, 4]),
            ("m8n8k128.row.col.s32.b1.b1.s32.xor.popc", [1, 1, 2]),
            ("m8n8k4.row.col.f64.f64.f64.f64", [1, 1, 2]),
            ("m16n8k16.row.col.f64.f64.f64.f64", [8, 4, 4]),
        ] {
            assert_eq!(registers(form), Some(expected), "{form}");
        }
    }

    /// Volta's fragments lie otherwise, and what is not PTX has none.
    #[test]
    fn other_forms_are_left() {
        for form in [
            "m8n8k4.row.col.f32.f16.f16.f32",
            "m16n8k16.row.row.f32.f16.f16.f32",
            "m16n8k16.row.col.f16.bf16.bf16.f16",
            "m16n8k16.row.col.f32.f16.bf16.f32",
            "m16n8k16.row.col.f32.f16.f16.f16",
            "m16n8k16.row.col.satfinite.f32.f16.f16.f32",
            "m16n8k32.row.col.s32.s8.s4.s32",
            "m16n8k24.row.col.f32.f16.f16.f32",
            "m16n8k64.row.col.f32.e2m1.e2m1.f32",
            "m16n8k256.row.col.s32.b1.b1.s32",
            "m16n8k256.row.col.satfinite.s32.b1.b1.s32.xor.popc",
            "kind::f8f6f4.m16n8k32.row.col.f32.e4m3.e4m3.f32",
        ] {
            assert_eq!(registers(form), None, "{form}");
        }
    }
}
