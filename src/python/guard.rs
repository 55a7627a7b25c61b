//! Which vendor a place of a build script is for: branches of `if`, conditional expressions, early returns, functions that only one
//! side calls.

use super::side::{AMD_WORDS, Side, names_other_accelerator};
use super::{Literal, Node, PyFile, parents};

/// How deep functions that call each other are followed.
const DEPTH: usize = 3;
/// How deep conditions may be nested, operands of `and` and `or` aside: Python itself reads 200 parentheses within each other.
const LEVELS: usize = 200;

impl PyFile<'_> {
    /// Who reads a place; `None` for both.
    pub fn side(&self, node: Node<'_>) -> Option<Side> {
        self.side_within(node, DEPTH)
    }

    /// Whether a place is for Windows alone, `… if windows else []`: PyTorch for ROCm, and ROCm's tools, are for Linux first of all.
    pub(crate) fn is_on_windows(&self, node: Node<'_>) -> bool {
        let mut below = node;
        parents(node).any(|it| {
            let condition = match it.kind() {
                "conditional_expression" => self.elements(it).get(1).copied(),
                "if_statement" => it.child_by_field_name("condition"),
                _ => None,
            };
            let is_reached = match it.kind() {
                "if_statement" => it.child_by_field_name("consequence") == Some(below),
                _ => self.elements(it).first() == Some(&below),
            };
            below = it;
            condition.filter(|_| is_reached).is_some_and(|it| {
                let text = self.text(it).to_lowercase();
                // Not `sliding_window`.
                let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
                words.any(|word| {
                    let names = ["win", "win32", "win64", "windows", "iswindows", "nt"];
                    names.contains(&word)
                })
            })
        })
    }

    /// Who reads what stands at a byte.
    pub(crate) fn side_at(&self, offset: u32) -> Option<Side> {
        let is_there = |it: &Node<'_>| it.byte_range().contains(&(offset as usize));
        let mut innermost = self.root();
        while let Some(below) = innermost.children().find(is_there) {
            innermost = below;
        }
        self.side(innermost)
    }

    fn side_within(&self, node: Node<'_>, depth: usize) -> Option<Side> {
        let (mut below, mut passed, mut found) = (node, Vec::new(), None);
        while found.is_none() {
            if let Some(known) = self.asked.borrow().sides.get(&(below.number(), depth)) {
                found = *known;
                break;
            }
            passed.push(below.number());
            let Some(parent) = below.parent() else {
                break;
            };
            found = match parent.kind() {
                "if_statement" | "elif_clause" | "conditional_expression" => {
                    self.of_branch(parent, below)
                }
                "block" | "module" => self.side_behind_return(parent, below),
                "function_definition" => self
                    .of_function_name(parent)
                    .or_else(|| self.of_redefinition(parent))
                    .or_else(|| self.of_callers(parent, depth.checked_sub(1)?)),
                "decorated_definition" => self.of_decorators(parent, below),
                "boolean_operator" => self.of_operand(parent, below),
                "class_definition" => self.of_class(parent, depth),
                "assignment" => self.of_list(parent, below),
                "pair" => self.of_entry(parent, below),
                _ => None,
            };
            below = parent;
        }
        let keys = passed.into_iter().map(|at| ((at, depth), found));
        self.asked.borrow_mut().sides.extend(keys);
        found
    }

    /// A branch of `if`, by its condition and those of the branches in front of it.
    fn of_branch<'t>(&self, statement: Node<'t>, below: Node<'t>) -> Option<Side> {
        if statement.kind() == "conditional_expression" {
            let parts = self.elements(statement);
            let [value, condition, other] = parts[..] else {
                return None;
            };
            return match below {
                it if it == value => self.if_true(condition),
                it if it == other => self.if_false(condition),
                _ => None,
            };
        }
        let condition = statement.child_by_field_name("condition")?;
        if statement.child_by_field_name("consequence") == Some(below) {
            return self
                .if_never(condition, true)
                .or_else(|| self.if_true(condition));
        }
        if below == condition {
            return None;
        }
        // `elif` and `else` come where all conditions before them were false.
        self.decided_before(statement, below, |child| match child.kind() {
            "elif_clause" => self.if_false(child.child_by_field_name("condition")?),
            _ => {
                let condition = (child == condition).then_some(condition)?;
                self.if_never(condition, false)
                    .or_else(|| self.if_false(condition))
            }
        })
    }

    /// Nobody, where a condition is never what it has to be: `if False:`, or a variable of the function that is set once, to `True`, and only
    /// asked and handed on otherwise.
    fn if_never(&self, condition: Node<'_>, holds: bool) -> Option<Side> {
        let is_always = match condition.kind() {
            "identifier" => self.value_of_local(condition)?,
            _ => constant(&self.text(condition))?,
        };
        (is_always != holds).then_some(Side::Other)
    }

    /// What a variable of a function is set to in its only assignment, if that is `True` or `False`.
    fn value_of_local(&self, variable: Node<'_>) -> Option<bool> {
        const READERS: &[&str] = &[
            "if_statement",
            "elif_clause",
            "not_operator",
            "boolean_operator",
            "argument_list",
        ];
        let name = self.text(variable);
        let [set] = self.assignments_to(&name)[..] else {
            return None;
        };
        let function = set
            .function()
            .filter(|it| Some(*it) == variable.function())?;
        let left = set.child_by_field_name("left");
        let is_read = |it: &Node<'_>| {
            let above = it.parent();
            Some(*it) == left || above.is_some_and(|it| READERS.contains(&it.kind()))
        };
        let is_only_read = self.identifiers_within(&name, function).iter().all(is_read);
        constant(&self.text(set.child_by_field_name("right").filter(|_| is_only_read)?))
    }

    /// An entry of a table by the name of NVIDIA's device that it is for: `{"NVIDIA A100-PCIE-40GB": {"maxnreg": 512}}`.
    fn of_entry(&self, entry: Node<'_>, below: Node<'_>) -> Option<Side> {
        let key = entry.child_by_field_name("key").filter(|it| *it != below)?;
        let key = Literal::new(self, key)?;
        key.text.starts_with("NVIDIA ").then_some(Side::Nvidia)
    }

    /// What comes behind `raise NotImplementedError()`, which nobody runs, or behind `if torch.version.hip: return`, behind a kernel's `tl.static_assert(cuda_capability_geq(9))`, or behind a test's
    /// `self.skipTest("needs Hopper")` that asks for no capability.
    fn side_behind_return<'t>(&self, block: Node<'t>, below: Node<'t>) -> Option<Side> {
        self.decided_before(block, below, |statement| {
            // A cell of a notebook is run by hand, whatever the one in front of it raised.
            if block.kind() == "block" && is_exit(statement) {
                return Some(Side::Other);
            }
            if let Some(asserted) = self.asserted_of_kernel(statement) {
                return self.if_true(asserted);
            }
            let is_plain = statement.kind() == "if_statement"
                && statement.child_by_field_name("alternative").is_none();
            let consequence = statement.child_by_field_name("consequence");
            let body = consequence.filter(|_| is_plain)?.named_children();
            let last = body.filter(|it| it.kind() != "comment").last()?;
            let ends = matches!(
                last.kind(),
                "return_statement" | "raise_statement" | "continue_statement"
            ) || self.skips_or_exits(last);
            let condition = statement.child_by_field_name("condition");
            let condition = condition.filter(|_| ends)?;
            // GPUs of AMD answer questions for a capability as Hopper or Blackwell do, and are not kept out.
            let is_kept_from_amd = || {
                self.skips_or_exits(last)
                    && needs_chip_of_nvidia(&self.text(last))
                    && !self.text(condition).contains("capability")
            };
            let side = self.if_false(condition);
            side.or_else(|| is_kept_from_amd().then_some(Side::Nvidia))
        })
    }

    /// What a kernel does not compile without: `tl.static_assert(…)`.
    fn asserted_of_kernel<'t>(&self, statement: Node<'t>) -> Option<Node<'t>> {
        let call = statement.named_child(0).filter(|it| it.kind() == "call")?;
        let is_static = self.callee(call).is_some_and(|it| it == "static_assert");
        self.argument(call, 0, "cond").filter(|_| is_static)
    }

    /// Whether a statement calls a function that does not return: `pytest.skip(…)`, `pytest.xfail(…)`, `self.skipTest(…)`, `sys.exit()`.
    pub(crate) fn skips_or_exits(&self, statement: Node<'_>) -> bool {
        let call = statement.named_child(0).filter(|it| it.kind() == "call");
        let called = call.and_then(|it| it.child_by_field_name("function"));
        let called = called.map(|it| self.dotted(it));
        called.is_some_and(|name| {
            matches!(name.as_str(), "pytest.skip" | "pytest.xfail" | "sys.exit")
                || name.ends_with(".skipTest")
        })
    }

    /// Whether something below a place ends the program: `raise RuntimeError("nvcc not found")`, `sys.exit(1)`.
    pub(crate) fn ends_program(&self, place: Node<'_>) -> bool {
        let mut calls = self.all_below(place, &["call"]).into_iter();
        !self.all_below(place, &["raise_statement"]).is_empty() || calls.any(|it| self.is_exit(it))
    }

    /// Whether a call ends the program: `sys.exit(1)`, `exit()`, `quit()`, `os._exit(1)`.
    pub(crate) fn is_exit(&self, call: Node<'_>) -> bool {
        let called = self.callee(call);
        called.is_some_and(|it| matches!(&*it, "exit" | "_exit" | "quit"))
    }

    /// A function for one vendor of a file that has one of the same name for the other: `nvidia_all_gather` beside `amd_all_gather`,
    /// `run_nvidia` beside `run_amd`. One that the other one calls is for both.
    fn of_function_name(&self, function: Node<'_>) -> Option<Side> {
        let whole = self.text(function.child_by_field_name("name")?);
        let name = whole.trim_start_matches('_');
        let (front, behind) = (name.split_once('_')?, name.rsplit_once('_')?);
        self.of_vendor_in_name(&whole, front.0, |other| format!("{other}_{}", front.1))
            .or_else(|| {
                self.of_vendor_in_name(&whole, behind.1, |other| format!("{}_{other}", behind.0))
            })
    }

    /// A function of a module that is defined again for one vendor behind itself, or whose name is given to another one there:
    /// `if torch.version.hip: kernel = kernel_of_amd`. What it was is the other one's.
    fn of_redefinition(&self, function: Node<'_>) -> Option<Side> {
        // A name that has more meanings tells nothing of its first.
        const MOST: usize = 8;
        let name = self.text(function.child_by_field_name("name")?);
        let above = function.parent()?;
        let module = match above.kind() {
            "decorated_definition" => above.parent()?,
            _ => above,
        };
        if module.kind() != "module" {
            return None;
        }
        let defined = self.functions_called(&name);
        let again = defined.into_iter().chain(self.assignments_to(&name));
        let mut again = again
            .filter(|it| it.start_byte() > function.start_byte())
            .take(MOST);
        again.find_map(|it| {
            const WHOLE: &[&str] = &["decorated_definition", "expression_statement"];
            let mut above = parents(it).skip_while(|it| WHOLE.contains(&it.kind()));
            let consequence = above.next().filter(|it| it.kind() == "block")?;
            let choice = above.next().filter(|it| it.kind() == "if_statement")?;
            let is_of_module = choice.parent() == Some(module)
                && choice.child_by_field_name("consequence") == Some(consequence);
            let condition = choice.child_by_field_name("condition");
            self.if_false(condition.filter(|_| is_of_module)?)
        })
    }

    /// The same by the word that names the vendor; `with` is the name with another one in its place.
    fn of_vendor_in_name(
        &self,
        whole: &str,
        vendor: &str,
        with: impl Fn(&str) -> String,
    ) -> Option<Side> {
        const NVIDIAS: &[&str] = &["nvidia", "cuda"];
        let (side, others) = match vendor {
            _ if NVIDIAS.contains(&vendor) => (Side::Nvidia, AMD_WORDS),
            _ if AMD_WORDS.contains(&vendor) => (Side::Amd, NVIDIAS),
            _ => return None,
        };
        let is_there = |name: String| {
            let of_name = self.identifiers_of(&name).into_iter();
            let mut definitions = of_name.filter_map(|it| it.parent());
            let other = definitions.find(|it| it.kind() == "function_definition");
            other.is_some_and(|it| self.identifiers_within(whole, it).is_empty())
        };
        let mut others = others.iter().map(|it| with(it));
        let has_other = others.any(|it| is_there(format!("_{it}")) || is_there(it));
        has_other.then_some(side)
    }

    /// A class for one vendor beside that for the other one, `CudaDevice` where the file has a `RocmDevice`, or one of that name which is only
    /// named where NVIDIA's side is: `if variant == "cuda": CudaUtils.set_variables()`.
    fn of_class(&self, class: Node<'_>, depth: usize) -> Option<Side> {
        let of_name = |class: Node<'_>| {
            let name = class.child_by_field_name("name")?;
            vendor_of_class(&self.text(name))
        };
        let own = of_name(class)?;
        let mut classes = self.all(&["class_definition"]).into_iter();
        let is_told = own == Side::Amd
            || classes.any(|it| of_name(it) == Some(Side::Amd))
            || self.is_named_for_nvidia_alone(class, depth);
        is_told.then_some(own)
    }

    /// Whether a class is named outside of itself, and only where NVIDIA's side is.
    fn is_named_for_nvidia_alone(&self, class: Node<'_>, depth: usize) -> bool {
        let (Some(depth), Some(own)) = (depth.checked_sub(1), class.child_by_field_name("name"))
        else {
            return false;
        };
        let uses = self.identifiers_of(&self.text(own)).into_iter();
        let mut outside = uses.filter(|it| !class.is_around(*it)).peekable();
        outside.peek().is_some()
            && outside.all(|it| self.side_within(it, depth) == Some(Side::Nvidia))
    }

    /// A list that a module keeps for one vendor beside one for the other: `_NV_CONFIGS = [...]` where it has `_AMD_CONFIGS = [...]`. What else
    /// is called so, `cuda_version = ...`, runs for both.
    fn of_list(&self, assignment: Node<'_>, below: Node<'_>) -> Option<Side> {
        let own = self.owner_of_list(assignment)?;
        if assignment.child_by_field_name("left") == Some(below) {
            return None;
        }
        let known = self.asked.borrow().lists;
        let owners = known.unwrap_or_else(|| {
            let all = self.all(&["assignment"]).into_iter();
            let all: Vec<Side> = all.filter_map(|it| self.owner_of_list(it)).collect();
            let owners = [Side::Amd, Side::Nvidia].map(|side| all.contains(&side));
            self.asked.borrow_mut().lists = Some(owners);
            owners
        });
        owners.iter().all(|it| *it).then_some(own)
    }

    /// Whose a list of a module is by its name.
    fn owner_of_list(&self, assignment: Node<'_>) -> Option<Side> {
        const LISTS: &[&str] = &["list", "list_comprehension", "tuple", "dictionary", "set"];
        let left = assignment.child_by_field_name("left")?;
        let value = assignment.child_by_field_name("right")?;
        let is_list = left.kind() == "identifier" && LISTS.contains(&value.kind());
        let is_kept = is_list && assignment.function().is_none();
        let name = is_kept.then(|| self.text(left).to_ascii_lowercase())?;
        let has = |words: &[&str]| name.split('_').any(|word| words.contains(&word));
        match (has(&["nv", "nvidia", "cuda"]), has(&["amd", "rocm", "hip"])) {
            (true, false) => Some(Side::Nvidia),
            (false, true) => Some(Side::Amd),
            _ => None,
        }
    }

    /// A test that its decorators skip for a vendor: `@skipIfRocm`, `@unittest.skipIf(torch.version.hip, "…")`.
    fn of_decorators(&self, decorated: Node<'_>, below: Node<'_>) -> Option<Side> {
        let is_decorator = |it: &Node<'_>| it.kind() == "decorator";
        if is_decorator(&below) {
            return None;
        }
        let mut decorators = decorated.named_children().filter(is_decorator);
        decorators.find_map(|it| self.of_decorator(it.named_child(0)?))
    }

    /// Whom what stands below a decorator is for.
    fn of_decorator(&self, decorator: Node<'_>) -> Option<Side> {
        let name = decorator.child_by_field_name("function");
        let whole = self.dotted(name.unwrap_or(decorator));
        let name = whole.rsplit('.').next()?.to_ascii_lowercase();
        let name = name.replace('_', "");
        let condition = || self.argument(decorator, 0, "condition");
        match name.as_str() {
            "skipifrocm" | "skipifhip" => Some(Side::Nvidia),
            "skipif" | "xfail" => self.if_false(condition()?),
            "skipunless" => self.if_true(condition()?),
            // What is never run.
            "skip" if matches!(whole.as_str(), "pytest.mark.skip" | "unittest.skip") => {
                Some(Side::Other)
            }
            "parametrize" => self.of_only_case(decorator),
            // `@requires_sm100`, `@skip_unless_hopper`; not `needs_hopper = pytest.mark.skipif(get_device_capability() < (9, 0))`, which lets
            // AMD by.
            _ if asks_for_more(&name)
                && needs_chip_of_nvidia(&whole.replace('_', " "))
                && self.assignments_to(&whole).is_empty() =>
            {
                Some(Side::Nvidia)
            }
            _ => None,
        }
    }

    /// A test that is run for the backend for CUDA alone: `@pytest.mark.parametrize("backend", [kit.cuda])`. A device of that name is AMD's too.
    fn of_only_case(&self, decorator: Node<'_>) -> Option<Side> {
        const CHOICES: &[&str] = &["backend", "backends", "platform", "arch"];
        const CUDA: &[&str] = &["cuda", "nvidia", "CUDA", "NVIDIA"];
        let text = |it: Node<'_>| self.text(it).trim_matches(['"', '\'']).to_owned();
        let choice = text(self.argument(decorator, 0, "argnames")?);
        let cases = self.elements(self.argument(decorator, 1, "argvalues")?);
        let is_cuda = |it: &Node<'_>| {
            let whole = text(*it);
            CUDA.contains(&whole.rsplit('.').next().unwrap_or_default())
        };
        let is_only = CHOICES.contains(&&*choice) && !cases.is_empty();
        (is_only && cases.iter().all(is_cuda)).then_some(Side::Nvidia)
    }

    /// The side of a child by the first of the children in front of it that decides.
    fn decided_before<'t>(
        &self,
        parent: Node<'t>,
        below: Node<'t>,
        decided: impl Fn(Node<'t>) -> Option<Side>,
    ) -> Option<Side> {
        let known = self.asked.borrow().deciding.get(&parent.number()).copied();
        let first = known.unwrap_or_else(|| {
            let first = parent
                .children()
                .find_map(|child| Some((child.number(), decided(child)?)));
            let mut asked = self.asked.borrow_mut();
            asked.deciding.insert(parent.number(), first);
            first
        });
        first.and_then(|(at, side)| (at < below.number()).then_some(side))
    }

    /// A function that is called, and only on one side.
    fn of_callers(&self, function: Node<'_>, depth: usize) -> Option<Side> {
        let key = (function.number(), depth);
        if let Some(known) = self.asked.borrow().callers.get(&key) {
            return *known;
        }
        let found = self.side_of_calls(function, depth);
        self.asked.borrow_mut().callers.insert(key, found);
        found
    }

    fn side_of_calls(&self, function: Node<'_>, depth: usize) -> Option<Side> {
        let name = self.text(function.child_by_field_name("name")?);
        let places = match is_method(function) {
            true => self.calls_of_method(function, &name)?,
            false => {
                let mut places = self.calls_of(&name);
                places.extend(self.launches_of(&name));
                places.extend(self.handings_on(&name));
                places
            }
        };
        let mut sides = places.into_iter().map(|it| self.side_within(it, depth));
        let first = sides.next()??;
        // `forward_cuda`, which `forward_hip` calls, is what others call for NVIDIA.
        let is_told = !is_method(function) || first == Side::Nvidia || name.starts_with('_');
        (is_told && sides.all(|side| side == Some(first))).then_some(first)
    }

    /// Where a file calls a method; nothing where others may call it as well, or where the file names it otherwise. Others see what a class
    /// has, but for what it marks as its own, what a class has that a module does, and what is called after NVIDIA, `tune_for_nvidia`.
    fn calls_of_method(&self, method: Node<'_>, name: &str) -> Option<Vec<Node<'_>>> {
        let class = parents(method).find(|it| it.kind() == "class_definition");
        let class = class.and_then(|it| it.child_by_field_name("name"));
        let is_own =
            name.starts_with('_') || class.is_some_and(|it| self.text(it).starts_with('_'));
        let is_nvidias = || {
            name.split('_')
                .any(|word| matches!(word, "nvidia" | "cuda" | "nv"))
        };
        if name.starts_with("__") || !is_own && !is_nvidias() {
            return None;
        }
        let places = self
            .identifiers_of(name)
            .into_iter()
            .filter(|it| !is_name_of_function(*it));
        places.map(|it| called_by_object(it, self)).collect()
    }

    /// Where a file keeps a function or gives it to another one: `kernel = for_hopper if is_nvidia else for_all`.
    fn handings_on(&self, name: &str) -> Vec<Node<'_>> {
        let mut places = self.identifiers_of(name);
        places.retain(|it| is_value(*it));
        places
    }

    /// `torch.version.hip and …`: what stands behind is for AMD.
    fn of_operand(&self, operator: Node<'_>, below: Node<'_>) -> Option<Side> {
        let left = operator.child_by_field_name("left")?;
        if left == below {
            return None;
        }
        match &*self.text(operator.child_by_field_name("operator")?) {
            "and" => self.if_true(left),
            _ => self.if_false(left),
        }
    }

    /// Who it is if a condition holds.
    pub(crate) fn if_true(&self, condition: Node<'_>) -> Option<Side> {
        self.if_it(condition, true, LEVELS)
    }

    /// Who it is if a condition does not hold.
    pub(crate) fn if_false(&self, condition: Node<'_>) -> Option<Side> {
        self.if_it(condition, false, LEVELS)
    }

    /// Who it is if a condition holds or not. What is nested deeper than Python reads asks for nobody.
    fn if_it(&self, condition: Node<'_>, holds: bool, levels: usize) -> Option<Side> {
        let levels = levels.checked_sub(1)?;
        match condition.kind() {
            "parenthesized_expression" => {
                self.if_it(*self.elements(condition).first()?, holds, levels)
            }
            "not_operator" => {
                let argument = condition.child_by_field_name("argument")?;
                self.if_it(argument, !holds, levels)
            }
            "boolean_operator" => self.if_any(condition, holds, levels),
            _ => match (self.asked(condition), holds) {
                (Some((side, is)), _) if is == holds => Some(side),
                (Some((side, _)), _) => side.other(),
                // `IS_NVIDIA_HOPPER`; what is none of these may be NVIDIA's as well.
                (None, true) if names_nvidia(&self.squeezed(condition)) => Some(Side::Nvidia),
                (None, true) if compares_release(&self.squeezed(condition)) => Some(Side::Nvidia),
                (None, _) if chooses_nvidias(&self.squeezed(condition)) == Some(holds) => {
                    Some(Side::Nvidia)
                }
                (None, _) if self.is_other_maker_if(condition) == Some(holds) => Some(Side::Other),
                (None, true) if self.is_number_of_nvidia(condition) => Some(Side::Nvidia),
                (None, _) => self
                    .of_variable(condition, holds, levels)
                    .or_else(|| self.of_function(condition, holds))
                    .or_else(|| self.of_default(condition, levels).filter(|_| holds))
                    .or_else(|| self.if_elsewhere(condition, holds)),
            },
        }
    }

    /// Of a condition that asks for another maker's accelerator, `device == "npu"`, `is_xpu()`: whether it has to hold for that.
    fn is_other_maker_if(&self, condition: Node<'_>) -> Option<bool> {
        // What is for type checkers alone runs nowhere.
        if matches!(
            &*self.dotted(condition),
            "TYPE_CHECKING" | "typing.TYPE_CHECKING"
        ) {
            return Some(true);
        }
        if !names_other_accelerator(&self.text(condition)) {
            return None;
        }
        let operands = match condition.kind() {
            "identifier" | "attribute" | "call" => return Some(true),
            "comparison_operator" => self.elements(condition),
            _ => return None,
        };
        let [first, second] = operands[..] else {
            return None;
        };
        let operator = condition.child_by_field_name("operators");
        let is_text = || [first, second].iter().any(|it| it.kind() == "string");
        let is_none = || second.kind() == "none";
        match &*self.text(operator?) {
            "==" | "in" => is_text().then_some(true),
            "!=" | "not in" => is_text().then_some(false),
            "is not" => is_none().then_some(true),
            "is" => is_none().then_some(false),
            _ => None,
        }
    }

    /// Whether a condition compares a number that is made of a capability, `sm = major * 10 + minor`, with one that no GPU of AMD has, `sm == 100`.
    fn is_number_of_nvidia(&self, condition: Node<'_>) -> bool {
        const NUMBERS: &[&str] = &["70", "72", "75", "80", "86", "87", "89", "100", "121"];
        let operands = self.elements(condition);
        let ([name, number], "comparison_operator") = (&operands[..], condition.kind()) else {
            return false;
        };
        let operator = condition.child_by_field_name("operators");
        let is_equal = operator.is_some_and(|it| self.text(it) == "==");
        let values = self.assignments_to(&self.text(*name)).into_iter();
        let mut values = values.filter_map(|it| it.child_by_field_name("right"));
        let is_made = |value: Node<'_>| self.squeezed(value).contains("*10+");
        is_equal
            && name.kind() == "identifier"
            && NUMBERS.contains(&&*self.text(*number))
            && values.next().is_some_and(is_made)
            && values.all(is_made)
    }

    /// The same of a variable, `_is_cuda = is_cuda()`, or of a member, `self._is_cuda`: by what it is set to, where all that the file sets it to
    /// says the same.
    fn of_variable(&self, condition: Node<'_>, holds: bool, levels: usize) -> Option<Side> {
        if !matches!(condition.kind(), "identifier" | "attribute") {
            return None;
        }
        let name = self.dotted(condition);
        let key = (name, holds);
        if let Some(known) = self.asked.borrow().variables.get(&key) {
            return *known;
        }
        // What is set by itself says nothing.
        let mut asked = self.asked.borrow_mut();
        asked.variables.insert(key.clone(), None);
        drop(asked);
        let assignments = self.assignments_to(&key.0).into_iter();
        let mut values = assignments.filter_map(|it| it.child_by_field_name("right"));
        let first = match values.next() {
            Some(value) => self.if_it(value, holds, levels),
            None => self.of_imported(condition, holds),
        };
        let found = first.filter(|_| values.all(|it| self.if_it(it, holds, levels) == first));
        let mut asked = self.asked.borrow_mut();
        asked.variables.insert(key, found);
        found
    }

    /// The same of a function of the file, `is_sm90()`, by what it returns.
    fn of_function(&self, condition: Node<'_>, holds: bool) -> Option<Side> {
        let name = condition.child_by_field_name("function")?;
        let name = (name.kind() == "identifier").then(|| self.text(name))?;
        let key = (format!("{name}()"), holds);
        if let Some(known) = self.asked.borrow().variables.get(&key) {
            return *known;
        }
        // What calls itself says nothing.
        let mut asked = self.asked.borrow_mut();
        asked.variables.insert(key.clone(), None);
        drop(asked);
        let found = match self.functions_called(&name)[..] {
            [function] => self.if_returned(function, holds),
            _ => None,
        };
        let mut asked = self.asked.borrow_mut();
        asked.variables.insert(key, found);
        found
    }

    /// The same of a switch of the build that is on for one vendor unless somebody says otherwise: `flag("USE_NCCLX", not IS_ROCM)`.
    fn of_default(&self, condition: Node<'_>, levels: usize) -> Option<Side> {
        let arguments = condition.child_by_field_name("arguments")?;
        let [name, default] = self.elements(arguments)[..] else {
            return None;
        };
        let value = default.child_by_field_name("value").unwrap_or(default);
        let is_switch = condition.kind() == "call" && name.kind() == "string";
        self.if_it(value, true, levels).filter(|_| is_switch)
    }

    /// The same of what another script of the tree answers. That a question for more than the vendor does not hold says nothing.
    fn if_elsewhere(&self, condition: Node<'_>, holds: bool) -> Option<Side> {
        self.asked_elsewhere(condition).filter(|_| holds)
    }

    /// The same of a variable that another module of the program has: `from .utils import _is_cuda`.
    fn of_imported(&self, condition: Node<'_>, holds: bool) -> Option<Side> {
        let name = self.dotted(condition);
        let is_theirs = name.trim_start_matches('_') == "is_cuda";
        let imported = || {
            let mut places = self.identifiers_of(&name).into_iter();
            places.any(|it| parents(it).any(|around| around.kind() == "import_from_statement"))
        };
        (is_theirs && condition.kind() == "identifier" && imported()).then_some(match holds {
            true => Side::Nvidia,
            false => Side::Amd,
        })
    }

    /// The same of `a and b and c`: a loop over the operands, for they nest as deep as they are many.
    fn if_any<'t>(&self, condition: Node<'t>, holds: bool, levels: usize) -> Option<Side> {
        let left = |it: &Node<'t>| match it.kind() {
            "boolean_operator" => it.named_children().find(|it| it.kind() != "comment"),
            _ => None,
        };
        let mut operands: Vec<_> = std::iter::successors(Some(condition), left).collect();
        let mut side = self.if_it(operands.pop()?, holds, levels);
        let strong = if holds { "and" } else { "or" };
        for operator in operands.into_iter().rev() {
            let right = self.elements(operator).into_iter().skip(1);
            let right = right.map(|it| self.if_it(it, holds, levels));
            let sides: Vec<_> = std::iter::once(side).chain(right).collect();
            side = self.joined(operator, strong, &sides);
        }
        side
    }

    /// One part decides where the operator is `strong`, else all must agree.
    fn joined(&self, condition: Node<'_>, strong: &str, sides: &[Option<Side>]) -> Option<Side> {
        let operator = condition.child_by_field_name("operator")?;
        if self.text(operator) == strong {
            return sides.iter().flatten().copied().next();
        }
        let first = *sides.first()?;
        first.filter(|_| sides.iter().all(|side| *side == first))
    }

    /// The vendor that a simple condition asks for, and whether it asks that it is the one.
    fn asked(&self, condition: Node<'_>) -> Option<(Side, bool)> {
        let text = self.squeezed(condition);
        let negated = text.contains("isNone")
            || text.contains("==None")
            || text.contains("!=\"")
            || text.contains("!='");
        let name = text.split(['=', '!', '.', '(', '[']).next().unwrap_or("");
        let is_amd = [
            "version.hip",
            "version.rocm",
            "IS_HIP_EXTENSION",
            "ROCM_HOME",
            "HIP_HOME",
        ]
        .iter()
        .any(|sign| text.contains(sign))
            || names_amds_backend(&text)
            || is_amd_name(&text)
            || condition.kind() == "identifier"
                && (self.is_amd_variable(name) || matches!(name, "ROCM_VERSION" | "HIP_VERSION"));
        if is_amd {
            // Truth of a version says that it is there: `torch.version.hip is None` says it is not.
            return Some((Side::Amd, !negated));
        }
        if matches!(text.as_str(), "CUDA_HOME" | "CUDA_HOMEisnotNone")
            && self.asks_rocm_else(condition)
        {
            return Some((Side::Nvidia, true));
        }
        if let Some(side) = vendor_asked_for(&text) {
            return Some((side, !negated));
        }
        if runs_nvcc(&text) || is_version_for_cuda(&text) || asks_capability_of_cuda(&text) {
            return Some((Side::Nvidia, !negated));
        }
        let is_cuda = text.contains("version.cuda") && !text.contains('<') && !text.contains('>')
            || self.is_cuda_version(presence_of(condition, name))
            || is_named_cuda(&text);
        if is_nvidia_name(&text) && !self.is_set_by_presence(name)
            || is_call_of_is_cuda(&text) && self.has_is_cuda_of_nvidia()
        {
            return Some((Side::Nvidia, true));
        }
        let is_plain =
            !text.contains("parse(") && !text.contains("split(") && !text.contains("startswith");
        (is_cuda && is_plain).then_some((Side::Nvidia, !negated))
    }

    /// Whether what follows where a condition does not hold asks for ROCm: `elif ROCM_HOME is not None:`.
    pub(crate) fn asks_rocm_else(&self, condition: Node<'_>) -> bool {
        let statement = condition.parent().filter(|it| it.kind() == "if_statement");
        let others = statement.into_iter().flat_map(|it| it.named_children());
        let mut conditions = others.filter_map(|it| match it.kind() {
            "elif_clause" => it.child_by_field_name("condition"),
            _ => None,
        });
        conditions.any(|it| {
            let text = self.text(it);
            ["ROCM_HOME", "HIP_HOME", "version.hip"]
                .iter()
                .any(|sign| text.contains(sign))
        })
    }

    /// Whether a file sets a variable to whether there is a GPU at all, which PyTorch says of AMD's as well.
    fn is_set_by_presence(&self, name: &str) -> bool {
        self.assignments_to(name).iter().any(|assignment| {
            let value = assignment.child_by_field_name("right");
            value.is_some_and(|it| self.text(it).contains("is_available"))
        })
    }

    /// Whether what a file calls `is_cuda` says no for AMD, as that of Triton, vLLM and SGLang does: one that it defines itself asks for
    /// the backend or for CUDA's version, and not whether there is a GPU.
    fn has_is_cuda_of_nvidia(&self) -> bool {
        const OWN: &str = "is_cuda()";
        if let Some(known) = self.asked.borrow().cuda_versions.get(OWN) {
            return *known;
        }
        let mut functions = self.all(&["function_definition"]);
        functions.retain(|it| {
            let name = it.child_by_field_name("name");
            name.is_some_and(|name| self.text(name).trim_start_matches('_') == "is_cuda")
        });
        let signs = [
            "==\"cuda\"",
            "=='cuda'",
            ".is_cuda_backend()",
            "version.cuda",
            "nvidia-smi",
        ];
        let found = functions.iter().all(|it| {
            let text = self.squeezed(*it);
            !text.contains(".type==") && signs.iter().any(|sign| text.contains(sign))
        });
        let mut asked = self.asked.borrow_mut();
        asked.cuda_versions.insert(OWN.to_owned(), found);
        found
    }

    /// Whether a variable is CUDA's version, which is None for AMD, what is cut from it, or the question for it and more.
    fn is_cuda_version(&self, name: &str) -> bool {
        if let Some(known) = self.asked.borrow().cuda_versions.get(name) {
            return *known;
        }
        let found = self.is_set_to_cuda_version(name);
        let mut asked = self.asked.borrow_mut();
        asked.cuda_versions.insert(name.to_owned(), found);
        found
    }

    fn is_set_to_cuda_version(&self, name: &str) -> bool {
        let assignments = self.assignments_to(name).into_iter();
        let mut values = assignments
            .filter_map(|it| it.child_by_field_name("right"))
            .map(|value| self.squeezed(self.first_of_all(value)));
        let is_version = |text: &String| {
            let question = text.strip_suffix("isnotNone").unwrap_or(text);
            question == "torch.version.cuda" || text.ends_with("ortorch.version.cuda")
        };
        values.next().is_some_and(|first| is_version(&first))
            && values.all(|text| is_version(&text) || text.contains(name))
    }

    /// `a` of `a and b and c`.
    fn first_of_all<'t>(&self, condition: Node<'t>) -> Node<'t> {
        let left = |it: &Node<'t>| {
            let operator = it.child_by_field_name("operator");
            let joins = operator.is_some_and(|it| self.text(it) == "and");
            it.child_by_field_name("left").filter(|_| joins)
        };
        let firsts = std::iter::successors(Some(condition), left);
        firsts.last().unwrap_or(condition)
    }

    /// Whether a variable is set to a question for AMD, wherever it is set.
    fn is_amd_variable(&self, name: &str) -> bool {
        if let Some(known) = self.asked.borrow().amd_variables.get(name) {
            return *known;
        }
        let found = self.is_set_to_amd_question(name);
        let mut asked = self.asked.borrow_mut();
        asked.amd_variables.insert(name.to_owned(), found);
        found
    }

    fn is_set_to_amd_question(&self, name: &str) -> bool {
        let assignments = self.assignments_to(name).into_iter();
        let values = assignments.filter_map(|it| it.child_by_field_name("right"));
        let mut values = values.peekable();
        values.peek().is_some()
            && values.all(|value| {
                let text = self.squeezed(value);
                (text.contains("version.hip")
                    || text.contains("ROCM_HOME")
                    || text.contains("IS_HIP_EXTENSION"))
                    && !text.contains("isNone")
                    && !text.starts_with("not")
            })
    }
}

