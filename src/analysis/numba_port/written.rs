//! What is written into a file for numba-hip beside names: helpers, arguments without masks, the size of dynamic memory.

use super::uses::{Change, Helped, Uses};
use crate::edit::Edit;
use crate::mapping::{NumbaName, NumbaRename, NumbaTable};
use crate::python::numba::{
    DYNAMIC_MEMORY, REDUCER, atomic, dynamic_memory, function, function_around, is_random,
    place_behind,
};
use crate::python::{Literal, Node, PyFile, Strings};
use crate::text::{TextRange, whole_lines};

const PROGRAM: &str =
    "the string is a program for numba.cuda: keep it in a file of its own, where it is ported";

impl<'t> Uses<'t> {
    /// A use of what functions written into the file stand for.
    pub(super) fn helps(
        &mut self,
        file: &PyFile<'_>,
        node: Node<'t>,
        text: &str,
        advice: &'static str,
    ) {
        let outer = node.parent().filter(|it| it.kind() == "attribute");
        let member = outer
            .and_then(|it| it.child_by_field_name("attribute"))
            .map(|it| file.text(it).into_owned());
        let (place, function) = match (text, outer, member) {
            ("reduce" | "Reduce", _, _) => {
                self.helpers.reduce = true;
                (node, Some(REDUCER.to_owned()))
            }
            ("atomic", Some(outer), Some(member)) => {
                let function = atomic(&member);
                self.helpers.atomics.extend(function.clone());
                (outer, function)
            }
            ("random", Some(outer), Some(member)) => {
                self.helpers.random = true;
                (outer, Some(member).filter(|it| is_random(it)))
            }
            _ => {
                let function = function(text);
                self.helpers.functions.extend(function.clone());
                (node, function)
            }
        };
        match function {
            Some(function) => {
                let edit = Edit::replace(file.range(place), function);
                self.helped.push(Helped {
                    node,
                    edit,
                    name: text.to_owned(),
                    advice,
                });
            }
            None => self.block(file.range(place), text, advice),
        }
    }

