//! The programs of a file with a task a line: lines of JSON in the layouts that are published, or lines of code.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use serde_json::Value;

use super::program::{Expected, Program, Recipe, Test};
use crate::pairs::has_main;
use crate::syntax::Document;
use crate::text::SourceFile;

/// What a task has, and the names by which published files call it: those of pairs as CASS has them (`cuda_source`, `hip_source`), of
/// CodeXGLUE and its like (`id`, `source`, `target`), of benchmarks of code with a driver and tests, or with files and commands as
/// ComputeEval has them.
const ROLES: [(&str, &[&str]); 11] = [
    (
        "name",
        &["name", "task_id", "id", "idx", "filename", "path", "file"],
    ),
    ("category", &["category", "domain", "group"]),
    (
        "source",
        &[
            "cuda_source",
            "cuda_code",
            "cuda",
            "source",
            "source_code",
            "code",
            "src",
        ],
    ),
    (
        "driver",
        &[
            "driver",
            "host_code",
            "host",
            "harness",
            "test_code",
            "main",
            "test",
        ],
    ),
    (
        "twin",
        &[
            "hip_source",
            "hip_code",
            "hip",
            "target",
            "target_code",
            "tgt",
        ],
    ),
    (
        "output",
        &["expected_output", "expected", "output", "stdout"],
    ),
    ("input", &["stdin", "input"]),
    ("arguments", &["arguments", "args"]),
    ("tests", &["tests", "test_cases"]),
    ("build", &["build_command"]),
    ("run", &["test_command", "run_command"]),
];
/// The file of a task in its folder, and that of its twin.
const FILES: [&str; 2] = ["main.cu", "twin.hip"];
/// What the commands of a task become.
const MAKEFILE: &str = "Makefile";

/// Texts by their paths.
type Files = Vec<(String, String)>;

/// The members of tasks that a person names, in place of those that are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(BTreeMap<String, String>);

impl Fields {
    /// Reads `source=prompt`.
    ///
    /// # Errors
    /// When there is no such role; the message lists them.
    pub(crate) fn name(&mut self, text: &str) -> Result<(), String> {
        let roles = || ROLES.map(|(role, _)| role).join(", ");
        let pair = text.split_once('=');
        let known = pair.filter(|(role, _)| ROLES.iter().any(|(known, _)| known == role));
        let Some((role, name)) = known else {
            return Err(format!("`{text}`: write ROLE=NAME; roles: {}", roles()));
        };
        self.0.insert(role.to_owned(), name.to_owned());
        Ok(())
    }

    /// What a task has in a role.
    fn get<'v>(&self, task: &'v Value, role: &str) -> Option<&'v Value> {
        if let Some(name) = self.0.get(role) {
            return task.get(name);
        }
        let (_, names) = ROLES.iter().find(|(known, _)| *known == role)?;
        let found = names.iter().find_map(|name| task.get(name));
        found.filter(|value| !value.is_null())
    }

    fn text(&self, task: &Value, role: &str) -> Option<String> {
        match self.get(task, role)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }
}

/// The programs of a file, and the files of their tree: a folder each.
///
/// # Errors
/// When a line is no task; the message says which.
pub(crate) fn tasks(text: &str, fields: &Fields) -> Result<(Vec<Program>, Files), String> {
    let (mut programs, mut files) = (Vec::new(), Vec::new());
    for (number, task) in values(text)? {
        if let Some((program, own)) = of_files(number, &task, fields) {
            programs.push(program);
            files.extend(own);
            continue;
        }
        let source = fields.text(&task, "source");
        let source = source.ok_or_else(|| {
            format!("line {number}: has no source; name its member: --field source=NAME")
        })?;
        let (name, folder) = place(number, &task, fields);
        let driver = fields.text(&task, "driver");
        let whole = [Some(source), driver].into_iter().flatten();
        let whole = whole.collect::<Vec<_>>().join("\n") + "\n";
        let recipe = |file: &str, text: &str| Recipe::Sources {
            folder: folder.clone(),
            sources: vec![file.to_owned()],
            has_main: defines_main(text),
        };
        let twin = fields.text(&task, "twin");
        programs.push(Program {
            name,
            category: fields.text(&task, "category").unwrap_or_default(),
            build: recipe(FILES[0], &whole),
            twin: twin.as_deref().map(|text| recipe(FILES[1], text)),
            tests: tests(&task, fields),
            needs_all: true,
        });
        files.push((format!("{folder}/{}", FILES[0]), whole));
        files.extend(twin.map(|text| (format!("{folder}/{}", FILES[1]), text)));
    }
    Ok((programs, files))
}