/// Whether a function belongs to a class.
fn is_method(function: Node<'_>) -> bool {
    let mut around = parents(function);
    let block = around.find(|it| it.kind() == "block");
    block
        .and_then(|it| it.parent())
        .is_some_and(|it| it.kind() == "class_definition")
}

/// Whether a word is what a function is called.
fn is_name_of_function(word: Node<'_>) -> bool {
    let function = word
        .parent()
        .filter(|it| it.kind() == "function_definition");
    function.is_some_and(|it| it.child_by_field_name("name") == Some(word))
}

/// The call of a method that a word names, by the object that has it: `self._run()`.
fn called_by_object<'t>(word: Node<'t>, file: &PyFile<'_>) -> Option<Node<'t>> {
    let member = word.parent().filter(|it| it.kind() == "attribute")?;
    let object = member.child_by_field_name("object")?;
    let is_own = matches!(&*file.text(object), "self" | "cls");
    let call = member.parent().filter(|it| it.kind() == "call")?;
    let is_called = call.child_by_field_name("function") == Some(member);
    (is_own && is_called).then_some(call)
}

/// Whether a name stands where its value is kept, handed on or chosen.
fn is_value(name: Node<'_>) -> bool {
    let Some(around) = name.parent() else {
        return false;
    };
    let is_field = |field| around.child_by_field_name(field) == Some(name);
    match around.kind() {
        "assignment" => is_field("right"),
        "pair" | "keyword_argument" => is_field("value"),
        "argument_list" | "conditional_expression" | "list" | "return_statement" => true,
        _ => false,
    }
}

