//! The archives of a release: made by the step that packs them, from a file that stands for the program.

use std::collections::BTreeMap;
use std::fs;

use crate::common::rocm::root;
use crate::runner::Runner;
use crate::yaml::{self, Step};

fn pack() -> Step {
    let steps = yaml::steps(&yaml::read(".github/workflows/release.yml"));
    let is_pack = |step: &Step| {
        step.run
            .as_deref()
            .is_some_and(|run| run.contains("pack.sh"))
    };
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
fn actions_are_pinned() {
    for (name, file) in yaml::files() {
        for uses in yaml::steps(&file).into_iter().filter_map(|step| step.uses) {
            // The examples are for others, who decide that themselves.
            if uses.starts_with("./") || name.contains("/examples/") {
                continue;
            }
            let commit = uses.split_once('@').map_or("", |(_, commit)| commit);
            let is_hash = commit.len() == 40 && commit.chars().all(|one| one.is_ascii_hexdigit());
            assert!(is_hash, "{name}: {uses} is no commit");
        }
    }
}

#[test]
fn no_job_that_holds_a_token_compiles() {
    let workflow = yaml::read(".github/workflows/release.yml");
    let jobs = workflow["jobs"].as_hash().expect("jobs");
    let mut holders = 0;
    for (name, job) in jobs {
        let holds = job["environment"].as_str().is_some() || !job["permissions"].is_badvalue();
        let commands = format!("{job:?}");
        let tells = ["secrets.", "github.token", "write"];
        assert!(
            holds || !tells.iter().any(|word| commands.contains(word)),
            "{name:?}"
        );
        if !holds {
            continue;
        }
        holders += 1;
        for maker in [
            "cargo build",
            "cargo xtask",
            ".ci/run",
            "npm ci",
            "npm run",
            "build.sh",
        ] {
            assert!(!commands.contains(maker), "{name:?} runs {maker}");
        }
        assert!(
            !commands.contains("cargo publish") || commands.contains("--no-verify"),
            "{name:?} compiles the crate"
        );
    }
    assert!(holders >= 6, "a job for each registry: {holders}");
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
        let scripts = runner.tree.path("work/.github/release");
        fs::create_dir_all(&scripts).expect("a folder");
        fs::copy(
            root().join(".github/release/pack.sh"),
            scripts.join("pack.sh"),
        )
        .expect("a copy");
        for name in ["README.md", "LICENSE"] {
            fs::copy(root().join(name), runner.tree.path("work").join(name)).expect("a copy");
        }
        let known = BTreeMap::from([("matrix.target".to_owned(), target.clone())]);
        assert_ne!(
            runner.shell(&pack(), &known).code,
            0,
            "{target}: an archive without a program"
        );
        for name in [program, "cass-transpile.d"] {
            let path = format!("work/target/{target}/dist/{name}");
            runner.tree.write(&path, b"a program");
        }
        let packed = runner.shell(&pack(), &known);
        assert_eq!(packed.code, 0, "{}", packed.err);
        let folder = format!("cass-transpile-v1.2.3-{target}");
        let list = match target.contains("windows") {
            true => format!(
                "python3 -c \"import zipfile; print(*zipfile.ZipFile('{folder}.zip').namelist(), sep='\\n')\""
            ),
            false => format!("tar -tzf {folder}.tar.gz"),
        };
        let check = format!("cd dist && sha256sum --check --quiet {folder}.*.sha256 && {list}");
        fs::remove_file(runner.tree.path("bin/python3")).expect("ours");
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

/// Runs a script of the release in a copy of what it reads.
fn scripted(line: &str, files: &[&str]) -> (Runner, crate::common::Done) {
    let runner = Runner::new(&[]);
    for name in files {
        let copy = runner.tree.path(&format!("work/{name}"));
        fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        fs::copy(root().join(name), copy).expect("a copy");
    }
    let done = runner.shell(&Step::of(line), &BTreeMap::new());
    (runner, done)
}

#[test]
fn a_tag_is_the_version_that_the_changelog_tells_of() {
    let files = [
        ".github/release/version.sh",
        "Cargo.toml",
        ".github/CHANGELOG.md",
        "editors/vscode/package.json",
        "editors/zed/extension.toml",
        "README.md",
        "docs/howto/ci.md",
    ];
    let version = env!("CARGO_PKG_VERSION");
    let heading = format!("echo '## {version}' >> .github/CHANGELOG.md");
    let published = "sed -i 's/Nothing is published yet/Install it/' README.md docs/howto/ci.md";
    let run = format!("bash .github/release/version.sh v{version}");
    let with_heading = format!("{heading}; {published}; {run}");
    assert_eq!(scripted(&with_heading, &files).1.code, 0);
    // On the day of the tag that is not so any more.
    for file in ["README.md", "docs/howto/ci.md"] {
        let line = format!("{with_heading} && echo 'Nothing is published yet' >> {file}; {run}");
        let early = scripted(&line, &files).1;
        let why = format!("{file} says that nothing is published yet");
        assert!(early.code == 1 && early.err.contains(&why), "{}", early.err);
    }
    let behind = format!("sed -i 's/{version}/0.0.1/' editors/zed/extension.toml; {with_heading}");
    let behind = scripted(&behind, &files).1;
    assert!(
        behind.code == 1 && behind.err.contains("extension.toml has another version"),
        "{}",
        behind.err
    );
    let other = scripted("bash .github/release/version.sh v9.9.9", &files).1;
    assert!(
        other.code == 1 && other.err.contains("the tag is v9.9.9"),
        "{}",
        other.err
    );
    let untold = "sed -i 's/^## [0-9].*//' .github/CHANGELOG.md; bash .github/release/version.sh";
    let untold = scripted(&format!("{untold} v{version}"), &files).1;
    assert!(
        untold.code == 1 && untold.err.contains("has no heading"),
        "{}",
        untold.err
    );
}

#[test]
fn the_crate_names_the_repository_that_publishes_it_and_no_other() {
    let files = [
        ".github/release/repository.sh",
        "Cargo.toml",
        "pyproject.toml",
        "README.md",
    ];
    let (runner, done) = scripted("bash .github/release/repository.sh some/fork", &files);
    assert_eq!(done.code, 0, "{}", done.err);
    let manifest = runner.tree.read("work/Cargo.toml");
    assert_eq!(
        manifest
            .matches("repository = \"https://github.com/some/fork\"")
            .count(),
        1
    );
    let wheel: toml::Table =
        toml::from_str(&runner.tree.read("work/pyproject.toml")).expect("TOML");
    assert_eq!(
        wheel["project"]["urls"]["Repository"].as_str(),
        Some("https://github.com/some/fork")
    );
    let version = env!("CARGO_PKG_VERSION");
    let page = runner.tree.read("work/README.md");
    let links: Vec<&str> = page.split("](").skip(1).collect();
    let lost = links
        .iter()
        .filter(|link| !link.starts_with("https://") && !link.starts_with('#'));
    assert_eq!(lost.count(), 0, "{page}");
    for whole in ["raw/v{}/docs/report.png)](", "blob/v{}/docs/howto/ci.md)"] {
        let whole = format!(
            "](https://github.com/some/fork/{}",
            whole.replace("{}", version)
        );
        assert!(page.contains(&whole), "{whole}: {page}");
    }
    for name in [
        ".github/action.yml",
        ".github/workflows/release.yml",
        "Cargo.toml",
        "README.md",
    ] {
        let text = fs::read_to_string(root().join(name)).expect("it is there");
        assert!(
            !text.contains("OWNER/") && !text.contains("OWNER "),
            "{name} has a placeholder"
        );
    }
}

/// PyPI shows what lies in the wheel, so that it has to be told first.
#[test]
fn wheels_are_built_of_what_names_the_repository() {
    let workflow = yaml::read(".github/workflows/release.yml");
    let steps = workflow["jobs"]["build"]["steps"].as_vec().expect("steps");
    let place = |key: &str, word: &str| {
        let has = |step: &yaml_rust2::Yaml| step[key].as_str().is_some_and(|it| it.contains(word));
        steps.iter().position(has).expect(word)
    };
    assert!(place("run", "repository.sh") < place("uses", "maturin-action"));
}

/// A line that makes the checksums of a release's archives in `dist/`, all but those of the targets that `without` names.
fn checksums(without: &str) -> String {
    let sums = targets()
        .into_iter()
        .filter(|target| target != without)
        .map(|target| {
            let extension = if target.contains("windows") {
                "zip"
            } else {
                "tar.gz"
            };
            let name = format!("cass-transpile-v1.2.3-{target}.{extension}");
            format!(
                "printf '%064d  {name}\\n' {} > dist/{name}.sha256; ",
                target.len()
            )
        });
    let sums: String = sums.collect();
    format!("mkdir dist; printf '%064d  -\\n' 7 > dist/source.sha256; {sums}")
}

#[test]
fn package_managers_get_the_archives_of_the_tag_with_their_checksums() {
    let files = [".github/release/managers.sh", "Cargo.toml"];
    let run = "touch dist/SHA256SUMS && bash .github/release/managers.sh some/fork v1.2.3 dist && cd dist && sha256sum -c SHA256SUMS";
    let (runner, done) = scripted(&format!("{}{run}", checksums("")), &files);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(done.out.matches(": OK").count(), 4, "{}", done.out);
    let workflow = fs::read_to_string(root().join(".github/workflows/release.yml"));
    let publishes = workflow.expect("it is there");
    assert!(publishes.contains("managers/SHA256SUMS packages/archives/"));
    let formula = runner.tree.read("work/dist/cass-transpile.rb");
    let at = "https://github.com/some/fork/releases/download/v1.2.3/cass-transpile-v1.2.3-";
    for target in ["aarch64-apple-darwin", "x86_64-unknown-linux-musl"] {
        let asked = format!(
            "url \"{at}{target}.tar.gz\"\n      sha256 \"{:064}\"",
            target.len()
        );
        assert!(formula.contains(&asked), "{formula}");
    }
    let scoop: serde_json::Value =
        serde_json::from_str(&runner.tree.read("work/dist/cass-transpile.json")).expect("JSON");
    let windows = &scoop["architecture"]["64bit"];
    let target = "x86_64-pc-windows-msvc";
    assert_eq!(windows["url"], format!("{at}{target}.zip"));
    assert_eq!(windows["hash"], format!("{:064}", target.len()));
    assert_eq!(
        windows["extract_dir"],
        format!("cass-transpile-v1.2.3-{target}"),
        "the folder that pack.sh makes"
    );
    let recipe = runner.tree.read("work/dist/recipe.yaml");
    let recipe = yaml_rust2::YamlLoader::load_from_str(&recipe).expect("YAML");
    assert_eq!(
        yaml::text(&recipe[0]["source"]["url"]),
        "https://github.com/some/fork/archive/refs/tags/v1.2.3.tar.gz"
    );
    assert_eq!(yaml::text(&recipe[0]["context"]["version"]), "1.2.3");
}

/// The script that a shell runs: it installs the archive of this system from a folder, and nothing where its checksum is another.
#[test]
#[cfg(unix)]
#[ignore = "needs curl"]
fn the_installer_takes_the_archive_of_the_release_alone() {
    let files = [".github/release/managers.sh", "Cargo.toml"];
    let arch = std::env::consts::ARCH;
    let system = match std::env::consts::OS {
        "macos" => "apple-darwin",
        _ => "unknown-linux-musl",
    };
    let name = format!("cass-transpile-v1.2.3-{arch}-{system}");
    let run = format!(
        "mkdir {name} && printf '#!/bin/sh\\necho runs\\n' > {name}/cass-transpile && tar -czf dist/{name}.tar.gz {name} && \
         (cd dist && (sha256sum {name}.tar.gz || shasum -a 256 {name}.tar.gz) > {name}.tar.gz.sha256) && \
         bash .github/release/managers.sh some/fork v1.2.3 dist && \
         export CASS_DOWNLOAD=file://$PWD/dist CASS_INSTALL=$PWD/bin && sh dist/install.sh && bin/cass-transpile && \
         echo more >> dist/{name}.tar.gz && printf old > bin/cass-transpile && ! sh dist/install.sh && cat bin/cass-transpile"
    );
    let (_, done) = scripted(&format!("{}{run}", checksums("")), &files);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("bin/cass-transpile\n"), "{}", done.out);
    assert!(
        done.out.contains("runs\n") && done.out.ends_with("old"),
        "{}",
        done.out
    );
    assert!(done.err.contains("another checksum"), "{}", done.err);
}

#[test]
fn a_release_without_an_archive_writes_nothing_for_package_managers() {
    let files = [".github/release/managers.sh", "Cargo.toml"];
    let run =
        "bash .github/release/managers.sh some/fork v1.2.3 dist; code=$?; ls dist; exit $code";
    let without = checksums("x86_64-pc-windows-msvc");
    let done = scripted(&format!("{without}{run}"), &files).1;
    assert_eq!(done.code, 1);
    assert!(
        done.err
            .contains("x86_64-pc-windows-msvc.zip.sha256 is missing"),
        "{}",
        done.err
    );
    assert!(!done.out.contains("cass-transpile.rb"), "{}", done.out);
}

/// npm packages from a stand-in for the program, run by node: the launcher finds the package of this system.
#[test]
#[ignore = "needs node, and Linux"]
fn npm_packages_run_the_program_of_this_system() {
    let runner = Runner::new(&[]);
    let pack = root().join(".github/npm/pack.mjs");
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let line = format!(
        "node {} npm {target}=$CASS && mkdir npm/node_modules && ln -s \"$PWD\"/npm/cass-transpile-linux-* npm/node_modules/ && \
         cd npm && node cass-transpile/bin/cass-transpile.js --version; node cass-transpile/bin/cass-transpile.js check missing || echo $?",
        pack.display()
    );
    let done = runner.shell(&Step::of(&line), &BTreeMap::new());
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        done.out.contains(&format!("cass-transpile {version}\n")),
        "{}{}",
        done.out,
        done.err
    );
    assert!(done.out.ends_with("2\n"), "{}", done.out);
    let manifest: serde_json::Value =
        serde_json::from_str(&runner.tree.read("work/npm/cass-transpile/package.json"))
            .expect("JSON");
    assert_eq!(
        manifest["optionalDependencies"]
            .as_object()
            .map(serde_json::Map::len),
        Some(1)
    );
    assert_eq!(manifest["version"], version);
}
