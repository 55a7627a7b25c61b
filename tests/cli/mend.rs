//! `mend`: what becomes of the answers of a command. Scripts play the compiler and the command, so that neither ROCm nor a network is
//! needed; a real compiler is asked in `tests/proofs/mend.rs`.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::common::Tree;

/// Reads the text that the overlay has for the source, else the source, and fails on the lines that say `broken`, as often as files that
/// it includes do. What it read it lists.
const COMPILER: &str = r#"#!/bin/sh
case "$*" in *--version*) echo "fake clang version 19"; exit 0;; esac
for last; do :; done
prev=; for word; do
  [ "$prev" = -MF ] && list=$word
  [ "$prev" = -ivfsoverlay ] && overlay=$word
  prev=$word
done
now() {
  text=
  [ -n "$overlay" ] && text=$(tr '}' '\n' < "$overlay" | grep -F "\"name\":\"$1\"" | sed 's/.*"external-contents":"\([^"]*\)".*/\1/')
  echo "${text:-$1}"
}
folder=$(dirname "$last")
files=$last
for name in $(sed -n 's|^#include "\(.*\)"|\1|p' "$(now "$last")"); do files="$files $folder/$name"; done
echo "x: $files" > "$list"
bad=0
for file in $files; do
  grep -n broken "$(now "$file")" > "$list.found" && bad=1
  sed "s|^\([0-9]*\):.*|$file:\1:1: error: use of undeclared identifier 'broken'|" "$list.found" >&2
done
rm -f "$list.found"
exit $bad
"#;

/// A kernel whose unit does not compile.
const KERNEL: &str = "#include <cuda_runtime.h>\n__global__ void k(int *x) { x[0] = 1; }\nvoid f(int *x) { k<<<1, 1>>>(x); broken(x); cudaDeviceSynchronize(); }\n";
const EDIT: &str =
    r#"{"edits": [{"path": "a.cu", "old": "broken(x); ", "new": ""}], "why": "nobody has it"}"#;

/// A port with a compiler beside it, and a command that prints a text.
fn lab(files: &[(&str, &str)], answer: &str) -> Tree {
    let tree = Tree::new(files);
    tree.write("rocm/include/hip/hip_runtime.h", b"");
    script(&tree, "rocm/llvm/bin/clang++", COMPILER);
    tree.write("answer", answer.as_bytes());
    script(&tree, "ask", "#!/bin/sh\ncat > question.json\ncat answer\n");
    let done = tree.run(&["src", "out"]);
    assert!(done.code < 2, "{}", done.err);
    tree
}

fn script(tree: &Tree, name: &str, text: &str) {
    tree.write(name, text.as_bytes());
    fs::set_permissions(tree.path(name), fs::Permissions::from_mode(0o755)).unwrap();
}

