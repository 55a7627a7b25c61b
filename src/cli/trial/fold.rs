//! What a run of `try` found, with what the port's records say of each place.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::find::Place;
use super::fix::Fixed;
use crate::cli::recorded::{Recorded, Said};
use crate::pipeline::slashed;
use crate::symptom;
use crate::text::LineCol;
use crate::trial::{Attempt, Cause, Compiler, Located, Unit, Units, Verdict, Way, causes};

/// Everything that is printed.
#[derive(Debug, JsonSchema, Serialize)]
pub(in crate::cli) struct Outcome {
    /// Version of this format; grows when a field changes its meaning.
    schema_version: u32,
    /// The compiler and its version.
    pub(super) compiler: String,
    pub(super) compiler_version: String,
    pub(super) rocm: Option<String>,
    pub(super) targets: Vec<String>,
    /// How the units were found.
    pub(super) found_by: String,
    /// What could not be found.
    pub(super) notes: Vec<String>,
    /// Sources with device code that no command compiles.
    pub(super) without_unit: Vec<String>,
    pub(super) totals: Totals,
    /// What was mended, with `--fix`.
    #[serde(skip_serializing_if = "Fixed::is_empty")]
    pub(super) fixed: Fixed,
    /// What a command was asked, with `mend`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mending: Option<Mending>,
    /// Why units fail, those that stop most units first.
    pub(super) causes: Vec<Told>,
    pub(super) units: Vec<Tried>,
}

/// Counts of units.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize)]
pub(super) struct Totals {
    pub(super) units: usize,
    pub(super) compile: usize,
    pub(super) fail: usize,
    /// A person ended the run before.
    pub(super) not_tried: usize,
    /// Units that fail at a place of which the translation said nothing.
    pub(super) silent: usize,
    /// Units that lack a header which is neither the port's nor CUDA's nor ROCm's: nothing can be said of them here.
    pub(super) lack_header: usize,
}

/// Units that fail for one reason.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Told {
    /// What the compiler says.
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// How many units it stops.
    pub(super) count: usize,
    pub(super) places: Vec<At>,
    /// What lacks is a header of others, which is not here.
    pub(super) lacks_header: bool,
    /// What is known of such messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) advice: Option<&'static str>,
}

/// A place where units stop.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct At {
    /// In the port; none where nothing of it is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    pub(super) line: u32,
    pub(super) column: u32,
    /// The line itself.
    pub(super) text: String,
    /// Where the compiler stopped in a header of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outside: Option<String>,
    /// The same place in the sources: file and line; no line where work by hand moved it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<(String, Option<u32>)>,
    /// What the translation said of it.
    pub(super) findings: Vec<Said>,
    /// The translation kept records and said nothing.
    pub(super) silent: bool,
    pub(super) units: Vec<String>,
}

/// One unit.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Tried {
    pub(super) file: String,
    /// The folder that the compiler runs in.
    folder: String,
    /// What the compiler is told beside the source, the chip and ROCm's folder.
    options: Vec<String>,
    /// `compiles`, `fails` or `not-tried`.
    pub(super) result: &'static str,
    /// `host`, or the chip.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) pass: String,
    /// All errors of the pass that were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) errors: Vec<String>,
}

/// What a command was asked about units that fail, and what became of its answers.
#[derive(Debug, JsonSchema, Serialize)]
pub(in crate::cli) struct Mending {
    /// The command, or the file of answers.
    pub(in crate::cli) command: String,
    /// In the order in which it was asked.
    pub(in crate::cli) asked: Vec<Asked>,
    /// The answers that were kept, as a unified diff.
    pub(in crate::cli) diff: String,
    /// The command of `--prove`, where it ran, and what it came to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) proof: Option<String>,
    /// Nothing was written, as `--dry-run` asks for.
    pub(in crate::cli) dry_run: bool,
}