/// Whether a condition compares CUDA's release as it is, `torch.version.cuda >= "12.3"`: for AMD it is `None`, and nothing is more.
fn compares_release(text: &str) -> bool {
    let behind = text.strip_prefix("torch.version.cuda");
    behind.is_some_and(|it| it.starts_with(['<', '>']))
}

/// Whether a condition asks that a backend is AMD's: `backend == "rocm"`, `platform == "CDNA"`.
fn names_amds_backend(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["rocm", "hip", "cdna"].iter().any(|name| {
        lower.contains(&format!("==\"{name}\"")) || lower.contains(&format!("=='{name}'"))
    })
}

/// Whether a condition asks that a backend is CUDA's, `target.backend == "cuda"`, `arch.platform == "CUDA"`; PyTorch calls AMD's devices by
/// that name as well.
fn is_named_cuda(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let asks = lower.contains("==\"cuda\"") || lower.contains("=='cuda'");
    let asked = lower.split("==").next().unwrap_or_default();
    let is_backend = asked.rsplit('.').next() == Some("backend");
    asks && (is_backend || !lower.contains("device")) && !lower.contains(".type==")
}

/// Whether a condition finds nvcc, which is not there on AMD: `os.system("nvcc --version") == 0`, `shutil.which("nvcc")`.
fn runs_nvcc(text: &str) -> bool {
    let of = |call: &str| {
        let behind = text.split_once(call).map(|(_, behind)| behind);
        behind.is_some_and(|it| it.trim_start_matches(['"', '\'']).starts_with("nvcc"))
    };
    of("os.system(") && text.ends_with("==0") || of("shutil.which(")
}

