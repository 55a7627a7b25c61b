//! Programs that write kernels in Triton.

use rustc_hash::{FxHashMap, FxHashSet};

use super::side::Kernels;
use super::{Bindings, LONGEST_NAME, Node, PyFile, parents};

/// Calls by which a kernel multiplies matrices.
const DOTS: &[&str] = &["dot", "dot_scaled"];
const LOOPS: &[&str] = &["for_statement", "while_statement"];

/// Reads the kernels of a file.
fn kernels_of(file: &PyFile<'_>) -> Kernels {
    let mut nodes = file.all(&["decorated_definition"]);
    nodes.retain(|it| file.is_triton_kernel(*it));
    let dots = dots(file);
    let mut own = Vec::with_capacity(nodes.len());
    let mut callers: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let mut by_word: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (at, kernel) in nodes.iter().enumerate() {
        let loops = file.all_below(*kernel, LOOPS).into_iter();
        let loops = loops.filter(|it| !has_own_stages(file, *it));
        let most = loops.filter_map(|it| dots.get(&it.number())).max();
        own.push(most.copied().unwrap_or(0));
        let calls = file.all_below(*kernel, &["call"]).into_iter();
        for called in calls.filter_map(|it| file.last_name(it)) {
            callers.entry(called).or_default().push(at);
        }
        let words = file.decorators(*kernel).into_iter();
        let words = words.flat_map(|it| file.all_below(it, &["identifier"]));
        let words = words.map(|it| file.text(it).into_owned());
        for word in words.chain([file.name_of(*kernel)]) {
            by_word.entry(word).or_default().push(at);
        }
    }
    let names: Vec<String> = nodes.iter().map(|it| file.name_of(*it)).collect();
    Kernels {
        all: nodes.iter().map(|it| it.number()).collect(),
        by_word,
        most: handed_up(&own, &names, &callers),
        dots,
    }
}

/// Whether a loop says itself over how many stages it is pipelined, `tl.range(0, n, num_stages=2)`, which goes before what the launch says.
fn has_own_stages(file: &PyFile<'_>, around: Node<'_>) -> bool {
    let range = around
        .child_by_field_name("right")
        .filter(|it| it.kind() == "call");
    range.is_some_and(|it| file.argument(it, usize::MAX, "num_stages").is_some())
}

/// The launch of the kernel that a name stands for: `kernel[grid](…)`.
fn launch(name: Node<'_>) -> Option<Node<'_>> {
    let subscript = name.parent().filter(|it| it.kind() == "subscript")?;
    let is_kernel = subscript.child_by_field_name("value") == Some(name);
    let call = subscript.parent().filter(|it| it.kind() == "call")?;
    let is_called = call.child_by_field_name("function") == Some(subscript);
    (is_kernel && is_called).then_some(call)
}

/// What each kernel has by itself or by a kernel that it calls, however far: the largest first, each handed to all who lead to it.
fn handed_up(
    own: &[usize],
    names: &[String],
    callers: &FxHashMap<String, Vec<usize>>,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..own.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(own[*at]));
    let mut most: Vec<Option<usize>> = vec![None; own.len()];
    for first in order {
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            if most[at].is_none() {
                most[at] = Some(own[first]);
                open.extend(callers.get(&names[at]).into_iter().flatten());
            }
        }
    }
    most.into_iter().map(Option::unwrap_or_default).collect()
}

/// The products of matrices of each loop that a pipeline holds at once, by the loop's number: all of them where one takes what another gives,
/// as in attention, else one. Triton pipelines no loop that decides at run time whether it multiplies.
fn dots(file: &PyFile<'_>) -> FxHashMap<u32, usize> {
    let mut by_loop = FxHashMap::<u32, Vec<Node<'_>>>::default();
    for call in file.all(&["call"]) {
        if is_dot(file, call) && !is_other_choice(file, call) {
            let nearest = parents(call).find(|it| LOOPS.contains(&it.kind()));
            if let Some(nearest) = nearest {
                by_loop.entry(nearest.number()).or_default().push(call);
            }
        }
    }
    let of_loop = |(number, mut dots): (u32, Vec<Node<'_>>)| {
        dots.retain(|it| !is_decided_late(file, *it));
        let is_chain = dots.len() > 1 && is_chained(file, file.nodes.node(number), &dots);
        (number, if is_chain { dots.len() } else { 1 })
    };
    by_loop.into_iter().map(of_loop).collect()
}

