use crate::diagnostic::{Judged, Severity};
use crate::edit::Applicability;
use crate::engine::FileOutcome;
use crate::engine::Session;
use crate::engine::translate;
use crate::engine::{annotated, suppressing};
use crate::mapping::ApiTable;
use crate::options::Options;
use crate::text::SourceFile;

const GONE: &str = "cudaDeviceFlushGPUDirectRDMAWrites(t, o);";

fn outcome(text: &str) -> (SourceFile, FileOutcome) {
    let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
    let session = Session::new(Options::default(), ApiTable::builtin());
    let outcome = translate(&source, &session);
    (source, outcome)
}

/// Lines and codes of what a person sees.
fn seen(text: &str) -> Vec<(u32, &'static str)> {
    let (source, outcome) = outcome(text);
    let loud = outcome
        .visible()
        .filter(|finding| finding.severity() > Severity::Info);
    loud.map(|finding| (source.line_col(finding.range().start).line, finding.code()))
        .collect()
}

/// Adds suppressions for everything that is seen and returns the new text.
fn added(text: &str) -> String {
    let (source, outcome) = outcome(text);
    let loud: Vec<&Judged> = outcome
        .visible()
        .filter(|finding| finding.severity() > Severity::Info)
        .collect();
    assert!(!loud.is_empty(), "{text}");
    let bytes = suppressing(&source, &loud, "known").expect("there are findings");
    String::from_utf8(bytes).expect("text stays text")
}

#[test]
fn each_form_covers_its_lines() {
    assert_eq!(
        seen(&format!("{GONE}\n{GONE}\n")),
        [(1, "CASS003"), (2, "CASS003")]
    );
    assert_eq!(
        seen(&format!("{GONE} // cass: ignore[CASS003]\n{GONE}\n")),
        [(2, "CASS003")]
    );
    assert_eq!(
        seen(&format!(
            "// cass: ignore-next-line\n\n// why\n{GONE}\n{GONE}\n"
        )),
        [(5, "CASS003")]
    );
    assert_eq!(
        seen(&format!("{GONE}\n{GONE}\n/* cass: ignore-file[api] */\n")),
        []
    );
    assert_eq!(
        seen(&format!("// cass: off\n{GONE}\n// cass: on\n{GONE}\n")),
        [(4, "CASS003")]
    );
    assert_eq!(
        seen(&format!("// cass: off\n{GONE}\n{GONE}\n")),
        [(1, "CASS702")]
    );
}

#[test]
fn regions_nest_by_code() {
    let text = format!(
        "// cass: off[review-api]\n// cass: off[api]\n{GONE}\n// cass: on[api]\n{GONE}\n// cass: on\n"
    );
    assert_eq!(seen(&text), [(1, "CASS701"), (5, "CASS003")]);
}

#[test]
fn a_region_within_one_of_the_same_rules_covers_nothing_more() {
    let off = "// cass: off[CASS003]\n";
    let on = "// cass: on[CASS003]\n";
    assert_eq!(
        seen(&format!("{off}{off}{GONE}\n{on}{GONE}\n{on}{GONE}\n")),
        [(7, "CASS003")]
    );
    assert_eq!(
        seen(&format!("{off}{off}{GONE}\n// cass: on\n{GONE}\n")),
        [(5, "CASS003")]
    );
    let (source, _) = outcome(&off.repeat(1000));
    let suppressions = super::Suppressions::new(&crate::engine::route::Reading::new(&source));
    assert_eq!(suppressions.scopes.len(), 1);
}

#[test]
fn ignored_code_converts_and_code_that_is_off_does_not() {
    let text =
        "#include <cuda_runtime.h>\nint f(void *p) { return cudaFree(p); } // cass: ignore\n";
    let output = outcome(text).1.output.expect("it converts");
    assert!(String::from_utf8_lossy(&output).contains("hipFree"));
    let (source, outcome) = outcome(&format!(
        "// cass: off\n{text}// cass: on\nint g(void *p) {{ return cudaFree(p); }}\n"
    ));
    let output = String::from_utf8(outcome.output.expect("the end converts")).expect("UTF-8");
    let kept = String::from_utf8_lossy(&source.bytes[..60]).into_owned();
    assert!(
        output.contains(&kept)
            && output.contains("return cudaFree(p); } // cass")
            && output.ends_with("hipFree(p); }\n"),
        "{output}"
    );
}

