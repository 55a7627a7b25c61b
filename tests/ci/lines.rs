//! Every command line that somebody is told to use is one that the program takes, and every file that is named is there.

use std::fs;

use cass_transpile::Severity;
use cass_transpile::engine::{Session, translate};
use cass_transpile::mapping::ApiTable;
use cass_transpile::options::Options;
use cass_transpile::report::{Builder, file_report, full};
use cass_transpile::text::SourceFile;

use crate::common::Tree;
use crate::common::rocm::root;
use crate::yaml;

/// The program's own command lines in a text of shell: what follows its name, up to a comment or another command.
fn own_lines(text: &str) -> Vec<String> {
    let joined = text.replace("\\\n", " ");
    let of_line = |line: &str| {
        let own = ["cass-transpile ", "cargo run -- "];
        let rest = own.iter().find_map(|name| line.trim().strip_prefix(name))?;
        Some(rest[..end_of_command(rest)].to_owned())
    };
    joined.lines().filter_map(of_line).collect()
}

/// Where a comment, another command or a file for the output begins.
fn end_of_command(line: &str) -> usize {
    let mut quote = None;
    let ends = |&(at, c): &(usize, char)| {
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            None => return matches!(c, ';' | '|' | '>') || c == '#' && line[..at].ends_with(' '),
            Some(_) => {}
        }
        false
    };
    let end = line.char_indices().find(ends);
    end.map_or(line.len(), |(at, _)| at)
}

/// Asks for help at the end of a command line: what stands before it is read first, so what the program does not know is refused.
fn refusal(line: &str) -> Option<String> {
    let line = line.replace("\"$", "\"x$");
    // What stands behind `--` is another program's command line.
    let (own, _) = line.split_once(" -- ").unwrap_or((&line, ""));
    let words = shlex::split(own).unwrap_or_else(|| panic!("{own}: a quote is open"));
    // Behind `nvcc` stand nvcc's own options, which know no other help.
    if words.first().is_some_and(|word| word == "nvcc") {
        return None;
    }
    let done = crate::common::done(Tree::new(&[]).command().args(words).arg("--help"));
    (done.code != 0).then(|| format!("{line}: {}", done.err))
}

#[test]
fn the_command_lines_of_workflows_examples_and_hooks_are_understood() {
    let mut lines = Vec::new();
    for (name, file) in yaml::files() {
        // The action hands inputs on.
        let commands = yaml::commands(&file).join("\n");
        let commands = commands
            .replace("\"${options[@]}\"", "--baseline x --changed --since x")
            .replace("$FAIL_ON", "error")
            .replace("$ARGUMENTS", "");
        lines.extend(
            own_lines(&commands)
                .into_iter()
                .map(|line| (name.clone(), line)),
        );
    }
    for name in [
        "examples/github-code-scanning.yml",
        "examples/gitlab-ci.yml",
        "examples/azure-pipelines.yml",
        "action.yml",
    ] {
        let name = format!(".github/{name}");
        assert!(
            lines.iter().any(|(of, _)| *of == name),
            "{name} does not call the program"
        );
    }
    let wrong: Vec<String> = lines.iter().filter_map(|(_, line)| refusal(line)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refusal("check . --no-such-option").is_some());
    assert!(refusal("check . --output-format pdf").is_some());
}

#[test]
fn the_command_lines_of_the_documentation_are_understood() {
    let pages = fs::read_dir(root().join("docs/howto")).expect("it is there");
    let pages = pages.map(|page| page.expect("readable").path());
    let others = [
        "README.md",
        ".github/CONTRIBUTING.md",
        ".github/MAPPINGS.md",
    ];
    for path in others
        .map(|name| root().join(name))
        .into_iter()
        .chain(pages)
    {
        let name = path.display();
        let text = fs::read_to_string(&path).expect("it is text");
        let blocks = text.split("```sh\n").skip(1);
        let shell: String = blocks
            .filter_map(|block| block.split("```").next())
            .collect();
        let inline = text.split('`').filter(|piece| !piece.contains('\n'));
        let inline =
            inline.filter(|piece| piece.starts_with("cass-transpile ") && !piece.contains("CODE"));
        let mut lines = own_lines(&shell);
        lines.extend(inline.flat_map(own_lines));
        assert!(
            !path.ends_with("README.md") || lines.len() > 12,
            "{lines:?}"
        );
        let wrong: Vec<String> = lines.iter().filter_map(|line| refusal(line)).collect();
        assert!(wrong.is_empty(), "{name}: {}", wrong.join("\n"));
    }
}

/// The example's finding as a terminal of 80 columns shows it, without its colours.
fn finding_on_a_terminal() -> String {
    let name = "fixtures/example/src/main.cu";
    let bytes = fs::read(root().join(name)).expect("it is there");
    let session = Session::new(Options::default(), ApiTable::builtin());
    let source = SourceFile::new(name, bytes);
    let outcome = translate(&source, &session);
    let mut report = Builder::new(Options::default(), Vec::new());
    report.add(file_report(&source, &outcome, None, Severity::Warning));
    let coloured = full(&report.finish(), 80);
    let mut pieces = coloured.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces
        .filter_map(|piece| piece.split_once('m'))
        .fold(first, |text, (_, piece)| text + piece)
}

