//! `jsonl`: one record out for each in, in order, every byte outside the field as it was.
use crate::common::Tree;
use serde_json::Value;

/// What comes out for some lines, and the exit code.
fn filtered(arguments: &[&str], input: &[u8]) -> (Vec<String>, Option<i32>) {
    let tree = Tree::new(&[]);
    let mut command = tree.command();
    command
        .arg("jsonl")
        .args(arguments)
        .write_stdin(input.to_vec());
    let done = command.output().expect("the program starts");
    let text = String::from_utf8(done.stdout).expect("UTF-8");
    (
        text.lines().map(str::to_owned).collect(),
        done.status.code(),
    )
}

#[test]
fn the_field_is_translated_and_the_rest_stays() {
    let python = r#"{"n": 1.50, "big": 123456789012345678901, "code": "import cupy\nk = cupy.RawKernel('extern \"C\" __global__ void k(float *x) { x[0] = __shfl_sync(0xffffffff, x[0], 1); }', 'k')\n", "z": [ ] }"#;
    let cuda = r#"{"code":"void f() { cudaDeviceSynchronize(); }"}"#;
    let plain = r#"{"code":"def f():\n    return 1\n"}"#;
    let input = format!("{python}\n{cuda}\r\n{plain}\n\n");
    let (lines, code) = filtered(&["--field", "code"], input.as_bytes());
    assert_eq!((lines.len(), code), (4, Some(0)), "{lines:?}");
    let wanted = python.replace("__shfl_sync(0xffffffff, x[0], 1)", "__shfl(x[0], 1, 32)");
    let kept = wanted.strip_suffix(" }").expect("an object");
    assert!(
        lines[0].starts_with(&format!("{kept},\"cass\":{{")),
        "{}",
        lines[0]
    );
    let verdict =
        |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["cass"]["verdict"].clone();
    assert!(lines[1].contains("hipDeviceSynchronize"), "{}", lines[1]);
    let verdicts: Vec<Value> = lines[..3].iter().map(|line| verdict(line)).collect();
    assert_eq!(verdicts, ["ported", "ported", "none"]);
    assert_eq!(lines[3], "");
}

#[test]
fn a_bad_record_never_ends_the_run() {
    let input = b"{bad\n[1]\n\"x\"\n{\"code\": 3}\n{\"code\": \"\xff\"}\n{\"code\": \"\\ud800\"}\n{\"other\": 1}\n{\"code\": \"#include <cuda.h>\"}\n{\"code\":";
    let (lines, code) = filtered(&["--field", "code"], input);
    assert_eq!((lines.len(), code), (9, Some(1)), "{lines:?}");
    let verdicts: Vec<String> = lines
        .iter()
        .map(|line| {
            serde_json::from_str::<Value>(line).expect("every line is JSON")["cass"]["verdict"]
                .to_string()
        })
        .collect();
    let (error, none) = ("\"error\"", "\"none\"");
    assert_eq!(
        verdicts[..7],
        [error, error, error, none, error, error, none]
    );
    assert_ne!(verdicts[7], error);
    assert_eq!(verdicts[8], error);
}

#[test]
fn a_person_says_what_the_text_is_and_may_only_look() {
    let line = "{\"code\":\"class A:\\n    pass\\n\"}\n{\"code\":\"x = cudaMalloc\"}\n";
    let of = |arguments: &[&str]| -> Vec<String> {
        let (lines, _) = filtered(arguments, line.as_bytes());
        let language = |line: &String| {
            serde_json::from_str::<Value>(line).expect("JSON")["cass"]["language"].to_string()
        };
        lines.iter().map(language).collect()
    };
    assert_eq!(of(&["--field", "code"]), ["\"python\"", "\"python\""]);
    assert_eq!(
        of(&["--field", "code", "--language", "cuda"]),
        ["\"cuda\"", "\"cuda\""]
    );
    let checked = filtered(
        &["--field", "code", "--check", "--language", "cuda"],
        b"{\"code\":\"void f() { cudaFree(0); }\"}\n",
    )
    .0;
    assert!(
        checked[0].starts_with("{\"code\":\"void f() { cudaFree(0); }\",\"cass\":"),
        "{}",
        checked[0]
    );
}

#[test]
fn many_records_keep_their_order() {
    let input: String = (0..2000)
        .map(|n| format!("{{\"n\":{n},\"code\":\"int x{n};\"}}\n"))
        .collect();
    let (lines, _) = filtered(&["--field", "code"], input.as_bytes());
    let numbers = lines
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["n"].as_u64());
    assert!(numbers.eq((0..2000).map(Some)));
}
