//! Programs whose output agrees although they did not compute it: each is found out by the guard that it is written for.

use super::common::Tree;
use super::{ORIGINAL, compared};

fn found(original: &str, cheat: &str, options: &[&str], kind: &str) {
    let done = compared(original, cheat, options);
    assert!(
        done.out.contains(&format!("[{kind}]")),
        "{cheat}: {}",
        done.out
    );
}

#[test]
fn no_output_proves_nothing() {
    found("true", "true", &[], "nothing-compared");
    assert_eq!(compared("true", "true", &[]).code, 1);
    // Nor does output that is all left out.
    found(
        "echo 1; echo 2",
        "echo 3; echo 4",
        &["--ignore", "^[0-9]$"],
        "nothing-compared",
    );
}

#[test]
fn output_of_zeros_is_pointed_out() {
    let zeros = "for i in 1 2 3; do echo 0.000000; done";
    found(zeros, zeros, &[], "constant-output");
    let nans = "for i in 1 2 3; do echo nan; done";
    found(nans, nans, &[], "constant-output");
}

#[test]
fn a_tolerance_that_lets_anything_pass_is_refused() {
    let cheat = ORIGINAL.replace("energy 1.2345$i res 3.14159e-0$i", "energy 0.7 res 0.0");
    let done = compared(ORIGINAL, &cheat, &["--abs", "10"]);
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(
        done.out.contains("error[tolerance-too-wide]"),
        "{}",
        done.out
    );
    // 5 % is suspicious, and said so; 0.1 % is not.
    found(ORIGINAL, ORIGINAL, &["--rel", "0.05"], "tolerance-too-wide");
    let done = compared(ORIGINAL, ORIGINAL, &["--rel", "0.001"]);
    assert!(!done.out.contains("tolerance-too-wide"), "{}", done.out);
}

#[test]
fn an_absolute_tolerance_above_the_numbers_is_refused() {
    let small = "for i in 1 2 3; do echo residual ${i}e-12; done";
    found(
        small,
        "for i in 1 2 3; do echo residual 0; done",
        &[],
        "tolerance-too-wide",
    );
}

#[test]
fn output_copied_from_the_record_is_found_by_its_timings() {
    let tree = Tree::new(&[
        ("a/prog", ORIGINAL),
        (
            "b/prog",
            "sed -n 's/^{\"[ln]\":\"\\(.*\\)\"}$/\\1/p; s/^{\"n\":{\"l\":\"\\([^\"]*\\)\".*$/\\1/p' ../gold.jsonl | grep -v '^[xy]'; printf 'x 1.5\\ny 2.5\\n' > field.txt",
        ),
    ]);
    tree.recorded();
    let done = tree.run(&[
        "verify",
        "run",
        "--against",
        "gold.jsonl",
        "--cwd",
        "b",
        "--",
        "sh",
        "prog",
    ]);
    assert!(done.out.contains("error[copied-output]"), "{}", done.out);
    assert_eq!(done.out.matches("error[").count(), 1, "{}", done.out);
    let honest = compared(ORIGINAL, ORIGINAL, &[]);
    assert_eq!(honest.code, 0, "{}", honest.out);
}

#[test]
fn a_fallback_to_the_cpu_is_found() {
    for line in [
        "no HIP devices found, falling back to CPU",
        "warning: using CPU",
        "No GPU available",
    ] {
        let cheat = format!("{ORIGINAL}\necho '{line}' >&2");
        found(ORIGINAL, &cheat, &[], "fallback");
    }
    // What the original says as well is no news.
    let both = format!("{ORIGINAL}\necho 'using CPU reference' >&2");
    assert_eq!(compared(&both, &both, &[]).code, 0);
}

#[test]
fn a_result_that_ignores_its_input_is_found() {
    let manifest = "[[case]]\nname = 'x'\nrecord = ['sh', 'a.sh', '{seed}']\nrun = ['sh', 'b.sh', '{seed}']\nseeds = [1, 2]\nrel = 0.9\n";
    let tree = Tree::new(&[
        ("verify.toml", manifest),
        ("a.sh", "echo result 1.$1"),
        ("b.sh", "echo result 1.1"),
        ("c.sh", "echo result 1.${1}0"),
    ]);
    assert_eq!(tree.run(&["verify", "record", "-o", "g"]).code, 0);
    let done = tree.run(&["verify", "run", "--against", "g"]);
    assert!(done.out.contains("error[inputs-cached]"), "{}", done.out);
    tree.write("verify.toml", manifest.replace("b.sh", "c.sh").as_bytes());
    let done = tree.run(&["verify", "run", "--against", "g"]);
    assert!(!done.out.contains("inputs-cached"), "{}", done.out);
}

#[test]
fn a_file_of_an_earlier_run_is_no_result() {
    let original = "echo 1; echo 5.5 > out.txt";
    let tree = Tree::new(&[
        ("a/prog", original),
        ("b/prog", "echo 1"),
        ("b/out.txt", "5.5\n"),
    ]);
    tree.recorded();
    let run = |options: &[&str]| {
        let mut all = vec!["verify", "run", "--against", "gold.jsonl", "--cwd", "b"];
        all.extend(options);
        all.extend(["--", "sh", "prog"]);
        tree.run(&all)
    };
    assert!(run(&[]).out.contains("error[file-missing]"));
    assert!(run(&["--files", "*.txt"]).out.contains("error[stale-file]"));
}

#[test]
fn inputs_have_to_be_the_same_on_both_sides() {
    let tree = Tree::new(&[("a/in", "1"), ("b/in", "2")]);
    let step = |words: &[&str], folder: &str| {
        let mut all = words.to_vec();
        let input = format!("{folder}/in");
        all.extend(["--input", &input, "--", "echo", "1"]);
        tree.run(&all)
    };
    assert_eq!(step(&["verify", "record", "-o", "g"], "a").code, 0);
    let done = step(&["verify", "run", "--against", "g"], "b");
    assert!(done.out.contains("error[input-differs]"), "{}", done.out);
    assert_eq!(step(&["verify", "run", "--against", "g"], "a").code, 0);
}

#[test]
fn numbers_of_half_precision_are_found_within_a_wide_tolerance() {
    let roots = [
        1.442250, 1.732051, 2.236068, 2.449490, 2.645751, 2.828427, 3.162278, 3.316625, 3.464102,
    ];
    let print = |values: Vec<f64>| -> String {
        values
            .iter()
            .map(|value| format!("echo v {value:.6}\n"))
            .collect()
    };
    let half = |value: f64| (value * 512.0).round() / 512.0;
    let original = print(roots.to_vec());
    let cheat = print(roots.iter().map(|value| half(*value)).collect());
    found(&original, &cheat, &["--rel", "2e-3"], "precision-lowered");
    assert_eq!(compared(&original, &original, &[]).code, 0);
}
