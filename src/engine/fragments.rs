//! Instructions of PTX on fragments of matrices, written out for an example: how many registers an operand has follows from the opcode.

/// What the kernel of an example has in its list of parameters for them.
pub(super) const PARAMETERS: &str =
    "float *d, unsigned *a, unsigned *b, unsigned *c, int *e, double *x, double *y, double *z";

/// Whole instructions that a word may begin.
const WHOLE: &[&str] = &[
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
    "stmatrix.sync.aligned.m8n8.x4.shared.b16",
    "movmatrix.sync.aligned.m8n8.trans.b16",
];

/// Registers that an instruction has for A, B, and C and D.
const OF_PRODUCTS: &[[usize; 3]] = &[
    [4, 2, 4],
    [2, 1, 4],
    [4, 2, 2],
    [2, 1, 2],
    [1, 1, 2],
    [8, 4, 4],
];

/// Statements with the instruction that a word is or begins, in each number of registers that it may have.
pub(super) fn statements(word: &str) -> Vec<String> {
    let begun = WHOLE.iter().filter(|whole| whole.starts_with(word));
    let opcode = begun.copied().next().unwrap_or(word);
    match opcode.split('.').next() {
        Some("mma") => OF_PRODUCTS.iter().map(|it| product(opcode, *it)).collect(),
        Some("ldmatrix") => vec![moved(opcode, true)],
        Some("stmatrix") => vec![moved(opcode, false)],
        Some("movmatrix") => {
            vec![format!(
                "asm volatile(\"{opcode} %0, %1;\" : \"=r\"(r) : \"r\"(s));"
            )]
        }
        _ => Vec::new(),
    }
}

fn product(opcode: &str, [of_a, of_b, of_sum]: [usize; 3]) -> String {
    let has = |name: &str| opcode.split('.').any(|segment| segment == name);
    let (constraint, sum) = match () {
        () if has("f64") => ("d", "z"),
        () if has("s32") => ("r", "e"),
        () if has("f32") => ("f", "d"),
        () => ("r", "c"),
    };
    let (word, [a, b]) = match has("f64") {
        true => ("d", ["x", "y"]),
        false => ("r", ["a", "b"]),
    };
    let [results, second, third] = [0, of_sum, of_sum + of_a];
    let places = [
        (results, of_sum),
        (second, of_a),
        (third, of_b),
        (results, of_sum),
    ];
    let operands = places.map(|(start, count)| vector(start, count)).join(", ");
    format!(
        "asm volatile(\"{opcode} {operands};\" : {} : {}, {});",
        given(&format!("+{constraint}"), sum, of_sum),
        given(word, a, of_a),
        given(word, b, of_b)
    )
}

/// A load of as many matrices as the opcode says, or a store.
fn moved(opcode: &str, loads: bool) -> String {
    let count = ["x1", "x2"].iter().position(|it| opcode.contains(it));
    let count = count.map_or(4, |it| it + 1);
    let address = match opcode.contains("shared") {
        true => "\"r\"(s)",
        false => "\"l\"(p)",
    };
    match loads {
        true => format!(
            "asm volatile(\"{opcode} {}, [%{count}];\" : {} : {address});",
            vector(0, count),
            given("=r", "a", count)
        ),
        false => format!(
            "asm volatile(\"{opcode} [%0], {};\" :: {address}, {} : \"memory\");",
            vector(1, count),
            given("r", "a", count)
        ),
    }
}

/// `{%0, %1}`
fn vector(start: usize, count: usize) -> String {
    let registers: Vec<String> = (start..start + count).map(|it| format!("%{it}")).collect();
    format!("{{{}}}", registers.join(", "))
}

/// `"r"(a[0]), "r"(a[1])`
fn given(constraint: &str, array: &str, count: usize) -> String {
    let operands: Vec<String> = (0..count)
        .map(|at| format!("\"{constraint}\"({array}[{at}])"))
        .collect();
    operands.join(", ")
}
