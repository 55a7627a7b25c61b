//! Sources that a program reads as text and hands to a compiler when it runs: no header stands beside them there, so that their helpers
//! stand in them.

use std::collections::BTreeSet;

use crate::project::paths::{Paths, file_name};

/// What reads a file as text.
const READING: &[&[u8]] = &[
    b"open(",
    b"read_text",
    b"read_bytes",
    b"ifstream",
    b"fromfile(",
];
/// What compiles a text when a program runs.
const COMPILING: &[&[u8]] = &[
    b"RawKernel",
    b"RawModule",
    b"compile_with_cache",
    b"rtcCreateProgram",
    b"SourceModule",
    b"cuda.core",
    b"load_inline",
];
/// The ends of files that are read so.
const ENDS: &[&str] = &[".cu", ".cuh"];
/// How long a name in quotes may be.
const LONGEST: usize = 200;

/// The files of kernels that a script or program names which reads texts and compiles them when it runs, as it writes them. A name that it
/// makes, `f"{name}.cu"`, is its end with `*` in front.
pub(crate) fn named_texts(bytes: &[u8]) -> Vec<String> {
    let has = |words: &[&[u8]]| {
        let mut words = words.iter();
        words.any(|word| memchr::memmem::find(bytes, word).is_some())
    };
    if memchr::memmem::find(bytes, b".cu").is_none() || !has(COMPILING) || !has(READING) {
        return Vec::new();
    }
    let ends = memchr::memmem::find_iter(bytes, b".cu");
    let names: BTreeSet<String> = ends.filter_map(|at| name_at(bytes, at)).collect();
    names.into_iter().collect()
}

/// The name in quotes whose end begins at a byte.
fn name_at(bytes: &[u8], at: usize) -> Option<String> {
    let mut ends = ENDS.iter().rev();
    let quote_behind = |end: &&str| {
        let behind = bytes[at..].strip_prefix(end.as_bytes())?;
        let quote = *behind.first()?;
        matches!(quote, b'"' | b'\'').then_some((quote, at + end.len()))
    };
    let (quote, end) = ends.find_map(quote_behind)?;
    let from = at.saturating_sub(LONGEST);
    let open = bytes[from..at].iter().rposition(|byte| *byte == quote)?;
    let name = &bytes[from + open + 1..end];
    let name = std::str::from_utf8(name).ok()?;
    let made = name.rfind(['{', '}', '%', '*', ' ']);
    let is_end = ENDS.contains(&name);
    Some(match made {
        None if !is_end => name.to_owned(),
        _ => format!("*{}", &name[made.map_or(0, |it| it + 1)..]),
    })
}

/// The files of a tree that a script or program means by such names.
pub(super) fn meant(tree: &Paths, script: &str, names: &[String]) -> BTreeSet<String> {
    let (made, said): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|it| it.starts_with('*'));
    let mut found = BTreeSet::new();
    for name in said {
        // The folder may come from a function: what is called so is meant.
        let of_name = tree.by_name().get(file_name(name)).into_iter().flatten();
        found.extend(of_name.cloned());
    }
    let folder = script.rfind('/').map_or("", |at| &script[..=at]);
    for pattern in made {
        let end = pattern.trim_start_matches('*');
        let below = tree.all().filter(|it| it.starts_with(folder));
        found.extend(below.filter(|it| it.ends_with(end)).map(str::to_owned));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_a_program_reads_and_compiles_are_found() {
        let read = "import cupy as cp\nwith open(path('cuda', 'k.cu')) as f:\n    k = cp.RawKernel(f.read(), 'k')\n";
        assert_eq!(named_texts(read.as_bytes()), ["k.cu"]);
        let made = "k = cp.RawModule(code=open(f\"{base}/{name}_k.cu\").read())\nother = open(name + '.cu')\n";
        assert_eq!(named_texts(made.as_bytes()), ["*.cu", "*_k.cu"]);
        let program =
            "std::ifstream in(\"a/k.cuh\");\nhiprtcCreateProgram(&p, text, \"k.cu\", 0, 0, 0);\n";
        assert_eq!(named_texts(program.as_bytes()), ["a/k.cuh", "k.cu"]);
        for other in [
            "setup(ext_modules=[CUDAExtension('a', ['k.cu'])], text=open('README').read())",
            "cp.RawKernel(text, 'k')  # see k.cu",
        ] {
            assert!(named_texts(other.as_bytes()).is_empty(), "{other}");
        }
    }

    #[test]
    fn they_are_looked_for_by_name_and_below_the_script() {
        let tree = ["a/cuda/k.cu", "b/k.cu", "a/x_k.cu", "b/x_k.cu"].map(str::to_owned);
        let tree = Paths::new(tree);
        let names = |names: &[&str]| -> Vec<String> {
            let names: Vec<String> = names.iter().map(|it| (*it).to_owned()).collect();
            meant(&tree, "a/kernels.py", &names).into_iter().collect()
        };
        assert_eq!(names(&["k.cu"]), ["a/cuda/k.cu", "b/k.cu"]);
        assert_eq!(names(&["*_k.cu"]), ["a/x_k.cu"]);
    }
}
