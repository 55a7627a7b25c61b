//! A launch that PyTorch's build for ROCm rewrites wrongly.
//!
//! ## Why on AMD
//! PyTorch makes `hipLaunchKernelGGL((kernel), dim3(grid), dim3(block), 0, 0, …)` of each launch before hipcc sees it, by counting
//! characters. That is a statement, so a launch cannot be an operand of `?:` or be returned. A `<` within the configuration hides its
//! commas (`1 << n` gives arguments too many), and of the kernel it takes letters, `_`, `:`, parentheses and one `<…>`: of
//! `kernels[i]<<<…>>>` it takes nothing.
//!
//! ## Example
//! ```cuda
//! scale<float><<<1 << bits, 256>>>(x, n);
//! wide ? sum<true><<<1, 64>>>(x) : sum<false><<<1, 32>>>(x);
//! EACH((scale<int><<<1, 256>>>(x, n)));
//! ```
//! becomes
//! ```hip
//! const dim3 launch_grid(1 << bits);
//! scale<float><<<launch_grid, 256>>>(x, n);
//! if (wide) sum<true><<<1, 64>>>(x); else sum<false><<<1, 32>>>(x);
//! EACH(([&] { scale<int><<<1, 256>>>(x, n); }()));
//! ```
//!
//! ## When to ignore
//! When the launch stands in a file that PyTorch does not rewrite.
//!
//! ## Source
//! `processKernelLaunches` and `extract_arguments` in `torch/utils/hipify/hipify_python.py` of PyTorch 2.11.

use crate::cpp::calls::enclosing_parenthesis;
use crate::rules::prelude::*;
use crate::text::keywords::{takes_condition, takes_operand};

/// Gives what is counted wrongly a name in front; reports launches that have to be statements.
pub static RULE: Rule = Rule {
    code: "CASS653",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 25,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Launch(check)],
};

/// What names a part of a launch, and how: the words around its value.
const PARTS: &[(&str, &str, &str, &str)] = &[
    ("launch_grid", "const dim3 ", "(", ")"),
    ("launch_block", "const dim3 ", "(", ")"),
    ("launch_bytes", "const size_t ", " = ", ""),
    ("launch_stream", "const auto ", " = ", ""),
];

/// What to do where nothing can be written in front.
const BY_HAND: &str = "give the kernel, or the argument with `<` in it, a name in a line in front";

fn check(launch: &LaunchSite, cx: &mut Context<'_, '_>) {
    if !cx.is_torch() {
        return;
    }
    let doc = cx.doc;
    let place = Place::of(doc, launch);
    let range = launch.range(doc);
    if matches!(place, Place::Value) {
        let message = "PyTorch's build for ROCm makes a statement of this launch, which is part of an expression here";
        let finding = RULE.finding(range, message);
        let edits = as_statement(doc, launch).or_else(|| as_call(doc, launch));
        return cx.report(match edits {
            Some(edits) => finding.severity(Severity::Info).fix(Fix::safe(edits)),
            None => finding.help(
                "write it as a statement of its own: `if (…) a<<<…>>>(…); else b<<<…>>>(…);`",
            ),
        });
    }
    let mut named = Vec::new();
    let counted = arguments_as_counted(config_text(doc, launch));
    if counted != launch.config.len() {
        let hides = |part: &std::ops::Range<TokenIndex>| {
            let mut all = part.clone();
            all.any(|at| matches!(doc.bytes(at), b"<" | b"<<" | b"<="))
        };
        named.extend((0..launch.config.len().min(4)).filter(|at| hides(&launch.config[*at])));
    }
    let is_whole = kernel_as_read(&doc.source.bytes, doc.tokens[launch.open].start as usize)
        == Some(
            doc.source
                .slice(doc.range(first_of_name(doc, launch), launch.callee.end - 1)),
        );
    if counted == launch.config.len() && is_whole {
        return;
    }
    let message = match is_whole {
        true => "PyTorch's build for ROCm counts the arguments of this launch wrongly",
        false => "PyTorch's build for ROCm takes another name for the kernel of this launch",
    };
    let finding = RULE.finding(range, message);
    let mends = counted == launch.config.len() || !named.is_empty();
    cx.report(match place {
        Place::Statement(first) if mends => {
            let edits = hoisted(doc, launch, first, &named, !is_whole);
            finding.severity(Severity::Info).fix(Fix::safe(edits))
        }
        Place::Argument if counted == launch.config.len() => match as_call(doc, launch) {
            Some(edits) => finding.severity(Severity::Info).fix(Fix::safe(edits)),
            None => finding.help(BY_HAND),
        },
        _ => finding.help(BY_HAND),
    });
}

