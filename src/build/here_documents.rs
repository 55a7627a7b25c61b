//! Here-documents of scripts: `cat <<EOF` up to a line that says `EOF`.

use memchr::memmem;
use rustc_hash::FxHashMap;

use crate::build::BuildFile;
use crate::syntax::TokenIndex;
use crate::text::{BuildTool, TextRange, next_line};

/// The here-documents of a file, `cat <<EOF > x.cu` up to a line that says `EOF`, in order.
pub(super) fn here_documents(bytes: &[u8]) -> Vec<TextRange> {
    let mut ends = FxHashMap::<&[u8], Vec<usize>>::default();
    let mut at = 0;
    for line in bytes.split(|&byte| byte == b'\n') {
        let word = line.trim_ascii();
        if !word.is_empty() && word.iter().all(|&byte| is_of_name(byte)) {
            ends.entry(word).or_default().push(at);
        }
        at += line.len() + 1;
    }
    let mut found: Vec<TextRange> = Vec::new();
    for sign in memmem::find_iter(bytes, b"<<") {
        // Signs of streams stand in the programs.
        let is_inside = found.last().is_some_and(|it| (sign as u32) < it.end);
        let Some(first_line) = next_line(bytes, sign as u32).filter(|_| !is_inside) else {
            continue;
        };
        let word = delimiter(&bytes[sign + 2..first_line as usize]);
        let all = ends.get(word).map_or(&[][..], Vec::as_slice);
        let next = all.partition_point(|&end| end < first_line as usize);
        found.extend(
            all.get(next)
                .map(|&end| TextRange::new(first_line, end as u32)),
        );
    }
    found
}

/// Whether a script shows a word to people, in a here-document that nothing takes: `cat <<EOF` of a function `usage`.
pub(super) fn is_shown(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    struct Shown(Vec<TextRange>);
    if doc.tool != BuildTool::Shell {
        return false;
    }
    let shown = doc.fact(|doc| {
        let mut all = here_documents(&doc.source.bytes);
        all.retain(|it| is_of_cat(&doc.source.bytes, it.start as usize));
        Shown(all)
    });
    let start = doc.tokens[index].range().start;
    let next = shown.0.partition_point(|it| it.end <= start);
    shown.0.get(next).is_some_and(|it| it.start <= start)
}

/// Whether the line in front of a here-document is `cat <<EOF` or `cat <<EOF >&2`, and no file or program takes what it says.
fn is_of_cat(bytes: &[u8], start: usize) -> bool {
    let line = bytes[..start].trim_ascii_end();
    let line = line.rsplit(|&byte| byte == b'\n').next().unwrap_or(line);
    let line = String::from_utf8_lossy(line).replace(">&2", "");
    let command = line.trim_start().strip_prefix("cat");
    command.is_some_and(|rest| {
        rest.trim_start().starts_with("<<") && !rest.contains(['>', '|', ')', '`'])
    })
}

/// The word that ends a here-document, behind its `<<`: `EOF`, `-EOF`, `'EOF'`.
fn delimiter(behind: &[u8]) -> &[u8] {
    let word = behind
        .strip_prefix(b"-")
        .unwrap_or(behind)
        .trim_ascii_start();
    let quotes: [&[u8]; 3] = [b"\\", b"'", b"\""];
    let quoted = quotes.iter().find_map(|quote| word.strip_prefix(*quote));
    let word = quoted.unwrap_or(word);
    &word[..word.iter().take_while(|&&byte| is_of_name(byte)).count()]
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn what_a_script_prints_is_shown() {
        let shown = |text: &str| {
            let source = SourceFile::new("a.sh", text.as_bytes().to_vec());
            let doc = BuildFile::new(&source);
            let at = (0..doc.tokens.len()).find(|&at| doc.is(at, "nvcc"));
            is_shown(&doc, at.expect("the word is there"))
        };
        assert!(shown("usage() {\n  cat <<'EOF'\nruns nvcc\nEOF\n}\n"));
        assert!(shown("cat <<EOF >&2\nruns nvcc\nEOF\n"));
        assert!(!shown("cat <<EOF > build.sh\nnvcc a.cu\nEOF\n"));
        assert!(!shown("bash <<EOF\nnvcc a.cu\nEOF\n"));
        assert!(!shown("text=$(cat <<EOF\nnvcc a.cu\nEOF\n)\n"));
        assert!(!shown("cat <<EOF\nshown\nEOF\nnvcc a.cu\n"));
    }
}
