//! What is written into a file for numba-hip for what the package lacks: atomics, random numbers, reductions, dynamic shared memory.

use super::{Node, PyFile};
use crate::text::{TextRange, lines_around};

const ATOMIC: &str = include_str!("numba/atomic.py");
const RANDOM: &str = include_str!("numba/random.py");
const REDUCE: &str = include_str!("numba/reduce.py");
/// Files of functions that stand for `numba.cuda.NAME` as `cass_NAME`.
const FUNCTIONS: [&str; 4] = [
    include_str!("numba/ufuncs.py"),
    include_str!("numba/warps.py"),
    include_str!("numba/memory.py"),
    include_str!("numba/devices.py"),
];

/// The function that stands for `numba.cuda.shared.array(0, dtype)`.
pub(crate) const DYNAMIC_MEMORY: &str = "cass_dynamic_memory";

/// The name that the helper of reductions has.
pub(crate) const REDUCER: &str = "CassReduce";

/// The function that stands for `numba.cuda.NAME`: `cass_vectorize`, `cass_match_any_sync`.
pub(crate) fn function(name: &str) -> Option<String> {
    let function = format!("cass_{name}");
    let mut lines = FUNCTIONS.iter().flat_map(|text| text.lines());
    let is_there = lines.any(|line| defined(line) == Some(function.as_str()));
    is_there.then_some(function)
}

/// The function that stands for `numba.cuda.atomic.NAME`.
pub(crate) fn atomic(name: &str) -> Option<String> {
    let function = format!("cass_atomic_{name}");
    let is_there = ATOMIC
        .lines()
        .any(|line| defined(line) == Some(function.as_str()));
    is_there.then_some(function)
}

/// Whether a name of `numba.cuda.random` is one of the helper's.
pub(crate) fn is_random(name: &str) -> bool {
    !name.starts_with('_') && RANDOM.lines().any(|line| defined(line) == Some(name))
}

