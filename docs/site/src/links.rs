//! Links within the site: each must lead to a page that is there, and to a heading of it where it names one. Nothing is fetched.

use super::Site;

/// The links that lead nowhere, as `page: link`.
pub(crate) fn broken(site: &Site) -> Vec<String> {
    let mut broken = Vec::new();
    for (path, bytes) in site.iter().filter(|(path, _)| path.ends_with(".html")) {
        let text = String::from_utf8_lossy(bytes);
        for link in links(&text) {
            if !leads(site, path, link) {
                broken.push(format!("{path}: {link}"));
            }
        }
    }
    broken
}

fn links(text: &str) -> impl Iterator<Item = &str> {
    let pieces = ["href=\"", "src=\""]
        .into_iter()
        .flat_map(|key| text.split(key).skip(1));
    pieces.filter_map(|piece| piece.split('"').next())
}

fn leads(site: &Site, from: &str, link: &str) -> bool {
    if ["http://", "https://", "mailto:", "data:"]
        .iter()
        .any(|start| link.starts_with(start))
    {
        return true;
    }
    let (path, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => from.to_owned(),
        path => resolved(from, path),
    };
    let Some(bytes) = site.get(&target) else {
        return false;
    };
    // `#problem=1` is what a script of the page makes of it.
    heading.is_empty()
        || heading.contains('=')
        || String::from_utf8_lossy(bytes).contains(&format!("id=\"{heading}\""))
}

fn resolved(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_nothing_is_told() {
        let page = |text: &str| text.as_bytes().to_vec();
        let site = Site::from([
            (
                "a/x.html".to_owned(),
                page(
                    r##"<a href="../b.html#here"><a href="y.html"><a href="#no"><a href="https://x/">"##,
                ),
            ),
            ("b.html".to_owned(), page(r#"<h2 id="here">"#)),
        ]);
        assert_eq!(broken(&site), ["a/x.html: y.html", "a/x.html: #no"]);
    }
}
