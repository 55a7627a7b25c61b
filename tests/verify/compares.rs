//! What counts as the same.

use super::{ORIGINAL, compared};

#[test]
fn a_port_that_computes_the_same_is_verified() {
    let port = ORIGINAL
        .replace("CUDA", "HIP")
        .replace("NVIDIA H200", "AMD Instinct MI250X")
        .replace("1.2345$i", "1.2345${i}0001");
    let done = compared(ORIGINAL, &port, &[]);
    assert_eq!(done.code, 0, "{}", done.out);
    assert!(done.out.contains("verified: 1 of 1 case"), "{}", done.out);
    // Nothing is left out in silence.
    for reason in [
        "lines that name a device",
        "numbers that differ between runs",
        "paths",
    ] {
        assert!(done.out.contains(reason), "{reason}: {}", done.out);
    }
}

#[test]
fn one_wrong_number_is_found_with_its_line() {
    let port = ORIGINAL.replace(
        "energy 1.2345$i",
        "energy $(test $i = 3 && echo 1.24 || echo 1.2345$i)",
    );
    let done = compared(ORIGINAL, &port, &[]);
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(
        done.out
            .contains("main/stdout:4: error[number-differs]: 1.24 in place of 1.23453"),
        "{}",
        done.out
    );
    assert_eq!(done.out.matches("error[").count(), 1, "{}", done.out);
    let wide = compared(ORIGINAL, &port, &["--rel", "0.006"]);
    assert_eq!(wide.code, 0, "{}", wide.out);
}

#[test]
fn lines_files_and_exit_codes_are_compared() {
    let cases = [
        ("echo PASS; echo 1", "echo FAIL; echo 1", "line-differs"),
        ("echo a; echo b; echo c", "echo a; echo c", "line-missing"),
        ("echo a; echo b", "echo a; echo x; echo b", "line-extra"),
        (
            "echo a; echo b 1; echo c",
            "echo b 1; echo a; echo c",
            "order-differs",
        ),
        ("echo 1; exit 0", "echo 1; exit 3", "exit-code"),
        ("echo 1", "echo 1; kill -SEGV $$", "exit-code"),
        ("echo 1; echo 5 > f", "echo 1", "file-missing"),
        ("echo 1; echo 5 > f", "echo 1; echo 6 > f", "number-differs"),
        ("printf 'a\\0b' > f", "printf 'a\\0c' > f", "file-differs"),
        ("printf 'a\\0b'", "printf 'a\\0c'", "file-differs"),
        ("echo 1 nan", "echo 1 2", "number-differs"),
        ("echo 7", "echo 8", "number-differs"),
    ];
    for (original, port, kind) in cases {
        let done = compared(original, port, &[]);
        let found = format!("error[{kind}]");
        assert_eq!(done.code, 1, "{original} | {port}: {}", done.out);
        assert!(
            done.out.contains(&found),
            "{original} | {port}: {}",
            done.out
        );
    }
}

#[test]
fn line_ends_and_progress_bars_do_not_count() {
    let done = compared("printf 'a 1\\nb 2\\n'", "printf 'a 1\\r\\nb 2\\r\\n'", &[]);
    assert_eq!(done.code, 0, "{}", done.out);
    let done = compared(
        "printf '10\\r20\\rend 1\\n'",
        "printf '10\\r20\\rend 2\\n'",
        &[],
    );
    assert_eq!(done.code, 1, "{}", done.out);
}

#[test]
fn what_differs_by_itself_is_learned_and_the_rest_is_not() {
    // A reduction in no fixed order: the last digits differ between runs, by what two runs show.
    let noisy = "n=$(cat n 2>/dev/null || echo 1); echo $((n+1)) > ../n; echo sum 100.0000$n; echo last 2.5";
    let original = format!("cd ..; {}", noisy.replace("../n", "n"));
    let same = compared(
        &original,
        "echo sum 100.00007; echo last 2.5",
        &["--rel", "0"],
    );
    assert_eq!(same.code, 0, "{}", same.out);
    let far = compared(&original, "echo sum 100.1; echo last 2.5", &["--rel", "0"]);
    assert_eq!(far.code, 1, "{}", far.out);
    let other = compared(&original, "echo sum 100.00002; echo last 2.6", &[]);
    assert_eq!(other.code, 1, "{}", other.out);
}

#[test]
fn a_deterministic_time_is_a_result() {
    let done = compared(
        "echo simulated time 3.25125 s",
        "echo simulated time 4.25125 s",
        &[],
    );
    assert_eq!(done.code, 1, "{}", done.out);
}

#[test]
fn lines_without_an_order_are_compared_without_one() {
    let (a, b) = (
        "for i in 1 2 3 4; do echo block $i; done",
        "for i in 3 1 4 2; do echo block $i; done",
    );
    assert_eq!(compared(a, b, &["--unordered"]).code, 0);
    assert_eq!(compared(a, b, &[]).code, 1);
    let wrong = "for i in 3 1 4 4; do echo block $i; done";
    assert_eq!(compared(a, wrong, &["--unordered"]).code, 1);
}

#[test]
fn every_format_says_that_it_differs() {
    let formats = [
        "full",
        "concise",
        "json",
        "json-lines",
        "sarif",
        "github",
        "gitlab",
        "junit",
        "checkstyle",
        "rdjson",
        "markdown",
        "html",
    ];
    for format in formats {
        let done = compared("echo 7", "echo 8", &["--output-format", format]);
        assert_eq!(done.code, 1, "{format}: {}", done.err);
        let named = done.out.contains("number-differs") || done.out.contains("VERIFY003");
        assert!(named, "{format}: {}", done.out);
    }
}
