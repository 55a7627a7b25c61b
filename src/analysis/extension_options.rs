//! Options of nvcc in the lists of a build script in Python: what hipcc makes of them.

use std::collections::BTreeSet;

use crate::mapping::{BuildTable, BuildWord};
use crate::python::{Literal, Node, PyFile, parents};

/// What an element of a list is for AMD's compiler.
pub(crate) enum Fate {
    /// Nothing is needed, for this reason.
    Goes(&'static str),
    /// These words.
    Becomes(Vec<String>),
    /// There is nothing like it; the advice says what to do.
    Stays(&'static str),
}

/// Options behind `-Xcompiler` that gcc takes and clang 19 refuses.
const GCC_ALONE: &[&str] = &["-fno-gnu-unique"];

const NOTHING: &str = "hipcc needs nothing in its place";

/// Options of neighbouring elements that share a fate.
pub(crate) struct Group<'t> {
    pub(crate) nodes: Vec<Node<'t>>,
    pub(crate) fate: Fate,
}

impl<'t> Group<'t> {
    /// Takes its neighbour in, or gives it back. The fields of an f-string have their places in the words that become of it.
    fn joined(&mut self, file: &PyFile<'_>, next: Self) -> Option<Self> {
        let has_fields = |group: &Self| {
            let mut nodes = group.nodes.iter();
            nodes.any(|node| !file.all_below(*node, &["interpolation"]).is_empty())
        };
        let fate = match (&self.fate, &next.fate) {
            (Fate::Goes(why), Fate::Goes(_)) => Fate::Goes(why),
            (Fate::Stays(_), _) | (_, Fate::Stays(_)) => return Some(next),
            _ if has_fields(self) || has_fields(&next) => return Some(next),
            (one, other) => {
                let mut words: Vec<String> = Vec::new();
                for fate in [one, other] {
                    if let Fate::Becomes(becomes) = fate {
                        // Pairs as `-mllvm x -mllvm y` stay whole; one option twice in a row says no more than once.
                        let is_new = !words.ends_with(becomes);
                        words.extend(becomes.iter().filter(|_| is_new).cloned());
                    }
                }
                Fate::Becomes(words)
            }
        };
        self.nodes.extend(next.nodes);
        self.fate = fate;
        None
    }
}

/// The options of a list that hipcc does not take as meant, neighbours together: those of which nothing is left, and plain words.
pub(crate) fn groups<'t>(
    file: &PyFile<'_>,
    list: Node<'t>,
    elements: &[Node<'t>],
) -> Vec<Group<'t>> {
    let mut groups: Vec<Group<'t>> = Vec::new();
    let (mut at, mut is_joined) = (0, false);
    while at < elements.len() {
        let found = option_change(file, list, &elements[at..]);
        let Some((fate, taken)) = found else {
            (at, is_joined) = (at + 1, false);
            continue;
        };
        let nodes = elements[at..at + taken].to_vec();
        let group = Group { nodes, fate };
        let earlier = groups.last_mut().filter(|_| is_joined);
        if let Some(apart) = match earlier {
            Some(earlier) => earlier.joined(file, group),
            None => Some(group),
        } {
            groups.push(apart);
        }
        (at, is_joined) = (at + taken, true);
    }
    groups
}

/// Names of other modules that stand among the options of the device compiler: `extra_cuda_cflags=FLAGS`.
pub(crate) fn imported<'t>(file: &'t PyFile<'_>) -> Vec<Node<'t>> {
    let names = imports(file);
    let is_of_list = |name: &Node<'_>| {
        let mut around =
            parents(*name).take_while(|it| !matches!(it.kind(), "keyword_argument" | "pair"));
        around.all(|it| {
            matches!(
                it.kind(),
                "binary_operator" | "list" | "list_splat" | "parenthesized_expression"
            )
        })
    };
    let arguments = file.all(&["keyword_argument", "pair"]).into_iter();
    let values = arguments.filter_map(|it| {
        let name = it
            .child_by_field_name("name")
            .or_else(|| it.child_by_field_name("key"))?;
        let name = file.text(name);
        let is_devices = matches!(name.trim_matches(['"', '\'']), "nvcc" | "extra_cuda_cflags");
        it.child_by_field_name("value").filter(|_| is_devices)
    });
    let found = values.flat_map(|value| file.all_below(value, &["identifier"]));
    found
        .filter(|it| is_of_list(it) && names.contains(&*file.text(*it)))
        .collect()
}

