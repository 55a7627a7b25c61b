//! What translation makes of a name: it is translated in a line of code, so that answers about names cannot differ from what is done.

use super::fragments::{PARAMETERS, statements};
use crate::analysis::helpers::function_for;
use crate::diagnostic::Severity;
use crate::engine::{FileOutcome, Session, translate};
use crate::mapping::{ApiEntry, Kind};
use crate::text::SourceFile;

/// A line of code with a name, before and after translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Example {
    /// The code with the CUDA name.
    pub cuda: String,
    /// What it becomes.
    pub hip: String,
    /// Severity, message and advice of each finding about it.
    pub findings: Vec<(Severity, String, String)>,
    /// Codes of the rules that act on it.
    pub rules: Vec<&'static str>,
}

impl Example {
    /// The highest severity of its findings.
    pub(crate) fn severity(&self) -> Severity {
        let severities = self.findings.iter().map(|finding| finding.0);
        severities.max().unwrap_or(Severity::Info)
    }

    fn is_changed(&self) -> bool {
        self.cuda != self.hip
    }
}

/// A use of a name whose entry does not tell what becomes of it: a rule owns it, or it is a header or namespace that has no counterpart
/// and may be left to somebody else.
pub(crate) fn of_entry(entry: &ApiEntry, session: &Session) -> Option<Example> {
    let is_left = entry.hip.is_none() && matches!(entry.kind, Kind::Header | Kind::Namespace);
    // Calls that no argument settles go to a helper.
    let is_shared = entry.is_shared() && function_for(entry.cuda).is_some();
    (is_left || is_shared || session.claims(entry.cuda.as_bytes()))
        .then(|| of_name(entry.cuda, Some(entry), session))
        .flatten()
}

/// A use of a name of the tables, or of one that only a rule knows.
pub(crate) fn of_name(name: &str, entry: Option<&ApiEntry>, session: &Session) -> Option<Example> {
    let kind = entry.map_or(Kind::Function, |entry| entry.kind);
    let on_device = name.starts_with("__") || entry.is_some_and(|entry| entry.library == "device");
    let head = if on_device {
        "__global__ void kernel(float x, unsigned y, int *z)"
    } else {
        "void host(float x, unsigned y, int *z)"
    };
    let uses: Vec<String> = match kind {
        Kind::Function if name.starts_with("__shfl") && name.ends_with("_sync") => {
            vec![format!("{name}(0xffffffff, x, 1)")]
        }
        Kind::Function if name.ends_with("_sync") => vec![format!("{name}(0xffffffff, y)")],
        Kind::Function => ["", "x", "x, y", "x, y, z"]
            .iter()
            .map(|arguments| format!("{name}({arguments})"))
            .collect(),
        Kind::Header => return of_header(name, session),
        Kind::Namespace => return of_member(name, session),
        Kind::Field | Kind::Pattern => return None,
        Kind::Type => vec![format!("{name} value")],
        _ => vec![name.to_owned()],
    };
    let examples = uses.into_iter().map(|code| {
        let before = format!("#include <cuda_runtime.h>\n{head} {{\n");
        run("example.cu", &before, code, ";\n}\n", session)
    });
    best(examples)
}

/// An include; `*` stands for any name.
fn of_header(name: &str, session: &Session) -> Option<Example> {
    let code = format!("#include <{}>", name.replace('*', "any.h"));
    Some(run("example.cu", "", code, "\nint value;\n", session))
}

/// A member of a namespace, or the namespace of something; `None` when nobody has anything to say of it.
fn of_member(name: &str, session: &Session) -> Option<Example> {
    let uses = [format!("{name}(x, y)"), format!("{name}::any(x)")];
    let examples = uses.into_iter().map(|code| {
        let before = "#include <cooperative_groups.h>\n__global__ void kernel(float x, int y) {\n";
        run("example.cu", before, code, ";\n}\n", session)
    });
    best(examples.filter(|example| !example.findings.is_empty()))
}

