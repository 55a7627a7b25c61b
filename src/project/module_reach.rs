//! Which modules of Python are never loaded on AMD: all that import them do so for NVIDIA alone, or go on without.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::owner::Owner;
use crate::project::paths::Paths;
use crate::python::{Import, Made, is_test_path};

/// Where packages of Python lie below a folder that scripts are run in.
const ROOTS: &[&str] = &["", "python/", "src/"];

/// What one script imports.
#[derive(Debug, Default)]
pub(crate) struct ScriptImports {
    /// What the tree may have.
    pub(crate) imports: Vec<Import>,
    /// The packages that NVIDIA alone has and without which it ends.
    pub(crate) needs: Vec<String>,
    /// The constants among that, `GPU_NAME`.
    pub(crate) constants: Vec<String>,
    /// Nothing in it concerns GPUs.
    pub(crate) is_plain: bool,
}

/// The names by which modules of a tree can be imported, to leave out what comes from elsewhere.
#[derive(Debug)]
pub(crate) struct ModuleNames(FxHashSet<String>);

impl ModuleNames {
    /// Of the paths of a tree.
    pub(crate) fn new<'p>(paths: impl Iterator<Item = &'p str>) -> Self {
        let mut names = FxHashSet::default();
        for path in paths.filter_map(|it| it.strip_suffix(".py")) {
            let parts = path.split('/').filter(|it| !names.contains(*it));
            let parts: Vec<String> = parts.map(str::to_owned).collect();
            names.extend(parts);
        }
        Self(names)
    }

    /// Whether an import may mean a module of the tree; names that no module has are taken out of it.
    pub(crate) fn keep(&self, import: &mut Import) -> bool {
        import.names.retain(|it| self.0.contains(it));
        self.has(import)
    }

    /// Whether an import may mean a module of the tree.
    pub(crate) fn has(&self, import: &Import) -> bool {
        let first = import.module.split('.').next().unwrap_or_default();
        first.is_empty() || self.0.contains(first)
    }
}

/// By script, and in it by where a statement begins: on which GPUs it imports something.
pub(crate) type MadeWhere = FxHashMap<String, FxHashMap<u32, Made>>;

/// One script that imports another one.
struct Edge {
    from: usize,
    to: usize,
    /// Where its statement begins in the first.
    start: u32,
    is_outermost: bool,
    made: Made,
    /// Whether both belong to one package, so that nobody else is meant to import the second.
    is_within: bool,
}

/// The scripts of a tree and who imports whom; tests aside, which are run by themselves.
pub(crate) struct ModuleReach<'t> {
    paths: &'t Paths,
    scripts: &'t [(String, ScriptImports)],
    edges: Vec<Edge>,
}

impl<'t> ModuleReach<'t> {
    /// Finds what is imported among the files of a tree.
    pub(crate) fn new(paths: &'t Paths, scripts: &'t [(String, ScriptImports)]) -> Self {
        let numbers: FxHashMap<&str, usize> = scripts
            .iter()
            .enumerate()
            .map(|(at, (path, _))| (&**path, at))
            .collect();
        let mut edges = Vec::new();
        let users = scripts.iter().enumerate();
        for (from, (path, script)) in users.filter(|(_, (path, _))| !is_test_path(path)) {
            for import in &script.imports {
                let mut targets = targets(paths, path, import);
                targets.sort_unstable();
                targets.dedup();
                let targets = targets.iter().filter_map(|it| numbers.get(&**it));
                edges.extend(targets.filter(|to| **to != from).map(|&to| Edge {
                    from,
                    to,
                    start: import.start,
                    is_outermost: import.is_outermost,
                    made: import.made,
                    is_within: is_within_package(paths, path, &scripts[to].0),
                }));
            }
        }
        Self {
            paths,
            scripts,
            edges,
        }
    }

