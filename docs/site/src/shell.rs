//! What every page has: head, navigation, Markdown as HTML.

use maud::{DOCTYPE, PreEscaped, html as markup};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

pub(crate) const STYLE: &str = include_str!("style.css");

/// A page of the site.
pub(crate) struct Page {
    /// Where it lies, `rules/CASS003.html`.
    pub(crate) path: String,
    pub(crate) title: String,
    /// Its content, as HTML.
    pub(crate) body: String,
}

const NAVIGATION: &[(&str, &str)] = &[
    ("index.html", "Start"),
    ("howto/first-port.html", "First port"),
    ("howto/estimate.html", "Estimate"),
    ("howto/ci.html", "CI"),
    ("howto/pytorch.html", "PyTorch"),
    ("howto/both-vendors.html", "Both vendors"),
    ("howto/in-sync.html", "In sync"),
    ("howto/cmake.html", "CMake"),
    ("howto/cudnn.html", "cuDNN"),
    ("howto/nvcc.html", "Drop-in nvcc"),
    ("howto/python.html", "Python"),
    ("howto/verify.html", "Verify"),
    ("howto/editors.html", "Editors, agents"),
    ("howto/names.html", "Which names"),
    ("howto/limits.html", "Limits"),
    ("rules/index.html", "Rules"),
    ("errors/index.html", "Error messages"),
    ("libraries/index.html", "What names become"),
    ("commands/index.html", "Commands"),
    ("settings.html", "cass.toml"),
    ("playground/index.html", "Playground"),
];

/// The page as a file.
pub(crate) fn html(page: &Page) -> String {
    let up = "../".repeat(page.path.matches('/').count());
    let item = |path: &str, title: &str| {
        let here = path == page.path;
        markup! { a href={ (up) (path) } aria-current=[here.then_some("page")] { (title) } }
    };
    markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (page.title) " · cass-transpile" }
                link rel="stylesheet" href={ (up) "style.css" };
            }
            body {
                nav { @for (path, title) in NAVIGATION { (item(path, title)) } }
                main { (PreEscaped(&page.body)) }
            }
        }
    }
    .into_string()
}

/// Markdown as HTML. Headings get addresses of their own; what the text holds of HTML is shown, not obeyed.
pub(crate) fn markdown(text: &str) -> String {
    let mut heading: Option<(usize, String)> = None;
    let mut events: Vec<Event<'_>> = Vec::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match (&event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some((events.len(), String::new())),
            (Event::Text(text) | Event::Code(text), Some((_, id))) => id.push_str(text),
            _ => {}
        }
        let is_end = matches!(event, Event::End(TagEnd::Heading(_)));
        events.push(match event {
            Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
            other => other,
        });
        if is_end
            && let Some((at, text)) = heading.take()
            && let Event::Start(Tag::Heading { id, .. }) = &mut events[at]
        {
            *id = Some(CowStr::from(slug(&text)));
        }
    }
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, events.into_iter());
    html
}

fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}