/// `cuda_capability_geq(10, 0)` of Triton's kernels, which says no where the target is AMD's.
fn asks_capability_of_cuda(text: &str) -> bool {
    let name = text.split_once('(').map_or("", |(name, _)| name);
    name.rsplit('.').next() == Some("cuda_capability_geq")
}

/// `"cu" in torch.__version__`, which is `2.4.1+rocm6.1` for AMD.
pub(crate) fn is_version_for_cuda(text: &str) -> bool {
    let quoted = text.strip_suffix("intorch.__version__");
    quoted.is_some_and(|it| {
        let word = it.trim_matches(['"', '\'']);
        word == "cu" || word == "+cu"
    })
}

/// `is_rocm`, `IS_ROCM_PYTORCH`, `HIP_BUILD`, `self.use_rocm`, `is_amd`: a switch of the project's own.
fn is_amd_name(text: &str) -> bool {
    let name = text.strip_suffix("()").unwrap_or(text);
    let name = name.rsplit('.').next().unwrap_or(name);
    let is_word = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
    let lower = name.to_ascii_lowercase();
    let mut words = lower.split('_');
    // AMD makes other processors as well.
    let is_amds_gpu = || {
        let has = |of: &[&str]| lower.split('_').any(|word| of.contains(&word));
        has(&["amd"]) && has(&["is", "on", "gpu", "use"]) && !has(&["cpu", "not", "no"])
    };
    is_word
        && !lower.contains("cuda")
        && !lower.contains("version")
        && (words.any(|word| matches!(word, "rocm" | "hip" | "isrocm" | "iship") || is_chip(word))
            || is_amds_gpu())
}

