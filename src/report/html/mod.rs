//! The report as one HTML file that needs no network: figures and bars are written here, the tables of findings and files are drawn
//! by a script from compact data, a page at a time, so that a tree with tens of thousands of findings stays a file to send by mail.

mod data;

use super::defines::defines;
use super::escape::xml;
use super::figures::{
    ERRORS, READY, WARNINGS, effort, host_sources, open, open_of, percent, reference_count, worst,
};
use super::model::{LibraryStats, Report};
use super::plural::plural;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// Files that the page lists when no script may run.
const WITHOUT_SCRIPT: usize = 50;

pub(super) fn render(report: &Report) -> String {
    let parts = [
        ("style", STYLE.to_owned()),
        (
            "tool",
            xml(&format!("{} {}", report.tool.name, report.tool.version)),
        ),
        (
            "verb",
            if report.wrote {
                "Translated"
            } else {
                "Checked, nothing written; figures are those of a translation"
            }
            .to_owned(),
        ),
        (
            "fixes",
            if report.wrote { "" } else { "would be " }.to_owned(),
        ),
        ("options", options(report)),
        ("problems", problems(report)),
        ("verdict", verdict(report)),
        ("figures", figures(report)),
        ("needs", needs(report)),
        ("libraries", libraries(report)),
        ("noscript", without_script(report)),
        ("data", data::json(report)),
        ("script", SCRIPT.to_owned()),
    ];
    fill(PAGE, &parts)
}

/// Puts the parts where the page names them, `{{name}}`. One pass: what a part holds is not looked at again.
fn fill(page: &str, parts: &[(&str, String)]) -> String {
    let mut text =
        String::with_capacity(page.len() + parts.iter().map(|part| part.1.len()).sum::<usize>());
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, behind) = after.split_once("}}").expect("names of parts are closed");
        let part = parts
            .iter()
            .find(|part| part.0 == name)
            .expect("the page names parts there are");
        text.push_str(before);
        text.push_str(&part.1);
        rest = behind;
    }
    text + rest
}

fn options(report: &Report) -> String {
    let options = &report.options;
    let targets = if options.targets.is_empty() {
        "all chips".to_owned()
    } else {
        options.targets.join(", ")
    };
    let warp = format!("{:?}", options.warp).to_lowercase();
    xml(&format!(
        "for ROCm {}, {targets}, warps {warp}",
        options.rocm
    ))
}

fn problems(report: &Report) -> String {
    let failed = report
        .files
        .iter()
        .filter_map(|file| file.problem.as_deref());
    let items: String = failed
        .chain(report.problems.iter().map(String::as_str))
        .map(|problem| format!("<li>{}</li>", xml(problem)))
        .collect();
    if items.is_empty() {
        return items;
    }
    format!(
        "<section class=\"problems\" aria-label=\"Problems of the run\"><h2>This report is not complete</h2><ul>{items}</ul></section>"
    )
}

/// The one sentence for whoever reads one sentence.
fn verdict(report: &Report) -> String {
    match open(report) {
        (0, 0) if report.baseline.is_some() => {
            "Nothing is new: the baseline has all findings.".to_owned()
        }
        (0, 0) => "Nothing is left to do by hand.".to_owned(),
        (0, warnings) => format!(
            "Nothing has to be changed by hand; <b>{}</b> {} want a look.",
            number(warnings),
            plural(warnings, "place")
        ),
        (errors, 0) => format!(
            "<b>{}</b> {} to change by hand.",
            number(errors),
            plural(errors, "place")
        ),
        (errors, warnings) => format!(
            "<b>{}</b> {} to change by hand, <b>{}</b> to review.",
            number(errors),
            plural(errors, "place"),
            number(warnings)
        ),
    }
}

fn figures(report: &Report) -> String {
    let (totals, counts) = (&report.totals, report.totals.counts);
    let portability = totals.portability.map_or("–".to_owned(), percent);
    let references = number(reference_count(report));
    let split = format!(
        "of {references} CUDA references convert: {}{} safely, {} for review. {} do not.",
        match counts.already {
            0 => String::new(),
            already => format!("{} are in HIP already, ", number(already)),
        },
        number(counts.safe),
        number(counts.review),
        number(counts.manual)
    );
    let files = format!("mention CUDA, of {} in the tree", number(totals.files));
    let guarded = match counts.guarded {
        0 => String::new(),
        guarded => format!(
            " {} names stand in code that AMD does not compile and stay.",
            number(guarded)
        ),
    };
    let hazards = format!(
        "of the findings are about more than a name: lane masks, inline assembly, conditionals.{guarded}"
    );
    let (errors, warnings) = open(report);
    let new = match report.baseline {
        Some(_) => format!(
            "; the baseline's are left out of {} and {}",
            number(counts.errors),
            number(counts.warnings)
        ),
        None => String::new(),
    };
    let ready = format!("of {} files with CUDA {READY}", number(totals.cuda_files));
    let tiles = [
        ("accent", "Portability", portability, split),
        (
            "",
            "Files that need no hand",
            number(totals.ready_files),
            ready,
        ),
        (
            "error",
            "Errors",
            number(errors),
            format!("places that {ERRORS}{new}"),
        ),
        (
            "warning",
            "Warnings",
            number(warnings),
            format!("places that {WARNINGS}{new}"),
        ),
        ("", "Hazards", number(counts.hazards), hazards),
        ("", "Files", number(totals.cuda_files), files),
        (
            "",
            if report.wrote {
                "Lines changed"
            } else {
                "Lines to change"
            },
            number(totals.lines_changed),
            "lines that differ between source and translation".to_owned(),
        ),
    ];
    let tile = |(class, name, value, meaning): &(&str, &str, String, String)| {
        format!(
            "<div class=\"tile {class}\"><dt>{name}</dt><dd class=\"value\">{value}</dd><dd>{meaning}</dd></div>"
        )
    };
    tiles.iter().map(tile).collect()
}

