//! The statements of a translation and how they are laid out in the source.

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Stores to a place outside.
    Store(String, String),
    /// Stores to a local of the block that has this C++ type.
    Local(String, &'static str, String),
    /// Declares a local and gives it its value for good.
    Define(String, String),
    /// Anything else, without the semicolon.
    Plain(String),
}

/// The statements of one instruction with its guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Condition under which it runs.
    pub guard: Option<String>,
    /// Its statements.
    pub lines: Vec<Line>,
}

/// Where statements stand.
#[derive(Clone, Debug)]
pub struct Layout {
    /// White space in front of the line.
    pub indent: String,
    /// One level of indentation.
    pub unit: &'static str,
    /// All on one line, as in a macro body.
    pub one_line: bool,
    /// More than one statement can stand here without braces.
    pub in_list: bool,
    /// The statement's semicolon is replaced as well.
    pub semicolon: bool,
}

/// The statements as text; empty when there are none.
pub(super) fn render(steps: &[Step], layout: &Layout) -> String {
    let (lines, needs_block) = flatten(steps, layout);
    if lines.is_empty() {
        return String::new();
    }
    if lines.len() == 1 && !needs_block {
        let line = &lines[0];
        return match line.strip_suffix(';') {
            Some(bare) if !layout.semicolon => bare.to_owned(),
            _ => line.clone(),
        };
    }
    if layout.one_line {
        let body = lines.join(" ");
        return if layout.semicolon {
            format!("{{ {body} }}")
        } else {
            format!("do {{ {body} }} while (0)")
        };
    }
    if !needs_block && layout.in_list && layout.semicolon {
        return lines.join(&format!("\n{}", layout.indent));
    }
    let inner = format!("\n{}{}", layout.indent, layout.unit);
    let tail = if layout.semicolon { "}" } else { "} while (0)" };
    let head = if layout.semicolon { "{" } else { "do {" };
    format!(
        "{head}{inner}{}\n{}{tail}",
        lines.join(&inner),
        layout.indent
    )
}

/// The statements, one a line, and whether they need braces around them.
fn flatten(steps: &[Step], layout: &Layout) -> (Vec<String>, bool) {
    let mut declared = declared_ahead(steps);
    let mut lines: Vec<String> = declared
        .iter()
        .map(|(name, ty)| format!("{ty} {name} = 0;"))
        .collect();
    let mut needs_block = !lines.is_empty();
    for step in steps {
        let is_block = |line: &Line| matches!(line, Line::Local(..) | Line::Define(..));
        needs_block |= step.lines.iter().any(is_block);
        let texts: Vec<String> = step
            .lines
            .iter()
            .map(|line| statement(line, &mut declared))
            .collect();
        match &step.guard {
            Some(guard) if texts.len() == 1 => {
                // Without braces an `else` behind the statement would become this `if`'s.
                needs_block |= !layout.in_list;
                lines.push(format!("if ({guard}) {}", texts[0]));
            }
            Some(guard) if !texts.is_empty() => {
                needs_block = true;
                lines.push(guarded_block(guard, &texts, layout));
            }
            Some(_) => {}
            None => lines.extend(texts),
        }
    }
    (lines, needs_block)
}

/// Locals with their types that a guarded statement is the first to assign: they are declared in front of all, for those behind.
fn declared_ahead(steps: &[Step]) -> Vec<(&str, &'static str)> {
    let (mut declared, mut assigned) = (Vec::<(&str, &'static str)>::new(), Vec::<&str>::new());
    for step in steps {
        let in_front = assigned.len();
        for line in &step.lines {
            let Line::Local(name, ty, _) = line else {
                continue;
            };
            let is_known = assigned[..in_front].contains(&name.as_str())
                || declared.iter().any(|(known, _)| known == name);
            if step.guard.is_some() && !is_known {
                declared.push((name, ty));
            }
            assigned.push(name);
        }
    }
    declared
}

/// One statement. A local that is assigned for the first time is declared by it.
fn statement<'s>(line: &'s Line, declared: &mut Vec<(&'s str, &'static str)>) -> String {
    match line {
        Line::Store(place, expression) => format!("{place} = {expression};"),
        Line::Local(name, ty, expression) => {
            if declared.iter().any(|(known, _)| known == name) {
                return format!("{name} = {expression};");
            }
            declared.push((name, ty));
            format!("{ty} {name} = {expression};")
        }
        Line::Define(name, expression) => format!("{name} = {expression};"),
        Line::Plain(text) => format!("{text};"),
    }
}

fn guarded_block(guard: &str, texts: &[String], layout: &Layout) -> String {
    let (separator, end) = if layout.one_line {
        (" ".to_owned(), " ".to_owned())
    } else {
        let end = format!("\n{}{}", layout.indent, layout.unit);
        (format!("{end}{}", layout.unit), end)
    };
    let body = texts.join(&separator);
    format!("if ({guard}) {{{separator}{body}{end}}}")
}