/// Whether a word names one of AMD's architectures as its compiler does: `IS_GFX950` has one.
fn is_chip(word: &str) -> bool {
    let number = word.strip_prefix("gfx");
    number.is_some_and(|it| it.starts_with(|first: char| first.is_ascii_digit()))
}

/// The variable that a condition is, or asks to be there: `v`, `v is not None`; else nothing.
fn presence_of<'n>(condition: Node<'_>, name: &'n str) -> &'n str {
    match condition.kind() {
        "identifier" => name,
        "comparison_operator" => {
            let plain = name.strip_suffix("isnotNone");
            plain.or_else(|| name.strip_suffix("isNone")).unwrap_or("")
        }
        _ => "",
    }
}

/// `is_cuda()`, `platform.is_cuda()`; not a tensor's `is_cuda`.
fn is_call_of_is_cuda(text: &str) -> bool {
    let name = text.strip_suffix("()").unwrap_or("");
    let name = name.rsplit('.').next().unwrap_or(name);
    name.trim_start_matches('_') == "is_cuda"
}

/// `IS_NVIDIA`, `is_nvidia()`: a switch of the project's own; `target.is_cuda_backend()` of Triton's.
fn is_nvidia_name(text: &str) -> bool {
    let name = text.strip_suffix("()").unwrap_or(text);
    let name = name.rsplit('.').next().unwrap_or(name);
    let lower = name.to_ascii_lowercase();
    matches!(
        lower.trim_start_matches('_'),
        "is_nvidia" | "is_nvidia_gpu" | "is_cuda_backend"
    )
}

