use super::{Edit, EditSet};
use crate::text::TextRange;

/// Applies `edits` to `source`; bytes outside the edits stay as they were.
pub fn apply(source: &[u8], edits: &EditSet) -> Vec<u8> {
    let mut output = Vec::with_capacity(edits.output_len(source.len()));
    let all = TextRange::new(0, source.len() as u32);
    apply_within(source, all, edits.as_slice(), &mut output);
    output
}

/// Writes what becomes of a part of `source` by the edits in it, which come in order.
pub(crate) fn apply_within(source: &[u8], part: TextRange, edits: &[Edit], output: &mut Vec<u8>) {
    let part = part.as_usize();
    let mut copied = part.start;
    for edit in edits {
        let range = edit.range.as_usize();
        output.extend_from_slice(&source[copied..range.start]);
        output.extend_from_slice(edit.content.as_bytes());
        copied = range.end;
    }
    output.extend_from_slice(&source[copied..part.end]);
}
