//! The statements of a translation and how they are laid out in the source.

/// What a statement does.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
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

/// The lines with locals declared, and whether they need a block of their own.
fn flatten(steps: &[Step], layout: &Layout) -> (Vec<String>, bool) {
    let (mut lines, mut declared) = (Vec::new(), Vec::<&str>::new());
    for step in steps.iter().filter(|step| step.guard.is_some()) {
        for line in &step.lines {
            if let Line::Local(name, ty, _) = line {
                let assigned_before = steps
                    .iter()
                    .take_while(|other| !std::ptr::eq(*other, step))
                    .flat_map(|other| &other.lines)
                    .any(|other| matches!(other, Line::Local(first, ..) if first == name));
                if !assigned_before && !declared.contains(&name.as_str()) {
                    declared.push(name);
                    lines.push(format!("{ty} {name} = 0;"));
                }
            }
        }
    }
    let mut needs_block = !lines.is_empty();
    for step in steps {
        let mut texts = Vec::new();
        for line in &step.lines {
            needs_block |= matches!(line, Line::Local(..) | Line::Define(..));
            texts.push(match line {
                Line::Store(place, expression) => format!("{place} = {expression};"),
                Line::Local(name, _, expression) if declared.contains(&name.as_str()) => {
                    format!("{name} = {expression};")
                }
                Line::Local(name, ty, expression) => {
                    declared.push(name);
                    format!("{ty} {name} = {expression};")
                }
                Line::Define(name, expression) => format!("{name} = {expression};"),
                Line::Plain(text) => format!("{text};"),
            });
        }
        match &step.guard {
            Some(guard) if texts.len() == 1 => {
                // Without braces an `else` behind the statement would become this `if`'s.
                needs_block |= !layout.in_list;
                lines.push(format!("if ({guard}) {}", texts[0]));
            }
            Some(guard) if !texts.is_empty() => {
                let separator = if layout.one_line {
                    " ".to_owned()
                } else {
                    format!("\n{}{}{}", layout.indent, layout.unit, layout.unit)
                };
                let end = if layout.one_line {
                    " ".to_owned()
                } else {
                    format!("\n{}{}", layout.indent, layout.unit)
                };
                needs_block = true;
                lines.push(format!(
                    "if ({guard}) {{{separator}{}{end}}}",
                    texts.join(&separator)
                ));
            }
            Some(_) => {}
            None => lines.extend(texts),
        }
    }
    (lines, needs_block)
}