/// The name that a line at the margin defines.
fn defined(line: &str) -> Option<&str> {
    let name = match line.strip_prefix("def ") {
        Some(rest) => rest.split('(').next()?,
        None => line.split(" = ").next().filter(|name| *name != line)?,
    };
    (!name.is_empty()
        && name
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_'))
    .then_some(name)
}

/// What a file needs.
#[derive(Debug, Default)]
pub(crate) struct Helpers {
    /// Functions of atomics, by the names that [`atomic`] gives.
    pub(crate) atomics: std::collections::BTreeSet<String>,
    pub(crate) random: bool,
    pub(crate) reduce: bool,
    /// Functions by the names that [`function`] gives.
    pub(crate) functions: std::collections::BTreeSet<String>,
}

impl Helpers {
    /// The text, each line behind `indent`; empty where nothing is needed.
    pub(crate) fn text(&self, indent: &str) -> String {
        let mut texts = Vec::new();
        if !self.atomics.is_empty() {
            texts.push(self.atomic_text());
        }
        texts.extend(self.random.then(|| RANDOM.to_owned()));
        texts.extend(self.reduce.then(|| REDUCE.to_owned()));
        texts.extend(FUNCTIONS.iter().filter_map(|file| self.used_of(file)));
        let mut text = String::new();
        for line in texts.join("\n\n").lines() {
            let indent = if line.is_empty() { "" } else { indent };
            text.extend([indent, line, "\n"]);
        }
        text
    }

    /// The functions of a file that are used, with what they share; nothing where none is.
    fn used_of(&self, file: &str) -> Option<String> {
        let of_part = |part: &str| {
            let names = part.lines().filter_map(defined).map(str::to_owned);
            names
                .filter(|it| it.starts_with("cass_"))
                .collect::<Vec<_>>()
        };
        let is_used = |name: &String| self.functions.contains(name);
        let parts: Vec<(&str, Vec<String>)> = file
            .split("\n\n\n")
            .map(|part| (part, of_part(part)))
            .collect();
        if !parts.iter().any(|(_, names)| names.iter().any(is_used)) {
            return None;
        }
        let kept = parts
            .iter()
            .filter(|(_, names)| names.is_empty() || names.iter().any(is_used));
        let texts: Vec<&str> = kept.map(|(part, _)| part.trim_end()).collect();
        Some(format!("{}\n", texts.join("\n\n\n")))
    }

    /// What all atomics share, and the functions that the file uses.
    fn atomic_text(&self) -> String {
        let is_wanted = |line: &&str| {
            let name = defined(line).filter(|name| name.starts_with("cass_atomic_"));
            name.is_none_or(|name| self.atomics.contains(name))
        };
        let parts: Vec<&str> = ATOMIC.split("\n\n\n").collect();
        let kept = parts.iter().filter(|part| {
            let function = part.lines().find_map(|line| line.strip_prefix("def cass_"));
            let name = function.and_then(|rest| rest.split('(').next());
            match name {
                Some(name) => self.atomics.contains(&format!("cass_{name}")),
                None => !part.starts_with("def _cass_exchange") || self.exchanges(),
            }
        });
        let text: Vec<&str> = kept.copied().collect();
        let text = text.join("\n\n\n");
        let lines: Vec<&str> = text.lines().filter(is_wanted).collect();
        format!("{}\n", lines.join("\n").trim_end())
    }

    fn exchanges(&self) -> bool {
        ["cass_atomic_cas", "cass_atomic_compare_and_swap"]
            .iter()
            .any(|name| self.atomics.contains(*name))
    }
}

/// Where helpers are written: behind the line of an import, with the blanks in front of it. Nothing else may stand on that line.
pub(crate) fn place_behind<'s>(file: &PyFile<'s>, import: Node<'_>) -> Option<(u32, &'s str)> {
    let (_, indent) = file.indent(import);
    let (bytes, range) = (file.bytes(), file.range(import));
    let lines = lines_around(bytes, range);
    let behind = &bytes[range.end as usize..lines.end as usize];
    let is_alone = lines.start as usize + indent.len() == import.start_byte()
        && (behind.trim_ascii().is_empty() || behind.trim_ascii_start().starts_with(b"#"));
    let length = behind.strip_suffix(b"\n").unwrap_or(behind);
    let length = length.strip_suffix(b"\r").unwrap_or(length).len();
    is_alone.then_some((range.end + length as u32, indent))
}

/// The function around a node, if it is in one.
pub(crate) fn function_around(node: Node<'_>) -> Option<Node<'_>> {
    node.function()
}

/// Shared memory of a size that the launches give.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DynamicMemory {
    /// The most elements that a launch asks for.
    pub(crate) elements: u64,
    /// The sizes in the launches.
    pub(crate) sizes: Vec<TextRange>,
}

/// What the launches in the file give for `cuda.shared.array(0, dtype)`; nothing if one of them says no number, if the kernel is used
/// in another way than by launches, or if it has several such arrays, which are one memory.
pub(crate) fn dynamic_memory(file: &PyFile<'_>, array: Node<'_>) -> Option<DynamicMemory> {
    let bytes = bytes_of(&file.squeezed(file.argument(array, 1, "dtype")?))?;
    let kernel = function_around(array)?;
    let name_node = kernel.child_by_field_name("name")?;
    let name = file.text(name_node);
    let is_dynamic = |call: &&Node<'_>| {
        file.squeezed(**call).contains("shared.array")
            && file
                .argument(**call, 0, "shape")
                .is_some_and(|it| file.text(it) == "0")
    };
    if file
        .all_below(kernel, &["call"])
        .iter()
        .filter(is_dynamic)
        .count()
        != 1
    {
        return None;
    }
    let mut memory = DynamicMemory {
        elements: 0,
        sizes: Vec::new(),
    };
    for used in file.all(&["identifier"]) {
        if file.text(used) != name || used == name_node {
            continue;
        }
        let launch = used.parent().filter(|it| it.kind() == "subscript")?;
        let given: Vec<Node<'_>> = launch.children_by_field_name("subscript").collect();
        let size = given
            .get(3)
            .filter(|_| launch.child_by_field_name("value") == Some(used))?;
        memory.elements = memory
            .elements
            .max(product(&file.squeezed(*size))?.div_ceil(bytes));
        memory.sizes.push(file.range(*size));
    }
    (memory.elements > 0).then_some(memory)
}