    /// Writes the helpers behind the first import that all their users see.
    pub(super) fn write_helpers(&mut self, file: &'t PyFile<'t>, is_allowed: bool) {
        let helped = std::mem::take(&mut self.helped);
        let Some(first) = helped.first() else {
            return;
        };
        let mut places = self.imports.iter().chain(&self.anchors);
        let place = places.find_map(|import| {
            let scope = function_around(*import);
            let sees = |it: &Helped<'_>| {
                scope.is_none_or(|scope| scope.byte_range().contains(&it.node.start_byte()))
            };
            let (at, indent) = place_behind(file, *import)?;
            helped.iter().all(sees).then_some((*import, at, indent))
        });
        let Some((import, at, indent)) = place.filter(|_| is_allowed) else {
            for it in &helped {
                self.block(file.range(it.node), &it.name, it.advice);
            }
            return;
        };
        let text = self.helpers.text(indent);
        let mut edits = Vec::new();
        if helped.iter().all(|it| it.node != import) {
            let behind = match is_followed(file, at) {
                true => "\n\n",
                false => "",
            };
            let text = format!("\n\n{}{behind}", text.trim_end());
            edits.push(Edit::insert(at, text));
        }
        edits.extend(
            helped
                .iter()
                .map(|it| match it.node.kind().starts_with("import") {
                    true if it.node == import => {
                        let after = match it.edit.content.is_empty() {
                            true => String::new(),
                            false => format!("\n\n{indent}{}", it.edit.content),
                        };
                        Edit::replace(it.edit.range, format!("{}{after}", text.trim()))
                    }
                    true if it.edit.content.is_empty() => removal(file, it.node),
                    true => it.edit.clone(),
                    false => it.edit.clone(),
                }),
        );
        let message = format!(
            "numba.hip has no {}: functions written into the file take its place",
            listed(&helped)
        );
        self.changes.push(Change {
            range: file.range(first.node),
            edits,
            message,
        });
    }

    /// `cuda.shared.array`: shared memory whose size is given at the launch.
    pub(super) fn shared(&mut self, file: &'t PyFile<'t>, node: Node<'t>) {
        let call = node.parent().filter(|it| it.kind() == "call");
        let Some((call, size)) =
            call.and_then(|call| Some((call, file.argument(call, 0, "shape")?)))
        else {
            return;
        };
        if file.text(size) != "0" {
            return;
        }
        let range = file.range(size);
        match dynamic_memory(file, call) {
            Some(memory) => {
                let mut edits = vec![Edit::replace(range, memory.elements.to_string())];
                edits.extend(memory.sizes.into_iter().map(|it| Edit::replace(it, "0")));
                let message = "numba.hip has no dynamic shared memory: the array has the size that the launches give";
                self.edit(range, edits, message);
            }
            None => self.dynamic(file, node, call),
        }
    }

    /// Shared memory whose size only the launch knows.
    fn dynamic(&mut self, file: &'t PyFile<'t>, node: Node<'t>, call: Node<'t>) {
        const NAME: &str = "shared.array(0)";
        const ADVICE: &str =
            "numba.hip has no dynamic shared memory: write the largest size as a constant";
        let is_comment = |it: &Node<'_>| it.kind() == "comment";
        let arguments = call
            .child_by_field_name("arguments")
            .map_or_else(Vec::new, |it| it.named_children().collect());
        let dtype = file
            .argument(call, 1, "dtype")
            .filter(|_| arguments.len() == 2 && !arguments.iter().any(is_comment));
        let Some(dtype) = dtype else {
            return self.block(file.range(call), NAME, ADVICE);
        };
        self.helpers.functions.insert(DYNAMIC_MEMORY.to_owned());
        let text = format!("{DYNAMIC_MEMORY}({})", file.text(dtype));
        self.helped.push(Helped {
            node,
            edit: Edit::replace(file.range(call), text),
            name: NAME.to_owned(),
            advice: ADVICE,
        });
    }

    /// `link=["x.ptx"]`: what is not HIP is not linked.
    pub(super) fn links(&mut self, strings: &Strings<'_>) {
        let file = strings.file();
        for &call in strings.calls("jit") {
            let Some(link) = file.argument(call, usize::MAX, "link") else {
                continue;
            };
            let literals = file.all_below(link, &["string"]);
            for (node, literal) in literals
                .into_iter()
                .filter_map(|it| Some((it, Literal::new(file, it)?)))
            {
                let is_binary = [".ptx", ".cubin", ".fatbin", ".ltoir"]
                    .iter()
                    .any(|end| literal.text.ends_with(end));
                if is_binary {
                    self.block(file.range(node), &literal.text, "numba.hip links sources in HIP, bitcode and LLVM's IR: write the function in a .cu or .hip file");
                }
            }
        }
    }
}

impl<'t> Uses<'t> {
    /// `make("cuda.atomic.max")` in a program that runs what it writes: names within strings that are none of numba-hip's; and whole programs
    /// in strings, `python -c`, which stay those for numba.cuda. What is a statement of its own is documentation.
    pub(super) fn in_strings(&mut self, strings: &Strings<'t>) {
        let runs = ["exec", "eval", "compile"];
        let runs_strings = runs.iter().any(|it| !strings.calls(it).is_empty());
        let file = strings.file();
        for string in file.all(&["string"]) {
            let is_documentation = string
                .parent()
                .is_some_and(|it| it.kind() == "expression_statement");
            if is_documentation || file.side(string).is_some() {
                continue;
            }
            let text = file.text(string);
            if let Some(import) = import_in(&text) {
                self.block(file.range(string), import, PROGRAM);
                continue;
            }
            let mut modules = self.names.iter().filter(|_| runs_strings);
            if let Some((name, advice)) = modules.find_map(|it| unknown_name(&text, it)) {
                let advice = format!("the name stands in a string that the program runs: {advice}");
                self.block(file.range(string), &name, advice);
            }
        }
    }
}

/// Whether the line behind a place, which is the end of one, has something on it.
fn is_followed(file: &PyFile<'_>, at: u32) -> bool {
    let mut lines = file.bytes()[at as usize..].split(|byte| *byte == b'\n');
    lines
        .nth(1)
        .is_some_and(|line| !line.trim_ascii().is_empty())
}