/// A word of a build file; `None` when no rule has anything to say of it.
pub(crate) fn of_build_word(word: &str, session: &Session) -> Option<Example> {
    let makefile = |before: &str, code: &str, after: &str| {
        run("Makefile", before, code.to_owned(), after, session)
    };
    let cmake = |before: &str, code: String, after: &str| {
        run("CMakeLists.txt", before, code, after, session)
    };
    let is_library = word.starts_with("-l") || word.starts_with("-L") || word.starts_with("-I");
    let examples = if word == "nvcc" {
        vec![makefile("app: app.cu\n\t", word, " -o app app.cu\n")]
    } else if is_library {
        vec![makefile("LDLIBS = ", word, "\n")]
    } else if word.starts_with('-') {
        vec![makefile("app: app.cu\n\tnvcc ", word, " -o app app.cu\n")]
    } else {
        vec![
            cmake(
                "add_executable(app app.cu)\ntarget_link_libraries(app PRIVATE ",
                word.to_owned(),
                ")\n",
            ),
            cmake(
                "add_executable(app app.cu)\n",
                format!("{word}(CUDA)"),
                "\n",
            ),
            cmake("", format!("{word}(app app.cu)"), "\n"),
            cmake("set(", word.to_owned(), " value)\n"),
            cmake("message(STATUS ${", word.to_owned(), "})\n"),
            makefile("", word, " = value\n"),
        ]
    };
    best(
        examples
            .into_iter()
            .filter(|example| !example.findings.is_empty()),
    )
}

/// Segments that an opcode may lack which is the beginning of one: types of bits, then types of numbers, and for copies the spaces.
const ENDINGS: [&str; 13] = [
    ".b32",
    ".sync.b32",
    ".b64",
    ".b16",
    ".u32",
    ".s32",
    ".f32",
    ".u64",
    ".s64",
    ".f64",
    ".f16",
    ".f16x2",
    ".ca.shared.global",
];
const BITS: usize = 4;
/// Instructions whose types are bits.
const OF_BITS: [&str; 16] = [
    "and", "brev", "clz", "fns", "lop3", "match", "mov", "not", "or", "popc", "prmt", "selp",
    "shf", "shfl", "vote", "xor",
];

/// Operands behind an opcode: `D` and `T` are of the types that it names first and last, `R` is a register of 32 bits, `M` an address, `S` one in shared memory, `P` a
/// predicate; else what stands there.
const SHAPES: [&str; 19] = [
    "",
    "0",
    "M",
    "D, T",
    "D, M",
    "M, T",
    "D, T, T",
    "D, T, R",
    "D, M, T",
    "D, T, 0",
    "P, T, T",
    "D, P, 0xffffffff",
    "D, T, T, T",
    "D, T, R, R",
    "D, M, T, T",
    "D, T, 0, 0xffffffff",
    "D, T, R, 0x1f, 0xffffffff",
    "D, T, T, T, 0x80",
    "D|P, T, R, 0x1f, 0xffffffff",
];

/// Operands of instructions that are read with others as well, and mean something else then.
const OWN_SHAPES: [(&str, &str); 3] = [
    ("vote", "D, P, 0xffffffff"),
    ("lop3", "D, T, T, T, 0x80"),
    ("cp", "S, M, 16"),
];

/// An instruction of PTX, or the beginning of one, or a special register, in a kernel: in a form that is translated, else in one whose
/// finding says what to do. None for a word of another language.
pub(crate) fn of_instruction(word: &str, session: &Session) -> Option<Example> {
    if !crate::ptx::is_word_of_ptx(word) {
        return None;
    }
    let written = |asm: String| {
        let head = format!(
            "__global__ void kernel(unsigned r, unsigned s, float f, double g, unsigned long long l, unsigned short h, int *p, {PARAMETERS}) {{\n"
        );
        run("example.cu", &head, asm, "\n}\n", session)
    };
    if word.starts_with('%') {
        return Some(written(format!(
            "asm volatile(\"mov.u32 %0, %{word};\" : \"=r\"(r));"
        )));
    }
    // Some instructions have types of bits alone, others of numbers.
    let mnemonic = word.split('.').next().unwrap_or_default();
    let is_of_bits = OF_BITS.contains(&mnemonic);
    let (of_bits, of_numbers) = ENDINGS.split_at(BITS);
    let endings = match is_of_bits {
        true => of_bits.iter().chain(of_numbers),
        false => of_numbers.iter().chain(of_bits),
    };
    let forms = std::iter::once(&"").chain(endings).flat_map(|ending| {
        let opcode = format!("{word}{ending}");
        let own = OWN_SHAPES.iter().filter(|(name, _)| *name == mnemonic);
        let shapes = own.map(|(_, shape)| shape).chain(&SHAPES);
        shapes.map(move |shape| asm(&opcode, shape))
    });
    let forms = statements(word).into_iter().chain(forms);
    let mut best: Option<Example> = None;
    for form in forms {
        let example = written(form);
        if example.severity() < Severity::Error && example.is_changed() {
            return Some(example);
        }
        let is_better = |known: &Example| example.severity() < known.severity();
        if best.as_ref().is_none_or(is_better) {
            best = Some(example);
        }
    }
    best
}

