//! `check --changed`: what git says.

use crate::common::{self, GONE, SAFE, Tree};

#[test]
fn only_changed_files_are_checked() {
    let tree = Tree::new(&[
        ("repo/old.cu", GONE),
        ("repo/edited.cu", SAFE),
        ("repo/sub/staged file.cu", SAFE),
        ("repo/gone.cu", GONE),
    ]);
    let git = |arguments: &[&str]| tree.git(&[&["-C", "repo"], arguments].concat());
    git(&["init", "-q"]);
    // Before the first commit every file is new.
    assert_eq!(
        tree.run(&["check", "repo", "--changed"])
            .out
            .matches("CASS003")
            .count(),
        2
    );
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    assert_eq!(tree.run(&["check", "repo", "--changed"]).code, 0);
    tree.write("repo/edited.cu", GONE.as_bytes());
    tree.write("repo/sub/staged file.cu", GONE.as_bytes());
    tree.write("repo/new.cu", GONE.as_bytes());
    std::fs::remove_file(tree.path("repo/gone.cu")).expect("it is there");
    git(&["add", "sub"]);
    let found = tree.run(&["check", "repo", "--changed", "--output-format", "concise"]);
    let files: Vec<&str> = found
        .out
        .lines()
        .filter_map(|line| line.split(':').next())
        .collect();
    assert_eq!(
        files,
        ["repo/edited.cu", "repo/new.cu", "repo/sub/staged file.cu"]
    );
    assert_eq!(
        tree.run(&["check", "repo/sub", "--changed"])
            .out
            .matches("CASS003")
            .count(),
        1
    );
    git(&["checkout", "-qb", "topic"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "two"]);
    assert_eq!(tree.run(&["check", "repo", "--changed"]).code, 0);
    for since in [
        &["--changed", "--since", "main"][..],
        &["--since", "main"][..],
    ] {
        let done = tree.run(&[&["check", "repo"], since].concat());
        assert_eq!(done.out.matches("CASS003").count(), 3, "{since:?}");
    }
}

#[test]
fn files_of_submodules_and_of_repositories_within_are_seen() {
    let tree = Tree::new(&[
        ("part/old.cu", GONE),
        ("part/b.cu", SAFE),
        ("repo/a.cu", SAFE),
    ]);
    let git = |folder: &str, arguments: &[&str]| tree.git(&[&["-C", folder], arguments].concat());
    for folder in ["part", "repo"] {
        git(folder, &["init", "-q"]);
        git(folder, &["add", "."]);
        git(folder, &["commit", "-qm", "one"]);
    }
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        "../part",
        "sub",
    ];
    git("repo", &add);
    git("repo", &["commit", "-qm", "two"]);
    let errors = |path: &str| {
        tree.run(&["check", path, "--changed"])
            .out
            .matches("CASS003")
            .count()
    };
    assert_eq!(errors("repo"), 0);
    tree.write("repo/sub/new.cu", GONE.as_bytes());
    assert_eq!(errors("repo"), 1, "untracked in the submodule");
    tree.write("repo/sub/b.cu", GONE.as_bytes());
    git("repo/sub", &["commit", "-qam", "three"]);
    assert_eq!(
        errors("repo"),
        2,
        "a commit that the superproject does not name yet"
    );
    assert_eq!(
        errors("repo/sub"),
        1,
        "seen from the submodule, that is its last commit"
    );
    tree.write("repo/within/c.cu", GONE.as_bytes());
    git("repo/within", &["init", "-q"]);
    assert_eq!(errors("repo"), 3, "a repository that git calls one name");
}

#[test]
fn what_git_cannot_tell_is_said() {
    let tree = Tree::new(&[("a.cu", SAFE)]);
    let outside = tree.run(&["check", "a.cu", "--changed"]);
    assert_eq!(outside.code, 2);
    assert!(
        outside.err.contains("is in no repository"),
        "{}",
        outside.err
    );
    tree.git(&["init", "-q"]);
    let unknown = tree.run(&["check", ".", "--changed", "--since", "nowhere"]);
    assert!(
        unknown.code == 2 && unknown.err.contains("git knows no commit `nowhere`"),
        "{}",
        unknown.err
    );
    let without = common::done(
        tree.command()
            .env("PATH", "")
            .args(["check", ".", "--changed"]),
    );
    assert!(
        without.code == 2 && without.err.contains("git cannot be started"),
        "{}",
        without.err
    );
}