/// The names that a file takes from other modules, but those of PyTorch and of Python's packaging.
fn imports(file: &PyFile<'_>) -> BTreeSet<String> {
    const KNOWN: &[&str] = &["torch", "setuptools", "distutils", "os", "sys"];
    let mut names = BTreeSet::new();
    for statement in file.all(&["import_from_statement"]) {
        let module = statement.child_by_field_name("module_name");
        let module = module.map(|it| file.text(it)).unwrap_or_default();
        if KNOWN.contains(&module.split('.').next().unwrap_or_default()) {
            continue;
        }
        for name in statement.children_by_field_name("name") {
            let own = name.child_by_field_name("alias").unwrap_or(name);
            names.insert(file.text(own).into_owned());
        }
    }
    names
}

/// What becomes of the option at the front of some elements, and of how many of them.
pub(crate) fn option_change(
    file: &PyFile<'_>,
    list: Node<'_>,
    elements: &[Node<'_>],
) -> Option<(Fate, usize)> {
    let text = |node: &Node<'_>| Literal::new(file, *node).map(|it| it.text);
    let first = text(&elements[0])?;
    let words: Vec<&str> = first.split_whitespace().collect();
    if !words.first()?.starts_with('-') || is_for_host(file, list) {
        return None;
    }
    let is_for_device = || is_for_device(file, list, 0);
    if words.len() > 1 {
        return of_words(&words, &is_for_device).map(|fate| (fate, 1));
    }
    let next = elements.get(1).map(|node| text(node).unwrap_or_default());
    of_option(&first, next.as_deref(), &is_for_device)
}

/// What becomes of options that stand in one string, as `load()` takes them: `-Xptxas -O3`.
fn of_words(words: &[&str], is_for_device: &dyn Fn() -> bool) -> Option<Fate> {
    let (mut at, mut left, mut changes) = (0, Vec::new(), false);
    while at < words.len() {
        let Some((fate, taken)) = of_option(words[at], words.get(at + 1).copied(), is_for_device)
        else {
            left.push(words[at].to_owned());
            at += 1;
            continue;
        };
        // `-gencode=arch=compute_90a, code=sm_90a`: its argument goes on behind the blank.
        let goes_on = words[at + taken - 1].ends_with(',');
        match fate {
            Fate::Goes(_) => {}
            Fate::Becomes(becomes) => left.extend(becomes),
            Fate::Stays(advice) => return Some(Fate::Stays(advice)),
        }
        (at, changes) = (at + taken + usize::from(goes_on), true);
    }
    changes.then(|| match left.is_empty() {
        true => Fate::Goes(NOTHING),
        false => Fate::Becomes(vec![left.join(" ")]),
    })
}

/// What becomes of an option, and of how many words: two where its argument is the next one.
fn of_option(
    text: &str,
    next: Option<&str>,
    is_for_device: &dyn Fn() -> bool,
) -> Option<(Fate, usize)> {
    let (option, value) = match text.split_once('=') {
        Some((option, value)) => (option, Some(value)),
        None => (text, None),
    };
    if !option.starts_with('-') {
        return None;
    }
    if is_architecture(option) {
        let reason = "PyTorch takes AMD's chips from PYTORCH_ROCM_ARCH";
        let is_chip = value.or(next).is_some_and(names_chip);
        return is_chip.then_some((Fate::Goes(reason), 1 + usize::from(value.is_none())));
    }
    let argument = value.or(next).unwrap_or_default();
    let (word, takes) = BuildTable::builtin().option(option, argument)?;
    let is_split = takes && value.is_none();
    if is_split && next.is_none() || (word.shared || is_split) && !is_for_device() {
        return None;
    }
    Some((of_word(word, argument), 1 + usize::from(is_split)))
}

fn of_word(word: &'static BuildWord, argument: &str) -> Fate {
    let Some(becomes) = &word.becomes else {
        return Fate::Stays(&word.advice);
    };
    let becomes = word.extension.as_ref().unwrap_or(becomes);
    // `-Xcompiler="-Wall"`: a shell between takes the quotes.
    let argument = argument.trim_matches(['"', '\'']);
    let words = becomes.replace("{}", &argument.replace(',', " "));
    let words = words.split_whitespace();
    let words: Vec<String> = words
        .filter(|word| !GCC_ALONE.contains(word))
        .map(str::to_owned)
        .collect();
    match words.is_empty() {
        true => Fate::Goes(NOTHING),
        false => Fate::Becomes(words),
    }
}

fn is_architecture(option: &str) -> bool {
    let names = [
        "gencode",
        "generate-code",
        "arch",
        "gpu-architecture",
        "code",
        "gpu-code",
    ];
    names.contains(&option.trim_start_matches('-'))
}

/// Whether a value is a chip of NVIDIA's, or all of it is worked out by the script: `f"-arch={chip}"`, which is nvcc's alone.
fn names_chip(value: &str) -> bool {
    value == "{}"
        || ["sm_", "compute_", "native", "all-major", "all"]
            .iter()
            .any(|start| value.contains(start))
}

/// Whether a list holds options of the device compiler, by what it is given to or called.
fn is_for_device(file: &PyFile<'_>, list: Node<'_>, depth: usize) -> bool {
    let is_name = |text: &str| {
        let lower = text.to_ascii_lowercase();
        lower.contains("nvcc") || lower.contains("cuda") || lower.contains("gencode")
    };
    for parent in parents(list) {
        let name = match parent.kind() {
            "pair" => parent.child_by_field_name("key"),
            "keyword_argument" => parent.child_by_field_name("name"),
            "assignment" | "augmented_assignment" => parent.child_by_field_name("left"),
            "call" => parent.child_by_field_name("function"),
            "function_definition" => parent.child_by_field_name("name"),
            _ => continue,
        };
        let Some(name) = name.map(|name| file.text(name).into_owned()) else {
            continue;
        };
        if is_name(&name) {
            return true;
        }
        // `flags.extend([…])`, `flags.append(…)`
        let grown = ["extend", "append"]
            .iter()
            .find_map(|it| name.strip_suffix(it)?.strip_suffix('.'));
        let grown = grown.filter(|_| parent.kind() == "call").map(str::to_owned);
        let is_set = matches!(parent.kind(), "assignment" | "augmented_assignment");
        let name = grown.clone().unwrap_or(name);
        let is_variable = (is_set || grown.is_some()) && depth == 0;
        if is_variable && uses(file, &name).any(|it| is_for_device(file, it, 1)) {
            return true;
        }
        if matches!(
            parent.kind(),
            "pair" | "keyword_argument" | "function_definition" | "assignment"
        ) {
            return false;
        }
    }
    false
}

/// Where a variable is read.
fn uses<'t>(file: &'t PyFile<'_>, name: &str) -> impl Iterator<Item = Node<'t>> {
    let nodes = file.all(&["identifier"]).into_iter();
    nodes
        .filter(move |node| file.text(*node) == name)
        .collect::<Vec<_>>()
        .into_iter()
}

/// Whether a list holds options of the host's compiler.
fn is_for_host(file: &PyFile<'_>, list: Node<'_>) -> bool {
    let pair = parents(list).find(|it| matches!(it.kind(), "pair" | "keyword_argument"));
    let key = pair.and_then(|pair| {
        pair.child_by_field_name("key")
            .or_else(|| pair.child_by_field_name("name"))
    });
    key.is_some_and(|key| {
        let key = file.text(key);
        matches!(
            key.trim_matches(['"', '\'']),
            "cxx" | "extra_cflags" | "extra_link_args" | "extra_ldflags"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of the options in the last list of a file: `options → fate`, one line each.
    fn fates(text: &str) -> Vec<String> {
        let file = PyFile::new(text.as_bytes());
        let list = *file.all(&["list"]).last().expect("there is a list");
        let show = |group: Group<'_>| {
            let words: Vec<_> = group.nodes.iter().map(|node| file.text(*node)).collect();
            let fate = match group.fate {
                Fate::Goes(_) => "goes".to_owned(),
                Fate::Becomes(words) => words.join(" "),
                Fate::Stays(_) => "stays".to_owned(),
            };
            format!("{} → {fate}", words.join(" "))
        };
        groups(&file, list, &file.elements(list))
            .into_iter()
            .map(show)
            .collect()
    }

    #[test]
    fn options_of_nvcc_have_a_fate() {
        for (list, expected) in [
            ("'-O3', '-std=c++17'", &[][..]),
            ("'-lineinfo'", &["'-lineinfo' → -gline-tables-only"]),
            (
                "'--expt-relaxed-constexpr', '--use_fast_math'",
                &["'--expt-relaxed-constexpr' '--use_fast_math' → goes"],
            ),
            (
                "'--extended-lambda', '-O3', '-use_fast_math'",
                &["'--extended-lambda' → goes", "'-use_fast_math' → goes"],
            ),
            (
                "'-gencode', 'arch=compute_80,code=sm_80'",
                &["'-gencode' 'arch=compute_80,code=sm_80' → goes"],
            ),
            (
                "'-gencode=arch=compute_80,code=sm_80'",
                &["'-gencode=arch=compute_80,code=sm_80' → goes"],
            ),
            ("f'-arch=sm_{number}'", &["f'-arch=sm_{number}' → goes"]),
            ("f'-arch={chip}'", &["f'-arch={chip}' → goes"]),
            ("'-arch=x86-64'", &[]),
            ("'-Xptxas', '-v'", &["'-Xptxas' '-v' → goes"]),
            ("'-Xptxas=-v'", &["'-Xptxas=-v' → goes"]),
            (
                "'-Xcompiler', '-fPIC,-Wall'",
                &["'-Xcompiler' '-fPIC,-Wall' → -fPIC -Wall"],
            ),
            (
                "'-Xcompiler=-fno-gnu-unique'",
                &["'-Xcompiler=-fno-gnu-unique' → goes"],
            ),
            ("'-Xptxas'", &[]),
            ("'-Xptxas -O3'", &["'-Xptxas -O3' → goes"]),
            ("'-O3 --use_fast_math'", &["'-O3 --use_fast_math' → -O3"]),
            ("'-O3 -g'", &[]),
            (
                "'-gencode arch=compute_80,code=sm_80'",
                &["'-gencode arch=compute_80,code=sm_80' → goes"],
            ),
            (
                "'-gencode=arch=compute_90a, code=sm_90a'",
                &["'-gencode=arch=compute_90a, code=sm_90a' → goes"],
            ),
            ("'-dlink'", &["'-dlink' → stays"]),
            ("'use_fast_math'", &[]),
            ("OPTIONS, *more", &[]),
            ("", &[]),
        ] {
            let text = format!("load(name='a', extra_cuda_cflags=[{list}])\n");
            assert_eq!(fates(&text), expected, "{list}");
        }
    }

    #[test]
    fn a_list_is_for_the_device_compiler_by_what_it_is_given_to() {
        // Other compilers have the option too.
        let kept = ["'-G' → -O0 -g"];
        for (text, expected) in [
            (
                "CUDAExtension('a', extra_compile_args={'cxx': [], 'nvcc': ['-G']})\n",
                &kept[..],
            ),
            (
                "CUDAExtension('a', extra_compile_args={'nvcc': [], 'cxx': ['-G']})\n",
                &[],
            ),
            ("nvcc_flags = ['-G']\n", &kept),
            ("nvcc_flags += ['-G']\n", &kept),
            ("flags = ['-G']\nargs = {'nvcc': flags}\n", &kept),
            ("flags = ['-G']\nargs = {'cxx': flags}\n", &[]),
            ("def cuda_flags():\n    return ['-G']\n", &kept),
            ("def flags():\n    return ['-G']\n", &[]),
            ("['-G']\n", &[]),
        ] {
            assert_eq!(fates(text), expected, "{text}");
        }
    }
}