/// A statement with an instruction.
fn asm(opcode: &str, shape: &str) -> String {
    let mut types = opcode.split('.').filter_map(operand);
    let first = types.next().unwrap_or(("r", "r"));
    let last = types.next_back().unwrap_or(first);
    let (mut outputs, mut inputs, mut used) = (Vec::new(), Vec::new(), Vec::new());
    let writes = usize::from(shape.contains('D') || shape.contains('P'));
    for letter in shape.chars().filter(|letter| "TRMS".contains(*letter)) {
        let (constraint, name) = match letter {
            'T' => last,
            'R' | 'S' => ("r", "s"),
            _ => ("l", "p"),
        };
        inputs.push(format!("\"{constraint}\"({name})"));
        used.push(match letter {
            'M' | 'S' => format!("[%{}]", inputs.len() - 1 + writes),
            _ => format!("%{}", inputs.len() - 1 + writes),
        });
    }
    let mut used = used.into_iter();
    let operands: String = shape
        .chars()
        .map(|letter| match letter {
            'D' => "%0".to_owned(),
            'P' => "p".to_owned(),
            'T' | 'R' | 'M' | 'S' => used.next().unwrap_or_default(),
            other => other.to_string(),
        })
        .collect();
    let mut text = format!("{opcode} {operands}").trim_end().to_owned() + ";";
    if shape.starts_with('P') {
        text = format!("{{ .reg .pred p; {text} selp.u32 %0, 1, 0, p; }}");
        outputs.push("\"=r\"(r)".to_owned());
    } else if shape.contains('P') {
        text = format!("{{ .reg .pred p; setp.ne.u32 p, %1, 0; {text} }}");
        inputs.insert(0, "\"r\"(s)".to_owned());
        outputs.push("\"=r\"(r)".to_owned());
    } else if writes > 0 {
        outputs.push(format!("\"={}\"({})", first.0, first.1));
    }
    match outputs.is_empty() && inputs.is_empty() {
        true => format!("asm volatile(\"{text}\");"),
        false => format!(
            "asm volatile(\"{text}\" : {} : {});",
            outputs.join(", "),
            inputs.join(", ")
        )
        .replace(" : )", ")"),
    }
}

/// The constraint and the variable for a type of PTX.
fn operand(segment: &str) -> Option<(&'static str, &'static str)> {
    Some(match segment {
        "b32" | "u32" | "s32" | "f16x2" | "bf16x2" => ("r", "r"),
        "b64" | "u64" | "s64" => ("l", "l"),
        "b16" | "u16" | "s16" | "f16" | "bf16" => ("h", "h"),
        "f32" => ("f", "f"),
        "f64" => ("d", "g"),
        _ => return None,
    })
}

/// The example that translation does most for.
fn best(examples: impl Iterator<Item = Example>) -> Option<Example> {
    examples.min_by_key(|example| (example.severity(), !example.is_changed()))
}

fn run(path: &str, before: &str, code: String, after: &str, session: &Session) -> Example {
    let source = SourceFile::new(path, format!("{before}{code}{after}").into_bytes());
    let outcome = translate(&source, session);
    let (start, end) = (before.len() as u32, (before.len() + code.len()) as u32);
    let (mut findings, mut rules) = (Vec::new(), Vec::new());
    for finding in outcome.visible() {
        if finding.range().start >= end || start >= finding.range().end {
            continue;
        }
        findings.push((
            finding.severity(),
            finding.message().into_owned(),
            finding.help().into_owned(),
        ));
        rules.push(finding.code());
    }
    let hip = after_of(&source, &outcome, start, end);
    Example {
        hip: hip.unwrap_or_else(|| code.clone()),
        cuda: code,
        findings,
        rules,
    }
}