/// The first word of a kernel's name, with what a macro pastes to it: `NAME##_forward<<<`.
fn first_of_name(doc: &Document<'_>, launch: &LaunchSite) -> TokenIndex {
    // A name is pasted of two or three parts.
    const MOST: usize = 8;
    let mut first = launch.callee.start;
    for _ in 0..MOST {
        let pasted = doc.prev(first).filter(|&at| doc.is(at, "##"));
        let Some(before) = pasted.and_then(|at| doc.prev(at)) else {
            break;
        };
        first = before;
    }
    first
}

/// Where a launch stands.
enum Place {
    /// A statement of a block, that begins with the launch.
    Statement(TokenIndex),
    /// A statement that is a branch by itself, or in a macro: nothing can go in front of it.
    Branch,
    /// An argument of a macro that begins with the launch and ends with it.
    Argument,
    /// Its value is asked for.
    Value,
}

impl Place {
    fn of(doc: &Document<'_>, launch: &LaunchSite) -> Self {
        let Some(before) = doc.prev(launch.callee.start) else {
            return Self::Branch;
        };
        let is_asked = matches!(doc.bytes(before), b"return" | b"?") && !launch.in_macro;
        if is_asked || is_operand(doc, launch, before) {
            return Self::Value;
        }
        if is_argument(doc, launch, before) {
            return Self::Argument;
        }
        let begins = matches!(doc.bytes(before), b";" | b"{" | b"}")
            && !is_elsewhere(doc, before, launch.callee.start);
        match begins && !launch.in_macro && !is_in_switch(doc, launch.callee.start) {
            true => Self::Statement(launch.callee.start),
            false => Self::Branch,
        }
    }
}

/// Whether a launch is all of an argument: `EACH(k<<<1, 32>>>(x), y)`.
fn is_argument(doc: &Document<'_>, launch: &LaunchSite, before: TokenIndex) -> bool {
    let behind = launch.parens.and_then(|(_, close)| doc.next(close));
    let ends = behind.is_some_and(|it| matches!(doc.bytes(it), b")" | b","));
    ends && matches!(doc.bytes(before), b"(" | b",") && !launch.in_macro
}

/// Whether a launch stands in brackets that make an expression of it: `(k<<<1, 32>>>(x))`, `(k<<<1, 32>>>(x), last())`. An argument
/// of a macro may well be its statement.
fn is_operand(doc: &Document<'_>, launch: &LaunchSite, before: TokenIndex) -> bool {
    let open = enclosing_parenthesis(doc, launch.callee.start);
    let is_grouping = |open: TokenIndex| {
        let front = doc.prev(open).filter(|&it| !is_elsewhere(doc, it, open));
        front.is_some_and(|it| {
            matches!(
                doc.bytes(it),
                b"(" | b")" | b"," | b";" | b"{" | b"}" | b"?" | b":" | b"return"
            )
        })
    };
    is_argument(doc, launch, before) && open.is_some_and(is_grouping)
}

/// Whether a statement stands in the braces of a `switch`, where no label may come behind a name that has a value.
fn is_in_switch(doc: &Document<'_>, at: TokenIndex) -> bool {
    let switch = |brace: TokenIndex| {
        let close = doc.prev(brace).filter(|&close| doc.is(close, ")"))?;
        let open = doc.matching_bracket(close)?;
        Some(doc.prev_is(open, "switch"))
    };
    let brace = doc.braces_around(at).next();
    brace.and_then(switch).unwrap_or(false)
}