/// Whom a class is for by its name: `CudaDevice`, `RocmDevice`, `AmdDeviceManager`.
fn vendor_of_class(name: &str) -> Option<Side> {
    let lower = name.to_ascii_lowercase();
    let behind_amd = name.strip_prefix("Amd").or(name.strip_prefix("AMD"));
    let is_amd = behind_amd.is_some_and(|rest| !rest.starts_with(|it: char| it.is_lowercase()));
    if is_amd || lower.contains("rocm") || lower.starts_with("hip") {
        return Some(Side::Amd);
    }
    let is_nvidias = lower.contains("cuda") || lower.contains("nvidia");
    is_nvidias.then_some(Side::Nvidia)
}

/// Whose GPU is asked for by the name of its vendor: `gpu.vendor == "nvidia-graphics"`.
fn vendor_asked_for(text: &str) -> Option<Side> {
    let (asked, vendor) = text.split_once("==").or(text.split_once("!="))?;
    let lower = asked.to_ascii_lowercase();
    let is_vendor = lower.rsplit(['.', '_']).next() == Some("vendor");
    let vendor = vendor.trim_matches(['"', '\'']).to_ascii_lowercase();
    match vendor.split(['-', '_', ' ']).next() {
        Some("nvidia") if is_vendor => Some(Side::Nvidia),
        Some("amd") if is_vendor => Some(Side::Amd),
        _ => None,
    }
}

/// `IS_NVIDIA_HOPPER`, `_cute_runtime_available()`: what holds of some of NVIDIA's alone.
fn names_nvidia(text: &str) -> bool {
    let name = text.strip_suffix("()").unwrap_or(text);
    let name = name.rsplit('.').next().unwrap_or(name);
    let is_word = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    let lower = name.to_ascii_lowercase();
    let lower = lower.trim_start_matches('_');
    // What says so by the capability alone has a finding of its own, where it is defined.
    let starts = ["is_nvidia_", "is_hopper", "is_blackwell", "has_nvidia"];
    let is_there = lower.starts_with("has_") || lower.ends_with("_available");
    let names_package = NVIDIAS_PACKAGES.iter().any(|package| {
        let place = lower.find(package);
        place.is_some_and(|at| {
            let ends = |end: Option<u8>| end.is_none_or(|it| !it.is_ascii_alphanumeric());
            ends(lower[..at].bytes().last()) && ends(lower[at + package.len()..].bytes().next())
        })
    });
    (starts.iter().any(|it| lower.starts_with(it)) || is_there && names_package)
        && lower.bytes().all(is_word)
}

/// Whether a condition holds, or does not, where someone chose NVIDIA or kernels for its GPUs alone: `backend == "deep_gemm"`,
/// `backend != "nv"`. What else may be chosen is not said.
fn chooses_nvidias(text: &str) -> Option<bool> {
    let (operator, is) = match text.contains("!=") {
        true => ("!=", false),
        false => ("==", true),
    };
    let (asked, choice) = text.split_once(operator)?;
    let word = choice.trim_matches(['"', '\'']).to_ascii_lowercase();
    let is_quoted = choice.len() == word.len() + 2;
    let is_named = is_quoted && KERNELS_OF_NVIDIA.contains(&word.as_str());
    (is_named || word == "3" && names_flash_version(asked)).then_some(is)
}

/// Whether a name is that of the release of FlashAttention that a program takes, `fa_version`: the third one is for Hopper.
fn names_flash_version(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
    let is_flash = words
        .clone()
        .any(|it| matches!(it, "fa" | "flash" | "flashattn"));
    is_flash && words.any(|it| matches!(it, "ver" | "version"))
}

/// Whether a decorator's name says that a test needs something: `requires_sm100`, `skip_unless_hopper`.
fn asks_for_more(name: &str) -> bool {
    ["require", "need", "skipunless", "skipifnot"]
        .iter()
        .any(|it| name.starts_with(it))
}