/// What functions stand for, each once: "`atomic` and `random`".
fn listed(helped: &[Helped<'_>]) -> String {
    let mut names: Vec<String> = Vec::new();
    for it in helped {
        let name = format!("`{}`", it.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let last = names.pop().unwrap_or_default();
    match names.is_empty() {
        true => last,
        false => format!("{} and {last}", names.join(", ")),
    }
}

/// The import of `numba.cuda` in a text of several lines that is a program.
fn import_in(text: &str) -> Option<&str> {
    const IMPORTS: [&str; 3] = [
        "from numba import cuda",
        "from numba.cuda",
        "import numba.cuda",
    ];
    let is_import = |line: &&str| IMPORTS.iter().any(|it| line.starts_with(it));
    let start = text.find(['"', '\''])?;
    let mut lines = text[start..]
        .lines()
        .map(|line| line.trim_start_matches(['"', '\'', ' ', '\t']));
    lines.find(is_import).filter(|_| text.contains('\n'))
}

/// The first name below a module in a text that numba-hip has not under that name, `cuda.atomic.max`, and what to do.
fn unknown_name(text: &str, module: &str) -> Option<(String, &'static str)> {
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    text.match_indices(module).find_map(|(at, _)| {
        let is_start = !text[..at].ends_with(|it| is_word(it) || it == '.');
        let behind = text[at + module.len()..]
            .strip_prefix('.')
            .filter(|_| is_start)?;
        let path = behind.split(|it| !is_word(it) && it != '.').next()?;
        let path = path.trim_end_matches('.');
        let advice = match NumbaTable::builtin().name(path.split('.').next()?) {
            NumbaName::Helped(advice) | NumbaName::Missing(advice) => advice,
            NumbaName::Renamed(_) | NumbaName::Lanes(_) => {
                "write it in the code itself, where it is ported"
            }
            NumbaName::Present | NumbaName::OfNumba => return None,
        };
        Some((format!("{module}.{path}"), advice))
    })
}

/// What a file for numba-hip calls a module.
pub(super) fn in_hip(module: &str) -> &str {
    match module {
        "numba.cuda" => "numba.hip",
        other => other,
    }
}

/// The edits of a call of a function of a module that changes its name and its arguments.
pub(super) fn renamed(
    file: &PyFile<'_>,
    node: Node<'_>,
    module: &str,
    rename: &NumbaRename,
) -> Option<Vec<Edit>> {
    let call = node
        .parent()
        .filter(|it| it.kind() == "call" && it.child_by_field_name("function") == Some(node))?;
    let name = file.range(node.child_by_field_name("attribute")?);
    let arguments = file.elements(call.child_by_field_name("arguments")?);
    let is_plain = arguments.iter().all(|it| {
        !matches!(
            it.kind(),
            "keyword_argument" | "list_splat" | "dictionary_splat"
        )
    });
    let fewest = if rename.mask && !rename.bare { 2 } else { 0 };
    if !is_plain || arguments.len() < fewest {
        return None;
    }
    let (before, after) = rename.form.split_once("{call}").unwrap_or_default();
    let insert = |at: usize, text: &str| {
        let text = text.replace("{cuda}", in_hip(module));
        (!text.is_empty()).then(|| Edit::insert(at as u32, text))
    };
    let mut edits = Vec::from_iter(insert(call.start_byte(), before));
    edits.push(Edit::replace(name, rename.to.clone()));
    if let Some(mask) = arguments.first().filter(|_| rename.mask) {
        let end = match arguments.get(1) {
            Some(second) => second.start_byte(),
            None => mask.end_byte(),
        };
        edits.push(Edit::delete(TextRange::new(
            mask.start_byte() as u32,
            end as u32,
        )));
    }
    if let Some(last) = arguments.last() {
        if rename.denied {
            edits.extend(insert(last.start_byte(), "not ("));
            edits.extend(insert(last.end_byte(), ")"));
        }
        if rename.width {
            edits.extend(insert(last.end_byte(), ", 32"));
        }
    }
    let is_bare = arguments.is_empty() && !rename.given.is_empty();
    edits.extend(is_bare.then(|| Edit::insert(call.end_byte() as u32 - 1, rename.given.clone())));
    edits.extend(insert(call.end_byte(), after));
    Some(edits)
}

/// What takes a statement away: its lines, if nothing else stands there and its block keeps another one.
pub(super) fn removal(file: &PyFile<'_>, statement: Node<'_>) -> Edit {
    let range = file.range(statement);
    let block = statement.parent().filter(|it| it.kind() == "block");
    let is_only = block.is_some_and(|it| it.named_children().count() == 1);
    match whole_lines(file.bytes(), range).filter(|_| !is_only) {
        Some(lines) => Edit::delete(lines),
        None => Edit::replace(range, "pass"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcome;

    #[test]
    fn helpers_come_with_their_users() {
        let import = "from numba import cuda\n";
        for (source, expected) in [
            (
                "cuda.atomic.add(a, 0, 1)",
                "cuda>hip as cuda | > | cuda.atomic.add>cass_atomic_add",
            ),
            ("cuda.atomic.other(a, 0, 1)", "in the way: atomic"),
            ("f(cuda.atomic)", "in the way: atomic"),
            (
                "cuda.reduce(f)",
                "cuda>hip as cuda | > | cuda.reduce>CassReduce",
            ),
            (
                "cuda.random.xoroshiro128p_uniform_float32(s, 0)",
                "cuda>hip as cuda | > | cuda.random.xoroshiro128p_uniform_float32>xoroshiro128p_uniform_float32",
            ),
            (
                "from numba.cuda.random import xoroshiro128p_dtype\nx",
                "cuda>hip as cuda | > | from numba.cuda.random import xoroshiro128p_dtype\n>",
            ),
            (
                "from numba.cuda.random import xoroshiro128p_dtype; x",
                "cuda>hip as cuda | > | from numba.cuda.random import xoroshiro128p_dtype>pass",
            ),
            ("from numba.cuda.random import nosuch", "in the way: random"),
        ] {
            assert_eq!(outcome(&format!("{import}{source}")), expected, "{source}");
        }
        let two = "def f():\n  from numba import cuda\n  cuda.atomic.add(a, 0, 1)\ndef g():\n  from numba import cuda\n  cuda.atomic.add(a, 0, 1)\n";
        assert_eq!(outcome(two), "in the way: atomic atomic");
    }

    #[test]
    fn names_in_strings_that_run_are_in_the_way() {
        for (source, expected) in [
            (
                "exec(code('cuda.atomic.max'))",
                "in the way: cuda.atomic.max",
            ),
            ("exec(f'{x} = cuda.laneid.')", "in the way: cuda.laneid"),
            (
                "exec('cuda.grid(1); a.cuda.atomic; mycuda.atomic')",
                "cuda>hip as cuda",
            ),
            (
                "def f():\n  'cuda.atomic.max'\n  exec(x)",
                "cuda>hip as cuda",
            ),
            ("print('cuda.atomic.max')", "cuda>hip as cuda"),
            (
                "code = \"\"\"from numba import cuda\ncuda.grid(1)\"\"\"",
                "in the way: from numba import cuda",
            ),
            ("print('from numba import cuda')", "cuda>hip as cuda"),
        ] {
            let source = format!("from numba import cuda\n{source}");
            assert_eq!(outcome(&source), expected, "{source}");
        }
    }

    #[test]
    fn memory_and_links_that_are_not_known_are_in_the_way() {
        let import = "from numba import cuda\n";
        for (source, expected) in [
            (
                "cuda.shared.array(0, float32)",
                "cuda>hip as cuda | > | cuda.shared.array(0, float32)>cass_dynamic_memory(float32)",
            ),
            (
                "cuda.shared.array(0, float32, 16)",
                "in the way: shared.array(0)",
            ),
            (
                "cuda.shared.array(dtype=f4, shape=0); cuda.shared.array(8, f4)",
                "cuda>hip as cuda | > | cuda.shared.array(dtype=f4, shape=0)>cass_dynamic_memory(f4)",
            ),
            (
                "def k():\n  cuda.shared.array(0, 'int8')\nk[1, 1, 0, 4]()",
                "cuda>hip as cuda | 0>4 | 4>0",
            ),
            (
                "@cuda.jit(link=['a.ptx'])\ndef f(): pass",
                "in the way: a.ptx",
            ),
            (
                "@cuda.jit(link=['a.cu'])\ndef f(): pass",
                "cuda>hip as cuda",
            ),
        ] {
            assert_eq!(outcome(&format!("{import}{source}")), expected, "{source}");
        }
    }
}