    /// The scripts that import others within a block: whether they do on AMD is seen in their trees.
    pub(crate) fn unclear(&self) -> FxHashSet<&'t str> {
        let surely = self.surely_reached();
        let concerns =
            |it: &&Edge| !it.is_outermost && !self.scripts[it.to].1.is_plain && !surely[it.to];
        let unclear = self.edges.iter().filter(concerns);
        unclear.map(|it| &*self.scripts[it.from].0).collect()
    }

    /// Of each script whether it is loaded on AMD whatever the imports within blocks come to: one that nothing imports, and what such ones
    /// import outside of blocks.
    fn surely_reached(&self) -> Vec<bool> {
        let mut is_imported = vec![false; self.scripts.len()];
        let mut onward = vec![Vec::new(); self.scripts.len()];
        for edge in &self.edges {
            is_imported[edge.to] = true;
            let is_anywhere = matches!(edge.made, Made::Anywhere);
            if edge.is_outermost && is_anywhere && !self.is_nvidias(&self.scripts[edge.from].0) {
                onward[edge.from].push(edge.to);
            }
        }
        let first = (0..self.scripts.len()).filter(|at| !is_imported[*at]);
        closure(&onward, first)
    }

    /// The modules that are never loaded on AMD. `made` says of a script by where a statement begins on which GPUs it is made.
    pub(crate) fn never_on_amd(mut self, made: &MadeWhere) -> FxHashSet<String> {
        for edge in self.edges.iter_mut().filter(|it| !it.is_outermost) {
            let of_script = made.get(&self.scripts[edge.from].0);
            let known = of_script.and_then(|it| it.get(&edge.start));
            edge.made = known.copied().unwrap_or_default();
        }
        let failing = self.failing();
        let nvidias: Vec<bool> = self
            .scripts
            .iter()
            .map(|it| self.is_nvidias(&it.0))
            .collect();
        let is_never = |edge: &Edge| {
            edge.is_within
                && match edge.made {
                    Made::NeverOnAmd => true,
                    Made::WhereItWorks => failing[edge.to],
                    Made::Anywhere => nvidias[edge.from],
                }
        };
        let (never, open): (Vec<&Edge>, Vec<&Edge>) =
            self.edges.iter().partition(|it| is_never(it));
        let mut onward = vec![Vec::new(); self.scripts.len()];
        open.iter().for_each(|it| onward[it.from].push(it.to));
        // What none of these brings may be started by anybody.
        let brought = closure(&onward, never.iter().map(|it| it.to));
        let others = (0..self.scripts.len()).filter(|at| !brought[*at]);
        let reached = closure(&onward, others);
        let unreached = (0..self.scripts.len()).filter(|at| !reached[*at]);
        unreached.map(|at| self.scripts[at].0.clone()).collect()
    }

    /// Whether a script is NVIDIA's by where it stands.
    fn is_nvidias(&self, path: &str) -> bool {
        self.paths.owner_of_module(path) == Some(Owner::Nvidia)
    }

    /// Of each script whether to import it ends with an exception on AMD: it needs what NVIDIA alone has, or imports such a one.
    fn failing(&self) -> Vec<bool> {
        let is_foreign = |name: &String| !self.paths.is_package(name);
        let needs = |(_, script): &(String, ScriptImports)| script.needs.iter().any(is_foreign);
        let first = (0..self.scripts.len()).filter(|at| needs(&self.scripts[*at]));
        let mut users = vec![Vec::new(); self.scripts.len()];
        for edge in self.edges.iter().filter(|it| it.is_outermost) {
            users[edge.to].push(edge.from);
        }
        closure(&users, first)
    }
}

/// Which numbers are reached from some, these among them.
fn closure(onward: &[Vec<usize>], first: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut reached = vec![false; onward.len()];
    let mut queue: Vec<usize> = first.collect();
    while let Some(at) = queue.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            queue.extend(&onward[at]);
        }
    }
    reached
}

/// The files that an import loads, as far as the tree has them: the module, those of the names that are modules, and the packages around
/// them that the script is not within.
fn targets(paths: &Paths, from: &str, import: &Import) -> Vec<String> {
    let named = import.module.trim_start_matches('.');
    let levels = import.module.len() - named.len();
    let behind = named.replace('.', "/");
    let above = |skipped: usize| {
        let ends = from.rmatch_indices('/').map(|(end, _)| &from[..=end]);
        ends.chain([""]).skip(skipped)
    };
    let folders: Vec<String> = match levels {
        0 => above(0)
            .flat_map(|folder| ROOTS.iter().map(move |root| format!("{folder}{root}")))
            .collect(),
        levels => above(levels - 1).take(1).map(str::to_owned).collect(),
    };
    let mut found = Vec::new();
    for folder in folders {
        let module = format!("{folder}{behind}");
        let whole = module.trim_end_matches('/');
        let below = import.names.iter().filter(|_| !whole.is_empty());
        let below = below.map(|name| format!("{whole}/{name}"));
        let modules = below.chain([whole.to_owned()]);
        let files = modules.flat_map(|it| [format!("{it}.py"), format!("{it}/__init__.py")]);
        let before = found.len();
        found.extend(files.filter(|it| paths.is_in_tree(it)));
        if found.len() > before {
            let parts = behind.match_indices('/').map(|(at, _)| &behind[..at]);
            let around = parts.map(|part| format!("{folder}{part}/"));
            let packages = around.map(|it| format!("{it}__init__.py"));
            found.extend(packages.filter(|it| paths.is_in_tree(it)));
        }
    }
    // A package is loaded before what lies in it.
    found.retain(|it| {
        let package = it.strip_suffix("__init__.py");
        package.is_none_or(|it| !from.starts_with(it))
    });
    found
}

