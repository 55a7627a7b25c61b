//! Programs that write kernels in Triton.

use super::{Bindings, Node, PyFile, parents};

/// Calls by which a kernel multiplies matrices.
const DOTS: &[&str] = &["dot", "dot_scaled"];
const LOOPS: &[&str] = &["for_statement", "while_statement"];

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

    /// Whether the file asks for AMD somewhere, so that its authors know both vendors.
    pub(crate) fn knows_amd(&self) -> bool {
        ["version.hip", "is_hip", "is_rocm", "rocm"]
            .iter()
            .any(|word| memchr::memmem::find(self.bytes(), word.as_bytes()).is_some())
    }

    /// Whether a place is tried, or what is done where something else failed.
    pub(crate) fn is_tried(&self, node: Node<'_>) -> bool {
        parents(node).any(|it| it.kind() == "try_statement")
    }

    /// Whether a place lies in a kernel, which Triton compiles: names of the program are not to be had there.
    pub(crate) fn is_in_triton_kernel(&self, node: Node<'_>) -> bool {
        let mut around = parents(node).filter(|it| it.kind() == "decorated_definition");
        around.any(|it| {
            let body = it.child_by_field_name("definition");
            body.is_some_and(|body| body.start_byte() <= node.start_byte())
                && self.is_triton_kernel(it)
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

    /// The functions of the file that Triton compiles, with their decorators.
    fn triton_kernels(&self) -> Vec<Node<'_>> {
        let mut all = self.all(&["decorated_definition"]);
        all.retain(|it| self.is_triton_kernel(*it));
        all
    }

    /// The loops of a kernel that options of a launch are about: those around an option in the kernel itself, else those of the kernels
    /// that the launch or the configuration is for (all of the file where that cannot be told), with the functions that they call.
    pub(crate) fn pipelined_loops(&self, option: Node<'_>) -> Vec<Node<'_>> {
        if self.is_in_triton_kernel(option) {
            let around: Vec<u32> = parents(option).map(|it| it.number()).collect();
            let mut loops = self.all(LOOPS);
            loops.retain(|it| around.contains(&it.number()));
            return loops.pop().into_iter().collect();
        }
        let kernels = self.triton_kernels();
        let launched = self.launched(option, &kernels);
        let mut open = if launched.is_empty() {
            kernels.clone()
        } else {
            launched
        };
        let (mut seen, mut loops) = (Vec::new(), Vec::new());
        while let Some(kernel) = open.pop() {
            if seen.contains(&kernel.number()) {
                continue;
            }
            seen.push(kernel.number());
            loops.extend(self.all_below(kernel, LOOPS));
            let calls = self.all_below(kernel, &["call"]).into_iter();
            let called: Vec<String> = calls.filter_map(|it| self.last_name(it)).collect();
            let is_called = |it: &&Node<'_>| called.contains(&self.name_of(**it));
            open.extend(kernels.iter().filter(is_called).copied());
        }
        loops
    }

    /// How many products of matrices a loop has, those of loops within it aside.
    pub(crate) fn dots(&self, within: Node<'_>) -> usize {
        let calls = self.all_below(within, &["call"]).into_iter();
        let is_own = |it: &Node<'_>| {
            let mut loops = parents(*it).filter(|it| LOOPS.contains(&it.kind()));
            loops
                .next()
                .is_some_and(|nearest| nearest.number() == within.number())
        };
        let is_dot = |it: &Node<'_>| {
            let name = self.last_name(*it);
            name.is_some_and(|name| DOTS.contains(&name.as_str()))
        };
        calls.filter(is_dot).filter(is_own).count()
    }

    /// The last name of what is called: `dot` of `tl.dot(…)`.
    fn last_name(&self, call: Node<'_>) -> Option<String> {
        let function = call.child_by_field_name("function")?;
        self.text(function).rsplit('.').next().map(str::to_owned)
    }

    /// The name of a definition with decorators.
    fn name_of(&self, decorated: Node<'_>) -> String {
        let definition = decorated.child_by_field_name("definition");
        let name = definition.and_then(|it| it.child_by_field_name("name"));
        name.map(|it| self.text(it).into_owned())
            .unwrap_or_default()
    }

    /// The kernels that a launch names, `kernel[grid](…, num_stages=4)`, or whose decorators hold the option or name what holds it: the
    /// list or the function of the configurations.
    fn launched<'t>(&'t self, option: Node<'_>, kernels: &[Node<'t>]) -> Vec<Node<'t>> {
        let around: Vec<Node<'_>> = parents(option).collect();
        let mut names: Vec<String> = Vec::new();
        for it in &around {
            let field = match it.kind() {
                "call" => it
                    .child_by_field_name("function")
                    .filter(|it| it.kind() == "subscript")
                    .and_then(|it| it.child_by_field_name("value")),
                "assignment" => it.child_by_field_name("left"),
                "function_definition" => it.child_by_field_name("name"),
                _ => None,
            };
            names.extend(field.map(|it| self.text(it).into_owned()));
        }
        let speaks = |kernel: &&Node<'t>| {
            let own = self.name_of(**kernel);
            let decorators = self.decorators(**kernel);
            let holds = |it: &Node<'_>| around.iter().any(|outer| outer.number() == it.number());
            let says = |it: &Node<'_>| {
                let words = self.all_below(*it, &["identifier"]);
                words
                    .iter()
                    .any(|word| names.iter().any(|name| *name == self.text(*word)))
            };
            names.contains(&own) || decorators.iter().any(|it| holds(it) || says(it))
        };
        kernels.iter().filter(speaks).copied().collect()
    }

    /// The bytes of the buffers that a pipeline of a product of matrices keeps in shared memory, at two bytes an element, where the launch
    /// of `option` or its only configuration says the blocks, `BLOCK_M`, `BLOCK_SIZE_N`, `BK`, or the kernel does by its defaults.
    pub(crate) fn buffers(
        &self,
        option: Node<'_>,
        stages: u64,
        bindings: &Bindings<'_>,
    ) -> Option<u64> {
        let call = parents(option).find(|it| it.kind() == "call")?;
        let is_launch = call.child_by_field_name("function")?.kind() == "subscript";
        let is_listed = call.parent().filter(|it| it.kind() == "list");
        if !is_launch && is_listed.is_none_or(|list| self.elements(list).len() != 1) {
            return None;
        }
        let given = self.all_below(call, &["pair", "keyword_argument"]);
        let defaults = match &self.launched(option, &self.triton_kernels())[..] {
            [kernel] => self.parameters_with_defaults(*kernel),
            _ => Vec::new(),
        };
        let size = |last: char| {
            let is_it = |it: &&Node<'_>| {
                let name = self.key(**it).unwrap_or_default();
                name.starts_with('B') && name.ends_with(last)
            };
            let named = given.iter().find(is_it).or(defaults.iter().find(is_it))?;
            bindings.integer(named.child_by_field_name("value")?)
        };
        let (rows, columns, depth) = (size('M')?, size('N')?, size('K')?);
        let elements = rows.checked_add(columns)?.checked_mul(depth)?;
        (stages - 1).checked_mul(elements)?.checked_mul(2)
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
