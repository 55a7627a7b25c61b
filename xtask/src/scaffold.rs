//! New rules and helpers with all their files, so that nobody has to know where each lies.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};

use crate::steps::{list_rules, root};

/// Writes `src/rules/{group}/{name}.rs`, two fixtures and an item of the catalogue.
///
/// # Errors
/// When the group does not exist, the name is taken or no name, or a file cannot be written.
pub fn rule(group: &str, name: &str) -> Result<()> {
    let is_name = name
        .bytes()
        .all(|byte| byte == b'-' || byte.is_ascii_lowercase() || byte.is_ascii_digit());
    ensure!(
        is_name && !name.is_empty(),
        "`{name}` is no name in kebab case"
    );
    let folder = root().join("src/rules").join(group);
    ensure!(
        folder.join("mod.rs").is_file(),
        "there is no folder src/rules/{group}"
    );
    let code = free_code(&folder)?;
    let file = folder.join(format!("{}.rs", name.replace('-', "_")));
    create(&file, &RULE.replace("CODE", &code))?;
    let fixtures = root().join("fixtures/rules").join(name);
    fs::create_dir_all(&fixtures)?;
    create(&fixtures.join("invalid-basic.cu"), INVALID)?;
    create(&fixtures.join("valid-basic.cu"), VALID)?;
    let catalogue = root().join("fixtures/catalogue.toml");
    let mut text = fs::read_to_string(&catalogue)?;
    text.push_str(&ITEM.replace("CODE", &code).replace("NAME", name));
    fs::write(&catalogue, text)?;
    println!(
        "fixtures/catalogue.toml: an item at the end; give it its number, title, effect and answer"
    );
    list_rules()
}

/// The code behind the last one of the folder that no rule has.
fn free_code(folder: &Path) -> Result<String> {
    let all = codes(folder.parent().context("a group lies in a folder")?)?;
    let of_group = codes(folder)?;
    let last = of_group
        .last()
        .context("the first rule of a group needs a code chosen by hand")?;
    let free = (last + 1..1000).find(|code| !all.contains(code));
    free.map(|code| format!("CASS{code:03}"))
        .context("no code is free behind those of the group")
}

/// The numbers of the codes in the files of a folder, sorted.
fn codes(folder: &Path) -> Result<Vec<u16>> {
    let mut found = Vec::new();
    for item in walkdir::WalkDir::new(folder) {
        let item = item?;
        if item.path().extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(item.path())?;
            let codes = text.split("code: \"CASS").skip(1);
            found.extend(codes.filter_map(|rest| rest.get(..3)?.parse::<u16>().ok()));
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Writes `src/compat/{subject}/cass_{function}.hpp`.
///
/// # Errors
/// When the folder does not exist, the snippet does, or it cannot be written.
pub fn helper(subject: &str, function: &str) -> Result<()> {
    let folder = root().join("src/compat").join(subject);
    ensure!(
        folder.is_dir(),
        "there is no folder src/compat/{subject}; create it if the subject is new"
    );
    let name = format!("cass_{}", function.trim_start_matches('_'));
    create(
        &folder.join(format!("{name}.hpp")),
        &HELPER.replace("NAME", &name).replace("FUNCTION", function),
    )?;
    println!("add a case to tests/compat/: `every_snippet_is_tested` names what lacks one");
    Ok(())
}

/// Writes a file that is not there yet.
fn create(path: &Path, text: &str) -> Result<()> {
    if path.exists() {
        bail!("{} exists", path.display());
    }
    fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

const RULE: &str = r#"//! One sentence that says what in CUDA code this is about.
//!
//! ## Why on AMD
//! What clang, HIP or the hardware does otherwise, with the words of the error message if there is one.
//!
//! ## Example
//! ```cuda
//! before();
//! ```
//! becomes
//! ```hip
//! after();
//! ```
//!
//! ## When to ignore
//! When a person may leave it.
//!
//! ## Source
//! Document and release, or header.

use crate::rules::prelude::*;

/// What it does, in one sentence.
pub static RULE: Rule = Rule {
    code: "CODE",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    // What is true of it whatever it finds, `Fact` lists it: does nvcc read what its fix writes, is it decided by a port …
    facts: &[],
    checks: &[Check::Idents(&["before"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let finding = RULE
        .finding(cx.range(index), "what is wrong here")
        .help("what to do about it");
    cx.report(finding);
}
"#;

const INVALID: &str =
    "#include <cuda_runtime.h>\n\n// The rule speaks here.\nvoid f() {\n  before();\n}\n";
const VALID: &str =
    "#include <cuda_runtime.h>\n\n// The rule is silent here.\nvoid f() {\n  other();\n}\n";

const ITEM: &str = "
[[item]]
number = \"NAME\"
title = \"What it is\"
effect = \"W\"
answer = \"review\"
rules = [\"CODE\"]
code = '''
#include <cuda_runtime.h>
void f() { before(); }
'''
";

const HELPER: &str = "// name: NAME
// provides: NAME
// replaces: FUNCTION
// summary: What it computes, in one sentence.
// source: document that defines FUNCTION
__device__ inline unsigned NAME(unsigned value)
{
    return value;
}
";