fn mended(tree: &Tree, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_cass-transpile"))
        .current_dir(tree.folder.path())
        .env("CASS_TRY_CACHE", tree.path("cache"))
        .env("PATH", "/usr/bin:/bin")
        .args(["mend", "out", "--rocm-path", "rocm"])
        .args(["--units", "includes", "--with", "./ask"])
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().unwrap(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// What the server for agents answers to calls of its tool, one after the other.
fn by_agent(tree: &Tree, calls: &[serde_json::Value]) -> Vec<serde_json::Value> {
    let lines: Vec<String> = calls
        .iter()
        .zip(1..)
        .map(|(arguments, id)| {
            let params = serde_json::json!({"name": "mend", "arguments": arguments});
            serde_json::json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
        })
        .collect();
    tree.write("calls", (lines.join("\n") + "\n").as_bytes());
    let output = Command::new(env!("CARGO_BIN_EXE_cass-transpile"))
        .current_dir(tree.folder.path())
        .env("CASS_TRY_CACHE", tree.path("cache"))
        .env("PATH", "/usr/bin:/bin")
        .args(["mcp", "--root", "."])
        .stdin(fs::File::open(tree.path("calls")).unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let results = answers.map(|answer: serde_json::Value| answer["result"].clone());
    results.collect()
}

fn json(tree: &Tree, arguments: &[&str]) -> (i32, serde_json::Value) {
    let (code, out, err) = mended(tree, &[&["--output-format", "json"], arguments].concat());
    let found = serde_json::from_str(&out);
    (
        code,
        found.unwrap_or_else(|error| panic!("{error}: {out}{err}")),
    )
}

#[test]
fn an_answer_that_is_proved_is_kept_and_shown() {
    let tree = lab(
        &[
            ("src/a.cu", KERNEL),
            (
                "src/b.cu",
                "#include <cuda_runtime.h>\nint a = cudaSuccess;\n",
            ),
        ],
        EDIT,
    );
    let before = tree.read("out/a.cu");
    let (code, text, err) = mended(&tree, &["--dry-run"]);
    assert_eq!(
        (code, tree.read("out/a.cu")),
        (0, before.clone()),
        "{text}{err}"
    );
    assert!(text.contains("1 of 1 answer would be kept"), "{text}");
    let (code, text, err) = mended(&tree, &[]);
    assert_eq!(code, 0, "{text}{err}");
    for expected in [
        "--- a/a.cu\n+++ b/a.cu\n",
        "kept: a.cu: changes a.cu: it says: nobody has it\n",
        "  look: 5 fewer words of code than before\n",
        "1 of 1 answer kept: they compile; what they compute was compared with nothing (--prove)\n",
        "2 of 2 units compile for gfx90a\n",
    ] {
        assert!(text.contains(expected), "no {expected:?} in {text}");
    }
    assert_eq!(tree.read("out/a.cu"), before.replace("broken(x); ", ""));
    // The next translation keeps it as it keeps work by hand.
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert_eq!(tree.read("out/a.cu"), before.replace("broken(x); ", ""));
    // There is nothing to ask about any more.
    fs::remove_file(tree.path("question.json")).unwrap();
    assert_eq!(mended(&tree, &[]).0, 0);
    assert!(!tree.path("question.json").exists());
}

#[test]
fn an_agent_gets_questions_and_its_answers_are_looked_at() {
    let tree = lab(&[("src/a.cu", KERNEL)], "");
    let before = tree.read("out/a.cu");
    let answer: serde_json::Value = serde_json::from_str(EDIT).unwrap();
    let of = |answers: serde_json::Value, write: bool| serde_json::json!({"port": "out", "rocm_path": "rocm", "units": "includes", "answers": answers, "write": write});
    let worse =
        serde_json::json!({"edits": [{"path": "a.cu", "old": "broken(x)", "new": "broken(0)"}]});
    let calls = [
        of(serde_json::json!({}), false),
        of(serde_json::json!({"a.cu": worse}), true),
        of(serde_json::json!({"a.cu": answer}), false),
    ];
    let said = by_agent(&tree, &calls);
    let question = &said[0]["structuredContent"]["units"][0]["question"];
    assert_eq!(
        question["errors"][0]["text"], "use of undeclared identifier 'broken'",
        "{said:?}"
    );
    let refused = &said[1]["structuredContent"];
    assert!(
        refused["units"][0]["kept"] == false && refused["written"] == false,
        "{refused}"
    );
    let kept = &said[2]["structuredContent"];
    assert!(
        kept["units"][0]["kept"] == true && kept["written"] == false,
        "{kept}"
    );
    assert_eq!(tree.read("out/a.cu"), before);
    let said = by_agent(&tree, &[of(serde_json::json!({"a.cu": answer}), true)]);
    assert_eq!(said[0]["structuredContent"]["written"], true, "{said:?}");
    assert_eq!(tree.read("out/a.cu"), before.replace("broken(x); ", ""));
}

#[test]
fn a_question_says_what_is_known() {
    let tree = lab(&[("src/a.cu", KERNEL)], "{}");
    tree.write(
        "out/a.cu",
        format!("// mine\n{}", tree.read("out/a.cu")).as_bytes(),
    );
    let (code, found) = json(&tree, &["--", "-DX"]);
    assert_eq!(
        (code, &found["mending"]["asked"][0]["reason"]),
        (1, &"it changes nothing".into()),
        "{found}"
    );
    let question: serde_json::Value = serde_json::from_str(&tree.read("question.json")).unwrap();
    let schema: serde_json::Value =
        serde_json::from_str(&tree.run(&["schema", "mend"]).out).unwrap();
    let validator = jsonschema::validator_for(&schema["properties"]["question"]).unwrap();
    assert!(validator.is_valid(&question), "{question}");
    assert_eq!(
        (&question["unit"], &question["pass"]),
        (&"a.cu".into(), &"host".into())
    );
    assert_eq!(
        question["options"].as_array().unwrap().last().unwrap(),
        "-DX"
    );
    assert_eq!(
        question["errors"][0]["text"],
        "use of undeclared identifier 'broken'"
    );
    assert_eq!(question["errors"][0]["file"], "a.cu");
    assert_eq!(question["files"][0]["text"], tree.read("out/a.cu"));
    assert_eq!(question["files"][0]["by_hand"], serde_json::json!([[1, 1]]));
    let names: Vec<&str> = question["names"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["cuda"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["cudaDeviceSynchronize", "cudaThreadSynchronize"],
        "{question}"
    );
    let answer = jsonschema::validator_for(&schema["properties"]["answer"]).unwrap();
    assert!(answer.is_valid(&serde_json::from_str(EDIT).unwrap()));
}

/// Each changes nothing, and is named.
#[test]
fn answers_that_prove_nothing_change_nothing() {
    let whole =
        |text: &str| serde_json::json!({"files": [{"path": "a.cu", "text": text}]}).to_string();
    let edit = |path: &str, old: &str, new: &str| {
        serde_json::json!({"edits": [{"path": path, "old": old, "new": new}]}).to_string()
    };
    let good = "#include <hip/hip_runtime.h>\n__global__ void k(int *x) { x[0] = 1; }\n";
    let files = [("src/a.cu", KERNEL), ("src/n.txt", "text\n")];
    for (answer, expected) in [
        (String::new(), "it answers nothing"),
        ("Sure, here you are:\n{}".to_owned(), "its answer is none"),
        ("{".to_owned(), "its answer is none"),
        (edit("../src/a.cu", "broken", "f"), "is no path from the root of the port"),
        (edit("a.cu", "broken(x)", "broken(0)"), "the unit still fails with it, for host"),
        (edit("a.cu", "nowhere", ""), "an edit fits nowhere"),
        (whole(good), "`f` is no longer defined with it"),
        (edit("a.cu", "k<<<1, 1>>>(x); broken(x);", ""), "it leaves 0 of 1 launches of kernels"),
        (
            edit("a.cu", "x[0] = 1; }\nvoid f(int *x) { k<<<1, 1>>>(x); broken(x);", "}\nvoid f(int *x) { k<<<1, 1>>>(x);"),
            "`k` does nothing with it",
        ),
        (edit("n.txt", "text", "other"), "the unit still fails"),
        (
            r#"{"edits": [{"path": "n.txt", "old": "text", "new": "x"}, {"path": "a.cu", "old": "broken(x); ", "new": ""}]}"#.to_owned(),
            "n.txt: the compiler does not read it for the unit",
        ),
    ] {
        let tree = lab(&files, &answer);
        let before = [tree.read("out/a.cu"), tree.read("out/n.txt"), tree.read("src/a.cu")];
        let (code, text, err) = mended(&tree, &[]);
        assert!(code == 1 && text.contains(expected), "{answer}: {text}{err}");
        assert!(text.contains("not kept: a.cu: "), "{text}");
        assert_eq!([tree.read("out/a.cu"), tree.read("out/n.txt"), tree.read("src/a.cu")], before);
    }
}

#[test]
fn a_command_that_misbehaves_is_named() {
    for (body, expected) in [
        ("exit 3", "the command gives no answer: exit code 3"),
        (
            "echo out of tokens >&2; exit 1",
            "exit code 1: out of tokens",
        ),
        ("kill -SEGV $$", "signal 11"),
        ("sleep 100", "the command gives no answer: out of time"),
        ("yes", "more output than allowed"),
        ("head -c 3000 /dev/urandom", "its answer is none"),
    ] {
        let tree = lab(&[("src/a.cu", KERNEL)], "");
        script(&tree, "ask", &format!("#!/bin/sh\n{body}\n"));
        let before = tree.read("out/a.cu");
        let (code, text, err) = mended(&tree, &["--answer-timeout", "2"]);
        assert!(code == 1 && text.contains(expected), "{body}: {text}{err}");
        assert_eq!(tree.read("out/a.cu"), before);
    }
    let tree = lab(&[("src/a.cu", KERNEL)], "");
    fs::remove_file(tree.path("ask")).unwrap();
    let (code, text, err) = mended(&tree, &[]);
    assert!(
        code == 2 && text.is_empty() && err.contains("cannot be started"),
        "{text}{err}"
    );
}

#[test]
fn lines_by_hand_stay_unless_that_is_asked_for() {
    let tree = lab(&[("src/a.cu", KERNEL)], EDIT);
    tree.write(
        "out/a.cu",
        tree.read("out/a.cu")
            .replace("broken(x);", "broken(x); /* mine */")
            .as_bytes(),
    );
    let before = tree.read("out/a.cu");
    let (code, text, _) = mended(&tree, &[]);
    assert!(
        code == 1 && text.contains("a.cu:3: this line was written by hand"),
        "{text}"
    );
    assert_eq!(tree.read("out/a.cu"), before);
    assert_eq!(mended(&tree, &["--by-hand"]).0, 0);
    assert!(
        tree.read("out/a.cu").contains("; /* mine */") && !tree.read("out/a.cu").contains("broken")
    );
    // A file that nobody translated, and a port without records.
    let tree = lab(&[("src/a.cu", KERNEL)], EDIT);
    fs::remove_dir_all(tree.path("out/.cass")).unwrap();
    let (code, text, err) = mended(&tree, &[]);
    assert!(
        code == 2 && text.is_empty() && err.contains("no records of a translation"),
        "{err}"
    );
}

#[test]
fn a_unit_that_compiled_goes_on_compiling() {
    let shared =
        "#pragma once\n#include <cuda_runtime.h>\ninline int g() { return cudaSuccess; }\n";
    let user = "#include \"h.h\"\nint u() { return g(); }\n";
    let failing = "#include \"h.h\"\nint v() { return broken(); }\n";
    let answer = r#"{"edits": [{"path": "b.cu", "old": "broken()", "new": "g(1)"}, {"path": "h.h", "old": "inline int g()", "new": "inline int g(int = BROKEN)"}]}"#;
    let tree = lab(
        &[
            ("src/a.cu", user),
            ("src/b.cu", failing),
            ("src/h.h", shared),
        ],
        answer,
    );
    // The compiler refuses what includes this, but in b.cu.
    let strict = COMPILER.replace("bad=0\n", "bad=0\ncase \"$last\" in *a.cu) grep -q BROKEN \"$(now \"$folder/h.h\")\" && { echo \"$last:1:1: error: no BROKEN\" >&2; bad=1; };; esac\n");
    script(&tree, "rocm/llvm/bin/clang++", &strict);
    let before = [tree.read("out/b.cu"), tree.read("out/h.h")];
    let (code, text, err) = mended(&tree, &[]);
    assert!(
        code == 1 && text.contains("not kept: b.cu: a.cu fails by it: "),
        "{text}{err}"
    );
    assert_eq!([tree.read("out/b.cu"), tree.read("out/h.h")], before);
}

#[test]
fn one_answer_may_mend_many_units_and_each_place_is_asked_about_once() {
    let header = "#pragma once\n#include <cuda_runtime.h>\ninline int g() { return cudaSuccess; } // broken\n";
    let user = "#include \"h.h\"\nint u() { return g(); }\n";
    let files = [("src/a.cu", user), ("src/b.cu", user), ("src/h.h", header)];
    let answer = r#"{"edits": [{"path": "h.h", "old": " // broken", "new": ""}]}"#;
    let tree = lab(&files, answer);
    let (code, found) = json(&tree, &[]);
    assert_eq!(
        (code, &found["totals"]["compile"]),
        (0, &2.into()),
        "{found}"
    );
    assert_eq!(
        found["mending"]["asked"].as_array().unwrap().len(),
        1,
        "{found}"
    );
    let tree = lab(&files, "{}");
    let (_, found) = json(&tree, &[]);
    let reason = found["mending"]["asked"][1]["reason"].as_str().unwrap();
    assert!(reason.starts_with("fails as a.cu does"), "{found}");
}

#[test]
fn what_was_wrong_is_told_at_the_next_try() {
    let tree = lab(&[("src/a.cu", KERNEL)], "{}");
    let ask = format!(
        "#!/bin/sh\nif grep -q 'it changes nothing'; then cat <<'X'\n{EDIT}\nX\nelse echo '{{}}'; fi\n"
    );
    script(&tree, "ask", &ask);
    let (code, found) = json(&tree, &["--tries", "3"]);
    let asked = found["mending"]["asked"].as_array().unwrap();
    assert_eq!((code, asked.len()), (0, 2), "{found}");
    assert_eq!(
        (&asked[0]["kept"], &asked[1]["kept"]),
        (&false.into(), &true.into())
    );
}

#[test]
fn a_proof_runs_in_a_copy_and_decides() {
    let tree = lab(
        &[
            ("src/a.cu", KERNEL),
            (
                "src/run.sh",
                "grep -q broken a.cu && exit 4\ntouch made\nexit \"$1\"\n",
            ),
        ],
        EDIT,
    );
    let before = tree.read("out/a.cu");
    let (code, found) = json(&tree, &["--prove", "sh run.sh 7"]);
    let asked = &found["mending"]["asked"][0];
    assert_eq!((code, tree.read("out/a.cu")), (1, before), "{found}");
    assert!(
        asked["reason"]
            .as_str()
            .unwrap()
            .contains("`sh run.sh 7` fails with it: exit code 7"),
        "{found}"
    );
    assert!(
        asked["refused_diff"].as_str().unwrap().contains("-void f("),
        "{found}"
    );
    let (code, text, err) = mended(&tree, &["--prove", "sh run.sh 0"]);
    assert!(
        code == 0
            && text.contains("1 of 1 answer kept: `sh run.sh 0` ends with exit code 0 with them"),
        "{text}{err}"
    );
    assert!(!tree.read("out/a.cu").contains("broken") && !tree.path("out/made").exists());
}

#[test]
fn work_that_somebody_did_in_the_meantime_stays() {
    let tree = lab(&[("src/a.cu", KERNEL)], EDIT);
    // The command itself writes into the port behind its question.
    script(
        &tree,
        "ask",
        "#!/bin/sh\ncat answer\n(sleep 1; :) >/dev/null 2>&1\n",
    );
    script(
        &tree,
        "prove",
        "#!/bin/sh\necho '// mine' >> \"$PORT/a.cu\"\n",
    );
    let prove = format!(
        "env PORT={} {}",
        tree.path("out").display(),
        tree.path("prove").display()
    );
    let (_, text, err) = mended(&tree, &["--prove", &prove]);
    assert!(
        text.contains("a.cu: somebody changed it in the meantime"),
        "{text}{err}"
    );
    assert!(
        tree.read("out/a.cu").ends_with("// mine\n") && tree.read("out/a.cu").contains("broken")
    );
}
