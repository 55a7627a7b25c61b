//! The HTML report: what it holds, how large it gets, and how it behaves in a real browser.
//!
//! The browser is Chromium, found as `chromium`, `chromium-browser` or `google-chrome`, or named by `CASS_BROWSER`. Without one
//! nothing is proven about behaviour: those tests say so on stderr, and fail where `CI` is set.

use std::path::{Path, PathBuf};
use std::process::Command;

use cass_transpile::diagnostic::Severity;
use cass_transpile::engine::RuleChoice;
use cass_transpile::engine::Session;
use cass_transpile::engine::translate;
use cass_transpile::mapping::ApiTable;
use cass_transpile::options::Options;
use cass_transpile::report::{Action, Builder, FileReport, Format, Report, file_report, render};
use cass_transpile::rules::all;
use cass_transpile::text::SourceFile;

const HOSTILE: &str = "#include <cuda_runtime.h>\nvoid f() {\n\tputs(\"</script><script>window.injected = 1</script><img src=x onerror=injected=1>\"); cudaMemset(p, 0, 4); cudaCtxResetPersistingL2Cache(); // <!-- {{data}} 漢字😀\n}\n";
const NAME: &str = "src/<img src=x onerror=injected=1>.cu";
const RULES: &[&str] = &["CASS001", "CASS003", "CASS008", "CASS100"];

/// A session in which only these rules run: new rules must not change these pages.
fn session() -> Session {
    let mut session = Session::new(Options::default(), ApiTable::builtin());
    let codes = all().iter().map(|(rule, _)| rule.code);
    let choice = RuleChoice {
        off: codes
            .filter(|code| !RULES.contains(code))
            .map(str::to_owned)
            .collect(),
        ..RuleChoice::default()
    };
    session.rules.add(None, choice).expect("codes of rules");
    session
}

fn one(session: &Session, path: &str, text: &str) -> FileReport {
    let source = SourceFile::new(path, text.as_bytes().to_vec());
    let outcome = translate(&source, session);
    file_report(&source, &outcome, None, Severity::Info)
}

fn report() -> Report {
    let session = session();
    let mut builder = Builder::new(session.options.clone(), Vec::new());
    builder.add(one(&session, NAME, HOSTILE));
    let bytes = "void g() { k << <1, 2>> >(cudaCtxResetPersistingL2Cache(), 1); }\n";
    builder.add(one(
        &session,
        "src/bytes.cuh",
        &format!("#include <cuda.h>\n{bytes}"),
    ));
    builder.add(FileReport {
        path: "gone.cu".to_owned(),
        action: Action::Failed,
        problem: Some("gone.cu: no such file <or> folder".to_owned()),
        ..FileReport::default()
    });
    let mut report = builder.finish();
    report.tool.version = "0.0.0";
    report
}

/// A tree with as many findings as the largest that people port at once. In public CUDA programs a line with a finding has 54
/// characters on average and two of five are repeated (measured on 4,962 findings); here lines are longer and each is another one.
fn large(findings: usize) -> Report {
    const LINES: usize = 40;
    let session = session();
    let mut builder = Builder::new(session.options.clone(), Vec::new());
    for file in 0..findings / LINES {
        let line = |line: usize| {
            let number = file * LINES + line;
            format!(
                "    r[{line}] = cudaMemset(b{number}, 0, n) + cudaCtxResetPersistingL2Cache();\n"
            )
        };
        let body: String = (0..LINES).map(line).collect();
        let text = format!("#include <cuda_runtime.h>\nvoid f{file}(int *r) {{\n{body}}}\n");
        let mut file = one(
            &session,
            &format!("libraries/module_{}/src/kernels_{file}.cu", file % 20),
            &text,
        );
        file.findings
            .retain(|finding| finding.severity > Severity::Info);
        builder.add(file);
    }
    builder.finish()
}

/// The page without what is the same in every report.
fn without_style_and_script(page: &str) -> String {
    let cut = |page: &str, open: &str, close: &str| {
        let (before, rest) = page.split_once(open).expect("it is there");
        let (_, after) = rest.split_once(close).expect("it ends");
        format!("{before}{open}…{close}{after}")
    };
    let page = cut(&cut(page, "<style>", "</style>"), "<script>", "</script>");
    // A line for each element: changes are read by people.
    page.replace("><", ">\n<")
}

#[test]
fn the_page_has_its_snapshot() {
    insta::assert_snapshot!(
        "page",
        without_style_and_script(&render(&report(), Format::Html))
    );
}

#[test]
fn text_of_the_sources_is_never_markup() {
    let page = render(&report(), Format::Html);
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert_eq!(page.matches("<img").count(), 0);
    assert_eq!(page.matches("<!--").count(), 0);
}

