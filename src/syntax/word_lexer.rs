//! Bytes to tokens for build files: words, and every other byte for itself. What Make, CMake and shells have in common is enough
//! here: blanks part words, `#` begins a comment, a backslash joins lines.

use super::token::{Token, TokenKind, flags};

/// All tokens of `bytes`, white space and comments included, in order and without gaps. Words are [`TokenKind::Ident`]: options, paths
/// and names with `::`; an assignment or a list with commas is several.
pub(crate) fn lex(bytes: &[u8]) -> impl Iterator<Item = Token> + '_ {
    lex_with(bytes, |_, _| None)
}

/// The same for CMake, whose comments in brackets, `#[[ … ]]`, reach over lines.
pub(crate) fn lex_cmake(bytes: &[u8]) -> impl Iterator<Item = Token> + '_ {
    lex_with(bytes, |bytes, is_apart| {
        let len = is_apart.then(|| bracket_comment(bytes)).flatten()?;
        Some((TokenKind::BlockComment, len))
    })
}

/// The same for Python, whose long strings are one token each: what looks like a comment in them is none.
pub(crate) fn lex_python(bytes: &[u8]) -> impl Iterator<Item = Token> + '_ {
    lex_with(bytes, |bytes, _| {
        Some((TokenKind::Str, long_string(bytes)?))
    })
}

/// The length of a comment in brackets, as many `=` in front of its end as behind its start; to the end of the bytes where it has none.
fn bracket_comment(bytes: &[u8]) -> Option<usize> {
    let inside = bytes.strip_prefix(b"#[")?;
    let signs = inside.iter().take_while(|&&byte| byte == b'=').count();
    if inside.get(signs) != Some(&b'[') {
        return None;
    }
    let close = [b"]", &inside[..signs], b"]"].concat();
    let end = memchr::memmem::find(inside, &close);
    Some(end.map_or(bytes.len(), |end| 2 + end + close.len()))
}

/// The length of a string in three quotes at the start of some bytes; to their end where it has none.
fn long_string(bytes: &[u8]) -> Option<usize> {
    let quotes = bytes
        .get(..3)
        .filter(|it| matches!(*it, b"\"\"\"" | b"'''"))?;
    let mut at = 3;
    loop {
        at += memchr::memchr2(quotes[0], b'\\', bytes.get(at..)?).unwrap_or(bytes.len());
        match bytes.get(at) {
            None => return Some(bytes.len()),
            Some(b'\\') => at = (at + 2).min(bytes.len()),
            _ if bytes[at..].starts_with(quotes) => return Some(at + 3),
            _ => at += 1,
        }
    }
}

/// What one language reads as a single token at the start of some bytes, behind a blank or not.
type Whole = fn(&[u8], bool) -> Option<(TokenKind, usize)>;

fn lex_with(bytes: &[u8], whole: Whole) -> impl Iterator<Item = Token> + '_ {
    let (mut at, mut line_start, mut space_before) = (0, true, false);
    std::iter::from_fn(move || {
        let start = at;
        let first = *bytes.get(start)?;
        let is_apart = line_start || space_before;
        let (kind, end) = match whole(&bytes[start..], is_apart) {
            Some((kind, len)) => (kind, start + len),
            None => scan(bytes, start, first, is_apart),
        };
        at = end.min(start + Token::LONGEST);
        let bits = (u8::from(space_before) * flags::SPACE_BEFORE)
            | (u8::from(line_start) * flags::LINE_START);
        space_before = !kind.is_significant();
        line_start = kind == TokenKind::Newline || line_start && space_before;
        Some(Token::new(start, at - start, kind, bits))
    })
}

fn scan(bytes: &[u8], start: usize, first: u8, is_apart: bool) -> (TokenKind, usize) {
    let run = |is_in: &dyn Fn(usize) -> bool| {
        let end = (start + 1..bytes.len()).find(|&at| !is_in(at));
        end.unwrap_or(bytes.len())
    };
    match first {
        // A byte order mark is part of no word and no comment.
        0xef if start == 0 && bytes.starts_with(b"\xef\xbb\xbf") => (TokenKind::Space, 3),
        b'\n' => (TokenKind::Newline, start + 1),
        b'\\' if joins_lines(&bytes[start + 1..]).is_some() => {
            let splice = joins_lines(&bytes[start + 1..]).unwrap_or(0);
            (TokenKind::Space, start + 1 + splice)
        }
        b' ' | b'\t' | b'\r' => (
            TokenKind::Space,
            run(&|at| matches!(bytes[at], b' ' | b'\t' | b'\r')),
        ),
        b'#' if is_apart => {
            let end = memchr::memchr(b'\n', &bytes[start..]);
            (
                TokenKind::LineComment,
                end.map_or(bytes.len(), |end| start + end),
            )
        }
        b'-' if is_of_default(&bytes[..start]) => (TokenKind::Punct, start + 1),
        _ if is_word(bytes, start) => (TokenKind::Ident, run(&|at| is_word(bytes, at))),
        _ => (TokenKind::Punct, start + 1),
    }
}

