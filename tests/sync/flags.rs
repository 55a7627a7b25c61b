//! Flags that the rest of the command line makes idle.

use crate::common::{SAFE, Tree};

#[test]
fn flags_without_effect_are_errors() {
    let tree = Tree::new(&[
        ("src/a.cu", SAFE),
        ("named/cass.toml", "[translate]\nnaming = \"hip\"\n"),
        ("named/a.cu", SAFE),
    ]);
    for (arguments, flag) in [
        (
            &["src", "out", "--backup"][..],
            "--backup: only --in-place changes files that could be kept; leave it out, or add --in-place",
        ),
        (&["src", "out", "--backup=.orig"], "--backup"),
        (&["src/a.cu", "-o", "b.hip", "--backup"], "--backup"),
        (&["src", "--in-place", "--naming", "hip"], "--naming hip"),
        (&["named", "--in-place"], "--naming hip"),
        (&["src/a.cu", "-o", "b.hip", "--naming", "hip"], "--naming"),
        (&["src", "--in-place", "--force"], "--force"),
        (&["src", "--in-place", "--prune"], "--prune"),
        (&["src/a.cu", "-o", "b.hip", "--force"], "--force"),
        (
            &["src", "out", "--stdin-filename", "x.cu"],
            "--stdin-filename",
        ),
        (&["-", "out"], "-"),
        (&["-", "-o", "b.hip", "--dry-run"], "--dry-run"),
    ] {
        let done = tree.run(arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.out);
        // One line, which begins with the flag that is to go.
        let begin = format!("cass-transpile: {flag}");
        let rest = done.err.strip_prefix(&begin).unwrap_or("");
        assert!(
            rest.starts_with([':', '\n']) && done.err.lines().count() == 1,
            "{arguments:?}: {}",
            done.err
        );
        assert_eq!(tree.read("src/a.cu"), SAFE, "{arguments:?}");
        assert!(!tree.path("out").exists() && !tree.path("b.hip").exists());
    }
}

#[test]
fn what_the_configuration_says_of_names_can_be_taken_back() {
    let tree = Tree::new(&[
        ("cass.toml", "[translate]\nnaming = \"hip\"\n"),
        ("src/a.cu", SAFE),
    ]);
    assert_eq!(tree.run(&["src", "--in-place"]).code, 2);
    let done = tree.run(&["src", "--in-place", "--naming", "keep"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(tree.read("src/a.cu").contains("hipFree"));
}