/// Whether one of two tokens stands in a directive and the other does not.
fn is_elsewhere(doc: &Document<'_>, one: TokenIndex, other: TokenIndex) -> bool {
    let inside = |at: TokenIndex| doc.tokens[at].has(flags::DIRECTIVE);
    inside(one) != inside(other)
}

/// `a ? k<<<…>>>() : l<<<…>>>();` as `if` and `else`, told at the first of the two; `return k<<<…>>>();` as two statements.
fn as_statement(doc: &Document<'_>, launch: &LaunchSite) -> Option<Vec<Edit>> {
    let (_, close) = launch.parens.filter(|_| !launch.in_macro)?;
    let before = doc.prev(launch.callee.start)?;
    let next = doc.next(close)?;
    let begins = |at: TokenIndex| {
        doc.prev(at)
            .is_some_and(|it| matches!(doc.bytes(it), b";" | b"{" | b"}"))
    };
    if doc.is(before, "return") {
        let is_whole = doc.is(next, ";") && begins(before);
        let start = TextRange::new(
            doc.tokens[before].start,
            doc.tokens[launch.callee.start].start,
        );
        let end = Edit::insert(doc.tokens[next].end(), " return;");
        return is_whole.then(|| vec![Edit::replace(start, ""), end]);
    }
    if !doc.is(before, "?") || !doc.is(next, ":") {
        return None;
    }
    let other = doc.launches.iter().find(|it| it.callee.start == next + 1)?;
    let end = other.parens?.1;
    let condition = (0..before)
        .rev()
        .take_while(|&at| !matches!(doc.bytes(at), b";" | b"{" | b"}"));
    let start = condition.last()?;
    let is_plain = !(start..before).any(|at| {
        let word = doc.bytes(at);
        takes_operand(word)
            || takes_condition(word)
            || matches!(word, b"=" | b"?" | b":" | b",")
            || doc.tokens[at].has(flags::DIRECTIVE)
    });
    let gap = |from: TokenIndex, to: TokenIndex| {
        TextRange::new(doc.tokens[from].end(), doc.tokens[to].start)
    };
    (is_plain && begins(start) && doc.next_is(end, ";")).then(|| {
        vec![
            Edit::insert(doc.tokens[start].start, "if ("),
            Edit::replace(gap(before - 1, launch.callee.start), ") "),
            Edit::replace(gap(close, next + 1), "; else "),
        ]
    })
}

/// A function called where it stands, `[&] { k<<<…>>>(); }()`: its body is a statement, and the call an expression.
fn as_call(doc: &Document<'_>, launch: &LaunchSite) -> Option<Vec<Edit>> {
    let range = launch.parens.map(|_| launch.range(doc))?;
    Some(vec![
        Edit::insert(range.start, "[&] { "),
        Edit::insert(range.end, "; }()"),
    ])
}

/// Names in front of a statement for parts of its configuration, and for the kernel.
fn hoisted(
    doc: &Document<'_>,
    launch: &LaunchSite,
    first: TokenIndex,
    parts: &[usize],
    kernel: bool,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut lines = String::new();
    let newline = doc.newline();
    let start = doc.tokens[first].start;
    let indent: String = {
        let line = crate::text::line_start(&doc.source.bytes, start);
        let text = doc.source.text(TextRange::new(line, start));
        match text.trim().is_empty() {
            true => format!("{newline}{text}"),
            false => " ".to_owned(),
        }
    };
    let number = doc
        .launches
        .iter()
        .filter(|it| it.open < launch.open)
        .count();
    let unused = |name: &str| match doc.has_word(|word| word == name.as_bytes()) || number > 0 {
        true => format!("{name}{}", number + 1),
        false => name.to_owned(),
    };
    let mut add = |range: TextRange, name: &str, head: &str, open: &str, close: &str| {
        let name = unused(name);
        let value = doc.source.text(range);
        lines += &format!("{head}{name}{open}{value}{close};{indent}");
        edits.push(Edit::replace(range, name));
    };
    if kernel {
        let range = doc.range(launch.callee.start, launch.callee.end - 1);
        add(range, "launch_kernel", "const auto ", " = ", "");
    }
    for &at in parts {
        let part = &launch.config[at];
        let (name, head, open, close) = PARTS[at];
        add(doc.range(part.start, part.end - 1), name, head, open, close);
    }
    // In front of the kernel, whose own edit begins there as well.
    match edits.first_mut().filter(|_| kernel) {
        Some(edit) => edit.content = format!("{lines}{}", edit.content).into(),
        None => edits.push(Edit::insert(start, lines)),
    }
    edits
}

