//! The archives of a release: made by the step that packs them, from a file that stands for the program.

use std::collections::BTreeMap;
use std::fs;

use crate::common::rocm::root;
use crate::runner::Runner;
use crate::yaml::{self, Step};

fn pack() -> Step {
    let steps = yaml::steps(&yaml::read(".github/workflows/release.yml"));
    let is_pack = |step: &Step| step.run.as_deref().is_some_and(|run| run.contains("tar "));
    steps.into_iter().find(is_pack).expect("a step packs")
}

fn targets() -> Vec<String> {
    let workflow = yaml::read(".github/workflows/release.yml");
    let matrix = &workflow["jobs"]["build"]["strategy"]["matrix"]["include"];
    let rows = matrix.as_vec().expect("a matrix");
    rows.iter().map(|row| yaml::text(&row["target"])).collect()
}

#[test]
fn every_system_has_an_archive() {
    let targets = targets();
    for system in ["linux-gnu", "linux-musl", "apple-darwin", "windows-msvc"] {
        assert!(
            targets.iter().any(|target| target.ends_with(system)),
            "{system}: {targets:?}"
        );
    }
}

#[test]
fn archives_hold_the_program_and_match_their_checksums() {
    for target in targets() {
        let runner = Runner::new(&[]);
        let program = if target.contains("windows") {
            "cass-transpile.exe"
        } else {
            "cass-transpile"
        };
        for name in ["README.md", "LICENSE"] {
            fs::copy(root().join(name), runner.tree.path("work").join(name)).expect("a copy");
        }
        let known = BTreeMap::from([("matrix.target".to_owned(), target.clone())]);
        assert_ne!(
            runner.shell(&pack(), &known).code,
            0,
            "{target}: an archive without a program"
        );
        fs::remove_dir_all(
            runner
                .tree
                .path(&format!("work/cass-transpile-v1.2.3-{target}")),
        )
        .expect("begun");
        for name in [program, "cass-transpile.d"] {
            let path = format!("work/target/{target}/release/{name}");
            runner.tree.write(&path, b"a program");
        }
        let packed = runner.shell(&pack(), &known);
        assert_eq!(packed.code, 0, "{}", packed.err);
        let folder = format!("cass-transpile-v1.2.3-{target}");
        let check =
            format!("sha256sum --check --quiet {folder}.tar.gz.sha256 && tar -tzf {folder}.tar.gz");
        let listed = runner.shell(&Step::of(&check), &BTreeMap::new());
        assert_eq!(listed.code, 0, "{}", listed.err);
        let mut names: Vec<&str> = listed
            .out
            .lines()
            .filter(|name| !name.ends_with('/'))
            .collect();
        names.sort_unstable();
        let expected = ["LICENSE", "README.md", program].map(|name| format!("{folder}/{name}"));
        assert_eq!(names, expected);
    }
}
