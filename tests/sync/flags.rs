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
        (&["src", "out", "--backup"][..], "--backup"),
        (&["src", "--in-place", "--naming", "hip"], "--naming"),
        (&["named", "--in-place"], "--naming"),
        (&["src/a.cu", "-o", "b.hip", "--naming", "hip"], "--naming"),
        (&["src", "--in-place", "--force"], "--force"),
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
        // clap says it where a flag wants another.
        let wants = done.err.contains("required arguments were not provided");
        let says = wants || done.err.contains(&format!("cass-transpile: {flag}"));
        assert!(says, "{arguments:?}: {}", done.err);
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
