//! A runner for the steps of the action: expressions filled in, bash as GitHub calls it, a folder for the checkout and one for
//! what is temporary. `cargo` is a stand-in that checks what it is asked for and installs this build.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use assert_cmd::Command;

use crate::common::rocm::root;
use crate::common::{Done, Tree, done};
use crate::yaml::{self, Step};

const CARGO: &str = r#"#!/bin/sh
set -eu
while [ $# -gt 0 ]; do
    case $1 in
        install | --locked) ;;
        --path) shift; grep -q '^name = "cass-transpile"' "$1/Cargo.toml" ;;
        --root) shift; mkdir -p "$1/bin"; ln -sf "$CASS" "$1/bin/cass-transpile" ;;
        *) echo "cargo: unexpected $1" >&2; exit 1 ;;
    esac
    shift
done
"#;

/// An environment of Python whose pip installs this build in place of a wheel, and nothing that would have to be compiled.
const PYTHON: &str = r#"#!/bin/sh
set -eu
case "$*" in
    "-m venv "*) mkdir -p "$3/bin"; ln -sf "$0" "$3/bin/python" ;;
    "-m pip install "*"--only-binary :all: cass-transpile==$VERSION_HERE") ln -sf "$CASS" "$(dirname "$0")/cass-transpile" ;;
    "-m pip "*) echo "python: unexpected $*" >&2; exit 1 ;;
    *) PATH=${PATH#*:} exec python3 "$@" ;;
esac
"#;

pub(crate) struct Runner {
    pub(crate) tree: Tree,
}

impl Runner {
    /// A runner whose checkout, `work`, holds the example project and these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let tree = Tree::new(&[
            ("temp/x", ""),
            ("work/.git/HEAD", ""),
            ("bin/cargo", CARGO),
            ("bin/python3", PYTHON),
        ]);
        for program in ["bin/cargo", "bin/python3"] {
            let runs = fs::Permissions::from_mode(0o755);
            fs::set_permissions(tree.path(program), runs).expect("ours");
        }
        fs::create_dir(tree.path("work/fixtures")).expect("a folder");
        let example = root().join("fixtures/example");
        let copied = std::process::Command::new("cp")
            .arg("-r")
            .args([&example, &tree.path("work/fixtures/example")])
            .status();
        assert!(copied.expect("there is a cp").success());
        for (name, text) in files {
            tree.write(&format!("work/{name}"), text.as_bytes());
        }
        Self { tree }
    }

    /// Runs the action with these inputs; its steps stop at the first that fails.
    pub(crate) fn action(&self, inputs: &BTreeMap<String, String>) -> Done {
        self.action_with(inputs, &[])
    }

    /// The same where the event has set variables.
    pub(crate) fn action_with(
        &self,
        inputs: &BTreeMap<String, String>,
        variables: &[(&str, &str)],
    ) -> Done {
        let action = yaml::read(".github/action.yml");
        let declared = action["inputs"].as_hash().expect("inputs");
        let defaults = declared.iter().map(|(name, input)| {
            let name = yaml::text(name);
            (format!("inputs.{name}"), yaml::text(&input["default"]))
        });
        let mut known: BTreeMap<String, String> = defaults.collect();
        for (name, value) in inputs {
            let old = known.insert(format!("inputs.{name}"), value.clone());
            assert!(old.is_some(), "the action has no input `{name}`");
        }
        let mut last = None;
        for mut step in yaml::steps(&action) {
            let set = variables.iter();
            step.env
                .extend(set.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
            let done = self.shell(&step, &known);
            let failed = done.code != 0;
            last = Some(done);
            if failed {
                break;
            }
        }
        last.expect("the action has steps")
    }

    /// Runs one step of bash with the values of expressions.
    pub(crate) fn shell(&self, step: &Step, known: &BTreeMap<String, String>) -> Done {
        let line = filled(
            step.run.as_deref().expect("a step that runs something"),
            known,
        );
        let mut command = Command::new("bash");
        let path = std::env::var("PATH").expect("there is a path");
        command
            .args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", &line])
            .current_dir(self.tree.path("work"))
            .env("PATH", self.path(&path))
            .env("GITHUB_PATH", self.tree.path("added-to-path"))
            .env("VERSION_HERE", env!("CARGO_PKG_VERSION"))
            .env("CASS", assert_cmd::cargo::cargo_bin("cass-transpile"))
            .env("RUNNER_TEMP", self.tree.path("temp"))
            .env("GITHUB_ACTION_PATH", root().join(".github"))
            .env("GITHUB_REF_NAME", "v1.2.3")
            .env("TAG", "v1.2.3")
            .env("GITHUB_STEP_SUMMARY", self.tree.path("summary.md"))
            .env_remove("GITHUB_BASE_REF");
        for (name, value) in &step.env {
            command.env(name, filled(value, known));
        }
        done(&mut command)
    }

    /// The path of a step: what earlier steps added, the stand-ins, the machine's own.
    fn path(&self, machine: &str) -> String {
        let added = fs::read_to_string(self.tree.path("added-to-path")).unwrap_or_default();
        let stand_ins = self.tree.path("bin").display().to_string();
        let folders = added.lines().rev().chain([&*stand_ins, machine]);
        folders.collect::<Vec<_>>().join(":")
    }
}

/// Text with `${{ name }}` filled in; a name that nobody knows fails.
pub(crate) fn filled(text: &str, known: &BTreeMap<String, String>) -> String {
    let mut pieces = text.split("${{");
    let mut result = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").expect("the expression ends");
        let value = known.get(name.trim());
        result += value.unwrap_or_else(|| panic!("nobody knows `{}`", name.trim()));
        result += rest;
    }
    result
}