#[test]
fn silence_does_not_make_a_program_more_portable() {
    let (source, outcome) = outcome(&format!("{GONE} // cass: ignore[CASS003] known\n"));
    let report = crate::report::file_report(&source, &outcome, None, Severity::Warning);
    assert_eq!(
        (
            report.counts.manual,
            report.counts.errors,
            report.counts.suppressed
        ),
        (1, 0, 1)
    );
    assert!(report.findings.is_empty());
}

#[test]
fn the_comments_themselves_can_be_suppressed() {
    assert_eq!(
        seen("// cass: ignore[review-api]\nint cudaX;\n"),
        [(1, "CASS701")]
    );
    assert_eq!(
        seen("// cass: ignore[review-api]\n// cass: ignore-file[CASS701]\nint cudaX;\n"),
        []
    );
}

#[test]
fn added_comments_stand_before_the_statement() {
    let text = added(&format!("void f() {{\r\n\tint a;\r\n\t{GONE}\r\n}}\r\n"));
    assert_eq!(
        text,
        format!(
            "void f() {{\r\n\tint a;\r\n\t// cass: ignore-next-line[CASS003] known\r\n\t{GONE}\r\n}}\r\n"
        )
    );
    assert_eq!(seen(&text), []);
}

#[test]
fn added_comments_stay_out_of_macros_and_strings() {
    let cases = [
        format!("#define A(t, o) \\\n  int x; \\\n  {GONE} \\\n  {GONE}\n"),
        format!("#define A /* a\n b */ {GONE}\n"),
        format!("const char *s = R\"(\n text\n)\"; {GONE}\n"),
        format!("/* a\n b */ {GONE}\n"),
        format!("int cuda; // a \\\n still a comment\n{GONE}"),
        format!("#if A && \\\n  B\n{GONE}\n#endif\n"),
        format!("\u{feff}{GONE}\n"),
        format!("f(1,\n  2,\n  {GONE}\n"),
        format!("#define A {GONE}"),
    ];
    for case in cases {
        let text = added(&case);
        assert_eq!(seen(&text), [], "{text}");
        let comments = text.lines().filter(|line| {
            line.trim_start_matches('\u{feff}')
                .trim_start()
                .starts_with("// cass:")
        });
        assert_eq!(comments.count(), 1, "{text}");
        let text = text.trim_start_matches('\u{feff}');
        let without: String = text
            .split_inclusive('\n')
            .filter(|line| !line.contains("// cass:"))
            .collect();
        assert_eq!(
            without,
            case.trim_start_matches('\u{feff}'),
            "only a line was added"
        );
    }
}

#[test]
fn reasons_stay_on_their_line() {
    let (source, outcome) = outcome(&format!("{GONE}\n"));
    let findings: Vec<&Judged> = outcome
        .visible()
        .filter(|finding| finding.severity() > Severity::Info)
        .collect();
    let bytes = suppressing(&source, &findings, "two\nlines \\").expect("a finding");
    assert_eq!(
        String::from_utf8_lossy(&bytes),
        format!("// cass: ignore-next-line[CASS003] two lines\n{GONE}\n")
    );
}

#[test]
fn blanks_behind_a_backslash_continue_a_line_too() {
    let text = added(&format!("int a; \\ \n{GONE}\n"));
    assert!(!text.contains("\\ \n//"), "{text}");
}

#[test]
fn a_finding_that_the_level_of_fixes_raises_is_covered_too() {
    let text = "#include <cuda_runtime.h>\n// cass: ignore-next-line[CASS205] known\n\
        size_t bytes(int block, cudaDeviceProp &prop) { return block / prop.warpSize * sizeof(float); }\n\
        __device__ float sum(float v) { return v + __shfl_xor_sync(0xffffffff, v, 1); }\n";
    let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
    let options = Options {
        fix_level: Applicability::Safe,
        ..Options::default()
    };
    let outcome = translate(&source, &Session::new(options, ApiTable::builtin()));
    let loud = outcome
        .visible()
        .filter(|finding| finding.severity() > Severity::Info);
    assert_eq!(loud.map(|it| it.code()).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn a_file_in_utf16_gets_no_comments() {
    let text = "\u{feff}#include <cuda_runtime.h>\n";
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let source = SourceFile::new("a.cu", bytes);
    let session = Session::new(Options::default(), ApiTable::builtin());
    let outcome = translate(&source, &session);
    let findings: Vec<&Judged> = outcome.visible().collect();
    assert_eq!(
        findings.iter().map(|it| it.code()).collect::<Vec<_>>(),
        ["CASS130"]
    );
    assert_eq!(suppressing(&source, &findings, "known"), None);
    assert_eq!(annotated(&source, &outcome), source.bytes);
}