fn is_dot(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let name = file.last_name(call);
    name.is_some_and(|name| DOTS.contains(&name.as_str()))
}

/// Whether a product of a loop takes what another one gives, through variables or at once.
fn is_chained(file: &PyFile<'_>, around: Node<'_>, dots: &[Node<'_>]) -> bool {
    let has_dot = |it: Node<'_>| dots.iter().any(|dot| it == *dot || it.is_around(*dot));
    let mut given = FxHashSet::default();
    let names = |it: Node<'_>, given: &FxHashSet<_>| {
        let mut names = file.all_below(it, &["identifier"]).into_iter();
        names.any(|name| given.contains(&file.text(name)))
    };
    for it in file.all_below(around, &["assignment"]) {
        let right = it.child_by_field_name("right");
        if right.is_some_and(|right| has_dot(right) || names(right, &given)) {
            given.extend(it.child_by_field_name("left").map(|left| file.text(left)));
        }
    }
    dots.iter().any(|dot| {
        let factors = (0..2).filter_map(|at| file.argument(*dot, at, ["input", "other"][at]));
        factors
            .into_iter()
            .any(|it| has_dot(it) || names(it, &given))
    })
}

/// Whether a loop decides at run time whether it computes something: by a name that is no constant's, `if is_needed:`.
fn is_decided_late(file: &PyFile<'_>, place: Node<'_>) -> bool {
    let within = parents(place).take_while(|it| !LOOPS.contains(&it.kind()));
    let mut choices = within.filter(|it| it.kind() == "if_statement");
    choices.any(|it| {
        let condition = it.child_by_field_name("condition");
        let names = condition.map_or_else(Vec::new, |it| file.all_below(it, &["identifier"]));
        let is_late = |name: &str| name.contains(|letter: char| letter.is_ascii_lowercase());
        names.into_iter().any(|it| is_late(&file.text(it)))
    })
}

/// Whether a product is what an `else` has instead of another one: of the two one is computed.
fn is_other_choice(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let within = parents(call).take_while(|it| !LOOPS.contains(&it.kind()));
    let mut others = within.filter(|it| matches!(it.kind(), "else_clause" | "elif_clause"));
    others.any(|it| {
        let first = it
            .parent()
            .and_then(|it| it.child_by_field_name("consequence"));
        let calls = first.map_or_else(Vec::new, |it| file.all_below(it, &["call"]));
        calls.into_iter().any(|it| is_dot(file, it))
    })
}