/// A question.
#[derive(Debug, JsonSchema, Serialize)]
pub(in crate::cli) struct Asked {
    /// The unit that fails.
    pub(in crate::cli) unit: String,
    /// Whether the answer was kept.
    pub(in crate::cli) kept: bool,
    /// Why it was not.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(in crate::cli) reason: String,
    /// What the command says of its answer.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(in crate::cli) why: String,
    /// The files that it changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::cli) files: Vec<String>,
    /// How many more words of code its files had before, where it takes some away.
    #[serde(skip_serializing_if = "is_zero")]
    pub(in crate::cli) fewer_words: usize,
    /// The changes, where they were read and not kept.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(in crate::cli) refused_diff: String,
    /// The question, where it waits for an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) question: Option<serde_json::Value>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Outcome {
    pub(super) fn new(
        port: &Place,
        compiler: &Compiler,
        units: &Units,
        attempts: &[Attempt],
        without_unit: Vec<String>,
    ) -> Self {
        let records = Recorded::new(&port.out);
        let name = |unit: &Unit| slashed(unit.file.strip_prefix(&port.out).unwrap_or(&unit.file));
        let names: Vec<String> = units.units.iter().map(name).collect();
        let causes = causes(&units.units, attempts, &port.out);
        let causes: Vec<Told> = causes
            .into_iter()
            .map(|cause| told(cause, &names, &records, port))
            .collect();
        let count = |verdict| {
            attempts
                .iter()
                .filter(|attempt| attempt.verdict == verdict)
                .count()
        };
        let places = causes.iter().flat_map(|cause| &cause.places);
        let totals = Totals {
            units: attempts.len(),
            compile: count(Verdict::Compiles),
            fail: count(Verdict::Fails),
            not_tried: count(Verdict::NotTried),
            silent: places.filter(|at| at.silent).map(|at| at.units.len()).sum(),
            lack_header: causes
                .iter()
                .filter(|cause| cause.lacks_header)
                .map(|cause| cause.count)
                .sum(),
        };
        Self {
            schema_version: 1,
            compiler: compiler.program.display().to_string(),
            compiler_version: compiler.version.clone(),
            rocm: compiler
                .rocm
                .as_ref()
                .map(|rocm| rocm.display().to_string()),
            targets: compiler.targets.clone(),
            found_by: found_by(&units.way),
            notes: units.missing.clone(),
            without_unit,
            totals,
            fixed: Fixed::default(),
            mending: None,
            causes,
            units: names
                .into_iter()
                .zip(units.units.iter().zip(attempts))
                .map(|(file, (unit, attempt))| tried(file, unit, attempt))
                .collect(),
        }
    }
}

/// The JSON schema of what is printed.
pub(in crate::cli) fn schema() -> String {
    let generator = schemars::generate::SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let schema = generator.into_root_schema_for::<Outcome>();
    serde_json::to_string_pretty(&schema).expect("a schema is plain data") + "\n"
}

impl Outcome {
    /// With what was mended before.
    pub(super) fn with(self, fixed: Fixed) -> Self {
        Self { fixed, ..self }
    }

    /// With what a command was asked.
    pub(in crate::cli) fn with_mending(self, mending: Mending) -> Self {
        let mending = Some(mending);
        Self { mending, ..self }
    }
}

fn found_by(way: &Way) -> String {
    match way {
        Way::Database(file) => format!("compilation database {}", file.display()),
        Way::CMake => "CMake".to_owned(),
        Way::Make(1) => "make -n".to_owned(),
        Way::Make(folders) => format!("make -n of {folders} Makefiles"),
        Way::Includes => "sources with device code, include folders from their includes".to_owned(),
    }
}

fn tried(file: String, unit: &Unit, attempt: &Attempt) -> Tried {
    let error = |message: &symptom::Message| match &message.site {
        Some(site) => format!(
            "{}:{}:{}: {}",
            site.file, site.line, site.column, message.text
        ),
        None => message.text.clone(),
    };
    Tried {
        file,
        folder: unit.folder.display().to_string(),
        options: unit.options.clone(),
        result: match attempt.verdict {
            Verdict::Compiles => "compiles",
            Verdict::Fails => "fails",
            Verdict::NotTried => "not-tried",
        },
        pass: attempt.pass.clone(),
        errors: attempt.errors.iter().map(error).collect(),
    }
}

/// What to do about a header of others.
const OTHERS: &str = "neither the port nor ROCm has this header: install the package that has it, or name its folder for every unit: `cass-transpile try OUT -- -IDIR`";

/// The header that a message says is not there: `'a/b.h' file not found`, `a/b.h: No such file or directory`.
fn missing_header(text: &str) -> Option<&str> {
    let of_clang = text
        .strip_suffix("' file not found")
        .and_then(|text| text.strip_prefix('\''));
    of_clang.or_else(|| text.strip_suffix(": No such file or directory"))
}