/// Whether words name an architecture or a card of NVIDIA's and none of AMD's: `Clusters available on H100s.`, `requires sm 100`.
fn needs_chip_of_nvidia(text: &str) -> bool {
    const CHIPS: &[&str] = &[
        "hopper",
        "blackwell",
        "h100",
        "h100s",
        "h200",
        "b200",
        "gb200",
        "tma",
        "wgmma",
        "tcgen05",
    ];
    let lower = text.to_ascii_lowercase();
    let words = || lower.split(|it: char| !it.is_ascii_alphanumeric());
    let is_number_of_sm = |word: &str| {
        let number = word.strip_prefix("sm").unwrap_or_default();
        number.len() >= 2 && number.starts_with(['9', '1'])
    };
    words().any(|it| CHIPS.contains(&it) || is_number_of_sm(it))
        && !words().any(|it| {
            matches!(it, "amd" | "rocm" | "hip" | "cdna" | "rdna")
                || it.starts_with("gfx")
                || it.starts_with("mi3")
        })
}

/// NVIDIA itself, and packages of kernels for its GPUs alone, as programs call them where there is a choice of several.
const KERNELS_OF_NVIDIA: &[&str] = &[
    "cute",
    "cutedsl",
    "cute_dsl",
    "cutlass",
    "deep_gemm",
    "deepgemm",
    "flash_mla",
    "flashmla",
    "nv",
    "nvidia",
    "trtllm",
];

/// Packages that NVIDIA's GPUs alone have, as the switches of programs call them.
const NVIDIAS_PACKAGES: &[&str] = &[
    "cudnn",
    "cute",
    "cutedsl",
    "cutlass",
    "deep_gemm",
    "deepgemm",
    "fa3",
    "flash_attn_3",
    "nvshmem",
    "tensorrt",
    "tensorrt_llm",
    "trtllm",
];

impl Side {
    /// Whose GPU it is where it is not this one's: what is not another maker's may be either's.
    fn other(self) -> Option<Self> {
        match self {
            Self::Amd => Some(Self::Nvidia),
            Self::Nvidia => Some(Self::Amd),
            Self::Other => None,
        }
    }
}

/// What a text says that is a constant for a condition.
fn constant(text: &str) -> Option<bool> {
    match text {
        "True" | "1" => Some(true),
        "False" | "0" => Some(false),
        _ => None,
    }
}