/// What a task is called, and the folder that its files lie in.
fn place(number: usize, task: &Value, fields: &Fields) -> (String, String) {
    let name = fields.text(task, "name");
    let name = name.unwrap_or_else(|| format!("line {number}"));
    let folder = format!("{number:06}-{}", slug(&name));
    (name, folder)
}

/// A task of several files with the commands that build and run it, which become a Makefile; none where it is another.
fn of_files(number: usize, task: &Value, fields: &Fields) -> Option<(Program, Files)> {
    let build = fields.text(task, "build")?;
    let (name, folder) = place(number, task, fields);
    let mut own: BTreeMap<String, String> = task
        .as_object()?
        .values()
        .flat_map(listed)
        .map(|(path, text)| (format!("{folder}/{path}"), text))
        .collect();
    if own.is_empty() {
        return None;
    }
    let escaped = |command: &str| command.replace('$', "$$").replace('\n', " ");
    let run = fields.text(task, "run").map_or_else(String::new, |run| {
        format!("\nrun: all\n\t{}\n", escaped(&run))
    });
    let makefile = format!("all:\n\t{}\n{run}", escaped(&build));
    own.entry(format!("{folder}/{MAKEFILE}"))
        .or_insert(makefile);
    let program = Program {
        name,
        category: fields.text(task, "category").unwrap_or_default(),
        build: Recipe::Make {
            folder,
            makefile: MAKEFILE.to_owned(),
        },
        twin: None,
        tests: tests(task, fields),
        needs_all: true,
    };
    Some((program, own.into_iter().collect()))
}

/// The files that a member of a task lists, `[{"path": …, "content": …}]`, by itself or under `files`; none that would leave its folder.
fn listed(member: &Value) -> Vec<(String, String)> {
    let list = member
        .as_array()
        .or_else(|| member.get("files")?.as_array());
    let file = |it: &Value| {
        let path = it.get("path")?.as_str()?;
        let is_inside = Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let text = it.get("content")?.as_str()?;
        is_inside.then(|| (path.trim_start_matches("./").to_owned(), text.to_owned()))
    };
    list.into_iter().flatten().filter_map(file).collect()
}

/// The tasks with the numbers of their lines: lines of JSON, a list of JSON, or lines that are code themselves.
fn values(text: &str) -> Result<Vec<(usize, Value)>, String> {
    let told = |number: usize, error: serde_json::Error| format!("line {number}: {error}");
    match text.trim_start().bytes().next() {
        Some(b'[') => {
            let list: Vec<Value> = serde_json::from_str(text).map_err(|error| told(1, error))?;
            Ok((1..).zip(list).collect())
        }
        Some(b'{') => {
            let lines = (1..).zip(text.lines());
            let lines = lines.filter(|(_, line)| !line.trim().is_empty());
            lines
                .map(|(number, line)| {
                    let value = serde_json::from_str(line);
                    Ok((number, value.map_err(|error| told(number, error))?))
                })
                .collect()
        }
        // As BabelTower has its functions: one a line, its tokens between blanks.
        _ => {
            let lines = (1..).zip(text.lines());
            let lines = lines.filter(|(_, line)| !line.trim().is_empty());
            let task = |(number, line)| (number, serde_json::json!({ "source": line }));
            Ok(lines.map(task).collect())
        }
    }
}

fn slug(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().take(40).map(plain).collect()
}

