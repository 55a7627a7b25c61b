use super::EditSet;

/// Applies `edits` to `source`; bytes outside the edits stay as they were.
pub fn apply(source: &[u8], edits: &EditSet) -> Vec<u8> {
    let mut output = Vec::with_capacity(edits.output_len(source.len()));
    let mut copied = 0;
    for edit in edits.iter() {
        let range = edit.range.as_usize();
        output.extend_from_slice(&source[copied..range.start]);
        output.extend_from_slice(edit.content.as_bytes());
        copied = range.end;
    }
    output.extend_from_slice(&source[copied..]);
    output
}