/// Whether a script that imports another one belongs to its package; a module of none is imported by the scripts beside it.
fn is_within_package(paths: &Paths, from: &str, to: &str) -> bool {
    let ends = to.rmatch_indices('/').map(|(end, _)| &to[..=end]);
    let is_package = |it: &&str| paths.is_in_tree(&format!("{it}__init__.py"));
    let outermost = ends.take_while(is_package).last();
    outermost.is_none_or(|it| from.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::imports_of_lines;

    /// The modules of some scripts that AMD never loads; an import behind `# nv` is NVIDIA's, one behind `# try` is tried.
    fn never(scripts: &[(&str, &str)]) -> String {
        let paths = Paths::new(scripts.iter().map(|(path, _)| (*path).to_owned()));
        let names = ModuleNames::new(scripts.iter().map(|it| it.0));
        let mut made = MadeWhere::default();
        let read = |(path, text): &(&str, &str)| {
            let mut imports = imports_of_lines(text.as_bytes());
            let needs = imports.iter().any(|it| it.module == "cutlass");
            imports.retain_mut(|it| names.keep(it));
            for import in &imports {
                let behind = &text[import.start as usize..];
                let line = behind.lines().next().unwrap_or_default();
                let of_line = match line {
                    _ if line.ends_with("# nv") => Made::NeverOnAmd,
                    _ if line.ends_with("# try") => Made::WhereItWorks,
                    _ => Made::Anywhere,
                };
                let of_script = made.entry((*path).to_owned()).or_default();
                of_script.insert(import.start, of_line);
            }
            let script = ScriptImports {
                imports,
                needs: needs.then(|| "cutlass".to_owned()).into_iter().collect(),
                ..ScriptImports::default()
            };
            ((*path).to_owned(), script)
        };
        let scripts: Vec<_> = scripts.iter().map(read).collect();
        let reach = ModuleReach::new(&paths, &scripts);
        let mut found: Vec<String> = reach.never_on_amd(&made).into_iter().collect();
        found.sort();
        found.join(" ")
    }

    #[test]
    fn modules_that_only_code_for_nvidia_imports_are_never_loaded() {
        let init = ("k/__init__.py", "from .use import f\n");
        let used = ("k/use.py", "if a:\n    from .hopper import f  # nv\n");
        let package = ("k/hopper/__init__.py", "from .gemm import g\n");
        let deep = ("k/hopper/gemm.py", "");
        let all = [init, used, package, deep];
        assert_eq!(never(&all), "k/hopper/__init__.py k/hopper/gemm.py");
        let other = ("k/other.py", "from k.hopper.gemm import g\n");
        let with_other = [init, used, package, deep, other];
        assert_eq!(never(&with_other), "");
        let test = ("tests/test_gemm.py", "from k.hopper import gemm\n");
        let with_test = [init, used, package, deep, test];
        assert_eq!(never(&with_test), "k/hopper/__init__.py k/hopper/gemm.py");
        let circle = ("k/hopper/gemm.py", "from . import more\n");
        let more = ("k/hopper/more.py", "from .gemm import h\n");
        let names = "k/hopper/__init__.py k/hopper/gemm.py k/hopper/more.py";
        assert_eq!(never(&[init, used, package, circle, more]), names);
        // Who imports the library from elsewhere says nothing of its other users.
        let example = ("example.py", "if a:\n    import k.hopper.gemm  # nv\n");
        assert_eq!(never(&[("k/__init__.py", ""), package, deep, example]), "");
    }

    #[test]
    fn what_is_tried_is_not_loaded_where_it_needs_nvidias_packages() {
        let tries = (
            "k/__init__.py",
            "try:\n    from . import a  # try\nexcept ImportError:\n    pass\n",
        );
        let plain = ("k/a.py", "from .b import c\n");
        let needs = ("k/b.py", "import cutlass\n");
        assert_eq!(never(&[tries, plain, needs]), "k/a.py k/b.py");
        assert_eq!(never(&[tries, plain, ("k/b.py", "")]), "");
    }
}
