//! The formats of XML: well-formed, with the elements that their readers know, and counts that are true.

use cass_transpile::report::{Format, render};

use super::report;

/// Elements with the attributes that they need and may have, and the elements within: the XSD of Jenkins' JUnit plug-in, with the
/// `file` and `line` that GitLab reads, and what Checkstyle's own XML logger writes.
type Element = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

const JUNIT: &[Element] = &[
    (
        "testsuites",
        &[],
        &["name", "tests", "failures", "errors", "time"],
        &["testsuite"],
    ),
    (
        "testsuite",
        &["name", "tests"],
        &["failures", "errors", "skipped", "time"],
        &["testcase"],
    ),
    (
        "testcase",
        &["name", "classname"],
        &["time", "file", "line"],
        &["failure", "error"],
    ),
    ("failure", &[], &["type", "message"], &[]),
    ("error", &[], &["type", "message"], &[]),
];

const CHECKSTYLE: &[Element] = &[
    ("checkstyle", &["version"], &[], &["file"]),
    ("file", &["name"], &[], &["error"]),
    (
        "error",
        &["line", "severity", "message", "source"],
        &["column"],
        &[],
    ),
];

/// What is wrong with an element and those within.
fn misshapen(node: roxmltree::Node<'_, '_>, shape: &[Element]) -> Vec<String> {
    let name = node.tag_name().name();
    let Some((_, needed, allowed, within)) = shape.iter().find(|element| element.0 == name) else {
        return vec![format!("<{name}> is unknown")];
    };
    let missing = needed.iter().filter(|key| node.attribute(**key).is_none());
    let mut wrong: Vec<String> = missing
        .map(|key| format!("<{name}> has no {key}"))
        .collect();
    let unknown = node.attributes().map(|attribute| attribute.name());
    let unknown = unknown.filter(|key| !needed.contains(key) && !allowed.contains(key));
    wrong.extend(unknown.map(|key| format!("<{name}> has {key}")));
    for child in node.children().filter(roxmltree::Node::is_element) {
        if !within.contains(&child.tag_name().name()) {
            wrong.push(format!("<{}> stands in <{name}>", child.tag_name().name()));
        }
        wrong.extend(misshapen(child, shape));
    }
    wrong
}

#[test]
fn xml_has_the_elements_and_attributes_that_readers_know() {
    for (format, root, shape) in [
        (Format::Junit, "testsuites", JUNIT),
        (Format::Checkstyle, "checkstyle", CHECKSTYLE),
    ] {
        let text = render(&report(), format);
        let document = roxmltree::Document::parse(&text).expect("XML");
        assert!(document.root_element().has_tag_name(root));
        assert_eq!(
            misshapen(document.root_element(), shape),
            Vec::<String>::new()
        );
    }
    let wrong = roxmltree::Document::parse("<testsuites><testcase name='a'/></testsuites>");
    let wrong = wrong.expect("XML");
    assert_eq!(
        misshapen(wrong.root_element(), JUNIT).len(),
        2,
        "the shape takes anything"
    );
    let text = render(&report(), Format::Checkstyle);
    let document = roxmltree::Document::parse(&text).expect("XML");
    let severities = document
        .descendants()
        .filter_map(|node| node.attribute("severity"));
    let known = ["ignore", "info", "warning", "error"];
    assert!(
        severities
            .into_iter()
            .all(|severity| known.contains(&severity))
    );
}

#[test]
fn xml_is_well_formed_and_counts_itself() {
    let report = report();
    let junit = render(&report, Format::Junit);
    let document = roxmltree::Document::parse(&junit).expect("XML");
    let count = |name: &str| {
        document
            .descendants()
            .filter(|node| node.has_tag_name(name))
            .count()
    };
    let root = document.root_element();
    assert_eq!(
        root.attribute("tests"),
        Some(count("testcase").to_string().as_str())
    );
    assert_eq!(
        root.attribute("failures"),
        Some(count("failure").to_string().as_str())
    );
    assert_eq!(
        root.attribute("errors"),
        Some(count("error").to_string().as_str())
    );
    for suite in document
        .descendants()
        .filter(|node| node.has_tag_name("testsuite"))
    {
        let cases = suite
            .children()
            .filter(|node| node.has_tag_name("testcase"))
            .count();
        assert_eq!(suite.attribute("tests"), Some(cases.to_string().as_str()));
    }
    let checkstyle = render(&report, Format::Checkstyle);
    let document = roxmltree::Document::parse(&checkstyle).expect("XML");
    let names: Vec<_> = document
        .descendants()
        .filter_map(|node| node.attribute("name"))
        .collect();
    assert!(names.contains(&"gpu/src/a&b <1>%.cu"), "{names:?}");
}
