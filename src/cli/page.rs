//! A page of Markdown for a terminal: headings, paragraphs filled to the window, code as it is.

use anstyle::{AnsiColor, Style};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// Columns of the widest line of prose: longer ones are hard to read.
const WIDEST: usize = 100;

const HEADING: Style = Style::new().bold();
const CODE: Style = AnsiColor::Cyan.on_default();

/// The page with the escapes of a terminal, for a window of some columns.
pub(super) fn rendered(markdown: &str, columns: usize) -> String {
    let mut page = Page {
        columns: columns.clamp(20, WIDEST),
        ..Page::default()
    };
    Parser::new(markdown).for_each(|event| page.take(event));
    page.text
}

#[derive(Default)]
struct Page {
    text: String,
    columns: usize,
    /// The paragraph that is being read; words that belong together have no-break spaces.
    paragraph: String,
    in_code: bool,
    in_heading: bool,
    /// Depth of lists.
    depth: usize,
}

impl Page {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Heading { .. }) => self.in_heading = true,
            Event::Start(Tag::CodeBlock(_)) => self.in_code = true,
            Event::Start(Tag::List(_)) => {
                self.end_paragraph();
                self.depth += 1;
            }
            Event::Start(Tag::Item) => self.paragraph.push_str("- "),
            Event::End(TagEnd::List(_)) => {
                self.depth -= 1;
                self.text.push('\n');
            }
            Event::End(TagEnd::Item) => self.end_paragraph(),
            Event::End(TagEnd::Paragraph) => {
                self.end_paragraph();
                if self.depth == 0 {
                    self.text.push('\n');
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let heading = std::mem::take(&mut self.paragraph);
                self.text
                    .push_str(&format!("{HEADING}{heading}{HEADING:#}\n"));
                self.in_heading = false;
            }
            Event::End(TagEnd::CodeBlock) => {
                self.in_code = false;
                self.text.push('\n');
            }
            Event::Text(text) if self.in_code => {
                let lines = text
                    .lines()
                    .map(|line| format!("    {CODE}{line}{CODE:#}\n"));
                self.text.extend(lines);
            }
            Event::Text(text) => self.paragraph.push_str(&text),
            Event::Code(code) if self.in_heading => self.paragraph.push_str(&code),
            Event::Code(code) => self.paragraph.push_str(&format!("{CODE}{code}{CODE:#}")),
            Event::SoftBreak | Event::HardBreak => self.paragraph.push(' '),
            Event::Rule => {
                let line = "─".repeat(self.columns.min(40));
                self.text.push_str(&format!("{line}\n\n"));
            }
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        if paragraph.is_empty() {
            return;
        }
        let indent = "  ".repeat(self.depth);
        let first = "  ".repeat(self.depth.saturating_sub(1));
        let options = textwrap::Options::new(self.columns)
            .initial_indent(&first)
            .subsequent_indent(&indent)
            .break_words(false)
            // An address that is cut at its hyphens cannot be followed.
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        self.text.push_str(&textwrap::fill(&paragraph, options));
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_filled_and_code_stays() {
        let text = "# T `x`\n\none two\nthree four https://a.b/five-six-seven\n\n```cuda\nint  a;\n```\n\n- a point\n";
        let page = anstream::adapter::strip_str(&rendered(text, 20)).to_string();
        assert_eq!(
            page,
            "T x\none two three four\nhttps://a.b/five-six-seven\n\n    int  a;\n\n- a point\n\n"
        );
    }
}
