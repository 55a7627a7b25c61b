//! The lines around an edit for AMD, in both versions under one guard.

use std::collections::BTreeSet;

use crate::edit::{Edit, Fix, apply_within};
use crate::syntax::{Document, flags};
use crate::text::{self, TextRange, next_line};

/// The macro that PyTorch's build defines for AMD (`COMMON_HIP_FLAGS` of `torch.utils.cpp_extension`).
pub(in crate::engine) const SWITCH: &str = "USE_ROCM";

/// Replaces the lines around each guarded edit by both versions of them; the other edits stay as they are.
pub(super) fn guarded(
    document: &Document<'_>,
    edits: &[Edit],
    ranges: &BTreeSet<TextRange>,
) -> Vec<Edit> {
    let is_guarded = |edit: &&Edit| ranges.contains(&edit.range);
    let mut blocks: Vec<TextRange> = Vec::new();
    for edit in edits.iter().filter(is_guarded) {
        let lines = lines_around(document, edit.range);
        match blocks.last_mut() {
            // Neighbours share a guard.
            Some(last) if lines.start <= last.end => last.end = last.end.max(lines.end),
            _ => blocks.push(lines),
        }
    }
    let mut all = Vec::new();
    let mut rest = edits;
    for block in blocks {
        let before = rest.partition_point(|edit| {
            edit.range.end < block.start || edit.range.end == block.start && !edit.range.is_empty()
        });
        all.extend(rest[..before].iter().cloned());
        let within = rest[before..].partition_point(|edit| edit.range.start < block.end);
        let (inner, behind) = rest[before..].split_at(within);
        all.push(both(document, block, inner, ranges));
        rest = behind;
    }
    all.extend(rest.iter().cloned());
    all
}

/// The whole lines of a place: of the directive that it lies in, and of comments and literals that reach beyond.
fn lines_around(document: &Document<'_>, range: TextRange) -> TextRange {
    let bytes = &document.source.bytes;
    let (mut start, mut end) = (range.start, range.end);
    let directives = &document.directives;
    let at = directives.partition_point(|directive| directive.range.end < start);
    if let Some(directive) = directives
        .get(at)
        .filter(|it| it.range.start <= end.saturating_sub(1).max(start))
    {
        start = start.min(directive.range.start);
        end = end.max(directive.range.end);
    }
    // What an edit takes with the end of its last line is whole already.
    if end > start && bytes[end as usize - 1] == b'\n' {
        end -= 1;
    }
    let (line_start, line_end) = (text::line_start(bytes, start), line_end(bytes, end));
    let comments = &document.comments;
    let crossing = comments
        .iter()
        .skip(comments.partition_point(|comment| comment.end() <= line_start))
        .take_while(|comment| comment.start < line_end)
        .filter(|comment| comment.start < line_start || comment.end() > line_end);
    let (mut from, mut to) = (line_start, line_end);
    for comment in crossing {
        from = from.min(text::line_start(bytes, comment.start));
        to = to.max(self::line_end(bytes, comment.end()));
    }
    TextRange::new(from, to)
}

/// The offset behind the line end at or behind an offset.
fn line_end(bytes: &[u8], offset: u32) -> u32 {
    next_line(bytes, offset).unwrap_or(bytes.len() as u32)
}

/// Both versions of some lines: with all edits for AMD, without those of `ranges` for NVIDIA.
fn both(
    document: &Document<'_>,
    block: TextRange,
    edits: &[Edit],
    ranges: &BTreeSet<TextRange>,
) -> Edit {
    let bytes = &document.source.bytes;
    let version = |edits: &[Edit]| {
        let mut text = Vec::new();
        apply_within(bytes, block, edits, &mut text);
        let mut text = String::from_utf8_lossy(&text).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(document.newline());
        }
        text
    };
    let for_nvidia: Vec<Edit> = edits
        .iter()
        .filter(|edit| !ranges.contains(&edit.range))
        .cloned()
        .collect();
    let (amd, nvidia) = (version(edits), version(&for_nvidia));
    let newline = document.newline();
    let text = match (amd.trim().is_empty(), nvidia.trim().is_empty()) {
        (true, _) => format!("#ifndef {SWITCH}{newline}{nvidia}#endif{newline}"),
        (_, true) => format!("#ifdef {SWITCH}{newline}{amd}#endif{newline}"),
        _ => format!("#ifdef {SWITCH}{newline}{amd}#else{newline}{nvidia}#endif{newline}"),
    };
    Edit::replace(block, text)
}

/// Whether a fix would have to part the lines of a directive's neighbours, which no guard can do: `#if` inside, its `#endif` outside.
pub(in crate::engine) fn parts_directives(document: &Document<'_>, fix: &Fix) -> bool {
    let mut blocks = fix
        .edits
        .iter()
        .map(|edit| lines_around(document, edit.range));
    blocks.any(|block| {
        let tokens = document.token_at(block.start)..document.token_at(block.end);
        let is_directive = |at: usize| document.tokens[at].has(flags::DIRECTIVE);
        tokens.clone().any(is_directive) && !tokens.clone().all(is_directive)
    })
}