fn needs(report: &Report) -> String {
    let rocm = match &report.rocm {
        Some(need) => format!(
            "<div><p>Lowest release: <b>ROCm {}</b></p><p>It is the first with {}, as far as the tables know{}.</p></div>",
            xml(&need.version),
            code_list(&need.because),
            xml(super::text::older_release(report))
        ),
        None => "<div><p>Lowest release: no name of the output asks for a certain one.</p></div>"
            .to_owned(),
    };
    let link = if report.link.is_empty() {
        "<div><p>Libraries to link: none beyond the HIP runtime.</p></div>".to_owned()
    } else {
        // A browser would break a line behind the dash of a flag.
        let flags = report.link.iter();
        let flags: Vec<String> = flags
            .map(|flag| format!("<span>{}</span>", xml(flag)))
            .collect();
        format!(
            "<div><p>Libraries to link:</p><pre class=\"link\">{}</pre></div>",
            flags.join(" ")
        )
    };
    rocm + &link + &build_needs(report)
}

/// What the build has to say beyond libraries.
fn build_needs(report: &Report) -> String {
    let mut text = String::new();
    for (folder, flags) in defines(report) {
        let program = match folder.as_str() {
            "" => String::new(),
            folder => format!(" in {}", xml(folder)),
        };
        let flags: Vec<String> = flags
            .iter()
            .map(|flag| format!("<span>{}</span>", xml(flag)))
            .collect();
        text.push_str(&format!(
            "<div><p>Code for both vendors{program} asks for:</p><pre class=\"link\">{}</pre></div>",
            flags.join(" ")
        ));
    }
    match host_sources(report) {
        0 => {}
        count => text.push_str(&format!(
            "<div><p><b>{}</b> {} for the host's compiler {} HIP's headers: hipcc, or <code>-D__HIP_PLATFORM_AMD__</code> and ROCm's <code>-I</code>.</p></div>",
            number(count),
            plural(count, "file"),
            if count == 1 { "includes" } else { "include" }
        )),
    }
    text
}

fn code_list(names: &[String]) -> String {
    let names: Vec<String> = names
        .iter()
        .map(|name| format!("<code>{}</code>", xml(name)))
        .collect();
    names.join(", ")
}

/// A bar per library: its length among the libraries, its parts by what became of the references.
fn libraries(report: &Report) -> String {
    let total = |library: &LibraryStats| library.safe + library.review + library.manual;
    let most = report.libraries.iter().map(total).max().unwrap_or(0).max(1);
    let bar = |library: &LibraryStats| {
        let part = |class: &str, count: usize| match count {
            0 => String::new(),
            // The width is a share of the longest bar; a thousandth is still seen as a line.
            count => format!(
                "<i class=\"{class}\" style=\"width:{:.2}%\"></i>",
                count as f64 * 100.0 / most as f64
            ),
        };
        let parts = part("safe", library.safe)
            + &part("review", library.review)
            + &part("manual", library.manual);
        format!(
            "<tr><th scope=\"row\">{}</th><td class=\"bar\"><span aria-hidden=\"true\">{parts}</span></td><td>{}</td><td>{}</td><td>{}</td></tr>",
            xml(&library.title),
            number(library.safe),
            number(library.review),
            number(library.manual)
        )
    };
    if report.libraries.is_empty() {
        return "<tr><td colspan=\"5\">No reference to CUDA was found.</td></tr>".to_owned();
    }
    report.libraries.iter().map(bar).collect()
}

fn without_script(report: &Report) -> String {
    let files = worst(report);
    let row = |file: &&super::model::FileReport| {
        format!(
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>",
            xml(&file.path),
            number(open_of(report, file).0),
            number(open_of(report, file).1),
            number(effort(open_of(report, file)))
        )
    };
    let rows: String = files.iter().take(WITHOUT_SCRIPT).map(row).collect();
    format!(
        "<section><h2>Files that need most work</h2><p>The {} {} are listed by a script, which is off. The same list: <code>cass-transpile check</code>. These are the worst {} of {} files.</p><table><thead><tr><th>File</th><th>Errors</th><th>Warnings</th><th>Effort</th></tr></thead><tbody>{rows}</tbody></table></section>",
        number(report.findings().count()),
        plural(report.findings().count(), "finding"),
        number(files.len().min(WITHOUT_SCRIPT)),
        number(files.len())
    )
}

/// A count with its thousands apart: 12,345.
fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(number(7), "7");
        assert_eq!(number(1_234_567), "1,234,567");
    }

    #[test]
    fn a_part_that_looks_like_a_place_for_one_stays() {
        let parts = [("a", "{{b}}".to_owned()), ("b", "x".to_owned())];
        assert_eq!(fill("<{{a}}|{{b}}>", &parts), "<{{b}}|x>");
    }
}