/// What README shows is what its first commands print.
#[test]
fn the_outputs_in_the_readme_are_real() {
    let text = fs::read_to_string(root().join("README.md")).expect("it is there");
    let run = |words: &[&str]| {
        let mut command = Tree::new(&[]).command();
        let done = crate::common::done(command.current_dir(root()).args(words));
        done.out + &done.err
    };
    let printed = run(&["check", "fixtures/example"]) + &finding_on_a_terminal();
    let patch = run(&["diff", "fixtures/example"]);
    let (mut shown, mut lines) = (0, 0);
    for block in text.split("```").skip(1).step_by(2) {
        let (kind, block) = block.split_once('\n').unwrap_or_default();
        let whole = match kind {
            "text" => &printed,
            "diff" => &patch,
            _ => continue,
        };
        shown += 1;
        for line in block.lines().filter(|line| !line.starts_with("@@")) {
            lines += 1;
            assert!(
                whole.lines().any(|it| it == line),
                "{line:?} is not in\n{whole}"
            );
        }
    }
    assert!(shown == 3 && lines > 20, "{shown} blocks, {lines} lines");
}

#[test]
fn files_that_are_named_are_there() {
    for (name, file) in yaml::files() {
        let own_actions = yaml::steps(&file).into_iter().filter_map(|step| step.uses);
        for action in own_actions.filter(|action| action.starts_with("./")) {
            let path = root().join(&action).join("action.yml");
            assert!(path.is_file(), "{name} uses {action}");
        }
        for step in yaml::steps(&file) {
            let paths = step
                .with
                .get("paths")
                .map(String::as_str)
                .unwrap_or_default();
            let scripts = step.run.as_deref().unwrap_or_default();
            let scripts = scripts
                .split("bash ")
                .skip(1)
                .filter_map(|rest| rest.split_whitespace().next());
            for path in paths.split_whitespace().chain(scripts) {
                assert!(root().join(path).exists(), "{name} names {path}");
            }
        }
    }
}

/// What one step writes another must pick up by the same name.
#[test]
fn reports_are_picked_up_where_they_are_written() {
    let scanning = yaml::steps(&yaml::read(".github/examples/github-code-scanning.yml"));
    let written = scanning.iter().filter_map(|step| step.run.as_deref());
    let uploaded = scanning.iter().find_map(|step| step.with.get("sarif_file"));
    let uploaded = uploaded.expect("it uploads a log");
    assert!(
        written
            .into_iter()
            .any(|line| line.contains(&format!("--report sarif={uploaded}")))
    );
    let pipeline = yaml::read(".github/examples/gitlab-ci.yml");
    let job = &pipeline["cuda-portability"];
    let artifact = yaml::text(&job["artifacts"]["reports"]["codequality"]);
    let script = job["script"]
        .as_vec()
        .expect("a script")
        .iter()
        .map(yaml::text);
    assert!(
        script
            .into_iter()
            .any(|line| line.contains(&format!("--report gitlab={artifact}")))
    );
    let pipeline = yaml::read(".github/examples/azure-pipelines.yml");
    let steps = pipeline["steps"].as_vec().expect("steps");
    let publishes = steps.iter().find(|step| step["task"].as_str().is_some());
    let publishes = publishes.expect("a step publishes the findings");
    let published = yaml::text(&publishes["inputs"]["testResultsFiles"]);
    assert_eq!(yaml::text(&publishes["condition"]), "succeededOrFailed()");
    let script = yaml::commands(&pipeline).join("\n");
    assert!(script.contains(&format!("--report junit={published}")));
    assert!(script.contains("--output-format azure"));
}

/// What installs from a registry stands beside what works without one, as long as nothing is published.
#[test]
fn the_page_on_ci_says_what_works_before_a_release() {
    let read = |name: &str| fs::read_to_string(root().join(name)).expect("it is there");
    let page = read("docs/howto/ci.md");
    let unpublished = "Nothing is published yet";
    assert_eq!(
        page.contains(unpublished),
        read("README.md").contains(unpublished),
        "README and the page on CI tell the same"
    );
    for section in ["## GitHub", "## GitLab", "## Azure Pipelines"] {
        assert!(page.contains(section), "{section}");
    }
}

#[test]
fn the_hook_takes_file_names() {
    let hooks = yaml::read(".pre-commit-hooks.yaml");
    let hook = &hooks.as_vec().expect("a list")[0];
    for key in ["id", "name", "entry", "language"] {
        assert!(hook[key].as_str().is_some(), "pre-commit asks for `{key}`");
    }
    let entry = yaml::text(&hook["entry"]);
    let tree = Tree::new(&[
        ("a.cu", crate::common::GONE),
        ("sub/with blank.cu", crate::common::GONE),
    ]);
    // What the project leaves out a hook must leave out as well, though it is named.
    tree.write("cass.toml", b"[files]\nexclude = [\"old\"]\n");
    tree.write("old/c.cu", crate::common::GONE.as_bytes());
    // The hook takes the program of its own version from the path.
    let hook = entry.split_whitespace().next().expect("a script");
    assert_eq!(yaml::text(&hook_of("language", &hooks)), "script");
    let program = std::path::PathBuf::from(env!("CARGO_BIN_EXE_cass-transpile"));
    let folder = program.parent().expect("a folder").display();
    let path = format!(
        "{folder}:{}",
        std::env::var("PATH").expect("there is a path")
    );
    let words = entry.split_whitespace().skip(1);
    let mut command = assert_cmd::Command::new(root().join(hook));
    let command = command.current_dir(tree.folder.path()).env("PATH", path);
    let done =
        crate::common::done(
            command
                .args(words)
                .args(["a.cu", "sub/with blank.cu", "old/c.cu"]),
        );
    assert_eq!(
        (done.code, done.out.matches("error[CASS003]").count()),
        (1, 2),
        "{}",
        done.out
    );
}

fn hook_of(key: &str, hooks: &yaml_rust2::Yaml) -> yaml_rust2::Yaml {
    hooks.as_vec().expect("a list")[0][key].clone()
}