/// Whether a statement leaves the block that it stands in.
fn is_exit(statement: Node<'_>) -> bool {
    const EXITS: &[&str] = &[
        "return_statement",
        "raise_statement",
        "continue_statement",
        "break_statement",
    ];
    EXITS.contains(&statement.kind())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The side of the string `'x'` in a script.
    fn side(source: &str) -> Option<Side> {
        let file = PyFile::new(source.as_bytes());
        let strings = file.all(&["string"]);
        let node = strings
            .into_iter()
            .find(|node| file.text(*node) == "'x'")
            .expect("it is there");
        file.side(node)
    }

    #[test]
    fn branches_for_other_makers_are_neithers() {
        let other = Some(Side::Other);
        for (source, wanted) in [
            ("if device == \"npu\":\n    f('x')\n", other),
            ("if \"metax\" in device.lower():\n    f('x')\n", other),
            ("if is_torch_npu_available():\n    f('x')\n", other),
            (
                "if torch_npu is None:\n    pass\nelse:\n    f('x')\n",
                other,
            ),
            (
                "if hasattr(torch, \"xpu\") and torch.xpu.is_available():\n    f('x')\n",
                other,
            ),
            ("if TYPE_CHECKING:\n    f('x')\n", other),
            ("if TYPE_CHECKING:\n    pass\nelse:\n    f('x')\n", None),
            ("if device != \"npu\":\n    f('x')\n", None),
            ("if is_npu:\n    pass\nelse:\n    f('x')\n", None),
            ("if device in (\"cuda\", \"npu\"):\n    f('x')\n", None),
            ("if npu == 0:\n    f('x')\n", None),
        ] {
            assert_eq!(side(source), wanted, "{source}");
        }
    }

    #[test]
    fn branches_say_whom_they_are_for() {
        let (amd, nvidia) = (Some(Side::Amd), Some(Side::Nvidia));
        for (source, wanted) in [
            ("if backend == \"deep_gemm\":\n    f('x')\n", nvidia),
            (
                "if backend == \"cute\":\n    pass\nelse:\n    f('x')\n",
                None,
            ),
            (
                "def g():\n    if backend() != 'cute':\n        self.skipTest('')\n    f('x')\n",
                nvidia,
            ),
            (
                "def g(self):\n    if 'h100' not in name():\n        self.skipTest('Clusters are of H100s.')\n    f('x')\n",
                nvidia,
            ),
            (
                "def g(self):\n    if odd():\n        self.skipTest('TMA, or gfx1250')\n    f('x')\n",
                None,
            ),
            ("@requires_sm100\ndef g():\n    f('x')\n", nvidia),
            (
                "needs_sm90 = skipif(capability() < 9)\n@needs_sm90\ndef g():\n    f('x')\n",
                None,
            ),
            (
                "def g(self):\n    if capability() < 9:\n        self.skipTest('needs Hopper')\n    f('x')\n",
                None,
            ),
            ("@requires_sm80\ndef g():\n    f('x')\n", None),
            ("@records_sm100\ndef g():\n    f('x')\n", None),
            ("if backend == cute:\n    f('x')\n", None),
            ("if torch.version.hip:\n    f('x')\n", amd),
            ("if torch.version.hip is None:\n    f('x')\n", nvidia),
            (
                "if getattr(torch.version, \"hip\", None) is not None:\n    f('x')\n",
                amd,
            ),
            (
                "if getattr(torch.version, 'hip', None):\n    pass\nelse:\n    f('x')\n",
                nvidia,
            ),
            (
                "if a:\n    pass\nelif not torch.version.hip:\n    f('x')\n",
                nvidia,
            ),
            (
                "if torch.version.hip:\n    pass\nelse:\n    f('x')\n",
                nvidia,
            ),
            ("a = ['x'] if IS_ROCM else []\n", amd),
            ("a = [] if is_hip else ['x']\n", nvidia),
            (
                "is_it = torch.version.hip is not None\nif not is_it and b:\n    f('x')\n",
                nvidia,
            ),
            (
                "def g():\n    if torch.version.hip:\n        return\n    f('x')\n",
                nvidia,
            ),
            (
                "def g(a):\n    return ['x']\nif torch.version.hip:\n    pass\nelse:\n    g(1)\n",
                nvidia,
            ),
            (
                "def g(a):\n    return ['x']\ng(1)\nif not torch.version.hip:\n    g(1)\n",
                None,
            ),
            ("if is_hip():\n    f('x')\n", amd),
            ("if ROCM_VERSION:\n    pass\nelse:\n    f('x')\n", nvidia),
            (
                "v = env('V') or torch.version.cuda\nif v:\n    v = v[:3]\nif v:\n    f('x')\n",
                nvidia,
            ),
            ("v = env('V')\nif v:\n    f('x')\n", None),
            (
                "v = torch.version.cuda and CUDA_HOME is not None\nif v and a:\n    f('x')\n",
                nvidia,
            ),
            (
                "v = torch.version.cuda is not None\nif v:\n    f('x')\n",
                nvidia,
            ),
            (
                "v = torch.version.cuda and a or b\nif v:\n    f('x')\n",
                None,
            ),
            ("v = torch.version.cuda\nv = 1\nif v:\n    f('x')\n", None),
            ("if not utils.is_hip():\n    f('x')\n", nvidia),
            ("a = (IS_NVIDIA and f('x') >= 8)\n", nvidia),
            ("if IS_NVIDIA:\n    pass\nelse:\n    f('x')\n", amd),
            ("if IS_NVIDIA_HOPPER:\n    f('x')\n", nvidia),
            ("if IS_NVIDIA_HOPPER:\n    pass\nelse:\n    f('x')\n", None),
            (
                "IS_NVIDIA = torch.cuda.is_available()\nif IS_NVIDIA:\n    f('x')\n",
                None,
            ),
            ("if torch.cuda.is_available():\n    f('x')\n", None),
            ("if platform.is_cuda():\n    f('x')\n", nvidia),
            ("if t.is_cuda:\n    f('x')\n", None),
            ("if os.system('nvcc --version') == 0:\n    f('x')\n", nvidia),
            (
                "if shutil.which(\"nvcc\") is not None:\n    f('x')\n",
                nvidia,
            ),
            ("if shutil.which('nvc') is None:\n    f('x')\n", None),
            (
                "def is_cuda():\n    return target().backend == 'cuda'\nif is_cuda():\n    f('x')\n",
                nvidia,
            ),
            (
                "def is_cuda():\n    return torch.cuda.is_available()\nif is_cuda():\n    f('x')\n",
                None,
            ),
            (
                "v = torch.version.cuda\nif v is not None and a:\n    f('x')\n",
                nvidia,
            ),
            (
                "v = torch.version.cuda\nif v is None:\n    pass\nelse:\n    f('x')\n",
                nvidia,
            ),
            ("if a or torch.version.hip:\n    f('x')\n", None),
            (
                "def t(self):\n    if is_hip():\n        self.skipTest('y')\n    f('x')\n",
                nvidia,
            ),
            (
                "@pytest.mark.xfail(not is_hopper_or_newer(), reason=\"y\", run=False)\ndef t():\n    f('x')\n",
                nvidia,
            ),
            ("if is_hopper():\n    pass\nelse:\n    f('x')\n", None),
            (
                "def g():\n    if not (_HAS_FLASH_ATTN_3 and a):\n        return\n    f('x')\n",
                nvidia,
            ),
            (
                "class CudaDevice:\n    a = 'x'\nclass RocmDevice:\n    pass\n",
                nvidia,
            ),
            ("class CudaDevice:\n    a = 'x'\n", None),
            (
                "class NvidiaDevice:\n    a = 'x'\nclass AmdDevice:\n    b = 1\n",
                nvidia,
            ),
            (
                "def nvidia_gather():\n    f('x')\ndef _amd_gather():\n    pass\n",
                nvidia,
            ),
            (
                "def amd_gather():\n    f('x')\ndef cuda_gather():\n    pass\n",
                amd,
            ),
            (
                "def cuda_gather():\n    f('x')\ndef rocm_scatter():\n    pass\n",
                None,
            ),
            (
                "def run_cuda():\n    f('x')\ndef run_hip():\n    pass\n",
                nvidia,
            ),
            (
                "def run_cuda():\n    f('x')\ndef run_hip():\n    return run_cuda()\nrun_cuda()\n",
                None,
            ),
            (
                "class A:\n    def tune_nvidia(self):\n        f('x')\n    def b(self):\n        if not is_hip:\n            self.tune_nvidia()\n",
                nvidia,
            ),
            (
                "class A:\n    def tune_nvidia(self):\n        f('x')\n    def b(self):\n        self.tune_nvidia()\n",
                None,
            ),
            (
                "class A:\n    def run_cuda(self):\n        f('x')\n    def run_hip(self):\n        return self.run_cuda()\n",
                None,
            ),
            (
                "class _A:\n    def a(self):\n        f('x')\n    def b(self):\n        if not is_hip:\n            self.a()\n",
                nvidia,
            ),
            ("def g():\n    f('x')\nh = i if is_hip else g\n", nvidia),
            ("def g():\n    f('x')\nh = g\n", None),
            (
                "def g():\n    f('x')\nif not is_hip:\n    g()\nregister(g)\n",
                None,
            ),
            ("if fa_version == 3:\n    f('x')\n", nvidia),
            ("if flash_attn_version != \"3\":\n    f('x')\n", None),
            ("if version == 3:\n    f('x')\n", None),
            ("if platform.is_blackwell_plus:\n    f('x')\n", nvidia),
            ("class AmdahlLaw:\n    a = 'x'\n", None),
            (
                "if gpu.vendor == 'nvidia' or gpu.vendor == 'nvidia-graphics':\n    f('x')\n",
                nvidia,
            ),
            ("if vendor == 'amd-graphics':\n    f('x')\n", amd),
            (
                "sm = cap[0] * 10 + cap[1]\nif sm == 100:\n    f('x')\n",
                nvidia,
            ),
            (
                "sm = cap[0] * 10 + cap[1]\nif sm == 90:\n    f('x')\n",
                None,
            ),
            ("sm = count()\nif sm == 100:\n    f('x')\n", None),
            (
                "class CudaTools:\n    def a():\n        CudaTools.b('x')\nif not is_hip:\n    CudaTools.a()\n",
                nvidia,
            ),
            (
                "class CudaTools:\n    def a():\n        b('x')\nif not is_hip:\n    CudaTools.a()\nCudaTools.a()\n",
                None,
            ),
            ("class RocmDevice:\n    a = 'x'\n", amd),
            (
                "USE_X = flag(\"USE_X\", not IS_ROCM)\nif USE_X:\n    f('x')\n",
                nvidia,
            ),
            (
                "USE_X = flag(\"USE_X\", not IS_ROCM)\nif not USE_X:\n    f('x')\n",
                None,
            ),
            (
                "@pytest.mark.parametrize(\"backend\", [kit.cuda])\ndef t():\n    f('x')\n",
                nvidia,
            ),
            (
                "@pytest.mark.parametrize(\"device\", [\"cuda\"])\ndef t():\n    f('x')\n",
                None,
            ),
            (
                "@pytest.mark.parametrize(\"backend\", [kit.cuda, kit.cpu])\ndef t():\n    f('x')\n",
                None,
            ),
            ("@skipIfRocm\ndef t():\n    f('x')\n", nvidia),
            ("@u.skip_if_rocm(\"y\")\nclass A:\n    b = 'x'\n", nvidia),
            ("@skipIfRocmArch(MI200)\ndef t():\n    f('x')\n", None),
            (
                "@a\n@unittest.skipIf(torch.version.hip, \"y\")\ndef t():\n    f('x')\n",
                nvidia,
            ),
            (
                "@pytest.mark.skipif(not is_hip(), reason=\"y\")\ndef t():\n    f('x')\n",
                amd,
            ),
            (
                "@unittest.skipUnless(torch.version.cuda, \"y\")\ndef t():\n    f('x')\n",
                nvidia,
            ),
            (
                "@unittest.skipIf(torch.version.hip, 'x')\ndef t():\n    pass\n",
                None,
            ),
            ("_is_cuda = is_cuda()\nif _is_cuda:\n    f('x')\n", nvidia),
            (
                "from u import _is_cuda\nif not _is_cuda:\n    f('x')\n",
                amd,
            ),
            ("from u import _is_cuda\nif a._is_cuda:\n    f('x')\n", None),
            ("is_cuda = t.is_cuda\nif is_cuda:\n    f('x')\n", None),
            (
                "is_cuda = t.is_cuda\nis_cuda = is_cuda()\nif is_cuda:\n    f('x')\n",
                None,
            ),
            (
                "v = torch.cuda.is_available() and torch.version.cuda\nif v:\n    f('x')\n",
                nvidia,
            ),
            (
                "v = torch.cuda.is_available() and torch.version.cuda\nif not v:\n    f('x')\n",
                None,
            ),
            ("v = w\nw = v\nif v:\n    f('x')\n", None),
            ("if t.device.type == 'cuda':\n    f('x')\n", None),
            ("if device == 'cuda':\n    f('x')\n", None),
            (
                "class A:\n    def _a(self):\n        f('x')\n    def b(self):\n        if torch.version.hip:\n            return\n        self._a()\n",
                nvidia,
            ),
            (
                "class A:\n    def a(self):\n        f('x')\n    def b(self):\n        if torch.version.hip:\n            return\n        self.a()\n",
                None,
            ),
            (
                "class A:\n    def _a(self):\n        f('x')\n    def b(self):\n        if torch.version.hip:\n            return self._a\n        self._a()\n",
                None,
            ),
            (
                "if torch.version.cuda and parse(torch.version.cuda) < v:\n    f('x')\n",
                nvidia,
            ),
        ] {
            assert_eq!(side(source), wanted, "{source}");
        }
    }
}
