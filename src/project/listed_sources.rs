//! Sources that a build script of Python lists, and for whom.

use rustc_hash::FxHashMap;

use crate::project::build_mark::asks_for_amd;
use crate::python::{Node, PyFile, Side, parents};

/// Sources that a build script hands to PyTorch, as it writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sources {
    pub(crate) all: Vec<String>,
    /// Those that it hands over for NVIDIA alone, where it asks for AMD.
    pub(crate) for_nvidia: Vec<String>,
}

impl Sources {
    /// The paths of sources that a list of CMake or a Makefile writes out; a variable in front is the list's folder or one above it.
    pub(crate) fn of_list(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let lines = text.lines().filter(|it| !it.trim_start().starts_with('#'));
        let is_end = |letter: char| letter.is_whitespace() || "\"'();".contains(letter);
        let words = lines.flat_map(|line| line.split(is_end));
        let paths = words.filter_map(|word| {
            let path = word.rsplit(['}', ')']).next().unwrap_or(word);
            let path = path.trim_start_matches('/');
            is_source(path).then(|| path.to_owned())
        });
        Self {
            all: paths.collect(),
            for_nvidia: Vec::new(),
        }
    }
}

impl Sources {
    /// The sources that a script of a shell gives to nvcc, from its own folder: `cd src`, `nvcc -c -o k.o k.cu`.
    pub(crate) fn of_shell(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).replace("\\\r\n", " ");
        let text = text.replace("\\\n", " ");
        let (mut folder, mut before) = (String::new(), String::new());
        let mut all = Vec::new();
        let commands = text.split(['\n', ';']).flat_map(|line| line.split("&&"));
        for command in commands.map(str::trim) {
            let mut words = command.split_whitespace().map(unquoted);
            let Some(program) = words.next() else {
                continue;
            };
            let program = program.rsplit('/').next().unwrap_or(program);
            match program.trim_matches(['$', '{', '}', '(', ')']) {
                "cd" => match words.next() {
                    Some("-") => std::mem::swap(&mut folder, &mut before),
                    Some(to) if !to.starts_with(['/', '$', '~', '`']) => {
                        let next = format!("{folder}{to}/");
                        before = std::mem::replace(&mut folder, next);
                    }
                    // Where that leads nobody knows.
                    _ => return Self::default(),
                },
                "nvcc" | "NVCC" => {
                    let sources = words.filter(|it| it.ends_with(".cu") && !it.contains('$'));
                    all.extend(sources.map(|it| format!("{folder}{it}")));
                }
                _ => {}
            }
        }
        Self {
            all,
            for_nvidia: Vec::new(),
        }
    }
}

/// A word without the quotes around it.
fn unquoted(word: &str) -> &str {
    word.trim_matches(['"', '\''])
}

/// Whether a path is one of a source that compilers are given.
fn is_source(path: &str) -> bool {
    const ENDS: &[&str] = &[".cu", ".cpp", ".cc", ".cxx"];
    let has_end = |end: &&str| path.len() > end.len() && path.ends_with(*end);
    ENDS.iter().any(has_end)
}

/// The paths of sources in the strings of a build script: of `os.path.join(here, "a.cu")` and `f"{here}/a.cu"` what is written out.
pub(crate) fn sources(bytes: &[u8]) -> Sources {
    let file = PyFile::new(bytes);
    let names = Names::new(&file);
    let (mut found, mut others) = (Sources::default(), Vec::new());
    for node in file.all(&["string"]) {
        let Some(source) = source(&file.text(node)) else {
            continue;
        };
        match file
            .side(node)
            .map(Use::Of)
            .or_else(|| kept(&file, &names, node))
        {
            Some(Use::TakenOut) => continue,
            Some(Use::Of(Side::Nvidia)) => found.for_nvidia.push(source.clone()),
            _ => others.push(source.clone()),
        }
        found.all.push(source);
    }
    found.for_nvidia.retain(|source| !others.contains(source));
    if !asks_for_amd(bytes) {
        found.for_nvidia.clear();
    }
    found
}

/// What becomes of sources that a variable keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// They are built for one vendor.
    Of(Side),
    /// `[s for s in sources if s not in excluded]`.
    TakenOut,
}

/// The places of each name of a script: one walk for all the strings that are asked about.
struct Names<'t>(FxHashMap<String, Vec<Node<'t>>>);

impl<'t> Names<'t> {
    fn new(file: &'t PyFile<'_>) -> Self {
        let mut places = FxHashMap::<String, Vec<Node<'t>>>::default();
        for node in file.all(&["identifier"]) {
            let name = file.text(node).into_owned();
            places.entry(name).or_default().push(node);
        }
        Self(places)
    }
}

