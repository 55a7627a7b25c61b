//! The YAML files of the repository, and the steps of a workflow or an action.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use yaml_rust2::{Yaml, YamlLoader};

use crate::common::rocm::root;

/// One step, with its texts as they are written.
pub(crate) struct Step {
    pub(crate) run: Option<String>,
    pub(crate) uses: Option<String>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) with: BTreeMap<String, String>,
    pub(crate) id: Option<String>,
    pub(crate) may_fail: bool,
}

impl Step {
    /// A step that runs a line of bash.
    pub(crate) fn of(line: &str) -> Self {
        step(&YamlLoader::load_from_str(&format!("run: {line:?}")).expect("YAML")[0])
    }
}

/// Every YAML file that another program reads, by its path in the repository.
pub(crate) fn files() -> BTreeMap<String, Yaml> {
    let mut names = vec![".pre-commit-hooks.yaml".to_owned()];
    for folder in [".github", ".github/examples", ".github/workflows"] {
        let items = fs::read_dir(root().join(folder)).expect("a folder");
        let paths: Vec<PathBuf> = items.map(|item| item.expect("an item").path()).collect();
        let is_yaml = |path: &&PathBuf| path.extension().is_some_and(|end| end == "yml");
        let found = paths.iter().filter(is_yaml);
        names.extend(found.map(|path| format!("{folder}/{}", name(path))));
    }
    assert!(names.len() > 5, "{names:?}");
    names
        .into_iter()
        .map(|name| (name.clone(), read(&name)))
        .collect()
}

/// One file; what does not parse fails here.
pub(crate) fn read(name: &str) -> Yaml {
    let text = fs::read_to_string(root().join(name)).expect("it is there");
    let mut documents =
        YamlLoader::load_from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(documents.len(), 1, "{name}");
    documents.remove(0)
}

/// All steps of an action or of the jobs of a workflow.
pub(crate) fn steps(file: &Yaml) -> Vec<Step> {
    let jobs = file["jobs"]
        .as_hash()
        .into_iter()
        .flat_map(|jobs| jobs.values());
    let of_jobs = jobs.map(|job| &job["steps"]);
    let lists = of_jobs
        .chain([&file["runs"]["steps"]])
        .filter_map(Yaml::as_vec);
    lists.flatten().map(step).collect()
}

/// The commands of a file of any of these kinds, a pipeline of GitLab or Azure and a hook too.
pub(crate) fn commands(file: &Yaml) -> Vec<String> {
    let mut found: Vec<String> = steps(file)
        .into_iter()
        .filter_map(|step| step.run)
        .collect();
    let jobs = file.as_hash().into_iter().flat_map(|jobs| jobs.values());
    let scripts = jobs.filter_map(|job| job["script"].as_vec()).flatten();
    let azure = file["steps"].as_vec().into_iter().flatten();
    let azure = azure.map(|step| &step["script"]);
    let azure = azure.filter(|script| script.as_str().is_some());
    let entries = file
        .as_vec()
        .into_iter()
        .flatten()
        .map(|hook| &hook["entry"]);
    found.extend(scripts.chain(azure).chain(entries).map(text));
    found
}

/// A scalar as text.
pub(crate) fn text(value: &Yaml) -> String {
    match value {
        Yaml::String(text) | Yaml::Real(text) => text.clone(),
        Yaml::Integer(number) => number.to_string(),
        Yaml::Boolean(value) => value.to_string(),
        other => panic!("{other:?} is no text"),
    }
}

/// The keys and values of a table of texts.
pub(crate) fn table(value: &Yaml) -> BTreeMap<String, String> {
    let pairs = value.as_hash().into_iter().flatten();
    pairs.map(|(key, value)| (text(key), text(value))).collect()
}

fn step(step: &Yaml) -> Step {
    let maybe = |key: &str| step[key].as_str().map(str::to_owned);
    Step {
        run: maybe("run"),
        uses: maybe("uses"),
        env: table(&step["env"]),
        with: table(&step["with"]),
        id: maybe("id"),
        may_fail: step["continue-on-error"].as_bool().unwrap_or_default(),
    }
}

fn name(path: &std::path::Path) -> String {
    let name = path.file_name().expect("it has a name");
    name.to_string_lossy().into_owned()
}