/// The size of an element of a type of Numba or NumPy, in bytes.
fn bytes_of(dtype: &str) -> Option<u64> {
    let name = dtype.rsplit('.').next()?.trim_matches(['\'', '"']);
    let bits: u64 = name
        .trim_start_matches(|it: char| it.is_ascii_alphabetic())
        .parse()
        .ok()?;
    let kind = name.trim_end_matches(|it: char| it.is_ascii_digit());
    matches!(
        (kind, bits),
        ("int" | "uint", 8 | 16 | 32 | 64) | ("float", 32 | 64) | ("complex", 64 | 128)
    )
    .then_some(bits / 8)
}

/// A number, or a product of numbers.
fn product(text: &str) -> Option<u64> {
    text.split('*')
        .try_fold(1_u64, |all, part| all.checked_mul(part.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dynamic_memory_is_what_the_launches_say() {
        let kernel = "def k():\n    a = cuda.shared.array(0, np.float32)\n";
        for (launches, expected) in [
            ("k[1, 2, 0, 256]()\nk[1, 2, 0, 128 * 4](x)", Some(128)),
            ("k[1, 2, 0, size]()", None),
            ("k[1, 2]()", None),
            ("k[1, 2, 0, 64]()\nf(k)", None),
            ("", None),
        ] {
            let source = format!("{kernel}{launches}");
            let file = PyFile::new(source.as_bytes());
            let array = *file.all(&["call"]).first().expect("the array is a call");
            let found = dynamic_memory(&file, array).map(|it| it.elements);
            assert_eq!(found, expected, "{launches}");
        }
        assert_eq!((bytes_of("'int16'"), bytes_of("dtype")), (Some(2), None));
    }

    #[test]
    fn a_file_gets_what_it_uses_and_no_more() {
        let add = atomic("add").into_iter().collect();
        let helpers = Helpers {
            atomics: add,
            ..Helpers::default()
        };
        let text = helpers.text("  ");
        assert!(text.contains("  cass_atomic_add = _cass_atomic(\"add\")\n"));
        assert!(text.contains("  def _cass_operate("));
        for other in ["cass_atomic_sub", "_cass_exchange", "cass_atomic_cas"] {
            assert!(!text.contains(other), "{other}");
        }
        assert!(
            text.lines()
                .all(|line| line.is_empty() || line.starts_with("  "))
        );
        let helpers = Helpers {
            atomics: atomic("cas").into_iter().collect(),
            ..Helpers::default()
        };
        assert!(helpers.text("").contains("def _cass_exchange"));
        let helpers = Helpers {
            functions: function("eq_sync").into_iter().collect(),
            ..Helpers::default()
        };
        let text = helpers.text("");
        assert!(text.contains("def cass_eq_sync") && text.contains("def _cass_lanes"));
        assert!(!text.contains("cass_match") && !text.contains("vectorize"));
        assert_eq!(Helpers::default().text(""), "");
    }

    #[test]
    fn names_are_those_of_numba() {
        assert_eq!(atomic("add").as_deref(), Some("cass_atomic_add"));
        assert_eq!(atomic("nosuch"), None);
        for name in ["vectorize", "match_any_sync", "dynamic_memory", "detect"] {
            assert_eq!(function(name), Some(format!("cass_{name}")));
        }
        assert_eq!(function("jit"), None);
        assert!(is_random("create_xoroshiro128p_states") && is_random("xoroshiro128p_dtype"));
        assert!(!is_random("_cass_next") && !is_random("uniform"));
    }

    #[test]
    fn helpers_stand_behind_an_import_alone_on_its_line() {
        for (source, expected) in [
            ("import a\nx", Some((8, ""))),
            ("if x:\r\n    import a  # why\r\ny", Some((26, "    "))),
            ("import a; b()", None),
            ("if x: import a", None),
        ] {
            let file = PyFile::new(source.as_bytes());
            let import = file.all(&["import_statement"])[0];
            assert_eq!(place_behind(&file, import), expected, "{source}");
        }
    }
}