fn defines_main(text: &str) -> bool {
    let source = SourceFile::new("main.cu".to_owned(), text.as_bytes().to_vec());
    has_main(&Document::new(&source))
}

/// The tests of a task: its list, or its own input and output.
fn tests(task: &Value, fields: &Fields) -> Vec<Test> {
    match fields.get(task, "tests").and_then(Value::as_array) {
        Some(list) if !list.is_empty() => list.iter().map(|case| test(case, fields)).collect(),
        _ => vec![test(task, fields)],
    }
}

fn test(case: &Value, fields: &Fields) -> Test {
    let words = match fields.get(case, "arguments") {
        Some(Value::Array(list)) => Some(list.iter().map(word).collect()),
        Some(Value::String(text)) => Some(crate::text::split_command(text)),
        _ => None,
    };
    let expected = fields.text(case, "output");
    Test {
        words,
        stdin: fields.text(case, "input"),
        expected: expected.map(|text| Expected::text(&text)),
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_layouts_are_read() {
        let cases = [
            r#"{"filename": "a.cu", "cuda_source": "int main() {}", "hip_source": "int main() {}"}"#,
            r#"{"id": 7, "source": "__global__ void k() {}", "target": "__global__ void k() {}"}"#,
            r#"{"task_id": "X/1", "code": "int f();", "driver": "int main() {}", "expected_output": "1", "domain": "sum"}"#,
            r#"{"code": "int main() {}", "tests": [{"stdin": "1", "output": "2"}, {"args": [3, "b"], "output": "4"}]}"#,
            "__global__ void k ( int * a ) { a [ 0 ] = 1 ; }",
        ];
        let shown: Vec<String> = cases
            .iter()
            .map(|text| {
                let (programs, files) = tasks(text, &Fields::default()).unwrap();
                let one = &programs[0];
                let Recipe::Sources { has_main, .. } = &one.build else {
                    panic!("{one:?}")
                };
                let expected = one.tests.iter().filter(|test| test.expected.is_some());
                format!(
                    "{}[{}] main {has_main}, {} files, {} of {} tests",
                    one.name,
                    one.category,
                    files.len(),
                    expected.count(),
                    one.tests.len()
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "a.cu[] main true, 2 files, 0 of 1 tests",
                "7[] main false, 2 files, 0 of 1 tests",
                "X/1[sum] main true, 1 files, 1 of 1 tests",
                "line 1[] main true, 1 files, 2 of 2 tests",
                "line 1[] main false, 1 files, 0 of 1 tests",
            ]
        );
    }

    #[test]
    fn a_task_of_files_and_commands_has_a_makefile() {
        let task = serde_json::json!({
            "task_id": "X/1", "group": "sums", "build_command": "nvcc -I include -o t k.cu && echo $HOME", "test_command": "./t 3",
            "context_files": [{"path": "include/k.h", "content": "h"}, {"path": "../out.h", "content": "o"}],
            "solution": {"files": [{"path": "k.cu", "content": "c"}]}
        });
        let (programs, files) = tasks(&task.to_string(), &Fields::default()).unwrap();
        assert_eq!(
            (&*programs[0].name, &*programs[0].category),
            ("X/1", "sums")
        );
        let shown: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (&**path, &**text))
            .collect();
        let makefile = "all:\n\tnvcc -I include -o t k.cu && echo $$HOME\n\nrun: all\n\t./t 3\n";
        assert_eq!(
            shown,
            [
                ("000001-X_1/Makefile", makefile),
                ("000001-X_1/include/k.h", "h"),
                ("000001-X_1/k.cu", "c"),
            ]
        );
    }

    #[test]
    fn a_line_that_is_no_task_is_named() {
        let mut fields = Fields::default();
        fields.name("source=prompt").unwrap();
        let error = tasks("{\"prompt\": \"x\"}\n\n{\"code\": 1}", &fields).unwrap_err();
        assert!(
            error.contains("line 3") && error.contains("--field"),
            "{error}"
        );
        assert!(fields.name("sauce=x").unwrap_err().contains("source"));
    }
}