/// Whether a `-` behind some bytes is the sign of a shell's default, `${NVCC:-nvcc}`, and no part of the word behind it.
fn is_of_default(before: &[u8]) -> bool {
    let Some(name) = before.strip_suffix(b":") else {
        return false;
    };
    let is_part = |byte: &&u8| **byte == b'_' || byte.is_ascii_alphanumeric();
    let len = name.iter().rev().take_while(is_part).count();
    len > 0 && name[..name.len() - len].ends_with(b"${")
}

/// The length of the line end behind a backslash.
fn joins_lines(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// A colon belongs to a word where there are two: `CUDA::cudart`, not `main.o: main.cu`.
fn is_word(bytes: &[u8], at: usize) -> bool {
    match bytes[at] {
        b'_' | b'-' | b'+' | b'.' | b'/' | b'%' | b'~' | b'*' | 0x80.. => true,
        b':' => bytes.get(at + 1) == Some(&b':') || at > 0 && bytes[at - 1] == b':',
        byte => byte.is_ascii_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words and other bytes of a text, comments in angle brackets.
    fn tokens(text: &str) -> Vec<String> {
        shown(text, lex(text.as_bytes()).collect())
    }

    fn shown(text: &str, tokens: Vec<Token>) -> Vec<String> {
        let tiled = tokens.iter().fold(0, |at, token| {
            assert_eq!(token.start, at, "{text}");
            token.end()
        });
        assert_eq!(tiled as usize, text.len());
        let shown = |token: &Token| {
            let text = &text[token.range().as_usize()];
            match token.kind {
                TokenKind::LineComment | TokenKind::BlockComment => Some(format!("<{text}>")),
                kind => kind.is_significant().then(|| text.to_owned()),
            }
        };
        tokens.iter().filter_map(shown).collect()
    }

    #[test]
    fn words_are_options_paths_and_names() {
        assert_eq!(
            tokens(
                "NVCC := $(CUDA)/bin/nvcc # why\n\t@nvcc -arch=sm_80 -Xcompiler -Wall,-g \\\n  a.cu"
            ),
            [
                "NVCC",
                ":",
                "=",
                "$",
                "(",
                "CUDA",
                ")",
                "/bin/nvcc",
                "<# why>",
                "@",
                "nvcc",
                "-arch",
                "=",
                "sm_80",
                "-Xcompiler",
                "-Wall",
                ",",
                "-g",
                "a.cu"
            ]
        );
        assert_eq!(
            tokens("target_link_libraries(x CUDA::cudart)"),
            ["target_link_libraries", "(", "x", "CUDA::cudart", ")"]
        );
        assert_eq!(tokens("a#b $#"), ["a", "#", "b", "$", "#"]);
        assert_eq!(
            tokens("N=${N:-/bin/nvcc} ${A:--arch}"),
            [
                "N",
                "=",
                "$",
                "{",
                "N",
                ":",
                "-",
                "/bin/nvcc",
                "}",
                "$",
                "{",
                "A",
                ":",
                "-",
                "-arch",
                "}"
            ]
        );
    }

    #[test]
    fn comments_of_cmake_may_be_in_brackets() {
        let of = |text: &str| shown(text, lex_cmake(text.as_bytes()).collect());
        assert_eq!(of("a #[[ b\nc ]] d"), ["a", "<#[[ b\nc ]]>", "d"]);
        assert_eq!(of("#[==[ ]] ]=]\n]==]a"), ["<#[==[ ]] ]=]\n]==]>", "a"]);
        assert_eq!(of("#[[ open\na"), ["<#[[ open\na>"]);
        assert_eq!(of("#[=x\na"), ["<#[=x>", "a"]);
    }
}
