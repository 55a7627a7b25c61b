//! What the program says of itself: help, completions and the manual page name every option of every command.

use std::process::Command;

use crate::common::Tree;

/// The commands that have options of their own.
const COMMANDS: &[&[&str]] = &[
    &[],
    &["check"],
    &["diff"],
    &["shim", "generate"],
    &["query"],
];

/// The long options that the help of a command lists.
fn options(tree: &Tree, command: &[&str]) -> Vec<String> {
    let help = tree.run(&[command, &["--help"]].concat()).out;
    let lines = help.lines().map(str::trim_start);
    let listed = lines
        .filter(|line| line.starts_with('-'))
        .filter_map(|line| line.split("--").nth(1));
    let is_end = |letter: char| !letter.is_ascii_alphanumeric() && letter != '-';
    let found: Vec<String> = listed
        .filter_map(|rest| rest.split(is_end).next())
        .map(str::to_owned)
        .collect();
    assert!(found.len() > 3, "{help}");
    found
}

#[test]
fn completions_know_every_option() {
    let tree = Tree::new(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = tree.run(&["completions", shell]);
        assert_eq!(script.code, 0, "{shell}");
        for option in COMMANDS.iter().flat_map(|command| options(&tree, command)) {
            assert!(script.out.contains(&option), "{shell} lacks --{option}");
        }
    }
    assert_eq!(tree.run(&["completions", "cmd"]).code, 2);
}

/// Bash itself completes words with the script.
#[test]
fn bash_completes_with_the_script() {
    let tree = Tree::new(&[]);
    tree.write(
        "cass.bash",
        tree.run(&["completions", "bash"]).out.as_bytes(),
    );
    let ask = |words: &str, last: usize| {
        let script = format!(
            "source ./cass.bash; COMP_WORDS=({words}); COMP_CWORD={last}; \
             _cass__transpile cass-transpile \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; echo \"${{COMPREPLY[*]}}\""
        );
        let output = Command::new("bash")
            .current_dir(tree.folder.path())
            .args(["--norc", "-c", &script])
            .output()
            .expect("bash is installed");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    assert_eq!(ask("cass-transpile chec", 1), "check");
    assert_eq!(ask("cass-transpile check --base", 2), "--baseline");
    assert!(ask("cass-transpile check --select CASS00", 3).contains("CASS001"));
    assert!(ask("cass-transpile explain CASS66", 2).contains("CASS666"));
    let formats = ask("cass-transpile check --output-format ''", 3);
    assert!(
        formats.contains("sarif") && formats.contains("json-lines"),
        "{formats}"
    );
}

#[test]
fn the_manual_page_names_options_commands_and_exit_codes() {
    let tree = Tree::new(&[]);
    let page = tree.run(&["man"]).out.replace("\\-", "-");
    for part in [
        ".TH cass-transpile 1",
        ".SH SYNOPSIS",
        ".SH OPTIONS",
        "Exit codes:",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for option in options(&tree, &[]) {
        assert!(page.contains(&format!("--{option}")), "--{option}");
    }
    // A page that is referred to can be had, and says what the help of its command says.
    let pages = page.lines().filter_map(|line| line.strip_suffix("(1)"));
    let commands: Vec<&str> = pages
        .filter_map(|name| name.strip_prefix("cass-transpile-"))
        .collect();
    assert!(commands.len() > 8, "{page}");
    for command in commands {
        let page = tree.run(&["man", command]);
        assert!(
            page.out
                .contains(&format!(".TH cass-transpile-{command} 1")),
            "{command}"
        );
    }
    for command in &COMMANDS[1..] {
        let page = tree
            .run(&[&["man"], *command].concat())
            .out
            .replace("\\-", "-");
        for option in options(&tree, command) {
            assert!(
                page.contains(&format!("--{option}")),
                "{command:?} --{option}"
            );
        }
    }
    assert_eq!(tree.run(&["man", "chekc"]).code, 2);
}
