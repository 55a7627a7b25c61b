//! What a script tells people, and decides nothing by.

use super::{Node, PyFile, parents};

/// Functions that tell their arguments, and behind which a program goes on.
const SPEAKERS: &[&str] = &[
    "debug",
    "info",
    "warning",
    "warn",
    "error",
    "exception",
    "critical",
    "log",
    "print",
    "print0",
    "info_once",
    "warning_once",
];

/// Functions that tell their arguments and end a test.
const ENDS: &[&str] = &["skip", "fail"];

impl PyFile<'_> {
    /// Whether a place is for people: what an exception or a log says.
    pub(crate) fn is_said(&self, node: Node<'_>) -> bool {
        let call = parents(node).take(3).find(|it| it.kind() == "call");
        let name = call.and_then(|call| self.callee(call)).unwrap_or_default();
        let is_exception = ["Error", "Exception", "Warning"]
            .iter()
            .any(|end| name.ends_with(end));
        is_exception || SPEAKERS.contains(&&*name) || ENDS.contains(&&*name)
    }

    /// Whether a call does nothing but tell people, and the program goes on: `print("…")`, `logger.warning("…")`.
    pub(crate) fn tells(&self, call: Node<'_>) -> bool {
        let name = self.callee(call).unwrap_or_default();
        SPEAKERS.contains(&&*name)
    }

    /// Whether all that a condition decides is what is told, `if capability[0] < 10: print("FP4 is slow here")`, or what a kernel is called
    /// for people: `return "int8 product, fp16 accumulator"`.
    pub(crate) fn decides_words(&self, asked: Node<'_>) -> bool {
        let Some(statement) = parents(asked).find(|it| it.kind() == "if_statement") else {
            return false;
        };
        let others = statement.children_by_field_name("alternative");
        let mut conditions = std::iter::once(statement)
            .chain(others)
            .filter_map(|it| it.child_by_field_name("condition"));
        conditions.any(|it| it == asked || it.is_around(asked)) && self.only_tells(statement)
    }

    /// Whether a statement does nothing but tell people, under a condition or several within each other.
    fn only_tells(&self, statement: Node<'_>) -> bool {
        if statement.kind() == "if_statement" {
            let others = statement.children_by_field_name("alternative");
            let of_other = |it: Node<'_>| {
                let body = it.child_by_field_name("body");
                self.block_only_tells(body.or(it.child_by_field_name("consequence")))
            };
            return self.block_only_tells(statement.child_by_field_name("consequence"))
                && others.into_iter().all(of_other);
        }
        let call = statement.named_child(0).filter(|it| it.kind() == "call");
        let is_told = call.is_some_and(|it| self.tells(it));
        let is_sentence = statement
            .named_child(0)
            .is_some_and(|it| it.kind() == "string" && is_sentence(&self.text(it)));
        match statement.kind() {
            "expression_statement" => is_told,
            "return_statement" => is_sentence,
            _ => false,
        }
    }

    /// The same of the statements of a block, which has some.
    fn block_only_tells(&self, block: Option<Node<'_>>) -> bool {
        let statements = block.map_or_else(Vec::new, |it| self.elements(it));
        !statements.is_empty() && statements.into_iter().all(|it| self.only_tells(it))
    }

    /// Whether all that a function does with what a call gives is to tell it, or what is made of it: each variable that it is assigned to is
    /// used, and where it is, `tells` says so.
    pub(crate) fn is_only_told(&self, call: Node<'_>, tells: impl Fn(Node<'_>) -> bool) -> bool {
        const FORMS: &[&str] = &[
            "binary_operator",
            "conditional_expression",
            "parenthesized_expression",
            "subscript",
        ];
        let value = parents(call).take_while(|it| FORMS.contains(&it.kind()));
        let value = value.last().unwrap_or(call);
        let Some(names) = self.assigned(value) else {
            return false;
        };
        names.into_iter().all(|name| {
            let uses = self.uses(name);
            !uses.is_empty() && uses.into_iter().all(&tells)
        })
    }

    /// The variables that a value is assigned to, `a` and `b` of `a, b = f()`, in order: those of a function, or of a module where their
    /// names are no constants, which other modules read.
    pub(crate) fn assigned<'t>(&self, value: Node<'t>) -> Option<Vec<Node<'t>>> {
        let is_own = |it: &Node<'_>| it.function().is_some() || !is_constant(&self.text(*it));
        self.named_by(value)
            .filter(|names| names.iter().all(is_own))
    }

    /// The same with constants of a module.
    pub(crate) fn named_by<'t>(&self, value: Node<'t>) -> Option<Vec<Node<'t>>> {
        let value = self.whole_of(value);
        let assignment = value.parent().filter(|it| it.kind() == "assignment")?;
        let left = assignment.child_by_field_name("left")?;
        let names: Vec<Node<'t>> = match left.kind() {
            "identifier" => vec![left],
            "pattern_list" | "tuple_pattern" => left.named_children().collect(),
            _ => return None,
        };
        let is_name = |it: &Node<'_>| it.kind() == "identifier";
        names.iter().all(is_name).then_some(names)
    }

    /// The value that another one is, or may be, with nothing made of it: `a if b else None` and `tuple(a)` of `a`.
    fn whole_of<'t>(&self, mut value: Node<'t>) -> Node<'t> {
        while let Some(around) = value.parent() {
            let is_same = match around.kind() {
                "parenthesized_expression" => true,
                "conditional_expression" => self.elements(around).get(1) != Some(&value),
                "argument_list" => self.elements(around).len() == 1,
                "call" => self
                    .callee(around)
                    .is_some_and(|it| matches!(&*it, "tuple" | "list")),
                _ => false,
            };
            let is_argument = value.kind() == "argument_list";
            if !is_same || is_argument != (around.kind() == "call") {
                break;
            }
            value = around;
        }
        value
    }

    /// Where the function around a variable names it, or its module, but for this place and for functions with a variable of that name. What
    /// is called `_` is not used.
    pub(crate) fn uses(&self, name: Node<'_>) -> Vec<Node<'_>> {
        let text = self.text(name);
        if text == "_" {
            return Vec::new();
        }
        if let Some(around) = name.function() {
            let mut uses = self.identifiers_within(&text, around);
            uses.retain(|it| *it != name && !is_other_name(*it));
            return uses;
        }
        let mut uses = self.identifiers_of(&text);
        uses.retain(|it| !is_other_name(*it));
        let owners: Vec<Node<'_>> = uses
            .iter()
            .filter(|it| value_given_to(**it).is_some())
            .filter_map(|it| it.function())
            .collect();
        uses.retain(|it| *it != name && it.function().is_none_or(|of| !owners.contains(&of)));
        uses
    }

    /// Whether a script goes on where a place fails: it is tried, and what catches the failure raises nothing.
    pub(crate) fn goes_on_without(&self, node: Node<'_>) -> bool {
        let mut tries = parents(node).filter(|it| it.kind() == "try_statement");
        tries.any(|it| {
            let body = it.child_by_field_name("body");
            let mut ends = it
                .named_children()
                .filter(|child| child.kind() == "except_clause");
            body.is_some_and(|body| body.is_around(node))
                && ends.all(|end| self.all_below(end, &["raise_statement"]).is_empty())
        })
    }

    /// Whether a function is called, and each call of it is tried.
    pub(crate) fn is_always_tried(&self, function: Node<'_>) -> bool {
        let name = function.child_by_field_name("name");
        let name = name.map_or_else(Default::default, |it| self.text(it));
        let calls = self.all(&["call"]).into_iter();
        let mut calls = calls
            .filter(|it| self.callee(*it).is_some_and(|callee| callee == name))
            .peekable();
        calls.peek().is_some() && calls.all(|it| self.is_tried(it))
    }

    /// Whether a comment about a place names something: one within the function around it, what that function says of itself, or one in front
    /// of it in a module. What is still to be done is no such word.
    pub(crate) fn is_said_beside(&self, node: Node<'_>, names: impl Fn(&str) -> bool) -> bool {
        let says = |comment: &Node<'_>| {
            let text = self.text(*comment);
            names(&text) && !text.contains("TODO") && !text.contains("FIXME")
        };
        if let Some(function) = node.function() {
            let body = function.child_by_field_name("body");
            let first = body.and_then(|it| self.elements(it).into_iter().next());
            let about = first
                .and_then(|it| it.named_child(0))
                .filter(|it| it.kind() == "string");
            let comments = self.all_below(function, &["comment"]).into_iter();
            return comments.chain(about).any(|it| says(&it));
        }
        let is_below = |it: &Node<'_>| it.kind() != "module";
        let Some(statement) = parents(node).take_while(is_below).last() else {
            return false;
        };
        let in_front = self
            .root()
            .named_children()
            .take_while(|it| *it != statement);
        let in_front: Vec<Node<'_>> = in_front.collect();
        let comments = in_front
            .iter()
            .rev()
            .take_while(|it| it.kind() == "comment");
        comments.into_iter().any(says)
    }

    /// Whether a text is what a test expects, and not an option that it gives: it stands in a function of a test that loads nothing.
    pub(crate) fn is_expected(&self, node: Node<'_>) -> bool {
        let function = parents(node).find(|it| {
            let name = it.child_by_field_name("name");
            it.kind() == "function_definition"
                && name.is_some_and(|name| self.text(name).starts_with("test_"))
        });
        function.is_some_and(|it| !self.loads(it))
    }

    /// Whether a test expects that a place fails: it stands in `with pytest.raises(…)`.
    pub(crate) fn is_expected_to_fail(&self, node: Node<'_>) -> bool {
        let mut around = parents(node).filter(|it| it.kind() == "with_statement");
        around.any(|it| {
            let clause = it.named_children().find(|it| it.kind() == "with_clause");
            let calls = clause.map_or_else(Vec::new, |it| self.all_below(it, &["call"]));
            calls.into_iter().any(|call| {
                let name = self.callee(call);
                name.is_some_and(|name| {
                    matches!(&*name, "raises" | "assertRaises" | "assertRaisesRegex")
                })
            })
        })
    }

    /// Whether a text is there to be compared with another one, in a test or elsewhere, `assert written == """…"""`: itself, or the variable
    /// that it is assigned to wherever it is used.
    pub(crate) fn is_only_compared(&self, text: Node<'_>) -> bool {
        let whole = self.without_margins(text);
        if self.is_compared(whole) {
            return true;
        }
        let names = self.named_by(whole).unwrap_or_default().into_iter();
        let uses: Vec<Node<'_>> = names.flat_map(|it| self.uses(it)).collect();
        let mut uses = uses
            .into_iter()
            .map(|it| self.without_margins(it))
            .peekable();
        uses.peek().is_some() && uses.all(|it| self.is_compared(it))
    }

    /// Whether a value is one side of a comparison, or what an assertion is given.
    fn is_compared(&self, value: Node<'_>) -> bool {
        let Some(around) = value.parent() else {
            return false;
        };
        let call = around.parent().filter(|_| around.kind() == "argument_list");
        let callee = call.and_then(|it| self.callee(it)).unwrap_or_default();
        around.kind() == "comparison_operator"
            || callee.trim_start_matches('_').starts_with("assert")
    }

    /// The calls around a text that take blanks away: `textwrap.dedent(text)`, `text.strip()`.
    fn without_margins<'t>(&self, text: Node<'t>) -> Node<'t> {
        const CALLS: &[&str] = &["cleandoc", "dedent", "lstrip", "rstrip", "strip"];
        let is_such = |it: &Node<'_>| {
            let is_call = it.kind() == "call";
            let name = is_call.then(|| self.callee(*it)).flatten();
            match name {
                Some(name) => CALLS.contains(&&*name),
                None => matches!(it.kind(), "argument_list" | "attribute"),
            }
        };
        let around = parents(text).take_while(is_such);
        around
            .filter(|it| it.kind() == "call")
            .last()
            .unwrap_or(text)
    }

    /// Whether what a call gives is all expected to fail: the call itself, or each use of the variable that it is assigned to.
    pub(super) fn gives_failure(&self, call: Node<'_>) -> bool {
        if self.is_expected_to_fail(call) {
            return true;
        }
        let uses = self.assigned(call).unwrap_or_default().into_iter();
        let uses: Vec<Node<'_>> = uses.flat_map(|name| self.uses(name)).collect();
        !uses.is_empty() && uses.into_iter().all(|it| self.is_expected_to_fail(it))
    }

    /// Whether a function calls what loads something, `load` or `load_inline` of PyTorch among it.
    fn loads(&self, function: Node<'_>) -> bool {
        let known = self.asked.borrow().loading.get(&function.number()).copied();
        known.unwrap_or_else(|| {
            let mut calls = self.all_below(function, &["call"]).into_iter();
            let loads = calls.any(|it| self.callee(it).is_some_and(|name| name.contains("load")));
            let mut asked = self.asked.borrow_mut();
            asked.loading.insert(function.number(), loads);
            loads
        })
    }
}

