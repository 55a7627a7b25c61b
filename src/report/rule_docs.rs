//! What a rule's documentation says, in the pieces that formats ask for.

/// The first sentence, without its full stop.
pub(super) fn summary(docs: &str) -> &str {
    let paragraph = docs.split("\n\n").next().unwrap_or_default().trim();
    paragraph.strip_suffix('.').unwrap_or(paragraph)
}

/// The text of the section `## Title`; empty when there is none.
pub(super) fn section<'d>(docs: &'d str, title: &str) -> &'d str {
    let heading = format!("## {title}\n");
    let Some(at) = docs.find(&heading) else {
        return "";
    };
    let text = &docs[at + heading.len()..];
    text[..text.find("\n## ").unwrap_or(text.len())].trim()
}

/// The documentation as Markdown whose code blocks are coloured by readers that know neither CUDA nor HIP as languages.
pub(super) fn markdown(docs: &str) -> String {
    docs.replace("```cuda\n", "```cpp\n")
        .replace("```hip\n", "```cpp\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn every_rule_says_what_and_why() {
        for (rule, docs) in rules::all() {
            assert!(!summary(docs).is_empty(), "{} has no summary", rule.code);
            assert!(
                !section(docs, "Why on AMD").is_empty(),
                "{} does not say why",
                rule.code
            );
        }
    }
}