/// What stands between `<<<` and `>>>`.
fn config_text<'d>(doc: &'d Document<'_>, launch: &LaunchSite) -> &'d [u8] {
    let (open, close) = (
        doc.tokens[launch.open + 2].end(),
        doc.tokens[launch.close].start,
    );
    doc.source.slice(TextRange::new(open, close.max(open)))
}

/// How many arguments PyTorch counts in a configuration: a comma is one where no bracket is open, and a `<` is a bracket.
fn arguments_as_counted(config: &[u8]) -> usize {
    let (mut round, mut angle, mut count) = (1_i64, 0_i64, 0);
    let all = config.iter().chain(b")");
    let mut last = b'(';
    for &byte in all {
        match byte {
            b'(' => round += 1,
            b')' => round -= 1,
            b'<' => angle += 1,
            b'>' if last != b'-' && angle > 0 => angle -= 1,
            _ => {}
        }
        last = byte;
        if round == 0 && angle == 0 {
            return count + 1;
        }
        count += usize::from(round == 1 && angle == 0 && byte == b',');
    }
    count
}

/// The kernel that PyTorch reads in front of `<<<`, from the byte behind the one that ends its name.
fn kernel_as_read(bytes: &[u8], open: usize) -> Option<&[u8]> {
    /// Longer names are not read.
    const MOST: usize = 4096;
    let (mut depth, mut template, mut is_done, mut end) = (0_i64, None, false, None);
    for at in (open.saturating_sub(MOST)..open).rev() {
        let byte = bytes[at];
        if end.is_none() && !is_done {
            if byte == b'>' {
                template = template.or(Some(at));
                depth += 1;
            }
            if byte == b'<' {
                depth -= 1;
                is_done = depth == 0 && template.is_some();
            }
        }
        // Within the brackets of a template nothing is a name.
        if template.is_some() && !is_done && end.is_none() {
            continue;
        }
        let is_name = byte.is_ascii_alphanumeric() || b"()_:#".contains(&byte);
        match (is_name, end) {
            (true, None) => end = Some(at),
            (false, Some(name)) => return Some(&bytes[at + 1..=template.unwrap_or(name)]),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_counted_as_pytorch_counts_them() {
        for (config, expected) in [
            ("1, 32", 2),
            ("dim3(a, b), 32, 0, stream", 4),
            ("1 << 4, 256", 0),
            ("a < b ? a : b, 32", 0),
            ("n >> 2, 32", 2),
            ("f<int, 3>(n), 32", 2),
            ("g, b, 0, c->stream", 4),
        ] {
            assert_eq!(
                arguments_as_counted(config.as_bytes()),
                expected,
                "{config}"
            );
        }
    }

    #[test]
    fn a_kernel_is_read_as_pytorch_reads_it() {
        for (text, expected) in [
            ("; scale<<<", Some("scale")),
            ("; ns::scale <float, 3> <<<", Some("ns::scale <float, 3>")),
            ("; (fn)<<<", Some("(fn)")),
            (" table[i]<<<", Some("i")),
            (" this->fn<<<", Some("fn")),
            (" k<(n > 4)><<<", None),
        ] {
            let open = text.find("<<<").expect("it is there");
            let found = kernel_as_read(text.as_bytes(), open);
            let found = found.map(|it| std::str::from_utf8(it).expect("text"));
            assert_eq!(found, expected, "{text}");
        }
    }
}