#[test]
fn the_page_asks_the_network_for_nothing() {
    let page = render(&report(), Format::Html);
    let (head, _) = page.split_once("<body>").expect("it has a body");
    assert!(head.contains("Content-Security-Policy\" content=\"default-src 'none';"));
    for word in [
        "<link",
        "@import",
        "url(",
        "http:",
        "<script src",
        "fetch(",
        "XMLHttpRequest",
        "innerHTML",
    ] {
        assert!(!page.contains(word), "{word}");
    }
    // Addresses are those of pages about rules, for people to follow.
    let addresses = page.match_indices("https:").map(|(at, _)| &page[at..]);
    let pages: Vec<String> = RULES
        .iter()
        .filter_map(|code| cass_transpile::rules::page(code))
        .collect();
    for address in addresses {
        let end = address.find(['"', '<']).expect("it ends");
        assert!(
            pages.iter().any(|page| page == &address[..end]),
            "{}",
            &address[..end]
        );
    }
}

#[test]
fn twenty_thousand_findings_fit_two_megabytes() {
    let report = large(20_000);
    assert_eq!(report.findings().count(), 20_000);
    let length: usize = report
        .findings()
        .map(|(_, finding)| finding.source_line.trim().len())
        .sum();
    assert!(length > 54 * 20_000, "the lines are shorter than real ones");
    let size = render(&report, Format::Html).len();
    assert!(size < 2_000_000, "{size} bytes");
}

#[test]
fn a_report_without_anything_is_a_page_too() {
    let page = render(&Report::default(), Format::Html);
    assert!(
        page.contains("Nothing is left to do by hand.")
            && page.contains("No reference to CUDA was found.")
    );
}

#[test]
#[ignore = "needs Chromium; CASS_BROWSER names another"]
fn the_page_works_in_a_browser() {
    let browser = Browser::required();
    insta::assert_snapshot!(
        "behaviour",
        browser.driven(&render(&report(), Format::Html))
    );
}

#[test]
#[ignore = "needs Chromium; CASS_BROWSER names another"]
fn a_large_page_works_in_a_browser() {
    let browser = Browser::required();
    let found = browser.driven(&render(&large(20_000), Format::Html));
    for line in [
        "shown = All 20,000 findings.",
        "drawn = 50",
        "printed = 1000",
        "after_print = 50",
    ] {
        assert!(found.lines().any(|found| found == line), "{line}\n{found}");
    }
    assert!(found.contains("page 1 of 400"), "{found}");
}

#[test]
#[ignore = "needs Chromium; CASS_BROWSER names another"]
fn light_and_dark_are_two_pictures() {
    let browser = Browser::required();
    let page = render(&report(), Format::Html);
    let (light, dark) = (
        browser.picture(&page, 1, "light.png"),
        browser.picture(&page, 0, "dark.png"),
    );
    assert!(
        light.len() > 20_000 && dark.len() > 20_000,
        "{} and {} bytes",
        light.len(),
        dark.len()
    );
    assert_ne!(light, dark);
}

struct Browser {
    program: PathBuf,
}

impl Browser {
    fn required() -> Self {
        let named = std::env::var_os("CASS_BROWSER").map(PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let mut candidates =
            std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
        let program = named.or_else(|| candidates.find(|program| program.is_file()));
        let program = program.expect("install Chromium or name a browser in CASS_BROWSER");
        Self { program }
    }

    fn run(&self, page: &Path, arguments: &[String]) -> String {
        let profile = tempfile::tempdir().expect("a temporary folder");
        let output = Command::new(&self.program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(arguments)
            .arg(format!("file://{}", page.display()))
            .output()
            .expect("the browser starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What the driver found on a page.
    fn driven(&self, page: &str) -> String {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("report.html");
        let driver = concat!(
            "<script>",
            include_str!("../html/driver.js"),
            "</script></body>"
        );
        std::fs::write(&file, page.replace("</body>", driver)).expect("a file");
        let dom = self.run(
            &file,
            &[
                "--virtual-time-budget=20000".to_owned(),
                "--dump-dom".to_owned(),
            ],
        );
        let (_, result) = dom
            .split_once("<pre id=\"result\">")
            .unwrap_or_else(|| panic!("the driver did not end:\n{}", &dom[..dom.len().min(4000)]));
        result.split_once("</pre>").expect("it ends").0.to_owned()
    }

    /// A picture in light (1) or dark (0) colours; it stays in the target folder for people to look at.
    fn picture(&self, page: &str, scheme: u8, name: &str) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("report.html");
        std::fs::write(&file, page).expect("a file");
        let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        self.run(
            &file,
            &[
                format!("--blink-settings=preferredColorScheme={scheme}"),
                "--window-size=1280,1800".to_owned(),
                format!("--screenshot={}", picture.display()),
            ],
        );
        std::fs::read(picture).expect("the browser wrote it")
    }
}