/// Whether a text is for people: three words or more, and none of them an option or an architecture.
fn is_sentence(text: &str) -> bool {
    let words = || {
        text.split_whitespace()
            .map(|it| it.trim_matches(['"', '\'']))
    };
    let is_for_tools =
        |word: &str| word.starts_with('-') || word.contains('=') || word.contains("sm_");
    words().count() > 2 && !words().any(is_for_tools)
}

/// Whether a word is no variable: the name of a member, `self.sm`, or of an argument, `f(sm=80)`.
fn is_other_name(word: Node<'_>) -> bool {
    word.parent().is_some_and(|around| {
        let field = match around.kind() {
            "attribute" => "attribute",
            "keyword_argument" => "name",
            _ => return false,
        };
        around.child_by_field_name(field) == Some(word)
    })
}

/// Whether a name is that of a constant by what Python's style guide says: `HAS_FP8`, with nothing small in it.
pub(crate) fn is_constant(name: &str) -> bool {
    let has = |is_such: fn(&u8) -> bool| name.as_bytes().iter().any(is_such);
    has(u8::is_ascii_uppercase) && !has(u8::is_ascii_lowercase)
}

/// What a place gives a variable, alone or among others: `f()` for `a` in `a, b = f()`.
pub(crate) fn value_given_to(name: Node<'_>) -> Option<Node<'_>> {
    let is_list = |it: &Node<'_>| matches!(it.kind(), "pattern_list" | "tuple_pattern");
    let left = name.parent().filter(is_list).unwrap_or(name);
    let around = left.parent().filter(|it| it.kind() == "assignment")?;
    let is_target = around.child_by_field_name("left") == Some(left);
    around.child_by_field_name("right").filter(|_| is_target)
}