impl PyFile<'_> {
    /// Whether the file imports a package: `import triton`, `from triton.language import …`.
    pub(crate) fn imports(&self, package: &str) -> bool {
        if memchr::memmem::find(self.bytes(), package.as_bytes()).is_none() {
            return false;
        }
        let is_it = |import: &Node<'_>| {
            let text = self.text(*import);
            let mut words =
                text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            words.nth(1) == Some(package)
        };
        self.all(&["import_statement", "import_from_statement"])
            .iter()
            .any(is_it)
    }

    /// Whether the file has Triton: it imports the package or something of it, or takes its names from a module of the program,
    /// `from ops import tl, triton`.
    pub(crate) fn has_triton(&self) -> bool {
        let is_imported =
            |name: Node<'_>| parents(name).any(|around| around.kind().starts_with("import_"));
        let taken = || {
            let names = ["triton", "tl"].into_iter();
            names
                .flat_map(|name| self.identifiers_of(name))
                .any(is_imported)
        };
        self.imports("triton") || taken()
    }

    /// Whether the file asks for AMD somewhere, or imports what only AMD has, so that its authors know both vendors.
    pub(crate) fn knows_amd(&self) -> bool {
        *self.knows_amd.get_or_init(|| {
            const WORDS: &[&str] = &[
                "version.hip",
                "version, \"hip\"",
                "is_hip",
                "is_rocm",
                "rocm",
                "is_amd",
            ];
            let mut words = WORDS.iter();
            words.any(|word| memchr::memmem::find(self.bytes(), word.as_bytes()).is_some())
                || self.imports_of_amd()
        })
    }

    /// Whether the file imports a package or a module of kernels that only AMD has: Composable Kernel, AITER, FlyDSL, MORI.
    fn imports_of_amd(&self) -> bool {
        const AMDS: &[&str] = &["ck", "aiter", "composable_kernel", "flydsl", "mori"];
        let mut places = AMDS.iter().flat_map(|name| self.identifiers_of(name));
        places.any(|it| parents(it).any(|around| around.kind().starts_with("import_")))
    }

    /// Whether a place is tried, or what is done where something else failed; `with suppress(ImportError):` tries as well.
    pub(crate) fn is_tried(&self, node: Node<'_>) -> bool {
        let suppresses = |with: Node<'_>| {
            let items = with.named_child(0).filter(|it| it.kind() == "with_clause");
            items.is_some_and(|it| self.text(it).contains("suppress("))
        };
        parents(node).any(|it| match it.kind() {
            "try_statement" => true,
            "with_statement" => suppresses(it),
            _ => false,
        })
    }

    /// Whether an import stands in a class whose `__init__` tries an import of the same package: without it there is no object of the class.
    pub(crate) fn is_tried_by_class(&self, import: Node<'_>) -> bool {
        let class_of = |it: Node<'_>| {
            let class = parents(it).find(|it| it.kind() == "class_definition");
            class.map(|it| it.number())
        };
        let package = |it: Node<'_>| {
            let text = self.text(it).into_owned();
            let mut words =
                text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            words.nth(1).map(str::to_owned)
        };
        let is_of_init = |it: Node<'_>| {
            let name = it.function().and_then(|it| it.child_by_field_name("name"));
            name.is_some_and(|it| self.text(it) == "__init__")
        };
        let class = class_of(import);
        let mut others = self
            .all(&["import_statement", "import_from_statement"])
            .into_iter();
        class.is_some()
            && others.any(|it| {
                class_of(it) == class
                    && is_of_init(it)
                    && self.is_tried(it)
                    && !self.goes_on_without(it)
                    && package(it) == package(import)
            })
    }

    /// Whether a place lies in a kernel, which Triton compiles: names of the program are not to be had there.
    pub(crate) fn is_in_triton_kernel(&self, node: Node<'_>) -> bool {
        let kernels = self.kernels();
        let mut around = parents(node).filter(|it| it.kind() == "decorated_definition");
        around.any(|it| {
            let body = it.child_by_field_name("definition");
            body.is_some_and(|body| body.start_byte() <= node.start_byte())
                && kernels.all.binary_search(&it.number()).is_ok()
        })
    }

    /// Whether a definition with decorators is a function that Triton compiles.
    fn is_triton_kernel(&self, decorated: Node<'_>) -> bool {
        let is_jit = |decorator: &Node<'_>| {
            let text = self.squeezed(*decorator);
            text.starts_with("@triton.jit")
                || text.starts_with("@jit")
                || text.contains("gluon.jit")
        };
        self.decorators(decorated).iter().any(is_jit)
    }

    fn decorators<'t>(&'t self, decorated: Node<'t>) -> Vec<Node<'t>> {
        let mut all = self.elements(decorated);
        all.retain(|it| it.kind() == "decorator");
        all
    }

    fn kernels(&self) -> &Kernels {
        self.kernels.get_or_init(|| kernels_of(self))
    }

    /// The most products of matrices in one of the loops that options of a launch are about: that around an option in the kernel itself,
    /// else those of the kernels that the launch or the configuration is for (all of the file where that cannot be told), with the functions
    /// that they call.
    pub(crate) fn most_dots(&self, option: Node<'_>) -> usize {
        let kernels = self.kernels();
        if self.is_in_triton_kernel(option) {
            let nearest = parents(option).find(|it| LOOPS.contains(&it.kind()));
            let dots = nearest.and_then(|it| kernels.dots.get(&it.number()));
            return dots.copied().unwrap_or(0);
        }
        let launched = self.launched(option);
        let most = match launched.is_empty() {
            true => kernels.most.iter().max(),
            false => launched.iter().map(|at| &kernels.most[*at]).max(),
        };
        most.copied().unwrap_or(0)
    }

    /// The last name of what is called: `dot` of `tl.dot(…)`.
    fn last_name(&self, call: Node<'_>) -> Option<String> {
        let function = call.child_by_field_name("function")?;
        let is_name = function.byte_range().len() <= LONGEST_NAME;
        let name = is_name.then(|| self.text(function))?;
        name.rsplit('.').next().map(str::to_owned)
    }

    /// The name of a definition with decorators.
    fn name_of(&self, decorated: Node<'_>) -> String {
        let definition = decorated.child_by_field_name("definition");
        let name = definition.and_then(|it| it.child_by_field_name("name"));
        name.map(|it| self.text(it).into_owned())
            .unwrap_or_default()
    }

    /// The kernels, by their places among all, that a launch names, `kernel[grid](…, num_stages=4)`, or whose decorators hold the option or name what holds it: the
    /// list or the function of the configurations.
    fn launched(&self, option: Node<'_>) -> Vec<usize> {
        let kernels = self.kernels();
        let mut found: Vec<usize> = Vec::new();
        let mut below = option;
        for it in parents(option) {
            let field = match it.kind() {
                "call" => it
                    .child_by_field_name("function")
                    .filter(|it| it.kind() == "subscript")
                    .and_then(|it| it.child_by_field_name("value")),
                "assignment" => it.child_by_field_name("left"),
                "function_definition" => it.child_by_field_name("name"),
                _ => None,
            };
            let speaking = field.and_then(|it| kernels.by_word.get(&*self.text(it)));
            found.extend(speaking.into_iter().flatten());
            if below.kind() == "decorator" {
                found.extend(kernels.all.binary_search(&it.number()).ok());
            }
            below = it;
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The launches of a kernel, `kernel[grid](…)`.
    pub(crate) fn launches_of(&self, name: &str) -> Vec<Node<'_>> {
        let names = self.identifiers_of(name).into_iter();
        names.filter_map(launch).collect()
    }

    /// What the kernels are called that an option is about.
    pub(crate) fn launched_names(&self, option: Node<'_>) -> Vec<String> {
        let all = &self.kernels().all;
        let launched = self.launched(option).into_iter();
        launched
            .map(|at| self.name_of(self.nodes.node(all[at])))
            .collect()
    }

    /// The elements of the buffers that a pipeline of a product of matrices keeps in shared memory, where the launch
    /// of `option` or its only configuration says the blocks, `BLOCK_M`, `BLOCK_SIZE_N`, `BK`, or the kernel does by its defaults.
    pub(crate) fn buffers(
        &self,
        option: Node<'_>,
        stages: u64,
        bindings: &Bindings<'_>,
    ) -> Option<u64> {
        let call = parents(option).find(|it| it.kind() == "call")?;
        let is_launch = call.child_by_field_name("function")?.kind() == "subscript";
        // Of several configurations, in one list or in a sum of lists, the tuner takes one that fits.
        let is_sum = |list: Node<'_>| {
            list.parent()
                .is_some_and(|it| it.kind() == "binary_operator")
        };
        let is_listed = call
            .parent()
            .filter(|it| it.kind() == "list" && !is_sum(*it));
        if !is_launch && is_listed.is_none_or(|list| self.elements(list).len() != 1) {
            return None;
        }
        let launched = self.launched(option);
        let given = self.all_below(call, &["pair", "keyword_argument"]);
        let defaults = match launched[..] {
            [kernel] => {
                let number = self.kernels().all[kernel];
                self.parameters_with_defaults(self.nodes.node(number))
            }
            _ => Vec::new(),
        };
        let size = |last: char| {
            let is_it = |it: &&Node<'_>| {
                let name = self.key(**it).unwrap_or_default();
                name.starts_with('B') && name.ends_with(last)
            };
            let named = given.iter().find(is_it).or(defaults.iter().find(is_it))?;
            let size = bindings.integer(named.child_by_field_name("value")?)?;
            Some((self.key(*named)?, size))
        };
        let sizes = [size('M')?, size('N')?, size('K')?];
        let depth = self.depth_of(&launched, &sizes);
        let (depth, others): (Vec<_>, Vec<_>) =
            sizes.iter().enumerate().partition(|(at, _)| *at == depth);
        let sum = others
            .iter()
            .try_fold(0_u64, |sum, (_, (_, size))| sum.checked_add(*size))?;
        let (_, (_, depth)) = depth.first()?;
        (stages - 1).checked_mul(sum.checked_mul(*depth)?)
    }

    /// Which of the blocks, by their names, the loop of a product of matrices goes along: the last one, unless the steps of the loops, or else
    /// the loops of the kernels, name another one alone, as a product of what stands in columns does, `x += BLOCK_M * stride`.
    fn depth_of(&self, kernels: &[usize], sizes: &[(String, u64)]) -> usize {
        let known = self.kernels();
        let kernels = self.with_callees(kernels);
        let loops = kernels.iter().flat_map(|at| {
            let kernel = self.nodes.node(known.all[*at]);
            self.all_below(kernel, LOOPS).into_iter()
        });
        let loops = loops.filter(|it| known.dots.contains_key(&it.number()));
        let loops: Vec<Node<'_>> = loops.collect();
        let steps = loops.iter().flat_map(|it| {
            let mut steps = self.all_below(*it, &["augmented_assignment"]);
            steps.extend(it.child_by_field_name("right"));
            steps
        });
        let steps: Vec<Node<'_>> = steps.collect();
        let only_one_in = |places: &[Node<'_>]| {
            let names = places
                .iter()
                .flat_map(|it| self.all_below(*it, &["identifier"]));
            let names: FxHashSet<_> = names.map(|it| self.text(it)).collect();
            let mut named = (0..sizes.len()).filter(|at| names.contains(sizes[*at].0.as_str()));
            named.next().filter(|_| named.next().is_none())
        };
        only_one_in(&steps)
            .or_else(|| only_one_in(&loops))
            .unwrap_or(sizes.len() - 1)
    }

    /// Kernels, by their places among all, with the functions for the GPU that they call.
    fn with_callees(&self, kernels: &[usize]) -> Vec<usize> {
        let known = self.kernels();
        let nodes = || known.all.iter().map(|number| self.nodes.node(*number));
        let places: FxHashMap<String, usize> =
            nodes().map(|node| self.name_of(node)).zip(0..).collect();
        let mut found = kernels.to_vec();
        let mut next = 0;
        while let Some(at) = found.get(next).copied() {
            next += 1;
            let calls = self.all_below(self.nodes.node(known.all[at]), &["call"]);
            let called = calls.into_iter().filter_map(|call| self.last_name(call));
            let called: Vec<usize> = called.filter_map(|it| places.get(&it).copied()).collect();
            for callee in called {
                if !found.contains(&callee) {
                    found.push(callee);
                }
            }
        }
        found
    }

    /// What an entry of a dictionary, an argument or a parameter is called.
    fn key(&self, entry: Node<'_>) -> Option<String> {
        let key = entry.child_by_field_name("key");
        let name = self.text(key.or_else(|| entry.child_by_field_name("name"))?);
        Some(name.trim_matches(['"', '\'']).to_owned())
    }

    /// The parameters of a definition with decorators that have a default.
    fn parameters_with_defaults<'t>(&'t self, decorated: Node<'t>) -> Vec<Node<'t>> {
        let definition = decorated.child_by_field_name("definition");
        let parameters = definition.and_then(|it| it.child_by_field_name("parameters"));
        let mut all = parameters.map_or_else(Vec::new, |it| self.elements(it));
        all.retain(|it| it.child_by_field_name("value").is_some());
        all
    }
}