/// What becomes of a string by the variable that keeps it, if all places that read this variable agree: `kernels = glob("*.cu")`, and
/// further down `if use_cuda: sources += kernels`.
fn kept(file: &PyFile<'_>, names: &Names<'_>, node: Node<'_>) -> Option<Use> {
    let is_kept = |it: &Node<'_>| matches!(it.kind(), "assignment" | "augmented_assignment");
    let name = parents(node).find(is_kept)?.child_by_field_name("left")?;
    let name = file.text(name);
    let reads = |it: &Node<'_>| {
        let parent = it.parent();
        let is_named =
            |field: &str| parent.and_then(|up| up.child_by_field_name(field)) == Some(*it);
        !is_named("left") && !is_named("name")
    };
    let takes_out = |it: &Node<'_>| {
        let around = it.parent().map(|up| file.squeezed(up));
        around.is_some_and(|text| text.contains(&format!("notin{name}")))
    };
    let places = names.0.get(&*name).into_iter().flatten().copied();
    let places = places.filter(reads);
    let (out, used): (Vec<Node<'_>>, Vec<Node<'_>>) = places.partition(takes_out);
    match used.first().map(|first| file.side(*first)) {
        None => (!out.is_empty()).then_some(Use::TakenOut),
        Some(side) => side
            .filter(|side| used.iter().all(|it| file.side(*it) == Some(*side)))
            .map(Use::Of),
    }
}

/// The path that a string of Python holds, with its quotes.
fn source(literal: &str) -> Option<String> {
    let quote = literal.find(['"', '\''])?;
    let text = literal[quote..].trim_matches(['"', '\'']);
    let written = text.rsplit('}').next().unwrap_or(text);
    let written = written.trim_start_matches('/');
    (!written.contains(char::is_whitespace) && is_source(written)).then(|| written.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_read_off_scripts_of_shells() {
        let of = |text: &str| Sources::of_shell(text.as_bytes()).all;
        let here = "cd src\nnvcc -c -o k.cu.o k.cu -x cu \\\n  -Xcompiler -fPIC\ncd ../\npython3 build.py\n";
        assert_eq!(of(here), ["src/k.cu"]);
        let back = "cd a/b && $CUDA_PATH/bin/nvcc -c x.cu; cd -; ${NVCC} \"y.cu\" $z.cu\n";
        assert_eq!(of(back), ["a/b/x.cu", "y.cu"]);
        assert!(of("# nvcc k.cu\necho nvcc k.cu\ncd $HOME\nnvcc k.cu\n").is_empty());
    }

    #[test]
    fn sources_are_read_off_lists() {
        let text = b"# add_library(a none.cu)\nadd_library(a op.cu ../src/k.cu \"${CMAKE_SOURCE_DIR}/b.cc\")\nSRC = $(DIR)/m.cu .cu x.h\n";
        let found = Sources::of_list(text);
        assert_eq!(found.all, ["op.cu", "../src/k.cu", "b.cc", "m.cu"]);
    }

    #[test]
    fn sources_are_read_off_strings() {
        let text = b"load(name='a', sources=[\"cuda/op.cpp\", f'{here}/cuda/op.cu', join(d, \"b.cc\")])\nx = '.cu'\n# it's a.cu, \"c.cu\"\nd = 1  # it's\ny = ['e.cu', r\"\"\"g.cu\"\"\"]\n";
        let found = sources(text);
        assert_eq!(
            found.all,
            ["cuda/op.cpp", "cuda/op.cu", "b.cc", "e.cu", "g.cu"]
        );
        assert!(found.for_nvidia.is_empty());
    }

    #[test]
    fn sources_of_one_branch_are_nvidias() {
        let text = b"s = ['a.cu', 'b.cu']\nif not torch.version.hip:\n    s += ['ptx.cu', 'b.cu']\nelse:\n    s += ['mfma.cu']\n";
        assert_eq!(sources(text).for_nvidia, ["ptx.cu"]);
        let cuda = b"s = ['a.cu']\nif torch.version.cuda:\n    s += ['ptx.cu']\n";
        assert!(sources(cuda).for_nvidia.is_empty());
    }

    #[test]
    fn sources_are_whose_their_variable_is() {
        let text = |end: &str| {
            format!(
                "rocm = torch.version.hip\nkernels = list(glob(join(d, '**/*.cu')))\nout = ['cpu/old.cpp']\ns = ['a.cpp']\nif not rocm:\n    s += kernels\ns = [it for it in s if it not in out]\n{end}"
            )
        };
        let found = sources(text("").as_bytes());
        assert_eq!(found.all, ["**/*.cu", "a.cpp"]);
        assert_eq!(found.for_nvidia, ["**/*.cu"]);
        let both = sources(text("show(kernels)\nshow(out)\n").as_bytes());
        assert_eq!(both.all, ["**/*.cu", "cpu/old.cpp", "a.cpp"]);
        assert!(both.for_nvidia.is_empty());
    }
}
