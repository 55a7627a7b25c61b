//! What other programs rely on: the items at the root of the crate, used as such a program uses them.

use cass_transpile::{Error, Finding, Severity, Translation, Translator};

const LEFT: &str = "void f() { cudaDeviceFlushGPUDirectRDMAWrites(t, o); }";

fn translated(translator: &Translator, source: &str) -> Translation {
    translator.translate("k.cu", source).expect("a translation")
}

fn found(translation: &Translation, code: &str) -> Finding {
    let findings = translation.findings.iter();
    let mut of_code = findings.filter(|finding| finding.code == code);
    of_code.next().expect("a finding").clone()
}

fn refused(settings: &str, tables: &[(&str, &str)]) -> String {
    let refused = Translator::with_settings_and_tables(settings, tables);
    let error: Error = refused.err().expect("an error");
    error.to_string()
}

#[test]
fn settings_hold_and_wrong_ones_are_named() {
    let severity = |settings: &str| {
        let translator = Translator::with_settings(settings).expect("settings");
        found(&translated(&translator, LEFT), "CASS003").severity
    };
    assert_eq!(severity(""), Severity::Error);
    assert_eq!(severity("[rules]\nwarn = [\"CASS003\"]"), Severity::Warning);
    assert_eq!(
        refused("[translate]\nwrap = \"native\"", &[]),
        "settings:2:1: unknown key `wrap`; did you mean `warp`?"
    );
    assert!(refused("[translate]\nrocm = \"99\"", &[]).starts_with("settings: "));
    assert!(refused("[translate]\nmappings = [\"a.toml\"]", &[]).contains("as tables"));
    assert!(refused("", &[("my.toml", "nonsense")]).starts_with("my.toml:1:"));
}

#[test]
fn tables_of_ones_own_come_on_top_in_both_directions() {
    let table = "library = \"runtime\"\n[functions]\ncudaMine = { hip = \"hipMine\" }\n";
    let output = |settings: &str, source: &str| {
        let tables = [("my.toml", table)];
        let translator = Translator::with_settings_and_tables(settings, &tables);
        String::from_utf8(translated(&translator.expect("a table"), source).output)
    };
    let cuda = "#include <cuda_runtime.h>\nint x = cudaMine(0);";
    let hip = "#include <hip/hip_runtime.h>\nint x = hipMine(0);";
    assert_eq!(output("", cuda).as_deref(), Ok(hip));
    assert_eq!(output("translate.reverse = true", hip).as_deref(), Ok(cuda));
}

#[test]
fn places_count_bytes_and_units_of_utf16() {
    let source = "/* \u{1f40c} */ int x = cudaFree(0);";
    let finding = found(&translated(&Translator::new(), source), "CASS001");
    assert_eq!(&source[finding.range.clone()], "cudaFree");
    let columns = (finding.start.column, finding.start.utf16_column);
    assert_eq!(columns, (20, 18));
    assert!(finding.is_fixed);
    assert_eq!(finding.page, cass_transpile::rules::page("CASS001"));
}

#[test]
fn a_text_without_cuda_comes_back_and_helpers_bring_their_header() {
    let translator = Translator::new();
    let plain = translated(&translator, "\u{ff} int x;");
    assert_eq!(plain.output, "\u{ff} int x;".as_bytes());
    assert!(!plain.is_changed && plain.header.is_none() && plain.findings.is_empty());
    let source = "__device__ float f(float x, float y) { return __fadd_rd(x, y); }";
    let done = translated(&translator, source);
    let header = done.header.expect("a helper");
    assert!(header.contains("__device__"));
    assert!(String::from_utf8_lossy(&done.output).contains("cass_hip_compat.hpp"));
    assert!(done.is_changed && done.summary.contains("1 file"));
}