/// What a range of the source has become.
fn after_of(source: &SourceFile, outcome: &FileOutcome, start: u32, end: u32) -> Option<String> {
    outcome.output.as_ref()?;
    let mut text = String::new();
    let mut at = start;
    for edit in outcome.edits.iter() {
        if edit.range.end < start || edit.range.start > end {
            continue;
        }
        let from = edit.range.start.max(at);
        text.push_str(&source.text(crate::text::TextRange::new(at, from)));
        text.push_str(&edit.content);
        at = edit.range.end.clamp(at, end);
    }
    text.push_str(&source.text(crate::text::TextRange::new(at, end)));
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::ApiTable;
    use crate::options::Options;

    #[test]
    fn the_commonest_names_are_answered_as_they_are_translated() {
        let session = Session::new(Options::default(), ApiTable::builtin());
        let hip = |name: &str| {
            let entry = session.table.get(name.as_bytes()).map(|hit| hit.entry);
            of_name(name, entry, &session).map(|example| example.hip)
        };
        let build = |word: &str| of_build_word(word, &session).map(|example| example.hip);
        assert_eq!(hip("cudaMalloc").as_deref(), Some("hipMalloc()"));
        assert!(hip("__shfl_down_sync").is_some_and(|text| text.starts_with("__shfl_down(x, 1")));
        assert!(hip("__ballot_sync").is_some_and(|text| text.starts_with("cass_ballot")));
        assert_eq!(build("-lcudart").as_deref(), Some("-lamdhip64"));
        assert_eq!(build("nvcc").as_deref(), Some("hipcc"));
        assert!(build("--use_fast_math").is_some_and(|text| text.contains("fast")));
        assert!(build("CUDA::cudart").is_some_and(|text| text.starts_with("hip::")));
        assert_eq!(
            build("enable_language").as_deref(),
            Some("enable_language(HIP)")
        );
        assert_eq!(build("no_word_of_cuda"), None);
    }

    #[test]
    fn instructions_are_answered_as_they_are_translated() {
        let session = Session::new(Options::default(), ApiTable::builtin());
        let answer = |word: &str| of_instruction(word, &session);
        let hip = |word: &str| answer(word).map(|example| example.hip).unwrap_or_default();
        for (word, expected) in [
            ("shfl.sync.bfly", "cass_shfl_xor_sync"),
            ("shfl.sync.bfly.b32", "cass_shfl_xor_sync"),
            ("ld.global.nc", "*"),
            ("atom.global.add", "__hip_atomic_fetch_add"),
            ("%laneid", "cass_lane_id32()"),
            ("add.rn.f32", "fadd_rn"),
            ("bar.sync", "__syncthreads()"),
            ("vote.sync.ballot", "cass_ballot_sync(0xffffffff"),
            ("lop3.b32", "&"),
            ("cvt.rn.f16.f32", "cass_f16_from_f32"),
            ("cp.async", "cass_"),
            ("mma.sync", "cass_mma<cass_mma_f16, cass_mma_f16>("),
            (
                "mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32",
                "cass_mma<cass_mma_u8, cass_mma_s8>(",
            ),
            ("ldmatrix.sync", "cass_ldmatrix<4, false>("),
            ("stmatrix.sync", "cass_stmatrix<false>("),
            ("movmatrix.sync", "cass_movmatrix(s)"),
        ] {
            assert!(hip(word).contains(expected), "{word}: {:?}", answer(word));
        }
        // What has no counterpart is told with what to do.
        for word in [
            "cp.async.bulk",
            "wgmma.mma_async",
            "mbarrier.init",
            "mma.sp",
            "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
        ] {
            let example = answer(word).unwrap();
            assert_eq!(example.severity(), Severity::Error, "{example:?}");
            assert!(
                example.findings.iter().any(|(_, _, help)| !help.is_empty()),
                "{example:?}"
            );
        }
        for word in ["add", "own.name", "%own", "cudaPointerAttributes.type"] {
            assert_eq!(answer(word), None, "{word}");
        }
    }

    /// What query and hover say by the tables is what translation does, for every name that no rule owns.
    #[test]
    fn tables_and_translation_agree_on_every_enumerator_and_type() {
        let session = Session::new(Options::default(), ApiTable::builtin());
        let rocm = session.options.rocm;
        let plain = session.table.iter().map(|hit| hit.entry).filter(|entry| {
            matches!(entry.kind, Kind::Enumerator | Kind::Type)
                && !entry.context
                && !entry.cuda.contains(['.', ':'])
                && !session.claims(entry.cuda.as_bytes())
        });
        let mut asked = 0;
        for entry in plain.step_by(7) {
            let target = entry.target(&session.options.choices, rocm, None);
            let target = target.filter(|target| target.rocm.contains(rocm));
            let example = of_name(entry.cuda, Some(entry), &session).expect("it can be written");
            let name = example.hip.trim_end_matches(" value");
            match target {
                Some(target) => assert_eq!(name, target.name, "{}", entry.cuda),
                None => assert_eq!(example.severity(), Severity::Error, "{}", entry.cuda),
            }
            asked += 1;
        }
        assert!(asked > 500, "{asked}");
    }
}