/// A cause with what the port's records say of its places.
fn told(cause: Cause, names: &[String], records: &Recorded, port: &Place) -> Told {
    let advice = symptom::matching(&cause.text).first().copied();
    let count = cause.count();
    let header = advice
        .is_none()
        .then(|| missing_header(&cause.text))
        .flatten();
    let lacks_header = header.is_some_and(|header| !port.has_header(header));
    let place = |(place, units): (Option<Located>, Vec<usize>)| {
        let units: BTreeSet<&str> = units.into_iter().map(|at| names[at].as_str()).collect();
        let units = units.into_iter().map(str::to_owned).collect();
        let mut at = at(place, units, records);
        at.silent &= !lacks_header;
        at
    };
    Told {
        places: cause.places.into_iter().map(place).collect(),
        name: cause.name,
        message: cause.text,
        count,
        lacks_header,
        advice: match lacks_header {
            true => Some(OTHERS),
            false => advice.map(|symptom| symptom.remedy.as_str()),
        },
    }
}

fn at(place: Option<Located>, units: Vec<String>, records: &Recorded) -> At {
    let mut at = At {
        file: None,
        line: 0,
        column: 0,
        text: String::new(),
        outside: None,
        source: None,
        findings: Vec::new(),
        silent: records.knows_anything(),
        units,
    };
    let Some(place) = place else {
        return at;
    };
    let bytes = records.bytes(&place.file);
    let line = bytes
        .split(|byte| *byte == b'\n')
        .nth(place.line.saturating_sub(1) as usize);
    at.text = String::from_utf8_lossy(line.unwrap_or_default().trim_ascii()).into_owned();
    at.source = records.source(&place.file, place.line, &bytes);
    let (line, column) = (place.line, place.column);
    at.findings = records.said_of_call(&place.file, LineCol { line, column }, &bytes);
    // What the project says itself, by a condition: that is the place which the translation had to speak of, if it asks for CUDA.
    let is_own_error = at
        .text
        .strip_prefix('#')
        .is_some_and(|it| it.trim_start().starts_with("error"));
    if is_own_error {
        let switches = switches(&bytes, place.line);
        let lines = switches.iter().map(|(line, _)| *line);
        at.findings
            .extend(lines.flat_map(|line| records.said(&place.file, line, &bytes)));
        at.silent &= switches.iter().any(|(_, text)| asks_for_cuda(text));
    }
    if at.findings.is_empty() {
        let of_macro =
            |(file, line): &(String, u32)| records.said(file, *line, &records.bytes(file));
        at.findings = place.expanded.iter().flat_map(of_macro).collect();
    }
    if at.findings.is_empty() {
        // That a header is not for AMD stands where it is included.
        let of_include =
            |(file, line): &(String, u32)| records.said(file, *line, &records.bytes(file));
        let said = place.included_by.iter().flat_map(of_include);
        at.findings = said.filter(|it| it.severity != "info").collect();
    }
    at.silent &= at.findings.is_empty();
    (at.line, at.column, at.outside) = (place.line, place.column, place.outside);
    at.file = Some(place.file);
    at
}

/// The conditions that switch a line, from 1, on or off, the innermost group's: each with its line.
fn switches(bytes: &[u8], line: u32) -> Vec<(u32, String)> {
    let (mut found, mut depth) = (Vec::new(), 0_usize);
    let above = bytes.split(|byte| *byte == b'\n').zip(1_u32..);
    let above: Vec<_> = above.take(line.saturating_sub(1) as usize).collect();
    for (text, line) in above.into_iter().rev() {
        let Some(directive) = text.trim_ascii_start().strip_prefix(b"#") else {
            continue;
        };
        let directive = directive.trim_ascii_start();
        let opens = directive.starts_with(b"if");
        if directive.starts_with(b"endif") {
            depth += 1;
        } else if opens && depth > 0 {
            depth -= 1;
        } else if depth == 0 && (opens || directive.starts_with(b"el")) {
            found.push((line, String::from_utf8_lossy(directive).into_owned()));
            if opens {
                break;
            }
        }
    }
    found
}

/// Whether a condition asks for CUDA, its compiler or a library of it.
fn asks_for_cuda(text: &str) -> bool {
    let text = text.to_ascii_uppercase();
    ["CUD", "NVCC", "CUBLAS", "NVIDIA", "THRUST", "CUB_"]
        .iter()
        .any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_switched_by_the_conditions_of_its_group() {
        let text = b"#if A\n#if B\n#endif\n# elif CUDART_VERSION\n#error no\n#endif\n";
        let found = switches(text, 5);
        let lines: Vec<u32> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [4, 1]);
        assert!(asks_for_cuda(&found[0].1) && !asks_for_cuda(&found[1].1));
        assert!(switches(text, 7).is_empty() && switches(b"", 3).is_empty());
    }
}
